//! `struct(a:S, b:T)`: the set of all records with fields in given sets, lazy.

use super::Evaluator;
use super::prim::later as ops;
use crate::ir::Expr;
use crate::ops::{Cx, Fault, Op};
use crate::ty::Ty;
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_bigint::BigInt;
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A set of records.
#[derive(Debug)]
pub(super) struct Records {
    /// One set per field, with the field's type.
    sets: Vec<(Value, Ty)>,
}

impl Evaluator {
    /// The set of records with fields in `sets`; `e` is the `struct` expression.
    pub(super) fn record_set(sets: Vec<Value>, e: &Expr) -> Value {
        let tys: Vec<Ty> = match e.ty.elem() {
            Some(Ty::Rec(fields)) => fields.iter().map(|(_, t)| t.clone()).collect(),
            _ => vec![Ty::Any; sets.len()],
        };
        // Not listed here: mostly it is asked for a few members only, as in `msgs <: struct(...)`.
        Value::Lazy(Arc::new(Records { sets: sets.into_iter().zip(tys).collect() }))
    }
}

impl Lazy for Records {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let Value::Rec(fields) = v else { return Ok(false) };
        for (x, (set, ty)) in fields.iter().zip(&self.sets) {
            if !ops::holds(Op::In, &[x.clone(), set.clone()], &Cx { world: cx.world, ty })? {
                return Ok(false);
            }
        }
        Ok(fields.len() == self.sets.len())
    }

    fn each(&self, cx: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        let mut columns: Vec<SetRef> = Vec::with_capacity(self.sets.len());
        for (set, ty) in &self.sets {
            columns.push(ops::expand(set, &Cx { world: cx.world, ty: &Ty::pow(ty.clone()) })?);
        }
        let mut row = Vec::with_capacity(columns.len());
        let _ = rows(&columns, &mut row, f);
        Ok(())
    }

    fn fields(&self) -> Option<Vec<Value>> {
        Some(self.sets.iter().map(|(set, _)| set.clone()).collect())
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        let mut total = BigInt::from(1);
        let mut known = true;
        let mut infinite = false;
        for (set, ty) in &self.sets {
            match set {
                Value::Set(s) => total *= s.items().len(),
                Value::Lazy(l) => match l.size(&Cx { world: cx.world, ty }) {
                    Size::Exact(n) => total *= n,
                    Size::Infinite => infinite = true,
                    Size::Unknown => known = false,
                },
                _ => known = false,
            }
        }
        if known && total == BigInt::from(0) {
            Size::Exact(total)
        } else if infinite {
            Size::Infinite
        } else if known {
            Size::Exact(total)
        } else {
            Size::Unknown
        }
    }

    fn describe(&self) -> String {
        "struct(...)".to_owned()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn rows(
    columns: &[SetRef],
    row: &mut Vec<Value>,
    f: &mut dyn FnMut(Value) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(column) = columns.get(row.len()) else { return f(Value::Rec(row.clone().into())) };
    for v in column.items() {
        row.push(v.clone());
        rows(columns, row, f)?;
        row.pop();
    }
    ControlFlow::Continue(())
}
