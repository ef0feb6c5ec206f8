//! Unification: type terms in an arena, with a link from each variable to what it stands for.
//!
//! In: equations between terms. Out: whether they can hold, and ground types at the end. A variable may be
//! restricted to numbers (INTEGER or REAL). An equation that fails changes nothing, so that messages show
//! the types as they were. Links remember the place that made them, for messages.

use crate::source::Span;
use crate::syntax::ast::Name;
use crate::ty::{FreeId, SetId, Ty, TyNames};
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// A term of the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tid(u32);

/// What a term is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Term {
    /// Nothing known.
    Var(Var),
    /// The same as another term, by an equation at a place.
    Link(Tid, Span),
    /// A pair that equals another one: who speaks of a sequence there speaks of one here.
    Same(Tid),
    Int,
    Bool,
    Str,
    Real,
    Given(SetId),
    Free(FreeId),
    Pow(Tid),
    Pair(Tid, Tid),
    /// Fields sorted by name.
    Rec(Vec<(Name, Tid)>),
}

/// A variable: whether it must be a number, and its rank (chains of links stay logarithmic).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Var {
    pub(super) number: bool,
    rank: u8,
}

/// Steps that one equation may take. A term shares its parts, so that a short text can stand for a type of
/// astronomical size; such a type is refused.
const STEPS: u32 = 1_000_000;

/// How deep pairs are nested in a simple type.
const SIMPLE: u8 = 4;

/// The arena.
#[derive(Debug, Default)]
pub(super) struct Terms {
    nodes: Vec<Term>,
    /// What the current equation has overwritten.
    trail: Vec<(Tid, Term)>,
    /// Steps left for the current equation.
    steps: u32,
    /// Whether the current equation would make a type a part of itself.
    circular: bool,
    /// Pairs of a position with a value, of which sequences are made.
    sequences: HashSet<Tid>,
    /// Pairs that the current equation makes such, too.
    more: Vec<Tid>,
}

impl Terms {
    /// Adds a term.
    pub(super) fn add(&mut self, t: Term) -> Tid {
        self.nodes.push(t);
        Tid(u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX))
    }
    /// A new variable.
    pub(super) fn var(&mut self) -> Tid {
        self.add(Term::Var(Var::default()))
    }
    /// A new variable that must be a number.
    pub(super) fn number(&mut self) -> Tid {
        self.add(Term::Var(Var { number: true, rank: 0 }))
    }
    /// POW(t).
    pub(super) fn pow(&mut self, t: Tid) -> Tid {
        self.add(Term::Pow(t))
    }
    /// a * b.
    pub(super) fn pair(&mut self, a: Tid, b: Tid) -> Tid {
        self.add(Term::Pair(a, b))
    }
    /// POW(a * b).
    pub(super) fn rel(&mut self, a: Tid, b: Tid) -> Tid {
        let p = self.pair(a, b);
        self.pow(p)
    }

    /// seq(t).
    pub(super) fn seq(&mut self, t: Tid) -> Tid {
        let int = self.add(Term::Int);
        let pair = self.pair(int, t);
        self.sequences.insert(pair);
        self.pow(pair)
    }

    /// The representative of a term.
    pub(super) fn find(&self, mut t: Tid) -> Tid {
        while let Some(Term::Link(next, _) | Term::Same(next)) = self.nodes.get(t.0 as usize) {
            t = *next;
        }
        t
    }

    /// The term behind all links.
    pub(super) fn get(&self, t: Tid) -> &Term {
        const NOTHING: &Term = &Term::Var(Var { number: false, rank: 0 });
        self.nodes.get(self.find(t).0 as usize).unwrap_or(NOTHING)
    }

    /// Whether a type is known and has no parts, or is a pair of such types (or of such pairs).
    pub(super) fn is_simple(&self, t: Tid) -> bool {
        self.is_within(t, SIMPLE)
    }

    fn is_within(&self, t: Tid, depth: u8) -> bool {
        match self.get(t) {
            Term::Int | Term::Bool | Term::Str | Term::Real | Term::Given(_) | Term::Free(_) => true,
            Term::Pair(a, b) => depth > 0 && self.is_within(*a, depth - 1) && self.is_within(*b, depth - 1),
            Term::Var(_) | Term::Link(..) | Term::Same(_) | Term::Pow(_) | Term::Rec(_) => false,
        }
    }

    /// Where a variable got its outermost constructor.
    pub(super) fn origin(&self, mut t: Tid) -> Option<Span> {
        let mut place = None;
        loop {
            match self.nodes.get(t.0 as usize) {
                Some(Term::Link(next, span)) => (t, place) = (*next, Some(*span)),
                Some(Term::Same(next)) => t = *next,
                _ => break,
            }
        }
        place.filter(|_| !matches!(self.get(t), Term::Var(_)))
    }

    /// Makes two terms equal because of what stands at a place; if that cannot be, changes nothing.
    pub(super) fn unify(&mut self, a: Tid, b: Tid, at: Span) -> bool {
        self.trail.clear();
        self.steps = STEPS;
        self.circular = false;
        self.more.clear();
        let fits = self.equate(a, b, at);
        if fits {
            self.sequences.extend(self.more.drain(..));
        } else {
            while let Some((t, old)) = self.trail.pop() {
                if let Some(slot) = self.nodes.get_mut(t.0 as usize) {
                    *slot = old;
                }
            }
        }
        fits
    }

    /// Whether the last equation failed only because its types are too large.
    pub(super) fn too_large(&self) -> bool {
        self.steps == 0
    }

    /// Whether the last equation failed because a type would be a part of itself.
    pub(super) fn circular(&self) -> bool {
        self.circular
    }

    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    fn equate(&mut self, a: Tid, b: Tid, at: Span) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return true;
        }
        if !self.step() {
            return false;
        }
        match (self.get(a), self.get(b)) {
            (&Term::Var(x), &Term::Var(y)) => self.join((a, x), (b, y), at),
            (&Term::Var(x), _) => self.bind(a, x, b, at),
            (_, &Term::Var(y)) => self.bind(b, y, a, at),
            (&Term::Pow(x), &Term::Pow(y)) => self.equate(x, y, at),
            (&Term::Pair(x, y), &Term::Pair(u, v)) => {
                self.equate(x, u, at) && self.equate(y, v, at) && self.merge(a, b)
            }
            (Term::Rec(x), Term::Rec(y)) => {
                if x.len() != y.len() || x.iter().zip(y).any(|(f, g)| f.0 != g.0) {
                    return false;
                }
                let sides: Vec<(Tid, Tid)> = x.iter().zip(y).map(|(f, g)| (f.1, g.1)).collect();
                sides.into_iter().all(|(f, g)| self.equate(f, g, at))
            }
            (x, y) => x == y,
        }
    }

    /// Makes two pairs with equal sides one, the older one.
    fn merge(&mut self, a: Tid, b: Tid) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        let (older, younger) = if a.0 < b.0 { (a, b) } else { (b, a) };
        if older != younger {
            if self.sequences.contains(&younger) || self.more.contains(&younger) {
                self.more.push(older);
            }
            self.set(younger, Term::Same(older));
        }
        true
    }

    /// Links two variables, the lower one to the higher one.
    fn join(&mut self, (a, x): (Tid, Var), (b, y): (Tid, Var), at: Span) -> bool {
        let (low, high, rank) = if x.rank < y.rank { (a, b, y.rank) } else { (b, a, x.rank) };
        let rank = if x.rank == y.rank { rank.saturating_add(1) } else { rank };
        self.set(high, Term::Var(Var { number: x.number || y.number, rank }));
        self.set(low, Term::Link(high, at));
        true
    }

    fn bind(&mut self, t: Tid, var: Var, to: Tid, at: Span) -> bool {
        if var.number && !matches!(self.get(to), Term::Int | Term::Real) {
            return false;
        }
        if self.occurs(t, to) {
            self.circular = true;
            return false;
        }
        self.set(t, Term::Link(to, at));
        true
    }

    fn set(&mut self, t: Tid, term: Term) {
        if let Some(slot) = self.nodes.get_mut(t.0 as usize) {
            self.trail.push((t, std::mem::replace(slot, term)));
        }
    }

    /// Whether a variable occurs in a term (or the term is too large to tell).
    fn occurs(&mut self, var: Tid, t: Tid) -> bool {
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            let t = self.find(t);
            if t == var || !self.step() {
                return true;
            }
            match self.get(t) {
                Term::Pow(x) => todo.push(*x),
                Term::Pair(x, y) => todo.extend([*x, *y]),
                Term::Rec(fields) => todo.extend(fields.iter().map(|f| f.1)),
                _ => {}
            }
        }
        false
    }

    /// The ground type of a term; what is still unknown is an integer if it must be a number, else
    /// [`Ty::Any`]. Equal terms share one type by way of `known`.
    pub(super) fn ground(&self, t: Tid, known: &mut HashMap<Tid, Ty>) -> Ty {
        let t = self.find(t);
        match self.get(t) {
            Term::Int => return Ty::Int,
            Term::Bool => return Ty::Bool,
            Term::Str => return Ty::Str,
            Term::Real => return Ty::Real,
            Term::Given(s) => return Ty::Given(*s),
            Term::Free(f) => return Ty::Free(*f),
            Term::Var(v) => return if v.number { Ty::Int } else { Ty::Any },
            Term::Link(..) | Term::Same(_) | Term::Pow(_) | Term::Pair(..) | Term::Rec(_) => {}
        }
        if let Some(ty) = known.get(&t) {
            return ty.clone();
        }
        let ty = match self.get(t) {
            Term::Pow(x) => Ty::pow(self.ground(*x, known)),
            Term::Pair(_, y) if self.sequences.contains(&t) => {
                Ty::Pair(Ty::position(), Arc::new(self.ground(*y, known)))
            }
            Term::Pair(x, y) => Ty::pair(self.ground(*x, known), self.ground(*y, known)),
            Term::Rec(fields) => {
                Ty::Rec(fields.iter().map(|(n, t)| (n.clone(), self.ground(*t, known))).collect())
            }
            _ => Ty::Any,
        };
        known.insert(t, ty.clone());
        ty
    }

    /// A term as text for messages, cut if it is long.
    pub(super) fn text(&self, t: Tid, names: &dyn TyNames) -> String {
        const LONGEST: usize = 200;
        let text = self.ground(t, &mut HashMap::new()).show(names).to_string();
        match text.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("{}...", text.get(..cut).unwrap_or_default()),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_equation_changes_nothing() {
        let mut terms = Terms::default();
        let (x, int, bool) = (terms.var(), terms.add(Term::Int), terms.add(Term::Bool));
        let (a, b) = (terms.pair(x, int), terms.pair(int, bool));
        assert!(!terms.unify(a, b, Span::default()));
        assert_eq!(*terms.get(x), Term::Var(Var::default()));
    }

    #[test]
    fn a_type_is_no_part_of_itself() {
        let mut terms = Terms::default();
        let x = terms.var();
        let set = terms.pow(x);
        assert!(!terms.unify(x, set, Span::default()) && terms.circular());
    }

    #[test]
    fn numbers_are_no_sets() {
        let mut terms = Terms::default();
        let (n, real) = (terms.number(), terms.add(Term::Real));
        let set = terms.pow(real);
        assert!(!terms.unify(n, set, Span::default()));
        assert!(terms.unify(real, n, Span::default()));
        assert_eq!(terms.ground(n, &mut HashMap::new()), Ty::Real);
    }

    #[test]
    fn a_type_that_doubles_forty_times_is_refused() {
        let mut terms = Terms::default();
        let mut t = terms.add(Term::Int);
        let fits = (0..40).all(|_| {
            let (x, twice) = (terms.var(), terms.pair(t, t));
            t = x;
            terms.unify(x, twice, Span::default())
        });
        assert!(!fits && terms.too_large());
    }

    #[test]
    fn what_equals_a_sequence_is_one() {
        let mut terms = Terms::default();
        let int = terms.add(Term::Int);
        let (plain, sequence, other) = (terms.rel(int, int), terms.seq(int), terms.rel(int, int));
        let x = terms.var();
        assert!(terms.unify(x, plain, Span::default()) && terms.unify(x, sequence, Span::default()));
        let ground = |t| terms.ground(t, &mut HashMap::new());
        assert!(ground(x).is_sequence() && ground(plain).is_sequence() && !ground(other).is_sequence());
        assert_eq!(ground(x), ground(other));
    }

    #[test]
    fn the_place_that_typed_a_variable_is_known() {
        let mut terms = Terms::default();
        let place = |n| Span::new(crate::source::FileId(0), n, n + 1);
        let (x, y, int) = (terms.var(), terms.var(), terms.add(Term::Int));
        assert!(terms.unify(x, y, place(1)));
        assert_eq!(terms.origin(x), None);
        assert!(terms.unify(y, int, place(2)));
        assert_eq!((terms.origin(x), terms.origin(y)), (Some(place(2)), Some(place(2))));
    }
}
