//! What `compile` needs of the plain system besides [`System`]: single operations and conjuncts.
//!
//! In: packed states. Out: edges of one operation, truth of one conjunct. `MachineSystem` implements it;
//! compiled code takes over operations and conjuncts one by one and falls back to these.

use super::{Label, PropertyId, StepFault, Steps, System, Twins};
use crate::ir::Machine;
use crate::layout::{Hull, Pool, StateLayout};
use crate::ops::{Fault, World};
use crate::value::Value;
use std::sync::Arc;

/// A label as values: arguments, then results.
pub type EdgeLabel = Vec<Value>;

/// One edge of an operation, as [`Plain::edges`] yields it.
pub type PlainEdge = (EdgeLabel, Box<[u64]>);

/// A system by the plain evaluator that can be asked piece by piece.
pub trait Plain: System {
    /// The machine.
    fn machine(&self) -> &Machine;
    /// Sizes of sets and limits.
    fn world(&self) -> &World;
    /// Layout of states.
    fn layout(&self) -> &StateLayout;
    /// Shared values of states.
    fn pool(&self) -> &Pool;
    /// The constants of a valuation, by `ConstId`; `None` if there is no such valuation (yet).
    fn constants(&self, valuation: u32) -> Option<Arc<Vec<Option<Value>>>>;
    /// The operations that are offered, as indices into the machine's; position = number in `Run::op`.
    fn offered(&self) -> &[u32];
    /// Notes that a variable takes values, as far as is known those of a hull, for which the layout of states has no
    /// room, and returns the fault of a step that leads there.
    fn misfit(&self, variable: usize, hull: &Hull) -> Fault;
    /// The distinct edges of one offered operation (by its number in `Run::op`), sorted by label (as
    /// sequences of values: parameters, shown variables, results) and then by target words. Faults go to
    /// `faults`; the edges of other choices are still there.
    fn edges(&self, state: &[u64], op: u32, out: &mut Vec<PlainEdge>, faults: &mut Vec<StepFault>);
    /// The edges of one offered operation under the arguments that are tried of those that twins can be exchanged
    /// in, with their weights, in the same order.
    fn edges_within(&self, state: &[u64], op: u32, twins: &Twins, out: &mut Steps);
    /// The label of an edge of an offered operation (by its number in `Run::op`), from its values.
    fn label_of(&self, op: u32, values: &[Value]) -> Option<Label>;
    /// Whether an invariant conjunct holds.
    ///
    /// # Errors
    /// A fault of evaluating it.
    fn invariant(&self, state: &[u64], index: u32) -> Result<bool, Fault>;
    /// Whether a property, or any at all, was not decided in the time that it has: to try it in another way first takes time, too.
    fn is_hard(&self, property: Option<PropertyId>) -> bool;
    /// Whether the goal holds; false if there is none.
    ///
    /// # Errors
    /// A fault of evaluating it.
    fn goal(&self, state: &[u64]) -> Result<bool, Fault>;
}
