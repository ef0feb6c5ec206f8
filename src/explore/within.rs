//! The edges of a state as the search takes them: with twins, for one choice of arguments of each class.
//!
//! In: a state, what the reducer sees inside it. Out: its edges, and what was seen; then the keys of their targets and
//! what edges weigh. The trace of a node takes the same way, so that the number of an edge means the same to both.

use crate::model::{Steps, System, Twins};
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
    /// [`UNWEIGHED`](crate::model::UNWEIGHED) then.
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

    /// The keys of some targets of the edges that were taken last, appended to `keys`: of all of them, if some edges have no
    /// weight yet (`unweighed`). After an interrupt some are missing.
    pub(super) fn keys(
        &mut self,
        reducer: &dyn Reducer,
        interrupt: &Interrupt,
        targets: &[u64],
        width: usize,
        unweighed: bool,
        keys: &mut Vec<u128>,
    ) {
        let Self { twins, view, .. } = self;
        let twins = twins.as_ref().and_then(Option::as_ref).filter(|_| unweighed);
        for targets in watched(targets, width, interrupt) {
            reducer.keys_from(targets, width, view, keys, twins);
        }
    }

    /// Gives their weights to the edges that were taken last, after their keys.
    pub(super) fn weigh(&mut self, steps: &mut Steps) {
        let Self { view, met, .. } = self;
        met.clear();
        steps.weigh(|op, edge| match view.images().get(edge) {
            Some(&(key, images)) if met.insert((op, key)) => images,
            _ => 0,
        });
    }
}
