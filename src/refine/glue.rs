//! The gluing invariant of a pair of states.
//!
//! In: the variables of both. Out: whether it holds, or why that is not known. A false conjunct outweighs one without value.

use super::joint::JointSystem;
use crate::diagnostic::Code;
use crate::eval::{Constants, Env};
use crate::ir::Formula;
use crate::model::{Plain, System};
use crate::ops::Fault;
use crate::value::Value;
use std::sync::Arc;

/// Values of all variables.
pub(super) type Vars = Vec<Option<Value>>;

/// What a gluing invariant comes to.
#[derive(Clone, Debug)]
pub(super) enum Glued {
    /// The two states belong together.
    Yes,
    /// They do not.
    No,
    /// No conjunct is false, and this one has no value.
    Unknown(Fault),
}

impl JointSystem<'_> {
    /// Whether the gluing invariant relates the two parts.
    pub(super) fn glued(&self, constants: &Constants, vars: &Arc<Vars>) -> Glued {
        let mut unknown = None;
        for formula in self.gluing() {
            match self.holds(formula, constants, vars) {
                Ok(true) => {}
                Ok(false) => return Glued::No,
                Err(fault) => unknown = unknown.or(Some(fault)),
            }
        }
        unknown.map_or(Glued::Yes, Glued::Unknown)
    }

    /// The texts of the conjuncts that are false.
    pub(super) fn broken(&self, constants: &Constants, vars: &Arc<Vars>) -> Vec<String> {
        let wrong = |f: &&Formula| matches!(self.holds(f, constants, vars), Ok(false));
        self.gluing().iter().filter(wrong).map(|f| f.text.to_string()).collect()
    }

    fn gluing(&self) -> &[Formula] {
        self.inner.machine().invariants.get(self.plan.gluing.clone()).unwrap_or_default()
    }

    fn holds(&self, formula: &Formula, constants: &Constants, vars: &Arc<Vars>) -> Result<bool, Fault> {
        let mut env = Env::new(Arc::clone(constants), Arc::clone(vars), formula.frame);
        self.evaluator
            .pred(&formula.pred, &mut env)
            .map_err(|fault| told(decided(fault.at(formula.pred.span))))
    }

    /// The refined machine's variables from one state, all others from another.
    pub(super) fn joined(&self, own: &[Option<Value>], refined: &[Option<Value>]) -> Vars {
        let sides = self.plan.refined_variables.iter();
        let one = |(i, is_refined): (usize, &bool)| {
            let from = if *is_refined { refined } else { own };
            from.get(i).cloned().flatten()
        };
        sides.enumerate().map(one).collect()
    }

    /// The constants of a state.
    pub(super) fn constants_of(&self, state: &[u64]) -> Constants {
        let number = state.first().and_then(|n| u32::try_from(*n).ok());
        number.and_then(|n| self.inner.constants(n)).unwrap_or_default()
    }

    /// Words per state.
    pub(super) fn words(&self) -> usize {
        self.inner.width()
    }
}

/// A fault of the gluing invariant, which says so: it is read after a step, and what is wrong there is not in the operation.
fn told(mut fault: Fault) -> Fault {
    if fault.is_of_machine() {
        fault.0.message = format!("the gluing invariant has no value: {}", fault.0.message);
    }
    fault
}

/// A fault of the refined machine, or of the gluing invariant. There may be what is not known: that it was not found must not
/// pass for an answer, as it may where something is left out of a search.
pub(super) fn decided(fault: Fault) -> Fault {
    match fault.0.code {
        Code::Undecided => {
            let text = limit(&fault.0.message);
            fault.0.span.map_or(text.clone(), |at| text.at(at))
        }
        _ => fault,
    }
}

/// What keeps a check from an answer: a limit, and no fault of the machine.
pub(super) fn limit(text: &str) -> Fault {
    Fault::new(Code::Infinite, text)
}
