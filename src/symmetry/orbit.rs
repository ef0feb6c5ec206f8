//! Sizes of orbits: how many states one representative stands for.
//!
//! In: facts. Out: the order of the group divided by the order of the stabiliser, and how names were found. Points outside the core
//! are exchangeable exactly if their colours are equal. Inside it, twins and linked cells give full
//! symmetric groups; for the rest the stabiliser is taken apart along the points that the search has singled
//! out, each contributing the size of its orbit under what fixes the points before it.

use super::colour::Colouring;
use super::core::Core;
use super::group::Group;
use super::search::search_core;
use super::settle::{Way, settle};
use super::twins::Incidence;
use num_bigint::BigUint;

/// The size of the orbit of facts with these colours of all points; no way is needed without a core.
pub(super) fn size(core: &Core, colours: &[u128], group: &Group) -> (BigUint, Option<Way>) {
    let outside = (0u32..).zip(colours).filter(|(p, _)| core.points.binary_search(p).is_err());
    let mut outside: Vec<u128> = outside.map(|(_, &c)| c).collect();
    outside.sort_unstable();
    let free = outside.chunk_by(|a, b| a == b).map(|c| group.factorial(c.len()));
    let free = free.product::<BigUint>();
    if core.len() == 0 {
        return (group.order() / free, None);
    }
    let (inside, way) = automorphisms(core, group);
    (group.order() / (free * inside), Some(way))
}

/// The number of automorphisms of a core.
fn automorphisms(core: &Core, group: &Group) -> (BigUint, Way) {
    let mut colouring = Colouring::of(core);
    if colouring.is_discrete() {
        return (BigUint::from(1u32), Way::Discrete);
    }
    let incidence = Incidence::of(core);
    if let Some(settled) = if_settled(core, &incidence, &colouring, group) {
        return settled;
    }
    let found = search_core(core, &incidence, &colouring);
    let mut order = BigUint::from(1u32);
    for (i, &p) in found.prefix().iter().enumerate() {
        let before = found.prefix().get(..i).unwrap_or_default();
        order *= found.orbit_size(p, before, &colouring);
        colouring = colouring.singled_out(p, core);
    }
    let rest = if_settled(core, &incidence, &colouring, group);
    (order * rest.map_or_else(|| BigUint::from(1u32), |(n, _)| n), Way::Search)
}

/// The number of automorphisms that keep the cells, if nothing has to be searched.
fn if_settled(
    core: &Core,
    incidence: &Incidence,
    colouring: &Colouring,
    group: &Group,
) -> Option<(BigUint, Way)> {
    let settled = settle(core, incidence, colouring)?;
    let all: BigUint = colouring.cells().filter(|c| c.len() > 1).map(|c| group.factorial(c.len())).product();
    // Linked cells move together: all but one of each group are counted too often.
    let again = settled.linked.into_iter().flat_map(|(cells, size)| (1..cells).map(move |_| size));
    let again: BigUint = again.map(|size| group.factorial(size)).product();
    Some((all / again, settled.way))
}
