//! What kind of group a permutation group is.
//!
//! In: a group. Out: its structure, as far as it is a product or wreath product of groups with names: symmetric,
//! alternating, cyclic, dihedral. Everything said is proved by orders of groups and by listing small ones; what has no
//! such name is told by its order.

use super::super::Count;
use super::chain::Chain;
use super::orbits::{minimal_block_systems, orbits};
use super::perm::Perm;
use std::fmt;
use std::ops::ControlFlow;

/// The elements of larger groups are not listed.
const LISTED: usize = 2000;

/// Of more orbits not all ways are tried to divide them into two parts.
const DIVIDED: usize = 12;

/// The structure of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Structure {
    /// Nothing moves.
    Trivial,
    /// All permutations of so many things.
    Symmetric(usize),
    /// All even permutations of so many things.
    Alternating(usize),
    /// The rotations of a polygon with so many corners.
    Cyclic(usize),
    /// The rotations and reflections of a polygon with so many corners.
    Dihedral(usize),
    /// Groups that act each on its own points.
    Product(Vec<Structure>),
    /// The first acts in each of so many blocks, the second on the blocks.
    Wreath(Box<Structure>, usize, Box<Structure>),
    /// None of these: its order, and on how many points of one orbit it acts.
    Other(Count, usize),
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trivial => f.write_str("1"),
            Self::Symmetric(n) => write!(f, "S{n}"),
            Self::Alternating(n) => write!(f, "A{n}"),
            Self::Cyclic(n) => write!(f, "C{n}"),
            Self::Dihedral(n) => write!(f, "D{n}"),
            Self::Product(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::bracketed).collect();
                f.write_str(&parts.join(" x "))
            }
            Self::Wreath(inner, _, outer) => write!(f, "{} wr {}", inner.bracketed(), outer.bracketed()),
            Self::Other(order, points) => write!(f, "a group of order {order} on {points} elements"),
        }
    }
}

impl Structure {
    fn bracketed(&self) -> String {
        match self {
            Self::Product(_) | Self::Wreath(..) | Self::Other(..) => format!("({self})"),
            _ => self.to_string(),
        }
    }

    /// The structure of a group.
    #[must_use]
    pub fn of(group: &Chain) -> Self {
        let generators: Vec<Perm> = group.strong(0).cloned().collect();
        let moved: Vec<Vec<u32>> =
            orbits(group.degree(), &generators).into_iter().filter(|o| o.len() > 1).collect();
        let mut factors = Vec::new();
        divide(group.degree(), &generators, &group.order(), moved, &mut factors);
        match factors.len() {
            0 => Self::Trivial,
            1 => factors.remove(0),
            _ => Self::Product(factors),
        }
    }
}

/// The permutations with all points but these fixed.
fn restricted(degree: usize, generators: &[Perm], points: &[&Vec<u32>]) -> Vec<Perm> {
    let kept = |p: u32| points.iter().any(|o| o.binary_search(&p).is_ok());
    let image = |g: &Perm, p: u32| if kept(p) { g.image(p) } else { p };
    let of = |g: &Perm| Perm::from_images((0u32..).take(degree).map(|p| image(g, p)).collect());
    generators.iter().filter_map(of).filter(|g| !g.is_identity()).collect()
}

/// Divides a group of this order with these orbits into factors that act on their own orbits.
fn divide(
    degree: usize,
    generators: &[Perm],
    order: &Count,
    orbits: Vec<Vec<u32>>,
    factors: &mut Vec<Structure>,
) {
    if orbits.is_empty() {
        return;
    }
    let others = orbits.len() - 1;
    let sides: Box<dyn Iterator<Item = u32>> =
        if others < DIVIDED { Box::new(0..(1 << others) - 1) } else { Box::new(0..0) };
    for side in sides {
        // The first orbit is on the first side.
        let first = |i: usize| i == 0 || side >> (i - 1) & 1 == 1;
        let (a, b): (Vec<_>, Vec<_>) = orbits.iter().enumerate().partition(|(i, _)| first(*i));
        let parts = [a, b].map(|part| part.into_iter().map(|(_, o)| o).collect::<Vec<&Vec<u32>>>());
        let groups = parts.each_ref().map(|part| restricted(degree, generators, part));
        let orders = groups.each_ref().map(|g| Chain::new(degree, g).order());
        if orders[0].clone() * &orders[1] == *order {
            for ((part, group), order) in parts.iter().zip(&groups).zip(&orders) {
                divide(degree, group, order, part.iter().map(|o| (*o).clone()).collect(), factors);
            }
            return;
        }
    }
    factors.push(connected(degree, generators, order, &orbits));
}

/// The structure of a group that is no product of groups on its orbits.
fn connected(degree: usize, generators: &[Perm], order: &Count, orbits: &[Vec<u32>]) -> Structure {
    if let Some(named) = listed(&Chain::new(degree, generators), order) {
        return named;
    }
    // Where one orbit shows the whole group, the others follow.
    let faithful =
        |o: &&Vec<u32>| Chain::new(degree, &restricted(degree, generators, &[o])).order() == *order;
    let mut by_size: Vec<&Vec<u32>> = orbits.iter().collect();
    by_size.sort_by_key(|o| o.len());
    let points = orbits.iter().map(Vec::len).sum();
    let Some(orbit) = by_size.into_iter().find(faithful) else {
        return Structure::Other(order.clone(), points);
    };
    let n = orbit.len();
    let all: Count = (1..=n).map(Count::from).product();
    if all == *order {
        return Structure::Symmetric(n);
    }
    if all / &Count::from(2usize) == *order {
        return Structure::Alternating(n);
    }
    let generators = restricted(degree, generators, &[orbit]);
    let wreath = |system: Vec<Vec<u32>>| wreath(degree, &generators, order, &system);
    block_systems(orbit, &generators)
        .into_iter()
        .find_map(wreath)
        .unwrap_or(Structure::Other(order.clone(), n))
}

/// Cyclic and dihedral groups, found by listing.
fn listed(group: &Chain, order: &Count) -> Option<Structure> {
    let n = match order {
        Count::Small(n) => usize::try_from(*n).ok().filter(|n| *n <= LISTED)?,
        Count::Large(_) => return None,
    };
    if n == 2 {
        return Some(Structure::Symmetric(2));
    }
    let mut elements = Vec::with_capacity(n);
    let _all = group.each(&mut |g| {
        elements.push(g.clone());
        ControlFlow::Continue(())
    });
    if elements.iter().any(|g| g.order() == *order) {
        return Some(Structure::Cyclic(n));
    }
    let half = n / 2;
    // Of six elements: all permutations of three.
    if half == 3 {
        return Some(Structure::Symmetric(3));
    }
    let turn = elements.iter().find(|g| n.is_multiple_of(2) && g.order() == half.into())?;
    let turns = |g: &Perm| {
        std::iter::successors(Some(Perm::identity(group.degree())), |p| Some(p.then(turn)))
            .take(half)
            .any(|p| p == *g)
    };
    let reflects = |g: &Perm| g.then(turn).then(g).then(turn).is_identity() && g.then(g).is_identity();
    let reflections = elements.iter().filter(|g| !turns(g));
    reflections.take(1).any(reflects).then_some(Structure::Dihedral(half))
}

/// All systems of blocks of an orbit: the minimal ones first, then what blocks of blocks give.
fn block_systems(orbit: &[u32], generators: &[Perm]) -> Vec<Vec<Vec<u32>>> {
    let mut systems = minimal_block_systems(orbit, generators);
    let mut next = 0;
    while let Some(system) = systems.get(next) {
        next += 1;
        let numbers: Vec<u32> = (0u32..).take(system.len()).collect();
        let coarser: Vec<Vec<Vec<u32>>> = minimal_block_systems(&numbers, &on_blocks(system, generators))
            .into_iter()
            .map(|coarse| {
                let join = |blocks: &Vec<u32>| {
                    let mut points: Vec<u32> =
                        blocks.iter().filter_map(|b| system.get(*b as usize)).flatten().copied().collect();
                    points.sort_unstable();
                    points
                };
                coarse.iter().map(join).collect()
            })
            .collect();
        for system in coarser {
            if !systems.contains(&system) {
                systems.push(system);
            }
        }
    }
    systems
}

/// How permutations move the blocks of a system.
fn on_blocks(system: &[Vec<u32>], generators: &[Perm]) -> Vec<Perm> {
    let at = |p: u32| (0u32..).zip(system).find(|(_, block)| block.contains(&p)).map_or(0, |(n, _)| n);
    let of = |g: &Perm| Perm::from_images(system.iter().map(|b| at(g.image(b[0]))).collect());
    generators.iter().filter_map(of).collect()
}

/// The wreath product of what moves inside a block and what moves the blocks, if the group is as large.
fn wreath(degree: usize, generators: &[Perm], order: &Count, system: &[Vec<u32>]) -> Option<Structure> {
    let outer = Chain::new(system.len(), &on_blocks(system, generators));
    let block = system.first()?;
    let keeps: Vec<Perm> = Chain::new(degree, generators).set_stabiliser(block).strong(0).cloned().collect();
    let inner = Chain::new(degree, &restricted(degree, &keeps, &[block]));
    let inside: Count = system.iter().map(|_| inner.order()).product();
    (inside * &outer.order() == *order).then(|| {
        Structure::Wreath(Box::new(Structure::of(&inner)), system.len(), Box::new(Structure::of(&outer)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn structure(degree: usize, generators: &[&[(u32, u32)]]) -> String {
        let generators: Vec<Perm> = generators.iter().map(|g| Perm::exchanging(degree, g)).collect();
        Structure::of(&Chain::new(degree, &generators)).to_string()
    }

    /// A cycle of these points as exchanges.
    fn cycle(points: &[u32]) -> Vec<(u32, u32)> {
        points.windows(2).map(|w| (w[0], w[1])).collect()
    }

    #[test]
    fn names_of_known_groups() {
        assert_eq!(structure(5, &[]), "1");
        assert_eq!(structure(4, &[&[(1, 3)]]), "S2");
        assert_eq!(structure(5, &[&[(0, 1)], &[(1, 2)], &[(2, 3)], &[(3, 4)]]), "S5");
        assert_eq!(structure(5, &[&[(0, 1)], &[(2, 3)], &[(3, 4)]]), "S2 x S3");
        assert_eq!(structure(12, &[&cycle(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])]), "C12");
        // A turn of a square and its reflection, on corners and edges together.
        let turn: Vec<(u32, u32)> = cycle(&[0, 1, 2, 3]).into_iter().chain(cycle(&[4, 5, 6, 7])).collect();
        assert_eq!(structure(8, &[&turn, &[(0, 1), (2, 3), (5, 7)]]), "D4");
        assert_eq!(structure(4, &[&cycle(&[0, 1, 2]), &cycle(&[1, 2, 3])]), "A4");
        let threes: [&[(u32, u32)]; 4] =
            [&[(0, 1)], &[(1, 2)], &[(0, 3), (1, 4), (2, 5)], &[(3, 6), (4, 7), (5, 8)]];
        assert_eq!(structure(9, &threes), "S3 wr S3");
        // Reflections of a cube, on its corners: numbers of three bits.
        let cube: [&[(u32, u32)]; 3] =
            [&[(0, 1), (2, 3), (4, 5), (6, 7)], &[(1, 2), (5, 6)], &[(2, 4), (3, 5)]];
        assert_eq!(structure(8, &cube), "(a group of order 48 on 8 elements)".trim_matches(['(', ')']));
        // Linked orbits are one factor; what moves elsewhere is another.
        let linked: [&[(u32, u32)]; 3] = [&[(0, 1), (3, 4)], &[(1, 2), (4, 5)], &[(6, 7)]];
        assert_eq!(structure(8, &linked), "S3 x S2");
        // Blocks that only pairs of blocks are wreath products of: a turn in each of two squares, and their exchange.
        let squares = [cycle(&[0, 1, 2, 3]), cycle(&[4, 5, 6, 7]), vec![(0, 4), (1, 5), (2, 6), (3, 7)]];
        let squares: Vec<&[(u32, u32)]> = squares.iter().map(Vec::as_slice).collect();
        assert_eq!(structure(8, &squares), "C4 wr S2");
    }
}
