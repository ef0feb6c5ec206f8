//! Comparisons of sums of cells: `a(j) - a(i) /= a(k) - a(l)`, `2*f(x) + 3 <= g(y)`, `SIGMA(i).(i : S | f(i)) = n`.
//!
//! In: a comparison of integers whose unknown parts are points of total functions with known arguments. Out: the sum
//! with its cells, once; then, as often as a cell changes, what the others leave for each. It says the same as the
//! comparison, only faster than a walk over the formula.

use super::cells::{Cell, CellId, Cells, Shape, point};
use super::{Constraint, Search};
use crate::eval::Env;
use crate::eval::interval::{Interval, Rel, endpoint};
use crate::ir::{Expr, ExprKind, LocalId, Pred, PredKind, Scoped};
use crate::ops::Op;
use crate::syntax::ast::Fold;
use crate::ty::Ty;
use crate::value::Value;
use smallvec::SmallVec;

/// Factors and constants up to this size: sums of them never overflow.
const SMALL: i128 = 1 << 40;

/// Most terms of one sum.
const TERMS: usize = 4096;

/// `terms + k` compares with zero.
pub(super) struct Linear {
    pub(super) terms: Vec<(i128, CellId)>,
    k: i128,
    pub(super) rel: Rel,
    /// How often it has been said.
    pub(super) copies: usize,
}

/// What a sum says, in the same form for all that say it.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Said {
    terms: SmallVec<[(CellId, i128); 4]>,
    k: i128,
    rel: Rel,
}

impl Linear {
    fn add(&mut self, factor: i128, cell: CellId) {
        match self.terms.iter_mut().find(|(_, c)| *c == cell) {
            Some((f, _)) => *f += factor,
            None => self.terms.push((factor, cell)),
        }
    }

    /// What it says: `a - b /= c - d` is `d - c /= b - a`.
    pub(super) fn said(&self) -> Said {
        let mut terms: SmallVec<[(CellId, i128); 4]> =
            self.terms.iter().map(|(f, cell)| (*cell, *f)).collect();
        terms.sort_unstable();
        let mut k = self.k;
        if self.rel != Rel::Le && terms.first().is_some_and(|(_, f)| *f < 0) {
            terms.iter_mut().for_each(|(_, f)| *f = -*f);
            k = -k;
        }
        Said { terms, k, rel: self.rel }
    }

    fn is_small(&self) -> bool {
        self.k.abs() <= SMALL && self.terms.len() <= TERMS && self.terms.iter().all(|(f, _)| f.abs() <= SMALL)
    }
}

/// What a sum has to say.
enum Verdict {
    Never,
    Always,
    Open,
}

impl Search<'_> {
    /// The sum that a comparison is about; none if it has parts of other kinds.
    pub(super) fn linear(&self, p: &Pred, locals: &[(LocalId, Value)], env: &mut Env) -> Option<Linear> {
        let PredKind::Op(op, args) = &p.kind else { return None };
        let [a, b] = &args[..] else { return None };
        let (rel, a, b) = match op {
            Op::Eq => (Rel::Eq, a, b),
            Op::Neq => (Rel::Neq, a, b),
            Op::Le | Op::Lt => (Rel::Le, a, b),
            Op::Ge | Op::Gt => (Rel::Le, b, a),
            _ => return None,
        };
        if a.ty != Ty::Int {
            return None;
        }
        super::expand::place(locals, env);
        let strict = matches!(op, Op::Lt | Op::Gt);
        let mut sum = Linear { terms: Vec::new(), k: i128::from(strict), rel, copies: 1 };
        self.gather(a, 1, &mut sum, env)?;
        self.gather(b, -1, &mut sum, env)?;
        sum.terms.retain(|(f, _)| *f != 0);
        (sum.is_small() && !sum.terms.is_empty()).then_some(sum)
    }

    /// The sums of which one must not be zero, for pairs of integers that are to differ.
    pub(super) fn tuples(&self, p: &Pred, env: &mut Env) -> Option<Vec<Linear>> {
        let PredKind::Op(Op::Neq, args) = &p.kind else { return None };
        let [a, b] = &args[..] else { return None };
        let mut sides = Vec::new();
        components(a, b, &mut sides)?;
        let mut sums = Vec::with_capacity(sides.len());
        for (a, b) in sides {
            let mut sum = Linear { terms: Vec::new(), k: 0, rel: Rel::Neq, copies: 1 };
            self.gather(a, 1, &mut sum, env)?;
            self.gather(b, -1, &mut sum, env)?;
            sum.terms.retain(|(f, _)| *f != 0);
            if !sum.is_small() {
                return None;
            }
            sums.push(sum);
        }
        Some(sums)
    }

    /// Looks at sums of which one must not be zero; false if all are.
    pub(super) fn weigh_all(&mut self, c: usize, changed: &mut Vec<CellId>) -> bool {
        let Constraint::Differ(sums) = &self.constraints[c] else { return true };
        let first = self.waits[c] == super::Waits::Unseen;
        let mut open: SmallVec<[CellId; 4]> = SmallVec::new();
        // Where a single cell is open: the value with which all sums so far are zero.
        let mut bad = None;
        for sum in sums {
            let (mut total, mut last) = (sum.k, None);
            for (f, id) in &sum.terms {
                if let Some(n) = number(&self.cells.cells[*id]) {
                    total += times(*f, n);
                    continue;
                }
                last = Some((*f, *id));
                if !open.contains(id) {
                    open.push(*id);
                }
            }
            match last {
                None if total != 0 => return self.hold(c),
                None => {}
                Some(_) if open.len() > 1 && !first => break,
                Some(_) if open.len() > 1 => {}
                Some((f, _)) => match zero(total, f) {
                    Some(x) if bad.is_none_or(|b| b == x) => bad = Some(x),
                    _ => return self.hold(c),
                },
            }
        }
        match (&open[..], bad) {
            ([], _) => false,
            ([id], Some(bad)) => {
                let cell = &self.cells.cells[*id];
                if cell.wide.is_some() {
                    self.watch(c, &[*id]);
                    return true;
                }
                let number = i64::try_from(bad).ok().map(Value::Int);
                let place = number.and_then(|n| cell.values.binary_search(&n).ok()).filter(|i| cell.has(*i));
                if let Some(i) = place {
                    changed.push(*id);
                    if !self.cells.remove(*id, i) {
                        return false;
                    }
                }
                self.hold(c)
            }
            (open, _) => {
                self.watch(c, open);
                true
            }
        }
    }

    fn hold(&mut self, c: usize) -> bool {
        self.settle(c);
        true
    }

    /// Adds a multiple of an expression to a sum.
    fn gather(&self, e: &Expr, factor: i128, sum: &mut Linear, env: &mut Env) -> Option<()> {
        let number = |e: &Expr, env: &mut Env| {
            if !self.known(e) {
                return None;
            }
            self.run.int(e, env).filter(|n| n.abs() <= SMALL)
        };
        if factor.abs() > SMALL || sum.terms.len() > TERMS {
            return None;
        }
        if let Some(n) = number(e, env) {
            sum.k += factor * n;
            return (sum.k.abs() <= SMALL).then_some(());
        }
        if let Some(Shape::Point(id)) = self.run.problem.unknown_of(e).and_then(|i| self.shapes.get(&i)) {
            return self.gather_cell(*id, factor, sum);
        }
        if let Some(definition) = self.definition_of(e) {
            return self.gather(definition, factor, sum, env);
        }
        match &e.kind {
            ExprKind::Op(op, args) => match (op, &args[..]) {
                (Op::Add, [a, b]) => {
                    self.gather(a, factor, sum, env)?;
                    self.gather(b, factor, sum, env)
                }
                (Op::Sub, [a, b]) => {
                    self.gather(a, factor, sum, env)?;
                    self.gather(b, -factor, sum, env)
                }
                (Op::Neg, [a]) => self.gather(a, -factor, sum, env),
                (Op::Mul, [a, b]) => match (number(a, env), number(b, env)) {
                    (Some(n), _) => self.gather(b, factor * n, sum, env),
                    (_, Some(n)) => self.gather(a, factor * n, sum, env),
                    _ => None,
                },
                (Op::Apply, [f, x]) => {
                    if let Some(ExprKind::Lambda(s, _)) = self.definition_of(f).map(|d| &d.kind) {
                        return self.gather_value(s, x, factor, sum, env);
                    }
                    let i = self.run.problem.unknown_of(f)?;
                    let Some(Shape::Fun { keys, parts }) = self.shapes.get(&i) else { return None };
                    if !self.known(x) {
                        return None;
                    }
                    let x = self.run.ev.settled(x, env).ok()?;
                    self.gather_cell(point(keys, parts, &x)?, factor, sum)
                }
                _ => None,
            },
            ExprKind::Fold(Fold::Sum, s) => {
                if !self.known_binder(&s.binder) {
                    return None;
                }
                for row in self.rows(&s.binder, env)? {
                    super::rows::place(&s.binder, &row, env);
                    self.gather(&s.body, factor, sum, env)?;
                }
                Some(())
            }
            _ => None,
        }
    }

    /// What an equation says that an unknown is which has no cells of its own.
    fn definition_of(&self, e: &Expr) -> Option<&Expr> {
        let i = self.run.problem.unknown_of(e).filter(|i| !self.shapes.contains_key(i))?;
        self.defined.iter().find(|(d, _)| *d == i).map(|(_, definition)| definition)
    }

    /// Adds the value of a defined function of one variable at a known argument in its domain.
    fn gather_value(
        &self,
        function: &Scoped<Expr>,
        x: &Expr,
        factor: i128,
        sum: &mut Linear,
        env: &mut Env,
    ) -> Option<()> {
        let [var] = &function.binder.vars[..] else { return None };
        if !self.known(x) || !self.known_binder(&function.binder) {
            return None;
        }
        let x = self.run.ev.settled(x, env).ok()?;
        env.set_local(var.id, Some(x));
        if !self.run.ev.pred(&function.binder.pred, env).ok()? {
            return None;
        }
        self.gather(&function.body, factor, sum, env)
    }

    /// Adds a cell, if it has a number whatever happens.
    fn gather_cell(&self, id: CellId, factor: i128, sum: &mut Linear) -> Option<()> {
        let cell = &self.cells.cells[id];
        let small = |v: &Value| matches!(v, Value::Int(n) if i128::from(*n).abs() <= SMALL);
        let near = |n: Option<i128>| n.is_some_and(|n| n.abs() <= SMALL);
        // Numbers without a bound may grow beyond all that sums are made for.
        let numbers = match cell.wide {
            Some(range) => near(range.lo()) && near(range.hi()),
            None => cell.values.iter().all(small),
        };
        (numbers && !cell.has(cell.values.len())).then(|| sum.add(factor, id))
    }

    /// Looks at a sum; false if the comparison cannot hold.
    pub(super) fn weigh(&mut self, c: usize, changed: &mut Vec<CellId>) -> bool {
        let Constraint::Linear(sum) = &self.constraints[c] else { return true };
        let verdict = match sum.rel {
            Rel::Neq => differ(sum, &mut self.cells, changed),
            _ => bounded(sum, &mut self.cells, &mut self.patience, changed),
        };
        match verdict {
            Verdict::Never => return false,
            Verdict::Always => self.settle(c),
            Verdict::Open if sum.rel == Rel::Neq => {
                let open = |id: &CellId| self.cells.cells[*id].left > 1;
                let all = self.waits[c] == super::Waits::Unseen;
                let touched = sum.terms.iter().map(|(_, id)| *id).filter(open);
                let touched: Vec<CellId> = if all { touched.collect() } else { touched.take(2).collect() };
                self.watch(c, &touched);
            }
            Verdict::Open => {}
        }
        true
    }
}

/// Whether a comparison is one of names, points and what arithmetic makes of them.
pub(super) fn only_points(p: &Pred) -> bool {
    fn plain(e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Const(_) => true,
            ExprKind::Op(Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Maplet | Op::Apply, args) => {
                args.iter().all(plain)
            }
            _ => false,
        }
    }
    matches!(&p.kind, PredKind::Op(_, args) if args.iter().all(plain))
}

/// The integers that two tuples of the same form are made of.
fn components<'e>(a: &'e Expr, b: &'e Expr, out: &mut Vec<(&'e Expr, &'e Expr)>) -> Option<()> {
    match (&a.kind, &b.kind) {
        (ExprKind::Op(Op::Maplet, xs), ExprKind::Op(Op::Maplet, ys)) => {
            xs.iter().zip(ys).try_for_each(|(x, y)| components(x, y, out))
        }
        _ if a.ty == Ty::Int => {
            out.push((a, b));
            Some(())
        }
        _ => None,
    }
}

/// The range of what a cell may be.
fn range(cell: &Cell) -> Interval {
    if let Some(range) = cell.wide {
        return range;
    }
    let n = |i: Option<usize>| endpoint(cell.values.get(i?)?);
    match (n(cell.first()), n(cell.last())) {
        (Some(lo), Some(hi)) => Interval::new(Some(lo), Some(hi)),
        _ => Interval::new(Some(1), Some(0)),
    }
}

/// The number that a cell has.
fn number(cell: &Cell) -> Option<i128> {
    if let Some(range) = cell.wide {
        return range.single();
    }
    endpoint(cell.values.get(cell.single()?)?)
}

/// A product of small numbers. Most factors are 1 or -1, and products of long numbers are slow.
fn times(factor: i128, n: i128) -> i128 {
    match factor {
        1 => n,
        -1 => -n,
        _ => factor * n,
    }
}

/// With which x `total + factor * x` is zero; the factor is not.
fn zero(total: i128, factor: i128) -> Option<i128> {
    match factor {
        1 => Some(-total),
        -1 => Some(total),
        _ => (total % factor == 0).then(|| -total / factor),
    }
}

/// A sum that is not to be zero.
fn differ(sum: &Linear, cells: &mut Cells, changed: &mut Vec<CellId>) -> Verdict {
    let mut total = sum.k;
    let mut open = None;
    for (f, id) in &sum.terms {
        match number(&cells.cells[*id]) {
            Some(n) => total += times(*f, n),
            None if open.is_some() => return Verdict::Open,
            None => open = Some((*f, *id)),
        }
    }
    let Some((f, id)) = open else { return if total == 0 { Verdict::Never } else { Verdict::Always } };
    let Some(bad) = zero(total, f) else { return Verdict::Always };
    if let Some(range) = cells.cells[id].wide {
        let cut = |end: Option<i128>, by: i128| if end == Some(bad) { Some(bad + by) } else { end };
        let to = Interval::new(cut(range.lo(), 1), cut(range.hi(), -1));
        if cells.meet(id, to) {
            changed.push(id);
        }
        return Verdict::Open;
    }
    let place =
        i64::try_from(bad).ok().and_then(|n| cells.cells[id].values.binary_search(&Value::Int(n)).ok());
    if let Some(i) = place.filter(|i| cells.cells[id].has(*i)) {
        if !cells.remove(id, i) {
            return Verdict::Never;
        }
        changed.push(id);
    }
    Verdict::Always
}

/// A sum that is to be zero, or at most zero.
fn bounded(sum: &Linear, cells: &mut Cells, patience: &mut u32, changed: &mut Vec<CellId>) -> Verdict {
    let term = |f: i128, r: Interval| {
        let (a, b) = (r.lo().map(|n| n * f), r.hi().map(|n| n * f));
        if f < 0 { (b, a) } else { (a, b) }
    };
    // The least and the greatest total, with the number of ends that are open.
    let (mut low, mut high) = ((sum.k, 0), (sum.k, 0));
    let mut parts = Vec::with_capacity(sum.terms.len());
    for (f, id) in &sum.terms {
        let range = range(&cells.cells[*id]);
        if range.is_empty() {
            return Verdict::Never;
        }
        let (a, b) = term(*f, range);
        let plus = |t: (i128, u32), n: Option<i128>| n.map_or((t.0, t.1 + 1), |n| (t.0 + n, t.1));
        (low, high) = (plus(low, a), plus(high, b));
        parts.push((*f, *id, a, b));
    }
    let equal = sum.rel == Rel::Eq;
    if low.1 == 0 && low.0 > 0 || equal && high.1 == 0 && high.0 < 0 {
        return Verdict::Never;
    }
    if high.1 == 0 && high.0 <= 0 && (!equal || low == high) {
        return Verdict::Always;
    }
    for (f, id, a, b) in parts {
        if a.is_some() && a == b {
            continue;
        }
        // All others together.
        let rest = |t: (i128, u32), own: Option<i128>| match (t, own) {
            ((n, 0), Some(own)) => Some(n - own),
            ((n, 1), None) => Some(n),
            _ => None,
        };
        let to = (rest(high, b).filter(|_| equal).map(|n| -n), rest(low, a).map(|n| -n));
        let to = if f < 0 { (to.1, to.0) } else { to };
        // f * x within: rounded inwards. For a negative factor the ends have changed places.
        let lo = to.0.map(|n| up(n, f));
        let hi = to.1.map(|n| down(n, f));
        let to = Interval::new(lo, hi);
        if cells.cells[id].wide.is_some() {
            if *patience > 0 && cells.meet(id, to) {
                *patience -= 1;
                changed.push(id);
                let cell = &cells.cells[id];
                if cell.left == 0 || cell.wide.is_some_and(|r| r.is_empty()) {
                    return Verdict::Never;
                }
            }
            continue;
        }
        // All options are integers (`gather_cell`).
        if cells.confine(id, to) {
            changed.push(id);
            if cells.cells[id].left == 0 {
                return Verdict::Never;
            }
        }
    }
    Verdict::Open
}

/// The quotient, rounded up.
fn up(n: i128, by: i128) -> i128 {
    -down(-n, by)
}

/// The quotient, rounded down.
fn down(n: i128, by: i128) -> i128 {
    let q = n / by;
    if n % by != 0 && (n < 0) != (by < 0) { q - 1 } else { q }
}
