//! Equations between types, and what is said when they cannot hold.
//!
//! In: a node, the type found and the type needed, and what the need comes from. Out: one diagnostic that
//! names both types and both places, and where names among them got their types.

use super::infer::Infer;
use super::scheme::{self, Shape};
use super::unify::Tid;
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Op;
use crate::source::Span;
use crate::syntax::ast::{Entity, Node, NodeKind};

/// The other side of an equation: where the needed type comes from.
#[derive(Clone, Copy)]
pub(super) struct Other<'n> {
    /// Its place.
    pub(super) span: Span,
    /// Its type.
    pub(super) ty: Tid,
    /// What it is, as `the target`.
    pub(super) what: &'static str,
    /// The node, if it is one: a name tells where it got its type.
    pub(super) node: Option<&'n Node>,
}

impl<'n> Other<'n> {
    /// A node as the other side.
    pub(super) fn node(node: &'n Node, ty: Tid, what: &'static str) -> Self {
        Self { span: node.span, ty, what, node: Some(node) }
    }
}

impl<'f> Infer<'f> {
    /// Makes a node's type equal to `want`; reports both sides if that fails. `at` is the construct that
    /// demands it.
    pub(super) fn same(&mut self, node: &Node, got: Tid, want: Tid, at: Span, other: Option<Other<'_>>) {
        if !self.terms.unify(got, want, at) {
            self.mismatch(node, got, want, other);
        }
    }

    /// Types a node and makes its type equal to `want`.
    pub(super) fn expect(&mut self, node: &'f Node, want: Tid, other: Option<Other<'_>>) {
        let got = self.expr(node);
        self.same(node, got, want, node.span, other);
    }

    fn mismatch(&mut self, node: &Node, got: Tid, want: Tid, other: Option<Other<'_>>) {
        if self.is_too_large(node.span) {
            return;
        }
        let (found, wanted) = (self.text(got), self.text(want));
        let text = if self.terms.circular() {
            format!("expected type `{wanted}`, but no type can be a part of itself")
        } else {
            format!("expected type `{wanted}`, found `{found}`")
        };
        let mut d =
            Diagnostic::error(Code::TypeMismatch, node.span, text).with_label(format!("this is `{found}`"));
        if let Some(o) = other {
            d = d.with_other(o.span, format!("{} is `{}`", o.what, self.text(o.ty)));
        }
        if wanted == format!("POW({found})") {
            d = d.with_help("this is an element; braces make a set of it: `{e}`");
        } else if is_list(&found, &wanted) {
            d = d.with_help("this is a pair; braces make a set of its members: `{a, b}`");
        } else if found == format!("POW({wanted})") {
            d = d.with_help("this is a set of what is needed here");
        }
        let names = [Some(node), other.and_then(|o| o.node)];
        for node in names.into_iter().flatten() {
            d = self.with_origin(d, node);
        }
        self.errors.push(d);
    }

    /// Adds the place where a name got its type, if that is not a place shown already.
    fn with_origin(&self, d: Diagnostic, node: &Node) -> Diagnostic {
        let (name, t) = match &node.kind {
            NodeKind::Name(n) => (n, self.local(n)),
            NodeKind::Ref(Entity::Var(i)) => match self.flat.variables.get(*i as usize) {
                Some(v) => (&v.name.name, self.variables.get(*i as usize).copied()),
                None => return d,
            },
            NodeKind::Ref(Entity::Const(i)) => match self.flat.constants.get(*i as usize) {
                Some(c) => (&c.name.name, self.constants.get(*i as usize).copied()),
                None => return d,
            },
            _ => return d,
        };
        match t.and_then(|t| self.terms.origin(t)) {
            Some(place) if !overlaps(place, node.span) && d.span.is_none_or(|s| !overlaps(place, s)) => {
                d.with_other(place, format!("`{name}` gets its type here"))
            }
            _ => d,
        }
    }

    /// Reports that the last equation's types are too large, if that is why it failed.
    pub(super) fn is_too_large(&mut self, span: Span) -> bool {
        let large = self.terms.too_large();
        if large {
            self.error(Code::Unsupported, span, "a type of more than a million parts is not supported");
        }
        large
    }

    /// A type as text.
    pub(super) fn text(&self, t: Tid) -> String {
        self.terms.text(t, self.flat)
    }

    /// An expression stands where a predicate is needed.
    pub(super) fn not_a_predicate(&mut self, node: &'f Node) {
        let t = self.expr(node);
        let text = self.text(t);
        let message = "an expression stands where a predicate is needed";
        let mut d = Diagnostic::error(Code::MixedKinds, node.span, message);
        if text == "BOOL" {
            d = d.with_help("a value of BOOL becomes a predicate by `= TRUE`");
        }
        self.errors.push(d.with_label(format!("this is `{text}`")));
    }

    /// Whether `f : S => T` stands where `f : S --> T` is meant.
    pub(super) fn is_arrow(&self, a: &Node, b: &Node) -> bool {
        let (a, b) = (*conjuncts(a).last().unwrap_or(&a), *conjuncts(b).first().unwrap_or(&b));
        matches!(&a.kind, NodeKind::Op(Op::In, _)) && self.is_set(b)
    }

    /// Whether an expression is a set by its form.
    fn is_set(&self, node: &Node) -> bool {
        let declared = |t: Option<&Tid>| t.is_some_and(|t| self.text(*t).starts_with("POW"));
        match &node.kind {
            NodeKind::Op(op, _) => {
                let scheme = scheme::of(*op).and_then(|s| s.result.as_ref());
                matches!(scheme, Some(Shape::Pow(_) | Shape::Seq(_)))
            }
            NodeKind::Ref(Entity::Set(_)) => true,
            NodeKind::Ref(Entity::Var(i)) => declared(self.variables.get(*i as usize)),
            NodeKind::Ref(Entity::Const(i)) => declared(self.constants.get(*i as usize)),
            _ => false,
        }
    }

    /// `f : S => T`, where an arrow is meant.
    pub(super) fn arrow(&mut self, a: &'f Node, b: &'f Node) {
        let (mut left, mut right) = (conjuncts(a), conjuncts(b));
        let (Some(member), Some(to)) = (left.pop(), (!right.is_empty()).then(|| right.remove(0))) else {
            return;
        };
        left.into_iter().chain(right).for_each(|p| self.pred(p));
        let NodeKind::Op(_, args) = &member.kind else { return };
        let [f, from] = &args[..] else { return };
        let span = Span { hi: to.span.hi, ..from.span };
        self.errors.push(
            Diagnostic::error(Code::MixedKinds, span, "`=>` joins predicates, not sets")
                .with_help("functions are members of `S --> T` (total) or `S +-> T` (partial)"),
        );
        let (x, y) = (self.set_of(from), self.set_of(to));
        let function = self.terms.rel(x, y);
        self.expect(f, function, None);
    }

    /// `P || Q`, where a disjunction is meant.
    pub(super) fn bars(&mut self, span: Span, args: &'f [Node]) {
        self.errors.push(
            Diagnostic::error(Code::MixedKinds, span, "`||` joins no predicates")
                .with_help("a disjunction is written `P or Q`"),
        );
        args.iter().for_each(|p| self.pred(p));
    }

    /// A predicate stands where an expression is needed.
    pub(super) fn not_an_expression(&mut self, span: Span) -> Tid {
        self.errors.push(
            Diagnostic::error(Code::MixedKinds, span, "a predicate stands where an expression is needed")
                .with_help("`bool(P)` turns a predicate into a value of BOOL"),
        );
        self.terms.var()
    }
}

/// The parts of a conjunction.
fn conjuncts(node: &Node) -> Vec<&Node> {
    match &node.kind {
        NodeKind::And(all) => all.iter().collect(),
        _ => vec![node],
    }
}

fn overlaps(a: Span, b: Span) -> bool {
    a.file == b.file && a.lo < b.hi && b.lo < a.hi
}

/// Whether a type is that of `a, b, c`, and a set of what stands there is wanted.
fn is_list(found: &str, wanted: &str) -> bool {
    let Some(member) = wanted.strip_prefix("POW(").and_then(|w| w.strip_suffix(')')) else { return false };
    let parts = found.split('*').map(|part| part.trim_matches(['(', ')']));
    found.contains('*') && parts.into_iter().all(|part| part == member)
}
