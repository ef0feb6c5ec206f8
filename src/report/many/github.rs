//! Many machines as annotations of GitHub's workflow runs: those of all, one after the other.

use super::{Many, word};

/// All of them, and the summary for the log.
pub(in super::super) fn write(all: &Many) -> String {
    let mut out = String::new();
    for m in &all.machines {
        match m.report.as_str() {
            "" => out.push_str(&format!("{}: {}\n", m.file, word(m.exit, all.expected))),
            report => out.push_str(report),
        }
    }
    format!("{out}{}\n", all.summary())
}
