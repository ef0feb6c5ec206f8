//! Unification: type terms in an arena, with a link from each variable to what it stands for.
//!
//! In: equations between terms. Out: whether they can hold, and ground types at the end. A variable may be
//! restricted to numbers (INTEGER or REAL).

use crate::syntax::ast::Name;
use crate::ty::{FreeId, SetId, Ty, TyNames};

/// A term of the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tid(u32);

/// What a term is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Term {
    /// Nothing known; `true` if it must be a number.
    Var(bool),
    /// The same as another term.
    Link(Tid),
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

/// The arena.
#[derive(Debug, Default)]
pub(super) struct Terms {
    terms: Vec<Term>,
}

impl Terms {
    /// Adds a term.
    pub(super) fn add(&mut self, t: Term) -> Tid {
        self.terms.push(t);
        Tid(u32::try_from(self.terms.len() - 1).unwrap_or(u32::MAX))
    }
    /// A new variable.
    pub(super) fn var(&mut self) -> Tid {
        self.add(Term::Var(false))
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

    /// The representative of a term.
    pub(super) fn find(&self, mut t: Tid) -> Tid {
        while let Some(Term::Link(next)) = self.terms.get(t.0 as usize) {
            t = *next;
        }
        t
    }

    /// The term behind all links.
    pub(super) fn get(&self, t: Tid) -> Term {
        self.terms.get(self.find(t).0 as usize).cloned().unwrap_or(Term::Var(false))
    }

    /// Makes two terms equal; false if that cannot be.
    pub(super) fn unify(&mut self, a: Tid, b: Tid) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Term::Var(x), Term::Var(y)) => {
                self.set(a, Term::Var(x || y));
                self.set(b, Term::Link(a));
                true
            }
            (Term::Var(num), t) => self.bind(a, num, b, &t),
            (t, Term::Var(num)) => self.bind(b, num, a, &t),
            (Term::Pow(x), Term::Pow(y)) => self.unify(x, y),
            (Term::Pair(x, y), Term::Pair(u, v)) => self.unify(x, u) && self.unify(y, v),
            (Term::Rec(x), Term::Rec(y)) => {
                x.len() == y.len()
                    && x.iter().zip(&y).all(|(f, g)| f.0 == g.0)
                    && x.into_iter().zip(y).all(|(f, g)| self.unify(f.1, g.1))
            }
            (x, y) => x == y,
        }
    }

    fn bind(&mut self, var: Tid, num: bool, to: Tid, t: &Term) -> bool {
        if num && !matches!(t, Term::Int | Term::Real) || self.occurs(var, to) {
            return false;
        }
        self.set(var, Term::Link(to));
        true
    }

    fn set(&mut self, t: Tid, term: Term) {
        if let Some(slot) = self.terms.get_mut(t.0 as usize) {
            *slot = term;
        }
    }

    fn occurs(&self, var: Tid, t: Tid) -> bool {
        let t = self.find(t);
        t == var
            || match self.get(t) {
                Term::Pow(x) => self.occurs(var, x),
                Term::Pair(x, y) => self.occurs(var, x) || self.occurs(var, y),
                Term::Rec(fields) => fields.iter().any(|f| self.occurs(var, f.1)),
                _ => false,
            }
    }

    /// The ground type of a term; what is still unknown is an integer if it must be a number, else
    /// [`Ty::Any`].
    pub(super) fn ground(&self, t: Tid) -> Ty {
        match self.get(t) {
            Term::Var(true) | Term::Int => Ty::Int,
            Term::Var(false) | Term::Link(_) => Ty::Any,
            Term::Bool => Ty::Bool,
            Term::Str => Ty::Str,
            Term::Real => Ty::Real,
            Term::Given(s) => Ty::Given(s),
            Term::Free(f) => Ty::Free(f),
            Term::Pow(x) => Ty::pow(self.ground(x)),
            Term::Pair(x, y) => Ty::pair(self.ground(x), self.ground(y)),
            Term::Rec(fields) => Ty::Rec(fields.iter().map(|(n, t)| (n.clone(), self.ground(*t))).collect()),
        }
    }

    /// A term as text for messages.
    pub(super) fn text(&self, t: Tid, names: &dyn TyNames) -> String {
        self.ground(t).show(names).to_string()
    }
}
