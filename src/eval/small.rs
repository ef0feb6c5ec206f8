//! Short cuts for small integers: arithmetic, comparisons and membership of 64-bit integers without vectors of
//! arguments.
//!
//! In: an operator and its sides. Out: its value, or nothing where the common way (`prim`) must answer: other
//! operators, other types, no value, results past 64 bits. Loops of WHILE and comprehensions spend their time here.

use super::{Env, Evaluator};
use crate::ir::{Expr, ExprKind, LocalId, Pred, PredKind};
use crate::ops::{Fault, Op, World};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;

/// The integer of a literal or a name.
pub(super) fn leaf(e: &Expr, env: &Env) -> Option<i64> {
    let v = match &e.kind {
        ExprKind::Lit(v) => v,
        ExprKind::Local(id) => env.local(*id)?,
        ExprKind::Var(id) => env.var(*id)?,
        ExprKind::Const(id) => env.constant(*id)?,
        _ => return None,
    };
    match v {
        Value::Int(n) => Some(*n),
        _ => None,
    }
}

/// Most operators below each other that are tried: what is given up is evaluated again, once for each of them.
const DEPTH: u8 = 6;

/// The value of an expression of names, numbers and arithmetic, as long as all is small.
pub(super) fn quick(e: &Expr, env: &Env) -> Option<i64> {
    within(e, env, DEPTH)
}

fn within(e: &Expr, env: &Env, depth: u8) -> Option<i64> {
    match &e.kind {
        ExprKind::Op(op, args) if depth > 0 => match &args[..] {
            [a, b] if matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Power) => {
                arithmetic(*op, within(a, env, depth - 1)?, within(b, env, depth - 1)?)
            }
            _ => None,
        },
        _ => leaf(e, env),
    }
}

/// Whether a comparison of small integers, or a membership of one, holds.
pub(super) fn decided(op: Op, args: &[Expr], env: &Env, world: &World) -> Option<bool> {
    let [a, b] = args else { return None };
    match op {
        Op::In | Op::NotIn => {
            let ExprKind::Op(set, ends) = &b.kind else { return None };
            let n = quick(a, env)?;
            let inside = match (set, &ends[..]) {
                (Op::Interval, [lo, hi]) => (quick(lo, env)?..=quick(hi, env)?).contains(&n),
                _ => named(*set, n, world)?,
            };
            Some(inside == (op == Op::In))
        }
        Op::Eq | Op::Neq | Op::Lt | Op::Le | Op::Gt | Op::Ge => {
            comparison(op, quick(a, env)?, quick(b, env)?)
        }
        _ => None,
    }
}

/// `m op n` for arithmetic whose result fits.
pub(super) fn arithmetic(op: Op, m: i64, n: i64) -> Option<i64> {
    match op {
        Op::Add => m.checked_add(n),
        Op::Sub => m.checked_sub(n),
        Op::Mul => m.checked_mul(n),
        // Signs are left to the common way, which knows what B says of them.
        Op::Div if m >= 0 && n > 0 => m.checked_div(n),
        Op::Mod if m >= 0 && n > 0 => m.checked_rem(n),
        Op::Power => m.checked_pow(u32::try_from(n).ok()?),
        _ => None,
    }
}

/// Whether an integer is a member of one of the sets of integers that have names.
pub(super) fn named(set: Op, n: i64, world: &World) -> Option<bool> {
    Some(match set {
        Op::Integer => true,
        Op::Natural => n >= 0,
        Op::Natural1 => n >= 1,
        Op::Nat => (0..=world.maxint).contains(&n),
        Op::Nat1 => (1..=world.maxint).contains(&n),
        Op::Int => (world.minint..=world.maxint).contains(&n),
        _ => return None,
    })
}

/// `m op n` for comparisons.
pub(super) fn comparison(op: Op, m: i64, n: i64) -> Option<bool> {
    Some(match op {
        Op::Eq => m == n,
        Op::Neq => m != n,
        Op::Lt => m < n,
        Op::Le => m <= n,
        Op::Gt => m > n,
        Op::Ge => m >= n,
        _ => return None,
    })
}

/// Arithmetic over one integer: all else in it has been looked up.
#[derive(Debug)]
pub(super) enum Term {
    This,
    Number(i64),
    Of(Op, Box<(Term, Term)>),
}

impl Term {
    fn new(e: &Expr, this: LocalId, env: &Env, depth: u8) -> Option<Self> {
        match &e.kind {
            ExprKind::Local(id) if *id == this => Some(Term::This),
            ExprKind::Op(op, args) if depth > 0 => {
                let [a, b] = &args[..] else { return None };
                if !matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Power) {
                    return None;
                }
                let sides = (Term::new(a, this, env, depth - 1)?, Term::new(b, this, env, depth - 1)?);
                match sides {
                    (Term::Number(m), Term::Number(n)) => arithmetic(*op, m, n).map(Term::Number),
                    sides => Some(Term::Of(*op, Box::new(sides))),
                }
            }
            _ => leaf(e, env).map(Term::Number),
        }
    }

    fn value(&self, this: i64) -> Option<i64> {
        match self {
            Term::This => Some(this),
            Term::Number(n) => Some(*n),
            Term::Of(op, sides) => arithmetic(*op, sides.0.value(this)?, sides.1.value(this)?),
        }
    }
}

/// A test of one integer that is asked of many, one after the other: [`decided`] with all else looked up before.
#[derive(Debug)]
pub(super) enum Test {
    Compare(Op, Sides),
    /// Whether the integer lies in an interval, or does not.
    Inside(bool, Term, Sides),
}

/// Two sides.
pub(super) type Sides = Box<(Term, Term)>;

impl Test {
    /// A predicate as a test of the integer in a local variable; `None` for predicates of other forms.
    pub(super) fn new(p: &Pred, this: LocalId, env: &Env) -> Option<Self> {
        let PredKind::Op(op, args) = &p.kind else { return None };
        let [a, b] = &args[..] else { return None };
        let sides = |a: &Expr, b: &Expr| {
            Some(Box::new((Term::new(a, this, env, DEPTH)?, Term::new(b, this, env, DEPTH)?)))
        };
        match op {
            Op::Eq | Op::Neq | Op::Lt | Op::Le | Op::Gt | Op::Ge => Some(Test::Compare(*op, sides(a, b)?)),
            Op::In | Op::NotIn => {
                let ExprKind::Op(Op::Interval, ends) = &b.kind else { return None };
                let [lo, hi] = &ends[..] else { return None };
                Some(Test::Inside(*op == Op::In, Term::new(a, this, env, DEPTH)?, sides(lo, hi)?))
            }
            _ => None,
        }
    }

    /// Whether it holds; `None` where the common way must answer.
    pub(super) fn holds(&self, this: i64) -> Option<bool> {
        match self {
            Test::Compare(op, sides) => comparison(*op, sides.0.value(this)?, sides.1.value(this)?),
            Test::Inside(wanted, term, ends) => {
                let n = term.value(this)?;
                Some((ends.0.value(this)?..=ends.1.value(this)?).contains(&n) == *wanted)
            }
        }
    }
}

impl Evaluator {
    /// An argument, which is most often a small integer.
    fn operand(&self, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        match leaf(e, env) {
            Some(n) => Ok(Value::Int(n)),
            None => self.expr(e, env),
        }
    }

    /// `a op b` where `op` adds, subtracts, multiplies or divides.
    pub(super) fn sum(
        &self,
        op: Op,
        [a, b]: [&Expr; 2],
        ty: &Ty,
        span: Span,
        env: &mut Env,
    ) -> Result<Value, Fault> {
        if let (Some(m), Some(n)) = (quick(a, env), quick(b, env))
            && let Some(n) = arithmetic(op, m, n)
        {
            return Ok(Value::Int(n));
        }
        let args = [self.operand(a, env)?, self.operand(b, env)?];
        if let [Value::Int(m), Value::Int(n)] = args
            && let Some(n) = arithmetic(op, m, n)
        {
            return Ok(Value::Int(n));
        }
        self.apply(op, &args, ty, span)
    }

    /// `a op b` where `op` compares numbers.
    pub(super) fn compared(
        &self,
        op: Op,
        [a, b]: [&Expr; 2],
        span: Span,
        env: &mut Env,
    ) -> Result<bool, Fault> {
        let args = [self.operand(a, env)?, self.operand(b, env)?];
        if let [Value::Int(m), Value::Int(n)] = args
            && let Some(b) = comparison(op, m, n)
        {
            return Ok(b);
        }
        self.holds(op, &args, &a.ty, span)
    }
}
