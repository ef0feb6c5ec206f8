//! Elements of a state that can be exchanged without changing it, and the choices of arguments worth trying.
//!
//! In: classes of *twins* (any permutation inside a class leaves the whole state, constants included, as it is).
//! Out: for a choice of arguments whether it is the one to be tried of all those that such permutations take to
//! each other, and how many they are (symmetry.md 4.3). Equally many edges leave the state under each of
//! them, to targets that are images of each other.
//!
//! Of the arguments that are elements of a given set, in the order of the label, each is tried if it is the same as
//! an earlier one, or the least of its class that is not. The first of a class of `n` thus stands for `n` choices, a
//! different second one for `n - 1`. Arguments of other types are tried in full: whatever they are, as many belong to
//! each of the images.
//!
//! An operation without label chooses by its outermost ANY. Choices of its variables are left out in the same way, but
//! what is left does not tell how many edges it stands for: two choices may lead to one state. Such edges weigh
//! [`UNWEIGHED`] until somebody has counted the images of their targets.

use crate::ir::{Local, LocalId, Machine, Operation, Subst, SubstKind};
use crate::ops::World;
use crate::ty::{SetId, Ty};
use crate::value::Value;
use std::sync::Arc;

/// Classes of twins, in words that compiled code reads too: see [`Twins::room`].
#[derive(Clone, Debug)]
pub struct Twins {
    /// By given set, where the words of its elements begin and how many they are.
    rooms: Arc<[Option<(u32, u32)>]>,
    words: Vec<u64>,
}

/// The weight of an edge that stands for as many as its target has images under permutations of twins. Of several
/// edges with such images of one target the first one is to weigh all of them, the others nothing.
pub const UNWEIGHED: u64 = u64::MAX;

/// The word of an element that is no one's twin: none before it in its class, one left.
const ALONE: u64 = 1;

impl Twins {
    /// Room for classes of those sets whose elements are arguments of operations; `None` if there are none.
    #[must_use]
    pub fn of(machine: &Machine, world: &World) -> Option<Self> {
        let offered = machine.operations.iter().filter(|o| o.offered.is_some());
        Self::for_sets(offered.flat_map(element_choices).map(|(_, set)| set), world)
    }

    /// Room for classes of these sets; `None` if none has several elements.
    pub fn for_sets(sets: impl IntoIterator<Item = SetId>, world: &World) -> Option<Self> {
        let mut rooms = vec![None; world.card.len()];
        let mut end = 0u32;
        for set in sets {
            let (Some(room), Some(&card)) =
                (rooms.get_mut(usize::from(set.0)), world.card.get(usize::from(set.0)))
            else {
                continue;
            };
            if room.is_none() && card > 1 {
                *room = Some((end, card));
                end = end.checked_add(card)?;
            }
        }
        (end > 0).then(|| Self { rooms: rooms.into(), words: vec![ALONE; end as usize] })
    }

    /// Where in [`Twins::words`] the words of a set's elements begin, and how many they are. A word has in its
    /// upper half the number of the element before it in its class, plus one (0 for the first), and in its lower
    /// half how many of the class come from it on.
    #[must_use]
    pub fn room(&self, set: SetId) -> Option<(u32, u32)> {
        self.rooms.get(usize::from(set.0)).copied().flatten()
    }

    /// The words of all rooms.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Forgets all classes.
    pub fn clear(&mut self) {
        self.words.fill(ALONE);
    }

    /// Adds a class, its elements ascending; whether that makes a difference to arguments.
    pub fn class(&mut self, set: SetId, elements: impl ExactSizeIterator<Item = u32>) -> bool {
        let mut left = elements.len() as u64;
        let Some((start, len)) = self.room(set).filter(|_| left > 1) else { return false };
        let Some(words) = self.words.get_mut(start as usize..).and_then(|w| w.get_mut(..len as usize)) else {
            return false;
        };
        let mut before = 0u64;
        for e in elements {
            if let Some(word) = words.get_mut(e as usize) {
                *word = before << 32 | left;
            }
            (before, left) = (u64::from(e) + 1, left.saturating_sub(1));
        }
        true
    }

    /// How many choices these stand for, elements of given sets in the order of the label: 0 if another one is tried
    /// for them.
    #[must_use]
    pub fn weight(&self, chosen: &[(SetId, u32)]) -> u64 {
        let mut weight = 1u64;
        for (i, &(set, e)) in chosen.iter().enumerate() {
            let earlier = |e: u32| chosen.iter().take(i).any(|&c| c == (set, e));
            let word = self.room(set).and_then(|(start, _)| self.words.get((start + e) as usize));
            let word = word.copied().unwrap_or(ALONE);
            if earlier(e) {
                continue;
            }
            match u32::try_from(word >> 32).unwrap_or(u32::MAX).checked_sub(1) {
                Some(before) if !earlier(before) => return 0,
                _ => weight = weight.saturating_mul(word & u64::from(u32::MAX)),
            }
        }
        weight
    }

    /// As [`Twins::weight`], for the arguments of an operation's label, as many as there are yet.
    #[must_use]
    pub fn weight_of(&self, arguments: &[Value]) -> u64 {
        let element = |v: &Value| if let Value::Elem(set, e) = v { Some((*set, *e)) } else { None };
        self.weight(&arguments.iter().filter_map(element).collect::<Vec<_>>())
    }

    /// The least element of the class of an element; itself if it is no one's twin.
    #[must_use]
    pub fn least(&self, set: SetId, element: u32) -> u32 {
        let before = |e: u32| {
            let (start, _) = self.room(set)?;
            let word = *self.words.get(start as usize + e as usize)?;
            u32::try_from(word >> 32).ok()?.checked_sub(1)
        };
        std::iter::successors(Some(element), |&e| before(e)).last().unwrap_or(element)
    }
}

/// The variables that make up an operation's label before its results: its parameters, then the shown variables of its
/// outermost ANY.
pub fn arguments(op: &Operation) -> impl Iterator<Item = &Local> {
    let bound = match op.offered.as_ref().map(|s| &s.kind) {
        Some(SubstKind::Any(b, _)) => b.vars.as_slice(),
        _ => &[],
    };
    op.params.iter().chain(op.shown.iter().filter_map(|id| bound.iter().find(|v| v.id == *id)))
}

/// The variables of the outermost ANY of an operation that do not stand in its label.
pub fn chosen(op: &Operation) -> impl Iterator<Item = &Local> {
    let bound = match op.offered.as_ref().map(|s| &s.kind) {
        Some(SubstKind::Any(b, _)) => b.vars.as_slice(),
        _ => &[],
    };
    bound.iter().filter(|v| !op.shown.contains(&v.id))
}

/// The variables that an operation gives values to before it does anything else, as far as they are elements of given
/// sets, in order: the arguments of its label, or the variables of its outermost ANY.
pub fn element_choices(op: &Operation) -> impl Iterator<Item = (LocalId, SetId)> {
    arguments(op).chain(unlabelled(op)).filter_map(element)
}

fn element(l: &Local) -> Option<(LocalId, SetId)> {
    if let Ty::Given(set) = l.ty { Some((l.id, set)) } else { None }
}

/// Whether edges of an operation are told apart by their targets alone, and choices of elements lead to them.
#[must_use]
pub fn by_target(op: &Operation) -> bool {
    unlabelled(op).iter().any(|l| element(l).is_some())
}

/// The variables of the outermost ANY of an operation without label.
fn unlabelled(op: &Operation) -> &[Local] {
    let labelled = !(op.params.is_empty() && op.shown.is_empty() && op.results.is_empty());
    op.offered.as_ref().filter(|_| !labelled).map_or(&[], outermost)
}

/// The variables of the outermost ANY, if nothing but a guard stands around it.
fn outermost(s: &Subst) -> &[Local] {
    match &s.kind {
        SubstKind::Any(b, _) => &b.vars,
        SubstKind::Select(branches, None) => match branches.as_slice() {
            [(_, s)] => outermost(s),
            _ => &[],
        },
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: SetId = SetId(0);
    const T: SetId = SetId(1);

    fn twins() -> Twins {
        let rooms: Vec<Option<(u32, u32)>> = vec![Some((0, 4)), Some((4, 3))];
        let mut twins = Twins { rooms: rooms.into(), words: vec![ALONE; 7] };
        assert!(twins.class(S, [0, 2, 3].into_iter()));
        assert!(twins.class(T, [1, 2].into_iter()));
        assert!(!twins.class(T, [0].into_iter()));
        twins
    }

    #[test]
    fn one_choice_stands_for_its_images() {
        let twins = twins();
        assert_eq!(twins.weight(&[(S, 0)]), 3);
        assert_eq!(twins.weight(&[(S, 2)]), 0);
        assert_eq!(twins.weight(&[(S, 1)]), 1);
        assert_eq!(twins.weight(&[(S, 0), (S, 0)]), 3);
        assert_eq!(twins.weight(&[(S, 0), (S, 2)]), 6);
        assert_eq!(twins.weight(&[(S, 0), (S, 3)]), 0);
        assert_eq!(twins.weight(&[(S, 0), (T, 1), (S, 2), (T, 0)]), 12);
    }

    /// Weights of all choices that are tried add up to the number of all choices, and every choice has one
    /// that is tried among its images.
    #[test]
    fn weights_add_up() {
        let twins = twins();
        for sets in [vec![S], vec![S, S], vec![S, T, S], vec![S, S, S, S], vec![T, T, S]] {
            let size = |s: &SetId| if *s == S { 4u32 } else { 3 };
            let all: u64 = sets.iter().map(|s| u64::from(size(s))).product();
            let mut sum = 0;
            for number in 0..all {
                let mut rest = number;
                let mut chosen = Vec::new();
                for s in &sets {
                    chosen.push((*s, u32::try_from(rest % u64::from(size(s))).unwrap_or(0)));
                    rest /= u64::from(size(s));
                }
                sum += twins.weight(&chosen);
            }
            assert_eq!(sum, all, "{sets:?}");
        }
    }
}
