//! The steps of one operation from one pair of states.
//!
//! In: the edges of the refinement's operation and of the refined one, each by itself. Out: the edges of the pair, and what
//! the refined machine has no counterpart of. Outcomes are compared by arguments and results first; only then is the
//! gluing invariant asked.

use super::glue::{Glued, Vars, decided, limit};
use super::joint::JointSystem;
use crate::diagnostic::Code;
use crate::model::{Plain, PlainEdge, StepFault};
use crate::ops::Fault;
use crate::source::Span;
use crate::value::Value;
use std::sync::Arc;

/// The steps of one operation.
#[derive(Clone, Debug, Default)]
pub(super) struct Matched {
    /// The distinct edges, sorted by label and target.
    pub(super) edges: Vec<PlainEdge>,
    /// Faults of evaluation, and a step that does not refine, if there is one.
    pub(super) faults: Vec<StepFault>,
    /// The arguments that the refinement does not accept though it ought to.
    pub(super) refused: Vec<Vec<Value>>,
    /// Edges of the refinement (label and target, in which the refined machine has not moved) that have no counterpart.
    pub(super) unmatched: Vec<PlainEdge>,
}

/// What the refined machine can do under one label.
struct Others<'a> {
    edges: &'a [PlainEdge],
    vars: Vec<Vars>,
}

impl JointSystem<'_> {
    /// The steps of an operation, by its number, from a pair.
    pub(super) fn matched(&self, number: u32, state: &[u64]) -> Matched {
        let mut out = Matched::default();
        let Some(compared) = self.plan.operations.get(number as usize) else { return out };
        let mut met = Vec::new();
        if let Some(gap) = compared.gap {
            let mut refused = Vec::new();
            self.inner.edges(state, gap, &mut refused, &mut met);
            out.refused = refused.into_iter().map(|(arguments, _)| arguments).collect();
        }
        let mut own = Vec::new();
        self.inner.edges(state, compared.own, &mut own, &mut met);
        let before = self.inner.packer().unpack(state);
        let mut refined = Vec::new();
        let mut refined_faults = Vec::new();
        match compared.refined {
            Some(_) if own.is_empty() => {}
            Some(op) => self.inner.edges(state, op, &mut refined, &mut refined_faults),
            None => {}
        }
        let hidden = !refined_faults.is_empty();
        met.extend(refined_faults.into_iter().map(|f| StepFault { fault: decided(f.fault), ..f }));
        let others = Others {
            vars: refined.iter().map(|(_, target)| self.inner.packer().unpack(target)).collect(),
            edges: &refined,
        };
        for edge in own {
            let arguments = self.label_by_arguments(number, &edge.0);
            let known = met.len();
            self.counterparts(edge, &before, compared.refined.map(|_| &others), state, &mut met, &mut out);
            met.iter_mut().skip(known).for_each(|f| f.arguments.clone_from(&arguments));
        }
        // What the refined machine does there is not known.
        if hidden {
            out.unmatched.clear();
        }
        out.edges.sort_unstable();
        out.edges.dedup();
        out.faults.extend(met.into_iter().map(|f| StepFault { op: number, ..f }));
        self.tell(number, &mut out);
        out
    }

    /// Adds the pairs that one edge of the refinement leads to.
    fn counterparts(
        &self,
        (label, target): PlainEdge,
        before: &Vars,
        others: Option<&Others<'_>>,
        state: &[u64],
        met: &mut Vec<StepFault>,
        out: &mut Matched,
    ) {
        let constants = self.constants_of(state);
        let own = self.inner.packer().unpack(&target);
        let (mut found, mut unknown) = (false, Vec::new());
        let mut attempt = |refined: &Vars| {
            let vars = Arc::new(self.joined(&own, refined));
            match self.glued(&constants, &vars) {
                Glued::Yes => {
                    found = true;
                    let mut words = Vec::with_capacity(self.words());
                    match self.inner.packer().pack(valuation(state), &vars, &mut words) {
                        Ok(()) => out.edges.push((label.clone(), words.into())),
                        Err(fault) => unknown.push(fault),
                    }
                }
                Glued::No => {}
                Glued::Unknown(fault) => unknown.push(fault),
            }
        };
        match others {
            None => attempt(before),
            Some(others) => {
                let first = others.edges.partition_point(|(l, _)| *l < label);
                let same = others.edges.iter().zip(&others.vars).skip(first);
                same.take_while(|((l, _), _)| *l == label).for_each(|(_, vars)| attempt(vars));
            }
        }
        let open = !unknown.is_empty();
        // Where another outcome fits, one whose relation is an error is none; one that is not known may be one.
        let told = unknown.into_iter().filter(|f| !found || f.is_open() || f.0.code == Code::Interrupted);
        met.extend(told.map(|fault| StepFault { op: 0, arguments: Vec::new(), fault }));
        if !found && !open {
            out.unmatched.push((label, target));
        }
    }

    /// Says in faults what does not refine.
    fn tell(&self, number: u32, out: &mut Matched) {
        let Some(compared) = self.plan.operations.get(number as usize) else { return };
        let Some(own) = self.inner.operation(compared.own) else { return };
        let (name, refined) = (&compared.name, &self.plan.refined);
        if let Some(arguments) = out.refused.first() {
            let text =
                format!("the precondition of `{name}` is false where that of `{name}` in `{refined}` holds");
            out.faults.push(self.fault(number, arguments, not_refined(&text, own.span)));
        }
        if let Some((label, _)) = out.unmatched.first() {
            let arguments = label.get(..own.params.len()).unwrap_or_default();
            let fault = match (compared.refined, self.is_cut(own.span)) {
                (None, _) => {
                    let text = format!(
                        "`{name}` is no operation of `{refined}`, and the gluing invariant is false after it"
                    );
                    not_refined(&text, own.span)
                }
                (Some(_), None) => {
                    not_refined(&format!("a step of `{name}` is none of `{refined}`"), own.span)
                }
                (Some(_), Some(what)) => {
                    let among = "among the values that were tried";
                    limit(&format!("a step of `{name}` has no counterpart in `{refined}` {among}: {what}"))
                        .at(own.span)
                }
            };
            out.faults.push(self.fault(number, arguments, fault));
        }
    }

    /// What was tried in part only, if anything was, and not in the refinement's own operation or initialisation.
    pub(super) fn is_cut(&self, own: Span) -> Option<String> {
        let cuts = self.inner.world().cuts.all();
        // What is cut elsewhere may be part of the refined operation, which may call others.
        let other = |at: Span| own.contains(at) || self.plan.own_begins().any(|b| b.contains(at));
        cuts.iter().find(|c| !other(c.at)).map(ToString::to_string)
    }

    fn fault(&self, number: u32, arguments: &[Value], fault: Fault) -> StepFault {
        let label = self.label_by_arguments(number, arguments);
        StepFault { op: number, arguments: label, fault }
    }

    /// Arguments with their names.
    pub(super) fn label_by_arguments(&self, number: u32, arguments: &[Value]) -> Vec<(String, String)> {
        let Some(op) = self.plan.operations.get(number as usize).and_then(|c| self.inner.operation(c.own))
        else {
            return Vec::new();
        };
        let text = |v: &Value, ty| v.show(ty, self.inner.world());
        op.params.iter().zip(arguments).map(|(p, v)| (p.name.to_string(), text(v, &p.ty))).collect()
    }
}

/// A step that does not refine, at the place of the refinement's.
pub(super) fn not_refined(text: &str, at: Span) -> Fault {
    Fault::new(Code::NotRefined, text).at(at)
}

fn valuation(state: &[u64]) -> u64 {
    state.first().copied().unwrap_or(0)
}
