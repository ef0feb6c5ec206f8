//! From the flat machine to typed IR: inference over the whole machine, then lowering.
//!
//! In: a [`Flat`]. Out: an [`ir::Machine`](crate::ir::Machine) in which every expression has a ground type
//! and names are slots, or the type errors. Siblings: `scheme` (operators' types from the table), `unify`,
//! `infer` and `infer_subst` with `overload`, `lower` and `lower_subst`, `count` (sizes of frames). No evaluation here.

mod count;
mod infer;
mod infer_subst;
mod lower;
mod lower_subst;
mod overload;
mod scheme;
mod unify;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::ir::{
    Decl, Expr, Formula, FreeType, GivenSet, Machine, Pred, Routine, Settings, Subst, SubstKind,
};
use crate::resolve::Flat;
use crate::resolve::flat::{FlatDecl, FlatSettings};
use crate::source::{Sources, Span};
use crate::syntax::ast::{Node, NodeKind};
use crate::ty::SetId;
use infer::Infer;
use lower::Lower;
use std::sync::Arc;
use unify::Tid;

/// Types and lowers a machine.
///
/// # Errors
/// All type errors found.
pub fn typecheck(flat: &Flat, sources: &Sources) -> Result<(Machine, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut infer = Infer::new(flat);
    infer.machine();
    if !infer.errors.is_empty() {
        return Err(infer.errors);
    }
    let (goal, mut notes) = type_goal(&mut infer, flat);
    notes.splice(0..0, flat.notes.iter().cloned());
    let mut lower = Lower::new(&infer);
    let machine = machine(&mut lower, flat, goal, sources);
    if lower.errors.is_empty() { Ok((machine, notes)) } else { Err(lower.errors) }
}

/// A formula typed in the scope of a machine.
#[derive(Clone, Debug)]
pub enum Typed {
    /// An expression and the size of its frame.
    Expr(Expr, u32),
    /// A predicate and the size of its frame.
    Pred(Pred, u32),
}

/// Types and lowers one more formula in the scope of a machine (for `bsym eval`).
///
/// # Errors
/// Its type errors.
pub fn typecheck_formula(node: &Node, flat: &Flat) -> Result<Typed, Vec<Diagnostic>> {
    let mut infer = Infer::new(flat);
    infer.machine();
    infer.errors.clear();
    let is_pred = is_predicate(node);
    if is_pred {
        infer.pred(node);
    } else {
        infer.expr(node);
    }
    infer.settle(true);
    if !infer.errors.is_empty() {
        return Err(infer.errors);
    }
    let mut lower = Lower::new(&infer);
    lower.start(count::in_node(node));
    let typed = if is_pred {
        let p = lower.pred(node);
        Typed::Pred(p, lower.size())
    } else {
        let e = lower.expr(node);
        Typed::Expr(e, lower.size())
    };
    if lower.errors.is_empty() { Ok(typed) } else { Err(lower.errors) }
}

/// Whether a formula is a predicate by its outermost operator.
fn is_predicate(node: &Node) -> bool {
    match &node.kind {
        NodeKind::And(..)
        | NodeKind::Or(..)
        | NodeKind::Implies(..)
        | NodeKind::Iff(..)
        | NodeKind::Not(_)
        | NodeKind::Forall(..)
        | NodeKind::Exists(..) => true,
        NodeKind::Op(op, _) => {
            *op == crate::ops::Op::Partition || crate::ops::table::def(*op).scheme.ends_with("pred")
        }
        NodeKind::If(_, a, _) | NodeKind::Let(_, a) => is_predicate(a),
        _ => false,
    }
}

/// The goal, if it types; else a warning that it is ignored.
fn type_goal<'f>(infer: &mut Infer<'f>, flat: &'f Flat) -> (Option<&'f Node>, Vec<Diagnostic>) {
    let Some(goal) = &flat.goal else { return (None, Vec::new()) };
    infer.pred(goal);
    infer.settle(true);
    let errors = std::mem::take(&mut infer.errors);
    let Some(first) = errors.into_iter().next() else { return (Some(goal), Vec::new()) };
    let note = Diagnostic {
        severity: Severity::Warning,
        code: Code::Ignored,
        message: format!("the GOAL is ignored: {}", first.message),
        ..first
    };
    (None, vec![note])
}

fn machine(lower: &mut Lower<'_, '_>, flat: &Flat, goal: Option<&Node>, sources: &Sources) -> Machine {
    let initialisation = initialisation(lower, flat);
    let operations = flat.operations.iter().map(|o| lower.operation(o, flat.settings.show_any)).collect();
    Machine {
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
        assertions: formulas(lower, &flat.assertions, sources, false),
        goal: goal.map(|g| formula(lower, g, sources)),
        initialisation,
        operations,
        settings: settings(&flat.settings),
    }
}

fn decls(lower: &Lower<'_, '_>, decls: &[FlatDecl], types: &[Tid]) -> Vec<Decl> {
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

fn free_types(lower: &Lower<'_, '_>, flat: &Flat) -> Vec<FreeType> {
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
                NodeKind::And(a, b) if split => {
                    todo.push(b);
                    todo.push(a);
                }
                _ => out.push(formula(lower, n, sources)),
            }
        }
    }
    out
}

fn formula(lower: &mut Lower<'_, '_>, node: &Node, sources: &Sources) -> Formula {
    lower.start(count::in_node(node));
    let pred = lower.pred(node);
    let text = sources.text(node.span).split_whitespace().collect::<Vec<_>>().join(" ");
    Formula { pred, text: Arc::from(text), frame: lower.size(), reads: lower.reads() }
}

fn settings(s: &FlatSettings) -> Settings {
    let d = Settings::default();
    Settings {
        maxint: s.maxint.unwrap_or(d.maxint),
        minint: s.minint.unwrap_or(d.minint),
        default_set_size: s.default_set_size.unwrap_or(d.default_set_size),
        scopes: s.scopes.iter().map(|(i, n)| (SetId(*i), *n)).collect(),
        show_any: s.show_any,
        simultaneous: s.simultaneous,
        symbolic: s.symbolic,
    }
}
