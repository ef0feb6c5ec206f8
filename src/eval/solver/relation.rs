//! Memberships of several cells in a set that is listed: `a|->b|->c : r`, `[f(1), f(2), f(3)] : words`, `m(2) : rows`.
//!
//! In: a predicate under values of quantified variables, whose left side is made of cells and what is known. Out: for each option
//! of each cell the members that have it, as bits. A look finds the members that are still possible, and takes away the options
//! that none of them has (compact tables without a trail: Demeulenaere et al., CP 2016). Pairs of cells are left to `table`,
//! single cells to `unary`, and so are cells that may have no value to the general test.

use super::cells::{CellId, Cells, Shape};
use super::{Constraint, Search};
use crate::eval::Env;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::value::{SetRef, Value};
use smallvec::SmallVec;

/// Most members.
const MEMBERS: usize = 1 << 16;

/// So much may be made in one search: words, and members looked through.
pub(super) const ROOM: usize = 1 << 22;

/// Members, a bit each.
type Mask = Box<[u64]>;

/// Which combinations of the options of several cells are possible.
pub(super) struct Relation {
    pub(super) cells: Vec<CellId>,
    /// For each cell and each of its options the members that have it.
    having: Vec<Vec<Mask>>,
    members: usize,
}

/// How a value is made of cells.
enum Pattern {
    Cell(CellId),
    Known(Value),
    Pair(Box<[Pattern; 2]>),
    Record(Vec<Pattern>),
    /// A function, by its arguments in order.
    Function(Vec<(Value, Pattern)>),
}

impl Pattern {
    /// Calls `f` with the cells and what they are in a value; false if the value is no instance of the pattern.
    fn each<'v>(&self, v: &'v Value, f: &mut dyn FnMut(CellId, &'v Value)) -> bool {
        match (self, v) {
            (Pattern::Cell(id), v) => {
                f(*id, v);
                true
            }
            (Pattern::Known(k), v) => k == v,
            (Pattern::Pair(sides), Value::Pair(p)) => sides[0].each(&p.0, f) && sides[1].each(&p.1, f),
            (Pattern::Record(fields), Value::Rec(vs)) => {
                fields.len() == vs.len() && fields.iter().zip(vs.iter()).all(|(p, v)| p.each(v, f))
            }
            (Pattern::Function(points), Value::Set(s)) => {
                points.len() == s.len()
                    && points
                        .iter()
                        .zip(s.items())
                        .all(|((x, y), v)| matches!(v, Value::Pair(p) if p.0 == *x && y.each(&p.1, f)))
            }
            _ => false,
        }
    }

    fn cells(&self, found: &mut Vec<CellId>) {
        match self {
            Pattern::Cell(id) if !found.contains(id) => found.push(*id),
            Pattern::Cell(_) | Pattern::Known(_) => {}
            Pattern::Pair(sides) => sides.iter().for_each(|p| p.cells(found)),
            Pattern::Record(fields) => fields.iter().for_each(|p| p.cells(found)),
            Pattern::Function(points) => points.iter().for_each(|(_, p)| p.cells(found)),
        }
    }
}

impl Search<'_> {
    /// A membership as a relation of cells, if it is one.
    pub(super) fn relation(&mut self, p: &Pred, env: &mut Env) -> Option<Relation> {
        let PredKind::Op(Op::In, args) = &p.kind else { return None };
        let [of, set] = &args[..] else { return None };
        if !is_composed(of) || self.known(of) || !self.known(set) {
            return None;
        }
        let pattern = self.pattern(of, env)?;
        let mut cells = Vec::new();
        pattern.cells(&mut cells);
        let is_pair = matches!(&pattern, Pattern::Pair(p) if p.iter().all(|p| matches!(p, Pattern::Cell(_))));
        if cells.len() < 2 || is_pair {
            return None;
        }
        let Ok(Value::Set(members)) = self.run.ev.expr(set, env) else { return None };
        let work = members.len().saturating_mul(cells.len());
        if members.len() > MEMBERS || work > self.relation_room || !members.is_extension() {
            return None;
        }
        self.relation_room -= work;
        self.list_wide(&cells, &pattern, &members);
        Relation::new(cells, &pattern, &members, &self.cells, &mut self.relation_room)
    }

    /// Lists the options of integers: those that they have in some member.
    fn list_wide(&mut self, cells: &[CellId], pattern: &Pattern, members: &SetRef) {
        for id in cells {
            if self.cells.cells[*id].wide.is_some() {
                let mut values: Vec<Value> = Vec::new();
                for v in members.items() {
                    let before = values.len();
                    let fits =
                        pattern.each(v, &mut |cell, v| values.extend((cell == *id).then(|| v.clone())));
                    values.truncate(if fits { values.len() } else { before });
                }
                values.sort_unstable();
                values.dedup();
                self.cells.list(*id, &values);
            }
        }
    }

    /// How the value of an expression is made of cells, all of which have values.
    fn pattern(&self, e: &Expr, env: &mut Env) -> Option<Pattern> {
        if self.known(e) {
            let v = self.run.ev.settled(e, env).ok()?;
            return v.is_extension().then_some(Pattern::Known(v));
        }
        if let Some(id) = self.cell_of(e, env) {
            return self.cell_pattern(id);
        }
        match &e.kind {
            ExprKind::Op(Op::Maplet, sides) => {
                let [a, b] = &sides[..] else { return None };
                Some(Pattern::Pair(Box::new([self.pattern(a, env)?, self.pattern(b, env)?])))
            }
            ExprKind::Rec(fields) => {
                Some(Pattern::Record(fields.iter().map(|f| self.pattern(f, env)).collect::<Option<_>>()?))
            }
            ExprKind::SeqExt(items) => {
                let points = (1..).map(Value::Int).zip(items).map(|(i, e)| Some((i, self.pattern(e, env)?)));
                Some(Pattern::Function(points.collect::<Option<_>>()?))
            }
            ExprKind::SetExt(items) => {
                let mut points: Vec<(Value, Pattern)> =
                    items.iter().map(|e| self.point_pattern(e, env)).collect::<Option<_>>()?;
                points.sort_unstable_by(|(x, _), (y, _)| x.cmp(y));
                let distinct = points.windows(2).all(|two| two[0].0 != two[1].0);
                distinct.then_some(Pattern::Function(points))
            }
            ExprKind::Op(Op::Apply, _) | ExprKind::Local(_) | ExprKind::Const(_) => {
                let shape = self.shape_of(e, env)?;
                self.shape_pattern(shape)
            }
            _ => None,
        }
    }

    /// `x |-> y` with a known x.
    fn point_pattern(&self, e: &Expr, env: &mut Env) -> Option<(Value, Pattern)> {
        let ExprKind::Op(Op::Maplet, sides) = &e.kind else { return None };
        let [x, y] = &sides[..] else { return None };
        match self.pattern(x, env)? {
            Pattern::Known(x) => Some((x, self.pattern(y, env)?)),
            _ => None,
        }
    }

    fn shape_pattern(&self, shape: &Shape) -> Option<Pattern> {
        match shape {
            Shape::Point(id) => self.cell_pattern(*id),
            Shape::Fun { keys, parts } => {
                let points = keys.iter().zip(parts).map(|(x, y)| Some((x.clone(), self.shape_pattern(y)?)));
                Some(Pattern::Function(points.collect::<Option<_>>()?))
            }
            Shape::Set { .. } => None,
        }
    }

    fn cell_pattern(&self, id: CellId) -> Option<Pattern> {
        let cell = &self.cells.cells[id];
        let certain = cell.wide.is_some() || !cell.values.is_empty() && !cell.has(cell.values.len());
        certain.then_some(Pattern::Cell(id))
    }

    /// Takes away the options that no possible member has; false if no member is possible.
    pub(super) fn look_into(&mut self, c: usize, changed: &mut Vec<CellId>) -> bool {
        let Self { constraints, cells, .. } = self;
        let Constraint::Relation(relation) = &constraints[c] else { return true };
        let said = relation.look(cells, changed);
        self.settle_if(c, said)
    }
}

/// Whether an expression may be a relation's member that is made of several cells.
fn is_composed(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Op(Op::Maplet, _) | ExprKind::Rec(_) | ExprKind::SeqExt(_) => true,
        ExprKind::SetExt(_) | ExprKind::Op(Op::Apply, _) | ExprKind::Local(_) | ExprKind::Const(_) => {
            e.ty.sides().is_some()
        }
        _ => false,
    }
}

impl Relation {
    /// `None` if it takes more words than there is room for.
    fn new(
        cells: Vec<CellId>,
        pattern: &Pattern,
        members: &SetRef,
        all: &Cells,
        room: &mut usize,
    ) -> Option<Self> {
        let mut rows: Vec<Vec<usize>> = Vec::with_capacity(members.len());
        for v in members.items() {
            let mut row = vec![usize::MAX; cells.len()];
            let mut fits = true;
            let mut note = |id: CellId, v: &Value| {
                let (Some(at), Ok(i)) =
                    (cells.iter().position(|c| *c == id), all.cells[id].values.binary_search(v))
                else {
                    fits = false;
                    return;
                };
                // A cell may be in several places.
                fits &= all.cells[id].has(i) && (row[at] == usize::MAX || row[at] == i);
                row[at] = i;
            };
            if pattern.each(v, &mut note) && fits {
                rows.push(row);
            }
        }
        let words = rows.len().div_ceil(64);
        let options = |id: &CellId| all.cells[*id].values.len();
        let all_words = cells.iter().map(options).sum::<usize>().saturating_mul(words);
        *room = room.checked_sub(all_words)?;
        let blank = |id: &CellId| vec![vec![0; words].into_boxed_slice(); options(id)];
        let mut having: Vec<Vec<Mask>> = cells.iter().map(blank).collect();
        for (n, row) in rows.iter().enumerate() {
            for (masks, i) in having.iter_mut().zip(row) {
                masks[*i][n / 64] |= 1 << (n % 64);
            }
        }
        Some(Self { cells, having, members: rows.len() })
    }

    /// `None` if no member is possible; else whether all combinations that are left are members.
    fn look(&self, all: &mut Cells, changed: &mut Vec<CellId>) -> Option<bool> {
        let possible = self.possible(all);
        let count: u32 = possible.iter().map(|w| w.count_ones()).sum();
        if count == 0 {
            return None;
        }
        let mut combinations: u64 = 1;
        for (id, masks) in self.cells.iter().zip(&self.having) {
            let lonely = |i: usize| masks[i].iter().zip(&possible).all(|(m, p)| m & p == 0);
            let lost = all.cells[*id].options_where(lonely);
            if lost.iter().any(|w| *w != 0) {
                changed.push(*id);
                all.remove_all(*id, &lost);
            }
            combinations = combinations.saturating_mul(all.cells[*id].left.into());
        }
        Some(combinations == u64::from(count))
    }

    /// The members all of whose options are left.
    fn possible(&self, all: &Cells) -> SmallVec<[u64; 8]> {
        let words = self.members.div_ceil(64);
        let mut possible: SmallVec<[u64; 8]> = SmallVec::from_elem(u64::MAX, words);
        if let (Some(last), 1..) = (possible.last_mut(), self.members % 64) {
            *last = (1 << (self.members % 64)) - 1;
        }
        let mut any: SmallVec<[u64; 8]> = SmallVec::with_capacity(words);
        for (id, masks) in self.cells.iter().zip(&self.having) {
            any.clear();
            any.resize(words, 0);
            for i in all.cells[*id].options() {
                any.iter_mut().zip(&masks[i]).for_each(|(a, m)| *a |= m);
            }
            possible.iter_mut().zip(&any).for_each(|(p, a)| *p &= a);
        }
        possible
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::solver::cells::Cell;
    use std::sync::Arc;

    /// What is left of three cells, one of them twice in each member, is what some member has that is still possible.
    #[test]
    fn options_of_possible_members_are_left() {
        let mut seed = 11u64;
        let mut draw = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % n
        };
        let int = |n: usize| Value::Int(i64::try_from(n).unwrap());
        let seq = |vs: &[usize]| {
            Value::Set(SetRef::from_vec((1..).zip(vs).map(|(i, v)| Value::pair(int(i), int(*v))).collect()))
        };
        let point = |i: usize, id: CellId| (int(i), Pattern::Cell(id));
        let pattern = Pattern::Function(vec![point(1, 0), point(2, 1), point(3, 2), point(4, 0)]);
        for n in [0, 1, 5, 40, 63, 64, 65, 200] {
            let tuples: Vec<[usize; 4]> = (0..n).map(|_| [draw(6), draw(6), draw(6), draw(3)]).collect();
            let members = SetRef::from_vec(tuples.iter().map(|t| seq(t)).collect());
            let mut cells = Cells::default();
            let values = Arc::new((0..6).map(int).collect::<Vec<_>>());
            for _ in 0..3 {
                cells.add(Cell::new(values.clone(), 6));
            }
            let relation = Relation::new(vec![0, 1, 2], &pattern, &members, &cells, &mut 10_000).unwrap();
            for _ in 0..20 {
                let mark = cells.mark();
                let kept: Vec<Vec<usize>> =
                    (0..3).map(|_| (0..6).filter(|_| draw(3) > 0).collect()).collect();
                if kept.iter().any(Vec::is_empty) {
                    continue;
                }
                (0..3).for_each(|id| cells.keep_options(id, &kept[id]));
                let possible: Vec<&[usize; 4]> = (tuples.iter())
                    .filter(|t| t[0] == t[3] && (0..3).all(|id| kept[id].contains(&t[id])))
                    .collect();
                let always = relation.look(&mut cells, &mut Vec::new());
                assert_eq!(always.is_none(), possible.is_empty());
                if always.is_some() {
                    let mut combinations = 1;
                    for id in 0..3 {
                        let left: Vec<usize> = cells.cells[id].options().collect();
                        let has = |i: &usize| possible.iter().any(|t| t[id] == *i);
                        assert_eq!(left, kept[id].iter().copied().filter(has).collect::<Vec<_>>());
                        combinations *= left.len();
                    }
                    let distinct: std::collections::BTreeSet<_> = possible.iter().collect();
                    assert_eq!(always, Some(distinct.len() == combinations));
                }
                cells.back_to(mark);
            }
        }
    }
}
