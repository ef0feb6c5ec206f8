//! What a machine declares.
//!
//! In: one text, those that it refers to having been here before. Out: declarations, and the scope of the machine. What a
//! refinement repeats of the machine that it refines is a place of the same declaration.

use super::scope::{Child, parts};
use super::survey::list_of;
use super::{Decl, Index, Kind, Scope};
use crate::resolve::Link;
use crate::resolve::written::Text;
use crate::source::{Sources, Span};
use crate::syntax::ast::{
    ClauseKind, DefBody, Definition, Ident, MachineRef, Name, Node, NodeKind, Operation, SetDecl, SetKind,
};
use std::collections::BTreeMap;

/// Declares what a machine has, and makes its scope.
pub(super) fn text(index: &mut Index, texts: &[Text], at: usize, sources: &Sources) {
    let Some(text) = texts.get(at) else { return };
    let mut pass = Declarer {
        scope: Scope::default(),
        refined: None,
        bodies: bodies(texts, at),
        index,
        texts,
        at,
        sources,
    };
    pass.definitions();
    let children = pass.children(text);
    pass.refined = children.iter().find(|c| c.link == Link::Refines).map(|c| c.to);
    if !text.machine.name.name.is_empty() {
        pass.index.declare(Decl::new(&text.machine.name, Kind::Machine));
    }
    for param in &text.machine.params {
        pass.name(param, Kind::MachineParameter, None);
    }
    for clause in &text.machine.clauses {
        pass.clause(&clause.kind);
    }
    let mut scope = pass.scope;
    for child in &children {
        if let Some(other) = index.scopes.get(child.to) {
            scope.through(child, other, index);
        }
    }
    for clause in &text.machine.clauses {
        let ClauseKind::Promotes(names) = &clause.kind else { continue };
        names.iter().for_each(|name| scope.promote(&name.name));
    }
    if let Some(slot) = index.scopes.get_mut(at) {
        *slot = scope;
    }
}

/// The definitions of a machine, those of its definition files included.
pub(super) fn definitions(texts: &[Text], at: usize) -> impl Iterator<Item = &Definition> {
    let own = texts.iter().enumerate().filter(move |(i, t)| *i == at || t.owner == Some(at));
    own.flat_map(|(_, t)| &t.machine.clauses).flat_map(|c| match &c.kind {
        ClauseKind::Definitions(all) => all.as_slice(),
        _ => &[],
    })
}

fn bodies(texts: &[Text], at: usize) -> BTreeMap<&Name, &DefBody> {
    definitions(texts, at).filter_map(body_of).collect()
}

fn body_of(definition: &Definition) -> Option<(&Name, &DefBody)> {
    match definition {
        Definition::Body { name, params, body } if params.is_empty() => Some((&name.name, body)),
        _ => None,
    }
}

struct Declarer<'a> {
    index: &'a mut Index,
    texts: &'a [Text],
    at: usize,
    sources: &'a Sources,
    scope: Scope,
    /// The text of the refined machine.
    refined: Option<usize>,
    /// Definitions without parameters.
    bodies: BTreeMap<&'a Name, &'a DefBody>,
}

impl Declarer<'_> {
    fn definitions(&mut self) {
        let texts = self.texts;
        for definition in definitions(texts, self.at) {
            let Definition::Body { name, params, body } = definition else { continue };
            let end = match body {
                DefBody::Formula(node) => node.span,
                DefBody::Subst(subst) => subst.span,
                DefBody::Names(names) => names.last().map_or(name.span, |n| n.span),
                DefBody::Unreadable(_) => name.span,
            };
            let decl = Decl {
                whole: name.span.to(end),
                params: params.clone(),
                ..Decl::new(name, Kind::Definition)
            };
            let decl = self.index.declare(decl);
            self.scope.definitions.entry(name.name.clone()).or_insert(decl);
        }
    }

    /// The machines that this one refers to.
    fn children(&mut self, text: &Text) -> Vec<Child> {
        let mut out = Vec::new();
        if let Some(refined) = &text.machine.refines
            && let Some(to) = linked(text, refined.span)
        {
            self.machine(to, refined.span);
            out.push(Child { link: Link::Refines, prefix: None, to });
        }
        for clause in &text.machine.clauses {
            let ClauseKind::References(kind, refs) = &clause.kind else { continue };
            for reference in refs {
                out.extend(self.child(text, (*kind).into(), reference));
            }
        }
        out
    }

    fn child(&mut self, text: &Text, link: Link, reference: &MachineRef) -> Option<Child> {
        // Prefix and name share the place of both.
        let span = reference.name.span;
        let parts = parts(self.sources.text(span), span);
        let prefix = reference.prefix.as_ref().map(|prefix| {
            let span = parts.first().copied().unwrap_or(prefix.span);
            let ident = Ident { name: prefix.name.clone(), span };
            (prefix.name.clone(), self.index.declare(Decl::new(&ident, Kind::Prefix)))
        });
        let to = linked(text, span)?;
        self.machine(to, parts.last().copied().unwrap_or(span));
        Some(Child { link, prefix, to })
    }

    /// A place that names a machine.
    fn machine(&mut self, to: usize, span: Span) {
        let Some(name) = self.texts.get(to).map(|t| t.machine.name.clone()) else { return };
        if !name.name.is_empty() {
            let decl = self.index.declare(Decl::new(&name, Kind::Machine));
            self.index.mention(span, decl, false);
        }
    }

    /// What the refined machine shows under a name.
    fn behind(&self, name: &str, operation: bool) -> Option<usize> {
        self.index.scopes.get(self.refined?)?.shows(name, operation)
    }

    fn name(&mut self, ident: &Ident, kind: Kind, owner: Option<&Ident>) {
        let again = self.scope.names.get(&ident.name).map(|e| e.decl);
        let decl = match again.or_else(|| self.behind(&ident.name, false)) {
            Some(decl) => {
                self.index.mention(ident.span, decl, true);
                decl
            }
            None => {
                self.index.declare(Decl { owner: owner.map(|o| o.name.clone()), ..Decl::new(ident, kind) })
            }
        };
        self.scope.own(&ident.name, decl);
    }

    /// Names of a clause; one may be a definition that is a list of names.
    fn names(&mut self, idents: &[Ident], kind: Kind) {
        for ident in idents {
            match self.bodies.get(&ident.name).and_then(|body| list_of(body)) {
                Some(names) => {
                    let decl = self.scope.definitions.get(&ident.name).copied();
                    decl.into_iter().for_each(|d| self.index.mention(ident.span, d, false));
                    names.iter().for_each(|name| self.name(name, kind, None));
                }
                None => self.name(ident, kind, None),
            }
        }
    }

    fn clause(&mut self, clause: &ClauseKind) {
        match clause {
            ClauseKind::Sets(sets) => sets.iter().for_each(|set| self.set(set)),
            ClauseKind::FreeTypes(types) => {
                for (name, constructors) in types {
                    self.name(name, Kind::FreeType, None);
                    constructors.iter().for_each(|(c, _)| self.name(c, Kind::Constructor, Some(name)));
                }
            }
            ClauseKind::Constants(_, names) => self.names(names, Kind::Constant),
            ClauseKind::Variables(_, names) => self.names(names, Kind::Variable),
            ClauseKind::Operations(all) => all.iter().for_each(|o| self.operation(o, false)),
            ClauseKind::LocalOperations(all) => all.iter().for_each(|o| self.operation(o, true)),
            _ => {}
        }
    }

    fn set(&mut self, set: &SetDecl) {
        self.name(&set.name, Kind::Set, None);
        let elements = match &set.kind {
            SetKind::Enumerated(elements) => elements.clone(),
            SetKind::Deferred => Vec::new(),
            SetKind::ByDefinition(name) => {
                let decl = self.scope.definitions.get(&name.name).copied();
                decl.into_iter().for_each(|d| self.index.mention(name.span, d, false));
                self.bodies.get(&name.name).map(|body| elements_of(body)).unwrap_or_default()
            }
        };
        elements.iter().for_each(|e| self.name(e, Kind::Element, Some(&set.name)));
    }

    fn operation(&mut self, operation: &Operation, local: bool) {
        let ident = &operation.name;
        let again = self.scope.calls.get(&ident.name).map(|e| e.decl);
        let behind = || if operation.refines.is_none() { self.behind(&ident.name, true) } else { None };
        let decl = match again.or_else(behind) {
            Some(decl) => {
                let span = parts(self.sources.text(ident.span), ident.span).last().copied();
                self.index.mention(span.unwrap_or(ident.span), decl, true);
                decl
            }
            None => self.index.declare(Decl {
                whole: operation.span,
                results: operation.results.clone(),
                params: operation.params.clone(),
                ..Decl::new(ident, Kind::Operation)
            }),
        };
        if let Some(refined) = &operation.refines
            && let Some(decl) = self.behind(&refined.name, true)
        {
            self.index.mention(refined.span, decl, false);
        }
        self.scope.own_call(&ident.name, decl, local);
    }
}

/// The text that a reference of a text is to.
fn linked(text: &Text, span: Span) -> Option<usize> {
    text.links.iter().find(|link| link.span == span).map(|link| link.to)
}

/// The elements of a set that a definition lists.
fn elements_of(body: &DefBody) -> Vec<Ident> {
    let DefBody::Formula(Node { kind: NodeKind::SetExt(items), .. }) = body else { return Vec::new() };
    let ident = |n: &Node| match &n.kind {
        NodeKind::Name(name) => Some(Ident { name: name.clone(), span: n.span }),
        _ => None,
    };
    items.iter().filter_map(ident).collect()
}
