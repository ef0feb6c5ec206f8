//! What came of the tasks of a project, as data; one file and one row for each format.
//!
//! In: tasks with what was expected and found. Out: [`Done`]. Nothing is run here.

mod json;
mod text;

use super::FormatOf;

/// All formats.
pub const FORMATS: &[FormatOf<Done>] = &[
    FormatOf { name: "text", help: "a table, and what is to be said of tasks", write: text::write },
    FormatOf { name: "json", help: "schema bsym.project/1", write: json::write },
];

/// What came of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It is as expected.
    Met,
    /// It is not, or it cannot be known: the exit code of a check that ends so.
    Not(u8),
    /// bsym has no such task; why.
    Missing(String),
    /// The project says that it is not to be run.
    Off,
    /// The user ended it before its turn, or before its end.
    Untried,
}

/// A task.
#[derive(Clone, Debug)]
pub struct TaskLine {
    /// Its machine.
    pub machine: String,
    /// What it is called.
    pub name: String,
    /// What is expected, if anything.
    pub expected: &'static str,
    /// What was found.
    pub found: String,
    /// What came of it.
    pub outcome: Outcome,
    /// Lines about it: what was wrong with it.
    pub said: Vec<String>,
}

/// All tasks.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The name of the project.
    pub project: String,
    /// In its order.
    pub lines: Vec<TaskLine>,
}

impl Outcome {
    /// In a word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Met => "met",
            Outcome::Not(1) => "NOT MET",
            Outcome::Not(2) => "refused",
            Outcome::Not(3 | 5) => "unknown",
            Outcome::Not(_) => "error",
            Outcome::Missing(_) => "missing",
            Outcome::Off => "off",
            Outcome::Untried => "not run",
        }
    }
}

impl Done {
    /// How many tasks came to this word.
    fn count(&self, word: &str) -> usize {
        self.lines.iter().filter(|l| l.outcome.word() == word).count()
    }
}
