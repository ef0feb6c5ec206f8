//! Names that a refinement shares with the machines it refines.
//!
//! In: the graph and what its instances declare. Out: for variables, which ones of refined machines live on in
//! the refinement; for sets and constants, which ones get their value from an implementation, by its VALUES
//! clause or by a set or constant of the same name in a machine it imports or sees.

use super::declare::{Declared, prefixed};
use super::flat::Level;
use super::graph::{Graph, Instance, Link};
use super::loader::Unit;
use super::scope::{Meaning, Named};
use crate::syntax::ast::{ClauseKind, Entity, Ident, MachineKind, Name, SetKind};
use std::collections::{BTreeMap, BTreeSet};

/// Where the value of a set or constant of a refined machine comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// The VALUES clause of this instance.
    Values(usize),
    /// The same name in this unit.
    Unit(usize),
}

/// Sets and constants of refined machines with a value, by unit and name.
pub(super) type Valued = BTreeMap<(usize, Name), Source>;

/// The instances behind REFINES, nearest first.
pub(super) fn chain(graph: &Graph, instance: &Instance) -> Vec<usize> {
    let mut out = Vec::new();
    let behind = |i: &Instance| i.children.iter().find(|c| c.link == Link::Refines).map(|c| c.instance);
    let mut next = behind(instance);
    while let Some(at) = next.filter(|at| !out.contains(at)) {
        out.push(at);
        next = graph.instances.get(at).and_then(behind);
    }
    out
}

/// The machines of the chain of REFINES that refine another, the main machine first.
pub(super) fn levels(units: &[Unit], graph: &Graph) -> Vec<Level> {
    let Some(main) = graph.instances.first() else { return Vec::new() };
    let behind = chain(graph, main).into_iter().filter_map(|at| graph.instances.get(at));
    let level = |i: &Instance| {
        let unit = units.get(i.unit)?;
        let refined = unit.machine.refines.clone()?;
        Some(Level { file: unit.path.clone(), refinement: unit.machine.name.name.clone(), refined })
    };
    std::iter::once(main).chain(behind).filter_map(level).collect()
}

/// The sets and constants that implementations give values.
pub(super) fn valued(units: &[Unit], graph: &Graph) -> Valued {
    let mut out = Valued::new();
    for (at, instance) in graph.instances.iter().enumerate().filter(|(_, i)| i.concrete) {
        let Some(unit) = units.get(instance.unit) else { continue };
        if unit.machine.kind != MachineKind::Implementation {
            continue;
        }
        let behind: Vec<usize> = chain(graph, instance)
            .into_iter()
            .filter_map(|i| graph.instances.get(i).map(|i| i.unit))
            .collect();
        let others = beside(graph, instance, &behind);
        for &abstraction in &behind {
            for (name, kind) in declarations(units, abstraction) {
                let same = |other: &&usize| {
                    declarations(units, **other).any(|(n, k)| n.name == name.name && fits(kind, k))
                };
                if let Some(other) = others.iter().find(same) {
                    out.insert((abstraction, name.name.clone()), Source::Unit(*other));
                } else if matches!(kind, Shared::Deferred) && has_value(unit, &name.name) {
                    out.insert((abstraction, name.name.clone()), Source::Values(at));
                }
            }
        }
    }
    out
}

/// Units that an implementation imports or sees, and those they include or see, without the refined ones
/// and all that these use themselves.
fn beside(graph: &Graph, instance: &Instance, behind: &[usize]) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    for at in chain(graph, instance) {
        reach(graph, at, &mut used);
    }
    let used: BTreeSet<usize> =
        used.iter().filter_map(|at| graph.instances.get(*at)).map(|i| i.unit).collect();
    let mut own = BTreeSet::new();
    for child in instance.children.iter().filter(|c| c.link != Link::Refines) {
        reach(graph, child.instance, &mut own);
    }
    let units = own.iter().filter_map(|at| graph.instances.get(*at)).map(|i| i.unit);
    units.filter(|u| !behind.contains(u) && !used.contains(u)).collect()
}

/// An instance and all that it refers to.
fn reach(graph: &Graph, at: usize, into: &mut BTreeSet<usize>) {
    if into.insert(at) {
        for child in graph.instances.get(at).into_iter().flat_map(|i| &i.children) {
            reach(graph, child.instance, into);
        }
    }
}

/// What a shared name is in the text.
#[derive(Clone, Copy)]
enum Shared<'a> {
    Deferred,
    Enumerated(&'a [Ident]),
    Element(&'a [Ident]),
    Constant,
}

/// Whether what is declared in a refined machine can be the same as what is declared elsewhere.
fn fits(refined: Shared<'_>, other: Shared<'_>) -> bool {
    let alike = |a: &[Ident], b: &[Ident]| a.iter().map(|i| &i.name).eq(b.iter().map(|i| &i.name));
    match (refined, other) {
        (Shared::Deferred, Shared::Deferred | Shared::Enumerated(_) | Shared::Constant)
        | (Shared::Constant, Shared::Constant) => true,
        (Shared::Enumerated(a), Shared::Enumerated(b)) | (Shared::Element(a), Shared::Element(b)) => {
            alike(a, b)
        }
        _ => false,
    }
}

/// Sets, elements and constants that a unit declares.
fn declarations(units: &[Unit], unit: usize) -> impl Iterator<Item = (&Ident, Shared<'_>)> {
    let clauses = units.get(unit).into_iter().flat_map(|u| &u.machine.clauses);
    clauses.flat_map(|clause| match &clause.kind {
        ClauseKind::Sets(sets) => sets
            .iter()
            .flat_map(|set| match &set.kind {
                SetKind::Enumerated(elements) => {
                    let elements = elements.as_slice();
                    let each = elements.iter().map(|e| (e, Shared::Element(elements)));
                    std::iter::once((&set.name, Shared::Enumerated(elements))).chain(each).collect()
                }
                SetKind::Deferred | SetKind::ByDefinition(_) => vec![(&set.name, Shared::Deferred)],
            })
            .collect(),
        ClauseKind::Constants(_, names) => names.iter().map(|n| (n, Shared::Constant)).collect(),
        _ => Vec::new(),
    })
}

fn has_value(unit: &Unit, name: &Name) -> bool {
    let values =
        |c: &ClauseKind| matches!(c, ClauseKind::Values(v) if v.iter().any(|(i, _)| i.name == *name));
    unit.machine.clauses.iter().any(|c| values(&c.kind))
}

/// Names that are valued by the same name elsewhere get its meaning.
pub(super) fn share(valued: &Valued, declared: &mut Declared) {
    for ((unit, name), source) in valued {
        let Source::Unit(other) = source else { continue };
        let names = declared.shared.get(*other).into_iter().flatten().flatten();
        let Some(found) = names.into_iter().find(|n| n.name == *name).cloned() else { continue };
        let slots = declared.shared.get_mut(*unit).into_iter().flatten().flatten();
        for slot in slots.filter(|n| n.name == *name) {
            *slot = found.clone();
        }
    }
}

/// Variables of `CONCRETE_VARIABLES` behind an instance, nearest first, each once: they stay in every refinement.
pub(super) fn concrete_behind(units: &[Unit], graph: &Graph, instance: &Instance) -> Vec<Ident> {
    let mut out: Vec<Ident> = Vec::new();
    let apart = |i: &Instance| !i.concrete || i.side != instance.side;
    for at in chain(graph, instance) {
        let mut used = BTreeSet::new();
        included(graph, at, &mut used);
        // What the refinement includes too is there as the variable of that machine.
        for i in used.iter().filter_map(|i| graph.instances.get(*i)).filter(|i| apart(i)) {
            let clauses = units.get(i.unit).into_iter().flat_map(|u| &u.machine.clauses);
            for clause in clauses {
                let ClauseKind::Variables(true, names) = &clause.kind else { continue };
                for name in names.iter().map(|n| prefixed(&i.prefix, n)) {
                    if !out.iter().any(|o| o.name == name.name) {
                        out.push(name);
                    }
                }
            }
        }
    }
    out
}

/// An instance and those it includes, without those behind REFINES.
pub(super) fn included(graph: &Graph, at: usize, into: &mut BTreeSet<usize>) {
    if into.insert(at) {
        let children = graph.instances.get(at).into_iter().flat_map(|i| &i.children);
        for child in children.filter(|c| matches!(c.link, Link::Includes | Link::Extends)) {
            included(graph, child.instance, into);
        }
    }
}

/// Variables of refined machines that a refinement declares too, or that a machine it includes has under
/// the same name, are these.
pub(super) fn keep(graph: &Graph, declared: &mut Declared) {
    for at in graph.downwards() {
        let Some(instance) = graph.instances.get(at) else { continue };
        for child in instance.children.iter().filter(|c| c.link == Link::Refines) {
            let mut behind = BTreeSet::new();
            included(graph, child.instance, &mut behind);
            let living = visible(graph, at, declared);
            for i in behind {
                let prefix = graph.instances.get(i).map_or("", |i| i.prefix.as_str());
                for slot in declared.variables.get_mut(i).into_iter().flatten() {
                    if matches!(slot.meaning, Meaning::Entity(Entity::Gone(_))) {
                        let name = format!("{prefix}{}", slot.name);
                        if let Some((_, meaning)) = living.iter().find(|(n, _)| *n == name) {
                            slot.meaning = meaning.clone();
                        }
                    }
                }
            }
        }
    }
}

/// The variables of an instance and of those it includes, by their whole names.
pub(super) fn visible(graph: &Graph, at: usize, declared: &Declared) -> Vec<(String, Meaning)> {
    let mut all = BTreeSet::new();
    included(graph, at, &mut all);
    let mut out = Vec::new();
    for i in all {
        let prefix = graph.instances.get(i).map_or("", |i| i.prefix.as_str());
        let named = |n: &Named| (format!("{prefix}{}", n.name), n.meaning.clone());
        out.extend(declared.variables.get(i).into_iter().flatten().map(named));
    }
    out
}
