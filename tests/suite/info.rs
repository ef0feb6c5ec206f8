//! `bsym info`: what a machine is made of; `bsym completions` and `bsym man`: what bsym is made of.

use super::{Json, bsym};

const SCHEDULER: &str = "machines/symmetry/Scheduler0.mch";

#[test]
fn sets_types_and_what_operations_change() {
    let out = bsym(&["info", SCHEDULER, "--card=3"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "{text}");
    for line in [
        "  PROC, 3 elements (--card)",
        "    all 3 elements are permuted, PROC1, PROC2, PROC3: no formula names one of them or depends on their order",
        "  known : POW(PROC)",
        "  new(p : PROC)",
        "    changes known, phase",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}: {text}");
    }
}

#[test]
fn of_every_machine_it_says_what_types_and_reports_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/machines/basics");
    let mut looked_at = 0;
    for entry in std::fs::read_dir(folder).expect("folder").flatten() {
        let file = entry.path().display().to_string();
        let out = bsym(&["info", &file, "--format=json"]);
        let types = bsym(&["show", &file, "--stage=types"]);
        assert_eq!(out.status.code(), types.status.code(), "{file}");
        if out.status.code() != Some(0) {
            continue;
        }
        let info: Json = serde_json::from_slice(&out.stdout).expect("JSON");
        let types = String::from_utf8_lossy(&types.stdout).into_owned();
        let names = |part: &str| info[part].as_array().expect("a list").clone();
        for (what, part) in [("constant", "constants"), ("variable", "variables")] {
            for t in names(part) {
                let line = format!(
                    "{what} {} : {}",
                    t["name"].as_str().unwrap_or(""),
                    t["type"].as_str().unwrap_or("")
                );
                assert!(types.lines().any(|l| l == line), "{file}: {line}");
            }
        }
        // What changes in a trace is among what the operation changes.
        let report = super::report(&[&file, "--quiet"]);
        let violations = report["violations"].as_array().cloned().unwrap_or_default();
        let steps = violations.iter().filter_map(|v| v["trace"].as_array()).flatten();
        for step in steps {
            let Some(operation) = names("operations").into_iter().find(|o| o["name"] == step["operation"])
            else {
                continue;
            };
            for change in step["changes"].as_array().expect("changes") {
                let changed = operation["changes"].as_array().expect("changes");
                assert!(changed.contains(&change["name"]), "{file}: {operation} does not change {change}");
            }
        }
        looked_at += 1;
    }
    assert!(looked_at > 5);
}

#[test]
fn shells_and_man_know_all_commands() {
    let script = bsym(&["completions", "bash"]);
    assert_eq!(script.status.code(), Some(0));
    let script = String::from_utf8_lossy(&script.stdout).into_owned();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    assert_eq!(bsym(&["man", &folder.display().to_string()]).status.code(), Some(0));
    for command in [
        "check", "compare", "agree", "test", "graph", "trace", "refine", "info", "show", "eval", "lsp",
        "repl", "animate", "simulate", "probcli", "project",
    ] {
        assert!(script.contains(&format!("bsym,{command})")), "{command}");
        let page = std::fs::read_to_string(folder.join(format!("bsym-{command}.1"))).expect("a page");
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    assert_eq!(bsym(&["man", "/dev/null/no"]).status.code(), Some(2));
    assert_eq!(bsym(&["completions", "cmd"]).status.code(), Some(2));
}
