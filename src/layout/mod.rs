//! Layouts: how the values of a type are packed into the words of a state.
//!
//! In: types, the sizes of given sets and, where known, the integers that occur ([`Hull`]). Out: for each
//! variable a [`Layout`], chosen once, such that equal values have equal words by construction, and a
//! [`StateLayout`] with fixed offsets. What has no dense layout is a word that indexes the [`Pool`] of
//! shared values. Siblings: `dense` (the numbering of dense types), `hull`, `lanes`, `pool`, `rows`, `state`.

pub mod dense;
pub mod hull;
pub mod lanes;
pub mod pool;
pub mod rows;
pub mod state;

pub use dense::{DENSE_LIMIT, Dense, DenseKind};
pub use hull::Hull;
pub use lanes::{Lane, Lanes};
pub use pool::Pool;
pub use rows::Rows;
pub use state::{Field, Misfit, StateLayout, Words};

use crate::ops::World;
use crate::ty::Ty;

/// Integers farther apart than this have words of their own: to leave a range costs a run, and little would be gained.
const WIDE: u64 = 1 << 48;

/// Most possible members of a set with a bit for each. With 64 * 64 of which few are there, a step of compiled code takes a fourth of the
/// plain evaluator's, and a state as much memory; with four times as many, neither is less.
pub const MOST_BITS: u32 = 4096;

/// Most possible pairs for which a function is a set with a bit for each: with more, an application is faster with lanes.
pub const MOST_PAIRS: u32 = 1024;

/// How the values of a variable are packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Layout {
    /// An index into a dense type, in as many bits as it needs.
    Index(Dense),
    /// A set over a dense type: one bit for each of its values, from bit 0 of the first word on.
    Bits(Dense),
    /// A function to sets, a row for each argument.
    Rows(Rows),
    /// A function with many possible pairs, a lane for each argument.
    Lanes(Lanes),
    /// An integer between these two, which are too far apart to be dense: its distance from the first, in as many bits
    /// as that of the second needs.
    Span(i64, i64),
    /// One word: an integer below 2^61 in absolute value, doubled plus one, or a pool number, doubled.
    Int,
    /// One word: a pool number.
    Shared,
}

impl Layout {
    /// The layout of a type in a world, for values within a hull.
    #[must_use]
    pub fn of(ty: &Ty, hull: &Hull, world: &World) -> Layout {
        if let Ty::Pow(t) = ty {
            let bits = Dense::of(t, hull.member(), world);
            // One word is never too long.
            if matches!(hull, Hull::Fun(_))
                && bits.as_ref().is_none_or(|d| d.size > 64)
                && let Some(rows) = Rows::of(t, hull.member(), world)
            {
                return Layout::Rows(rows);
            }
            if matches!(hull, Hull::Fun(_))
                && bits.as_ref().is_none_or(|d| d.size > MOST_PAIRS)
                && let Some(lanes) = Lanes::of(t, hull.member(), world)
            {
                return Layout::Lanes(lanes);
            }
            return bits.map_or(Layout::Shared, Layout::Bits);
        }
        match Dense::of(ty, hull, world) {
            Some(d) => Layout::Index(d),
            None if *ty == Ty::Int => match hull {
                Hull::Int(lo, hi) if lo <= hi && hi.abs_diff(*lo) < WIDE => Layout::Span(*lo, *hi),
                _ => Layout::Int,
            },
            None => Layout::Shared,
        }
    }

    /// Number of words this layout reaches into, at least one.
    #[must_use]
    pub fn words(&self) -> usize {
        self.bits().div_ceil(u64::BITS).max(1) as usize
    }

    /// Number of bits this layout takes.
    #[must_use]
    pub fn bits(&self) -> u32 {
        match self {
            Layout::Index(d) => u32::BITS - d.size.saturating_sub(1).leading_zeros(),
            Layout::Span(lo, hi) => u64::BITS - hi.abs_diff(*lo).leading_zeros(),
            Layout::Bits(d) => d.size,
            Layout::Rows(r) => r.bits(),
            Layout::Lanes(l) => l.words() * u64::BITS,
            Layout::Int | Layout::Shared => 64,
        }
    }
}
