//! The values of variables while compiling.
//!
//! In: values by the number of the variable. Out: the same, and copies that share what they do not change: a machine of
//! 20,000 variables has as many conjuncts and assignments, each with a copy of its own.

use super::shape::Val;
use std::sync::Arc;

/// How many variables are copied together.
const PIECE: usize = 64;

/// Values by number; `None` is unset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    pieces: Arc<Vec<Arc<Vec<Option<Val>>>>>,
    len: usize,
}

impl Slots {
    /// So many, all unset.
    pub(super) fn unset(len: usize) -> Self {
        let piece = Arc::new(vec![None; PIECE.min(len)]);
        Self { pieces: Arc::new(vec![piece; len.div_ceil(PIECE)]), len }
    }

    /// The value of a variable, if there is such a variable.
    pub(crate) fn get(&self, i: usize) -> Option<&Option<Val>> {
        self.pieces.get(i / PIECE)?.get(i % PIECE).filter(|_| i < self.len)
    }

    /// As [`Slots::get`], to be changed.
    pub(crate) fn get_mut(&mut self, i: usize) -> Option<&mut Option<Val>> {
        if i >= self.len {
            return None;
        }
        let piece = Arc::make_mut(&mut self.pieces).get_mut(i / PIECE)?;
        Arc::make_mut(piece).get_mut(i % PIECE)
    }

    /// All values in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Option<Val>> {
        self.pieces.iter().flat_map(|piece| piece.iter()).take(self.len)
    }
}
