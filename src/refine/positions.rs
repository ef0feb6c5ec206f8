//! The steps of a refinement by traces as words: from the one state that the refined machine can be in, or from several.
//!
//! In: stored states of [`TracesSystem`]. Out: the steps of an operation as words, where compiled code tells them all and each
//! label is one of the refined machine's; what goes wrong elsewhere, `traces` tells. Sets of several states are few beside the
//! states of the refinement, so what follows them is remembered for each set and label.

use super::members::Member;
use super::traces::TracesSystem;
use super::words::{self, Desk};
use crate::compile::{self, Compiled, Records, reads};
use crate::model::{Plain, Steps};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// What stored states have of the refined machine, as words of them.
type Set = Box<[u64]>;
/// Words of a label.
type Label = Box<[u64]>;

/// The set last asked for, by its key.
pub(super) type Recent = Option<(Box<[u64]>, Arc<Position>)>;

/// All that is remembered.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// By words of what else the refined machine reads, the valuation, and the words of the set.
    known: RwLock<BTreeMap<Box<[u64]>, Arc<Position>>>,
    /// The bits of the variables of the refinement's side that operations of the refined machine read: those of machines that
    /// both see.
    seen_bits: Vec<u64>,
}

/// A set of states of the refined machine.
#[derive(Debug)]
pub(super) struct Position {
    /// States of both machines, one with each member.
    states: Vec<Vec<u64>>,
    /// The same as words of stored states.
    set: Set,
    /// By number of the operation, the sets that its labels lead to; nothing where compiled code does not tell.
    after: Vec<OnceLock<Option<BTreeMap<Label, Set>>>>,
}

impl Positions {
    /// Nothing yet, of two machines.
    pub(super) fn new(joint: &super::JointSystem<'_>) -> Self {
        let machine = joint.inner.machine();
        let mut read = BTreeSet::new();
        for op in joint.plan.operations.iter().filter_map(|o| joint.inner.operation(o.refined?)) {
            read.extend(op.offered.iter().flat_map(|body| reads(body, machine)));
        }
        let is_refined = |var: usize| joint.plan.refined_variables.get(var).copied().unwrap_or(false);
        let seen = |var: usize| !is_refined(var) && read.contains(&var);
        Self { known: RwLock::default(), seen_bits: joint.inner.packer().layout.mask(seen) }
    }
}

impl TracesSystem<'_> {
    /// Adds the steps of an operation; false, and nothing is added, if they are to be found another way.
    pub(super) fn quickly(&self, number: u32, state: &[u64], desk: &mut Desk, out: &mut Steps) -> bool {
        let found = self.joint.code.and_then(|code| {
            if self.members.only(state, &mut desk.state) {
                self.targets_of_one(code, number, desk)
            } else {
                self.targets(code, number, state, desk)
            }
        });
        if found.is_some() {
            desk.pairs.chunks_exact(self.members.outer.words).for_each(|t| out.push(number, 1, t));
        }
        found.is_some()
    }

    /// Finds the targets of the state on the desk, in which the refined machine can be in one state.
    fn targets_of_one(&self, code: &Compiled, number: u32, desk: &mut Desk) -> Option<()> {
        let compared = self.joint.plan.operations.get(number as usize)?;
        let Desk { code: memory, own, refined, pairs, state, .. } = desk;
        pairs.clear();
        code.records(state, compared.own, memory, own).then_some(())?;
        if own.is_empty() {
            return Some(());
        }
        let Some(op) = compared.refined else {
            own.iter().for_each(|(_, target)| self.members.store_one(target, state, pairs));
            return Some(());
        };
        code.records(state, op, memory, refined).then_some(())?;
        let mut others = refined.iter().peekable();
        let mut last: Option<&[u64]> = None;
        let mut same: Vec<&[u64]> = Vec::new();
        for (label, target) in own.iter() {
            if last.replace(label) != Some(label) {
                words::same_label(&mut others, label, &mut same);
            }
            match &same[..] {
                [] => return None,
                [only] => self.members.store_one(target, only, pairs),
                several => {
                    let set = several.iter().map(|words| self.members.member(words)).collect();
                    self.members.store(target, &set, pairs);
                }
            }
        }
        Some(())
    }

    /// Finds the targets.
    fn targets(&self, code: &Compiled, number: u32, state: &[u64], desk: &mut Desk) -> Option<()> {
        let compared = self.joint.plan.operations.get(number as usize)?;
        let Desk { code: memory, own, pair, pairs, recent, .. } = desk;
        let position = self.position(state, recent)?;
        pairs.clear();
        // The refinement does not read what the refined machine is in; but there is to be something.
        self.joint.join(state, position.states.first()?, pair);
        code.records(pair, compared.own, memory, own).then_some(())?;
        if own.is_empty() {
            return Some(());
        }
        let after = match compared.refined {
            None => None,
            Some(refined) => {
                let find = || self.after(code, &position, refined, memory);
                Some(position.after.get(number as usize)?.get_or_init(find).as_ref()?)
            }
        };
        for (label, target) in own.iter() {
            let set = after.map_or(Some(&position.set), |after| after.get(label))?;
            self.members.beside(target, set, pairs);
        }
        Some(())
    }

    /// The set of a state: mostly that of the state before.
    fn position(&self, state: &[u64], recent: &mut Recent) -> Option<Arc<Position>> {
        let (mine, behind) = state.split_at_checked(self.joint.words())?;
        let valuation = mine.first().copied()?;
        let bits = self.joint.refined_bits.iter().zip(&self.positions.seen_bits);
        let read = mine.iter().zip(bits).map(|(w, (refined, seen))| w & (refined | seen));
        let key = || read.clone().skip(1).chain([valuation]).chain(behind.iter().copied());
        if let Some((known, position)) = recent
            && known.iter().copied().eq(key())
        {
            return Some(Arc::clone(position));
        }
        let key: Box<[u64]> = key().collect();
        let known = self.positions.known.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let position = known.unwrap_or_else(|| self.remembered(state, key.clone()));
        *recent = Some((key, Arc::clone(&position)));
        Some(position)
    }

    /// A set that was not met before.
    fn remembered(&self, state: &[u64], key: Box<[u64]>) -> Arc<Position> {
        let after = self.joint.plan.operations.iter().map(|_| OnceLock::new()).collect();
        let states = self.members.each(state);
        let set = self.set(&states.iter().map(|words| self.members.member(words)).collect());
        let position = Arc::new(Position { states, set, after });
        let mut all = self.positions.known.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(key).or_insert(position))
    }

    /// The words that are of members alone.
    fn set(&self, members: &BTreeSet<Member>) -> Set {
        let mut words = Vec::new();
        self.members.store(&vec![0; self.joint.words()], members, &mut words);
        words.into()
    }

    /// The sets that the labels of an operation of the refined machine lead to.
    fn after(
        &self,
        code: &Compiled,
        position: &Position,
        refined: u32,
        memory: &mut compile::Desk,
    ) -> Option<BTreeMap<Label, Set>> {
        let mut outcomes: BTreeMap<Label, BTreeSet<Member>> = BTreeMap::new();
        let mut records = Records::default();
        for state in &position.states {
            code.records(state, refined, memory, &mut records).then_some(())?;
            for (label, target) in records.iter() {
                outcomes.entry(label.into()).or_default().insert(self.members.member(target));
            }
        }
        Some(outcomes.into_iter().map(|(label, members)| (label, self.set(&members))).collect())
    }
}
