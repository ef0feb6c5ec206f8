//! Runs whose steps chance takes.
//!
//! In: a system, random numbers. Out: one run at a time: its states, the numbers of its edges, how it ended, and what was not known on
//! the way. All edges of a state are equally likely. Nothing is stored but the path.

use crate::diagnostic::Code;
use crate::explore::Place;
use crate::model::{Findings, PropertyId, StepFault, Steps, System};
use crate::ops::{Fault, Interrupt};

/// A run that chance took.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The states, from an initial one on.
    pub states: Vec<Vec<u64>>,
    /// The number of each edge among those of the state it leaves, and its operation.
    pub edges: Vec<(u32, u32)>,
    /// How it ended.
    pub end: End,
    /// Properties that were not decided in all of the states.
    pub undecided: Vec<PropertyId>,
    /// Steps of which it was not known in all of the states whether and where they lead.
    pub open: Vec<(Place, Fault)>,
}

/// How a run ended.
#[derive(Clone, Debug, Default)]
pub enum End {
    /// It was long enough.
    #[default]
    Long,
    /// No step was possible.
    Stuck,
    /// It is not known whether a step was possible.
    Open,
    /// SCOPE does not let it go on.
    Outside,
    /// Properties do not hold in its last state, or have no value.
    Found(Findings),
    /// Steps from its last state, or those that begin it, have met errors.
    Faults(Vec<StepFault>),
    /// A limit was reached.
    Interrupted,
}

/// What runs may do.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Most steps of one run.
    pub steps: usize,
    /// Raised when a limit is reached.
    pub interrupt: &'a Interrupt,
}

/// Takes a run from one of the initial states of a valuation.
pub fn run(system: &dyn System, valuation: u32, rules: Rules<'_>, chance: &mut fastrand::Rng) -> Path {
    let mut path = Path::default();
    path.end = path.go(system, valuation, rules, chance);
    path
}

impl Path {
    fn go(
        &mut self,
        system: &dyn System,
        valuation: u32,
        rules: Rules<'_>,
        chance: &mut fastrand::Rng,
    ) -> End {
        let mut steps = Steps::default();
        if let Some(wrong) = self.wrong(system, &[u64::from(valuation)], false) {
            return End::Found(wrong);
        }
        system.initial(valuation, &mut steps);
        loop {
            let unknown = self.sort(&mut steps);
            if rules.interrupt.raised() {
                return End::Interrupted;
            }
            if !steps.faults.is_empty() {
                return End::Faults(std::mem::take(&mut steps.faults));
            }
            let here = self.states.last();
            if steps.is_empty() {
                let outside = here.is_some_and(|s| system.is_outside(s));
                return if unknown {
                    End::Open
                } else if outside {
                    End::Outside
                } else {
                    End::Stuck
                };
            }
            if self.edges.len() >= rules.steps && here.is_some() {
                return End::Long;
            }
            let nth = chance.usize(..steps.len());
            let Some(target) = steps.targets.chunks(system.width().max(1)).nth(nth).map(<[u64]>::to_vec)
            else {
                return End::Long;
            };
            if here.is_some() {
                let operation = steps.operation(nth).unwrap_or_default();
                self.edges.push((u32::try_from(nth).unwrap_or(u32::MAX), operation));
            }
            let wrong = self.wrong(system, &target, true);
            steps.clear();
            if wrong.is_none() {
                system.successors(&target, &mut steps);
            }
            self.states.push(target);
            if let Some(wrong) = wrong {
                return End::Found(wrong);
            }
        }
    }

    /// What does not hold, or has no value: a goal that is reached ends no run. What is not decided is kept.
    fn wrong(&mut self, system: &dyn System, words: &[u64], is_state: bool) -> Option<Findings> {
        let mut found = Findings::default();
        if is_state {
            system.check(words, &mut found);
        }
        if !is_state || system.width() > 1 {
            system.check_assertions(words, &mut found);
        }
        let (open, faults) = std::mem::take(&mut found.faults).into_iter().partition(|f| is_open(&f.fault));
        found.faults = faults;
        let open: Vec<_> = open;
        for id in found.undecided.drain(..).chain(open.into_iter().map(|f| f.of)) {
            if !self.undecided.contains(&id) {
                self.undecided.push(id);
            }
        }
        let some = !found.invariants.is_empty() || !found.assertions.is_empty() || !found.faults.is_empty();
        some.then_some(found)
    }

    /// Keeps apart the faults that say nothing of the machine; whether there are some.
    fn sort(&mut self, steps: &mut Steps) -> bool {
        let (open, faults): (Vec<_>, _) =
            std::mem::take(&mut steps.faults).into_iter().partition(|f| is_open(&f.fault));
        steps.faults = faults;
        let unknown = !open.is_empty();
        for StepFault { op, fault, .. } in open {
            let begins = self.states.is_empty();
            let place = if begins { Place::Initialisation } else { Place::Operation(op, Vec::new()) };
            let known = (place, fault);
            if known.1.0.code != Code::Interrupted && !self.open.contains(&known) {
                self.open.push(known);
            }
        }
        unknown
    }
}

/// Whether a fault says nothing of the machine.
fn is_open(fault: &Fault) -> bool {
    fault.is_open() || fault.0.code == Code::Interrupted
}
