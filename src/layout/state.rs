//! The layout of a whole state: which bits of which words hold which variable.
//!
//! Word 0 is the number of the constants valuation if there can be several. Small fields are packed
//! together; no field of at most 64 bits straddles two words; longer bitsets start at a word boundary.

use super::{Layout, Pool, bits_to_set, dense_index, dense_size, dense_value};
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
}

/// Integers of at most 62 bits are stored as they are, doubled plus one; others in the pool, doubled.
const SMALL: i64 = 1 << 61;

impl StateLayout {
    /// Lays out variables of the given types: long bitsets first, then small fields first-fit.
    #[must_use]
    pub fn new(types: &[Ty], world: &World) -> Self {
        let layouts: Vec<Layout> = types.iter().map(|t| Layout::of(t, world)).collect();
        let mut used: Vec<u32> = vec![64];
        let mut place = vec![(0u32, 0u32); types.len()];
        for (i, l) in layouts.iter().enumerate().filter(|(_, l)| l.bits() > 64) {
            place[i] = (u32::try_from(used.len()).unwrap_or(u32::MAX), 0);
            let mut left = l.bits();
            while left > 0 {
                used.push(left.min(64));
                left -= left.min(64);
            }
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
        Self { fields, words: used.len() }
    }

    /// Reads one variable.
    #[must_use]
    pub fn get(&self, words: &[u64], var: usize, world: &World, pool: &Pool) -> Option<Value> {
        let f = self.fields.get(var)?;
        let w = f.word as usize;
        let small = |bits: u32| {
            if bits == 0 { 0 } else { (words[w] >> f.shift) & (u64::MAX >> (64 - bits)) }
        };
        match &f.layout {
            Layout::Index { .. } => dense_value(u32::try_from(small(f.layout.bits())).ok()?, &f.ty, world),
            Layout::Bits { size } if *size <= 64 => bits_to_set(&[small(*size)], *size, f.ty.elem()?, world),
            Layout::Bits { size } => bits_to_set(&words[w..], *size, f.ty.elem()?, world),
            Layout::Int if words[w] & 1 == 1 => Some(Value::Int(words[w].cast_signed() >> 1)),
            Layout::Int => pool.get(words[w] >> 1),
            Layout::Shared => pool.get(words[w]),
        }
    }

    /// Writes one variable. Returns `None` if the value is not of the variable's type or not in extension.
    pub fn set(&self, words: &mut [u64], var: usize, v: &Value, world: &World, pool: &Pool) -> Option<()> {
        let f = self.fields.get(var)?;
        let w = f.word as usize;
        let mut small = |x: u64, bits: u32| {
            if bits > 0 {
                let mask = (u64::MAX >> (64 - bits)) << f.shift;
                words[w] = words[w] & !mask | x << f.shift;
            }
        };
        match &f.layout {
            Layout::Index { .. } => {
                small(u64::from(dense_index(v, &f.ty, world)?), f.layout.bits());
            }
            Layout::Bits { size } => {
                let Value::Set(s) = v else { return None };
                let elem = f.ty.elem()?;
                if *size <= 64 {
                    let mut x = 0;
                    for item in s.items() {
                        x |= 1 << dense_index(item, elem, world)?;
                    }
                    small(x, *size);
                } else {
                    let n = size.div_ceil(64) as usize;
                    words[w..w + n].fill(0);
                    for item in s.items() {
                        let i = dense_index(item, elem, world)?;
                        words[w + (i / 64) as usize] |= 1 << (i % 64);
                    }
                }
            }
            Layout::Int => {
                words[w] = match v {
                    Value::Int(n) if (-SMALL..SMALL).contains(n) => (n << 1 | 1).cast_unsigned(),
                    _ => pool.intern(v) << 1,
                }
            }
            Layout::Shared => {
                if !v.is_extension() {
                    return None;
                }
                words[w] = pool.intern(v);
            }
        }
        Some(())
    }

    /// The number of values that a dense element type has; for tests and symmetry.
    #[must_use]
    pub fn element_count(ty: &Ty, world: &World) -> Option<u32> {
        dense_size(ty.elem()?, world)
    }
}
