//! Binders while unknowns are only partly decided: comprehensions, sums and quantifiers row by row.
//!
//! In: a binder whose predicate reads unknowns. Out: the rows that its decided conjuncts (and the possible members
//! of the others' sets) leave, each with what is known of its truth; what that says of the set, the sum or the
//! quantifier; and what must go from the cells if those are to have certain values.

use super::Search;
use super::abs::{Abs, one_of};
use super::enforce::{Cuts, Limit};
use crate::eval::bind::Run;
use crate::eval::interval::{Interval, Term};
use crate::eval::problem::{Problem, Unknown, tuple_expr};
use crate::eval::solve::{self, Mode};
use crate::eval::{Env, walk};
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind, Scoped};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;

/// Most rows of one binder.
const ROWS: usize = 20_000;

/// Most instances of one quantifier.
const INSTANCES: usize = 200_000;

/// Integers that nothing bounds have no rows.
const CLOSED: Mode = Mode { limit: 100_000, ..solve::CLOSED };

/// Values of a binder's variables with the truth of its predicate.
pub(super) struct Row {
    values: Vec<Value>,
    pub(super) truth: Option<bool>,
    /// Whether the predicate may have no value, which makes the row absent just as if it were false.
    loose: bool,
}

/// Puts a row's values into the environment.
pub(super) fn place(binder: &Binder, row: &Row, env: &mut Env) {
    for (v, value) in binder.vars.iter().zip(&row.values) {
        env.set_local(v.id, Some(value.clone()));
    }
}

impl Search<'_> {
    /// The rows of a binder whose predicate is not known to be false; `None` if they cannot be listed.
    pub(super) fn rows(&self, binder: &Binder, env: &mut Env) -> Option<Vec<Row>> {
        let mut values: Vec<Vec<Value>> = Vec::new();
        let mut collect = |env: &mut Env| {
            values.push(binder.vars.iter().filter_map(|v| env.local(v.id).cloned()).collect());
            Ok(if values.len() > ROWS { Break(()) } else { Continue(()) })
        };
        let decided = self.known_binder(binder);
        let done = if decided {
            self.run.ev.binder_solutions(binder, CLOSED, env, &mut |_, env| collect(env))
        } else {
            let problem = self.candidates(binder, env)?;
            Run::new(self.run.ev, &problem, CLOSED).solve(env, &mut |_, env| collect(env))
        };
        if done.is_err() || values.len() > ROWS {
            return None;
        }
        let doubts = if decided { None } else { self.doubts(binder) };
        let mut rows = Vec::with_capacity(values.len());
        for values in values {
            let mut row = Row { values, truth: Some(true), loose: false };
            if !decided {
                place(binder, &row, env);
                row.truth = self.truth(&binder.pred, env);
                row.loose =
                    row.truth != Some(false) && doubts.as_ref().is_some_and(|d| self.may_lack(d, env));
                // Then it is true only where it has a value.
                row.truth = row.truth.filter(|truth| !truth || !row.loose);
            }
            if row.truth != Some(false) {
                rows.push(row);
            }
        }
        Some(rows)
    }

    /// Cuts what contradicts the absence of a row.
    fn exclude(&self, row: &Row, binder: &Binder, env: &mut Env, cuts: &mut Cuts) -> bool {
        row.loose || self.deny(&binder.pred, env, cuts)
    }

    /// What a binder's variables must satisfy whatever the undecided cells are.
    fn candidates(&self, binder: &Binder, env: &mut Env) -> Option<Arc<Problem>> {
        let key = std::ptr::from_ref(binder).addr();
        if let Some(p) = self.problems.borrow().get(&key) {
            return Some(p.clone());
        }
        let mut conjuncts = Vec::new();
        super::expand::flatten(&binder.pred, &mut conjuncts);
        let mut needed: Vec<Pred> = Vec::new();
        let mut lasting = true;
        for c in conjuncts {
            if self.reads_nothing(c) {
                needed.push(c.clone());
            } else if let PredKind::Op(op @ (Op::In | Op::Subset | Op::StrictSubset), args) = &c.kind
                && let [x, set] = &args[..]
                && self.undecided_free(x)
                && let Some((_, may)) = self.bounds(&self.abs(set, env))
            {
                lasting = false;
                let kind = ExprKind::Lit(Value::Set(may));
                let may = Expr { kind, ty: set.ty.clone(), span: set.span };
                let op = if *op == Op::In { Op::In } else { Op::Subset };
                needed.push(Pred { kind: PredKind::Op(op, vec![x.clone(), may]), span: c.span });
            }
        }
        let refs: Vec<&Pred> = needed.iter().collect();
        let problem = Problem::new(binder.vars.iter().map(Unknown::local).collect(), &refs);
        let problem = Arc::new(problem);
        if lasting {
            self.problems.borrow_mut().insert(key, problem.clone());
        }
        Some(problem)
    }

    /// The member that a row of a comprehension stands for.
    fn member_of(&self, e: &Expr) -> Option<Arc<Expr>> {
        let key = std::ptr::from_ref(e).addr();
        if let Some(m) = self.members.borrow().get(&key) {
            return Some(m.clone());
        }
        let made = Arc::new(match &e.kind {
            ExprKind::Compr(binder, _) => tuple_expr(&binder.vars, e.span)?,
            ExprKind::Image(s) => s.body.clone(),
            ExprKind::Lambda(s, _) => {
                let x = tuple_expr(&s.binder.vars, e.span)?;
                let ty = Ty::pair(x.ty.clone(), s.body.ty.clone());
                Expr { kind: ExprKind::Op(Op::Maplet, vec![x, s.body.clone()]), ty, span: e.span }
            }
            _ => return None,
        });
        self.members.borrow_mut().insert(key, made.clone());
        Some(made)
    }

    /// The values that a binder's variables may have, to make instances of its body.
    pub(super) fn instances_of(&self, binder: &Binder, env: &mut Env) -> Option<Vec<Vec<Value>>> {
        let mut values: Vec<Vec<Value>> = Vec::new();
        let problem = self.candidates(binder, env)?;
        let done = Run::new(self.run.ev, &problem, CLOSED).solve(env, &mut |_, env| {
            values.push(binder.vars.iter().filter_map(|v| env.local(v.id).cloned()).collect());
            Ok(if values.len() > INSTANCES { Break(()) } else { Continue(()) })
        });
        (done.is_ok() && values.len() <= INSTANCES).then_some(values)
    }

    /// Whether a predicate reads no undecided unknown (not remembered: for predicates of any age).
    pub(super) fn reads_nothing(&self, p: &Pred) -> bool {
        let mut free = true;
        walk::pred(p, &mut |e| free &= self.run.problem.unknown_of(e).is_none_or(|i| self.bound.contains(i)));
        free
    }

    fn undecided_free(&self, e: &Expr) -> bool {
        let mut free = true;
        walk::expr(e, &mut |e| free &= self.run.problem.unknown_of(e).is_none_or(|i| self.bound.contains(i)));
        free
    }

    /// `{x | P}`, `{x . P | E}`, `%x.(P | E)` as a set between two.
    pub(super) fn gathered<'a>(&'a self, e: &Expr, env: &mut Env) -> Abs<'a> {
        let (Some(binder), Some(member)) = (binder_of(e), self.member_of(e)) else { return Abs::Top };
        let Some(rows) = self.rows(binder, env) else { return Abs::Top };
        let (mut must, mut may) = (Vec::new(), Vec::new());
        for row in &rows {
            place(binder, row, env);
            let Some(vs) = self.abs(&member, env).alternatives() else { return Abs::Top };
            if let ([v], Some(true)) = (&vs[..], row.truth) {
                must.push(v.clone());
            }
            may.extend(vs);
        }
        Abs::Between(SetRef::from_vec(must), SetRef::from_vec(may))
    }

    /// Least and greatest number of members of a comprehension, whose rows all differ.
    pub(super) fn count(&self, e: &Expr, env: &mut Env) -> Option<(i128, i128)> {
        let ExprKind::Compr(binder, _) = &e.kind else { return None };
        let rows = self.rows(binder, env)?;
        let sure = rows.iter().filter(|r| r.truth == Some(true)).count();
        Some((sure as i128, rows.len() as i128))
    }

    /// Makes a comprehension have as many members as the limit says, if it leaves no choice.
    pub(super) fn narrow_count(&self, e: &Expr, to: Interval, env: &mut Env, cuts: &mut Cuts) {
        let ExprKind::Compr(binder, _) = &e.kind else { return };
        let Some(rows) = self.rows(binder, env) else { return };
        let sure = rows.iter().filter(|r| r.truth == Some(true)).count() as i128;
        let all = rows.len() as i128;
        if sure == all {
            return;
        }
        for row in rows.iter().filter(|r| r.truth.is_none()) {
            place(binder, row, env);
            if to.hi == Some(sure) {
                self.exclude(row, binder, env, cuts);
            } else if to.lo == Some(all) {
                self.enforce(&binder.pred, env, cuts);
            }
        }
    }

    /// Keeps a comprehension's members among those allowed.
    pub(super) fn prune_rows(
        &self,
        e: &Expr,
        allowed: &dyn Fn(&Value) -> bool,
        env: &mut Env,
        cuts: &mut Cuts,
    ) {
        let (Some(binder), Some(member)) = (binder_of(e), self.member_of(e)) else { return };
        let Some(rows) = self.rows(binder, env) else { return };
        for row in &rows {
            place(binder, row, env);
            let Some(vs) = self.abs(&member, env).alternatives() else { continue };
            if vs.iter().any(allowed) && vs.len() == 1 {
                continue;
            }
            if !vs.iter().any(allowed) {
                self.exclude(row, binder, env, cuts);
            } else if row.truth == Some(true) {
                let left = vs.into_iter().filter(|v| allowed(v)).collect();
                self.narrow(&member, &Limit::OneOf(left), env, cuts);
            }
        }
    }

    /// Puts a value into a comprehension, if only one row can give it.
    pub(super) fn require_row(&self, e: &Expr, v: &Value, env: &mut Env, cuts: &mut Cuts) {
        let (Some(binder), Some(member)) = (binder_of(e), self.member_of(e)) else { return };
        let Some(rows) = self.rows(binder, env) else { return };
        let mut able = None;
        for row in &rows {
            place(binder, row, env);
            if self.abs(&member, env).alternatives().is_none_or(|vs| vs.contains(v)) {
                if able.is_some() {
                    return;
                }
                able = Some(row);
            }
        }
        if let Some(row) = able {
            place(binder, row, env);
            self.enforce(&binder.pred, env, cuts);
            self.narrow(&member, &Limit::OneOf(vec![v.clone()]), env, cuts);
        }
    }

    /// The range of a sum.
    pub(super) fn sum<'a>(&'a self, s: &Scoped<Expr>, env: &mut Env) -> Abs<'a> {
        let Some(parts) = self.summands(s, env) else { return Abs::Top };
        let total = parts.iter().fold(Interval::one(0), |t, (_, i)| plus(t, *i));
        match total.single().and_then(|n| i64::try_from(n).ok()) {
            Some(n) => one_of(vec![Value::Int(n)]),
            None => Abs::Int(total),
        }
    }

    fn summands(&self, s: &Scoped<Expr>, env: &mut Env) -> Option<Vec<(Row, Interval)>> {
        let rows = self.rows(&s.binder, env)?;
        let mut out = Vec::with_capacity(rows.len());
        for row in rows {
            place(&s.binder, &row, env);
            let mut i = self.abs(&s.body, env).interval()?;
            if row.truth.is_none() {
                i = Interval::new(i.lo.map(|n| n.min(0)), i.hi.map(|n| n.max(0)));
            }
            out.push((row, i));
        }
        Some(out)
    }

    /// Narrows the parts of a sum to what the others leave for them.
    pub(super) fn narrow_fold(&self, s: &Scoped<Expr>, to: Interval, env: &mut Env, cuts: &mut Cuts) {
        let Some(parts) = self.summands(s, env) else { return };
        let total = parts.iter().fold(Interval::one(0), |t, (_, i)| plus(t, *i));
        for (row, own) in &parts {
            if own.single().is_some() {
                continue;
            }
            // What is left for this part: the limit without the least, or the most, of all others.
            let rest = |to: Option<i128>, total: Option<i128>, own: Option<i128>| Some(to? - (total? - own?));
            let left = Interval::new(rest(to.lo, total.hi, own.hi), rest(to.hi, total.lo, own.lo));
            if left.meet(*own) == *own {
                continue;
            }
            place(&s.binder, row, env);
            if row.truth == Some(true) {
                self.narrow(&s.body, &Limit::Int(left), env, cuts);
            } else if let Some(i) = self.abs(&s.body, env).interval() {
                if i.meet(left).is_empty() {
                    self.exclude(row, &s.binder, env, cuts);
                } else if left.meet(Interval::one(0)).is_empty() {
                    self.enforce(&s.binder.pred, env, cuts);
                    self.narrow(&s.body, &Limit::Int(left), env, cuts);
                }
            }
        }
    }

    /// What is known of `#x.(P)`.
    pub(super) fn some_row(&self, binder: &Binder, env: &mut Env) -> Option<bool> {
        let rows = self.rows(binder, env)?;
        if rows.iter().any(|r| r.truth == Some(true)) {
            return Some(true);
        }
        if rows.is_empty() { Some(false) } else { None }
    }

    /// Makes `#x.(P)` true if a single row can; false if none can.
    pub(super) fn enforce_some(&self, binder: &Binder, env: &mut Env, cuts: &mut Cuts) -> bool {
        let Some(rows) = self.rows(binder, env) else { return true };
        match &rows[..] {
            [] => false,
            [row] if row.truth.is_none() => {
                place(binder, row, env);
                self.enforce(&binder.pred, env, cuts)
            }
            _ => true,
        }
    }

    /// Makes `!x.(P => Q)` true, row by row; false if it cannot be.
    pub(super) fn enforce_all(&self, s: &Scoped<Pred>, env: &mut Env, cuts: &mut Cuts) -> bool {
        let Some(rows) = self.rows(&s.binder, env) else { return true };
        for row in &rows {
            place(&s.binder, row, env);
            let fine = match row.truth {
                Some(true) => self.enforce(&s.body, env, cuts),
                _ if self.truth(&s.body, env) == Some(false) => {
                    place(&s.binder, row, env);
                    self.exclude(row, &s.binder, env, cuts)
                }
                _ => true,
            };
            if !fine {
                return false;
            }
        }
        true
    }
}

fn plus(a: Interval, b: Interval) -> Interval {
    Term::Add(Box::new(Term::Known(a)), Box::new(Term::Known(b))).interval(&[])
}

fn binder_of(e: &Expr) -> Option<&Binder> {
    match &e.kind {
        ExprKind::Compr(binder, _) => Some(binder),
        ExprKind::Image(s) | ExprKind::Lambda(s, _) => Some(&s.binder),
        _ => None,
    }
}
