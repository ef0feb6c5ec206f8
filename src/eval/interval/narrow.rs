//! Comparisons of terms, and how they narrow the intervals of their variables.
//!
//! In: comparisons, the interval of each variable. Out: narrower ones, until nothing changes, or that there is no solution.
//! Absent: what a single term says of its variables (`interval`).

use super::{Interval, Ranges, Term};
use smallvec::SmallVec;

/// How two terms compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::eval) enum Rel {
    Eq,
    Neq,
    Le,
    Lt,
}

/// How two terms are to compare.
pub(in crate::eval) type Comparison = (Rel, Term, Term);

/// Narrows all variables by all comparisons until nothing changes (or long enough); false if some variable
/// has no value left.
pub(in crate::eval) fn propagate(comparisons: &[Comparison], doms: &mut [Interval]) -> bool {
    let all: SmallVec<[(&Comparison, u64); 64]> = comparisons.iter().map(|c| (c, variables(c))).collect();
    propagate_from(&all, 0, 0, doms)
}

/// The same, given the [variables] of each comparison; the first `old` ones have been looked at, with all but the
/// variables whose bits are in `changed` as they are.
pub(in crate::eval) fn propagate_from(
    comparisons: &[(&Comparison, u64)],
    old: usize,
    changed: u64,
    doms: &mut [Interval],
) -> bool {
    if doms.iter().any(Interval::is_empty) {
        return false;
    }
    let mut at = Ranges { doms, changed, empty: false };
    for round in 0..200 {
        let before = std::mem::take(&mut at.changed);
        for (i, (comparison, mine)) in comparisons.iter().enumerate() {
            // It was looked at with all its variables as they are.
            if (round > 0 || i < old) && mine & (before | at.changed) == 0 {
                continue;
            }
            if !narrow_by(comparison, &mut at) || at.empty {
                return false;
            }
        }
        if at.changed == 0 {
            break;
        }
    }
    true
}

/// The bits of the variables in a comparison.
pub(in crate::eval) fn variables((_, a, b): &Comparison) -> u64 {
    a.variables() | b.variables()
}

/// Narrows variables by a comparison; false if it cannot hold.
#[inline]
fn narrow_by((rel, a, b): &Comparison, at: &mut Ranges<'_>) -> bool {
    if *rel == Rel::Neq {
        // Most such comparisons say nothing yet: all of several differ, and few are known.
        let (m, n) = (a.single(at.doms), b.single(at.doms));
        return n.is_none_or(|n| apart(a, n, at)) && m.is_none_or(|m| apart(b, m, at));
    }
    narrow_by_order(*rel, (a, b), at)
}

fn narrow_by_order(rel: Rel, (a, b): (&Term, &Term), at: &mut Ranges<'_>) -> bool {
    let ib = b.interval(at.doms);
    if let (Term::Lin(..) | Term::Add(_), Term::Known(_)) = (a, b) {
        // Where the sum cannot lie there is found when its parts are narrowed.
        let to = match rel {
            Rel::Eq => ib,
            _ => Interval::new(None, ib.hi().map(|n| n - i128::from(rel == Rel::Lt))),
        };
        a.within(to, at);
        return true;
    }
    let ia = a.interval(at.doms);
    match rel {
        Rel::Eq => {
            if ia.meet(ib).is_empty() {
                return false;
            }
            a.within(ib, at);
            b.within(a.interval(at.doms).meet(ia), at);
        }
        Rel::Le | Rel::Lt => {
            let gap = i128::from(rel == Rel::Lt);
            if matches!((ia.lo(), ib.hi()), (Some(l), Some(h)) if l > h - gap) {
                return false;
            }
            a.within(Interval::new(None, ib.hi().map(|n| n - gap)), at);
            b.within(Interval::new(ia.lo().map(|n| n + gap), None), at);
        }
        Rel::Neq => {}
    }
    true
}

/// Takes a single value away from the ends of a variable; false if a term has no other value.
fn apart(t: &Term, n: i128, at: &mut Ranges<'_>) -> bool {
    if let Term::Var(v) = t {
        let d = at.doms[*v];
        if d.least != n && d.most != n {
            return true;
        }
        let (lo, hi) = (d.least + i128::from(d.least == n), d.most - i128::from(d.most == n));
        at.set(*v, Interval::between(lo, hi));
        return lo <= hi;
    }
    t.interval(at.doms).single() != Some(n)
}
