//! What parts taken out of a predicate are, and what the rest of it says (`hoist`), by the values that they read: each is
//! evaluated once, whichever search asks.
//!
//! In: the values of locals, the value of the place that a part reads. Out: numbers that stand for those values, what was
//! found for them. It holds for one valuation of the constants, and for formulas that read nothing else.

use super::Env;
use super::bits::spread;
use crate::ir::LocalId;
use crate::value::Value;
use hashbrown::{HashMap, HashTable};
use smallvec::SmallVec;

/// From so many values on all is found anew for the next search.
const POINTS: usize = 1 << 14;

/// The same, in members of sets.
const WORDS: usize = 1 << 20;

/// Most truths.
const TRUTHS: usize = 1 << 16;

/// The row of the rest, and the point of each part: what decides the truth of a predicate.
pub(super) type Point = SmallVec<[u32; 6]>;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Evaluated {
    /// Formulas with the values of their locals.
    rows: Numbers,
    /// Rows with the value of the place that is read, if it has one.
    points: Numbers,
    /// What parts are, by the number of their point.
    values: Vec<Value>,
    /// The members of these, if they are sets.
    words: usize,
    truths: HashMap<Point, bool>,
}

impl Evaluated {
    /// The number of a formula with its locals as they are; `None` if one has no value in extension.
    pub(super) fn row(&mut self, formula: usize, locals: &[LocalId], env: &Env) -> Option<u32> {
        let formula = u32::try_from(formula).ok()?;
        let mut values = Borrowed::new();
        for id in locals {
            values.push(env.local(*id).filter(|v| v.is_extension())?);
        }
        self.rows.number(formula, &values)
    }

    /// The number of a part's value for what it reads, if it has been found.
    pub(super) fn point(&self, row: u32, read: Option<&Value>) -> Option<u32> {
        let values: Borrowed<'_> = read.into_iter().collect();
        self.points.find(hash(row, &values), row, &values)
    }

    /// Keeps what a part is.
    pub(super) fn keep(&mut self, row: u32, read: Option<&Value>, value: Value) -> Option<u32> {
        let point = self.points.number(row, &read.into_iter().collect::<Borrowed<'_>>())?;
        // Another thread may have been faster.
        if point as usize == self.values.len() {
            self.words += if let Value::Set(s) = &value { s.len() } else { 0 };
            self.values.push(value);
        }
        Some(point)
    }

    /// What a part is at a point.
    pub(super) fn value(&self, point: u32) -> Option<&Value> {
        self.values.get(point as usize)
    }

    /// Whether the predicate holds, if it has been evaluated.
    pub(super) fn truth(&self, at: &Point) -> Option<bool> {
        self.truths.get(at).copied()
    }

    /// Keeps whether it holds.
    pub(super) fn keep_truth(&mut self, at: Point, truth: bool) {
        if self.truths.len() < TRUTHS {
            self.truths.insert(at, truth);
        }
    }

    /// Whether so much has been kept that it is time to begin anew.
    pub(super) fn is_full(&self) -> bool {
        self.values.len() >= POINTS || self.words >= WORDS || self.truths.len() >= TRUTHS
    }
}

/// Values where they are.
type Borrowed<'v> = SmallVec<[&'v Value; 4]>;

/// Numbers for lists of values, from 0 on.
#[derive(Debug, Default)]
struct Numbers {
    /// Each with what it belongs to.
    of: Vec<(u32, Box<[Value]>)>,
    by_hash: HashTable<u32>,
}

impl Numbers {
    fn find(&self, hash: u64, part: u32, values: &[&Value]) -> Option<u32> {
        let same = |n: &u32| {
            let known = self.of.get(*n as usize);
            known.is_some_and(|(p, vs)| *p == part && vs.iter().eq(values.iter().copied()))
        };
        self.by_hash.find(hash, same).copied()
    }

    fn number(&mut self, part: u32, values: &[&Value]) -> Option<u32> {
        let at = hash(part, values);
        if let Some(n) = self.find(at, part, values) {
            return Some(n);
        }
        let n = u32::try_from(self.of.len()).ok()?;
        self.of.push((part, values.iter().map(|v| (*v).clone()).collect()));
        let of = &self.of;
        let again =
            |n: &u32| of.get(*n as usize).map_or(0, |(p, vs)| hash(*p, &vs.iter().collect::<Borrowed<'_>>()));
        self.by_hash.insert_unique(at, n, again);
        Some(n)
    }
}

fn hash(part: u32, values: &[&Value]) -> u64 {
    values.iter().fold(mixed(0, part.into()), |hash, v| hash_value(hash, v))
}

/// Of a large value only so much that its like are told apart mostly.
fn hash_value(hash: u64, v: &Value) -> u64 {
    match v {
        Value::Bool(b) => mixed(hash, (*b).into()),
        Value::Int(n) => mixed(hash, n.cast_unsigned()),
        Value::Elem(_, i) => mixed(hash, (*i).into()),
        Value::Pair(p) => hash_value(hash_value(hash, &p.0), &p.1),
        Value::Rec(fields) => fields.iter().fold(hash, hash_value),
        Value::Set(s) => {
            let (first, last) = (s.items().first(), s.items().last());
            first.into_iter().chain(last).fold(mixed(hash, s.len() as u64), hash_value)
        }
        Value::Str(s) => s.bytes().fold(hash, |hash, b| mixed(hash, b.into())),
        Value::Big(_) | Value::Real(_) | Value::Free(..) | Value::Lazy(_) => hash,
    }
}

fn mixed(hash: u64, n: u64) -> u64 {
    spread((hash ^ n).wrapping_add(1)).rotate_left(5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::SetRef;

    #[test]
    fn one_number_for_equal_values() {
        let ints = |n: i64| Value::Set(SetRef::from_vec((0..n).map(Value::Int).collect()));
        let value = |i: i64| match i % 3 {
            0 => Value::Int(i),
            1 => Value::pair(Value::Int(i), Value::Bool(true)),
            _ => ints(i),
        };
        let mut numbers = Numbers::default();
        let list = |i: i64| -> Vec<Value> { (i..i + i % 4).map(value).collect() };
        let mut number = |part: u32, i: i64| {
            let values = list(i);
            numbers.number(part, &values.iter().collect::<Vec<_>>())
        };
        let parts = [0, 3, 0, 1, 5, 3, 3];
        let cases: Vec<(u32, i64)> = parts.into_iter().cycle().zip(0..200).chain([(0, 2), (3, 7)]).collect();
        let made: Vec<Option<u32>> = cases.iter().map(|(part, i)| number(*part, *i)).collect();
        for (i, (part, of)) in cases.iter().enumerate() {
            assert_eq!(number(*part, *of), made[i]);
            let first = cases.iter().position(|(p, n)| p == part && list(*n) == list(*of));
            assert_eq!(first.map(|j| made[j]), Some(made[i]));
        }
        assert_eq!(numbers.of.len(), made.iter().max().and_then(|n| *n).map_or(0, |n| n as usize + 1));
    }

    #[test]
    fn parts_and_truths_are_found_again() {
        let mut env = Env::default();
        let (x, y) = (LocalId(0), LocalId(3));
        env.set_local(x, Some(Value::Int(7)));
        let mut known = Evaluated::default();
        assert_eq!(known.row(0, &[x, y], &env), None, "y has no value");
        let row = known.row(0, &[x], &env).unwrap();
        assert_ne!(known.row(1, &[x], &env), Some(row));
        let read = Value::Bool(true);
        assert_eq!(known.point(row, Some(&read)), None);
        let point = known.keep(row, Some(&read), Value::Int(1)).unwrap();
        let without = known.keep(row, None, Value::Int(2)).unwrap();
        assert_eq!(known.keep(row, None, Value::Int(2)), Some(without));
        assert_eq!(known.point(row, Some(&read)), Some(point));
        assert_eq!((known.value(point), known.value(without)), (Some(&Value::Int(1)), Some(&Value::Int(2))));
        let at = Point::from_slice(&[row, point]);
        assert_eq!(known.truth(&at), None);
        known.keep_truth(at.clone(), false);
        assert_eq!(known.truth(&at), Some(false));
    }
}
