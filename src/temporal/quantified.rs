//! Names that a formula binds, and the values that they are given.
//!
//! In: `!p.({p : S} => f)`, who knows the values. Out: the names with one choice of values after the other, put around the B in which they
//! occur. Siblings: `lower`.

use super::ast::{self, Atom, AtomKind, Form, Name};
use super::lower::Refused;
use super::text::Text;
use crate::ops::Op;
use crate::syntax::ast::{Entity, Ident, Node, NodeKind};
use crate::ty::Ty;
use crate::value::Value;

/// A bound name.
#[derive(Clone, Debug)]
pub struct Bound {
    ident: Ident,
    /// Its value, also in words; without one mistakes are looked for.
    value: Option<(Node, String)>,
    /// The predicate that says which values are meant, at the last of names bound together.
    guard: Option<Node>,
}

/// Where names are bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In front of the whole formula, for all values: one value may stand for others.
    Front,
    /// Where the first state is meant.
    Here,
    /// Where other states are meant.
    Elsewhere,
}

/// A choice of values for names that are bound together, each as a formula and in words.
pub type Row = Vec<(Node, String)>;

/// Who knows the values that names may have.
pub struct Candidates<'a> {
    /// The members of a resolved comprehension over all states that paths begin in: a row for each choice.
    pub find: &'a mut dyn FnMut(&Node, Place) -> Result<Vec<Row>, Refused>,
}

/// The predicate that says which values of bound names are meant.
pub(super) fn guard(all: bool, body: &Form) -> Option<ast::Place> {
    match (body, all) {
        (Form::Atom(Atom { kind: AtomKind::Holds(place), .. }), _) => Some(place.clone()),
        (Form::Implies(f, _), true) => guard(false, f),
        (Form::And(f, _), false) => guard(false, f),
        _ => None,
    }
}

impl Bound {
    pub(super) fn names(names: &[Name], text: &Text, read: Node) -> Vec<Self> {
        let one = |n: &Name| Ident { name: n.text.as_str().into(), span: text.span(&n.place) };
        let mut all: Vec<Self> =
            names.iter().map(|n| Self { ident: one(n), value: None, guard: None }).collect();
        if let Some(last) = all.last_mut() {
            last.guard = Some(read);
        }
        all
    }

    pub(super) fn with(names: &[Self], values: Row) -> Vec<Self> {
        let one = |(b, v): (&Self, (Node, String))| Self { value: Some(v), ..b.clone() };
        names.iter().zip(values).map(one).collect()
    }

    /// `{p, q | P}`.
    pub(super) fn comprehension(names: &[Self], read: Node) -> Node {
        let span = read.span;
        Node { kind: NodeKind::Compr(names.iter().map(|b| b.ident.clone()).collect(), Box::new(read)), span }
    }

    /// The name with its value.
    #[must_use]
    pub fn shown(&self) -> Option<String> {
        let value = self.value.as_ref()?;
        Some(format!("{} = {}", self.ident.name, value.1))
    }

    pub(super) fn key(&self) -> String {
        let value = self.value.as_ref().map_or(String::new(), |v| format!("{:?}", v.0.kind));
        format!("{} = {value}", self.ident.name)
    }

    /// The names around a formula, inner ones last.
    pub(super) fn around(bound: &[Self], node: Node) -> Node {
        let span = node.span;
        let wrap = |inner: Node, b: &Self| {
            let name = b.ident.clone();
            let kind = if let Some((value, _)) = &b.value {
                NodeKind::Let(vec![(name, value.clone())], Box::new(inner))
            } else {
                let both = |g: &Node| NodeKind::And(vec![g.clone(), inner.clone()]);
                let inner = b.guard.as_ref().map_or_else(|| inner.clone(), |g| Node { kind: both(g), span });
                NodeKind::Exists(vec![name], Box::new(inner))
            };
            Node { kind, span }
        };
        bound.iter().rev().fold(node, wrap)
    }
}

/// The values of so many names that are bound together, of one value for all of them.
#[must_use]
pub fn parts(mut value: Value, mut ty: Ty, names: usize) -> Vec<(Value, Ty)> {
    let mut out = Vec::new();
    while out.len() + 1 < names
        && let (Value::Pair(p), Ty::Pair(a, b)) = (&value, &ty)
    {
        out.push((p.1.clone(), (**b).clone()));
        (value, ty) = (p.0.clone(), (**a).clone());
    }
    out.push((value, ty));
    out.reverse();
    out
}

/// A value as a formula; `None` if it cannot be written as one.
#[must_use]
pub fn spelled(value: &Value, ty: &Ty, like: &Node) -> Option<Node> {
    let span = like.span;
    let kind = match (value, ty) {
        (Value::Elem(set, i), _) => NodeKind::Ref(Entity::Element(*set, *i)),
        (Value::Bool(b), _) => NodeKind::Op(if *b { Op::TrueValue } else { Op::FalseValue }, Vec::new()),
        (Value::Int(n), _) => NodeKind::Int((*n).into()),
        (Value::Str(s), _) => NodeKind::Str(s.as_ref().into()),
        (Value::Pair(p), Ty::Pair(a, b)) => {
            NodeKind::Op(Op::Maplet, vec![spelled(&p.0, a, like)?, spelled(&p.1, b, like)?])
        }
        (Value::Set(s), Ty::Pow(of)) if !s.items().is_empty() => {
            NodeKind::SetExt(s.items().iter().map(|v| spelled(v, of, like)).collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(Node { kind, span })
}
