//! Whether a component has a cycle that is accepted and fair.
//!
//! In: a strongly connected part of a product. Out: a part of it in which a cycle through everything does all that is asked for.
//! What is possible somewhere and done nowhere must be left alone: the states where it is possible are left out, and what
//! remains is looked at again (as for Streett automata). Siblings: `components`, `product`.

use super::components::{Walk, components};
use super::product::Product;
use std::ops::ControlFlow;

/// The part whose cycles are accepted, if there is one.
pub(super) fn accepted(product: &Product<'_>, nodes: &[u32]) -> Option<Vec<u32>> {
    let mut todo = vec![nodes.to_vec()];
    while let Some(mut part) = todo.pop() {
        part.sort_unstable();
        let Some(done) = done(product, &part) else { continue };
        if product.needed() & !done != 0 {
            continue;
        }
        let starved =
            |node: u32| product.strong().any(|(bit, f)| done & bit == 0 && product.enabled(node, f));
        let rest: Vec<u32> = part.iter().copied().filter(|n| !starved(*n)).collect();
        if rest.len() == part.len() {
            return Some(part);
        }
        let mut inside = Part::new(product, &rest);
        let roots = 0..u32::try_from(rest.len()).unwrap_or(u32::MAX);
        let _always_continues = components(&mut inside, roots, &mut |_, found| {
            todo.push(found.iter().filter_map(|i| rest.get(*i as usize).copied()).collect());
            ControlFlow::Continue(())
        });
    }
    None
}

/// What the moves inside a part do together; `None` if there is no move.
fn done(product: &Product<'_>, part: &[u32]) -> Option<u64> {
    let moves = part.iter().flat_map(|n| product.moves(*n));
    let inside = moves.filter(|m| part.binary_search(&m.to).is_ok());
    inside.map(|m| m.marks).reduce(|a, b| a | b)
}

/// A part of a product, nodes by their place in it.
struct Part {
    successors: Vec<Vec<u32>>,
}

impl Part {
    fn new(product: &Product<'_>, part: &[u32]) -> Self {
        let place = |node: u32| part.binary_search(&node).ok().and_then(|i| u32::try_from(i).ok());
        let of = |node: &u32| product.moves(*node).iter().filter_map(|m| place(m.to)).collect();
        Self { successors: part.iter().map(of).collect() }
    }
}

impl Walk for Part {
    fn enter(&mut self, _node: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn successor(&self, node: u32, at: usize) -> Option<u32> {
        self.successors.get(node as usize)?.get(at).copied()
    }
}
