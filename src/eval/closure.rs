//! Comprehensions and lambdas: extension sets where they are finite and small, lazy sets otherwise.
//!
//! In: a binder with its environment. Out: a value. A lazy one ([`Closure`]) captures what its binder reads and
//! evaluates in a fresh frame, so that recursive functions work; its members are enumerated once at most.
//! Deliberately absent: anything about lazy sets that operators build (`ops`).

use super::depth::Depth;
use super::listing::Listing;
use super::problem::{Problem, Unknown};
use super::solve::{self, CLOSED, Mode};
pub(super) use super::tuples::{bind_tuple, tuple};
use super::{Env, Evaluator};
use crate::diagnostic::Code;
use crate::ir::{Binder, Expr, ExprKind, LocalId, Scoped};
use crate::ops::{Cx, Fault, Op, gather, has_rights_in, image_of, operands};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::symbolic::{Rule, Size};
use crate::value::{Lazy, SetRef, Value};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// Most members that are put in extension without being asked for.
const EAGER_LIMIT: u64 = 1 << 16;

/// Most cells that make up large members, of those that are put in extension without being asked for.
const EAGER_CELLS: u64 = 1 << 20;

/// Most steps of the solver spent on putting in extension what may stay symbolic.
const PATIENCE: u64 = 1 << 16;

/// Steps of the solver for images before the members are listed instead, if that takes no more; and how many members, and cells
/// that make them up, there may be.
const RENT: u64 = 1 << 14;
/// See [`RENT`].
const BOUGHT: u64 = 1 << 18;
/// See [`RENT`].
const BOUGHT_CELLS: u64 = 1 << 23;

/// What a closure's members are.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// The tuples of the bound variables.
    Tuples,
    /// Tuple |-> body.
    Lambda(Arc<Scoped<Expr>>),
    /// The values of the body.
    Image(Arc<Scoped<Expr>>),
}

/// A comprehension, lambda or image set with its environment.
#[derive(Debug)]
pub(super) struct Closure {
    pub(super) ev: Evaluator,
    pub(super) binder: Arc<Binder>,
    pub(super) shape: Shape,
    env: Env,
    captured: Vec<(LocalId, Option<Value>)>,
    ty: Ty,
    pub(super) span: Span,
    symbolic: bool,
    pub(super) memo: OnceLock<SetRef>,
    /// Why the members cannot be listed, once that was tried.
    pub(super) never: OnceLock<Fault>,
    /// Whether they were to be listed when the set was made, and were not.
    pub(super) unlisted: bool,
    asked: Asked,
}

/// What it took so far to find images of a symbolic set one by one, in steps of the solver.
#[derive(Debug, Default)]
struct Asked {
    spent: AtomicU64,
    /// How much had been spent when the members were last tried to be listed.
    tried: AtomicU64,
}

/// How the members of a symbolic set are given.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    /// The tuples that a predicate holds for.
    Members(Arc<Binder>),
    /// The pairs of such a tuple and a body's value.
    Lambda(Arc<Scoped<Expr>>),
}

/// The formula of a symbolic set that nothing but constants are read by; for code that is compiled.
#[must_use]
pub(crate) fn formula(v: &Value) -> Option<Formula> {
    let Value::Lazy(l) = v else { return None };
    let c = l.as_any().downcast_ref::<Closure>()?;
    if !c.captured.is_empty() || c.binder.reads_state {
        return None;
    }
    match &c.shape {
        Shape::Tuples => Some(Formula::Members(c.binder.clone())),
        Shape::Lambda(s) => Some(Formula::Lambda(s.clone())),
        Shape::Image(_) => None,
    }
}

impl Evaluator {
    /// The set of a given type as a whole.
    pub(super) fn comprehension(
        &self,
        binder: &Arc<Binder>,
        symbolic: bool,
        e: &Expr,
        env: &mut Env,
    ) -> Result<Value, Fault> {
        self.remembered((binder, e), env, |ev, env| ev.close(binder, Shape::Tuples, symbolic, None, e, env))
    }

    pub(super) fn lambda(
        &self,
        scoped: &Arc<Scoped<Expr>>,
        symbolic: bool,
        e: &Expr,
        env: &mut Env,
    ) -> Result<Value, Fault> {
        let shape = || Shape::Lambda(scoped.clone());
        self.remembered((&scoped.binder, e), env, |ev, env| {
            ev.close(&scoped.binder, shape(), symbolic, None, e, env)
        })
    }

    pub(super) fn image_set(
        &self,
        scoped: &Arc<Scoped<Expr>>,
        e: &Expr,
        env: &mut Env,
    ) -> Result<Value, Fault> {
        let shape = || Shape::Image(scoped.clone());
        self.remembered((&scoped.binder, e), env, |ev, env| {
            ev.close(&scoped.binder, shape(), false, None, e, env)
        })
    }

    /// The value of an expression that may stay symbolic: it is put in extension only if that takes little time.
    pub(super) fn symbolic_value(&self, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        let (binder, shape, symbolic) = match &e.kind {
            ExprKind::Compr(binder, symbolic) => (binder, Shape::Tuples, *symbolic),
            ExprKind::Lambda(s, symbolic) => (&s.binder, Shape::Lambda(s.clone()), *symbolic),
            _ => return self.expr(e, env),
        };
        self.close(binder, shape, symbolic, Some(self.world.at_most(PATIENCE)), e, env)
    }

    fn close(
        &self,
        binder: &Arc<Binder>,
        shape: Shape,
        symbolic: bool,
        patience: Option<u64>,
        e: &Expr,
        env: &mut Env,
    ) -> Result<Value, Fault> {
        let never = OnceLock::new();
        if !symbolic {
            if let Shape::Tuples = shape
                && let Some(set) = self.tabled(binder, env)
            {
                return Ok(set);
            }
            let limit = self.world.at_most(EAGER_LIMIT);
            let mode = Mode { limit, most: limit, ..CLOSED }.small(EAGER_CELLS);
            let mode = patience.map_or(mode, |steps| mode.within(steps));
            match self.collect(binder, &shape, mode, env) {
                Ok(set) => return Ok(Value::Set(set)),
                Err(f) if f.0.code == Code::Interrupted => return Err(f),
                Err(f) if f.is_of_machine() => drop(never.set(f)),
                Err(_) => {}
            }
        }
        if let Shape::Tuples = shape
            && let Some(product) = self.boxed(binder, env)
        {
            return Ok(product);
        }
        let captured = binder.captures.iter().map(|id| (*id, env.local(*id).cloned())).collect();
        let (vars, old) =
            if binder.reads_state { (env.vars.clone(), env.old.clone()) } else { (Arc::default(), None) };
        let frame = Env { consts: env.consts.clone(), vars, old, locals: Vec::new() };
        Ok(Value::Lazy(Arc::new(Closure {
            ev: self.clone(),
            binder: binder.clone(),
            shape,
            env: frame,
            captured,
            ty: e.ty.clone(),
            span: e.span,
            symbolic,
            memo: OnceLock::new(),
            never,
            unlisted: !symbolic,
            asked: Asked::default(),
        })))
    }

    pub(super) fn collect(
        &self,
        binder: &Binder,
        shape: &Shape,
        mode: Mode,
        env: &mut Env,
    ) -> Result<SetRef, Fault> {
        if let Some(found) = self.looped(binder, shape, mode, env) {
            return found;
        }
        let mut items = Vec::new();
        let mode = Mode { any_order: true, ..mode };
        let found = self.unordered(binder, mode, env, &mut |ev, env| {
            items.push(shape.member(binder, ev, env)?);
            if items.len() as u64 > mode.limit {
                return Err(Fault::new(Code::TooLarge, "too many members to be put in extension"));
            }
            Ok(ControlFlow::Continue(()))
        });
        if let Err(f) = found {
            let tuples = if f.0.code == Code::Infinite { self.few(binder, mode.limit, env) } else { None };
            let tuples = tuples.ok_or(f)?;
            items.clear();
            for t in tuples.items() {
                bind_tuple(&binder.vars, t, env);
                items.push(shape.member(binder, self, env)?);
            }
        }
        gather(items, &self.cx(&Ty::Any))
    }

    /// `ran(%x.(P | E))` without the function: the values of E. `None` if they cannot be listed so, or if the
    /// function is remembered for its constants.
    pub(super) fn values_of(&self, lambda: &Expr, env: &mut Env) -> Option<Result<Value, Fault>> {
        let ExprKind::Lambda(s, false) = &lambda.kind else { return None };
        if self.naive || !s.binder.reads_state && s.binder.captures.is_empty() {
            return None;
        }
        match self.collect(&s.binder, &Shape::Image(s.clone()), CLOSED, env) {
            // Whether sets that stay symbolic are equal is not for the order of values to say.
            Ok(set) if set.is_extension() => Some(Ok(Value::Set(set))),
            Err(f) if f.0.code == Code::Interrupted => Some(Err(f)),
            _ => None,
        }
    }

    /// Whether a value is a member of a comprehension, without building it.
    pub(super) fn in_comprehension(&self, binder: &Binder, v: &Value, env: &mut Env) -> Result<bool, Fault> {
        Ok(bind_tuple(&binder.vars, v, env) && self.pred(&binder.pred, env)?)
    }

    /// A lambda applied, without building it.
    pub(super) fn apply_lambda(
        &self,
        scoped: &Scoped<Expr>,
        x: &Value,
        e: &Expr,
        env: &mut Env,
    ) -> Result<Value, Fault> {
        if self.in_comprehension(&scoped.binder, x, env)? {
            self.expr(&scoped.body, env)
        } else {
            Err(Fault::new(Code::OutsideDomain, "the argument is outside the function's domain").at(e.span))
        }
    }
}

impl Shape {
    pub(super) fn member(&self, binder: &Binder, ev: &Evaluator, env: &mut Env) -> Result<Value, Fault> {
        match self {
            Shape::Tuples => Ok(tuple(&binder.vars, env)),
            Shape::Lambda(s) => {
                let x = tuple(&binder.vars, env);
                let small = super::small::quick(&s.body, env).map(Value::Int);
                Ok(Value::pair(x, small.map_or_else(|| ev.settled(&s.body, env), Ok)?))
            }
            Shape::Image(s) => ev.settled(&s.body, env),
        }
    }
}

impl Closure {
    pub(super) fn frame(&self) -> Env {
        let mut env = self.env.clone();
        env.locals = vec![None; self.binder.frame as usize];
        for (id, v) in &self.captured {
            env.set_local(*id, v.clone());
        }
        env
    }

    /// Whether a value is this closure itself.
    fn is(&self, v: &Value) -> bool {
        let Value::Lazy(l) = v else { return false };
        l.as_any().downcast_ref::<Self>().is_some_and(|c| std::ptr::eq(c, self))
    }

    fn listing(&self) -> Result<Listing, Fault> {
        Listing::of(std::ptr::from_ref(self).addr(), self.span)
    }

    fn members(&self) -> Result<&SetRef, Fault> {
        if let Some(s) = self.memo.get() {
            return Ok(s);
        }
        if let Some(fault) = self.never.get() {
            return Err(fault.clone());
        }
        let outermost = Depth::is_outermost();
        let _depth = Depth::enter(self.span)?;
        let _listing = self.listing()?;
        let set = self.ev.collect(&self.binder, &self.shape, CLOSED, &mut self.frame()).inspect_err(|f| {
            // Inside other evaluations the reason may lie there.
            if outermost && f.0.code != Code::Interrupted {
                let _ = self.never.set(f.clone());
            }
        })?;
        Ok(self.memo.get_or_init(|| set))
    }

    /// The members of a comprehension with some components given; `None` for other sets.
    pub(super) fn slice(&self, fixed: &[Option<&Value>]) -> Option<Result<SetRef, Fault>> {
        let vars = &self.binder.vars;
        if !matches!(self.shape, Shape::Tuples) || vars.len() != fixed.len() {
            return None;
        }
        let mut env = self.frame();
        let mut open = Vec::new();
        for (x, v) in vars.iter().zip(fixed) {
            match v {
                Some(v) => env.set_local(x.id, Some((*v).clone())),
                None => open.push(Unknown::local(x)),
            }
        }
        let problem = Problem::new(open, &[&self.binder.pred], &self.ev);
        let mut found = Vec::new();
        let done = self.ev.run(&problem, CLOSED, &mut env, &mut |_, env| {
            found.push(tuple(vars, env));
            Ok(ControlFlow::Continue(()))
        });
        Some(done.and_then(|_| gather(found, &self.ev.cx(&Ty::Any))))
    }

    /// How many components the members have.
    pub(super) fn width(&self) -> usize {
        self.binder.vars.len()
    }

    fn has(&self, v: &Value) -> Result<bool, Fault> {
        if let Some(s) = self.memo.get() {
            if v.is_extension() && s.is_extension() {
                return Ok(s.contains(v));
            }
            // The same set may stand there in another form.
            let set = Value::Set(s.clone());
            return self.ev.holds(Op::In, &[v.clone(), set], &self.ty, self.span);
        }
        if let Shape::Image(s) = &self.shape {
            return self.is_value(s, v);
        }
        let _depth = Depth::enter(self.span)?;
        let mut env = self.frame();
        match (&self.shape, v) {
            (Shape::Tuples, _) => self.ev.in_comprehension(&self.binder, v, &mut env),
            (Shape::Lambda(s), Value::Pair(p)) => {
                if !self.ev.in_comprehension(&self.binder, &p.0, &mut env)? {
                    return Ok(false);
                }
                let y = self.ev.expr(&s.body, &mut env)?;
                self.ev.equal(&y, &p.1, &s.body.ty, self.span)
            }
            _ => Ok(false),
        }
    }

    fn image_of(&self, x: &Value) -> Result<Vec<Value>, Fault> {
        if let Some(s) = self.memo.get() {
            if x.is_extension() && s.is_extension() {
                return Ok(s.row(x).iter().filter_map(right).collect());
            }
            return image_of(&Value::Set(s.clone()), x, &self.ev.cx(&self.ty));
        }
        let _depth = Depth::enter(self.span)?;
        let mut env = self.frame();
        if let Shape::Lambda(s) = &self.shape {
            if !self.ev.in_comprehension(&self.binder, x, &mut env)? {
                return Ok(Vec::new());
            }
            return Ok(vec![self.ev.settled(&s.body, &mut env)?]);
        }
        let Some((last, firsts)) = self.binder.vars.split_last() else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        if !bind_tuple(firsts, x, &mut env) {
            return Ok(out);
        }
        let before = solve::steps();
        let _ = self.ev.image_solutions(&self.binder, CLOSED, &mut env, &mut |_, env| {
            out.extend(env.local(last.id).cloned());
            Ok(ControlFlow::Continue(()))
        })?;
        self.list_if_it_pays(solve::steps() - before);
        Ok(out)
    }

    /// Lists the members where as much has been spent on images as that takes, at most; tries again after twice as much.
    pub(super) fn list_if_it_pays(&self, steps: u64) {
        let spent = self.asked.spent.fetch_add(steps, Relaxed).saturating_add(steps);
        let again = spent / 2 >= self.asked.tried.load(Relaxed);
        if spent < RENT || !again || self.never.get().is_some() {
            return;
        }
        self.asked.tried.store(spent, Relaxed);
        let Ok(_listing) = self.listing() else { return };
        let bought = self.ev.world.at_most(BOUGHT);
        let mode = Mode { limit: bought, most: bought, ..CLOSED }.within(spent).small(BOUGHT_CELLS);
        match self.ev.collect(&self.binder, &self.shape, mode, &mut self.frame()) {
            Ok(set) if set.is_extension() => {
                let _ = self.memo.set(set);
            }
            Err(f) if f.0.code == Code::TooLarge => {}
            // Never, then.
            _ => self.asked.tried.store(u64::MAX, Relaxed),
        }
    }
}

fn right(v: &Value) -> Option<Value> {
    match v {
        Value::Pair(p) => Some(p.1.clone()),
        _ => None,
    }
}

impl Lazy for Closure {
    fn contains(&self, v: &Value, _cx: &Cx<'_>) -> Result<bool, Fault> {
        self.has(v).map_err(|f| f.at(self.span))
    }

    fn each(&self, _cx: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        for v in self.members().map_err(|f| f.at(self.span))?.items() {
            if f(v.clone()).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn listed(&self, _cx: &Cx<'_>) -> Option<Result<SetRef, Fault>> {
        match self.members() {
            Ok(s) => s.is_extension().then(|| Ok(s.clone())),
            Err(f) => Some(Err(f.at(self.span))),
        }
    }

    fn is_empty(&self, _cx: &Cx<'_>) -> Option<Result<bool, Fault>> {
        if self.memo.get().is_some() {
            return None;
        }
        Some(self.has_none().map_err(|f| f.at(self.span)))
    }

    fn size(&self, _cx: &Cx<'_>) -> Size {
        self.memo.get().map_or(Size::Unknown, |s| Size::Exact(s.items().len().into()))
    }

    fn image(&self, x: &Value, _cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        match &self.shape {
            Shape::Image(_) => None,
            Shape::Tuples if self.binder.vars.len() < 2 => None,
            _ => Some(self.image_of(x).map_err(|f| f.at(self.span))),
        }
    }

    fn domain(&self, _cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        let Shape::Lambda(_) = &self.shape else { return None };
        let (a, _) = self.ty.sides()?;
        if let Some(product) = self.ev.boxed(&self.binder, &mut self.frame()) {
            return Some(Ok(product));
        }
        Some(Ok(Value::Lazy(Arc::new(Closure {
            ev: self.ev.clone(),
            binder: self.binder.clone(),
            shape: Shape::Tuples,
            env: self.env.clone(),
            captured: self.captured.clone(),
            ty: Ty::pow(a.clone()),
            span: self.span,
            symbolic: self.symbolic,
            memo: OnceLock::new(),
            never: OnceLock::new(),
            unlisted: false,
            asked: Asked::default(),
        }))))
    }

    fn preimage(&self, y: &Value, _cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        // Where the members are listed, they are looked through.
        if self.memo.get().is_some() { None } else { Some(self.left_of(y)?.map_err(|f| f.at(self.span))) }
    }

    fn reaches(&self, y: &Value, _cx: &Cx<'_>) -> Option<Result<bool, Fault>> {
        let Shape::Lambda(s) = &self.shape else { return None };
        Some(self.is_value(s, y).map_err(|f| f.at(self.span)))
    }

    fn at_end(&self, low: bool) -> Option<Result<Value, Fault>> {
        self.member_at_end(low)
    }

    fn within(&self, _cx: &Cx<'_>) -> Option<Value> {
        let Shape::Tuples = &self.shape else { return None };
        let _depth = Depth::enter(self.span).ok()?;
        let around = self.ev.around(&self.binder, &mut self.frame());
        around.or_else(|| self.ty.elem().map(|t| crate::ops::whole(t, &self.ev.world)))
    }

    fn maps_into(&self, ran: &Value, cx: &Cx<'_>) -> Option<bool> {
        let Shape::Lambda(s) = &self.shape else { return None };
        let _depth = Depth::enter(self.span).ok()?;
        // Such a function may go on with known values: `{0 |-> 1} \/ %n.(.. f(n - 1) ..)`.
        let own = |v: &Value| match operands(v) {
            Some((a, b)) => {
                let known = |v: &Value| has_rights_in(v, ran, cx);
                self.is(a) && known(b) || self.is(b) && known(a)
            }
            None => self.is(v),
        };
        self.ev.stays_in((&self.binder, &s.body), ran, &own, &mut self.frame()).then_some(true)
    }

    fn rule(&self, _cx: &Cx<'_>) -> Option<Rule> {
        let Shape::Lambda(s) = &self.shape else { return None };
        self.ev.rule(&self.binder.vars, &s.body, &mut self.frame())
    }

    fn left_sides(&self, _cx: &Cx<'_>) -> Option<u64> {
        // What may be listed is listed once: applications are looked up from then on.
        let unlisted = self.symbolic && self.memo.get().is_none() && matches!(self.shape, Shape::Tuples);
        if !unlisted {
            return None;
        }
        let _depth = Depth::enter(self.span).ok()?;
        self.ev.determined(&self.binder, &mut self.frame())
    }

    fn functional(&self, _cx: &Cx<'_>) -> Option<bool> {
        matches!(self.shape, Shape::Lambda(_)).then_some(true)
    }

    fn describe(&self) -> String {
        let names: Vec<&str> = self.binder.vars.iter().map(|v| &*v.name).collect();
        match &self.shape {
            Shape::Lambda(_) => format!("%({}).(...)", names.join(",")),
            _ => format!("{{{} | ...}}", names.join(",")),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The members of a lazy set if it is finite, not too large and not marked symbolic.
pub(super) fn try_expand(ev: &Evaluator, v: &Value, ty: &Ty) -> Option<Result<SetRef, Fault>> {
    let Value::Lazy(l) = v else { return None };
    let cx = ev.cx(ty);
    match l.size(&cx) {
        Size::Infinite => return None,
        Size::Exact(n) if n > EAGER_LIMIT.into() => return None,
        _ => {}
    }
    if let Some(c) = l.as_any().downcast_ref::<Closure>()
        && (c.symbolic || c.memo.get().is_none())
    {
        return c.memo.get().cloned().map(Ok);
    }
    Some(ev.members(v, ty, Span::default()))
}
