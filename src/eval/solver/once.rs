//! What expressions were found to be, kept while the cells stay as they are.
//!
//! In: an expression with a way to find what it can be; the cells that make up a set. Out: that, and the undecided cells that were
//! met are noted as if it had been found anew. For expressions that read quantified variables see `steady`.

use super::Search;
use super::abs::Abs;
use super::cells::{CellId, Shape};
use super::recall::Options;
use crate::eval::Env;
use crate::eval::bits::Ones;
use crate::ir::Expr;
use crate::value::{SetRef, Value};
use smallvec::SmallVec;

/// What was found of an expression.
pub(super) enum Found {
    /// It depends on more than the cells.
    Varies,
    /// What it can be, with the cells as they were: all cells, and the options of those that it reads.
    As { is: Lasting, at: u64, options: Option<Options> },
}

/// Undecided cells that were met.
pub(super) type Met = SmallVec<[CellId; 8]>;

/// What an expression can be, and the undecided cells that were met.
#[derive(Clone)]
pub(super) struct Lasting {
    value: Abs<'static>,
    met: Met,
}

/// Something found, the undecided cells that were met, and when that was: the cells as they were.
pub(super) struct Kept<T, A = u64> {
    what: T,
    met: Met,
    at: A,
}

/// Many cells are marked in words where they are at least one in so many of all.
const SPARSE: usize = 64;

/// So few cells are sorted.
const FEW: usize = 12;

/// Some of so many cells, sorted, each once.
fn distinct(some: &[CellId], all: usize) -> Met {
    if some.len() <= FEW || some.len() * SPARSE < all {
        let mut met: Met = some.into();
        met.sort_unstable();
        met.dedup();
        return met;
    }
    let mut words: SmallVec<[u64; 8]> = SmallVec::from_elem(0, all.div_ceil(64));
    let marks = words.as_mut_slice();
    some.iter().for_each(|c| marks[c / 64] |= 1 << (c % 64));
    let n: u32 = marks.iter().map(|w| w.count_ones()).sum();
    let mut met = Met::with_capacity(n as usize);
    for (i, w) in marks.iter().enumerate() {
        Ones(*w).for_each(|b| met.push(i * 64 + b));
    }
    met
}

impl Abs<'_> {
    /// The same without a part of an unknown in it.
    pub(super) fn lasting(&self) -> Option<Abs<'static>> {
        Some(match self {
            Abs::Known(v) => Abs::Known(v.clone()),
            Abs::OneOf(vs) => Abs::OneOf(vs.clone()),
            Abs::Int(i) => Abs::Int(*i),
            Abs::Between(a, b) => Abs::Between(a.clone(), b.clone()),
            Abs::Top => Abs::Top,
            Abs::Part(_) | Abs::Options(_) | Abs::Pair(..) => return None,
        })
    }

    /// About how many words it takes.
    fn words(&self) -> usize {
        match self {
            Abs::OneOf(vs) => 2 * vs.len(),
            Abs::Between(a, b) => 2 * (a.len() + b.len()),
            Abs::Known(Value::Set(s)) => 2 * s.len(),
            _ => 1,
        }
    }
}

impl Search<'_> {
    /// What an expression can be; if it reads no quantified variables, found once while the cells stay as they are: for
    /// all instances, and for the judgement of a constraint as for its consequences.
    pub(super) fn once<'a>(
        &'a self,
        e: &Expr,
        env: &mut Env,
        find: impl FnOnce(&mut Env) -> Abs<'a>,
    ) -> Abs<'a> {
        let key = std::ptr::from_ref(e).addr();
        let version = self.cells.version;
        // Finding looks here again, so nothing may be borrowed meanwhile.
        let varies = match self.found.borrow().get(&key) {
            Some(Found::As { is, at, .. }) if *at == version => {
                self.touched.borrow_mut().extend(&is.met);
                return is.value.clone();
            }
            found => found.map(|f| matches!(f, Found::Varies)),
        };
        if varies.unwrap_or_else(|| !self.closed(e)) {
            if varies.is_none() {
                self.found.borrow_mut().insert(key, Found::Varies);
            }
            return self.in_turn(e, env, find);
        }
        let options = self.options_of(&self.recalled, key, false, || self.cells_of_expr(e));
        if let Some(is) = options.as_ref().and_then(|at| self.found_at(key, at)) {
            self.touched.borrow_mut().extend(&is.met);
            let value = is.value.clone();
            self.found.borrow_mut().insert(key, Found::As { is, at: version, options });
            return value;
        }
        let before = self.touched.borrow().len();
        let value = find(env);
        if let Some(kept) = value.lasting() {
            let is = Lasting { value: kept, met: self.met_since(before) };
            if let Some(at) = &options {
                let words = is.met.len() + is.value.words();
                self.keep_said(&self.recalled, key, at, words, || is.clone());
            }
            self.found.borrow_mut().insert(key, Found::As { is, at: version, options });
        }
        value
    }

    /// What an expression was found to be when the cells that it reads had these options: the last time, or before.
    fn found_at(&self, key: usize, at: &Options) -> Option<Lasting> {
        if let Some(Found::As { is, options: Some(options), .. }) = self.found.borrow().get(&key)
            && options == at
        {
            return Some(is.clone());
        }
        self.recalled(&self.recalled, key, at)
    }

    /// The undecided cells met since so many had been.
    pub(super) fn met_since(&self, before: usize) -> Met {
        // Definitions lead to other definitions: what each meets twice would grow without end.
        distinct(self.touched.borrow().get(before..).unwrap_or_default(), self.cells.cells.len())
    }

    /// Something found now, after so many cells had been met.
    pub(super) fn kept<T, A>(&self, what: T, before: usize, at: A) -> Kept<T, A> {
        Kept { what, met: self.met_since(before), at }
    }

    /// What is kept, if it was found then; the cells that it met are met again.
    pub(super) fn again<T: Clone, A: PartialEq>(&self, kept: Option<&Kept<T, A>>, at: &A) -> Option<T> {
        let kept = kept.filter(|kept| kept.at == *at)?;
        self.touched.borrow_mut().extend_from_slice(&kept.met);
        Some(kept.what.clone())
    }

    /// The certain and the possible members of a set, found once while the cells stay the same.
    pub(super) fn bounds_once(&self, shape: &Shape) -> Option<(SetRef, SetRef)> {
        let key = std::ptr::from_ref(shape).addr();
        let at = self.cells.version;
        if let Some(bounds) = self.again(self.bounded.borrow().get(&key), &at) {
            return Some(bounds);
        }
        let before = self.touched.borrow().len();
        let bounds = self.part_bounds(shape)?;
        // Shapes stay where they are once all have been made.
        if !self.listed.is_empty() {
            self.bounded.borrow_mut().insert(key, self.kept(bounds.clone(), before, at));
        }
        Some(bounds)
    }

    /// The certain and the possible members of a set that is solved for.
    fn part_bounds(&self, shape: &Shape) -> Option<(SetRef, SetRef)> {
        match shape {
            Shape::Point(_) => None,
            Shape::Set { items, first } => {
                if let Some(Value::Set(s)) = self.cells.value(shape) {
                    return Some((s.clone(), s));
                }
                let (mut must, mut may) = (Vec::new(), Vec::new());
                for (i, v) in items.iter().enumerate() {
                    let cell = &self.cells.cells[first + i];
                    if cell.has(1) {
                        may.push(v.clone());
                    }
                    match cell.single() {
                        Some(1) => must.push(v.clone()),
                        Some(_) => {}
                        None => self.note(first + i),
                    }
                }
                Some((SetRef::from_sorted(must), SetRef::from_sorted(may)))
            }
            Shape::Fun { keys, parts } => {
                let (mut must, mut may) = (Vec::new(), Vec::new());
                for (k, part) in keys.iter().zip(parts) {
                    let Shape::Point(id) = part else { return None };
                    let cell = &self.cells.cells[*id];
                    if cell.left > 1 {
                        self.note(*id);
                    }
                    if cell.wide.is_some() {
                        return None;
                    }
                    for v in cell.options().filter_map(|i| cell.values.get(i)) {
                        let pair = Value::pair(k.clone(), v.clone());
                        if cell.left == 1 {
                            must.push(pair.clone());
                        }
                        may.push(pair);
                    }
                }
                Some((SetRef::from_sorted(must), SetRef::from_sorted(may)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_once() {
        for (some, all) in [(0, 1), (5, 7), (40, 65), (200, 130), (200, 100_000)] {
            let some: Vec<CellId> = (0..some).map(|i| i * 7919 % all).collect();
            let mut sorted = some.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(distinct(&some, all).to_vec(), sorted);
        }
    }
}
