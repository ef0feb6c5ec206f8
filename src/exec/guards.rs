//! What restricts the parameters of an operation.
//!
//! In: an offered operation. Out: problems whose solutions together are the parameter values to try. Usually
//! one: the outermost guard. If that leaves a parameter unrestricted, the conditions further inside count too
//! (IF, SELECT, LET, preconditions of called operations; b-language.md 5): one problem per way through the body.

use crate::eval::Evaluator;
use crate::eval::formulas::{equation, op_pred};
use crate::eval::negate::negate;
use crate::eval::problem::{Problem, Unknown};
use crate::eval::rename::Rename;
use crate::eval::walk::pred_mentions;
use crate::ir::{Expr, ExprKind, Local, Operation, Pred, PredKind, Subst, SubstKind};
use crate::ops::Op;
use crate::ty::Ty;

/// Most ways through a body that are told apart.
const WAYS_LIMIT: usize = 64;

/// Finds guards.
pub(super) struct Guards<'a> {
    pub(super) ev: &'a Evaluator,
}

/// One way through a body: conditions, and the locals that they need besides the parameters.
#[derive(Clone, Default)]
struct Way {
    preds: Vec<Pred>,
    locals: Vec<Local>,
}

impl<'a> Guards<'a> {
    /// The outermost guard and what it guards.
    pub(super) fn outer(s: &'a Subst) -> (Option<&'a Pred>, &'a Subst) {
        match &s.kind {
            SubstKind::Select(branches, None) => match &branches[..] {
                [(p, body)] => (Some(p), body),
                _ => (None, s),
            },
            _ => (None, s),
        }
    }

    /// The problems of an operation, with what is known of its parameters besides.
    pub(super) fn problems(&self, o: &Operation, known: &[Pred]) -> Vec<Problem> {
        let Some(offered) = &o.offered else { return Vec::new() };
        let (guard, body) = Guards::outer(offered);
        let guards: Vec<&Pred> = known.iter().chain(guard).collect();
        let params: Vec<Unknown> = o.params.iter().map(Unknown::local).collect();
        let plain = Problem::new(params.clone(), &guards, self.ev).guarding(&guards);
        if o.params.iter().all(|p| restricted(p, &plain)) {
            return vec![plain];
        }
        let mut rename = Rename::by(o.frame, 1 << 30);
        let ways = self.ways(body, &mut rename, 3);
        if ways.is_empty() {
            return vec![plain];
        }
        let problem = |w: &Way| {
            let extra = w.locals.iter().map(Unknown::local);
            let preds: Vec<&Pred> = guards.iter().copied().chain(&w.preds).collect();
            Problem::new(params.iter().cloned().chain(extra).collect(), &preds, self.ev).guarding(&guards)
        };
        ways.iter().map(problem).collect()
    }

    /// The ways through a substitution. A substitution that adds no condition has one way, with none.
    fn ways(&self, s: &Subst, rename: &mut Rename, depth: u32) -> Vec<Way> {
        let plain = || vec![Way::default()];
        match &s.kind {
            SubstKind::Select(branches, other) => {
                let mut out = Vec::new();
                for (p, body) in branches {
                    out.extend(with(std::slice::from_ref(p), self.ways(body, rename, depth)));
                }
                if let Some(body) = other {
                    let nots: Vec<Pred> = branches.iter().map(|(p, _)| negate(p.clone())).collect();
                    out.extend(with(&nots, self.ways(body, rename, depth)));
                }
                short(out)
            }
            SubstKind::If(branches, other) => {
                let mut out = Vec::new();
                let mut before: Vec<Pred> = Vec::new();
                for (p, body) in branches {
                    let mut here = before.clone();
                    here.push(p.clone());
                    out.extend(with(&here, self.ways(body, rename, depth)));
                    before.push(negate(p.clone()));
                }
                let rest = other.as_ref().map_or_else(plain, |b| self.ways(b, rename, depth));
                out.extend(with(&before, rest));
                short(out)
            }
            SubstKind::Choice(parts) => {
                short(parts.iter().flat_map(|p| self.ways(p, rename, depth)).collect())
            }
            SubstKind::Let(pairs, body) => {
                let mut ways = self.ways(body, rename, depth);
                for w in &mut ways {
                    for (x, e) in pairs {
                        w.preds.push(equation(x, e));
                        w.locals.push(x.clone());
                    }
                }
                ways
            }
            SubstKind::Any(binder, body) => {
                let mut ways = with(std::slice::from_ref(&binder.pred), self.ways(body, rename, depth));
                for w in &mut ways {
                    w.locals.extend(binder.vars.iter().cloned());
                }
                ways
            }
            SubstKind::Case(subject, branches, other) => {
                let mut out = Vec::new();
                let mut before = Vec::new();
                for (values, body) in branches {
                    let p = one_of(subject, values);
                    let mut here = before.clone();
                    here.push(p.clone());
                    out.extend(with(&here, self.ways(body, rename, depth)));
                    before.push(negate(p));
                }
                let rest = other.as_ref().map_or_else(plain, |b| self.ways(b, rename, depth));
                out.extend(with(&before, rest));
                short(out)
            }
            SubstKind::Seq(parts) => parts.first().map_or_else(plain, |p| self.ways(p, rename, depth)),
            SubstKind::Par(parts) => {
                let mut out = plain();
                for p in parts {
                    let ways = self.ways(p, rename, depth);
                    out = out.iter().flat_map(|w| join(w, &ways)).collect();
                    if out.len() > WAYS_LIMIT {
                        return plain();
                    }
                }
                out
            }
            SubstKind::Call { op, args, .. } if depth > 0 => self.call(*op, args, rename, depth),
            _ => plain(),
        }
    }

    /// The ways through a called body, its precondition being a guard, in slots of their own.
    fn call(&self, op: u32, args: &[Expr], rename: &mut Rename, depth: u32) -> Vec<Way> {
        let Some(callee) = self.ev.machine.operations.get(op as usize) else { return vec![Way::default()] };
        let mut inner = Rename::by(rename.shift, rename.next);
        rename.shift += callee.frame;
        let ways = match &callee.called.kind {
            SubstKind::Pre(p, body) => {
                let mut deeper = Rename::by(rename.shift, inner.next);
                let ways = self.ways(body, &mut deeper, depth - 1);
                // The inner ways are shifted once more below.
                rename.shift = deeper.shift + inner.shift;
                with(std::slice::from_ref(p), ways)
            }
            _ => vec![Way::default()],
        };
        let equations: Vec<Pred> =
            callee.params.iter().zip(args).map(|(p, a)| equation(&inner.local(p), a)).collect();
        let params: Vec<Local> = callee.params.iter().map(|p| inner.local(p)).collect();
        let mut out = Vec::new();
        for w in ways {
            let mut preds = equations.clone();
            preds.extend(w.preds.iter().map(|p| inner.pred(p)));
            let locals = params.iter().cloned().chain(w.locals.iter().map(|l| inner.local(l))).collect();
            out.push(Way { preds, locals });
        }
        rename.next = inner.next;
        out
    }
}

/// Whether conjuncts bound a parameter, by form.
fn restricted(p: &Local, problem: &Problem) -> bool {
    let mut ends = Ends::default();
    problem.conjs.iter().any(|c| bounds(p, &c.pred, &mut ends)) || ends.both(p)
}

/// Which ends of the values of a parameter inequalities give.
#[derive(Clone, Copy, Default)]
struct Ends {
    lower: bool,
    upper: bool,
}

impl Ends {
    fn both(self, p: &Local) -> bool {
        p.ty == Ty::Int && self.lower && self.upper
    }
}

/// Whether a condition bounds a parameter; of an inequality the end that it gives is noted.
fn bounds(p: &Local, pred: &Pred, ends: &mut Ends) -> bool {
    let is = |e: &Expr| matches!(e.kind, ExprKind::Local(id) if id == p.id);
    let (op, [a, b]) = match &pred.kind {
        PredKind::Op(op, args) if let [a, b] = &args[..] => (op, [a, b]),
        PredKind::Op(..) => return false,
        PredKind::And(parts) => return parts.iter().any(|c| bounds(p, c, ends)),
        // Some way to be true may say nothing of it: `p /= 1 or q /= 1`.
        PredKind::Or(parts) => return parts.iter().all(|c| alone(p, c, *ends)),
        PredKind::Implies(a, b) => {
            return alone(p, &negate((**a).clone()), *ends) && alone(p, b, *ends);
        }
        _ => return pred_mentions(pred, p.id),
    };
    match op {
        Op::In if is(a) => match &b.kind {
            ExprKind::Op(Op::Integer, _) => false,
            ExprKind::Op(Op::Natural | Op::Natural1, _) => {
                ends.lower = true;
                false
            }
            _ => true,
        },
        Op::Lt | Op::Le if is(a) || is(b) => {
            *(if is(a) { &mut ends.upper } else { &mut ends.lower }) = true;
            false
        }
        Op::Gt | Op::Ge if is(a) || is(b) => {
            *(if is(a) { &mut ends.lower } else { &mut ends.upper }) = true;
            false
        }
        Op::Neq | Op::NotIn => false,
        _ => pred_mentions(pred, p.id),
    }
}

/// Whether one way for a condition to be true bounds a parameter.
fn alone(p: &Local, way: &Pred, mut ends: Ends) -> bool {
    bounds(p, way, &mut ends) || ends.both(p)
}

fn with(preds: &[Pred], mut ways: Vec<Way>) -> Vec<Way> {
    for w in &mut ways {
        w.preds.splice(0..0, preds.iter().cloned());
    }
    ways
}

fn join(w: &Way, ways: &[Way]) -> Vec<Way> {
    let both = |v: &Way| Way {
        preds: w.preds.iter().chain(&v.preds).cloned().collect(),
        locals: w.locals.iter().chain(&v.locals).cloned().collect(),
    };
    ways.iter().map(both).collect()
}

/// Too many ways count as one without conditions.
fn short(ways: Vec<Way>) -> Vec<Way> {
    if ways.len() > WAYS_LIMIT { vec![Way::default()] } else { ways }
}

/// `subject : {values}` as a disjunction of equations.
fn one_of(subject: &Expr, values: &[Expr]) -> Pred {
    let mut eqs: Vec<Pred> =
        values.iter().map(|v| op_pred(Op::Eq, vec![subject.clone(), v.clone()])).collect();
    match eqs.len() {
        1 => eqs.remove(0),
        _ => Pred { kind: PredKind::Or(eqs), span: subject.span },
    }
}
