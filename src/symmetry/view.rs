//! What an exact reducer sees inside the state whose edges are being taken.
//!
//! In: facts about the state. Out: the size of its orbit, classes of twins; then, for targets of its edges, a key under
//! the permutations of these twins alone, and how many images a target has under them. Memory is kept from state to
//! state: this is done for every one that is stored. Targets are compared with the state where only colours of a few
//! points change; for the others there is no answer here (`exact` reads them as a whole).

use super::core::len;
use super::group::Group;
use super::labellings::Desk;
use super::near::Near;
use super::small::Room;
use super::{Count, mix};
use crate::model::UNWEIGHED;

/// The state, and memory for the next one.
#[derive(Debug, Default)]
pub struct View {
    pub(super) near: Near,
    /// Colours of all points.
    pub(super) colours: Vec<u128>,
    alike: Alike,
    /// For each point the least one of its class of twins, and how many these are.
    classes: Vec<(u32, u32)>,
    /// For targets of edges their keys under permutations of twins alone, and how many images they have.
    pub(super) images: Vec<(u128, u64)>,
    /// For images of states.
    pub(super) room: Room,
    pub(super) desk: Desk,
}

/// Points by colour.
#[derive(Debug, Default)]
struct Alike {
    /// The points, those of one colour next to each other and ascending.
    points: Vec<u32>,
    /// Where in `points` each colour begins; one more at the end.
    starts: Vec<u32>,
    /// Colours met, and the number of each point's colour among them.
    met: Vec<u128>,
    numbers: Vec<u32>,
    sorted: Vec<(u128, u32)>,
}

/// As many colours are told apart by looking through them: where elements have no names there are few kinds of them.
const FEW: usize = 8;

impl Alike {
    fn take(&mut self, colours: &[u128]) {
        self.points.clear();
        self.starts.clear();
        if !self.few(colours) {
            self.sort(colours);
        }
    }

    /// In the order in which colours are met, in time linear in points; whether they are few.
    fn few(&mut self, colours: &[u128]) -> bool {
        let Self { points, starts, met, numbers, .. } = self;
        met.clear();
        numbers.clear();
        for c in colours {
            let number = (0u32..).zip(&*met).find(|(_, m)| *m == c).map(|(n, _)| n);
            if number.is_none() {
                if met.len() == FEW {
                    return false;
                }
                met.push(*c);
            }
            numbers.push(number.unwrap_or(len(met) - 1));
        }
        for number in 0..len(met) {
            starts.push(len(points));
            points.extend((0u32..).zip(&*numbers).filter(|(_, n)| **n == number).map(|(p, _)| p));
        }
        starts.push(len(points));
        true
    }

    fn sort(&mut self, colours: &[u128]) {
        let Self { points, starts, sorted, .. } = self;
        sorted.clear();
        sorted.extend(colours.iter().copied().zip(0u32..));
        sorted.sort_unstable();
        for cell in sorted.chunk_by(|a, b| a.0 == b.0) {
            starts.push(len(points));
            points.extend(cell.iter().map(|(_, p)| *p));
        }
        starts.push(len(points));
    }

    /// The points of each colour.
    fn cells(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).filter_map(|w| self.points.get(w[0] as usize..w[1] as usize))
    }
}

impl View {
    /// What [`super::Reducer::keys_from`] has found of the targets of edges of the state so far, if it was given twins:
    /// for each its key under the permutations of these alone and how many images it has under them. Of two targets
    /// the keys are equal exactly if one of these permutations takes one to the other.
    #[must_use]
    pub fn images(&self) -> &[(u128, u64)] {
        &self.images
    }

    /// The size of the orbit, where nothing is said of several points together. Calls `class` on each class of twins,
    /// ascending; it says whether these are to be taken for one another.
    pub(super) fn alone(&mut self, group: &Group, class: &mut dyn FnMut(&[u32]) -> bool) -> Count {
        let Self { colours, alike, classes, .. } = self;
        alike.take(colours);
        classes.clear();
        classes.extend((0u32..).zip(&*colours).map(|(p, _)| (p, 1)));
        let mut stabiliser = Count::ONE;
        for cell in alike.cells().filter(|c| c.len() > 1) {
            stabiliser = stabiliser * &group.factorial(cell.len());
            if class(cell) {
                let of_class = (cell.first().copied().unwrap_or(0), len(cell));
                for &p in cell {
                    if let Some(slot) = classes.get_mut(p as usize) {
                        *slot = of_class;
                    }
                }
            }
        }
        group.order().clone() / &stabiliser
    }

    /// The key under the permutations inside classes of the state compared last, and how many images it has under them.
    /// All that it shares with the state viewed is left out of the key.
    pub(super) fn images_of_last(&self) -> (u128, u64) {
        let class = |p: u32| self.classes.get(p as usize).copied().unwrap_or((p, 1));
        let mut key = self.near.fixed();
        let mut images = 1u128;
        let moved = self.near.recoloured();
        for (i, r) in moved.iter().enumerate() {
            let (of, size) = class(r.point);
            key = key.wrapping_add(mix::pair(r.after, u128::from(of)));
            let earlier = moved.iter().take(i).filter(|e| class(e.point).0 == of);
            let same = earlier.clone().filter(|e| e.after == r.after).count() as u128;
            // One more of those that move: as many places are left, and as many of one colour are the same.
            images = images.saturating_mul(u128::from(size) - earlier.count() as u128) / (same + 1);
        }
        (mix::mix(key), u64::try_from(images).unwrap_or(UNWEIGHED - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways put the same points together.
    #[test]
    fn few_and_many_colours() {
        for kinds in [1u32, 2, 7, 8, 9, 30] {
            let colours: Vec<u128> = (0..40u32).map(|p| u128::from(p * p * 7 % kinds)).collect();
            let cells = |alike: &Alike| {
                let mut cells: Vec<Vec<u32>> = alike.cells().map(<[u32]>::to_vec).collect();
                cells.sort();
                cells
            };
            let (mut taken, mut sorted) = (Alike::default(), Alike::default());
            taken.take(&[5, 5]);
            taken.take(&colours);
            sorted.sort(&colours);
            assert_eq!(cells(&taken), cells(&sorted));
            assert_eq!(taken.points.len(), colours.len());
        }
    }
}
