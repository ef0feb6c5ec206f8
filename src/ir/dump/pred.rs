//! Predicates as text.

use super::Dump;
use crate::ir::{Pred, PredKind};

impl Dump<'_> {
    pub(super) fn pred(&mut self, pred: &Pred) {
        match &pred.kind {
            PredKind::True => self.put("btrue"),
            PredKind::False => self.put("bfalse"),
            PredKind::And(all) => self.connected(all, " & "),
            PredKind::Or(all) => self.connected(all, " or "),
            PredKind::Implies(a, b) => self.between_preds(a, " => ", b),
            PredKind::Iff(a, b) => self.between_preds(a, " <=> ", b),
            PredKind::Not(a) => {
                self.put("not(");
                self.pred(a);
                self.put(")");
            }
            PredKind::Op(op, args) => self.operator(*op, args),
            PredKind::External(external, args) => self.call(external.name, args),
            PredKind::Forall(scoped) => {
                self.put("!");
                self.binder(&scoped.binder);
                self.put(" . ");
                self.between_preds(&scoped.binder.pred, " => ", &scoped.body);
            }
            PredKind::Exists(binder) => {
                self.put("#");
                self.binder(binder);
                self.put(" . (");
                self.pred(&binder.pred);
                self.put(")");
            }
            PredKind::If(c, a, b) => {
                self.put("IF ");
                self.pred(c);
                self.put(" THEN ");
                self.pred(a);
                self.put(" ELSE ");
                self.pred(b);
                self.put(" END");
            }
            PredKind::Let(id, value, body) => {
                self.put("LET ");
                self.local(*id);
                if self.plain {
                    self.put(" BE ");
                    self.local(*id);
                }
                self.put(" = ");
                self.expr(value);
                self.put(" IN ");
                self.pred(body);
                self.put(" END");
            }
        }
    }

    fn connected(&mut self, all: &[Pred], word: &str) {
        self.put("(");
        for (i, p) in all.iter().enumerate() {
            self.put(if i > 0 { word } else { "" });
            self.pred(p);
        }
        self.put(")");
    }

    fn between_preds(&mut self, a: &Pred, word: &str, b: &Pred) {
        self.put("(");
        self.pred(a);
        self.put(word);
        self.pred(b);
        self.put(")");
    }
}
