//! What came of the tasks of a project, as data and as text.
//!
//! In: tasks with what was expected and found. Out: [`Done`]; a table, what is not run and why, what was said of tasks that were refused. Nothing is run here.

use super::text::count;
use comfy_table::{Table, presets};

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

/// The words of outcomes, with those that they are counted as.
const WORDS: [(&str, &str); 8] = [
    ("met", "as expected"),
    ("NOT MET", "not as expected"),
    ("error", "in error"),
    ("refused", "refused"),
    ("unknown", "not known"),
    ("missing", "not in bsym"),
    ("off", "not selected"),
    ("not run", "not run"),
];

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
    /// As text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.project);
        let run = |l: &&TaskLine| !matches!(l.outcome, Outcome::Missing(_) | Outcome::Off);
        if self.lines.iter().any(|l| run(&l)) {
            let mut table = Table::new();
            table
                .load_style(presets::UTF8_BORDERS_ONLY)
                .set_header(["machine", "task", "expected", "found", ""]);
            for l in self.lines.iter().filter(run) {
                table.add_row([&l.machine, &l.name, l.expected, &l.found, l.outcome.word()]);
            }
            out += &format!("{table}\n");
        }
        for l in &self.lines {
            if let Outcome::Missing(why) = &l.outcome {
                out += &format!("not in bsym: {}: {}: {why}\n", l.machine, l.name);
            }
        }
        for l in self.lines.iter().filter(|l| l.outcome == Outcome::Off) {
            out += &format!("not selected: {}: {}\n", l.machine, l.name);
        }
        for l in self.lines.iter().filter(|l| !l.said.is_empty()) {
            out += &format!("{}: {}:\n", l.machine, l.name);
            l.said.iter().for_each(|line| out += &format!("    {line}\n"));
        }
        let counts = WORDS.iter().map(|(word, all)| (self.count(word), all)).filter(|(n, _)| *n > 0);
        let counts: Vec<String> = counts.map(|(n, all)| format!("{n} {all}")).collect();
        let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        out + &format!("{}{counts}\n", count(self.lines.len() as u64, "task"))
    }

    fn count(&self, word: &str) -> usize {
        self.lines.iter().filter(|l| l.outcome.word() == word).count()
    }
}
