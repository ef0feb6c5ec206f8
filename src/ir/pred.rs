//! Predicates of the IR.

use super::{Binder, Expr, LocalId, Scoped};
use crate::ops::Op;
use crate::ops::external::External;
use crate::source::Span;
use std::sync::Arc;

/// A predicate.
#[derive(Clone, Debug)]
pub struct Pred {
    /// What it is.
    pub kind: PredKind,
    /// Where it stands.
    pub span: Span,
}

impl Pred {
    /// The parts of a conjunction in order, those of conjunctions in it included, without `btrue`; else the predicate itself.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<&Pred> {
        let mut parts = Vec::new();
        self.gather(&mut parts);
        parts
    }

    fn gather<'p>(&'p self, parts: &mut Vec<&'p Pred>) {
        match &self.kind {
            PredKind::And(ps) => ps.iter().for_each(|p| p.gather(parts)),
            PredKind::True => {}
            _ => parts.push(self),
        }
    }
}

/// The kinds of predicates.
#[derive(Clone, Debug)]
pub enum PredKind {
    /// `btrue`.
    True,
    /// `bfalse`.
    False,
    /// Conjunction, flattened; at least two.
    And(Vec<Pred>),
    /// Disjunction, flattened; at least two.
    Or(Vec<Pred>),
    /// `P => Q`.
    Implies(Box<Pred>, Box<Pred>),
    /// `P <=> Q`.
    Iff(Box<Pred>, Box<Pred>),
    /// `not(P)`.
    Not(Box<Pred>),
    /// An operator whose meaning is a predicate (`=`, `:`, `<:`, `<`, ...), with its arguments.
    Op(Op, Vec<Expr>),
    /// An external predicate.
    External(&'static External, Vec<Expr>),
    /// `!x.(P => Q)`: binder x | P, body Q. A body without implication has binder predicate `True`.
    Forall(Arc<Scoped<Pred>>),
    /// `#x.(P)`.
    Exists(Arc<Binder>),
    /// IF as predicate.
    If(Box<Pred>, Box<Pred>, Box<Pred>),
    /// LET as predicate.
    Let(LocalId, Box<Expr>, Box<Pred>),
}
