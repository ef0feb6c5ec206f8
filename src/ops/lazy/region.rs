//! Sets in a normal form in which inclusion is decided, however infinite they are.
//!
//! In: sets built from intervals, finite sets, whole types, products, records, subsets, sequences, unions, intersections and
//! differences. Out: unions of intervals, boxes of such, finite sets or their complements, families of sets (`families`); or
//! nothing where a part has no such form. Absent: sets given by other formulas.

use super::combine::Combined;
use super::compare::kind;
use super::families::{self, Families};
use super::numbers::Numbers;
use super::product::Product;
use super::whole::{Whole, whole};
use crate::ops::sets::merge;
use crate::ops::{Cx, Op};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use num_bigint::BigInt;

/// Most parts of a region, so that comparing two takes no longer than some thousand comparisons of parts.
const PARTS: usize = 256;

/// Most integers of a set with gaps.
const POINTS: usize = 1 << 12;

/// A set in normal form.
#[derive(Clone, Debug)]
pub(super) enum Region {
    /// No member, of any type.
    Empty,
    /// Intervals in order, with gaps between them.
    Ints(Vec<Numbers>),
    /// Boxes of pairs or records, none of which is empty; they may overlap.
    Boxes(Vec<Vec<Region>>),
    /// Values of a type that only knows equality: these, or all but these of an infinite type.
    Values(SetRef, bool),
    /// Sets of sets.
    Sets(Families),
}

use Region::{Boxes, Empty, Ints, Sets, Values};

/// The normal form of a set, if all its parts have one.
pub(super) fn of(set: &Value, cx: &Cx<'_>) -> Option<Region> {
    match set {
        Value::Set(s) => listed(s),
        Value::Lazy(l) => {
            if let Some(n) = kind::<Numbers>(set) {
                return Some(ints(vec![n.clone()]));
            }
            if let Some(p) = kind::<Product>(set) {
                return Some(boxed(vec![of(&p.left, cx)?, of(&p.right, cx)?]));
            }
            if let Some(c) = kind::<Combined>(set) {
                let (a, b) = (of(&c.left, cx)?, of(&c.right, cx)?);
                return match c.op {
                    Op::Union => union(a, b),
                    Op::Inter => inter(&a, &b, cx),
                    _ => minus(&a, &b, cx),
                };
            }
            if let Some(w) = kind::<Whole>(set) {
                return match &w.ty {
                    Ty::Str | Ty::Real => Some(Values(SetRef::empty(), true)),
                    Ty::Rec(fields) => {
                        let sides = fields.iter().map(|(_, t)| of(&whole(t, cx.world), cx));
                        Some(boxed(sides.collect::<Option<Vec<_>>>()?))
                    }
                    _ => None,
                };
            }
            if let Some(fields) = l.fields() {
                let sides = fields.iter().map(|s| of(s, cx));
                return Some(boxed(sides.collect::<Option<Vec<_>>>()?));
            }
            families::of(set, cx)
        }
        _ => None,
    }
}

fn listed(s: &SetRef) -> Option<Region> {
    if !s.is_extension() {
        return None;
    }
    let single = |v: &Value| listed(&SetRef::from_listed(vec![v.clone()]));
    Some(match s.items().first() {
        None => Empty,
        Some(Value::Int(_) | Value::Big(_)) => {
            let one = |v: &Value| match v {
                Value::Int(n) => Some(BigInt::from(*n)),
                Value::Big(n) => Some((**n).clone()),
                _ => None,
            };
            let of = |v: &Value| one(v).map(|n| Numbers { lo: Some(n.clone()), hi: Some(n) });
            match super::numbers::of(&Value::Set(s.clone())) {
                Some(dense) => Ints(vec![dense]),
                None if s.len() > POINTS => return None,
                None => ints(s.items().iter().map(of).collect::<Option<Vec<_>>>()?),
            }
        }
        Some(Value::Pair(_) | Value::Rec(_)) => {
            if s.len() > PARTS {
                return None;
            }
            let sides = |v: &Value| match v {
                Value::Pair(p) => Some(vec![single(&p.0)?, single(&p.1)?]),
                Value::Rec(fields) => fields.iter().map(single).collect(),
                _ => None,
            };
            Boxes(s.items().iter().map(sides).collect::<Option<Vec<_>>>()?)
        }
        Some(Value::Set(_)) => Sets(Families::listed(s.clone())),
        Some(Value::Lazy(_)) => return None,
        Some(_) => Values(s.clone(), false),
    })
}

/// The normal form of intervals in any order.
fn ints(mut all: Vec<Numbers>) -> Region {
    all.retain(|n| !n.is_empty());
    // A missing lower end comes first.
    all.sort_by(|a, b| a.lo.cmp(&b.lo));
    let mut out: Vec<Numbers> = Vec::new();
    for n in all {
        match out.last_mut() {
            Some(last) if let Some(both) = last.join(&n) => *last = both,
            _ => out.push(n),
        }
    }
    if out.is_empty() { Empty } else { Ints(out) }
}

fn boxed(sides: Vec<Region>) -> Region {
    if sides.iter().any(Region::is_empty) { Empty } else { Boxes(vec![sides]) }
}

impl Region {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Empty => true,
            Ints(all) => all.is_empty(),
            Boxes(all) => all.is_empty(),
            Values(of, but) => !but && of.is_empty(),
            Sets(all) => all.is_empty(),
        }
    }
}

/// The members of either; `None` if they are of two types or too many parts.
fn union(a: Region, b: Region) -> Option<Region> {
    Some(match (a, b) {
        (Empty, x) | (x, Empty) => x,
        (Ints(mut x), Ints(y)) => {
            x.extend(y);
            ints(x)
        }
        (Boxes(mut x), Boxes(y)) => {
            x.extend(y);
            if x.len() > PARTS {
                return None;
            }
            Boxes(x)
        }
        (Values(x, but), Values(y, or)) => match (but, or) {
            (false, false) => Values(merge::union(&x, &y), false),
            (true, true) => Values(merge::inter(&x, &y), true),
            (true, false) => Values(merge::diff(&x, &y), true),
            (false, true) => Values(merge::diff(&y, &x), true),
        },
        (Sets(x), Sets(y)) => Sets(x.union(y)?),
        _ => return None,
    })
}

/// The members of both.
pub(super) fn inter(a: &Region, b: &Region, cx: &Cx<'_>) -> Option<Region> {
    Some(match (a, b) {
        (Empty, _) | (_, Empty) => Empty,
        (Ints(x), Ints(y)) => ints(x.iter().flat_map(|m| y.iter().map(|n| m.meet(n))).collect()),
        (Boxes(x), Boxes(y)) => {
            let mut out = Vec::new();
            for (p, q) in x.iter().flat_map(|p| y.iter().map(move |q| (p, q))) {
                let sides = p.iter().zip(q).map(|(s, t)| inter(s, t, cx)).collect::<Option<Vec<_>>>()?;
                if let Boxes(met) = boxed(sides) {
                    out.extend(met);
                }
            }
            boxes(out)?
        }
        (Values(x, but), Values(y, or)) => match (but, or) {
            (false, false) => Values(merge::inter(x, y), false),
            (true, true) => Values(merge::union(x, y), true),
            (true, false) => Values(merge::diff(y, x), false),
            (false, true) => Values(merge::diff(x, y), false),
        },
        (Sets(x), Sets(y)) => Sets(x.inter(y, cx)?),
        _ => return None,
    })
}

/// The members of the first that are not in the second.
pub(super) fn minus(a: &Region, b: &Region, cx: &Cx<'_>) -> Option<Region> {
    Some(match (a, b) {
        (Empty, _) => Empty,
        (_, Empty) => a.clone(),
        (Ints(x), Ints(y)) => {
            let mut rest = x.clone();
            for n in y {
                rest = rest.iter().flat_map(|m| without(m, n)).collect();
            }
            ints(rest)
        }
        (Boxes(x), Boxes(y)) => {
            let mut rest = x.clone();
            for q in y {
                let mut left = Vec::new();
                for p in rest {
                    cut(p, q, &mut left, cx)?;
                }
                if left.len() > PARTS {
                    return None;
                }
                rest = left;
            }
            boxes(rest)?
        }
        (Values(..), Values(y, or)) => return inter(a, &Values(y.clone(), !or), cx),
        (Sets(x), Sets(y)) => Sets(x.minus(y, cx)?),
        _ => return None,
    })
}

fn boxes(all: Vec<Vec<Region>>) -> Option<Region> {
    (all.len() <= PARTS).then_some(if all.is_empty() { Empty } else { Boxes(all) })
}

/// What is left and right of an interval in another.
fn without(m: &Numbers, n: &Numbers) -> Vec<Numbers> {
    let below = n.lo.as_ref().map(|lo| m.meet(&Numbers { lo: None, hi: Some(lo - 1) }));
    let above = n.hi.as_ref().map(|hi| m.meet(&Numbers { lo: Some(hi + 1), hi: None }));
    [below, above].into_iter().flatten().filter(|n| !n.is_empty()).collect()
}

/// Takes a box out of another: what is outside along one side after the other.
fn cut(mut p: Vec<Region>, q: &[Region], out: &mut Vec<Vec<Region>>, cx: &Cx<'_>) -> Option<()> {
    let mut pieces = Vec::new();
    for (i, side) in q.iter().enumerate() {
        let outside = minus(p.get(i)?, side, cx)?;
        let inside = if outside.is_empty() { p.get(i)?.clone() } else { inter(p.get(i)?, side, cx)? };
        if inside.is_empty() {
            // They do not meet: all that was cut off belongs together again.
            pieces.push(p);
            out.extend(pieces);
            return Some(());
        }
        if !outside.is_empty() {
            let mut piece = p.clone();
            *piece.get_mut(i)? = outside;
            pieces.push(piece);
            *p.get_mut(i)? = inside;
        }
    }
    out.extend(pieces);
    Some(())
}

/// Whether all members of the first are in the second, if their forms tell.
pub(super) fn subset(a: &Region, b: &Region, cx: &Cx<'_>) -> Option<bool> {
    match (a, b) {
        (Sets(x), Sets(y)) => x.subset(y, cx),
        _ => minus(a, b, cx).map(|rest| rest.is_empty()),
    }
}

/// The least interval around a set of integers, if its form tells and it has a member.
pub(crate) fn hull(set: &Value, cx: &Cx<'_>) -> Option<Numbers> {
    match of(set, cx)? {
        Ints(all) => Some(Numbers { lo: all.first()?.lo.clone(), hi: all.last()?.hi.clone() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::World;
    use crate::ops::lazy::combine;
    use crate::ops::membership::inclusion::{contains, subset as included};
    use crate::ops::sets::{interval, product, union};

    /// Ends lie so near to zero that integers up to `FAR` decide all.
    const FAR: i64 = 6;

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
        fn end(&mut self) -> Option<BigInt> {
            (self.below(3) > 0).then(|| BigInt::from(self.below(7)) - 3)
        }
        fn set(&mut self, depth: u32, pairs: bool, cx: &Cx<'_>) -> Value {
            if depth == 0 {
                let ints = |r: &mut Self| interval::of(Numbers { lo: r.end(), hi: r.end() });
                let (a, b) = (ints(self), ints(self));
                return if pairs { product::of(&a, &b) } else { a };
            }
            let (a, b) = (self.set(depth - 1, pairs, cx), self.set(depth - 1, pairs, cx));
            match self.below(3) {
                0 => union::of(&a, &b, cx).expect("a union"),
                1 => combine::inter(&a, &b, cx).expect("an intersection"),
                _ => combine::diff(&a, &b, cx),
            }
        }
    }

    /// Forms say of random sets what their members near zero say.
    #[test]
    fn forms_agree_with_members() {
        let world = World::default();
        let cx = Cx { world: &world, ty: &Ty::Any };
        let mut random = Random(1);
        let near: Vec<Value> = (-FAR..=FAR).map(Value::Int).collect();
        let pairs = || near.iter().flat_map(|a| near.iter().map(|b| Value::pair(a.clone(), b.clone())));
        let pairs: Vec<Value> = pairs().collect();
        let mut answers = [0, 0];
        for round in 0..600 {
            let two = round % 2 == 1;
            let depth = u32::try_from(random.below(3)).expect("small");
            let (a, b) = (random.set(depth, two, &cx), random.set(depth, two, &cx));
            let has = |s: &Value, x: &Value| contains(s, x, &cx).expect("a truth value");
            let all = if two { &pairs } else { &near };
            let expected = all.iter().all(|x| !has(&a, x) || has(&b, x));
            let (Some(x), Some(y)) = (of(&a, &cx), of(&b, &cx)) else { panic!("{a:?} {b:?} have forms") };
            assert_eq!(subset(&x, &y, &cx), Some(expected), "{a:?} {b:?}");
            assert_eq!(included(&a, &b, &cx).ok(), Some(expected), "{a:?} {b:?}");
            answers[usize::from(expected)] += 1;
        }
        assert!(answers.iter().all(|n| *n > 50), "{answers:?}");
    }
}
