//! Colours of points, refined until they tell no more apart.
//!
//! In: a [`Structure`]. Out: a [`Colouring`]: hashes that depend on the facts alone, never on
//! the numbers of points; the points sorted by them; the cells. A round gives each point the multiset of
//! its facts with the other points replaced by their colours; rounds go on while cells split (the number of
//! cells is what is compared: colours change in every round). Finer than markers, never finer than orbits.

use super::core::len;
use super::mix;
use std::ops::Range;

/// Something that is said of points.
pub(super) trait Structure {
    /// A first colour for each point.
    fn first_colours(&self) -> Vec<u128>;

    /// Adds to the sum of each point the hashes of all that is said of it, with the other points replaced
    /// by their colours.
    fn round(&self, colours: &[u128], sums: &mut [u128]);

    /// A hash of all that is said when point `i` is called `names[i]`: equal, up to a collision, exactly if
    /// the same is said under the names.
    fn named(&self, names: &[u32]) -> u128;
}

/// Colours of the points of a structure.
#[derive(Clone, Debug, Default)]
pub(super) struct Colouring {
    /// By point.
    pub(super) colours: Vec<u128>,
    /// The points, sorted by colour.
    pub(super) order: Vec<u32>,
    /// Where in `order` each cell begins.
    pub(super) starts: Vec<u32>,
}

const MARK: u128 = 71;

impl Colouring {
    /// The first colours of a structure, refined.
    pub(super) fn of(structure: &impl Structure) -> Self {
        let mut c = Self { colours: structure.first_colours(), ..Self::default() };
        c.order.extend(0..len(&c.colours));
        c.sort();
        c.refine(structure);
        c
    }

    /// The colouring that singles out one point, refined.
    pub(super) fn singled_out(&self, point: u32, structure: &impl Structure) -> Self {
        let mut c = self.clone();
        if let Some(colour) = c.colours.get_mut(point as usize) {
            *colour = mix::pair(*colour, MARK);
        }
        c.sort();
        c.refine(structure);
        c
    }

    /// Whether every cell has one point.
    pub(super) fn is_discrete(&self) -> bool {
        self.starts.len() == self.order.len()
    }

    /// The cells in order of colour, each as a range of `order`.
    pub(super) fn cells(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.starts.iter().skip(1).copied().chain([len(&self.order)]);
        self.starts.iter().zip(ends).map(|(&lo, hi)| lo as usize..hi as usize)
    }

    /// The points of a cell.
    pub(super) fn cell(&self, range: Range<usize>) -> &[u32] {
        self.order.get(range).unwrap_or_default()
    }

    /// A hash of the colours as a multiset.
    pub(super) fn trace(&self) -> u128 {
        self.colours.iter().map(|&c| mix::mix(c)).fold(0, u128::wrapping_add)
    }

    /// For each point its rank in the order of colours; ties as they come.
    pub(super) fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.order.len()];
        for (rank, &p) in (0u32..).zip(&self.order) {
            if let Some(slot) = ranks.get_mut(p as usize) {
                *slot = rank;
            }
        }
        ranks
    }

    fn sort(&mut self) {
        let colours = &self.colours;
        let colour = |p: u32| colours.get(p as usize).copied().unwrap_or(0);
        self.order.sort_unstable_by_key(|&p| colour(p));
        self.starts.clear();
        let mut last = None;
        for (i, &p) in (0u32..).zip(&self.order) {
            if last.replace(colour(p)) != Some(colour(p)) {
                self.starts.push(i);
            }
        }
    }

    fn refine(&mut self, structure: &impl Structure) {
        let mut next = Vec::new();
        while !self.is_discrete() {
            let cells = self.starts.len();
            next.clear();
            next.resize(self.colours.len(), 0);
            structure.round(&self.colours, &mut next);
            for (c, s) in self.colours.iter_mut().zip(&next) {
                *c = mix::pair(*c, *s);
            }
            self.sort();
            if self.starts.len() == cells {
                break;
            }
        }
    }
}
