//! What is wrong with a state, by the plain evaluator.
//!
//! In: a state, formulas of the machine. Out: which are false, which have no value, which took too long. A formula without value
//! counts only where none is false.

use super::machine_system::MachineSystem;
use super::{CheckFault, Findings, Plain, PropertyId};
use crate::diagnostic::Code;
use crate::eval::Env;
use crate::ir::Formula;
use crate::ops::Fault;
use std::sync::Arc;

impl MachineSystem {
    /// Checks the first so many conjuncts of the invariant, and the goal.
    pub fn check_first(&self, state: &[u64], conjuncts: usize, out: &mut Findings) {
        let env = self.env(state);
        let invariants = (0u32..).zip(&self.machine().invariants).take(conjuncts);
        let wrong = self.false_ones(invariants, PropertyId::Invariant, &env, out);
        out.invariants.extend(wrong);
        if let Some(goal) = &self.machine().goal {
            match self.decide(PropertyId::Goal, goal, &env) {
                Ok(holds) => out.goal = holds,
                Err(fault) if fault.0.code == Code::OutOfTime => out.undecided.push(PropertyId::Goal),
                Err(fault) => out.faults.push(CheckFault { of: PropertyId::Goal, fault }),
            }
        }
    }

    /// Truth of each formula; faults only count where no formula is false (b-language.md 4.6).
    pub(super) fn false_ones<'f>(
        &self,
        formulas: impl Iterator<Item = (u32, &'f Formula)>,
        id: impl Fn(u32) -> PropertyId,
        env: &Env,
        out: &mut Findings,
    ) -> Vec<u32> {
        let mut wrong = Vec::new();
        let mut met = Vec::new();
        for (i, formula) in formulas {
            match self.decide(id(i), formula, env) {
                Ok(true) => {}
                Ok(false) => wrong.push(i),
                Err(fault) if fault.0.code == Code::OutOfTime => out.undecided.push(id(i)),
                Err(fault) => met.push(CheckFault { of: id(i), fault }),
            }
        }
        let all = met.len();
        met.retain(|f: &CheckFault| wrong.is_empty() || f.fault.0.code == Code::Interrupted);
        out.passed_over |= met.len() < all;
        out.faults.extend(met);
        wrong
    }

    /// The truth of a property, if it is found in the time that it has.
    pub(super) fn decide(&self, id: PropertyId, formula: &Formula, env: &Env) -> Result<bool, Fault> {
        self.deciding.decide(id, &self.world().interrupt, || self.holds(formula, env))
    }

    pub(super) fn holds(&self, formula: &Formula, env: &Env) -> Result<bool, Fault> {
        let mut env = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), formula.frame);
        self.evaluator.pred(&formula.pred, &mut env).map_err(|f| {
            f.0.cut.iter().for_each(|cut| self.world().cuts.note(cut));
            f.at(formula.pred.span)
        })
    }
}
