//! Inference over predicates.

use super::blame::Other;
use super::infer::Infer;
use super::scheme;
use crate::ops::{Op, table};
use crate::syntax::ast::{Node, NodeKind};

impl<'f> Infer<'f> {
    /// Types a predicate.
    pub(super) fn pred(&mut self, node: &'f Node) {
        match &node.kind {
            NodeKind::And(all) | NodeKind::Or(all) => all.iter().for_each(|p| self.pred(p)),
            NodeKind::Implies(a, b) if self.is_arrow(a, b) => self.arrow(a, b),
            NodeKind::Implies(a, b) | NodeKind::Iff(a, b) => {
                self.pred(a);
                self.pred(b);
            }
            NodeKind::Not(a) => self.pred(a),
            NodeKind::Op(Op::Partition, args) => self.partition(args),
            NodeKind::Op(op, args) if scheme::is_predicate(*op) => {
                self.by_scheme(scheme::of(*op), args, node.span, table::def(*op).spelling);
            }
            NodeKind::Forall(names, p) | NodeKind::Exists(names, p) => {
                let mark = self.open_bound(names);
                self.pred(p);
                self.scope.truncate(mark);
            }
            NodeKind::LetWhere(names, p, body) => {
                let mark = self.open_bound(names);
                self.pred(p);
                self.pred(body);
                self.scope.truncate(mark);
            }
            NodeKind::If(c, a, b) => {
                self.pred(c);
                self.pred(a);
                self.pred(b);
            }
            NodeKind::Let(binds, body) => {
                let mark = self.binds(binds);
                self.pred(body);
                self.scope.truncate(mark);
            }
            NodeKind::Apply(f, args) => {
                let ext = self.external(f);
                match ext.and_then(|e| scheme::parse(e.scheme)).filter(|s| s.result.is_none()) {
                    Some(scheme) => {
                        let name = ext.map_or("?", |e| e.name);
                        self.by_scheme(Some(&scheme), args, node.span, name);
                    }
                    None => self.not_a_predicate(node),
                }
            }
            NodeKind::Op(Op::ParProduct, args) if args.iter().all(|a| self.is_predicate(a)) => {
                self.bars(node.span, args);
            }
            NodeKind::Error => {}
            _ => self.not_a_predicate(node),
        }
    }

    fn partition(&mut self, args: &'f [Node]) {
        let Some((whole, parts)) = args.split_first() else { return };
        let elem = self.set_of(whole);
        let set = self.terms.pow(elem);
        for part in parts {
            self.expect(part, set, Some(Other::node(whole, set, "the whole")));
        }
    }

    /// Whether a formula is a predicate by its outermost operator.
    pub(super) fn is_predicate(&self, node: &Node) -> bool {
        match &node.kind {
            NodeKind::And(..)
            | NodeKind::Or(..)
            | NodeKind::Implies(..)
            | NodeKind::Iff(..)
            | NodeKind::Not(_)
            | NodeKind::Forall(..)
            | NodeKind::Exists(..) => true,
            NodeKind::Op(op, _) => scheme::is_predicate(*op),
            NodeKind::If(_, a, _) | NodeKind::Let(_, a) | NodeKind::LetWhere(_, _, a) => self.is_predicate(a),
            NodeKind::Apply(f, _) => self.external(f).is_some_and(|e| e.scheme.ends_with("pred")),
            _ => false,
        }
    }
}
