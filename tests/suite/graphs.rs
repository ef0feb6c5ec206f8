//! `bsym graph`: the numbers of `check`, marks, orbits, projections, and formats that readers accept.

use super::{bsym, report};
use serde_json::Value as Json;

fn graph(args: &[&str]) -> String {
    let mut all = vec!["graph"];
    all.extend(args);
    let out = bsym(&all);
    assert_eq!(out.status.code(), Some(0), "{all:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

fn json(args: &[&str]) -> Json {
    let mut all = args.to_vec();
    all.extend(["--format", "json"]);
    serde_json::from_str(&graph(&all)).expect("JSON")
}

fn list(graph: &Json, key: &str) -> Vec<Json> {
    graph[key].as_array().cloned().unwrap_or_default()
}

fn marked(graph: &Json, mark: &str) -> u64 {
    list(graph, "nodes").iter().filter(|n| n[mark] == true).count() as u64
}

/// Without a reduction nodes and edges are those that `check` counts; so are orbits and marks with one.
#[test]
fn numbers_are_those_of_check() {
    for (name, card) in [
        ("Scheduler0", "3"),
        ("PhilosophersRing", "3"),
        ("Philosophers", "2"),
        ("Mutex", "2"),
        ("Email", "2"),
    ] {
        let file = format!("machines/symmetry/{name}.mch");
        for mode in ["off", "exact", "flood", "canon", "markers"] {
            let args = [&*file, "--card", card, "--symmetry", mode];
            let (r, g) = (report(&args), json(&args));
            let at = format!("{name} {mode}");
            assert_eq!(list(&g, "nodes").len() as u64, r["nodes"], "{at}");
            assert_eq!(marked(&g, "violating"), r["invariant_violations"], "{at}");
            assert_eq!(marked(&g, "deadlock"), r["deadlocks"], "{at}");
            assert_eq!(marked(&g, "initial"), r["initial_states"], "{at}");
            if mode == "off" {
                assert_eq!(list(&g, "edges").len() as u64, r["transitions"], "{at}");
            }
            if mode == "exact" || mode == "flood" || mode == "canon" {
                let exact = report(&[&file, "--card", card]);
                let sum: u64 = list(&g, "nodes").iter().filter_map(|n| n["stands_for"].as_u64()).sum();
                assert_eq!(sum, exact["full_states"], "{at}");
            }
        }
    }
}

#[test]
fn violating_and_deadlocked_states_are_marked() {
    let g = json(&["machines/basics/CounterViolated.mch"]);
    assert!(marked(&g, "violating") > 0);
    let dot = graph(&["machines/basics/Deadlock.mch"]);
    assert!(dot.contains("[deadlock]") || dot.contains(", deadlock"), "{dot}");
    assert!(dot.contains("initial"), "{dot}");
}

#[test]
fn projections_merge_states() {
    let file = "machines/symmetry/Scheduler0.mch";
    // How many processes are known: 0 to 4.
    let g = json(&[file, "--card", "4", "--project", "card(known)"]);
    let values: Vec<String> =
        list(&g, "nodes")[1..].iter().map(|n| n["values"]["card(known)"].to_string()).collect();
    assert_eq!(values, ["\"0\"", "\"1\"", "\"2\"", "\"3\"", "\"4\""]);
    let full: u64 = list(&g, "nodes").iter().filter_map(|n| n["stands_for"].as_u64()).sum();
    assert_eq!(full, 189);
    // The sets of known processes up to renaming, and as they are.
    let names = |mode: &str| {
        list(&json(&[file, "--card", "4", "--symmetry", mode, "--project", "known"]), "nodes").len()
    };
    assert_eq!((names("exact"), names("off")), (1 + 5, 1 + 16));
    let truth = json(&[file, "--card", "3", "--project", "active : ran(phase)"]);
    assert_eq!(list(&truth, "nodes").len(), 3);
}

#[test]
fn a_projection_that_names_an_element_tells_it_apart() {
    // `red` is named in the machine, `green` and `blue` only in the projection.
    let file = "machines/symmetry/NamedElement.mch";
    let orbits = |formula: &str| {
        let g = json(&[file, "--project", formula]);
        list(&g, "nodes").iter().filter_map(|n| n["stands_for"].as_u64()).sum::<u64>()
    };
    assert_eq!(orbits("green"), orbits("red"));
}

#[test]
fn aldebaran_numbers_fit() {
    let text =
        graph(&["machines/symmetry/Scheduler0.mch", "--card", "2", "--symmetry", "off", "--format", "aut"]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("des (0, 37, 16)"));
    let rest: Vec<&str> = lines.collect();
    assert_eq!(rest.len(), 37);
    assert!(rest.contains(&"(1, \"new(PROC1)\", 2)"), "{text}");
}

#[test]
fn a_cut_graph_says_so() {
    let file = "machines/symmetry/Scheduler0.mch";
    let out = bsym(&["graph", file, "--card", "4", "--max-nodes", "5", "--format", "json"]);
    assert_eq!(out.status.code(), Some(3));
    let g: Json = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(g["cut"], true);
    assert_eq!(list(&g, "nodes").len(), 5);
    assert!(list(&g, "nodes").iter().any(|n| n["expanded"] == false));
}

#[test]
fn pictures_are_well_formed() {
    let text = graph(&["machines/symmetry/PhilosophersRing.mch", "--card", "2", "--format", "svg"]);
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
    for tag in ["<text ", "<path ", "<rect "] {
        assert!(text.contains(tag), "{tag}");
    }
    assert_eq!(text.matches("<text ").count(), text.matches("</text>").count());
    assert!(text.contains("stands for 2 states"));
}

/// In a picture nothing but its own edges is at a node, labels of loops stand beside their nodes, and what a node is has a colour.
#[test]
fn pictures_have_colours_and_titles() {
    let text = graph(&["machines/symmetry/Scheduler0.mch", "--card", "3", "--format", "svg"]);
    let json = json(&["machines/symmetry/Scheduler0.mch", "--card", "3"]);
    let nodes = list(&json, "nodes").len();
    assert_eq!(text.matches("<rect").count(), nodes + 1);
    assert!(text.contains("fill=\"#e2f4e8\" stroke=\"#0a6b3b\""), "initial states are green");
    assert!(text.matches("<title>").count() > nodes, "nodes and edges have titles");
    let text = graph(&["machines/basics/CounterViolated.mch", "--format", "svg"]);
    assert!(text.contains("fill=\"#fde3e3\" stroke=\"#b00020\""), "violating states are red");
    if let Some(found) = super::browser::measured("graph", &format!("<html><body>{text}</body></html>")) {
        for plot in found["plots"].as_array().into_iter().flatten() {
            assert_eq!(plot["outside"], serde_json::json!([]), "texts outside the picture");
            assert_eq!(plot["overlaps"], serde_json::json!([]), "texts that overlap");
        }
    }
}

/// The way of a trace is a path from the root whose steps are the trace's, whichever states are one node.
#[test]
fn a_trace_is_a_path_of_the_graph() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("graph-trace");
    std::fs::create_dir_all(&folder).expect("folder");
    let write = |name: &str, args: &[&str]| {
        let trace = folder.join(format!("{name}.prob2trace")).display().to_string();
        let mut all = vec!["check", "--trace-out", &trace];
        all.extend(args);
        bsym(&all);
        trace
    };
    for (name, card, goal) in [
        ("Scheduler1", "3", "size(queue) = 2 & running = TRUE"),
        ("PhilosophersRing", "3", "1 = 1"),
        ("Towns", "3", "1 = 1"),
    ] {
        let file = format!("machines/symmetry/{name}.mch");
        let trace = write(name, &[&file, "--card", card, "--goal", goal]);
        let text = std::fs::read_to_string(&trace).expect("a trace");
        let recorded: Json = serde_json::from_str(&text).expect("JSON");
        let steps: Vec<String> = list(&recorded, "transitionList")
            .iter()
            .map(|s| s["name"].as_str().unwrap_or("?").to_owned())
            .collect();
        for mode in ["off", "exact", "flood", "canon"] {
            let g = json(&[&file, "--card", card, "--symmetry", mode, "--trace", &trace]);
            let edges = list(&g, "edges");
            let mut at = Json::from(0);
            for (i, step) in steps.iter().enumerate() {
                let taken: Vec<&Json> =
                    edges.iter().filter(|e| list(e, "steps").contains(&Json::from(i + 1))).collect();
                let [edge] = taken[..] else { panic!("{name} {mode}: step {i} is on {} edges", taken.len()) };
                assert_eq!(edge["from"], at, "{name} {mode}: step {i}");
                let operation = edge["operation"].as_str().expect("a name");
                assert!(
                    step.trim_start_matches('$').eq_ignore_ascii_case(operation)
                        || step == "$initialise_machine"
                );
                at = edge["to"].clone();
            }
        }
        let dot = graph(&[&file, "--card", card, "--trace", &trace]);
        assert!(dot.contains(&format!("step {}", steps.len())), "{dot}");
    }
    let file = "machines/symmetry/Scheduler1.mch";
    let trace = folder.join("Scheduler1.prob2trace").display().to_string();
    let out = bsym(&["graph", file, "--card", "3", "--max-nodes", "3", "--trace", &trace]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains("steps of the trace are in the graph: it is cut at a limit"), "{said}");
    let out = bsym(&["graph", "machines/symmetry/Email.mch", "--card", "2", "--trace", &trace]);
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(
        said.contains("step 1 of the trace is none") || said.contains("step 2 of the trace is none"),
        "{said}"
    );
}
