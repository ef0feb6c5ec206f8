//! How many slots a frame needs: the number of names bound inside a formula or substitution.

use crate::syntax::ast::{Node, Subst, SubstKind};
use crate::syntax::walk::{Part, bound, bound_by_subst, children, parts};

/// Names bound in a formula.
pub(super) fn in_node(node: &Node) -> usize {
    let mut n = 0;
    let mut todo = vec![node];
    while let Some(node) = todo.pop() {
        n += bound(node).len();
        children(node, &mut |c| todo.push(c));
    }
    n
}

/// Names bound in a substitution, the new values of `x : (P)` among them.
pub(super) fn in_subst(subst: &Subst) -> usize {
    let mut n = 0;
    let mut todo = vec![subst];
    while let Some(s) = todo.pop() {
        n += bound_by_subst(s).len();
        if let SubstKind::BecomesSuch(targets, _) = &s.kind {
            n += targets.len();
        }
        parts(s, &mut |p| match p {
            Part::Node(node) => n += in_node(node),
            Part::Subst(inner) => todo.push(inner),
        });
    }
    n
}
