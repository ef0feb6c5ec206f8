//! What the names in formulas and substitutions mean.
//!
//! In: a machine as written, its scope. Out: places of declarations, and declarations of locals. Innermost first: locals,
//! definitions, what the machine knows. A name that means nothing is no place.

use super::declare::definitions;
use super::scope::Entry;
use super::survey::{self, Survey, free_names, list_of, names_of};
use super::{Decl, Index, Kind, Scope};
use crate::resolve::written::Text;
use crate::source::{Sources, Span};
use crate::syntax::ast::{
    ClauseKind, DefBody, Definition, Ident, Name, Node, NodeKind, Operation, Subst, SubstKind,
};
use crate::syntax::table::spelled;
use crate::syntax::walk::{self, Part};
use std::collections::BTreeMap;

/// Finds the places in a machine and in its definition files.
pub(super) fn text(index: &mut Index, texts: &[Text], at: usize, sources: &Sources) {
    let Some(text) = texts.get(at) else { return };
    let scope = index.scopes.get(at).cloned().unwrap_or_default();
    let surveys = survey::surveys(texts, at, &scope);
    let bodies = definitions(texts, at).filter_map(|d| match d {
        Definition::Body { name, params, body } if params.is_empty() => Some((&name.name, list_of(body)?)),
        _ => None,
    });
    let mut pass = Walker {
        lists: bodies.collect(),
        scope: &scope,
        surveys: &surveys,
        locals: Vec::new(),
        owner: None,
        index,
        sources,
    };
    for definition in definitions(texts, at) {
        pass.definition(definition);
    }
    for clause in &text.machine.clauses {
        pass.clause(&clause.kind);
    }
}

struct Walker<'a> {
    index: &'a mut Index,
    sources: &'a Sources,
    scope: &'a Scope,
    surveys: &'a BTreeMap<Name, Survey>,
    /// Definitions that are lists of names.
    lists: BTreeMap<&'a Name, Vec<Ident>>,
    /// Bound names, innermost last.
    locals: Vec<(Name, usize)>,
    /// The operation or definition at hand.
    owner: Option<Name>,
}

impl Walker<'_> {
    fn definition(&mut self, definition: &Definition) {
        let Definition::Body { name, params, body } = definition else { return };
        self.owner = Some(name.name.clone());
        let whole = match body {
            DefBody::Formula(node) => name.span.to(node.span),
            DefBody::Subst(subst) => name.span.to(subst.span),
            DefBody::Names(_) | DefBody::Unreadable(_) => name.span,
        };
        for param in params {
            self.declare(param, Kind::DefinitionParameter, whole);
        }
        match body {
            DefBody::Formula(node) => self.node(node),
            DefBody::Subst(subst) => self.subst(subst),
            DefBody::Names(names) => names.iter().for_each(|n| self.name(&n.name, n.span)),
            DefBody::Unreadable(_) => {}
        }
        self.locals.clear();
        self.owner = None;
    }

    fn clause(&mut self, clause: &ClauseKind) {
        match clause {
            ClauseKind::Properties(p) | ClauseKind::Constraints(p) | ClauseKind::Invariant(p) => self.node(p),
            ClauseKind::Assertions(all) => all.iter().for_each(|p| self.node(p)),
            ClauseKind::Initialisation(s) => self.subst(s),
            ClauseKind::Operations(all) | ClauseKind::LocalOperations(all) => {
                all.iter().for_each(|o| self.operation(o));
            }
            ClauseKind::FreeTypes(types) => {
                let arguments = types.iter().flat_map(|(_, constructors)| constructors);
                arguments.filter_map(|(_, a)| a.as_ref()).for_each(|a| self.node(a));
            }
            ClauseKind::References(_, refs) => refs.iter().flat_map(|r| &r.args).for_each(|a| self.node(a)),
            ClauseKind::Promotes(names) => {
                for name in names {
                    if let Some(entry) = self.scope.candidate(&name.name) {
                        self.entry(name.span, entry);
                    }
                }
            }
            ClauseKind::Values(values) => {
                for (name, value) in values {
                    self.name(&name.name, name.span);
                    self.node(value);
                }
            }
            ClauseKind::Sets(_)
            | ClauseKind::Constants(..)
            | ClauseKind::Variables(..)
            | ClauseKind::Definitions(_) => {}
        }
    }

    fn operation(&mut self, operation: &Operation) {
        self.owner = Some(operation.name.name.clone());
        self.bind(&operation.params, Kind::Parameter, operation.span);
        self.bind(&operation.results, Kind::Result, operation.span);
        self.subst(&operation.body);
        self.locals.clear();
        self.owner = None;
    }

    fn local(&self, name: &str) -> Option<usize> {
        self.locals.iter().rev().find(|(n, _)| **n == *name).map(|(_, decl)| *decl)
    }

    fn declare(&mut self, ident: &Ident, kind: Kind, scope: Span) {
        let decl = Decl { scope: Some(scope), owner: self.owner.clone(), ..Decl::new(ident, kind) };
        let decl = self.index.declare(decl);
        self.locals.push((ident.name.clone(), decl));
    }

    /// Binds names until the locals are cut at the mark that is returned.
    fn bind<'i>(&mut self, idents: impl IntoIterator<Item = &'i Ident>, kind: Kind, scope: Span) -> usize {
        let mark = self.locals.len();
        for ident in idents {
            let local = self.local(&ident.name);
            let kind_of = |at: usize| self.index.decls.get(at).map(|d| d.kind);
            match local {
                // A parameter stands for the name that is bound.
                Some(at) if kind_of(at) == Some(Kind::DefinitionParameter) => {
                    self.index.mention(ident.span, at, false);
                }
                None if self.lists.contains_key(&ident.name) => {
                    let names = self.lists.get(&ident.name).cloned().unwrap_or_default();
                    let decl = self.scope.definitions.get(&ident.name).copied();
                    decl.into_iter().for_each(|d| self.index.mention(ident.span, d, false));
                    names.iter().for_each(|name| self.declare(name, kind, scope));
                }
                _ => self.declare(ident, kind, scope),
            }
        }
        mark
    }

    fn entry(&mut self, span: Span, entry: &Entry) {
        self.index.mention_entry(self.sources.text(span), span, entry, false);
    }

    fn name(&mut self, name: &Name, span: Span) {
        if let Some(decl) = self.local(name) {
            self.index.mention(span, decl, false);
        } else if let Some(decl) = self.scope.definitions.get(name) {
            self.index.mention(span, *decl, false);
            self.catch(name);
        } else if let Some(entry) = self.scope.get(name) {
            self.entry(span, entry);
        }
    }

    /// Names in the body of a definition that locals around its use catch.
    fn catch(&mut self, definition: &Name) {
        let Some(survey) = self.surveys.get(definition) else { return };
        for (i, (name, decl)) in self.locals.iter().enumerate() {
            let hidden = self.locals.iter().skip(i + 1).any(|(n, _)| n == name);
            let real = self.index.decls.get(*decl).is_some_and(|d| d.kind != Kind::DefinitionParameter);
            for span in survey.free.get(name).into_iter().flatten().filter(|_| real && !hidden) {
                self.index.mention(*span, *decl, false);
            }
        }
    }

    /// Arguments; those of a definition may name what its body binds.
    fn arguments(&mut self, name: &Name, arguments: &[Node], whole: Span) {
        let mark = self.locals.len();
        let survey = self.surveys.get(name).filter(|_| self.local(name).is_none());
        if let Some(survey) = survey {
            for (argument, binding) in arguments.iter().zip(&survey.binding) {
                if let Some(names) = names_of(argument).filter(|_| *binding) {
                    self.bind(&names, Kind::Local, whole);
                }
            }
            if !survey.binds.is_empty() {
                let free = arguments.iter().flat_map(|a| free_names(a, self.scope));
                self.index.caught.extend(free.filter(|n| survey.binds.contains(n)));
            }
        }
        arguments.iter().for_each(|a| self.node(a));
        self.locals.truncate(mark);
    }

    fn node(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Name(name) => self.name(name, node.span),
            NodeKind::Apply(f, arguments) => {
                self.node(f);
                match &f.kind {
                    NodeKind::Name(name) => self.arguments(name, arguments, node.span),
                    _ => arguments.iter().for_each(|a| self.node(a)),
                }
            }
            NodeKind::Table(table) if !table.rows.names.is_empty() => self.node(&spelled(table)),
            NodeKind::Let(equations, body) => {
                let mark = self.equations(equations, node.span);
                self.node(body);
                self.locals.truncate(mark);
            }
            _ => {
                let mark = self.bind(walk::bound(node), Kind::Local, node.span);
                walk::children(node, &mut |child| self.node(child));
                self.locals.truncate(mark);
            }
        }
    }

    /// The names of a LET are known from behind their equation on.
    fn equations(&mut self, equations: &[(Ident, Node)], scope: Span) -> usize {
        let mark = self.locals.len();
        for (ident, value) in equations {
            self.node(value);
            self.bind([ident], Kind::Local, scope);
        }
        mark
    }

    fn subst(&mut self, subst: &Subst) {
        let mark = self.locals.len();
        match &subst.kind {
            SubstKind::Let(equations, body) => {
                self.equations(equations, subst.span);
                self.subst(body);
            }
            SubstKind::Call { results, name, args, .. } => {
                results.iter().for_each(|r| self.node(r));
                self.call(name);
                self.arguments(&name.name, args, subst.span);
            }
            _ => {
                self.bind(walk::bound_by_subst(subst), Kind::Local, subst.span);
                walk::parts(subst, &mut |part| match part {
                    Part::Node(node) => self.node(node),
                    Part::Subst(subst) => self.subst(subst),
                });
            }
        }
        self.locals.truncate(mark);
    }

    fn call(&mut self, name: &Ident) {
        match self.scope.calls.get(&name.name) {
            Some(entry) if !self.scope.definitions.contains_key(&name.name) => self.entry(name.span, entry),
            _ => self.name(&name.name, name.span),
        }
    }
}
