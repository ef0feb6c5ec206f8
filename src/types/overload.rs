//! What cannot be typed before an operand is known: `-` and `*` on numbers or sets, fields of records.
//!
//! In: such uses, one by one. Out: their equations, once an operand tells which; at the end numbers are the
//! default, one use at a time, because each may tell the next.

use super::blame::Other;
use super::infer::Infer;
use super::unify::{Term, Tid};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Ident, Node};

/// A use that waits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Waiting<'f> {
    /// `a - b`: the node and its type, which is that of both sides already.
    Minus(&'f Node, Tid),
    /// `a * b`: the node, its sides with their types, its type.
    Star(&'f Node, [(&'f Node, Tid); 2], Tid),
    /// `r'f`: the record and its type, the field and its type.
    Field(&'f Node, Tid, &'f Ident, Tid),
}

impl<'f> Infer<'f> {
    /// Types a use now if that is possible, else later.
    pub(super) fn later(&mut self, w: Waiting<'f>) {
        if !self.try_settle(w, false) {
            self.waiting.push(w);
        }
    }

    /// Types all that waits.
    pub(super) fn settle(&mut self) {
        loop {
            let before = self.waiting.len();
            let waiting = std::mem::take(&mut self.waiting);
            self.waiting = waiting.into_iter().filter(|w| !self.try_settle(*w, false)).collect();
            if self.waiting.len() == before {
                if self.waiting.is_empty() {
                    return;
                }
                let first = self.waiting.remove(0);
                self.try_settle(first, true);
            }
        }
    }

    /// Whether a use could be typed (or has been reported). With `force` it is, by default as numbers.
    fn try_settle(&mut self, w: Waiting<'f>, force: bool) -> bool {
        match w {
            Waiting::Minus(node, t) => self.minus(node, t, force),
            Waiting::Star(node, sides, t) => self.star(node, sides, t, force),
            Waiting::Field(record, r, field, t) => self.field(record, r, field, t, force),
        }
    }

    fn minus(&mut self, node: &Node, t: Tid, force: bool) -> bool {
        match self.terms.get(t) {
            Term::Int | Term::Real | Term::Pow(_) => {}
            Term::Var(v) if v.number => {}
            Term::Var(_) if !force => return false,
            Term::Var(_) => {
                let int = self.terms.add(Term::Int);
                self.terms.unify(t, int, node.span);
            }
            _ => {
                let text = format!("`-` takes numbers or sets, not `{}`", self.text(t));
                self.error(Code::TypeMismatch, node.span, text);
            }
        }
        true
    }

    fn star(&mut self, node: &Node, sides: [(&Node, Tid); 2], t: Tid, force: bool) -> bool {
        let [(a, x), (b, y)] = sides;
        let unknown = |term: &Term| matches!(term, Term::Var(v) if !v.number);
        let known = [x, y, t].into_iter().find(|t| !unknown(self.terms.get(*t)));
        match known.map(|k| self.terms.get(k)) {
            Some(Term::Pow(_)) => {
                let (l, r) = (self.terms.var(), self.terms.var());
                let (pl, pr, rel) = (self.terms.pow(l), self.terms.pow(r), self.terms.rel(l, r));
                self.same(a, x, pl, node.span, Some(Other::node(b, y, "the right side")));
                self.same(b, y, pr, node.span, Some(Other::node(a, x, "the left side")));
                self.same(node, t, rel, node.span, None);
            }
            Some(Term::Int | Term::Real | Term::Var(_)) => {
                let num = self.terms.number();
                self.same(a, x, num, node.span, Some(Other::node(b, y, "the right side")));
                self.same(b, y, num, node.span, Some(Other::node(a, x, "the left side")));
                self.same(node, t, num, node.span, None);
            }
            None if force => {
                let int = self.terms.add(Term::Int);
                for t in [x, y, t] {
                    self.terms.unify(t, int, node.span);
                }
            }
            None => return false,
            Some(_) => {
                let text =
                    format!("`*` takes numbers or sets, not `{}` and `{}`", self.text(x), self.text(y));
                self.error(Code::TypeMismatch, node.span, text);
            }
        }
        true
    }

    fn field(&mut self, record: &Node, r: Tid, field: &Ident, t: Tid, force: bool) -> bool {
        let name = &field.name;
        let d = match self.terms.get(r) {
            Term::Rec(fields) => match fields.iter().find(|f| f.0 == *name).map(|f| f.1) {
                Some(found) if self.terms.unify(t, found, record.span) => return true,
                Some(found) => {
                    let text = format!(
                        "the field `{name}` is `{}`, where `{}` is needed",
                        self.text(found),
                        self.text(t)
                    );
                    Diagnostic::error(Code::TypeMismatch, field.span, text)
                }
                None => {
                    Diagnostic::error(Code::TypeMismatch, field.span, format!("there is no field `{name}`"))
                }
            },
            Term::Var(_) if !force => return false,
            Term::Var(_) => {
                let text = "nothing determines the type of this record";
                let d = Diagnostic::error(Code::TypeUnknown, record.span, text);
                self.errors.push(d);
                return true;
            }
            _ => Diagnostic::error(
                Code::TypeMismatch,
                field.span,
                format!("the field `{name}` of something that is no record"),
            ),
        };
        let label = format!("this is `{}`", self.text(r));
        self.errors.push(d.with_other(record.span, label));
        true
    }
}
