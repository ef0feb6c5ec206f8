//! What predicates are by their form, which is asked again and again: found once for each.
//!
//! In: a predicate among the formulas, or a part of one. Out: whether it applies anything, whether it has a value in any case,
//! which unknowns it reads.

use super::Search;
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
            let unknown = self.run.problem.unknown_of(e).filter(|i| !self.bound.contains(*i));
            reads.extend(unknown.filter(|i| !reads.contains(i)));
        });
        Nature { applies, total: always_has_value(p), reads: reads.into() }
    }
}
