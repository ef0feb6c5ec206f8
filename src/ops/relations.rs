//! Relations: domain, range, inverse, image, restrictions, overriding, compositions, closures.

use super::lazy::mapped;
use super::sets::{contains, expand};
use super::{Cx, Fault, Op};
use crate::diagnostic::Code;
use crate::value::{SetRef, Value};
use std::sync::Arc;

/// Both sides of a pair.
pub(super) fn sides(v: &Value) -> Result<(&Value, &Value), Fault> {
    match v {
        Value::Pair(p) => Ok((&p.0, &p.1)),
        _ => Err(Fault::new(Code::NotWellDefined, "a pair was expected here")),
    }
}

fn set(items: Vec<Value>) -> Value {
    Value::Set(SetRef::from_vec(items))
}

/// The right sides of `x` in a relation.
pub fn image_of(r: &Value, x: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
    match r {
        Value::Set(s) if x.is_extension() => s.row(x).iter().map(|p| Ok(sides(p)?.1.clone())).collect(),
        Value::Lazy(l) => match l.image(x, cx) {
            Some(found) => found,
            None => scan(r, x, cx),
        },
        _ => scan(r, x, cx),
    }
}

fn scan(r: &Value, x: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
    let mut out = Vec::new();
    for p in expand(r, cx)?.items() {
        let (a, b) = sides(p)?;
        if super::sets::equal(a, x, cx)? {
            out.push(b.clone());
        }
    }
    Ok(out)
}

/// `dom(r)`.
pub(super) fn dom(r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if let Value::Lazy(l) = r
        && let Some(d) = l.domain(cx)
    {
        return d;
    }
    let items = expand(r, cx)?;
    let mut out: Vec<Value> = Vec::with_capacity(items.items().len());
    for p in items.items() {
        let (a, _) = sides(p)?;
        if out.last() != Some(a) {
            out.push(a.clone());
        }
    }
    Ok(set(out))
}

/// `ran(r)`.
pub(super) fn ran(r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let items = expand(r, cx)?;
    let out: Result<Vec<Value>, Fault> = items.items().iter().map(|p| Ok(sides(p)?.1.clone())).collect();
    Ok(set(out?))
}

/// `r~`.
pub(super) fn inverse(r: &Value) -> Result<Value, Fault> {
    match r {
        Value::Set(s) => {
            let out: Result<Vec<Value>, Fault> =
                s.items().iter().map(|p| sides(p).map(|(a, b)| Value::pair(b.clone(), a.clone()))).collect();
            Ok(set(out?))
        }
        _ => Ok(Value::Lazy(Arc::new(mapped::Inverse { of: r.clone() }))),
    }
}

/// `r[S]`.
pub(super) fn image(r: &Value, s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let mut out = Vec::new();
    if let (Value::Set(pairs), Value::Set(xs)) = (r, s)
        && pairs.items().len() > xs.items().len()
    {
        for x in xs.items() {
            out.extend(image_of(r, x, cx)?);
        }
        return Ok(set(out));
    }
    if let Value::Set(pairs) = r {
        for p in pairs.items() {
            let (a, b) = sides(p)?;
            if contains(s, a, cx)? {
                out.push(b.clone());
            }
        }
        return Ok(set(out));
    }
    for x in expand(s, cx)?.items() {
        out.extend(image_of(r, x, cx)?);
    }
    Ok(set(out))
}

/// `S <| r`, `S <<| r`, `r |> S`, `r |>> S`.
pub(super) fn restrict(op: Op, s: &Value, r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let left = matches!(op, Op::DomRes | Op::DomSub);
    let keep = matches!(op, Op::DomRes | Op::RanRes);
    if let Value::Set(pairs) = r {
        let mut out = Vec::new();
        for p in pairs.items() {
            let (a, b) = sides(p)?;
            if contains(s, if left { a } else { b }, cx)? == keep {
                out.push(p.clone());
            }
        }
        return Ok(Value::Set(SetRef::from_sorted(out)));
    }
    if let (Op::DomRes, Value::Set(xs)) = (op, s) {
        let mut out = Vec::new();
        for x in xs.items() {
            out.extend(image_of(r, x, cx)?.into_iter().map(|y| Value::pair(x.clone(), y)));
        }
        return Ok(set(out));
    }
    Ok(Value::Lazy(Arc::new(mapped::Restricted { left, keep, by: s.clone(), of: r.clone() })))
}

/// `r <+ s`.
pub(super) fn override_by(r: &Value, s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let (Value::Set(x), Value::Set(y)) = (r, s) else {
        return Ok(Value::Lazy(Arc::new(mapped::Overridden { base: r.clone(), by: s.clone() })));
    };
    let _ = cx;
    if y.items().is_empty() {
        return Ok(r.clone());
    }
    let mut out: Vec<Value> = Vec::with_capacity(x.items().len() + y.items().len());
    let (mut i, mut j) = (0, 0);
    let (x, y) = (x.items(), y.items());
    // Both are sorted by left sides: rows of `s` replace rows of `r`.
    while let Some(q) = y.get(j) {
        let key = sides(q)?.0;
        while let Some(p) = x.get(i) {
            if sides(p)?.0 >= key {
                break;
            }
            out.push(p.clone());
            i += 1;
        }
        while let Some(p) = x.get(i) {
            if sides(p)?.0 != key {
                break;
            }
            i += 1;
        }
        while let Some(q) = y.get(j) {
            if sides(q)?.0 != key {
                break;
            }
            out.push(q.clone());
            j += 1;
        }
    }
    out.extend_from_slice(x.get(i..).unwrap_or_default());
    Ok(Value::Set(SetRef::from_sorted(out)))
}

/// `(r ; s)`.
pub(super) fn compose(r: &Value, s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let Value::Set(pairs) = r else {
        return Ok(Value::Lazy(Arc::new(mapped::Composed { first: r.clone(), then: s.clone() })));
    };
    let mut out = Vec::new();
    for p in pairs.items() {
        let (a, b) = sides(p)?;
        out.extend(image_of(s, b, cx)?.into_iter().map(|c| Value::pair(a.clone(), c)));
    }
    Ok(set(out))
}

/// `r >< s`.
pub(super) fn direct_product(r: &Value, s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let mut out = Vec::new();
    for p in expand(r, cx)?.items() {
        let (a, b) = sides(p)?;
        let right = image_of(s, a, cx)?;
        out.extend(right.into_iter().map(|c| Value::pair(a.clone(), Value::pair(b.clone(), c))));
    }
    Ok(set(out))
}

/// `(r || s)`.
pub(super) fn parallel(r: &Value, s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if let (Value::Set(x), Value::Set(y)) = (r, s) {
        let mut out = Vec::with_capacity(x.items().len() * y.items().len());
        for p in x.items() {
            let (a, b) = sides(p)?;
            for q in y.items() {
                let (c, d) = sides(q)?;
                out.push(Value::pair(Value::pair(a.clone(), c.clone()), Value::pair(b.clone(), d.clone())));
            }
        }
        return Ok(set(out));
    }
    let _ = cx;
    Ok(Value::Lazy(Arc::new(mapped::Parallel { left: r.clone(), right: s.clone() })))
}

/// `id(S)`.
pub(super) fn identity(s: &Value) -> Value {
    match s {
        Value::Set(s) => Value::Set(SetRef::from_sorted(
            s.items().iter().map(|x| Value::pair(x.clone(), x.clone())).collect(),
        )),
        _ => Value::Lazy(Arc::new(mapped::Identity { on: s.clone() })),
    }
}

/// `prj1(S,T)` and `prj2(S,T)`.
pub(super) fn projection(op: Op, s: &Value, t: &Value) -> Value {
    Value::Lazy(Arc::new(mapped::Projection { first: op == Op::Prj1, left: s.clone(), right: t.clone() }))
}

/// `closure1(r)`.
pub(super) fn closure1(r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = expand(r, cx)?;
    let mut out = Vec::new();
    let mut starts: Vec<&Value> = Vec::new();
    for p in pairs.items() {
        let (a, _) = sides(p)?;
        if starts.last() != Some(&a) {
            starts.push(a);
        }
    }
    // One search from each left side: linear in the size of the result.
    for a in starts {
        let mut reached = std::collections::BTreeSet::new();
        let mut todo = vec![a.clone()];
        while let Some(x) = todo.pop() {
            for p in pairs.row(&x) {
                let y = sides(p)?.1;
                if !reached.contains(y) {
                    reached.insert(y.clone());
                    todo.push(y.clone());
                }
            }
            if cx.world.interrupt.raised() {
                return Err(super::sets::interrupted());
            }
        }
        out.extend(reached.into_iter().map(|y| Value::pair(a.clone(), y)));
    }
    Ok(set(out))
}

/// `closure(r)`: with the identity on the whole type.
pub(super) fn closure(r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let one = closure1(r, cx)?;
    let id = identity(&whole_left(cx));
    super::sets::combine_sets(Op::Union, &one, &id, cx)
}

/// All values of the left type of the result.
fn whole_left(cx: &Cx<'_>) -> Value {
    cx.ty.sides().map_or_else(Value::empty, |(a, _)| super::lazy::whole(a, cx.world))
}

/// `iterate(r, n)`.
pub(super) fn iterate(r: &Value, n: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let times = super::arith::small(n, "the number of iterations")?;
    if times < 0 {
        return Err(Fault::new(Code::NotWellDefined, format!("`iterate` of {times} times")));
    }
    if times == 0 {
        return Ok(identity(&whole_left(cx)));
    }
    let mut out = r.clone();
    for _ in 1..times {
        let next = compose(&out, r, cx)?;
        // A relation that does not change any more will not change again.
        if next.is_extension() && next == out {
            return Ok(out);
        }
        out = next;
    }
    Ok(out)
}

/// `fnc(r)`.
pub(super) fn to_function(r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = expand(r, cx)?;
    let mut out: Vec<Value> = Vec::new();
    let mut rest = pairs.items();
    while let Some(p) = rest.first() {
        let (a, _) = sides(p)?;
        let row = pairs.row(a);
        let right: Result<Vec<Value>, Fault> = row.iter().map(|q| Ok(sides(q)?.1.clone())).collect();
        out.push(Value::pair(a.clone(), set(right?)));
        rest = rest.get(row.len().max(1)..).unwrap_or_default();
    }
    Ok(set(out))
}

/// `rel(f)`.
pub(super) fn to_relation(f: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let mut out = Vec::new();
    for p in expand(f, cx)?.items() {
        let (a, b) = sides(p)?;
        out.extend(expand(b, cx)?.items().iter().map(|y| Value::pair(a.clone(), y.clone())));
    }
    Ok(set(out))
}

/// `f(x)`.
pub(super) fn apply(f: &Value, x: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if let (Value::Set(s), true) = (f, x.is_extension())
        && let [Value::Pair(p)] = s.row(x)
    {
        return Ok(p.1.clone());
    }
    let mut found = image_of(f, x, cx)?;
    if found.len() > 1 {
        found = SetRef::from_vec(found).items().to_vec();
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            let text = format!("the function is applied to {}, outside its domain", brief(x, cx));
            Err(Fault::new(Code::OutsideDomain, text))
        }
        n => {
            let text = format!("the relation is applied to {}, where it has {n} values", brief(x, cx));
            Err(Fault::new(Code::NotAFunction, text))
        }
    }
}

/// A value for a message.
pub(super) fn brief(v: &Value, cx: &Cx<'_>) -> String {
    let text = v.brief(cx.world);
    if text.chars().count() > 60 { text.chars().take(57).chain("...".chars()).collect() } else { text }
}
