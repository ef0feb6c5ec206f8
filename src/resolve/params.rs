//! Formal parameters of machines.
//!
//! In: an instance and its actual parameters. Out: what the formal ones stand for: the actual values if
//! there are any, the parameters of the refining machine if it is refined, else entities of the flat
//! machine (a deferred set if written in capitals, a constant if not).

use super::declare::named;
use super::flat::{Flat, FlatDecl, FlatSet};
use super::scope::{Meaning, Named};
use super::words;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Entity, Ident, Node, NodeKind};
use crate::ty::SetId;

/// Formal parameters given by actual ones, which are resolved.
pub(super) fn given(
    formals: &[Ident],
    actuals: Vec<Node>,
    place: Span,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Named> {
    if formals.len() != actuals.len() {
        let text = format!(
            "the machine has {}, but {} given",
            words::counted(formals.len(), "parameter"),
            match actuals.len() {
                0 => "none are".to_owned(),
                1 => "1 is".to_owned(),
                n => format!("{n} are"),
            }
        );
        let mut d = Diagnostic::error(Code::WrongArity, place, text);
        if let Some(first) = formals.first() {
            d = d.with_other(first.span, "declared here");
        }
        errors.push(d);
    }
    let one = |(formal, actual): (&Ident, Node)| Named {
        meaning: Meaning::Actual(actual),
        ..named(formal, Entity::Const(0))
    };
    // A missing one is an error already, not an unknown name at each of its uses.
    let missing = |f: &Ident| Node { kind: NodeKind::Error, span: f.span };
    let mut actuals = actuals.into_iter();
    formals.iter().map(|f| one((f, actuals.next().unwrap_or_else(|| missing(f))))).collect()
}

/// Formal parameters without actual ones; those of `refining` are shared by name.
pub(super) fn free(
    formals: &[Ident],
    refining: &[Named],
    flat: &mut Flat,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Named> {
    let mut out: Vec<Named> = Vec::new();
    for formal in formals {
        if let Some(first) = out.iter().find(|n| n.name == formal.name) {
            errors.push(super::scope::clash(&formal.name, formal.span, first.span));
        } else if let Some(shared) = refining.iter().find(|n| n.name == formal.name) {
            out.push(Named { span: formal.span, ..shared.clone() });
        } else {
            out.extend(entity(formal, flat).map(|e| named(formal, e)));
        }
    }
    out
}

fn entity(formal: &Ident, flat: &mut Flat) -> Option<Entity> {
    let name = formal.clone();
    if formal.name.chars().any(char::is_lowercase) {
        let index = u32::try_from(flat.constants.len()).ok()?;
        flat.constants.push(FlatDecl { name, symbolic: false, parameter: true });
        return Some(Entity::Const(index));
    }
    let index = u16::try_from(flat.sets.len()).ok()?;
    flat.sets.push(FlatSet { name, elements: None, parameter: true });
    Some(Entity::Set(SetId(index)))
}
