//! What the command line adds to a machine: a goal, invariants, a scope, values of constants.
//!
//! In: the options' texts, the machine before it is typed. Out: the machine with them, as if its text said so; a text
//! that does not fit is an error, never passed over.

use super::args::GivenArgs;
use super::load;
use crate::diagnostic::{Code, Diagnostic};
use crate::resolve::Flat;
use crate::source::Sources;
use crate::syntax::ast::{Entity, Node, NodeKind};
use crate::syntax::walk;
use crate::types::Typed;

/// Adds all of it.
///
/// # Errors
/// What is wrong with one of the texts.
pub(super) fn add(given: &GivenArgs, flat: &mut Flat, sources: &mut Sources) -> Result<(), Vec<Diagnostic>> {
    for text in &given.set {
        let equation = valued(text, flat, sources)?;
        flat.properties.push(equation);
    }
    for text in &given.invariant {
        let invariant = predicate("--invariant", text, flat, sources)?;
        // The last ones are the gluing invariant, if there is one.
        let at = if flat.joint.is_some() { 0 } else { flat.invariants.len() };
        flat.invariants.insert(at, invariant);
    }
    if let Some(text) = &given.goal {
        flat.goal = Some(predicate("--goal", text, flat, sources)?);
    }
    if let Some(text) = &given.scope {
        let scope = predicate("--scope", text, flat, sources)?;
        let span = scope.span;
        flat.scope = Some((scope, span));
    }
    Ok(())
}

/// Reads, resolves and types a predicate.
fn predicate(option: &str, text: &str, flat: &Flat, sources: &mut Sources) -> Result<Node, Vec<Diagnostic>> {
    match load::formula(option, text, flat, sources)? {
        (node, Typed::Pred(..)) => Ok(node),
        (node, Typed::Expr(..)) => {
            let d = Diagnostic::error(Code::TypeMismatch, node.span, format!("`{option}` takes a predicate"));
            Err(vec![d.with_label("this is an expression")])
        }
    }
}

/// `CONSTANT=E` as an equation of PROPERTIES.
fn valued(text: &str, flat: &Flat, sources: &mut Sources) -> Result<Node, Vec<Diagnostic>> {
    let refused = |text: String| vec![Diagnostic::without_place(Code::BadOption, text)];
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| refused(format!("`--set {text}` has no `=`: write `--set CONSTANT=E`")))?;
    let (name, value) = (name.trim(), value.trim());
    let equation = predicate("--set", &format!("{name} = ({value})"), flat, sources)?;
    let mut of_constant = false;
    let mut variable = None;
    if let NodeKind::Op(_, sides) = &equation.kind
        && let Some(first) = sides.first()
    {
        of_constant = matches!(first.kind, NodeKind::Ref(Entity::Const(_)));
    }
    look_for_variables(&equation, &mut variable);
    match variable {
        _ if !of_constant => Err(refused(format!("`--set {text}`: `{name}` is no constant of the machine"))),
        Some(span) => {
            let text = "the value of a constant does not depend on variables";
            Err(vec![Diagnostic::error(Code::NotAssignable, span, text)])
        }
        None => Ok(equation),
    }
}

fn look_for_variables(node: &Node, found: &mut Option<crate::source::Span>) {
    if matches!(node.kind, NodeKind::Ref(Entity::Var(_) | Entity::Gone(_))) {
        found.get_or_insert(node.span);
    }
    walk::children(node, &mut |child| look_for_variables(child, found));
}
