//! The time that properties have: conjuncts of the invariant, assertions, the goal.
//!
//! In: evaluations of properties, each in a state. Out: their truth, or that it was not found in time: a fault of its own
//! ([`Code::OutOfTime`]). One that was not decided so often that all this has taken too long is not
//! tried any more. What is decided in time is decided as without a limit.

use super::Findings;
use crate::diagnostic::Code;
use crate::ir::{Formula, Machine};
use crate::ops::{Fault, Interrupt, TimeBudget};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A property, by its number among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum PropertyId {
    /// A conjunct of the invariant.
    Invariant(u32),
    /// An assertion.
    Assertion(u32),
    /// The goal.
    Goal,
}

impl PropertyId {
    /// Its formula.
    #[must_use]
    pub fn formula(self, machine: &Machine) -> Option<&Formula> {
        match self {
            PropertyId::Invariant(i) => machine.invariants.get(i as usize),
            PropertyId::Assertion(i) => machine.assertions.get(i as usize),
            PropertyId::Goal => machine.goal.as_ref(),
        }
    }
}

/// How long properties may be evaluated.
#[derive(Clone, Copy, Debug)]
pub struct PropertyTime {
    /// In one state.
    pub each: Duration,
    /// In all states in which one was not decided.
    pub all: Duration,
}

/// An evaluation under a valuation that took so long is remembered.
const LONG: Duration = Duration::from_millis(20);

/// The time of the properties of one machine, shared by all systems that are made of it.
#[derive(Debug, Default)]
pub(super) struct Deciding {
    time: Option<PropertyTime>,
    /// By property, the time that was spent without a result.
    spent: Mutex<HashMap<PropertyId, Duration>>,
    /// Whether there is any such.
    any: AtomicBool,
    /// By valuation, what was found of assertions without variables.
    asserted: Mutex<HashMap<u32, Findings>>,
}

impl Deciding {
    /// With a limit.
    pub(super) fn within(time: PropertyTime) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// The same limit for the properties of another machine.
    pub(super) fn afresh(&self) -> Self {
        Self { time: self.time, ..Self::default() }
    }

    /// Whether some property was not decided in time.
    pub(super) fn is_any_hard(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// Whether this one was not.
    pub(super) fn is_hard(&self, property: PropertyId) -> bool {
        self.is_any_hard() && !self.spent(property).is_zero()
    }

    /// The truth of a property, if it is found in time.
    pub(super) fn decide(
        &self,
        property: PropertyId,
        interrupt: &Interrupt,
        evaluate: impl FnOnce() -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let Some(time) = self.time else { return evaluate() };
        if self.is_any_hard() && self.spent(property) >= time.all {
            return Err(out_of_time());
        }
        let budget = TimeBudget::of(time.each);
        let begun = Instant::now();
        let truth = evaluate();
        if !budget.is_spent() || interrupt.raised_for_all() {
            return truth;
        }
        let mut all = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        *all.entry(property).or_default() += begun.elapsed();
        self.any.store(true, Ordering::Relaxed);
        Err(out_of_time())
    }

    fn spent(&self, property: PropertyId) -> Duration {
        let spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.get(&property).copied().unwrap_or_default()
    }

    /// What is found of the assertions without variables under a valuation, which is asked for more than once.
    pub(super) fn asserted(&self, valuation: u32, find: impl FnOnce() -> Findings) -> Findings {
        let known = || self.asserted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&valuation) {
            return found.clone();
        }
        let begun = Instant::now();
        let found = find();
        let interrupted = found.faults.iter().any(|f| f.fault.0.code == Code::Interrupted);
        if begun.elapsed() >= LONG && !interrupted {
            known().insert(valuation, found.clone());
        }
        found
    }
}

fn out_of_time() -> Fault {
    Fault::new(Code::OutOfTime, "not decided in time")
}

#[cfg(test)]
mod tests {
    use super::PropertyId::{Assertion, Goal};
    use super::*;

    #[test]
    fn what_takes_too_long_is_given_up() {
        let interrupt = Interrupt::default();
        let (each, all) = (Duration::from_millis(2), Duration::from_millis(4));
        let deciding = Deciding::within(PropertyTime { each, all });
        let long = || {
            while !interrupt.raised() {}
            Err(Fault::new(Code::Interrupted, ""))
        };
        let code = |r: Result<bool, Fault>| r.map_err(|f| f.0.code);
        assert_eq!(code(deciding.decide(Goal, &interrupt, || Ok(false))), Ok(false));
        assert_eq!(code(deciding.decide(Goal, &interrupt, long)), Err(Code::OutOfTime));
        assert_eq!(code(deciding.decide(Goal, &interrupt, long)), Err(Code::OutOfTime));
        assert!(deciding.is_hard(Goal) && !deciding.is_hard(Assertion(0)));
        // Not even tried.
        assert_eq!(code(deciding.decide(Goal, &interrupt, || Ok(true))), Err(Code::OutOfTime));
        assert_eq!(code(Deciding::default().decide(Goal, &interrupt, || Ok(true))), Ok(true));
        // The end of the run is no matter of the property.
        let deciding = Deciding::within(PropertyTime { each, all });
        interrupt.raise();
        let stopped = || Err(Fault::new(Code::Interrupted, ""));
        assert_eq!(code(deciding.decide(Goal, &interrupt, stopped)), Err(Code::Interrupted));
    }
}
