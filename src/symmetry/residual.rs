//! What the constants leave of the group: the permutations that take a valuation to itself.
//!
//! In: facts about a valuation of the constants. Out: generators of its stabiliser, its order, and, where that is small, all
//! labellings of the points that give the canonical form of the valuation (`labellings`). Generators are those that the
//! canonical labelling finds: exchanges of twins and of linked cells, and images of leaves of its search; each is applied to
//! the values before it is used, so that no group rests on hashes.

use super::Context;
use super::Count;
use super::colour::Colouring;
use super::core::Core;
use super::facts::{Atom, Facts};
use super::group::chain::Chain;
use super::group::perm::Perm;
use super::labellings::Labellings;
use super::search::{canonical_names, search_core};
use super::settle::{Settled, settle};
use super::twins::Incidence;
use super::vector::Vector;
use super::{exact, orbit};

/// What a valuation leaves.
pub(super) struct Residual {
    /// The valuation under canonical names.
    pub(super) form: u128,
    /// The number of permutations that leave the valuation as it is.
    pub(super) order: Count,
    /// All labellings that give the canonical form, if these are what keys are made from.
    pub(super) labellings: Option<Labellings>,
}

impl Residual {
    /// What a valuation leaves; `colours` are the first colours of all points, `list` says whether labellings are of use,
    /// `read` as in [`Labellings::new`].
    pub(super) fn new(
        context: &Context,
        valuation: u32,
        facts: &Facts,
        colours: &[u128],
        list: bool,
        read: Option<&[&Atom]>,
    ) -> Self {
        let core = Core::of(facts, colours);
        let (order, _) = orbit::stabiliser(&core, colours, context.group(), &mut |_| {});
        let mut residual = Self { form: exact::named(facts, colours), order, labellings: None };
        if list && Labellings::fit(&residual.order, colours.len()) {
            let generators = generators(&core, colours);
            if proved(context, valuation, &generators) {
                let named = in_order(&core, colours);
                residual.labellings = Labellings::new(&named, &generators, &residual.order, read);
            }
        }
        residual
    }

    /// Whether nothing moves.
    pub(super) fn is_trivial(&self) -> bool {
        self.order == Count::ONE
    }
}

/// The stabiliser of a valuation, by generators that were applied to it; `None` if one of them does not keep it, which only
/// a collision of hashes can bring about.
pub(super) fn stabiliser(
    context: &Context,
    valuation: u32,
    facts: &Facts,
    colours: &[u128],
) -> Option<(Chain, Vec<Perm>)> {
    let core = Core::of(facts, colours);
    let generators = generators(&core, colours);
    let (order, _) = orbit::stabiliser(&core, colours, context.group(), &mut |_| {});
    let chain = Chain::with(colours.len(), &generators, &[], Some(order.clone()));
    (proved(context, valuation, &generators) && chain.order() == order).then_some((chain, generators))
}

/// Whether permutations leave the values of a valuation as they are.
fn proved(context: &Context, valuation: u32, generators: &[Perm]) -> bool {
    let vector = Vector::of_valuation(context, valuation);
    let keeps = |g: &Perm| vector.permuted(&context.group().permutation(g.images())) == vector;
    generators.iter().all(keeps)
}

/// The points in the order of their canonical names, those outside the core by colour before the others.
pub(super) fn in_order(core: &Core, colours: &[u128]) -> Vec<u32> {
    let mut inside: Vec<(u32, u32)> =
        canonical_names(core).into_iter().zip(core.points.iter().copied()).collect();
    inside.sort_unstable();
    let outside = outside(core, colours).into_iter().map(|(_, p)| p);
    outside.chain(inside.into_iter().map(|(_, p)| p)).collect()
}

/// The points outside the core with their colours, by colour.
fn outside(core: &Core, colours: &[u128]) -> Vec<(u128, u32)> {
    let all = colours.iter().copied().zip(0u32..);
    let mut outside: Vec<(u128, u32)> = all.filter(|(_, p)| core.points.binary_search(p).is_err()).collect();
    outside.sort_unstable();
    outside
}

/// Permutations that generate those that leave facts with these colours of all points as they are.
fn generators(core: &Core, colours: &[u128]) -> Vec<Perm> {
    let degree = colours.len();
    let mut all: Vec<Perm> = outside(core, colours)
        .windows(2)
        .filter(|w| w[0].0 == w[1].0)
        .map(|w| Perm::exchanging(degree, &[(w[0].1, w[1].1)]))
        .collect();
    let point = |p: u32| core.points.get(p as usize).copied().unwrap_or(p);
    let exchange = |pairs: &[(u32, u32)]| {
        let pairs: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (point(a), point(b))).collect();
        Perm::exchanging(degree, &pairs)
    };
    let colouring = Colouring::of(core);
    if colouring.is_discrete() {
        return all;
    }
    let incidence = Incidence::of(core);
    if let Some(settled) = settle(core, &incidence, &colouring) {
        all.extend(exchanges(&settled, &colouring).iter().map(|pairs| exchange(pairs)));
        return all;
    }
    let found = search_core(core, &incidence, &colouring);
    all.extend(found.twins().map(|pair| exchange(&[pair])));
    // What is left once the points of the best leaf are singled out.
    let leaf = found.prefix().iter().fold(colouring, |c, &p| c.singled_out(p, core));
    let rest = settle(core, &incidence, &leaf).map(|settled| exchanges(&settled, &leaf));
    all.extend(rest.unwrap_or_default().iter().map(|pairs| exchange(pairs)));
    for automorphism in found.automorphisms() {
        let mut images: Vec<u32> = (0u32..).take(degree).collect();
        for (p, &i) in (0u32..).zip(automorphism) {
            if let Some(slot) = images.get_mut(point(p) as usize) {
                *slot = point(i);
            }
        }
        all.extend(Perm::from_images(images));
    }
    all
}

/// The exchanges that generate all automorphisms where colours, twins and links decide.
fn exchanges(settled: &Settled, colouring: &Colouring) -> Vec<Vec<(u32, u32)>> {
    let mut all = Vec::new();
    for cell in colouring.cells().filter(|c| !settled.bound.contains(&c.start)) {
        all.extend(colouring.cell(cell).windows(2).map(|w| vec![(w[0], w[1])]));
    }
    // Linked points have names at the same distance from the first of their cells.
    let mut named = vec![0; settled.names.len()];
    for (p, &n) in (0u32..).zip(&settled.names) {
        if let Some(slot) = named.get_mut(n as usize) {
            *slot = p;
        }
    }
    let mut bound = settled.bound.as_slice();
    for &(cells, size) in &settled.linked {
        let (group, rest) = bound.split_at(cells.min(bound.len()));
        bound = rest;
        let at = |n: usize| named.get(n).copied().unwrap_or(0);
        all.extend((1..size).map(|i| group.iter().map(|first| (at(first + i - 1), at(first + i))).collect()));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::exact::Exact;
    use super::super::group::structure::Structure;
    use super::super::tests::{Toy, random, rng};
    use super::super::vector::Places;
    use super::*;
    use crate::ty::{SetId, Ty};
    use crate::value::{SetRef, Value};
    use proptest::prelude::RngExt;

    fn chain(toy: &Toy, valuation: u32) -> Chain {
        let exact = Exact::by_names(&toy.context);
        let (facts, colours) = exact.about(valuation);
        stabiliser(&toy.context, valuation, &facts, &colours).expect("no collision").0
    }

    /// The stabilisers of random constants against all permutations.
    #[test]
    fn stabilisers_agree_with_brute_force() {
        let (d, e) = (Ty::Given(SetId(0)), Ty::Given(SetId(1)));
        let all = [
            Ty::rel(d.clone(), d.clone()),
            Ty::rel(d.clone(), e.clone()),
            Ty::pow(Ty::pow(d.clone())),
            Ty::pow(e.clone()),
            Ty::rel(e, Ty::pow(d)),
        ];
        let mut orders = std::collections::BTreeSet::new();
        for seed in 0..120 {
            let mut rng = rng(seed);
            let card = [rng.random_range(2..6u32), rng.random_range(1..4u32)];
            let types: Vec<Ty> =
                (0..rng.random_range(1..3u32)).map(|_| all[rng.random_range(0..all.len())].clone()).collect();
            let toy = Toy::new(&card, &types, &[], &[]);
            let values: Vec<Value> = types.iter().map(|t| random(t, &card, &mut rng)).collect();
            let state = toy.state(&values, &[]);
            let valuation = u32::try_from(state[0]).expect("few valuations");
            let places = Places::new(&toy.context);
            let vector = Vector::of_valuation(&toy.context, valuation);
            let fixes = |p: &&_| vector.permuted(p).fingerprint(&places) == vector.fingerprint(&places);
            let count = toy.permutations().iter().filter(fixes).count();
            assert_eq!(chain(&toy, valuation).order(), count.into(), "{values:?}");
            orders.insert(count);
        }
        assert!(orders.len() > 6, "{orders:?}");
    }

    /// Groups that constants of known shape leave.
    #[test]
    fn groups_of_known_constants() {
        let (d, e) = (Ty::Given(SetId(0)), Ty::Given(SetId(1)));
        let element = |s: u16, i: u32| Value::Elem(SetId(s), i);
        let pairs = |s: u16, t: u16, pairs: &[(u32, u32)]| {
            let pair = |&(a, b): &(u32, u32)| Value::pair(element(s, a), element(t, b));
            Value::Set(SetRef::from_vec(pairs.iter().map(pair).collect()))
        };
        let structure = |card: &[u32], types: &[Ty], values: &[Value]| {
            let toy = Toy::new(card, types, &[], &[]);
            let state = toy.state(values, &[]);
            Structure::of(&chain(&toy, u32::try_from(state[0]).expect("few"))).to_string()
        };
        let graph = [Ty::rel(d.clone(), d.clone())];
        let ring: Vec<(u32, u32)> = (0..6).map(|i| (i, (i + 1) % 6)).collect();
        let both: Vec<(u32, u32)> = ring.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        assert_eq!(structure(&[6], &graph, &[pairs(0, 0, &ring)]), "C6");
        assert_eq!(structure(&[6], &graph, &[pairs(0, 0, &both)]), "D6");
        assert_eq!(structure(&[6], &graph, &[pairs(0, 0, &ring[..5])]), "1");
        assert_eq!(structure(&[6], &graph, &[pairs(0, 0, &[])]), "S6");
        let servers = [Ty::rel(d, e)];
        let equal = [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2)];
        assert_eq!(structure(&[6, 3], &servers, &[pairs(0, 1, &equal)]), "S2 wr S3");
        assert_eq!(structure(&[6, 3], &servers, &[pairs(0, 1, &equal[..4])]), "D4 x S2");
    }
}
