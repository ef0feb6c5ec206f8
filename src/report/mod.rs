//! What a run found, as data, and the formats it can be written in: one file per format, one row each (`formats`).
//!
//! In: the outcome of a search with its traces ([`build`]). Out: a [`Report`], finished data; a format computes
//! nothing and reads no engine. Siblings: `build`, `text`, `html`, `json`, `junit`, `sarif`, `github` (the latter two by
//! `annotations`), `unsolved` (nothing to begin with), `broken` (ended in the middle), `unmatched` (steps that do not refine), `message` (diagnostics), `coverage` (what decided nothing), `excused` (what only callers can be blamed for), `formulas` (temporal formulas), `refinement` (levels of the chain of REFINES), `sweep` (several sizes), `steps` (traces as tables), `shorten` (long traces), `markup` (safe text), `why` (explanations; of deadlocks `blocked`); `graph`, `compare`, `agree`, `project` and `tested` (with `expect`) for their own
//! data, `traces` for files that other tools read.

pub mod agree;
pub mod annotations;
pub mod blocked;
pub mod broken;
pub mod build;
pub mod compare;
pub mod coverage;
mod covered;
pub mod excused;
pub mod expect;
mod format_of;
mod formats;
pub mod formulas;
pub mod github;
pub mod goals;
pub mod graph;
pub mod html;
pub mod info;
pub mod json;
pub mod junit;
pub mod many;
mod markup;
pub mod message;
pub mod project;
pub mod refinement;
pub mod sarif;
pub mod shorten;
pub mod simulated;
pub mod steps;
pub mod sweep;
pub mod tested;
pub mod text;
pub mod traces;
mod unmatched;
mod unsolved;
pub mod why;

pub use coverage::Covered;
pub use format_of::FormatOf;
pub use formats::{FORMATS, Format};
pub use many::Many;
pub use message::{Message, Refusal};
pub use shorten::LeftOut;
pub use sweep::Sweep;
pub use unsolved::Unsolved;

use crate::diagnostic::Severity;
use crate::explore::Audited;
use crate::model::Unmatched;
use crate::model::beyond::Beyond;
use crate::model::card::Origin;
use crate::ops::Cut;
use crate::source::Sources;
use crate::symmetry::{Basis, Guarantee};

/// What keeps a search in which all was explored from being complete: properties that were not decided in their time.
pub const OUT_OF_TIME: &str = "property-timeout";

/// The overall answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All checks hold on everything, and everything was explored.
    Holds,
    /// A property is violated.
    Violated,
    /// Evaluation met a fault.
    Error,
    /// Nothing was found, but a limit stopped the search.
    Incomplete,
    /// All checks hold on everything that was explored, and values of infinite types were tried within bounds only.
    HoldsWithinBounds,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: &'static [Verdict] =
        &[Verdict::Holds, Verdict::Violated, Verdict::Error, Verdict::Incomplete, Verdict::HoldsWithinBounds];

    /// The word in reports and for `--expect`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Error => "error",
            Verdict::Incomplete => "incomplete",
            Verdict::HoldsWithinBounds => "holds-within-bounds",
        }
    }

    /// Whether nothing was found in a search that was finished.
    #[must_use]
    pub fn is_fine(self) -> bool {
        matches!(self, Verdict::Holds | Verdict::HoldsWithinBounds)
    }
}

/// A variable of an infinite type of which not all values were tried, or something of which an option leaves out what comes
/// after the first so many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The variable.
    pub what: String,
    /// Where it is declared.
    pub place: Option<Location>,
    /// The integers that were tried, or of which values were made; `None` where it is not a matter of integers.
    pub range: Option<(i64, i64)>,
    /// The option that leaves out the rest; the range is then that of their numbers.
    pub option: Option<&'static str>,
    /// How many of how many values were tried, where there are too many.
    pub of: Option<String>,
}

/// A constant that nothing reads and that has too many values to be tried: one of them stands for all.
#[derive(Clone, Debug)]
pub struct OneOf {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub place: Option<Location>,
    /// How many values it has, in words.
    pub values: String,
}

impl OneOf {
    /// In words.
    #[must_use]
    pub fn text(&self) -> String {
        let place = self.place.as_ref().map_or_else(String::new, |p| format!(" (line {})", p.line));
        let Self { name, values, .. } = self;
        format!("nothing reads `{name}`{place}: all counts are for one of its {values} values")
    }
}

impl Bound {
    /// What evaluation has left out.
    #[must_use]
    pub fn of_cut(cut: Cut, sources: &Sources) -> Self {
        Self {
            what: cut.what.to_string(),
            place: Location::of(cut.at, sources),
            range: cut.range,
            option: None,
            of: cut.of.as_deref().map(str::to_owned),
        }
    }

    /// Whether integers between two bounds were tried.
    #[must_use]
    pub fn is_of_integers(&self) -> bool {
        self.range.is_some() && self.option.is_none()
    }

    /// The variable with its line.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.place {
            Some(place) => format!("`{}` (line {})", self.what, place.line),
            None => format!("`{}`", self.what),
        }
    }

    /// The variable with the values that were tried.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(of) = &self.of {
            return format!("{} by {of} values", self.name());
        }
        match self.range {
            Some((_, to)) if let Some(option) = self.option => {
                format!("only {to} of the {} were taken, and there may be more ({option})", self.what)
            }
            Some((from, to)) => format!("{} from {from} to {to}", self.name()),
            None => format!("{} in part", self.name()),
        }
    }
}

/// A given set with its size.
#[derive(Clone, Debug)]
pub struct SetSize {
    /// The set.
    pub name: String,
    /// Number of elements.
    pub size: u32,
    /// Where the size comes from, in words.
    pub origin: &'static str,
    /// Whether nobody has said that the set has this size and no other.
    pub assumed: bool,
}

impl SetSize {
    /// The size that a set of the machine has.
    #[must_use]
    pub fn new(name: &str, size: u32, origin: Origin) -> Self {
        Self { name: name.to_owned(), size, origin: origin.text(), assumed: origin.is_assumed() }
    }
}

/// A limit of integers that the machine speaks of, in NAT, INT and the like.
#[derive(Clone, Debug)]
pub struct Limit {
    /// `MAXINT` or `MININT`.
    pub name: &'static str,
    /// What it is.
    pub value: i64,
    /// Where that comes from, in words.
    pub origin: &'static str,
}

/// Counts of one operation.
#[derive(Clone, Debug)]
pub struct OperationLine {
    /// Its name.
    pub name: String,
    /// Its edges.
    pub transitions: u64,
    /// States with at least one of them.
    pub states_enabled: u64,
}

/// Where something stands in the text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// File.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// The text there.
    pub text: String,
}

/// A violation or fault with the shortest way to it.
#[derive(Clone, Debug, Default)]
pub struct Violation {
    /// `invariant`, `assertion`, `deadlock`, `setup`, `coverage`, `refinement`, `error`, `unsupported`, `goal`, `ltl` or `ctl`.
    pub kind: &'static str,
    /// The conjunct, for invariants, assertions and the goal; the formula.
    pub conjunct: Option<String>,
    /// The operation at fault.
    pub operation: Option<String>,
    /// The diagnostic's code, for faults.
    pub code: Option<&'static str>,
    /// What is wrong, in words.
    pub message: String,
    /// The place.
    pub location: Option<Location>,
    /// Number of states that show it (of those explored).
    pub count: u64,
    /// The steps from the beginning.
    pub trace: Vec<TraceStep>,
    /// Whether the steps are left out because a limit stopped them from being taken again.
    pub untraced: bool,
    /// How many steps come before those that are taken again and again, if the trace goes on for ever.
    pub back: Option<usize>,
    /// Whether it is a violation however the trace goes on.
    pub prefix: bool,
    /// Steps that are left out of the trace here.
    pub left_out: Option<LeftOut>,
    /// What cannot hold together, where there is nothing to begin with.
    pub unsolved: Option<Unsolved>,
    /// The limit of integers that the conjunct is false for.
    pub beyond: Option<Beyond>,
    /// Why the formula is true or false.
    pub why: Option<why::Reason>,
    /// Why no operation is possible.
    pub blocked: Vec<blocked::Blocked>,
    /// Why a step of a refinement is none of the refined machine.
    pub unmatched: Option<Unmatched>,
}

impl Violation {
    /// Whether nothing was found, which does not mean that there is nothing.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.kind == "unsupported" || self.unsolved.as_ref().is_some_and(|u| !u.certain)
    }
}

/// A property that was not decided in its time.
#[derive(Clone, Debug)]
pub struct Undecided {
    /// Which.
    pub property: Property,
    /// Its number among those of its kind, from 1, and how many there are.
    pub number: (usize, usize),
    /// Seconds that it had in each state.
    pub seconds: f64,
    /// Number of states in which it was not decided.
    pub count: u64,
}

impl Undecided {
    /// In words, with the place.
    #[must_use]
    pub fn text(&self) -> String {
        let (number, of) = self.number;
        let which = match self.property.kind {
            "goal" => "the goal".to_owned(),
            "invariant" => format!("conjunct {number} of {of} of the invariant"),
            kind => format!("{kind} {number} of {of}"),
        };
        let place = self.property.location.as_ref();
        let place = place.map_or_else(String::new, |l| format!(", {}:{}:{}", l.file, l.line, l.column));
        let more = if self.count > 1 { format!(", in {} states", self.count) } else { String::new() };
        format!("{which} undecided after {} s{place}{more}", self.seconds)
    }
}

/// Something that was checked.
#[derive(Clone, Debug)]
pub struct Property {
    /// As the kind of a violation.
    pub kind: &'static str,
    /// The conjunct, for invariants and assertions.
    pub text: Option<String>,
    /// The place.
    pub location: Option<Location>,
}

impl Property {
    /// In words.
    #[must_use]
    pub fn name(&self) -> String {
        match (&self.text, self.kind) {
            (Some(text), kind) => format!("{kind}: {text}"),
            (None, "error") => "no evaluation error".to_owned(),
            (None, "refinement") => "every step is one of the refined machine".to_owned(),
            (None, "coverage") => "every operation is possible".to_owned(),
            (None, "setup") => "PROPERTIES and INITIALISATION have solutions".to_owned(),
            (None, kind) => format!("no {kind}"),
        }
    }

    /// Whether it is this one.
    #[must_use]
    pub fn is_same(&self, other: &Property) -> bool {
        self.kind == other.kind && self.text == other.text && self.location == other.location
    }

    /// Whether a violation is one of this property.
    #[must_use]
    pub fn is_of(&self, v: &Violation) -> bool {
        self.kind == v.kind && (self.text.is_none() || self.text == v.conjunct && self.location == v.location)
    }
}

/// One step of a trace.
#[derive(Clone, Debug, Default)]
pub struct TraceStep {
    /// The operation, `INITIALISATION` or `SETUP_CONSTANTS`.
    pub operation: String,
    /// (parameter, value).
    pub arguments: Vec<(String, String)>,
    /// (result, value).
    pub results: Vec<(String, String)>,
    /// (name, value) after the step; empty if the step met a fault.
    pub values: Vec<(String, String)>,
    /// (expression, value) after the step, of those that were asked for.
    pub watched: Vec<(String, String)>,
    /// Variables whose value the step changed.
    pub changes: Vec<Change>,
    /// The fault the step met.
    pub fault: Option<String>,
}

/// A changed variable.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its name.
    pub name: String,
    /// Its value before, if it had one.
    pub before: Option<String>,
    /// Its value after.
    pub after: String,
    /// The change in few words, in lines to stand behind the name; none where the values say it.
    pub delta: Vec<String>,
}

/// What is permuted of one given set.
#[derive(Clone, Debug)]
pub struct SetLine {
    /// The set.
    pub set: String,
    /// Number of its elements.
    pub size: usize,
    /// Names of the elements that are permuted.
    pub permuted: Vec<String>,
    /// Why these.
    pub why: String,
    /// The first place that keeps elements from being permuted.
    pub at: Option<Location>,
    /// All of this in one line.
    pub text: String,
}

/// Everything a run has to say.
#[derive(Clone, Debug)]
pub struct Report {
    /// Name of the machine.
    pub machine: String,
    /// File of the machine.
    pub file: String,
    /// Deferred sets with their sizes.
    pub sets: Vec<SetSize>,
    /// MAXINT and MININT.
    pub integers: (i64, i64),
    /// Those of them that the machine speaks of.
    pub limits: Vec<Limit>,
    /// Strategy.
    pub symmetry: String,
    /// Which valuations of the constants.
    pub constants: &'static str,
    /// What a finished search shows.
    pub guarantee: Guarantee,
    /// Why a finished search shows that.
    pub basis: Basis,
    /// What the audit of the reduction has found.
    pub audit: Option<Audited>,
    /// Chance that two keys of different states are equal.
    pub collision_probability: f64,
    /// Whether states are told apart by codes, which cannot collide.
    pub coded: bool,
    /// The answer.
    pub verdict: Verdict,
    /// Whether everything was explored.
    pub complete: bool,
    /// Why not.
    pub stopped_by: Option<&'static str>,
    /// What was being done when time, memory or patience ended.
    pub at_work: Option<String>,
    /// Stored states, valuations included.
    pub states: u64,
    /// States of the full graph, valuations included, as a number in digits.
    pub full_states: Option<String>,
    /// Transitions of the full graph, those to valuations and initial states included, as a number in digits.
    pub full_transitions: Option<String>,
    /// Distinct edges.
    pub transitions: u64,
    /// Valuations that are nodes.
    pub valuations: u64,
    /// Initial states.
    pub initial_states: u64,
    /// Steps to the farthest state.
    pub depth: u64,
    /// States in which the machine's scope is false: they are checked and not left.
    pub outside_scope: u64,
    /// Whether something is wrong that is no violation where nobody may call.
    pub excuses: bool,
    /// States that violate the invariant.
    pub invariant_violations: u64,
    /// Deadlocks.
    pub deadlocks: u64,
    /// Whether a deadlock is a violation.
    pub deadlock_checked: bool,
    /// States that violate an assertion.
    pub assertion_violations: u64,
    /// Nodes with faults.
    pub errors: u64,
    /// Nodes with a step that does not refine.
    pub refinement_violations: u64,
    /// The refined machine, if this is a refinement check, and what steps are compared by.
    pub refines: Option<(String, &'static str)>,
    /// States in which the goal holds; `None` if there is no goal.
    pub goal_states: Option<u64>,
    /// Operations.
    pub operations: Vec<OperationLine>,
    /// Violations and faults.
    pub violations: Vec<Violation>,
    /// What was not found and yet may be there: valuations and initial states.
    pub open: Vec<Violation>,
    /// Properties that were not decided in their time.
    pub undecided: Vec<Undecided>,
    /// Each state in which the goal holds, if that is wanted.
    pub goals: Option<Vec<goals::GoalLine>>,
    /// The first state in which the goal holds.
    pub goal: Option<Violation>,
    /// What was tried in part only: the verdict does not cover the rest.
    pub bounds: Vec<Bound>,
    /// Constants of which one value stands for all.
    pub one_of: Vec<OneOf>,
    /// Warnings.
    pub warnings: Vec<Message>,
    /// What guards came to in all states, if they were looked at.
    pub coverage: Option<Covered>,
    /// Notes: what the file says that has no influence.
    pub notes: Vec<Message>,
    /// What was checked.
    pub properties: Vec<Property>,
    /// Temporal formulas.
    pub formulas: Vec<formulas::FormulaLine>,
    /// Levels of the chain of REFINES beside what was explored.
    pub refinements: Vec<refinement::RefinementLine>,
    /// How text shows traces.
    pub look: steps::Look,
    /// Whether JSON is written in full however large it is.
    pub full: bool,
    /// What is permuted, by given set.
    pub symmetry_sets: Vec<SetLine>,
    /// Statistics of the strategy.
    pub counters: Vec<(&'static str, u64)>,
    /// Constants and variables with their types, as ITF writes types.
    pub types: Vec<(String, String)>,
    /// For each set whose elements may be permuted, their names.
    pub elements: Vec<Vec<String>>,
    /// Seconds for loading.
    pub load_seconds: f64,
    /// Seconds for exploring.
    pub explore_seconds: f64,
    /// Most memory in use.
    pub peak_bytes: u64,
}

impl Report {
    /// Properties that the file states and that were not checked.
    pub fn not_checked(&self) -> impl Iterator<Item = &Message> {
        self.warnings.iter().filter(|w| w.is_not_checked())
    }

    /// Whether everything was explored, and only properties were not decided.
    #[must_use]
    pub fn is_explored(&self) -> bool {
        self.complete
            || matches!(self.stopped_by, Some(OUT_OF_TIME | formulas::FORMULA | refinement::REFINEMENT))
    }

    /// States in which no operation is possible though there are some: the count of deadlocks also has roots and valuations
    /// without successors.
    #[must_use]
    pub fn stuck(&self) -> u64 {
        if self.operations.is_empty() {
            return 0;
        }
        let setup = self.violations.iter().chain(&self.open).filter(|v| v.kind == "setup");
        self.deadlocks.saturating_sub(setup.map(|v| v.count).sum())
    }

    /// `fingerprint` or `approximate`.
    #[must_use]
    pub fn guarantee_name(&self) -> &'static str {
        match self.guarantee {
            Guarantee::Fingerprint => "fingerprint",
            Guarantee::Approximate => "approximate",
        }
    }
}
