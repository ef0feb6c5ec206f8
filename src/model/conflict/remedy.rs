//! What the user can change: options with which conjuncts that cannot hold together can.
//!
//! In: the conjuncts, and what of limits and assumed sizes takes part in them. Out: the options, once a search has found a
//! solution with them.

use super::{Answer, Puzzle, STEPS};
use crate::ir::{Expr, ExprKind, Formula};
use crate::model::card::{self, Origin, Sizes};
use crate::ty::SetId;
use crate::value::Value;
use std::collections::BTreeSet;

/// Values of MAXINT beyond the present one that are tried one by one.
pub(in crate::model) const NEXT: i64 = 16;
/// Larger ones that users choose.
pub(in crate::model) const USUAL: [i64; 6] = [31, 63, 127, 255, 65_535, i32::MAX as i64];
/// Sizes of deferred sets that are tried.
pub(super) const SIZES: std::ops::RangeInclusive<u32> = 1..=8;

impl Puzzle<'_> {
    pub(super) fn remedy(
        &self,
        kept: &[usize],
        answer: Answer,
        limits: &[&str],
        assumed: &[SetId],
        exprs: &[&Expr],
    ) -> Option<String> {
        let cut = answer == Answer::NotFound;
        let sizes = (!assumed.is_empty()).then(|| self.other_sizes(kept, assumed)).flatten();
        let upper = || {
            let asked = cut || limits.iter().any(|n| *n != "MININT");
            asked.then(|| self.other_maxint(kept, exprs)).flatten()
        };
        let lower = || {
            let asked = cut || limits.iter().any(|n| matches!(*n, "INT" | "MININT"));
            asked.then(|| self.other_minint(kept, exprs)).flatten()
        };
        sizes.or_else(upper).or_else(lower)
    }

    /// Whether parts can hold with other sizes, and no other part of PROPERTIES says no to these.
    fn possible(&self, sizes: &Sizes, kept: &[usize]) -> bool {
        self.with(sizes, kept) == Answer::Possible && self.is_admitted(sizes)
    }

    /// Looks for a solution with other sizes.
    pub(super) fn with(&self, sizes: &Sizes, kept: &[usize]) -> Answer {
        self.ask_in(card::world(&self.evaluator.machine, sizes, self.clock.clone()), kept)
    }

    /// Whether PROPERTIES are not known to be impossible with other sizes.
    fn is_admitted(&self, sizes: &Sizes) -> bool {
        let machine = &self.evaluator.machine;
        let all: Vec<&Formula> = machine.properties.iter().collect();
        let world = card::world(machine, sizes, self.clock.clone());
        self.answer(world, STEPS, |ev| ev.satisfiable(&all)) != Answer::Impossible
    }

    /// The sizes with others for some of the sets.
    pub(super) fn resized(&self, sets: &[SetId], size: u32) -> Sizes {
        let mut sizes = self.sizes.clone();
        for set in sets {
            if let Some(slot) = sizes.sizes.get_mut(usize::from(set.0)) {
                *slot = (size, Origin::Asked);
            }
        }
        sizes
    }

    fn other_maxint(&self, kept: &[usize], exprs: &[&Expr]) -> Option<String> {
        let now = self.sizes.maxint;
        let named = exprs.iter().filter_map(|e| match &e.kind {
            ExprKind::Lit(Value::Int(n)) => Some(*n),
            _ => None,
        });
        let next = (1..=NEXT).map(|n| now.saturating_add(n));
        let all: BTreeSet<i64> = named.chain(next).chain(USUAL).filter(|n| *n > now).collect();
        let works = |maxint: i64| self.possible(&Sizes { maxint, ..self.sizes.clone() }, kept);
        let n = all.into_iter().take_while(|_| !self.over()).find(|n| works(*n))?;
        Some(format!("--maxint {n}"))
    }

    fn other_minint(&self, kept: &[usize], exprs: &[&Expr]) -> Option<String> {
        let now = self.sizes.minint;
        let named = exprs.iter().filter_map(|e| match &e.kind {
            // A minus sign may stand in front of it.
            ExprKind::Lit(Value::Int(n)) => Some([*n, n.saturating_neg()]),
            _ => None,
        });
        let next = (1..=NEXT).map(|n| now.saturating_sub(n));
        let all: BTreeSet<i64> = named.flatten().chain(next).filter(|n| *n < now).collect();
        let works = |minint: i64| self.possible(&Sizes { minint, ..self.sizes.clone() }, kept);
        let n = all.into_iter().rev().take_while(|_| !self.over()).find(|n| works(*n))?;
        Some(format!("--minint {n}"))
    }

    /// Another size of one of the sets, or one size for all of them.
    fn other_sizes(&self, kept: &[usize], assumed: &[SetId]) -> Option<String> {
        let singles = assumed.iter().map(std::slice::from_ref);
        let together = (assumed.len() > 1).then_some(assumed);
        for sets in singles.chain(together) {
            for size in SIZES {
                if self.over() {
                    return None;
                }
                if self.possible(&self.resized(sets, size), kept) {
                    return Some(self.option(sets, size));
                }
            }
        }
        None
    }

    fn option(&self, sets: &[SetId], size: u32) -> String {
        let names = sets.iter().filter_map(|s| self.evaluator.machine.sets.get(usize::from(s.0)));
        let each: Vec<String> = names.map(|s| format!("{}={size}", s.name)).collect();
        format!("--card {}", each.join(","))
    }
}
