//! Many machines as text: a line each, below it the whole report where not all is well, a summary at the end.

use super::{Checked, Many, word};

/// One machine: its verdict, and all that there is to say if that is no good one.
#[must_use]
pub fn machine(m: &Checked, expected: bool) -> String {
    let verdict = m.report.lines().next().unwrap_or_else(|| word(m.exit, expected));
    let mut out = format!("{}: {verdict}\n", m.file);
    let rest = m.report.lines().skip(1).filter(|_| m.exit != Some(0) && m.exit != Some(5));
    for line in m.said.lines().chain(rest) {
        let margin = if line.is_empty() { "" } else { "    " };
        out.push_str(&format!("{margin}{line}\n"));
    }
    out
}

/// The last line.
#[must_use]
pub fn summary(all: &Many) -> String {
    format!("\n{}\n", all.summary())
}
