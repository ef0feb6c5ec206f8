//! Every machine under `machines/` against the expectations in its own comment block, one named test
//! per `expect:` line (the words are explained in `machines/README.md`), by running the built `bsym`.

mod numbers;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Keys of an expectation that are options of `check`, with the option's name.
const OPTIONS: &[(&str, &str)] = &[
    ("card", "--card"),
    ("symmetry", "--symmetry"),
    ("evaluator", "--evaluator"),
    ("constants", "--constants"),
    ("max-states", "--max-states"),
    ("max-valuations", "--max-valuations"),
    ("maxint", "--maxint"),
    ("minint", "--minint"),
    ("max-depth", "--max-depth"),
    ("timeout", "--timeout"),
    ("property-timeout", "--property-timeout"),
    ("level", "--level"),
];

/// Words that are options of `check` without a value.
const SWITCHES: &[&str] = &[
    "keep-going",
    "no-deadlock",
    "no-invariant",
    "no-assertions",
    "no-goal",
    "no-refinement",
    "coverage",
    "require-coverage",
];

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

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("machines");
    let mut trials = Vec::new();
    for file in machines(&root) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        let lines: Vec<&str> = text.lines().filter_map(|l| l.trim().strip_prefix("expect:")).collect();
        if lines.is_empty() {
            trials.push(Trial::test(name.clone(), || Err("no `expect:` line: nothing is tested".into())));
        }
        for line in lines {
            let words = split(line);
            let slow = words.iter().any(|w| w == "slow");
            let file = file.clone();
            let title = format!("{name}: {}", line.trim());
            trials.push(Trial::test(title, move || run(&file, &words)).with_ignored_flag(slow));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

/// All machine files below a folder, sorted, those that others include among them.
fn machines(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut entries: Vec<_> =
        std::fs::read_dir(dir).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            out.extend(machines(&path));
        } else if path.extension().is_some_and(|e| e == "mch" || e == "ref" || e == "imp") {
            out.push(path);
        }
    }
    out
}

/// Splits at blanks outside double quotes; quotes are dropped.
fn split(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.trim().chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().into_iter().for_each(|w| w.push(c)),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

fn run(file: &Path, words: &[String]) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
    // `refine=gluing` is another command with the same options.
    let notion = words.iter().find_map(|w| w.strip_prefix("refine="));
    match notion {
        Some(notion) => command.args(["refine", "--against", notion]),
        None => command.arg("check"),
    };
    command.arg(file).args(["--format", "json"]);
    let mut wanted = Vec::new();
    let mut symmetry = false;
    let mut keep_going = false;
    let mut compiled = false;
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        if let Some((_, option)) = OPTIONS.iter().find(|(k, _)| *k == key) {
            symmetry |= key == "symmetry";
            command.args([*option, value]);
        } else if SWITCHES.contains(&key) {
            command.arg(format!("--{key}"));
            keep_going |= key == "keep-going";
        } else if key == "ltl" || key == "ctl" {
            // `ltl="formula"=verdict`
            let Some((formula, verdict)) = value.rsplit_once('=') else { return Err("no verdict".into()) };
            command.args([format!("--{key}").as_str(), formula]);
            let folded = formula.split_whitespace().collect::<Vec<_>>().join(" ");
            wanted.push((folded, verdict.to_owned()));
        } else if key == "compiled" {
            compiled = true;
            command.arg("--explain-evaluator");
        } else if key != "slow" && key != "refine" {
            keep_going |= COUNTS.contains(&key);
            wanted.push((key.to_owned(), value.to_owned()));
        }
    }
    if !words.iter().any(|w| w.starts_with("timeout=")) {
        command.args(["--timeout", "300s"]);
    }
    if !symmetry {
        command.args(["--symmetry", "off"]);
    }
    if keep_going && !words.iter().any(|w| w == "keep-going") {
        command.arg("--keep-going");
    }
    let output = command.output().map_err(|e| format!("bsym does not start: {e}"))?;
    let report: Json = serde_json::from_slice(&output.stdout).map_err(|e| {
        format!("no JSON ({e}); exit {:?}\n{}", output.status.code(), String::from_utf8_lossy(&output.stderr))
    })?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let plain = messages.lines().filter(|l| compiled && l.contains("left to the plain evaluator"));
    let mut found: Vec<String> = plain.map(String::from).collect();
    let wrong = wanted.iter().filter_map(|(key, value)| {
        let got = look_up(key, &report, output.status.code());
        (got.as_deref() != Some(value.as_str()))
            .then(|| format!("{key}: expected `{value}`, got `{}`", got.unwrap_or_else(|| "nothing".into())))
    });
    found.extend(wrong);
    found.extend(numbers::contradictions(&report));
    if found.is_empty() { Ok(()) } else { Err(format!("{}\n{report:#}", found.join("\n")).into()) }
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
    let show = |v: &Json| match v {
        Json::String(s) => s.clone(),
        other => other.to_string(),
    };
    match key {
        "exit" => exit.map(|c| c.to_string()),
        "errors" => match report.get("diagnostics").and_then(Json::as_array) {
            Some(found) => Some(found.len().to_string()),
            None => report.get(key).map(show),
        },
        "trace" => first()?.get("trace")?.as_array().map(|t| t.len().to_string()),
        "code" | "text" | "conjunct" | "kind" => first()?.get(key).map(show),
        "part" => why()?.get("part").map(show),
        "round" => why()?.get(key)?.get("number").map(show),
        "calls" => why()?.get(key)?.as_array().map(|c| c.len().to_string()),
        "values" => Some(values(why()?)),
        "conflict" => conflict()?.get("conjuncts")?.as_array().map(|c| c.len().to_string()),
        // How many steps come before a loop.
        "loop" => first()?.get("loop").map(show),
        "undecided" => report.get(key)?.as_array().map(|a| a.len().to_string()),
        "not-checked" => report.get("not_checked")?.as_array().map(|a| a.len().to_string()),
        "notes" | "warnings" => report.get(key)?.as_array().map(|a| a.len().to_string()),
        "remedy" => conflict().or_else(|| first()?.get("beyond"))?.get(key).map(show),
        _ => report
            .get(key)
            .map(show)
            .or_else(|| {
                let formulas = report.get("formulas")?.as_array()?;
                let is = |f: &&Json| {
                    ["name", "formula"].iter().any(|k| f.get(k).and_then(Json::as_str) == Some(key))
                };
                formulas.iter().find(is)?.get("verdict").map(show)
            })
            .or_else(|| {
                // What comes of a level of the chain of REFINES is asked for by the refined machine.
                let levels = report.get("refinements")?.as_array()?;
                let is = |l: &&Json| l.get("refines").and_then(Json::as_str) == Some(key);
                levels.iter().find(is)?.get("verdict").map(show)
            }),
    }
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
