//! Cells: the atoms of search. A cell is one function point (its candidates are the values it may take) or one
//! possible member of a set (its candidates are out and in).
//!
//! In: candidate lists. Out: which candidates are left, with a trail to go back. Shapes say how cells make up
//! the value of a set- or function-valued unknown. Nothing here knows constraints.

use crate::eval::bits::Ones;
use crate::eval::interval::{Interval, endpoint};
use crate::value::{SetRef, Value};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// Integer ranges up to this long are listed.
const LISTED: i128 = 256;

/// Number of a cell.
pub(super) type CellId = usize;

/// So many lists of candidates are looked through for one that cells may share.
const SHARED: usize = 8;

/// What one cell may still be.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The candidates; empty for membership cells (0 is out, 1 is in). In a partial function the number after
    /// the last candidate means "undefined".
    pub(super) values: Arc<Vec<Value>>,
    /// Bit i: candidate i is possible.
    pub(super) alive: SmallVec<[u64; 2]>,
    /// How many are possible.
    pub(super) left: u32,
    /// All that are possible are in the words from this to that: of thousands of options often just a few are left.
    within: (usize, usize),
    /// For an integer with too many candidates to list, or without an end: its range. The lists above are empty.
    pub(super) wide: Option<Interval>,
}

impl Cell {
    pub(super) fn new(values: Arc<Vec<Value>>, options: usize) -> Self {
        let alive = (0..options.div_ceil(64)).map(|word| bits(&(0..options), word)).collect();
        let within = (0, options.div_ceil(64).saturating_sub(1));
        Self { values, alive, left: u32::try_from(options).unwrap_or(u32::MAX), within, wide: None }
    }

    /// An integer in a range, listed if the range is short.
    pub(super) fn integer(range: Interval) -> Self {
        match (range.lo(), range.hi()) {
            (Some(lo), Some(hi)) if hi - lo < LISTED => {
                let values: Vec<Value> = (lo..=hi).map(Value::double).collect();
                let n = values.len();
                Self::new(Arc::new(values), n)
            }
            _ => Self {
                values: Arc::default(),
                alive: SmallVec::new(),
                left: u32::MAX,
                within: (0, 0),
                wide: Some(range),
            },
        }
    }

    pub(super) fn has(&self, i: usize) -> bool {
        self.alive.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }

    /// Whether it may be a value, of those listed.
    pub(super) fn admits(&self, v: &Value) -> bool {
        self.values.binary_search(v).is_ok_and(|i| self.has(i))
    }

    pub(super) fn options(&self) -> impl Iterator<Item = usize> + '_ {
        let (begin, end) = self.within;
        let words = self.alive.iter().enumerate().take(end + 1).skip(begin);
        words.flat_map(|(i, w)| Ones(*w).map(move |b| i * 64 + b))
    }

    /// Those options for which `f` holds, as bits.
    pub(super) fn options_where(&self, f: impl Fn(usize) -> bool) -> SmallVec<[u64; 2]> {
        let mut bits = SmallVec::from_elem(0, self.alive.len());
        self.options().filter(|i| f(*i)).for_each(|i| bits[i / 64] |= 1 << (i % 64));
        bits
    }

    /// The first option.
    pub(super) fn first(&self) -> Option<usize> {
        let (begin, _) = self.within;
        let i = begin + self.alive.get(begin..)?.iter().position(|w| *w != 0)?;
        Some(i * 64 + self.alive[i].trailing_zeros() as usize)
    }

    /// The last option.
    pub(super) fn last(&self) -> Option<usize> {
        let i = self.alive.get(..=self.within.1)?.iter().rposition(|w| *w != 0)?;
        Some(i * 64 + 63 - self.alive[i].leading_zeros() as usize)
    }

    /// The 64 options from one on, as bits.
    pub(super) fn options_from(&self, i: usize) -> u64 {
        let word = |n: usize| self.alive.get(n).copied().unwrap_or(0);
        match (i / 64, i % 64) {
            (n, 0) => word(n),
            (n, shift) => word(n) >> shift | word(n + 1) << (64 - shift),
        }
    }

    /// Leaves out words without options at the ends.
    fn tighten(&mut self) {
        let (begin, end) = &mut self.within;
        while *begin < *end && self.alive[*begin] == 0 {
            *begin += 1;
        }
        while *begin < *end && self.alive[*end] == 0 {
            *end -= 1;
        }
    }

    /// The only option left.
    #[inline]
    pub(super) fn single(&self) -> Option<usize> {
        if self.left != 1 {
            return None;
        }
        self.first()
    }

    /// Of a cell of two options the only one left: whether it is the second.
    #[inline]
    pub(super) fn of_two(&self) -> Option<bool> {
        (self.left == 1).then(|| self.alive.first().is_some_and(|w| *w == 2))
    }

    /// How long the range of an integer cell is; those without an end come last.
    pub(super) fn breadth(&self) -> i128 {
        self.wide.map_or(0, |r| r.size().unwrap_or(i128::MAX))
    }

    /// The values that it may have. "Undefined" is none.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Value> + '_ {
        self.options().filter_map(|i| self.values.get(i))
    }

    /// Whether its value is that of another cell with the same list; `None` if both may be.
    pub(super) fn equals(&self, other: &Self) -> Option<bool> {
        let n = self.values.len();
        let common = self.alive.iter().zip(&other.alive).enumerate().any(|(i, (a, b))| {
            // The option after the last value is none.
            let values = if n / 64 == i { (1 << (n % 64)) - 1 } else { u64::MAX };
            a & b & values != 0
        });
        if !common {
            return Some(false);
        }
        let sure = |cell: &Self| cell.left == 1 + u32::from(cell.has(n));
        (sure(self) && sure(other)).then_some(true)
    }

    /// The least and the greatest of listed integers.
    pub(super) fn ends(&self) -> Option<Interval> {
        let lo = self.values.get(self.first()?)?;
        let hi = match self.values.get(self.last()?) {
            Some(hi) => hi,
            None => self.listed().last()?,
        };
        Some(Interval::new(Some(endpoint(lo)?), Some(endpoint(hi)?)))
    }

    /// The numbers of the integers in an interval, if all candidates are integers: they are sorted.
    fn span(&self, to: Interval) -> Option<Range<usize>> {
        let (Value::Int(_), Value::Int(_)) = (self.values.first()?, self.values.last()?) else { return None };
        let below = |v: &Value| matches!(v, Value::Int(n) if to.lo().is_some_and(|lo| i128::from(*n) < lo));
        let begin = self.values.partition_point(below);
        let fits = |v: &Value| matches!(v, Value::Int(n) if to.hi().is_none_or(|hi| i128::from(*n) <= hi));
        let rest = self.values.get(begin..).unwrap_or_default();
        Some(begin..begin + rest.partition_point(fits))
    }

    /// The options other than integers in an interval ("undefined" is one of them), if all candidates are integers.
    pub(super) fn beyond(&self, to: Interval) -> Option<impl Iterator<Item = usize> + '_> {
        let span = self.span(to)?;
        let outside = move |(i, w): (usize, &u64)| Ones(w & !bits(&span, i)).map(move |b| i * 64 + b);
        Some(self.alive.iter().enumerate().flat_map(outside))
    }

    /// Whether it can be an integer in an interval, if all candidates are integers.
    pub(super) fn reaches(&self, to: Interval) -> Option<bool> {
        let span = self.span(to)?;
        Some(self.alive.iter().enumerate().any(|(i, w)| w & bits(&span, i) != 0))
    }

    /// The integers that it may have, if they are all from the least to the greatest.
    pub(super) fn unbroken(&self) -> Option<Interval> {
        let undefined = u32::from(self.has(self.values.len()));
        self.ends().filter(|range| range.size() == Some((self.left - undefined).into()))
    }

    fn keep(&mut self, i: usize) {
        let (begin, end) = self.within;
        self.alive.iter_mut().take(end + 1).skip(begin).for_each(|w| *w = 0);
        self.alive[i / 64] |= 1 << (i % 64);
        self.left = 1;
        self.within = (i / 64, i / 64);
    }

    /// Takes an option away before the search begins, if it is there.
    pub(super) fn drop_option(&mut self, i: usize) {
        if self.has(i) {
            self.remove(i);
        }
    }

    fn remove(&mut self, i: usize) {
        self.alive[i / 64] &= !(1 << (i % 64));
        self.left -= 1;
        self.tighten();
    }
}

/// The bits of a range in a word, by its number.
fn bits(range: &Range<usize>, word: usize) -> u64 {
    let within = |n: usize| n.saturating_sub(word * 64).min(64);
    let (begin, end) = (within(range.start), within(range.end));
    if begin < end { u64::MAX >> (64 - (end - begin)) << begin } else { 0 }
}

/// How cells make up a value.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// The value of one cell.
    Point(CellId),
    /// A function: one part per argument, arguments sorted.
    Fun { keys: Arc<Vec<Value>>, parts: Vec<Shape> },
    /// A set: one membership cell per possible member, members sorted.
    Set { items: Arc<Vec<Value>>, first: CellId },
}

/// The cell of a function, given by its arguments and parts, at an argument; `None` if it has no value of one cell there.
pub(super) fn point(keys: &[Value], parts: &[Shape], x: &Value) -> Option<CellId> {
    match keys.binary_search(x).ok().and_then(|i| parts.get(i)) {
        Some(Shape::Point(id)) => Some(*id),
        _ => None,
    }
}

impl Shape {
    /// Whether a cell is part of the value.
    pub(super) fn has_cell(&self, cell: CellId) -> bool {
        match self {
            Shape::Point(id) => *id == cell,
            Shape::Fun { parts, .. } => parts.iter().any(|p| p.has_cell(cell)),
            Shape::Set { items, first } => (*first..first + items.len()).contains(&cell),
        }
    }
}

/// What a cell was before a change.
#[derive(Debug)]
enum Before {
    /// Its options: all else has stayed.
    Options { alive: SmallVec<[u64; 2]>, left: u32, within: (usize, usize) },
    /// All of it.
    Whole(Box<Cell>),
}

/// All cells of a search with the trail of changes.
#[derive(Debug, Default)]
#[allow(clippy::struct_field_names, reason = "the cells are what the struct is about")]
pub(super) struct Cells {
    pub(super) cells: Vec<Cell>,
    /// The first lists of candidates.
    lists: Vec<Arc<Vec<Value>>>,
    trail: Vec<(CellId, Before)>,
    /// The last place to go back to: what the trail has behind it need not be kept twice.
    last: usize,
    /// Grows with every change, and with every change that is taken back: as long as it is the same, so are all cells.
    pub(super) version: u64,
}

impl Cells {
    pub(super) fn add(&mut self, cell: Cell) -> CellId {
        let values = self.shared(cell.values.clone());
        self.cells.push(Cell { values, ..cell });
        self.cells.len() - 1
    }

    /// A list of candidates, or the same one of cells before: what shares a list is compared by bits.
    pub(super) fn shared(&mut self, values: Arc<Vec<Value>>) -> Arc<Vec<Value>> {
        if let Some(same) = self.lists.iter().find(|l| Arc::ptr_eq(l, &values) || **l == values) {
            return same.clone();
        }
        if self.lists.len() < SHARED {
            self.lists.push(values.clone());
        }
        values
    }

    /// Takes an option away before the search begins.
    pub(super) fn drop_option(&mut self, id: CellId, i: usize) {
        self.version += 1;
        self.cells[id].drop_option(i);
    }

    /// The cells as they are, without a way back.
    pub(super) fn undecided(&self) -> Self {
        Self { cells: self.cells.clone(), ..Self::default() }
    }

    /// Remembers the options of a cell, which are about to change.
    fn save(&mut self, id: CellId) {
        let cell = &self.cells[id];
        let alive = SmallVec::from_slice(&cell.alive);
        self.trail.push((id, Before::Options { alive, left: cell.left, within: cell.within }));
    }

    pub(super) fn mark(&mut self) -> usize {
        self.last = self.trail.len();
        self.last
    }

    pub(super) fn back_to(&mut self, mark: usize) {
        self.version += u64::from(self.trail.len() > mark);
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some((id, Before::Options { alive, left, within })) => {
                    let cell = &mut self.cells[id];
                    (cell.alive, cell.left, cell.within) = (alive, left, within);
                }
                Some((id, Before::Whole(cell))) => self.cells[id] = *cell,
                None => break,
            }
        }
        self.last = mark;
    }

    pub(super) fn keep(&mut self, id: CellId, i: usize) {
        self.version += 1;
        self.save(id);
        self.cells[id].keep(i);
    }

    /// Keeps some options of a listed cell, all of which it has.
    pub(super) fn keep_options(&mut self, id: CellId, options: &[usize]) {
        if let [i] = options {
            return self.keep(id, *i);
        }
        let mut kept: SmallVec<[u64; 2]> = SmallVec::from_elem(0, self.cells[id].alive.len());
        options.iter().for_each(|i| kept[i / 64] |= 1 << (i % 64));
        self.retain(id, |word| kept[word]);
    }

    /// Narrows an integer cell to a range; whether that changes it.
    pub(super) fn meet(&mut self, id: CellId, to: Interval) -> bool {
        let Some(old) = self.cells[id].wide else { return false };
        let new = old.meet(to);
        if new == old {
            return false;
        }
        self.replace(id, Cell::integer(new));
        true
    }

    /// Takes all options but the integers of a range from a listed cell; whether that changes it. None may be left.
    pub(super) fn confine(&mut self, id: CellId, to: Interval) -> bool {
        let Some(span) = self.cells[id].span(to) else { return false };
        self.retain(id, |word| bits(&span, word))
    }

    /// Takes all options but some values, sorted, from a listed cell; whether that changes it. None may be left.
    pub(super) fn keep_all(&mut self, id: CellId, values: &[Value]) -> bool {
        let cell = &self.cells[id];
        let mut kept: SmallVec<[u64; 2]> = SmallVec::from_elem(0, cell.alive.len());
        let known = |v: &Value| cell.values.binary_search(v).ok();
        values.iter().filter_map(known).for_each(|i| kept[i / 64] |= 1 << (i % 64));
        self.retain(id, |word| kept[word])
    }

    /// Takes all options but some, given as words of bits, from a listed cell; whether that changes it.
    pub(super) fn retain(&mut self, id: CellId, kept: impl Fn(usize) -> u64) -> bool {
        let cell = &self.cells[id];
        let (begin, end) = cell.within;
        let changes = (begin..=end).any(|i| cell.alive.get(i).is_some_and(|w| w & !kept(i) != 0));
        if changes {
            self.version += 1;
            self.save(id);
            let cell = &mut self.cells[id];
            for (i, w) in cell.alive.iter_mut().enumerate().take(end + 1).skip(begin) {
                let lost = *w & !kept(i);
                *w ^= lost;
                cell.left -= lost.count_ones();
            }
            cell.tighten();
        }
        changes
    }

    /// Narrows an integer cell to some values.
    pub(super) fn list(&mut self, id: CellId, values: &[Value]) {
        let Some(range) = self.cells[id].wide else { return };
        let values: Vec<Value> = values.iter().filter(|v| range.holds(v)).cloned().collect();
        let n = values.len();
        self.replace(id, Cell::new(Arc::new(values), n));
    }

    fn replace(&mut self, id: CellId, cell: Cell) {
        self.version += 1;
        let old = std::mem::replace(&mut self.cells[id], cell);
        self.trail.push((id, Before::Whole(Box::new(old))));
    }

    /// Takes an option away; false if none is left.
    pub(super) fn remove(&mut self, id: CellId, i: usize) -> bool {
        self.version += 1;
        // Many options of one cell often go one after the other.
        let begun =
            self.trail.len() > self.last && self.trail.last().is_some_and(|(before, _)| *before == id);
        if !begun {
            self.save(id);
        }
        self.cells[id].remove(i);
        self.cells[id].left > 0
    }

    /// Takes options away, all of which it has; false if none is left.
    pub(super) fn remove_all(&mut self, id: CellId, lost: &[u64]) -> bool {
        self.version += 1;
        self.save(id);
        let cell = &mut self.cells[id];
        for (w, l) in cell.alive.iter_mut().zip(lost) {
            *w &= !l;
            cell.left -= l.count_ones();
        }
        cell.tighten();
        cell.left > 0
    }

    /// The value of a shape all of whose cells are decided.
    pub(super) fn value(&self, shape: &Shape) -> Option<Value> {
        match shape {
            Shape::Point(id) => {
                let cell = &self.cells[*id];
                cell.values.get(cell.single()?).cloned()
            }
            Shape::Fun { keys, parts } => {
                let mut pairs = Vec::with_capacity(keys.len());
                for (k, part) in keys.iter().zip(parts) {
                    if let Shape::Point(id) = part {
                        let cell = &self.cells[*id];
                        // The option after the last value is "undefined": no pair.
                        if let Some(v) = cell.values.get(cell.single()?) {
                            pairs.push(Value::pair(k.clone(), v.clone()));
                        }
                    } else {
                        pairs.push(Value::pair(k.clone(), self.value(part)?));
                    }
                }
                Some(Value::Set(SetRef::from_sorted(pairs)))
            }
            Shape::Set { items, first } => {
                let mut members = Vec::new();
                for (i, v) in items.iter().enumerate() {
                    if self.cells[first + i].single()? == 1 {
                        members.push(v.clone());
                    }
                }
                Some(Value::Set(SetRef::from_sorted(members)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_leave_undefined_out() {
        let values: Arc<Vec<Value>> = Arc::new((3..9).map(Value::Int).collect());
        let range = |lo, hi| Some(Interval::new(Some(lo), Some(hi)));
        let mut cell = Cell::new(values.clone(), 7);
        assert_eq!((cell.ends(), cell.unbroken()), (range(3, 8), range(3, 8)));
        cell.remove(0);
        assert_eq!((cell.ends(), cell.unbroken()), (range(4, 8), range(4, 8)));
        cell.remove(3);
        assert_eq!((cell.ends(), cell.unbroken()), (range(4, 8), None));
        cell.remove(6);
        assert_eq!((cell.ends(), cell.listed().count()), (range(4, 8), 4));
        let mut undefined = Cell::new(values, 7);
        undefined.keep(6);
        assert_eq!((undefined.ends(), undefined.unbroken()), (None, None));
    }

    /// Ranges and lists, kept as a whole, leave what taking the other options one by one leaves.
    #[test]
    fn ranges_and_lists_leave_what_they_say() {
        let values: Arc<Vec<Value>> = Arc::new((-70..80).map(|n| Value::Int(n * 2)).collect());
        for (lo, hi) in (-160..170).step_by(11).flat_map(|lo| (0..300).step_by(23).map(move |n| (lo, lo + n)))
        {
            let to = Interval::new(Some(lo), Some(hi));
            let inside = |v: &Value| matches!(v, Value::Int(n) if to.contains((*n).into()));
            let mut cells = Cells::default();
            // With the option after the values, "undefined", and every third one gone.
            let mut cell = Cell::new(values.clone(), 151);
            (1..151).step_by(3).for_each(|i| cell.drop_option(i));
            let left: Vec<Value> = cell.listed().filter(|v| inside(v)).cloned().collect();
            let (a, b) = (cells.add(cell.clone()), cells.add(cell.clone()));
            let list: Vec<Value> = (lo..=hi).map(Value::double).collect();
            assert_eq!(cell.reaches(to), Some(!left.is_empty()));
            assert!(cells.confine(a, to) && cells.keep_all(b, &list));
            for id in [a, b] {
                assert!(cells.cells[id].listed().eq(&left));
                assert_eq!(cells.cells[id].left as usize, left.len());
            }
            assert!(!cells.confine(a, to) && !cells.keep_all(b, &list));
        }
    }

    #[test]
    fn equal_as_lists_of_values_say() {
        let values: Arc<Vec<Value>> = Arc::new((0..64).map(Value::Int).collect());
        // The options beyond the first 60, "undefined" included: 64 begins another word.
        let cell = |kept: u64| {
            let mut cell = Cell::new(values.clone(), 65);
            for i in 0..65 {
                if i < 60 || kept >> (i - 60) & 1 == 0 {
                    cell.drop_option(i);
                }
            }
            cell
        };
        for (a, b) in (1..31).flat_map(|a| (1..31).map(move |b| (a, b))) {
            let (c, d) = (cell(a), cell(b));
            let (xs, ys): (Vec<&Value>, Vec<&Value>) = (c.listed().collect(), d.listed().collect());
            let said = if !xs.iter().any(|x| ys.contains(x)) {
                Some(false)
            } else if xs.len() == 1 && ys.len() == 1 {
                Some(true)
            } else {
                None
            };
            assert_eq!(c.equals(&d), said, "{a} {b}");
        }
    }

    #[test]
    fn options_beyond_an_interval() {
        let values: Arc<Vec<Value>> = Arc::new((0..150).map(|n| Value::Int(2 * n)).collect());
        let mut cell = Cell::new(values, 151);
        cell.remove(3);
        cell.remove(149);
        for (lo, hi) in
            [(None, None), (Some(7), None), (None, Some(128)), (Some(127), Some(129)), (Some(9), Some(5))]
        {
            let to = Interval::new(lo, hi);
            let inside =
                |i: &usize| matches!(cell.values.get(*i), Some(Value::Int(n)) if to.contains((*n).into()));
            let expected: Vec<usize> = cell.options().filter(|i| !inside(i)).collect();
            assert_eq!(cell.beyond(to).unwrap().collect::<Vec<_>>(), expected);
        }
        assert!(Cell::new(Arc::default(), 2).beyond(Interval::one(0)).is_none());
    }

    #[test]
    fn every_mark_brings_back_what_was_there() {
        let mut cells = Cells::default();
        let id = cells.add(Cell::integer(Interval::new(Some(0), Some(99))));
        let other = cells.add(Cell::integer(Interval::new(Some(0), Some(1))));
        let left = |cells: &Cells| cells.cells[id].options().collect::<Vec<usize>>();
        let start = cells.mark();
        for i in 0..90 {
            assert!(cells.remove(id, i));
        }
        let inner = cells.mark();
        assert!(
            cells.remove(id, 90) && cells.remove(id, 91) && cells.remove(other, 0) && cells.remove(id, 92)
        );
        assert_eq!(left(&cells), (93..100).collect::<Vec<_>>());
        cells.back_to(inner);
        assert_eq!(left(&cells), (90..100).collect::<Vec<_>>());
        // The cell is the last one on the trail, but was put there before the mark.
        assert!(cells.remove(id, 95) && cells.remove(id, 96));
        cells.back_to(inner);
        assert_eq!(left(&cells), (90..100).collect::<Vec<_>>());
        assert!(cells.remove(id, 99));
        cells.back_to(start);
        assert_eq!(left(&cells).len(), 100);
        assert_eq!(cells.cells[other].left, 2);
    }
}
