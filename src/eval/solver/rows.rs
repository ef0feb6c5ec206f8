//! Binders while unknowns are only partly decided: comprehensions, sums and quantifiers row by row.
//!
//! In: a binder whose predicate reads unknowns. Out: the rows that its decided conjuncts (and the possible members
//! of the others' sets) leave, each with what is known of its truth; what that says of the set, the sum or the
//! quantifier; and what must go from the cells if those are to have certain values.

use super::Search;
use super::abs::Abs;
use super::alternatives::one_of;
use super::cells::Shape;
use super::enforce::{Cuts, Limit};
use super::once::Kept;
use crate::eval::Env;
use crate::eval::bind::Run;
use crate::eval::interval::Interval;
use crate::eval::problem::{Problem, Unknown, tuple_expr};
use crate::eval::solve::{self, Mode};
use crate::eval::walk::{self, Reads};
use crate::ir::{Binder, Expr, ExprKind, Local, Pred, PredKind, Scoped};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use smallvec::SmallVec;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;

/// Most rows of one binder.
const ROWS: usize = 20_000;

/// Rows that are few.
const FEW: usize = 64;

/// Most instances of one quantifier.
const INSTANCES: usize = 200_000;

/// Integers that nothing bounds have no rows.
const CLOSED: Mode = Mode { limit: 100_000, ..solve::CLOSED };

/// Values of a binder's variables with the truth of its predicate.
#[derive(Clone)]
pub(super) struct Row {
    values: Arc<[Value]>,
    pub(super) truth: Option<bool>,
    /// Whether the predicate may have no value, which makes the row absent just as if it were false.
    loose: bool,
}

/// What a binder's variables must satisfy whatever the undecided cells are.
pub(super) struct Frame {
    problem: Problem,
    /// Which conjuncts of the predicate all solutions of the problem satisfy.
    met: Vec<bool>,
    /// Whether the solutions do not depend on variables bound outside.
    alone: bool,
    /// Whether nothing is known so far of a set that they are in.
    vague: bool,
    /// Whether they depend on the cells as they are, and if so, whether those are as they were before any decision.
    now: Option<bool>,
    /// Whether a set that they are in may have no value, so that a row may be absent for that.
    lacks: bool,
}

/// The solutions of a frame; `None` if they cannot be listed.
pub(super) type Listing = Option<Arc<Vec<Arc<[Value]>>>>;

/// The rows of a binder with the cells as they were; `None` if they depend on more than the cells.
pub(super) type Rowed = Option<Kept<Vec<Row>>>;

/// Puts a row's values into the environment.
pub(super) fn place(binder: &Binder, row: &Row, env: &mut Env) {
    env.bind(&binder.vars, &row.values);
}

/// Whether an expression reads variables of a binder.
fn reads_own(e: &Expr, binder: &Binder) -> bool {
    binder.vars.iter().any(|v| walk::mentions(e, v.id))
}

/// Whether a conjunct gives a variable values, by its form.
fn gives(p: &Pred, v: &Local) -> bool {
    let PredKind::Op(Op::In | Op::Eq | Op::Subset, sides) = &p.kind else { return false };
    sides.first().is_some_and(|x| walk::mentions(x, v.id))
}

impl Search<'_> {
    /// The rows of a binder whose predicate is not known to be false; `None` if they cannot be listed. They are found once
    /// while the cells stay as they are: a judgement, its consequences and the ways to be true all ask for them.
    pub(super) fn rows(&self, binder: &Binder, env: &mut Env) -> Option<Vec<Row>> {
        let key = std::ptr::from_ref(binder).addr();
        let at = self.cells.version;
        let varies = {
            let rowed = self.rowed.borrow();
            let found = rowed.get(&key);
            if let Some(rows) = self.again(found.and_then(Option::as_ref), &at) {
                return Some(rows);
            }
            found.map(Option::is_none)
        };
        if varies.unwrap_or_else(|| !self.stand_alone(binder, std::slice::from_ref(&binder.pred))) {
            if varies.is_none() {
                self.rowed.borrow_mut().insert(key, None);
            }
            return self.rows_in_turn(binder, env, |env| self.rows_anew(binder, env));
        }
        let before = self.touched.borrow().len();
        let rows = self.rows_anew(binder, env)?;
        // Before all cells have been made there may be more of them without any change.
        if !self.listed.is_empty() {
            self.rowed.borrow_mut().insert(key, Some(self.kept(rows.clone(), before, at)));
        }
        Some(rows)
    }

    fn rows_anew(&self, binder: &Binder, env: &mut Env) -> Option<Vec<Row>> {
        let decided = self.known_binder(binder);
        let frame = self.candidates(binder, env);
        let listing = self.listing(binder, &frame, decided, env)?;
        let row = |values: &Arc<[Value]>, truth| Row { values: values.clone(), truth, loose: false };
        if decided {
            return Some(listing.iter().map(|values| row(values, Some(true))).collect());
        }
        let mut doubts = self.doubts(binder);
        if let Some(doubts) = &mut doubts {
            doubts.without(&frame.met);
        }
        let conjuncts = binder.pred.conjuncts();
        let open = conjuncts.into_iter().zip(&frame.met).filter(|(_, met)| !**met).map(|(p, _)| p);
        let open: SmallVec<[&Pred; 8]> = open.collect();
        let mut rows = Vec::with_capacity(listing.len());
        for values in listing.iter() {
            env.bind(&binder.vars, values);
            let mut row = row(values, self.all(&open, true, env));
            if row.truth == Some(false) {
                continue;
            }
            row.loose = doubts.as_ref().is_some_and(|d| self.may_lack(d, env));
            // Then it is true only where it has a value.
            row.truth = row.truth.filter(|_| !row.loose);
            rows.push(row);
        }
        Some(rows)
    }

    /// The values that a binder's variables may have: listed once, where they stay the same.
    fn listing(&self, binder: &Binder, frame: &Arc<Frame>, decided: bool, env: &mut Env) -> Listing {
        let key = std::ptr::from_ref(binder).addr();
        let found = self.listings.borrow().get(&key).cloned();
        if let (true, Some(listing)) = (frame.alone, found) {
            return listing;
        }
        let mut values: Vec<Arc<[Value]>> = Vec::new();
        let mut collect = |env: &mut Env| {
            values.push(binder.vars.iter().filter_map(|v| env.local(v.id).cloned()).collect());
            Ok(if values.len() > self.run.ev.world.few(ROWS) { Break(()) } else { Continue(()) })
        };
        let done = if decided {
            self.run.ev.binder_solutions(binder, CLOSED, env, &mut |_, env| collect(env))
        } else {
            let mode = Mode { most: self.run.ev.world.at_most(ROWS as u64), ..CLOSED };
            Run::new(self.run.ev, &frame.problem, mode).solve(env, &mut |_, env| collect(env))
        };
        let listing = (done.is_ok() && values.len() <= self.run.ev.world.few(ROWS)).then(|| Arc::new(values));
        // A set of which nothing was known, and without which nothing can be listed, may be known later.
        if frame.vague && frame.now.is_none() && listing.is_some() {
            self.frames.borrow_mut().insert(key, frame.clone());
        }
        // What may be before any decision may be more than what may be now: only few are worth looking at again.
        let few = || listing.as_ref().is_some_and(|l| l.len() <= FEW);
        if frame.alone && frame.now.is_none_or(|early| early && few()) && !self.run.ev.is_stopped() {
            self.listings.borrow_mut().insert(key, listing.clone());
            self.frames.borrow_mut().insert(key, frame.clone());
        }
        listing
    }

    /// All values that a binder's variables may have, if they are few.
    pub(super) fn few_rows(&self, binder: &Binder, env: &mut Env) -> Listing {
        let frame = self.candidates(binder, env);
        self.listing(binder, &frame, self.known_binder(binder), env).filter(|l| l.len() <= FEW)
    }

    /// Whether predicates read no variables but those of a binder, those bound inside and the unknowns.
    fn stand_alone(&self, binder: &Binder, ps: &[Pred]) -> bool {
        let mut reads = Reads::default();
        ps.iter().for_each(|p| walk::pred(p, &mut |e| reads.note(e)));
        reads.free().all(|id| binder.vars.iter().any(|v| v.id == id) || self.is_unknown(id))
    }

    /// Cuts what contradicts the absence of a row.
    fn exclude(&self, row: &Row, binder: &Binder, env: &mut Env, cuts: &mut Cuts) -> bool {
        row.loose || self.deny(&binder.pred, env, cuts)
    }

    /// What a binder's variables must satisfy whatever the undecided cells are.
    fn candidates(&self, binder: &Binder, env: &mut Env) -> Arc<Frame> {
        let key = std::ptr::from_ref(binder).addr();
        if let Some(p) = self.frames.borrow().get(&key) {
            return p.clone();
        }
        // What holds of all rows is not to be found with the values of the last one.
        binder.vars.iter().for_each(|v| env.set_local(v.id, None));
        let mut needed: Vec<Pred> = Vec::new();
        let (mut met, mut now) = (Vec::new(), None);
        let (mut alone, mut vague, mut lacks) = (true, false, false);
        let mut equations: Vec<(&Pred, Pred)> = Vec::new();
        for c in binder.pred.conjuncts() {
            let free = self.reads_nothing(c);
            met.push(free);
            if free {
                needed.push(c.clone());
            } else if let PredKind::Op(op @ (Op::In | Op::Subset | Op::StrictSubset), args) = &c.kind
                && let [x, set] = &args[..]
                && self.undecided_free(x)
            {
                let Some((may, lasting)) = self.may_ever(set, env) else {
                    vague = true;
                    continue;
                };
                if !lasting {
                    now = Some(self.early);
                    alone &= self.stand_alone(binder, std::slice::from_ref(c));
                }
                lacks |= self.lacks_part(c, env);
                let kind = ExprKind::Lit(Value::Set(may));
                let may = Expr { kind, ty: set.ty.clone(), span: set.span };
                let op = if *op == Op::In { Op::In } else { Op::Subset };
                needed.push(Pred { kind: PredKind::Op(op, vec![x.clone(), may]), span: c.span });
            } else {
                equations.extend(self.one_of_few(c, binder, env).map(|p| (c, p)));
            }
        }
        // What an unknown point can be gives values to variables that nothing else does.
        for (c, p) in equations {
            if binder
                .vars
                .iter()
                .any(|v| v.ty == Ty::Int && gives(&p, v) && !needed.iter().any(|n| gives(n, v)))
            {
                now = Some(self.early);
                alone &= self.stand_alone(binder, std::slice::from_ref(c));
                needed.push(p);
            }
        }
        let refs: Vec<&Pred> = needed.iter().collect();
        let problem = Problem::new(binder.vars.iter().map(Unknown::local).collect(), &refs, self.run.ev);
        let alone = alone && self.stand_alone(binder, &needed);
        let frame = Arc::new(Frame { problem, met, alone, vague, now, lacks });
        if now.is_none() && !vague {
            self.frames.borrow_mut().insert(key, frame.clone());
        }
        frame
    }

    /// For `x = e`, with x free of unknowns: that x is one of the few values of e.
    fn one_of_few(&self, c: &Pred, binder: &Binder, env: &mut Env) -> Option<Pred> {
        let PredKind::Op(Op::Eq, sides) = &c.kind else { return None };
        let [a, b] = &sides[..] else { return None };
        let (x, e) = if self.undecided_free(a) { (a, b) } else { (b, a) };
        let variables = |e: &Expr| matches!(e.kind, ExprKind::Local(_) | ExprKind::Op(Op::Maplet, _));
        if !self.undecided_free(x) || !variables(x) || reads_own(e, binder) {
            return None;
        }
        // Without a value of e there is no row, which is not the same as a row that is absent.
        if self.lacks_part(c, env) {
            return None;
        }
        let values = self.few(e, env)?;
        let kind = ExprKind::Lit(Value::Set(SetRef::from_vec(values)));
        let set = Expr { kind, ty: Ty::pow(x.ty.clone()), span: c.span };
        Some(Pred { kind: PredKind::Op(Op::In, vec![x.clone(), set]), span: c.span })
    }

    /// The possible members of a set; whether they are those that there may be whatever is decided.
    fn may_ever(&self, set: &Expr, env: &mut Env) -> Option<(SetRef, bool)> {
        let shape = self.run.problem.unknown_of(set).and_then(|i| self.shapes.get(&i));
        if let Some(Shape::Set { items, .. }) = shape
            && items.len() <= FEW
        {
            return Some((SetRef::from_sorted(items.to_vec()), true));
        }
        self.bounds(&self.abs(set, env)).map(|(_, may)| (may, false))
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

    /// The values that a binder's variables may have, to make instances of its body; whether there may be no value that says so.
    pub(super) fn instances_of(&self, binder: &Binder, env: &mut Env) -> Option<(Vec<Vec<Value>>, bool)> {
        let mut values: Vec<Vec<Value>> = Vec::new();
        let frame = self.candidates(binder, env);
        let mode = Mode { most: self.run.ev.world.at_most(INSTANCES as u64), ..CLOSED };
        let done = Run::new(self.run.ev, &frame.problem, mode).solve(env, &mut |_, env| {
            values.push(binder.vars.iter().filter_map(|v| env.local(v.id).cloned()).collect());
            Ok(if values.len() > self.run.ev.world.few(INSTANCES) { Break(()) } else { Continue(()) })
        });
        (done.is_ok() && values.len() <= self.run.ev.world.few(INSTANCES)).then_some((values, frame.lacks))
    }

    /// Whether a predicate reads no undecided unknown (not remembered: for predicates of any age).
    pub(super) fn reads_nothing(&self, p: &Pred) -> bool {
        let mut free = true;
        walk::pred(p, &mut |e| free &= self.open_unknown(e).is_none());
        free
    }

    fn undecided_free(&self, e: &Expr) -> bool {
        let mut free = true;
        walk::expr(e, &mut |e| free &= self.open_unknown(e).is_none());
        free
    }

    /// `{x | P}`, `{x . P | E}`, `%x.(P | E)` as a set between two.
    pub(super) fn gathered<'a>(&'a self, e: &Expr, env: &mut Env) -> Abs<'a> {
        let (Some(binder), Some(member)) = (e.binder(), self.member_of(e)) else { return Abs::Top };
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
            if to.hi() == Some(sure) {
                self.exclude(row, binder, env, cuts);
            } else if to.lo() == Some(all) {
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
        let (Some(binder), Some(member)) = (e.binder(), self.member_of(e)) else { return };
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
        let (Some(binder), Some(member)) = (e.binder(), self.member_of(e)) else { return };
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
        let total = parts.iter().fold(Interval::one(0), |t, (_, i)| t.plus(*i));
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
                i = Interval::new(i.lo().map(|n| n.min(0)), i.hi().map(|n| n.max(0)));
            }
            out.push((row, i));
        }
        Some(out)
    }

    /// Narrows the parts of a sum to what the others leave for them.
    pub(super) fn narrow_fold(&self, s: &Scoped<Expr>, to: Interval, env: &mut Env, cuts: &mut Cuts) {
        let Some(parts) = self.summands(s, env) else { return };
        let total = parts.iter().fold(Interval::one(0), |t, (_, i)| t.plus(*i));
        for (row, own) in &parts {
            if own.single().is_some() {
                continue;
            }
            // What is left for this part: the limit without the least, or the most, of all others.
            let rest = |to: Option<i128>, total: Option<i128>, own: Option<i128>| Some(to? - (total? - own?));
            let left =
                Interval::new(rest(to.lo(), total.hi(), own.hi()), rest(to.hi(), total.lo(), own.lo()));
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

    /// Cuts what contradicts `#x.(P)`: what contradicts each of its rows, if those are few; false if none can be true.
    pub(super) fn enforce_some(&self, binder: &Binder, env: &mut Env, cuts: &mut Cuts) -> bool {
        let Some(rows) = self.rows(binder, env) else { return true };
        if rows.len() > FEW || rows.iter().any(|r| r.truth == Some(true)) {
            return true;
        }
        let mut shared: Option<Cuts> = None;
        for row in &rows {
            place(binder, row, env);
            let mut own = Cuts::default();
            if !self.enforce(&binder.pred, env, &mut own) {
                continue;
            }
            let all = match shared {
                Some(shared) => shared.shared(&own),
                None => own,
            };
            if all.is_empty() {
                return true;
            }
            shared = Some(all);
        }
        let possible = shared.is_some();
        cuts.append(shared.unwrap_or_default());
        possible
    }

    /// Makes `#x.(P)` false; false if that cannot be.
    pub(super) fn deny_rows(&self, binder: &Binder, env: &mut Env, cuts: &mut Cuts) -> bool {
        let Some(rows) = self.rows(binder, env) else { return true };
        rows.iter().all(|row| {
            place(binder, row, env);
            row.truth != Some(true) && self.exclude(row, binder, env, cuts)
        })
    }

    /// The rows of `!x.(P => Q)` for which it may be false.
    pub(super) fn counterexamples(&self, s: &Scoped<Pred>, env: &mut Env) -> Option<Vec<Row>> {
        let mut rows = self.rows(&s.binder, env)?;
        rows.retain(|row| {
            place(&s.binder, row, env);
            self.truth(&s.body, env) != Some(true)
        });
        Some(rows)
    }

    /// Makes `!x.(P => Q)` false if a single row can; false if none can.
    pub(super) fn deny_all(&self, s: &Scoped<Pred>, env: &mut Env, cuts: &mut Cuts) -> bool {
        let Some(rows) = self.counterexamples(s, env) else { return true };
        match &rows[..] {
            [] => false,
            [row] => {
                place(&s.binder, row, env);
                let fine = self.enforce(&s.binder.pred, env, cuts);
                place(&s.binder, row, env);
                fine && self.deny(&s.body, env, cuts)
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
