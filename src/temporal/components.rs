//! Strongly connected components, without recursion, as they are completed (Tarjan).
//!
//! In: a [`Walk`] that grows as it is walked, and where to begin. Out: calls of a closure on every component, those that others
//! lead to first. Siblings: `product`, `streett` (who walk).

use std::ops::ControlFlow;

/// How far the moves of a node were taken, as who walks counts.
pub(super) type Place = (u32, u32);

/// A graph that is walked.
pub(super) trait Walk {
    /// Called before the moves of a node are asked for; whether to go on.
    fn enter(&mut self, node: u32) -> ControlFlow<()>;
    /// The next move of a node that was entered: where it leads, with its marks. Its place is zero at first.
    fn next(&mut self, node: u32, at: &mut Place) -> Option<(u32, u64)>;
}

/// A strongly connected component.
pub(super) struct Component<'a> {
    /// Its nodes.
    pub(super) nodes: &'a [u32],
    /// The marks of all moves inside, together; `None` if there is no move.
    pub(super) marks: Option<u64>,
}

const UNSEEN: u32 = 0;

/// What is known of a node.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// When it was entered, from 1; [`UNSEEN`].
    entered: u32,
    /// The earliest node of the stack that is known to be reached; `u32::MAX` once its component is complete.
    low: u32,
    /// Marks of its moves inside its component, as far as these are known.
    marks: Option<u64>,
}

/// A node of the way to the one at hand.
struct Passed {
    node: u32,
    /// How far its moves were taken.
    at: Place,
    /// The marks of the move that was taken last.
    marks: u64,
}

#[derive(Default)]
struct Search {
    seen: Vec<Seen>,
    /// Nodes whose component is not complete.
    stack: Vec<u32>,
    path: Vec<Passed>,
    time: u32,
}

/// Calls `found` on every component that can be reached from the roots, until it or the walk breaks.
pub(super) fn components<W: Walk>(
    walk: &mut W,
    roots: impl IntoIterator<Item = u32>,
    found: &mut dyn FnMut(&W, &Component<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut s = Search::default();
    for root in roots {
        if s.at(root).entered != UNSEEN {
            continue;
        }
        s.enter(walk, root)?;
        while let Some(passed) = s.path.last_mut() {
            let node = passed.node;
            let Some((to, marks)) = walk.next(node, &mut passed.at) else {
                s.path.pop();
                s.leave(walk, node, found)?;
                continue;
            };
            passed.marks = marks;
            let seen = s.at(to);
            if seen.entered == UNSEEN {
                s.enter(walk, to)?;
            } else if seen.low != u32::MAX {
                s.inside(node, seen.low, marks);
            }
        }
    }
    ControlFlow::Continue(())
}

impl Search {
    #[inline]
    fn at(&self, node: u32) -> Seen {
        self.seen.get(node as usize).copied().unwrap_or_default()
    }

    /// A move of a node stays in its component, and from there so early a node is reached.
    #[inline]
    fn inside(&mut self, node: u32, low: u32, marks: u64) {
        if let Some(seen) = self.seen.get_mut(node as usize) {
            seen.low = seen.low.min(low);
            seen.marks = Some(seen.marks.unwrap_or(0) | marks);
        }
    }

    fn enter<W: Walk>(&mut self, walk: &mut W, node: u32) -> ControlFlow<()> {
        let i = node as usize;
        if i >= self.seen.len() {
            self.seen.resize(i + 1, Seen::default());
        }
        self.time += 1;
        self.seen[i] = Seen { entered: self.time, low: self.time, marks: None };
        self.stack.push(node);
        self.path.push(Passed { node, at: (0, 0), marks: 0 });
        walk.enter(node)
    }

    fn leave<W: Walk>(
        &mut self,
        walk: &W,
        node: u32,
        found: &mut dyn FnMut(&W, &Component<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Seen { entered, low, .. } = self.at(node);
        if low != entered {
            if let Some(Passed { node: before, marks, .. }) = self.path.last() {
                self.inside(*before, low, *marks);
            }
            return ControlFlow::Continue(());
        }
        let start = self.stack.iter().rposition(|n| *n == node).unwrap_or(0);
        let mut marks = None;
        for n in self.stack.get(start..).unwrap_or_default() {
            if let Some(seen) = self.seen.get_mut(*n as usize) {
                seen.low = u32::MAX;
                marks = seen.marks.map(|m| m | marks.unwrap_or(0)).or(marks);
            }
        }
        let nodes = self.stack.get(start..).unwrap_or_default();
        let flow = found(walk, &Component { nodes, marks });
        self.stack.truncate(start);
        flow
    }
}
