//! Whether loops over the variables of a binder meet the solutions in the order of values.
//!
//! In: what `bind` loops over, and when. Out: yes or no, for the binders that were to be watched. Solutions come
//! in lexicographic order of the variables if every loop runs upwards and none starts while a variable declared
//! before its own is still without value (variables that an equation determines need no loop).

use super::Lower;
use crate::ir::{Local, LocalId};
use crate::ty::Ty;

/// What is known so far.
#[derive(Debug, Default)]
pub(super) struct Watch {
    binders: Vec<Vec<LocalId>>,
    disorder: bool,
}

/// Whether numbers of values of a type are in the order of the values: not so for sets.
fn plain(t: &Ty) -> bool {
    match t {
        Ty::Bool | Ty::Given(_) | Ty::Int => true,
        Ty::Pair(a, b) => plain(a) && plain(b),
        Ty::Rec(fields) => fields.iter().all(|(_, t)| plain(t)),
        _ => false,
    }
}

impl Lower<'_> {
    /// Watches the loops over a binder's variables.
    pub(crate) fn watch_order(&mut self, variables: Vec<LocalId>) {
        self.order.binders.push(variables);
    }

    /// Whether all watched loops were in order.
    pub(crate) fn in_order(&self) -> bool {
        !self.order.disorder
    }

    /// Takes note that solutions come in no order, or more than once.
    pub(super) fn disorder(&mut self) {
        self.order.disorder = true;
    }

    /// Takes note of a loop that gives values to `bound` (outermost first) of the `open` variables of the
    /// binder `all`.
    pub(super) fn looped(&mut self, all: &[LocalId], open: &[&Local], bound: &[LocalId]) {
        if !self.order.binders.iter().any(|b| b == all) {
            return;
        }
        let at = |id: LocalId| all.iter().position(|x| *x == id);
        let rising = bound.windows(2).all(|w| at(w[0]) < at(w[1]));
        let last = bound.last().and_then(|id| at(*id));
        let later = open.iter().filter(|l| !bound.contains(&l.id)).all(|l| at(l.id) > last);
        let numbers = open.iter().filter(|l| bound.contains(&l.id)).all(|l| plain(&l.ty));
        self.order.disorder |= !(rising && later && numbers);
    }
}
