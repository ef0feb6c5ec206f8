//! The layout of a whole state: which bits of which words hold which variable.
//!
//! Word 0 is the number of the constants valuation. Small fields are packed together; no field of at most
//! 64 bits straddles two words; longer bitsets have whole words of their own.

use super::{Hull, Layout, Pool};
use crate::ops::World;
use crate::ty::Ty;
use crate::value::Value;

/// A packed state.
pub type Words = Box<[u64]>;

/// Where one variable is.
#[derive(Clone, Debug)]
pub struct Field {
    /// The variable's type.
    pub ty: Ty,
    /// Its layout.
    pub layout: Layout,
    /// First word.
    pub word: u32,
    /// First bit within that word (0 for fields longer than a word).
    pub shift: u32,
}

/// The layout of states.
#[derive(Clone, Debug)]
pub struct StateLayout {
    /// One field per variable, by `VarId`.
    pub fields: Vec<Field>,
    /// Number of words of a state, word 0 (the constants valuation) included.
    pub words: usize,
    /// The hulls that it was made for.
    pub hulls: Vec<Hull>,
}

/// Why a value cannot be stored in a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// An integer outside the hull that the layout was made for: use a wider hull.
    OutsideHull,
    /// A relation where a function was foreseen: use another layout.
    NoFunction,
    /// A set that is not in extension: expand it first.
    NotInExtension,
    /// No such variable, or a value of another type.
    WrongType,
}

/// Integers of smaller absolute value are stored as they are, doubled plus one.
const SMALL: i64 = 1 << 61;

impl StateLayout {
    /// Lays out variables of the given types without knowledge of integers.
    #[must_use]
    pub fn new(types: &[Ty], world: &World) -> Self {
        Self::within(types, &[], world)
    }

    /// Lays out variables of the given types, with the hulls of the first of them: long bitsets first, then
    /// small fields first-fit.
    #[must_use]
    pub fn within(types: &[Ty], hulls: &[Hull], world: &World) -> Self {
        let layouts: Vec<Layout> = types
            .iter()
            .enumerate()
            .map(|(i, t)| Layout::of(t, hulls.get(i).unwrap_or(&Hull::Unknown), world))
            .collect();
        let mut used: Vec<u32> = vec![64];
        let mut place = vec![(0u32, 0u32); types.len()];
        for (i, l) in layouts.iter().enumerate().filter(|(_, l)| l.bits() > 64) {
            place[i] = (u32::try_from(used.len()).unwrap_or(u32::MAX), 0);
            used.extend(std::iter::repeat_n(64, l.bits().div_ceil(64) as usize));
        }
        for (i, l) in layouts.iter().enumerate().filter(|(_, l)| l.bits() <= 64) {
            let bits = l.bits();
            let w = used.iter().position(|u| u + bits <= 64).unwrap_or_else(|| {
                used.push(0);
                used.len() - 1
            });
            place[i] = (u32::try_from(w).unwrap_or(u32::MAX), used[w]);
            used[w] += bits;
        }
        let fields = types
            .iter()
            .zip(layouts)
            .zip(place)
            .map(|((ty, layout), (word, shift))| Field { ty: ty.clone(), layout, word, shift })
            .collect();
        Self { fields, words: used.len(), hulls: hulls.to_vec() }
    }

    /// Another field behind all others; those from word `from` on may share a word with it.
    pub fn add(&mut self, ty: Ty, layout: Layout, from: usize) -> usize {
        let bits = layout.bits();
        let last = self.words.saturating_sub(1);
        let in_last = self.fields.iter().filter(|f| f.word as usize + f.layout.words() == self.words);
        let used = in_last.map(|f| f.shift + f.layout.bits()).max().unwrap_or(0);
        let shares = last >= from && used + bits <= u64::BITS;
        let (word, shift) = if shares { (last, used) } else { (self.words, 0) };
        self.words = self.words.max(word + layout.words());
        self.fields.push(Field { ty, layout, word: u32::try_from(word).unwrap_or(u32::MAX), shift });
        self.fields.len() - 1
    }

    /// The same where a variable is of another type, laid out behind all others as by [`StateLayout::add`]; its old place is
    /// left empty.
    pub fn move_behind(&mut self, var: usize, ty: Ty, layout: Layout, from: usize) {
        let last = self.add(ty, layout, from);
        if var < last {
            self.fields.swap_remove(var);
        }
    }

    /// The bits of a state that belong to some of the variables.
    #[must_use]
    pub fn mask(&self, of: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut mask = vec![0; self.words];
        for (_, f) in self.fields.iter().enumerate().filter(|(var, _)| of(*var)) {
            let bits = f.layout.bits();
            let words = mask.iter_mut().skip(f.word as usize);
            if bits >= 64 {
                words.take(bits.div_ceil(64) as usize).for_each(|w| *w = u64::MAX);
            } else if bits > 0 {
                // A field without bits may stand behind a full word.
                words.take(1).for_each(|w| *w |= ((1 << bits) - 1) << f.shift);
            }
        }
        mask
    }

    /// Reads one variable; `None` for words that are no state (the lone number of a valuation) or that
    /// [`StateLayout::set`] did not write.
    #[must_use]
    pub fn get(&self, words: &[u64], var: usize, pool: &Pool) -> Option<Value> {
        if words.len() < self.words {
            return None;
        }
        let f = self.fields.get(var)?;
        let w = f.word as usize;
        Some(match &f.layout {
            Layout::Index(d) => d.value(u32::try_from(f.small(words)).ok()?),
            Layout::Bits(d) if d.size <= 64 => d.set(&[f.small(words)]),
            Layout::Bits(d) => d.set(words.get(w..w + d.size.div_ceil(64) as usize)?),
            Layout::Rows(r) if r.bits() <= 64 => r.value(&[f.small(words)]),
            Layout::Lanes(l) => l.value(words.get(w..w + l.words() as usize)?),
            Layout::Rows(r) => r.value(words.get(w..w + r.bits().div_ceil(64) as usize)?),
            Layout::Span(lo, _) => Value::Int(lo.wrapping_add(f.small(words).cast_signed())),
            Layout::Int if words[w] & 1 == 1 => Value::Int(words[w].cast_signed() >> 1),
            Layout::Int => pool.get(words[w] >> 1)?,
            Layout::Shared => pool.get(words[w])?,
        })
    }

    /// Writes one variable.
    ///
    /// # Errors
    /// Why the value does not fit; the words are then unspecified in this variable's place.
    pub fn set(&self, words: &mut [u64], var: usize, v: &Value, pool: &Pool) -> Result<(), Misfit> {
        let f = self.fields.get(var).ok_or(Misfit::WrongType)?;
        let w = f.word as usize;
        if matches!(v, Value::Lazy(_)) || matches!(f.layout, Layout::Shared) && !v.is_extension() {
            return Err(Misfit::NotInExtension);
        }
        match &f.layout {
            Layout::Index(d) => {
                let i = d.index(v).ok_or(Misfit::OutsideHull)?;
                f.put_small(words, u64::from(i));
            }
            Layout::Span(lo, hi) => match v {
                Value::Int(n) if (lo..=hi).contains(&n) => f.put_small(words, n.abs_diff(*lo)),
                _ => return Err(Misfit::OutsideHull),
            },
            Layout::Bits(d) => {
                let Value::Set(s) = v else { return Err(Misfit::WrongType) };
                if d.size <= 64 {
                    let mut x = 0;
                    for item in s.items() {
                        x |= 1 << d.index(item).ok_or(Misfit::OutsideHull)?;
                    }
                    f.put_small(words, x);
                } else {
                    words[w..w + d.size.div_ceil(64) as usize].fill(0);
                    for item in s.items() {
                        let i = d.index(item).ok_or(Misfit::OutsideHull)?;
                        words[w + (i / 64) as usize] |= 1 << (i % 64);
                    }
                }
            }
            Layout::Rows(r) if r.bits() <= 64 => {
                let mut x = [0];
                r.write(v, &mut x)?;
                f.put_small(words, x[0]);
            }
            Layout::Rows(r) => {
                let field = &mut words[w..w + r.bits().div_ceil(64) as usize];
                field.fill(0);
                r.write(v, field)?;
            }
            Layout::Lanes(l) => {
                let field = &mut words[w..w + l.words() as usize];
                field.fill(0);
                l.write(v, field)?;
            }
            Layout::Int => {
                words[w] = match v {
                    Value::Int(n) if (-SMALL..SMALL).contains(n) => (n << 1 | 1).cast_unsigned(),
                    _ => pool.intern(v) << 1,
                }
            }
            Layout::Shared => words[w] = pool.intern(v),
        }
        Ok(())
    }
}

impl Field {
    /// Whether two states have the same value here.
    #[must_use]
    pub fn same(&self, a: &[u64], b: &[u64]) -> bool {
        let bits = self.layout.bits();
        if bits <= 64 {
            return self.small(a) == self.small(b);
        }
        let words = self.word as usize..self.word as usize + bits.div_ceil(64) as usize;
        a.get(words.clone()) == b.get(words)
    }

    /// The field's bits, for fields of at most 64.
    #[must_use]
    pub fn small(&self, words: &[u64]) -> u64 {
        match self.layout.bits() {
            0 => 0,
            bits => words[self.word as usize] >> self.shift & (u64::MAX >> (64 - bits)),
        }
    }

    /// Writes the field's bits, for fields of at most 64.
    pub fn put_small(&self, words: &mut [u64], x: u64) {
        let bits = self.layout.bits();
        if bits > 0 {
            let mask = (u64::MAX >> (64 - bits)) << self.shift;
            let w = &mut words[self.word as usize];
            *w = *w & !mask | x << self.shift;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::SetId;
    use crate::value::SetRef;

    /// A field without bits is in no mask, also where it stands behind a word that is full.
    #[test]
    fn nothing_masks_what_has_no_bits() {
        let world = World { card: vec![64, 1], ..World::default() };
        let (full, single) = (Ty::pow(Ty::Given(SetId(0))), Ty::Given(SetId(1)));
        let mut state = StateLayout::new(&[full], &world);
        let layout = Layout::of(&single, &Hull::Unknown, &world);
        state.add(single, layout, 0);
        assert_eq!(state.fields[1].shift, 64);
        assert_eq!(state.mask(|var| var == 0), vec![0, u64::MAX]);
        assert_eq!(state.mask(|var| var == 1), vec![0, 0]);
    }

    #[test]
    fn values_come_back() {
        let world = World { card: vec![3], ..World::default() };
        let id = Ty::Given(SetId(0));
        let e = |i| Value::Elem(SetId(0), i);
        let types = [
            Ty::Bool,
            Ty::rel(id.clone(), Ty::Int),
            Ty::pow(Ty::pow(id.clone())),
            Ty::rel(Ty::pair(id.clone(), id.clone()), Ty::pair(id.clone(), id.clone())),
            Ty::Int,
            id,
        ];
        let set = |v: Vec<Value>| Value::Set(SetRef::from_vec(v));
        let values = [
            Value::Bool(true),
            set(vec![Value::pair(e(2), Value::Int(7)), Value::pair(e(0), Value::Int(5))]),
            set(vec![set(vec![e(0), e(2)]), set(vec![e(1)]), set(vec![])]),
            set(vec![Value::pair(Value::pair(e(2), e(1)), Value::pair(e(0), e(2)))]),
            Value::Int(-9),
            e(1),
        ];
        let hulls: Vec<Hull> = values
            .iter()
            .map(|v| {
                let mut h = Hull::Unknown;
                h.include(v);
                h
            })
            .collect();
        let pool = Pool::default();
        for layout in [StateLayout::new(&types, &world), StateLayout::within(&types, &hulls, &world)] {
            let mut words = vec![0; layout.words];
            for (i, v) in values.iter().enumerate() {
                assert_eq!(layout.set(&mut words, i, v, &pool), Ok(()));
            }
            for (i, v) in values.iter().enumerate() {
                assert_eq!(layout.get(&words, i, &pool).as_ref(), Some(v));
            }
        }
        let wide = Hull::Int(-9, 1 << 40);
        let spans = StateLayout::within(&[Ty::Int, Ty::Int], &[wide, Hull::Int(0, 70_000)], &world);
        assert_eq!(spans.words, 2);
        let mut words = vec![0; spans.words];
        for (a, b) in [(-9, 70_000), (1 << 40, 0), (-1, 1)] {
            assert_eq!(spans.set(&mut words, 0, &Value::Int(a), &pool), Ok(()));
            assert_eq!(spans.set(&mut words, 1, &Value::Int(b), &pool), Ok(()));
            assert_eq!([0, 1].map(|v| spans.get(&words, v, &pool)), [a, b].map(|n| Some(Value::Int(n))));
        }
        for n in [-10, (1 << 40) + 1] {
            assert_eq!(spans.set(&mut words, 0, &Value::Int(n), &pool), Err(Misfit::OutsideHull));
        }
        let tight = StateLayout::within(&types, &hulls, &world);
        assert!(matches!(tight.fields[1].layout, Layout::Bits(_)));
        let mut words = vec![0; tight.words];
        assert_eq!(tight.set(&mut words, 4, &Value::Int(3), &pool), Err(Misfit::OutsideHull));
    }
}
