//! Records of edges as programs emit them: their order and their duplicates.
//!
//! In: words of labels and targets. Out: targets in the order that the plain system has: by label as values
//! (numbers by number, integers with sign, sets by size and then by members), then by target words.

use super::lower::shape::Shape;
use crate::ops::World;
use crate::ty::Ty;
use std::cmp::Ordering;

/// A part of a label.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// A number.
    Word,
    /// An integer.
    Int,
    /// A set of so many words.
    Set(usize),
}

/// How to order the records of an operation.
#[derive(Debug)]
pub(crate) struct Order {
    parts: Vec<Part>,
    label: usize,
    width: usize,
    repeats: bool,
}

fn parts_of(ty: &Ty, world: &World, out: &mut Vec<Part>) -> Option<()> {
    match ty {
        Ty::Bool | Ty::Given(_) => out.push(Part::Word),
        Ty::Int => out.push(Part::Int),
        Ty::Pair(a, b) => {
            parts_of(a, world, out)?;
            parts_of(b, world, out)?;
        }
        Ty::Rec(fields) => fields.iter().try_for_each(|(_, t)| parts_of(t, world, out))?,
        // Numbers of sets inside sets are not in the order of values.
        Ty::Pow(t) if flat(t) => out.push(Part::Set(Shape::of(t, world)?.words()?)),
        _ => return None,
    }
    Some(())
}

fn flat(t: &Ty) -> bool {
    match t {
        Ty::Bool | Ty::Given(_) => true,
        Ty::Pair(a, b) => flat(a) && flat(b),
        Ty::Rec(fields) => fields.iter().all(|(_, t)| flat(t)),
        _ => false,
    }
}

impl Order {
    /// The order for labels of the given types before states of `width` words; `None` if labels of these
    /// types cannot be compared as words.
    pub(crate) fn new(
        types: impl Iterator<Item = Ty>,
        world: &World,
        width: usize,
        repeats: bool,
    ) -> Option<Self> {
        let mut parts = Vec::new();
        for t in types {
            parts_of(&t, world, &mut parts)?;
        }
        let label = parts.iter().map(|p| if let Part::Set(n) = p { *n } else { 1 }).sum();
        Some(Self { parts, label, width, repeats })
    }

    /// Words of a label.
    pub(crate) fn label(&self) -> usize {
        self.label
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Ordering {
        let mut at = 0;
        for p in &self.parts {
            let n = if let Part::Set(n) = p { *n } else { 1 };
            let (x, y) = (&a[at..at + n], &b[at..at + n]);
            let by = match p {
                Part::Word => x.cmp(y),
                Part::Int => x[0].cast_signed().cmp(&y[0].cast_signed()),
                Part::Set(_) => sets(x, y),
            };
            if by != Ordering::Equal {
                return by;
            }
            at += n;
        }
        a[at..].cmp(&b[at..])
    }

    /// Calls `f` on the label and the target of every distinct record, in order. `order` is memory to be reused.
    pub(crate) fn edges(&self, records: &[u64], order: &mut Vec<u32>, mut f: impl FnMut(&[u64], &[u64])) {
        let size = self.label + self.width;
        let record = |i: u32| &records[i as usize * size..][..size];
        let n = u32::try_from(records.len() / size.max(1)).unwrap_or(u32::MAX);
        let sorted = (1..n).all(|i| {
            let by = self.compare(record(i - 1), record(i));
            by == Ordering::Less || by == Ordering::Equal && !self.repeats
        });
        if sorted {
            records.chunks_exact(size).map(|r| r.split_at(self.label)).for_each(|(l, t)| f(l, t));
            return;
        }
        order.clear();
        order.extend(0..n);
        order.sort_unstable_by(|a, b| self.compare(record(*a), record(*b)));
        let mut last: Option<&[u64]> = None;
        for r in order.iter().map(|i| record(*i)) {
            if last != Some(r) {
                let (label, target) = r.split_at(self.label);
                f(label, target);
            }
            last = Some(r);
        }
    }
}

/// Sets by size, then by members: of two sets of one size, the one with the least member that the other has
/// not comes first.
fn sets(a: &[u64], b: &[u64]) -> Ordering {
    let size = |s: &[u64]| s.iter().map(|w| w.count_ones()).sum::<u32>();
    size(a).cmp(&size(b)).then_with(|| {
        for (x, y) in a.iter().zip(b) {
            let diff = x ^ y;
            if diff != 0 {
                return if x >> diff.trailing_zeros() & 1 == 1 { Ordering::Less } else { Ordering::Greater };
            }
        }
        Ordering::Equal
    })
}
