//! All machines merged into one.
//!
//! In: units and the graph of instances. Out: the flat machine and the scope of the main machine.
//! Entities are numbered with included machines first; parameters are settled from the main machine
//! down; texts are resolved from the included machines up.

use super::declare::{Declared, Declarer, prefixed};
use super::flat::{Flat, FlatOperation, Name0};
use super::formula::Resolver;
use super::graph::{Graph, Instance, Link, Side};
use super::joint;
use super::kept::{self, Source, Valued};
use super::loader::Unit;
use super::misread;
use super::params;
use super::refinement;
use super::scope::{Meaning, Named, Scope};
use super::visible::{self, Exports};
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Op;
use crate::syntax::ast::{ClauseKind, Entity, Ident, MachineKind, Node, NodeKind, Operation};
use std::collections::BTreeSet;

/// The pass that fills the flat machine.
pub(super) struct Flattener<'a> {
    pub(super) units: &'a [Unit],
    pub(super) graph: &'a Graph,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) flat: Flat,
    pub(super) scopes: Vec<Option<(Scope, Vec<Named>)>>,
    /// Units whose PROPERTIES are in already, of some copy.
    done: BTreeSet<usize>,
    /// The gluing invariant of a refinement whose refined machine takes part.
    pub(super) gluing: Vec<Node>,
}

/// Merges all instances. The second part is the scope of the main machine.
pub(super) fn flatten(units: &[Unit], graph: &Graph, local_calls: bool) -> (Flat, Scope, Vec<Diagnostic>) {
    let mut flat = Flat::default();
    let mut errors = Vec::new();
    let main = graph.instances.first().and_then(|i| units.get(i.unit));
    if let Some(unit) = main {
        flat.name = Name0(unit.machine.name.name.clone());
        if unit.machine.kind == MachineKind::Definitions {
            let text = "a definition file is no machine";
            errors.push(Diagnostic::error(Code::MissingClause, unit.machine.name.span, text));
        }
    }
    let valued = kept::valued(units, graph);
    flat.joint = joint::empty(units, graph);
    let mut declared = Declarer::new(units, graph, &valued, &mut flat, &mut errors).run();
    settle_values(units, graph, &valued, &mut declared, &mut errors);
    let exports = visible::exports(units, graph, &declared, &mut errors);
    let scopes = vec![None; graph.instances.len()];
    let mut pass =
        Flattener { units, graph, errors, flat, scopes, done: BTreeSet::new(), gluing: Vec::new() };
    for at in graph.downwards() {
        pass.scope(at, &declared, &exports, local_calls);
    }
    for &at in &graph.upwards {
        pass.texts(at, &declared, &valued);
    }
    match pass.graph.refined() {
        Some((refined, _)) => pass.pair(refined, &declared, &exports),
        None => pass.offer(&exports),
    }
    let scope = pass.scopes.first_mut().and_then(Option::take).map(|(scope, _)| scope);
    (pass.flat, scope.unwrap_or_default(), pass.errors)
}

/// Puts in the values of sets that VALUES clauses give, in the order of the text.
fn settle_values(
    units: &[Unit],
    graph: &Graph,
    valued: &Valued,
    declared: &mut Declared,
    errors: &mut Vec<Diagnostic>,
) {
    let instances: BTreeSet<usize> = valued
        .values()
        .filter_map(|source| match source {
            Source::Values(at) => Some(*at),
            Source::Unit(_) => None,
        })
        .collect();
    for at in instances {
        let Some(unit) = graph.instances.get(at).and_then(|i| units.get(i.unit)) else { continue };
        let clauses = unit.machine.clauses.iter().filter_map(|c| match &c.kind {
            ClauseKind::Values(values) => Some(values),
            _ => None,
        });
        for (ident, value) in clauses.flatten() {
            let of_set = |(_, s): &(&(usize, crate::syntax::ast::Name), &Source)| **s == Source::Values(at);
            let Some(((owner, _), _)) = valued.iter().filter(of_set).find(|((_, n), _)| *n == ident.name)
            else {
                continue;
            };
            // What goes wrong with the names of all machines is told when they are collected for good.
            let mut told = Vec::new();
            let exports = visible::exports(units, graph, declared, &mut told);
            let whole = visible::Whole { units, graph, declared, exports: &exports };
            let scope = visible::scope(&whole, at, Vec::new(), false, &mut told);
            let mut resolver = unit.resolver(&scope);
            let node = resolver.formula(value.clone());
            errors.append(&mut resolver.errors);
            let slots = declared.shared.get_mut(*owner).into_iter().flatten().flatten();
            for slot in slots.filter(|n| n.name == ident.name) {
                slot.meaning = Meaning::Actual(node.clone());
            }
        }
    }
}

impl Flattener<'_> {
    fn scope(&mut self, at: usize, declared: &Declared, exports: &Exports, local_calls: bool) {
        let params = self.params(at);
        let scope = visible::scope(
            &visible::Whole { units: self.units, graph: self.graph, declared, exports },
            at,
            params.clone(),
            local_calls,
            &mut self.errors,
        );
        if let Some(slot) = self.scopes.get_mut(at) {
            *slot = Some((scope, params));
        }
    }

    /// What the formal parameters of an instance stand for. Its parents have their scopes already.
    fn params(&mut self, at: usize) -> Vec<Named> {
        let Some(instance) = self.graph.instances.get(at) else { return Vec::new() };
        let Some(unit) = self.units.get(instance.unit) else { return Vec::new() };
        let formals = &unit.machine.params;
        if let Some((parent, actuals, place)) = &instance.actuals {
            let actuals = self.actuals(*parent, actuals);
            return params::given(formals, actuals, *place, &mut self.errors);
        }
        let mut refining = Vec::new();
        for (parent, child) in self.graph.links_to(at) {
            match child.link {
                Link::Includes | Link::Extends if !formals.is_empty() => {
                    return params::given(formals, Vec::new(), child.span, &mut self.errors);
                }
                Link::Refines => {
                    refining.extend(self.scopes.get(parent).into_iter().flatten().flat_map(|s| s.1.clone()));
                }
                _ => {}
            }
        }
        params::free(formals, &refining, &mut self.flat, &mut self.errors)
    }

    fn actuals(&mut self, parent: usize, actuals: &[Node]) -> Vec<Node> {
        let Some((scope, _)) = self.scopes.get(parent).and_then(Option::as_ref) else { return Vec::new() };
        let Some(unit) = self.graph.instances.get(parent).and_then(|i| self.units.get(i.unit)) else {
            return Vec::new();
        };
        let mut resolver = unit.resolver(scope);
        let out = actuals.iter().map(|a| resolver.formula(a.clone())).collect();
        self.errors.append(&mut resolver.errors);
        out
    }

    /// Resolves the clauses of an instance.
    fn texts(&mut self, at: usize, declared: &Declared, valued: &Valued) {
        let graph = self.graph;
        let Some(instance) = graph.instances.get(at) else { return };
        let Some(unit) = self.units.get(instance.unit) else { return };
        let Some((scope, _)) = self.scopes.get(at).and_then(Option::as_ref) else { return };
        let scope = scope.clone();
        let mut resolver = unit.resolver(&scope);
        // What speaks of parameters differs from copy to copy.
        let first = self.done.insert(instance.unit) || !unit.machine.params.is_empty();
        for clause in &unit.machine.clauses {
            self.flat.notes.extend(refinement::constrained(unit.machine.kind, &clause.kind));
            self.shared_clause(&clause.kind, first, valued, &mut resolver);
            if instance.concrete {
                self.own_clause(&clause.kind, at, instance, &mut resolver);
            } else if let ClauseKind::Invariant(p) = &clause.kind {
                self.flat.invariants.extend(resolver.kept_invariant(p.clone()));
            }
        }
        self.flat.typing.append(&mut resolver.typing);
        self.flat.externals.extend(unit.definitions.known_externals().cloned());
        self.errors.append(&mut resolver.errors);
        self.flat.notes.append(&mut resolver.notes);
        if instance.concrete {
            self.check_initialised(unit, at, declared);
        }
    }

    /// Clauses that count once for all copies of a machine that say the same, and also for refined machines.
    fn shared_clause(
        &mut self,
        clause: &ClauseKind,
        first: bool,
        valued: &Valued,
        resolver: &mut Resolver<'_>,
    ) {
        match clause {
            ClauseKind::Properties(p) if first => {
                self.flat.notes.extend(misread::whole(p, "PROPERTIES"));
                self.property(resolver.formula(p.clone()));
            }
            ClauseKind::Constraints(p) => self.flat.properties.push(resolver.formula(p.clone())),
            ClauseKind::Values(values) if first => {
                let of_set =
                    |name| valued.iter().any(|((_, n), s)| n == name && matches!(s, Source::Values(_)));
                for (ident, value) in values.iter().filter(|(ident, _)| !of_set(&ident.name)) {
                    if let Some(equation) = self.value(ident, value, resolver) {
                        self.property(equation);
                    }
                }
            }
            ClauseKind::FreeTypes(types) if first => {
                for (name, constructors) in types {
                    self.free_type(name, constructors, resolver);
                }
            }
            _ => {}
        }
    }

    /// Adds a formula, unless another copy of the machine says the same of the same parameters.
    fn property(&mut self, formula: Node) {
        if !self.flat.properties.contains(&formula) {
            self.flat.properties.push(formula);
        }
    }

    /// `c = E` in VALUES.
    fn value(&mut self, ident: &Ident, value: &Node, resolver: &mut Resolver<'_>) -> Option<Node> {
        let name = Node { kind: NodeKind::Name(ident.name.clone()), span: ident.span };
        let left = resolver.formula(name);
        let right = resolver.formula(value.clone());
        match left.kind {
            NodeKind::Ref(Entity::Const(_)) => {
                let span = left.span.to(right.span);
                return Some(Node { kind: NodeKind::Op(Op::Eq, vec![left, right]), span });
            }
            NodeKind::Error => {}
            NodeKind::Ref(Entity::Set(_)) => {
                let text = format!("`{}` is no deferred set of the refined machine", ident.name);
                self.errors.push(Diagnostic::error(Code::NotAssignable, ident.span, text));
            }
            _ => {
                let text = format!("`{}` is no constant", ident.name);
                self.errors.push(Diagnostic::error(Code::NotAssignable, ident.span, text));
            }
        }
        None
    }

    fn free_type(
        &mut self,
        name: &Ident,
        constructors: &[(Ident, Option<Node>)],
        resolver: &mut Resolver<'_>,
    ) {
        let arguments: Vec<Option<Node>> =
            constructors.iter().map(|(_, a)| a.clone().map(|a| resolver.formula(a))).collect();
        if let Some((_, slots)) = self.flat.free_types.iter_mut().find(|(t, _)| t.span == name.span) {
            for ((_, slot), argument) in slots.iter_mut().zip(arguments) {
                *slot = argument;
            }
        }
    }

    /// Clauses of machines that take part with their variables.
    fn own_clause(
        &mut self,
        clause: &ClauseKind,
        at: usize,
        instance: &Instance,
        resolver: &mut Resolver<'_>,
    ) {
        match clause {
            ClauseKind::Invariant(p) if at == 0 && self.flat.joint.is_some() => {
                self.gluing.extend(joint::gluing(p, resolver));
            }
            ClauseKind::Invariant(p) => {
                self.flat.notes.extend(misread::whole(p, "INVARIANT"));
                self.flat.invariants.extend(resolver.without_abstract(p.clone()));
            }
            ClauseKind::Assertions(all) if self.flat.joint.is_some() => {
                let own = instance.side != Side::Refined;
                self.flat.notes.extend(all.iter().filter(|_| own).map(joint::unasked_assertion));
            }
            ClauseKind::Assertions(all) => {
                let resolved = all.iter().filter_map(|p| resolver.without_abstract(p.clone()));
                self.flat.assertions.extend(resolved);
            }
            ClauseKind::Initialisation(s) => {
                let refined = instance.side == Side::Refined;
                self.flat.joint.iter_mut().for_each(|j| j.refined_initialisations.push(refined));
                self.flat.initialisations.push(resolver.subst(s.clone()));
            }
            ClauseKind::Operations(operations) => {
                for written in operations {
                    let mut operation = self::operation(written, instance, resolver);
                    let behind = self.behind(at, written);
                    let asked = if at == 0 { self.asked(behind.pre) } else { behind.pre };
                    operation.body = refinement::within(asked, operation.body);
                    let index = u32::try_from(self.flat.operations.len()).unwrap_or(u32::MAX);
                    self.flat.refined.extend(behind.typing.into_iter().map(|o| (index, o)));
                    self.flat.operations.push(operation);
                }
            }
            ClauseKind::LocalOperations(operations) => {
                for specified in operations {
                    self.check_local(at, specified);
                    let operation = self::operation(specified, instance, resolver);
                    self.flat.operations.push(operation);
                }
            }
            _ => {}
        }
    }

    /// Variables without INITIALISATION.
    fn check_initialised(&mut self, unit: &Unit, at: usize, declared: &Declared) {
        let has = unit.machine.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Initialisation(_)));
        let first = declared.variables.get(at).and_then(|v| v.first());
        if let Some(first) = first.filter(|_| !has) {
            let text = format!("`{}` has variables but no INITIALISATION", unit.machine.name.name);
            self.errors.push(Diagnostic::error(Code::MissingClause, first.span, text));
        }
    }

    /// Marks the operations that are offered at top level: the main machine's interface, and all of
    /// machines that are seen.
    fn offer(&mut self, exports: &Exports) {
        self.offer_of(std::iter::once(0).chain(self.graph.seen()), exports);
    }

    /// Marks the operations of some instances as offered; their indices.
    pub(super) fn offer_of(&mut self, instances: impl Iterator<Item = usize>, exports: &Exports) -> Vec<u32> {
        let mut names: Vec<(u32, Ident)> = Vec::new();
        for at in instances {
            let prefix = self.graph.instances.get(at).map_or("", |i| i.prefix.as_str());
            for offered in exports.operations.get(at).into_iter().flatten() {
                let ident = Ident { name: offered.name.clone(), span: offered.callable.span };
                names.push((offered.callable.index, prefixed(prefix, &ident)));
            }
        }
        let mut offered = Vec::new();
        for (index, ident) in names {
            if let Some(operation) = self.flat.operations.get_mut(index as usize) {
                operation.offered = true;
                operation.name = ident;
                offered.push(index);
            }
        }
        offered
    }
}

fn operation(operation: &Operation, instance: &Instance, resolver: &mut Resolver<'_>) -> FlatOperation {
    let mark = resolver.bind(&operation.params, false);
    for result in &operation.results {
        if let Some(first) = operation.params.iter().find(|p| p.name == result.name) {
            resolver.errors.push(super::scope::clash(&result.name, result.span, first.span));
        }
    }
    resolver.bind(&operation.results, true);
    let body = resolver.subst(operation.body.clone());
    resolver.unbind(mark);
    FlatOperation {
        name: prefixed(&instance.prefix, &operation.name),
        results: operation.results.clone(),
        params: operation.params.clone(),
        body,
        offered: false,
        span: operation.span,
    }
}

impl Unit {
    /// A resolver for the texts of this unit.
    pub(super) fn resolver<'b>(&'b self, scope: &'b Scope) -> Resolver<'b> {
        Resolver::new(scope, &self.expanded.uses, self.definitions.names().collect())
    }
}

/// The set, if the name is one of a set.
pub(super) fn set_named(scope: &Scope, name: &str) -> Option<u16> {
    match scope.get(name).map(|n| &n.meaning) {
        Some(Meaning::Entity(Entity::Set(id))) => Some(id.0),
        _ => None,
    }
}
