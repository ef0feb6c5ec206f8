//! Strongly connected components, without recursion, as they are completed (Tarjan).
//!
//! In: a [`Walk`] that grows as it is walked, and where to begin. Out: calls of a closure on every component, those that others
//! lead to first. Siblings: `product`, `streett` (who walk).

use std::ops::ControlFlow;

/// A graph that is walked.
pub(super) trait Walk {
    /// Called before the successors of a node are asked for; whether to go on.
    fn enter(&mut self, node: u32) -> ControlFlow<()>;
    /// The `at`th successor of a node that was entered.
    fn successor(&self, node: u32, at: usize) -> Option<u32>;
}

const UNSEEN: u32 = 0;

#[derive(Default)]
struct Search {
    /// When each node was entered, from 1; [`UNSEEN`].
    entered: Vec<u32>,
    /// The earliest node of the stack that is known to be reached; `u32::MAX` once its component is complete.
    low: Vec<u32>,
    /// Nodes whose component is not complete.
    stack: Vec<u32>,
    /// The way to the node at hand, with the number of the next successor.
    path: Vec<(u32, usize)>,
    time: u32,
}

/// Calls `found` on every component that can be reached from the roots, until it or the walk breaks.
pub(super) fn components<W: Walk>(
    walk: &mut W,
    roots: impl IntoIterator<Item = u32>,
    found: &mut dyn FnMut(&W, &[u32]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut s = Search::default();
    for root in roots {
        if s.entered(root) != UNSEEN {
            continue;
        }
        s.enter(walk, root)?;
        while let Some((node, at)) = s.path.last_mut() {
            let node = *node;
            let next = walk.successor(node, *at);
            *at += 1;
            match next {
                Some(to) if s.entered(to) == UNSEEN => s.enter(walk, to)?,
                Some(to) => s.lower(node, s.low(to)),
                None => {
                    s.path.pop();
                    s.leave(walk, node, found)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

impl Search {
    fn entered(&self, node: u32) -> u32 {
        self.entered.get(node as usize).copied().unwrap_or(UNSEEN)
    }

    fn low(&self, node: u32) -> u32 {
        self.low.get(node as usize).copied().unwrap_or(u32::MAX)
    }

    fn lower(&mut self, node: u32, low: u32) {
        if let Some(slot) = self.low.get_mut(node as usize) {
            *slot = (*slot).min(low);
        }
    }

    fn enter<W: Walk>(&mut self, walk: &mut W, node: u32) -> ControlFlow<()> {
        let i = node as usize;
        if i >= self.entered.len() {
            self.entered.resize(i + 1, UNSEEN);
            self.low.resize(i + 1, u32::MAX);
        }
        self.time += 1;
        self.entered[i] = self.time;
        self.low[i] = self.time;
        self.stack.push(node);
        self.path.push((node, 0));
        walk.enter(node)
    }

    fn leave<W: Walk>(
        &mut self,
        walk: &W,
        node: u32,
        found: &mut dyn FnMut(&W, &[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let low = self.low(node);
        if let Some((before, _)) = self.path.last() {
            let before = *before;
            self.lower(before, low);
        }
        if low != self.entered(node) {
            return ControlFlow::Continue(());
        }
        let start = self.stack.iter().rposition(|n| *n == node).unwrap_or(0);
        let component = self.stack.split_off(start);
        for n in &component {
            if let Some(slot) = self.low.get_mut(*n as usize) {
                *slot = u32::MAX;
            }
        }
        found(walk, &component)
    }
}
