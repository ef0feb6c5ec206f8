//! All labellings of the points that give the canonical form of a valuation: least images without a search.
//!
//! In: the canonical order of the points, the stabiliser of the valuation. Out: for facts about the variables, the least hash
//! under all these labellings, and how many give it. Two states are images of each other exactly if their valuations
//! have one canonical form and these hashes are equal: the labellings of the image of a valuation are the images of its
//! labellings.
//!
//! They are listed along the stabiliser chain: those that put the same point first one after the other, of these those
//! that put the same point second, and so on. At each point of the base only those go on that put one of the rarest points
//! there, so of some thousands of labellings few are compared as a whole.

use super::colour::Structure;
use super::core::Core;
use super::facts::Atom;
use super::facts::Facts;
use super::group::chain::Chain;
use super::group::orbits::orbits;
use super::group::perm::Perm;
use super::sums::Sums;
use super::{Count, mix};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// More labellings are not listed.
const MOST: u128 = 5000;

/// Points in all labellings: a megabyte.
const ROOM: u128 = 1 << 18;

/// Where there are so few labellings, twins are not looked for: passing over their edges would save little.
const FEW: usize = 24;

/// All labellings of the points.
#[derive(Debug)]
pub(super) struct Labellings {
    /// Number of points.
    degree: usize,
    /// Which places are looked at one after the other, and how many points come there under what is fixed before.
    base: Vec<(usize, usize)>,
    /// The points in the order of one labelling after the other.
    rows: Vec<u32>,
    /// Hashes of facts under all of them.
    sums: Option<Sums>,
}

/// Memory for one state after the other.
#[derive(Debug, Default)]
pub(super) struct Desk {
    /// What is said of the variables.
    pub(super) facts: Facts,
    /// What tells points apart at once.
    colours: Vec<u128>,
    /// Blocks of labellings that are still in question.
    blocks: Vec<usize>,
    next: Vec<(u128, usize)>,
    names: Vec<u32>,
    /// Sums under all labellings.
    pub(super) sums: Vec<u128>,
}

impl Labellings {
    /// Whether a group of this order on so many points is listed.
    pub(super) fn fit(order: &Count, degree: usize) -> bool {
        matches!(order, Count::Small(n) if *n <= MOST && n.saturating_mul(degree as u128) <= ROOM)
    }

    /// The labellings that a group of this order makes of one; `None` if its generators do not give as many, or if exchanging
    /// two points is one of many permutations: then twins are of more use. `read` are the facts about the variables by
    /// number, if there are no others than those read off the words of states.
    pub(super) fn new(
        order: &[u32],
        generators: &[Perm],
        count: &Count,
        read: Option<&[&Atom]>,
    ) -> Option<Self> {
        let degree = order.len();
        let (places, chain) = chain(order, generators, count);
        if chain.order() != *count {
            return None;
        }
        let base: Vec<(usize, usize)> = places.into_iter().zip(chain.base().map(|(_, n)| n)).collect();
        let (mut rows, mut twins) = (Vec::new(), false);
        let _all = chain.each(&mut |g| {
            rows.extend(order.iter().map(|&p| g.image(p)));
            twins |= g.moved().take(3).count() == 2;
            ControlFlow::Continue(())
        });
        let mut listed = Self { degree, base, rows, sums: None };
        if twins && listed.count() > FEW {
            return None;
        }
        listed.sums = read.and_then(|facts| Sums::new(facts, listed.rows.chunks_exact(degree.max(1))));
        Some(listed)
    }

    /// The hashes of facts under all of them, where these are to be used.
    pub(super) fn sums(&self) -> Option<&Sums> {
        self.sums.as_ref()
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.base.iter().map(|(_, n)| n).product()
    }

    /// The points in the order of a labelling.
    fn row(&self, n: usize) -> &[u32] {
        self.rows.get(n * self.degree..(n + 1) * self.degree).unwrap_or_default()
    }

    /// The least hash of the facts on a desk under all labellings, and how many labellings give it.
    pub(super) fn least(&self, desk: &mut Desk) -> (u128, usize) {
        let Desk { facts, colours, blocks, next, names, .. } = desk;
        colours.clone_from(&facts.colours);
        let core = (!facts.is_unary()).then(|| Core::of(facts, &facts.colours));
        if let Some(core) = core.as_ref().filter(|_| !self.base.is_empty()) {
            recolour(core, colours);
        }
        self.descend(colours, blocks, next);
        self.keep_least(colours, blocks);
        let mut hash = |&row: &usize| self.hash(row, facts, core.as_ref(), names);
        let Some(core_less) = blocks.first().filter(|_| core.is_none()) else {
            let hashes = blocks.iter().map(hash);
            return hashes.fold((u128::MAX, 0), |(least, n), h| match h.cmp(&least) {
                Ordering::Less => (h, 1),
                Ordering::Equal => (least, n + 1),
                Ordering::Greater => (least, n),
            });
        };
        // Labellings that put equal colours everywhere say the same.
        (hash(core_less), blocks.len())
    }

    /// The labellings that put one of the rarest points at each place of the base.
    fn descend(&self, colours: &[u128], blocks: &mut Vec<usize>, next: &mut Vec<(u128, usize)>) {
        blocks.clear();
        blocks.push(0);
        let mut size = self.count();
        for &(place, span) in &self.base {
            size /= span.max(1);
            next.clear();
            for child in blocks.iter().flat_map(|b| b * span..(b + 1) * span) {
                let point = self.row(child * size).get(place).copied().unwrap_or(0);
                next.push((colours.get(point as usize).copied().unwrap_or(0), child));
            }
            next.sort_unstable();
            let rarest = next.chunk_by(|a, b| a.0 == b.0).min_by_key(|c| (c.len(), c[0].0));
            blocks.clear();
            blocks.extend(rarest.unwrap_or_default().iter().map(|(_, child)| *child));
        }
    }

    /// Of some labellings those with the least colours in order.
    fn keep_least(&self, colours: &[u128], rows: &mut Vec<usize>) {
        let colour = |p: &u32| colours.get(*p as usize).copied().unwrap_or(0);
        let mut kept = 0;
        for i in 0..rows.len() {
            let row = rows[i];
            let order = if kept == 0 {
                Ordering::Less
            } else {
                self.row(row).iter().map(colour).cmp(self.row(rows[0]).iter().map(colour))
            };
            match order {
                Ordering::Less => kept = 0,
                Ordering::Equal => {}
                Ordering::Greater => continue,
            }
            rows[kept] = row;
            kept += 1;
        }
        rows.truncate(kept);
    }

    /// The hash of facts under a labelling.
    fn hash(&self, row: usize, facts: &Facts, core: Option<&Core>, names: &mut Vec<u32>) -> u128 {
        let row = self.row(row);
        let about = |(place, &p): (u128, &u32)| match facts.colours.get(p as usize) {
            None | Some(0) => 0,
            Some(&c) => mix::pair(c, place),
        };
        let sum = (0u128..).zip(row).map(about).fold(facts.fixed, u128::wrapping_add);
        let Some(core) = core else { return mix::mix(sum) };
        let mut places = vec![0; row.len()];
        for (place, &p) in (0u32..).zip(row) {
            if let Some(slot) = places.get_mut(p as usize) {
                *slot = place;
            }
        }
        names.clear();
        names.extend(core.points.iter().map(|&p| places.get(p as usize).copied().unwrap_or(p)));
        mix::pair(core.named(names), sum)
    }
}

/// A chain of stabilisers whose base is at these places of an order: at each step the first of those where most points come.
fn chain(order: &[u32], generators: &[Perm], count: &Count) -> (Vec<usize>, Chain) {
    let mut fixed: Vec<u32> = Vec::new();
    let mut places = Vec::new();
    loop {
        let chain = Chain::with(order.len(), generators, &fixed, Some(count.clone()));
        let left: Vec<Perm> = chain.strong(fixed.len()).cloned().collect();
        let orbits = orbits(order.len(), &left);
        let size = |p: u32| orbits.iter().find(|o| o.contains(&p)).map_or(1, Vec::len);
        let sizes = order.iter().map(|&p| size(p)).enumerate().filter(|(_, n)| *n > 1);
        let Some((place, _)) = sizes.max_by_key(|(place, n)| (*n, usize::MAX - place)) else {
            return (places, chain);
        };
        places.push(place);
        fixed.extend(order.get(place));
    }
}

/// Adds to the colours of points what facts about several say of them.
fn recolour(core: &Core, colours: &mut [u128]) {
    let mut sums = vec![0; core.len()];
    core.round(&core.colours, &mut sums);
    for (&p, sum) in core.points.iter().zip(sums) {
        if let Some(c) = colours.get_mut(p as usize) {
            *c = mix::pair(*c, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact::{Exact, Keys};
    use super::super::tests::{Toy, random, rng};
    use super::super::vector::{Places, Vector};
    use super::super::{Reducer, View};
    use crate::ty::{SetId, Ty};
    use crate::value::permute::Permutation;
    use crate::value::{SetRef, Value};
    use proptest::prelude::RngExt;
    use proptest::test_runner::TestRng;
    use std::collections::{BTreeSet, HashMap, HashSet};

    fn pairs(s: u16, t: u16, pairs: impl IntoIterator<Item = (u32, u32)>) -> Value {
        let pair = |(a, b)| Value::pair(Value::Elem(SetId(s), a), Value::Elem(SetId(t), b));
        Value::Set(SetRef::from_vec(pairs.into_iter().map(pair).collect()))
    }

    /// Constants that leave groups of many kinds: rings, paths, pairs of points, maps onto servers, anything.
    fn constants(kind: u32, card: [u32; 2], rng: &mut TestRng) -> (Ty, Value) {
        let (d, e) = (Ty::Given(SetId(0)), Ty::Given(SetId(1)));
        let n = card[0];
        let graph = Ty::rel(d.clone(), d.clone());
        match kind {
            0 => (graph, pairs(0, 0, (0..n).map(|i| (i, (i + 1) % n)))),
            1 => (graph, pairs(0, 0, (1..n).map(|i| (i - 1, i)))),
            2 => (graph, pairs(0, 0, (0..n / 2).map(|i| (2 * i, 2 * i + 1)))),
            3 => (graph, pairs(0, 0, (0..n).flat_map(|i| [(i, (i + 1) % n), ((i + 1) % n, i)]))),
            4 => (Ty::rel(d, e), pairs(0, 1, (0..n).map(|i| (i, i % card[1])))),
            5 => {
                let ty = Ty::pow(Ty::pow(d));
                let value = random(&ty, &card, rng);
                (ty, value)
            }
            _ => {
                let value = random(&graph, &card, rng);
                (graph, value)
            }
        }
    }

    /// Keys and sizes of orbits under random constants, several valuations of a machine, images of valuations among them,
    /// against all permutations. The seed is that of the clock; it is printed when the test fails.
    #[test]
    fn keys_under_constants_agree_with_brute_force() {
        let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let seed = clock.map_or(0, |t| t.as_secs());
        println!("seed {seed}");
        let mut rng = rng(seed);
        let (d, e) = (Ty::Given(SetId(0)), Ty::Given(SetId(1)));
        let types = [
            Ty::pow(d.clone()),
            d.clone(),
            Ty::rel(d.clone(), d.clone()),
            Ty::rel(d.clone(), e.clone()),
            Ty::pow(Ty::pow(d.clone())),
            Ty::rel(d, Ty::Bool),
            e,
        ];
        let mut ways: HashMap<String, usize> = HashMap::new();
        for round in 0..70u32 {
            let card = [rng.random_range(2..6u32), rng.random_range(1..4u32)];
            let kinds = rng.random_range(1..3u32);
            let kinds: Vec<u32> = (0..kinds).map(|i| (round + 3 * i) % 7).collect();
            let drawn: Vec<Vec<(Ty, Value)>> =
                (0..2).map(|_| kinds.iter().map(|k| constants(*k, card, &mut rng)).collect()).collect();
            let of_constants: Vec<Ty> = drawn[0].iter().map(|(t, _)| t.clone()).collect();
            let variables: Vec<Ty> = (0..rng.random_range(1..4))
                .map(|_| types[rng.random_range(0..types.len())].clone())
                .collect();
            let toy = Toy::new(&card, &of_constants, &variables, &[]);
            let permutations = toy.permutations();
            let places = Places::new(&toy.context);
            let mut states = Vec::new();
            for _ in 0..8 {
                let c: Vec<Value> = drawn[rng.random_range(0..2)].iter().map(|(_, v)| v.clone()).collect();
                let v: Vec<Value> = variables.iter().map(|t| random(t, &card, &mut rng)).collect();
                for _ in 0..3 {
                    let p = &permutations[rng.random_range(0..permutations.len())];
                    let image =
                        |p: &Permutation, vs: &[Value]| vs.iter().map(|v| p.apply(v)).collect::<Vec<_>>();
                    states.push(toy.state(&image(p, &c), &image(p, &v)));
                    // The same constants, other variables: no image, mostly.
                    states.push(toy.state(&c, &image(p, &v)));
                }
            }
            let exact = Exact::new(&toy.context);
            let mut keys = Vec::new();
            exact.keys(&states.concat(), states[0].len(), &mut keys);
            let mut known: HashMap<u128, BTreeSet<u128>> = HashMap::new();
            for (state, key) in states.iter().zip(keys) {
                let vector = Vector::of_state(&toy.context, state);
                let orbit: BTreeSet<u128> =
                    permutations.iter().map(|p| vector.permuted(p).fingerprint(&places)).collect();
                assert_eq!(exact.key(state), key);
                assert_eq!(exact.inside(state, None, &mut View::default()).orbit, Some(orbit.len().into()));
                assert_eq!(*known.entry(key).or_insert_with(|| orbit.clone()), orbit);
                let way = exact.keys_under(u32::try_from(state[0]).expect("few valuations"));
                let way = if let Keys::Images(2..) = way { "images".to_owned() } else { format!("{way:?}") };
                *ways.entry(way).or_default() += 1;
            }
            assert_eq!(known.values().collect::<HashSet<_>>().len(), known.len());
            settled(&toy, &exact, &states, &permutations);
        }
        assert!(["Alone", "images", "Names"].iter().all(|w| ways.contains_key(*w)), "{ways:?}");
    }

    /// Where states are told to be alone in their orbits under some valuations, they are.
    fn settled(toy: &Toy, exact: &Exact, states: &[Vec<u64>], permutations: &[Permutation]) {
        let numbers: BTreeSet<u32> = states.iter().map(|s| u32::try_from(s[0]).expect("few")).collect();
        let some: Vec<Vec<u32>> =
            numbers.iter().map(|n| vec![*n]).chain([numbers.iter().copied().collect()]).collect();
        for valuations in some {
            let Some(settled) = exact.settled(&valuations) else { continue };
            let here = states.iter().filter(|s| valuations.iter().any(|v| u64::from(*v) == s[0]));
            let mut known: HashMap<u128, &Vec<u64>> = HashMap::new();
            for state in here {
                assert_eq!(*known.entry(settled.key(state)).or_insert(state), state);
                assert_eq!(settled.every_orbit(), Some(permutations.len().into()));
                assert_eq!(exact.orbit_size(state), settled.every_orbit());
            }
            let orbits: HashSet<u128> = known.values().map(|s| exact.key(s)).collect();
            assert_eq!(orbits.len(), known.len(), "{:?}", toy.context.machine.constants);
        }
    }
}
