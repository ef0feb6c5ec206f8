//! Edges that leave nodes, as a system hands them over.
//!
//! In: the edges of one node after the other, by operation. Out: their targets side by side, how many there are of each node
//! and operation, faults by node. Edges that weigh something are kept as runs. Where all weigh the same, who takes them may
//! have them counted instead, in a row for each node: to add up such rows takes no branches, and which operations of a
//! state have edges can mostly not be foretold. Rows of many operations are longer than the edges are many.

use super::{Memory, StepFault, UNWEIGHED};

/// Most operations whose edges are counted in rows.
const COUNTED: usize = 64;

/// Edges that leave nodes one after the other, struct of arrays to be reused.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// Target states, one after the other.
    pub targets: Vec<u64>,
    /// Faults met at the current node.
    pub faults: Vec<StepFault>,
    /// Faults met at closed nodes, with the nodes' numbers, in order.
    pub faulty: Vec<(usize, StepFault)>,
    /// The system's own.
    pub memory: Memory,
    /// Edges that are not counted.
    runs: Vec<Run>,
    /// Operations, if edges are counted by them; else 0.
    operations: usize,
    /// For each node and operation how many edges the node has up to the operation's last.
    rows: Vec<u32>,
    /// Runs, or words of rows, that belong to nodes before the current one.
    closed: usize,
    /// The number of edges up to the last of each closed node.
    ends: Vec<usize>,
    edges: usize,
}

/// Consecutive edges of one node and one operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The operation.
    pub op: u32,
    /// Number of edges.
    pub edges: u32,
    /// How many edges of the full graph each one stands for (1 unless the system tries only one of
    /// several interchangeable arguments), or [`UNWEIGHED`].
    pub weight: u64,
}

impl Steps {
    /// Forgets all edges, keeps the memory.
    pub fn clear(&mut self) {
        self.targets.clear();
        self.faults.clear();
        self.faulty.clear();
        self.runs.clear();
        self.rows.clear();
        self.ends.clear();
        (self.operations, self.closed, self.edges) = (0, 0, 0);
    }

    /// Forgets all edges. From now on they are counted by operation, of which there are so many, unless these are too many
    /// for that; each weighs 1.
    pub fn clear_to_count(&mut self, operations: usize) {
        self.clear();
        if operations <= COUNTED {
            self.operations = operations.max(1);
        }
    }

    /// Adds an edge.
    pub fn push(&mut self, op: u32, weight: u64, target: &[u64]) {
        self.targets.extend_from_slice(target);
        self.pushed(op, weight, 1);
    }

    /// Takes note of edges whose targets are there already.
    pub fn pushed(&mut self, op: u32, weight: u64, edges: u32) {
        self.edges += edges as usize;
        if self.operations > 0 {
            let from_there_on = self.open_row().get_mut(op as usize..).unwrap_or_default();
            return from_there_on.iter_mut().for_each(|end| *end += edges);
        }
        match self.runs.get_mut(self.closed..).and_then(<[Run]>::last_mut) {
            Some(run) if run.op == op && run.weight == weight => run.edges += edges,
            _ if edges > 0 => self.runs.push(Run { op, edges, weight }),
            _ => {}
        }
    }

    /// Takes note of the edges of a node, which has none yet: `ends` has for each operation, in order, how many there are up
    /// to its last. Their targets are there already.
    pub fn pushed_all(&mut self, ends: &[u32]) {
        let mut before = 0;
        for (op, end) in (0..).zip(ends) {
            self.pushed(op, 1, end - before);
            before = *end;
        }
    }

    /// As [`Self::pushed_all`] and [`Self::close`], for one node after the other, with so many operations each.
    pub fn close_all(&mut self, ends: &[u32], operations: usize) {
        if self.operations != operations || self.rows.len() > self.closed {
            for of_node in ends.chunks(operations.max(1)) {
                self.pushed_all(of_node);
                self.close();
            }
            return;
        }
        self.rows.extend_from_slice(ends);
        self.closed = self.rows.len();
        let mut edges = self.edges;
        self.ends.extend(ends.chunks_exact(operations).map(|row| {
            edges += row.last().map_or(0, |end| *end as usize);
            edges
        }));
        self.edges = edges;
    }

    /// Ends a node.
    pub fn close(&mut self) {
        if self.operations > 0 {
            self.open_row();
        }
        let node = self.ends.len();
        self.closed = self.runs.len() + self.rows.len();
        self.ends.push(self.edges);
        self.faulty.extend(self.faults.drain(..).map(|fault| (node, fault)));
    }

    /// The row of the current node.
    fn open_row(&mut self) -> &mut [u32] {
        if self.rows.len() == self.closed {
            self.rows.resize(self.closed + self.operations, 0);
        }
        self.rows.get_mut(self.closed..).unwrap_or_default()
    }

    /// For each closed node the number of edges up to its last.
    #[must_use]
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// If edges are counted: for each node, and each operation, how many edges the node has up to the operation's last.
    #[must_use]
    pub fn rows(&self) -> Option<impl Iterator<Item = &[u32]>> {
        (self.operations > 0).then(|| self.rows.chunks_exact(self.operations))
    }

    /// The edges by node and operation.
    pub fn runs(&self) -> impl Iterator<Item = Run> {
        let counted = self.rows().into_iter().flatten().flat_map(|row| {
            let before = std::iter::once(&0).chain(row);
            let edges = row.iter().zip(before).map(|(end, before)| end - before);
            (0..).zip(edges).map(|(op, edges)| Run { op, edges, weight: 1 })
        });
        self.runs.iter().copied().chain(counted.filter(|run| run.edges > 0))
    }

    /// The targets of the current node, whose edges are not counted, in states of `width` words.
    #[must_use]
    pub fn open_targets(&self, width: usize) -> &[u64] {
        let open: usize = self.open_runs().iter().map(|r| r.edges as usize).sum();
        self.targets.get((self.edges - open) * width..).unwrap_or_default()
    }

    fn open_runs(&self) -> &[Run] {
        self.runs.get(self.closed..).unwrap_or_default()
    }

    /// Whether some edges of the current node have no weight yet.
    #[must_use]
    pub fn unweighed(&self) -> bool {
        self.open_runs().iter().any(|r| r.weight == UNWEIGHED)
    }

    /// Replaces the weight of each edge of the current node that is [`UNWEIGHED`] by what `weigh` says of its
    /// operation and its number among the edges of the node.
    pub fn weigh(&mut self, mut weigh: impl FnMut(u32, usize) -> u64) {
        let mut first = 0;
        for run in self.runs.split_off(self.closed) {
            let end = first + run.edges as usize;
            if run.weight == UNWEIGHED {
                let one = |edge| Run { op: run.op, edges: 1, weight: weigh(run.op, edge) };
                self.runs.extend((first..end).map(one));
            } else {
                self.runs.push(run);
            }
            first = end;
        }
    }

    /// The operation of the `nth` edge.
    #[must_use]
    pub fn operation(&self, nth: usize) -> Option<u32> {
        let mut end = 0;
        let reaches = |r: &Run| {
            end += r.edges as usize;
            nth < end
        };
        self.runs().find(reaches).map(|r| r.op)
    }

    /// Number of edges.
    #[must_use]
    pub fn len(&self) -> usize {
        self.edges
    }

    /// Whether there is no edge.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edges == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Run, Steps};

    /// Four nodes with three operations: each closed by itself, or all at once, counted or not.
    #[test]
    fn counted_or_not_edges_are_the_same() {
        let rows = [[2, 2, 3], [0, 0, 0], [0, 1, 1], [0, 0, 4]];
        let run = |op, edges| Run { op, edges, weight: 1 };
        let runs = [run(0, 2), run(2, 1), run(1, 1), run(2, 4)];
        let mut steps = Steps::default();
        for counted in [true, false, true] {
            for at_once in 0..=rows.len() {
                steps.clear();
                if counted {
                    steps.clear_to_count(3);
                }
                let (first, last) = rows.split_at(at_once);
                steps.close_all(first.as_flattened(), 3);
                for row in last {
                    steps.pushed_all(row);
                    steps.close();
                }
                assert_eq!(steps.runs().collect::<Vec<_>>(), runs);
                assert_eq!(steps.ends(), [3, 3, 4, 8]);
                let same = steps.rows().map(|found| found.eq(rows.iter().map(<[u32; 3]>::as_slice)));
                assert_eq!(same, counted.then_some(true));
                assert_eq!((steps.len(), steps.operation(3), steps.operation(8)), (8, Some(1), None));
            }
        }
    }
}
