//! Intersections of lazy sets of one kind: `POW(A) /\ POW(B) = POW(A /\ B)`, and the like of products, sequences, relations and
//! partial functions.
//!
//! In: two lazy sets. Out: their intersection, of the same kind, if there is a law for it. Its parts may be empty or finite where
//! neither of both was, so that its size is known.

use super::arrows::Arrows;
use super::compare::{is_whole, kinds};
use super::powers::Powers;
use super::product::Product;
use super::seqs::Seqs;
use crate::ops::sets::{inter, product};
use crate::ops::{Cx, Fault, Op};
use crate::value::Value;

/// The intersection, if a law gives it.
pub(super) fn meet(a: &Value, b: &Value, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
    if is_whole(a, cx) {
        return Some(Ok(b.clone()));
    }
    if is_whole(b, cx) {
        return Some(Ok(a.clone()));
    }
    let both = |x, y| inter::of(x, y, cx);
    if let Some((p, q)) = kinds::<Powers>(a, b) {
        let (nonempty, finite) = (p.nonempty || q.nonempty, p.finite || q.finite);
        return Some(both(&p.base, &q.base).map(|base| Value::lazy(Powers { base, nonempty, finite })));
    }
    if let Some((p, q)) = kinds::<Product>(a, b) {
        let sides = || Ok(product::of(&both(&p.left, &q.left)?, &both(&p.right, &q.right)?));
        return Some(sides());
    }
    if let Some((p, q)) = kinds::<Arrows>(a, b)
        && p.op == q.op
        && matches!(p.op, Op::Rel | Op::PartialFun | Op::PartialInj)
    {
        let sides =
            || Ok(Value::lazy(Arrows { op: p.op, dom: both(&p.dom, &q.dom)?, ran: both(&p.ran, &q.ran)? }));
        return Some(sides());
    }
    if let Some((p, q)) = kinds::<Seqs>(a, b) {
        let kind = sequences(p, q)?;
        return Some(both(&p.base, &q.base).map(|base| Value::lazy(Seqs { base, kind })));
    }
    None
}

/// What sequences of both kinds are; permutations have each member of their set, so they are none of any other.
fn sequences(p: &Seqs, q: &Seqs) -> Option<Op> {
    if p.kind == Op::Perm || q.kind == Op::Perm {
        return None;
    }
    Some(match (p.injective() || q.injective(), p.may_be_empty() && q.may_be_empty()) {
        (false, true) => Op::Seq,
        (false, false) => Op::Seq1,
        (true, true) => Op::Iseq,
        (true, false) => Op::Iseq1,
    })
}
