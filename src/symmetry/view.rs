//! What an exact reducer sees inside the state whose edges are being taken.
//!
//! In: facts about the state. Out: the size of its orbit, classes of twins; then, for targets of its edges, a key under
//! the permutations of these twins alone, and how many images a target has under them. Memory is kept from state to
//! state: this is done for every one that is stored. Targets are compared with the state where only colours of a few
//! points change; for the others there is no answer here (`exact` reads them as a whole).

use super::Count;
use super::group::Group;
use super::mix;
use super::near::{Near, Reading, Recoloured};
use crate::model::UNWEIGHED;
use smallvec::SmallVec;

/// The state, and memory for the next one.
#[derive(Debug, Default)]
pub struct View {
    pub(super) near: Near,
    /// Colours of all points.
    pub(super) colours: Vec<u128>,
    /// Points by colour.
    order: Vec<(u128, u32)>,
    /// For each point the least one of its class of twins, and how many these are.
    classes: Vec<(u32, u32)>,
    /// Points of one class.
    twins: Vec<u32>,
}

impl View {
    /// The size of the orbit, where nothing is said of several points together. Calls `class` on each class of twins,
    /// ascending; it says whether these are to be taken for one another.
    pub(super) fn alone(&mut self, group: &Group, class: &mut dyn FnMut(&[u32]) -> bool) -> Count {
        let Self { colours, order, classes, twins, .. } = self;
        order.clear();
        order.extend(colours.iter().copied().zip(0u32..));
        order.sort_unstable();
        classes.clear();
        classes.extend((0u32..).zip(&*colours).map(|(p, _)| (p, 1)));
        let mut stabiliser = Count::ONE;
        for cell in order.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() > 1) {
            stabiliser = stabiliser * &group.factorial(cell.len());
            twins.clear();
            twins.extend(cell.iter().map(|(_, p)| *p));
            if class(twins) {
                let of_class = (twins.first().copied().unwrap_or(0), super::core::len(twins));
                for &p in &*twins {
                    if let Some(slot) = classes.get_mut(p as usize) {
                        *slot = of_class;
                    }
                }
            }
        }
        group.order().clone() / &stabiliser
    }

    /// The key under the permutations inside classes of the state compared last, and how many images it has under them.
    pub(super) fn images(&self, how: &Reading<'_>) -> (u128, u64) {
        let class = |p: u32| self.classes.get(p as usize).copied().unwrap_or((p, 1));
        let mut key = self.near.fixed();
        let mut images = 1u128;
        let moved: SmallVec<[Recoloured; 8]> = self.near.recoloured(how).collect();
        for (i, r) in moved.iter().enumerate() {
            let (of, size) = class(r.point);
            let named = |colour| mix::pair(colour, u128::from(of));
            key = key.wrapping_sub(named(r.before)).wrapping_add(named(r.after));
            let earlier = moved.iter().take(i).filter(|e| class(e.point).0 == of);
            let same = earlier.clone().filter(|e| e.after == r.after).count() as u128;
            // One more of those that move: as many places are left, and as many of one colour are the same.
            images = images.saturating_mul(u128::from(size) - earlier.count() as u128) / (same + 1);
        }
        (mix::mix(key), u64::try_from(images).unwrap_or(UNWEIGHED - 1))
    }
}
