//! Sets of sets in a normal form: infinite families of subsets, sequences and functions, single sets beside them, and holes.
//!
//! In: `POW`, `FIN`, `seq`, arrows. Out: whether one is included in others, by the laws of the families. The empty set is always
//! single: `POW(A)` is `POW1(A)` and `{}`, `seq(A)` is `seq1(A)` and `{}`. Absent: what the members are made of (`region`).

use super::arrows::Arrows;
use super::compare::{kind, kinds, shaped_subset};
use super::meet::meet;
use super::numbers::Numbers;
use super::powers::Powers;
use super::region::Region;
use super::seqs::Seqs;
use crate::ops::extension::{expand, size};
use crate::ops::membership::inclusion::{contains, subset};
use crate::ops::sets::{merge, product};
use crate::ops::{Cx, Op};
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};

/// Most sets of a finite family that are listed to be compared.
const LISTED: u32 = 1 << 12;

/// The members of the families but for the holes, and the single sets.
#[derive(Clone, Debug)]
pub(super) struct Families {
    infinite: Vec<Value>,
    holes: SetRef,
    single: SetRef,
}

/// The normal form of a family.
pub(super) fn of(set: &Value, cx: &Cx<'_>) -> Option<Region> {
    if let Size::Exact(n) = size(set, cx) {
        let all = if n <= LISTED.into() { expand(set, cx).ok()? } else { return None };
        return all.is_extension().then(|| Region::Sets(Families::listed(all)));
    }
    let infinite = |base: &Value| size(base, cx) == Size::Infinite;
    let (family, empty) = if let Some(p) = kind::<Powers>(set) {
        (infinite(&p.base).then(|| Value::lazy(Powers { nonempty: true, ..p.clone() }))?, !p.nonempty)
    } else if let Some(s) = kind::<Seqs>(set) {
        let (kind, endless) = match s.kind {
            Op::Seq | Op::Seq1 => (Op::Seq1, size(set, cx) == Size::Infinite),
            Op::Iseq | Op::Iseq1 => (Op::Iseq1, infinite(&s.base)),
            _ => return None,
        };
        (endless.then(|| Value::lazy(Seqs { base: s.base.clone(), kind }))?, s.may_be_empty())
    } else {
        let a = kind::<Arrows>(set)?;
        if a.op == Op::Rel {
            let base = product::of(&a.dom, &a.ran);
            return of(&Value::lazy(Powers { base, nonempty: false, finite: false }), cx);
        }
        (set.clone(), false)
    };
    let single = if empty { SetRef::from_listed(vec![Value::empty()]) } else { SetRef::empty() };
    Some(Region::Sets(Families { infinite: vec![family], holes: SetRef::empty(), single }))
}

impl Families {
    /// Single sets only.
    pub(super) fn listed(single: SetRef) -> Self {
        Self { infinite: Vec::new(), holes: SetRef::empty(), single }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.infinite.is_empty() && self.single.is_empty()
    }

    /// Whether a set in extension is a member.
    fn has(&self, v: &Value, cx: &Cx<'_>) -> Option<bool> {
        if self.single.contains(v) {
            return Some(true);
        }
        if self.holes.contains(v) {
            return Some(false);
        }
        let mut known = true;
        for f in &self.infinite {
            match contains(f, v, cx) {
                Ok(true) => return Some(true),
                Ok(false) => {}
                Err(_) => known = false,
            }
        }
        known.then_some(false)
    }

    /// Single sets that pass a test.
    fn kept(&self, keep: impl Fn(&Value) -> Option<bool>) -> Option<SetRef> {
        let mut out = Vec::new();
        for v in self.single.items() {
            if keep(v)? {
                out.push(v.clone());
            }
        }
        Some(SetRef::from_listed(out))
    }

    pub(super) fn union(self, other: Self) -> Option<Self> {
        // A hole of one may be a member of the other: only single sets can fill it without a question.
        if !self.holes.is_empty() && !other.infinite.is_empty()
            || !other.holes.is_empty() && !self.infinite.is_empty()
        {
            return None;
        }
        let mut infinite = self.infinite;
        infinite.extend(other.infinite);
        let holes = merge::union(&self.holes, &other.holes);
        Some(Self { infinite, holes, single: merge::union(&self.single, &other.single) })
    }

    pub(super) fn inter(&self, other: &Self, cx: &Cx<'_>) -> Option<Self> {
        let mine = self.kept(|v| other.has(v, cx))?;
        let theirs = other.kept(|v| self.has(v, cx))?;
        let mut out = Self::listed(merge::union(&mine, &theirs));
        for f in &self.infinite {
            for g in &other.infinite {
                if included(f, g, cx) == Some(true) {
                    out.infinite.push(f.clone());
                } else if included(g, f, cx) == Some(true) {
                    out.infinite.push(g.clone());
                } else {
                    let met = meet(f, g, cx)?.ok()?;
                    let Region::Sets(met) = of(&met, cx)? else { return None };
                    // An intersection of two families is one: it has no holes.
                    out.infinite.extend(met.infinite);
                    let met = merge::diff(&merge::diff(&met.single, &self.holes), &other.holes);
                    out.single = merge::union(&out.single, &met);
                }
            }
        }
        out.holes = merge::union(&self.holes, &other.holes);
        Some(out)
    }

    pub(super) fn minus(&self, other: &Self, cx: &Cx<'_>) -> Option<Self> {
        let mut out = Self::listed(self.kept(|v| other.has(v, cx).map(|has| !has))?);
        for f in &self.infinite {
            if covered(f, &other.infinite, cx)? {
                out.single = merge::union(&out.single, &self.left(f, other, cx)?);
            } else if other.infinite.is_empty() {
                out.infinite.push(f.clone());
            } else {
                return None;
            }
        }
        out.holes = merge::union(&self.holes, &other.single);
        Some(out)
    }

    /// The members of a family, covered by those of the other, that are holes there.
    fn left(&self, f: &Value, other: &Self, cx: &Cx<'_>) -> Option<SetRef> {
        let mut out = Vec::new();
        for h in other.holes.items() {
            if contains(f, h, cx).ok()? && !self.holes.contains(h) && !other.single.contains(h) {
                out.push(h.clone());
            }
        }
        let empty = Value::empty();
        if kind::<Arrows>(f).is_some() && contains(f, &empty, cx).ok()? && !other.has(&empty, cx)? {
            out.push(empty);
        }
        Some(SetRef::from_listed_vec(out))
    }

    pub(super) fn subset(&self, other: &Self, cx: &Cx<'_>) -> Option<bool> {
        if !self.kept(|v| other.has(v, cx).map(|has| !has))?.is_empty() {
            return Some(false);
        }
        let mut known = true;
        for f in &self.infinite {
            match covered(f, &other.infinite, cx) {
                Some(true) if self.left(f, other, cx)?.is_empty() => {}
                Some(_) => return Some(false),
                None => known = false,
            }
        }
        known.then_some(true)
    }
}

/// Whether all members of a family but the empty set are in one of several; no means that infinitely many are in none.
fn covered(f: &Value, by: &[Value], cx: &Cx<'_>) -> Option<bool> {
    if by.iter().any(|g| included(f, g, cx) == Some(true)) {
        return Some(true);
    }
    // Only from here on it matters whether one law says no, and whether the reasons fit together.
    if !by.iter().all(|g| included(f, g, cx) == Some(false)) {
        return None;
    }
    let subsets = by.iter().filter(|g| kind::<Powers>(g).is_some()).count();
    // A sequence with a member for each reason may not exist where two are about one place.
    (kind::<Seqs>(f).is_none() || subsets <= 1).then_some(false)
}

/// Whether all members of one family but the empty set are in another. No means: for finitely many such families together there
/// are infinitely many members of the first that have what none of them allows.
fn included(f: &Value, g: &Value, cx: &Cx<'_>) -> Option<bool> {
    if let Some((p, q)) = kinds::<Powers>(f, g) {
        return Some((p.finite || !q.finite) && subset(&p.base, &q.base, cx).ok()?);
    }
    if let Some((p, q)) = kinds::<Seqs>(f, g) {
        return Some((p.injective() || !q.injective()) && subset(&p.base, &q.base, cx).ok()?);
    }
    if let Some(p) = kind::<Seqs>(f) {
        let places = Value::lazy(Numbers::from(Some(1)));
        if let Some(q) = kind::<Powers>(g) {
            return subset(&product::of(&places, &p.base), &q.base, cx).ok();
        }
        let q = kind::<Arrows>(g)?;
        let functions = q.op == Op::PartialFun || q.op == Op::PartialInj && p.injective();
        let inside = functions && subset(&places, &q.dom, cx).ok()? && subset(&p.base, &q.ran, cx).ok()?;
        return inside.then_some(true);
    }
    // Of the subsets of an infinite set infinitely many are no sequences.
    if kind::<Powers>(f).is_some() && kind::<Seqs>(g).is_some() {
        return Some(false);
    }
    let a = kind::<Arrows>(f)?;
    let certainly = match (kind::<Powers>(g), kind::<Arrows>(g)) {
        (Some(q), _) => {
            let finite = |v| matches!(size(v, cx), Size::Exact(_));
            (!q.finite || finite(&a.dom) && a.functional())
                && subset(&product::of(&a.dom, &a.ran), &q.base, cx).ok()?
        }
        (_, Some(_)) => matches!(shaped_subset(f, g, cx), Some(Ok(true))),
        _ => false,
    };
    certainly.then_some(true)
}
