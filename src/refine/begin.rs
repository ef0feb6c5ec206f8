//! How the two machines begin.
//!
//! In: a valuation of the constants. Out: the pairs of beginnings that the gluing invariant relates; a fault if a beginning
//! of the refinement has no counterpart.

use super::glue::{Glued, Vars, decided, limit};
use super::joint::JointSystem;
use super::matching::not_refined;
use crate::diagnostic::Code;
use crate::eval::{Constants, Env};
use crate::ir::Routine;
use crate::model::Plain;
use crate::ops::Fault;
use crate::source::Span;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The beginnings of both.
#[derive(Clone, Debug, Default)]
pub(super) struct Begun {
    /// Packed pairs, sorted.
    pub(super) pairs: BTreeSet<Box<[u64]>>,
    /// What went wrong.
    pub(super) faults: Vec<Fault>,
    /// Beginnings of the refinement without a counterpart.
    pub(super) unmatched: Vec<Vars>,
}

impl JointSystem<'_> {
    /// The pairs of beginnings under a valuation.
    pub(super) fn begin(&self, valuation: u32) -> Begun {
        let constants = self.constants_of(&[u64::from(valuation)]);
        let mut out = Begun::default();
        for vars in self.own_begins(&constants, &mut out.faults) {
            self.begun(valuation, &constants, vars, &mut out);
        }
        if let Some(first) = out.unmatched.first() {
            let (at, refined) = (self.plan.own_begin.body.span, &self.plan.refined);
            let cut = self.is_cut(Span::default());
            let unset = first.iter().zip(&self.plan.refined_variables).any(|(v, r)| v.is_none() && !r);
            out.faults.push(match cut {
                Some(what) => limit(&format!(
                    "the initialisation has no counterpart in `{refined}` among the values that were tried: {what}"
                ))
                .at(at),
                None if unset => Fault::new(Code::Unset, "the initialisation does not assign all variables").at(at),
                None => not_refined(&format!("the initialisation is none of `{refined}`"), at),
            });
        }
        out
    }

    /// The refinement's beginnings, with what is seen.
    pub(super) fn own_begins(&self, constants: &Constants, faults: &mut Vec<Fault>) -> BTreeSet<Vars> {
        let nothing = vec![None; self.inner.machine().variables.len()];
        self.outcomes(&self.plan.own_begin, constants, nothing, faults)
    }

    /// The refined machine's beginnings beside one of the refinement.
    pub(super) fn refined_begins(
        &self,
        constants: &Constants,
        own: &Vars,
        faults: &mut Vec<Fault>,
    ) -> BTreeSet<Vars> {
        let mut met = Vec::new();
        let found = self.outcomes(&self.plan.refined_begin, constants, own.clone(), &mut met);
        faults.extend(met.into_iter().map(decided));
        found
    }

    fn begun(&self, valuation: u32, constants: &Constants, own: Vars, out: &mut Begun) {
        let known = out.faults.len();
        let mut found = false;
        for vars in self.refined_begins(constants, &own, &mut out.faults) {
            let vars = Arc::new(vars);
            match self.glued(constants, &vars) {
                Glued::Yes => {
                    found = true;
                    let mut words = Vec::with_capacity(self.words());
                    match self.inner.packer().pack(u64::from(valuation), &vars, &mut words) {
                        Ok(()) => {
                            out.pairs.insert(words.into());
                        }
                        Err(fault) => out.faults.push(fault),
                    }
                }
                Glued::No => {}
                Glued::Unknown(fault) => out.faults.push(fault),
            }
        }
        if !found && out.faults.len() == known {
            out.unmatched.push(own);
        }
    }

    /// The distinct outcomes of a part of the initialisation.
    fn outcomes(
        &self,
        routine: &Routine,
        constants: &Constants,
        before: Vars,
        faults: &mut Vec<Fault>,
    ) -> BTreeSet<Vars> {
        let mut out = BTreeSet::new();
        let mut env = Env::new(Arc::clone(constants), Arc::new(before), routine.frame);
        let end = self.evaluator.outcomes(&routine.body, &mut env, &mut |_, after| {
            out.insert(after.vars.to_vec());
            Ok(ControlFlow::Continue(()))
        });
        faults.extend(end.err().map(|f| f.at(routine.body.span)));
        out
    }
}
