//! Agreements as text: a line per machine, what speaks against it below, a summary at the end.

use super::{Agreement, Outcome, Way};

/// All agreements as text.
#[must_use]
pub fn write(all: &[Agreement]) -> String {
    let mut out: String = all.iter().map(one).collect();
    let count = |o: Outcome| all.iter().filter(|a| a.outcome == o).count();
    let counts: Vec<String> = Outcome::ALL.iter().map(|&o| format!("{} {}", count(o), o.name())).collect();
    out.push_str(&format!("{} machines: {}\n", all.len(), counts.join(", ")));
    out
}

/// One machine.
#[must_use]
pub fn one(a: &Agreement) -> String {
    let ways: Vec<String> = a.ways.iter().map(way).collect();
    let against: String = a.contradictions.iter().map(|c| format!("    {c}\n")).collect();
    format!("{:<10} {}: {}\n{against}", a.outcome.name(), a.file, ways.join(", "))
}

fn way(w: &Way) -> String {
    match (w.complete(), w.word("stopped_by")) {
        (true, _) => format!("{} {}", w.name, w.number("states")),
        (false, "") => format!("{} stopped", w.name),
        (false, why) => format!("{} stopped ({why})", w.name),
    }
}
