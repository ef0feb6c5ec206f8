//! Exploring a transition system: one loop, breadth first.
//!
//! In: a `System` and a `Reducer`. Out: an [`Outcome`]: counts, findings, why it stopped. Knows no B. Siblings:
//! `search` (the loop), `early` (looking ahead while valuations are looked for), `expand` (successors of many states) and `belt` (by several threads) with `elsewhere` (edges
//! that do not lead back), `audit` (compares states that were put together), `frontier` (states that wait), `spare`
//! (memory that is ready), `summary` (what a chunk adds), `checkpoint` (a search kept in a file), `kept` (the graph handed on) with `numbers` (of keys), `findings` (what it finds, each kind once), `trace` (how a
//! node was reached), `limits` (time, memory, Ctrl-C), `keys` (the set of stored keys), `graph` (the state graph for
//! export) with `quotient` (its projections), `collide` (where two reductions differ), `valuations` (constants for the
//! reducers).

pub mod audit;
mod belt;
pub mod checkpoint;
pub mod collide;
mod crew;
mod early;
mod elsewhere;
mod expand;
pub mod findings;
mod frontier;
pub mod graph;
mod huge;
pub mod kept;
pub mod keys;
pub mod limits;
mod numbers;
pub mod quotient;
pub mod search;
mod spare;
mod summary;
#[cfg(test)]
mod tests;
pub mod trace;
mod valuations;
mod within;

pub use audit::{Audit, Audited};
pub use findings::{Finding, Kind, Place, Setup};
pub use huge::large_pages;
pub(crate) use huge::{filled, prefetch, room};
pub use limits::Stop;
pub use search::{Phase, Progress, explore, explore_early, explore_kept};
pub use trace::{Step, Trace};

use crate::ops::Interrupt;
use crate::source::Span;
use num_bigint::BigUint;

/// What to look for and when to stop.
#[derive(Clone, Debug)]
pub struct Options {
    /// Go on after violations and faults, and count them all.
    pub keep_going: bool,
    /// Without that: end once so many different violations and faults are found.
    pub max_errors: usize,
    /// Whether a deadlock is a violation (it is counted in any case). Of a system without operations it never is: there is
    /// nothing to be stuck in.
    pub deadlock: bool,
    /// Whether states are checked.
    pub checks: bool,
    /// Whether each state in which the goal holds is kept.
    pub goals: bool,
    /// Whether what may be its caller's doing is no violation ([`Kind::is_of_call`]): operations are also called where nobody may,
    /// and it is known that calls where one may lead to nothing of the kind. Where the invariant is false nothing is stored.
    pub excuse_calls: bool,
    /// Most states to store.
    pub max_states: Option<u64>,
    /// Most steps from the root.
    pub max_depth: Option<u64>,
    /// Most valuations of the constants to begin with.
    pub max_valuations: Option<u64>,
    /// Most states to remember, all or none of them.
    pub remember: usize,
    /// Raised when a limit is reached.
    pub interrupt: Interrupt,
    /// Number of threads that expand states; the outcome does not depend on it.
    pub threads: usize,
    /// Compare some of the states that the reducer takes for known ones.
    pub audit: Option<Audit>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            keep_going: false,
            max_errors: 1,
            deadlock: true,
            checks: true,
            goals: false,
            excuse_calls: false,
            max_states: None,
            max_depth: None,
            max_valuations: None,
            remember: 0,
            interrupt: Interrupt::default(),
            threads: 1,
            audit: None,
        }
    }
}

/// Counts of one operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct OperationCount {
    /// Its edges.
    pub transitions: u64,
    /// States with at least one of them.
    pub states_enabled: u64,
}

/// States that a search has come by.
#[derive(Clone, Debug)]
pub struct Passed {
    /// One after the other.
    pub states: Vec<u64>,
    /// Whether these are all.
    pub all: bool,
}

impl Default for Passed {
    fn default() -> Self {
        Self { states: Vec::new(), all: true }
    }
}

/// What a search has found.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Outcome {
    /// Stored states, valuations included, without the root.
    pub states: u64,
    /// Valuations that are nodes of their own.
    pub valuations: u64,
    /// Whether there are, or may be, more valuations than were wanted.
    pub more_valuations: bool,
    /// How many valuations were found, if a limit stopped the search while it looked for more.
    pub looking: Option<u64>,
    /// The conjunct that was false most often when a limit stopped the search for valuations or initial states.
    pub fails_most: Option<Span>,
    /// States reached directly from the root or a valuation.
    pub initial_states: u64,
    /// Distinct edges, the root's included.
    pub transitions: u64,
    /// By number of the operation.
    pub operations: Vec<OperationCount>,
    /// States with a false invariant conjunct.
    pub invariant_violations: u64,
    /// States without edges, valuations without initial state, the root without valuation.
    pub deadlocks: u64,
    /// States (or valuations) with a false assertion.
    pub assertion_violations: u64,
    /// Nodes at which evaluation met a fault: once for what is checked there, once for the steps.
    pub errors: u64,
    /// Nodes at which a refinement has a step that is none of the refined machine.
    pub refinement_violations: u64,
    /// States in which the goal holds.
    pub goal_states: u64,
    /// Each of them, as they were found, if that is wanted.
    pub goals: Vec<Box<[u64]>>,
    /// States, valuations excluded, one after the other: the first ones, as many as are to be remembered.
    #[serde(skip)]
    pub passed: Passed,
    /// States expanded that the scope excludes, and that have no edges therefore.
    pub outside: u64,
    /// States of the full graph, valuations included, computed from orbit sizes; `None` if the reducers cannot
    /// tell or the search was stopped.
    #[serde(skip)]
    pub full_states: Option<BigUint>,
    /// Transitions of the full graph, those to valuations and initial states included; `None` as above.
    #[serde(skip)]
    pub full_transitions: Option<BigUint>,
    /// What the audit has found, if there was one.
    #[serde(skip)]
    pub audit: Option<Audited>,
    /// Keys stored.
    pub keys: u64,
    /// How many partial valuations were told apart by hashes.
    pub compared: u64,
    /// Whether keys of states are codes, which differ for certain, and not hashes.
    pub coded: bool,
    /// Bytes that the set of keys takes.
    pub key_bytes: u64,
    /// Steps from the root to the farthest node found.
    pub depth: u64,
    /// Violations and faults, each kind once, with the first node that shows it.
    pub findings: Vec<Finding>,
    /// What is no violation, as the doing of who called an operation where nobody may; by the node where it was called.
    pub excused: Vec<Finding>,
    /// Why the search ended before everything was explored.
    #[serde(skip)]
    pub stopped: Option<Stop>,
}
