//! Names without search: when colours, twins and linked cells decide.
//!
//! In: a core and a colouring. Out: names that are the same up to automorphism however points are numbered,
//! or nothing. Three cases, each decided by what isomorphic cores share:
//!
//! - every cell has one point;
//! - the points of a cell are twins: any order among them gives the same named facts;
//! - cells are *linked*: a label leads from every point of one to exactly one of the other, as from
//!   philosophers to their forks. Their points are no twins, but if exchanging two of one cell together with
//!   their partners changes nothing, any order in one cell, carried over to the others, will do.

use super::colour::Colouring;
use super::core::Core;
use super::twins::{Incidence, all_twins, exchangeable};
use std::collections::BTreeMap;

/// How names were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// By colours alone.
    Discrete,
    /// By colours, with cells of twins.
    Twins,
    /// By colours, with linked cells.
    Linked,
    /// By search.
    Search,
}

/// Names, and what is known with them.
pub(super) struct Settled {
    /// The name of each point.
    pub(super) names: Vec<u32>,
    /// How they were found.
    pub(super) way: Way,
    /// For each group of linked cells its number of cells and their size.
    pub(super) linked: Vec<(usize, usize)>,
    /// Where in the order of colours the linked cells begin; all others are cells of twins.
    pub(super) bound: Vec<usize>,
}

/// Names for the points of a core, if its colouring decides them. All automorphisms are then those that
/// permute the points of twin cells, and whole groups of linked cells, in any way.
pub(super) fn settle(core: &Core, incidence: &Incidence, colouring: &Colouring) -> Option<Settled> {
    let cells: Vec<Cell<'_>> = colouring
        .cells()
        .map(|range| Cell { first: range.start, points: colouring.cell(range), settled: false })
        .collect();
    let mut settler = Settler { core, incidence, cells, cell_of: vec![0; core.len()] };
    settler.run(colouring)
}

/// A cell, and whether its points need no more names.
struct Cell<'a> {
    first: usize,
    points: &'a [u32],
    settled: bool,
}

struct Settler<'a> {
    core: &'a Core,
    incidence: &'a Incidence,
    cells: Vec<Cell<'a>>,
    /// The cell of each point.
    cell_of: Vec<usize>,
}

impl Settler<'_> {
    fn run(&mut self, colouring: &Colouring) -> Option<Settled> {
        for c in &mut self.cells {
            c.settled = all_twins(self.core, self.incidence, c.points);
        }
        let mut names = colouring.ranks();
        if self.cells.iter().all(|c| c.settled) {
            return Some(Settled { names, way: Way::Twins, linked: Vec::new(), bound: Vec::new() });
        }
        // Without a label that leads somewhere there are no links.
        if self.core.joints.is_empty() {
            return None;
        }
        for (i, c) in self.cells.iter().enumerate() {
            for &p in c.points {
                if let Some(slot) = self.cell_of.get_mut(p as usize) {
                    *slot = i;
                }
            }
        }
        let (mut groups, mut bound) = (Vec::new(), Vec::new());
        while let Some(root) = self.cells.iter().position(|c| !c.settled) {
            let linked = self.linked(root)?;
            self.carry_over(&linked, &mut names)?;
            bound.extend(linked.iter().filter_map(|(c, _)| Some(self.cells.get(*c)?.first)));
            groups.push((linked.len(), linked.first()?.1.len()));
        }
        Some(Settled { names, way: Way::Linked, linked: groups, bound })
    }

    /// The cells linked to one, it first, each with the partners of the first cell's points in their order.
    fn linked(&self, root: usize) -> Option<Vec<(usize, Vec<u32>)>> {
        let mut found = vec![(root, self.cells.get(root)?.points.to_vec())];
        let mut next = 0;
        while let Some((_, points)) = found.get(next) {
            next += 1;
            let links = self.links(*points.first()?);
            let mut more = Vec::new();
            for (cell, label) in links {
                if found.iter().any(|(c, _)| *c == cell) || more.iter().any(|(c, _)| *c == cell) {
                    continue;
                }
                let partners = points.iter().map(|&p| self.partner(p, cell, label));
                more.push((cell, partners.collect::<Option<Vec<u32>>>()?));
            }
            found.extend(more);
        }
        Some(found)
    }

    /// The cells of the same size that some label leads to exactly once from a point, each with the least
    /// such label.
    fn links(&self, p: u32) -> BTreeMap<usize, u128> {
        let mut counts: BTreeMap<(usize, u128), usize> = BTreeMap::new();
        for (q, label) in self.incidence.neighbours(self.core, p) {
            let cell = self.cell_of.get(q as usize).copied().unwrap_or(0);
            *counts.entry((cell, label)).or_default() += 1;
        }
        let size = |c: usize| self.cells.get(c).map(|c| c.points.len());
        let own = self.cell_of.get(p as usize).copied().unwrap_or(0);
        let fits =
            |c: usize| c != own && size(c) == size(own) && self.cells.get(c).is_some_and(|c| !c.settled);
        let mut links = BTreeMap::new();
        for ((cell, label), n) in counts {
            if n == 1 && fits(cell) {
                links.entry(cell).or_insert(label);
            }
        }
        links
    }

    fn partner(&self, p: u32, cell: usize, label: u128) -> Option<u32> {
        let there = |&(q, l): &(u32, u128)| l == label && self.cell_of.get(q as usize) == Some(&cell);
        self.incidence.neighbours(self.core, p).find(there).map(|(q, _)| q)
    }

    /// Carries the order of the first cell over to the others, if exchanges there change nothing.
    fn carry_over(&mut self, linked: &[(usize, Vec<u32>)], names: &mut [u32]) -> Option<()> {
        let size = linked.first()?.1.len();
        for i in 1..size {
            let pairs: Option<Vec<(u32, u32)>> =
                linked.iter().map(|(_, points)| Some((*points.get(i - 1)?, *points.get(i)?))).collect();
            if !exchangeable(self.core, self.incidence, &pairs?) {
                return None;
            }
        }
        for (cell, points) in linked {
            let cell = self.cells.get_mut(*cell)?;
            cell.settled = true;
            for (name, &p) in (cell.first..).zip(points) {
                *names.get_mut(p as usize)? = u32::try_from(name).ok()?;
            }
        }
        Some(())
    }
}
