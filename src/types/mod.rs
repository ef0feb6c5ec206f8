//! From the flat machine to typed IR: inference over the whole machine, then lowering.
//!
//! In: a [`Flat`]. Out: an [`ir::Machine`](crate::ir::Machine) in which every expression has a ground type
//! and names are slots, or the type errors. No evaluation here. Inference: `scheme` (operators' types from
//! the table), `unify`, `infer` with `infer_op`, `infer_pred` and `infer_subst`, `overload` (what must wait),
//! `blame` (messages), `names` (types of what is declared), `table` (tables, also their values). Lowering: `frame` (slots), `lower` with `lower_pred` and `lower_subst`, `count` (sizes
//! of frames), `assemble` (the machine).

mod assemble;
mod blame;
mod count;
mod frame;
mod infer;
mod infer_op;
mod infer_pred;
mod infer_subst;
mod lower;
mod lower_pred;
mod lower_subst;
mod names;
mod overload;
mod scheme;
mod table;
#[cfg(test)]
mod tests;
mod unify;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::ir::{Expr, Machine, Pred};
use crate::resolve::Flat;
use crate::source::{Sources, Span};
use crate::syntax::ast::Node;
use infer::Infer;
use lower::Lower;
use std::collections::BTreeMap;

/// Types and lowers a machine.
///
/// # Errors
/// All type errors found.
pub fn typecheck(flat: &Flat, sources: &Sources) -> Checked {
    checked(&mut Infer::new(flat), flat, sources)
}

/// A typed machine with notes and warnings, or what is wrong with it.
pub type Checked = Result<(Machine, Vec<Diagnostic>), Vec<Diagnostic>>;

/// As [`typecheck`], with the types of all declared names by their places, as text and as far as they are known, which they may
/// be in a machine with mistakes, too.
pub fn typecheck_names(flat: &Flat, sources: &Sources) -> (Checked, BTreeMap<Span, String>) {
    let mut infer = Infer::new(flat);
    let out = checked(&mut infer, flat, sources);
    (out, names::types(&infer))
}

/// The types of declared names alone, also of a machine in which not all names have a meaning.
#[must_use]
pub fn types_of_names(flat: &Flat) -> BTreeMap<Span, String> {
    let mut infer = Infer::new(flat);
    infer.machine();
    names::types(&infer)
}

fn checked<'f>(infer: &mut Infer<'f>, flat: &'f Flat, sources: &Sources) -> Checked {
    infer.machine();
    if !infer.errors.is_empty() {
        return Err(infer.errors.clone());
    }
    let (goal, mut notes) = type_goal(infer, flat);
    let (scope, of_scope) = type_scope(infer, flat);
    notes.extend(of_scope);
    notes.splice(0..0, flat.notes.iter().cloned());
    let mut lower = Lower::new(infer);
    lower.sources = Some(sources);
    let machine = assemble::machine(&mut lower, flat, (goal, scope), sources);
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
    infer.locals.clear();
    let is_pred = infer.is_predicate(node);
    if is_pred {
        infer.pred(node);
    } else {
        infer.expr(node);
    }
    infer.settle();
    infer.bound_are_typed();
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

/// The goal, if it types; else a warning that it is not checked.
fn type_goal<'f>(infer: &mut Infer<'f>, flat: &'f Flat) -> (Option<&'f Node>, Vec<Diagnostic>) {
    let Some(goal) = &flat.goal else { return (None, Vec::new()) };
    match misfit(infer, goal, "`GOAL`") {
        None => (Some(goal), Vec::new()),
        Some(warning) => (None, vec![warning]),
    }
}

/// That a definition which is no predicate is not checked.
fn misfit<'f>(infer: &mut Infer<'f>, node: &'f Node, what: &str) -> Option<Diagnostic> {
    infer.pred(node);
    infer.settle();
    infer.bound_are_typed();
    let first = std::mem::take(&mut infer.errors).into_iter().next()?;
    let message = format!("not checked: {what}: {}", first.message);
    Some(Diagnostic { severity: Severity::Warning, code: Code::NotChecked, message, ..first })
}

/// The scope, if it types, with what is said of it.
fn type_scope<'f>(infer: &mut Infer<'f>, flat: &'f Flat) -> (Option<&'f Node>, Option<Diagnostic>) {
    let Some((scope, at)) = &flat.scope else { return (None, None) };
    match misfit(infer, scope, "`SCOPE`, so all states are explored") {
        None => {
            let text = "states in which `SCOPE` is false are checked, but not left";
            (Some(scope), Some(Diagnostic::warning(Code::Ignored, *at, text)))
        }
        not_checked => (None, not_checked),
    }
}
