//! What predicates are by their form, which is asked again and again: found once for each.
//!
//! In: a predicate among the formulas, or a part of one. Out: whether it applies anything, whether it has a value in any case,
//! which unknowns it reads, and how many cells they are made of.

use super::Search;
use super::cells::Shape;
use super::faithful::always_has_value;
use crate::eval::walk;
use crate::ir::{ExprKind, Pred};
use crate::ops::Op;
use std::sync::Arc;

/// What a predicate is by its form.
pub(super) struct Nature {
    /// Whether something is applied anywhere in it.
    pub(super) applies: bool,
    /// Whether nothing in it can be without a value but applications.
    pub(super) total: bool,
    /// The unknowns that it reads and that the search does not know from before, each once.
    pub(super) reads: Box<[usize]>,
    /// How many cells make these up; `None` if one of them is made of none.
    pub(super) cells: Option<usize>,
}

impl Search<'_> {
    pub(super) fn nature(&self, p: &Pred) -> Arc<Nature> {
        let key = std::ptr::from_ref(p).addr();
        if let Some(nature) = self.natures.borrow().get(&key) {
            return nature.clone();
        }
        let nature = Arc::new(self.find_nature(p));
        self.natures.borrow_mut().insert(key, nature.clone());
        nature
    }

    fn find_nature(&self, p: &Pred) -> Nature {
        let mut reads = Vec::new();
        let mut applies = false;
        walk::pred(p, &mut |e| {
            applies |= matches!(e.kind, ExprKind::Op(Op::Apply, _));
            reads.extend(self.open_unknown(e).filter(|i| !reads.contains(i)));
        });
        let cells = reads.iter().map(|i| self.shapes.get(i).map(size)).sum();
        Nature { applies, total: always_has_value(p), reads: reads.into(), cells }
    }
}

/// How many cells make up a value.
fn size(shape: &Shape) -> usize {
    match shape {
        Shape::Point(_) => 1,
        Shape::Fun { parts, .. } => parts.iter().map(size).sum(),
        Shape::Set { items, .. } => items.len(),
    }
}
