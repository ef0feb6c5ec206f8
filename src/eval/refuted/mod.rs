//! Conjunctions of integer comparisons that no integers satisfy, by elimination of one unknown after the other.
//!
//! In: unknown integers with conjuncts, where no window on the integers decides. Out: whether the conjuncts certainly cannot hold
//! together: of their comparisons of polynomials every combination of cases comes to `1 <= 0` (Fourier and Motzkin, each row
//! rounded to integers; even powers are not negative). What a quantifier in them denies is eliminated first, where that loses no
//! integers (one of two factors is 1). Only what has a value for all integers takes part, and `/` and `mod` by positive numbers
//! where the others keep the dividend from being negative. Absent: witnesses. Parts: `read` (predicates as rows and cases), `polynomial`,
//! `eliminate`.

mod eliminate;
mod polynomial;
mod read;

use super::{Env, Evaluator};
use crate::ir::{Local, Pred};
use crate::ty::Ty;
use eliminate::is_impossible;
use polynomial::{Number, Polynomial, constant, sum};
use read::Reader;

/// Combinations of cases that are looked at.
const CASES: usize = 64;
/// Levels of a predicate, and of an expression in one.
const LEVELS: usize = 64;

/// What a predicate says of the unknowns.
#[derive(Clone)]
enum Said {
    /// All of this; nothing, if there is none.
    All(Vec<Said>),
    /// One of these.
    One(Vec<Said>),
    /// A polynomial that is not positive.
    Row(Polynomial),
}

const NOTHING: Said = Said::All(Vec::new());

impl Evaluator {
    /// Whether conjuncts cannot hold together, whatever these variables are.
    pub(super) fn is_refuted(&self, vars: &[Local], conjuncts: &[&Pred], env: &mut Env) -> bool {
        if self.naive || self.world.lowered.is_some() || !vars.iter().any(|v| v.ty == Ty::Int) {
            return false;
        }
        let read = |divides: bool, first: Number, env: &mut Env| {
            let mut reader = Reader::new(self, divides, env);
            reader.open(vars);
            reader.count = reader.count.max(first);
            let mut said: Vec<Said> = conjuncts.iter().map(|p| reader.said(p, true, LEVELS)).collect();
            said.append(&mut reader.quotients);
            (Said::All(said), reader.dividends, reader.count)
        };
        let (said, dividends, count) = read(true, 0, env);
        if !is_impossible(Vec::new(), &[&said], &mut CASES.clone()) {
            return false;
        }
        // Where a dividend is negative there is no value, unless what has one rules that out.
        // The unknowns of dividends keep their numbers.
        let valued = if dividends.is_empty() { NOTHING } else { read(false, count, env).0 };
        dividends.iter().all(|d| {
            let negative = sum(constant(1), d, 1);
            negative.is_some_and(|row| is_impossible(vec![row], &[&valued], &mut CASES.clone()))
        })
    }
}

#[cfg(test)]
mod tests;
