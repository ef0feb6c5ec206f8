//! Refinement checks beside a check in reports: what came of each level of the chain of REFINES.
//!
//! In: the report of the pairs of states of a level ([`Judged`]). Out: the report with it; its line in text and JSON. A step that
//! does not refine is a violation of the whole; whatever else keeps a level from an answer makes the whole incomplete.

use super::{Location, Report, Verdict, Violation, text};
use crate::symmetry::Guarantee;
use serde_json::{Value as Json, json};

/// A level in the report.
#[derive(Clone, Debug)]
pub struct RefinementLine {
    /// The refinement.
    pub refinement: String,
    /// The machine that it refines.
    pub refined: String,
    /// What steps are compared by.
    pub against: &'static str,
    /// Where it says so.
    pub location: Option<Location>,
    /// What came of it.
    pub verdict: Verdict,
    /// Why it is not known, or among which values.
    pub reason: Option<String>,
    /// States of both together.
    pub states: u64,
    /// Those with a step that does not refine.
    pub violations: u64,
    /// States of both together without symmetry, as a number in digits.
    pub full_states: Option<String>,
    /// Those outside the scope that the refinement states.
    pub outside_scope: u64,
    /// Distinct edges between them.
    pub transitions: u64,
    /// Seconds for exploring them.
    pub seconds: f64,
}

/// A level that was looked at, with what was seen of its pairs of states.
#[derive(Clone, Debug)]
pub struct Judged {
    line: RefinementLine,
    pairs: Option<Box<Report>>,
}

/// What keeps a search in which all was explored from being complete: a refinement that is not known.
pub const REFINEMENT: &str = "refinement";

impl Judged {
    /// A level that nothing came of.
    #[must_use]
    pub fn undone(line: RefinementLine, why: String) -> Self {
        Self { line: RefinementLine { verdict: Verdict::Incomplete, reason: Some(why), ..line }, pairs: None }
    }

    /// Whether it holds, with all pairs of states looked at.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.line.verdict == Verdict::Holds
    }

    /// Whether nothing was found to be wrong, and calls may be missing.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let fine = |r: &Report| matches!(r.verdict, Verdict::HoldsWithinBounds | Verdict::Incomplete);
        self.pairs.as_deref().is_some_and(|r| fine(r) && r.violations.is_empty())
    }

    /// It matters which calls are missing: so it is not known.
    pub fn open(&mut self) {
        let why = "what is wrong by itself would have to be looked at in calls that are missing here";
        let known = self.line.reason.take().map_or_else(String::new, |r| format!("{r}; "));
        self.line.reason = Some(format!("{known}{why}"));
        self.line.verdict = Verdict::Incomplete;
    }

    /// Whether there is a step that does not refine.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.line.verdict == Verdict::Violated
    }

    /// How it stands in reports.
    #[must_use]
    pub fn line(&self) -> &RefinementLine {
        &self.line
    }

    /// A level by the report of its pairs of states.
    #[must_use]
    pub fn of(line: RefinementLine, r: Report) -> Self {
        let fails = r.violations.iter().any(is_one);
        let verdict = match r.verdict {
            Verdict::Violated | Verdict::Error if fails => Verdict::Violated,
            // What else is wrong with the two machines says neither that one refines the other nor that it does not.
            Verdict::Violated | Verdict::Error => Verdict::Incomplete,
            other => other,
        };
        let reason = match verdict {
            Verdict::Holds => None,
            Verdict::HoldsWithinBounds => Some(text::bounds(&r)),
            Verdict::Violated => r.violations.iter().find(|v| is_one(v)).map(|v| v.message.clone()),
            Verdict::Incomplete | Verdict::Error => Some(text::why(&r)),
        };
        let line = RefinementLine {
            verdict,
            reason,
            states: r.states,
            violations: r.refinement_violations,
            full_states: r.full_states.clone(),
            outside_scope: r.outside_scope,
            transitions: r.transitions,
            seconds: r.explore_seconds,
            ..line
        };
        Self { line, pairs: Some(Box::new(r)) }
    }
}

/// Whether a violation is a step that does not refine.
fn is_one(v: &Violation) -> bool {
    v.kind == "refinement"
}

impl RefinementLine {
    /// Which machine refines which, by what.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} of {} ({})", self.refinement, self.refined, self.against)
    }

    /// In one line.
    #[must_use]
    pub fn text(&self) -> String {
        let why = self.reason.as_ref().map_or_else(String::new, |r| format!(": {r}"));
        format!(
            "refinement {}: {}{why} ({} of both together{}, {:.3} s)",
            self.name(),
            self.verdict.name(),
            text::count(self.states, "state"),
            text::outside(self.outside_scope),
            self.seconds
        )
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> Json {
        let full = self.full_states.as_ref().map(|n| n.parse::<u64>().map_or_else(|_| json!(n), Json::from));
        json!({
            "refinement": self.refinement, "refines": self.refined, "against": self.against,
            "place": self.location.as_ref().map(super::json::place), "verdict": self.verdict.name(), "reason": self.reason,
            "states": self.states, "outside_scope": self.outside_scope, "full_states": full, "transitions": self.transitions,
            "refinement_violations": self.violations, "seconds": self.seconds,
        })
    }
}

/// The lines of all levels.
#[must_use]
pub(super) fn lines(r: &Report) -> String {
    r.refinements.iter().map(|l| format!("{}\n", l.text())).collect()
}

/// The levels that were decided, as entries of what was checked.
pub(super) fn checked(r: &Report) -> impl Iterator<Item = Json> {
    let known = r.refinements.iter().filter(|l| l.verdict != Verdict::Incomplete);
    known.map(|l| {
        let place = l.location.as_ref().map(super::json::place);
        json!({"kind": "refinement", "conjunct": null, "place": place})
    })
}

/// The levels that hold, for the line of the verdict.
pub(super) fn held(r: &Report) -> String {
    let fine = r.refinements.iter().filter(|l| l.verdict.is_fine());
    let scope = |l: &RefinementLine| if l.outside_scope > 0 { " within SCOPE" } else { "" };
    fine.map(|l| format!(", {} refines {}{}", l.refinement, l.refined, scope(l))).collect()
}

/// The first level that is not known, if there is one.
pub(super) fn undecided(r: &Report) -> Option<String> {
    let first = r.refinements.iter().find(|l| l.verdict == Verdict::Incomplete)?;
    let why = first.reason.clone().unwrap_or_default();
    Some(format!("whether {} refines {} is not known: {why}", first.refinement, first.refined))
}

/// How bad a verdict is.
fn rank(v: Verdict) -> usize {
    let order =
        [Verdict::Holds, Verdict::HoldsWithinBounds, Verdict::Incomplete, Verdict::Error, Verdict::Violated];
    order.iter().position(|o| *o == v).unwrap_or_default()
}

/// Adds levels to a report.
pub fn add(r: &mut Report, all: Vec<Judged>) {
    for Judged { line, pairs } in all {
        if rank(line.verdict) > rank(r.verdict) {
            r.verdict = line.verdict;
        }
        if line.verdict == Verdict::Incomplete {
            r.complete = false;
            r.stopped_by.get_or_insert(REFINEMENT);
        }
        r.refinements.push(line);
        if let Some(pairs) = pairs {
            join(r, *pairs);
        }
    }
}

/// What the pairs of states of a level say of the whole.
fn join(r: &mut Report, pairs: Report) {
    r.refinement_violations += pairs.refinement_violations;
    r.violations.extend(pairs.violations.into_iter().filter(is_one));
    for bound in pairs.bounds {
        if !r.bounds.contains(&bound) {
            r.bounds.push(bound);
        }
    }
    for one in pairs.one_of {
        if !r.one_of.iter().any(|o| o.name == one.name && o.place == one.place) {
            r.one_of.push(one);
        }
    }
    let known: Vec<String> = r.warnings.iter().chain(&r.notes).map(super::Message::line).collect();
    let new = |m: &super::Message| !m.is_not_checked() && !known.contains(&m.line());
    r.warnings.extend(pairs.warnings.into_iter().filter(new));
    r.notes.extend(pairs.notes.into_iter().filter(new));
    r.collision_probability = (r.collision_probability + pairs.collision_probability).min(1.0);
    r.coded &= pairs.coded;
    if pairs.guarantee == Guarantee::Approximate && r.guarantee != Guarantee::Approximate {
        (r.guarantee, r.basis) = (pairs.guarantee, pairs.basis);
    }
}
