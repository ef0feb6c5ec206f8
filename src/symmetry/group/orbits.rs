//! Where points can go, and which points can only go together.
//!
//! In: generators of a permutation group. Out: orbits; systems of blocks of one orbit (Atkinson's algorithm), that is,
//! partitions that every permutation of the group keeps.

use super::perm::Perm;

/// The orbits of all points below the degree, each ascending, in the order of their least points.
#[must_use]
pub fn orbits(degree: usize, generators: &[Perm]) -> Vec<Vec<u32>> {
    let mut joined = Joined::new(degree);
    for g in generators {
        for p in g.moved() {
            joined.join(p, g.image(p));
        }
    }
    joined.classes((0u32..).take(degree))
}

/// The finest system of blocks of an orbit in which two of its points are together.
#[must_use]
pub fn block_system(orbit: &[u32], generators: &[Perm], a: u32, b: u32) -> Vec<Vec<u32>> {
    let degree = orbit.iter().max().map_or(0, |p| *p as usize + 1);
    let mut joined = Joined::new(degree);
    let mut open = Vec::new();
    if joined.join(a, b) {
        open.push((a, b));
    }
    // What two points that are together are taken to is together; joining more follows from that by chains.
    while let Some((a, b)) = open.pop() {
        for g in generators {
            let (a, b) = (g.image(a), g.image(b));
            if joined.join(a, b) {
                open.push((a, b));
            }
        }
    }
    joined.classes(orbit.iter().copied())
}

/// The minimal systems of blocks of an orbit that are neither single points nor the whole orbit: every block system is
/// made of blocks of one of these. Each block is ascending; systems in the order of the first blocks.
#[must_use]
pub fn minimal_block_systems(orbit: &[u32], generators: &[Perm]) -> Vec<Vec<Vec<u32>>> {
    let Some((&first, rest)) = orbit.split_first() else { return Vec::new() };
    let of = |&b: &u32| block_system(orbit, generators, first, b);
    let mut systems: Vec<Vec<Vec<u32>>> = rest.iter().map(of).filter(|s| s.len() > 1).collect();
    systems.sort();
    systems.dedup();
    let coarser = |s: &Vec<Vec<u32>>, t: &Vec<Vec<u32>>| s != t && t[0].iter().all(|p| s[0].contains(p));
    let minimal = |s: &&Vec<Vec<u32>>| !systems.iter().any(|t| coarser(s, t));
    systems.iter().filter(minimal).cloned().collect()
}

/// Points that are together.
struct Joined(Vec<u32>);

impl Joined {
    fn new(degree: usize) -> Self {
        Self((0u32..).take(degree).collect())
    }

    /// The point that stands for the class of one.
    fn find(&mut self, mut p: u32) -> u32 {
        while let Some(&next) = self.0.get(p as usize).filter(|next| **next != p) {
            let further = self.0.get(next as usize).copied().unwrap_or(next);
            if let Some(slot) = self.0.get_mut(p as usize) {
                *slot = further;
            }
            p = next;
        }
        p
    }

    /// Whether the classes of two points were different; they are one now.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if let Some(slot) = self.0.get_mut(a.max(b) as usize) {
            *slot = a.min(b);
        }
        a != b
    }

    /// The classes of some points.
    fn classes(&mut self, points: impl Iterator<Item = u32>) -> Vec<Vec<u32>> {
        let mut keyed: Vec<(u32, u32)> = points.map(|p| (self.find(p), p)).collect();
        keyed.sort_unstable();
        keyed.chunk_by(|a, b| a.0 == b.0).map(|c| c.iter().map(|(_, p)| *p).collect()).collect()
    }
}
