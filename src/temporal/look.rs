//! One state: which atoms are true there, and of the steps that leave it.
//!
//! In: a [`Subject`], a state, its steps. Out: numbers of atoms, labels of steps. Predicates are the invariant of the system, so that compiled code evaluates
//! them; arguments of operations and changes of expressions are looked at by the plain evaluator, where formulas speak of them. Siblings: `record`, `unwind`.

use super::ast::Change;
use super::atoms::{Atoms, Called, StateAtom, StepAtom};
use super::graph::Graph;
use super::variants::Origin;
use crate::diagnostic::Code;
use crate::ir::Expr;
use crate::model::pack::expand;
use crate::model::{Findings, MachineSystem, Plain, PlainEdge, System};
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
    /// What the operations of the system are parts of; `None` if they are what atoms speak of.
    pub origins: Option<&'a [Origin]>,
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

/// The atoms that speak of the steps of one operation.
#[derive(Default)]
struct Spoken {
    /// About steps and states, whatever the arguments.
    taken: Vec<u32>,
    enabled: Vec<u32>,
    /// About steps and states, for some arguments.
    taken_with: Vec<(u32, Called)>,
    enabled_with: Vec<(u32, Called)>,
    /// The label of all its steps, once it is known, if they all look alike.
    label: Option<u32>,
}

/// Memory for one state after the other.
pub(super) struct Looker<'a> {
    subject: &'a Subject<'a>,
    /// By operation.
    spoken: Vec<Spoken>,
    /// Atoms about what steps change.
    changes: Vec<(u32, Change, u32)>,
    /// Atoms about what is evaluated, no step, and steps that lead elsewhere.
    holds: Vec<(u32, u32)>,
    deadlock: Option<u32>,
    sink: Option<u32>,
    /// Whether all steps so far lead back.
    back: bool,
    values: Vec<Option<Result<Value, Fault>>>,
    set: Vec<u32>,
    /// Atoms that are true of the state since there are, or are no, steps.
    pub(super) truth: Vec<u32>,
    /// What could not be decided.
    pub(super) unknown: Vec<Unknown>,
}

impl<'a> Looker<'a> {
    pub(super) fn new(subject: &'a Subject<'a>) -> Self {
        let mut looker = Self {
            subject,
            spoken: subject.system.operations().iter().map(|_| Spoken::default()).collect(),
            changes: Vec::new(),
            holds: Vec::new(),
            deadlock: None,
            sink: None,
            back: true,
            values: Vec::new(),
            set: Vec::new(),
            truth: Vec::new(),
            unknown: Vec::new(),
        };
        let atoms = subject.atoms;
        for (i, atom) in (0u32..).zip(&atoms.states) {
            match atom {
                StateAtom::Holds(p) => looker.holds.push((i, *p)),
                StateAtom::Deadlock => looker.deadlock = Some(i),
                StateAtom::Sink => looker.sink = Some(i),
                StateAtom::Enabled(called) => looker.speak(called, |s, known| match known {
                    Some(true) => s.enabled.push(i),
                    Some(false) => {}
                    None => s.enabled_with.push((i, called.clone())),
                }),
            }
        }
        for (i, atom) in (0u32..).zip(&atoms.steps) {
            match atom {
                StepAtom::Change(change, e) => looker.changes.push((i, *change, *e)),
                StepAtom::Taken(called) => looker.speak(called, |s, known| match known {
                    Some(true) => s.taken.push(i),
                    Some(false) => {}
                    None => s.taken_with.push((i, called.clone())),
                }),
            }
        }
        looker
    }

    /// Takes note of what is said of operations that an atom speaks of; whether the atom is true of all their steps, if that is known.
    fn speak(&mut self, called: &Called, note: impl Fn(&mut Spoken, Option<bool>)) {
        for (op, spoken) in (0u32..).zip(&mut self.spoken) {
            let origin = self.subject.origins.and_then(|o| o.get(op as usize));
            if origin.map_or(op, |o| o.operation) != called.operation {
                continue;
            }
            let answer = origin.and_then(|o| o.answers.iter().find(|(c, _)| c == called));
            note(spoken, answer.map(|(_, is)| *is).or((!called.has_arguments()).then_some(true)));
        }
    }

    /// Begins with another state.
    pub(super) fn begin(&mut self) {
        self.truth.clear();
        self.values.clear();
        self.values.resize(self.subject.expressions.len(), None);
        self.back = true;
    }

    /// Whether atoms ask for the arguments of an operation.
    pub(super) fn asks_arguments(&self, op: u32) -> bool {
        let with = |s: &Spoken| !s.taken_with.is_empty() || !s.enabled_with.is_empty();
        self.spoken.get(op as usize).is_some_and(with)
    }

    /// The label of all steps of an operation from a state, if they look alike whatever their arguments and targets. There are such
    /// steps.
    #[inline]
    pub(super) fn alike(
        &mut self,
        state: &[u64],
        op: u32,
        targets: &[u64],
        graph: &mut Graph,
    ) -> Option<u32> {
        if !self.changes.is_empty() || self.asks_arguments(op) {
            return None;
        }
        if self.sink.is_some() {
            let width = self.subject.system.width().max(1);
            self.back &= targets.chunks(width).all(|t| t == state);
        }
        let spoken = self.spoken.get_mut(op as usize)?;
        self.truth.extend_from_slice(&spoken.enabled);
        Some(*spoken.label.get_or_insert_with(|| graph.label(op, &spoken.taken)))
    }

    /// The label of one step, whose arguments are known where atoms ask for them.
    pub(super) fn label(
        &mut self,
        (state, target): (&[u64], &[u64]),
        op: u32,
        values: Option<&[Value]>,
        graph: &mut Graph,
    ) -> u32 {
        self.back &= state == target;
        let mut set = std::mem::take(&mut self.set);
        set.clear();
        if let Some(spoken) = self.spoken.get_mut(op as usize) {
            let spoken = std::mem::take(spoken);
            set.extend_from_slice(&spoken.taken);
            self.truth.extend_from_slice(&spoken.enabled);
            for (i, called) in &spoken.taken_with {
                match self.is_called(state, values, called) {
                    Ok(true) => set.push(*i),
                    Ok(false) => {}
                    Err(fault) => self.note(true, *i, Some(fault)),
                }
            }
            for (i, called) in &spoken.enabled_with {
                match self.is_called(state, values, called) {
                    Ok(true) if !self.truth.contains(i) => self.truth.push(*i),
                    Ok(_) => {}
                    Err(fault) => self.note(false, *i, Some(fault)),
                }
            }
            if let Some(place) = self.spoken.get_mut(op as usize) {
                *place = spoken;
            }
        }
        for at in 0..self.changes.len() {
            let Some(&(i, change, e)) = self.changes.get(at) else { break };
            match self.changes(state, target, change, e) {
                Ok(true) => set.push(i),
                Ok(false) => {}
                Err(fault) => self.note(true, i, Some(fault)),
            }
        }
        set.sort_unstable();
        let label = graph.label(op, &set);
        self.set = set;
        label
    }

    /// All steps of a state are known, and are so many: what is true for that.
    pub(super) fn end(&mut self, steps: usize) {
        self.truth.extend(self.deadlock.filter(|_| steps == 0));
        self.truth.extend(self.sink.filter(|_| self.back));
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

    fn is_called(&mut self, state: &[u64], values: Option<&[Value]>, called: &Called) -> Result<bool, Fault> {
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

    /// The predicates that are true of a state, from what checking it has found: the false ones, or faults.
    pub(super) fn predicates(&mut self, state: &[u64], found: Option<&Findings>, out: &mut Vec<u32>) {
        out.clear();
        let Some(found) = found else {
            out.extend(self.holds.iter().map(|(i, _)| *i));
            return;
        };
        // Of a formula it matters that it has no value, whatever another one says.
        let faulty = found.passed_over || !found.faults.is_empty() || !found.undecided.is_empty();
        for at in 0..self.holds.len() {
            let Some(&(i, p)) = self.holds.get(at) else { break };
            if !faulty {
                if !found.invariants.contains(&p) {
                    out.push(i);
                }
                continue;
            }
            match self.subject.plain.invariant(state, p) {
                Ok(true) => out.push(i),
                Ok(false) => {}
                Err(fault) => self.note(false, i, Some(fault)),
            }
        }
    }

    /// The edges of an operation with the values of their labels, by the plain evaluator; whether there were no faults.
    pub(super) fn labelled(&self, state: &[u64], op: u32, out: &mut Vec<PlainEdge>) -> bool {
        let mut faults = Vec::new();
        out.clear();
        self.subject.plain.edges(state, op, out, &mut faults);
        faults.is_empty()
    }
}
