//! Expectations as text: a line each, what is not so below, a summary at the end.

use super::{Line, OUTCOMES, Outcome, Tested};
use crate::report::text::count;

/// All as text.
pub(super) fn write(t: &Tested) -> String {
    let lines = t.machines.iter().flat_map(|m| m.lines.iter().map(|l| line(&m.file, l)));
    let mut out: String = lines.collect();
    for file in &t.without {
        out.push_str(&format!("nothing  {file}\n"));
    }
    let counts =
        OUTCOMES.iter().map(|o| (t.count(o), *o)).filter(|(n, o)| *n > 0 || *o == "met" || *o == "unmet");
    let counts: Vec<String> = counts.map(|(n, o)| format!("{n} {o}")).collect();
    let without = match t.without.len() {
        0 => String::new(),
        1 => "; 1 machine expects nothing".to_owned(),
        n => format!("; {n} machines expect nothing"),
    };
    let all = count(t.expectations() as u64, "expectation");
    out.push_str(&format!("{all}: {}{without}\n", counts.join(", ")));
    out
}

fn line(file: &str, l: &Line) -> String {
    let mut out = format!("{:<8} {file}:{}: {}\n", l.outcome.name(), l.expected.line, l.expected.text);
    if let Outcome::Unmet(why) = &l.outcome {
        why.iter().for_each(|w| out.push_str(&format!("    {w}\n")));
    }
    out
}
