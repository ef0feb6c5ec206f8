//! The tasks of a project as text: a table, what is not run and why, what was said of tasks that were refused.

use super::{Done, Outcome, TaskLine};
use crate::report::text::count;
use comfy_table::{Table, presets};

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

/// All of it.
pub(super) fn write(done: &Done) -> String {
    let mut out = format!("{}\n", done.project);
    let run = |l: &&TaskLine| !matches!(l.outcome, Outcome::Missing(_) | Outcome::Off);
    if done.lines.iter().any(|l| run(&l)) {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY).set_header(["machine", "task", "expected", "found", ""]);
        for l in done.lines.iter().filter(run) {
            table.add_row([&l.machine, &l.name, l.expected, &l.found, l.outcome.word()]);
        }
        out += &format!("{table}\n");
    }
    for l in &done.lines {
        if let Outcome::Missing(why) = &l.outcome {
            out += &format!("not in bsym: {}: {}: {why}\n", l.machine, l.name);
        }
    }
    for l in done.lines.iter().filter(|l| l.outcome == Outcome::Off) {
        out += &format!("not selected: {}: {}\n", l.machine, l.name);
    }
    for l in done.lines.iter().filter(|l| !l.said.is_empty()) {
        out += &format!("{}: {}:\n", l.machine, l.name);
        l.said.iter().for_each(|line| out += &format!("    {line}\n"));
    }
    let counts = WORDS.iter().map(|(word, all)| (done.count(word), all)).filter(|(n, _)| *n > 0);
    let counts: Vec<String> = counts.map(|(n, all)| format!("{n} {all}")).collect();
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    out + &format!("{}{counts}\n", count(done.lines.len() as u64, "task"))
}
