//! From an operator to its meaning on evaluated arguments.
//!
//! In: an operator and values. Out: a value ([`apply`]) or a truth value ([`holds`]). Each family has a file;
//! here is only the table of who does what.

use super::lazy::{self, arrows::Arrows, numbers::Numbers};
use super::{Cx, Fault, Op, arith, relations, sequences, sets};
use crate::diagnostic::Code;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use num_bigint::BigInt;
use std::sync::Arc;

fn wrong(op: Op) -> Fault {
    Fault::new(Code::Unsupported, format!("`{op:?}` cannot be evaluated with these arguments"))
}

/// The value of an operator.
///
/// # Errors
/// Its well-definedness condition is false, or a set would have to be listed that cannot be.
pub fn apply(op: Op, args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    match args {
        [] => constant(op, cx),
        [a] => unary(op, a, cx),
        [a, b] => binary(op, a, b, cx),
        _ => Err(wrong(op)),
    }
}

fn numbers(lo: Option<i64>) -> Value {
    Value::Lazy(Arc::new(Numbers { lo: lo.map(BigInt::from), hi: None }))
}

fn constant(op: Op, cx: &Cx<'_>) -> Result<Value, Fault> {
    let (min, max) = (Value::Int(cx.world.minint), Value::Int(cx.world.maxint));
    match op {
        Op::TrueValue => Ok(Value::Bool(true)),
        Op::FalseValue => Ok(Value::Bool(false)),
        Op::BoolSet => Ok(lazy::whole(&Ty::Bool, cx.world)),
        Op::Integer => Ok(numbers(None)),
        Op::Natural => Ok(numbers(Some(0))),
        Op::Natural1 => Ok(numbers(Some(1))),
        Op::Int => sets::interval(&min, &max),
        Op::Nat => sets::interval(&Value::Int(0), &max),
        Op::Nat1 => sets::interval(&Value::Int(1), &max),
        Op::StringSet => Ok(lazy::whole(&Ty::Str, cx.world)),
        Op::RealSet | Op::FloatSet => Ok(lazy::whole(&Ty::Real, cx.world)),
        Op::Maxint => Ok(max),
        Op::Minint => Ok(min),
        Op::Succ | Op::Pred => Ok(arith::step(op)),
        _ => Err(wrong(op)),
    }
}

fn unary(op: Op, a: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match op {
        Op::Neg => arith::negate(a),
        Op::Min | Op::Max => arith::extremum(op, a, cx),
        Op::Floor | Op::Ceiling | Op::ToReal => arith::convert(op, a),
        Op::Pow | Op::Pow1 | Op::Fin | Op::Fin1 => Ok(sets::power_set(op, a)),
        Op::Card => sets::card(a, cx),
        Op::BigUnion | Op::BigInter => sets::big(op, a, cx),
        Op::Dom => relations::dom(a, cx),
        Op::Ran => relations::ran(a, cx),
        Op::Inverse => relations::inverse(a),
        Op::Id => Ok(relations::identity(a)),
        Op::First1 => Ok(relations::sides(a)?.0.clone()),
        Op::Second2 => Ok(relations::sides(a)?.1.clone()),
        Op::Closure => relations::closure(a, cx),
        Op::Closure1 => relations::closure1(a, cx),
        Op::Fnc => relations::to_function(a, cx),
        Op::RelOf => relations::to_relation(a, cx),
        Op::Seq | Op::Seq1 | Op::Iseq | Op::Iseq1 | Op::Perm => Ok(sequences::all(op, a)),
        Op::Size | Op::First | Op::Last | Op::Front | Op::Tail | Op::Rev | Op::Conc => {
            sequences::unary(op, a, cx)
        }
        _ => Err(wrong(op)),
    }
}

fn binary(op: Op, a: &Value, b: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match op {
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Power => arith::binary(op, a, b),
        Op::Union | Op::Inter | Op::Diff => sets::combine_sets(op, a, b, cx),
        Op::Product => Ok(sets::times(a, b, cx)),
        Op::Interval => sets::interval(a, b),
        Op::Maplet => Ok(Value::pair(a.clone(), b.clone())),
        Op::Image => relations::image(a, b, cx),
        Op::DomRes | Op::DomSub => relations::restrict(op, a, b, cx),
        Op::RanRes | Op::RanSub => relations::restrict(op, b, a, cx),
        Op::Override => relations::override_by(a, b, cx),
        Op::Comp => relations::compose(a, b, cx),
        Op::BackComp => relations::compose(b, a, cx),
        Op::ParProduct => relations::parallel(a, b, cx),
        Op::DirectProduct => relations::direct_product(a, b, cx),
        Op::Prj1 | Op::Prj2 => Ok(relations::projection(op, a, b)),
        Op::Iterate => relations::iterate(a, b, cx),
        Op::Apply => relations::apply(a, b, cx),
        Op::Concat | Op::Prepend | Op::Append | Op::Take | Op::Drop => sequences::binary(op, a, b, cx),
        Op::Rel
        | Op::TotalRel
        | Op::SurjRel
        | Op::TotalSurjRel
        | Op::PartialFun
        | Op::TotalFun
        | Op::PartialInj
        | Op::TotalInj
        | Op::PartialSurj
        | Op::TotalSurj
        | Op::PartialBij
        | Op::TotalBij => Ok(Value::Lazy(Arc::new(Arrows { op, dom: a.clone(), ran: b.clone() }))),
        _ => Err(wrong(op)),
    }
}

/// The truth of an operator whose meaning is a predicate.
///
/// # Errors
/// As [`apply`].
pub fn holds(op: Op, args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    match (op, args) {
        (Op::True, _) => Ok(true),
        (Op::False, _) => Ok(false),
        (Op::Eq, [a, b]) => sets::equal(a, b, cx),
        (Op::Neq, [a, b]) => Ok(!sets::equal(a, b, cx)?),
        (Op::Lt | Op::Le | Op::Gt | Op::Ge, [a, b]) => Ok(arith::compare(op, a, b)),
        (Op::In, [x, s]) => sets::contains(s, x, cx),
        (Op::NotIn, [x, s]) => Ok(!sets::contains(s, x, cx)?),
        (Op::Subset | Op::NotSubset | Op::StrictSubset | Op::NotStrictSubset, [a, b]) => {
            sets::relation(op, a, b, cx)
        }
        (Op::Finite, [s]) => sets::finite(s, cx),
        (Op::Partition, _) => sets::partition(args, cx),
        _ => Err(wrong(op)),
    }
}

/// A set from values in any order.
#[must_use]
pub fn set_of(items: Vec<Value>) -> Value {
    Value::Set(SetRef::from_vec(items))
}
