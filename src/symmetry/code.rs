//! Codes: states as single words, each its own, where they are small enough.
//!
//! In: the layout of states. Out: for each state a word that no other has. Where the fields of a state do not fit
//! into a word side by side, a row of a function, of which at most one bit is set, becomes the number of that bit.
//! Code and state are related bit by bit: the code of a state is the exclusive or of the codes of its bits. So states
//! that differ alike have codes that differ alike, and a set of codes may be packed (`explore/keys/basis`).
//!
//! What a row is says the invariant, which a state may violate. Such states are numbered as they come, and their
//! codes have a bit that others have not.

use super::Context;
use crate::ir::{ExprKind, Pred, PredKind};
use crate::layout::{Dense, DenseKind, Layout, StateLayout};
use crate::ops::Op;
use hashbrown::HashMap;
use std::sync::{Mutex, PoisonError};

/// The bit of the codes of numbered states.
const NUMBERED: u64 = 1 << 63;

/// How states are coded.
#[derive(Debug)]
pub(super) struct Code {
    /// Bits of the fields of each word but the first, if they fit side by side; their codes are in order.
    plain: Option<Vec<u32>>,
    tables: Vec<Tables>,
    /// The words that have bits of rows, and which.
    rows: Vec<(usize, u64)>,
    counters: Vec<Counter>,
    /// Bits of the fields.
    bits: u32,
    numbered: Mutex<HashMap<Vec<u64>, u64>>,
}

/// The codes of the values of the bytes of half a word.
struct Tables {
    word: usize,
    /// The first bit.
    shift: u32,
    /// All of one size, so that nothing is asked on the way: branches cost more than reads in vain.
    bytes: Box<[[u64; 256]; 4]>,
}

impl Tables {
    /// The code of the half of a word.
    #[inline]
    fn code(&self, word: u64) -> u64 {
        let [a, b, c, d, ..] = (word >> (self.shift & 63)).to_le_bytes();
        let [of_a, of_b, of_c, of_d] = &*self.bytes;
        of_a[usize::from(a)] ^ of_b[usize::from(b)] ^ of_c[usize::from(c)] ^ of_d[usize::from(d)]
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tables({}, {})", self.word, self.shift)
    }
}

/// Counts rows that are not empty: the numbers of `width` bits of which `lowest` has the lowest ones.
#[derive(Clone, Copy, Debug)]
struct Counter {
    width: u32,
    /// Shifts that bring all bits of a number to its lowest: with each, twice as many are there, or all.
    shifts: [u32; 4],
    lowest: u64,
}

impl Code {
    /// Codes for the states of a run whose valuations have numbers up to this; `None` if there is too much in a state.
    pub(super) fn new(context: &Context, valuations: u32) -> Option<Self> {
        let invariants = &context.machine.invariants;
        let is_function = |var| invariants.iter().any(|f| functional(&f.pred, var));
        Self::of(&context.layout, &is_function, valuations)
    }

    /// As [`Self::new`], where it is known which variables are mostly functions.
    fn of(layout: &StateLayout, is_function: &dyn Fn(usize) -> bool, valuations: u32) -> Option<Self> {
        let valuation = u32::BITS - valuations.leading_zeros();
        let mut used = vec![0; layout.words.saturating_sub(1)];
        for f in &layout.fields {
            fill(&mut used, f.word as usize, f.shift, f.layout.bits());
        }
        let bits = used.iter().sum();
        if bits + valuation <= u64::BITS {
            return Some(Self { plain: Some(used), bits, ..Self::empty() });
        }
        let mut code = Self::empty();
        let mut points = Vec::new();
        for (var, f) in layout.fields.iter().enumerate() {
            let long = if f.layout.bits() > u64::BITS { 0 } else { f.shift };
            let at = |bit: u32| (f.word as usize + ((long + bit) / 64) as usize, (long + bit) % 64);
            match row(&f.layout).filter(|_| is_function(var)) {
                Some(size) => code.add_rows(f.layout.bits() / size, size, &at, &mut points)?,
                None => {
                    for bit in 0..f.layout.bits() {
                        points.push((at(bit), code.number(1)?));
                    }
                }
            }
        }
        // One bit is for states whose rows are no rows.
        (code.bits + valuation < u64::BITS).then(|| code.tabulate(&points))
    }

    fn empty() -> Self {
        Self {
            plain: None,
            tables: Vec::new(),
            rows: Vec::new(),
            counters: Vec::new(),
            bits: 0,
            numbered: Mutex::default(),
        }
    }

    /// The lowest of some further bits of the code.
    fn number(&mut self, bits: u32) -> Option<u64> {
        let lowest = 1u64.checked_shl(self.bits)?;
        self.bits += bits;
        (self.bits <= u64::BITS).then_some(lowest)
    }

    /// Adds rows of `size` bits.
    fn add_rows(
        &mut self,
        rows: u32,
        size: u32,
        at: &impl Fn(u32) -> (usize, u32),
        points: &mut Vec<((usize, u32), u64)>,
    ) -> Option<()> {
        let width = u32::BITS - size.leading_zeros();
        for row in 0..rows {
            let lowest = self.number(width)?;
            let new = || Counter::new(width);
            found(&mut self.counters, |c| c.width == width, new).lowest |= lowest;
            for i in 0..size {
                let (word, bit) = at(row * size + i);
                found(&mut self.rows, |r| r.0 == word, || (word, 0)).1 |= 1 << bit;
                points.push(((word, bit), lowest * u64::from(i + 1)));
            }
        }
        Some(())
    }

    /// Makes the tables of all words that have points.
    fn tabulate(mut self, points: &[((usize, u32), u64)]) -> Self {
        for &((word, bit), code) in points {
            let shift = bit / 32 * 32;
            let new = || Tables { word, shift, bytes: Box::new([[0; 256]; 4]) };
            let tables = found(&mut self.tables, |t| (t.word, t.shift) == (word, shift), new);
            let codes = &mut tables.bytes[(bit / 8 % 4) as usize];
            let with = codes.iter_mut().enumerate().filter(|(byte, _)| byte >> (bit % 8) & 1 == 1);
            with.for_each(|(_, c)| *c ^= code);
        }
        self
    }

    /// The codes of states of `width` words.
    pub(super) fn codes(&self, states: &[u64], width: usize, out: &mut Vec<u128>) {
        let states = states.chunks_exact(width);
        match self.plain.as_deref() {
            // One word of fields, as most small machines have.
            Some([_]) if self.bits < u64::BITS => {
                let join = |s: &[u64]| if let [v, word] = *s { v << self.bits | word } else { self.code(s) };
                out.extend(states.map(|s| u128::from(join(s))));
            }
            Some(_) => out.extend(states.map(|s| u128::from(self.code(s)))),
            // Tables whose number is known beforehand stay in registers from state to state.
            None => match self.tables.as_slice() {
                [a, b] => self.tabulated([a, b], states, out),
                [a, b, c] => self.tabulated([a, b, c], states, out),
                [a, b, c, d] => self.tabulated([a, b, c, d], states, out),
                tables => out.extend(states.map(|s| u128::from(self.tabled(tables, s)))),
            },
        }
    }

    fn tabulated<'s, const N: usize>(
        &self,
        tables: [&Tables; N],
        states: impl Iterator<Item = &'s [u64]>,
        out: &mut Vec<u128>,
    ) {
        out.extend(states.map(|s| u128::from(self.tabled(tables, s))));
    }

    /// The code of a state.
    #[inline]
    pub(super) fn code(&self, state: &[u64]) -> u64 {
        let Some(plain) = &self.plain else { return self.tabled(&self.tables, state) };
        let valuation = state.first().copied().unwrap_or(0).checked_shl(self.bits).unwrap_or(0);
        let fields = state.get(1..).unwrap_or(&[]).iter().zip(plain);
        let join = |(code, at): (u64, u32), (word, bits): (&u64, &u32)| {
            (code | word.checked_shl(at).unwrap_or(0), at + bits)
        };
        valuation | fields.fold((0, 0), join).0
    }

    /// The code of a state, by tables.
    #[allow(clippy::inline_always, reason = "a call and its registers take as long as the work")]
    #[inline(always)]
    fn tabled<'t>(&self, tables: impl IntoIterator<Item = &'t Tables>, state: &[u64]) -> u64 {
        let word = |n: usize| state.get(n).copied().unwrap_or(0);
        let code = tables.into_iter().fold(0, |code, t| code ^ t.code(word(t.word)));
        // Every row has a bit at most exactly if there are as many bits as rows that are not empty.
        let bits: u32 = self.rows.iter().map(|(n, rows)| (word(*n) & rows).count_ones()).sum();
        let rows: u32 = self.counters.iter().map(|c| c.count(code)).sum();
        // There are fewer bits than a word has.
        if bits == rows { word(0) << (self.bits & 63) | code } else { self.numbered(state) }
    }

    #[cold]
    fn numbered(&self, state: &[u64]) -> u64 {
        let mut numbers = self.numbered.lock().unwrap_or_else(PoisonError::into_inner);
        let next = numbers.len() as u64;
        NUMBERED | *numbers.entry_ref(state).or_insert(next)
    }
}

impl Counter {
    /// Of numbers of so many bits: at most 16, as rows have fewer than 2^16.
    fn new(width: u32) -> Self {
        let shift = |i: usize| (1u32 << i).min(width.saturating_sub(1 << i));
        Self { width, shifts: std::array::from_fn(shift), lowest: 0 }
    }

    #[inline]
    fn count(self, code: u64) -> u32 {
        let any = self.shifts.iter().fold(code, |any, shift| any | any >> (shift & 63));
        (any & self.lowest).count_ones()
    }
}

/// Marks the bits of a field as used.
fn fill(used: &mut [u32], word: usize, shift: u32, bits: u32) {
    let (mut word, mut rest) = (word, shift + bits);
    while let Some(u) = word.checked_sub(1).and_then(|i| used.get_mut(i)) {
        *u = (*u).max(rest.min(u64::BITS));
        rest = rest.saturating_sub(u64::BITS);
        if rest == 0 {
            return;
        }
        word += 1;
    }
}

/// The bits of a row of a relation, if rows of functions are worth numbering.
fn row(layout: &Layout) -> Option<u32> {
    let Layout::Bits(Dense { kind: DenseKind::Pair(_, right), .. }) = layout else { return None };
    (3..1 << 16).contains(&right.size).then_some(right.size)
}

/// Whether a conjunct says that a variable is a function.
fn functional(p: &Pred, var: usize) -> bool {
    match &p.kind {
        PredKind::And(ps) => ps.iter().any(|p| functional(p, var)),
        PredKind::Op(Op::In, args) => match args.as_slice() {
            [a, b] => {
                let is_function = |op: &Op| op.is_sequences() || op.arrow().is_some_and(|a| a.functional);
                matches!(a.kind, ExprKind::Var(v) if v.0 as usize == var)
                    && matches!(&b.kind, ExprKind::Op(op, _) if is_function(op))
            }
            _ => false,
        },
        _ => false,
    }
}

/// The item that is meant; a new one if there is none.
fn found<T>(items: &mut Vec<T>, is: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let at = items.iter().position(is).unwrap_or_else(|| {
        items.push(new());
        items.len() - 1
    });
    &mut items[at]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::World;
    use crate::ty::{SetId, Ty};
    use std::collections::HashSet;

    /// A relation between sets of 7 and 9, a set of 9, a truth value.
    fn layout() -> StateLayout {
        let world = World { card: vec![7, 9], ..World::default() };
        let (a, b) = (Ty::Given(SetId(0)), Ty::Given(SetId(1)));
        StateLayout::new(&[Ty::rel(a, b.clone()), Ty::pow(b), Ty::Bool], &world)
    }

    /// States whose relation has two bits at most, each with two values of the rest.
    fn states() -> impl Iterator<Item = Vec<u64>> {
        let bit = |i: u32| 1u64.checked_shl(i).unwrap_or(0);
        let pairs = (0..=63).flat_map(move |i| (0..=i).map(move |j| (bit(i) | bit(j)) & (u64::MAX >> 1)));
        pairs.flat_map(|relation| [[0, relation, 0], [2, relation, 0x3ff]]).map(|s| s.to_vec())
    }

    #[test]
    fn no_two_states_have_one_code() {
        let code = Code::of(&layout(), &|_| true, 2).expect("28 bits for the rows, 10 beside them");
        assert!(code.plain.is_none());
        let distinct: HashSet<Vec<u64>> = states().collect();
        let codes: HashSet<u64> = distinct.iter().map(|s| code.code(s)).collect();
        assert_eq!(codes.len(), distinct.len());
        // Two bits in one row are no function.
        let is_none = |s: &&Vec<u64>| (0..7).any(|row| (s[1] >> (9 * row) & 0x1ff).count_ones() > 1);
        let numbered = codes.iter().filter(|c| **c & NUMBERED != 0).count();
        assert_eq!(numbered, distinct.iter().filter(is_none).count());
        assert!(distinct.iter().all(|s| codes.contains(&code.code(s))));
    }

    #[test]
    fn codes_are_as_states_differ() {
        let code = Code::of(&layout(), &|_| true, 0).expect("small enough");
        let [a, b, c] = [0b1, 0b10 << 9, 0b100 << 18].map(|row| [0, row, 5]);
        let all = [0, a[1] | b[1] | c[1], 5];
        assert_eq!(code.code(&a) ^ code.code(&b) ^ code.code(&c), code.code(&all));
    }

    #[test]
    fn what_is_too_long_has_none() {
        assert!(Code::of(&layout(), &|_| false, 0).is_none(), "63 and 10 bits");
        assert!(Code::of(&layout(), &|_| true, u32::MAX).is_none(), "38 and 32 bits");
        let world = World { card: vec![7], ..World::default() };
        let small = StateLayout::new(&[Ty::pow(Ty::Given(SetId(0))), Ty::Bool], &world);
        let code = Code::of(&small, &|_| false, 1).expect("9 bits");
        let all = (0..1u64 << 9).map(|x| [x >> 8, x & 0xff]);
        assert_eq!(all.map(|s| code.code(&s)).collect::<HashSet<_>>().len(), 1 << 9);
    }
}
