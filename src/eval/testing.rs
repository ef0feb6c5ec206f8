//! Building blocks for this room's tests: a small world, IR by hand.

use super::Evaluator;
use crate::ir::*;
use crate::ops::{Op, World};
use crate::source::{FileId, Span};
use crate::ty::{SetId, Ty};
use crate::value::{SetRef, Value};

pub(in crate::eval) fn evaluator() -> Evaluator {
    let machine = Machine {
        name: "M".into(),
        sets: Vec::new(),
        free_types: Vec::new(),
        constants: Vec::new(),
        variables: Vec::new(),
        properties: Vec::new(),
        invariants: Vec::new(),
        typing: Vec::new(),
        assertions: Vec::new(),
        goal: None,
        scope: None,
        initialisation: Routine { body: skip(), frame: 0 },
        operations: Vec::new(),
        settings: Settings::default(),
        named: std::collections::BTreeMap::new(),
        watched: Vec::new(),
    };
    let world = World { maxint: 3, minint: -1, card: vec![3], ..World::default() };
    Evaluator::new(machine.into(), world.into())
}

pub(in crate::eval) fn skip() -> Subst {
    Subst { kind: SubstKind::Skip, span: Span::default() }
}

pub(in crate::eval) fn at(n: usize) -> Span {
    Span::new(FileId(0), n, n + 1)
}

pub(in crate::eval) fn e(kind: ExprKind, ty: Ty) -> Expr {
    Expr { kind, ty, span: at(1) }
}

pub(in crate::eval) fn int(n: i64) -> Expr {
    e(ExprKind::Lit(Value::Int(n)), Ty::Int)
}

pub(in crate::eval) fn x(i: u32) -> Expr {
    e(ExprKind::Local(LocalId(i)), Ty::Int)
}

pub(in crate::eval) fn given(i: u32) -> Expr {
    e(ExprKind::Local(LocalId(i)), Ty::Given(SetId(0)))
}

pub(in crate::eval) fn op(o: Op, args: Vec<Expr>, ty: Ty) -> Expr {
    e(ExprKind::Op(o, args), ty)
}

pub(in crate::eval) fn p(o: Op, args: Vec<Expr>) -> Pred {
    Pred { kind: PredKind::Op(o, args), span: at(2) }
}

pub(in crate::eval) fn and(ps: Vec<Pred>) -> Pred {
    Pred { kind: PredKind::And(ps), span: at(3) }
}

pub(in crate::eval) fn or(ps: Vec<Pred>) -> Pred {
    Pred { kind: PredKind::Or(ps), span: at(3) }
}

pub(in crate::eval) fn local(i: u32, ty: Ty) -> Local {
    Local { id: LocalId(i), name: format!("x{i}").into(), ty, span: at(9) }
}

pub(in crate::eval) fn set(items: &[i64]) -> Expr {
    let items = items.iter().map(|n| Value::Int(*n)).collect();
    e(ExprKind::Lit(Value::Set(SetRef::from_vec(items))), Ty::pow(Ty::Int))
}
