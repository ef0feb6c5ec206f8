//! A machine ready to be explored by the plain evaluator, without a check's limits and report.

use crate::diagnostic::Diagnostic;
use crate::eval::Evaluator;
use crate::ir::Machine;
use crate::layout::{Pool, StateLayout};
use crate::model::MachineSystem;
use crate::model::card::{self, Asked};
use crate::model::constants::{Mode, Table};
use crate::ops::Interrupt;
use crate::symmetry::images::Images;
use crate::symmetry::{Context, Detection, MarkerHash};
use std::sync::Arc;

/// A machine with sizes and the means to evaluate it.
pub(super) struct Setup {
    /// The machine.
    pub machine: Arc<Machine>,
    /// What may be permuted.
    pub detection: Arc<Detection>,
    /// The system.
    pub system: MachineSystem,
    table: Arc<Table>,
}

impl Setup {
    /// Sizes as asked for, valuations of the constants by `mode`.
    pub(super) fn new(
        machine: Machine,
        asked: &Asked,
        mode: Mode,
        interrupt: Interrupt,
    ) -> Result<Self, Diagnostic> {
        let sizes = card::sizes(&machine, asked)?;
        let machine = Arc::new(machine);
        let world = Arc::new(card::world(&machine, &sizes, interrupt));
        let detection = Arc::new(Detection::of(&machine, &world));
        let evaluator = Evaluator::new(Arc::clone(&machine), Arc::clone(&world));
        let images = Arc::new(Images::new(&machine, &detection));
        let table = Arc::new(Table::new(&evaluator, mode, Some(images)));
        let types: Vec<_> = machine.variables.iter().map(|v| v.ty.clone()).collect();
        let layout = Arc::new(StateLayout::new(&types, &world));
        let system = MachineSystem::new(evaluator, Arc::clone(&table), layout, Arc::new(Pool::default()));
        Ok(Self { machine, detection, system, table })
    }

    /// What the strategies want to know.
    pub(super) fn context(&self) -> Context {
        let packer = self.system.packer();
        Context {
            machine: Arc::clone(&self.machine),
            world: Arc::clone(&packer.world),
            layout: Arc::clone(&packer.layout),
            pool: Arc::clone(&packer.pool),
            valuations: Arc::clone(&self.table) as Arc<dyn crate::symmetry::Valuations>,
            detection: Arc::clone(&self.detection),
            marker_hash: MarkerHash::Sums,
        }
    }
}
