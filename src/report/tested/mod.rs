//! What came of the expectations of many machines, as data, and its formats: one file each.
//!
//! In: what each machine expects ([`super::expect`]) and what of it is not so. Out: [`Tested`]. Nothing is run here.

mod json;
mod junit;
mod text;

use super::FormatOf;
use super::expect::Expectation;
use std::time::Duration;

/// What came of an expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All is as expected.
    Met,
    /// What is not, in words.
    Unmet(Vec<String>),
    /// It is slow, and slow ones were not asked for.
    Slow,
    /// The user ended it before its turn, or before its end.
    Untried,
}

impl Outcome {
    /// The word in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Unmet(_) => "unmet",
            Self::Slow => "slow",
            Self::Untried => "untried",
        }
    }
}

/// One expectation with what came of it.
#[derive(Clone, Debug)]
pub struct Line {
    /// What is expected.
    pub expected: Expectation,
    /// What came of it.
    pub outcome: Outcome,
    /// How long the run took.
    pub took: Duration,
}

/// One machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The file.
    pub file: String,
    /// What it expects.
    pub lines: Vec<Line>,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct Tested {
    /// The machines that expect something.
    pub machines: Vec<Machine>,
    /// The files of the others.
    pub without: Vec<String>,
}

impl Tested {
    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.machines.iter().flat_map(|m| &m.lines)
    }

    /// How many expectations have an outcome of this name.
    #[must_use]
    pub fn count(&self, outcome: &str) -> usize {
        self.lines().filter(|l| l.outcome.name() == outcome).count()
    }

    /// How many there are.
    #[must_use]
    pub fn expectations(&self) -> usize {
        self.lines().count()
    }
}

/// The outcomes, in the order in which they are counted.
const OUTCOMES: [&str; 4] = ["met", "unmet", "slow", "untried"];

/// All formats.
pub const FORMATS: &[FormatOf<Tested>] = &[
    FormatOf { name: "text", help: "one line per expectation and a summary", write: text::write },
    FormatOf { name: "json", help: "everything, schema bsym.test/1", write: json::write },
    FormatOf { name: "junit", help: "a suite per machine, a test per expectation", write: junit::write },
];
