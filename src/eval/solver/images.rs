//! Images: what `r[s]` can be for a function by points; backwards, where it is to have a member, or only members of some kind.
//!
//! In: the relation, the set, a member or a test. Out: bounds, or cuts. Functions by points are looked at point by point, only
//! where the set can reach.

use super::Search;
use super::abs::Abs;
use super::cells::{Cell, Shape, point};
use super::enforce::{Cuts, Limit};
use super::sets::{Allowed, side};
use crate::eval::Env;
use crate::ir::{Expr, ExprKind};
use crate::value::{SetRef, Value};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// As many values have a bit each in a word.
const WORD: usize = 64;

impl Search<'_> {
    /// The image of a set under a function.
    pub(super) fn image<'a>(&'a self, keys: &[Value], parts: &[Shape], set: &Abs<'a>) -> Abs<'a> {
        let Some((sure, able)) = self.bounds(set) else { return Abs::Top };
        // The cells that are met, and whether all that is left of them is in the image.
        let mut met: SmallVec<[(&Cell, bool); 8]> = SmallVec::new();
        for x in able.items() {
            let Some(part) = keys.binary_search(x).ok().and_then(|i| parts.get(i)) else { continue };
            let Shape::Point(id) = part else { return Abs::Top };
            let cell = &self.cells.cells[*id];
            if cell.left > 1 {
                self.note(*id);
            }
            if cell.wide.is_some() {
                return Abs::Top;
            }
            met.push((cell, cell.left == 1 && sure.contains(x)));
        }
        let (must, may) = shared(&met).unwrap_or_else(|| {
            let values = |met: &mut dyn Iterator<Item = &(&Cell, bool)>| {
                SetRef::from_vec(met.flat_map(|(cell, _)| cell.listed().cloned()).collect())
            };
            (values(&mut met.iter().filter(|(_, sure)| *sure)), values(&mut met.iter()))
        });
        Abs::Between(must, may)
    }

    /// The least and the greatest number of members of the image of listed points, without making it; `None` if it has to be
    /// made to be known.
    pub(super) fn image_size(&self, f: &Expr, points: &Expr, env: &mut Env) -> Option<(i128, i128)> {
        let ExprKind::SetExt(items) = &points.kind else { return None };
        let Abs::Part(Shape::Fun { keys, parts }) = self.abs(f, env) else { return None };
        if keys.len() > WORD {
            return None;
        }
        let bit = |x: &Value| keys.binary_search(x).map_or(0, |i| 1u64 << i);
        let (mut sure, mut able) = (0, 0);
        // Points mostly share their list of values, which often is that of the arguments.
        let mut last: Option<(&Arc<Vec<Value>>, bool)> = None;
        for x in items {
            let cell = match self.plain_cell(x) {
                Some(cell) => cell,
                None => match self.abs(x, env) {
                    Abs::Known(x) => {
                        sure |= bit(&x);
                        able |= bit(&x);
                        continue;
                    }
                    Abs::Options(cell) => cell,
                    _ => return None,
                },
            };
            let same = match last {
                Some((values, same)) if Arc::ptr_eq(values, &cell.values) => same,
                _ => Arc::ptr_eq(&cell.values, keys) || cell.values == *keys,
            };
            last = Some((&cell.values, same));
            let bits = match cell.alive.first() {
                Some(alive) if same => alive & within(keys.len()),
                _ => cell.listed().fold(0, |bits, x| bits | bit(x)),
            };
            if cell.left == 1 || cell.listed().nth(1).is_none() {
                sure |= bits;
            }
            able |= bits;
        }
        let mut values: Option<&Arc<Vec<Value>>> = None;
        let (mut must, mut may) = (0, 0);
        for (i, part) in parts.iter().enumerate().filter(|(i, _)| able >> i & 1 == 1) {
            let Shape::Point(id) = part else { return None };
            let cell = &self.cells.cells[*id];
            if cell.left > 1 {
                self.note(*id);
            }
            let all = *values.get_or_insert(&cell.values);
            if cell.wide.is_some() || all.len() > WORD || !Arc::ptr_eq(all, &cell.values) {
                return None;
            }
            // The option after the last value is none.
            let options = cell.alive.first()? & within(all.len());
            may |= options;
            if cell.left == 1 && sure >> i & 1 == 1 {
                must |= options;
            }
        }
        Some((must.count_ones().into(), may.count_ones().into()))
    }

    /// The cell of an unknown that has one value, of a list; it is noted if it is undecided.
    fn plain_cell(&self, e: &Expr) -> Option<&Cell> {
        let Shape::Point(id) = self.shapes.get(&self.run.problem.unknown_of(e)?)? else { return None };
        let cell = &self.cells.cells[*id];
        if cell.wide.is_some() || cell.has(cell.values.len()) {
            return None;
        }
        if cell.left > 1 {
            self.note(*id);
        }
        Some(cell)
    }

    /// Keeps the members of an image among those allowed.
    pub(super) fn prune_image(
        &self,
        r: &Expr,
        s: &Expr,
        allowed: Allowed<'_>,
        env: &mut Env,
        cuts: &mut Cuts,
    ) {
        if let Abs::Part(Shape::Fun { keys, parts }) = self.abs(r, env) {
            return self.prune_points(keys, parts, s, allowed, env, cuts);
        }
        if let Some((must, _)) = self.bounds(&self.abs(s, env)) {
            let outside = |v: &Value| side(v, true).is_none_or(|x| !must.contains(x));
            self.prune(r, &|v| outside(v) || side(v, false).is_none_or(allowed), env, cuts);
        }
        if let Some((must, _)) = self.bounds(&self.abs(r, env)) {
            let bad: Vec<Value> = (must.items().iter())
                .filter(|v| side(v, false).is_some_and(|y| !allowed(y)))
                .filter_map(|v| side(v, true).cloned())
                .collect();
            let bad = SetRef::from_vec(bad);
            self.prune(s, &|x| !bad.contains(x), env, cuts);
        }
    }

    fn prune_points(
        &self,
        keys: &[Value],
        parts: &[Shape],
        s: &Expr,
        allowed: Allowed<'_>,
        env: &mut Env,
        cuts: &mut Cuts,
    ) {
        let Some((must, may)) = self.bounds(&self.abs(s, env)) else { return };
        let mut bad = Vec::new();
        for x in may.items() {
            let Some(id) = point(keys, parts, x) else { continue };
            let cell = &self.cells.cells[id];
            if cell.wide.is_some() {
                continue;
            }
            // "Undefined" has no image.
            let fits = |i: &usize| cell.values.get(*i).is_none_or(allowed);
            if must.contains(x) {
                cuts.extend(cell.options().filter(|i| !fits(i)).map(|i| (id, i)));
            } else if !cell.options().any(|i| fits(&i)) {
                bad.push(x.clone());
            }
        }
        if !bad.is_empty() {
            let bad = SetRef::from_vec(bad);
            self.prune(s, &|x| !bad.contains(x), env, cuts);
        }
    }

    /// Puts a value into an image.
    pub(super) fn require_image(&self, r: &Expr, s: &Expr, v: &Value, env: &mut Env, cuts: &mut Cuts) {
        let Some((_, may)) = self.bounds(&self.abs(s, env)) else { return };
        if let Abs::Part(Shape::Fun { keys, parts }) = self.abs(r, env) {
            let able = |x: &&Value| {
                point(keys, parts, x).is_some_and(|id| {
                    let cell = &self.cells.cells[id];
                    cell.wide.is_some() || cell.options().any(|i| cell.values.get(i) == Some(v))
                })
            };
            let mut able = may.items().iter().filter(able);
            if let (Some(x), None) = (able.next(), able.next()) {
                self.require(r, &Value::pair(x.clone(), v.clone()), env, cuts);
                self.require(s, x, env, cuts);
            }
            return;
        }
        let fits = |p: &Value| side(p, false) == Some(v) && side(p, true).is_some_and(|x| may.contains(x));
        self.require_pair(r, &fits, env, cuts);
        // The argument must be one of those that lead there.
        if let ExprKind::SetExt(items) = &s.kind
            && let [x] = &items[..]
            && let Some((_, pairs)) = self.bounds(&self.abs(r, env))
        {
            let left = pairs.items().iter().filter(|p| fits(p)).filter_map(|p| side(p, true).cloned());
            let mut left: Vec<Value> = left.collect();
            left.sort_unstable();
            self.narrow(x, &Limit::OneOf(left), env, cuts);
        }
    }
}

/// The first bits of a word.
fn within(n: usize) -> u64 {
    if n < WORD { (1 << n) - 1 } else { u64::MAX }
}

/// The values that are left of some cells: of those that are marked, and of all. `None` unless all cells share one list of
/// values, which is sorted, so that bits tell.
fn shared(cells: &[(&Cell, bool)]) -> Option<(SetRef, SetRef)> {
    let (first, _) = cells.first()?;
    let values = &first.values;
    let mut bits: [SmallVec<[u64; 2]>; 2] = std::array::from_fn(|_| smallvec![0; values.len().div_ceil(64)]);
    for (cell, marked) in cells {
        if !Arc::ptr_eq(&cell.values, values) {
            return None;
        }
        for bits in bits.iter_mut().take(1 + usize::from(*marked)) {
            bits.iter_mut().zip(&cell.alive).for_each(|(b, w)| *b |= w);
        }
    }
    let [may, must] = bits.map(|bits| {
        let is = |i: usize| bits.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1);
        let left = values.iter().enumerate().filter(|(i, _)| is(*i)).map(|(_, v)| v.clone());
        SetRef::from_sorted(left.collect())
    });
    Some((must, may))
}
