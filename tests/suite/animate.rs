//! `bsym animate` in a real terminal, that of tmux, if it is installed.
//!
//! What a screen shows is held against other commands: values against `eval`, steps against those of `repl` and of a trace.

use super::screen::{LONG, Screen};
use super::{bsym, root};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

const SCHEDULER: &str = "machines/symmetry/Scheduler0.mch";
const COUNTER: &str = "machines/basics/CounterViolated.mch";

/// The animator in a terminal.
fn animated(name: &str, size: (u32, u32), args: &[&str]) -> Option<Screen> {
    Screen::of(name, size, &[&["animate"], args].concat())
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let out = bsym(&["animate", SCHEDULER]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2));
    assert!(said.contains("terminal") && said.contains("`bsym repl FILE`"), "{said}");
}

#[test]
fn steps_are_taken_and_formulas_evaluated() {
    let Some(screen) = animated("steps", (100, 30), &[SCHEDULER, "--card=3"]) else { return };
    screen.wait("3 new(p = PROC3)");
    screen.press(&["2", "Enter"]);
    screen.wait("*known = {PROC2}");
    screen.press(&["/"]);
    screen.write("wake");
    screen.press(&["Enter", "Enter"]);
    screen.wait("*phase = {PROC2|->ready}");
    screen.press(&["u", "u", "U"]);
    screen.wait("phase = {PROC2|->idle}");
    screen.press(&["e"]);
    screen.write("card(PROC - known)");
    screen.press(&["Enter"]);
    screen.wait("card(PROC - known) —");
    screen.wait("┃2 ");
    screen.press(&["Escape", "q"]);
    screen.ended();
}

/// A trace that a check has found, step by step: values as `eval` has them after the same step.
#[test]
fn it_goes_along_a_trace() {
    let trace = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("animate.prob2trace").display().to_string();
    bsym(&["check", COUNTER, "--trace-out", &trace]);
    let args = [COUNTER, "--trace", &trace];
    let Some(screen) = animated("trace", (100, 30), &args) else { return };
    screen.wait("trace 1/");
    screen.press(&["t", "Enter"]);
    let seen = screen.wait("✗ invariant violated");
    let all: usize = {
        let (_, rest) = seen.split_once(" trace ").expect("a place");
        rest.split(['/', ' ']).next().and_then(|n| n.parse().ok()).expect("a number")
    };
    for at in (1..=all).rev() {
        screen.wait(&format!("· trace {at}/{all}"));
        let step = at.to_string();
        let out = bsym(&["eval", COUNTER, "n", "--trace", &trace, "--step", &step]);
        let value = String::from_utf8_lossy(&out.stdout).trim().to_owned();
        screen.wait(&format!("n = {value}"));
        screen.press(&["N"]);
    }
    screen.press(&["n", "n"]);
    screen.wait(&format!("· trace 2/{all}"));
    screen.press(&["C-c"]);
    screen.ended();
}

/// Steps that are never found do not keep anybody from the others, nor from the end.
#[test]
fn what_takes_long_can_be_left() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("Long.mch");
    let text = "MACHINE Long VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0 OPERATIONS \
        slow = SELECT SIGMA(i, j).(i : 1..1000000 & j : 1..1000000 & i mod (j + x) = 3 | i mod 5) = 7 THEN x := x + 1 END; \
        up = SELECT x < 9 THEN x := x + 1 END END";
    std::fs::write(&file, text).expect("written");
    let Some(screen) = animated("long", (100, 30), &[&file.display().to_string()]) else { return };
    screen.wait("1 up");
    screen.wait("looking for steps of slow");
    screen.press(&["Enter"]);
    screen.wait("*x = 1");
    screen.press(&["e"]);
    screen.write("x + 41");
    screen.press(&["Enter"]);
    screen.wait("┃42 ");
    screen.press(&["Escape", "Escape"]);
    screen.wait("slow: stopped");
    screen.press(&["l"]);
    screen.wait("slow: looking");
    screen.press(&["q"]);
    screen.ended();
}

#[test]
fn it_comes_up_on_small_screens_and_other_sizes() {
    let Some(screen) = animated("small", (20, 5), &[SCHEDULER, "--card=3"]) else { return };
    screen.wait("new");
    for (width, height) in [("9", "2"), ("120", "40"), ("59", "11"), ("1", "1"), ("80", "24")] {
        screen.tmux(&["resize-window", "-x", width, "-y", height]);
        std::thread::sleep(Duration::from_millis(100));
    }
    screen.wait("known = {}");
    screen.press(&["q"]);
    screen.ended();
}

/// The process that a screen shows.
#[cfg(target_os = "linux")]
fn process(screen: &Screen) -> String {
    let shell = screen.tmux(&["list-panes", "-F", "#{pane_pid}"]).trim().to_owned();
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"));
    children.expect("a shell").split_whitespace().next().expect("a child").to_owned()
}

/// Whoever asks a process to end gets the terminal back; a terminal that goes away takes the process along.
#[cfg(target_os = "linux")]
#[test]
fn it_ends_when_it_is_told_to_and_with_its_terminal() {
    let args = [SCHEDULER, "--card=3"];
    let Some(screen) = animated("told", (100, 30), &args) else { return };
    screen.wait("3 new(p = PROC3)");
    let killed = Command::new("kill").arg(process(&screen)).status().expect("kill starts");
    assert!(killed.success());
    screen.ended();
    let Some(screen) = animated("gone", (100, 30), &args) else { return };
    screen.wait("3 new(p = PROC3)");
    let process = PathBuf::from("/proc").join(process(&screen));
    drop(screen);
    let since = Instant::now();
    while process.exists() {
        assert!(since.elapsed() < LONG, "it goes on without a terminal");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// Machines of all kinds: there is a screen, and it goes away.
#[test]
fn it_comes_up_whatever_the_machine() {
    for folder in ["basics", "constants", "faults", "setup"] {
        let folder = root().join("machines").join(folder);
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
        files.sort();
        files.retain(|f| f.extension().is_some_and(|e| e == "mch"));
        for file in files.iter().step_by(4) {
            let name = file.display().to_string();
            if bsym(&["show", &name, "--stage=types"]).status.code() != Some(0) {
                continue;
            }
            let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
            let Some(screen) = animated(&stem, (100, 30), &[&name]) else { return };
            screen.wait("History");
            screen.press(&["q"]);
            screen.ended();
        }
    }
}
