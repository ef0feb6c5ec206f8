//! Strategies that store one image of each state: the representative that a way of choosing finds.
//!
//! In: packed states, and the group that their constants leave (`acting`). Out: fingerprints of images. A way of choosing
//! is one file here, after `TopSPIN`, `SymmSpin` and the comparison of both with FDR (whose own way needs no group: `ordered`).
//! What is stored is always an image of the state, so nothing is ever missed; where a way cannot tell that all states of a
//! class get the same one, it says so, and the report does: a class may be stored more than once then. All of them are
//! there to be compared: `exact` needs none.

mod acting;
mod automatic;
mod enumerate;
mod hillclimb;
mod image;
mod minimise;
mod segment;
mod sorted;
#[cfg(test)]
#[allow(clippy::panic, reason = "a failing test says why by panicking")]
mod tests;

use super::cache::{Cache, Known};
use super::exact::Exact;
use super::flood::MOST_PERMUTATIONS;
use super::vector::{Places, Vector};
use super::{Basis, Context, Count, Guarantee, Reducer};
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Interrupt;
use acting::Acting;
use image::Image;
use std::sync::atomic::{AtomicBool, Ordering};

/// A way to choose the image that is stored.
trait Way: Send + Sync {
    /// An image of a state under a group. When it is told to stop, any image will do.
    fn choose(&self, state: Image, group: &Acting, stop: &Interrupt) -> Chosen;

    /// As [`Reducer::memory`] and [`Reducer::recall`].
    fn memory(&self) -> Vec<u64> {
        Vec::new()
    }

    fn recall(&self, _memory: &[u64]) {}

    /// As [`Reducer::counters`].
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// What a way has chosen.
struct Chosen {
    image: Image,
    /// Whether all images of the state would have led to this one.
    unique: bool,
}

/// The reducer of a way.
struct Represented {
    context: Context,
    places: Places,
    about: Exact,
    groups: Cache<Acting>,
    way: Box<dyn Way>,
    several: Several,
}

/// Whether some class may be stored more than once.
#[derive(Debug, Default)]
pub(super) struct Several(AtomicBool);

impl Several {
    /// Takes note of a key, and whether all states of its class have it.
    pub(super) fn noted(&self, (key, unique): (u128, bool)) -> u128 {
        if !unique {
            self.0.store(true, Ordering::Relaxed);
        }
        key
    }

    /// As a word.
    pub(super) fn word(&self) -> u64 {
        self.0.load(Ordering::Relaxed).into()
    }

    /// What such a word says.
    pub(super) fn set(&self, word: u64) {
        self.0.store(word != 0, Ordering::Relaxed);
    }

    /// Why states of one key are symmetric.
    pub(super) fn basis(&self) -> Basis {
        if self.0.load(Ordering::Relaxed) { Basis::Images } else { Basis::Least }
    }
}

/// What makes the reducer of a way.
type Made = Result<Box<dyn Reducer>, Diagnostic>;

/// The least of all images.
///
/// # Errors
/// There are too many, and no constants to leave fewer.
pub(super) fn enumerate(context: &Context) -> Made {
    let order = context.group().order();
    if context.machine.constants.is_empty() && *order > Count::from(MOST_PERMUTATIONS) {
        let text = format!("up to {order} permutations of every state would be tried");
        return Err(Diagnostic::without_place(Code::BadOption, text)
            .with_help("use `--symmetry exact`, or smaller sets"));
    }
    made(context, Box::new(enumerate::Enumerate))
}

/// The least image among those with the least control part.
pub(super) fn segment(context: &Context) -> Made {
    made(context, Box::new(segment::Segment))
}

/// What exchanges do not make less.
pub(super) fn minimise(context: &Context) -> Made {
    made(context, Box::new(minimise::Minimise))
}

/// The first image with sorted controls.
pub(super) fn sorted(context: &Context) -> Made {
    made(context, Box::new(sorted::Sorted))
}

/// The least image that local search comes to.
pub(super) fn hillclimb(context: &Context) -> Made {
    made(context, Box::new(hillclimb::Hillclimb))
}

/// One of these, state by state.
pub(super) fn automatic(context: &Context) -> Made {
    made(context, Box::<automatic::Automatic>::default())
}

fn made(context: &Context, way: Box<dyn Way>) -> Made {
    Ok(Box::new(Represented::new(context, way)))
}

impl Represented {
    fn new(context: &Context, way: Box<dyn Way>) -> Self {
        Self {
            context: context.clone(),
            places: Places::new(context),
            about: Exact::new(context),
            groups: Cache::default(),
            way,
            several: Several::default(),
        }
    }

    fn group(&self, valuation: u32) -> Known<'_, Acting> {
        self.groups.get(valuation, || Acting::new(&self.context, &self.about, valuation))
    }

    /// The key of a state, and whether all states of its class have it.
    fn chosen(&self, state: &[u64]) -> (u128, bool) {
        let valuation = state.first().and_then(|&w| u32::try_from(w).ok()).unwrap_or(0);
        let group = self.group(valuation);
        let vector = group.entered(&Vector::of_state(&self.context, state));
        let (constants, image) = Image::of(vector, &self.places, self.context.group());
        let Chosen { image, unique } = self.way.choose(image, &group, &self.context.world.interrupt);
        let vector = Vector { constants, variables: Some(image.into_values()) };
        (vector.fingerprint(&self.places), unique)
    }
}

impl Reducer for Represented {
    fn key(&self, state: &[u64]) -> u128 {
        self.several.noted(self.chosen(state))
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        self.group(valuation)
            .entered(&Vector::of_valuation(&self.context, valuation))
            .fingerprint(&self.places)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }

    fn basis(&self) -> Basis {
        self.several.basis()
    }

    fn memory(&self) -> Vec<u64> {
        std::iter::once(self.several.word()).chain(self.way.memory()).collect()
    }

    fn recall(&self, memory: &[u64]) {
        if let Some((several, way)) = memory.split_first() {
            self.several.set(*several);
            self.way.recall(way);
        }
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.way.counters()
    }
}
