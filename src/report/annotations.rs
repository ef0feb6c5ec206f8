//! What a report has to say about places in the text: common to the formats of CI systems.
//!
//! In: a report or a refusal. Out: one [`Annotation`] for each violation, fault, warning and limit.

use super::formulas::Outcome;
use super::{Location, Message, Refusal, Report, TraceStep, Verdict, covered, text};
use crate::diagnostic::Severity;
use crate::symmetry::Guarantee;

/// Something to be shown at a place.
#[derive(Clone, Debug)]
pub struct Annotation<'a> {
    /// How serious it is.
    pub severity: Severity,
    /// The rule: a diagnostic's code, or the kind of a violation.
    pub rule: &'static str,
    /// What the rule stands for.
    pub meaning: &'static str,
    /// What there is to say.
    pub message: String,
    /// Where; without one it is about the whole file.
    pub location: Option<&'a Location>,
    /// The steps that lead to it.
    pub trace: &'a [TraceStep],
}

/// What each kind of violation stands for.
const KINDS: &[(&str, &str)] = &[
    ("invariant", "a conjunct of the invariant that is false in a reachable state"),
    ("assertion", "an assertion that is false in a reachable state"),
    ("deadlock", "a reachable state in which no operation is possible"),
    ("setup", "PROPERTIES or INITIALISATION without a solution"),
    ("coverage", "an operation that is possible in no reachable state"),
    ("refinement", "a step of a refinement that is none of the refined machine, in a reachable state"),
    ("error", "an evaluation error in a reachable state"),
    ("goal", "a reachable state in which the goal holds"),
    ("ltl", "a temporal formula of linear time that is false on a path"),
    ("ctl", "a temporal formula of branching time that is false in an initial state"),
];

/// What a kind of violation stands for.
#[must_use]
pub fn meaning(kind: &str) -> &'static str {
    KINDS.iter().find(|(k, _)| *k == kind).map_or("", |(_, m)| m)
}

/// The annotations of a report, the most serious first.
#[must_use]
pub fn of_report(r: &Report) -> Vec<Annotation<'_>> {
    let mut out: Vec<Annotation<'_>> = Vec::new();
    for v in &r.violations {
        let more = if v.count > 1 { format!(" (in {} states)", v.count) } else { String::new() };
        out.push(Annotation {
            severity: Severity::Error,
            rule: v.code.unwrap_or(v.kind),
            meaning: meaning(v.kind),
            message: format!("{}{more}", v.message),
            location: v.location.as_ref(),
            trace: &v.trace,
        });
    }
    let whole = |severity, rule, meaning, message| Annotation {
        severity,
        rule,
        meaning,
        message,
        location: None,
        trace: &[],
    };
    if r.verdict == Verdict::Incomplete {
        let meaning = "a limit stopped the search before everything was explored";
        out.push(whole(Severity::Warning, "incomplete", meaning, text::answer(r)));
    }
    out.extend(r.undecided.iter().map(|u| Annotation {
        severity: Severity::Warning,
        rule: "undecided",
        meaning: "a property whose truth was not found in its time",
        message: u.text(),
        location: u.property.location.as_ref(),
        trace: &[],
    }));
    let unknown = r.formulas.iter().filter(|f| f.outcome == Outcome::Undecided);
    out.extend(unknown.map(|f| Annotation {
        severity: Severity::Warning,
        rule: "undecided",
        meaning: "a property whose truth was not found in its time",
        message: f.text(),
        location: f.location.as_ref(),
        trace: &[],
    }));
    let unknown = r.refinements.iter().filter(|l| l.verdict == Verdict::Incomplete);
    out.extend(unknown.map(|l| Annotation {
        severity: Severity::Warning,
        rule: "undecided",
        meaning: "a property whose truth was not found in its time",
        message: l.text(),
        location: l.location.as_ref(),
        trace: &[],
    }));
    out.extend(r.bounds.iter().map(|b| Annotation {
        severity: Severity::Warning,
        rule: "bounds",
        meaning: "values that were not tried: no violation found is no proof",
        message: if b.option.is_some() { b.text() } else { format!("nothing bounds {}", b.text()) },
        location: b.place.as_ref(),
        trace: &[],
    }));
    out.extend(r.one_of.iter().map(|o| Annotation {
        severity: Severity::Note,
        rule: "one-of",
        meaning: "a constant that nothing reads, with too many values to be tried: one stands for all",
        message: o.text(),
        location: o.place.as_ref(),
        trace: &[],
    }));
    out.extend(r.warnings.iter().chain(&r.notes).map(of_message));
    if r.verdict.is_fine() && r.guarantee == Guarantee::Approximate {
        let meaning = "the symmetry reduction may skip states: no violation found is no proof";
        out.push(whole(Severity::Note, "approximate", meaning, covered::line(r)));
    }
    out
}

/// The annotations of a refused input.
#[must_use]
pub fn of_refusal(r: &Refusal) -> Vec<Annotation<'_>> {
    r.messages.iter().map(of_message).collect()
}

fn of_message(m: &Message) -> Annotation<'_> {
    let help = m.help.as_ref().map_or_else(String::new, |h| format!(" (help: {h})"));
    Annotation {
        severity: m.severity,
        rule: m.code,
        meaning: m.meaning,
        message: format!("{}{help}", m.message),
        location: m.location.as_ref(),
        trace: &[],
    }
}
