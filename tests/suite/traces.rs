//! Every trace that bsym prints is a run of the machine without symmetry reduction, and its files are what the
//! formats demand.

use super::{bsym, root};
use itf::value::Value as ItfValue;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The first one says whether there are traces; without deferred sets the second is all others.
const MODES: [&str; 7] = ["exact", "off", "markers", "markers-basic", "markers-tree", "flood", "canon"];

pub(crate) fn machines(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for path in std::fs::read_dir(dir).into_iter().flatten().flatten().map(|e| e.path()) {
        if path.is_dir() {
            out.extend(machines(&path));
        } else if path.extension().is_some_and(|e| e == "mch" || e == "ref" || e == "imp") {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn text(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

/// The sizes of a report, as options.
fn sizes(report: &Json) -> Vec<String> {
    let sets = report["cardinalities"].as_object().into_iter().flatten();
    let card: Vec<String> = sets.map(|(s, n)| format!("{s}={n}")).collect();
    let mut out = vec![format!("--maxint={}", report["maxint"]), format!("--minint={}", report["minint"])];
    if !card.is_empty() {
        out.push(format!("--card={}", card.join(",")));
    }
    out
}

/// Checks a machine in every mode that may find other traces, then replays what was found; how many traces there were.
fn in_all_modes(file: &str, dir: &Path) -> usize {
    let mut found = 0;
    for mode in MODES {
        // Files of the mode before must not be taken for this one's.
        let _ = std::fs::remove_dir_all(dir);
        std::fs::create_dir_all(dir).expect("a folder is made");
        let (here, permuted) = check_and_replay(file, mode, dir);
        found += here;
        if mode == MODES[0] && here == 0 || mode == MODES[1] && !permuted {
            break;
        }
    }
    found
}

/// Checks a machine, then replays what was found; how many traces there were, and whether there is anything to permute. What a trace is
/// written as is no matter of the mode: of the files only one mode writes both.
fn check_and_replay(file: &str, mode: &str, dir: &Path) -> (usize, bool) {
    let names: Vec<String> = ["x.json", "x.prob2trace", "x.itf.json"]
        .iter()
        .map(|n| dir.join(format!("{mode}-{n}")).display().to_string())
        .collect();
    let (mut found, mut permuted) = (0, false);
    let files = if mode == MODES[0] { &names[1..] } else { &names[1..2] };
    for out in files {
        let options = ["--keep-going", "--max-states", "500", "--timeout", "1s", "--format", "json"];
        let mut args = vec!["check", file, "--symmetry", mode, "--trace-out", out];
        args.extend(options);
        let checked = bsym(&args);
        let report: Json = serde_json::from_slice(&checked.stdout).unwrap_or(Json::Null);
        let traces =
            report["violations"].as_array().map_or(0, Vec::len) + usize::from(!report["goal"].is_null());
        if report["verdict"] == "refused" || traces == 0 {
            return (found, permuted);
        }
        std::fs::write(&names[0], &checked.stdout).expect("a file is written");
        found = traces;
        permuted = report["cardinalities"].as_object().is_some_and(|sets| !sets.is_empty());
        for trace in [&names[0], out] {
            // What stops before the first step leaves no file of a trace.
            if !Path::new(trace).exists() {
                continue;
            }
            well_formed(trace, file);
            let mut args = vec!["trace".to_owned(), file.to_owned(), trace.clone()];
            args.extend(sizes(&report));
            let replayed = bsym(&args.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(replayed.status.code(), Some(0), "{file} {mode} {trace}: {}", text(&replayed));
        }
    }
    (found, permuted)
}

/// A file of a trace read by others' means: ITF by the crate for it, prob2trace by the schema.
fn well_formed(path: &str, machine: &str) {
    let text = std::fs::read_to_string(path).expect("a file of a trace");
    if path.ends_with(".itf.json") {
        let trace: itf::Trace<ItfValue> =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{machine}: {path} is no ITF: {e}"));
        assert!(trace.states.iter().all(|s| matches!(s.value, ItfValue::Record(_))), "{machine}");
        let file: Json = serde_json::from_str(&text).expect("JSON");
        assert_eq!(Some(trace.states.len()), file["states"].as_array().map(Vec::len), "{machine}");
    } else if path.ends_with(".prob2trace") {
        let schema = std::fs::read_to_string(root().join("docs/prob2trace.schema.json")).expect("the schema");
        let schema: Json = serde_json::from_str(&schema).expect("JSON");
        let file: Json = serde_json::from_str(&text).expect("JSON");
        if let Err(e) = jsonschema::validate(&schema, &file) {
            panic!("{machine}: {path} does not match the schema at {}: {e}", e.instance_path());
        }
    }
}

#[test]
fn every_trace_replays_on_the_unreduced_machine() {
    let all = machines(&root().join("machines"));
    let dir = std::env::temp_dir().join(format!("bsym-traces-{}", std::process::id()));
    let (all, next) = (&all, &AtomicUsize::new(0));
    let found: usize = std::thread::scope(|scope| {
        let parts = [0, 1].map(|i| {
            let dir = dir.join(i.to_string());
            scope.spawn(move || {
                let mut found = 0;
                while let Some(file) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    found += in_all_modes(&file.display().to_string(), &dir);
                }
                found
            })
        });
        parts.into_iter().map(|t| t.join().expect("a trace does not replay")).sum()
    });
    let _ = std::fs::remove_dir_all(&dir);
    assert!(found > 50, "only {found} traces");
}

#[test]
fn a_wrong_trace_is_refused_where_it_is_wrong() {
    let dir = std::env::temp_dir().join(format!("bsym-wrong-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder is made");
    let path = dir.join("x.prob2trace").display().to_string();
    let machine = "machines/basics/CounterViolated.mch";
    assert_eq!(bsym(&["check", machine, "--trace-out", &path]).status.code(), Some(1));
    let mut trace: Json =
        serde_json::from_str(&std::fs::read_to_string(&path).expect("a trace")).expect("JSON");
    let last = trace["transitionList"].as_array().map_or(0, Vec::len) - 1;
    trace["transitionList"][last]["name"] = "no_such_operation".into();
    std::fs::write(&path, trace.to_string()).expect("a file is written");
    let out = bsym(&["trace", machine, &path]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out).contains(&format!("fails at step {}", last + 1)), "{}", text(&out));
    let _ = std::fs::remove_dir_all(&dir);
}

/// Replays steps (name, arguments, results, values) on the machine with many arguments.
fn replayed(name: &str, steps: &[(&str, Json, Json, Json)], options: &[&str]) -> (Option<i32>, String) {
    let step = |(name, arguments, results, values): &(&str, Json, Json, Json)| serde_json::json!({"name": name, "params": arguments, "results": results, "destState": values});
    replayed_list(name, steps.iter().map(step).collect(), options)
}

/// Replays transitions as a file has them.
fn replayed_list(name: &str, list: Vec<Json>, options: &[&str]) -> (Option<i32>, String) {
    let path = std::env::temp_dir().join(format!("bsym-{name}-{}.prob2trace", std::process::id()));
    std::fs::write(&path, serde_json::json!({"transitionList": list}).to_string())
        .expect("a file is written");
    let path = path.display().to_string();
    let mut args = vec!["trace", "machines/basics/ManyArguments.mch", &path, "--timeout", "60s"];
    args.extend(options);
    let out = bsym(&args);
    let _ = std::fs::remove_file(&path);
    (out.status.code(), text(&out))
}

#[test]
fn arguments_are_taken_from_the_trace_in_any_form() {
    let none = || serde_json::json!({});
    let with = |name: &str, value: &str| serde_json::json!({name: value});
    let both = serde_json::json!({"p": "99999", "q": "(1+1)*2"});
    let steps = [
        ("$setup_constants", none(), none(), with("least", "5000000")),
        ("$initialise_machine", none(), none(), none()),
        ("wait", none(), none(), none()),
        ("add", both, none(), with("x", "100003")),
        ("far", with("p", "7777777"), none(), with("x", "7777777")),
        ("ask", with("p", "3"), with("y", "7777780"), none()),
        ("far", with("p", "least"), none(), with("x", "5000000")),
        ("choose", with("s", "COLOUR"), none(), with("chosen", "{green,red}")),
        ("choose", with("s", "{ManyArguments.red}"), none(), with("chosen", "COLOUR - {green}")),
        ("paint", with("c", "ManyArguments.green"), none(), none()),
        ("mark", with("r", "[2,3]"), none(), with("marks", "{(1\u{21a6}2),(2\u{21a6}3)}")),
        ("mark", with("r", "(1..2)*{0}"), none(), with("marks", "[0,0]")),
        ("mark", with("r", "\u{2205}"), none(), with("marks", "{}")),
        ("enqueue", with("i", "ITEM2"), none(), with("queue", "{1|->ITEM2}")),
        ("enqueue", with("i", "ITEM1"), none(), with("queue", "[ITEM2,ITEM1]")),
    ];
    let (code, said) = replayed("forms", &steps, &["--maxint", "100000"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("replayed: 15 steps"), "{said}");
}

#[test]
fn a_trace_says_where_it_is_no_run() {
    let none = || serde_json::json!({});
    let with = |name: &str, value: &str| serde_json::json!({name: value});
    let begin = || {
        [
            ("$setup_constants", none(), none(), with("least", "3")),
            ("$initialise_machine", none(), none(), none()),
        ]
    };
    let ends = [
        (("ask", with("p", "2"), with("y", "3"), none()), "it leads elsewhere: `y` is 2, not 3"),
        (("ask", with("p", "5"), none(), none()), "not possible here with these arguments"),
        (("far", with("p", "5"), none(), with("x", "6")), "it leads elsewhere: `x` is 5, not 6"),
        (("wait", none(), none(), with("z", "6")), "there is no `z`"),
        (("nothing", none(), none(), none()), "it is not possible here"),
    ];
    for (step, why) in ends {
        let steps: Vec<_> = begin().into_iter().chain([step]).collect();
        let (code, said) = replayed("wrong", &steps, &[]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("fails at step 3") && said.contains(why), "{said}");
    }
    let steps = [("$setup_constants", none(), none(), with("least", "1"))];
    let (code, said) = replayed("constants", &steps, &[]);
    assert!(code == Some(1) && said.contains("no valuation of the constants"), "{said}");
    // Of the constants that the trace does not give, the first value that will do is taken.
    let steps = [
        ("$initialise_machine", none(), none(), none()),
        ("far", with("p", "least + 1"), none(), with("x", "5")),
    ];
    let (code, said) = replayed("any", &steps, &["--maxint", "9"]);
    assert_eq!(code, Some(0), "{said}");
    // Where not all were tried, that none will do is not certain.
    let (code, said) = replayed("cut", &steps, &[]);
    assert!(code == Some(3) && said.contains("not decided at step 2"), "{said}");
}

#[test]
fn predicates_of_a_trace_are_part_of_its_steps() {
    let replayed = |setup: &str, begin: &str, step: &str| {
        let list = vec![
            serde_json::json!({"name": "$setup_constants", "destState": {"least": "3"}, "preds": [setup]}),
            serde_json::json!({"name": "$initialise_machine", "preds": [begin]}),
            serde_json::json!({"name": "far", "params": {"p": "5"}, "preds": ["p > 4", step]}),
        ];
        replayed_list("predicates", list, &[])
    };
    let (code, said) = replayed("least = 3", "x /= 99", "p = x");
    assert_eq!(code, Some(0), "{said}");
    let wrong = [
        (("least = 4", "x /= 99", "p = x"), "`least = 4` is false"),
        (
            ("least = 3", "x = 99", "p = x"),
            "fails at step 2 (INITIALISATION): it leads elsewhere: `x = 99` is false",
        ),
        (
            ("least = 3", "x /= 99", "p = x + 1"),
            "fails at step 3 (far): it leads elsewhere: `p = x + 1` is false",
        ),
        (("least = 3", "x /= 99", "p = nowhere"), "the predicate `p = nowhere` of the trace cannot be read"),
    ];
    for ((setup, begin, step), why) in wrong {
        let (code, said) = replayed(setup, begin, step);
        assert!(code == Some(1) && said.contains(why), "{said}");
    }
}

#[test]
fn an_argument_that_cannot_be_read_is_named() {
    let none = || serde_json::json!({});
    for wrong in ["5 +", "nowhere", "TRUE"] {
        let steps = [
            ("$setup_constants", none(), none(), serde_json::json!({"least": "3"})),
            ("$initialise_machine", none(), none(), none()),
            ("far", serde_json::json!({"p": wrong}), none(), none()),
        ];
        let (code, said) = replayed("unread", &steps, &[]);
        assert!(
            code == Some(1) && said.contains(&format!("the argument `p` cannot be read: `{wrong}`")),
            "{said}"
        );
    }
}

/// A postcondition that is a predicate is about the state after the step; other kinds are not read.
#[test]
fn postconditions_of_a_trace_hold_after_their_steps() {
    let replayed = |after: &str| {
        let enabled = serde_json::json!({"kind": "ENABLEDNESS", "operation": "wait", "predicate": ""});
        let predicate = serde_json::json!({"kind": "PREDICATE", "predicate": after});
        let list = vec![
            serde_json::json!({"name": "$setup_constants", "destState": {"least": "3"}}),
            serde_json::json!({"name": "$initialise_machine"}),
            serde_json::json!({"name": "far", "params": {"p": "5"}, "postconditions": [enabled, predicate]}),
        ];
        replayed_list("postconditions", list, &[])
    };
    let (code, said) = replayed("x = 5 & x > least");
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = replayed("x = 0");
    assert!(
        code == Some(1) && said.contains("fails at step 3 (far)") && said.contains("`x = 0` is false"),
        "{said}"
    );
}

/// Reports of what the command line asks for, and of formulas that are false however a trace goes on, replay; one whose end shows
/// something else does not.
#[test]
fn reports_of_the_command_line_replay() {
    let machine = "machines/temporal/Endless.mch";
    let folder = std::env::temp_dir().join(format!("bsym-asked-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("report.json");
    for (asked, other) in [
        (["--goal", "level = 3"], ("level = 3", "level = 4")),
        (["--invariant", "level < 3"], ("level < 3", "level < 9")),
        (["--ltl", "G {level < 3}"], ("\"prefix\": true", "\"prefix\": false")),
    ] {
        let args = ["check", machine, "--max-states", "40", "--no-deadlock", "--format", "json"];
        let out = bsym(&[&args[..], &asked[..]].concat());
        let text = String::from_utf8(out.stdout).expect("text");
        let replayed = |text: &str| {
            std::fs::write(&file, text).expect("a file");
            bsym(&["trace", machine, &file.display().to_string()]).status.code()
        };
        assert_eq!(replayed(&text), Some(0), "{asked:?}\n{text}");
        assert!(text.contains(other.0), "{text}");
        assert_eq!(replayed(&text.replace(other.0, other.1)), Some(1), "{asked:?}\n{text}");
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
}
