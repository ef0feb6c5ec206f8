//! The valuations of the constants, numbered as they are found.
//!
//! In: a machine, a [`Mode`]. Out: a [`Table`] that grows while the search asks for more, so that limits act
//! while valuations are still being enumerated.

use super::statics::{self, Extra};
use crate::eval::{Alike, Constants, Evaluator};
use crate::ops::Fault;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Which valuations are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Every one.
    All,
    /// Those that `ProB`'s static symmetry leaves.
    Static,
    /// At least one of every orbit; the reducer removes the rest.
    Orbits,
}

impl Mode {
    /// All modes with their names on the command line.
    pub const ALL: &'static [(&'static str, Mode)] =
        &[("all", Mode::All), ("static", Mode::Static), ("orbits", Mode::Orbits)];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, m)| *m == self).map_or("", |(n, _)| n)
    }
}

/// The valuations found so far.
#[derive(Debug)]
pub struct Table {
    found: RwLock<Vec<Constants>>,
    /// Whether these are all, so that PROPERTIES need not be solved again.
    all: AtomicBool,
    extra: Extra,
    /// For `Orbits`: what tells images of each other.
    alike: Option<Arc<dyn Alike>>,
    setup: bool,
}

impl Table {
    /// An empty table for an evaluator's machine. `alike` says what `Orbits` may permute;
    /// without it every valuation is found.
    #[must_use]
    pub fn new(evaluator: &Evaluator, mode: Mode, alike: Option<Arc<dyn Alike>>) -> Self {
        let (machine, world) = (&evaluator.machine, &evaluator.world);
        let extra = match mode {
            Mode::All | Mode::Orbits => Extra::default(),
            Mode::Static => statics::recorded(machine, world),
        };
        let setup = statics::setup_remains(machine, world, &extra.fixed);
        let alike = alike.filter(|_| mode == Mode::Orbits);
        Self { found: RwLock::default(), all: AtomicBool::new(false), extra, alike, setup }
    }

    /// Whether there is a set-up step.
    #[must_use]
    pub fn has_setup(&self) -> bool {
        self.setup
    }

    /// Calls `f` with the number of every valuation until it returns false.
    ///
    /// # Errors
    /// A fault of evaluating PROPERTIES.
    pub fn each(&self, evaluator: &Evaluator, f: &mut dyn FnMut(u32) -> bool) -> Result<(), Fault> {
        if self.all.load(Ordering::Acquire) {
            self.found_already(f);
            return Ok(());
        }
        let mut next = 0u32;
        let flow = evaluator.constants(&self.extra.preds, self.alike.as_deref(), &mut |values| {
            if !self.extra.accepts(values) {
                return Ok(ControlFlow::Continue(()));
            }
            let number = next;
            next = next.saturating_add(1);
            let mut found = self.found.write().unwrap_or_else(PoisonError::into_inner);
            if found.len() == number as usize {
                found.push(values.clone());
            }
            drop(found);
            Ok(if f(number) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        if flow.is_continue() {
            self.all.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// Calls `f` with the numbers of all valuations until it returns false.
    fn found_already(&self, f: &mut dyn FnMut(u32) -> bool) {
        // Not locked while `f` runs: it may ask for values.
        let count = self.found.read().unwrap_or_else(PoisonError::into_inner).len();
        let _broken_off = (0u32..).take(count).all(f);
    }

    /// The values of a valuation that has been found.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<Constants> {
        self.found.read().unwrap_or_else(PoisonError::into_inner).get(number as usize).cloned()
    }

    /// The values of a valuation; none if it has not been found.
    #[must_use]
    pub fn values(&self, number: u32) -> Constants {
        self.get(number).unwrap_or_default()
    }
}
