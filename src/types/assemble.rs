//! The machine in the IR, from its lowered parts: one formula per conjunct, settings with their defaults.

use super::count;
use super::lower::Lower;
use super::unify::Tid;
use crate::ir::{Decl, Formula, FreeType, GivenSet, Machine, Routine, Settings, Subst, SubstKind, VarId};
use crate::resolve::Flat;
use crate::resolve::flat::{FlatDecl, FlatSettings};
use crate::source::{Sources, Span};
use crate::syntax::ast::{Entity, Node, NodeKind};
use crate::syntax::{print, walk};
use crate::ty::SetId;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The machine in the IR.
pub(super) fn machine(
    lower: &mut Lower<'_, '_>,
    flat: &Flat,
    (goal, scope): (Option<&Node>, Option<&Node>),
    sources: &Sources,
) -> Machine {
    let initialisation = initialisation(lower, flat);
    let operations =
        flat.operations.iter().map(|o| lower.operation(o, scope, flat.settings.show_any)).collect();
    let machine = Machine {
        name: flat.name.0.clone(),
        sets: flat
            .sets
            .iter()
            .map(|s| GivenSet {
                name: s.name.name.clone(),
                span: s.name.span,
                elements: s.elements.as_ref().map(|e| e.iter().map(|i| i.name.clone()).collect()),
                parameter: s.parameter,
            })
            .collect(),
        free_types: free_types(lower, flat),
        constants: decls(lower, &flat.constants, &lower.infer.constants),
        variables: decls(lower, &flat.variables, &lower.infer.variables),
        properties: formulas(lower, &flat.properties, sources, true),
        invariants: formulas(lower, &flat.invariants, sources, true),
        typing: Vec::new(),
        assertions: formulas(lower, &flat.assertions, sources, false),
        goal: goal.map(|g| formula(lower, g, sources)),
        scope: scope.map(|s| formula(lower, s, sources)),
        initialisation,
        operations,
        settings: settings(&flat.settings),
        named: BTreeMap::new(),
        watched: Vec::new(),
    };
    Machine { named: std::mem::take(&mut lower.named), ..machine }
}

fn decls(lower: &mut Lower<'_, '_>, decls: &[FlatDecl], types: &[Tid]) -> Vec<Decl> {
    decls
        .iter()
        .zip(types)
        .map(|(d, t)| Decl {
            name: d.name.name.clone(),
            ty: lower.ground(Some(*t)),
            span: d.name.span,
            symbolic: d.symbolic,
            parameter: d.parameter,
        })
        .collect()
}

fn free_types(lower: &mut Lower<'_, '_>, flat: &Flat) -> Vec<FreeType> {
    let row = |(i, (name, cs)): (u16, &(crate::syntax::ast::Ident, Vec<(crate::syntax::ast::Ident, _)>))| {
        FreeType {
            name: name.name.clone(),
            constructors: (0u16..)
                .zip(cs)
                .map(|(c, (id, _))| {
                    (id.name.clone(), lower.infer.constructor(i, c).map(|t| lower.ground(Some(t))))
                })
                .collect(),
        }
    };
    (0u16..).zip(&flat.free_types).map(row).collect()
}

fn initialisation(lower: &mut Lower<'_, '_>, flat: &Flat) -> Routine {
    lower.start(flat.initialisations.iter().map(count::in_subst).sum());
    let mut parts: Vec<Subst> = flat.initialisations.iter().map(|s| lower.subst(s)).collect();
    let span = parts.first().map_or_else(Span::default, |s| s.span);
    let body = match parts.len() {
        0 => Subst { kind: SubstKind::Skip, span },
        1 => parts.remove(0),
        _ => Subst { kind: SubstKind::Seq(parts), span },
    };
    Routine { body, frame: lower.size() }
}

/// One formula per conjunct (or per node, if they are not to be split).
fn formulas(lower: &mut Lower<'_, '_>, nodes: &[Node], sources: &Sources, split: bool) -> Vec<Formula> {
    let mut out = Vec::new();
    for node in nodes {
        let mut todo = vec![node];
        while let Some(n) = todo.pop() {
            match &n.kind {
                NodeKind::And(all) if split => todo.extend(all.iter().rev()),
                _ => out.push(formula(lower, n, sources)),
            }
        }
    }
    out
}

fn formula(lower: &mut Lower<'_, '_>, node: &Node, sources: &Sources) -> Formula {
    lower.start(count::in_node(node));
    let pred = lower.pred(node);
    let flat = lower.infer.flat;
    let text = if has_arguments(node) {
        print::formula_with(node, &|entity| flat.name_of(entity))
    } else {
        on_one_line(&renamed(lower, node, sources.text(node.span)))
    };
    Formula { pred, text: Arc::from(text), frame: lower.size(), reads: lower.reads() }
}

/// Whether a formula is the body of a definition with something else in place of a parameter: its text names the parameter.
fn has_arguments(node: &Node) -> bool {
    let mut todo = vec![node];
    while let Some(n) = todo.pop() {
        if !node.span.contains(n.span) {
            return true;
        }
        walk::children(n, &mut |child| todo.push(child));
    }
    false
}

/// The text of a formula, all of which stands there, with the prefixes of renamed machines: which copy of a machine it is about.
fn renamed<'t>(lower: &Lower<'_, '_>, node: &Node, text: &'t str) -> Cow<'t, str> {
    let variables = &lower.infer.flat.variables;
    let dotted = |v: &VarId| variables.get(v.0 as usize).is_some_and(|d| d.name.name.contains('.'));
    if !lower.reads().iter().any(dotted) {
        return Cow::Borrowed(text);
    }
    let mut places: Vec<(usize, &str)> = Vec::new();
    let mut todo = vec![node];
    while let Some(n) = todo.pop() {
        walk::children(n, &mut |child| todo.push(child));
        let NodeKind::Ref(Entity::Var(v)) = n.kind else { continue };
        let Some(name) = variables.get(v as usize).map(|d| &*d.name.name) else { continue };
        let at = (n.span.lo - node.span.lo) as usize;
        let written = text.get(at..(n.span.hi - node.span.lo) as usize);
        if let Some(prefix) = written.and_then(|w| name.strip_suffix(w)).filter(|p| p.ends_with('.')) {
            places.push((at, prefix));
        }
    }
    places.sort_unstable();
    places.dedup();
    let mut out = String::with_capacity(text.len() + places.iter().map(|(_, p)| p.len()).sum::<usize>());
    let mut from = 0;
    for (at, prefix) in places {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str(prefix);
        from = at;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// A text with one blank wherever there is any space.
fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut add = |word: &str| {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    };
    // Texts are long where they hold data, which are ASCII more often than not.
    if text.is_ascii() {
        text.split_ascii_whitespace().for_each(&mut add);
    } else {
        text.split_whitespace().for_each(&mut add);
    }
    line
}

fn settings(s: &FlatSettings) -> Settings {
    let d = Settings::default();
    Settings {
        maxint: s.maxint.unwrap_or(d.maxint),
        minint: s.minint.unwrap_or(d.minint),
        maxint_is_set: s.maxint.is_some(),
        minint_is_set: s.minint.is_some(),
        default_set_size: s.default_set_size.unwrap_or(d.default_set_size),
        scopes: s.scopes.iter().map(|(i, n)| (SetId(*i), *n)).collect(),
        show_any: s.show_any,
        simultaneous: s.simultaneous,
        symbolic: s.symbolic,
    }
}
