//! Some members of a set, to show that it is not included in another one.
//!
//! In: any set. Out: a few small members, those at its ends first; a member that the other set does not have refutes the inclusion,
//! and nothing follows if there is none. Absent: any claim that no other member does.

use super::arrows::Arrows;
use super::combine::Combined;
use super::compare::kind;
use super::numbers::Numbers;
use super::powers::Powers;
use super::product::Product;
use super::seqs::Seqs;
use super::whole::{Whole, whole};
use crate::ops::Cx;
use crate::ops::membership::inclusion::contains;
use crate::ops::sequences::list::numbered;
use crate::ops::sets::product;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use num_bigint::BigInt;

/// Most candidates of a set: a comparison may ask for as many memberships.
const MOST: usize = 64;

/// How far from an end of an interval, or from zero, integers are tried.
const NEAR: i64 = 4;

/// Most right sides that all of a domain is sent to.
const SIDES: usize = 4;

/// Whether a member of the first set is found that the second does not have.
pub(super) fn refute(a: &Value, b: &Value, cx: &Cx<'_>) -> bool {
    let outside =
        |x: &Value| matches!(contains(b, x, cx), Ok(false)) && matches!(contains(a, x, cx), Ok(true));
    some(a, cx).iter().any(outside)
}

/// Values of which many are members; the caller tests which.
pub(in crate::ops) fn some(set: &Value, cx: &Cx<'_>) -> Vec<Value> {
    let mut out = match set {
        Value::Set(s) => s.items().iter().take(MOST).cloned().collect(),
        Value::Lazy(_) => shaped(set, cx),
        _ => Vec::new(),
    };
    out.truncate(MOST);
    out
}

fn shaped(set: &Value, cx: &Cx<'_>) -> Vec<Value> {
    if let Some(n) = kind::<Numbers>(set) {
        return numbers(n);
    }
    if let Some(p) = kind::<Product>(set) {
        return pairs(&some(&p.left, cx), &some(&p.right, cx));
    }
    if let Some(c) = kind::<Combined>(set) {
        let mut out = some(&c.left, cx);
        // What is cut off lies beside what is left.
        out.truncate(MOST / 2);
        out.extend(some(&c.right, cx));
        return out;
    }
    if let Some(p) = kind::<Powers>(set) {
        let mut out = subsets(&some(&p.base, cx));
        out.insert(0, p.base.clone());
        return out;
    }
    if let Some(s) = kind::<Seqs>(set) {
        let base = some(&s.base, cx);
        let mut out = vec![Value::empty()];
        for x in &base {
            out.push(numbered([x.clone()]));
            out.push(numbered([x.clone(), x.clone()]));
        }
        out.extend(base.windows(2).map(|w| numbered(w.iter().cloned())));
        return out;
    }
    if let Some(a) = kind::<Arrows>(set) {
        return relations(a, cx);
    }
    if let Some(w) = kind::<Whole>(set) {
        return values(&w.ty, cx);
    }
    let Value::Lazy(l) = set else { return Vec::new() };
    if let Some(Ok(domain)) = l.domain(cx) {
        let images = |x: Value| {
            let found = l.image(&x, cx).and_then(Result::ok).unwrap_or_default();
            found.into_iter().map(move |y| Value::pair(x.clone(), y))
        };
        return some(&domain, cx).into_iter().flat_map(images).collect();
    }
    match l.within(cx) {
        Some(around) => some(&around, cx),
        None => cx.ty.elem().map_or_else(Vec::new, |t| some(&whole(t, cx.world), cx)),
    }
}

fn numbers(n: &Numbers) -> Vec<Value> {
    let from = |end: &BigInt, by: i64| Value::int(end + by);
    let mut out = Vec::new();
    for by in 0..=NEAR {
        out.extend(n.lo.as_ref().map(|lo| from(lo, by)));
        out.extend(n.hi.as_ref().map(|hi| from(hi, -by)));
        out.extend([by, -by].map(Value::Int));
    }
    out
}

fn pairs(left: &[Value], right: &[Value]) -> Vec<Value> {
    // Along diagonals, so that both sides vary from the start.
    let sums = 0..left.len() + right.len();
    let diagonal = |n: usize| (0..=n).filter_map(move |i| Some((left.get(i)?, right.get(n - i)?)));
    sums.flat_map(diagonal).map(|(a, b)| Value::pair(a.clone(), b.clone())).take(MOST).collect()
}

fn subsets(base: &[Value]) -> Vec<Value> {
    let singles = base.iter().map(|x| SetRef::from_vec(vec![x.clone()]));
    let doubles = base.windows(2).map(|w| SetRef::from_vec(w.to_vec()));
    std::iter::once(SetRef::empty()).chain(singles).chain(doubles).map(Value::Set).collect()
}

/// Small relations, and those that send all of the domain to one value.
fn relations(a: &Arrows, cx: &Cx<'_>) -> Vec<Value> {
    let (left, right) = (some(&a.dom, cx), some(&a.ran, cx));
    let mut out: Vec<Value> = Vec::new();
    for y in right.iter().take(SIDES) {
        out.push(product::of(&a.dom, &Value::Set(SetRef::from_vec(vec![y.clone()]))));
    }
    out.extend(subsets(&pairs(&left, &right)));
    out
}

fn values(ty: &Ty, cx: &Cx<'_>) -> Vec<Value> {
    match ty {
        Ty::Str => ["", "a", "b", "ab"].map(|s| Value::Str(s.into())).to_vec(),
        Ty::Real => [0.0, 1.0, -1.0, 0.5].map(Value::Real).to_vec(),
        Ty::Rec(fields) => {
            let mut rows = vec![Vec::new()];
            for (_, t) in fields.iter() {
                let side = some(&whole(t, cx.world), cx);
                rows = rows
                    .iter()
                    .flat_map(|r| side.iter().map(|x| [&r[..], std::slice::from_ref(x)].concat()))
                    .take(MOST)
                    .collect();
            }
            rows.into_iter().map(|r| Value::Rec(r.into())).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a relation with this domain is known to have a right side outside a set: some arguments are tried.
pub(in crate::ops) fn leaves(
    domain: &Value,
    ran: &Value,
    image: impl Fn(&Value) -> Vec<Value>,
    cx: &Cx<'_>,
) -> bool {
    let tried = some(domain, cx);
    tried
        .iter()
        .filter(|x| matches!(contains(domain, x, cx), Ok(true)))
        .any(|x| image(x).iter().any(|y| matches!(contains(ran, y, cx), Ok(false))))
}

/// Whether two arguments with one image are found.
pub(in crate::ops) fn collides(domain: &Value, image: impl Fn(&Value) -> Vec<Value>, cx: &Cx<'_>) -> bool {
    let mut seen: Vec<(Value, Value)> = Vec::new();
    for x in some(domain, cx).into_iter().filter(|x| matches!(contains(domain, x, cx), Ok(true))) {
        for y in image(&x) {
            if y.is_extension()
                && seen.iter().any(|(z, v)| *v == y && z.is_extension() && x.is_extension() && *z != x)
            {
                return true;
            }
            seen.push((x.clone(), y));
        }
    }
    false
}
