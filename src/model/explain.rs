//! Why a formula is false: the smallest part of its text that decides, what breaks a `!`, and the values of what the part speaks of.
//!
//! In: a formula that is false under some values of constants and variables. Out: an [`Explanation`], or nothing where the steps do
//! not suffice. Deliberately absent: parts inside the bodies of definitions, whose text has other names than the formula.

use crate::eval::{Budget, Env, Evaluator, each_expr, exprs_in};
use crate::ir::{Binder, Expr, ExprKind, Formula, LocalId, Pred, PredKind};
use crate::ops::{Cuts, World};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Steps of the evaluations for one explanation.
const STEPS: u64 = 50_000;
/// Values that are shown beside the names that the part reads.
const SHOWN: usize = 8;
/// Bytes of a value, about: what one looks at.
const BYTES: usize = 400;

/// Why a formula is false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The smallest part that decides.
    pub part: Span,
    /// What the part is: below an odd number of negations it is true.
    pub truth: bool,
    /// The names that are bound around the part, outermost first, with values for which it is so.
    pub witness: Vec<(Arc<str>, String)>,
    /// The names that the part reads, with their values.
    pub names: Vec<(Arc<str>, String)>,
    /// Expressions in the part, with their values.
    pub values: Vec<(Span, String)>,
}

/// Why a formula is false; `None` if it is not, or if that takes too many steps.
#[must_use]
pub fn explain(evaluator: &Evaluator, formula: &Formula, env: &Env) -> Option<Explanation> {
    // What is cut here is no matter of the answer.
    let world = World { cuts: Cuts::default(), ..(*evaluator.world).clone() };
    let evaluator = Evaluator::new(Arc::clone(&evaluator.machine), Arc::new(world));
    let _budget = Budget::of(STEPS);
    let env = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), formula.frame);
    let mut descent = Descent { evaluator: &evaluator, env, bound: Vec::new() };
    if descent.truth(&formula.pred) != Some(false) {
        return None;
    }
    let (part, truth) = descent.down(&formula.pred);
    Some(Explanation {
        part: part.span,
        truth,
        witness: descent.witness(),
        names: descent.names(part),
        values: descent.values(part),
    })
}

/// A way down into a formula.
struct Descent<'a> {
    evaluator: &'a Evaluator,
    env: Env,
    /// The names bound on the way, with their types.
    bound: Vec<(LocalId, Arc<str>, Ty)>,
}

impl Descent<'_> {
    /// What a predicate is here.
    fn truth(&mut self, p: &Pred) -> Option<bool> {
        self.evaluator.pred(p, &mut self.env).ok()
    }

    /// The smallest part that decides a predicate which is false, and what the part is.
    fn down<'p>(&mut self, whole: &'p Pred) -> (&'p Pred, bool) {
        let (mut at, mut truth) = (whole, false);
        while let Some((part, is)) = self.deciding(at, truth) {
            (at, truth) = (part, is);
        }
        (at, truth)
    }

    /// The part that makes a predicate what it is, if it is one alone and stands in its text.
    fn deciding<'p>(&mut self, p: &'p Pred, truth: bool) -> Option<(&'p Pred, bool)> {
        let stands = |part: &Pred| inside(part.span, p.span);
        match (&p.kind, truth) {
            (PredKind::And(parts), false) | (PredKind::Or(parts), true) => {
                let part = parts.iter().find(|part| self.truth(part) == Some(truth))?;
                stands(part).then_some((part, truth))
            }
            (PredKind::Implies(_, then), false) => stands(then).then_some((&**then, false)),
            (PredKind::Not(inner), _) => stands(inner).then_some((&**inner, !truth)),
            (PredKind::If(which, a, b), _) => {
                let part = if self.truth(which)? { a } else { b };
                stands(part).then_some((&**part, truth))
            }
            (PredKind::Forall(scoped), false) if stands(&scoped.body) => {
                self.bind(&scoped.binder, |ev, env| matches!(ev.pred(&scoped.body, env), Ok(false)))?;
                Some((&scoped.body, false))
            }
            (PredKind::Exists(binder), true) if stands(&binder.pred) => {
                self.bind(binder, |_, _| true)?;
                Some((&binder.pred, true))
            }
            _ => None,
        }
    }

    /// Binds the first solution that is wanted.
    fn bind(&mut self, binder: &Binder, wanted: impl Fn(&Evaluator, &mut Env) -> bool) -> Option<()> {
        let mut found = None;
        let flow = self.evaluator.solutions(binder, &mut self.env, &mut |ev, env| {
            if !wanted(ev, env) {
                return Ok(ControlFlow::Continue(()));
            }
            found = binder.vars.iter().map(|x| env.local(x.id).cloned()).collect::<Option<Vec<_>>>();
            Ok(ControlFlow::Break(()))
        });
        let values = found.filter(|_| flow.is_ok())?;
        self.env.bind(&binder.vars, &values);
        self.bound.extend(binder.vars.iter().map(|x| (x.id, Arc::clone(&x.name), x.ty.clone())));
        Some(())
    }

    /// The names bound on the way.
    fn witness(&self) -> Vec<(Arc<str>, String)> {
        let bound = self.bound.iter();
        bound
            .filter_map(|(id, name, ty)| Some((Arc::clone(name), self.shown(self.env.local(*id)?, ty))))
            .collect()
    }

    /// The constants and variables that a part reads, in the order of its text.
    fn names(&self, part: &Pred) -> Vec<(Arc<str>, String)> {
        let machine = &self.evaluator.machine;
        let mut out: Vec<(Arc<str>, String)> = Vec::new();
        each_expr(part, &mut |e| {
            let known = match e.kind {
                ExprKind::Var(id) => machine.variables.get(id.0 as usize).zip(self.env.var(id)),
                ExprKind::Const(id) => machine.constants.get(id.0 as usize).zip(self.env.constant(id)),
                _ => None,
            };
            if let Some((name, value)) = known.filter(|(name, _)| out.iter().all(|(n, _)| *n != name.name)) {
                out.push((Arc::clone(&name.name), self.shown(value, &e.ty)));
            }
        });
        out
    }

    /// The expressions in a comparison, the innermost first.
    fn values(&mut self, part: &Pred) -> Vec<(Span, String)> {
        let mut out = Vec::new();
        if let PredKind::Op(_, sides) = &part.kind {
            for side in sides {
                self.inner(side, part.span, &mut out);
            }
        }
        out
    }

    /// Whether an expression speaks of a name; those that do are noted with their values, in one walk.
    fn inner(&mut self, e: &Expr, whole: Span, out: &mut Vec<(Span, String)>) -> bool {
        let names = |e: &Expr| exprs_in(e).into_iter().any(is_name);
        let speaks = match &e.kind {
            ExprKind::Op(_, parts) | ExprKind::SetExt(parts) | ExprKind::SeqExt(parts) => {
                // All of them are walked, whatever the first says.
                parts.iter().filter(|part| self.inner(part, whole, out)).count() > 0
            }
            ExprKind::Compr(..) | ExprKind::Image(_) | ExprKind::Fold(..) => names(e),
            _ => return names(e),
        };
        // A set of sets, such as that of all functions, is told by its formula.
        let plain = !matches!(&e.ty, Ty::Pow(of) if matches!(**of, Ty::Pow(_)));
        let wanted = speaks && plain && out.len() < SHOWN && inside(e.span, whole);
        if wanted
            && out.iter().all(|(s, _)| *s != e.span)
            && let Ok(value) = self.evaluator.expr(e, &mut self.env)
        {
            out.push((e.span, self.shown(&value, &e.ty)));
        }
        speaks
    }

    fn shown(&self, value: &Value, ty: &Ty) -> String {
        value.excerpt(ty, &self.evaluator.world, BYTES)
    }
}

/// Whether an expression is a name.
fn is_name(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Var(_) | ExprKind::Const(_) | ExprKind::Local(_))
}

/// Whether a text stands in another.
fn inside(part: Span, whole: Span) -> bool {
    part.file == whole.file && whole.lo <= part.lo && part.hi <= whole.hi
}
