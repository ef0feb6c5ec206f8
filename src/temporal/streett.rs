//! Whether a component has a cycle that is accepted and fair.
//!
//! In: a strongly connected part of a product. Out: a part of it in which a cycle through everything does all that is asked for.
//! What is possible somewhere and done nowhere must be left alone: the states where it is possible are left out, and what
//! remains is looked at again (as for Streett automata). Siblings: `components`, `product`.

use super::components::{Component, Place, Walk, components};
use super::product::Product;
use std::ops::ControlFlow;

/// The part whose cycles are accepted, if there is one.
pub(super) fn accepted(product: &Product<'_>, component: &Component<'_>) -> Option<Vec<u32>> {
    let needed = |marks: &u64| product.needed() & !marks == 0;
    let marks = component.marks.filter(needed)?;
    let mut todo = vec![(component.nodes.to_vec(), marks)];
    while let Some((mut part, marks)) = todo.pop() {
        part.sort_unstable();
        let starved =
            |node: u32| product.strong().any(|(bit, f)| marks & bit == 0 && product.enabled(node, f));
        let rest: Vec<u32> = part.iter().copied().filter(|n| !starved(*n)).collect();
        if rest.len() == part.len() {
            return Some(part);
        }
        let mut inside = Part::new(product, &rest);
        let roots = 0..u32::try_from(rest.len()).unwrap_or(u32::MAX);
        let _always_continues = components(&mut inside, roots, &mut |_, found| {
            if let Some(marks) = found.marks.filter(needed) {
                let nodes = found.nodes.iter().filter_map(|i| rest.get(*i as usize).copied());
                todo.push((nodes.collect(), marks));
            }
            ControlFlow::Continue(())
        });
    }
    None
}

/// A part of a product, nodes by their place in it.
struct Part {
    moves: Vec<Vec<(u32, u64)>>,
}

impl Part {
    fn new(product: &Product<'_>, part: &[u32]) -> Self {
        let place = |node: u32| part.binary_search(&node).ok().and_then(|i| u32::try_from(i).ok());
        let of = |node: &u32| product.moves(*node).filter_map(|m| Some((place(m.to)?, m.marks))).collect();
        Self { moves: part.iter().map(of).collect() }
    }
}

impl Walk for Part {
    fn enter(&mut self, _node: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn next(&mut self, node: u32, at: &mut Place) -> Option<(u32, u64)> {
        let next = self.moves.get(node as usize)?.get(at.0 as usize).copied();
        at.0 += 1;
        next
    }
}
