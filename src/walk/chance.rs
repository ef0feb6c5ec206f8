//! Runs whose steps chance takes.
//!
//! In: a system, random numbers. Out: one run at a time: its states, the numbers of its edges, and how it ended. All edges of a state
//! are equally likely. Nothing is stored but the path.

use crate::model::{Findings, StepFault, Steps, System};
use crate::ops::Interrupt;

/// A run that chance took.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The states, from an initial one on.
    pub states: Vec<Vec<u64>>,
    /// The number of each edge among those of the state it leaves, and its operation.
    pub edges: Vec<(u32, u32)>,
    /// How it ended.
    pub end: End,
}

/// How a run ended.
#[derive(Clone, Debug, Default)]
pub enum End {
    /// It was long enough.
    #[default]
    Long,
    /// No step was possible.
    Stuck,
    /// SCOPE does not let it go on.
    Outside,
    /// Properties do not hold in its last state, have no value, or were not decided.
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
    let (mut path, mut steps, mut found) = (Path::default(), Steps::default(), Findings::default());
    system.check_assertions(&[u64::from(valuation)], &mut found);
    if is_wrong(&found) {
        path.end = End::Found(found);
        return path;
    }
    system.initial(valuation, &mut steps);
    loop {
        if rules.interrupt.raised() {
            path.end = End::Interrupted;
            return path;
        }
        if !steps.faults.is_empty() {
            path.end = End::Faults(std::mem::take(&mut steps.faults));
            return path;
        }
        let here = path.states.last();
        if steps.is_empty() {
            let outside = here.is_some_and(|s| system.is_outside(s));
            path.end = if outside { End::Outside } else { End::Stuck };
            return path;
        }
        if path.edges.len() >= rules.steps && here.is_some() {
            return path;
        }
        let nth = chance.usize(..steps.len());
        let Some(target) = steps.targets.chunks(system.width().max(1)).nth(nth).map(<[u64]>::to_vec) else {
            return path;
        };
        if here.is_some() {
            let operation = steps.operation(nth).unwrap_or_default();
            path.edges.push((u32::try_from(nth).unwrap_or(u32::MAX), operation));
        }
        found.clear();
        system.check(&target, &mut found);
        if system.width() > 1 {
            system.check_assertions(&target, &mut found);
        }
        steps.clear();
        if !is_wrong(&found) {
            system.successors(&target, &mut steps);
        }
        path.states.push(target);
        if is_wrong(&found) {
            path.end = End::Found(found);
            return path;
        }
    }
}

/// Whether something does not hold: a goal that is reached ends no run.
fn is_wrong(found: &Findings) -> bool {
    let some = !found.invariants.is_empty() || !found.assertions.is_empty();
    some || !found.faults.is_empty() || !found.undecided.is_empty()
}
