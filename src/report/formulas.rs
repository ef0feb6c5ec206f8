//! Temporal formulas in reports: what came of each.
//!
//! In: verdicts on formulas with their paths ([`Decided`]). Out: the report with them in it; their lines in text and JSON. A formula that is false is a violation
//! of the report, with a path that ends, or goes on for ever from a step on.

use super::{Location, Report, Verdict, Violation, text};
use serde_json::{Value as Json, json};

/// What came of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It holds.
    Held,
    /// It holds where not all values were tried, or not all valuations.
    HeldWithinBounds,
    /// It does not.
    Violated,
    /// It is not known.
    Undecided,
    /// Evaluation met a fault.
    Error,
}

impl Outcome {
    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Held => "holds",
            Outcome::HeldWithinBounds => "holds-within-bounds",
            Outcome::Violated => "violated",
            Outcome::Undecided => "undecided",
            Outcome::Error => "error",
        }
    }
}

/// A formula in the report.
#[derive(Clone, Debug)]
pub struct FormulaLine {
    /// `ltl` or `ctl`.
    pub kind: &'static str,
    /// What it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub location: Option<Location>,
    /// What came of it.
    pub outcome: Outcome,
    /// Why it is not known, or what the fault was.
    pub reason: Option<String>,
    /// States of the graph that decided it, of all graphs if there were several.
    pub states: u64,
    /// Nodes of the products with automata.
    pub product: u64,
    /// How many formulas it stands for: one for each kind of value of bound names.
    pub instances: u64,
    /// Seconds, without those for a graph that other formulas use, too.
    pub seconds: f64,
}

/// A formula that was decided, with what shows that it is false or cannot be evaluated.
#[derive(Clone, Debug)]
pub struct Decided {
    /// For the report.
    pub line: FormulaLine,
    /// The path.
    pub violation: Option<Violation>,
}

impl FormulaLine {
    /// In one line.
    #[must_use]
    pub fn text(&self) -> String {
        let same = self.name == self.text;
        let name = if same { format!("`{}`", self.text) } else { format!("{} `{}`", self.name, self.text) };
        let why = self.reason.as_ref().map_or_else(String::new, |r| format!(": {r}"));
        let times =
            if self.instances > 1 { format!(", {} kinds of values", self.instances) } else { String::new() };
        let sizes = text::count(self.states, "state");
        let product = if self.product > 0 { format!(", product {}", self.product) } else { String::new() };
        format!(
            "{} {name}: {}{why} ({sizes}{product}{times}, {:.3} s)",
            self.kind,
            self.outcome.name(),
            self.seconds
        )
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> Json {
        json!({
            "kind": self.kind, "name": self.name, "formula": self.text,
            "place": self.location.as_ref().map(|l| json!({"file": l.file, "line": l.line, "column": l.column})),
            "verdict": self.outcome.name(), "reason": self.reason, "states": self.states, "product": self.product,
            "instances": self.instances, "seconds": self.seconds,
        })
    }
}

/// The lines of all formulas.
#[must_use]
pub(super) fn lines(r: &Report) -> String {
    r.formulas.iter().map(|f| format!("{}\n", f.text())).collect()
}

/// How a path goes on.
#[must_use]
pub(super) fn end(v: &Violation) -> Option<String> {
    if !matches!(v.kind, "ltl" | "ctl") || v.trace.is_empty() {
        return None;
    }
    v.back.map(|step| match v.trace.len().saturating_sub(step) {
        0 => "and so on for ever".to_owned(),
        1 => format!("the last step leads back to the state after step {step}, and is taken again for ever"),
        n => format!(
            "the last {n} steps lead back to the state after step {step}, and are taken again for ever"
        ),
    })
}

/// Adds formulas to a report.
pub fn add(r: &mut Report, all: Vec<Decided>) {
    for Decided { mut line, violation } in all {
        if matches!(line.outcome, Outcome::Held | Outcome::HeldWithinBounds) && !r.bounds.is_empty() {
            line.outcome = Outcome::HeldWithinBounds;
            line.reason = Some(text::bounds(r));
        }
        // The report has no bounds that it could hold within.
        if line.outcome == Outcome::HeldWithinBounds && r.bounds.is_empty() {
            line.outcome = Outcome::Undecided;
        }
        match line.outcome {
            Outcome::Held | Outcome::HeldWithinBounds => {}
            Outcome::Violated => r.verdict = Verdict::Violated,
            Outcome::Error if r.verdict != Verdict::Violated => r.verdict = Verdict::Error,
            Outcome::Undecided if r.verdict.is_fine() => {
                r.verdict = Verdict::Incomplete;
            }
            _ => {}
        }
        if line.outcome == Outcome::Undecided {
            r.complete = false;
            r.stopped_by.get_or_insert(FORMULA);
        }
        r.formulas.push(line);
        r.violations.extend(violation);
    }
}

/// The formulas that were decided, or could not be evaluated, as entries of what was checked.
pub(super) fn checked(r: &Report) -> impl Iterator<Item = Json> {
    let looked_at = r.formulas.iter().filter(|f| f.outcome != Outcome::Undecided);
    looked_at.map(|f| {
        let place = f.location.as_ref().map(super::json::place);
        json!({"kind": f.kind, "conjunct": f.text, "place": place})
    })
}

/// What keeps a search in which all was explored from being complete: a formula that was not decided.
pub const FORMULA: &str = "formula";

/// The first formula that was not decided, if there is one.
pub(super) fn undecided(r: &Report) -> Option<String> {
    let first = r.formulas.iter().find(|f| f.outcome == Outcome::Undecided)?;
    let why = first.reason.clone().unwrap_or_default();
    Some(format!("the formula {} is undecided: {why}", first.name))
}
