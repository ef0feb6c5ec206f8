//! Records and pairs whose parts are members of sets that are not listed together: `r : struct(name:NAME, pay:NATURAL) & r'pay = 90`.
//!
//! In: an unknown of which a conjunct says that it is such a record or pair. Out: each combination of members of the sets, of an infinite one those
//! that a choice from it has, with an entry for what is left out; of a field that an equation gives only that value. Siblings: `typed` (all values
//! of a type), `sequences`.

use super::bind::Run;
use super::bits::Bits;
use super::pattern::put;
use super::plan::Node;
use super::pointwise::same;
use super::pred::fatal;
use super::problem::Slot;
use super::sequences::next;
use super::{Env, Flow};
use crate::diagnostic::Code;
use crate::ir::{Expr, ExprKind, PredKind};
use crate::ops::{Fault, Op};
use crate::ty::Ty;
use crate::value::Value;
use std::ops::ControlFlow::{Break, Continue};

/// How the parts make a value.
enum Whole<'e> {
    /// A part.
    Part(Part<'e>),
    Pair(Box<Whole<'e>>, Box<Whole<'e>>),
    Rec(Vec<Whole<'e>>),
}

/// A part that is a member of a set.
struct Part<'e> {
    set: &'e Expr,
    /// The field of the unknown that it is; `None` where only a pattern could read it.
    read: Option<Expr>,
}

impl<'e> Whole<'e> {
    /// The parts of what is a member of a set; `read` reads it.
    fn of(set: &'e Expr, read: Option<Expr>) -> Self {
        match &set.kind {
            ExprKind::Op(Op::Product, sides) if let [a, b] = &sides[..] => {
                Self::Pair(Box::new(Self::of(a, None)), Box::new(Self::of(b, None)))
            }
            ExprKind::Struct(sets) => {
                let field = |i: u32, set: &Expr| {
                    let (read, ty) = (read.clone()?, set.ty.elem()?.clone());
                    Some(Expr { kind: ExprKind::Field(Box::new(read), i), ty, span: set.span })
                };
                Self::Rec((0..).zip(sets).map(|(i, set)| Self::of(set, field(i, set))).collect())
            }
            _ => Self::Part(Part { set, read }),
        }
    }

    fn parts(&self) -> Vec<&Part<'e>> {
        match self {
            Self::Part(part) => vec![part],
            Self::Pair(a, b) => [a, b].into_iter().flat_map(|w| w.parts()).collect(),
            Self::Rec(fields) => fields.iter().flat_map(Self::parts).collect(),
        }
    }

    /// The value that values of the parts make, in their order.
    fn value(&self, values: &mut dyn Iterator<Item = Value>) -> Option<Value> {
        match self {
            Self::Part(_) => values.next(),
            Self::Pair(a, b) => Some(Value::pair(a.value(values)?, b.value(values)?)),
            Self::Rec(fields) => {
                let fields = fields.iter().map(|w| w.value(values)).collect::<Option<Vec<_>>>()?;
                Some(Value::Rec(fields.into()))
            }
        }
    }
}

impl Run<'_> {
    /// The set of records or pairs that an unknown is a member of, if that is known.
    pub(super) fn product_over(&self, var: usize, rest: &[usize], bound: &Bits) -> Option<&Expr> {
        let u = self.problem.unknowns.get(var)?;
        if !matches!(u.ty, Ty::Pair(..) | Ty::Rec(_)) {
            return None;
        }
        rest.iter().find_map(|c| {
            let PredKind::Op(Op::In, sides) = &self.problem.conjs.get(*c)?.pred.kind else { return None };
            let [x, set] = &sides[..] else { return None };
            let apart = matches!(set.kind, ExprKind::Op(Op::Product, _) | ExprKind::Struct(_));
            (apart && u.is(x) && self.is_known(set, bound)).then_some(set)
        })
    }

    /// Calls `f` with an unknown as each member of a set of records or pairs; `None` if some part has no value, or too many, for which
    /// others stand in.
    pub(super) fn each_product(
        &self,
        node: &Node,
        var: usize,
        set: &Expr,
        env: &mut Env,
        f: &mut dyn FnMut(&mut Env) -> Flow,
    ) -> Option<Flow> {
        let u = self.problem.unknowns.get(var)?;
        let read = Expr { kind: u.slot.kind(), ty: u.ty.clone(), span: u.span };
        let whole = Whole::of(set, Some(read));
        let columns = whole.parts().into_iter().map(|part| match self.given(node, part, env)? {
            Some(value) => Ok(vec![value]),
            None => self.elements_of(var, part.set, env),
        });
        match columns.collect::<Result<Vec<_>, Fault>>() {
            Ok(columns) if columns.iter().any(Vec::is_empty) => Some(Ok(Continue(()))),
            Ok(columns) => Some(self.each_combination(u.slot, &whole, &columns, env, f)),
            Err(fault) if fatal(&fault) && fault.0.code != Code::TooLarge => Some(Err(fault)),
            Err(_) => None,
        }
    }

    /// Calls `f` with a slot as each value that members of the columns make.
    fn each_combination(
        &self,
        slot: Slot,
        whole: &Whole<'_>,
        columns: &[Vec<Value>],
        env: &mut Env,
        f: &mut dyn FnMut(&mut Env) -> Flow,
    ) -> Flow {
        let mut places = vec![0; columns.len()];
        loop {
            let mut values = columns.iter().zip(&places).filter_map(|(items, i)| items.get(*i).cloned());
            let Some(value) = whole.value(&mut values) else { return Ok(Continue(())) };
            put(env, slot, value);
            if f(env)?.is_break() {
                return Ok(Break(()));
            }
            if !next(&mut places, |i| columns.get(i).map_or(0, Vec::len)) {
                return Ok(Continue(()));
            }
        }
    }

    /// The value that an equation gives a part, if one does.
    fn given(&self, node: &Node, part: &Part<'_>, env: &mut Env) -> Result<Option<Value>, Fault> {
        let Some(read) = &part.read else { return Ok(None) };
        let equal = node.rest.iter().filter_map(|c| match &self.problem.conjs.get(*c)?.pred.kind {
            PredKind::Op(Op::Eq, sides) => match &sides[..] {
                [a, b] if same(a, read) => Some(b),
                [a, b] if same(b, read) => Some(a),
                _ => None,
            },
            _ => None,
        });
        for e in equal {
            if self.is_known(e, &node.bound) {
                match self.ev.settled(e, env) {
                    Ok(value) => return Ok(Some(value)),
                    Err(f) if fatal(&f) => return Err(f),
                    // Its test says what comes of it.
                    Err(_) => {}
                }
            }
        }
        Ok(None)
    }
}
