//! Expectations: what the comment of a machine says of runs of it, and whether a run is so.
//!
//! In: the text of a machine; the JSON report of a run, its exit code, and what it said on standard error. Out: the
//! arguments of the run; in words what was expected and is not so. Nothing is run here. What is told of many machines is
//! in `tested`.

use serde_json::Value as Json;
use std::ffi::OsString;
use std::path::Path;

/// What an expectation's line begins with, after the signs of comments.
const BEGIN: &str = "expect:";

/// Keys that are options of `check` with a value.
const OPTIONS: &[&str] = &[
    "card",
    "symmetry",
    "evaluator",
    "constants",
    "permute",
    "max-states",
    "max-valuations",
    "maxint",
    "minint",
    "max-depth",
    "timeout",
    "property-timeout",
    "level",
];

/// Words that are options of `check` without a value.
const SWITCHES: &[&str] = &[
    "keep-going",
    "no-deadlock",
    "no-invariant",
    "no-assertions",
    "no-goal",
    "no-formulas",
    "no-refinement",
    "coverage",
    "require-coverage",
];

/// Temporal formulas: options of `check` with what is expected of them.
const FORMULAS: &[&str] = &["ltl", "ctl"];

/// What `bsym refine` compares by; the run is one of that command.
const REFINE: &str = "refine";
/// Nothing is left to the plain evaluator.
const COMPILED: &str = "compiled";
/// Only run when slow ones are asked for.
const SLOW: &str = "slow";

/// Keys that name a number of the report; asking for one makes the run go on after a violation.
const COUNTS: &[&str] = &[
    "states",
    "nodes",
    "transitions",
    "deadlocks",
    "invariant_violations",
    "refinement_violations",
    "assertion_violations",
    "goal_states",
    "constants_valuations",
    "initial_states",
    "full_states",
    "full_transitions",
];

/// What is expected of one run of a machine.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The number of its line, from 1.
    pub line: usize,
    /// As it is written.
    pub text: String,
    /// Whether it is only run when slow ones are asked for.
    pub slow: bool,
    words: Vec<String>,
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub said: String,
    /// The exit code; `None` if the process was killed.
    pub exit: Option<i32>,
}

/// The expectations in the text of a machine. `defaults` are words that hold where a line does not speak of the same.
#[must_use]
pub fn of_text(text: &str, defaults: &[String]) -> Vec<Expectation> {
    let lines = text.lines().zip(1..).filter_map(|(l, line)| {
        let rest = l.trim_start_matches(|c: char| c.is_whitespace() || c == '/' || c == '*');
        Some((line, rest.strip_prefix(BEGIN)?.trim().trim_end_matches("*/").trim_end()))
    });
    lines.map(|(line, text)| Expectation::new(line, text, defaults)).collect()
}

impl Expectation {
    /// That of a line.
    #[must_use]
    pub fn new(line: usize, text: &str, defaults: &[String]) -> Self {
        let mut words = split(text);
        let key = |word: &str| word.split('=').next().map(str::to_owned);
        let said: Vec<_> = words.iter().map(|w| key(w)).collect();
        words.extend(defaults.iter().filter(|d| !said.contains(&key(d))).cloned());
        Self { line, text: text.to_owned(), slow: words.iter().any(|w| w == SLOW), words }
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.words.iter().map(|w| w.split_once('=').unwrap_or((w, "")))
    }

    /// The arguments of the run.
    #[must_use]
    pub fn arguments(&self, file: &Path) -> Vec<OsString> {
        let mut out: Vec<OsString> = match self.pairs().find(|(key, _)| *key == REFINE) {
            Some((_, notion)) => vec![REFINE.into(), format!("--against={notion}").into()],
            None => vec!["check".into()],
        };
        out.extend([file.as_os_str().to_owned(), "--format=json".into(), "--quiet".into()]);
        for (key, value) in self.pairs() {
            match key {
                _ if OPTIONS.contains(&key) => out.push(format!("--{key}={value}").into()),
                _ if SWITCHES.contains(&key) => out.push(format!("--{key}").into()),
                _ if FORMULAS.contains(&key) => {
                    out.push(format!("--{key}={}", formula(value).0).into());
                }
                COMPILED => out.push("--explain-evaluator".into()),
                _ => {}
            }
        }
        let counts = self.pairs().any(|(key, _)| COUNTS.contains(&key));
        if counts && !self.words.iter().any(|w| w == "keep-going") {
            out.push("--keep-going".into());
        }
        out
    }

    /// What of a report is expected: keys with their values.
    fn wanted(&self) -> impl Iterator<Item = (String, &str)> {
        self.pairs().filter_map(|(key, value)| match key {
            COMPILED | SLOW | REFINE => None,
            _ if OPTIONS.contains(&key) || SWITCHES.contains(&key) => None,
            _ if FORMULAS.contains(&key) => {
                let (text, verdict) = formula(value);
                Some((text.split_whitespace().collect::<Vec<_>>().join(" "), verdict))
            }
            _ => Some((key.to_owned(), value)),
        })
    }

    /// What is not as expected, in words: nothing if all is.
    #[must_use]
    pub fn unmet(&self, ran: &Ran) -> Vec<String> {
        let report: Json = match serde_json::from_slice(&ran.out) {
            Ok(report) => report,
            Err(e) => {
                let code = ran.exit.map_or_else(|| "killed".to_owned(), |c| format!("exit code {c}"));
                return vec![format!("no report ({e}), {code}: {}", ran.said.trim())];
            }
        };
        let compiled = self.words.iter().any(|w| w == COMPILED);
        let plain = ran.said.lines().filter(|l| compiled && l.contains("left to the plain evaluator"));
        let mut out: Vec<String> = plain.map(String::from).collect();
        out.extend(self.wanted().filter_map(|(key, value)| {
            let found = look_up(&key, &report, ran.exit);
            let is = found.as_deref() == Some(value);
            (!is).then(|| match found {
                Some(found) => format!("{key}: expected `{value}`, found `{found}`"),
                None => format!("{key}: expected `{value}`, and the report has nothing of that name"),
            })
        }));
        // A number of a run that a limit has stopped says little.
        if !out.is_empty()
            && let Some(why @ ("time" | "memory" | "interrupted" | "states" | "depth")) =
                report["stopped_by"].as_str()
        {
            out.push(format!("the run was stopped ({why})"));
        }
        out
    }
}

/// `formula=verdict`.
fn formula(value: &str) -> (&str, &str) {
    value.rsplit_once('=').unwrap_or((value, ""))
}

/// Splits at blanks outside double quotes; quotes are dropped.
#[must_use]
pub fn split(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.trim().chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => words.push(String::new()),
            _ => words.last_mut().into_iter().for_each(|w| w.push(c)),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// The value of an expectation's key in a report, as text.
fn look_up(key: &str, report: &Json, exit: Option<i32>) -> Option<String> {
    let first = || ["diagnostics", "violations", "open"].iter().find_map(|k| report.get(k)?.get(0));
    // Of several parts that decide together the first.
    let why = || {
        let mut why = first()?.get("why")?;
        while let Some(inner) = why.get("parts").and_then(|p| p.get(0)) {
            why = inner;
        }
        Some(why)
    };
    let conflict = || first()?.get("conflict");
    let length = |key: &str| report.get(key)?.as_array().map(|a| a.len().to_string());
    match key {
        "exit" => exit.map(|c| c.to_string()),
        "errors" => length("diagnostics").or_else(|| report.get(key).map(show)),
        "trace" => first()?.get("trace")?.as_array().map(|t| t.len().to_string()),
        "code" | "text" | "conjunct" | "operation" | "kind" => first()?.get(key).map(show),
        "part" => why()?.get("part").map(show),
        "round" => why()?.get(key)?.get("number").map(show),
        "calls" => why()?.get(key)?.as_array().map(|c| c.len().to_string()),
        "values" => Some(values(why()?)),
        "conflict" => conflict()?.get("conjuncts")?.as_array().map(|c| c.len().to_string()),
        // How many steps come before a loop.
        "loop" => first()?.get("loop").map(show),
        "not-checked" => length("not_checked"),
        "undecided" | "notes" | "warnings" => length(key),
        "remedy" => conflict().or_else(|| first()?.get("beyond"))?.get(key).map(show),
        _ => report.get(key).map(show).or_else(|| verdict_of(key, report)),
    }
}

fn show(v: &Json) -> String {
    match v {
        Json::String(s) => s.clone(),
        other => other.to_string(),
    }
}

/// What came of a formula by its name or text, or of a level of the chain of REFINES by the refined machine.
fn verdict_of(key: &str, report: &Json) -> Option<String> {
    let of = |list: &str, names: &[&str]| {
        let is = |f: &&Json| names.iter().any(|n| f.get(n).and_then(Json::as_str) == Some(key));
        report.get(list)?.as_array()?.iter().find(is)?.get("verdict").map(show)
    };
    of("formulas", &["name", "formula"]).or_else(|| of("refinements", &["refines"]))
}

/// What an explanation says of chosen variables, of expressions and of names, each once.
fn values(why: &Json) -> String {
    let mut all: Vec<String> = Vec::new();
    for key in ["choice", "values", "names"] {
        for shown in why.get(key).and_then(Json::as_array).into_iter().flatten() {
            let text = |key: &str| shown.get(key).and_then(Json::as_str).unwrap_or("?").to_owned();
            let line = format!("{} = {}", text("text"), text("value"));
            if !all.contains(&line) {
                all.push(line);
            }
        }
    }
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, defaults: &[&str]) -> String {
        let defaults: Vec<String> = defaults.iter().map(|d| (*d).to_owned()).collect();
        let of: Vec<Expectation> = of_text(text, &defaults);
        let shown = |e: &Expectation| {
            let words: Vec<String> =
                e.arguments(Path::new("M")).iter().map(|a| a.to_string_lossy().into()).collect();
            format!("{} {}", e.line, words.join(" "))
        };
        of.iter().map(shown).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn lines_of_comments_are_runs() {
        let text = "/* A machine.\n * expect: card=3 verdict=holds\n   expect: states=4 */\n// expect: refine=gluing no-deadlock\nMACHINE M END";
        assert_eq!(
            run(text, &[]),
            "2 check M --format=json --quiet --card=3\n\
             3 check M --format=json --quiet --keep-going\n\
             4 refine --against=gluing M --format=json --quiet --no-deadlock"
        );
    }

    #[test]
    fn what_a_line_says_goes_before_what_holds_for_all() {
        let defaults = ["symmetry=off", "timeout=9s"];
        assert_eq!(
            run("expect: symmetry=exact nodes=2 keep-going", &defaults),
            "1 check M --format=json --quiet --symmetry=exact --keep-going --timeout=9s"
        );
    }

    #[test]
    fn what_is_not_so_is_said() {
        let ran = |out: &str| Ran { out: out.as_bytes().to_vec(), said: "gone".into(), exit: Some(1) };
        let of = |words: &str, out: &str| Expectation::new(1, words, &[]).unmet(&ran(out)).join("; ");
        let report = r#"{"states": 4, "verdict": "violated", "formulas": [{"formula": "G {x = 1}", "verdict": "holds"}]}"#;
        assert_eq!(of(r#"states=4 exit=1 ltl="G  {x = 1}"=holds"#, report), "");
        assert_eq!(of("states=5 verdict=violated", report), "states: expected `5`, found `4`");
        assert_eq!(of("stats=4", report), "stats: expected `4`, and the report has nothing of that name");
        let stopped = r#"{"states": 4, "stopped_by": "memory"}"#;
        assert_eq!(of("states=4", stopped), "");
        assert_eq!(of("states=5", stopped), "states: expected `5`, found `4`; the run was stopped (memory)");
        assert!(of("states=4", "").ends_with("exit code 1: gone"));
    }
}
