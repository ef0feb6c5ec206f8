//! The machine as a transition system.
//!
//! In: IR and evaluator. Out: a [`System`]: constants valuations, initial states, successors, checks,
//! all over packed states ([`crate::layout`]). Symmetry and search know only this trait. Siblings: `card`
//! (sizes of deferred sets), `beyond` (what is false for MAXINT), `conflict` (why there are no valuations or initial states), `constants` (valuations) with `statics` (static symmetry of constants) and
//! `facts` (what PROPERTIES say at a glance), `spans` (which sizes they leave), `coverage` (which conjuncts decided nothing), `machine_system` (the implementation by the plain evaluator)
//! with `pack` (values to words) and `slow` (slow steps remembered), `steps` (edges as they are handed over), `memory` (what a
//! system keeps with those who ask), `deciding` (how long properties are evaluated), `twins` (which arguments need not be tried), `unmatched`
//! (why a step of a refinement is none of the refined machine).

pub mod beyond;
pub mod card;
mod checks;
pub mod conflict;
pub mod constants;
pub mod coverage;
mod deciding;
mod facts;
pub mod machine_system;
mod memory;
pub mod pack;
pub mod statics;
pub mod steps;
pub mod twins;

pub use deciding::{PropertyId, PropertyTime};
pub use machine_system::MachineSystem;
pub use memory::Memory;
pub use steps::{Run, Steps};

mod plain;
mod shapes;
mod slow;
mod spans;
mod told;
mod unmatched;

pub use plain::{EdgeLabel, Plain, PlainEdge};
pub use told::Told;
pub use twins::{Twins, UNWEIGHED};
pub use unmatched::{Attempt, Delta, Unmatched, Why};

use crate::ops::Fault;

/// A transition system over packed states of [`System::width`] words; word 0 is the valuation number.
pub trait System: Sync {
    /// Words per state.
    fn width(&self) -> usize;

    /// Whether there is a set-up step (b-language.md 6.1): then every valuation is a node of its own.
    fn has_setup(&self) -> bool;

    /// All constants valuations, numbered from 0 in a fixed order: calls `f` with each number until it
    /// returns false. Without a set-up step there is exactly one, number 0.
    ///
    /// # Errors
    /// A fault of evaluating PROPERTIES.
    fn valuations(&self, f: &mut dyn FnMut(u32) -> bool) -> Result<(), Fault>;

    /// As [`System::valuations`], but `f` is also called now and then with nothing, while the next valuation is looked for. What
    /// `f` does meanwhile may be all that the system can do.
    ///
    /// # Errors
    /// A fault of evaluating PROPERTIES.
    fn valuations_told(&self, f: &mut dyn FnMut(Option<u32>) -> bool) -> Result<(), Fault> {
        self.valuations(&mut |v| f(Some(v)))
    }

    /// How many partial valuations were told apart by hashes to find the valuations, or that there is none.
    fn compared_valuations(&self) -> u64 {
        0
    }

    /// The order of two valuations by their values: the search takes them in it, so that what an approximate
    /// reduction finds does not depend on how PROPERTIES are solved. The default is the order of their numbers.
    fn compare_valuations(&self, a: u32, b: u32) -> std::cmp::Ordering {
        a.cmp(&b)
    }

    /// The distinct initial states of a valuation.
    fn initial(&self, valuation: u32, out: &mut Steps);

    /// The distinct edges (label, target) that leave a state, in a fixed order: by operation, then by label
    /// (parameters, shown variables, results, as values), then by target words.
    fn successors(&self, state: &[u64], out: &mut Steps);

    /// Whether a state that has no edges has none because the machine's scope excludes it.
    fn is_outside(&self, _state: &[u64]) -> bool {
        false
    }

    /// Whether there is a scope.
    fn has_scope(&self) -> bool {
        false
    }

    /// Checks a state: invariant conjuncts and the goal.
    fn check(&self, state: &[u64], out: &mut Findings);

    /// Checks assertions: those with variables in a state; those without under a valuation, which is asked
    /// for by a slice of one word, its number.
    fn check_assertions(&self, state: &[u64], out: &mut Findings);

    /// The edges of several states, one after the other: each is closed.
    fn successors_of(&self, states: &[u64], out: &mut Steps) {
        for state in states.chunks(self.width()) {
            self.successors(state, out);
            out.close();
        }
    }

    /// Room for the twins of a state; `None` if they make no difference to the edges.
    fn twins(&self) -> Option<Twins> {
        None
    }

    /// As [`System::successors`], but of all choices of arguments that permutations of twins take to each other
    /// only one is tried, and its edges weigh as many. In the same order, as if the others were left out.
    fn successors_within(&self, state: &[u64], _twins: &Twins, out: &mut Steps) {
        self.successors(state, out);
    }

    /// Checks some of several states, invariant, goal and assertions with variables: calls `found` with the
    /// number of every state at which something was found.
    fn check_these(&self, states: &[u64], which: &[u32], found: &mut dyn FnMut(u32, Findings)) {
        let width = self.width();
        let mut findings = Findings::default();
        for &i in which {
            let Some(state) = states.get(i as usize * width..(i as usize + 1) * width) else { continue };
            self.check(state, &mut findings);
            if width > 1 {
                self.check_assertions(state, &mut findings);
            }
            if findings.any() {
                found(i, std::mem::take(&mut findings));
            }
        }
    }

    /// As [`System::check_these`], of the targets of edges. If `sound`, every state that they leave satisfies invariant and
    /// assertions, so that what an operation cannot have changed need not be checked again.
    fn check_reached(
        &self,
        steps: &mut Steps,
        which: &[u32],
        _sound: bool,
        found: &mut dyn FnMut(u32, Findings),
    ) {
        self.check_these(&steps.targets, which, found);
    }

    /// Names of the operations, by the numbers in [`Run::op`].
    fn operations(&self) -> &[String];

    /// The label (operation, arguments, results) of the `nth` edge of a state, as `successors` orders
    /// them; `None` if there is no such edge.
    fn label(&self, state: &[u64], nth: u32) -> Option<Label>;

    /// The state's variables as (name, B text), in declaration order. Texts of more than `most` bytes may end after so
    /// many.
    fn show_state_in(&self, most: usize, state: &[u64]) -> Vec<(String, String)>;

    /// What there is to tell of a step, or of a state, besides the values; texts may end after so many bytes.
    fn told(&self, _most: usize, _before: Option<&[u64]>, _after: &[u64]) -> Told {
        Told::default()
    }

    /// Of a pair of machines: a step of a state (of a valuation, a slice of one word: a beginning) that the refined machine
    /// has no counterpart of, if there is one; of several the one with these arguments before others.
    fn unmatched(&self, _state: &[u64], _op: u32, _arguments: &[(String, String)]) -> Option<Unmatched> {
        None
    }

    /// As [`System::show_state_in`], the constants of a valuation.
    fn show_valuation_in(&self, most: usize, valuation: u32) -> Vec<(String, String)>;

    /// The state's variables as (name, B text), in declaration order.
    fn show_state(&self, state: &[u64]) -> Vec<(String, String)> {
        self.show_state_in(usize::MAX, state)
    }

    /// The constants of a valuation as (name, B text).
    fn show_valuation(&self, valuation: u32) -> Vec<(String, String)> {
        self.show_valuation_in(usize::MAX, valuation)
    }
}

/// A fault of an operation or of the initialisation.
#[derive(Clone, Debug)]
pub struct StepFault {
    /// The operation; of no meaning for the initialisation.
    pub op: u32,
    /// The arguments under which it happened, as (parameter, B text), as far as they are known.
    pub arguments: Vec<(String, String)>,
    /// What happened.
    pub fault: Fault,
}

/// What checking a state found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Invariant conjuncts that are false, by index.
    pub invariants: Vec<u32>,
    /// Assertions that are false, by index.
    pub assertions: Vec<u32>,
    /// Whether the goal holds.
    pub goal: bool,
    /// Faults met while checking.
    pub faults: Vec<CheckFault>,
    /// Whether conjuncts of the invariant without a value are not among these, because another one is false.
    pub passed_over: bool,
    /// Properties that were not decided in the time that they have.
    pub undecided: Vec<PropertyId>,
}

/// A fault of checking a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFault {
    /// What has no value.
    pub of: PropertyId,
    /// Why.
    pub fault: Fault,
}

impl Findings {
    /// Whether anything was found.
    #[must_use]
    pub fn any(&self) -> bool {
        let some = !self.invariants.is_empty() || !self.assertions.is_empty() || !self.faults.is_empty();
        self.goal || some || !self.undecided.is_empty()
    }

    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.invariants.clear();
        self.assertions.clear();
        self.goal = false;
        self.faults.clear();
        self.passed_over = false;
        self.undecided.clear();
    }
}

/// The label of an edge, in B text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// The operation.
    pub operation: String,
    /// (parameter, value).
    pub arguments: Vec<(String, String)>,
    /// (result, value).
    pub results: Vec<(String, String)>,
}
