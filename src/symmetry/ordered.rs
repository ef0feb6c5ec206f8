//! FDR's ordering of components: points are named by what is said of them, ties broken as they come.
//!
//! In: a packed state. Out: a hash of its facts under these names. Colours are refined until they are stable; of the first
//! cell of several points any one is singled out, and so on (Gibson-Robinson and Lowe). Where a cell is not fully symmetric, states
//! of one class may get different names, and be stored more than once; they are never taken for others.

use super::colour::{Colouring, Structure};
use super::core::Core;
use super::exact::Exact;
use super::facts::Facts;
use super::represent::Several;
use super::vector::{Places, STATE, VALUATION, Vector};
use super::{Basis, Context, Guarantee, Reducer, mix};

/// The reducer by ordering.
pub(super) struct Ordered {
    context: Context,
    places: Places,
    about: Exact,
    several: Several,
}

impl Ordered {
    /// A reducer for one run.
    #[must_use]
    pub(super) fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            places: Places::new(context),
            about: Exact::new(context),
            several: Several::default(),
        }
    }

    /// The hash of facts under names, and whether these are the same for the whole class.
    fn named(&self, facts: &Facts) -> (u128, bool) {
        let colours: Vec<u128> = self.about.each_colour(facts).collect();
        let sum = colours.iter().fold(facts.fixed, |h, &c| h.wrapping_add(c));
        let core = Core::of(facts, &colours);
        let mut colouring = Colouring::of(&core);
        let unique = colouring.is_discrete();
        let tied = |c: &Colouring| {
            c.cells().find(|cell| cell.len() > 1).and_then(|cell| c.cell(cell).first().copied())
        };
        while let Some(point) = tied(&colouring) {
            colouring = colouring.singled_out(point, &core);
        }
        (mix::pair(core.named(&colouring.ranks()), sum), unique)
    }

    /// The key of a vector, and whether all of its class have it.
    fn chosen(&self, vector: &Vector) -> (u128, bool) {
        self.named(&Facts::of(vector, &self.places, self.context.group()))
    }
}

impl Reducer for Ordered {
    fn key(&self, state: &[u64]) -> u128 {
        let vector = Vector::of_state(&self.context, state);
        mix::pair(STATE, self.several.noted(self.chosen(&vector)))
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        mix::pair(VALUATION, self.about.valuation_key(valuation))
    }

    fn memory(&self) -> Vec<u64> {
        vec![self.several.word()]
    }

    fn recall(&self, memory: &[u64]) {
        memory.iter().take(1).for_each(|word| self.several.set(*word));
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }

    fn basis(&self) -> Basis {
        self.several.basis()
    }
}
