//! The edges of a state as the search takes them: with twins, for one choice of arguments of each class.
//!
//! In: a state, what the reducer sees inside it. Out: its edges, and what was seen; then the keys of their targets and
//! what edges weigh. The trace of a node takes the same way, so that the number of an edge means the same to both.

use crate::model::{Steps, System, Twins, UNWEIGHED};
use crate::ops::Interrupt;
use crate::symmetry::{Inside, Reducer, View};
use hashbrown::HashSet;

/// Keys between two looks at the interrupt: one of a large state may take a millisecond.
const UNWATCHED: usize = 512;

/// Targets in parts, until an interrupt.
pub(super) fn watched<'a>(
    targets: &'a [u64],
    width: usize,
    interrupt: &'a Interrupt,
) -> impl Iterator<Item = &'a [u64]> {
    targets.chunks(UNWATCHED * width).take_while(|_| !interrupt.raised())
}

/// Memory for one state after the other.
#[derive(Debug, Default)]
pub(super) struct Within {
    /// `None` until the first state.
    twins: Option<Option<Twins>>,
    view: View,
    /// Operations and keys of the targets weighed.
    met: HashSet<(u32, u128)>,
}

impl Within {
    /// The edges of a state, with what the reducer sees inside it: all edges, unless there are twins. Some weigh
    /// [`UNWEIGHED`] then.
    pub(super) fn successors(
        &mut self,
        system: &dyn System,
        reducer: &dyn Reducer,
        state: &[u64],
        out: &mut Steps,
    ) -> Inside {
        if !reducer.looks_inside() {
            system.successors(state, out);
            return Inside::default();
        }
        let room = self.twins.get_or_insert_with(|| system.twins());
        if let Some(twins) = room.as_mut() {
            twins.clear();
        }
        let inside = reducer.inside(state, room.as_mut(), &mut self.view);
        match room {
            Some(twins) if inside.twins => system.successors_within(state, twins, out),
            _ => system.successors(state, out),
        }
        inside
    }

    /// The keys of the targets of the edges that were taken last, appended to `keys`, and their weights. After an
    /// interrupt some are missing.
    pub(super) fn keys(
        &mut self,
        reducer: &dyn Reducer,
        interrupt: &Interrupt,
        width: usize,
        steps: &mut Steps,
        keys: &mut Vec<u128>,
    ) {
        let Self { twins, view, met } = self;
        let unweighed = steps.open_runs().iter().any(|r| r.weight == UNWEIGHED);
        let twins = twins.as_ref().and_then(Option::as_ref).filter(|_| unweighed);
        for targets in watched(steps.open_targets(width), width, interrupt) {
            reducer.keys_from(targets, width, view, keys, twins);
        }
        if unweighed {
            met.clear();
            steps.weigh(|op, edge| match view.images().get(edge) {
                Some(&(key, images)) if met.insert((op, key)) => images,
                _ => 0,
            });
        }
    }
}
