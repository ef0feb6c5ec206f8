//! From a task of a project to a command of bsym.
//!
//! In: the JSON of a task, the list that it stands in. Out: [`Task`]: its name, and the words of the command, or why there is none. Only
//! tasks that ask what bsym answers are run: those about states that satisfy the invariant, reachable or not, are others.

use super::file::text_of;
use serde_json::Value as Json;
use std::path::Path;

/// A task.
pub(super) struct Task {
    /// What it is called.
    pub name: String,
    /// What is to be done.
    pub job: Job,
}

/// What is to be done for a task.
pub(super) enum Job {
    /// A check, with these words behind the machine.
    Check(Vec<String>),
    /// A formula, with these words behind the machine; whether it is to be true.
    Formula(Vec<String>, bool),
    /// A trace in this file, from the folder of the project on.
    Trace(String),
    /// Nothing, and why.
    Missing(&'static str),
    /// Nothing: the project does not select it.
    Off,
}

/// What bsym says of tasks that it does not have.
const CONSTRAINTS: &str = "it asks about all states that satisfy the invariant; bsym looks at those that are reachable (model checking)";
const OTHER: &str = "bsym has no task of this kind";
const ELSEWHERE: &str = "bsym decides formulas from all initial states only";
const ANIMATION: &str = "bsym finds ways to states by exploring (`bsym check --goal P`, `bsym repl`)";

/// Options that leave out all that is not asked for.
const ALONE: [&str; 5] = ["--no-deadlock", "--no-invariant", "--no-goal", "--no-refinement", "--no-formulas"];

/// Reads a task.
pub(super) fn read(list: &str, task: &Json) -> Task {
    // In the oldest files a trace is its location.
    if let Some(location) = task.as_str() {
        return Task { name: format!("trace {location}"), job: Job::Trace(location.to_owned()) };
    }
    let kind = kind(list, task);
    let (what, job) = match kind {
        Kind::ModelChecking => ("model checking".to_owned(), Job::Check(check(task))),
        Kind::Formula(branching) => formula(task, branching),
        Kind::Trace => (
            "trace".to_owned(),
            text_of(task, "location").map_or(Job::Missing(OTHER), |l| Job::Trace(l.to_owned())),
        ),
        Kind::Symbolic => symbolic(task),
        Kind::Animation => (spoken(task, "symbolic animation"), Job::Missing(ANIMATION)),
        Kind::Other => (spoken(task, list), Job::Missing(OTHER)),
    };
    let off = ["selected", "shouldExecute"].iter().any(|k| task.get(k) == Some(&Json::Bool(false)));
    let label = ["id", "name", "description", "code", "location"].into_iter().find_map(|k| text_of(task, k));
    let name = label.map_or_else(
        || what.clone(),
        |l| format!("{what} {}", l.split_whitespace().collect::<Vec<_>>().join(" ")),
    );
    Task { name, job: if off { Job::Off } else { job } }
}

/// What kind of task it is.
#[derive(Clone, Copy)]
enum Kind {
    ModelChecking,
    /// Of branching time, or not.
    Formula(bool),
    Trace,
    Symbolic,
    Animation,
    Other,
}

/// Where the kind of a task stands, the closest first.
const KIND_KEYS: [&str; 7] =
    ["type", "@type", "itemType", "className", "class", "taskType", "validationTaskType"];

/// All that a task says of its kind, in small letters.
fn words(task: &Json) -> String {
    let all: String = KIND_KEYS.iter().filter_map(|k| text_of(task, k)).collect();
    all.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect()
}

fn kind(list: &str, task: &Json) -> Kind {
    let words = words(task);
    let is = |what: &str| words.contains(what);
    let ctl = is("ctl");
    match list {
        "modelcheckingItems" | "modelCheckingItems" => return Kind::ModelChecking,
        "ltlFormulas" => return Kind::Formula(ctl),
        "traces" => return Kind::Trace,
        "symbolicCheckingFormulas" => return Kind::Symbolic,
        "symbolicAnimationFormulas" => return Kind::Animation,
        "testCases" | "simulations" => return Kind::Other,
        _ => {}
    }
    if is("symbolic") || is("cbc") {
        if is("sequence") || is("validstate") { Kind::Animation } else { Kind::Symbolic }
    } else if is("modelchecking") || task.get("searchStrategy").is_some() {
        Kind::ModelChecking
    } else if is("ltl") || ctl || is("temporal") {
        Kind::Formula(ctl)
    } else if is("trace") {
        Kind::Trace
    } else {
        Kind::Other
    }
}

/// The kind of a task as its file has it.
fn spoken(task: &Json, otherwise: &str) -> String {
    KIND_KEYS.iter().find_map(|k| text_of(task, k)).unwrap_or(otherwise).to_owned()
}

/// What a task of model checking looks for, and the option without which bsym does.
const OPTIONS: [(&str, &str); 4] = [
    ("FIND_DEADLOCKS", "--no-deadlock"),
    ("FIND_INVARIANT_VIOLATIONS", "--no-invariant"),
    ("FIND_ASSERTION_VIOLATIONS", "--no-assertions"),
    ("FIND_GOAL", "--no-goal"),
];

fn check(task: &Json) -> Vec<String> {
    let list = task.get("options").map(|o| o.get("options").unwrap_or(o)).and_then(Json::as_array);
    let asked = |name: &str| list.is_none_or(|l| l.iter().any(|o| o.as_str() == Some(name)));
    let mut out: Vec<String> =
        OPTIONS.iter().filter(|(name, _)| !asked(name)).map(|(_, option)| (*option).to_owned()).collect();
    out.push("--no-formulas".to_owned());
    if asked("FIND_GOAL") {
        // A dash says that there is none.
        out.extend(text_of(task, "goal").filter(|g| *g != "-").map(|g| format!("--goal={g}")));
    }
    out.extend(number(task, "nodesLimit").map(|n| format!("--max-states={n}")));
    out.extend(number(task, "timeLimit").map(|n| format!("--timeout={n}min")));
    out
}

/// A number above 0, which older files write as a text.
fn number(task: &Json, key: &str) -> Option<u64> {
    let value = task.get(key)?;
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
    number.filter(|n| *n > 0)
}

fn formula(task: &Json, branching: bool) -> (String, Job) {
    let what = if branching { "ctl" } else { "ltl" };
    let code = ["code", "formula"].into_iter().find_map(|k| text_of(task, k));
    let from = text_of(task, "startState").unwrap_or("ALL_INITIAL_STATES");
    let expected = task.get("expectedResult").and_then(Json::as_bool).unwrap_or(true);
    let job = match code {
        None => Job::Missing("it has no formula"),
        Some(_) if from != "ALL_INITIAL_STATES" => Job::Missing(ELSEWHERE),
        Some(code) => {
            let alone = ALONE.into_iter().chain(["--no-assertions"]).map(str::to_owned);
            let most = number(task, "stateLimit").map(|n| format!("--max-states={n}"));
            Job::Formula(alone.chain([format!("--{what}={code}")]).chain(most).collect(), expected)
        }
    };
    (what.to_owned(), job)
}

fn symbolic(task: &Json) -> (String, Job) {
    let words = words(task);
    let job = if words.contains("staticassertion") {
        Job::Check(ALONE.map(str::to_owned).into())
    } else if words.contains("symbolicmodelcheck") || task.get("algorithm").is_some() {
        let others = ["--no-deadlock", "--no-assertions", "--no-goal", "--no-refinement", "--no-formulas"];
        Job::Check(others.map(str::to_owned).into())
    } else {
        Job::Missing(CONSTRAINTS)
    };
    (spoken(task, "symbolic checking"), job)
}

/// The words of the command of a job on a machine; those that preferences stand for come last.
pub(super) fn words_of(
    job: &Job,
    machine: &Path,
    folder: &Path,
    (world, checks): (&[String], &[String]),
) -> Option<Vec<std::ffi::OsString>> {
    let (command, more, checks) = match job {
        Job::Check(words) | Job::Formula(words, _) => ("check", words.clone(), checks),
        Job::Trace(file) => ("trace", vec![folder.join(file).display().to_string()], &[][..]),
        Job::Missing(_) | Job::Off => return None,
    };
    let mut out: Vec<std::ffi::OsString> = vec![command.into(), machine.into()];
    out.extend(more.into_iter().chain(world.iter().cloned()).chain(checks.iter().cloned()).map(Into::into));
    if command == "check" {
        out.extend(["--quiet", "--format=json"].map(Into::into));
    }
    Some(out)
}
