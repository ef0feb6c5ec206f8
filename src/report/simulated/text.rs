//! Random walks as text.

use super::Simulated;
use crate::report::text::{bounded, count, grouped};
use crate::report::{Verdict, steps};
use std::fmt::Write as _;

/// All of it.
pub(super) fn write(s: &Simulated) -> String {
    let (taken, wanted) = s.walks;
    let steps = count(s.steps, "step");
    let mut out = match (&s.found, s.stopped) {
        (Some(found), _) => {
            let verdict = if found.kind == "error" { Verdict::Error } else { Verdict::Violated };
            let word = verdict.name().to_uppercase();
            format!("{word} {}: {} on random walk {taken} (seed {})\n\n", s.machine, found.kind, s.seed)
        }
        (None, None) if s.valuations == (0, true) => {
            format!(
                "{}: no walk was possible: no values of the constants were found that satisfy PROPERTIES\n\n",
                s.machine
            )
        }
        (None, stopped) => {
            let walks = count(taken, "random walk");
            let of =
                if taken < wanted { format!(" of {}", grouped(&wanted.to_string())) } else { String::new() };
            let by = stopped.map_or_else(String::new, |s| format!(", stopped by a limit: {s}"));
            format!(
                "{}: no violation on {walks}{of} ({steps}, seed {}{by})\nThis proves nothing of other walks: `bsym check` \
                 looks at all states.\n\n",
                s.machine, s.seed
            )
        }
    };
    if let Some(found) = &s.found {
        out += &found.text;
        if !found.trace.is_empty() {
            let _ = writeln!(out, "{}", steps::table(&found.trace, s.look));
            out += &steps::last(&found.trace, s.look);
        }
        let _ = writeln!(out, "\nA shortest way to a violation: `bsym check {}`\n", s.file);
    }
    for line in limits(s) {
        let _ = writeln!(out, "{line}");
    }
    let _ = writeln!(out, "{steps}, {} met", count(s.states, "different state"));
    let ends: Vec<String> =
        s.ends.iter().map(|(how, n)| format!("{} {how}", grouped(&n.to_string()))).collect();
    if !ends.is_empty() {
        let _ = writeln!(out, "walks that ended: {}", ends.join(", "));
    }
    let width = s.operations.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, n) in s.operations.iter().filter(|(_, n)| *n > 0) {
        let _ = writeln!(out, "  {name:width$}  {}", grouped(&n.to_string()));
    }
    let never: Vec<&str> =
        s.operations.iter().filter(|(_, n)| *n == 0).map(|(name, _)| name.as_str()).collect();
    if !never.is_empty() {
        let _ = writeln!(out, "never taken: {}", never.join(", "));
    }
    out
}

/// What walks could not meet, a line each.
fn limits(s: &Simulated) -> Vec<String> {
    let mut all = s.unknown.clone();
    if !s.bounds.is_empty() {
        all.push(bounded(&s.bounds, s.integers));
    }
    if let (n @ 1.., true) = s.valuations {
        let first = count(n, "valuation");
        all.push(format!(
            "walks begin with the first {first} of the constants that were found: there may be more"
        ));
    }
    all
}
