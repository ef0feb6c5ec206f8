//! Whether the ways to explore one machine contradict each other, as data, and its formats.
//!
//! In: the JSON reports (`bsym.check/1`) of one machine, one per way. Out: [`Agreement`]. The rules are the rows of
//! [`rules::RULES`]; formats are one file each. Nothing is run here.

pub mod json;
pub mod rules;
pub mod text;

use super::FormatOf;
use serde_json::Value as Json;

/// The way without symmetry, with compiled code.
pub const OFF: &str = "off";
/// The way without symmetry, with the plain evaluator.
pub const PLAIN: &str = "plain";
/// The way without symmetry, with solutions found by trying all values.
pub const NAIVE: &str = "naive";
/// The strategy that [`EVERY_VALUATION`] is held against.
pub const EXACT: &str = "exact";
/// The way of [`EXACT`] with all valuations of the constants enumerated, not only those that are not symmetric.
pub const EVERY_VALUATION: &str = "exact with all constants";

/// The report of one way to explore a machine.
#[derive(Clone, Debug)]
pub struct Way {
    /// The strategy, [`PLAIN`], [`NAIVE`] or [`EVERY_VALUATION`].
    pub name: String,
    /// What `bsym check` said.
    pub report: Json,
}

impl Way {
    /// A number of the report; 0 if it is missing.
    #[must_use]
    pub fn number(&self, key: &str) -> u64 {
        self.report.get(key).and_then(Json::as_u64).unwrap_or(0)
    }

    /// A word of the report.
    #[must_use]
    pub fn word(&self, key: &str) -> &str {
        self.report.get(key).and_then(Json::as_str).unwrap_or("")
    }

    /// Whether everything was explored.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.report.get("complete").and_then(Json::as_bool).unwrap_or(false)
    }

    /// States without the valuations of the constants: what orbits are counted of.
    #[must_use]
    pub fn proper(&self) -> u64 {
        self.number("states").saturating_sub(self.number("constants_valuations"))
    }

    /// The same with nothing of the report but what formats show: thousands of machines fit into memory.
    fn shown(&self) -> Self {
        let of = |key: &&str| Some(((*key).to_owned(), self.report.get(*key)?.clone()));
        let report = SHOWN.iter().filter_map(of).collect::<serde_json::Map<_, _>>();
        Self { name: self.name.clone(), report: report.into() }
    }

    /// The numbers behind the verdict, as flags.
    #[must_use]
    pub fn flags(&self) -> Vec<&'static str> {
        FLAGS.iter().copied().filter(|k| self.number(k) > 0).collect()
    }
}

/// What may be found.
const FLAGS: [&str; 5] =
    ["invariant_violations", "deadlocks", "assertion_violations", "errors", "goal_states"];

/// What formats show of a report.
const SHOWN: [&str; 6] = ["complete", "stopped_by", "states", "transitions", "full_states", "seconds"];

/// How the ways to explore one machine went together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Two ways at least can be compared, and nothing speaks against them.
    Agree,
    /// They contradict each other, or one died.
    Contradict,
    /// Less than two ways finished.
    Open,
    /// The input was refused.
    Refused,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Agree, Self::Contradict, Self::Open, Self::Refused];

    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Contradict => "contradict",
            Self::Open => "open",
            Self::Refused => "refused",
        }
    }
}

/// One machine, explored in several ways.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The file.
    pub file: String,
    /// What was run, in this order.
    pub ways: Vec<Way>,
    /// How it went.
    pub outcome: Outcome,
    /// What speaks against them, in words.
    pub contradictions: Vec<String>,
}

impl Agreement {
    /// Judges the reports of one machine. `died` are the values of `stopped_by` that no check may have.
    #[must_use]
    pub fn new(file: String, ways: Vec<Way>, died: &[&str]) -> Self {
        let mut contradictions: Vec<String> = Vec::new();
        for w in ways.iter().filter(|w| died.contains(&w.word("stopped_by"))) {
            contradictions.push(format!("{} {}", w.name, w.word("stopped_by")));
        }
        contradictions.extend(rules::contradictions(&ways));
        let outcome = if !contradictions.is_empty() {
            Outcome::Contradict
        } else if ways.first().is_some_and(|w| w.word("verdict") == "refused") {
            // Of the other ways one may be refused alone: flooding a large group, say.
            Outcome::Refused
        } else if ways.iter().filter(|w| w.complete()).count() < 2 {
            Outcome::Open
        } else {
            Outcome::Agree
        };
        let ways = ways.iter().map(Way::shown).collect();
        Self { file, ways, outcome, contradictions }
    }
}

/// What is known of several machines.
#[derive(Clone, Debug)]
pub struct Agreements {
    /// The machines that were tried, in the order of their files.
    pub all: Vec<Agreement>,
    /// How many were to be tried; more if the user ended it.
    pub asked: usize,
}

impl Agreements {
    /// How many went so.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.all.iter().filter(|a| a.outcome == outcome).count()
    }

    /// Whether all were tried.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.all.len() == self.asked
    }
}

/// All formats.
pub const FORMATS: &[FormatOf<Agreements>] = &[
    FormatOf { name: "text", help: "one line per machine and a summary", write: text::write },
    FormatOf { name: "json", help: "everything, schema bsym.agree/1", write: json::write },
];
