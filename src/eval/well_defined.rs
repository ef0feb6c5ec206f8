//! Whether what stays a formula within a value has a value for each of its members: a constant `%x.(x : 1..n | 6 / (x - 2))` has
//! none, whether anything asks for its second pair or not.
//!
//! In: a value with comprehensions and lambdas that were to be listed and were not, since they have too many members. Out: the
//! fault of a member without a value, found when they were listed or one by one; or that nothing says. Those whose operators
//! all have values (`certain`) are not looked through. Absent: sets that are infinite or marked symbolic, which nobody is to list.

use super::Evaluator;
use super::closure::{Closure, Shape};
use super::solve::{self, CLOSED, Mode};
use crate::diagnostic::Code;
use crate::ops::Fault;
use crate::value::Value;
use std::cell::Cell;
use std::ops::ControlFlow::Continue;

/// What is known of the members of a value.
pub(super) enum WellDefined {
    Yes,
    No(Fault),
    /// There are too many to look at.
    Unknown,
}

impl WellDefined {
    /// That of a whole of which this is a part.
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Yes => other(),
            Self::No(fault) => Self::No(fault),
            Self::Unknown => match other() {
                Self::Yes => Self::Unknown,
                worse => worse,
            },
        }
    }
}

/// Whether each member of what stays a formula within a value has one; members are looked at as long as steps are left.
pub(super) fn well_defined(v: &Value, left: &Cell<u64>) -> WellDefined {
    if v.is_extension() {
        return WellDefined::Yes;
    }
    let all = |vs: &[Value]| vs.iter().fold(WellDefined::Yes, |known, v| known.and(|| well_defined(v, left)));
    match v {
        Value::Lazy(l) => match l.as_any().downcast_ref::<Closure>() {
            Some(c) => c.is_well_defined(left),
            None => WellDefined::Yes,
        },
        Value::Pair(p) => well_defined(&p.0, left).and(|| well_defined(&p.1, left)),
        Value::Set(s) => all(s.items()),
        Value::Rec(fields) => all(fields),
        Value::Free(_, _, Some(a)) => well_defined(a, left),
        _ => WellDefined::Yes,
    }
}

impl Closure {
    fn is_well_defined(&self, left: &Cell<u64>) -> WellDefined {
        if let Some(fault) = self.never.get().filter(|f| f.is_of_machine()) {
            return WellDefined::No(fault.clone());
        }
        if !self.unlisted || self.memo.get().is_some() {
            return WellDefined::Yes;
        }
        if left.get() == 0 {
            return WellDefined::Unknown;
        }
        let body = match &self.shape {
            Shape::Tuples => None,
            Shape::Lambda(s) | Shape::Image(s) => Some(&s.body),
        };
        if self.ev.is_total(&self.binder, body, self.frame()) {
            return WellDefined::Yes;
        }
        // What is found does not depend on how many steps there have been, nor do other limits on these.
        match solve::uncounted(|| self.look_through(left)) {
            Ok(()) => WellDefined::Yes,
            Err(f) if f.is_of_machine() => WellDefined::No(self.never.get_or_init(|| f).clone()),
            Err(f) if f.0.code == Code::Infinite => WellDefined::Yes,
            Err(_) => WellDefined::Unknown,
        }
    }

    /// Finds all members and keeps none.
    fn look_through(&self, left: &Cell<u64>) -> Result<(), Fault> {
        let mode = Mode { any_order: true, ..CLOSED };
        let each = &mut |ev: &Evaluator, env: &mut super::Env| {
            self.shape.member(&self.binder, ev, env).map(|_member| Continue(()))
        };
        let most = self.ev.world.at_most(left.get());
        let find = || self.ev.unordered(&self.binder, mode, &mut self.frame(), each);
        let (found, took) = self.ev.in_steps(most, find);
        left.set(left.get().saturating_sub(took));
        found.map(|_| ())
    }
}
