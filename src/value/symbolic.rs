//! Sets that are not enumerated: `INTEGER`, `A --> B`, comprehensions, lambdas, unions of such.
//!
//! Here is only the interface. Operators make structured ones (`ops`), the evaluator makes closures
//! (`eval`). A lazy set answers membership and application; it is enumerated only where an operator must
//! have it in extension, and says [`Code::Infinite`](crate::diagnostic::Code::Infinite) if that cannot be.

use super::{SetRef, Value};
use crate::ops::{Cx, Fault};
use std::any::Any;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// What is known of a lazy set's size without enumerating it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Size {
    /// Exactly so many.
    Exact(num_bigint::BigInt),
    /// Infinitely many.
    Infinite,
    /// Only enumeration tells.
    Unknown,
}

/// The value of a function in terms of its argument: equal rules are equal functions on equal domains.
#[derive(Clone, PartialEq, Debug)]
pub enum Rule {
    /// The argument.
    Argument,
    /// A component of a pair: the left one if true.
    Side(Box<Rule>, bool),
    /// A value, whatever the argument.
    Known(Value),
    /// A pair.
    Pair(Box<(Rule, Rule)>),
    /// A sum of multiples of rules that are no sums, in order, and a number.
    Sum(Vec<(i64, Rule)>, i64),
    /// Another operator on rules.
    Op(crate::ops::Op, Vec<Rule>),
}

/// A set that is not in extension.
pub trait Lazy: Debug + Send + Sync + Any {
    /// Whether `v` is a member; never enumerates what need not be.
    ///
    /// # Errors
    /// A fault of evaluating the defining predicate.
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault>;

    /// Calls `f` on every member, each once, in a fixed order, until it breaks.
    ///
    /// # Errors
    /// `Infinite` if the members cannot be enumerated, or a fault of evaluation.
    fn each(&self, cx: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault>;

    /// All members at once, if they are kept or made faster so; they are in extension, and not too many.
    fn listed(&self, _cx: &Cx<'_>) -> Option<Result<SetRef, Fault>> {
        None
    }

    /// Whether there is no member, if that is known without enumeration.
    fn is_empty(&self, _cx: &Cx<'_>) -> Option<Result<bool, Fault>> {
        None
    }

    /// What is known of the size.
    fn size(&self, _cx: &Cx<'_>) -> Size {
        Size::Unknown
    }

    /// For a relation: the right sides of the members with left side `x`. `None` if this kind of set has
    /// no better way than enumeration.
    fn image(&self, _x: &Value, _cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        None
    }

    /// For a set of pairs: its domain, if that is known without enumeration.
    fn domain(&self, _cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        None
    }

    /// For a relation: the left sides of the members with right side `y`. `None` if this kind of set has no better way than
    /// enumeration.
    fn preimage(&self, _y: &Value, _cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        None
    }

    /// For a relation: whether there is a member with right side `y`, if that takes less than all of the left sides.
    fn reaches(&self, _y: &Value, _cx: &Cx<'_>) -> Option<Result<bool, Fault>> {
        None
    }

    /// For an infinite set of integers: its least (or greatest) member, if that is found without the others.
    fn at_end(&self, _low: bool) -> Option<Result<Value, Fault>> {
        None
    }

    /// A set that is known to include this one.
    fn within(&self, _cx: &Cx<'_>) -> Option<Value> {
        None
    }

    /// For a set of all records with fields in given sets: these sets.
    fn fields(&self) -> Option<Vec<Value>> {
        None
    }

    /// For a relation: whether its right sides are all in a set, if that is known without enumeration.
    fn maps_into(&self, _ran: &Value, _cx: &Cx<'_>) -> Option<bool> {
        None
    }

    /// For a function: its rule, where it has the form of one that others can have, too.
    fn rule(&self, _cx: &Cx<'_>) -> Option<Rule> {
        None
    }

    /// For a relation: whether it is a function, if that is known without enumeration.
    fn functional(&self, _cx: &Cx<'_>) -> Option<bool> {
        None
    }

    /// For a relation that is certainly a function: the number of its left sides, if it is known without enumeration.
    fn left_sides(&self, _cx: &Cx<'_>) -> Option<u64> {
        None
    }

    /// Text for messages, in B syntax where possible.
    fn describe(&self) -> String;

    /// For recognising kinds of sets.
    fn as_any(&self) -> &dyn Any;
}
