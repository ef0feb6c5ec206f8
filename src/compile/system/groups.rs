//! Which conjuncts an operation can make false.
//!
//! In: operations, the variables that formulas read. Out: groups of conjuncts; checks of states by the groups of the
//! operations that lead to them. The states that an operation leaves were checked, so a conjunct that reads nothing it
//! writes holds after it as it did before, as long as nothing was wrong with any state. Each group needs a program of its
//! own, and to change programs from state to state takes as long as some conjuncts, so groups are used in longer runs,
//! and where much is left out.

use super::super::exec::Exec;
use super::super::lower::effects::written;
use super::super::word::Ran;
use super::{Compiled, CompiledSystem, Scratch};
use crate::ir::Machine;
use crate::model::{Findings, Plain, Steps, System};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The group of all conjuncts.
pub(super) const ALL: usize = 0;

/// States checked before groups are worth their programs.
const MANY: u64 = 2048;

/// To leave out so many conjuncts that compile is worth a program.
const WORTH: usize = 8;

/// Conjuncts that are checked together.
#[derive(Debug)]
struct Group {
    /// Their indices, in order.
    conjuncts: Vec<usize>,
    /// Whether assertions with variables are checked as well.
    assertions: bool,
}

/// The groups of a machine.
#[derive(Debug)]
pub(super) struct Groups {
    /// The first one has all.
    all: Vec<Group>,
    /// By number of the operation, the one that it can make false.
    of: Vec<usize>,
    /// States checked so far.
    checked: AtomicU64,
    /// As [`Compiled::routes`], for valuations without code.
    plain: OnceLock<Vec<usize>>,
}

impl Groups {
    /// For the operations that are offered.
    pub(super) fn new(machine: &Machine, offered: &[u32]) -> Self {
        let asserted = || machine.assertions.iter().filter(|a| !a.reads.is_empty());
        let conjuncts = (0..machine.invariants.len()).collect();
        let mut groups = vec![Group { conjuncts, assertions: asserted().next().is_some() }];
        let mut known: HashMap<(Vec<usize>, bool), usize> =
            groups.iter().map(|g| ((g.conjuncts.clone(), g.assertions), ALL)).collect();
        let mut readers = vec![Vec::new(); machine.variables.len()];
        for (i, f) in machine.invariants.iter().enumerate() {
            for v in &f.reads {
                readers.get_mut(v.0 as usize).into_iter().for_each(|r: &mut Vec<usize>| r.push(i));
            }
        }
        let by_assertions: HashSet<usize> = asserted().flat_map(|a| &a.reads).map(|v| v.0 as usize).collect();
        let of = offered.iter().map(|op| {
            let body = machine.operations.get(*op as usize).and_then(|o| o.offered.as_ref());
            let written = body.map(|b| written(b, machine)).unwrap_or_default();
            let affected: BTreeSet<usize> =
                written.iter().filter_map(|v| readers.get(*v)).flatten().copied().collect();
            let (conjuncts, assertions): (Vec<usize>, _) =
                (affected.into_iter().collect(), written.iter().any(|v| by_assertions.contains(v)));
            *known.entry((conjuncts, assertions)).or_insert_with_key(|(conjuncts, assertions)| {
                groups.push(Group { conjuncts: conjuncts.clone(), assertions: *assertions });
                groups.len() - 1
            })
        });
        let of = of.collect();
        Self { all: groups, of, checked: AtomicU64::new(0), plain: OnceLock::new() }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The conjuncts of one.
    pub(super) fn conjuncts(&self, group: usize) -> &[usize] {
        self.all.get(group).map_or(&[], |g| &g.conjuncts)
    }

    /// Whether assertions with variables are checked with a group, where states have so many words.
    fn asserts(&self, group: usize, width: usize) -> bool {
        width > 1 && self.all.get(group).is_some_and(|g| g.assertions)
    }

    /// By number of the operation, the group to check; none if that is always the one of all. `unable` are the conjuncts
    /// left to the plain evaluator.
    fn routes(&self, unable: &[usize]) -> Vec<usize> {
        let unable: HashSet<usize> = unable.iter().copied().collect();
        let pays = |group: usize| {
            let (Some(all), Some(group)) = (self.all.first(), self.all.get(group)) else {
                return false;
            };
            let left = || all.conjuncts.iter().filter(|i| group.conjuncts.binary_search(i).is_err());
            let plain = !unable.is_empty() && left().any(|i| unable.contains(i));
            plain || left().take(WORTH).count() >= WORTH || all.assertions != group.assertions
        };
        let route = |group: &usize| if pays(*group) { *group } else { ALL };
        let routes: Vec<usize> = self.of.iter().map(route).collect();
        if routes.iter().all(|group| *group == ALL) { Vec::new() } else { routes }
    }
}

impl<P: Plain> CompiledSystem<P> {
    /// By number of the operation, the group that is checked after it; none if that is always the one of all.
    fn routes<'c>(&'c self, c: Option<&'c Compiled>) -> &'c [usize] {
        c.map_or(&self.groups.plain, |c| &c.routes).get_or_init(|| {
            let fused = c.and_then(|c| self.fused(c, ALL));
            self.groups.routes(fused.map_or(self.groups.conjuncts(ALL), |f| &f.rest))
        })
    }

    /// As [`System::check_reached`].
    pub(super) fn check_after(
        &self,
        steps: &Steps,
        which: &[u32],
        sound: bool,
        found: &mut dyn FnMut(u32, Findings),
        s: &mut Scratch,
    ) {
        let many = || self.groups.checked.fetch_add(which.len() as u64, Ordering::Relaxed) >= MANY;
        let routes = if sound { self.routes(self.compiled(&steps.targets)) } else { &[] };
        if routes.is_empty() || !many() {
            return self.check_groups(&steps.targets, which, |_| ALL, found, s);
        }
        let mut runs = steps.runs();
        let (mut end, mut group) = (0, ALL);
        let group_of = |edge: u32| {
            while edge >= end {
                let Some(run) = runs.next() else { return ALL };
                end += run.edges;
                group = routes.get(run.op as usize).copied().unwrap_or(ALL);
            }
            group
        };
        self.check_groups(&steps.targets, which, group_of, found, s);
    }

    /// The program that is all there is to check of a group, if there is one.
    fn sole<'c>(&self, c: &'c Compiled, group: usize) -> Option<&'c Exec> {
        let more = self.plain.machine().goal.is_some()
            || self.groups.asserts(group, self.width())
            || self.plain.is_hard(None);
        let fused = if more { None } else { self.fused(c, group) };
        fused.filter(|f| f.rest.is_empty()).map(|f| &f.exec)
    }

    /// Checks some of several states, each with the group that `group_of` says.
    pub(super) fn check_groups(
        &self,
        states: &[u64],
        which: &[u32],
        mut group_of: impl FnMut(u32) -> usize,
        found: &mut dyn FnMut(u32, Findings),
        s: &mut Scratch,
    ) {
        let width = self.width();
        let mut findings = Findings::default();
        let mut code: Option<(u64, &Compiled)> = None;
        let mut sole: Option<(usize, Option<&Exec>)> = None;
        for &i in which {
            let Some(state) = states.get(i as usize * width..(i as usize + 1) * width) else { continue };
            let group = group_of(i);
            // Code that could not be made yet is asked for again.
            if code.is_none_or(|(valuation, _)| Some(&valuation) != state.first()) {
                code = state.first().copied().zip(self.compiled(state));
                sole = None;
            }
            let c = code.map(|(_, c)| c);
            if sole.is_none_or(|(of, _)| of != group) {
                sole = Some((group, c.and_then(|c| self.sole(c, group))));
            }
            // Mostly there is no more to it than this.
            if sole
                .and_then(|(_, exec)| exec)
                .is_some_and(|exec| exec.run(state, &mut s.regs, &mut s.out) == Ran::Done(true))
            {
                continue;
            }
            self.check_with(state, c, group, &mut findings, s);
            if self.groups.asserts(group, width) && !self.assertions_hold(state, c, s) {
                self.plain.check_assertions(state, &mut findings);
            }
            if findings.any() {
                found(i, std::mem::take(&mut findings));
            }
        }
    }
}
