//! What a chunk adds to a search if nothing is amiss with it.
//!
//! In: the edges of a chunk's states and which of these lead to new ones. Out: counts by operation, the parents of the
//! new states and, if another thread takes them over, those states side by side. Most chunks have neither faults nor
//! violations, and then it makes no difference in which order the search learns of their states: it takes over all of
//! them at once, after this was made by the thread that checked them. Without branches that depend on single edges,
//! which nobody can foretell.

use super::{OperationCount, frontier};
use crate::model::Run;

/// Counts and parents of one chunk; keeps its memory.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// By number of the operation.
    pub(super) operations: Vec<OperationCount>,
    /// Edges.
    pub(super) transitions: u64,
    /// States without edges.
    pub(super) deadlocks: u64,
    /// For each new state the number of its parent in the chunk and that of the edge among the parent's.
    pub(super) parents: Vec<(u32, u32)>,
    /// The new states, if they were put aside.
    aside: Option<Vec<u64>>,
}

impl Summary {
    /// Of states with these rows of edges ([`Steps::rows`](crate::model::Steps::rows)), which end there; `fresh` are the edges to
    /// new states, in order.
    pub(super) fn make<'r>(&mut self, rows: impl Iterator<Item = &'r [u32]>, ends: &[usize], fresh: &[u32]) {
        self.count(rows);
        self.trace_back(ends, fresh);
    }

    /// Puts new states, by their numbers among all `targets`, side by side: another thread reads them faster so.
    pub(super) fn put_aside(&mut self, width: usize, targets: &[u64], fresh: &[u32]) {
        let aside = self.aside.get_or_insert_default();
        aside.clear();
        frontier::append(width, targets, fresh, aside);
    }

    /// The new states, if they were put aside.
    pub(super) fn aside(&self) -> Option<&[u64]> {
        self.aside.as_deref()
    }

    fn count<'r>(&mut self, rows: impl Iterator<Item = &'r [u32]>) {
        let Self { operations, transitions, deadlocks, .. } = self;
        operations.fill(OperationCount::default());
        (*transitions, *deadlocks) = (0, 0);
        for row in rows {
            if operations.len() < row.len() {
                operations.resize(row.len(), OperationCount::default());
            }
            let mut before = 0;
            for (of, &end) in operations.iter_mut().zip(row) {
                let edges = u64::from(end.wrapping_sub(before));
                of.transitions = of.transitions.wrapping_add(edges);
                of.states_enabled = of.states_enabled.wrapping_add(u64::from(edges > 0));
                before = end;
            }
            *transitions = transitions.wrapping_add(before.into());
            *deadlocks += u64::from(before == 0);
        }
    }

    /// Goes through new states and states at once: with every step to the next of the one or of the other.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a chunk has fewer edges than 2^32, each with many bytes"
    )]
    fn trace_back(&mut self, ends: &[usize], fresh: &[u32]) {
        self.parents.clear();
        self.parents.resize(fresh.len(), (0, 0));
        let (mut at, mut source, mut first) = (0, 0, 0);
        while let (Some(edge), Some(&end), Some(parent)) =
            (fresh.get(at), ends.get(source), self.parents.get_mut(at))
        {
            let end = end as u32;
            let here = *edge < end;
            *parent = (source as u32, edge.wrapping_sub(first));
            at += usize::from(here);
            source += usize::from(!here);
            first = if here { first } else { end };
        }
    }
}

/// Counts the edges of one state by operation, with their weights: so many runs as have these edges. How many they are in
/// all.
pub(super) fn count(
    runs: &mut impl Iterator<Item = Run>,
    mut edges: usize,
    operations: &mut Vec<OperationCount>,
) -> u64 {
    let (mut all, mut last) = (0u64, None);
    while edges > 0
        && let Some(run) = runs.next()
    {
        edges = edges.saturating_sub(run.edges as usize);
        let weight = run.weight.saturating_mul(run.edges.into());
        all = all.saturating_add(weight);
        let of = counts(operations, run.op);
        of.transitions = of.transitions.saturating_add(weight);
        of.states_enabled += u64::from(last != Some(run.op));
        last = Some(run.op);
    }
    all
}

/// The counts of an operation.
#[inline]
fn counts(operations: &mut Vec<OperationCount>, op: u32) -> &mut OperationCount {
    let op = op as usize;
    if op >= operations.len() {
        operations.resize(op + 1, OperationCount::default());
    }
    &mut operations[op]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_single_states() {
        // Four states: edges 0 to 2, none, 3, 4 to 7.
        let rows = [[2, 2, 3], [0, 0, 0], [0, 1, 1], [0, 1, 4]];
        let mut summary = Summary::default();
        for _ in 0..2 {
            summary.make(rows.iter().map(<[u32; 3]>::as_slice), &[3, 3, 4, 8], &[0, 2, 3, 5, 7]);
            let operations: Vec<_> =
                summary.operations.iter().map(|o| (o.transitions, o.states_enabled)).collect();
            assert_eq!(operations, [(2, 1), (2, 2), (4, 2)]);
            assert_eq!((summary.transitions, summary.deadlocks), (8, 1));
            assert_eq!(summary.parents, [(0, 0), (0, 2), (2, 0), (3, 1), (3, 3)]);
        }
        let run = |op, edges| Run { op, edges, weight: 1 };
        let mut runs = [run(0, 2), run(2, 1), run(1, 1), run(1, 1), run(2, 3)].into_iter();
        let mut operations = Vec::new();
        for edges in [3, 0, 1, 4] {
            assert_eq!(count(&mut runs, edges, &mut operations), edges as u64);
        }
        assert_eq!(operations, summary.operations);
        summary.make(std::iter::empty(), &[], &[]);
        assert!(summary.parents.is_empty() && summary.transitions == 0);
    }
}
