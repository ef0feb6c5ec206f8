//! The evaluator over plain values: expressions, predicates and binders of the IR.
//!
//! In: IR, an [`Env`]. Out: values, truth values, solutions, or a [`Fault`] with its place.
//! It evaluates everything bsym supports. Siblings: `expr` with `spaces`, `pred` (three-valued conjunctions), `closure`
//! (comprehensions and lambdas as lazy sets), `solve` (the entry to the solver: all solutions of a
//! predicate over typed variables) with `problem`, `plan`, `bind`, `fit`, `pattern`, `ints`, `ranges`, `finite`, `shared`,
//! `splits`, `sizes`, `lengths`, `extents`, `implied`, `recurrence`, `pointwise`, `coupled`, `ahead`; `constants` (PROPERTIES), `witness` (scenes of faults, for explanations).
//! No symmetry (only a place for it: `alike`) and no search here.

mod ahead;
mod aliases;
mod alike;
mod assign;
mod backward;
mod bind;
mod bits;
mod boxes;
mod budget;
mod certain;
mod choices;
mod closure;
mod congruence;
mod constants;
mod coupled;
mod denied;
mod depth;
mod descent;
mod determined;
mod enumerate;
mod env;
mod evaluated;
mod expr;
mod extents;
mod extremes;
mod fails;
mod families;
mod finite;
mod fit;
pub(crate) mod formulas;
mod guesses;
mod hoist;
mod image;
mod implied;
mod interval;
mod ints;
mod join;
mod keyed;
mod knot;
#[cfg(test)]
mod laws;
mod ledger;
mod lengths;
mod listing;
mod loops;
mod many;
mod meanwhile;
pub(crate) mod negate;
mod outward;
mod parts;
mod patience;
mod pattern;
mod plan;
mod pointwise;
mod pred;
mod prim;
pub(crate) mod problem;
mod products;
mod ranges;
mod reach;
mod record;
mod recurrence;
mod recursive;
mod refuted;
pub(crate) mod rename;
mod rules;
mod sequences;
mod shared;
mod sizes;
mod slice;
pub(crate) mod small;
pub(crate) mod solve;
mod solver;
mod spaces;
mod splits;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tuples;
mod turns;
mod typed;
mod unfold;
mod unlisted;
pub(crate) mod voids;
pub(crate) mod walk;
mod well_defined;
mod wholes;
pub(crate) mod witness;

pub use alike::Alike;
pub use budget::Budget;
pub(crate) use closure::{Formula, formula};
pub use constants::{Constants, Wanted};
pub use env::Env;
pub use many::OneOf;
pub(crate) use walk::{bound_in, bound_in_expr, exprs_in, pred as each_expr};
pub use witness::{Round, Scene, Scenes};

use crate::ir::Machine;
use crate::ops::{Fault, World};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What an enumeration says: whether the consumer wants no more, or a fault.
pub type Flow = Result<ControlFlow<()>, Fault>;

/// A consumer of solutions or outcomes, called with the environment that holds them.
pub type Sink<'a> = &'a mut dyn FnMut(&Evaluator, &mut Env) -> Flow;

/// A machine with the world it is evaluated in. Shared by all threads; cheap to clone; holds no state of a
/// run but caches that do not influence results.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// The machine.
    pub machine: Arc<Machine>,
    /// Sizes of sets and limits.
    pub world: Arc<World>,
    /// Solutions are found by trying all values where these are not too many: slow, obviously right, the oracle of the
    /// solver.
    pub naive: bool,
    /// Steps of the first turn where scalars are solved for by two ways in turns (`turns`); tests lower it to see both ways.
    pub first_turn: u64,
    pub(crate) cache: Arc<solve::Cache>,
}

impl Evaluator {
    /// An evaluator for a machine in a world.
    #[must_use]
    pub fn new(machine: Arc<Machine>, world: Arc<World>) -> Self {
        let cache = Arc::new(solve::Cache::new(&world, machine.operations.len()));
        Self { machine, world, naive: false, first_turn: turns::FIRST, cache }
    }

    /// The same for a formula that does not live as long as this evaluator: plans are kept by the place of a binder in memory, where
    /// another one may be later.
    #[must_use]
    pub fn for_a_while(&self) -> Self {
        let fresh = Self::new(Arc::clone(&self.machine), Arc::clone(&self.world));
        Self { naive: self.naive, first_turn: self.first_turn, ..fresh }
    }
}
