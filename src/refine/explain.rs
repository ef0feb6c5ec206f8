//! Why a step of the refinement is no step of the refined machine, in words for reports.
//!
//! In: a pair of states, an operation. Out: what the refinement does, all that the refined machine could have done with
//! the same arguments, and for each which conjuncts of the gluing invariant are false.

use super::glue::Vars;
use super::joint::JointSystem;
use crate::eval::Constants;
use crate::model::{Attempt, Delta, Label, Plain, PlainEdge, Unmatched, Why};
use crate::value::Value;
use std::sync::Arc;

/// Outcomes of the refined machine that are listed.
pub(super) const LISTED: usize = 20;
/// Most bytes of a value.
const LONGEST: usize = 2000;

impl JointSystem<'_> {
    /// As [`System::unmatched`](crate::model::System::unmatched).
    pub(super) fn explained(
        &self,
        state: &[u64],
        op: u32,
        arguments: &[(String, String)],
    ) -> Option<Unmatched> {
        if state.len() < self.words() {
            return self.beginning(state);
        }
        let matched = self.matched(op, state);
        let is_asked = |values: &[Value]| self.label_by_arguments(op, values) == arguments;
        let refused = matched.refused.iter();
        if let Some(values) = refused.clone().find(|v| is_asked(v)).or(refused.clone().next()) {
            let label = self.label_by(op, values).unwrap_or_default();
            return Some(self.unmatched_with(Why::Precondition, Label { results: Vec::new(), ..label }));
        }
        let all = matched.unmatched.iter();
        let edge = all.clone().find(|(l, _)| is_asked(self.arguments_of(op, l))).or(all.clone().next())?;
        self.outcome(state, op, edge)
    }

    fn unmatched_with(&self, why: Why, label: Label) -> Unmatched {
        Unmatched {
            why,
            refined: self.plan.refined.clone(),
            label,
            own: Vec::new(),
            attempts: Vec::new(),
            more: 0,
        }
    }

    /// The part of a label that is arguments.
    fn arguments_of<'l>(&self, op: u32, label: &'l [Value]) -> &'l [Value] {
        let own = self.plan.operations.get(op as usize).and_then(|c| self.inner.operation(c.own));
        label.get(..own.map_or(0, |o| o.params.len())).unwrap_or_default()
    }

    /// A step without a counterpart.
    fn outcome(&self, state: &[u64], op: u32, (label, target): &PlainEdge) -> Option<Unmatched> {
        let compared = self.plan.operations.get(op as usize)?;
        let constants = self.constants_of(state);
        let before = self.inner.packer().unpack(state);
        let own = self.inner.packer().unpack(target);
        let mut edges = Vec::new();
        if let Some(refined) = compared.refined {
            self.inner.edges(state, refined, &mut edges, &mut Vec::new());
        }
        let count = self.arguments_of(op, label).len();
        edges.retain(|(l, _)| l.get(..count) == label.get(..count));
        // Those that differ in the state only tell more.
        edges.sort_by_key(|(l, _)| l != label);
        let mut attempts: Vec<Attempt> = Vec::new();
        for (other, after) in edges.iter().take(LISTED) {
            let refined = self.inner.packer().unpack(after);
            let results = compared.refined.and_then(|r| self.inner.label_of(r, other)).map(|l| l.results);
            let attempt = self.attempt(&constants, &before, &own, &refined);
            let other_results = other != label;
            let broken = if other_results { Vec::new() } else { attempt.broken };
            attempts.push(Attempt { results: results.unwrap_or_default(), other_results, broken, ..attempt });
        }
        if compared.refined.is_none() {
            attempts.push(self.attempt(&constants, &before, &own, &before));
        }
        let label = self.label_by(op, label).unwrap_or_default();
        Some(Unmatched {
            own: self.changes(&before, &own),
            attempts,
            more: edges.len().saturating_sub(LISTED),
            ..self.unmatched_with(Why::Outcome, label)
        })
    }

    /// A beginning without a counterpart, under the valuation of a slice of one word.
    fn beginning(&self, valuation: &[u64]) -> Option<Unmatched> {
        let number = u32::try_from(valuation.first().copied().unwrap_or(0)).ok()?;
        let constants = self.constants_of(valuation);
        let own = self.begin(number).unmatched.into_iter().next()?;
        let nothing = vec![None; own.len()];
        let refined = self.refined_begins(&constants, &own, &mut Vec::new());
        let attempts = refined.iter().take(LISTED).map(|vars| self.attempt(&constants, &nothing, &own, vars));
        Some(Unmatched {
            attempts: attempts.collect(),
            own: self.changes(&nothing, &own),
            more: refined.len().saturating_sub(LISTED),
            ..self.unmatched_with(Why::Outcome, Label::default())
        })
    }

    fn attempt(&self, constants: &Constants, before: &Vars, own: &Vars, refined: &Vars) -> Attempt {
        let joined = Arc::new(self.joined(own, refined));
        let moved = self.joined(before, refined);
        Attempt {
            results: Vec::new(),
            changes: self.changes(before, &moved),
            other_results: false,
            broken: self.broken(constants, &joined),
            offers: None,
        }
    }

    /// The variables that differ.
    pub(super) fn changes(&self, before: &Vars, after: &Vars) -> Vec<Delta> {
        let decls = self.inner.machine().variables.iter();
        let one = |((decl, old), new): ((&crate::ir::Decl, &Option<Value>), &Option<Value>)| {
            let text = |v: &Value| v.excerpt(&decl.ty, self.inner.world(), LONGEST);
            let new = new.as_ref().filter(|n| old.as_ref() != Some(*n))?;
            Some(Delta { name: decl.name.to_string(), before: old.as_ref().map(text), after: text(new) })
        };
        decls.zip(before).zip(after).filter_map(one).collect()
    }
}
