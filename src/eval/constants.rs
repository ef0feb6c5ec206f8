//! Valuations of the constants: all solutions of PROPERTIES over all constants at once.
//!
//! In: the machine's properties, possibly more conjuncts (static symmetry), what may be permuted. Out: each valuation once,
//! in a fixed order. Constants given by equations come first; the rest falls into independent components.

use super::alike::{Alike, Sieve};
use super::bind::Run;
use super::budget::{self, Budget};
use super::ledger::Scope;
use super::many::OneOf;
use super::meanwhile::Meanwhile;
use super::patience::{Otherwise, Patience};
use super::problem::{Problem, Slot, Unknown};
use super::rename::Rename;
use super::solve::{CLOSED, Mode, OPEN};
use super::{Env, Evaluator, walk};
use crate::diagnostic::Code;
use crate::ir::{self, ConstId, ExprKind, Pred};
use crate::ops::Fault;
use crate::value::Value;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Values of all constants, by `ConstId`.
pub type Constants = Arc<Vec<Option<Value>>>;

/// Which solutions of PROPERTIES are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// More conjuncts, without frames of their own.
    pub extra: &'a [Pred],
    /// What tells images of each other; it must leave PROPERTIES as they are.
    pub alike: Option<&'a dyn Alike>,
    /// Whether one of solutions that are images of each other is enough; `alike` must leave `extra` as it is, too, then.
    pub orbits: bool,
    /// Constants that have one of their values only; `extra` must not read them.
    pub one_of: &'a [OneOf],
}

/// Least number of steps of a search for any solution at all, and the share of those of the search that it stands beside.
const STEPS: u64 = 1024;
const SHARE: u64 = 2;

/// First binder number for the copies of properties.
const FIRST_COPY: u32 = 1 << 15;

/// Properties whose frames lie side by side.
#[derive(Debug, Default)]
pub(super) struct Properties {
    preds: Vec<Pred>,
    frame: u32,
}

impl Evaluator {
    /// Calls `f` with the solutions of PROPERTIES that are wanted, and with nothing now and then while it looks for them; `f`
    /// says whether to go on, and may evaluate what it likes. Returns how many partial solutions were told apart by
    /// hashes, on which the answer depends.
    ///
    /// Where all solutions are wanted and a search has found none for a while, it is tried whether one is left if of images
    /// only one is looked at: if not, there is none at all. Searches for what does not exist are the longest, and
    /// that one is shorter by up to the number of permutations.
    ///
    /// # Errors
    /// A fault of evaluating PROPERTIES, one that names a constant that cannot be enumerated, or `Undecided` if no solution is
    /// known and perhaps there is one.
    pub fn constants(
        &self,
        wanted: &Wanted<'_>,
        f: &mut dyn FnMut(Option<&Constants>) -> ControlFlow<()>,
    ) -> Result<u64, Fault> {
        let f = RefCell::new(f);
        // What evaluation leaves out there is not left out here.
        let tell = |constants: Option<&Constants>| {
            let _own = Scope::begin();
            (f.borrow_mut())(constants)
        };
        let ask = || tell(None).is_continue();
        let meanwhile = Meanwhile::new(&ask);
        self.some_or_unknown(|any| {
            self.solutions_wanted(wanted, &meanwhile, &mut |constants| {
                *any = true;
                Ok(tell(Some(constants)))
            })
        })
    }

    fn solutions_wanted(
        &self,
        wanted: &Wanted<'_>,
        meanwhile: &Meanwhile<'_>,
        f: &mut dyn FnMut(&Constants) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<u64, Fault> {
        if wanted.orbits {
            return self.valuations(wanted, OPEN, wanted.alike, (None, Some(meanwhile)), f);
        }
        let moved = |a: &&dyn Alike| self.machine.constants.iter().any(|d| a.moves(&d.ty));
        let Some(alike) = wanted.alike.filter(moved) else {
            return self.valuations(wanted, OPEN, None, (None, Some(meanwhile)), f);
        };
        let (found, compared, tried) = (Cell::new(false), Cell::new(None), Cell::new(0));
        let otherwise = |decisions: u64| {
            if found.get() {
                return Otherwise::Never;
            }
            // What has been broken off would be broken off at the same place again.
            let steps = STEPS.max(decisions / SHARE);
            if tried.replace(steps) >= steps {
                return Otherwise::Later;
            }
            match self.no_solution(wanted, alike, steps) {
                Ok(Some(keys)) => {
                    compared.set(Some(keys));
                    Otherwise::Settled
                }
                Err(f) if f.0.code == Code::Interrupted => Otherwise::Later,
                Ok(None) | Err(_) => Otherwise::Never,
            }
        };
        let patience = Patience::new(&otherwise);
        let beside = (Some(&patience), Some(meanwhile));
        let end = self.valuations(wanted, OPEN, None, beside, &mut |constants| {
            found.set(true);
            f(constants)
        });
        // Nothing has been found, nor is there anything.
        compared.get().map_or(end, Ok)
    }

    /// Whether PROPERTIES have no solution: how many partial solutions were told apart by hashes. `None` if they have one.
    ///
    /// # Errors
    /// Any fault; that of an interruption after so many steps.
    fn no_solution(&self, wanted: &Wanted<'_>, alike: &dyn Alike, steps: u64) -> Result<Option<u64>, Fault> {
        let _budget = Budget::of(steps.min(budget::left()));
        let mut found = false;
        // What is cut off where integers have no ends is to be reported only if the search that goes on cuts it off.
        let wanted = Wanted { extra: &[], ..*wanted };
        let compared = self.valuations(&wanted, CLOSED, Some(alike), (None, None), &mut |_| {
            found = true;
            Ok(ControlFlow::Break(()))
        })?;
        Ok((!found).then_some(compared))
    }

    /// Calls `f` with every solution of PROPERTIES and those of `wanted`; with `alike` with at least one of solutions that are images
    /// of each other.
    fn valuations(
        &self,
        wanted: &Wanted<'_>,
        mode: Mode,
        alike: Option<&dyn Alike>,
        (patience, meanwhile): (Option<&Patience<'_>>, Option<&Meanwhile<'_>>),
        f: &mut dyn FnMut(&Constants) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<u64, Fault> {
        let n = self.machine.constants.len();
        let properties =
            self.cache.properties.get_or_init(|| self.side_by_side(self.machine.properties.iter()));
        let mut constants = vec![None; n];
        for one in wanted.one_of {
            if let Some(constant) = constants.get_mut(one.constant.0 as usize) {
                *constant = Some(one.value.clone());
            }
        }
        let given = |u: &Unknown| wanted.one_of.iter().any(|o| u.slot == Slot::Const(o.constant));
        let unknowns = self.constant_unknowns().into_iter().filter(|u| !given(u)).collect();
        let open = |i: usize| wanted.one_of.iter().all(|o| o.property != i);
        let own = properties.preds.iter().enumerate().filter(|(i, _)| open(*i)).map(|(_, p)| p);
        let preds: Vec<&Pred> = wanted.extra.iter().chain(own).collect();
        let mut env = Env::new(Arc::new(constants), Arc::default(), properties.frame);
        let mut problem = Problem::new(unknowns, &preds, self);
        problem.split = true;
        problem.sieved = alike.is_some();
        let sieve = alike.and_then(|a| Sieve::new(a, &problem));
        let run = Run { sieve: sieve.as_ref(), patience, meanwhile, ..Run::new(self, &problem, mode) };
        let _broken_off = run.solve(&mut env, &mut |_, env| f(&env.consts))?;
        Ok(sieve.map_or(0, |s| s.compared()))
    }

    fn constant_unknowns(&self) -> Vec<Unknown> {
        let one = |(i, d): (u32, &crate::ir::Decl)| Unknown {
            slot: Slot::Const(ConstId(i)),
            ty: d.ty.clone(),
            name: d.name.clone(),
            span: d.span,
            symbolic: d.symbolic || self.machine.settings.symbolic,
        };
        (0..).zip(&self.machine.constants).map(one).collect()
    }

    /// Whether some of PROPERTIES have a solution in the constants that they read, whatever the others say.
    ///
    /// # Errors
    /// As [`Evaluator::constants`].
    pub fn satisfiable(&self, some: &[&ir::Formula]) -> Result<bool, Fault> {
        let mut read = BTreeSet::new();
        for formula in some {
            walk::pred(&formula.pred, &mut |e| {
                if let ExprKind::Const(c) = e.kind {
                    read.insert(c);
                }
            });
        }
        let properties = self.side_by_side(some.iter().copied());
        let n = self.machine.constants.len();
        let mut env = Env::new(Arc::new(vec![None; n]), Arc::default(), properties.frame);
        let unknowns = self.constant_unknowns().into_iter();
        let unknowns = unknowns.filter(|u| matches!(u.slot, Slot::Const(c) if read.contains(&c))).collect();
        let mut problem = Problem::new(unknowns, &properties.preds.iter().collect::<Vec<_>>(), self);
        problem.split = true;
        let mut found = false;
        let _broken_off = Run::new(self, &problem, OPEN).solve(&mut env, &mut |_, _| {
            found = true;
            Ok(ControlFlow::Break(()))
        })?;
        Ok(found)
    }

    /// Every property has a frame of its own; copies are shifted so that they can be solved together.
    fn side_by_side<'f>(&self, formulas: impl Iterator<Item = &'f ir::Formula>) -> Properties {
        let mut rename = Rename::by(0, FIRST_COPY);
        let mut preds = Vec::new();
        for p in formulas {
            preds.push(rename.pred(&p.pred));
            rename.shift += p.frame;
        }
        Properties { preds, frame: rename.shift }
    }
}
