//! Sizes of orbits: how many states one representative stands for.
//!
//! In: facts. Out: the order of the group divided by the order of the stabiliser. Points outside the core
//! are exchangeable exactly if their colours are equal. Inside it, twins and linked cells give full
//! symmetric groups; for the rest the stabiliser is taken apart along the points that the search has singled
//! out, each contributing the size of its orbit under what fixes the points before it.

use super::colour::Colouring;
use super::core::Core;
use super::group::Group;
use super::search::search_core;
use super::settle::settle;
use super::twins::Incidence;
use num_bigint::BigUint;

/// The size of the orbit of facts with these colours of all points.
pub(super) fn size(core: &Core, colours: &[u128], group: &Group) -> BigUint {
    let outside = (0u32..).zip(colours).filter(|(p, _)| core.points.binary_search(p).is_err());
    let mut outside: Vec<u128> = outside.map(|(_, &c)| c).collect();
    outside.sort_unstable();
    let free = outside.chunk_by(|a, b| a == b).map(|c| group.factorial(c.len()));
    let stabiliser: BigUint = free.product::<BigUint>() * automorphisms(core, group);
    group.order() / stabiliser
}

/// The number of automorphisms of a core.
fn automorphisms(core: &Core, group: &Group) -> BigUint {
    if core.len() == 0 {
        return BigUint::from(1u32);
    }
    let mut colouring = Colouring::of(core);
    let incidence = Incidence::of(core);
    if let Some(order) = if_settled(core, &incidence, &colouring, group) {
        return order;
    }
    let found = search_core(core, &incidence, &colouring);
    let mut order = BigUint::from(1u32);
    for (i, &p) in found.prefix().iter().enumerate() {
        let before = found.prefix().get(..i).unwrap_or_default();
        order *= found.orbit_size(p, before, &colouring);
        colouring = colouring.singled_out(p, core);
    }
    order * if_settled(core, &incidence, &colouring, group).unwrap_or_else(|| BigUint::from(1u32))
}

/// The number of automorphisms that keep the cells, if nothing has to be searched.
fn if_settled(core: &Core, incidence: &Incidence, colouring: &Colouring, group: &Group) -> Option<BigUint> {
    let settled = settle(core, incidence, colouring)?;
    let all: BigUint = colouring.cells().filter(|c| c.len() > 1).map(|c| group.factorial(c.len())).product();
    // Linked cells move together: all but one of each group are counted too often.
    let again = settled.linked.into_iter().flat_map(|(cells, size)| (1..cells).map(move |_| size));
    let again: BigUint = again.map(|size| group.factorial(size)).product();
    Some(all / again)
}
