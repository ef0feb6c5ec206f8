//! Systems with layouts made to measure.
//!
//! In: a machine, a task to be done with its system. Out: the task's result under a layout that had room for
//! every value. Integers are packed into the ranges that `ranges` guesses; when a value does not fit, the
//! task's result is void and it is done again with wider ranges.

use super::{CompiledSystem, ranges};
use crate::eval::Evaluator;
use crate::ir::{ExprKind, Machine};
use crate::layout::{Hull, Pool, StateLayout};
use crate::model::MachineSystem;
use crate::model::constants::Table;
use crate::value::Value;
use std::sync::Arc;

/// Most valuations that the first guess looks at.
const LOOK_AT: u32 = 16;

/// Runs after which whatever does not fit gets a layout without ranges. A run ends where something does not fit, long before its
/// end where values grow step by step.
const ATTEMPTS: u32 = 8;

/// Runs after which ranges grow fast: what has left its range twice counts far.
const SLOW: u32 = 2;

/// How much wider ranges become at first, and then: a range of 4 is one of 2 million after the last run.
const GROWTH: [u32; 2] = [2, 16];

/// What layout and pool begin with, where states of an earlier run are to mean the same again.
#[derive(Debug)]
pub struct Earlier {
    /// By variable.
    pub hulls: Vec<Hull>,
    /// By their numbers.
    pub values: Vec<Value>,
}

/// The system of a machine.
pub type Compiled = CompiledSystem<MachineSystem>;

/// Does a task with the system of an evaluator's machine, again and again until the layout has had room for
/// all values. The task must not keep anything from one call to the next. `native` says whether there may be native code.
pub fn fitting<R>(
    evaluator: &Evaluator,
    table: &Arc<Table>,
    (native, earlier): (bool, Option<&Earlier>),
    task: &mut dyn FnMut(&Compiled) -> R,
) -> R {
    fitted(evaluator, table, (native, earlier), task).0
}

/// As [`fitting`], with the system that had room.
pub fn fitted<R>(
    evaluator: &Evaluator,
    table: &Arc<Table>,
    (native, earlier): (bool, Option<&Earlier>),
    task: &mut dyn FnMut(&Compiled) -> R,
) -> (R, Compiled) {
    let (machine, world) = (&evaluator.machine, &evaluator.world);
    let valuations = valuations(evaluator, table);
    let known: Vec<&ranges::Constants> = valuations.iter().map(|v| v.as_slice()).collect();
    let guess = || ranges::hulls(machine, world, &known);
    let mut hulls = earlier.map_or_else(guess, |e| e.hulls.clone());
    let types: Vec<_> = machine.variables.iter().map(|v| v.ty.clone()).collect();
    let (pool, void) =
        (Arc::new(earlier.map_or_else(Pool::default, |e| Pool::of(&e.values))), Arc::default());
    let mut attempts = 1;
    loop {
        let layout = Arc::new(StateLayout::within(&types, &hulls, world));
        let plain = MachineSystem::new(evaluator.clone(), Arc::clone(table), layout, Arc::clone(&pool));
        let plain = plain.after(&void);
        let system = CompiledSystem::new(plain);
        let system = if native { system } else { system.interpreted() };
        let result = task(&system);
        match system.plain().misfits() {
            // Interruption by somebody else is also a reason to stop.
            Some(wanted) if !world.interrupt.raised() => {
                let wider = if attempts < ATTEMPTS {
                    let times = GROWTH[usize::from(attempts > SLOW)];
                    ranges::widen(&hulls, &wanted, times, machine, world)
                } else {
                    ranges::give_up(&hulls, &wanted)
                };
                hulls = if wider == hulls { vec![Hull::Open; hulls.len()] } else { wider };
                attempts += 1;
            }
            _ => return (result, system),
        }
    }
}

/// Some valuations of the constants, if a type of a variable depends on them.
fn valuations(evaluator: &Evaluator, table: &Table) -> Vec<Arc<Vec<Option<crate::value::Value>>>> {
    let mut out = Vec::new();
    if mentions_constants(&evaluator.machine) {
        // A fault shows again, and is reported, when the search asks for the valuations.
        let _fault = table.told(evaluator, &mut |n| {
            let Some(n) = n else { return out.is_empty() };
            out.extend(table.get(n));
            n + 1 < LOOK_AT
        });
    }
    out
}

fn mentions_constants(machine: &Machine) -> bool {
    let mut found = false;
    for f in machine.invariants.iter().chain(&machine.typing) {
        super::lower::free::in_pred(&f.pred, &mut |e| found |= matches!(e.kind, ExprKind::Const(_)));
    }
    found
}
