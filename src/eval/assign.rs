//! Unknowns that a conjunct gives a value: `x = E`, with all that E reads known.
//!
//! In: the source with its expression. Out: the run goes on with the value. What lacks a value makes the conjunct false where a
//! function that is solved for is applied, and is a fault elsewhere; of what stays a formula within the value that is seen member
//! by member, as far as that takes a bearable number of steps, and else noted. Absent: sources with several candidates (`bind`).

use super::bind::Run;
use super::ledger;
use super::plan::{Node, Source};
use super::problem::{Slot, Unknown};
use super::well_defined::{WellDefined, well_defined};
use super::{Env, Flow, Sink};
use crate::diagnostic::Code;
use crate::ir::Expr;
use crate::ops::{Cut, Fault};
use crate::value::Value;
use std::cell::Cell;
use std::ops::ControlFlow::Continue;

/// Steps spent on the members of what stays symbolic, to learn that nothing in it lacks a value: a second or two. So many for one
/// test of a conjunct, and for all constants of a run that are looked at member by member.
pub(super) const UNSEEN: u64 = 1 << 20;

impl Run<'_> {
    pub(super) fn assign(
        &self,
        node: &Node,
        source: &Source,
        value: &Expr,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let symbolic = self.binds(source).any(|u| u.symbolic);
        let v = if symbolic { self.ev.symbolic_value(value, env) } else { self.ev.settled(value, env) };
        // A member without a value, where all members were to be listed.
        let none = v.as_ref().ok().and_then(|v| self.lacking(source, v));
        let conj = &self.problem.conjs[source.conj];
        if none.as_ref().is_some_and(|fault| conj.excuses(fault)) {
            return Ok(Continue(()));
        }
        // Applications in what was not listed have not been seen: they are when the conjunct is tested.
        let unseen =
            matches!(v, Ok(Value::Lazy(_))) && conj.has_soft() && !self.ev.has_values(conj, value, env);
        let bound = v.and_then(|v| {
            let known = self.known(source, env)?;
            self.ev.matches(&source.matcher.pat, &v, &known, env)
        });
        let truth = if unseen && matches!(bound, Ok(true)) { self.seen(source, env) } else { Some(true) };
        match bound {
            Ok(true) if truth == Some(false) => Ok(Continue(())),
            Ok(true) => {
                let pending = pending.or(none.as_ref());
                let open = truth.is_none().then(|| self.open.replace_with(|open| open.with(source.conj)));
                let flow =
                    self.go(node, &source.next, &source.matcher.binds, Some(source.conj), pending, env, f);
                open.into_iter().for_each(|before| _ = self.open.replace(before));
                flow
            }
            Ok(false) => Ok(Continue(())),
            Err(fault) => self.instead(node, source, fault, pending, env, f),
        }
    }

    /// Whether the conjunct of a source is true for what it has bound, as far as that can be seen in bearable time; `None`, and noted,
    /// if it could not.
    fn seen(&self, source: &Source, env: &mut Env) -> Option<bool> {
        let most = self.ev.world.at_most(UNSEEN);
        let (truth, _) = self.ev.in_steps(most, || self.test(source.conj, env));
        let broken_off = matches!(&truth, Err(f) if f.0.code == Code::Interrupted);
        if broken_off && !self.ev.is_stopped() {
            self.note(source);
            return None;
        }
        // What has no value is told when the conjunct is tested.
        Some(!matches!(truth, Ok(false)))
    }

    /// The fault of a member of a constant's value that has none; noted if not all members could be looked at.
    fn lacking(&self, source: &Source, v: &Value) -> Option<Fault> {
        let constant = self.binds(source).any(|u| matches!(u.slot, Slot::Const(_)));
        let none = Cell::new(0);
        match well_defined(v, if constant { &self.unseen } else { &none }) {
            WellDefined::No(fault) => Some(fault),
            WellDefined::Unknown if constant && !self.ev.is_stopped() => {
                self.note(source);
                None
            }
            _ => None,
        }
    }

    fn binds(&self, source: &Source) -> impl Iterator<Item = &Unknown> {
        source.matcher.binds.iter().map(|i| &self.problem.unknowns[i])
    }

    /// Takes note that not all is known of what a source binds.
    fn note(&self, source: &Source) {
        for Unknown { name, span, .. } in self.binds(source) {
            ledger::note(&Cut { what: name.clone(), at: *span, range: None, of: None });
        }
    }
}
