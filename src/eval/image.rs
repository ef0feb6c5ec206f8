//! `r[S]` where r is not worth building for one image: an inverse, a closure.
//!
//! In: a relation and a set. Out: the image. Everything else is left to the operator.

use super::{Env, Evaluator};
use crate::ir::{Expr, ExprKind};
use crate::ops::{Fault, Op};
use crate::value::{SetRef, Value};
use std::collections::BTreeSet;

impl Evaluator {
    /// The image of a set under a relation.
    pub(super) fn image(&self, r: &Expr, set: &Expr, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        if let ExprKind::Op(op @ (Op::Inverse | Op::Closure1), args) = &r.kind
            && let [inner] = &args[..]
        {
            let base = self.expr(inner, env)?;
            let start = self.settled(set, env)?;
            if let (Value::Set(base), Value::Set(start)) = (&base, &start) {
                let found = if *op == Op::Inverse { backwards(base, start) } else { reached(base, start) };
                return Ok(Value::Set(SetRef::from_vec(found)));
            }
            let r = self.apply(*op, &[base], &r.ty, r.span)?;
            return self.apply(Op::Image, &[r, start], &e.ty, e.span);
        }
        let args = [self.expr(r, env)?, self.expr(set, env)?];
        self.apply(Op::Image, &args, &e.ty, e.span)
    }
}

/// The left sides of the pairs whose right side is in a set.
fn backwards(pairs: &SetRef, set: &SetRef) -> Vec<Value> {
    if set.len() < pairs.len()
        && let Some(inverse) = pairs.inverse_if_often()
    {
        let right = |v: &Value| match v {
            Value::Pair(p) => Some(p.1.clone()),
            _ => None,
        };
        return set.items().iter().flat_map(|x| inverse.row(x)).filter_map(right).collect();
    }
    let left = |v: &Value| match v {
        Value::Pair(p) if set.contains(&p.1) => Some(p.0.clone()),
        _ => None,
    };
    pairs.items().iter().filter_map(left).collect()
}

/// What is reached from a set in one or more steps.
fn reached(pairs: &SetRef, set: &SetRef) -> Vec<Value> {
    let mut found = BTreeSet::new();
    let mut todo: Vec<Value> = set.items().to_vec();
    while let Some(x) = todo.pop() {
        for v in pairs.row(&x) {
            if let Value::Pair(p) = v
                && !found.contains(&p.1)
            {
                found.insert(p.1.clone());
                todo.push(p.1.clone());
            }
        }
    }
    found.into_iter().collect()
}
