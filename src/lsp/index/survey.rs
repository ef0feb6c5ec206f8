//! What a use of a definition means for the names around it.
//!
//! In: the definitions of a machine. Out: for each, the names of its body that binders around a use may catch, the names that
//! its own binders may catch of arguments, and which parameters only name what a binder binds. Definitions are put in place of
//! their uses as they stand, so all of this happens.

use super::Scope;
use super::declare::definitions;
use crate::ops::Op;
use crate::resolve::written::Text;
use crate::source::Span;
use crate::syntax::ast::{DefBody, Definition, Ident, Name, Node, NodeKind, Subst, SubstKind};
use crate::syntax::walk::{self, Part};
use std::collections::{BTreeMap, BTreeSet};

/// What there is to know of a definition at its uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// Names of the body that are neither parameters nor bound in it, with their places.
    pub(super) free: BTreeMap<Name, Vec<Span>>,
    /// Names that the body binds.
    pub(super) binds: BTreeSet<Name>,
    /// By parameter, whether a binder in the body binds what it stands for.
    pub(super) binding: Vec<bool>,
    /// Definitions that the body uses, with the names bound around each use.
    calls: Vec<(Name, Vec<Name>)>,
}

/// All definitions of a machine, with what they use by way of others.
pub(super) fn surveys(texts: &[Text], at: usize, scope: &Scope) -> BTreeMap<Name, Survey> {
    let mut own = BTreeMap::new();
    for definition in definitions(texts, at) {
        let Definition::Body { name, params, body } = definition else { continue };
        let mut pass = Surveyor { scope, params, bound: Vec::new(), out: Survey::default() };
        pass.out.binding = vec![false; params.len()];
        match body {
            DefBody::Formula(node) => pass.node(node),
            DefBody::Subst(subst) => pass.subst(subst),
            DefBody::Names(names) => names.iter().for_each(|n| pass.name(&n.name, n.span)),
            DefBody::Unreadable(_) => {}
        }
        own.entry(name.name.clone()).or_insert(pass.out);
    }
    let mut done = BTreeMap::new();
    own.keys().for_each(|name| closed(name, &own, &mut done));
    done
}

/// Adds what a definition uses by way of others.
fn closed(name: &Name, own: &BTreeMap<Name, Survey>, done: &mut BTreeMap<Name, Survey>) {
    let Some(survey) = own.get(name).filter(|_| !done.contains_key(name)) else { return };
    // For those that use themselves: the first is cut off.
    done.insert(name.clone(), survey.clone());
    let mut whole = survey.clone();
    for (called, bound) in &survey.calls {
        closed(called, own, done);
        let Some(other) = done.get(called) else { continue };
        whole.binds.extend(other.binds.iter().cloned());
        for (free, places) in other.free.iter().filter(|(free, _)| !bound.contains(free)) {
            let all = whole.free.entry(free.clone()).or_default();
            all.extend(places);
            all.sort_unstable();
            all.dedup();
        }
    }
    done.insert(name.clone(), whole);
}

/// The names of a definition that is a list of names.
pub(super) fn list_of(body: &DefBody) -> Option<Vec<Ident>> {
    match body {
        DefBody::Names(names) => Some(names.clone()),
        DefBody::Formula(node) => names_of(node),
        DefBody::Subst(_) | DefBody::Unreadable(_) => None,
    }
}

/// The names of a tuple of names.
pub(super) fn names_of(node: &Node) -> Option<Vec<Ident>> {
    match &node.kind {
        NodeKind::Name(name) => Some(vec![Ident { name: name.clone(), span: node.span }]),
        NodeKind::Op(Op::Maplet, parts) => {
            parts.iter().map(names_of).collect::<Option<Vec<_>>>().map(|v| v.concat())
        }
        _ => None,
    }
}

/// The names of a formula that nothing in it binds.
pub(super) fn free_names(node: &Node, scope: &Scope) -> BTreeSet<Name> {
    let mut pass = Surveyor { scope, params: &[], bound: Vec::new(), out: Survey::default() };
    pass.node(node);
    pass.out.free.into_keys().collect()
}

struct Surveyor<'a> {
    scope: &'a Scope,
    params: &'a [Ident],
    bound: Vec<Name>,
    out: Survey,
}

impl Surveyor<'_> {
    fn name(&mut self, name: &Name, span: Span) {
        if self.bound.contains(name) || self.params.iter().any(|p| p.name == *name) {
            return;
        }
        if self.scope.definitions.contains_key(name) {
            self.out.calls.push((name.clone(), self.bound.clone()));
        } else {
            self.out.free.entry(name.clone()).or_default().push(span);
        }
    }

    fn bind<'i>(&mut self, idents: impl IntoIterator<Item = &'i Ident>) -> usize {
        let mark = self.bound.len();
        for ident in idents {
            let name = &ident.name;
            let param = self.params.iter().position(|p| p.name == *name);
            if let Some(at) = param.filter(|_| !self.bound.contains(name)) {
                self.out.binding.iter_mut().skip(at).take(1).for_each(|b| *b = true);
            } else {
                self.out.binds.insert(name.clone());
                self.bound.push(name.clone());
            }
        }
        mark
    }

    fn node(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Name(name) => self.name(name, node.span),
            NodeKind::Table(table) => table.rows.names.iter().for_each(|n| self.name(&n.name, n.span)),
            NodeKind::Let(equations, body) => {
                let mark = self.bound.len();
                for (ident, value) in equations {
                    self.node(value);
                    self.bind([ident]);
                }
                self.node(body);
                self.bound.truncate(mark);
            }
            _ => {
                let mark = self.bind(walk::bound(node));
                walk::children(node, &mut |child| self.node(child));
                self.bound.truncate(mark);
            }
        }
    }

    fn subst(&mut self, subst: &Subst) {
        let mark = self.bound.len();
        match &subst.kind {
            SubstKind::Let(equations, body) => {
                for (ident, value) in equations {
                    self.node(value);
                    self.bind([ident]);
                }
                self.subst(body);
            }
            kind => {
                if let SubstKind::Call { name, .. } = kind
                    && self.scope.definitions.contains_key(&name.name)
                {
                    self.name(&name.name, name.span);
                }
                self.bind(walk::bound_by_subst(subst));
                walk::parts(subst, &mut |part| match part {
                    Part::Node(node) => self.node(node),
                    Part::Subst(subst) => self.subst(subst),
                });
            }
        }
        self.bound.truncate(mark);
    }
}
