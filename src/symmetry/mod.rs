//! Symmetry reduction: which states count as the same.
//!
//! In: packed states, their layout, the pool, the constants valuations ([`Context`]). Out: 128-bit keys. A
//! strategy is one file here and one row in [`STRATEGIES`]; the explorer knows only the [`Reducer`] trait,
//! so no search order can forget one. Nothing here knows what a machine does: only which elements its text
//! may tell apart (`detect`).

use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Machine;
use crate::layout::{Pool, StateLayout};
use crate::model::{MachineSystem, Twins};
use crate::ops::World;
use crate::value::Value;
use std::sync::Arc;

mod apart;
mod audit;
mod cache;
pub mod canon;
mod certificate;
mod classes;
mod code;
mod colour;
mod core;
mod count;
mod counts;
mod dense;
pub mod detect;
pub mod difference;
pub mod exact;
pub mod explain;
mod facts;
pub mod flood;
pub mod group;
pub mod images;
pub mod iso;
mod labellings;
mod lanes;
pub mod least;
pub mod marker;
pub mod markers;
mod memo;
mod mix;
mod near;
pub mod off;
mod orbit;
mod ordered;
mod represent;
mod residual;
mod search;
mod settle;
mod small;
pub mod stabiliser;
mod sums;
#[cfg(test)]
#[allow(clippy::panic, reason = "a failing test says why by panicking")]
mod tests;
pub mod timed;
pub mod told;
mod tree;
mod twins;
mod vector;
mod view;
mod walk;

use cache::Cache;
pub use count::Count;
pub use detect::Detection;
use group::Group;
use marker::Rules;
pub use view::View;
pub use walk::each_expr;

/// A way to identify states.
pub trait Reducer: Send + Sync {
    /// The key under which a state is stored.
    fn key(&self, state: &[u64]) -> u128;

    /// The keys of several states of `width` words, appended to `out`.
    fn keys(&self, states: &[u64], width: usize, out: &mut Vec<u128>) {
        out.extend(states.chunks(width).map(|s| self.key(s)));
    }

    /// A reducer that puts the same states of these valuations together and knows more of them; its keys of valuations mean
    /// nothing.
    fn settled(&self, _valuations: &[u32]) -> Option<Box<dyn Reducer>> {
        None
    }

    /// Whether keys are words that tell all states apart: no hashes, and below 2^64.
    fn has_codes(&self) -> bool {
        false
    }

    /// The size of every state's orbit, if all are of one size and there is nothing else to see inside.
    fn every_orbit(&self) -> Option<Count> {
        None
    }

    /// Whether every state is the only one of its class, since nothing is permuted.
    fn is_trivial(&self) -> bool {
        false
    }

    /// Whether [`Reducer::further_keys`] does anything.
    fn floods(&self) -> bool {
        false
    }

    /// The key of a constants valuation as a node of its own. Never the key of a state.
    fn valuation_key(&self, valuation: u32) -> u128;

    /// Keys to store as already visited once `state` is new (permutation flooding): calls `f` on each.
    fn further_keys(&self, _state: &[u64], _f: &mut dyn FnMut(u128)) {}

    /// As [`Reducer::further_keys`], for a constants valuation.
    fn further_valuation_keys(&self, _valuation: u32, _f: &mut dyn FnMut(u128)) {}

    /// What a finished search has shown.
    fn guarantee(&self) -> Guarantee;

    /// Why states of one key are symmetric.
    fn basis(&self) -> Basis {
        match self.guarantee() {
            Guarantee::Fingerprint => Basis::Labelling,
            Guarantee::Approximate => Basis::None,
        }
    }

    /// The number of states that are images of this one under the group, itself included; `None` if the
    /// strategy cannot tell.
    fn orbit_size(&self, _state: &[u64]) -> Option<Count> {
        None
    }

    /// Whether [`Reducer::inside`] has anything to say.
    fn looks_inside(&self) -> bool {
        false
    }

    /// What a state looks like from inside: its twins are added to `twins` (which has been cleared); `view` is what
    /// [`Reducer::keys_from`] is to know of it.
    fn inside(&self, state: &[u64], _twins: Option<&mut Twins>, _view: &mut View) -> Inside {
        Inside { orbit: self.orbit_size(state), twins: false }
    }

    /// As [`Reducer::keys`], for targets of edges of the state that `view` was last given to. With twins, [`View::images`]
    /// says more of each target.
    fn keys_from(
        &self,
        targets: &[u64],
        width: usize,
        _view: &mut View,
        keys: &mut Vec<u128>,
        _twins: Option<&Twins>,
    ) {
        self.keys(targets, width, keys);
    }

    /// The number of valuations that are images of this one under the group, itself included; `None` if the
    /// strategy cannot tell.
    fn valuation_orbit_size(&self, _valuation: u32) -> Option<Count> {
        None
    }

    /// What it has learned from states so far and what it says, or keys of other states, rest on: [`Self::recall`] gives it to
    /// a reducer made alike.
    fn memory(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Takes over what such a reducer had learned; what this one has learned counts no more.
    fn recall(&self, _memory: &[u64]) {}

    /// Statistics for the report: (what, how many), in a fixed order.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// What a state looks like from inside.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inside {
    /// The size of its orbit, as [`Reducer::orbit_size`] gives it.
    pub orbit: Option<Count>,
    /// Whether there are twins that make a difference to the arguments of operations.
    pub twins: bool,
}

/// What a finished search under a strategy has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guarantee {
    /// Every reachable state is represented, up to a collision of 128-bit fingerprints.
    Fingerprint,
    /// States may have been skipped: no violation found is no proof.
    Approximate,
}

/// Why states that a strategy puts together are symmetric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// They need not be.
    None,
    /// Nobody is left who could say.
    Unknown,
    /// They are equal.
    Equality,
    /// One is listed among the permutations of the other.
    Enumeration,
    /// Each is stored as the image of it that its class has in common.
    Least,
    /// Each is stored as an image of it; a class may have several of them.
    Images,
    /// The types say nothing of two elements together, so markers decide.
    Types,
    /// Each stored state by itself: how many by what its colours show, how many by a search of names.
    States {
        /// Colours, twins and links decide.
        certificate: u64,
        /// Names were searched.
        labelling: u64,
    },
    /// The names of every state were searched.
    Labelling,
}

/// The values of the constants, by number of the valuation. Implemented by whoever enumerates them.
pub trait Valuations: Send + Sync {
    /// The values by `ConstId` of a valuation that some state or valuation node has; `None` for a constant
    /// without value.
    fn get(&self, valuation: u32) -> Arc<Vec<Option<Value>>>;
}

/// What a strategy may know of the run.
#[derive(Clone)]
pub struct Context {
    /// The machine.
    pub machine: Arc<Machine>,
    /// Sizes of the given sets.
    pub world: Arc<World>,
    /// Where the variables are in a state.
    pub layout: Arc<StateLayout>,
    /// Values that do not fit into words.
    pub pool: Arc<Pool>,
    /// The constants.
    pub valuations: Arc<dyn Valuations>,
    /// What may be permuted.
    pub detection: Arc<Detection>,
    /// How markers are hashed.
    pub marker_hash: MarkerHash,
}

impl Context {
    /// Where states are laid out as in a system, which has these constants.
    #[must_use]
    pub fn of(
        system: &MachineSystem,
        valuations: Arc<dyn Valuations>,
        detection: Arc<Detection>,
        marker_hash: MarkerHash,
    ) -> Self {
        let packer = system.packer();
        Self {
            machine: Arc::clone(&packer.machine),
            world: Arc::clone(&system.evaluator().world),
            layout: Arc::clone(&packer.layout),
            pool: Arc::clone(&packer.pool),
            valuations,
            detection,
            marker_hash,
        }
    }
}

/// How markers are hashed; both ways must put the same states together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MarkerHash {
    /// Sums of mixed hashes of paths.
    #[default]
    Sums,
    /// One blake3 hash of the whole marker with sorted multisets: slow, for audits.
    Blake3,
}

impl Context {
    /// A context in which everything that may be permuted is.
    #[must_use]
    pub fn new(
        machine: Arc<Machine>,
        world: Arc<World>,
        layout: Arc<StateLayout>,
        pool: Arc<Pool>,
        valuations: Arc<dyn Valuations>,
    ) -> Self {
        let detection = Arc::new(Detection::of(&machine, &world));
        Self { machine, world, layout, pool, valuations, detection, marker_hash: MarkerHash::Sums }
    }

    fn group(&self) -> &Group {
        &self.detection.group
    }

    /// The constants of a valuation; none if the machine has none. Where a value is not listed, elements may be
    /// named inside that are named nowhere else: they come after the constants, so that they are not permuted.
    fn constants(&self, valuation: u32) -> Arc<Vec<Option<Value>>> {
        if self.machine.constants.is_empty() {
            return Arc::default();
        }
        let values = self.valuations.get(valuation);
        if values.iter().flatten().all(Value::is_extension) {
            return values;
        }
        let mut named = self.detection.constant().map(|(s, i)| Value::Elem(s, i));
        let Some(first) = named.next() else { return values };
        let mut values = (*values).clone();
        values.push(Some(named.fold(first, Value::pair)));
        Arc::new(values)
    }

    /// Whether the orbit of a state under the group may contain states of no valuation.
    fn leaves_valuations(&self) -> bool {
        !self.machine.constants.is_empty() && self.detection.constant().next().is_some()
    }
}

/// Makes a reducer.
type Make = fn(&Context) -> Result<Box<dyn Reducer>, Diagnostic>;

/// A row of the table of strategies.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
    /// Guarantee when the search finishes (a static certificate may raise it: ask the reducer).
    pub guarantee: Guarantee,
    /// Makes it.
    make: Make,
}

/// All strategies, in the order of `--help`.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "exact",
        help: "one state per class of symmetric states, proved",
        guarantee: Guarantee::Fingerprint,
        make: |c| {
            let trivial = c.group().points().is_empty();
            Ok(if trivial { Box::new(off::Off::new(c)) } else { Box::new(exact::Exact::new(c)) })
        },
    },
    Strategy {
        name: "off",
        help: "every state counts",
        guarantee: Guarantee::Fingerprint,
        make: |c| Ok(Box::new(off::Off::new(c))),
    },
    Strategy {
        name: "markers",
        help: "symmetry markers with the improved rules: fast, may take different states for the same",
        guarantee: Guarantee::Approximate,
        make: |c| Ok(Box::new(markers::Markers::new(c, Rules::Improved))),
    },
    Strategy {
        name: "markers-basic",
        help: "symmetry markers as first defined: less precise, for comparison",
        guarantee: Guarantee::Approximate,
        make: |c| Ok(Box::new(markers::Markers::new(c, Rules::Basic))),
    },
    Strategy {
        name: "markers-tree",
        help: "symmetry markers that keep the sides of pairs together: more precise, for comparison",
        guarantee: Guarantee::Approximate,
        make: |c| Ok(Box::new(markers::Markers::new(c, Rules::Tree))),
    },
    Strategy {
        name: "flood",
        help: "store all permutations of each new state: exact, for small sets",
        guarantee: Guarantee::Fingerprint,
        make: |c| Ok(Box::new(flood::Flood::new(c)?)),
    },
    Strategy {
        name: "canon",
        help: "canonical form of every state by search: exact, slow, for comparison",
        guarantee: Guarantee::Fingerprint,
        make: |c| Ok(Box::new(canon::Canon::new(c))),
    },
    Strategy {
        name: "enumerate",
        help: "the least of all images of every state: exact, for small groups (TopSPIN)",
        guarantee: Guarantee::Fingerprint,
        make: represent::enumerate,
    },
    Strategy {
        name: "segment",
        help: "the least image among those with the least control part: exact (TopSPIN, SymmSpin)",
        guarantee: Guarantee::Fingerprint,
        make: represent::segment,
    },
    Strategy {
        name: "minimise",
        help: "exchanges that make a state less: exact where nothing refers to several elements, else classes \
               may be stored more than once (TopSPIN)",
        guarantee: Guarantee::Fingerprint,
        make: represent::minimise,
    },
    Strategy {
        name: "sorted",
        help: "elements sorted by their control parts: classes may be stored more than once (SymmSpin)",
        guarantee: Guarantee::Fingerprint,
        make: represent::sorted,
    },
    Strategy {
        name: "order",
        help: "elements named by what is said of them, ties as they come: classes may be stored more than \
               once (FDR)",
        guarantee: Guarantee::Fingerprint,
        make: |c| Ok(Box::new(ordered::Ordered::new(c))),
    },
    Strategy {
        name: "hillclimb",
        help: "local search for a small image: classes may be stored more than once (TopSPIN)",
        guarantee: Guarantee::Fingerprint,
        make: represent::hillclimb,
    },
    Strategy {
        name: "auto",
        help: "one of enumerate, minimise, segment and hillclimb, state by state (TopSPIN's choice)",
        guarantee: Guarantee::Fingerprint,
        make: represent::automatic,
    },
];

/// The strategy that is used if none is asked for.
pub const DEFAULT: &str = "exact";

/// The row of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.iter().find(|s| s.name == name)
}

/// Makes the reducer of a name for one run. A run that changes its layout makes a new one.
///
/// # Errors
/// No strategy of that name, or one that cannot be used on this machine.
pub fn build(name: &str, context: &Context) -> Result<Box<dyn Reducer>, Diagnostic> {
    let Some(strategy) = find(name) else {
        let known: Vec<&str> = STRATEGIES.iter().map(|s| s.name).collect();
        return Err(Diagnostic::without_place(
            Code::BadOption,
            format!("there is no symmetry strategy `{name}`"),
        )
        .with_help(format!("the strategies are {}", known.join(", "))));
    };
    (strategy.make)(context)
}
