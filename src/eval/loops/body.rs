//! What loops make of each solution.
//!
//! In: an expression or a predicate over the unknowns of loops. Out: a [`Body`], its terms with the names that are looked up
//! for them, behind those of the loops; nothing for other forms.

use super::{Loops, Outside};
use crate::eval::problem::Problem;
use crate::eval::small::{self, Term, Test};
use crate::ir::{Expr, Pred};

/// What is made of each solution, or asked of it.
#[derive(Debug)]
pub(in crate::eval) struct Body {
    pub(super) made: Made,
    pub(super) outside: Outside,
}

#[derive(Debug)]
pub(super) enum Made {
    Number(Term),
    Numbers(Vec<Term>),
    Truth(Test),
}

impl Body {
    /// An integer made of each solution.
    pub(in crate::eval) fn number(e: &Expr, problem: &Problem, loops: &Loops) -> Option<Self> {
        Self::new(problem, loops, |leaf| Term::new(e, leaf).map(Made::Number))
    }

    /// Several integers made of each solution.
    pub(in crate::eval) fn numbers<'e>(
        es: impl IntoIterator<Item = &'e Expr>,
        problem: &Problem,
        loops: &Loops,
    ) -> Option<Self> {
        Self::new(problem, loops, |leaf| {
            es.into_iter().map(|e| Term::new(e, leaf)).collect::<Option<_>>().map(Made::Numbers)
        })
    }

    /// What is asked of each solution.
    pub(in crate::eval) fn truth(p: &Pred, problem: &Problem, loops: &Loops) -> Option<Self> {
        Self::new(problem, loops, |leaf| Test::nested(p, leaf).map(Made::Truth))
    }

    fn new(
        problem: &Problem,
        loops: &Loops,
        make: impl FnOnce(small::Leaf<'_>) -> Option<Made>,
    ) -> Option<Self> {
        let first = loops.levels.len() + loops.outside.names.len() + loops.terms;
        let mut outside = Outside { first, names: Vec::new() };
        let made = make(&mut |e| outside.leaf(e, problem))?;
        Some(Self { made, outside })
    }

    pub(super) fn is_total(&self) -> bool {
        match &self.made {
            Made::Number(term) => term.is_total(),
            Made::Numbers(terms) => terms.iter().all(Term::is_total),
            Made::Truth(test) => test.is_total(),
        }
    }

    /// The terms for several integers.
    pub(in crate::eval) fn terms(&self) -> &[Term] {
        match &self.made {
            Made::Number(term) => std::slice::from_ref(term),
            Made::Numbers(terms) => terms,
            Made::Truth(_) => &[],
        }
    }
}
