//! Guards without a value.
//!
//! In: the condition of a PRE that begins an operation, of a SELECT or of an ANY. Out: its truth, where an application outside
//! the domain counts as false, whatever is applied to what: `f(x) = E` says `x |-> E : f`. Where nothing is chosen this is
//! noted, so that the report can say so. Other faults are errors. Siblings: `problem` (the same where values are chosen),
//! `examined` (how often).

use crate::diagnostic::Code;
use crate::eval::problem::Problem;
use crate::eval::solve::OPEN;
use crate::eval::voids::applies;
use crate::eval::{Env, Evaluator, Flow, Sink, walk};
use crate::ir::{Binder, Pred};
use crate::ops::Fault;

/// Whether a fault is that a condition has no value, which makes it false.
fn is_void(p: &Pred, fault: &Fault) -> bool {
    let Some(at) = fault.0.span.filter(|_| fault.0.code == Code::OutsideDomain) else { return false };
    walk::pred_has(p, |e| applies(e) && e.span == at)
}

impl Evaluator {
    /// The truth of a guard; `None` if it has no value, which is noted.
    pub(super) fn guard(&self, p: &Pred, env: &mut Env) -> Result<Option<bool>, Fault> {
        match self.pred(p, env) {
            Err(fault) if is_void(p, &fault) => {
                let all = p.conjuncts();
                let at = all.iter().find(|c| is_void(c, &fault)).map_or(p.span, |c| c.span);
                self.world.cuts.note_void(at);
                Ok(None)
            }
            truth => truth.map(Some),
        }
    }

    /// The solutions of the condition of an ANY.
    pub(super) fn guarded_solutions(&self, binder: &Binder, env: &mut Env, f: Sink<'_>) -> Flow {
        let plan = |ev: &Self| Problem::of(binder, ev).guarding(&[&binder.pred]);
        self.planned_solutions(binder, (OPEN, plan), env, f)
    }
}
