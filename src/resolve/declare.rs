//! Entities of the flat machine for everything that instances declare.
//!
//! In: the graph of instances. Out: tables of the flat machine, and per unit and instance the names
//! that stand for them. Sets and constants belong to a unit and are shared by all its copies; variables
//! and operations belong to an instance.

use super::flat::{Flat, FlatDecl, FlatSet};
use super::graph::{Graph, Instance, Link, Side};
use super::kept::{self, Valued};
use super::loader::Unit;
use super::scope::{Meaning, Named, clash};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Entity, Ident, Name, Node, NodeKind, Operation, SetDecl, SetKind};
use crate::ty::SetId;
use hashbrown::{HashMap, HashSet};

/// An operation of an instance, by its name in the machine's own text.
#[derive(Clone, Debug)]
pub(super) struct Op {
    pub(super) name: Ident,
    pub(super) index: u32,
    pub(super) params: usize,
    pub(super) results: usize,
    /// `LOCAL_OPERATIONS`.
    pub(super) local: bool,
}

/// The names of all units and instances.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Sets, elements and constants by unit; `None` if the unit was not reached.
    pub(super) shared: Vec<Option<Vec<Named>>>,
    /// Variables by instance.
    pub(super) variables: Vec<Vec<Named>>,
    /// Operations by instance.
    pub(super) operations: Vec<Vec<Op>>,
}

/// The pass over all instances.
#[derive(Debug)]
pub(super) struct Declarer<'a> {
    pub(super) units: &'a [Unit],
    pub(super) graph: &'a Graph,
    pub(super) flat: &'a mut Flat,
    pub(super) errors: &'a mut Vec<Diagnostic>,
    pub(super) out: Declared,
    valued: &'a Valued,
    next_operation: u32,
}

impl<'a> Declarer<'a> {
    pub(super) fn new(
        units: &'a [Unit],
        graph: &'a Graph,
        valued: &'a Valued,
        flat: &'a mut Flat,
        errors: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let out = Declared {
            shared: vec![None; units.len()],
            variables: vec![Vec::new(); graph.instances.len()],
            operations: vec![Vec::new(); graph.instances.len()],
        };
        Self { units, graph, flat, errors, out, valued, next_operation: 0 }
    }

    /// Declares everything, included machines first.
    pub(super) fn run(mut self) -> Declared {
        let graph = self.graph;
        for &at in &graph.upwards {
            let Some(instance) = graph.instances.get(at) else { continue };
            if self.out.shared.get(instance.unit).is_some_and(Option::is_none) {
                let names = self.shared(instance);
                if let Some(slot) = self.out.shared.get_mut(instance.unit) {
                    *slot = Some(names);
                }
            }
            let variables = self.variables(instance);
            let operations = if instance.concrete { self.operations(instance) } else { Vec::new() };
            if let Some(slot) = self.out.variables.get_mut(at) {
                *slot = variables;
            }
            if let Some(slot) = self.out.operations.get_mut(at) {
                *slot = operations;
            }
        }
        kept::share(self.valued, &mut self.out);
        kept::keep(graph, &mut self.out);
        self.out
    }

    fn clauses(&self, instance: &Instance) -> impl Iterator<Item = &'a ClauseKind> + use<'a> {
        self.units.get(instance.unit).into_iter().flat_map(|u| u.machine.clauses.iter().map(|c| &c.kind))
    }

    /// Names that a refinement shares with the machines behind it.
    fn refined(&self, instance: &Instance) -> Vec<Named> {
        let mut out = Vec::new();
        for child in instance.children.iter().filter(|c| c.link == Link::Refines) {
            let Some(behind) = self.graph.instances.get(child.instance) else { continue };
            out.extend(self.out.shared.get(behind.unit).into_iter().flatten().flatten().cloned());
            out.extend(self.refined(behind));
        }
        out
    }

    fn shared(&mut self, instance: &Instance) -> Vec<Named> {
        let refined = self.refined(instance);
        let mut names = Vec::new();
        for clause in self.clauses(instance) {
            match clause {
                ClauseKind::Sets(sets) => {
                    for set in sets {
                        self.set(set, &refined, instance.unit, &mut names);
                    }
                }
                ClauseKind::FreeTypes(types) => {
                    for (name, constructors) in types {
                        self.free_type(name, constructors.iter().map(|(c, _)| c), &mut names);
                    }
                }
                ClauseKind::Constants(symbolic, idents) => {
                    for ident in idents {
                        if self.valued.contains_key(&(instance.unit, ident.name.clone())) {
                            names.push(unsettled(ident));
                        } else {
                            self.constant(ident, *symbolic, &refined, &mut names);
                        }
                    }
                }
                _ => {}
            }
        }
        names
    }

    fn set(&mut self, set: &SetDecl, refined: &[Named], unit: usize, names: &mut Vec<Named>) {
        if self.valued.contains_key(&(unit, set.name.name.clone())) {
            names.push(unsettled(&set.name));
            if let SetKind::Enumerated(elements) = &set.kind {
                names.extend(elements.iter().map(unsettled));
            }
            return;
        }
        if let Some(first) = refined.iter().find(|n| n.name == set.name.name) {
            // A refinement may repeat a set of the refined machine, but not give it other elements.
            if matches!(set.kind, SetKind::Enumerated(_)) {
                self.errors.push(clash(&set.name.name, set.name.span, first.span));
            }
            return;
        }
        let Ok(index) = u16::try_from(self.flat.sets.len()) else {
            return self.errors.push(too_many(&set.name));
        };
        let id = SetId(index);
        names.push(named(&set.name, Entity::Set(id)));
        let elements = match &set.kind {
            SetKind::Enumerated(elements) => Some(elements.clone()),
            SetKind::Deferred | SetKind::ByDefinition(_) => None,
        };
        for (i, element) in (0..).zip(elements.iter().flatten()) {
            names.push(named(element, Entity::Element(id, i)));
        }
        self.flat.sets.push(FlatSet { name: set.name.clone(), elements, parameter: false });
    }

    fn free_type<'b>(
        &mut self,
        name: &Ident,
        constructors: impl Iterator<Item = &'b Ident>,
        names: &mut Vec<Named>,
    ) {
        let Ok(index) = u16::try_from(self.flat.free_types.len()) else {
            return self.errors.push(too_many(name));
        };
        names.push(named(name, Entity::FreeType(index)));
        let constructors: Vec<Ident> = constructors.cloned().collect();
        for (i, constructor) in (0..).zip(&constructors) {
            names.push(named(constructor, Entity::Constructor(index, i)));
        }
        // The argument types are put in when the scope of the machine is known.
        let constructors = constructors.into_iter().map(|c| (c, None)).collect();
        self.flat.free_types.push((name.clone(), constructors));
    }

    fn constant(&mut self, ident: &Ident, symbolic: bool, refined: &[Named], names: &mut Vec<Named>) {
        let is_constant = |n: &&Named| matches!(n.meaning, Meaning::Entity(Entity::Const(_)));
        if refined.iter().filter(is_constant).any(|n| n.name == ident.name) {
            return;
        }
        let Ok(index) = u32::try_from(self.flat.constants.len()) else {
            return self.errors.push(too_many(ident));
        };
        names.push(named(ident, Entity::Const(index)));
        self.flat.constants.push(FlatDecl { name: ident.clone(), symbolic, parameter: false });
    }

    fn variables(&mut self, instance: &Instance) -> Vec<Named> {
        let mut idents: Vec<Ident> = Vec::new();
        for clause in self.clauses(instance) {
            if let ClauseKind::Variables(_, all) = clause {
                idents.extend(all.iter().cloned());
            }
        }
        let inherited = kept::concrete_behind(self.units, self.graph, instance).into_iter();
        let missing = inherited.filter(|i| !self.included(instance, &i.name));
        let missing: Vec<Ident> = missing.filter(|i| idents.iter().all(|o| o.name != i.name)).collect();
        idents.extend(missing);
        idents.iter().filter_map(|ident| Some(named(ident, self.variable(ident, instance)?))).collect()
    }

    fn variable(&mut self, ident: &Ident, instance: &Instance) -> Option<Entity> {
        if !instance.concrete {
            self.flat.gone += 1;
            return Some(Entity::Gone(self.flat.gone - 1));
        }
        let index = u32::try_from(self.flat.variables.len()).ok()?;
        let mut name = prefixed(&instance.prefix, ident);
        if let Some(joint) = &mut self.flat.joint {
            let refined = instance.side == Side::Refined;
            joint.refined_variables.push(refined);
            if refined {
                name = prefixed(&format!("{}.", joint.refined), &name);
            }
        }
        self.flat.variables.push(FlatDecl { name, symbolic: false, parameter: false });
        Some(Entity::Var(index))
    }

    /// Whether a machine that an instance includes has a variable of that name.
    fn included(&self, instance: &Instance, name: &Name) -> bool {
        let children = instance.children.iter().filter(|c| matches!(c.link, Link::Includes | Link::Extends));
        children.filter(|c| c.prefix.is_none()).any(|c| {
            self.out.variables.get(c.instance).is_some_and(|v| v.iter().any(|n| n.name == *name))
                || self.graph.instances.get(c.instance).is_some_and(|i| self.included(i, name))
        })
    }

    fn operations(&mut self, instance: &Instance) -> Vec<Op> {
        let mut out: Vec<Op> = Vec::new();
        let mut firsts: HashMap<(&Name, bool), Span> = HashMap::new();
        let all: Vec<(bool, &Operation)> = self
            .clauses(instance)
            .flat_map(|c| match c {
                ClauseKind::Operations(all) => all.iter().map(|o| (false, o)).collect(),
                ClauseKind::LocalOperations(all) => all.iter().map(|o| (true, o)).collect(),
                _ => Vec::new(),
            })
            .collect();
        let names = |local: bool| -> HashSet<&Name> {
            all.iter().filter(|(l, _)| *l == local).map(|(_, o)| &o.name.name).collect()
        };
        let (written, specified) = (names(false), names(true));
        for (is_specified, operation) in &all {
            let name = &operation.name.name;
            if let Some(first) = firsts.insert((name, *is_specified), operation.name.span) {
                self.errors.push(clash(name, operation.name.span, first));
            }
            // Specified in LOCAL_OPERATIONS and written out in OPERATIONS, it runs as written out.
            if !is_specified || !written.contains(name) {
                out.push(Op {
                    name: operation.name.clone(),
                    index: self.next_operation,
                    params: operation.params.len(),
                    results: operation.results.len(),
                    local: specified.contains(name),
                });
            }
            self.next_operation += 1;
        }
        out
    }
}

/// A declaration with the prefix of its instance.
pub(super) fn prefixed(prefix: &str, ident: &Ident) -> Ident {
    let name: Name =
        if prefix.is_empty() { ident.name.clone() } else { format!("{prefix}{}", ident.name).into() };
    Ident { name, span: ident.span }
}

pub(super) fn named(ident: &Ident, entity: Entity) -> Named {
    Named {
        name: ident.name.clone(),
        meaning: Meaning::Entity(entity),
        span: ident.span,
        own: false,
        weak: false,
    }
}

/// A name whose meaning comes from elsewhere and is put in later.
fn unsettled(ident: &Ident) -> Named {
    let node = Node { kind: NodeKind::Error, span: ident.span };
    Named { meaning: Meaning::Actual(node), ..named(ident, Entity::Const(0)) }
}

fn too_many(ident: &Ident) -> Diagnostic {
    Diagnostic::error(Code::TooLarge, ident.span, "more declarations than can be numbered")
}
