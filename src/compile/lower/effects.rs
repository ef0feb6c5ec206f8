//! What substitutions read, write and call.
//!
//! In: a [`Subst`] and its machine. Out: variables by number, operations by number; operations that are called are looked
//! into, however deep. Nothing is compiled here.

use super::free::in_subst;
use crate::ir::{Expr, ExprKind, Machine, Place, Subst, SubstKind};
use std::collections::BTreeSet;

/// What a substitution may write, operations it calls included; of these no locals.
pub(crate) fn writes(s: &Subst, m: &Machine) -> BTreeSet<Place> {
    let mut out = BTreeSet::new();
    for (i, part) in called(s, m).into_iter().enumerate() {
        in_subst(part, &mut |_| {}, &mut |t| {
            if i == 0 || matches!(t.place, Place::Var(_)) {
                out.insert(t.place);
            }
        });
    }
    out
}

/// The variables among them.
pub(crate) fn written(s: &Subst, m: &Machine) -> BTreeSet<usize> {
    let var = |p| if let Place::Var(v) = p { Some(v.0 as usize) } else { None };
    writes(s, m).into_iter().filter_map(var).collect()
}

/// The variables that a substitution reads, operations it calls included.
pub(crate) fn read(s: &Subst, m: &Machine) -> BTreeSet<usize> {
    let (mut out, mut targets) = (BTreeSet::new(), Vec::new());
    for part in called(s, m) {
        // What is changed at one place keeps the others.
        in_subst(part, &mut |e| note(e, &mut out), &mut |t| {
            if !t.path.is_empty()
                && let Place::Var(v) = t.place
            {
                targets.push(v.0 as usize);
            }
        });
    }
    out.extend(targets);
    out
}

/// Adds the variable that an expression is.
pub(crate) fn note(e: &Expr, out: &mut BTreeSet<usize>) {
    if let ExprKind::Var(v) | ExprKind::Old(v) = e.kind {
        out.insert(v.0 as usize);
    }
}

/// The operations that a substitution calls.
pub(crate) fn calls(s: &Subst) -> Vec<u32> {
    let call = |s: &Subst| if let SubstKind::Call { op, .. } = s.kind { Some(op) } else { None };
    parts(s).into_iter().filter_map(call).collect()
}

/// A substitution and the bodies of all operations that it calls, however deep.
pub(crate) fn called<'s>(s: &'s Subst, m: &'s Machine) -> Vec<&'s Subst> {
    let (mut out, mut met) = (vec![s], BTreeSet::new());
    let mut next = 0;
    while let Some(s) = out.get(next).copied() {
        next += 1;
        let new = calls(s).into_iter().filter(|op| met.insert(*op));
        out.extend(new.filter_map(|op| m.operations.get(op as usize)).map(|o| &o.called));
    }
    out
}

/// Whether there is a WHILE in a substitution, operations it calls included.
pub(crate) fn loops(s: &Subst, m: &Machine) -> bool {
    let repeats = |s: &Subst| parts(s).into_iter().any(|s| matches!(s.kind, SubstKind::While { .. }));
    called(s, m).into_iter().any(repeats)
}

/// A substitution and all that it is made of.
pub(super) fn parts(s: &Subst) -> Vec<&Subst> {
    let mut out = vec![s];
    let mut next = 0;
    while let Some(s) = out.get(next).copied() {
        next += 1;
        match &s.kind {
            SubstKind::Pre(_, s)
            | SubstKind::Assert(_, s)
            | SubstKind::Any(_, s)
            | SubstKind::Let(_, s)
            | SubstKind::Var(_, s)
            | SubstKind::While { body: s, .. } => out.push(s),
            SubstKind::Choice(ss) | SubstKind::Seq(ss) | SubstKind::Par(ss) => out.extend(ss),
            SubstKind::Select(bs, other) | SubstKind::If(bs, other) => {
                out.extend(bs.iter().map(|(_, s)| s));
                out.extend(other.as_deref());
            }
            SubstKind::Case(_, bs, other) => {
                out.extend(bs.iter().map(|(_, s)| s));
                out.extend(other.as_deref());
            }
            _ => {}
        }
    }
    out
}
