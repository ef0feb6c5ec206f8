//! Layouts: how the values of a type are packed into the words of a state.
//!
//! In: types and the sizes of given sets. Out: for each variable a [`Layout`], chosen once by type, such
//! that equal values have equal words by construction, and a [`StateLayout`] with fixed offsets. What has
//! no dense layout is a word that indexes the [`Pool`] of shared values.
//!
//! A *dense* type has finitely many values, numbered from 0: BOOL (FALSE, TRUE), given sets, pairs (left
//! index times size of right, plus right index), records (fields left to right), up to [`DENSE_LIMIT`].

pub mod pool;
pub mod state;

pub use pool::Pool;
pub use state::{StateLayout, Words};

use crate::ops::World;
use crate::ty::Ty;
use crate::value::{SetRef, Value};

/// Most values a type may have to be dense.
pub const DENSE_LIMIT: u64 = 4096;

/// How a value of some type is packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Layout {
    /// An index below `size`, in `bits` bits of one word.
    Index {
        /// Number of values.
        size: u32,
    },
    /// A set over a dense type with `size` values: one bit each, from bit 0 of the first word on.
    Bits {
        /// Number of values of the element type.
        size: u32,
    },
    /// One word that is an integer's index in the pool or, if it fits 62 bits, the integer itself.
    Int,
    /// One word that is an index into the pool.
    Shared,
}

impl Layout {
    /// The layout of a type in a world.
    #[must_use]
    pub fn of(ty: &Ty, world: &World) -> Layout {
        if let Some(size) = dense_size(ty, world) {
            return Layout::Index { size };
        }
        match ty {
            Ty::Int => Layout::Int,
            Ty::Pow(t) => dense_size(t, world).map_or(Layout::Shared, |size| Layout::Bits { size }),
            _ => Layout::Shared,
        }
    }

    /// Number of bits this layout takes.
    #[must_use]
    pub fn bits(&self) -> u32 {
        match self {
            Layout::Index { size } => u32::BITS - size.saturating_sub(1).leading_zeros(),
            Layout::Bits { size } => *size,
            Layout::Int | Layout::Shared => 64,
        }
    }
}

/// Number of values of a dense type; `None` if the type is not dense.
#[must_use]
pub fn dense_size(ty: &Ty, world: &World) -> Option<u32> {
    let size = match ty {
        Ty::Bool => 2,
        Ty::Given(s) => u64::from(*world.card.get(usize::from(s.0))?),
        Ty::Pair(a, b) => u64::from(dense_size(a, world)?) * u64::from(dense_size(b, world)?),
        Ty::Rec(fields) => {
            let mut n = 1u64;
            for (_, t) in fields.iter() {
                n = n.saturating_mul(u64::from(dense_size(t, world)?));
            }
            n
        }
        _ => return None,
    };
    (size <= DENSE_LIMIT).then(|| u32::try_from(size).ok()).flatten()
}

/// The index of a value of a dense type; `None` if the value is not of that type.
#[must_use]
pub fn dense_index(v: &Value, ty: &Ty, world: &World) -> Option<u32> {
    match (v, ty) {
        (Value::Bool(b), Ty::Bool) => Some(u32::from(*b)),
        (Value::Elem(_, i), Ty::Given(_)) => Some(*i),
        (Value::Pair(p), Ty::Pair(a, b)) => {
            let n = dense_size(b, world)?;
            Some(dense_index(&p.0, a, world)? * n + dense_index(&p.1, b, world)?)
        }
        (Value::Rec(vs), Ty::Rec(fields)) => {
            let mut index = 0;
            for (v, (_, t)) in vs.iter().zip(fields.iter()) {
                index = index * dense_size(t, world)? + dense_index(v, t, world)?;
            }
            Some(index)
        }
        _ => None,
    }
}

/// The value of a dense type at an index.
#[must_use]
pub fn dense_value(index: u32, ty: &Ty, world: &World) -> Option<Value> {
    Some(match ty {
        Ty::Bool => Value::Bool(index != 0),
        Ty::Given(s) => Value::Elem(*s, index),
        Ty::Pair(a, b) => {
            let n = dense_size(b, world)?;
            Value::pair(dense_value(index / n, a, world)?, dense_value(index % n, b, world)?)
        }
        Ty::Rec(fields) => {
            let mut rest = index;
            let mut out = Vec::with_capacity(fields.len());
            for (_, t) in fields.iter().rev() {
                let n = dense_size(t, world)?;
                out.push(dense_value(rest % n, t, world)?);
                rest /= n;
            }
            out.reverse();
            Value::Rec(out.into())
        }
        _ => return None,
    })
}

/// The set with the given members of a dense type: bit `i` of `words` says whether value `i` is in.
#[must_use]
pub fn bits_to_set(words: &[u64], size: u32, ty: &Ty, world: &World) -> Option<Value> {
    let mut items = Vec::new();
    for i in 0..size {
        if words[(i / 64) as usize] >> (i % 64) & 1 == 1 {
            items.push(dense_value(i, ty, world)?);
        }
    }
    Some(Value::Set(SetRef::from_sorted(items)))
}
