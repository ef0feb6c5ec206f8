//! From typing conjuncts to shapes: `f : A --> B`, `s <: S`, `s : POW(S)`, or the type alone.
//!
//! In: an unknown, the conjuncts that mention it, an environment with everything else they read. Out: a shape
//! with its cells and the constraints that the arrow itself states (all different, onto); nothing if the unknown
//! has no finite, moderate domain.

use super::cells::{Cell, Shape};
use super::{Constraint, Search};
use crate::eval::bind::Run;
use crate::eval::bits::Bits;
use crate::eval::interval::Interval;
use crate::eval::plan::Step;
use crate::eval::{Env, finite};
use crate::ir::{Expr, ExprKind, PredKind};
use crate::ops::{Arrow, Cut, Op, interval_of};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use num_bigint::BigInt;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;

/// Most cells of one unknown that its type gives.
const CELL_LIMIT: usize = 4096;

/// Most cells of a set that something bounds: without cells nothing but its type does. Deciding them all takes a time that
/// is quadratic in their number, some seconds for so many.
const BASE_LIMIT: usize = 1 << 14;

/// Most possible members of a set that nothing but its type bounds.
const LAST_RESORT: usize = 59;

/// Whether the cells of a set of sets make up its members and nothing else.
fn is_whole(space: &Expr) -> bool {
    match &space.kind {
        ExprKind::Op(Op::Pow | Op::Fin | Op::Rel | Op::Perm, _) => true,
        ExprKind::Op(op, args) if functions(*op).is_some() => match args.get(1).map(|b| &b.kind) {
            Some(ExprKind::Op(Op::Pow1 | Op::Fin1, _)) => false,
            Some(ExprKind::Op(op, _)) if functions(*op).is_some() => args.get(1).is_some_and(is_whole),
            _ => true,
        },
        _ => false,
    }
}

/// What an arrow of functions says.
fn functions(op: Op) -> Option<Arrow> {
    op.arrow().filter(|a| a.functional)
}

/// Whether an expression is a union with a part of some kind.
fn is_part(e: &Expr, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    match &e.kind {
        ExprKind::Op(Op::Union, parts) => parts.iter().any(|p| wanted(p) || is_part(p, wanted)),
        _ => false,
    }
}

impl Search<'_> {
    /// Whether a set is among what is searched for: a plan goes first for scalars alone.
    pub(in crate::eval) fn has_sets(&self) -> bool {
        self.shapes.values().any(|shape| !matches!(shape, Shape::Point(_)))
    }

    /// The shape of an unknown, the best that its conjuncts offer. With `defer`, functions between sets that are
    /// still to be found have none.
    pub(super) fn shape(&mut self, var: usize, defer: bool, bound: &Bits, env: &mut Env) -> Option<Shape> {
        let run = self.run;
        if !matches!(run.problem.unknowns[var].ty, Ty::Pow(_)) {
            return self.scalar(var, env);
        }
        let mut sets: Vec<(u32, &Expr, bool, Option<usize>)> = Vec::new();
        for c in self.rest {
            let PredKind::Op(op, args) = &run.problem.conjs[*c].pred.kind else { continue };
            let [a, b] = &args[..] else { continue };
            if *op == Op::Eq {
                // A part of a union is a subset of it.
                for (union, whole) in [(a, b), (b, a)] {
                    if is_part(union, &|e| run.problem.unknown_of(e) == Some(var))
                        && run.is_known(whole, bound)
                    {
                        sets.push((1, whole, false, None));
                    }
                }
            }
            let b = run.ev.named().spelled_out(b);
            if run.problem.unknown_of(a) != Some(var) || !run.is_known(b, bound) {
                continue;
            }
            match (op, &b.kind) {
                (Op::In, ExprKind::Op(o, _)) if functions(*o).is_some() || *o == Op::Perm => {
                    sets.push((0, b, true, Some(*c).filter(|_| is_whole(b))));
                }
                (Op::In, ExprKind::Op(Op::Rel | Op::Pow | Op::Pow1 | Op::Fin | Op::Fin1, _)) => {
                    sets.push((2, b, true, Some(*c).filter(|_| is_whole(b))));
                }
                (Op::Subset, _) => sets.push((1, b, false, Some(*c))),
                (Op::StrictSubset, _) => sets.push((1, b, false, None)),
                _ => {}
            }
        }
        sets.sort_by_key(|s| s.0);
        for (_, e, member, given) in sets {
            let mark = (self.cells.cells.len(), self.constraints.len());
            let shape = if member { self.space(e, env) } else { self.subsets(e, env) };
            if shape.is_some() {
                given.iter().for_each(|c| self.given.insert(*c));
                return shape;
            }
            if let Some(shape) = self.between_extremes(var, e, member, env) {
                return Some(shape);
            }
            self.cells.cells.truncate(mark.0);
            self.constraints.truncate(mark.1);
            if let Some(shape) = self.open_function(var, e, env) {
                if self.is_into_interval(e, env) {
                    given.iter().for_each(|c| self.given.insert(*c));
                }
                return Some(shape);
            }
            self.cells.cells.truncate(mark.0);
        }
        let Ty::Pow(t) = &run.problem.unknowns[var].ty else { return None };
        if defer && self.waits(var) {
            return None;
        }
        if finite::estimate(t, &run.ev.world) > run.ev.world.at_most(CELL_LIMIT as u64) {
            return None;
        }
        let mut items = Vec::new();
        let _ = finite::each(t, &run.ev.world, None, &mut |v| {
            items.push(v);
            Ok(Continue(()))
        })
        .ok()?;
        items.sort_unstable();
        self.membership(items)
    }

    /// The cell of an element, a Boolean or an integer in a short range.
    fn scalar(&mut self, var: usize, env: &mut Env) -> Option<Shape> {
        let ty = &self.run.problem.unknowns[var].ty;
        if *ty == Ty::Int {
            let range = *self.run.domains(self.rest, self.bound, env)?.get(var)?;
            let size = range.size().filter(|n| *n > 0 && *n <= 256)?;
            let cell = Cell::integer(range);
            return (i128::from(cell.left) == size).then(|| Shape::Point(self.cells.add(cell)));
        }
        if finite::estimate(ty, &self.run.ev.world) > self.run.ev.world.at_most(CELL_LIMIT as u64) {
            return None;
        }
        let mut values = Vec::new();
        let _ = finite::each(ty, &self.run.ev.world, None, &mut |v| {
            values.push(v);
            Ok(Continue(()))
        })
        .ok()?;
        values.sort_unstable();
        let n = values.len();
        Some(Shape::Point(self.cells.add(Cell::new(Arc::new(values), n))))
    }

    /// The shape of an unknown whose type is infinite, if nothing is left but to enumerate what MININT and MAXINT
    /// leave of that.
    pub(super) fn last_resort(
        &mut self,
        var: usize,
        other: &Step,
        bound: &Bits,
        env: &mut Env,
    ) -> Option<Shape> {
        let u = &self.run.problem.unknowns[var];
        let Ty::Pow(t) = &u.ty else { return None };
        if !matches!(other, Step::Type { var: v, .. } if *v == var)
            || !self.run.mode.open
            || !finite::infinite(t)
            || self.run.sequence_over(var, self.rest, bound).is_some()
        {
            return None;
        }
        self.cut = Some(var);
        let shape = self.shape(var, true, bound, env);
        self.cut = None;
        if shape.is_some() {
            return shape;
        }
        let mut items = Vec::new();
        let window = self.run.window(&u.ty);
        let done = finite::each(t, &self.run.ev.world, Some(&window), &mut |v| {
            items.push(v);
            Ok(if items.len() > self.run.ev.world.few(LAST_RESORT) { Break(()) } else { Continue(()) })
        });
        if !matches!(done, Ok(Continue(()))) {
            return None;
        }
        crate::eval::ledger::note(&self.run.ev.cut(u.span, &u.name, &u.ty));
        items.sort_unstable();
        self.membership(items)
    }

    /// Whether an unknown is a function between sets that other unknowns give.
    fn waits(&self, var: usize) -> bool {
        self.rest.iter().any(|c| {
            let PredKind::Op(Op::In, args) = &self.run.problem.conjs[*c].pred.kind else { return false };
            let [a, b] = &args[..] else { return false };
            let ExprKind::Op(op, _) = &b.kind else { return false };
            let reads = self.run.problem.reads(b);
            let others = reads.iter().any(|i| i != var && !self.bound.contains(i));
            self.run.problem.unknown_of(a) == Some(var)
                && functions(*op).is_some()
                && others
                && !reads.contains(var)
        })
    }

    /// The shape of a member of a set of sets.
    fn space(&mut self, set: &Expr, env: &mut Env) -> Option<Shape> {
        let ExprKind::Op(op, args) = &set.kind else { return None };
        match (op, &args[..]) {
            (Op::Pow | Op::Pow1 | Op::Fin | Op::Fin1, [s]) => self.subsets(s, env),
            (Op::Rel, [a, b]) => {
                let (a, b) = (self.finite(a, env)?, self.finite(b, env)?);
                if a.items().len().saturating_mul(b.items().len()) > self.run.ev.world.few(BASE_LIMIT) {
                    return None;
                }
                let pairs = (a.items().iter())
                    .flat_map(|x| b.items().iter().map(|y| Value::pair(x.clone(), y.clone())))
                    .collect();
                self.membership(pairs)
            }
            (Op::Perm, [s]) => {
                if self.is_cut(s, env) {
                    return Some(self.no_finite_one());
                }
                let values = Arc::new(self.finite(s, env)?.items().to_vec());
                let keys = (1..).take(values.len()).map(Value::Int).collect();
                self.function(
                    Arc::new(keys),
                    values,
                    Arrow { total: true, onto: true, functional: true, injective: true },
                )
            }
            (op, [a, b]) => self.arrow_space(functions(*op)?, a, b, env),
            _ => None,
        }
    }

    fn arrow_space(&mut self, arrow: Arrow, a: &Expr, b: &Expr, env: &mut Env) -> Option<Shape> {
        if arrow.total && self.is_cut(a, env) || arrow.onto && self.is_cut(b, env) {
            return Some(self.no_finite_one());
        }
        let keys = Arc::new(self.finite(a, env)?.items().to_vec());
        let keys = self.cells.shared(keys);
        let nested = matches!(
            &b.kind,
            ExprKind::Op(
                Op::Pow
                    | Op::Rel
                    | Op::TotalFun
                    | Op::PartialFun
                    | Op::TotalInj
                    | Op::TotalSurj
                    | Op::TotalBij
                    | Op::PartialInj
                    | Op::Perm,
                _
            )
        );
        if nested && arrow.total && !arrow.onto && !arrow.injective {
            let mut parts = Vec::with_capacity(keys.len());
            for _ in keys.iter() {
                parts.push(self.space(b, env)?);
            }
            return Some(Shape::Fun { keys, parts });
        }
        let values = Arc::new(self.finite(b, env)?.items().to_vec());
        self.function(keys, values, arrow)
    }

    fn open_function(&mut self, var: usize, set: &Expr, env: &mut Env) -> Option<Shape> {
        let ExprKind::Op(op, args) = &set.kind else { return None };
        let ([a, b], Some(arrow)) = (&args[..], functions(*op)) else { return None };
        if !arrow.total || arrow.onto {
            return None;
        }
        let first = self.cells.cells.len();
        let (keys, parts) = self.open_points(var, a, b, arrow.injective, env)?;
        if arrow.injective {
            let values = parts.first().map_or(0, |_| self.cells.cells[first].values.len());
            let cells = (first..first + parts.len()).collect();
            self.constraints.push(Constraint::AllDifferent { cells, values });
        }
        Some(Shape::Fun { keys, parts })
    }

    /// Whether a space is one of functions into all integers between the ends that are known of them.
    fn is_into_interval(&self, space: &Expr, env: &mut Env) -> bool {
        let ExprKind::Op(_, args) = &space.kind else { return false };
        let [_, range] = &args[..] else { return false };
        let whole = self.run.ev.expr(range, env).ok().as_ref().and_then(whole_interval);
        whole == Some(self.run.ends(range, self.bound, env))
    }

    fn function(&mut self, keys: Arc<Vec<Value>>, values: Arc<Vec<Value>>, arrow: Arrow) -> Option<Shape> {
        if keys.len().max(values.len()) > self.run.ev.world.few(CELL_LIMIT) {
            return None;
        }
        let options = values.len() + usize::from(!arrow.total);
        let first = self.cells.cells.len();
        let parts: Vec<Shape> =
            keys.iter().map(|_| Shape::Point(self.cells.add(Cell::new(values.clone(), options)))).collect();
        let cells: Vec<usize> = (first..first + keys.len()).collect();
        // Between sets of one size a function that takes all values takes each once.
        if arrow.injective || arrow.onto && keys.len() == values.len() {
            self.constraints.push(Constraint::AllDifferent { cells: cells.clone(), values: values.len() });
        }
        if arrow.onto {
            self.constraints.push(Constraint::Onto { cells, values: values.len() });
        }
        Some(Shape::Fun { keys, parts })
    }

    fn subsets(&mut self, set: &Expr, env: &mut Env) -> Option<Shape> {
        let items = self.finite(set, env)?;
        self.membership(items.items().to_vec())
    }

    fn membership(&mut self, items: Vec<Value>) -> Option<Shape> {
        if items.len() > self.run.ev.world.few(BASE_LIMIT) {
            return None;
        }
        let first = self.cells.cells.len();
        let none = Arc::new(Vec::new());
        for _ in &items {
            self.cells.add(Cell::new(none.clone(), 2));
        }
        Some(Shape::Set { items: Arc::new(items), first })
    }

    /// A set of integers between what conjuncts say of its least and its greatest member.
    fn between_extremes(&mut self, var: usize, set: &Expr, member: bool, env: &mut Env) -> Option<Shape> {
        let base = match (&set.kind, member) {
            (ExprKind::Op(Op::Pow | Op::Pow1 | Op::Fin | Op::Fin1, args), true) => args.first()?,
            (_, false) => set,
            _ => return None,
        };
        if base.ty.elem() != Some(&Ty::Int) {
            return None;
        }
        let run = self.run;
        let mut range = run.ends(base, self.bound, env);
        for c in self.rest {
            let PredKind::Op(op, args) = &run.problem.conjs[*c].pred.kind else { continue };
            let [a, b] = &args[..] else { continue };
            let sides = [(a, b, Some(*op)), (b, a, op.mirrored())];
            for (end, e, op) in sides {
                let (ExprKind::Op(end @ (Op::Min | Op::Max), of), Some(op)) = (&end.kind, op) else {
                    continue;
                };
                let mine = of.first().is_some_and(|s| run.problem.unknown_of(s) == Some(var));
                if !mine || !self.known(e) {
                    continue;
                }
                let Some(limit) = self.limit_of(op, e, env) else { continue };
                range = range.meet(match end {
                    Op::Min => Interval::new(limit.lo(), None),
                    _ => Interval::new(None, limit.hi()),
                });
            }
        }
        let (lo, hi) = (range.lo()?, range.hi()?);
        if hi - lo > self.run.ev.world.few(BASE_LIMIT) as i128 {
            return None;
        }
        self.membership((lo..=hi).map(Value::double).collect())
    }

    pub(super) fn finite(&self, e: &Expr, env: &mut Env) -> Option<SetRef> {
        let run: &Run<'_> = self.run;
        match (run.ev.settled(e, env).ok()?, self.cut) {
            (Value::Set(s), _) => Some(s),
            (set, Some(var)) if e.ty.elem() == Some(&Ty::Int) => self.cut_integers(var, &set),
            _ => None,
        }
    }

    /// The shape of a function on all of an infinite set, or onto one: no finite set of pairs is such a one, and others are
    /// found by equations only, which is noted.
    fn no_finite_one(&mut self) -> Shape {
        if let Some(u) = self.cut.and_then(|var| self.run.problem.unknowns.get(var)) {
            crate::eval::ledger::note(&Cut { what: u.name.clone(), at: u.span, range: None, of: None });
        }
        self.none = true;
        Shape::Fun { keys: Arc::default(), parts: Vec::new() }
    }

    /// Whether a set is cut to be finite.
    fn is_cut(&self, e: &Expr, env: &mut Env) -> bool {
        self.cut.is_some() && !matches!(self.run.ev.settled(e, env), Ok(Value::Set(_)))
    }

    /// What MININT and MAXINT leave of an interval without an end.
    fn cut_integers(&self, var: usize, set: &Value) -> Option<SetRef> {
        let range = self.run.opened(var, whole_interval(set)?).ok()?;
        let (lo, hi) = (range.lo()?, range.hi()?);
        (hi - lo <= self.run.ev.world.few(CELL_LIMIT) as i128)
            .then(|| SetRef::from_sorted((lo..=hi).map(Value::double).collect()))
    }
}

/// The interval that a set of integers is, if it is one.
fn whole_interval(set: &Value) -> Option<Interval> {
    let whole = interval_of(set)?;
    let end = |n: Option<BigInt>| n.map(i128::try_from).transpose().ok();
    Some(Interval::new(end(whole.lo)?, end(whole.hi)?))
}
