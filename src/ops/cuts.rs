//! What was not looked at: values of infinite types beyond those that were tried.
//!
//! In: the variable, its place, the values that were tried. Out: a [`Cut`], which travels in a fault (a truth value or a value
//! that is not known because of it) or stands in a list ([`Cuts`]) of what the verdict does not cover.

use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Values that were tried of a variable that has more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The variable.
    pub what: Arc<str>,
    /// Its declaration.
    pub at: Span,
    /// The integers that were tried, or of which values were made; `None` where it is not a matter of integers.
    pub range: Option<(i64, i64)>,
    /// How many of how many values were tried, where there are too many.
    pub of: Option<Arc<str>>,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(of) = &self.of {
            return write!(f, "{of} values of `{}` were tried", self.what);
        }
        match self.range {
            Some((from, to)) => write!(f, "`{}` was tried from {from} to {to} only", self.what),
            None => write!(f, "not all values of `{}` were tried", self.what),
        }
    }
}

/// The cuts of a run, by place: what its verdict does not cover; and the guards that had no value. Shared by all copies of a world.
#[derive(Clone, Debug, Default)]
pub struct Cuts(Arc<Mutex<BTreeMap<Span, Cut>>>, Arc<Mutex<BTreeSet<Span>>>);

impl Cuts {
    /// Adds a cut; of several at one place the ends of all are kept, so that their order makes no difference.
    pub fn note(&self, cut: &Cut) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.entry(cut.at).or_insert_with(|| cut.clone());
        known.range = known.range.zip(cut.range).map(|((a, b), (c, d))| (a.min(c), b.max(d)));
    }

    /// Adds a guard that had no value and counted as false.
    pub fn note_void(&self, at: Span) {
        self.1.lock().unwrap_or_else(PoisonError::into_inner).insert(at);
    }

    /// The guards that had no value, where nothing was chosen, by place.
    #[must_use]
    pub fn voids(&self) -> Vec<Span> {
        self.1.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    /// Whether no cut has been noted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// How many places have been noted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Everything noted, by place.
    #[must_use]
    pub fn all(&self) -> Vec<Cut> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}
