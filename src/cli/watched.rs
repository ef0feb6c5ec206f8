//! `--show-expr`: expressions and predicates that traces show.
//!
//! In: their texts, a machine before it was typed. Out: expressions; a predicate as its truth value.

use super::load;
use crate::diagnostic::Diagnostic;
use crate::ir::{Expr, ExprKind, Watched};
use crate::resolve::Flat;
use crate::source::Sources;
use crate::ty::Ty;
use crate::types::Typed;

/// Reads, resolves and types them.
///
/// # Errors
/// What is wrong with one.
pub(super) fn watched(
    texts: &[String],
    flat: &Flat,
    sources: &mut Sources,
) -> Result<Vec<Watched>, Vec<Diagnostic>> {
    texts.iter().map(|text| one(text, flat, sources)).collect()
}

fn one(text: &str, flat: &Flat, sources: &mut Sources) -> Result<Watched, Vec<Diagnostic>> {
    let (_, typed) = load::formula("--show-expr", text, flat, sources)?;
    let (expr, frame) = match typed {
        Typed::Expr(e, frame) => (e, frame),
        Typed::Pred(p, frame) => {
            let span = p.span;
            (Expr { kind: ExprKind::Bool(Box::new(p)), ty: Ty::Bool, span }, frame)
        }
    };
    Ok(Watched { text: text.into(), expr, frame })
}
