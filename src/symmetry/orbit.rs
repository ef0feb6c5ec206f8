//! Sizes of orbits: how many states one representative stands for.
//!
//! In: facts. Out: the order of the group divided by the order of the stabiliser. Points outside the core
//! are exchangeable exactly if their colours are equal. Inside it, twins give full symmetric groups; for
//! the rest the stabiliser is taken apart point by point: the orbit of a point has those points of its cell
//! that, singled out, give the same canonical hash.

use super::colour::Colouring;
use super::core::Core;
use super::group::{Group, factorial};
use super::search::canonical;
use super::settle::settle;
use super::twins::{Incidence, all_twins};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The size of the orbit of facts with these colours of all points.
pub(super) fn size(core: &Core, colours: &[u128], group: &Group) -> BigUint {
    let mut outside: BTreeMap<u128, usize> = BTreeMap::new();
    for (p, &c) in (0u32..).zip(colours) {
        if core.points.binary_search(&p).is_err() {
            *outside.entry(c).or_default() += 1;
        }
    }
    let free: BigUint = outside.values().map(|&n| factorial(n)).product();
    group.order() / (free * automorphisms(core.clone()))
}

/// The number of automorphisms of a core.
fn automorphisms(mut core: Core) -> BigUint {
    let mut order = BigUint::from(1u32);
    for nth in 0.. {
        let colouring = Colouring::of(&core);
        let incidence = Incidence::of(&core);
        if let Some(settled) = settle(&core, &incidence, &colouring) {
            order *= colouring.cells().map(|c| factorial(c.len())).product::<BigUint>();
            for (cells, size) in settled.linked {
                order /= (1..cells).map(|_| factorial(size)).product::<BigUint>();
            }
            break;
        }
        // Not settled, so some cell has several points, and they are not twins.
        let cell = colouring.cells().map(|c| colouring.cell(c)).find(|c| !all_twins(&core, &incidence, c));
        let cell = cell.unwrap_or_default();
        let hashes: Vec<u128> = cell.iter().map(|&p| canonical(&core.singled_out(p, nth)).0).collect();
        order *= hashes.iter().filter(|h| Some(*h) == hashes.first()).count();
        core = cell.first().map_or_else(Core::default, |&p| core.singled_out(p, nth));
    }
    order
}
