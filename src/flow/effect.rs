//! What a substitution assigns: places, each with where it is assigned first and whether every path assigns it.

use crate::ir::Place;
use crate::source::Span;
use std::collections::BTreeMap;

/// How a place is assigned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assigned {
    /// Where, for the first time in the text.
    pub(super) at: Span,
    /// Whether on every path that comes to an end.
    pub(super) surely: bool,
}

/// The places that a substitution assigns.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect(pub(super) BTreeMap<Place, Assigned>);

impl Effect {
    /// The effect of one substitution after, or beside, another.
    pub(super) fn add(&mut self, more: Effect) {
        for (place, new) in more.0 {
            self.0.entry(place).and_modify(|old| old.surely |= new.surely).or_insert(new);
        }
    }

    /// The effect of one of several substitutions, or of none of them.
    pub(super) fn one_of(all: Vec<Effect>, or_none: bool) -> Effect {
        let mut out: BTreeMap<Place, (Assigned, usize)> = BTreeMap::new();
        let number = all.len();
        for (place, new) in all.into_iter().flat_map(|e| e.0) {
            let (_, times) = out.entry(place).or_insert((new, 0));
            *times += usize::from(new.surely);
        }
        let sure = |times| !or_none && times == number;
        let known =
            |(place, (a, times)): (Place, (Assigned, usize))| (place, Assigned { surely: sure(times), ..a });
        Effect(out.into_iter().map(known).collect())
    }

    /// The same places, none of them on every path.
    pub(super) fn perhaps(self) -> Effect {
        Effect::one_of(vec![self], true)
    }
}
