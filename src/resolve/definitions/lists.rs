//! Lists of names in which a definition may stand for several names.
//!
//! In: names as written in a clause, a binder or an assignment target. Out: the names that are meant.

use super::expand::{Env, Expander};
use crate::ops::Op;
use crate::syntax::ast::{DefBody, Ident, Node, NodeKind};

/// The names of a tuple of names, or `None` if it holds anything else.
pub(super) fn names_of(node: &Node) -> Option<Vec<Ident>> {
    match &node.kind {
        NodeKind::Name(name) => Some(vec![Ident { name: name.clone(), span: node.span }]),
        NodeKind::Op(Op::Maplet, parts) => {
            let parts: Option<Vec<Vec<Ident>>> = parts.iter().map(names_of).collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}

impl Expander<'_> {
    /// Names to be declared: a definition that is a list of names gives its names, a formal parameter
    /// the names it stands for.
    pub(super) fn declared(&mut self, idents: Vec<Ident>, env: &Env) -> Vec<Ident> {
        idents.into_iter().flat_map(|ident| self.declared_by(ident, env)).collect()
    }

    fn declared_by(&mut self, ident: Ident, env: &Env) -> Vec<Ident> {
        if env.is_hidden(&ident.name) {
            return vec![ident];
        }
        if let Some(actual) = env.formal(&ident.name) {
            return names_of(actual).unwrap_or_else(|| vec![ident]);
        }
        let defs = self.defs;
        let Some(def) = defs.get(&ident.name).filter(|d| d.params.is_empty()) else { return vec![ident] };
        let names = match &def.body {
            DefBody::Names(names) => names.clone(),
            DefBody::Formula(node) => match names_of(node) {
                Some(names) => names,
                None => return vec![ident],
            },
            DefBody::Subst(_) | DefBody::Unreadable(_) => return vec![ident],
        };
        if !self.enter(def, ident.span) {
            return Vec::new();
        }
        let names = self.declared(names, &Env::default());
        self.leave();
        names
    }

    /// Assignment targets: a definition that is a list of names gives as many targets.
    pub(super) fn targets(&mut self, targets: Vec<Node>, env: &mut Env) -> Vec<Node> {
        let mut out = Vec::with_capacity(targets.len());
        for target in targets {
            let target = self.node(target, env);
            match names_of(&target) {
                Some(names) => {
                    out.extend(
                        names.into_iter().map(|n| Node { kind: NodeKind::Name(n.name), span: n.span }),
                    );
                }
                None => out.push(target),
            }
        }
        out
    }
}
