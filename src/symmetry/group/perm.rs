//! Permutations of points that are numbered from 0.
//!
//! In: images of points. Out: products, inverses, cycles. Points beyond the degree stay where they are, so permutations of
//! different degrees may be multiplied.

use super::super::Count;
use std::collections::BTreeMap;

/// A permutation, by the images of the points.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Perm(Vec<u32>);

impl Perm {
    /// The permutation of so many points that moves none.
    #[must_use]
    pub fn identity(degree: usize) -> Self {
        Self((0u32..).take(degree).collect())
    }

    /// The permutation with these images; `None` if some point has none or several.
    #[must_use]
    pub fn from_images(images: Vec<u32>) -> Option<Self> {
        let mut met = vec![false; images.len()];
        let once = |i: &u32| met.get_mut(*i as usize).is_some_and(|met| !std::mem::replace(met, true));
        images.iter().all(once).then_some(Self(images))
    }

    /// The permutation of so many points that exchanges the two of each pair, one pair after the other.
    #[must_use]
    pub fn exchanging(degree: usize, pairs: &[(u32, u32)]) -> Self {
        let mut p = Self::identity(degree);
        for &(a, b) in pairs.iter().filter(|(a, b)| (*a.max(b) as usize) < degree) {
            p.0.swap(a as usize, b as usize);
        }
        p
    }

    /// The image of a point.
    #[inline]
    #[must_use]
    pub fn image(&self, point: u32) -> u32 {
        self.0.get(point as usize).copied().unwrap_or(point)
    }

    /// The images of all points.
    #[must_use]
    pub fn images(&self) -> &[u32] {
        &self.0
    }

    /// First this permutation, then another one.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let own = self.0.iter().map(|&p| next.image(p));
        Self(own.chain(next.0.iter().skip(self.0.len()).copied()).collect())
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut back = vec![0; self.0.len()];
        for (p, &i) in (0u32..).zip(&self.0) {
            if let Some(slot) = back.get_mut(i as usize) {
                *slot = p;
            }
        }
        Self(back)
    }

    /// Whether no point moves.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.moved().next().is_none()
    }

    /// The points that move, ascending.
    pub fn moved(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.0).filter(|(p, i)| p != *i).map(|(p, _)| p)
    }

    /// The cycles of several points, each from its least one, in the order of these.
    #[must_use]
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let mut met = vec![false; self.0.len()];
        let mut cycles = Vec::new();
        for start in self.moved() {
            let mut cycle = Vec::new();
            let mut p = start;
            while met.get_mut(p as usize).is_some_and(|met| !std::mem::replace(met, true)) {
                cycle.push(p);
                p = self.image(p);
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// The least number of times after which every point is back.
    #[must_use]
    pub fn order(&self) -> Count {
        // Of every prime the highest power in the length of a cycle.
        let mut powers: BTreeMap<usize, usize> = BTreeMap::new();
        for cycle in self.cycles() {
            let (mut rest, mut prime) = (cycle.len(), 2);
            while rest > 1 {
                let mut power = 1;
                while rest.is_multiple_of(prime) {
                    (rest, power) = (rest / prime, power * prime);
                }
                let highest = powers.entry(prime).or_insert(1);
                *highest = power.max(*highest);
                prime += 1;
            }
        }
        powers.into_values().map(Count::from).product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn perm(images: &[u32]) -> Perm {
        Perm::from_images(images.to_vec()).expect("a permutation")
    }

    #[test]
    fn products_and_inverses() {
        let (a, b) = (perm(&[1, 2, 0, 3]), perm(&[0, 1, 3, 2]));
        assert_eq!(a.then(&b).images(), [1, 3, 0, 2]);
        assert_eq!(b.then(&a).images(), [1, 2, 3, 0]);
        assert!(a.then(&a.inverse()).is_identity());
        assert_eq!(perm(&[1, 0]).then(&b).images(), [1, 0, 3, 2]);
        assert_eq!(Perm::exchanging(4, &[(0, 1), (1, 2), (1, 9)]).images(), [1, 2, 0, 3]);
        assert_eq!(Perm::from_images(vec![0, 0]), None);
        assert_eq!(Perm::from_images(vec![0, 2]), None);
    }

    #[test]
    fn cycles_and_orders() {
        let p = perm(&[1, 0, 3, 4, 2, 5]);
        assert_eq!(p.cycles(), [vec![0, 1], vec![2, 3, 4]]);
        assert_eq!(p.order(), Count::from(6usize));
        assert_eq!(perm(&[1, 0, 3, 4, 5, 2]).order(), Count::from(4usize));
        assert_eq!(Perm::identity(3).order(), Count::ONE);
    }
}
