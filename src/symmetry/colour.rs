//! Colours of the points of a core, refined until they tell no more apart.
//!
//! In: a [`Core`] and first colours. Out: a [`Colouring`]: hashes that depend on the facts alone, never on
//! the numbers of points; the points sorted by them; the cells. A round gives each point the multiset of
//! its facts with the other points replaced by their colours; rounds go on while cells split (the number of
//! cells is what is compared: colours change in every round). Finer than markers, never finer than orbits.

use super::core::{Core, len, term_hash};
use super::facts::Term;
use super::mix;
use std::ops::Range;

/// Colours of a core's points.
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
    /// The first colours of a core, refined.
    pub(super) fn of(core: &Core) -> Self {
        let mut c = Self { colours: core.colours.clone(), ..Self::default() };
        c.order.extend(0..len(&c.colours));
        c.sort();
        c.refine(core);
        c
    }

    /// The colouring that singles out one point, refined.
    pub(super) fn singled_out(&self, point: u32, core: &Core) -> Self {
        let mut c = self.clone();
        if let Some(colour) = c.colours.get_mut(point as usize) {
            *colour = mix::pair(*colour, MARK);
        }
        c.sort();
        c.refine(core);
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

    fn colour(&self, p: u32) -> u128 {
        self.colours.get(p as usize).copied().unwrap_or(0)
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

    fn refine(&mut self, core: &Core) {
        let mut next = Vec::new();
        while !self.is_discrete() {
            let cells = self.starts.len();
            self.round(core, &mut next);
            self.sort();
            if self.starts.len() == cells {
                break;
            }
        }
    }

    /// One round for all points.
    fn round(&mut self, core: &Core, sums: &mut Vec<u128>) {
        sums.clear();
        sums.resize(self.colours.len(), 0);
        let mut add = |p: u32, h: u128| {
            if let Some(s) = sums.get_mut(p as usize) {
                *s = s.wrapping_add(h);
            }
        };
        for j in &core.joints {
            add(j.a, mix::pair(j.at_a, self.colour(j.b)));
            add(j.b, mix::pair(j.at_b, self.colour(j.a)));
        }
        for w in &core.wide {
            let hashes: Vec<u128> = w.terms.iter().map(|t| term_hash(t, &|p| self.colour(p))).collect();
            let whole = hashes.iter().fold(w.label, |h, &t| mix::pair(h, t));
            for ((i, t), &h) in (0u128..).zip(&w.terms).zip(&hashes) {
                self.inside(t, h, mix::pair(whole, i), &mut add);
            }
        }
        for (c, s) in self.colours.iter_mut().zip(sums.iter()) {
            *c = mix::pair(*c, *s);
        }
    }

    /// Tells each point of a term where it stands: the hash of everything around it.
    fn inside(&self, t: &Term, hash: u128, around: u128, add: &mut impl FnMut(u32, u128)) {
        match t {
            Term::Point(p) => add(*p, mix::mix(around)),
            Term::Tuple(_, parts) => {
                let around = mix::pair(around, hash);
                for (i, t) in (0u128..).zip(parts) {
                    let h = term_hash(t, &|p| self.colour(p));
                    self.inside(t, h, mix::pair(around, i), add);
                }
            }
            Term::Set(parts) => {
                let around = mix::pair(around, hash);
                for t in parts {
                    let h = term_hash(t, &|p| self.colour(p));
                    self.inside(t, h, around, add);
                }
            }
        }
    }
}
