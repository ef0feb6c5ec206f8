//! Permutation flooding: every state counts as itself, and a new one brings all its images along.
//!
//! In: a packed state. Out: the fingerprint of its values; as further keys those of its images under all
//! permutations. Exact and simple; the cost is the order of the group. Baseline and oracle for the others.

use super::group::Group;
use super::vector::{Places, Vector};
use super::{Basis, Context, Count, Guarantee, Reducer};
use crate::diagnostic::{Code, Diagnostic};
use std::ops::ControlFlow;

/// More permutations than this are not tried on every state.
pub(super) const MOST_PERMUTATIONS: u64 = 50_000_000;

/// The flooding reducer.
pub struct Flood {
    context: Context,
    places: Places,
}

impl Flood {
    /// A reducer for one run.
    ///
    /// # Errors
    /// The group is too large to go through.
    pub fn new(context: &Context) -> Result<Self, Diagnostic> {
        let order = context.group().order();
        if *order > Count::from(MOST_PERMUTATIONS) {
            let text = format!("flooding would store up to {order} permutations of every state");
            return Err(Diagnostic::without_place(Code::BadOption, text)
                .with_help("use `--symmetry exact`, or smaller sets"));
        }
        Ok(Self { context: context.clone(), places: Places::new(context) })
    }

    fn group(&self) -> &Group {
        self.context.group()
    }

    fn flood(&self, vector: &Vector, f: &mut dyn FnMut(u128)) {
        let mut first = true;
        // Millions of images may come of one state: a search that is to stop does not wait for them, and then counts
        // nothing that follows.
        let interrupt = &self.context.world.interrupt;
        let _stopped_or_not = self.group().each(&mut |images| {
            if !std::mem::replace(&mut first, false) {
                f(vector.permuted(&self.group().permutation(images)).fingerprint(&self.places));
            }
            if interrupt.raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
}

impl Reducer for Flood {
    fn key(&self, state: &[u64]) -> u128 {
        Vector::of_state(&self.context, state).fingerprint(&self.places)
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        Vector::of_valuation(&self.context, valuation).fingerprint(&self.places)
    }

    fn floods(&self) -> bool {
        true
    }

    fn further_keys(&self, state: &[u64], f: &mut dyn FnMut(u128)) {
        self.flood(&Vector::of_state(&self.context, state), f);
    }

    fn further_valuation_keys(&self, valuation: u32, f: &mut dyn FnMut(u128)) {
        self.flood(&Vector::of_valuation(&self.context, valuation), f);
    }

    fn basis(&self) -> Basis {
        Basis::Enumeration
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }
}
