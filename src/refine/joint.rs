//! The pairs of states of a refinement and the machine that it refines, as a transition system.
//!
//! In: the plain system of the machine that holds both, the plan. Out: a [`System`]: its states are packed as those of the
//! plain one, its operations are those of the refinement. Faults with the code of [`Code::NotRefined`](crate::diagnostic::Code)
//! are steps that do not refine.

use super::matching::Matched;
use super::plan::Plan;
use super::steps;
use super::words::Desk;
use crate::compile::{self, Compiled};
use crate::eval::Evaluator;
use crate::ir::Formula;
use crate::model::{Findings, Label, MachineSystem, Plain, StepFault, Steps, System, Told, Unmatched};
use crate::ops::Fault;
use std::cmp::Ordering;

/// A refinement with the machine that it refines.
#[derive(Debug)]
pub struct JointSystem<'a> {
    /// The system of the machine that holds both, in which each goes its own way.
    pub(super) inner: &'a MachineSystem,
    /// The same system by compiled code, if that is wanted.
    pub(super) code: Option<&'a Compiled>,
    pub(super) evaluator: Evaluator,
    pub(super) plan: Plan,
    /// The bits of a state that are the refined machine's.
    pub(super) refined_bits: Vec<u64>,
    /// By conjunct of the gluing invariant the bits of the variables that it reads.
    pub(super) read_bits: Vec<Vec<u64>>,
    names: Vec<String>,
}

impl<'a> JointSystem<'a> {
    /// The pairs of the two machines that `inner`, a system by `evaluator`, is made of.
    #[must_use]
    pub fn new(inner: &'a MachineSystem, evaluator: Evaluator, plan: Plan) -> Self {
        let names = plan.operations.iter().map(|o| o.name.clone()).collect();
        let is_refined = |var: usize| plan.refined_variables.get(var).copied().unwrap_or(false);
        let layout = &inner.packer().layout;
        let refined_bits = layout.mask(is_refined);
        let conjuncts = evaluator.machine.invariants.get(plan.gluing.clone()).unwrap_or_default();
        let reads = |f: &Formula| layout.mask(|var| f.reads.iter().any(|v| v.0 as usize == var));
        let read_bits = conjuncts.iter().map(reads).collect();
        Self { inner, code: None, evaluator, plan, refined_bits, read_bits, names }
    }

    /// The same where steps are found by compiled code as far as it goes.
    #[must_use]
    pub fn compiled(code: &'a Compiled, evaluator: Evaluator, plan: Plan) -> Self {
        Self { code: Some(code), ..Self::new(code.plain(), evaluator, plan) }
    }
}

impl System for JointSystem<'_> {
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
        let mut desk: Box<Desk> = out.memory.take().unwrap_or_default();
        for number in self.plan.numbers() {
            if !self.quickly(number, state, &mut desk, out) {
                let Matched { edges, faults, .. } = self.matched(number, state);
                steps::push(number, &edges, faults, out);
            }
        }
        out.memory.leave(desk);
    }

    fn check(&self, state: &[u64], out: &mut Findings) {
        // That states are glued has been looked at when they were reached.
        let others = self.plan.gluing.start;
        match self.code {
            Some(code) => code.check_first(state, others, &mut compile::Desk::default(), out),
            None => self.inner.check_first(state, others, out),
        }
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

impl JointSystem<'_> {
    /// The label of a step, from its values.
    pub(super) fn label_by(&self, number: u32, values: &[crate::value::Value]) -> Option<Label> {
        let compared = self.plan.operations.get(number as usize)?;
        let label = self.inner.label_of(compared.own, values)?;
        Some(Label { operation: compared.name.clone(), ..label })
    }
}
