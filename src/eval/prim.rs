//! The only place of this room that calls the operators on values.
//!
//! In: an operator, evaluated arguments, the type and place of the result. Out: a value or truth value, with
//! short cuts for small integers; faults get their place here.

use super::Evaluator;
use super::small::{arithmetic, comparison};
use crate::ops::{Cx, Fault, Op};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::cmp::Ordering;

impl Evaluator {
    pub(crate) fn cx<'a>(&'a self, ty: &'a Ty) -> Cx<'a> {
        Cx { world: &self.world, ty }
    }

    /// Applies an operator that yields a value.
    pub(super) fn apply(&self, op: Op, args: &[Value], ty: &Ty, span: Span) -> Result<Value, Fault> {
        if let [Value::Int(a), Value::Int(b)] = args
            && let Some(n) = arithmetic(op, *a, *b)
        {
            return Ok(Value::Int(n));
        }
        if let (Op::Maplet, [a, b]) = (op, args) {
            return Ok(Value::pair(a.clone(), b.clone()));
        }
        later::apply(op, args, &self.cx(ty)).map_err(|f| f.at(span))
    }

    /// Decides an operator whose meaning is a predicate; `ty` is the type of its first argument.
    pub(crate) fn holds(&self, op: Op, args: &[Value], ty: &Ty, span: Span) -> Result<bool, Fault> {
        if let [Value::Int(a), Value::Int(b)] = args
            && let Some(b) = comparison(op, *a, *b)
        {
            return Ok(b);
        }
        match (op, args) {
            (Op::Eq, [a, b]) => return self.equal(a, b, ty, span),
            (Op::Neq, [a, b]) => return Ok(!self.equal(a, b, ty, span)?),
            (Op::In, [v, Value::Set(s)]) if flat(v) => return Ok(s.contains(v)),
            (Op::NotIn, [v, Value::Set(s)]) if flat(v) => return Ok(!s.contains(v)),
            _ => {}
        }
        later::holds(op, args, &self.cx(ty)).map_err(|f| f.at(span))
    }

    /// Whether two values of one type are equal, whatever their representation.
    pub(crate) fn equal(&self, a: &Value, b: &Value, ty: &Ty, span: Span) -> Result<bool, Fault> {
        if flat(a) && flat(b) || a.is_extension() && b.is_extension() {
            return Ok(a.cmp(b) == Ordering::Equal);
        }
        later::holds(Op::Eq, &[a.clone(), b.clone()], &self.cx(ty)).map_err(|f| f.at(span))
    }

    /// The members of a set of type `ty`.
    pub(crate) fn members(&self, v: &Value, ty: &Ty, span: Span) -> Result<SetRef, Fault> {
        match v {
            Value::Set(s) => Ok(s.clone()),
            _ => later::expand(v, &self.cx(ty)).map_err(|f| f.at(span)),
        }
    }
}

/// Whether a value certainly contains no set, looking at the surface only.
fn flat(v: &Value) -> bool {
    !matches!(v, Value::Pair(_) | Value::Rec(_) | Value::Free(..) | Value::Set(_) | Value::Lazy(_))
}

/// The operators on values, under the name this room knows them by.
pub(super) mod later {
    pub(in crate::eval) use crate::ops::{apply, expand, holds};
}
