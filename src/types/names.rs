//! The types of declared names, as text, for those who show them.
//!
//! In: inference that has gone over a machine, whether or not it found mistakes. Out: types by the places of the declarations.
//! Copies of a machine share their places: the first one counts.

use super::infer::{Infer, key};
use super::unify::{Term, Tid};
use crate::source::Span;
use crate::syntax::ast::{Ident, Node, NodeKind, Subst};
use crate::syntax::walk::{self, Part};
use std::collections::BTreeMap;

/// The types of all declared names that have one.
pub(super) fn types(infer: &Infer<'_>) -> BTreeMap<Span, String> {
    let flat = infer.flat;
    let mut out = Types { infer, found: BTreeMap::new() };
    let globals =
        flat.constants.iter().zip(&infer.constants).chain(flat.variables.iter().zip(&infer.variables));
    globals.for_each(|(decl, t)| out.add(&decl.name, *t));
    let formulas = flat.properties.iter().chain(&flat.invariants).chain(&flat.assertions).chain(&flat.goal);
    formulas.for_each(|node| out.node(node));
    flat.initialisations.iter().for_each(|subst| out.subst(subst));
    for operation in &flat.operations {
        operation.params.iter().chain(&operation.results).for_each(|ident| out.bound(ident));
        out.subst(&operation.body);
    }
    out.found
}

struct Types<'i, 'f> {
    infer: &'i Infer<'f>,
    found: BTreeMap<Span, String>,
}

impl Types<'_, '_> {
    fn add(&mut self, ident: &Ident, t: Tid) {
        if !matches!(self.infer.terms.get(t), Term::Var(_)) {
            let text = || self.infer.text(t);
            self.found.entry(ident.span).or_insert_with(text);
        }
    }

    fn bound(&mut self, ident: &Ident) {
        if let Some(t) = self.infer.types.get(&key(ident)) {
            self.add(ident, *t);
        }
    }

    fn node(&mut self, node: &Node) {
        if walk::is_literal(node) {
            return;
        }
        match &node.kind {
            NodeKind::Name(_) | NodeKind::Ref(_) => {}
            _ => {
                walk::bound(node).into_iter().for_each(|ident| self.bound(ident));
                walk::children(node, &mut |child| self.node(child));
            }
        }
    }

    fn subst(&mut self, subst: &Subst) {
        walk::bound_by_subst(subst).into_iter().for_each(|ident| self.bound(ident));
        walk::parts(subst, &mut |part| match part {
            Part::Node(node) => self.node(node),
            Part::Subst(subst) => self.subst(subst),
        });
    }
}
