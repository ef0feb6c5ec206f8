//! Values of functions at solutions of a search, which share what they are made of.
//!
//! In: a shape all of whose cells are decided. Out: its value. Solutions differ in few points, so a pair is made once for
//! an argument and a value, and a function that was made of the same options lately is taken again: values that share
//! parts are compared by looking at addresses, and what a value knows of itself (its inverse) it knows for all of them.
//! Functions to functions are made of those. What is no function is left to `cells`.

use super::cells::{Cell, CellId, Cells, Shape};
use crate::value::{SetRef, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// So many functions made lately are kept for each unknown; a power of two.
const LATELY: usize = 512;

/// Most functions of which such are kept.
const FUNCTIONS: usize = 64;

/// What was made so far.
#[derive(Default)]
pub(super) struct Pairs {
    /// Pairs, by cell.
    made: Vec<Made>,
    /// Functions, by their first cells and a hash of their options.
    lately: Vec<(CellId, Vec<Option<Whole>>)>,
    /// How often candidates of a cell were listed anew.
    age: usize,
}

/// The pairs made for a cell.
#[derive(Clone, Default)]
struct Made {
    /// Its candidates, which are listed anew where a range of integers is decided.
    values: Arc<Vec<Value>>,
    /// By option.
    pairs: Vec<Option<Value>>,
}

/// The options of the cells of a function.
type Options = SmallVec<[u32; 16]>;

/// A function.
#[derive(Clone)]
struct Whole {
    age: usize,
    options: Options,
    value: Value,
}

impl Pairs {
    /// The value of a shape all of whose cells are decided.
    pub(super) fn value(&mut self, cells: &Cells, shape: &Shape) -> Option<Value> {
        let Shape::Fun { keys, parts } = shape else { return cells.value(shape) };
        if parts.iter().all(|part| matches!(part, Shape::Fun { .. })) {
            let pair = |(k, part): (&Value, &Shape)| Some(Value::pair(k.clone(), self.value(cells, part)?));
            let pairs: Option<Vec<Value>> = keys.iter().zip(parts).map(pair).collect();
            return Some(Value::Set(SetRef::from_sorted(pairs?)));
        }
        let mut options = Options::new();
        let mut hash = 0u64;
        for part in parts {
            let Shape::Point(id) = part else { return cells.value(shape) };
            let cell = &cells.cells[*id];
            self.prepare(*id, cell);
            let option = u32::try_from(cell.single()?).ok()?;
            options.push(option);
            hash = (hash.rotate_left(5) ^ u64::from(option)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        let Some(Shape::Point(first)) = parts.first() else { return cells.value(shape) };
        let age = self.age;
        let Some(at) = self.slot(*first, hash) else { return cells.value(shape) };
        if let Some(whole) =
            self.lately[at.0].1[at.1].as_ref().filter(|w| w.age == age && w.options == options)
        {
            return Some(whole.value.clone());
        }
        let mut pairs = Vec::with_capacity(keys.len());
        for ((k, part), option) in keys.iter().zip(parts).zip(&options) {
            let Shape::Point(id) = part else { return None };
            pairs.extend(self.pair(*id, *option as usize, k));
        }
        let value = Value::Set(SetRef::from_sorted(pairs));
        self.lately[at.0].1[at.1] = Some(Whole { age, options, value: value.clone() });
        Some(value)
    }

    /// Where a function with such options is kept; nowhere if there are too many functions.
    fn slot(&mut self, first: CellId, hash: u64) -> Option<(usize, usize)> {
        let known = self.lately.iter().position(|(id, _)| *id == first);
        let n = known.unwrap_or(self.lately.len());
        if n == FUNCTIONS {
            return None;
        }
        if known.is_none() {
            self.lately.push((first, vec![None; LATELY]));
        }
        Some((n, (hash >> 32) as usize % LATELY))
    }

    /// Makes room for the pairs of a cell.
    fn prepare(&mut self, id: CellId, cell: &Cell) {
        if self.made.len() <= id {
            self.made.resize(id + 1, Made::default());
        }
        let made = &mut self.made[id];
        if !Arc::ptr_eq(&made.values, &cell.values) {
            *made = Made { values: cell.values.clone(), pairs: vec![None; cell.values.len()] };
            self.age += 1;
        }
    }

    /// The pair of an argument and an option; the option after the last value is "undefined", and there is none.
    fn pair(&mut self, id: CellId, option: usize, argument: &Value) -> Option<Value> {
        let Made { values, pairs } = &mut self.made[id];
        let v = values.get(option)?;
        Some(pairs[option].get_or_insert_with(|| Value::pair(argument.clone(), v.clone())).clone())
    }
}
