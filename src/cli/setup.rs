//! A machine with sizes, made ready to be explored: what all commands that explore or evaluate begin with.

use crate::diagnostic::Diagnostic;
use crate::eval::Evaluator;
use crate::ir::Machine;
use crate::layout::{Pool, StateLayout};
use crate::model::MachineSystem;
use crate::model::card::{self, Asked, Sizes};
use crate::model::constants::{Mode, Table};
use crate::ops::Interrupt;
use crate::symmetry::images::Images;
use crate::symmetry::{Context, Detection, MarkerHash, Valuations};
use crate::types::Typed;
use std::sync::Arc;

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
        Self::with(machine, asked, mode, interrupt, None, false)
    }

    /// The same where one more formula is evaluated in the states, or (`naive`) solutions are found by trying all values.
    pub(super) fn with(
        machine: Machine,
        asked: &Asked,
        mode: Mode,
        interrupt: Interrupt,
        formula: Option<&Typed>,
        naive: bool,
    ) -> Result<Self, Diagnostic> {
        let sizes = card::sizes(&machine, asked)?;
        let machine = Arc::new(machine);
        let world = Arc::new(card::world(&machine, &sizes, interrupt));
        let detection = Arc::new(Detection::with(&machine, &world, formula));
        let mut evaluator = Evaluator::new(Arc::clone(&machine), Arc::clone(&world));
        evaluator.naive = naive;
        let images = Arc::new(Images::new(&machine, &detection));
        let table = Arc::new(Table::new(&evaluator, mode, Some(images)));
        Ok(Self { machine, sizes, evaluator, detection, table })
    }

    /// The system without compiled code.
    pub(super) fn plain(&self) -> MachineSystem {
        let types: Vec<_> = self.machine.variables.iter().map(|v| v.ty.clone()).collect();
        let layout = Arc::new(StateLayout::new(&types, &self.evaluator.world));
        MachineSystem::new(self.evaluator.clone(), Arc::clone(&self.table), layout, Arc::new(Pool::default()))
    }

    /// What the strategies want to know when states are laid out as in `system`.
    pub(super) fn context(&self, system: &MachineSystem, marker_hash: MarkerHash) -> Context {
        let packer = system.packer();
        Context {
            machine: Arc::clone(&self.machine),
            world: Arc::clone(&self.evaluator.world),
            layout: Arc::clone(&packer.layout),
            pool: Arc::clone(&packer.pool),
            valuations: Arc::clone(&self.table) as Arc<dyn Valuations>,
            detection: Arc::clone(&self.detection),
            marker_hash,
        }
    }
}
