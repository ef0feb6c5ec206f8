//! What the enumerations under way on this thread have left out.
//!
//! In: notes, made where a variable that has more values is tried within a window. Out: for each enumeration whether something was
//! left out since it began. A quantifier, a set or a sum that needs all values is unknown then (a fault of its own,
//! [`Code::Undecided`]), unless what was found decides it; a choice of values for a substitution, for parameters or for
//! constants goes on with those that were found, and the cut is in the result of the run.

use super::{Evaluator, Flow};
use crate::diagnostic::Code;
use crate::ops::{Cut, Fault};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow::Continue;

thread_local! {
    static NOTED: RefCell<Vec<Cut>> = const { RefCell::new(Vec::new()) };
    /// Where the notes of the innermost enumeration begin.
    static BASE: Cell<usize> = const { Cell::new(0) };
}

/// Notes that values were left out.
pub(super) fn note(cut: &Cut) {
    NOTED.with_borrow_mut(|noted| {
        let own = noted.get(BASE.get()..).unwrap_or_default();
        if !own.iter().any(|c| c.at == cut.at) {
            noted.push(cut.clone());
        }
    });
}

/// The notes of one enumeration, from its begin to the end of this.
pub(super) struct Scope {
    outer: usize,
    begin: usize,
}

impl Scope {
    pub(super) fn begin() -> Self {
        let begin = NOTED.with_borrow(Vec::len);
        Self { outer: BASE.replace(begin), begin }
    }

    /// Whether nothing was left out so far.
    fn is_whole(&self) -> bool {
        NOTED.with_borrow(Vec::len) <= self.begin
    }

    /// What was left out.
    pub(super) fn end(self) -> Vec<Cut> {
        NOTED.with_borrow_mut(|noted| noted.split_off(self.begin.min(noted.len())))
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        NOTED.with_borrow_mut(|noted| noted.truncate(self.begin));
        BASE.set(self.outer);
    }
}

/// The end of an enumeration that needs all values: unless what was found has decided, nothing must have been left out.
pub(super) fn all_or_unknown(flow: Flow, scope: Scope) -> Flow {
    match flow {
        Ok(Continue(())) if !scope.is_whole() => {
            let cut = scope.end().into_iter().next();
            cut.map_or(Ok(Continue(())), |cut| Err(Fault::undecided(cut)))
        }
        flow => flow,
    }
}

impl Evaluator {
    /// The end of an enumeration of choices: what was left out is in the result.
    pub(super) fn end_of_choices(&self, flow: Flow, scope: Scope) -> Flow {
        if !scope.is_whole() {
            scope.end().iter().for_each(|cut| self.left_out(cut));
        }
        self.unless_undecided(flow)
    }

    /// A choice of which it is not known whether there is any is left out, which is in the result.
    pub(crate) fn unless_undecided(&self, flow: Flow) -> Flow {
        match flow {
            Err(f) if f.0.code == Code::Undecided => {
                f.0.cut.iter().for_each(|cut| self.left_out(cut));
                Ok(Continue(()))
            }
            flow => flow,
        }
    }

    pub(super) fn left_out(&self, cut: &Cut) {
        self.world.cuts.note(cut);
        note(cut);
    }

    /// Steps of a machine: if there is none that is known, but perhaps one, this is unknown.
    pub(crate) fn some_or_unknown<T>(
        &self,
        steps: impl FnOnce(&mut bool) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let scope = Scope::begin();
        let mut any = false;
        let done = steps(&mut any);
        let cut = match &done {
            Err(f) => f.0.cut.clone(),
            Ok(_) if any || scope.is_whole() => None,
            Ok(_) => scope.end().into_iter().next(),
        };
        cut.map_or(done, |cut| {
            self.world.cuts.note(&cut);
            Err(Fault::undecided(cut))
        })
    }
}
