//! Parts of formulas as text.
//!
//! In: a part. Out: what the file says, on one line; or the part written anew, where parts of it come from elsewhere (arguments of
//! definitions, copies of machines) or comments are in between.

use super::{Explainer, Scope};
use crate::eval::{each_expr, exprs_in};
use crate::ir::{Expr, ExprKind, Local, LocalId, Pred, dump};
use crate::source::Span;

impl Explainer<'_> {
    /// A predicate as text.
    pub(super) fn text_of_pred(&self, p: &Pred, scope: &Scope) -> String {
        let mut exprs = Vec::new();
        each_expr(p, &mut |e| exprs.push(e));
        let written = self.written(p.span, &exprs);
        written.unwrap_or_else(|| dump::plain_predicate(p, &self.ev.machine, scope))
    }

    /// An expression as text.
    pub(super) fn text_of_expr(&self, e: &Expr, scope: &Scope) -> String {
        let written = self.written(e.span, &exprs_in(e));
        written.unwrap_or_else(|| dump::plain_expression(e, &self.ev.machine, scope))
    }

    /// What the file says at a place, if all that is in it stands there.
    fn written(&self, at: Span, exprs: &[&Expr]) -> Option<String> {
        let text = self.sources.text(at);
        let whole = exprs.iter().all(|e| at.contains(e.span) && self.is_written(e));
        let comment = text.contains("/*") || text.contains("//");
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Blanks in a string are not like others.
        let string = text.contains('"') && line != text;
        (whole && !comment && !string && !line.is_empty()).then(|| dump::without_parentheses(line))
    }

    /// Whether a name stands there as it is told: not without the prefix of the copy of a machine that it is of.
    fn is_written(&self, e: &Expr) -> bool {
        let machine = &self.ev.machine;
        let name = match &e.kind {
            ExprKind::Var(id) => machine.variables.get(id.0 as usize).map(|d| &d.name),
            ExprKind::Const(id) => machine.constants.get(id.0 as usize).map(|d| &d.name),
            _ => None,
        };
        name.is_none_or(|name| self.sources.text(e.span) == &**name)
    }

    /// A local that something in a predicate reads, with the name that it has there.
    pub(super) fn name_of(&self, id: LocalId, p: &Pred) -> Option<Local> {
        let mut local = None;
        each_expr(p, &mut |e| {
            if matches!(e.kind, ExprKind::Local(l) if l == id) {
                let name = self.sources.text(e.span).into();
                local = Some(Local { id, name, ty: e.ty.clone(), span: e.span });
            }
        });
        local
    }
}
