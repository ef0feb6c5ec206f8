//! What is left of a precondition about variables that are gone.
//!
//! In: a conjunct of a precondition of a refined machine, and what invariants say of its variables. Out: the conjunct with sets that
//! include those of the variables: of `x : dom(f)` with `f : A +-> B` that x is one of A. It holds wherever the refined operation is
//! called, so a parameter has the values that the refined machine may give it, also where its type has more of them.

use crate::ops::Op;
use crate::syntax::ast::{Entity, Node, NodeKind};
use crate::syntax::walk;

/// What `x : S` or `x <: S` says of an x that is still there; `None` if nothing is known of S.
pub(super) fn wider(conjunct: &Node, known: &[Node]) -> Option<Node> {
    let NodeKind::Op(op @ (Op::In | Op::Subset), sides) = &conjunct.kind else { return None };
    let [x, set] = &sides[..] else { return None };
    if is_gone(x) {
        return None;
    }
    let set = Known { known, open: Vec::new() }.around(set)?;
    Some(Node { kind: NodeKind::Op(*op, vec![x.clone(), set]), span: conjunct.span })
}

/// Whether a formula speaks of a variable that is gone.
fn is_gone(node: &Node) -> bool {
    let mut gone = matches!(node.kind, NodeKind::Ref(Entity::Gone(_)));
    walk::children(node, &mut |child| gone |= is_gone(child));
    gone
}

/// What invariants say of variables.
struct Known<'k> {
    known: &'k [Node],
    /// Variables that are being looked at: what includes one is not sought in itself.
    open: Vec<u32>,
}

impl Known<'_> {
    /// A set without variables that are gone that includes a set.
    fn around(&mut self, set: &Node) -> Option<Node> {
        if !is_gone(set) {
            return Some(set.clone());
        }
        let node = |kind| Node { kind, span: set.span };
        let (op, args) = match &set.kind {
            NodeKind::Ref(Entity::Gone(v)) => return self.of_variable(*v),
            NodeKind::Apply(r, _) => return self.side(r, 1).and_then(|sets| members(&sets)),
            NodeKind::Op(op, args) => (op, &args[..]),
            _ => return None,
        };
        match (op, args) {
            (Op::Union | Op::Star, [a, b]) => {
                let both = vec![self.around(a)?, self.around(b)?];
                Some(node(NodeKind::Op(*op, both)))
            }
            (Op::Inter, [a, b]) => self.around(a).or_else(|| self.around(b)),
            (Op::Minus | Op::Diff | Op::RanRes | Op::RanSub, [a, _]) | (Op::DomSub | Op::DomRes, [_, a]) => {
                self.around(a)
            }
            (Op::Dom, [r]) => self.side(r, 0),
            (Op::Ran, [r]) | (Op::Image, [r, _]) => self.side(r, 1),
            _ => None,
        }
    }

    /// One side of the product around a relation.
    fn side(&mut self, relation: &Node, at: usize) -> Option<Node> {
        match self.around(relation)?.kind {
            NodeKind::Op(Op::Star, sides) => sides.into_iter().nth(at),
            _ => None,
        }
    }

    fn of_variable(&mut self, v: u32) -> Option<Node> {
        if self.open.contains(&v) {
            return None;
        }
        self.open.push(v);
        let known = self.known;
        let found = known.iter().find_map(|p| {
            let NodeKind::Op(op, sides) = &p.kind else { return None };
            let [Node { kind: NodeKind::Ref(Entity::Gone(x)), .. }, set] = &sides[..] else { return None };
            match op {
                _ if *x != v => None,
                Op::Subset => self.around(set),
                Op::In => self.around(&members(set)?),
                _ => None,
            }
        });
        self.open.pop();
        found
    }
}

/// A set that includes each member of a set of sets.
fn members(sets: &Node) -> Option<Node> {
    let node = |kind| Node { kind, span: sets.span };
    let NodeKind::Op(op, args) = &sets.kind else { return None };
    match (op, &args[..]) {
        (Op::Pow | Op::Pow1 | Op::Fin | Op::Fin1, [set]) => Some(set.clone()),
        (Op::Seq | Op::Seq1 | Op::Iseq | Op::Iseq1 | Op::Perm, [set]) => {
            let places = node(NodeKind::Op(Op::Natural1, Vec::new()));
            Some(node(NodeKind::Op(Op::Star, vec![places, set.clone()])))
        }
        (op, [a, b]) if op.arrow().is_some() => {
            Some(node(NodeKind::Op(Op::Star, vec![a.clone(), b.clone()])))
        }
        _ => None,
    }
}
