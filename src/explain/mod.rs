//! Why a formula is what it is: the smallest part that decides, with the values under which it does.
//!
//! In: a predicate, the values of names, the texts. Out: a [`Why`] in words: substituting the values that it shows makes the part
//! that it shows what it says. Siblings: `descent` (from a predicate to the part), `blocked` (why an operation is not possible), `fault` (why something has no value), `values` (of names and expressions in it),
//! `wording` (parts as text). An explanation has a number of steps; what they do not suffice for is left out. Nothing here takes
//! part in a verdict: evaluation is in a world of its own, whose cuts are forgotten.

mod blocked;
mod descent;
mod fault;
mod values;
mod wording;

pub use blocked::{Blocked, Kind};

use crate::eval::{Budget, Env, Evaluator};
use crate::ir::{Formula, Local, Pred};
use crate::ops::{Cuts, World};
use crate::source::{Sources, Span};
use std::sync::Arc;

/// Steps of one explanation: a few hundredths of a second.
const STEPS: u64 = 200_000;
/// Bytes of a value after which it is cut off.
const LONGEST: usize = 10_000;

/// A name or another expression with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// As text.
    pub text: String,
    /// Its value as text.
    pub value: String,
    /// Whether the end of the value is missing.
    pub cut: bool,
    /// Expressions in it that are no names, with their values.
    pub parts: Vec<Shown>,
}

/// A round of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Its number, from 1.
    pub number: u64,
    /// The value of the variant in the round before.
    pub before: Option<String>,
    /// Its value in this round, if it was asked for.
    pub now: Option<String>,
}

/// Why a predicate is true or false, or why something has no value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Why {
    /// The part that decides, as text.
    pub part: String,
    /// Its place.
    pub place: Span,
    /// Whether it is true; `None` if it is no predicate.
    pub holds: Option<bool>,
    /// The values of variables that quantifiers and LET bind around it.
    pub choice: Vec<Shown>,
    /// The values of all names that it reads.
    pub names: Vec<Shown>,
    /// The values of expressions in it that are no names.
    pub values: Vec<Shown>,
    /// The variables that have no value for which it would be true: it begins with `#`.
    pub missing: Vec<String>,
    /// What is in the way of a choice of these that comes near; the parts that decide together.
    pub parts: Vec<Why>,
    /// The calls of operations that lead to it, the innermost first.
    pub calls: Vec<Span>,
    /// The round of the loop whose invariant or variant it is.
    pub turn: Option<Turn>,
}

/// Finds explanations.
#[derive(Debug)]
pub struct Explainer<'a> {
    ev: Evaluator,
    sources: &'a Sources,
}

/// The variables that are bound around a part.
type Scope = Vec<Local>;

impl<'a> Explainer<'a> {
    /// Explanations of what an evaluator finds.
    #[must_use]
    pub fn new(ev: &Evaluator, sources: &'a Sources) -> Self {
        let world = World { cuts: Cuts::default(), ..(*ev.world).clone() };
        Self { ev: Evaluator::new(Arc::clone(&ev.machine), Arc::new(world)), sources }
    }

    /// Why a formula is true or false under the values of constants and variables; `None` if it is not found.
    #[must_use]
    pub fn formula(&self, formula: &Formula, env: &Env, holds: bool) -> Option<Why> {
        let env = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), formula.frame);
        self.predicate(&formula.pred, env, &[], holds)
    }

    /// The same of a predicate in which some locals have values.
    #[must_use]
    pub fn predicate(&self, pred: &Pred, mut env: Env, locals: &[Local], holds: bool) -> Option<Why> {
        let _budget = Budget::of(STEPS);
        if self.ev.pred(pred, &mut env).ok()? != holds {
            return None;
        }
        Some(self.descend(pred, holds, &mut env, &mut locals.to_vec()))
    }
}
