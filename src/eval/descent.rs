//! Whether a recursion ends for every argument, as far as its form shows.
//!
//! In: the right side of an equation `f = e` in which f occurs. Out: whether all occurrences ask f for less than what it is asked
//! for itself, by one measure: a number that a bound limits, the length of a sequence, the size of a finite set. Then there is one
//! f that satisfies the equation. Arguments that nothing bounds, or that become less only under a condition, show nothing here.

use super::finite;
use super::problem::{Slot, slot_of};
use super::walk;
use crate::ir::{Binder, Expr, ExprKind, Local, Pred, PredKind};
use crate::ops::{Op, World};
use crate::value::Value;

/// A parameter, by position, with the way in which it changes.
type Measure = (usize, Way);

/// How a parameter comes nearer to an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// A number that is bounded below, by subtraction.
    Down,
    /// A number that is bounded above, by addition.
    Up,
    /// A sequence without its first or last element; a finite set without one of its members.
    Shorter,
}

/// Whether `f = value` is a recursion that ends for every argument.
pub(super) fn ends(f: Slot, value: &Expr, world: &World) -> bool {
    let mut scopes = Vec::new();
    if !outermost(f, value, &mut scopes) {
        return false;
    }
    let mut measures: Option<Vec<Measure>> = None;
    for scope in scopes {
        let all = measures_of(f, scope, world);
        measures = Some(match measures {
            Some(known) => known.into_iter().filter(|m| all.contains(m)).collect(),
            None => all,
        });
    }
    measures.is_none_or(|m| !m.is_empty())
}

/// The outermost comprehensions and lambdas in which f occurs; false if it occurs outside of such.
fn outermost<'e>(f: Slot, e: &'e Expr, out: &mut Vec<&'e Expr>) -> bool {
    if !f.is_read_by(e) {
        return true;
    }
    match &e.kind {
        ExprKind::Compr(..) | ExprKind::Lambda(..) => {
            out.push(e);
            true
        }
        ExprKind::Op(Op::Union | Op::Override, sides) => sides.iter().all(|s| outermost(f, s, out)),
        _ => false,
    }
}

/// The measures by which every occurrence of f within a comprehension or lambda asks for less.
fn measures_of(f: Slot, scope: &Expr, world: &World) -> Vec<Measure> {
    let (binder, lambda) = match &scope.kind {
        ExprKind::Lambda(s, _) => (&s.binder, true),
        ExprKind::Compr(binder, _) => (binder, false),
        _ => return Vec::new(),
    };
    let all = walk::exprs_in(scope);
    let occurrences = all.iter().filter(|e| slot_of(e) == Some(f)).count();
    let calls: Vec<&Expr> = all.iter().filter_map(|e| argument(f, e)).collect();
    // What passes f on as a whole may ask it for anything.
    if occurrences != calls.len() {
        return Vec::new();
    }
    // The arguments of a function are all but the last of what a comprehension binds.
    let n = binder.vars.len().saturating_sub(usize::from(!lambda));
    let mut out = Vec::new();
    for (i, v) in binder.vars.iter().take(n).enumerate() {
        for way in [Way::Down, Way::Up, Way::Shorter] {
            let less = |x: &&Expr| component(x, n, i).is_some_and(|x| is_less(x, v, way));
            if is_bounded(binder, v, way, world) && calls.iter().all(less) {
                out.push((i, way));
            }
        }
    }
    out
}

/// What f is applied to.
fn argument(f: Slot, e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Op(Op::Apply, sides) => sides.get(1).filter(|_| slot_of(&sides[0]) == Some(f)),
        _ => None,
    }
}

/// One of n parts of a tuple, which nests to the left.
fn component(x: &Expr, n: usize, i: usize) -> Option<&Expr> {
    match (&x.kind, n) {
        (_, 0) => None,
        (_, 1) => (i == 0).then_some(x),
        (ExprKind::Op(Op::Maplet, sides), _) => match &sides[..] {
            [_, last] if i + 1 == n => Some(last),
            [first, _] => component(first, n - 1, i),
            _ => None,
        },
        _ => None,
    }
}

fn is_var(e: &Expr, v: &Local) -> bool {
    matches!(e.kind, ExprKind::Local(id) if id == v.id)
}

/// Whether a part of an argument is less than the parameter, in some way.
fn is_less(x: &Expr, v: &Local, way: Way) -> bool {
    let ExprKind::Op(op, sides) = &x.kind else { return false };
    let positive = |e: &Expr| matches!(e.kind, ExprKind::Lit(Value::Int(1..)));
    match (way, op, &sides[..]) {
        (Way::Down, Op::Sub, [a, b]) => is_var(a, v) && positive(b),
        (Way::Up, Op::Add, [a, b]) => is_var(a, v) && positive(b) || is_var(b, v) && positive(a),
        (Way::Shorter, Op::Tail | Op::Front, [s]) => is_var(s, v) || is_less(s, v, way),
        (Way::Shorter, Op::Diff, [s, one]) => is_var(s, v) && has_member_of(one, v),
        _ => false,
    }
}

/// Whether a set has a member of the parameter, if it has a value: `{min(s)}`.
fn has_member_of(one: &Expr, v: &Local) -> bool {
    let ExprKind::SetExt(items) = &one.kind else { return false };
    items.iter().any(|e| match &e.kind {
        ExprKind::Op(Op::Min | Op::Max, args) => matches!(&args[..], [s] if is_var(s, v)),
        ExprKind::External(ext, args) => ext.name == "CHOOSE" && matches!(&args[..], [s] if is_var(s, v)),
        _ => false,
    })
}

/// Whether a parameter is bounded where it comes nearer to.
fn is_bounded(binder: &Binder, v: &Local, way: Way, world: &World) -> bool {
    binder.pred.conjuncts().into_iter().any(|c| bounds(c, v, way, world))
}

fn bounds(c: &Pred, v: &Local, way: Way, world: &World) -> bool {
    let PredKind::Op(op, sides) = &c.kind else { return false };
    let [a, b] = &sides[..] else { return false };
    // A bound that depends on nothing that is bound.
    let fixed = |e: &Expr| {
        walk::exprs_in(e).iter().all(|e| !matches!(e.kind, ExprKind::Local(_)) && e.binder().is_none())
    };
    match op {
        Op::In if is_var(a, v) => fixed(b) && has_end(b, way, world),
        Op::Ge | Op::Gt => {
            way == Way::Down && is_var(a, v) && fixed(b) || way == Way::Up && is_var(b, v) && fixed(a)
        }
        Op::Le | Op::Lt => {
            way == Way::Up && is_var(a, v) && fixed(b) || way == Way::Down && is_var(b, v) && fixed(a)
        }
        _ => false,
    }
}

/// Whether what is in a set is bounded.
fn has_end(set: &Expr, way: Way, world: &World) -> bool {
    let ExprKind::Op(op, args) = &set.kind else { return false };
    match way {
        Way::Down => matches!(op, Op::Natural | Op::Natural1 | Op::Nat | Op::Nat1 | Op::Int | Op::Interval),
        Way::Up => matches!(op, Op::Nat | Op::Nat1 | Op::Int | Op::Interval),
        Way::Shorter => match op {
            Op::Fin | Op::Fin1 | Op::Seq | Op::Seq1 | Op::Iseq | Op::Iseq1 | Op::Perm => true,
            // All subsets of what is finite.
            op if op.is_power() => args.first().is_some_and(|s| {
                s.ty.elem().is_some_and(|t| !finite::infinite(t) && finite::count(t, world, None).is_some())
                    || matches!(&s.kind, ExprKind::Op(Op::Interval, _))
            }),
            _ => false,
        },
    }
}
