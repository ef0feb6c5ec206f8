//! A machine with sizes, made ready to be explored: what all commands that explore or evaluate begin with.

use crate::compile::unread;
use crate::diagnostic::Diagnostic;
use crate::eval::Evaluator;
use crate::ir::Machine;
use crate::layout::{Pool, StateLayout};
use crate::model::card::{self, Asked, Sizes};
use crate::model::constants::{Mode, Table};
use crate::model::{MachineSystem, PropertyTime};
use crate::ops::Interrupt;
use crate::symmetry::images::Images;
use crate::symmetry::{Context, Detection, MarkerHash};
use crate::types::Typed;
use std::sync::Arc;
use std::time::Duration;

/// What properties that are not decided may cost together: a part of the whole time, or so many times as much as each has.
const SHARE: u32 = 10;
const UNTIMED: u32 = 10;

/// A machine with sizes and the means to evaluate it.
pub(super) struct Setup {
    /// The machine.
    pub machine: Arc<Machine>,
    /// Its sizes.
    pub sizes: Sizes,
    /// The plain evaluator.
    pub evaluator: Evaluator,
    /// What may be permuted.
    pub detection: Arc<Detection>,
    /// The valuations of the constants.
    pub table: Arc<Table>,
}

/// What only some commands ask for.
#[derive(Default)]
pub(super) struct Extra<'a> {
    /// One more formula that is evaluated in the states.
    pub formula: Option<&'a Typed>,
    /// Whether solutions are found by trying all values.
    pub naive: bool,
    /// The sets whose elements are permuted, where not all are that may.
    pub permute: Option<&'a [String]>,
    /// The time that properties have; without one they have all there is.
    pub time: Option<PropertyTime>,
}

/// The time of properties that have `each` (zero: no limit) of a run that has `whole`.
pub(super) fn property_time(each: Duration, whole: Option<Duration>) -> Option<PropertyTime> {
    let all = whole.map_or(each * UNTIMED, |w| w / SHARE).max(each);
    (!each.is_zero()).then_some(PropertyTime { each, all })
}

impl Setup {
    /// Sizes as asked for, valuations of the constants by `mode`.
    ///
    /// # Errors
    /// Sizes that make no sense for the machine.
    pub(super) fn new(
        machine: Machine,
        asked: &Asked,
        mode: Mode,
        interrupt: Interrupt,
    ) -> Result<Self, Diagnostic> {
        Self::with(machine, asked, mode, interrupt, &Extra::default())
    }

    /// The same with what only some commands ask for.
    ///
    /// # Errors
    /// Sizes that make no sense for the machine.
    pub(super) fn with(
        machine: Machine,
        asked: &Asked,
        mode: Mode,
        interrupt: Interrupt,
        extra: &Extra<'_>,
    ) -> Result<Self, Diagnostic> {
        let sizes = card::sizes(&machine, asked)?;
        let machine = Arc::new(machine);
        let world = Arc::new(card::world(&machine, &sizes, interrupt));
        let mut detection = Detection::with(&machine, &world, extra.formula);
        if let Some(sets) = extra.permute {
            detection = detection.only(sets, &world)?;
        }
        let detection = Arc::new(detection);
        let mut evaluator = Evaluator::new(Arc::clone(&machine), Arc::clone(&world));
        evaluator.naive = extra.naive;
        let images = Arc::new(Images::new(&machine, &detection));
        let table = Table::new(&evaluator, mode, Some(images));
        // A formula may speak of any constant.
        let unread = if extra.formula.is_none() { unread(&machine) } else { Vec::new() };
        let table = match extra.time {
            Some(time) => table.within(time),
            None => table,
        };
        let table = Arc::new(if unread.is_empty() { table } else { table.unread(&evaluator, &unread) });
        Ok(Self { machine, sizes, evaluator, detection, table })
    }

    /// The system without compiled code.
    pub(super) fn plain(&self) -> MachineSystem {
        self.plain_with(Pool::default())
    }

    /// The same with a pool that has values.
    pub(super) fn plain_with(&self, pool: Pool) -> MachineSystem {
        let types: Vec<_> = self.machine.variables.iter().map(|v| v.ty.clone()).collect();
        let layout = Arc::new(StateLayout::new(&types, &self.evaluator.world));
        MachineSystem::new(self.evaluator.clone(), Arc::clone(&self.table), layout, Arc::new(pool))
    }

    /// What the strategies want to know when states are laid out as in `system`.
    pub(super) fn context(&self, system: &MachineSystem, marker_hash: MarkerHash) -> Context {
        let (valuations, detection) = (Arc::clone(&self.table) as _, Arc::clone(&self.detection));
        Context::of(system, valuations, detection, marker_hash)
    }
}
