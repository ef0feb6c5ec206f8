//! The first two nodes that a coarse reduction takes for one and an exact one does not.
//!
//! In: a `System`, both reducers, an interrupt. Out: the [`Pair`], in breadth-first order of the exact
//! reduction's nodes, so none is missed. States are kept in memory: this is for small sizes.

use crate::model::{Steps, System};
use crate::ops::Interrupt;
use crate::symmetry::Reducer;
use std::collections::{HashMap, HashSet};

/// Two nodes with one coarse key and two exact keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pair {
    /// Valuations of the constants, by number.
    Valuations(u32, u32),
    /// Packed states.
    States(Box<[u64]>, Box<[u64]>),
}

/// The first collision; `None` if there is none or the interrupt was raised.
pub fn first(
    system: &dyn System,
    coarse: &dyn Reducer,
    exact: &dyn Reducer,
    interrupt: &Interrupt,
) -> Option<Pair> {
    let mut valuations = Vec::new();
    // A fault in PROPERTIES leaves what was found before it.
    let _ = system.valuations(&mut |v| {
        valuations.push(v);
        !interrupt.raised()
    });
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    let mut by_coarse: HashMap<u128, u32> = HashMap::new();
    for v in valuations {
        if !system.has_setup() {
            kept.push(v);
        } else if seen.insert(exact.valuation_key(v)) {
            exact.further_valuation_keys(v, &mut |k| {
                seen.insert(k);
            });
            if let Some(other) = by_coarse.insert(coarse.valuation_key(v), v) {
                return Some(Pair::Valuations(other, v));
            }
            kept.push(v);
        }
    }
    states(system, coarse, exact, interrupt, &kept, seen)
}

fn states(
    system: &dyn System,
    coarse: &dyn Reducer,
    exact: &dyn Reducer,
    interrupt: &Interrupt,
    valuations: &[u32],
    mut seen: HashSet<u128>,
) -> Option<Pair> {
    let mut queue: Vec<Box<[u64]>> = Vec::new();
    let mut by_coarse: HashMap<u128, usize> = HashMap::new();
    let mut steps = Steps::default();
    let mut next = 0;
    let mut roots = valuations.iter();
    loop {
        steps.clear();
        if let Some(&v) = roots.next() {
            system.initial(v, &mut steps);
        } else if let Some(state) = queue.get(next) {
            system.successors(state, &mut steps);
            next += 1;
        } else {
            return None;
        }
        for target in steps.targets.chunks(system.width()) {
            if interrupt.raised() {
                return None;
            }
            if seen.insert(exact.key(target)) {
                exact.further_keys(target, &mut |k| {
                    seen.insert(k);
                });
                if let Some(other) = by_coarse.insert(coarse.key(target), queue.len()) {
                    return Some(Pair::States(queue.get(other)?.clone(), target.into()));
                }
                queue.push(target.into());
            }
        }
    }
}
