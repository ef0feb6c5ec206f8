//! A permutation group by base and strong generating set (Schreier and Sims).
//!
//! In: generators. Out: a chain of stabilisers, each fixing one more point of the base, with a permutation to every point
//! that the next point of the base can go to. Order, membership, all elements, stabilisers and cosets follow from these.
//!
//! Nothing is left to chance: all Schreier generators are tried, unless the order of the group is known beforehand and the
//! chain has reached it (the product of its orbits is never more than the order, and less as long as something is missing).

use super::super::Count;
use super::orbits::orbits;
use super::perm::Perm;
use std::ops::ControlFlow;

/// A permutation group.
#[derive(Clone, Debug)]
pub struct Chain {
    degree: usize,
    levels: Vec<Level>,
    /// The points that the base begins with.
    prefer: Vec<u32>,
    /// The order, if it is known.
    known: Option<Count>,
}

/// What fixes the points of the base before this level.
#[derive(Clone, Debug)]
struct Level {
    /// The next point of the base.
    base: u32,
    generators: Vec<Perm>,
    /// The points that it goes to, itself first.
    orbit: Vec<u32>,
    /// By point one permutation that takes the base to it.
    to: Vec<Option<Perm>>,
}

impl Level {
    fn new(base: u32, degree: usize) -> Self {
        let mut to = vec![None; degree];
        if let Some(slot) = to.get_mut(base as usize) {
            *slot = Some(Perm::identity(degree));
        }
        Self { base, generators: Vec::new(), orbit: vec![base], to }
    }

    fn to(&self, point: u32) -> Option<&Perm> {
        self.to.get(point as usize)?.as_ref()
    }
}

impl Chain {
    /// The group that some permutations of so many points generate.
    #[must_use]
    pub fn new(degree: usize, generators: &[Perm]) -> Self {
        Self::with(degree, generators, &[], None)
    }

    /// The same with the points that the base is to begin with, whether or not they move; and with its order, if that is
    /// known.
    #[must_use]
    pub fn with(degree: usize, generators: &[Perm], prefer: &[u32], known: Option<Count>) -> Self {
        let mut chain = Self { degree, levels: Vec::new(), prefer: prefer.to_vec(), known };
        let generators: Vec<Perm> = generators.iter().filter(|g| !g.is_identity()).cloned().collect();
        chain.include(0, generators);
        chain
    }

    /// Adds permutations that fix the base up to a level to the groups from there on.
    fn include(&mut self, at: usize, new: Vec<Perm>) {
        let Some(first) = new.first() else { return };
        if at == self.levels.len() {
            let Some(base) = self.prefer.get(at).copied().or_else(|| first.moved().next()) else { return };
            self.levels.push(Level::new(base, self.degree));
        }
        let Some(level) = self.levels.get_mut(at) else { return };
        let (old, known) = (level.generators.len(), level.orbit.len());
        level.generators.extend(new);
        let mut next = 0;
        while let Some(&point) = self.levels.get(at).and_then(|l| l.orbit.get(next)) {
            // What is old has been tried with what is old.
            let mut g = if next < known { old } else { 0 };
            next += 1;
            while let Some(schreier) = self.step(at, point, g) {
                g += 1;
                let Some(schreier) = schreier else { continue };
                if self.is_complete() {
                    return;
                }
                if !self.has(at + 1, &schreier) {
                    self.include(at + 1, vec![schreier]);
                }
            }
        }
    }

    /// Applies a generator to a point of an orbit: a new point for it, or a permutation that fixes one more point of the
    /// base. `None` if there is no such generator.
    fn step(&mut self, at: usize, point: u32, g: usize) -> Option<Option<Perm>> {
        let level = self.levels.get_mut(at)?;
        let generator = level.generators.get(g)?;
        let there = level.to(point)?.then(generator);
        let image = generator.image(point);
        if let Some(back) = level.to(image) {
            return Some(Some(there.then(&back.inverse())).filter(|s| !s.is_identity()));
        }
        level.orbit.push(image);
        *level.to.get_mut(image as usize)? = Some(there);
        Some(None)
    }

    fn is_complete(&self) -> bool {
        self.known.as_ref().is_some_and(|known| *known == self.order())
    }

    /// Number of points.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Number of permutations.
    #[must_use]
    pub fn order(&self) -> Count {
        self.levels.iter().map(|l| Count::from(l.orbit.len())).product()
    }

    /// The points of the base, each with the number of points it goes to when those before it are fixed.
    pub fn base(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        self.levels.iter().map(|l| (l.base, l.orbit.len()))
    }

    /// Generators of the subgroup that fixes so many points of the base: strong ones, with those of later levels.
    pub fn strong(&self, fixed: usize) -> impl Iterator<Item = &Perm> {
        self.levels.iter().skip(fixed).flat_map(|l| &l.generators)
    }

    /// Whether a permutation is in the group.
    #[must_use]
    pub fn contains(&self, p: &Perm) -> bool {
        self.has(0, p)
    }

    fn has(&self, from: usize, p: &Perm) -> bool {
        let mut rest = p.clone();
        for level in self.levels.iter().skip(from) {
            let Some(to) = level.to(rest.image(level.base)) else { return false };
            rest = rest.then(&to.inverse());
        }
        rest.is_identity()
    }

    /// Representatives of the cosets of the stabiliser of the first point of the base: one for each point that it goes to,
    /// by that point.
    pub fn transversal(&self, at: usize) -> impl Iterator<Item = (u32, &Perm)> {
        let points = self.levels.get(at).map(|l| l.orbit.as_slice()).unwrap_or_default();
        points.iter().filter_map(move |p| Some((*p, self.levels.get(at)?.to(*p)?)))
    }

    /// Calls `f` on all permutations, the identity first: those that take the first point of the base to the same point
    /// one after the other, of these those of one image of the second point, and so on.
    pub fn each(&self, f: &mut dyn FnMut(&Perm) -> ControlFlow<()>) -> ControlFlow<()> {
        self.each_from(0, &Perm::identity(self.degree), f)
    }

    fn each_from(
        &self,
        at: usize,
        after: &Perm,
        f: &mut dyn FnMut(&Perm) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if at == self.levels.len() {
            return f(after);
        }
        for (_, to) in self.transversal(at) {
            self.each_from(at + 1, &to.then(after), f)?;
        }
        ControlFlow::Continue(())
    }

    /// The subgroup that fixes a point.
    #[must_use]
    pub fn stabiliser(&self, point: u32) -> Self {
        let all: Vec<Perm> = self.strong(0).cloned().collect();
        let chain = Self::with(self.degree, &all, &[point], Some(self.order()));
        let levels = chain.levels.into_iter().skip(1).collect();
        Self { degree: self.degree, levels, prefer: Vec::new(), known: None }
    }

    /// The subgroup that takes a set to itself: from the deepest level on, for every image of its point of the base that
    /// is not reached yet, one permutation that keeps the set, if there is one.
    #[must_use]
    pub fn set_stabiliser(&self, set: &[u32]) -> Self {
        let all: Vec<Perm> = self.strong(0).cloned().collect();
        let chain = Self::with(self.degree, &all, set, Some(self.order()));
        let mut found: Vec<Perm> = Vec::new();
        for (at, (base, _)) in chain.base().enumerate().collect::<Vec<_>>().into_iter().rev() {
            for (point, to) in chain.transversal(at) {
                // All that was found fixes the base before this level.
                let reached = orbits(self.degree, &found);
                if !reached.iter().any(|o| o.contains(&base) && o.contains(&point)) {
                    found.extend(chain.keeping(at, to, set));
                }
            }
        }
        Self::new(self.degree, &found)
    }

    /// A permutation `g` then `to`, with `g` from after a level, that keeps a set.
    fn keeping(&self, at: usize, to: &Perm, set: &[u32]) -> Option<Perm> {
        // The base has the points of the set first: an image outside it, or one in it of a point outside, is final.
        let level = self.levels.get(at)?;
        if set.contains(&level.base) != set.contains(&to.image(level.base)) {
            return None;
        }
        if at + 1 == self.levels.len() {
            return set.iter().all(|p| set.contains(&to.image(*p))).then(|| to.clone());
        }
        self.transversal(at + 1).find_map(|(_, next)| self.keeping(at + 1, &next.then(to), set))
    }

    /// Representatives of the cosets `g` after `sub` of a subgroup, the identity first.
    #[must_use]
    pub fn cosets(&self, sub: &Chain) -> Vec<Perm> {
        let mut found: Vec<Perm> = Vec::new();
        let _all = self.each(&mut |g| {
            let back = g.inverse();
            if !found.iter().any(|f| sub.contains(&f.then(&back))) {
                found.push(g.clone());
            }
            ControlFlow::Continue(())
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::rng;
    use super::super::orbits::{block_system, minimal_block_systems};
    use super::*;
    use proptest::prelude::RngExt;
    use proptest::test_runner::TestRng;
    use std::collections::BTreeSet;

    /// All products of some permutations.
    fn closure(degree: usize, generators: &[Perm]) -> BTreeSet<Perm> {
        let mut all = BTreeSet::from([Perm::identity(degree)]);
        let mut open: Vec<Perm> = all.iter().cloned().collect();
        while let Some(p) = open.pop() {
            for g in generators {
                let q = p.then(g);
                if all.insert(q.clone()) {
                    open.push(q);
                }
            }
        }
        all
    }

    fn random(degree: u32, rng: &mut TestRng) -> Perm {
        let mut points: Vec<(u64, u32)> = (0..degree).map(|p| (rng.random(), p)).collect();
        // Some points stay, so that not every group is nearly everything.
        let few = rng.random_range(0..=degree) as usize;
        points.iter_mut().skip(few).for_each(|p| p.0 = u64::MAX);
        let mut shuffled = points[..few].to_vec();
        shuffled.sort_unstable();
        let images = shuffled.iter().chain(&points[few..]).map(|p| p.1).collect();
        Perm::from_images(images).expect("a permutation")
    }

    /// Random generators on up to seven points against all products of them. The seed is that of the clock, and is printed
    /// when the test fails.
    #[test]
    fn groups_agree_with_brute_force() {
        let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let seed = clock.map_or(0, |t| t.as_secs());
        println!("seed {seed}");
        let mut rng = rng(seed);
        for _ in 0..150 {
            let degree = rng.random_range(1..8u32);
            let generators: Vec<Perm> =
                (0..rng.random_range(0..4)).map(|_| random(degree, &mut rng)).collect();
            let degree = degree as usize;
            let all = closure(degree, &generators);
            let chain = Chain::new(degree, &generators);
            let prefer: Vec<u32> = random(u32::try_from(degree).unwrap(), &mut rng).images().to_vec();
            let known = Chain::with(degree, &generators, &prefer, Some(all.len().into()));
            for chain in [&chain, &known] {
                assert_eq!(chain.order(), all.len().into());
                let mut listed = Vec::new();
                let _ = chain.each(&mut |p| {
                    listed.push(p.clone());
                    ControlFlow::Continue(())
                });
                assert!(listed[0].is_identity());
                assert_eq!(listed.len(), all.len());
                assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), all);
                let strong: Vec<Perm> = chain.strong(0).cloned().collect();
                assert_eq!(closure(degree, &strong), all);
                for _ in 0..10 {
                    let p = random(u32::try_from(degree).unwrap(), &mut rng);
                    assert_eq!(chain.contains(&p), all.contains(&p));
                }
            }
            let point = rng.random_range(0..u32::try_from(degree).unwrap());
            let fixing = all.iter().filter(|p| p.image(point) == point).count();
            assert_eq!(chain.stabiliser(point).order(), fixing.into());
            let set: Vec<u32> = (0..point).map(|p| prefer[p as usize]).collect();
            let keeps = |p: &&Perm| set.iter().all(|x| set.contains(&p.image(*x)));
            let keeping: BTreeSet<Perm> = all.iter().filter(keeps).cloned().collect();
            let stabiliser = chain.set_stabiliser(&set);
            assert_eq!(stabiliser.order(), keeping.len().into());
            assert!(keeping.iter().all(|p| stabiliser.contains(p)));
            let cosets = chain.cosets(&stabiliser);
            assert_eq!(cosets.len() * keeping.len(), all.len());
            let products = |c: &Perm| keeping.iter().map(|k| k.then(c)).collect::<Vec<_>>();
            assert_eq!(cosets.iter().flat_map(products).collect::<BTreeSet<_>>(), all);
            blocks(degree, &generators, &all);
        }
    }

    /// Orbits and blocks against their definitions.
    fn blocks(degree: usize, generators: &[Perm], all: &BTreeSet<Perm>) {
        for orbit in orbits(degree, generators) {
            let images: BTreeSet<u32> = all.iter().map(|p| p.image(orbit[0])).collect();
            assert_eq!(images.into_iter().collect::<Vec<_>>(), orbit);
            // All blocks of the first point: sets whose images are equal or disjoint.
            let is_block = |set: &BTreeSet<u32>| {
                all.iter().all(|p| {
                    let image: BTreeSet<u32> = set.iter().map(|x| p.image(*x)).collect();
                    image == *set || image.is_disjoint(set)
                })
            };
            let subsets = 0..1u32 << (orbit.len() - 1);
            let with_first = |bits: u32| {
                let rest = orbit[1..].iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1);
                rest.map(|(_, p)| *p).chain([orbit[0]]).collect::<BTreeSet<u32>>()
            };
            let every: Vec<BTreeSet<u32>> = subsets.map(with_first).filter(is_block).collect();
            for &b in &orbit[1..] {
                let system = block_system(&orbit, generators, orbit[0], b);
                let least = every.iter().filter(|s| s.contains(&b)).min_by_key(|s| s.len());
                assert_eq!(least, Some(&system[0].iter().copied().collect()));
            }
            let proper: Vec<_> = every.iter().filter(|s| s.len() > 1 && s.len() < orbit.len()).collect();
            let minimal: BTreeSet<Vec<u32>> = proper
                .iter()
                .filter(|s| !proper.iter().any(|t| t != *s && t.is_subset(s)))
                .map(|s| s.iter().copied().collect())
                .collect();
            let found = minimal_block_systems(&orbit, generators);
            assert_eq!(found.iter().map(|s| s[0].clone()).collect::<BTreeSet<_>>(), minimal);
        }
    }

    /// Orders that are known from books.
    #[test]
    fn orders_of_known_groups() {
        let cycle = |degree: u32, points: &[u32]| {
            let mut images: Vec<u32> = (0..degree).collect();
            for (i, &p) in points.iter().enumerate() {
                images[p as usize] = points[(i + 1) % points.len()];
            }
            Perm::from_images(images).expect("a cycle")
        };
        let eleven = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]].map(|c| cycle(11, &c));
        let double = cycle(11, &[2, 6, 10, 7]).then(&cycle(11, &[3, 9, 4, 5]));
        let mathieu = Chain::new(11, &[eleven[0].clone(), double]);
        assert_eq!(mathieu.order(), Count::from(7920usize));
        let adjacent: Vec<Perm> = (0..29).map(|p| Perm::exchanging(30, &[(p, p + 1)])).collect();
        let all: Count = (1..=30usize).map(Count::from).product();
        assert_eq!(Chain::with(30, &adjacent, &[], Some(all.clone())).order(), all);
        assert_eq!(Chain::new(12, &adjacent[..11]).order(), (1..=12usize).map(Count::from).product());
    }
}
