//! What must hold between the ways to explore one machine: one row per rule.
//!
//! A rule looks at two reports and says what is wrong, or nothing. It is asked about every pair of which the first
//! stands before the second; so whatever a rule compares with comes first: `off`, then `plain` and `naive`, then strategies.

use super::{EVERY_VALUATION, EXACT, NAIVE, OFF, PLAIN, Way};
use serde_json::Value as Json;

/// A rule about two reports.
struct Rule {
    /// Whether the rule is about these two.
    about: fn(&Way, &Way) -> bool,
    /// What is compared, in words, and its two values.
    look: fn(&Way, &Way) -> (&'static str, String, String),
    /// Whether the first value must be at least the second, or equal to it.
    at_least: bool,
}

/// Strategies that may take states in different orbits for one.
fn approximate(w: &Way) -> bool {
    w.word("guarantee") == "approximate"
}

/// Whether the way may store several states of one orbit.
fn several(w: &Way) -> bool {
    w.report["basis"]["class"] == "images"
}

/// Whether the way stores one state per orbit.
fn by_orbit(w: &Way) -> bool {
    ![OFF, PLAIN, NAIVE].contains(&w.name.as_str()) && !approximate(w) && !several(w)
}

fn both_complete(a: &Way, b: &Way) -> bool {
    conclusive(a) && conclusive(b)
}

/// Whether everything was explored. Who tries all values meets some at which something has none, which a search goes around: that
/// says nothing about the search.
fn conclusive(w: &Way) -> bool {
    w.complete() && (w.name != NAIVE || w.number("errors") == 0)
}

/// Whether the whole graph was seen, faults or not.
fn whole(w: &Way) -> bool {
    w.complete() || w.word("stopped_by") == "evaluation"
}

fn shown(v: Option<&Json>) -> String {
    v.map_or_else(|| "nothing".to_owned(), |j| j.as_str().map_or_else(|| j.to_string(), str::to_owned))
}

/// Counts that do not depend on how a machine is evaluated.
const COUNTS: [&str; 9] = [
    "states",
    "transitions",
    "constants_valuations",
    "initial_states",
    "invariant_violations",
    "deadlocks",
    "assertion_violations",
    "errors",
    "goal_states",
];

fn counts(w: &Way) -> String {
    COUNTS.map(|k| format!("{k} {}", w.number(k))).join(", ")
}

/// The entries of a list (temporal formulas, refinements) that one way and another decide, with what the one says.
fn decided((key, name): (&str, &str), a: &Way, b: &Way) -> String {
    let all = |w: &Way| -> Vec<(String, String)> {
        let list = w.report.get(key).and_then(Json::as_array).cloned().unwrap_or_default();
        let of = |f: &Json| (shown(f.get(name)), shown(f.get("verdict")));
        list.iter().map(of).filter(|(_, v)| v == "holds" || v == "violated").collect()
    };
    let others = all(b);
    let both = |(n, _): &&(String, String)| others.iter().any(|(other, _)| other == n);
    all(a).iter().filter(both).map(|(n, v)| format!("{n} {v}")).collect::<Vec<_>>().join(", ")
}

/// Where temporal formulas stand in a report, and what they are called by.
const FORMULA: (&str, &str) = ("formulas", "name");
/// The same of levels of the chain of REFINES.
const LEVEL: (&str, &str) = ("refinements", "refinement");

const RULES: &[Rule] = &[
    // The compiled and the plain evaluator see the same graph, and so does who tries all values.
    Rule {
        about: |a, b| {
            a.name == OFF && whole(a) && (b.name == PLAIN && whole(b) || b.name == NAIVE && conclusive(b))
        },
        look: |a, b| {
            let all = |w: &Way| format!("{}, operations {}", counts(w), shown(w.report.get("operations")));
            ("counts", all(a), all(b))
        },
        at_least: false,
    },
    // It is the same to enumerate constants up to symmetry and to enumerate all and keep one of each orbit.
    Rule {
        about: |a, b| both_complete(a, b) && a.name == EXACT && b.name == EVERY_VALUATION,
        look: |a, b| {
            let all = |w: &Way| format!("{}, full_states {}", counts(w), shown(w.report.get("full_states")));
            ("counts", all(a), all(b))
        },
        at_least: false,
    },
    // All that is found without symmetry is found once per orbit, and nothing else.
    Rule {
        about: |a, b| both_complete(a, b) && !approximate(a) && !approximate(b),
        look: |a, b| ("findings", a.flags().join(", "), b.flags().join(", ")),
        at_least: false,
    },
    // What markers find is there: they may miss, not invent.
    Rule {
        about: |a, b| both_complete(a, b) && !approximate(a) && approximate(b),
        look: |a, b| {
            let invented: Vec<&str> = b.flags().into_iter().filter(|f| !a.flags().contains(f)).collect();
            ("findings that only an approximate strategy has", String::new(), invented.join(", "))
        },
        at_least: false,
    },
    // One state per orbit, whatever tells orbits apart.
    Rule {
        about: |a, b| both_complete(a, b) && by_orbit(a) && by_orbit(b),
        look: |a, b| ("orbits", a.proper().to_string(), b.proper().to_string()),
        at_least: false,
    },
    // Images of a state have as many edges as it has, whether or not all of them were tried.
    Rule {
        about: |a, b| both_complete(a, b) && by_orbit(a) && by_orbit(b),
        look: |a, b| ("transitions", shown(a.report.get("transitions")), shown(b.report.get("transitions"))),
        at_least: false,
    },
    // A reduction does not add states.
    Rule {
        about: |a, b| {
            both_complete(a, b)
                && !approximate(a)
                && ![PLAIN, NAIVE].contains(&b.name.as_str())
                && (a.name == OFF || !several(b))
        },
        look: |a, b| ("states", a.proper().to_string(), b.proper().to_string()),
        at_least: true,
    },
    // The orbits together are the full graph.
    Rule {
        about: |a, b| {
            both_complete(a, b) && a.name == OFF && by_orbit(b) && !b.report["full_states"].is_null()
        },
        look: |a, b| {
            let full = shown(b.report.get("full_states"));
            ("states and sum of orbit sizes", shown(a.report.get("states")), full)
        },
        at_least: false,
    },
    // Temporal formulas that both decide are the same.
    Rule {
        about: |_, _| true,
        look: |a, b| ("temporal formulas", decided(FORMULA, a, b), decided(FORMULA, b, a)),
        at_least: false,
    },
    // So are refinements.
    Rule {
        about: |a, b| !approximate(a) && !approximate(b),
        look: |a, b| ("refinements", decided(LEVEL, a, b), decided(LEVEL, b, a)),
        at_least: false,
    },
    // So do their edges.
    Rule {
        about: |a, b| {
            both_complete(a, b) && a.name == OFF && by_orbit(b) && !b.report["full_transitions"].is_null()
        },
        look: |a, b| {
            let full = shown(b.report.get("full_transitions"));
            ("transitions and those of all orbits", shown(a.report.get("transitions")), full)
        },
        at_least: false,
    },
];

/// Everything that speaks against the reports of one machine, in words.
pub(super) fn contradictions(ways: &[Way]) -> Vec<String> {
    let pairs = ways.iter().enumerate().flat_map(|(i, b)| ways.iter().take(i).map(move |a| (a, b)));
    pairs.flat_map(|(a, b)| RULES.iter().filter_map(move |r| broken(r, a, b))).collect()
}

fn broken(rule: &Rule, a: &Way, b: &Way) -> Option<String> {
    if !(rule.about)(a, b) {
        return None;
    }
    let (what, first, second) = (rule.look)(a, b);
    let number = |s: &str| s.parse::<u64>().ok();
    let fine = if rule.at_least { number(&first) >= number(&second) } else { first == second };
    let or_none = |s: String| if s.is_empty() { "none".to_owned() } else { s };
    (!fine).then(|| format!("{what}: {} {}, {} {}", a.name, or_none(first), b.name, or_none(second)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn way(name: &str, states: u64, full: u64) -> Way {
        let guarantee = if name == "markers" { "approximate" } else { "fingerprint" };
        let report = json!({"complete": true, "states": states, "full_states": full, "guarantee": guarantee,
            "deadlocks": 1});
        Way { name: name.into(), report }
    }

    #[test]
    fn a_true_picture_has_no_contradiction() {
        let all = [way("off", 16, 16), way("plain", 16, 16), way("exact", 10, 16), way("markers", 9, 12)];
        assert!(contradictions(&all).is_empty());
    }

    #[test]
    fn wrong_numbers_are_named() {
        let wrong = |b: Way| contradictions(&[way("off", 16, 16), b]);
        assert_eq!(wrong(way("exact", 10, 15)), ["states and sum of orbit sizes: off 16, exact 15"]);
        assert_eq!(wrong(way("markers", 17, 0)), ["states: off 16, markers 17"]);
        let orbits = contradictions(&[way("flood", 9, 16), way("canon", 10, 16)]);
        assert_eq!(orbits, ["orbits: flood 9, canon 10", "states: flood 9, canon 10"]);
        assert_eq!(wrong(way("plain", 15, 0)).len(), 1);
        assert_eq!(wrong(way("naive", 15, 0)).len(), 1);
        let mut faulty = way("naive", 15, 0);
        faulty.report["errors"] = 2.into();
        assert!(wrong(faulty).is_empty());
    }

    #[test]
    fn formulas_must_be_the_same_where_both_are_decided() {
        let with = |name: &str, verdicts: [&str; 2]| {
            let mut way = way(name, 16, 16);
            let [f, g] = verdicts;
            way.report["formulas"] = json!([{"name": "f", "verdict": f}, {"name": "g", "verdict": g}]);
            way
        };
        let said = |b| contradictions(&[with("off", ["holds", "violated"]), with("canon", b)]);
        assert!(said(["holds", "undecided"]).is_empty());
        assert_eq!(
            said(["violated", "violated"]),
            ["temporal formulas: off f holds, g violated, canon f violated, g violated"]
        );
    }

    #[test]
    fn findings_must_be_the_same() {
        let mut other = way("canon", 10, 16);
        other.report["deadlocks"] = 0.into();
        assert_eq!(
            contradictions(&[way("off", 16, 16), other.clone()]),
            ["findings: off deadlocks, canon none"]
        );
        other.report["complete"] = false.into();
        assert!(contradictions(&[way("off", 16, 16), other]).is_empty());
        let mut markers = way("markers", 10, 16);
        markers.report["errors"] = 1.into();
        let said = contradictions(&[way("off", 16, 16), markers]);
        assert_eq!(said, ["findings that only an approximate strategy has: off none, markers errors"]);
    }
}
