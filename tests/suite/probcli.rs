//! `bsym probcli`: every switch of its table, the lines that scripts look for, exit codes, and what is refused.

use super::plain::written;
use super::{bsym, root};
use std::path::{Path, PathBuf};

const COUNTER: &str = "machines/basics/Counter.mch";
const VIOLATED: &str = "machines/basics/CounterViolated.mch";
const DEADLOCK: &str = "machines/basics/Deadlock.mch";
const BOUNDS: &str = "machines/bounds/AnySequence.mch";
const SCHEDULER: &str = "machines/symmetry/Scheduler0.mch";
const ALL: &str = "No counter example found. ALL states visited.";

/// Exit code, standard output, standard error.
fn probcli(words: &[&str]) -> (Option<i32>, String, String) {
    let out = bsym(&[&["probcli"], words].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

/// An empty place for a file that is written.
fn place(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("probcli");
    std::fs::create_dir_all(&folder).expect("folder");
    let file = folder.join(name);
    let _ = std::fs::remove_file(&file);
    file
}

fn name(file: &Path) -> String {
    file.display().to_string()
}

fn has_line(text: &str, line: &str) -> bool {
    text.lines().any(|l| l == line)
}

/// A row of the tables: the title above it, its names with arguments, what it stands for.
struct Row {
    title: String,
    forms: Vec<String>,
    becomes: Option<String>,
}

fn rows() -> Vec<Row> {
    let (exit, text, _) = probcli(&["-help_markdown"]);
    assert_eq!(exit, Some(0));
    let mut title = String::new();
    let mut out = Vec::new();
    for line in text.lines() {
        if let Some(t) = line.strip_prefix("### ") {
            t.clone_into(&mut title);
        }
        let Some((first, second)) = line.strip_prefix("| `").and_then(|l| l.split_once("` | ")) else {
            continue;
        };
        let forms = first.split("`, `").map(str::to_owned).collect();
        let becomes = second.rsplit_once("(`").and_then(|(_, b)| b.strip_suffix("`) |")).map(str::to_owned);
        out.push(Row { title: title.clone(), forms, becomes });
    }
    out
}

/// Something that may stand for an argument of a switch.
fn argument(switch: &str, name: &str) -> String {
    let text = match (switch, name) {
        ("-ltlfile", _) => return self::name(&formulas()),
        ("-refchk", _) => "machines/refinement/Stack.mch",
        ("-trace_replay", "FORMAT") => "json",
        ("-trace_replay" | "-his", _) => "t.prob2trace",
        ("-dotexpr", "COMMAND") => "transition_diagram",
        ("-dot", "[COMMAND]") => "state_space",
        ("-dot" | "-dotexpr" | "-spdot", "FILE") => "graph.dot",
        ("-p" | "-pref", "PREF") => "MAXINT",
        (_, "N" | "VALUE") => "5",
        (_, "S") => "PROC",
        (_, "F") => "G {1 = 1}",
        (_, "P") => "1 = 1",
        (_, "E") => "1 + 1",
        (_, "MODE") => "off",
        (_, "ERR") => "deadlock",
        _ => "x",
    };
    text.to_owned()
}

fn formulas() -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("probcli.ltl");
    std::fs::write(&file, "# two\n[stays]\nG {n < 4}\n[leaves]\nF\n {n = 7}\n").expect("written");
    file
}

/// A form of a switch as words.
fn words(form: &str) -> Vec<String> {
    let mut parts = form.split(' ');
    let switch = parts.next().expect("a name");
    let mut out = vec![switch.to_owned()];
    if let (true, Some(preference)) =
        (form.starts_with("-p ") && form != "-p PREF VALUE", form.split(' ').nth(1))
    {
        let value = if preference == "SYMMETRY_MODE" { "hash" } else { "5" };
        return vec!["-p".to_owned(), preference.to_owned(), value.to_owned()];
    }
    out.extend(parts.map(|name| argument(switch, name)));
    out
}

#[test]
fn every_switch_is_translated_ignored_or_refused() {
    let rows = rows();
    assert!(rows.len() > 90, "{}", rows.len());
    let plain = probcli(&[SCHEDULER, "-mc", "9", "-translate"]);
    assert_eq!(plain.1, format!("bsym check {SCHEDULER} --max-states=9\n"));
    for row in &rows {
        for form in &row.forms {
            if !form.starts_with('-') {
                continue;
            }
            let words = words(form);
            let is = |name: &str| words.first().is_some_and(|w| w == name);
            let file = if is("-refchk") { "machines/refinement/Stack_nodes.ref" } else { SCHEDULER };
            let options = row.becomes.as_deref().is_some_and(|b| b.starts_with("--"))
                || row.becomes.is_none()
                || is("-his");
            let mut all: Vec<&str> = vec![file, "-translate"];
            if options || is("-p") {
                all.extend(["-mc", "9"]);
            }
            if is("-ltllimit") {
                all.push("-ltlassertions");
            }
            all.extend(words.iter().map(String::as_str));
            let (exit, out, said) = probcli(&all);
            let told = format!("{all:?}: {exit:?} {out} {said}");
            if row.title.starts_with("Switches") {
                assert_eq!(exit, Some(0), "{told}");
                let shown = ["-help", "-h", "-help_markdown", "-version"].iter().any(|s| is(s));
                assert!(shown && !out.is_empty() || out.starts_with("bsym "), "{told}");
                let becomes = row.becomes.as_deref().expect("what it stands for");
                for option in becomes.split([' ', ',']).filter(|w| w.starts_with("--") && !shown) {
                    let option = option.split('=').next().unwrap_or_default();
                    assert!(out.contains(option) || is("-junit"), "{option} {told}");
                }
            } else if row.title.starts_with("Ignored") {
                let warned = said.lines().any(|l| l.starts_with("warning: `-") && l.contains("is ignored"));
                assert_eq!((exit, &out, warned), (Some(0), &plain.1, true), "{told}");
            } else {
                assert_eq!(exit, Some(2), "{told}");
                assert!(said.contains("bsym has no") && said.contains("help: "), "{told}");
            }
        }
    }
}

#[test]
fn the_page_has_the_tables() {
    let (_, tables, _) = probcli(&["-help_markdown"]);
    let page = std::fs::read_to_string(root().join("docs/probcli.md")).expect("a page");
    assert!(page.contains(&tables), "docs/probcli.md is to have what `bsym probcli -help_markdown` writes");
    let (exit, help, _) = probcli(&["-help"]);
    assert_eq!(exit, Some(0));
    assert!(has_line(&help, "  -mc N"), "{help}");
}

#[test]
fn all_states_were_visited_only_if_they_were() {
    let (exit, out, _) = probcli(&[COUNTER, "-mc", "1000", "-bf"]);
    assert_eq!(exit, Some(0), "{out}");
    for line in [ALL, "ALL OPERATIONS COVERED", "States analysed: 4"] {
        assert!(has_line(&out, line), "{line}: {out}");
    }
    assert!(out.starts_with("HOLDS Counter"), "{out}");
    // Every one of these leaves something out.
    let rows: [(&[&str], i32, &str); 5] = [
        (&[COUNTER, "-mc", "2"], 3, "No counter example found, not all states visited."),
        (
            &[BOUNDS, "-model_check"],
            5,
            "No counter example found among the states and values that were tried.",
        ),
        (&["machines/basics/Scope.mch", "-model_check"], 0, "among the states and values that were tried"),
        (
            &["machines/symmetry/Email.mch", "-symm", "hash", "-mc", "99999"],
            0,
            "among the states and values that were tried",
        ),
        (&[COUNTER, "-model_check", "-scope", "n < 2"], 0, "among the states and values that were tried"),
    ];
    for (words, code, piece) in rows {
        let (exit, out, said) = probcli(words);
        assert_eq!(exit, Some(code), "{words:?}: {out}{said}");
        assert!(out.contains(piece) && !out.contains("ALL states"), "{words:?}: {out}");
    }
}

#[test]
fn counterexamples_have_names() {
    let (exit, out, _) = probcli(&[VIOLATED, "-model-check"]);
    assert_eq!(exit, Some(1));
    for line in [
        "*** COUNTER EXAMPLE FOUND ***",
        "invariant_violation",
        "*** TRACE (length=5):",
        " 1: INITIALISATION(n=0)",
        " 5: up",
    ] {
        assert!(has_line(&out, line), "{line}: {out}");
    }
    assert!(!out.contains("No counter example"), "{out}");
    let (exit, out, _) = probcli(&["-mc", "1000", DEADLOCK]);
    assert!(exit == Some(1) && has_line(&out, "deadlock"), "{out}");
    let (exit, out, _) = probcli(&["-mc", "1000", DEADLOCK, "-nodead"]);
    assert!(exit == Some(0) && has_line(&out, ALL), "{out}");
    let (exit, out, _) = probcli(&["machines/basics/FalseAssertion.mch", "-assertions"]);
    assert!(exit == Some(1) && has_line(&out, "assertion_violation"), "{out}");
    let (exit, out, _) = probcli(&["machines/basics/FalseAssertion.mch", "-mc", "9", "-noass"]);
    assert!(exit == Some(0) && has_line(&out, ALL), "{out}");
}

#[test]
fn expected_errors_turn_the_exit_code() {
    let rows: [(&[&str], i32); 11] = [
        (&[VIOLATED, "-mc", "100", "-expcterr", "invariant_violation"], 0),
        (&[VIOLATED, "-mc", "100", "-expcterr", "deadlock"], 1),
        (&[COUNTER, "-mc", "100", "-expcterr", "invariant_violation"], 1),
        (&[COUNTER, "-mc", "2", "-expcterr", "model_check_incomplete"], 0),
        (&[COUNTER, "-mc", "2", "-expcterr", "deadlock"], 3),
        (&[BOUNDS, "-mc", "100", "-expcterr", "enumeration_warning"], 0),
        (&["machines/faults/TypeError.mch", "-mc", "9", "-expcterr", "type_error"], 0),
        (&["machines/faults/OutsideDomain.mch", "-mc", "9", "-expcterr", "well_definedness_error"], 0),
        (&["machines/setup/Contradiction.mch", "-mc", "9", "-expcterr", "setup_constants_fails"], 0),
        (&[COUNTER, "-mc", "9", "-goal", "n = 2", "-expcterr", "goal_found"], 0),
        (&[COUNTER, "-mc", "9", "-goal", "n = 7", "-expcterr", "goal_found"], 1),
    ];
    for (words, code) in rows {
        let (exit, out, said) = probcli(words);
        assert_eq!(exit, Some(code), "{words:?}: {out}{said}");
        assert_eq!(said.contains("the expected error was not found"), code != 0, "{said}");
    }
}

#[test]
fn sizes_and_preferences_count() {
    let file = place("Up.mch");
    let text = "MACHINE Up VARIABLES x INVARIANT x : NAT INITIALISATION x := 0 \
                OPERATIONS up = SELECT x < MAXINT THEN x := x + 1 END; down = SELECT x > 0 THEN x := x - 1 END END";
    std::fs::write(&file, text).expect("written");
    let (exit, out, said) = probcli(&[
        "-p",
        "MAXINT",
        "9",
        &name(&file),
        "-mc",
        "100",
        "-p",
        "maxint",
        "7",
        "-p",
        "CLPFD",
        "TRUE",
    ]);
    assert!(exit == Some(0) && has_line(&out, "States analysed: 8"), "{out}");
    assert!(said.contains("warning: `-p CLPFD` is ignored"), "{said}");
    let (exit, out, _) =
        probcli(&[SCHEDULER, "-card", "PROC", "3", "-mc", "100", "-p", "DEFAULT_SETSIZE", "5"]);
    assert!(exit == Some(0) && out.contains("PROC = 3"), "{out}");
    let (exit, out, _) =
        probcli(&[SCHEDULER, "-p", "DEFAULT_SETSIZE", "2", "-mc", "9999", "-p", "SYMMETRY_MODE", "off"]);
    assert!(exit == Some(0) && out.contains("every state is stored"), "{out}");
}

#[test]
fn formulas_are_true_or_false() {
    let (exit, out, _) = probcli(&[COUNTER, "-ltlformula", "G {n < 4}", "-ctlformula", "AG(EF {n = 3})"]);
    assert_eq!((exit, out.lines().filter(|l| *l == "Formula TRUE.").count()), (Some(0), 2), "{out}");
    assert!(!out.contains("ALL states"), "{out}");
    let (exit, out, _) = probcli(&[COUNTER, "-ltlfile", &name(&formulas())]);
    assert!(exit == Some(1) && has_line(&out, "Formula TRUE.") && has_line(&out, "Formula FALSE."), "{out}");
    let (exit, out, _) = probcli(&[COUNTER, "-ltlformula", "G {n < 3}", "-expcterr", "ltl"]);
    assert!(exit == Some(0) && has_line(&out, "Formula FALSE."), "{out}");
    let ring = "machines/temporal/TokenRing.mch";
    let (exit, out, _) = probcli(&[ring, "-ltlassertions"]);
    assert!(exit == Some(1) && has_line(&out, "Formula FALSE."), "{out}");
    let (exit, out, _) = probcli(&[ring, "-mc", "1000", "-noltl"]);
    assert!(exit == Some(0) && has_line(&out, ALL) && !out.contains("Formula"), "{out}");
    // What was not decided is neither.
    let (exit, out, _) = probcli(&[COUNTER, "-ltlformula", "G {n < 4}", "-ltllimit", "2"]);
    assert!(exit == Some(3) && !out.contains("TRUE.") && out.contains("Formula UNKNOWN."), "{out}");
}

#[test]
fn files_are_written_and_read() {
    let (history, trace, dot) = (place("h.txt"), place("t.prob2trace"), place("g.dot"));
    let words = [
        VIOLATED,
        "-mc",
        "100",
        "-his",
        &name(&history),
        "-dot",
        &name(&dot),
        "-junit",
        &name(&place("reports")),
    ];
    let (exit, out, said) = probcli(&words);
    assert_eq!(exit, Some(1), "{out}{said}");
    let read = |file: &PathBuf| std::fs::read_to_string(file).expect("a file");
    assert_eq!(read(&history), "INITIALISATION(n=0)\nup\nup\nup\nup\n");
    assert!(read(&dot).starts_with("digraph"));
    assert!(read(&place("reports").join("CounterViolated.xml")).contains("<testsuite"));
    assert_eq!(probcli(&[VIOLATED, "-mc", "100", "-his", &name(&trace)]).0, Some(1));
    // Of steps by chance, and of a first state, too.
    let state = place("s.txt");
    let (exit, _, said) =
        probcli(&[COUNTER, "-animate", "2", "-his", &name(&history), "-sptxt", &name(&state)]);
    assert_eq!(
        (exit, read(&history), read(&state)),
        (Some(0), "INITIALISATION(n=0)\ntick\ntick\n".to_owned(), "n = 2\n".to_owned()),
        "{said}"
    );
    let ring = "machines/temporal/TokenRing.mch";
    assert_eq!(probcli(&[ring, "-init", "-sptxt", &name(&state)]).0, Some(0));
    let values = read(&state);
    assert!(values.starts_with("next = {") && values.contains(" &\ntoken = {SERVER"), "{values}");
    assert_eq!(probcli(&[COUNTER, "-animate", "2", "-his", "h.prob2trace"]).0, Some(2));
    let (exit, out, _) = probcli(&[VIOLATED, "-trace_replay", "json", &name(&trace)]);
    assert_eq!(exit, Some(0), "{out}");
    let (exit, _, said) =
        probcli(&[COUNTER, "-trace_replay", "json", &name(&trace), "-expcterr", "trace_replay_fails"]);
    assert_eq!(exit, Some(0), "{said}");
    assert_eq!(probcli(&[COUNTER, "-trace_replay", "json", &name(&trace)]).0, Some(1));
    assert_eq!(probcli(&[VIOLATED, "-trace_replay", "prolog", "t.trace"]).0, Some(2));
    assert_eq!(probcli(&[VIOLATED, "-mc", "100", "-his", "/dev/null/no"]).0, Some(1));
    assert_eq!(probcli(&[COUNTER, "-spdot", "g.pdf"]).0, Some(2));
}

#[test]
fn other_commands_run() {
    assert_eq!(probcli(&[COUNTER, "-init"]).0, Some(0));
    assert_eq!(probcli(&["machines/setup/Contradiction.mch", "-init"]).0, Some(1));
    let (exit, out, _) = probcli(&[COUNTER, "-animate", "5"]);
    assert!(exit == Some(0) && out.contains("% 5 steps by chance"), "{out}");
    assert_eq!(probcli(&[VIOLATED, "-animate", "500"]).0, Some(1));
    // To come to an end is what it is for; a check is another matter.
    assert_eq!(probcli(&[DEADLOCK, "-animate_all"]).0, Some(0));
    assert_eq!(probcli(&[DEADLOCK, "-animate_all", "-mc", "9"]).0, Some(1));
    let (exit, out, _) = probcli(&[COUNTER, "-eval", "n + 1", "-eval", "-1"]);
    assert_eq!((exit, out.as_str()), (Some(0), "1\n-1\n"));
    let (exit, out, _) = probcli(&[COUNTER]);
    assert!(exit == Some(0) && out.contains("tick"), "{out}");
    let nodes = "machines/refinement/Stack_nodes.ref";
    let refined = |file: &str, with: &str| {
        probcli(&[file, "-refchk", with, "-card", "DATA", "2", "-card", "NODE", "2"]).0
    };
    assert_eq!(refined(nodes, "machines/refinement/Stack.mch"), Some(0));
    assert_eq!(refined("machines/refinement/Stack_swaps.ref", "machines/refinement/Stack.mch"), Some(1));
    assert_eq!(refined(nodes, "machines/refinement/Log.mch"), Some(2));
    assert_eq!(refined(nodes, "states.prob"), Some(2));
}

/// That constants were given values is said only if they were: here the search for them comes to its bounds.
#[test]
fn steps_were_taken_only_if_they_were() {
    let text = "MACHINE Open CONSTANTS c PROPERTIES c : INTEGER & c * c mod 1000 = 576 & c > 100 END";
    let open = written("probcli", "Open", text);
    for (file, switches, exit) in
        [(COUNTER, ["-init"].as_slice(), 0), (&open, &["-init"], 3), (&open, &["-animate", "5"], 3)]
    {
        let (code, out, err) = probcli(&[&[file], switches].concat());
        assert_eq!(code, Some(exit), "{file} {switches:?}: {out}{err}");
        assert_eq!(out.contains("nothing was found on the way"), exit == 0, "{file} {switches:?}: {out}");
    }
    let (code, out, err) = probcli(&[&open, "-init", "-expcterr", "enumeration_warning"]);
    assert_eq!(code, Some(0), "{out}{err}");
}

#[test]
fn what_is_wrong_is_told() {
    let rows: [(&[&str], &str); 12] = [
        (&[COUNTER, "-nodeed"], "did you mean `-nodead`?"),
        (&[COUNTER, "-mc"], "`-mc` takes an argument: `-mc N`"),
        (&[COUNTER, "-mc", "many"], "`-mc` takes a number"),
        (&[COUNTER, "-card", "PROC"], "`-card` takes 2 arguments"),
        (&["-mc", "9"], "no machine is named"),
        (&[COUNTER, VIOLATED], "second machine"),
        (&["machines/basics", "-mc", "9"], "is a folder"),
        (&[COUNTER, "-p", "MAXINTT", "9"], "did you mean `MAXINT`?"),
        (&[COUNTER, "-p", "WONDERS", "TRUE"], "does not know this preference"),
        (&[COUNTER, "-symm", "nautty"], "did you mean `nauty`?"),
        (&[COUNTER, "-mc", "9", "-expcterr", "deadlok"], "did you mean `deadlock`?"),
        (&[COUNTER, "-ltlfile", "none.ltl"], "`none.ltl` cannot be read"),
    ];
    for (words, piece) in rows {
        let (exit, out, said) = probcli(words);
        assert_eq!((exit, out.as_str()), (Some(2), ""), "{words:?}: {said}");
        assert!(said.contains(piece), "{words:?} is to say {piece:?}: {said}");
    }
}
