//! A limit of time holds wherever the program is, and what it ends with is a report.

use serde_json::Value as Json;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A limit holds within a second; a machine under load may take its time to start and to end a process.
const SOON: Duration = Duration::from_secs(6);

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().expect("started")
}

/// The exit code of a process that ends soon.
fn end(child: &mut Child) -> Option<i32> {
    let begin = Instant::now();
    while begin.elapsed() < SOON {
        if let Some(status) = child.try_wait().expect("asked") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("killed");
    panic!("still running");
}

fn report(child: &mut Child) -> Json {
    let mut text = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut text).expect("read");
    serde_json::from_str(&text).expect("a report")
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("folder");
    folder
}

/// The report that a check with a limit of time ends with.
fn limited(file: &str, more: &[&str]) -> Json {
    let mut child = start(&[&["check", file, "--timeout=200ms", "--format=json", "-q"], more].concat());
    assert_eq!(end(&mut child), Some(3), "{file}");
    let report = report(&mut child);
    assert_eq!(report["schema"], "bsym.check/1");
    assert_eq!((&report["verdict"], &report["stopped_by"]), (&"incomplete".into(), &"time".into()));
    assert_eq!(report["complete"], false);
    report
}

/// What has no end is too long, for a machine and for a trace.
#[cfg(unix)]
#[test]
fn a_file_without_end_is_an_error() {
    let machine = concat!(env!("CARGO_MANIFEST_DIR"), "/machines/basics/Counter.mch");
    let trace = folder("ends").join("endless.prob2trace");
    let _ = std::fs::remove_file(&trace);
    std::os::unix::fs::symlink("/dev/zero", &trace).expect("a link");
    let trace = trace.display().to_string();
    for args in [&["check", "/dev/zero"][..], &["trace", machine, &trace]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bsym"))
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        assert_eq!(end(&mut child), Some(2), "{args:?}");
        let mut text = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut text).expect("read");
        assert!(text.contains("more than 64 MiB"), "{text}");
    }
}

#[cfg(unix)]
fn fifo(name: &str) -> String {
    let path = folder("ends").join(name);
    let _ = std::fs::remove_file(&path);
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    path.display().to_string()
}

#[cfg(unix)]
#[test]
fn while_files_are_read() {
    let report = limited(&fifo("Silent.mch"), &[]);
    assert_eq!(report["at_work"], "reading the files of the machine");
    assert_eq!(report["states"], 0);
}

#[test]
fn within_one_canonical_form() {
    let file = folder("ends").join("Pairs.mch");
    let text = "MACHINE Pairs SETS D DEFINITIONS ASSERT_LTL == \"G({r : D <-> D})\"; ASSERT_CTL == \"what is this\";\n\
                SET_PREF_NONE == 1 VARIABLES r INVARIANT r : D <-> D INITIALISATION r := {}\n\
                OPERATIONS add(x, y) = PRE x : D & y : D THEN r := r \\/ {x |-> y} END END";
    std::fs::write(&file, text).expect("written");
    let report = limited(&file.display().to_string(), &["--card=300", "--symmetry=canon"]);
    assert_eq!(report["machine"], "Pairs");
    assert_eq!(report["at_work"], "looking for initial states (INITIALISATION)");
    // What the file states is told all the same.
    let lines = |key: &str| report[key].as_array().expect("a list").len();
    assert_eq!((lines("warnings"), lines("not_checked")), (2, 1), "{report}");
    assert_eq!((&report["cardinalities"]["D"], lines("checked")), (&300.into(), 4));
    assert_eq!(report["formulas"][0]["verdict"], "undecided");
    assert_eq!(report["formulas"][0]["reason"], "the search stopped (time)");
}

#[test]
fn among_valuations() {
    let file = folder("ends").join("Relations.mch");
    let text = "MACHINE Relations CONSTANTS r PROPERTIES r : 1..6 <-> 1..6 VARIABLES x INVARIANT x = 0\n\
                INITIALISATION x := 0 OPERATIONS stay = SELECT r = r THEN skip END END";
    std::fs::write(&file, text).expect("written");
    let report = limited(&file.display().to_string(), &[]);
    let doing = report["at_work"].as_str().expect("words");
    assert!(doing.starts_with("still looking for values of 1 constant (PROPERTIES), "), "{doing}");
    // What was looked at meanwhile is told.
    assert!(report["states"].as_u64().expect("a number") > 0, "{report}");
}

/// The word behind which the conjunct is named that is false most often.
fn fails_most(report: &Json) -> &str {
    let doing = report["at_work"].as_str().expect("words");
    doing.split_once("; fails most: ").unwrap_or_else(|| panic!("{doing}")).1
}

#[test]
fn in_search_of_values() {
    let conjuncts =
        "a : 2..3000 & b : 3..3000 & c : 3..9000 & a < b &\n a*a*a + b*b*b = c*c*c + 5 & a + b /= c";
    let file = folder("ends").join("Sought.mch");
    let text = format!("MACHINE Sought CONSTANTS a, b, c PROPERTIES\n{conjuncts}\nEND");
    std::fs::write(&file, text).expect("written");
    let report = limited(&file.display().to_string(), &[]);
    assert!(fails_most(&report).ends_with("Sought.mch:3:2"), "{report}");
    let file = folder("ends").join("Begin.mch");
    let text = format!(
        "MACHINE Begin VARIABLES x INVARIANT x : NATURAL INITIALISATION ANY a, b, c WHERE\n{conjuncts}\nTHEN x := a END END"
    );
    std::fs::write(&file, text).expect("written");
    let report = limited(&file.display().to_string(), &[]);
    assert!(fails_most(&report).ends_with("Begin.mch:3:2"), "{report}");
}

#[cfg(unix)]
#[test]
fn while_nobody_reads_the_report() {
    let file = folder("ends").join("Wide.mch");
    let text = "MACHINE Wide VARIABLES s INVARIANT s <: INTEGER & s /= 0..19999 INITIALISATION s := {}\n\
                OPERATIONS fill = BEGIN s := 0..19999 END END";
    std::fs::write(&file, text).expect("written");
    // Without a limit it waits for the reader.
    let name = file.display().to_string();
    let mut child = start(&["check", &name, "--timeout=1s", "--format=json", "-q"]);
    // The answer was found before time was up.
    assert_eq!(end(&mut child), Some(1));
}

#[cfg(unix)]
#[test]
fn when_asked_to() {
    let mut child = start(&["check", &fifo("Asked.mch"), "--format=json", "-q"]);
    std::thread::sleep(Duration::from_millis(500));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    assert_eq!(end(&mut child), Some(3));
    assert_eq!(report(&mut child)["stopped_by"], "interrupted");
}

/// Commands that start checks end them, and tell what they have.
#[cfg(unix)]
#[test]
fn several_checks_when_asked_to() {
    let counter = concat!(env!("CARGO_MANIFEST_DIR"), "/machines/basics/Counter.mch");
    let file = folder("ends").join("Endless.mch");
    let text = "MACHINE Endless VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 0 OPERATIONS up = x := x + 1 END";
    std::fs::write(&file, text).expect("written");
    let endless = file.display().to_string();
    let asked = |args: &[&str]| {
        let mut child = start(args);
        std::thread::sleep(Duration::from_millis(1500));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
        assert_eq!(end(&mut child), Some(3), "{args:?}");
        report(&mut child)
    };
    let agreed = asked(&["agree", counter, &endless, "--timeout=60s", "--format=json"]);
    assert_eq!((&agreed["complete"], &agreed["asked"]), (&false.into(), &2.into()));
    assert!(agreed["machines"].as_array().is_some_and(|m| m.len() < 2), "{agreed}");
    let compared =
        asked(&["compare", &endless, "--card=2..3", "--modes=off", "--timeout=60s", "--format=json"]);
    let limits: Vec<&Json> =
        compared["rows"].as_array().expect("rows").iter().map(|row| &row["limit"]).collect();
    assert_eq!(limits, ["interrupted", "interrupted"], "{compared}");
}
