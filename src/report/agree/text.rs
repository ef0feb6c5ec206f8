//! Agreements as text: a line per machine, what speaks against it below, a summary at the end.

use super::{Agreement, Agreements, Outcome, Way};
use crate::report::text::count;

/// All agreements as text.
#[must_use]
pub fn write(agreements: &Agreements) -> String {
    let all = &agreements.all;
    let mut out: String = all.iter().map(one).collect();
    let counts: Vec<String> =
        Outcome::ALL.iter().map(|&o| format!("{} {}", agreements.count(o), o.name())).collect();
    let tried = if agreements.complete() {
        count(all.len() as u64, "machine")
    } else {
        format!("interrupted: {} of {} machines tried", all.len(), agreements.asked)
    };
    out.push_str(&format!("{tried}: {}\n", counts.join(", ")));
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
