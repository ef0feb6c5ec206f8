//! The pairs of states of a refinement and the machine that it refines, as a transition system.
//!
//! In: the plain system of the machine that holds both, the plan. Out: a [`System`]: its states are packed as those of the
//! plain one, its operations are those of the refinement. Faults with the code of [`Code::NotRefined`](crate::diagnostic::Code)
//! are steps that do not refine.

use super::matching::Matched;
use super::plan::Plan;
use super::steps;
use crate::eval::Evaluator;
use crate::model::{Findings, Label, MachineSystem, Plain, StepFault, Steps, System, Told, Unmatched};
use crate::ops::Fault;
use std::cmp::Ordering;

/// A refinement with the machine that it refines.
#[derive(Debug)]
pub struct JointSystem {
    pub(super) inner: MachineSystem,
    pub(super) evaluator: Evaluator,
    pub(super) plan: Plan,
    names: Vec<String>,
}

impl JointSystem {
    /// The pairs of the two machines that `inner`, a system by `evaluator`, is made of.
    #[must_use]
    pub fn new(inner: MachineSystem, evaluator: Evaluator, plan: Plan) -> Self {
        let names = plan.operations.iter().map(|o| o.name.clone()).collect();
        Self { inner, evaluator, plan, names }
    }

    /// The system of the machine that holds both, in which each goes its own way.
    #[must_use]
    pub fn plain(&self) -> &MachineSystem {
        &self.inner
    }
}

impl System for JointSystem {
    fn width(&self) -> usize {
        self.inner.width()
    }

    fn has_setup(&self) -> bool {
        self.inner.has_setup()
    }

    fn valuations(&self, f: &mut dyn FnMut(u32) -> bool) -> Result<(), Fault> {
        self.inner.valuations(f)
    }

    fn valuations_told(&self, f: &mut dyn FnMut(Option<u32>) -> bool) -> Result<(), Fault> {
        self.inner.valuations_told(f)
    }

    fn compared_valuations(&self) -> u64 {
        self.inner.compared_valuations()
    }

    fn compare_valuations(&self, a: u32, b: u32) -> Ordering {
        self.inner.compare_valuations(a, b)
    }

    fn is_outside(&self, state: &[u64]) -> bool {
        self.inner.is_outside(state)
    }

    fn has_scope(&self) -> bool {
        self.inner.has_scope()
    }

    fn initial(&self, valuation: u32, out: &mut Steps) {
        let begun = self.begin(valuation);
        for target in &begun.pairs {
            out.push(0, 1, target);
        }
        let fault = |fault| StepFault { op: 0, arguments: Vec::new(), fault };
        out.faults.extend(begun.faults.into_iter().map(fault));
    }

    fn successors(&self, state: &[u64], out: &mut Steps) {
        let of = |number| {
            let Matched { edges, faults, .. } = self.matched(number, state);
            (edges, faults)
        };
        steps::push(self.plan.numbers(), of, out);
    }

    fn check(&self, state: &[u64], out: &mut Findings) {
        // That states are glued has been looked at when they were reached.
        let known = out.invariants.len();
        self.inner.check(state, out);
        let gluing = &self.plan.gluing;
        let mut at = 0;
        out.invariants.retain(|i| {
            at += 1;
            at <= known || !gluing.contains(&(*i as usize))
        });
    }

    fn check_assertions(&self, _state: &[u64], _out: &mut Findings) {}

    fn operations(&self) -> &[String] {
        &self.names
    }

    fn label(&self, state: &[u64], nth: u32) -> Option<Label> {
        let of = |number| self.matched(number, state).edges;
        let (number, values) = steps::label(self.plan.numbers(), nth, of)?;
        self.label_by(number, &values)
    }

    fn show_state_in(&self, most: usize, state: &[u64]) -> Vec<(String, String)> {
        self.inner.show_state_in(most, state)
    }

    fn told(&self, most: usize, before: Option<&[u64]>, after: &[u64]) -> Told {
        self.inner.told(most, before, after)
    }

    fn show_valuation_in(&self, most: usize, valuation: u32) -> Vec<(String, String)> {
        self.inner.show_valuation_in(most, valuation)
    }

    fn unmatched(&self, state: &[u64], op: u32, arguments: &[(String, String)]) -> Option<Unmatched> {
        self.explained(state, op, arguments)
    }
}

impl JointSystem {
    /// The label of a step, from its values.
    pub(super) fn label_by(&self, number: u32, values: &[crate::value::Value]) -> Option<Label> {
        let compared = self.plan.operations.get(number as usize)?;
        let label = self.inner.label_of(compared.own, values)?;
        Some(Label { operation: compared.name.clone(), ..label })
    }
}
