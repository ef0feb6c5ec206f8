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
    /// By number of values, the words of so many first values of a label.
    ends: Vec<usize>,
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
        let (mut parts, mut ends) = (Vec::new(), vec![0]);
        let words = |parts: &[Part]| parts.iter().map(|p| if let Part::Set(n) = p { *n } else { 1 }).sum();
        for t in types {
            parts_of(&t, world, &mut parts)?;
            ends.push(words(&parts));
        }
        let label = words(&parts);
        Some(Self { parts, ends, label, width, repeats })
    }

    /// Words of the first values of a label.
    pub(crate) fn first(&self, values: usize) -> usize {
        self.ends.get(values).copied().unwrap_or(self.label)
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

    /// The columns to sort some records by.
    fn columns(&self, records: &[u64]) -> Option<Columns> {
        let size = self.label + self.width;
        let first = records.get(..size)?;
        let mut differ = vec![0; size];
        for r in records.chunks_exact(size) {
            differ.iter_mut().zip(first.iter().zip(r)).for_each(|(d, (x, y))| *d |= x ^ y);
        }
        let mut found = Vec::new();
        let mut at = 0;
        for p in self.parts.iter().chain(std::iter::repeat_n(&Part::Word, self.width)) {
            let n = if let Part::Set(n) = p { *n } else { 1 };
            if differ[at..at + n].iter().any(|d| *d != 0) {
                match p {
                    Part::Set(_) => return None,
                    Part::Word => found.push((at, 0)),
                    Part::Int => found.push((at, 1 << 63)),
                }
            }
            at += n;
        }
        match found[..] {
            // The same word twice decides what it decides once.
            [(a, x)] => Some(Columns { at: [a, a], flip: [x, x] }),
            [(a, x), (b, y)] => Some(Columns { at: [a, b], flip: [x, y] }),
            _ => None,
        }
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
        if let Some(columns) = self.columns(records) {
            return columns.edges(records, self, f);
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

/// The words in which some records differ, if these are at most two and compared as numbers: records are then sorted
/// as numbers, several times faster than by comparing them in memory.
#[derive(Debug)]
struct Columns {
    /// The upper half of the number, then the lower.
    at: [usize; 2],
    /// What to exclusive-or each with: the sign bit of integers.
    flip: [u64; 2],
}

impl Columns {
    fn number(&self, record: &[u64]) -> u128 {
        let word = |k: usize| u128::from(record[self.at[k]] ^ self.flip[k]);
        word(0) << 64 | word(1)
    }

    /// As [`Order::edges`].
    fn edges(&self, records: &[u64], order: &Order, mut f: impl FnMut(&[u64], &[u64])) {
        let size = order.label + order.width;
        let mut numbers: Vec<u128> = records.chunks_exact(size).map(|r| self.number(r)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut record = records[..size].to_vec();
        for n in numbers {
            let halves = n.to_be_bytes();
            for (k, half) in halves.chunks_exact(8).enumerate() {
                let word = half.iter().fold(0, |w, b| w << 8 | u64::from(*b));
                record[self.at[k]] = word ^ self.flip[k];
            }
            let (label, target) = record.split_at(order.label);
            f(label, target);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of an integer, a word and two words of a target, in order, found by sorting them in memory.
    #[test]
    fn columns_sort_as_comparing_does() {
        let order = Order {
            parts: vec![Part::Int, Part::Word],
            ends: vec![0, 1, 2],
            label: 2,
            width: 2,
            repeats: true,
        };
        let mut seed = 7u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        // Which words vary; the last pattern has too many columns.
        for varying in [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 0], [1, 1, 1, 0]] {
            let mut records: Vec<[u64; 4]> = Vec::new();
            for _ in 0..50 {
                let word = |v: &u64| if *v == 1 { next(9).wrapping_sub(4) } else { 3 };
                let words: Vec<u64> = varying.iter().map(word).collect();
                records.extend(<[u64; 4]>::try_from(words));
            }
            let flat: Vec<u64> = records.iter().flatten().copied().collect();
            let mut got = Vec::new();
            order.edges(&flat, &mut Vec::new(), |l, t| got.push([l[0], l[1], t[0], t[1]]));
            records.sort_by(|a, b| order.compare(a, b));
            records.dedup();
            assert_eq!(got, records, "{varying:?}");
            assert_eq!(order.columns(&flat).is_some(), varying.iter().sum::<u64>() < 3);
        }
    }
}
