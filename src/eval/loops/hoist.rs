//! Terms that inner loops need not find again.
//!
//! In: loops whose levels are settled. Out: the same loops, where every part of a test that reads nothing but what outer
//! levels have decided is a place, and the level (or the beginning) that decides it last fills it in. Only parts that have a
//! value in any case: others may stand where they are never asked for. Bounds are left alone: they are found once a turn.

use super::{Level, Loops};
use crate::eval::small::{Term, Test};

/// A place that is filled in with a term.
pub(super) type Made = (usize, Term);

/// Takes the ends of intervals that may have no value (`2**n`) out of conjuncts, where they read nothing that is looped over,
/// whose places come first; new places are numbered from `next` on. Ends that have a value are bounds.
pub(super) fn fix(conjuncts: &mut [Test], looped: usize, next: usize) -> Vec<Made> {
    let mut made = Vec::new();
    let mut end = |term: &mut Term| {
        let mut outside = !term.is_total();
        term.places(&mut |i| outside &= i >= looped);
        if outside {
            let place = next + made.len();
            made.push((place, std::mem::replace(term, Term::At(place))));
        }
    };
    for test in conjuncts {
        if let Test::Inside(_, _, ends) = test {
            end(&mut ends.0);
            end(&mut ends.1);
        }
    }
    made
}

/// Where terms are found: in which turn each unknown is decided, counted from 1, and what has been taken out so far.
struct Hoist {
    /// For each unknown; other places are known from the beginning.
    turns: Vec<usize>,
    /// By turn.
    made: Vec<Vec<Made>>,
    next: usize,
}

/// Takes terms out of the tests of loops; new places are numbered from `first` on. Returns how many there are.
pub(super) fn hoist(loops: &mut Loops, first: usize) -> usize {
    let mut turns = vec![0; loops.levels.len()];
    for (turn, level) in (1..).zip(&loops.levels) {
        if let Some(at) = turns.get_mut(level.place) {
            *at = turn;
        }
    }
    let made = vec![Vec::new(); loops.levels.len() + 1];
    let mut hoist = Hoist { turns, made, next: first };
    for (turn, level) in (1..).zip(&mut loops.levels) {
        level.tests.iter_mut().for_each(|test| hoist.test(test, turn));
    }
    let mut made = hoist.made.into_iter();
    loops.made = made.next().unwrap_or_default();
    loops.levels.iter_mut().zip(made).for_each(|(level, made): (&mut Level, _)| level.made = made);
    hoist.next - first
}

impl Hoist {
    /// The turn in which all that a term reads is known.
    fn turn(&self, term: &Term) -> usize {
        let mut last = 0;
        term.places(&mut |i| last = last.max(self.turns.get(i).copied().unwrap_or(0)));
        last
    }

    fn test(&mut self, test: &mut Test, turn: usize) {
        match test {
            Test::Compare(_, sides) => self.both(sides, turn),
            Test::Inside(_, term, ends) => {
                self.term(term, turn);
                self.both(ends, turn);
            }
            Test::All(tests) | Test::Any(tests) => tests.iter_mut().for_each(|test| self.test(test, turn)),
            Test::Same(_, sides) => {
                self.test(&mut sides.0, turn);
                self.test(&mut sides.1, turn);
            }
        }
    }

    fn both(&mut self, sides: &mut (Term, Term), turn: usize) {
        self.term(&mut sides.0, turn);
        self.term(&mut sides.1, turn);
    }

    /// Takes out of a term that is asked for in some turn what is known before.
    fn term(&mut self, term: &mut Term, turn: usize) {
        if !matches!(term, Term::Of(..)) {
            return;
        }
        let known = self.turn(term);
        if known < turn && term.is_total() {
            let mut whole = std::mem::replace(term, Term::Number(0));
            self.parts(&mut whole, known);
            *term = Term::At(self.place(whole, known));
        } else {
            self.parts(term, turn);
        }
    }

    fn parts(&mut self, term: &mut Term, turn: usize) {
        if let Term::Of(_, sides) = term {
            self.both(sides, turn);
        }
    }

    /// The place of a term that is known in some turn.
    fn place(&mut self, term: Term, turn: usize) -> usize {
        let Some(made) = self.made.get_mut(turn) else { return self.next };
        if let Some((place, _)) = made.iter().find(|(_, other)| *other == term) {
            return *place;
        }
        let place = self.next;
        made.push((place, term));
        self.next += 1;
        place
    }
}
