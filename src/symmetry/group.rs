//! The group of a machine: a product of full symmetric groups, one for each set that may be permuted.
//!
//! In: which elements of which sets may be permuted (`detect`). Out: the *points*, numbered from 0, set by
//! set; the order of the group; all its permutations (for flooding). A set with a single element to permute
//! has no points: nothing can move there. Subgroups of it, by generators, are in `chain`, with `perm`, `orbits`, `structure`.

pub mod chain;
pub mod orbits;
pub mod perm;
pub mod structure;

use super::Count;
use crate::ops::World;
use crate::ty::SetId;
use crate::value::permute::Permutation;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The elements of one set that may be permuted with each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The set.
    pub set: SetId,
    /// Its elements that may be permuted, ascending; at least two.
    pub elements: Vec<u32>,
    /// The point of the first of them; the others follow.
    pub first: u32,
}

/// A product of symmetric groups.
#[derive(Clone, Debug, Default)]
pub struct Group {
    cells: Vec<Cell>,
    points: Vec<(SetId, u32)>,
    /// By set and element the point, or `NONE`.
    numbers: Vec<Vec<u32>>,
    /// Number of elements of every given set.
    cards: Vec<u32>,
    /// Factorials up to the largest cell, but at most [`LISTED`]: a list takes room with the square of its length.
    factorials: Vec<Count>,
    /// Factorials of larger cells, by size.
    larger: BTreeMap<usize, Count>,
    order: Count,
}

const NONE: u32 = u32::MAX;

/// The largest number whose factorial is in the list: the list has half a megabyte then.
const LISTED: usize = 1024;

impl Group {
    /// The product of the symmetric groups on these elements, by `SetId`.
    #[must_use]
    pub fn new(world: &World, permutable: &[Vec<u32>]) -> Self {
        let mut group = Self {
            numbers: world.card.iter().map(|&n| vec![NONE; n as usize]).collect(),
            cards: world.card.clone(),
            ..Self::default()
        };
        for (s, elements) in permutable.iter().enumerate().filter(|(_, e)| e.len() > 1) {
            let set = SetId(u16::try_from(s).unwrap_or(u16::MAX));
            let first = u32::try_from(group.points.len()).unwrap_or(u32::MAX);
            for (point, &e) in (first..).zip(elements) {
                if let Some(slot) = group.numbers.get_mut(s).and_then(|n| n.get_mut(e as usize)) {
                    *slot = point;
                }
                group.points.push((set, e));
            }
            group.cells.push(Cell { set, elements: elements.clone(), first });
        }
        let largest = group.cells.iter().map(|c| c.elements.len()).max().unwrap_or(1);
        let mut product = Count::ONE;
        group.factorials.push(product.clone());
        for i in 1..=largest.min(LISTED) {
            product = product * &Count::from(i);
            group.factorials.push(product.clone());
        }
        let large = group.cells.iter().map(|c| c.elements.len()).filter(|n| *n > LISTED);
        group.larger = large.map(|n| (n, Count::product(2, n))).collect();
        group.order = group.cells.iter().map(|c| group.factorial(c.elements.len())).product();
        group
    }

    /// The point of an element, if it may be permuted.
    #[inline]
    #[must_use]
    pub fn point(&self, set: SetId, element: u32) -> Option<u32> {
        let p = *self.numbers.get(usize::from(set.0))?.get(element as usize)?;
        (p != NONE).then_some(p)
    }

    /// The element of each point.
    #[must_use]
    pub fn points(&self) -> &[(SetId, u32)] {
        &self.points
    }

    /// The factors.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Whether the only permutation is the identity.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.points.is_empty()
    }

    /// The number of permutations.
    #[must_use]
    pub fn order(&self) -> &Count {
        &self.order
    }

    /// The number of permutations of so many points of one set.
    pub(super) fn factorial(&self, n: usize) -> Count {
        if let Some(listed) = self.factorials.get(n) {
            return listed.clone();
        }
        match self.larger.range(n..).next() {
            Some((m, all)) if *m == n => all.clone(),
            // Most elements of a large cell are alike in most states.
            Some((m, all)) if m - n < n => all.clone() / &Count::product(n + 1, *m),
            _ => Count::product(2, n),
        }
    }

    /// The permutation that takes each point to the point in its place in `images`.
    #[must_use]
    pub fn permutation(&self, images: &[u32]) -> Permutation {
        let mut all: Vec<Vec<u32>> = self.cards.iter().map(|&n| (0..n).collect()).collect();
        for (&(set, from), &to) in self.points.iter().zip(images) {
            let to = self.points.get(to as usize).map_or(from, |&(_, e)| e);
            if let Some(slot) = all.get_mut(usize::from(set.0)).and_then(|i| i.get_mut(from as usize)) {
                *slot = to;
            }
        }
        Permutation::from_images(all).unwrap_or_default()
    }

    /// The images of the points when those of each set come, in the order of their ranks, to the places of that set.
    pub(super) fn placed<R: Ord>(&self, rank: impl Fn(u32) -> R) -> Vec<u32> {
        let mut images: Vec<u32> = (0u32..).take(self.points.len()).collect();
        for cell in &self.cells {
            let mut points: Vec<u32> = (cell.first..).take(cell.elements.len()).collect();
            points.sort_unstable_by_key(|&p| rank(p));
            for (place, p) in (cell.first..).zip(points) {
                if let Some(image) = images.get_mut(p as usize) {
                    *image = place;
                }
            }
        }
        images
    }

    /// Calls `f` on the images of the points under every permutation, the identity first.
    pub fn each(&self, f: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut images: Vec<u32> = (0u32..).take(self.points.len()).collect();
        self.each_from(0, 0, &mut images, f)
    }

    /// Permutes the places of cell `cell` from `place` on, and all later cells.
    fn each_from(
        &self,
        cell: usize,
        place: usize,
        images: &mut Vec<u32>,
        f: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(c) = self.cells.get(cell) else { return f(images) };
        if place + 1 >= c.elements.len() {
            return self.each_from(cell + 1, 0, images, f);
        }
        let first = c.first as usize;
        for other in place..c.elements.len() {
            images.swap(first + place, first + other);
            let flow = self.each_from(cell, place + 1, images, f);
            images.swap(first + place, first + other);
            flow?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn factorials_of_large_cells() {
        let large = u32::try_from(LISTED).unwrap() + 9;
        let group = Group::new(&World { card: vec![large], ..World::default() }, &[(0..large).collect()]);
        let n = LISTED + 9;
        for n in [n, n - 1, n / 2, 5, LISTED, LISTED + 1, n + 1] {
            let one_by_one: Count = (1..=n).map(Count::from).product();
            assert_eq!(group.factorial(n), one_by_one, "{n}!");
        }
    }

    #[test]
    fn all_permutations_once() {
        let world = World { card: vec![3, 4, 1], ..World::default() };
        let group = Group::new(&world, &[vec![0, 1, 2], vec![1, 3], vec![0]]);
        assert_eq!(*group.order(), Count::Small(12));
        assert_eq!(group.points().len(), 5);
        assert_eq!(group.point(SetId(1), 3), Some(4));
        assert_eq!(group.point(SetId(1), 0), None);
        let mut seen = BTreeSet::new();
        let flow = group.each(&mut |images| {
            let p = group.permutation(images);
            assert_eq!(p.image(SetId(1), 0), 0);
            seen.insert(p);
            ControlFlow::Continue(())
        });
        assert_eq!((flow, seen.len()), (ControlFlow::Continue(()), 12));
    }
}
