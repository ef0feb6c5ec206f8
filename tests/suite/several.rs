//! `bsym check` of several machines: each as alone, one report of all, the worst exit code.

use super::{Json, bsym};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Command, Stdio};

/// A folder with a machine that holds, one that is refused, and below one that does not hold.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("several").join(name);
    std::fs::create_dir_all(folder.join("below")).expect("folder");
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("written");
    let counter = |name: &str, most: u32| {
        format!(
            "MACHINE {name} VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS \
             up = SELECT x < {most} THEN x := x + 1 END; down = SELECT x > 0 THEN x := x - 1 END END"
        )
    };
    write("Holds.mch", &counter("Holds", 3));
    write("Refused.mch", &counter("Refused", 3).replace("x > 0", "y > 0"));
    write("below/Violated.mch", &counter("Violated", 4));
    folder
}

fn checked(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let folder = folder.display().to_string();
    let out = bsym(&[&["check", &folder], more].concat());
    (out.status.code(), String::from_utf8_lossy(&out.stdout).replace(&folder, "F"))
}

#[test]
fn each_has_a_verdict_and_those_that_do_not_hold_a_report() {
    let folder = folder("text");
    let (exit, text) = checked(&folder, &[]);
    assert_eq!(exit, Some(1), "{text}");
    let starts: Vec<&str> = text.lines().filter(|l| l.starts_with("F/")).collect();
    assert_eq!(
        starts,
        [
            "F/Holds.mch: HOLDS Holds: no violation in 4 states, no deadlock",
            "F/Refused.mch: refused",
            "F/below/Violated.mch: VIOLATED Violated: the invariant `x : 0..3` is false",
        ]
    );
    assert!(text.contains("\n    error[B0201]: `y` is declared nowhere\n"), "{text}");
    assert!(text.contains("    │ 5   up               x: 3 -> 4 │\n"), "{text}");
    assert!(text.ends_with("\n3 machines: 1 violated, 1 refused, 1 holds\n"), "{text}");
    // The times differ.
    let lines = |text: &str| text.lines().filter(|l| !l.contains(" s to load")).map(str::to_owned).collect();
    let (one, two): (Vec<String>, Vec<String>) = (lines(&text), lines(&checked(&folder, &["--jobs=2"]).1));
    assert_eq!(one, two);
}

/// A report without what depends on the host and the hour.
fn lasting(mut report: Json) -> Json {
    for part in ["seconds", "peak_bytes"] {
        report.as_object_mut().and_then(|r| r.remove(part));
    }
    report
}

#[test]
fn a_report_is_that_of_the_machine_alone() {
    let folder = folder("json");
    let (exit, text) = checked(&folder, &["--keep-going", "--format=json"]);
    let all: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!((exit, &all["schema"]), (Some(1), &"bsym.checks/1".into()));
    assert_eq!(all["counts"], serde_json::json!({"violated": 1, "refused": 1, "holds": 1}));
    let machines = all["machines"].as_array().expect("machines");
    assert_eq!(machines.len(), 3);
    for (machine, exit) in machines.iter().zip([0, 2, 1]) {
        let file = machine["file"].as_str().expect("file").replace("F/", &format!("{}/", folder.display()));
        let alone = bsym(&["check", &file, "--keep-going", "--format=json"]);
        assert_eq!((alone.status.code(), machine["exit"].as_i64()), (Some(exit), Some(i64::from(exit))));
        let alone = String::from_utf8_lossy(&alone.stdout).replace(&folder.display().to_string(), "F");
        let alone: Json = serde_json::from_str(&alone).expect("JSON");
        assert_eq!(lasting(machine["report"].clone()), lasting(alone));
    }
}

#[test]
fn ci_systems_get_one_file() {
    let folder = folder("formats");
    let (_, text) = checked(&folder, &["--format=junit"]);
    assert!(
        text.contains("<testsuites name=\"bsym\" tests=\"9\" skipped=\"3\" failures=\"1\" errors=\"1\">"),
        "{text}"
    );
    let (_, text) = checked(&folder, &["--format=sarif"]);
    let log: Json = serde_json::from_str(&text).expect("JSON");
    let rules =
        log["runs"].as_array().expect("runs").iter().map(|r| r["results"].as_array().map_or(0, Vec::len));
    assert_eq!(rules.collect::<Vec<_>>(), [0, 1, 1]);
    let (_, text) = checked(&folder, &["--format=github"]);
    assert_eq!(text.lines().filter(|l| l.starts_with("::error ")).count(), 2, "{text}");
}

#[test]
fn options_are_those_of_all() {
    let folder = folder("options");
    let path = |file: &str| folder.join(file).display().to_string();
    let (holds, violated) = (path("Holds.mch"), path("below/Violated.mch"));
    let exit = |args: &[&str]| bsym(&[&["check"], args].concat()).status.code();
    assert_eq!(exit(&[&holds, &holds]), Some(0));
    assert_eq!(exit(&[&holds, &violated, "--max-states=2"]), Some(3));
    assert_eq!(exit(&["--no-invariant", "--", &holds, &violated]), Some(0));
    assert_eq!(exit(&[&violated, &violated, "--expect=violated"]), Some(0));
    assert_eq!(exit(&[&holds, &violated, "--expect=violated"]), Some(1));
    // Refused before anything is checked.
    assert_eq!(exit(&[&holds, &path("Missing.mch")]), Some(2));
    assert_eq!(exit(&[&holds, &holds, "--trace-out=t.itf.json"]), Some(2));
    let empty = folder.join("empty");
    std::fs::create_dir_all(&empty).expect("folder");
    assert_eq!(exit(&[&empty.display().to_string()]), Some(2));
}

/// What has been said stays said; what was at work or to come was not checked.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_all_of_them() {
    use std::io::{BufRead as _, BufReader, Read as _};
    let folder = folder("ctrl-c");
    let long =
        "MACHINE Long VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0 OPERATIONS up = x := x + 1 END";
    std::fs::write(folder.join("Long.mch"), long).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
    command.arg("check").arg(&folder).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("bsym starts");
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut text = String::new();
    // The machine before the long one has been checked.
    out.read_line(&mut text).expect("a line");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    out.read_to_string(&mut text).expect("the rest");
    assert_eq!(child.wait().expect("ended").code(), Some(3), "{text}");
    let count = |what: &str| text.lines().filter(|l| l.ends_with(what)).count();
    assert_eq!((count("no deadlock"), count(": not checked")), (1, 3), "{text}");
    assert!(text.ends_with("4 machines: 3 not checked, 1 holds\n"), "{text}");
}
