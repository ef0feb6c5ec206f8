//! Refinement by traces: a state of the refinement with all states in which the refined machine can be after the same labels.
//!
//! In: the joint system, of which only the two machines are used, not the gluing invariant. Out: a [`System`]: its states are
//! pairs of such a set and the refinement's variables. A step with a label (operation, arguments, results) that no
//! member of the set can take is one that does not refine. Preconditions are guards on both sides.

use super::glue::{Vars, decided, limit};
use super::joint::JointSystem;
use super::matching::not_refined;
use super::members::{Member, Members};
use super::positions::Positions;
use super::steps;
use super::words::Desk;
use crate::eval::Evaluator;
use crate::layout::StateLayout;
use crate::model::constants::Table;
use crate::model::{
    Attempt, Findings, Label, MachineSystem, Plain, PlainEdge, StepFault, Steps, System, Told, Unmatched, Why,
};
use crate::ops::Fault;
use crate::resolve::flat::Notion;
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A refinement with what the refined machine can be in.
#[derive(Debug)]
pub struct TracesSystem<'a> {
    pub(super) joint: JointSystem<'a>,
    pub(super) members: Members,
    outer: MachineSystem,
    /// The same for those who read.
    shown: MachineSystem,
    pub(super) positions: Positions,
}

/// The steps of one operation.
#[derive(Debug, Default)]
struct Followed {
    edges: Vec<PlainEdge>,
    faults: Vec<StepFault>,
    /// Labels that no member has, with the values after the refinement's step.
    unmatched: Vec<(Vec<Value>, Vars)>,
}

/// Outcomes of the refined machine under one label.
type Outcomes = BTreeMap<Vec<Value>, BTreeSet<Member>>;

impl<'a> TracesSystem<'a> {
    /// What belongs to variables that are shown: all but the first of the refined machine's are nothing here.
    fn own<T>(&self, all: Vec<T>) -> Vec<T> {
        let rest = self.members.slots.get(1..).unwrap_or_default();
        all.into_iter().enumerate().filter(|(i, _)| !rest.contains(i)).map(|(_, shown)| shown).collect()
    }

    /// The system over the two machines of a joint one.
    #[must_use]
    pub fn new(joint: JointSystem<'a>, table: &Arc<Table>) -> Self {
        let (members, inner) = (Members::new(&joint), joint.inner.packer());
        let world = &joint.evaluator.world;
        let system = |machine, layout| {
            let evaluator = Evaluator::new(Arc::new(machine), Arc::clone(world));
            MachineSystem::new(evaluator, Arc::clone(table), layout, Arc::clone(&inner.pool))
        };
        let (machine, refined) = (joint.inner.machine(), &joint.plan.refined);
        let outer = system(members.machine(machine, refined), Arc::clone(&members.outer));
        let for_readers = members.shown(machine, refined);
        let types: Vec<Ty> = for_readers.variables.iter().map(|v| v.ty.clone()).collect();
        let shown = system(for_readers, Arc::new(StateLayout::new(&types, world)));
        let positions = Positions::new(&joint);
        Self { joint, members, outer, shown, positions }
    }

    /// The system whose states are laid out as these.
    #[must_use]
    pub fn outer(&self) -> &MachineSystem {
        &self.outer
    }

    /// A stored state for those who read.
    fn for_readers(&self, state: &[u64]) -> Vec<u64> {
        let valuation = state.first().copied().unwrap_or(0);
        let mut words = Vec::new();
        let vars = self.members.shown_values(state);
        // A valuation alone has no values of variables.
        let packed = self.shown.packer().pack(valuation, &vars, &mut words);
        if packed.is_ok() { words } else { vec![valuation] }
    }

    /// A stored state.
    fn stored(&self, own: &[u64], members: &BTreeSet<Member>) -> Box<[u64]> {
        let mut words = Vec::with_capacity(self.width());
        self.members.store(own, members, &mut words);
        words.into()
    }

    /// The steps of an operation from a state.
    fn followed(&self, number: u32, state: &[u64]) -> Followed {
        let mut out = Followed::default();
        let Some(compared) = self.joint.plan.operations.get(number as usize) else { return out };
        let packed = self.members.each(state);
        // The refinement does not read what the refined machine is in.
        let Some(any) = packed.first() else { return out };
        let mut own = Vec::new();
        self.joint.inner.edges(any, compared.own, &mut own, &mut out.faults);
        let mut outcomes = Outcomes::new();
        let known = out.faults.len();
        if let Some(refined) = compared.refined.filter(|_| !own.is_empty()) {
            for words in &packed {
                self.outcomes(words, refined, &mut outcomes, &mut out.faults);
            }
        }
        let hidden = out.faults.len() > known;
        let same: BTreeSet<Member> = packed.iter().map(|words| self.members.member(words)).collect();
        for (label, target) in own {
            let next = if compared.refined.is_some() { outcomes.get(&label) } else { Some(&same) };
            match next {
                Some(next) => {
                    let words = self.stored(&target, next);
                    out.edges.push((label, words));
                }
                None if hidden => {}
                None => out.unmatched.push((label, self.joint.inner.packer().unpack(&target))),
            }
        }
        out.edges.sort_unstable();
        out.edges.dedup();
        for met in &mut out.faults {
            met.op = number;
        }
        self.tell(number, &mut out);
        out
    }

    /// Adds what the refined operation can do from one state.
    fn outcomes(&self, state: &[u64], refined: u32, out: &mut Outcomes, faults: &mut Vec<StepFault>) {
        let (mut edges, mut met) = (Vec::new(), Vec::new());
        self.joint.inner.edges(state, refined, &mut edges, &mut met);
        faults.extend(met.into_iter().map(|f| StepFault { fault: decided(f.fault), ..f }));
        for (label, target) in edges {
            out.entry(label).or_default().insert(self.members.member(&target));
        }
    }

    fn tell(&self, number: u32, out: &mut Followed) {
        let (Some((label, _)), Some(compared)) =
            (out.unmatched.first(), self.joint.plan.operations.get(number as usize))
        else {
            return;
        };
        let Some(own) = self.joint.inner.operation(compared.own) else { return };
        let (name, refined) = (&compared.name, &self.joint.plan.refined);
        let fault = match self.joint.is_cut(own.span) {
            None => not_refined(&format!("`{refined}` cannot do this step of `{name}`"), own.span),
            Some(what) => limit(&format!(
                "`{refined}` cannot do this step of `{name}` with the values that were tried: {what}"
            ))
            .at(own.span),
        };
        let arguments = label.get(..own.params.len()).unwrap_or_default();
        let arguments = self.joint.label_by_arguments(number, arguments);
        out.faults.push(StepFault { op: number, arguments, fault });
    }

    /// The beginnings under a valuation.
    fn begin(&self, valuation: u32) -> (BTreeSet<Box<[u64]>>, Vec<Fault>) {
        let constants = self.joint.constants_of(&[u64::from(valuation)]);
        let (mut out, mut faults) = (BTreeSet::new(), Vec::new());
        let at = self.joint.plan.own_begin.body.span;
        for own in self.joint.own_begins(&constants, &mut faults) {
            let known = faults.len();
            let mut set = BTreeSet::new();
            let mut after = None;
            for vars in self.joint.refined_begins(&constants, &own, &mut faults) {
                let mut words = Vec::new();
                match self.joint.inner.packer().pack(u64::from(valuation), &vars, &mut words) {
                    Ok(()) => {
                        set.insert(self.members.member(&words));
                        after = Some(words);
                    }
                    Err(fault) => faults.push(fault),
                }
            }
            match after {
                Some(own) => {
                    out.insert(self.stored(&own, &set));
                }
                None if faults.len() > known => {}
                None => {
                    let text = format!("`{}` has no beginning", self.joint.plan.refined);
                    faults.push(match self.joint.is_cut(Span::default()) {
                        None => not_refined(&text, at),
                        Some(what) => {
                            limit(&format!("{text} with the values that were tried: {what}")).at(at)
                        }
                    });
                }
            }
        }
        (out, faults)
    }

    /// Why there is no step: all that the members could do with the same arguments.
    fn explained(&self, state: &[u64], op: u32, arguments: &[(String, String)]) -> Option<Unmatched> {
        let compared = self.joint.plan.operations.get(op as usize)?;
        let own = self.joint.inner.operation(compared.own)?;
        let followed = self.followed(op, state);
        let values =
            |label: &[Value]| label.get(..own.params.len()).map(<[Value]>::to_vec).unwrap_or_default();
        let asked = |label: &[Value]| self.joint.label_by_arguments(op, &values(label)) == arguments;
        let all = followed.unmatched.iter();
        let found = all.clone().find(|(l, _)| asked(l));
        if found.is_none()
            && self.joint.plan.notion == Notion::Failures
            && let Some(refusal) = self.refusal_explained(state, op)
        {
            return Some(refusal);
        }
        let (label, after) = found.or(all.clone().next())?;
        let mut attempts = Vec::new();
        let mut before = None;
        for words in self.members.each(state) {
            let mut edges = Vec::new();
            let old = self.joint.inner.packer().unpack(&words);
            if let Some(refined) = compared.refined {
                self.joint.inner.edges(&words, refined, &mut edges, &mut Vec::new());
            }
            for (other, target) in edges.iter().filter(|(l, _)| values(l) == values(label)) {
                let results = compared.refined.and_then(|r| self.joint.inner.label_of(r, other));
                let new = self.joint.inner.packer().unpack(target);
                attempts.push(Attempt {
                    results: results.map(|l| l.results).unwrap_or_default(),
                    changes: self.joint.changes(&old, &new),
                    other_results: true,
                    broken: Vec::new(),
                    offers: None,
                });
            }
            before = before.or(Some(old));
        }
        let more = attempts.len().saturating_sub(super::explain::LISTED);
        attempts.truncate(super::explain::LISTED);
        let before = before?;
        Some(Unmatched {
            why: Why::Outcome,
            refined: self.joint.plan.refined.clone(),
            own: self.joint.changes(&before, &self.joint.joined(after, &before)),
            label: self.joint.label_by(op, label).unwrap_or_default(),
            attempts,
            more,
        })
    }
}

impl System for TracesSystem<'_> {
    fn width(&self) -> usize {
        self.outer.width()
    }

    fn has_setup(&self) -> bool {
        self.joint.has_setup()
    }

    fn valuations(&self, f: &mut dyn FnMut(u32) -> bool) -> Result<(), Fault> {
        self.joint.valuations(f)
    }

    fn valuations_told(&self, f: &mut dyn FnMut(Option<u32>) -> bool) -> Result<(), Fault> {
        self.joint.valuations_told(f)
    }

    fn compared_valuations(&self) -> u64 {
        self.joint.compared_valuations()
    }

    fn compare_valuations(&self, a: u32, b: u32) -> Ordering {
        self.joint.compare_valuations(a, b)
    }

    fn initial(&self, valuation: u32, out: &mut Steps) {
        let (begun, faults) = self.begin(valuation);
        for target in &begun {
            out.push(0, 1, target);
        }
        out.faults.extend(faults.into_iter().map(|fault| StepFault { op: 0, arguments: Vec::new(), fault }));
    }

    fn successors(&self, state: &[u64], out: &mut Steps) {
        let mut desk: Box<Desk> = out.memory.take().unwrap_or_default();
        for number in self.joint.plan.numbers() {
            if !self.quickly(number, state, &mut desk, out) {
                let Followed { edges, faults, .. } = self.followed(number, state);
                steps::push(number, &edges, faults, out);
            }
        }
        if self.joint.plan.notion == Notion::Failures {
            self.refused(state, &mut desk, &mut out.faults);
        }
        out.memory.leave(desk);
    }

    fn check(&self, _state: &[u64], _out: &mut Findings) {}

    fn check_assertions(&self, _state: &[u64], _out: &mut Findings) {}

    fn operations(&self) -> &[String] {
        self.joint.operations()
    }

    fn label(&self, state: &[u64], nth: u32) -> Option<Label> {
        let of = |number| self.followed(number, state).edges;
        let (number, values) = steps::label(self.joint.plan.numbers(), nth, of)?;
        self.joint.label_by(number, &values)
    }

    fn told(&self, most: usize, before: Option<&[u64]>, after: &[u64]) -> Told {
        let before = before.map(|state| self.for_readers(state));
        let told = self.shown.told(most, before.as_deref(), &self.for_readers(after));
        Told { changed: self.own(told.changed), deltas: self.own(told.deltas), ..told }
    }

    fn show_state_in(&self, most: usize, state: &[u64]) -> Vec<(String, String)> {
        self.own(self.shown.show_state_in(most, &self.for_readers(state)))
    }

    fn show_valuation_in(&self, most: usize, valuation: u32) -> Vec<(String, String)> {
        self.joint.show_valuation_in(most, valuation)
    }

    fn unmatched(&self, state: &[u64], op: u32, arguments: &[(String, String)]) -> Option<Unmatched> {
        if state.len() < self.width() {
            return None;
        }
        self.explained(state, op, arguments)
    }
}
