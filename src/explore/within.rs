//! The edges of a state as the search takes them: with twins, for one choice of arguments of each class.
//!
//! In: a state, what the reducer sees inside it. Out: its edges, and what was seen. The trace of a node takes
//! the same way, so that the number of an edge means the same to both.

use crate::model::{Steps, System, Twins};
use crate::symmetry::{Inside, Reducer};
use hashbrown::HashSet;

/// Memory for the twins of one state after the other.
#[derive(Debug, Default)]
pub(super) struct Within {
    /// `None` until the first state.
    twins: Option<Option<Twins>>,
    /// Operations and keys of the targets weighed.
    met: HashSet<(u32, u128)>,
}

impl Within {
    /// The edges of a state, with what the reducer sees inside it: all edges, unless there are twins.
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
        let inside = reducer.inside(state, room.as_mut());
        match room {
            Some(twins) if inside.twins => {
                system.successors_within(state, twins, out);
                self.met.clear();
                let met = &mut self.met;
                out.weigh(state.len(), |op, target| {
                    let (key, images) = reducer.images_within(target, twins);
                    if met.insert((op, key)) { images } else { 0 }
                });
            }
            _ => system.successors(state, out),
        }
        inside
    }
}
