//! Orbits and twins: how many states one representative stands for, and which of its elements can be exchanged.
//!
//! In: facts. Out: the order of the group divided by the order of the stabiliser, how names were found, classes of
//! twins. Points outside the core are exchangeable exactly if their colours are equal. Inside it, twins and linked
//! cells give full symmetric groups; for the rest the stabiliser is taken apart along the points that the search has
//! singled out, each contributing the size of its orbit under what fixes the points before it.

use super::Count;
use super::colour::Colouring;
use super::core::Core;
use super::group::Group;
use super::search::search_core;
use super::settle::{Way, settle};
use super::twins::Incidence;

/// Takes the points of a class of twins, ascending: at least two, in any permutation of which the facts are the same.
pub(super) type Class<'a> = &'a mut dyn FnMut(&[u32]);

/// The size of the orbit of facts with these colours of all points; no way is needed without a core. Some classes of
/// twins go to `class`, none of which has a point of another.
pub(super) fn size(core: &Core, colours: &[u128], group: &Group, class: Class<'_>) -> (Count, Option<Way>) {
    let (stabiliser, way) = stabiliser(core, colours, group, class);
    (group.order().clone() / &stabiliser, way)
}

/// The number of permutations of the points that leave facts and colours as they are.
pub(super) fn stabiliser(
    core: &Core,
    colours: &[u128],
    group: &Group,
    class: Class<'_>,
) -> (Count, Option<Way>) {
    let outside = (0u32..).zip(colours).filter(|(p, _)| core.points.binary_search(p).is_err());
    let mut outside: Vec<(u128, u32)> = outside.map(|(p, &c)| (c, p)).collect();
    outside.sort_unstable();
    let mut free = Count::ONE;
    let mut points = Vec::new();
    for twins in outside.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() > 1) {
        points.clear();
        points.extend(twins.iter().map(|(_, p)| *p));
        class(&points);
        free = free * &group.factorial(twins.len());
    }
    if core.len() == 0 {
        return (free, None);
    }
    // In the core points have numbers of its own.
    let (inside, way) = automorphisms(core, group, &mut |cell| {
        points.clear();
        points.extend(cell.iter().filter_map(|&p| core.points.get(p as usize)));
        points.sort_unstable();
        class(&points);
    });
    (free * &inside, Some(way))
}

/// The number of automorphisms of a core.
fn automorphisms(core: &Core, group: &Group, class: Class<'_>) -> (Count, Way) {
    let mut colouring = Colouring::of(core);
    if colouring.is_discrete() {
        return (Count::ONE, Way::Discrete);
    }
    let incidence = Incidence::of(core);
    if let Some(settled) = if_settled(core, &incidence, &colouring, group, class) {
        return settled;
    }
    let found = search_core(core, &incidence, &colouring);
    let mut order = Count::ONE;
    for (i, &p) in found.prefix().iter().enumerate() {
        let before = found.prefix().get(..i).unwrap_or_default();
        order = order * &Count::from(found.orbit_size(p, before, &colouring));
        colouring = colouring.singled_out(p, core);
    }
    // Twins of what has points singled out are twins, too, but need not be all.
    let rest = if_settled(core, &incidence, &colouring, group, &mut |_| {});
    (order * &rest.map_or(Count::ONE, |(n, _)| n), Way::Search)
}

/// The number of automorphisms that keep the cells, if nothing has to be searched.
fn if_settled(
    core: &Core,
    incidence: &Incidence,
    colouring: &Colouring,
    group: &Group,
    class: Class<'_>,
) -> Option<(Count, Way)> {
    let settled = settle(core, incidence, colouring)?;
    let free = colouring.cells().filter(|c| c.len() > 1 && !settled.bound.contains(&c.start));
    free.for_each(|cell| class(colouring.cell(cell)));
    let all: Count =
        colouring.cells().map(|c| c.len()).filter(|n| *n > 1).map(|n| group.factorial(n)).product();
    // Linked cells move together: all but one of each group are counted too often.
    let again = settled.linked.into_iter().flat_map(|(cells, size)| (1..cells).map(move |_| size));
    Some((all / &again.map(|n| group.factorial(n)).product(), settled.way))
}
