//! Values of B: what expressions evaluate to.
//!
//! One value has one representation (integers in 64 bits wherever they fit, sets sorted and without
//! duplicates), so equality is structural. [`Value::Lazy`] is the exception: a set that nobody has
//! enumerated yet; it never gets into a state. Siblings: `set` (building and reading sets), `order` (the
//! one total order), `key` (the canonical byte encoding), `permute` (a permutation of deferred elements
//! acting on a value), `show` (B syntax), `stored` (bytes to be read again), `delta` (changes), `words` (names in that text), `symbolic` (sets not enumerated).

pub mod delta;
pub mod key;
pub mod order;
pub mod permute;
pub mod set;
pub mod show;
pub mod stored;
pub mod symbolic;
pub mod words;

pub use set::SetRef;
pub use symbolic::Lazy;

use crate::ty::SetId;
use num_bigint::BigInt;
use std::sync::Arc;

/// A value. Cloning is cheap (shared sub-values).
#[derive(Clone, Debug)]
pub enum Value {
    /// TRUE or FALSE.
    Bool(bool),
    /// An integer that fits in 64 bits.
    Int(i64),
    /// An integer that does not. Invariant: never one that fits.
    Big(Arc<BigInt>),
    /// A real number.
    Real(f64),
    /// A string.
    Str(Arc<str>),
    /// An element of a given set, numbered from 0.
    Elem(SetId, u32),
    /// A pair.
    Pair(Arc<(Value, Value)>),
    /// A record; fields in the order of the type (sorted by name).
    Rec(Arc<[Value]>),
    /// A value of a free type: constructor number and argument.
    Free(u16, u16, Option<Arc<Value>>),
    /// A set in extension.
    Set(SetRef),
    /// A set not in extension.
    Lazy(Arc<dyn Lazy>),
}

impl Value {
    /// The pair `a |-> b`.
    #[must_use]
    pub fn pair(a: Value, b: Value) -> Value {
        Value::Pair(Arc::new((a, b)))
    }
    /// An integer of any size.
    #[must_use]
    pub fn int(n: BigInt) -> Value {
        i64::try_from(&n).map_or_else(|_| Value::Big(Arc::new(n)), Value::Int)
    }
    /// The same of two words: most fit into one, and then nothing is allocated.
    #[must_use]
    pub fn double(n: i128) -> Value {
        i64::try_from(n).map_or_else(|_| Value::int(n.into()), Value::Int)
    }
    /// The integer that it is, if two words hold it.
    #[inline]
    #[must_use]
    pub fn as_double(&self) -> Option<i128> {
        match self {
            Value::Int(n) => Some((*n).into()),
            Value::Big(n) => i128::try_from(&**n).ok(),
            _ => None,
        }
    }
    /// A set that is not in extension.
    #[must_use]
    pub fn lazy(set: impl Lazy) -> Value {
        Value::Lazy(Arc::new(set))
    }
    /// The empty set.
    #[must_use]
    pub fn empty() -> Value {
        Value::Set(SetRef::empty())
    }
}
