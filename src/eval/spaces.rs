//! Sets of relations and of functions between given sets, listed once: nothing but the sizes of the sets decides them.
//!
//! In: an expression with its value, which is not listed. Out: its value, listed if it is of bearable size.

use super::Evaluator;
use crate::ir::{Expr, ExprKind};
use crate::ops::{Fault, Op};
use crate::ty::SetId;
use crate::value::{SetRef, Value};
use std::sync::Mutex;

/// Most members of all sets that are kept.
const ROOM: usize = 1 << 18;

/// An arrow with the sets at its ends.
type Space = (Op, SetId, SetId);

/// What has been listed.
#[derive(Debug, Default)]
pub(super) struct Spaces(Mutex<Vec<(Space, SetRef)>>);

/// The space that an expression stands for.
fn space(e: &Expr) -> Option<Space> {
    let ExprKind::Op(op, args) = &e.kind else { return None };
    let [a, b] = &args[..] else { return None };
    match (&a.kind, &b.kind) {
        (ExprKind::Given(a), ExprKind::Given(b)) if op.arrow().is_some() => Some((*op, *a, *b)),
        _ => None,
    }
}

impl Evaluator {
    /// Puts the value of an expression in extension where that is possible.
    pub(super) fn settle_space(&self, v: Value, e: &Expr) -> Result<Value, Fault> {
        let (Value::Lazy(_), Some(space)) = (&v, space(e)) else { return self.settle(v, &e.ty) };
        let Ok(mut known) = self.cache.spaces.0.try_lock() else { return self.settle(v, &e.ty) };
        if let Some((_, s)) = known.iter().find(|(k, _)| *k == space) {
            return Ok(Value::Set(s.clone()));
        }
        let v = self.settle(v, &e.ty)?;
        if let Value::Set(s) = &v
            && known.iter().map(|(_, s)| s.len()).sum::<usize>() + s.len() <= ROOM
        {
            known.push((space, s.clone()));
        }
        Ok(v)
    }
}
