//! Formulas that say something else than they seem to, though nothing is wrong with them.
//!
//! In: a formula with names resolved. Out: a warning. Three kinds: `P or Q & R`, which is `(P or Q) & R` in B, where both signs have
//! one priority; `!x.(x : S & P)`, which claims that everything is in S; and a clause `x : S & P => Q`, which says nothing where
//! its beginning is false. Parentheses are seen by the places: a formula in parentheses is longer than its parts.

use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Op;
use crate::syntax::ast::{Entity, Ident, Node, NodeKind};

/// What may be misread at the head of a formula.
pub(super) fn warning(node: &Node) -> Option<Diagnostic> {
    match &node.kind {
        NodeKind::And(parts) => mixed(node, parts.first()?),
        NodeKind::Forall(names, body) => claimed(node, names, body),
        _ => None,
    }
}

/// The same of a conjunction and the conjunctions that are its parts, which are resolved one by one.
pub(super) fn warnings(node: &Node, out: &mut Vec<Diagnostic>) {
    if let NodeKind::And(parts) = &node.kind {
        out.extend(warning(node));
        parts.iter().for_each(|p| warnings(p, out));
    }
}

/// A whole clause `x : S & P => Q` or `x : S & P or Q`: what seems to be said in any case is a part only.
pub(super) fn whole(node: &Node, clause: &str) -> Option<Diagnostic> {
    let (first, what, sign, part) = match &node.kind {
        NodeKind::Implies(first, _) => (&**first, "implication", "=>", "the premise"),
        NodeKind::Or(parts) => (parts.first()?, "disjunction", "or", "one of its sides"),
        _ => return None,
    };
    let NodeKind::And(parts) = &first.kind else { return None };
    let (begin, end) = (parts.first()?, parts.last()?);
    let bare =
        node.span.lo == first.span.lo && begin.span.lo == first.span.lo && end.span.hi == first.span.hi;
    let types = |p: &Node| match &p.kind {
        NodeKind::Op(Op::In | Op::Subset | Op::StrictSubset, args) => {
            matches!(args.first().map(|x| &x.kind), Some(NodeKind::Name(_)))
        }
        _ => false,
    };
    (bare && types(begin)).then(|| {
        let text = format!("the whole {clause} is one {what}: nothing before `{sign}` is said in any case");
        Diagnostic::warning(Code::Misread, end.span, text)
            .with_other(begin.span, format!("is part of {part}"))
            .with_help(format!("parentheses say what is meant: `.. & (P {sign} Q)`, or `(.. & P) {sign} Q`"))
    })
}

/// `P or Q & R`.
fn mixed(node: &Node, first: &Node) -> Option<Diagnostic> {
    let NodeKind::Or(parts) = &first.kind else { return None };
    let (begin, end) = (parts.first()?, parts.last()?);
    let bare = begin.span.lo == first.span.lo && end.span.hi == first.span.hi;
    bare.then(|| {
        let text = "`or` and `&` have one priority: this is `(P or Q) & R`";
        Diagnostic::warning(Code::Misread, node.span, text)
            .with_other(first.span, "this is one conjunct")
            .with_help("parentheses say what is meant: `(P or Q) & R`, or `P or (Q & R)`")
    })
}

/// `!x.(x : S & P)`.
fn claimed(node: &Node, names: &[Ident], body: &Node) -> Option<Diagnostic> {
    let NodeKind::And(parts) = &body.kind else { return None };
    let member = parts.iter().find(|p| narrows(p, names))?;
    let text = "this is false unless the conjunction is true of every value: `!` has `&` where `=>` is usual";
    Some(
        Diagnostic::warning(Code::Misread, node.span, text)
            .with_other(member.span, "is false of other values")
            .with_help("of the members of S: `!x.(x : S => P)`"),
    )
}

/// Whether a conjunct says that a name is in some set that is no type.
fn narrows(p: &Node, names: &[Ident]) -> bool {
    let NodeKind::Op(Op::In, args) = &p.kind else { return false };
    let [x, set] = &args[..] else { return false };
    let bound = matches!(&x.kind, NodeKind::Name(n) if names.iter().any(|i| i.name == *n));
    let whole = match &set.kind {
        NodeKind::Op(op, args) => match op {
            Op::Integer | Op::BoolSet | Op::StringSet | Op::RealSet => true,
            Op::Pow | Op::Product | Op::Rel => !args.is_empty(),
            _ => false,
        },
        NodeKind::Ref(Entity::Set(_) | Entity::FreeType(_)) | NodeKind::Error => true,
        _ => false,
    };
    bound && !whole
}
