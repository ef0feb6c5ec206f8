//! Truth values of predicates.
//!
//! In: a predicate, an environment. Out: true, false or a fault. In a conjunction a fault counts only if no
//! other conjunct is false, in a disjunction only if no other disjunct is true (b-language.md 4.6): the
//! reference solver does not go strictly from left to right.

use super::guesses::{may_be_guessed, names_infinite};
use super::negate::negate;
use super::problem::{Problem, Unknown};
use super::small::decided;
use super::solve::{ALL, Mode};
use super::voids::applies;
use super::walk::pred_has;
use super::{Env, Evaluator};
use crate::diagnostic::Code;
use crate::ir::{Binder, Expr, ExprKind, Local, Pred, PredKind, Scoped};
use crate::ops::{Cut, Fault, Meaning, Numbers, Op};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;
use std::cell::OnceCell;
use std::ops::ControlFlow;

/// Whether a fault must end the evaluation at once.
pub(super) fn fatal(f: &Fault) -> bool {
    matches!(f.0.code, Code::Interrupted | Code::TooLarge | Code::Unsupported | Code::Disproved)
}

/// Of two faults the one that counts: the first, but what is unknown may decide, so that there is no fault at all.
pub(super) fn graver(first: Option<Fault>, other: Fault) -> Fault {
    match first {
        Some(f) if f.0.cut.is_some() || other.0.cut.is_none() => f,
        _ => other,
    }
}

impl Evaluator {
    /// Whether a predicate holds.
    ///
    /// # Errors
    /// A fault with the place of the innermost expression that has no value.
    pub fn pred(&self, p: &Pred, env: &mut Env) -> Result<bool, Fault> {
        match &p.kind {
            PredKind::True => Ok(true),
            PredKind::False => Ok(false),
            PredKind::And(ps) => self.any_is(ps, false, env).map(|found| !found),
            PredKind::Or(ps) => self.any_is(ps, true, env),
            PredKind::Implies(a, b) => match self.pred(a, env) {
                Ok(true) => self.pred(b, env),
                Ok(false) => Ok(true),
                Err(f) if fatal(&f) => Err(f),
                Err(f) => match self.pred(b, env) {
                    Ok(true) => Ok(true),
                    Ok(false) => Err(f),
                    Err(g) => Err(graver(Some(f), g)),
                },
            },
            PredKind::Iff(a, b) => Ok(self.pred(a, env)? == self.pred(b, env)?),
            PredKind::Not(a) => Ok(!self.pred(a, env)?),
            PredKind::Op(op, args) => self.atom(*op, args, p, env),
            PredKind::External(ext, args) => {
                let args = self.args(args, env)?;
                let ty = Ty::Bool;
                match ext.meaning {
                    Meaning::Pred(f) => f(&args, &self.cx(&ty)).map_err(|f| f.at(p.span)),
                    Meaning::Value(f) => {
                        let v = f(&args, &self.cx(&ty)).map_err(|f| f.at(p.span))?;
                        Ok(matches!(v, Value::Bool(true)))
                    }
                    Meaning::Overloaded | Meaning::Text(_) => {
                        Err(Fault::new(Code::Unsupported, ext.name).at(p.span))
                    }
                }
            }
            PredKind::Forall(scoped) => self.forall(scoped, env),
            PredKind::Exists(binder) => self.exists(binder, env),
            PredKind::If(c, a, b) => {
                if self.pred(c, env)? {
                    self.pred(a, env)
                } else {
                    self.pred(b, env)
                }
            }
            PredKind::Let(id, a, b) => {
                let v = self.settled(a, env)?;
                env.set_local(*id, Some(v));
                self.pred(b, env)
            }
        }
    }

    /// Whether some predicate evaluates to `wanted`; the first fault counts if none does.
    fn any_is(&self, ps: &[Pred], wanted: bool, env: &mut Env) -> Result<bool, Fault> {
        let mut fault = None;
        for p in ps {
            match self.pred(p, env) {
                Ok(b) if b == wanted => return Ok(true),
                Ok(_) => {}
                Err(f) if fatal(&f) => return Err(f),
                Err(f) => fault = Some(graver(fault, f)),
            }
        }
        fault.map_or(Ok(false), Err)
    }

    fn atom(&self, op: Op, args: &[Expr], p: &Pred, env: &mut Env) -> Result<bool, Fault> {
        if let Some(holds) = decided(op, args, env, &self.world) {
            return Ok(holds);
        }
        match (op, args) {
            (Op::True, _) => Ok(true),
            (Op::False, _) => Ok(false),
            (Op::In, [x, set]) => self.element(x, set, p, env),
            (Op::NotIn, [x, set]) => self.element(x, set, p, env).map(|b| !b),
            (Op::Lt | Op::Le | Op::Gt | Op::Ge, [a, b]) => self.compared(op, [a, b], p.span, env),
            (Op::Eq | Op::Neq, [a, b]) if a.ty == Ty::Int => self.compared(op, [a, b], p.span, env),
            (Op::Eq | Op::Neq, [a, b]) => {
                let equal = if let (ExprKind::Bool(q), ExprKind::Lit(Value::Bool(v))) = (&a.kind, &b.kind) {
                    self.pred(q, env)? == *v
                } else if let Some((meet, sides)) = only_empty(a, b) {
                    self.apart(meet, sides, p.span, env)?
                } else {
                    let (a1, b1) = (self.expr(a, env)?, self.expr(b, env)?);
                    self.equal(&a1, &b1, &a.ty, p.span)?
                };
                Ok(equal == (op == Op::Eq))
            }
            _ => {
                let args1 = self.args(args, env)?;
                let ty = args.first().map_or(&Ty::Any, |a| &a.ty);
                self.holds(op, &args1, ty, p.span)
            }
        }
    }

    /// `s /\ t = {}`, without building the intersection.
    fn apart(&self, meet: &Expr, sides: &[Expr], span: Span, env: &mut Env) -> Result<bool, Fault> {
        let sides = self.args(sides, env)?;
        if let [Value::Set(s), Value::Set(t)] = &sides[..]
            && s.is_extension()
            && t.is_extension()
        {
            return Ok(s.is_apart(t));
        }
        let met = self.apply(Op::Inter, &sides, &meet.ty, meet.span)?;
        self.equal(&met, &Value::empty(), &meet.ty, span)
    }

    /// The value of a set of which only members and their number are asked for: intervals, also those
    /// between which a set of functions lies, are not listed.
    fn unlisted(&self, set: &Expr, env: &mut Env) -> Result<Value, Fault> {
        match &set.kind {
            ExprKind::Op(Op::Interval, ends) => match &self.args(ends, env)?[..] {
                [Value::Int(lo), Value::Int(hi)] if lo <= hi => {
                    Ok(Value::lazy(Numbers { lo: Some((*lo).into()), hi: Some((*hi).into()) }))
                }
                ends => self.apply(Op::Interval, ends, &set.ty, set.span),
            },
            ExprKind::Op(arrow, sides) if arrow.arrow().is_some() => {
                let sides: Result<Vec<Value>, Fault> = sides.iter().map(|s| self.unlisted(s, env)).collect();
                self.apply(*arrow, &sides?, &set.ty, set.span)
            }
            _ => self.expr(set, env),
        }
    }

    /// `x : set`, without building sets that are only asked for one member.
    fn element(&self, x: &Expr, set: &Expr, p: &Pred, env: &mut Env) -> Result<bool, Fault> {
        match &set.kind {
            // A typing of a result in a precondition, which nothing has given a value yet.
            _ if matches!(x.kind, ExprKind::Local(id) if env.local(id).is_none()) && is_type(set) => {
                return Ok(true);
            }
            // Nothing is a member of the empty set, whether it has a value or not.
            ExprKind::SetExt(items) if items.is_empty() => return Ok(false),
            ExprKind::Lit(Value::Set(s)) if s.is_empty() => return Ok(false),
            ExprKind::Compr(binder, _) => {
                let v = self.settled(x, env)?;
                return self.in_comprehension(binder, &v, env);
            }
            ExprKind::SetExt(items) if items.len() <= 4 => {
                let v = self.settled(x, env)?;
                let mut found = false;
                for item in items {
                    let w = self.settled(item, env)?;
                    found |= self.equal(&v, &w, &x.ty, p.span)?;
                }
                return Ok(found);
            }
            ExprKind::Op(Op::Interval, ends) => {
                if let [a, b] = &ends[..] {
                    let v = self.expr(x, env)?;
                    let (a, b) = (self.expr(a, env)?, self.expr(b, env)?);
                    return Ok(a <= v && v <= b);
                }
            }
            // The sides of a relation that is listed need not be listed for it.
            ExprKind::Op(side @ (Op::Dom | Op::Ran), of)
                if let [f] = &of[..]
                    && let Some(Value::Set(pairs)) = env.held(f)
                    && pairs.is_extension() =>
            {
                let pairs = pairs.clone();
                let v = self.settled(x, env)?;
                if v.is_extension() {
                    let right = |pair: &Value| matches!(pair, Value::Pair(p) if p.1 == v);
                    let left = *side == Op::Dom;
                    return Ok(if left {
                        !pairs.row(&v).is_empty()
                    } else {
                        pairs.items().iter().any(right)
                    });
                }
            }
            ExprKind::Op(named, _)
                if let Some(n) = super::small::leaf(x, env)
                    && let Some(is) = super::small::named(*named, n, &self.world) =>
            {
                return Ok(is);
            }
            ExprKind::Op(Op::Union | Op::Inter, sides)
                if sides.len() == 2 && matches!(x.kind, ExprKind::Local(_) | ExprKind::Var(_)) =>
            {
                // Both must have a value, even where one decides.
                let first = self.element(x, &sides[0], p, env)?;
                let second = self.element(x, &sides[1], p, env)?;
                let union = matches!(set.kind, ExprKind::Op(Op::Union, _));
                return Ok(if union { first || second } else { first && second });
            }
            _ => {}
        }
        let v = self.settled(x, env)?;
        match (self.unlisted(set, env), &set.kind) {
            (Ok(s), _) => self.holds(Op::In, &[v, s], &x.ty, p.span),
            (Err(f), ExprKind::Fold(fold, scoped)) if f.is_open() => {
                let member = Expr { kind: ExprKind::Lit(v), ..x.clone() };
                self.in_family(*fold, scoped, member, env).and_then(|known| known.ok_or(f))
            }
            (Err(f), _) => Err(f),
        }
    }

    fn forall(&self, scoped: &Scoped<Pred>, env: &mut Env) -> Result<bool, Fault> {
        if let Some(all) = self.looped_forall(scoped, env) {
            return Ok(all);
        }
        let mut fault = None;
        let mut denied = |mode: Mode, env: &mut Env| {
            let mut all = true;
            let mut test = |ev: &Self, env: &mut Env| match ev.pred(&scoped.body, env) {
                Ok(true) => Ok(ControlFlow::Continue(())),
                Ok(false) => {
                    all = false;
                    Ok(ControlFlow::Break(()))
                }
                Err(f) if fatal(&f) => Err(f),
                Err(f) => {
                    fault = Some(graver(fault.take(), f));
                    Ok(ControlFlow::Continue(()))
                }
            };
            // What is kept in a table was found with all that has no value.
            let flow = if mode.lenient {
                self.binder_solutions(&scoped.binder, mode, env, &mut test)
            } else {
                self.unordered(&scoped.binder, mode, env, &mut test)
            };
            flow.map(|_| !all)
        };
        let Scoped { binder, body, .. } = scoped;
        let guess = |ev: &Self, env: &mut Env| {
            ev.guessed(&binder.vars, &[&binder.pred, body], env, &mut |ev, env| {
                Ok(ev.pred(&binder.pred, env)? && !ev.pred(body, env)?)
            })
        };
        let denial = OnceCell::new();
        let conjuncts = || vec![&binder.pred, denial.get_or_init(|| negate(body.clone()))];
        // For the solver an application without a value is no solution; here it is not true either. So that there is none says nothing then.
        let applied = || [&binder.pred, body].iter().any(|p| pred_has(p, applies));
        let witness = |mode: Mode, env: &mut Env| match self.has_solution(binder, &conjuncts(), mode, env)? {
            false if applied() => Err(unseen(binder)),
            found => Ok(found),
        };
        let first = self.in_short(binder, env, &mut denied, &guess);
        let first = first.unwrap_or_else(|| match witness(ALL, env) {
            Err(f) if !matches!(f.0.code, Code::Interrupted | Code::Undecided) => denied(ALL, env),
            found => found,
        });
        let denies = self.or_elsewhere(first, &conjuncts, (binder, env), &mut denied, &guess);
        let denies = match denies {
            // What windows on the candidates do not show, those on what would deny it may.
            Err(f) if f.0.code == Code::Undecided => {
                match self.has_solution(binder, &conjuncts(), ALL, env) {
                    Ok(false) if fault.is_none() && applied() => Err(f),
                    Err(_) => match self.outward(f.clone(), &mut |mode| witness(mode, env)) {
                        Err(g) if g.0.code != Code::Interrupted => Err(f),
                        found => found,
                    },
                    found => found,
                }
            }
            found => found,
        };
        let all = !denies?;
        match fault {
            Some(f) if all => Err(f),
            _ => Ok(all),
        }
    }

    fn exists(&self, binder: &Binder, env: &mut Env) -> Result<bool, Fault> {
        let mut sought = |mode: Mode, env: &mut Env| {
            let mut found = false;
            let flow = self.binder_solutions(binder, mode, env, &mut |_, _| {
                found = true;
                Ok(ControlFlow::Break(()))
            });
            flow.map(|_| found)
        };
        let guess = |ev: &Self, env: &mut Env| {
            ev.guessed(&binder.vars, &[&binder.pred], env, &mut |ev, env| ev.pred(&binder.pred, env))
        };
        let mut found = false;
        let by_key = self.by_key(binder, env, &mut |_, _| {
            found = true;
            Ok(ControlFlow::Break(()))
        });
        let first = match by_key {
            Some(flow) => flow.map(|_| found),
            None => match self.looped_exists(binder, env) {
                Some(found) => return Ok(found),
                None if self.is_far(binder) => {
                    let short = self.in_short(binder, env, &mut sought, &guess);
                    short.unwrap_or_else(|| sought(ALL, env))
                }
                None => sought(ALL, env),
            },
        };
        self.or_elsewhere(first, &|| vec![&binder.pred], (binder, env), &mut sought, &guess)
    }

    /// Whether conjuncts have a solution for the variables of a binder.
    fn has_solution(
        &self,
        binder: &Binder,
        conjuncts: &[&Pred],
        mode: Mode,
        env: &mut Env,
    ) -> Result<bool, Fault> {
        let problem = Problem::new(binder.vars.iter().map(Unknown::local).collect(), conjuncts, self);
        let mut found = false;
        let flow = self.run(&problem, mode, env, &mut |_, _| {
            found = true;
            Ok(ControlFlow::Break(()))
        });
        flow.map(|_| found)
    }

    /// Whether a short search, or a guess where there are too many candidates, finds what decides a quantifier; `None` if that takes a
    /// long one.
    fn in_short(
        &self,
        binder: &Binder,
        env: &mut Env,
        sought: Sought<'_>,
        guess: &dyn Fn(&Self, &mut Env) -> Result<bool, Fault>,
    ) -> Option<Result<bool, Fault>> {
        if self.naive {
            return Some(sought(ALL, env));
        }
        match sought(ALL.hasty(self.world.at_most(FIRST)), env) {
            Err(f) if f.0.code == Code::TooLarge => match self.is_far(binder).then(|| guess(self, env)) {
                None | Some(Ok(false)) => None,
                found => found,
            },
            first => Some(first),
        }
    }

    /// What a search for a solution of conjuncts came to; where it did not decide, whether something that it has not met does: that
    /// there cannot be one, a guess, what lies in wider windows, or what has a value where other candidates have none.
    fn or_elsewhere<'p>(
        &self,
        first: Result<bool, Fault>,
        conjuncts: &dyn Fn() -> Vec<&'p Pred>,
        (binder, env): (&Binder, &mut Env),
        sought: Sought<'_>,
        guess: &dyn Fn(&Self, &mut Env) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        match first {
            Err(f) if may_be_decided(&f) && guess(self, env)? => Ok(true),
            Err(f) if f.0.code == Code::Undecided => {
                if self.is_refuted(&binder.vars, &conjuncts(), env) {
                    return Ok(false);
                }
                self.outward(f, &mut |mode| sought(mode, env))
            }
            // One that has a value decides, whatever has none.
            Err(f) if may_be_passed_over(&f) => match self.is_certain(&mut |mode| sought(mode, env)) {
                Ok(true) => Ok(true),
                Ok(false) => Err(f),
                Err(g) if g.0.code == Code::Interrupted => Err(g),
                // Nobody knows whether one does.
                Err(g) => Err(not_all_tried(&f, g.0.cut, &binder.vars)),
            },
            first => first,
        }
    }

    /// Whether there are too many candidates for a search that goes through all of them, as far as that shows.
    fn is_far(&self, binder: &Binder) -> bool {
        !self.naive && may_be_guessed(&binder.vars) && names_infinite(&binder.pred)
    }

    /// Whether something is found besides those candidates of which something has no value, as far as a short search tells.
    fn is_certain(&self, look: &mut dyn FnMut(Mode) -> Result<bool, Fault>) -> Result<bool, Fault> {
        let mut look = |mode: Mode| look(Mode { lenient: true, hasty: true, ..mode });
        match look(ALL.within(self.world.at_most(CERTAIN))) {
            Err(f) if f.0.code != Code::Interrupted => self.outward(f, &mut look),
            found => found,
        }
    }
}

/// That something has no value, and that other values of the variables which might decide were not tried.
fn not_all_tried(f: &Fault, cut: Option<Cut>, vars: &[Local]) -> Fault {
    let of = |v: &Local| Cut { what: v.name.clone(), at: v.span, range: None, of: None };
    let Some(cut) = cut.or_else(|| vars.first().map(of)) else { return f.clone() };
    let mut unknown = Fault::undecided(cut);
    unknown.0.message = format!("{}; {}", unknown.0.message, f.0.message);
    unknown
}

/// A search in some mode for what decides a quantifier: whether it was found.
type Sought<'s> = &'s mut dyn FnMut(Mode, &mut Env) -> Result<bool, Fault>;

/// That nobody has looked whether something has no value.
fn unseen(binder: &Binder) -> Fault {
    Fault::new(Code::TooLarge, "candidates without a value were not looked for").at(binder.pred.span)
}

/// Whether a candidate that was not met may decide all the same.
fn may_be_decided(f: &Fault) -> bool {
    f.0.code == Code::Undecided || may_be_passed_over(f)
}

/// Whether a search may go on past what has no value.
fn may_be_passed_over(f: &Fault) -> bool {
    !fatal(f) && f.0.code != Code::Infinite
}

/// Steps of a search before values are guessed, or what would deny a quantifier is looked for.
const FIRST: u64 = 20_000;

/// Steps of a search for a solution beyond what has no value.
const CERTAIN: u64 = 100_000;

/// The intersection that is compared with the empty set, and its two sides.
pub(super) fn only_empty<'e>(a: &'e Expr, b: &'e Expr) -> Option<(&'e Expr, &'e [Expr])> {
    let empty = |e: &Expr| match &e.kind {
        ExprKind::SetExt(items) => items.is_empty(),
        ExprKind::Lit(Value::Set(s)) => s.is_empty(),
        _ => false,
    };
    [(a, b), (b, a)].into_iter().find_map(|(meet, other)| match &meet.kind {
        ExprKind::Op(Op::Inter, sides) if sides.len() == 2 && empty(other) => Some((meet, &sides[..])),
        _ => None,
    })
}

/// Whether a set holds every value of its type, by its form.
fn is_type(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Given(_) => true,
        ExprKind::Op(Op::BoolSet | Op::Integer | Op::StringSet, _) => true,
        ExprKind::Op(Op::Pow | Op::Product | Op::Rel, args) => args.iter().all(is_type),
        _ => false,
    }
}
