//! The steps of one operation from one pair of states by compiled code, where all of them refine.
//!
//! In: the records of the refinement's operation and of the refined one. Out: the pairs that its steps lead to, the same and in
//! the same order as by `matching`; or nothing, where compiled code does not go or where something does not refine: what
//! that is, `matching` tells. Outcomes of one label stand together in both, and labels in the same order.

use super::joint::JointSystem;
use super::positions::Recent;
use crate::compile::{self, Compiled, Records};
use crate::model::Steps;
use std::iter::Peekable;

/// Memory to be reused.
#[derive(Debug, Default)]
pub(super) struct Desk {
    pub(super) code: compile::Desk,
    pub(super) own: Records,
    pub(super) refined: Records,
    /// The pair that is being tried.
    pub(super) pair: Vec<u64>,
    /// The pairs of one label, one after the other.
    of_label: Vec<u64>,
    pub(super) recent: Recent,
    /// A state of both machines.
    pub(super) state: Vec<u64>,
    /// All pairs.
    pub(super) pairs: Vec<u64>,
}

/// The next records' targets under a label, where both sides have labels in the same order.
pub(super) fn same_label<'r>(
    records: &mut Peekable<impl Iterator<Item = (&'r [u64], &'r [u64])>>,
    label: &[u64],
    same: &mut Vec<&'r [u64]>,
) {
    same.clear();
    while records.next_if(|(l, _)| *l != label).is_some() {}
    same.extend(std::iter::from_fn(|| Some(records.next_if(|(l, _)| *l == label)?.1)));
}

impl JointSystem<'_> {
    /// Adds the steps of an operation; false, and nothing is added, if that is for `matching` to do.
    pub(super) fn quickly(&self, number: u32, state: &[u64], desk: &mut Desk, out: &mut Steps) -> bool {
        let found = self.code.and_then(|code| self.pairs(code, number, state, desk));
        if found.is_some() {
            for pair in desk.pairs.chunks_exact(self.words().max(1)) {
                out.push(number, 1, pair);
            }
        }
        found.is_some()
    }

    /// Finds the pairs.
    fn pairs(&self, code: &Compiled, number: u32, state: &[u64], desk: &mut Desk) -> Option<()> {
        let compared = self.plan.operations.get(number as usize)?;
        let Desk { code: memory, own, refined, pair, of_label, pairs, .. } = desk;
        pairs.clear();
        if let Some(gap) = compared.gap {
            (code.records(state, gap, memory, own) && own.is_empty()).then_some(())?;
        }
        code.records(state, compared.own, memory, own).then_some(())?;
        if own.is_empty() {
            return Some(());
        }
        if let Some(op) = compared.refined {
            code.records(state, op, memory, refined).then_some(())?;
        }
        let mut others = compared.refined.map(|_| refined.iter().peekable());
        let mut last: Option<&[u64]> = None;
        let mut same: Vec<&[u64]> = vec![state];
        for (label, target) in own.iter() {
            if last.replace(label) != Some(label) {
                self.close(of_label, pairs);
                if let Some(others) = &mut others {
                    same_label(others, label, &mut same);
                }
            }
            let before = of_label.len();
            for refined in &same {
                self.join(target, refined, pair);
                if self.is_glued(code, state, pair, memory)? {
                    of_label.extend_from_slice(pair);
                }
            }
            (of_label.len() > before).then_some(())?;
        }
        self.close(of_label, pairs);
        Some(())
    }

    /// The refined machine's bits from one state, all others from another.
    pub(super) fn join(&self, own: &[u64], refined: &[u64], pair: &mut Vec<u64>) {
        pair.clear();
        let sides = own.iter().zip(refined).zip(&self.refined_bits);
        pair.extend(sides.map(|((own, refined), mask)| own & !mask | refined & mask));
    }

    /// Whether the gluing invariant relates the two parts of a pair that a step leads to; nothing if it has no value. It does
    /// in the state that the step leaves, so conjuncts that read nothing that has changed hold.
    fn is_glued(
        &self,
        code: &Compiled,
        state: &[u64],
        pair: &[u64],
        memory: &mut compile::Desk,
    ) -> Option<bool> {
        for (conjunct, read) in self.plan.gluing.clone().zip(&self.read_bits) {
            let changed = state.iter().zip(pair).zip(read).any(|((a, b), read)| (a ^ b) & read != 0);
            if changed && !code.holds(pair, conjunct, memory).ok()? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Moves the pairs of a label to all, in order, each once.
    fn close(&self, of_label: &mut Vec<u64>, pairs: &mut Vec<u64>) {
        let width = self.words().max(1);
        if of_label.len() > width {
            let mut sorted: Vec<&[u64]> = of_label.chunks_exact(width).collect();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.into_iter().for_each(|p| pairs.extend_from_slice(p));
        } else {
            pairs.extend_from_slice(of_label);
        }
        of_label.clear();
    }
}
