//! What was not looked at: values of infinite types beyond those that were tried.
//!
//! In: the variable, its place, the values that were tried. Out: a [`Cut`], which travels in a fault (a truth value or a value
//! that is not known because of it) or stands in a list ([`Cuts`]) of what the verdict does not cover.

use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Values that were tried of a variable that has more.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
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

/// What is noted during a run.
#[derive(Debug, Default)]
struct Noted {
    cuts: BTreeMap<Span, Cut>,
    voids: BTreeSet<Span>,
    recursions: BTreeMap<Span, Arc<str>>,
}

/// The cuts of a run, by place: what its verdict does not cover; the guards that had no value; and the constants whose recursion
/// may not end. Shared by all copies of a world.
#[derive(Clone, Debug, Default)]
pub struct Cuts(Arc<Mutex<Noted>>);

impl Cuts {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a cut; of several at one place the ends of all are kept, so that their order makes no difference.
    pub fn note(&self, cut: &Cut) {
        let mut noted = self.noted();
        let known = noted.cuts.entry(cut.at).or_insert_with(|| cut.clone());
        known.range = known.range.zip(cut.range).map(|((a, b), (c, d))| (a.min(c), b.max(d)));
    }

    /// Adds a guard that had no value and counted as false.
    pub fn note_void(&self, at: Span) {
        self.noted().voids.insert(at);
    }

    /// Adds a constant that is defined by a recursion of which it is not known that it ends for every argument.
    pub fn note_recursion(&self, at: Span, name: &Arc<str>) {
        self.noted().recursions.insert(at, name.clone());
    }

    /// Adds all that was noted elsewhere.
    pub fn note_all(&self, other: &Self) {
        other.all().iter().for_each(|cut| self.note(cut));
        other.voids().iter().for_each(|at| self.note_void(*at));
        other.recursions().iter().for_each(|(at, name)| self.note_recursion(*at, name));
    }

    /// The constants whose recursion may not end, by place.
    #[must_use]
    pub fn recursions(&self) -> Vec<(Span, Arc<str>)> {
        self.noted().recursions.iter().map(|(at, name)| (*at, name.clone())).collect()
    }

    /// The guards that had no value, where nothing was chosen, by place.
    #[must_use]
    pub fn voids(&self) -> Vec<Span> {
        self.noted().voids.iter().copied().collect()
    }

    /// Whether no cut has been noted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.noted().cuts.is_empty()
    }

    /// How many places have been noted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.noted().cuts.len()
    }

    /// Everything noted, by place.
    #[must_use]
    pub fn all(&self) -> Vec<Cut> {
        self.noted().cuts.values().cloned().collect()
    }
}
