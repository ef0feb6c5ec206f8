//! `bsym project`: tasks that hold, fail, and are not known; those that bsym does not have; both shapes of the file.

use super::bsym;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("project").join(name);
    std::fs::create_dir_all(&folder).expect("folder");
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("written");
    let counter = |name: &str, most: &str| {
        format!(
            "MACHINE {name} VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 ASSERTIONS x >= 0 OPERATIONS \
             up = SELECT x < {most} THEN x := x + 1 END; down = SELECT x > 0 THEN x := x - 1 END END"
        )
    };
    write("Holds.mch", &counter("Holds", "3"));
    write("Violated.mch", &counter("Violated", "4"));
    write("Sized.mch", &counter("Sized", "MAXINT"));
    let trace = json!({"transitionList": [{"name": "$initialise_machine"}, {"name": "up"}]});
    write("one.prob2trace", &trace.to_string());
    let trace = json!({"transitionList": [{"name": "$initialise_machine"}, {"name": "down"}]});
    write("wrong.prob2trace", &trace.to_string());
    folder
}

/// A project in the folder; exit code, standard output, standard error.
fn run(folder: &Path, project: &Json, more: &[&str]) -> (Option<i32>, String, String) {
    let file = folder.join("p.prob2project");
    std::fs::write(&file, project.to_string()).expect("written");
    let file = file.display().to_string();
    let out = bsym(&[&["project", &file], more].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

/// The cells of a task's row.
fn row(text: &str, task: &str) -> Vec<String> {
    let line = text.lines().find(|l| l.contains(task)).unwrap_or_else(|| panic!("{task}: {text}"));
    let cells = line.trim_matches(['│', ' ']).split("  ").map(str::trim).filter(|c| !c.is_empty());
    cells.map(str::to_owned).collect()
}

fn machine(name: &str, tasks: Json) -> Json {
    json!({"name": name, "description": "", "location": format!("{name}.mch"), "lastUsedPreferenceName": "default", "validationTasks": tasks})
}

fn checked(id: &str, options: &[&str]) -> Json {
    json!({"taskType": "MODEL_CHECKING", "id": id, "searchStrategy": "MIXED_BF_DF", "nodesLimit": null, "timeLimit": null, "goal": null, "options": options, "selected": true})
}

fn ltl(code: &str, expected: bool) -> Json {
    json!({"taskType": "TEMPORAL", "type": "LTL", "id": "", "code": code, "stateLimit": -1, "startState": "ALL_INITIAL_STATES", "expectedResult": expected, "selected": true})
}

fn project(machines: Json) -> Json {
    json!({"name": "Counters", "description": "", "machines": machines, "preferences": [{"name": "small", "preferences": {"MAXINT": "2", "CLPFD": "true"}}],
        "metadata": {"fileType": "Project", "formatVersion": 43}})
}

#[test]
fn tasks_hold_fail_and_are_not_known() {
    let folder = folder("tasks");
    let invariant = ["FIND_INVARIANT_VIOLATIONS", "FIND_DEADLOCKS"];
    let mut small = checked("few", &invariant);
    small["nodesLimit"] = 2.into();
    let mut off = checked("idle", &invariant);
    off["selected"] = false.into();
    let holds = json!([
        checked("whole", &invariant),
        small,
        ltl("G {x < 4}", true),
        ltl("G {x < 2}", false),
        ltl("F {x = 3}", true),
        {"taskType": "REPLAY_TRACE", "location": "one.prob2trace", "selected": true},
        {"taskType": "REPLAY_TRACE", "location": "wrong.prob2trace", "selected": true},
        {"taskType": "SYMBOLIC", "type": "SYMBOLIC_MODEL_CHECK", "code": "BMC", "selected": true},
        off,
    ]);
    let violated =
        json!([checked("found", &invariant), checked("blind", &["FIND_DEADLOCKS"]), ltl("G {", true)]);
    let project = project(json!([machine("Holds", holds), machine("Violated", violated)]));
    let (exit, text, said) = run(&folder, &project, &[]);
    assert_eq!(exit, Some(1), "{text}{said}");
    let rows: [(&str, &[&str]); 10] = [
        ("checking whole", &["Holds", "model checking whole", "holds", "holds", "met"]),
        ("checking few", &["Holds", "model checking few", "holds", "incomplete", "unknown"]),
        ("G {x < 4}", &["Holds", "ltl G {x < 4}", "true", "true", "met"]),
        ("G {x < 2}", &["Holds", "ltl G {x < 2}", "false", "false", "met"]),
        ("F {x = 3}", &["Holds", "ltl F {x = 3}", "true", "false", "NOT MET"]),
        ("trace one", &["Holds", "trace one.prob2trace", "replays", "replays", "met"]),
        ("trace wrong", &["Holds", "trace wrong.prob2trace", "replays", "fails", "NOT MET"]),
        ("checking found", &["Violated", "model checking found", "holds", "violated (invariant)", "NOT MET"]),
        ("checking blind", &["Violated", "model checking blind", "holds", "holds", "met"]),
        ("ltl G { ", &["Violated", "ltl G {", "true", "refused", "refused"]),
    ];
    for (task, cells) in rows {
        assert_eq!(row(&text, task), cells, "{text}");
    }
    assert!(text.contains("not selected: Holds: model checking idle\n"), "{text}");
    assert!(
        text.ends_with(
            "12 tasks: 6 as expected, 3 not as expected, 1 refused, 1 not known, 1 not selected\n"
        ),
        "{text}"
    );
    // Only what was asked for.
    let whole = |text: &str| {
        text.lines().filter(|l| !l.contains(" s to load")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(whole(&run(&folder, &project, &["--jobs=2"]).1), whole(&text));
    let (_, text, _) = run(&folder, &project, &["--machine=Violated"]);
    assert!(text.contains("3 tasks:") && !text.contains("Holds"), "{text}");
    assert_eq!(run(&folder, &project, &["--machine=Violate"]).0, Some(2));
}

#[test]
fn what_bsym_does_not_have_is_named() {
    let folder = folder("missing");
    let tasks = json!([
        checked("whole", &["FIND_DEADLOCKS"]),
        {"taskType": "SYMBOLIC", "type": "INVARIANT", "code": "up"},
        {"taskType": "CBC_DEADLOCK_FREEDOM_CHECKING", "id": "D", "predicate": "1=1"},
        {"taskType": "SIMULATION", "id": "S1", "path": "s.json"},
        {"taskType": "TEMPORAL", "type": "CTL", "code": "EF {x = 3}", "startState": "CURRENT_STATE"},
    ]);
    let project = project(json!([machine("Holds", tasks)]));
    let (exit, text, _) = run(&folder, &project, &[]);
    assert_eq!(exit, Some(3), "{text}");
    for piece in [
        "not in bsym: Holds: INVARIANT up: it asks about all states",
        "not in bsym: Holds: SIMULATION S1",
        "not in bsym: Holds: ctl EF {x = 3}",
        "4 not in bsym",
    ] {
        assert!(text.contains(piece), "{piece}: {text}");
    }
    assert_eq!(run(&folder, &project, &["--accept-missing"]).0, Some(0));
    let (exit, text, _) = run(&folder, &project, &["--format", "json"]);
    let all: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!((exit, &all["schema"]), (Some(3), &json!("bsym.project/1")));
    let outcomes: Vec<&Json> =
        all["tasks"].as_array().expect("tasks").iter().map(|t| &t["outcome"]).collect();
    assert_eq!(outcomes, ["met", "missing", "missing", "missing", "missing"]);
    assert!(all["tasks"][3]["missing"].is_string() && all["tasks"][0]["missing"].is_null(), "{text}");
}

#[test]
fn older_files_have_a_list_of_each_kind() {
    let folder = folder("older");
    let machine = json!({
        "name": "Sized", "location": "Sized.mch", "lastUsedPreferenceName": "small",
        "ltlFormulas": [{"type": "LTL", "name": "", "description": "", "code": "G {x < 3}", "selected": true}],
        "ltlPatterns": [],
        "symbolicCheckingFormulas": [{"type": "CHECK_STATIC_ASSERTIONS", "name": "", "code": "", "selected": true}],
        "traces": ["one.prob2trace"],
        "modelcheckingItems": [{"searchStrategy": "MIXED_BF_DF", "nodesLimit": "-", "timeLimit": "-", "goal": "x = 2",
            "options": {"options": ["FIND_DEADLOCKS", "FIND_GOAL", "FIND_INVARIANT_VIOLATIONS"]}, "shouldExecute": true}],
    });
    // With MAXINT = 2 there is no state with x = 3.
    let (exit, text, said) = run(&folder, &project(json!([machine])), &[]);
    assert_eq!((exit, said.as_str()), (Some(0), ""), "{text}");
    assert!(row(&text, "model checking").contains(&"holds, goal found".to_owned()), "{text}");
    assert!(text.ends_with("4 tasks: 4 as expected\n"), "{text}");
}

#[test]
fn what_is_no_project_is_refused() {
    let folder = folder("refused");
    let (exit, _, said) = run(&folder, &json!({"name": "x"}), &[]);
    assert!(exit == Some(2) && said.contains("it has no list `machines`"), "{said}");
    let (exit, _, said) = run(&folder, &json!({"machines": [{"name": "x"}]}), &[]);
    assert!(exit == Some(2) && said.contains("machine 1 has no `location`"), "{said}");
    assert_eq!(bsym(&["project", "none.prob2project"]).status.code(), Some(2));
    // A machine that is not there is told of each of its tasks.
    let project = project(json!([machine("None", json!([checked("whole", &[])]))]));
    let (exit, text, _) = run(&folder, &project, &[]);
    assert!(exit == Some(2) && text.contains("None.mch"), "{text}");
}
