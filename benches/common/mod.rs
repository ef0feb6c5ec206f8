//! What every bench needs: a machine loaded and explored through the library, as the command line does it.
//!
//! In: a file under `machines/`, sizes, a strategy. Out: the number of states, so that a bench can see that it
//! measured the right thing.

use bsym::compile::fitting;
use bsym::eval::Evaluator;
use bsym::explore::{Options, explore};
use bsym::ir::Machine;
use bsym::model::card::{self, Asked};
use bsym::model::constants::{Mode, Table};
use bsym::ops::Interrupt;
use bsym::resolve::resolve;
use bsym::source::Sources;
use bsym::symmetry::{self, Context, Valuations};
use bsym::types::typecheck;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A machine's file.
pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("machines").join(name)
}

/// Reads, resolves and types a machine.
pub(crate) fn load(name: &str) -> Machine {
    let mut sources = Sources::default();
    let flat = resolve(&file(name), &mut sources).expect("the machine is there");
    typecheck(&flat, &sources).expect("the machine is well typed").0
}

/// A machine with sizes for its deferred sets, ready to be evaluated.
pub(crate) fn evaluator(name: &str, size: u32) -> Evaluator {
    let machine = load(name);
    let asked = Asked { all: Some(size), ..Asked::default() };
    let sizes = card::sizes(&machine, &asked).expect("the size is allowed");
    let world = Arc::new(card::world(&machine, &sizes, Interrupt::default()));
    Evaluator::new(Arc::new(machine), world)
}

/// Explores everything; the number of states.
pub(crate) fn states(evaluator: &Evaluator, strategy: &str, threads: usize) -> u64 {
    let table = Arc::new(Table::new(evaluator, Mode::All, None));
    let options = Options { keep_going: true, threads, ..Options::default() };
    fitting(evaluator, &table, (true, None), &mut |system| {
        let packer = system.plain().packer();
        let context = Context::new(
            Arc::clone(&evaluator.machine),
            Arc::clone(&evaluator.world),
            Arc::clone(&packer.layout),
            Arc::clone(&packer.pool),
            Arc::clone(&table) as Arc<dyn Valuations>,
        );
        let reducer = symmetry::build(strategy, &context).expect("the strategy is known");
        explore(system, &*reducer, &*reducer, &options, &mut |_| {}).0.states
    })
}
