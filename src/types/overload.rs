//! Overloads (`-`, `*`) and record fields: constraints that wait until an operand's type is known.
//!
//! In: what inference put aside. Out: each settled by its operands, or at the end by default (integers).

use super::infer::Infer;
use super::unify::{Term, Tid};
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::ast::Name;

/// A constraint that waits for a type to become known.
#[derive(Debug)]
pub(super) enum Waiting {
    /// `a - b`: numbers or sets; all three are one type already.
    Minus(Tid, Span),
    /// `a * b`.
    Star(Tid, Tid, Tid, Span),
    /// `r'f`.
    Field(Tid, Name, Tid, Span),
}

impl Infer<'_> {
    /// Settles what waits and can be settled; at the `last` call, defaults settle the rest.
    pub(super) fn settle(&mut self, last: bool) {
        loop {
            let waiting = std::mem::take(&mut self.waiting);
            let before = waiting.len();
            for w in waiting {
                if let Some(w) = self.try_settle(w, false) {
                    self.waiting.push(w);
                }
            }
            if self.waiting.len() < before {
                continue;
            }
            if !last {
                return;
            }
            // Nothing moves by itself: settle one by default and look again.
            let Some(w) = (!self.waiting.is_empty()).then(|| self.waiting.remove(0)) else { return };
            self.try_settle(w, true);
        }
    }

    fn try_settle(&mut self, w: Waiting, force: bool) -> Option<Waiting> {
        match w {
            Waiting::Minus(t, span) => match self.terms.get(t) {
                Term::Int | Term::Real | Term::Pow(_) | Term::Var(true) => None,
                Term::Var(false) if !force => Some(Waiting::Minus(t, span)),
                Term::Var(false) => {
                    let int = self.terms.add(Term::Int);
                    self.terms.unify(t, int);
                    None
                }
                _ => {
                    let text = format!("`-` takes numbers or sets, not `{}`", self.terms.text(t, self.flat));
                    self.error(Code::TypeMismatch, span, text);
                    None
                }
            },
            Waiting::Star(a, b, r, span) => self.settle_star(a, b, r, span, force),
            Waiting::Field(r, name, t, span) => match self.terms.get(r) {
                Term::Rec(fields) => {
                    match fields.iter().find(|f| f.0 == name) {
                        Some(f) => self.same(t, f.1, span, None),
                        None => {
                            self.error(Code::TypeMismatch, span, format!("the record has no field `{name}`"));
                        }
                    }
                    None
                }
                Term::Var(_) if !force => Some(Waiting::Field(r, name, t, span)),
                Term::Var(_) => {
                    self.error(Code::TypeUnknown, span, "nothing determines the record's type");
                    None
                }
                _ => {
                    let text = format!("`'` takes a record, not `{}`", self.terms.text(r, self.flat));
                    self.error(Code::TypeMismatch, span, text);
                    None
                }
            },
        }
    }

    fn settle_star(&mut self, a: Tid, b: Tid, r: Tid, span: Span, force: bool) -> Option<Waiting> {
        let known = [a, b, r].into_iter().map(|t| self.terms.get(t)).find(|t| !matches!(t, Term::Var(false)));
        match known {
            Some(Term::Pow(_)) => {
                let (x, y) = (self.terms.var(), self.terms.var());
                let (px, py, rel) = (self.terms.pow(x), self.terms.pow(y), self.terms.rel(x, y));
                self.same(a, px, span, None);
                self.same(b, py, span, None);
                self.same(r, rel, span, None);
                None
            }
            Some(Term::Int | Term::Real | Term::Var(_)) => {
                let num = self.terms.add(Term::Var(true));
                [a, b, r].into_iter().for_each(|t| self.same(t, num, span, None));
                None
            }
            None if force => {
                let int = self.terms.add(Term::Int);
                [a, b, r].into_iter().for_each(|t| self.same(t, int, span, None));
                None
            }
            None => Some(Waiting::Star(a, b, r, span)),
            Some(_) => {
                let text = format!(
                    "`*` takes numbers or sets, not `{}` and `{}`",
                    self.terms.text(a, self.flat),
                    self.terms.text(b, self.flat)
                );
                self.error(Code::TypeMismatch, span, text);
                None
            }
        }
    }
}
