//! The brute force: every value of every unknown is tried, with a walk over formulas of its own and the rows of the
//! operators. It shares nothing else with what it judges.
//!
//! In: typed conjuncts, the values of each unknown. Out: all solutions, in order. Quantified variables go through all
//! values of their types, integers from MININT to MAXINT: formulas give them a range inside. `None` where a formula has
//! no value and nothing excuses that: then there is nothing to compare.

use super::kinds::far;
use bsym::diagnostic::Code;
use bsym::ir::{Binder, Expr, ExprKind, Local, LocalId, Pred, PredKind};
use bsym::ops::{Cx, Fault, Op, World, apply, expand, expand_deep, holds};
use bsym::syntax::ast::Fold;
use bsym::ty::Ty;
use bsym::value::{SetRef, Value};
use std::collections::BTreeSet;

/// A formula without a value.
pub(crate) enum Void {
    /// Something that is solved for was applied outside its domain.
    Excused,
    /// Anything else: nothing is said of such formulas.
    Other,
}

type Of<X> = Result<X, Void>;

/// Most steps of one formula.
const STEPS: u64 = 2_000_000;

/// One attempt.
pub(crate) struct Force<'w> {
    pub(crate) world: &'w World,
    pub(crate) locals: Vec<Option<Value>>,
    /// The unknowns that are solved for.
    pub(crate) unknowns: Vec<LocalId>,
    /// Whether something was excused: under a quantifier of its own it need not be.
    pub(crate) excused: bool,
    steps: u64,
}

impl<'w> Force<'w> {
    pub(crate) fn new(world: &'w World, unknowns: Vec<LocalId>) -> Self {
        Self { world, locals: Vec::new(), unknowns, excused: false, steps: 0 }
    }

    /// All solutions, as rows of values; `None` if that cannot be told.
    pub(crate) fn solutions(
        &mut self,
        conjuncts: &[&Pred],
        domains: &[&[Value]],
    ) -> Option<BTreeSet<Vec<Value>>> {
        let n = self.unknowns.len();
        // Each conjunct is tested as soon as all that it reads has a value.
        let mut at: Vec<Vec<&Pred>> = vec![Vec::new(); n + 1];
        for p in conjuncts {
            let mut last = 0;
            reads_pred(p, &mut |id| {
                let place = self.unknowns.iter().position(|u| *u == id);
                last = last.max(place.map_or(0, |i| i + 1));
            });
            at[last].push(p);
        }
        let mut found = BTreeSet::new();
        self.level(0, &at, domains, false, &mut found).ok()?;
        Some(found)
    }

    fn level(
        &mut self,
        i: usize,
        at: &[Vec<&Pred>],
        domains: &[&[Value]],
        void: bool,
        found: &mut BTreeSet<Vec<Value>>,
    ) -> Of<()> {
        let mut void = void;
        for p in &at[i] {
            match self.pred(p) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(Void::Excused) => {
                    self.excused = true;
                    return Ok(());
                }
                Err(Void::Other) => void = true,
            }
            if self.steps > STEPS {
                return Err(Void::Other);
            }
        }
        if i == domains.len() {
            if void {
                return Err(Void::Other);
            }
            let row = self.unknowns.iter().filter_map(|u| self.local(*u)).collect();
            found.insert(row);
            return Ok(());
        }
        for v in domains[i] {
            self.set(self.unknowns[i], Some(v.clone()));
            self.level(i + 1, at, domains, void, found)?;
        }
        self.set(self.unknowns[i], None);
        Ok(())
    }

    fn set(&mut self, id: LocalId, v: Option<Value>) {
        let i = id.0 as usize;
        if i >= self.locals.len() {
            self.locals.resize(i + 1, None);
        }
        self.locals[i] = v;
    }

    fn local(&self, id: LocalId) -> Option<Value> {
        self.locals.get(id.0 as usize).cloned().flatten()
    }

    fn cx<'t>(&self, ty: &'t Ty) -> Cx<'t>
    where
        'w: 't,
    {
        Cx { world: self.world, ty }
    }

    /// The truth of a predicate.
    pub(crate) fn pred(&mut self, p: &Pred) -> Of<bool> {
        self.steps += 1;
        match &p.kind {
            PredKind::True => Ok(true),
            PredKind::False => Ok(false),
            PredKind::And(ps) => self.all(ps, true),
            PredKind::Or(ps) => self.all(ps, false).map(|none| !none),
            PredKind::Implies(a, b) => match self.pred(a) {
                Ok(false) => Ok(true),
                Ok(true) => self.pred(b),
                // As a part of `not(P) or Q`: excused only if all that has no value is.
                Err(void) => match self.pred(b) {
                    Ok(true) => Ok(true),
                    Err(Void::Other) => Err(Void::Other),
                    _ => Err(void),
                },
            },
            PredKind::Iff(a, b) => Ok(self.pred(a)? == self.pred(b)?),
            PredKind::Not(a) => self.pred(a).map(|b| !b),
            // Nothing is a member of the empty set, whether it has a value or not.
            PredKind::Op(op @ (Op::In | Op::NotIn), args) if args.get(1).is_some_and(is_empty) => {
                Ok(*op == Op::NotIn)
            }
            PredKind::Op(op, args) => {
                let ty = args.first().map_or(Ty::Bool, |a| a.ty.clone());
                let args = self.args(args)?;
                holds(*op, &args, &self.cx(&ty)).map_err(|_| Void::Other)
            }
            PredKind::Forall(s) => {
                let mut all = true;
                self.each(&s.binder, &mut |f| {
                    all &= f.inner(|f| f.pred(&s.body))?;
                    Ok(all)
                })?;
                Ok(all)
            }
            PredKind::Exists(b) => {
                let mut some = false;
                self.each(b, &mut |_| {
                    some = true;
                    Ok(false)
                })?;
                Ok(some)
            }
            PredKind::If(c, a, b) => {
                if self.pred(c)? {
                    self.pred(a)
                } else {
                    self.pred(b)
                }
            }
            PredKind::Let(id, e, p) => {
                let v = self.expr(e)?;
                self.set(*id, Some(v));
                self.pred(p)
            }
            PredKind::External(..) => Err(Void::Other),
        }
    }

    /// Whether all have a truth value: a part without a value counts only if no other decides, and is excused only if
    /// all parts without a value are.
    fn all(&mut self, ps: &[Pred], wanted: bool) -> Of<bool> {
        let mut void = None;
        for p in ps {
            match self.pred(p) {
                Ok(b) if b == wanted => {}
                Ok(_) => return Ok(false),
                Err(Void::Other) => void = Some(Void::Other),
                Err(Void::Excused) => {
                    void.get_or_insert(Void::Excused);
                }
            }
        }
        void.map_or(Ok(true), Err)
    }

    /// What is found inside a binder: nothing is excused there.
    fn inner<X>(&mut self, find: impl FnOnce(&mut Self) -> Of<X>) -> Of<X> {
        find(self).map_err(|_| Void::Other)
    }

    /// Calls `f` for every value of a binder's variables that satisfies its predicate, while it says so.
    fn each(&mut self, b: &Binder, f: &mut dyn FnMut(&mut Self) -> Of<bool>) -> Of<()> {
        let columns = b.vars.iter().map(|v| self.values(&v.ty)).collect::<Of<Vec<_>>>()?;
        self.rows(&b.vars, &columns, &b.pred, f).map(|_| ())
    }

    fn rows(
        &mut self,
        vars: &[Local],
        columns: &[Vec<Value>],
        p: &Pred,
        f: &mut dyn FnMut(&mut Self) -> Of<bool>,
    ) -> Of<bool> {
        let (Some((x, vars)), Some((column, columns))) = (vars.split_first(), columns.split_first()) else {
            return Ok(!self.inner(|s| s.pred(p))? || f(self)?);
        };
        for v in column {
            self.set(x.id, Some(v.clone()));
            if !self.rows(vars, columns, p, f)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All values of a type.
    fn values(&self, ty: &Ty) -> Of<Vec<Value>> {
        Ok(match ty {
            Ty::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Ty::Int => (self.world.minint..=self.world.maxint).map(Value::Int).chain(far()).collect(),
            Ty::Given(s) => (0..self.world.card[usize::from(s.0)]).map(|i| Value::Elem(*s, i)).collect(),
            Ty::Pair(a, b) => {
                let (a, b) = (self.values(a)?, self.values(b)?);
                a.iter().flat_map(|x| b.iter().map(|y| Value::pair(x.clone(), y.clone()))).collect()
            }
            Ty::Pow(t) => {
                let items = self.values(t)?;
                if items.len() > 9 {
                    return Err(Void::Other);
                }
                subsets(&items)
            }
            _ => return Err(Void::Other),
        })
    }

    fn args(&mut self, args: &[Expr]) -> Of<Vec<Value>> {
        args.iter().map(|a| self.expr(a)).collect()
    }

    /// A value with all sets in it listed, as members of sets are.
    fn listed(&mut self, e: &Expr) -> Of<Value> {
        let v = self.expr(e)?;
        expand_deep(&v, &self.cx(&e.ty)).map_err(|_| Void::Other)
    }

    fn lists(&mut self, args: &[Expr]) -> Of<Vec<Value>> {
        args.iter().map(|a| self.listed(a)).collect()
    }

    /// The value of an expression.
    pub(crate) fn expr(&mut self, e: &Expr) -> Of<Value> {
        self.steps += 1;
        match &e.kind {
            ExprKind::Lit(v) => Ok(v.clone()),
            ExprKind::Local(id) => self.local(*id).ok_or(Void::Other),
            ExprKind::Given(_) => {
                let elem = e.ty.elem().ok_or(Void::Other)?;
                self.values(elem).map(|vs| Value::Set(SetRef::from_vec(vs)))
            }
            ExprKind::Op(op, args) => {
                let values = if *op == Op::Maplet { self.lists(args)? } else { self.args(args)? };
                apply(*op, &values, &self.cx(&e.ty)).map_err(|f| self.void(&f, *op, e))
            }
            ExprKind::SetExt(items) => Ok(Value::Set(SetRef::from_vec(self.lists(items)?))),
            ExprKind::SeqExt(items) => {
                let items = self.lists(items)?;
                let pairs = (1..).zip(items).map(|(i, v)| Value::pair(Value::Int(i), v)).collect();
                Ok(Value::Set(SetRef::from_vec(pairs)))
            }
            ExprKind::Rec(items) => Ok(Value::Rec(self.lists(items)?.into())),
            ExprKind::Struct(sets) => self.records(sets),
            ExprKind::Field(r, i) => match self.expr(r)? {
                Value::Rec(fields) => fields.get(*i as usize).cloned().ok_or(Void::Other),
                _ => Err(Void::Other),
            },
            ExprKind::Bool(p) => self.pred(p).map(Value::Bool),
            ExprKind::Compr(b, _) => self.collect(b, &mut |f| {
                let mut parts = b.vars.iter().map(|v| f.local(v.id).ok_or(Void::Other));
                let first = parts.next().ok_or(Void::Other)?;
                parts.try_fold(first?, |t, v| Ok(Value::pair(t, v?)))
            }),
            ExprKind::Image(s) => self.collect(&s.binder, &mut |f| f.listed(&s.body)),
            ExprKind::Lambda(s, _) => self.collect(&s.binder, &mut |f| {
                let mut parts = s.binder.vars.iter().map(|v| f.local(v.id).ok_or(Void::Other));
                let first = parts.next().ok_or(Void::Other)?;
                let x = parts.try_fold(first?, |t, v| Ok(Value::pair(t, v?)))?;
                Ok(Value::pair(x, f.listed(&s.body)?))
            }),
            ExprKind::Fold(kind, s) => self.fold(*kind, s, e),
            ExprKind::If(c, a, b) => {
                if self.pred(c)? {
                    self.expr(a)
                } else {
                    self.expr(b)
                }
            }
            ExprKind::Let(id, a, b) => {
                let v = self.expr(a)?;
                self.set(*id, Some(v));
                self.expr(b)
            }
            _ => Err(Void::Other),
        }
    }

    fn collect(&mut self, b: &Binder, member: &mut dyn FnMut(&mut Self) -> Of<Value>) -> Of<Value> {
        let mut items = Vec::new();
        self.each(b, &mut |f| {
            items.push(f.inner(|f| member(f))?);
            Ok(true)
        })?;
        Ok(Value::Set(SetRef::from_vec(items)))
    }

    fn fold(&mut self, kind: Fold, s: &bsym::ir::Scoped<Expr>, e: &Expr) -> Of<Value> {
        let (start, op) = match kind {
            Fold::Sum => (Value::Int(0), Op::Add),
            Fold::Product => (Value::Int(1), Op::Mul),
            Fold::Union => (Value::empty(), Op::Union),
            Fold::Inter => return Err(Void::Other),
        };
        let mut total = start;
        self.each(&s.binder, &mut |f| {
            let v = f.inner(|f| f.expr(&s.body))?;
            total = apply(op, &[total.clone(), v], &f.cx(&e.ty)).map_err(|_| Void::Other)?;
            Ok(true)
        })?;
        Ok(total)
    }

    fn records(&mut self, sets: &[Expr]) -> Of<Value> {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for s in sets {
            let v = self.expr(s)?;
            let members = expand(&v, &self.cx(&s.ty)).map_err(|_| Void::Other)?;
            let with = |row: &Vec<Value>, v: &Value| row.iter().chain([v]).cloned().collect::<Vec<_>>();
            rows = rows.iter().flat_map(|row| members.items().iter().map(move |v| with(row, v))).collect();
        }
        Ok(Value::Set(SetRef::from_vec(rows.into_iter().map(|r| Value::Rec(r.into())).collect())))
    }

    /// Why an operator has no value.
    fn void(&self, f: &Fault, op: Op, e: &Expr) -> Void {
        let mut solved = false;
        reads_expr(e, &mut |id| solved |= self.unknowns.contains(&id));
        let of_sequences = matches!(op, Op::First | Op::Last | Op::Front | Op::Tail | Op::Size | Op::Rev);
        let excused = match f.0.code {
            Code::OutsideDomain | Code::NotAFunction => op == Op::Apply,
            Code::NotWellDefined => of_sequences,
            _ => false,
        };
        if excused && solved { Void::Excused } else { Void::Other }
    }
}

fn is_empty(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::SetExt(items) => items.is_empty(),
        ExprKind::Lit(Value::Set(s)) => s.is_empty(),
        _ => false,
    }
}

/// All subsets.
pub(crate) fn subsets(items: &[Value]) -> Vec<Value> {
    let of = |mask: usize| {
        items.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, v)| v.clone()).collect()
    };
    (0..1usize << items.len()).map(|mask| Value::Set(SetRef::from_vec(of(mask)))).collect()
}

/// Calls `f` with every local that a predicate mentions.
pub(crate) fn reads_pred(p: &Pred, f: &mut dyn FnMut(LocalId)) {
    match &p.kind {
        PredKind::True | PredKind::False => {}
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().for_each(|p| reads_pred(p, f)),
        PredKind::Implies(a, b) | PredKind::Iff(a, b) => [a, b].iter().for_each(|p| reads_pred(p, f)),
        PredKind::Not(a) => reads_pred(a, f),
        PredKind::Op(_, args) | PredKind::External(_, args) => args.iter().for_each(|e| reads_expr(e, f)),
        PredKind::Forall(s) => {
            reads_pred(&s.binder.pred, f);
            reads_pred(&s.body, f);
        }
        PredKind::Exists(b) => reads_pred(&b.pred, f),
        PredKind::If(c, a, b) => [c, a, b].iter().for_each(|p| reads_pred(p, f)),
        PredKind::Let(_, e, p) => {
            reads_expr(e, f);
            reads_pred(p, f);
        }
    }
}

fn reads_expr(e: &Expr, f: &mut dyn FnMut(LocalId)) {
    match &e.kind {
        ExprKind::Local(id) => f(*id),
        ExprKind::Op(_, es)
        | ExprKind::External(_, es)
        | ExprKind::SetExt(es)
        | ExprKind::SeqExt(es)
        | ExprKind::Rec(es)
        | ExprKind::Struct(es) => es.iter().for_each(|e| reads_expr(e, f)),
        ExprKind::Field(e, _) => reads_expr(e, f),
        ExprKind::Construct(_, _, e) => e.iter().for_each(|e| reads_expr(e, f)),
        ExprKind::Bool(p) => reads_pred(p, f),
        ExprKind::Compr(b, _) => reads_pred(&b.pred, f),
        ExprKind::Image(s) | ExprKind::Lambda(s, _) | ExprKind::Fold(_, s) => {
            reads_pred(&s.binder.pred, f);
            reads_expr(&s.body, f);
        }
        ExprKind::If(c, a, b) => {
            reads_pred(c, f);
            [a, b].iter().for_each(|e| reads_expr(e, f));
        }
        ExprKind::Let(_, a, b) => [a, b].iter().for_each(|e| reads_expr(e, f)),
        _ => {}
    }
}
