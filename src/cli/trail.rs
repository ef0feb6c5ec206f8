//! Paths of temporal formulas as the steps of reports.
//!
//! In: states with the numbers of the edges between them. Out: steps with their labels, values and changes, from the set-up on.

use crate::explore::trace::{KEPT, Step, StepKind, Trace};
use crate::model::{Label, Steps, System};
use crate::report::TraceStep;
use crate::report::build;
use crate::temporal::record::Recorded;
use crate::temporal::unwind::Run;

/// The steps of a run.
pub(super) fn run(system: &dyn System, run: &Run) -> Vec<TraceStep> {
    let states: Vec<&[u64]> = run.states.iter().map(Vec::as_slice).collect();
    steps(system, &states, &run.edges)
}

/// The steps along recorded states, each of which is reached from the one before.
pub(super) fn to(system: &dyn System, recorded: &Recorded, way: &[u32]) -> Vec<TraceStep> {
    let states: Vec<&[u64]> = way.iter().map(|n| recorded.state(*n)).collect();
    let edge = |pair: &[&[u64]]| {
        let mut steps = Steps::default();
        system.successors(pair[0], &mut steps);
        let nth = steps.targets.chunks(system.width().max(1)).position(|t| t == pair[1]);
        nth.and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX)
    };
    let edges: Vec<u32> = states.windows(2).map(edge).collect();
    steps(system, &states, &edges)
}

/// The steps along states, with the numbers of the edges between them.
pub(super) fn steps(system: &dyn System, states: &[&[u64]], edges: &[u32]) -> Vec<TraceStep> {
    let mut all = Vec::new();
    let plain = |kind, values, watched| Step {
        label: Label::default(),
        kind,
        values,
        watched,
        deltas: Vec::new(),
        unseen: Vec::new(),
    };
    if let Some(first) = states.first() {
        if system.has_setup() {
            let valuation = first.first().and_then(|w| u32::try_from(*w).ok()).unwrap_or(0);
            all.push(plain(StepKind::Setup, system.show_valuation(valuation), Vec::new()));
        }
        all.push(plain(
            StepKind::Initialisation,
            system.show_state(first),
            system.told(KEPT, None, first).watched,
        ));
    }
    for (pair, nth) in states.windows(2).zip(edges) {
        let Some(label) = system.label(pair[0], *nth) else { break };
        let told = system.told(KEPT, Some(pair[0]), pair[1]);
        all.push(Step {
            label,
            kind: StepKind::Operation,
            values: system.show_state(pair[1]),
            watched: told.watched,
            deltas: told.deltas,
            unseen: Vec::new(),
        });
    }
    let state = states.last().map(|s| s.to_vec()).unwrap_or_default();
    build::steps(Trace { steps: all, broken_off: false, state })
}
