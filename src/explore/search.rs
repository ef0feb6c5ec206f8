//! The search loop: breadth first, level by level, in an order that depends on nothing but the system.
//!
//! In: a `System`, a `Reducer` for states, one for valuations. Out: an [`Outcome`] and the parents of all
//! nodes. Every state is checked when it is stored, so the first violation found has a shortest trace.
//! States are expanded in chunks, perhaps by several threads (`expand`), and merged in order, so the outcome is the
//! same for any number of threads. Children: `begin` (valuations and initial states), `level` (the states of one
//! level), `keep` (checkpoints).

mod begin;
mod keep;
mod level;

use super::audit::Auditor;
use super::checkpoint::{Checkpoints, Due};
use super::early::{Early, First, Fresh};
use super::expand::{Chunk, Expander};
use super::findings::{self, Kind, Place};
use super::frontier::{BLOCK, Frontier};
use super::kept::{Kept, Onlooker};
use super::keys::Keys;
use super::spare::{Pile, Spare};
use super::summary;
use super::trace::{PIECE, Parents, ROOT};
use super::{OperationCount, Options, Outcome, Stop};
use crate::diagnostic::Code;
use crate::model::{Findings, System};
use crate::symmetry::{Count, Reducer};
use std::cell::OnceCell;

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Edges found.
    pub transitions: u64,
    /// States known but not yet expanded.
    pub waiting: u64,
    /// Steps from the root.
    pub depth: u64,
    /// Valuations of the constants that were found.
    pub valuations: u64,
    /// What is being done.
    pub phase: Phase,
    /// The kind of the first violation found.
    pub found: Option<&'static str>,
}

/// What a search is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// Finding the valuations of the constants.
    #[default]
    Properties,
    /// Finding the initial states.
    Initialisation,
    /// Taking steps.
    Steps,
}

/// States between two calls of the observer.
const PROGRESS: u64 = 1 << 8;

/// Explores a system. `valuation_reducer` says which valuations count as the same (usually the same reducer).
pub fn explore(
    system: &dyn System,
    reducer: &dyn Reducer,
    valuation_reducer: &dyn Reducer,
    options: &Options,
    observer: &mut dyn FnMut(Progress),
) -> (Outcome, Parents) {
    run(system, reducer, valuation_reducer, options, observer, (First::All, None, None))
}

/// As [`explore`], for an onlooker.
pub fn explore_kept(
    system: &dyn System,
    (reducer, valuation_reducer): (&dyn Reducer, &dyn Reducer),
    options: &Options,
    onlooker: Onlooker<'_>,
    observer: &mut dyn FnMut(Progress),
) -> (Outcome, Parents) {
    run(system, reducer, valuation_reducer, options, observer, (First::All, Some(onlooker), None))
}

/// As [`explore`], but while valuations are being looked for the first of them are looked at. What comes of that may be the
/// result: then there is a reducer with it, made by `fresh`, that it rests on. Such a look has no onlooker, and is not kept.
pub fn explore_early(
    system: &dyn System,
    (reducer, valuation_reducer): (&dyn Reducer, &dyn Reducer),
    fresh: Fresh<'_>,
    options: &Options,
    (onlooker, checkpoints): (Option<Onlooker<'_>>, Option<&Checkpoints<'_>>),
    observer: &mut dyn FnMut(Progress),
) -> (Outcome, Parents, Option<Box<dyn Reducer>>) {
    let mut early = Early::new(fresh);
    let first = (First::AllAnd(&mut early), onlooker, checkpoints);
    let (outcome, parents) = run(system, reducer, valuation_reducer, options, observer, first);
    if (early.is_decided() || outcome.looking.is_some())
        && let Some(mut seen) = early.told(outcome.stopped)
    {
        seen.outcome.looking = outcome.looking;
        seen.outcome.fails_most = outcome.fails_most;
        return (seen.outcome, seen.parents, Some(seen.reducer));
    }
    (outcome, parents, None)
}

/// Explores a system from some valuations, perhaps for an onlooker.
pub(super) fn run(
    system: &dyn System,
    reducer: &dyn Reducer,
    valuation_reducer: &dyn Reducer,
    options: &Options,
    observer: &mut dyn FnMut(Progress),
    (first, onlooker, checkpoints): (First<'_, '_>, Option<Onlooker<'_>>, Option<&Checkpoints<'_>>),
) -> (Outcome, Parents) {
    let settled = OnceCell::new();
    let mut search = Search::new(system, reducer, options, observer);
    search.checkpoints = checkpoints;
    let looks_on = onlooker.as_ref().map(|o| o.system);
    search.kept = onlooker.map(|Onlooker { system, keeper }| Kept::new(Onlooker { system, keeper }));
    let mut seen = search.root(valuation_reducer, &settled, first);
    let mut expander = Expander::new(system, search.reducer, options, search.spare.clone(), looks_on);
    let mut level = Frontier::new(search.width, search.spare.states.clone());
    let mut state = Vec::new();
    search.enter(Phase::Steps);
    if let Some(node) = search.go_on(&mut seen, &mut level) {
        search.rest(&mut level, node, &mut expander, &mut seen);
    }
    while search.out.stopped.is_none() && search.frontier.len() > 0 {
        if search.is_due() {
            search.keep(&[], &level, ROOT, &seen);
        }
        if search.out.stopped.is_some() {
            break;
        }
        if search.frontier.take_only(&mut state) {
            search.only(&state, &mut expander, &mut seen);
        } else {
            search.level(&mut level, &mut expander, &mut seen);
        }
    }
    if search.out.stopped == Some(Stop::Depth) {
        // All of it stands at the border of a level.
        search.keep(&[], &level, ROOT, &seen);
    }
    search.finish(&seen)
}

/// The graph without reduction, as far as it is known.
#[derive(Default)]
struct Full {
    states: Count,
    transitions: Count,
}

impl Full {
    /// Adds the states of some orbits of this size, which have so many edges for each of their images.
    fn add(&mut self, orbit: Count, orbits: u64, edges: u64) {
        self.states += &(orbit.clone() * &Count::from(orbits));
        self.transitions += &(orbit * &Count::from(edges));
    }
}

struct Search<'a> {
    system: &'a dyn System,
    /// The reducer that was asked for, and the one that it has settled on.
    asked: &'a dyn Reducer,
    reducer: &'a dyn Reducer,
    options: &'a Options,
    observer: &'a mut dyn FnMut(Progress),
    width: usize,
    parents: Parents,
    frontier: Frontier,
    spare: Spare,
    /// Of the current level, those that are expanded at once.
    blocks: Vec<Vec<u64>>,
    /// States of the current level beyond the current block.
    waiting: u64,
    phase: Phase,
    /// Whether deadlocks are violations.
    deadlock_counts: bool,
    full: Option<Full>,
    auditor: Option<Auditor>,
    kept: Option<Kept<'a>>,
    checkpoints: Option<&'a Checkpoints<'a>>,
    /// What was due when that was last asked.
    due: Due,
    /// Whether it is unknown of some steps whether they are possible.
    undecided: bool,
    /// Whether a property was not decided in its time.
    unsure: bool,
    /// States that were looked at before all valuations were known.
    ahead: u64,
    /// Valuations that were found so far.
    found_valuations: u64,
    /// Whether valuations are not reduced.
    all_valuations: bool,
    /// How often evaluation met what is not supported or takes too much.
    limits: u64,
    out: Outcome,
}

impl<'a> Search<'a> {
    fn new(
        system: &'a dyn System,
        reducer: &'a dyn Reducer,
        options: &'a Options,
        observer: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let operations = vec![OperationCount::default(); system.operations().len()];
        let width = system.width().max(1);
        let spare = Spare { nodes: Pile::new(PIECE), states: Pile::new(BLOCK * width) };
        Self {
            system,
            asked: reducer,
            reducer,
            options,
            observer,
            width,
            parents: Parents::new(spare.nodes.clone()),
            frontier: Frontier::new(width, spare.states.clone()),
            spare,
            blocks: Vec::new(),
            waiting: 0,
            phase: Phase::Properties,
            deadlock_counts: options.deadlock && !system.operations().is_empty(),
            full: Some(Full::default()),
            auditor: options.audit.clone().map(|a| Auditor::new(a, width)),
            kept: None,
            checkpoints: None,
            due: Due::Nothing,
            undecided: false,
            unsure: false,
            ahead: 0,
            found_valuations: 0,
            all_valuations: true,
            limits: 0,
            out: Outcome { operations, ..Outcome::default() },
        }
    }

    fn finish(mut self, seen: &Keys) -> (Outcome, Parents) {
        // After a stop some keys may be in of states that are not stored.
        let stored = self.out.states;
        self.out.keys = if self.reducer.floods() { seen.len() as u64 } else { stored };
        self.out.compared = self.system.compared_valuations();
        self.out.key_bytes = seen.bytes() as u64;
        if self.undecided && stored == self.out.valuations {
            // There may be states all the same.
            self.stop(Stop::Bounds);
        }
        // States that were not expanded have not been counted.
        if self.out.stopped.is_none() {
            let full = match self.full {
                _ if self.reducer.is_trivial() => {
                    self.all_valuations.then(|| (stored.into(), self.out.transitions.into()))
                }
                Some(full) => Some((full.states.into(), full.transitions.into())),
                None => None,
            };
            (self.out.full_states, self.out.full_transitions) = full.unzip();
        }
        self.out.audit = self.auditor.map(|a| a.found);
        (self.out, self.parents)
    }

    /// Whether all states stored so far satisfy invariant and assertions, for certain.
    fn sound(&self) -> bool {
        let wrong = self.out.invariant_violations + self.out.assertion_violations + self.told();
        !self.unsure && wrong == 0
    }

    fn stop(&mut self, why: Stop) {
        self.out.stopped.get_or_insert(why);
    }

    fn running(&mut self) -> bool {
        if self.options.interrupt.raised() {
            self.stop(Stop::Interrupted);
        }
        self.out.stopped.is_none()
    }

    /// Whether it is no violation.
    fn is_excused(&self, kind: &Kind) -> bool {
        self.options.excuse_calls && kind.is_of_call()
    }

    fn found(&mut self, kind: Kind, node: Option<u32>) {
        let violation = kind.is_violation();
        findings::add(&mut self.out.findings, kind, node);
        let found = || self.out.findings.iter().filter(|f| f.kind.is_violation()).count();
        if violation && !self.options.keep_going && found() >= self.options.max_errors {
            self.stop(Stop::Violation);
        }
    }

    /// Reports faults of one node; whether there were any. Interruption is no fault, nor is what is not known: the
    /// evaluator has noted it.
    fn faults(&mut self, faults: impl IntoIterator<Item = Kind>, node: Option<u32>) -> bool {
        let (mut any, mut unknown, mut unrefined) = (false, false, false);
        for kind in faults {
            if matches!(&kind, Kind::Fault(_, f) if f.0.code == Code::Interrupted) {
                self.stop(Stop::Interrupted);
                continue;
            }
            if matches!(&kind, Kind::Fault(_, f) if f.0.code == Code::Undecided) {
                self.undecided = true;
                unknown = true;
                continue;
            }
            if self.is_excused(&kind) {
                unknown = true;
                findings::add(&mut self.out.excused, kind, node);
                continue;
            }
            if kind.is_limit() {
                unknown = true;
                self.limits += 1;
            } else if kind.is_refinement() {
                unrefined = true;
            } else {
                any = true;
            }
            self.found(kind, node);
        }
        self.out.errors += u64::from(any);
        self.out.refinement_violations += u64::from(unrefined);
        any || unknown || unrefined
    }

    /// Takes over which properties were not decided.
    fn undecided(&mut self, findings: &mut Findings, node: Option<u32>) {
        self.unsure |= !findings.undecided.is_empty();
        for id in findings.undecided.drain(..) {
            self.found(Kind::Undecided(id), node);
        }
    }

    /// How many errors there were, and what was not supported.
    fn told(&self) -> u64 {
        self.out.errors + self.limits + self.out.refinement_violations
    }

    /// Stores a node; `None` if the limit is reached.
    fn store(&mut self, parent: u32, nth: u32) -> Option<u32> {
        let node = u32::try_from(self.parents.len()).ok().filter(|n| *n < ROOT);
        if node.is_none() || self.options.max_states.is_some_and(|m| self.out.states >= m) {
            self.stop(Stop::States);
            return None;
        }
        self.parents.push(parent, nth);
        self.out.states += 1;
        node
    }

    fn deadlock(&mut self, node: Option<u32>) {
        self.out.deadlocks += 1;
        if self.deadlock_counts {
            self.found(Kind::Deadlock, node);
        }
    }

    /// Stores a state whose key is new, with what checking it has found.
    #[inline]
    fn add(&mut self, state: &[u64], parent: u32, nth: u32, found: impl FnOnce() -> Option<Findings>) {
        let found = found();
        if self.options.excuse_calls && found.as_ref().is_some_and(|f| self.excuse(f, parent)) {
            return;
        }
        let Some(node) = self.store(parent, nth) else { return };
        self.frontier.push(state);
        if let Some(mut findings) = found {
            if findings.goal && self.options.goals {
                self.out.goals.push(state.into());
            }
            self.findings(&mut findings, node);
        }
        if self.out.states.is_multiple_of(PROGRESS) {
            self.report();
        }
    }

    /// Whether nobody may come to a state, after what checking it has found; it was reached from `parent`.
    fn excuse(&mut self, found: &Findings, parent: u32) -> bool {
        let faults = found.faults.iter().map(|f| Kind::Fault(Place::Check(f.of), f.fault.clone()));
        let kinds = found.invariants.iter().map(|i| Kind::Invariant(*i)).chain(faults);
        let excused: Vec<Kind> = kinds.filter(|k| self.is_excused(k)).collect();
        let any = !excused.is_empty();
        let node = Some(parent).filter(|n| *n < ROOT);
        excused.into_iter().for_each(|kind| findings::add(&mut self.out.excused, kind, node));
        any
    }

    /// Takes over what checking a state has found.
    fn findings(&mut self, findings: &mut Findings, node: u32) {
        self.out.invariant_violations += u64::from(!findings.invariants.is_empty());
        for i in findings.invariants.drain(..) {
            self.found(Kind::Invariant(i), Some(node));
        }
        self.out.assertion_violations += u64::from(!findings.assertions.is_empty());
        for i in findings.assertions.drain(..) {
            self.found(Kind::Assertion(i), Some(node));
        }
        if findings.goal {
            self.out.goal_states += 1;
            self.found(Kind::Goal, Some(node));
        }
        self.undecided(findings, Some(node));
        if !findings.faults.is_empty() {
            let faults = std::mem::take(&mut findings.faults);
            self.faults(faults.into_iter().map(|f| Kind::Fault(Place::Check(f.of), f.fault)), Some(node));
        }
    }

    /// Takes over what was found when a chunk of states, of which `node` is the first, was expanded; the node
    /// after them. Strictly in the order of states and edges, so that the result does not depend on chunks.
    fn merge(&mut self, chunk: &mut Chunk, node: u32) -> u32 {
        let before = self.out.states;
        if let Some(kept) = &mut self.kept {
            kept.before(chunk);
        }
        let after = self.take_over(chunk, node);
        // What an interrupt has cut short is not all that there is.
        if self.out.stopped != Some(Stop::Interrupted)
            && let Some(kept) = &mut self.kept
        {
            let stored = usize::try_from(self.out.states - before).unwrap_or(usize::MAX);
            kept.chunk(self.reducer, chunk, self.width, stored);
        }
        after
    }

    fn take_over(&mut self, chunk: &mut Chunk, mut node: u32) -> u32 {
        if let Some(auditor) = &mut self.auditor {
            auditor.chunk(self.reducer, chunk);
        }
        if self.running()
            && let Some(after) = self.merge_at_once(chunk, node)
        {
            return after;
        }
        let mut faults = std::mem::take(&mut chunk.steps.faulty).into_iter().peekable();
        let mut found = chunk.found.drain(..).peekable();
        let mut fresh = chunk.fresh.iter().copied().peekable();
        let mut runs = chunk.steps.runs();
        let mut first = 0;
        for (source, &last) in chunk.steps.ends().iter().enumerate() {
            if !self.running() {
                break;
            }
            let mut faulty = false;
            if faults.peek().is_some_and(|(s, _)| *s == source) {
                let here = std::iter::from_fn(|| faults.next_if(|(s, _)| *s == source));
                let here: Vec<Kind> = here.map(|(_, fault)| Kind::from(fault)).collect();
                faulty = self.faults(here, Some(node));
            }
            let outside = chunk.outside.binary_search(&source).is_ok();
            self.out.outside += u64::from(outside);
            if first == last && !faulty && self.out.stopped.is_none() && !outside {
                self.deadlock(Some(node));
            }
            let edges = summary::count(&mut runs, last - first, &mut self.out.operations);
            self.out.transitions = self.out.transitions.saturating_add(edges);
            if let Some(full) = &mut self.full {
                match chunk.orbits.get_mut(source).map_or_else(|| self.reducer.every_orbit(), Option::take) {
                    Some(orbit) => full.add(orbit, 1, edges),
                    None => self.full = None,
                }
            }
            while let Some(edge) = fresh.next_if(|e| (*e as usize) < last) {
                if self.out.stopped.is_some() {
                    break;
                }
                let at = edge as usize * self.width;
                if let Some(target) = chunk.steps.targets.get(at..at + self.width) {
                    let nth = u32::try_from(edge as usize - first).unwrap_or(u32::MAX);
                    self.add(target, node, nth, || found.next_if(|(e, _)| *e == edge).map(|(_, f)| f));
                }
            }
            first = last;
            node = node.saturating_add(1);
        }
        node
    }

    /// The same, if nothing in the chunk can stop the search or is to be reported: all of its states at once.
    fn merge_at_once(&mut self, chunk: &Chunk, node: u32) -> Option<u32> {
        let summary = chunk.summary().filter(|s| s.deadlocks == 0 || !self.deadlock_counts)?;
        let states = self.out.states + chunk.fresh.len() as u64;
        let all_fit = u32::try_from(self.parents.len() + chunk.fresh.len()).is_ok_and(|n| n < ROOT)
            && self.options.max_states.is_none_or(|most| states <= most);
        if !all_fit {
            return None;
        }
        for (all, some) in self.out.operations.iter_mut().zip(&summary.operations) {
            all.transitions = all.transitions.saturating_add(some.transitions);
            all.states_enabled += some.states_enabled;
        }
        self.out.transitions = self.out.transitions.saturating_add(summary.transitions);
        self.out.deadlocks += summary.deadlocks;
        let sources = chunk.steps.ends().len() as u64;
        if sources > 0 {
            self.full = self.full.take().zip(self.reducer.every_orbit()).map(|(mut full, orbit)| {
                full.add(orbit, sources, summary.transitions);
                full
            });
        }
        self.parents.extend(summary.parents.iter().map(|(source, nth)| (node + source, *nth)));
        match summary.aside() {
            Some(states) => self.frontier.extend_by(states),
            None => self.frontier.extend(&chunk.steps.targets, &chunk.fresh),
        }
        let before = std::mem::replace(&mut self.out.states, states);
        if before / PROGRESS != states / PROGRESS {
            self.report();
        }
        Some(node.saturating_add(u32::try_from(chunk.steps.ends().len()).unwrap_or(u32::MAX)))
    }

    /// Goes on to the next phase, unless the search ended in the one before.
    fn enter(&mut self, phase: Phase) {
        if self.out.stopped.is_none() {
            self.phase = phase;
            self.report();
        }
    }

    fn report(&mut self) {
        (self.observer)(Progress {
            states: self.out.states.max(self.ahead),
            transitions: self.out.transitions,
            waiting: self.waiting + self.frontier.len() as u64,
            depth: self.out.depth,
            valuations: self.found_valuations,
            phase: self.phase,
            found: self.out.findings.iter().find(|f| f.kind.is_violation()).map(|f| f.kind.name()),
        });
    }
}
