//! One state: which atoms are true there, and the steps that leave it with the atoms that are true of them.
//!
//! In: a [`Subject`], a state. Out: numbers of atoms; steps with their labels. Predicates are the invariant of the system, so that compiled code evaluates
//! them; arguments of operations and changes of expressions are looked at by the plain evaluator, where formulas speak of them. Siblings: `record`, `unwind`.

use super::ast::Change;
use super::atoms::{Atoms, Called, StateAtom, StepAtom};
use super::graph::Graph;
use crate::diagnostic::Code;
use crate::ir::Expr;
use crate::model::pack::expand;
use crate::model::{Findings, MachineSystem, Plain, PlainEdge, Steps, System};
use crate::ops::Fault;
use crate::value::Value;
use std::cmp::Ordering;

/// What formulas are about.
pub struct Subject<'a> {
    /// The system; its invariant is the predicates of the atoms, one conjunct each.
    pub system: &'a dyn System,
    /// The same by the plain evaluator.
    pub plain: &'a MachineSystem,
    /// The atoms.
    pub atoms: &'a Atoms,
    /// The expressions of the atoms, with the sizes of their frames.
    pub expressions: &'a [(Expr, u32)],
}

/// An atom that could not be decided in some state.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Whether it is about steps.
    pub about_steps: bool,
    /// Its number.
    pub atom: u32,
    /// What happened; `None` if its time ran out.
    pub fault: Option<Fault>,
}

impl Unknown {
    pub(super) fn is_same(&self, other: &Unknown) -> bool {
        (self.about_steps, self.atom) == (other.about_steps, other.atom)
    }
}

/// A step that leaves the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) label: u32,
    /// Its number among all edges of the state.
    pub(super) nth: u32,
}

/// Memory for one state after the other.
pub(super) struct Looker<'a> {
    subject: &'a Subject<'a>,
    edges: Steps,
    findings: Findings,
    values: Vec<Option<Result<Value, Fault>>>,
    targets: Vec<u64>,
    /// Atoms that are true of the state.
    pub(super) truth: Vec<u32>,
    /// Its steps.
    pub(super) steps: Vec<Seen>,
    /// Whether all steps are known.
    pub(super) whole: bool,
    /// What could not be decided.
    pub(super) unknown: Vec<Unknown>,
}

fn index(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}

impl<'a> Looker<'a> {
    pub(super) fn new(subject: &'a Subject<'a>) -> Self {
        Self {
            subject,
            edges: Steps::default(),
            findings: Findings::default(),
            values: Vec::new(),
            targets: Vec::new(),
            truth: Vec::new(),
            steps: Vec::new(),
            whole: true,
            unknown: Vec::new(),
        }
    }

    /// The targets of all steps, one after the other.
    pub(super) fn targets(&self) -> &[u64] {
        &self.targets
    }

    /// The label and target of a step.
    pub(super) fn step(&self, i: usize) -> Option<(u32, &[u64])> {
        let width = self.subject.system.width().max(1);
        Some((self.steps.get(i)?.label, self.targets.get(i * width..(i + 1) * width)?))
    }

    /// Looks at a state.
    pub(super) fn look(&mut self, state: &[u64], graph: &mut Graph) {
        let system = self.subject.system;
        let width = system.width().max(1);
        self.truth.clear();
        self.steps.clear();
        self.targets.clear();
        self.values.clear();
        self.values.resize(self.subject.expressions.len(), None);
        self.edges.clear();
        system.successors(state, &mut self.edges);
        self.whole = self.edges.faults.is_empty() && !(self.edges.is_empty() && system.is_outside(state));
        let runs: Vec<_> = self.edges.runs().map(|r| (r.op, r.edges)).collect();
        let words = std::mem::take(&mut self.edges.targets);
        let mut enabled: Vec<u32> = Vec::new();
        let (mut nth, mut sink) = (0u32, true);
        let mut set = Vec::new();
        for (op, count) in runs {
            let mut labelled: Vec<PlainEdge> = Vec::new();
            if self.speaks_of_arguments(op) {
                // In the same order.
                self.subject.plain.edges(state, op, &mut labelled, &mut Vec::new());
                self.whole &= labelled.len() == count as usize;
            }
            // Steps of one operation mostly look alike.
            let mut before: Option<(Vec<u32>, u32)> = None;
            for i in 0..count {
                let at = nth as usize * width;
                let target = words.get(at..at + width).unwrap_or_default();
                let values = labelled.get(i as usize).map(|(values, _)| values.as_slice());
                sink &= target == state;
                set.clear();
                self.step_atoms(state, target, op, values, &mut set);
                self.state_atoms_of_step(state, op, values, &mut enabled);
                let label = match &before {
                    Some((same, label)) if *same == set => *label,
                    _ => graph.label(op, &set),
                };
                if before.as_ref().is_none_or(|(_, l)| *l != label) {
                    before = Some((set.clone(), label));
                }
                self.steps.push(Seen { label, nth });
                nth += 1;
            }
        }
        self.targets = words;
        let none = self.steps.is_empty() && self.whole;
        for (i, atom) in self.subject.atoms.states.iter().enumerate() {
            let is = match atom {
                StateAtom::Holds(_) => false,
                StateAtom::Enabled(_) => enabled.contains(&index(i)),
                StateAtom::Deadlock => none,
                StateAtom::Sink => sink && self.whole,
            };
            if is {
                self.truth.push(index(i));
            }
        }
        self.predicates(state);
    }

    fn speaks_of_arguments(&self, op: u32) -> bool {
        let atoms = self.subject.atoms;
        let of = |c: &Called| c.operation == op && c.has_arguments();
        atoms.states.iter().any(|a| matches!(a, StateAtom::Enabled(c) if of(c)))
            || atoms.steps.iter().any(|a| matches!(a, StepAtom::Taken(c) if of(c)))
    }

    fn step_atoms(
        &mut self,
        state: &[u64],
        target: &[u64],
        op: u32,
        values: Option<&[Value]>,
        set: &mut Vec<u32>,
    ) {
        let atoms = self.subject.atoms;
        for (i, atom) in atoms.steps.iter().enumerate() {
            let is = match atom {
                StepAtom::Taken(called) => self.is_called(state, op, values, called),
                StepAtom::Change(change, e) => self.changes(state, target, *change, *e),
            };
            match is {
                Ok(true) => set.push(index(i)),
                Ok(false) => {}
                Err(fault) => self.note(true, index(i), Some(fault)),
            }
        }
    }

    fn state_atoms_of_step(&mut self, state: &[u64], op: u32, values: Option<&[Value]>, out: &mut Vec<u32>) {
        let atoms = self.subject.atoms;
        for (i, atom) in atoms.states.iter().enumerate() {
            let StateAtom::Enabled(called) = atom else { continue };
            if out.contains(&index(i)) {
                continue;
            }
            match self.is_called(state, op, values, called) {
                Ok(true) => out.push(index(i)),
                Ok(false) => {}
                Err(fault) => self.note(false, index(i), Some(fault)),
            }
        }
    }

    fn note(&mut self, about_steps: bool, atom: u32, fault: Option<Fault>) {
        let fault = fault.filter(|f| f.0.code != Code::OutOfTime);
        let unknown = Unknown { about_steps, atom, fault };
        if self.unknown.iter().all(|u| !u.is_same(&unknown)) {
            self.unknown.push(unknown);
        }
    }

    /// The value of an expression in the state at hand, listed.
    fn value(&mut self, state: &[u64], e: u32) -> Result<Value, Fault> {
        if let Some(Some(known)) = self.values.get(e as usize) {
            return known.clone();
        }
        let value = self.evaluate(state, e);
        if let Some(slot) = self.values.get_mut(e as usize) {
            *slot = Some(value.clone());
        }
        value
    }

    fn evaluate(&self, state: &[u64], e: u32) -> Result<Value, Fault> {
        let Some((expr, frame)) = self.subject.expressions.get(e as usize) else { return Ok(Value::empty()) };
        let plain = self.subject.plain;
        let value = plain.value(state, expr, *frame)?;
        expand(&value, &expr.ty, plain.world())
    }

    fn is_called(
        &mut self,
        state: &[u64],
        op: u32,
        values: Option<&[Value]>,
        called: &Called,
    ) -> Result<bool, Fault> {
        if called.operation != op {
            return Ok(false);
        }
        for (i, argument) in called.arguments.iter().enumerate() {
            let Some(e) = argument else { continue };
            let wanted = self.value(state, *e)?;
            let Some(found) = values.and_then(|v| v.get(i)) else { return Ok(false) };
            let ty = self.subject.expressions.get(*e as usize).map(|(e, _)| &e.ty);
            let found = match ty {
                Some(ty) => expand(found, ty, self.subject.plain.world())?,
                None => found.clone(),
            };
            if found != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn changes(&mut self, state: &[u64], target: &[u64], change: Change, e: u32) -> Result<bool, Fault> {
        let before = self.value(state, e)?;
        let after = if state == target { before.clone() } else { self.evaluate(target, e)? };
        Ok(match change {
            Change::Changed => before != after,
            Change::Unchanged => before == after,
            Change::Increasing => before.cmp(&after) == Ordering::Less,
            Change::Decreasing => before.cmp(&after) == Ordering::Greater,
        })
    }

    /// The predicates that are true.
    fn predicates(&mut self, state: &[u64]) {
        if self.subject.atoms.predicates.is_empty() {
            return;
        }
        self.findings.clear();
        self.subject.system.check(state, &mut self.findings);
        let faulty = !self.findings.faults.is_empty() || !self.findings.undecided.is_empty();
        for (i, atom) in self.subject.atoms.states.iter().enumerate() {
            let StateAtom::Holds(p) = atom else { continue };
            if !faulty {
                if !self.findings.invariants.contains(p) {
                    self.truth.push(index(i));
                }
                continue;
            }
            match self.subject.plain.invariant(state, *p) {
                Ok(true) => self.truth.push(index(i)),
                Ok(false) => {}
                Err(fault) => self.note(false, index(i), Some(fault)),
            }
        }
        if faulty {
            self.truth.sort_unstable();
        }
    }
}
