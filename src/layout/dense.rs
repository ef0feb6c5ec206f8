//! Dense types: finitely many values, numbered from 0, so that a value is an index and a set is a bitset.
//!
//! Dense are BOOL (FALSE, TRUE), given sets, integers of a known range, pairs (left index times size of
//! right, plus right index), records (fields left to right) and sets of dense values (the index's bits say
//! which), up to [`DENSE_LIMIT`] values. The numbering is the only place that knows how values and indices
//! correspond. A type with integers is dense only for the values of a [`Hull`]; others have no index.

use super::Hull;
use crate::ops::World;
use crate::ty::{SetId, Ty};
use crate::value::{SetRef, Value};
use std::sync::Arc;

/// Most values a type may have to be dense.
pub const DENSE_LIMIT: u64 = 4096;

/// A dense type with its numbering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dense {
    /// Number of values.
    pub size: u32,
    /// What the values are.
    pub kind: DenseKind,
}

/// The kinds of dense types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DenseKind {
    /// FALSE is 0, TRUE is 1.
    Bool,
    /// The elements of a given set.
    Given(SetId),
    /// The integers from this one on.
    Range(i64),
    /// Pairs: left index times size of right, plus right index.
    Pair(Arc<Dense>, Arc<Dense>),
    /// Records: the first field is the most significant.
    Rec(Arc<[Dense]>),
    /// Sets: bit i says whether value i is a member.
    Subset(Arc<Dense>),
}

impl Dense {
    /// The numbering of a type in a world, integers within `hull`; `None` if it is not dense.
    #[must_use]
    pub fn of(ty: &Ty, hull: &Hull, world: &World) -> Option<Dense> {
        let (size, kind) = match (ty, hull) {
            (Ty::Bool, _) => (2, DenseKind::Bool),
            (Ty::Given(s), _) => (u64::from(*world.card.get(usize::from(s.0))?), DenseKind::Given(*s)),
            (Ty::Int, Hull::Int(lo, hi)) => {
                (u64::try_from(hi.checked_sub(*lo)?.checked_add(1)?).ok()?, DenseKind::Range(*lo))
            }
            (Ty::Pair(a, b), _) => {
                let (ha, hb) = hull.pair();
                let (a, b) = (Dense::of(a, ha, world)?, Dense::of(b, hb, world)?);
                (u64::from(a.size) * u64::from(b.size), DenseKind::Pair(Arc::new(a), Arc::new(b)))
            }
            (Ty::Rec(fields), _) => {
                let parts: Vec<Dense> = fields
                    .iter()
                    .enumerate()
                    .map(|(i, (_, t))| Dense::of(t, hull.field(i), world))
                    .collect::<Option<_>>()?;
                let size = parts.iter().fold(1u64, |n, d| n.saturating_mul(u64::from(d.size)));
                (size, DenseKind::Rec(parts.into()))
            }
            (Ty::Pow(t), _) => {
                let d = Dense::of(t, hull.member(), world)?;
                (1u64.checked_shl(d.size)?, DenseKind::Subset(Arc::new(d)))
            }
            _ => return None,
        };
        (size <= DENSE_LIMIT).then(|| u32::try_from(size).ok().map(|size| Dense { size, kind })).flatten()
    }

    /// The index of a value; `None` if the value is not one of these.
    #[must_use]
    pub fn index(&self, v: &Value) -> Option<u32> {
        match (&self.kind, v) {
            (DenseKind::Bool, Value::Bool(b)) => Some(u32::from(*b)),
            (DenseKind::Given(_), Value::Elem(_, i)) => (*i < self.size).then_some(*i),
            (DenseKind::Range(lo), Value::Int(n)) => {
                u32::try_from(n.checked_sub(*lo)?).ok().filter(|i| *i < self.size)
            }
            (DenseKind::Pair(a, b), Value::Pair(p)) => Some(a.index(&p.0)? * b.size + b.index(&p.1)?),
            (DenseKind::Rec(parts), Value::Rec(vs)) => {
                parts.iter().zip(vs.iter()).try_fold(0, |n, (d, v)| Some(n * d.size + d.index(v)?))
            }
            (DenseKind::Subset(d), Value::Set(s)) => {
                s.items().iter().try_fold(0, |bits, v| Some(bits | 1 << d.index(v)?))
            }
            _ => None,
        }
    }

    /// The value at an index below `size`.
    #[must_use]
    pub fn value(&self, index: u32) -> Value {
        match &self.kind {
            DenseKind::Bool => Value::Bool(index != 0),
            DenseKind::Given(s) => Value::Elem(*s, index),
            DenseKind::Range(lo) => Value::Int(lo + i64::from(index)),
            DenseKind::Pair(a, b) => Value::pair(a.value(index / b.size), b.value(index % b.size)),
            DenseKind::Rec(parts) => {
                let mut rest = index;
                let mut out: Vec<Value> = parts
                    .iter()
                    .rev()
                    .map(|d| {
                        let v = d.value(rest % d.size);
                        rest /= d.size;
                        v
                    })
                    .collect();
                out.reverse();
                Value::Rec(out.into())
            }
            DenseKind::Subset(d) => d.set(&[u64::from(index)]),
        }
    }

    /// The set of the values whose bits are set.
    #[must_use]
    pub fn set(&self, words: &[u64]) -> Value {
        let mut items = Vec::new();
        for (w, &word) in words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let i = u32::try_from(w).unwrap_or(u32::MAX) * 64 + rest.trailing_zeros();
                if i < self.size {
                    items.push(self.value(i));
                }
                rest &= rest - 1;
            }
        }
        Value::Set(SetRef::from_vec(items))
    }
}
