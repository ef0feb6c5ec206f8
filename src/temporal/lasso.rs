//! The path that is shown: a shortest way into a component and a short cycle through all that is asked for.
//!
//! In: a product and what was found in it. Out: a [`Path`] of the graph. Siblings: `product`, `unwind` (the same path on states as
//! they are).

use super::product::{Move, Path, Product};
use hashbrown::HashMap;
use std::collections::VecDeque;

/// A move with the node it leaves.
type Taken = (u32, Move);

/// The way to an end.
pub(super) fn finite(product: &Product<'_>, end: u32) -> Path {
    let settled = product.is_settled(end);
    let found = |n: u32| n == end || settled && product.is_settled(n);
    if let Some(first) = product.initial.iter().find(|n| found(**n)) {
        return path(product, *first, &[], None);
    }
    let way = shortest(product, &product.initial, &|_| true, &mut |_, m| found(m.to));
    let start = way.as_ref().and_then(|w| w.first()).map_or(end, |(from, _)| *from);
    path(product, start, &way.unwrap_or_default(), None)
}

/// The way into a part and round it, past all that is done in it.
pub(super) fn cycle(product: &Product<'_>, part: Vec<u32>) -> Path {
    let inside = |n: u32| part.binary_search(&n).is_ok();
    let mut way = Vec::new();
    let mut entry = product.initial.iter().copied().find(|n| inside(*n));
    if entry.is_none() {
        way = shortest(product, &product.initial, &|_| true, &mut |_, m| inside(m.to)).unwrap_or_default();
        entry = way.last().map(|(_, m)| m.to);
    }
    let entry = entry.unwrap_or(0);
    let start = way.first().map_or(entry, |(from, _)| *from);
    let back = way.len();
    let possible = |bit_of: (u64, super::product::Fair)| part.iter().any(|n| product.enabled(*n, bit_of.1));
    let strong: u64 = product.strong().filter(|s| possible(*s)).map(|(bit, _)| bit).sum();
    let mut missing = product.needed() | strong;
    let mut at = entry;
    while missing != 0 {
        let next = shortest(product, &[at], &inside, &mut |_, m| m.marks & missing != 0);
        let Some(next) = next.filter(|n| !n.is_empty()) else { break };
        next.iter().for_each(|(_, m)| missing &= !m.marks);
        at = next.last().map_or(at, |(_, m)| m.to);
        way.extend(next);
    }
    if at != entry || way.len() == back {
        way.extend(shortest(product, &[at], &inside, &mut |_, m| m.to == entry).unwrap_or_default());
    }
    path(product, start, &way, Some(back))
}

/// A shortest way, of at least one move, from some node to a move that is wanted, through nodes that are allowed.
fn shortest(
    product: &Product<'_>,
    from: &[u32],
    allowed: &dyn Fn(u32) -> bool,
    wanted: &mut dyn FnMut(u32, &Move) -> bool,
) -> Option<Vec<Taken>> {
    let mut reached: HashMap<u32, Option<Taken>> = from.iter().map(|n| (*n, None)).collect();
    let mut todo: VecDeque<u32> = from.iter().copied().collect();
    while let Some(node) = todo.pop_front() {
        for m in product.moves(node).filter(|m| allowed(m.to)) {
            if wanted(node, &m) {
                let mut way = vec![(node, m)];
                let mut at = node;
                while let Some(Some(taken)) = reached.get(&at) {
                    way.push(*taken);
                    at = taken.0;
                }
                way.reverse();
                return Some(way);
            }
            reached.entry(m.to).or_insert_with(|| {
                todo.push_back(m.to);
                Some((node, m))
            });
        }
    }
    None
}

fn path(product: &Product<'_>, start: u32, way: &[Taken], back: Option<usize>) -> Path {
    let nodes = || std::iter::once(start).chain(way.iter().map(|(_, m)| m.to));
    let states = nodes().map(|n| product.state(n)).collect();
    let end = nodes().last().unwrap_or(start);
    let labels = way.iter().map(|(_, m)| m.label).collect();
    Path { states, labels, back, prefix: back.is_none() && product.is_settled(end) }
}
