//! The group that acts on the states of a valuation of the constants.
//!
//! In: a valuation. Out: the permutation that takes it to the valuation that stands for its class, and the group of those
//! that keep that one, by generators and as a chain of stabilisers; whether it is a product of full symmetric groups, and its
//! factors. Without constants that is the group of the machine.

use super::super::core::Core;
use super::super::exact::Exact;
use super::super::group::Group;
use super::super::group::chain::Chain;
use super::super::group::orbits::orbits;
use super::super::group::perm::Perm;
use super::super::vector::Vector;
use super::super::{Context, Count, Detection, residual};
use super::image::Image;
use std::sync::{Arc, OnceLock};

/// A group, and how states come to where it acts.
pub(super) struct Acting {
    detection: Arc<Detection>,
    /// Takes the valuation to the one that stands for its class.
    to: Perm,
    /// Permutations that keep that one, and generate all that do.
    pub(super) generators: Vec<Perm>,
    order: Count,
    chain: OnceLock<Chain>,
    factors: OnceLock<Vec<Factor>>,
}

/// Permutations that move points that no other factor moves.
pub(super) struct Factor {
    /// Generators of the factor.
    generators: Vec<Perm>,
    /// The exchanges of two columns of points, if the factor is the symmetric group of its columns.
    pub(super) exchanges: Option<Vec<Perm>>,
}

impl Factor {
    /// What is tried to make a state less: exchanges, or else generators.
    pub(super) fn tried(&self) -> &[Perm] {
        self.exchanges.as_ref().unwrap_or(&self.generators)
    }
}

impl Acting {
    /// The group of a valuation.
    pub(super) fn new(context: &Context, about: &Exact, valuation: u32) -> Self {
        let group = context.group();
        let (facts, colours) = about.about(valuation);
        let to = renaming(&residual::in_order(&Core::of(&facts, &colours), &colours), group);
        // Where hashes collide nothing is permuted: the states are all kept.
        let found = residual::stabiliser(context, valuation, &facts, &colours);
        let (order, generators) = found.map_or((Count::ONE, Vec::new()), |(c, g)| (c.order(), g));
        let back = to.inverse();
        let generators = generators.iter().map(|g| back.then(g).then(&to)).collect();
        Self {
            detection: context.detection.clone(),
            to,
            generators,
            order,
            chain: OnceLock::new(),
            factors: OnceLock::new(),
        }
    }

    fn group(&self) -> &Group {
        &self.detection.group
    }

    /// Number of points.
    pub(super) fn degree(&self) -> usize {
        self.group().points().len()
    }

    /// Number of permutations.
    pub(super) fn order(&self) -> &Count {
        &self.order
    }

    /// A node where the group acts.
    pub(super) fn entered(&self, vector: &Vector) -> Vector {
        vector.permuted(&self.group().permutation(self.to.images()))
    }

    /// The chain of stabilisers.
    pub(super) fn chain(&self) -> &Chain {
        self.chain.get_or_init(|| Chain::with(self.degree(), &self.generators, &[], Some(self.order.clone())))
    }

    /// The image of a state.
    pub(super) fn moved(&self, state: &Image, p: &Perm) -> Image {
        let permutation = self.group().permutation(p.images());
        Image {
            control: self.control(state, p),
            values: state.values.iter().map(|v| permutation.apply(v)).collect(),
            refers: state.refers,
        }
    }

    /// The control part of the image of a state.
    pub(super) fn control(&self, state: &Image, p: &Perm) -> Vec<u128> {
        let mut control = vec![0; state.control.len()];
        for (&c, &to) in state.control.iter().zip(p.images()) {
            if let Some(slot) = control.get_mut(to as usize) {
                *slot = c;
            }
        }
        control
    }

    /// The points that the group moves, orbit by orbit.
    fn moved_orbits(&self) -> Vec<Vec<u32>> {
        orbits(self.degree(), &self.generators).into_iter().filter(|o| o.len() > 1).collect()
    }

    /// Whether all permutations inside of each orbit are there.
    pub(super) fn is_symmetric(&self) -> bool {
        let all: Count = self.moved_orbits().iter().map(|o| self.group().factorial(o.len())).product();
        all == self.order
    }

    /// How many permutations keep the control part of a state; all of them, where only that is easily told.
    pub(super) fn keeping_control(&self, state: &Image) -> Count {
        if !self.is_symmetric() {
            return self.order.clone();
        }
        let class = |c: &[u128]| self.group().factorial(c.len());
        let orbit = |orbit: &Vec<u32>| {
            let mut controls: Vec<u128> = orbit.iter().map(|&p| state.control(p)).collect();
            controls.sort_unstable();
            controls.chunk_by(|a, b| a == b).map(class).product::<Count>()
        };
        self.moved_orbits().iter().map(orbit).product()
    }

    /// Factors that act on points of their own: generators that move a point in common are in one.
    pub(super) fn factors(&self) -> &[Factor] {
        self.factors.get_or_init(|| {
            let mut parts: Vec<Vec<Perm>> = Vec::new();
            for g in &self.generators {
                let meets = |part: &Vec<Perm>| part.iter().any(|h| h.moved().any(|p| g.image(p) != p));
                let (met, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(meets);
                parts = apart;
                parts.push(met.into_iter().flatten().chain([g.clone()]).collect());
            }
            let factor = |generators: Vec<Perm>| Factor {
                exchanges: exchanges(self.degree(), &generators, self.group()),
                generators,
            };
            parts.into_iter().map(factor).collect()
        })
    }
}

/// The permutation that gives the points of each set, in some order of all, the places of that set.
fn renaming(order: &[u32], group: &Group) -> Perm {
    let mut rank = vec![0; order.len()];
    for (n, &p) in order.iter().enumerate() {
        if let Some(slot) = rank.get_mut(p as usize) {
            *slot = n;
        }
    }
    Perm::from_images(group.placed(|p| rank.get(p as usize))).unwrap_or_default()
}

/// The exchanges of two columns, where a group of `m`! permutations moves orbits of `m` points each, such that who fixes a
/// point fixes one in every orbit: the column of that point (Donaldson, theorems 16 and 17). Two points, of which who fixes
/// one fixes all, are exchanged by all that the group has.
fn exchanges(degree: usize, generators: &[Perm], group: &Group) -> Option<Vec<Perm>> {
    let chain = Chain::new(degree, generators);
    let moved: Vec<Vec<u32>> = orbits(degree, generators).into_iter().filter(|o| o.len() > 1).collect();
    let first = moved.first()?;
    let m = first.len();
    if chain.order() != group.factorial(m) || moved.iter().any(|o| o.len() != m) {
        return None;
    }
    if m == 2 {
        return Some(generators.to_vec());
    }
    let columns = first.iter().map(|&p| {
        let stabiliser: Vec<Perm> = chain.stabiliser(p).strong(0).cloned().collect();
        let fixed = |p: &&u32| stabiliser.iter().all(|g| g.image(**p) == **p);
        let of = |orbit: &Vec<u32>| {
            let mut fixed = orbit.iter().filter(fixed);
            fixed.next().copied().filter(|_| fixed.next().is_none())
        };
        moved.iter().map(of).collect::<Option<Vec<u32>>>()
    });
    let columns: Vec<Vec<u32>> = columns.collect::<Option<_>>()?;
    let mut all = Vec::new();
    for (i, a) in columns.iter().enumerate() {
        for b in columns.iter().skip(i + 1) {
            let pairs: Vec<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
            all.push(Some(Perm::exchanging(degree, &pairs)).filter(|p| chain.contains(p))?);
        }
    }
    Some(all)
}
