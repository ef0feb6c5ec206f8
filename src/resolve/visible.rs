//! What each instance shows to the machines that refer to it, and what each can therefore use.
//!
//! In: declared names, the graph. Out: exported names and operations per instance, and its scope.
//! Weak names (those of machines seen by seen machines, of refined machines) are shown so that no
//! machine is refused that other tools accept, but they never clash and never hide anything.

use super::declare::Declared;
use super::graph::{Child, Graph, Instance, Link};
use super::loader::Unit;
use super::scope::{Callable, Meaning, Named, Scope, clash};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::syntax::ast::{ClauseKind, Entity, Ident, Name};
use hashbrown::HashMap;

/// An operation as other machines call it.
#[derive(Clone, Debug)]
pub(super) struct Offered {
    pub(super) name: Name,
    pub(super) callable: Callable,
}

/// Exports of all instances.
#[derive(Debug, Default)]
pub(super) struct Exports {
    names: Vec<Vec<Named>>,
    pub(super) operations: Vec<Vec<Offered>>,
}

fn with_prefix(prefix: Option<&Name>, name: &Name) -> Name {
    prefix.map_or_else(|| name.clone(), |p| format!("{p}.{name}").into())
}

fn is_variable(named: &Named) -> bool {
    matches!(named.meaning, Meaning::Entity(Entity::Var(_) | Entity::Gone(_)))
}

/// The exports of all instances; PROMOTES of what does not exist is reported.
pub(super) fn exports(
    units: &[Unit],
    graph: &Graph,
    declared: &Declared,
    errors: &mut Vec<Diagnostic>,
) -> Exports {
    let count = graph.instances.len();
    let mut out = Exports { names: vec![Vec::new(); count], operations: vec![Vec::new(); count] };
    for &at in &graph.upwards {
        let Some(instance) = graph.instances.get(at) else { continue };
        let mut names = own_names(declared, instance, at);
        for child in &instance.children {
            let seen = child.link == Link::Sees;
            names.extend(through(&out, child).into_iter().map(|n| Named { weak: n.weak || seen, ..n }));
        }
        let operations = interface(units, declared, &out, instance, at, errors);
        if let (Some(n), Some(o)) = (out.names.get_mut(at), out.operations.get_mut(at)) {
            *n = names;
            *o = operations;
        }
    }
    out
}

fn own_names(declared: &Declared, instance: &Instance, at: usize) -> Vec<Named> {
    let shared = declared.shared.get(instance.unit).into_iter().flatten().flatten();
    let variables = declared.variables.get(at).into_iter().flatten();
    shared.chain(variables).cloned().collect()
}

/// The names that a reference makes visible.
fn through(exports: &Exports, child: &Child) -> Vec<Named> {
    let prefix = child.prefix.as_ref();
    let mut out = Vec::new();
    for named in exports.names.get(child.instance).into_iter().flatten() {
        let variable = is_variable(named);
        let weak = named.weak || (child.link == Link::Refines && variable);
        if variable {
            out.push(Named { name: with_prefix(prefix, &named.name), weak, ..named.clone() });
            continue;
        }
        out.push(Named { weak, ..named.clone() });
        if prefix.is_some() {
            out.push(Named { name: with_prefix(prefix, &named.name), weak: true, ..named.clone() });
        }
    }
    out
}

/// Own operations, promoted ones, and all of extended machines.
fn interface(
    units: &[Unit],
    declared: &Declared,
    exports: &Exports,
    instance: &Instance,
    at: usize,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Offered> {
    let mut out = Vec::new();
    for op in declared.operations.get(at).into_iter().flatten().filter(|o| !o.local) {
        let callable = Callable {
            index: op.index,
            params: op.params,
            results: op.results,
            span: op.name.span,
            allowed: true,
        };
        out.push(Offered { name: op.name.name.clone(), callable });
    }
    let mut candidates = Vec::new();
    for child in &instance.children {
        let operations = offered_by(exports, child);
        match child.link {
            Link::Extends => out.extend(operations),
            Link::Includes => candidates.extend(operations),
            Link::Sees | Link::Refines => {}
        }
    }
    let unit = units.get(instance.unit);
    for clause in unit.iter().flat_map(|u| &u.machine.clauses) {
        let ClauseKind::Promotes(names) = &clause.kind else { continue };
        for name in names.iter().filter(|_| instance.concrete) {
            match candidates.iter().find(|o| o.name == name.name) {
                Some(offered) => out.push(offered.clone()),
                None if out.iter().any(|o| o.name == name.name) => {}
                None => errors.push(not_promotable(name, &candidates)),
            }
        }
    }
    check_twice(&out, errors);
    out
}

fn check_twice(offered: &[Offered], errors: &mut Vec<Diagnostic>) {
    let mut firsts: HashMap<&Name, &Offered> = HashMap::new();
    for second in offered {
        let first = *firsts.entry(&second.name).or_insert(second);
        if first.callable.index != second.callable.index {
            let d = clash(&second.name, second.callable.span, first.callable.span);
            if !errors.contains(&d) {
                errors.push(d);
            }
        }
    }
}

fn not_promotable(name: &Ident, candidates: &[Offered]) -> Diagnostic {
    let text = format!("no included machine has an operation `{}`", name.name);
    let d = Diagnostic::error(Code::UnknownName, name.span, text);
    match suggest::nearest(&name.name, candidates.iter().map(|o| &*o.name)) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d,
    }
}

/// The operations of a referred machine under the names of this reference.
pub(super) fn offered_by(exports: &Exports, child: &Child) -> Vec<Offered> {
    let operations = exports.operations.get(child.instance).into_iter().flatten();
    operations
        .map(|o| Offered { name: with_prefix(child.prefix.as_ref(), &o.name), callable: o.callable })
        .collect()
}

/// All that scopes are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole<'a> {
    pub(super) units: &'a [Unit],
    pub(super) graph: &'a Graph,
    pub(super) declared: &'a Declared,
    pub(super) exports: &'a Exports,
}

/// The scope of an instance. Its formal parameters are given by the caller.
pub(super) fn scope(
    whole: &Whole<'_>,
    at: usize,
    params: Vec<Named>,
    local_calls: bool,
    errors: &mut Vec<Diagnostic>,
) -> Scope {
    let mut scope = Scope::default();
    let Some(instance) = whole.graph.instances.get(at) else { return scope };
    if let Some(unit) = whole.units.get(instance.unit) {
        scope.externals.extend(unit.definitions.known_externals().cloned());
    }
    for named in params.into_iter().chain(own_names(whole.declared, instance, at)) {
        scope.add(Named { own: true, ..named }, errors);
    }
    for child in &instance.children {
        for named in through(whole.exports, child) {
            scope.add(named, errors);
        }
        for offered in offered_by(whole.exports, child).into_iter().filter(|_| child.link != Link::Refines) {
            scope.add_call(offered.name, offered.callable);
        }
    }
    for op in whole.declared.operations.get(at).into_iter().flatten() {
        let callable = Callable {
            index: op.index,
            params: op.params,
            results: op.results,
            span: op.name.span,
            allowed: op.local || local_calls,
        };
        scope.add_call(op.name.name.clone(), callable);
    }
    scope
}
