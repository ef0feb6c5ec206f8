//! The exact reducer: one key per orbit, at the price of a marker wherever possible.
//!
//! In: a packed state. Out: a hash of its facts (`facts`) under canonical names (`search`). Facts about
//! single points make their colours; points without other facts count as a multiset of colours, which needs
//! no names. Only the others go through refinement and, where that does not decide, through the search. So
//! states without facts about several points cost what their marker costs.
//!
//! Every way gives a complete invariant (symmetry.md 4.1): equal keys mean symmetric states, up to a
//! collision of 128-bit hashes.

use super::core::Core;
use super::facts::Facts;
use super::search::{Way, canonical};
use super::vector::{Places, Vector};
use super::{Context, Guarantee, Reducer, mix};
use std::sync::atomic::{AtomicU64, Ordering};

/// The exact reducer.
pub struct Exact {
    context: Context,
    places: Places,
    /// A hash of its set for each point.
    first: Vec<u128>,
    counts: Counts,
}

/// How many keys went which way.
#[derive(Default)]
struct Counts {
    discrete: AtomicU64,
    twins: AtomicU64,
    search: AtomicU64,
}

impl Exact {
    /// A reducer for one run.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        let first = context.group().points().iter().map(|(s, _)| mix::mix(u128::from(s.0))).collect();
        Self { context: context.clone(), places: Places::new(context), first, counts: Counts::default() }
    }

    fn hash(&self, vector: &Vector) -> u128 {
        let facts = Facts::of(vector, &self.places, self.context.group());
        mix::pair(vector.tag(), self.facts_hash(&facts))
    }

    /// The hash of facts under canonical names.
    fn facts_hash(&self, facts: &Facts) -> u128 {
        let colours: Vec<u128> =
            facts.colours.iter().zip(&self.first).map(|(&c, &f)| mix::pair(c, f)).collect();
        // Points of the core are counted, too: their colours are part of it, and the sum stays a function of
        // the orbit.
        let sum = colours.iter().fold(facts.fixed, |h, &c| h.wrapping_add(c));
        if facts.edges.is_empty() && facts.wide.is_empty() {
            return mix::mix(sum);
        }
        let (hash, way) = canonical(&Core::of(facts, &colours));
        self.counts.of(way).fetch_add(1, Ordering::Relaxed);
        mix::pair(hash, sum)
    }
}

impl Counts {
    fn of(&self, way: Way) -> &AtomicU64 {
        match way {
            Way::Discrete => &self.discrete,
            Way::Twins => &self.twins,
            Way::Search => &self.search,
        }
    }
}

impl Reducer for Exact {
    fn key(&self, state: &[u64]) -> u128 {
        self.hash(&Vector::of_state(&self.context, state))
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        self.hash(&Vector::of_valuation(&self.context, valuation))
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let read = |way| self.counts.of(way).load(Ordering::Relaxed);
        vec![
            ("named by colour", read(Way::Discrete)),
            ("named with twins", read(Way::Twins)),
            ("named by search", read(Way::Search)),
        ]
    }
}
