//! Strongly connected components, without recursion, as they are completed (Tarjan).
//!
//! In: a [`Walk`] that grows as it is walked, and where to begin. Out: calls of a closure on every component, those that others
//! lead to first. Siblings: `product`, `streett` (who walk).

use crate::explore::{filled, prefetch, room};
use std::ops::ControlFlow;

/// How far the moves of a node were taken, as who walks counts.
pub(super) type Place = (u32, u32);

/// A graph that is walked.
pub(super) trait Walk {
    /// Called before the moves of a node are asked for; whether to go on.
    fn enter(&mut self, node: u32) -> ControlFlow<()>;
    /// A number above those of all nodes, if there is one before they are met.
    fn bound(&self) -> usize {
        0
    }
    /// The nodes that the moves of a node may lead to, which will be asked for: at once, memory is waited for only once.
    fn ahead(&self, _node: u32, _ask: impl FnMut(u32)) {}
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

/// The order of a node that was not entered.
const UNSEEN: u32 = 0;

/// The order of a node whose component is complete.
const COMPLETE: u32 = u32::MAX;

/// A node of the way to the one at hand.
#[derive(Clone, Copy)]
struct Passed {
    node: u32,
    /// When it was entered, from 1.
    entered: u32,
    /// The earliest node of the stack that is known to be reached.
    low: u32,
    /// Where it is in the stack.
    start: u32,
    /// How far its moves were taken.
    at: Place,
    /// The marks of the move that was taken last.
    last: u64,
    /// The marks of moves inside its component, as far as these are known: its own, and those of nodes entered after it.
    marks: Option<u64>,
}

impl Passed {
    /// A move stays in the component, and from there so early a node is reached.
    #[inline]
    fn inside(&mut self, low: u32, marks: u64) {
        self.low = self.low.min(low);
        self.marks = Some(self.marks.unwrap_or(0) | marks);
    }
}

struct Search {
    /// By node when it was entered: [`UNSEEN`], [`COMPLETE`]. All that is asked of a node that a move leads to.
    order: Vec<u32>,
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
    let order = filled(UNSEEN, walk.bound());
    let mut s = Search { order, stack: Vec::new(), path: Vec::new(), time: 0 };
    for root in roots {
        if order_of(&s.order, root) != UNSEEN {
            continue;
        }
        s.enter(walk, root)?;
        while let Some(passed) = s.path.last_mut() {
            let Some((to, marks)) = walk.next(passed.node, &mut passed.at) else {
                if let Some(passed) = s.path.pop() {
                    s.leave(walk, passed, found)?;
                }
                continue;
            };
            match order_of(&s.order, to) {
                UNSEEN => {
                    passed.last = marks;
                    s.enter(walk, to)?;
                }
                COMPLETE => {}
                order => passed.inside(order, marks),
            }
        }
    }
    ControlFlow::Continue(())
}

#[inline]
fn order_of(order: &[u32], node: u32) -> u32 {
    order.get(node as usize).copied().unwrap_or(UNSEEN)
}

impl Search {
    fn enter<W: Walk>(&mut self, walk: &mut W, node: u32) -> ControlFlow<()> {
        let i = node as usize;
        if i >= self.order.len() {
            self.order.resize(i + 1, UNSEEN);
        }
        self.time += 1;
        self.order[i] = self.time;
        let (entered, start) = (self.time, u32::try_from(self.stack.len()).unwrap_or(u32::MAX));
        self.stack.push(node);
        room(&mut self.path, 1);
        self.path.push(Passed { node, entered, low: entered, start, at: (0, 0), last: 0, marks: None });
        walk.enter(node)?;
        walk.ahead(node, |to| {
            self.order.get(to as usize).inspect(|order| prefetch(*order));
        });
        ControlFlow::Continue(())
    }

    /// A node all moves of which were taken: its component is complete, or the node before it is in it.
    fn leave<W: Walk>(
        &mut self,
        walk: &W,
        passed: Passed,
        found: &mut dyn FnMut(&W, &Component<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Passed { entered, low, start, marks, .. } = passed;
        let start = start as usize;
        if low != entered {
            if let Some(before) = self.path.last_mut() {
                before.inside(low, before.last | marks.unwrap_or(0));
            }
            return ControlFlow::Continue(());
        }
        let nodes = self.stack.get(start..).unwrap_or_default();
        for n in nodes {
            if let Some(order) = self.order.get_mut(*n as usize) {
                *order = COMPLETE;
            }
        }
        let flow = found(walk, &Component { nodes, marks });
        self.stack.truncate(start);
        flow
    }
}
