//! Checks of states by compiled code.
//!
//! In: states. Out: what is wrong with them, as the plain system finds it: what compiled code gives up is asked again.

use super::super::exec::Exec;
use super::super::function::{conjunction, predicate};
use super::super::lower::Source;
use super::super::word::Ran;
use super::groups::ALL;
use super::versions::Versions;
use super::{Compiled, CompiledSystem, Desk, Scratch};
use crate::diagnostic::Code;
use crate::ir::Pred;
use crate::model::{CheckFault, Findings, Plain, PropertyId};
use crate::ops::Fault;
use std::sync::{Arc, OnceLock};

/// A group of conjuncts of the invariant in one program.
#[derive(Debug)]
pub(super) struct Fused {
    pub(super) exec: Exec,
    /// The other conjuncts of the group.
    pub(super) rest: Vec<usize>,
}

impl<P: Plain> CompiledSystem<P> {
    /// The conjuncts of a group that compile as one program, and which they are.
    pub(super) fn fused<'c>(&self, c: &'c Compiled, group: usize) -> Option<&'c Fused> {
        let make = |src: Source<'_>| {
            let all = &self.plain.machine().invariants;
            let of_group = self.groups.conjuncts(group).iter().filter_map(|i| Some((*i, all.get(*i)?)));
            // Which of all conjuncts compile is asked once.
            let known = if group == ALL { None } else { self.fused(c, ALL) };
            let compiles = |i: usize, p: &Pred| {
                known.map_or_else(|| predicate(src, p).is_ok(), |all| !all.rest.contains(&i))
            };
            let (able, rest): (Vec<_>, Vec<_>) = of_group.partition(|(i, f)| compiles(*i, &f.pred));
            let preds: Vec<_> = able.into_iter().map(|(_, f)| &f.pred).collect();
            let program = conjunction(src, &preds).ok()?;
            Some(Fused { exec: self.ready(program), rest: rest.into_iter().map(|(i, _)| i).collect() })
        };
        let (cell, versions) = (c.fused.get(group)?, self.shared.fused.get(group)?);
        cell.get_or_init(|| self.version(c, versions, make)).as_deref()
    }

    /// The code of a predicate, kept in a cell.
    fn exec<'c>(
        &self,
        c: &'c Compiled,
        cell: &'c OnceLock<Option<Arc<Exec>>>,
        versions: &Versions<Exec>,
        p: &Pred,
    ) -> Option<&'c Exec> {
        let make = |src: Source<'_>| predicate(src, p).ok().map(|p| self.ready(p));
        cell.get_or_init(|| self.version(c, versions, make)).as_deref()
    }

    pub(super) fn invariant(
        &self,
        state: &[u64],
        index: usize,
        c: Option<&Compiled>,
        s: &mut Scratch,
    ) -> Result<bool, Fault> {
        let exec = c.filter(|_| !self.plain.is_hard(Some(PropertyId::Invariant(number(index)))));
        let exec = exec.and_then(|c| {
            let f = self.plain.machine().invariants.get(index)?;
            self.exec(c, c.invariants.get(index)?, self.shared.invariants.get(index)?, &f.pred)
        });
        if let Some(Ran::Done(holds)) = exec.map(|e| e.run(state, &mut s.regs, &mut s.out)) {
            return Ok(holds);
        }
        self.plain.invariant(state, number(index))
    }

    fn goal(&self, state: &[u64], c: Option<&Compiled>, s: &mut Scratch) -> Result<bool, Fault> {
        let Some(goal) = &self.plain.machine().goal else { return Ok(false) };
        let exec = c.filter(|_| !self.plain.is_hard(Some(PropertyId::Goal)));
        let exec = exec.and_then(|c| self.exec(c, &c.goal, &self.shared.goal, &goal.pred));
        if let Some(Ran::Done(holds)) = exec.map(|e| e.run(state, &mut s.regs, &mut s.out)) {
            return Ok(holds);
        }
        self.plain.goal(state)
    }

    /// Whether compiled code shows that all assertions with variables hold. If not, the plain evaluator tells which do.
    pub(super) fn assertions_hold(&self, state: &[u64], c: Option<&Compiled>, s: &mut Scratch) -> bool {
        let Some(c) = c.filter(|_| !self.plain.is_hard(None)) else { return false };
        let make = |src: Source<'_>| {
            let all = self.plain.machine().assertions.iter().filter(|a| !a.reads.is_empty());
            let preds: Vec<_> = all.map(|f| &f.pred).collect();
            conjunction(src, &preds).ok().map(|p| self.ready(p))
        };
        let exec = c.assertions.get_or_init(|| self.version(c, &self.shared.assertions, make));
        exec.as_ref().is_some_and(|e| e.run(state, &mut s.regs, &mut s.out) == Ran::Done(true))
    }

    /// Checks a group of conjuncts, and the goal.
    pub(super) fn check_with(
        &self,
        state: &[u64],
        c: Option<&Compiled>,
        group: usize,
        out: &mut Findings,
        s: &mut Scratch,
    ) {
        let conjuncts = self.groups.conjuncts(group);
        if !conjuncts.is_empty() {
            // What the fused program has shown to hold need not be asked again.
            let fused = c.filter(|_| !self.plain.is_hard(None)).and_then(|c| self.fused(c, group));
            let shown = fused.filter(|f| f.exec.run(state, &mut s.regs, &mut s.out) == Ran::Done(true));
            self.each(state, c, shown.map_or(conjuncts, |f| &f.rest).iter().copied(), out, s);
        }
        self.check_goal(state, c, out, s);
    }

    /// Checks the first so many conjuncts, and the goal.
    pub fn check_first(&self, state: &[u64], conjuncts: usize, desk: &mut Desk, out: &mut Findings) {
        let c = self.compiled(state);
        self.each(state, c, 0..conjuncts, out, &mut desk.0);
        self.check_goal(state, c, out, &mut desk.0);
    }

    /// Checks some conjuncts one by one.
    fn each(
        &self,
        state: &[u64],
        c: Option<&Compiled>,
        conjuncts: impl Iterator<Item = usize>,
        out: &mut Findings,
        s: &mut Scratch,
    ) {
        let mut faults = Vec::new();
        for index in conjuncts {
            match self.invariant(state, index, c, s) {
                Ok(true) => {}
                Ok(false) => out.invariants.push(number(index)),
                Err(f) if f.0.code == Code::OutOfTime => {
                    out.undecided.push(PropertyId::Invariant(number(index)));
                }
                Err(fault) => faults.push(CheckFault { of: PropertyId::Invariant(number(index)), fault }),
            }
        }
        // A conjunct without value counts only where none is false, as in the plain system.
        let all = faults.len();
        faults.retain(|f| out.invariants.is_empty() || f.fault.0.code == Code::Interrupted);
        out.passed_over |= faults.len() < all;
        out.faults.append(&mut faults);
    }

    fn check_goal(&self, state: &[u64], c: Option<&Compiled>, out: &mut Findings, s: &mut Scratch) {
        match self.goal(state, c, s) {
            Ok(holds) => out.goal = holds,
            Err(f) if f.0.code == Code::OutOfTime => out.undecided.push(PropertyId::Goal),
            Err(fault) => out.faults.push(CheckFault { of: PropertyId::Goal, fault }),
        }
    }
}

/// The number of a conjunct, as those who report it want it.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
