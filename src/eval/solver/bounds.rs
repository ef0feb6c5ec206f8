//! Sets between bounds: what operators make of the least and the greatest that sets can be.
//!
//! In: a set operator with its arguments, the cells as they are. Out: the least and the greatest set that its value can
//! be; nothing for operators that are monotone in none of their arguments, unless these are few values (`alternatives`).

use super::Search;
use super::abs::Abs;
use super::cells::Shape;
use crate::eval::Env;
use crate::ir::Expr;
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::{SetRef, Value};

impl Search<'_> {
    /// `{a,b,..}`.
    pub(super) fn listed<'a>(&'a self, items: &[Expr], env: &mut Env) -> Abs<'a> {
        let mut must = Vec::new();
        let mut may = Vec::new();
        for i in items {
            match self.abs(i, env).alternatives() {
                Some(vs) => {
                    if let [v] = &vs[..] {
                        must.push(v.clone());
                    }
                    may.extend(vs);
                }
                None => return Abs::Top,
            }
        }
        Abs::Between(SetRef::from_vec(must), SetRef::from_vec(may))
    }

    /// A set operator on the lower and the upper bounds of its arguments.
    pub(super) fn set_operator<'a>(&'a self, op: Op, args: &[Expr], e: &Expr, env: &mut Env) -> Abs<'a> {
        let Some(downward) = antitone(op) else { return self.of_each(op, args, e, env) };
        if let (Op::Dom, [f]) = (op, args)
            && let Abs::Part(Shape::Fun { keys, parts }) = self.abs(f, env)
        {
            return self.domain(keys, parts);
        }
        if let (Op::Image, [f, s]) = (op, args)
            && let Abs::Part(Shape::Fun { keys, parts }) = self.abs(f, env)
        {
            let s = self.abs(s, env);
            return self.image(keys, parts, &s);
        }
        let mut low = Vec::with_capacity(args.len());
        let mut high = Vec::with_capacity(args.len());
        for (i, a) in args.iter().enumerate() {
            let value = self.abs(a, env);
            let Some((must, may)) = self.bounds(&value) else { return Abs::Top };
            let (must, may) = if downward == Some(i) { (may, must) } else { (must, may) };
            low.push(Value::Set(must));
            high.push(Value::Set(may));
        }
        if op == Op::Override {
            // The right side takes pairs away by its domain and adds them by itself.
            let dom = |v: &Value| self.set(Op::Dom, std::slice::from_ref(v), &e.ty, e);
            let over = |r: &Value, s: &Value, d: &Value| {
                let cut = self.set(Op::DomSub, &[dom(d)?, r.clone()], &e.ty, e)?;
                self.set(Op::Union, &[cut, s.clone()], &e.ty, e)
            };
            let (Some(a), Some(b)) = (over(&low[0], &low[1], &high[1]), over(&high[0], &high[1], &low[1]))
            else {
                return Abs::Top;
            };
            return between(a, b);
        }
        match (self.set(op, &low, &e.ty, e), self.set(op, &high, &e.ty, e)) {
            (Some(a), Some(b)) => between(a, b),
            _ => Abs::Top,
        }
    }

    /// The domain of a function.
    fn domain<'a>(&'a self, keys: &[Value], parts: &[Shape]) -> Abs<'a> {
        let (mut must, mut may) = (Vec::new(), Vec::new());
        for (k, part) in keys.iter().zip(parts) {
            let Shape::Point(id) = part else {
                must.push(k.clone());
                may.push(k.clone());
                continue;
            };
            let cell = &self.cells.cells[*id];
            let may_miss = cell.has(cell.values.len());
            if !may_miss {
                must.push(k.clone());
            }
            if !may_miss || cell.left > 1 {
                may.push(k.clone());
            }
            if may_miss && cell.left > 1 {
                self.note(*id);
            }
        }
        Abs::Between(SetRef::from_sorted(must), SetRef::from_sorted(may))
    }

    fn set(&self, op: Op, args: &[Value], ty: &Ty, e: &Expr) -> Option<Value> {
        self.run.ev.apply(op, args, ty, e.span).and_then(|v| self.run.ev.settle(v, ty)).ok()
    }

    /// The certain and the possible members of a set.
    pub(super) fn bounds(&self, s: &Abs<'_>) -> Option<(SetRef, SetRef)> {
        match s {
            Abs::Known(Value::Set(s)) => Some((s.clone(), s.clone())),
            Abs::Between(a, b) => Some((a.clone(), b.clone())),
            Abs::Part(shape) => self.bounds_once(shape),
            Abs::OneOf(sets) => shared_and_all(sets),
            _ => None,
        }
    }
}

/// What all of some sets have in common, and what they have together.
fn shared_and_all(sets: &[Value]) -> Option<(SetRef, SetRef)> {
    let each = || sets.iter().map(|v| if let Value::Set(s) = v { Some(s) } else { None });
    let all: Option<Vec<&SetRef>> = each().collect();
    let all = all?;
    let (first, others) = all.split_first()?;
    let shared = first.items().iter().filter(|v| others.iter().all(|s| s.contains(v))).cloned().collect();
    let together = all.iter().flat_map(|s| s.items()).cloned().collect();
    Some((SetRef::from_sorted(shared), SetRef::from_vec(together)))
}

/// Whether an operator on sets is monotone, and which argument is the other way round; `None` if neither.
pub(super) fn antitone(op: Op) -> Option<Option<usize>> {
    match op {
        Op::Union
        | Op::Inter
        | Op::Product
        | Op::Dom
        | Op::Ran
        | Op::Inverse
        | Op::Image
        | Op::DomRes
        | Op::RanRes
        | Op::Comp
        | Op::BackComp
        | Op::DirectProduct
        | Op::ParProduct
        | Op::Closure1
        | Op::Override
        | Op::Id
        | Op::BigUnion => Some(None),
        Op::Diff | Op::RanSub => Some(Some(1)),
        Op::DomSub => Some(Some(0)),
        _ => None,
    }
}

fn between<'s>(a: Value, b: Value) -> Abs<'s> {
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => Abs::Between(a, b),
        _ => Abs::Top,
    }
}
