//! Predicates over few cells of two options each, as truth tables.
//!
//! In: a predicate under values of quantified variables: comparisons of sets that cells make up (one table for each
//! possible member), memberships, Boolean points, and what connectives make of them. Out: constraints; what a look at
//! one leaves of its cells. All that is taken apart here is total, so a table says exactly when its predicate holds.
//! Anything else is left to the general test.

use super::abs::Abs;
use super::cells::{CellId, Cells};
use super::{Constraint, Search};
use crate::eval::Env;
use crate::eval::bits::Ones;
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// Most cells of one table.
pub(super) const CELLS: usize = 10;

/// Most possible members for which two sets are compared member by member.
const MEMBERS: usize = 4096;

/// For each of the first six cells the rows of a word in which it has its second option.
pub(super) const COLUMNS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Which combinations of the options of some cells are possible: bit i of row number r is the option of cell i.
#[derive(Debug)]
pub(super) struct Bools {
    pub(super) cells: SmallVec<[CellId; 4]>,
    pub(super) rows: SmallVec<[u64; 1]>,
}

/// A predicate over cells.
pub(super) enum Formula {
    Const(bool),
    /// The second option of a cell.
    Cell(CellId),
    Not(Box<Formula>),
    All(Vec<Formula>),
    /// Both are true or both are false.
    Same(Box<Formula>, Box<Formula>),
    /// The number of true parts is one of those set as bits.
    Count(Vec<Formula>, u64),
}

impl Formula {
    pub(super) fn not(self) -> Self {
        match self {
            Formula::Const(b) => Formula::Const(!b),
            Formula::Not(f) => *f,
            f => Formula::Not(Box::new(f)),
        }
    }

    pub(super) fn all(parts: Vec<Formula>) -> Self {
        if parts.iter().any(|p| matches!(p, Formula::Const(false))) {
            return Formula::Const(false);
        }
        Formula::All(parts.into_iter().filter(|p| !matches!(p, Formula::Const(true))).collect())
    }

    pub(super) fn some(parts: impl IntoIterator<Item = Formula>) -> Self {
        Self::all(parts.into_iter().map(Formula::not).collect()).not()
    }

    fn implies(self, other: Formula) -> Self {
        Self::some([self.not(), other])
    }

    fn same(self, other: Formula) -> Self {
        match (self, other) {
            (Formula::Const(true), f) | (f, Formula::Const(true)) => f,
            (Formula::Const(false), f) | (f, Formula::Const(false)) => f.not(),
            (f, g) => Formula::Same(Box::new(f), Box::new(g)),
        }
    }

    fn cells(&self, out: &mut SmallVec<[CellId; 4]>) {
        match self {
            Formula::Const(_) => {}
            Formula::Cell(id) if out.contains(id) => {}
            Formula::Cell(id) => out.push(*id),
            Formula::Not(f) => f.cells(out),
            Formula::All(fs) | Formula::Count(fs, _) => fs.iter().for_each(|f| f.cells(out)),
            Formula::Same(f, g) => {
                f.cells(out);
                g.cells(out);
            }
        }
    }

    /// The rows of one word of the table in which the formula is true.
    fn word(&self, w: usize, cells: &[CellId]) -> u64 {
        match self {
            Formula::Const(b) => u64::from(*b).wrapping_neg(),
            Formula::Cell(id) => cells.iter().position(|c| c == id).map_or(0, |i| column(i, w)),
            Formula::Not(f) => !f.word(w, cells),
            Formula::All(fs) => fs.iter().fold(u64::MAX, |all, f| all & f.word(w, cells)),
            Formula::Same(f, g) => !(f.word(w, cells) ^ g.word(w, cells)),
            Formula::Count(fs, numbers) => {
                let words: Vec<u64> = fs.iter().map(|f| f.word(w, cells)).collect();
                let count = |row: u32| words.iter().filter(|w| *w >> row & 1 == 1).count();
                (0..u64::BITS).fold(0, |all, row| all | (numbers >> count(row) & 1) << row)
            }
        }
    }
}

/// The rows of a word in which a cell has its second option.
pub(super) fn column(cell: usize, w: usize) -> u64 {
    match COLUMNS.get(cell) {
        Some(column) => *column,
        None => ((w >> (cell - COLUMNS.len()) & 1) as u64).wrapping_neg(),
    }
}

impl Bools {
    /// The table of a formula; `None` if it has too many cells.
    fn new(f: &Formula) -> Option<Self> {
        let mut cells = SmallVec::new();
        f.cells(&mut cells);
        if cells.len() > CELLS {
            return None;
        }
        let words = 1 << cells.len().saturating_sub(COLUMNS.len());
        let rows = (0..words).map(|w| f.word(w, &cells)).collect();
        Some(Self { cells, rows })
    }

    /// Takes away options that no possible row has. `None` if no row is left, else whether all rows that the cells
    /// leave are possible.
    fn look(&self, cells: &mut Cells, changed: &mut Vec<CellId>) -> Option<bool> {
        let mut left = Left { inside: u64::MAX, words: u64::MAX, cells: 0 };
        for (i, id) in self.cells.iter().enumerate() {
            match cells.cells[*id].of_two() {
                Some(second) => left.decide(i, second),
                None => left.cells |= 1 << i,
            }
        }
        let (mut ins, mut outs, mut some) = (0u32, 0u32, false);
        for (w, row) in self.rows.iter().enumerate() {
            let open = row & left.rows(w);
            if open == 0 {
                continue;
            }
            some = true;
            for i in Ones(left.cells) {
                let column = column(i, w);
                ins |= u32::from(open & column != 0) << i;
                outs |= u32::from(open & !column != 0) << i;
            }
        }
        if !some {
            return None;
        }
        for i in Ones(left.cells & !u64::from(ins & outs)) {
            let second = outs >> i & 1 == 0;
            cells.remove(self.cells[i], usize::from(!second));
            left.decide(i, second);
            changed.push(self.cells[i]);
        }
        Some(self.rows.iter().enumerate().all(|(w, row)| left.rows(w) & !row == 0))
    }
}

/// The rows of a table that its decided cells leave, and the other cells as bits.
struct Left {
    /// What the cells leave that tell the rows of a word apart, and those that tell words apart.
    inside: u64,
    words: u64,
    cells: u64,
}

impl Left {
    /// Notes that a cell has its first or second option.
    fn decide(&mut self, cell: usize, second: bool) {
        let all = if second { 0 } else { u64::MAX };
        match COLUMNS.get(cell) {
            Some(column) => self.inside &= column ^ all,
            // A table has fewer words than a word has rows, so that their numbers are rows of another table.
            None => self.words &= COLUMNS[cell - COLUMNS.len()] ^ all,
        }
    }

    /// Those of a word.
    fn rows(&self, w: usize) -> u64 {
        if self.words >> w & 1 == 1 { self.inside } else { 0 }
    }
}

impl Search<'_> {
    /// A predicate as truth tables, if it is one over few cells.
    pub(super) fn bools(&self, p: &Pred, env: &mut Env) -> Option<Vec<Constraint>> {
        if !self.pairs_of_options || !is_plain(p, self.run.problem.split) {
            return None;
        }
        let formulas = match &p.kind {
            PredKind::Op(op @ (Op::Eq | Op::Subset), args) => match &args[..] {
                [a, b] if matches!(a.ty, Ty::Pow(_)) => self.by_member(*op, a, b, MEMBERS, env)?,
                _ => vec![self.formula(p, env)?],
            },
            _ => vec![self.formula(p, env)?],
        };
        let mut out = Vec::with_capacity(formulas.len());
        for f in &formulas {
            if !matches!(f, Formula::Const(true)) {
                out.push(Constraint::Bools(Bools::new(f)?));
            }
        }
        Some(out)
    }

    /// Looks at a truth table; false if no row is left.
    pub(super) fn look_up(&mut self, c: usize, changed: &mut Vec<CellId>) -> bool {
        let Self { constraints, cells, .. } = self;
        let Constraint::Bools(table) = &constraints[c] else { return true };
        let said = table.look(cells, changed);
        self.settle_if(c, said)
    }

    pub(super) fn formula(&self, p: &Pred, env: &mut Env) -> Option<Formula> {
        let each = |ps: &[Pred], env: &mut Env| ps.iter().map(|p| self.formula(p, env)).collect();
        Some(match &p.kind {
            PredKind::True => Formula::Const(true),
            PredKind::False => Formula::Const(false),
            PredKind::Not(q) => self.formula(q, env)?.not(),
            PredKind::And(ps) => Formula::all(each(ps, env)?),
            PredKind::Or(ps) => {
                let parts: Option<Vec<Formula>> = each(ps, env);
                Formula::some(parts?)
            }
            PredKind::Implies(a, b) => match self.formula(a, env)? {
                Formula::Const(false) => Formula::Const(true),
                a => a.implies(self.formula(b, env)?),
            },
            PredKind::Iff(a, b) => self.formula(a, env)?.same(self.formula(b, env)?),
            PredKind::Exists(binder) => Formula::some(self.each_row(binder, None, env)?),
            PredKind::Forall(s) => Formula::all(self.each_row(&s.binder, Some(&s.body), env)?),
            PredKind::Op(_, args) if args.iter().all(|a| self.known(a)) => {
                Formula::Const(self.run.ev.pred(p, env).ok()?)
            }
            PredKind::Op(op, args) => match &args[..] {
                [a, b] => self.comparison(*op, a, b, env)?,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// What a quantifier says of each row: that it is there, or if so, that the body holds.
    fn each_row(&self, binder: &Binder, body: Option<&Pred>, env: &mut Env) -> Option<Vec<Formula>> {
        let rows = self.few_rows(binder, env)?;
        let mut one = |row: &Arc<[Value]>| {
            env.bind(&binder.vars, row);
            let there = self.formula(&binder.pred, env)?;
            match (there, body) {
                (Formula::Const(false), Some(_)) => Some(Formula::Const(true)),
                (there, Some(body)) => Some(there.implies(self.formula(body, env)?)),
                (there, None) => Some(there),
            }
        };
        rows.iter().map(&mut one).collect()
    }

    fn comparison(&self, op: Op, a: &Expr, b: &Expr, env: &mut Env) -> Option<Formula> {
        Some(match op {
            Op::Neq => self.comparison(Op::Eq, a, b, env)?.not(),
            Op::NotIn => self.comparison(Op::In, a, b, env)?.not(),
            Op::NotSubset => self.comparison(Op::Subset, a, b, env)?.not(),
            Op::NotStrictSubset => self.comparison(Op::StrictSubset, a, b, env)?.not(),
            Op::In if let ExprKind::Op(Op::Pow | Op::Fin, of) = &b.kind => {
                Formula::all(self.by_member(Op::Subset, a, of.first()?, CELLS, env)?)
            }
            Op::In => match self.abs(a, env) {
                Abs::Known(v) => self.has_member(b, &v, env)?,
                _ => return None,
            },
            Op::Eq | Op::Subset if matches!(a.ty, Ty::Pow(_)) => {
                Formula::all(self.by_member(op, a, b, CELLS, env)?)
            }
            Op::StrictSubset => {
                let part = Formula::all(self.by_member(Op::Subset, a, b, CELLS, env)?);
                let whole = Formula::all(self.by_member(Op::Subset, b, a, CELLS, env)?);
                Formula::all(vec![part, whole.not()])
            }
            Op::Eq | Op::Le | Op::Lt | Op::Ge | Op::Gt if let Some(f) = self.size(op, a, b, env) => f,
            Op::Eq => self.same_value(a, b, env)?,
            _ => return None,
        })
    }

    /// When the number of members of a set compares with a number.
    fn size(&self, op: Op, a: &Expr, b: &Expr, env: &mut Env) -> Option<Formula> {
        for (size, number, op) in [(a, b, Some(op)), (b, a, op.mirrored())] {
            if let (ExprKind::Op(Op::Card, sets), Some(op)) = (&size.kind, op)
                && let ([set], Abs::Known(Value::Int(n))) = (&sets[..], self.abs(number, env))
            {
                let (_, may) = self.bounds(&self.abs(set, env))?;
                if may.len() > CELLS || !may.is_extension() {
                    return None;
                }
                let has = |v: &Value, env: &mut Env| self.has_member(set, v, env);
                let parts = may.items().iter().map(|v| has(v, env)).collect::<Option<Vec<Formula>>>()?;
                let fits = |k: &i64| match op {
                    Op::Eq => *k == n,
                    Op::Le => *k <= n,
                    Op::Lt => *k < n,
                    Op::Ge => *k >= n,
                    _ => *k > n,
                };
                let numbers = (0..).take(CELLS + 1).filter(fits).fold(0, |bits, k| bits | 1 << k);
                return Some(Formula::Count(parts, numbers));
            }
        }
        None
    }

    /// What the equality or inclusion of two sets says of each possible member.
    fn by_member(&self, op: Op, a: &Expr, b: &Expr, most: usize, env: &mut Env) -> Option<Vec<Formula>> {
        let (_, mut may) = self.bounds(&self.abs(a, env))?;
        if op == Op::Eq {
            let (_, more) = self.bounds(&self.abs(b, env))?;
            may = SetRef::from_vec(may.items().iter().chain(more.items()).cloned().collect());
        }
        if may.len() > most || !may.is_extension() {
            return None;
        }
        let one = |v: &Value, env: &mut Env| {
            let (x, y) = (self.has_member(a, v, env)?, self.has_member(b, v, env)?);
            Some(if op == Op::Eq { x.same(y) } else { x.implies(y) })
        };
        may.items().iter().map(|v| one(v, env)).collect()
    }

    /// When two single values are equal.
    fn same_value(&self, a: &Expr, b: &Expr, env: &mut Env) -> Option<Formula> {
        for (x, y) in [(a, b), (b, a)] {
            if let Abs::Known(v) = self.abs(y, env) {
                return self.has_value(x, &v, &a.ty, env);
            }
        }
        if let (Some(p), Some(q)) = (self.truth_of(a, env), self.truth_of(b, env)) {
            return Some(p.same(q));
        }
        self.same_cells(self.cell_of(a, env)?, self.cell_of(b, env)?)
    }

    /// When two cells have the same value: of those that the first may have, each is that of both or of neither.
    fn same_cells(&self, c: CellId, d: CellId) -> Option<Formula> {
        let both = |v: &Value| Some(self.cell_has(c, v)?.same(self.cell_has(d, v)?));
        let parts: Vec<Formula> = self.cells.cells[c].listed().map(both).collect::<Option<_>>()?;
        (!parts.is_empty()).then(|| Formula::all(parts))
    }

    /// When an expression is TRUE.
    fn truth_of(&self, e: &Expr, env: &mut Env) -> Option<Formula> {
        match &e.kind {
            ExprKind::Bool(p) => self.formula(p, env),
            _ if e.ty == Ty::Bool => self.cell_has(self.cell_of(e, env)?, &Value::Bool(true)),
            _ => None,
        }
    }

    /// When an expression has a value.
    pub(super) fn has_value(&self, e: &Expr, v: &Value, ty: &Ty, env: &mut Env) -> Option<Formula> {
        if let Abs::Known(w) = self.abs(e, env) {
            return Some(Formula::Const(self.run.ev.equal(&w, v, ty, e.span).ok()?));
        }
        match (&e.kind, v) {
            (ExprKind::Op(Op::Maplet, args), Value::Pair(sides)) => {
                let [a, b] = &args[..] else { return None };
                let left = self.has_value(a, &sides.0, &a.ty, env)?;
                Some(Formula::all(vec![left, self.has_value(b, &sides.1, &b.ty, env)?]))
            }
            (ExprKind::Bool(p), Value::Bool(b)) => {
                let f = self.formula(p, env)?;
                Some(if *b { f } else { f.not() })
            }
            _ => self.cell_has(self.cell_of(e, env)?, v),
        }
    }

    /// When a cell, which has some value in any case, has a given one: `None` if more than its first two options are
    /// left.
    pub(super) fn cell_has(&self, id: CellId, v: &Value) -> Option<Formula> {
        let cell = &self.cells.cells[id];
        if cell.wide.is_some() || cell.values.is_empty() || cell.has(cell.values.len()) {
            return None;
        }
        let option = cell.values.binary_search(v).ok().filter(|i| cell.has(*i));
        let Some(option) = option else { return Some(Formula::Const(false)) };
        if cell.left == 1 {
            return Some(Formula::Const(true));
        }
        match (cell.left, cell.has(0) && cell.has(1), option) {
            (2, true, 0) => Some(Formula::Cell(id).not()),
            (2, true, 1) => Some(Formula::Cell(id)),
            _ => None,
        }
    }
}

/// Whether a predicate is made of operators and connectives, or quantifiers where those are worth it: to be asked
/// first, for it costs next to nothing.
pub(super) fn is_plain(p: &Pred, quantified: bool) -> bool {
    let plain = |p: &Pred| is_plain(p, quantified);
    match &p.kind {
        PredKind::True | PredKind::False | PredKind::Op(..) => true,
        PredKind::Not(q) => plain(q),
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(plain),
        PredKind::Implies(a, b) | PredKind::Iff(a, b) => plain(a) && plain(b),
        PredKind::Exists(binder) => quantified && plain(&binder.pred),
        PredKind::Forall(s) => quantified && plain(&s.binder.pred) && plain(&s.body),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::solver::cells::Cell;
    use std::sync::Arc;

    /// The next number below n that a seed decides.
    fn draw(seed: &mut u64, n: u64) -> u64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % n
    }

    /// A formula over cells that a seed decides.
    fn random(seed: &mut u64, cells: usize, depth: u32) -> Formula {
        match draw(seed, if depth == 0 { 3 } else { 7 }) {
            0 => Formula::Const(draw(seed, 4) > 0),
            1 | 2 => Formula::Cell(usize::try_from(draw(seed, cells as u64)).unwrap()),
            3 => random(seed, cells, depth - 1).not(),
            4 => Formula::all((0..3).map(|_| random(seed, cells, depth - 1)).collect()),
            5 => {
                let f = random(seed, cells, depth - 1);
                f.same(random(seed, cells, depth - 1))
            }
            _ => {
                let numbers = draw(seed, 16);
                Formula::Count((0..3).map(|_| random(seed, cells, depth - 1)).collect(), numbers)
            }
        }
    }

    fn holds(f: &Formula, row: usize) -> bool {
        match f {
            Formula::Const(b) => *b,
            Formula::Cell(id) => row >> id & 1 == 1,
            Formula::Not(f) => !holds(f, row),
            Formula::All(fs) => fs.iter().all(|f| holds(f, row)),
            Formula::Same(f, g) => holds(f, row) == holds(g, row),
            Formula::Count(fs, numbers) => numbers >> fs.iter().filter(|f| holds(f, row)).count() & 1 == 1,
        }
    }

    /// Of nine cells some decided: what a look leaves is what all rows that fit say.
    #[test]
    fn looks_say_what_all_rows_say() {
        const N: usize = 9;
        let mut seed = 7;
        for round in 0..2000usize {
            let f = random(&mut seed, N, 5);
            let table = Bools::new(&f).unwrap();
            let mut cells = Cells::default();
            for _ in 0..N {
                cells.add(Cell::new(Arc::default(), 2));
            }
            let fixed = round % 512;
            let value = round * 37 % 512;
            (0..N).filter(|i| fixed >> i & 1 == 1).for_each(|i| cells.keep(i, value >> i & 1));
            let fits = |row: &usize| row & fixed == value & fixed && holds(&f, *row);
            let rows: Vec<usize> = (0..1 << N).filter(fits).collect();
            let said = table.look(&mut cells, &mut Vec::new());
            assert_eq!(said.is_none(), rows.is_empty());
            let Some(always) = said else { continue };
            for i in &table.cells {
                for option in [0, 1] {
                    assert_eq!(cells.cells[*i].has(option), rows.iter().any(|r| r >> i & 1 == option));
                }
            }
            let left = |row: &usize| (0..N).all(|i| cells.cells[i].has(row >> i & 1));
            assert_eq!(always, (0..1 << N).filter(left).all(|row| holds(&f, row)));
        }
    }

    /// With some cells decided: a table and another over some of its cells, joined, say what both say.
    #[test]
    fn joined_tables_say_what_both_say() {
        const N: usize = 9;
        let mut seed = 3;
        let mut joined = 0;
        for round in 0..2000usize {
            let (f, g) = (random(&mut seed, N, 4), random(&mut seed, N, 3));
            let mut cells = Cells::default();
            for _ in 0..N {
                cells.add(Cell::new(Arc::default(), 2));
            }
            let fixed = round * 61 % 512;
            let value = round * 37 % 512;
            (0..N).filter(|i| fixed >> i & 1 == 1).for_each(|i| cells.keep(i, value >> i & 1));
            let (mut whole, part) =
                (Bools::new(&f).unwrap().shrunk(&cells), Bools::new(&g).unwrap().shrunk(&cells));
            let inside = part.cells.iter().all(|c| whole.cells.contains(c));
            whole.meet(&part);
            joined += usize::from(inside && !part.cells.is_empty());
            let says = |row: usize| holds(&f, row) && (!inside || holds(&g, row));
            for row in (0..1usize << N).filter(|row| row & fixed == value & fixed) {
                let own = whole.cells.iter().enumerate().fold(0, |own, (i, c)| own | (row >> c & 1) << i);
                assert_eq!(whole.rows[own / 64] >> (own % 64) & 1 == 1, says(row), "round {round}");
            }
            let rows: Vec<usize> =
                (0..1 << N).filter(|row| row & fixed == value & fixed && says(*row)).collect();
            let said = whole.look(&mut cells, &mut Vec::new());
            assert_eq!(said.is_none(), rows.is_empty());
            let left = |row: &usize| (0..N).all(|i| cells.cells[i].has(row >> i & 1));
            assert!(said != Some(true) || (0..1 << N).filter(left).all(says));
        }
        assert!(joined > 100, "{joined}");
    }
}
