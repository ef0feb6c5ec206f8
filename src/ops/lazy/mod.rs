//! Sets that operators make without listing them: one file per kind.
//!
//! In: the arguments of an operator. Out: a value that answers membership, application and size by structure.
//! Comparisons by shape are in `compare`. Deliberately absent: comprehensions and lambdas, which capture
//! environments and live in `eval`; they are met here only through the trait.

pub(super) mod arrow_count;
pub(super) mod arrow_walk;
pub(super) mod arrows;
pub(super) mod combine;
pub(super) mod compare;
pub(super) mod composed;
pub(super) mod direct;
mod families;
pub(super) mod identity;
pub(super) mod inverse;
pub(crate) mod known;
mod meet;
pub(super) mod numbers;
pub(super) mod overridden;
pub(super) mod parallel;
pub(super) mod powers;
pub(super) mod product;
pub(super) mod projection;
pub(super) mod range;
pub(super) mod reach;
pub(super) mod region;
pub(super) mod restricted;
mod rules;
pub(super) mod samples;
pub(super) mod seqs;
pub(super) mod step;
pub(super) mod trees;
mod whole;

pub(crate) use whole::whole;

use crate::value::Value;
use std::ops::ControlFlow;

/// What [`crate::value::Lazy::each`] hands members to.
type Consumer<'a> = &'a mut dyn FnMut(Value) -> ControlFlow<()>;

/// A part of a lazy set, for messages.
fn name(v: &Value) -> String {
    match v {
        Value::Lazy(l) => l.describe(),
        Value::Set(s) => match numbers::of(v) {
            Some(n) => n.describe_bounds(),
            None if s.is_empty() => "{}".into(),
            None => format!("{{{} members}}", s.len()),
        },
        _ => "...".into(),
    }
}
