//! Edges with their labels as words, for those who compare what operations do.
//!
//! In: a state, an operation. Out: its edges as records: words of the label, words of the target. Deliberately absent: labels as
//! values (`label`), and edges that compiled code cannot tell; who wants those asks the plain system.

use super::super::function::labelled;
use super::super::lower::Source;
use super::{Compiled, CompiledOp, CompiledSystem, Scratch};
use crate::model::Plain;
use crate::ops::Fault;
use std::sync::Arc;

/// Memory to be reused.
#[derive(Debug, Default)]
pub struct Desk(pub(super) Scratch);

/// Edges of one operation from one state, sorted as by [`Plain::edges`], each once.
#[derive(Debug, Default)]
pub struct Records {
    arguments: usize,
    label: usize,
    size: usize,
    words: Vec<u64>,
}

impl Records {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words of the label and those of the target of each. Labels of the same types are equal exactly if their words are.
    pub fn iter(&self) -> impl Iterator<Item = (&[u64], &[u64])> {
        self.words.chunks_exact(self.size.max(1)).map(|r| r.split_at(self.label))
    }

    /// The words of the arguments of each.
    pub fn arguments(&self) -> impl Iterator<Item = &[u64]> {
        self.iter().map(|(label, _)| label.get(..self.arguments).unwrap_or(label))
    }
}

impl<P: Plain> CompiledSystem<P> {
    /// The edges of an operation, by its number in [`Steps::push`](crate::model::Steps::push); false if compiled code cannot
    /// tell them all.
    pub fn records(&self, state: &[u64], number: u32, desk: &mut Desk, out: &mut Records) -> bool {
        out.words.clear();
        let Some(c) = self.compiled(state) else { return false };
        let Some(code) = self.labelled(c, number as usize) else { return false };
        let Some(order) = &code.order else { return false };
        let s = &mut desk.0;
        s.out.clear();
        if code.run(state, &mut s.regs, &mut s.out).is_err() {
            return false;
        }
        out.arguments = order.first(self.operation_at(number as usize).map_or(0, |op| op.params.len()));
        (out.label, out.size) = (order.label(), order.label() + self.plain.layout().words);
        order.edges(&s.out, &mut s.order, |label, target| {
            out.words.extend_from_slice(label);
            out.words.extend_from_slice(target);
        });
        true
    }

    /// Whether a conjunct of the invariant holds.
    ///
    /// # Errors
    /// A fault of evaluating it.
    pub fn holds(&self, state: &[u64], conjunct: usize, desk: &mut Desk) -> Result<bool, Fault> {
        self.invariant(state, conjunct, self.compiled(state), &mut desk.0)
    }

    /// The code that emits labels, whatever they tell.
    pub(super) fn labelled<'c>(&self, c: &'c Compiled, number: usize) -> Option<&'c Arc<CompiledOp>> {
        let (cell, versions) = (c.labelled.get(number)?, self.shared.labelled.get(number)?);
        let make = |src: Source<'_>| {
            let op = self.operation_at(number)?;
            self.with_labels(op, labelled(src, op).ok()?, None)
        };
        cell.get_or_init(|| self.version(c, versions, make)).as_ref()
    }
}
