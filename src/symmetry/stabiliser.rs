//! What the constants leave of the group, for those who want to read it.
//!
//! In: a valuation of the constants. Out: the order of its stabiliser, its structure, generators as cycles of elements, and
//! what `exact` makes of it. Deliberately absent: names of elements, and how all that is found (`residual`).

use super::exact::{Exact, Keys};
use super::group::structure::Structure;
use super::{Context, Count};
use crate::ty::SetId;

/// The structure of groups on more elements is not looked for.
pub const MOST: usize = 48;

/// What a valuation leaves.
#[derive(Clone, Debug)]
pub struct Stabiliser {
    /// The number of permutations.
    pub order: Count,
    /// What kind of group it is; `None` if it moves more than [`MOST`] elements.
    pub structure: Option<Structure>,
    /// Permutations that generate it, each as cycles of elements.
    pub generators: Vec<Vec<Vec<(SetId, u32)>>>,
    /// How keys of states are made under it.
    pub keys: Keys,
}

/// The stabiliser of a valuation; `None` if two hashes collide.
#[must_use]
pub fn of(context: &Context, valuation: u32) -> Option<Stabiliser> {
    let exact = Exact::new(context);
    let (facts, colours) = exact.about(valuation);
    let (chain, generators) = super::residual::stabiliser(context, valuation, &facts, &colours)?;
    let element = |p: &u32| context.group().points().get(*p as usize).copied();
    let moved = (0u32..).take(colours.len()).filter(|p| generators.iter().any(|g| g.image(*p) != *p)).count();
    let cycles =
        |cycles: Vec<Vec<u32>>| cycles.iter().map(|c| c.iter().filter_map(element).collect()).collect();
    Some(Stabiliser {
        order: chain.order(),
        structure: (moved <= MOST).then(|| Structure::of(&chain)),
        generators: generators.iter().map(|g| cycles(g.cycles())).collect(),
        keys: exact.keys_under(valuation),
    })
}
