//! All ways to explore a machine agree: `bsym agree` on every machine in `machines/`, and on random machines.
//!
//! What agreement means is said, and tested, in `report::agree::rules`.

use super::{bsym, number, random_machine, root};
use crate::random::Random;
use serde_json::Value as Json;

/// Random machines per run; `BSYM_RANDOM_MACHINES` asks for more.
const RANDOM: u64 = 60;

/// All strategies.
const MODES: &str = "exact,canon,flood,enumerate,segment,minimise,sorted,order,hillclimb,auto,markers,markers-basic,markers-tree";

/// The result of `bsym agree`, as (file, outcome, contradictions).
fn agree(args: &[&str]) -> Vec<(String, String, String)> {
    let mut all = vec!["agree", "--format", "json"];
    all.extend(args);
    let out = bsym(&all);
    let json: Json = serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|e| panic!("{all:?}: no JSON ({e})\n{}", String::from_utf8_lossy(&out.stderr)));
    let text = |m: &Json, key: &str| m[key].as_str().map_or_else(|| m[key].to_string(), str::to_owned);
    let machines = json["machines"].as_array().cloned().unwrap_or_default();
    let found: Vec<_> =
        machines.iter().map(|m| (text(m, "file"), text(m, "outcome"), text(m, "contradictions"))).collect();
    let contradicted = found.iter().any(|(_, outcome, _)| outcome == "contradict");
    assert_eq!(out.status.code(), Some(i32::from(contradicted)), "{found:?}");
    found
}

#[test]
fn nothing_contradicts_on_the_machines() {
    let found = agree(&["machines", "--timeout", "1s", "--jobs", "2"]);
    let wrong: Vec<_> = found.iter().filter(|(_, outcome, _)| outcome == "contradict").collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(found.len() > 50 && found.iter().any(|(_, outcome, _)| outcome == "refused"), "{}", found.len());
}

/// Large enough that native code is made, together and one by one.
#[test]
fn native_code_and_the_interpreter_say_the_same() {
    let report = |file: &str, more: &[&str]| {
        let mut all = vec!["check", file, "--card", "4", "--symmetry", "off", "--format", "json"];
        all.extend(more);
        let out = bsym(&all);
        let mut json: Json = serde_json::from_slice(&out.stdout).expect("a report");
        let numbers = ["states", "transitions", "operations", "verdict", "depth"];
        json.as_object_mut().expect("an object").retain(|key, _| numbers.contains(&key.as_str()));
        assert_eq!(json.as_object().map(serde_json::Map::len), Some(numbers.len()), "{json}");
        json
    };
    for file in ["machines/symmetry/Peterson.mch", "machines/symmetry/Towns.mch"] {
        assert_eq!(report(file, &["--no-jit"]), report(file, &[]), "{file}");
    }
}

#[test]
fn strategies_agree_on_three_elements() {
    let names = [
        "Login",
        "Scheduler0",
        "TwoSets",
        "SetOfSets",
        "TokenRing",
        "Philosophers",
        "PolitePhilosophers",
        "Towns",
    ];
    let files: Vec<String> = names.iter().map(|n| format!("machines/symmetry/{n}.mch")).collect();
    let mut args: Vec<&str> = files.iter().map(String::as_str).collect();
    args.extend(["--card", "3", "--modes", MODES]);
    args.extend(["--timeout", "60s", "--jobs", "2"]);
    for (file, outcome, why) in agree(&args) {
        assert_eq!(outcome, "agree", "{file}: {why}");
    }
}

#[test]
fn strategies_agree_on_random_machines() {
    let count = number("BSYM_RANDOM_MACHINES").unwrap_or(RANDOM);
    let first = number("BSYM_RANDOM_SEED").unwrap_or(1);
    let dir = root().join("target/random-machines");
    std::fs::create_dir_all(&dir).expect("target is writable");
    for seed in first..first + count {
        let file = dir.join(format!("Random{seed}.mch"));
        std::fs::write(&file, random_machine::machine(seed)).expect("target is writable");
        let card = if seed % 3 == 0 { "P=3,Q=1" } else { "P=2,Q=2" };
        let name = file.display().to_string();
        for (_, outcome, why) in agree(&[&name, "--card", card, "--modes", MODES, "--timeout", "60s"]) {
            // Some machines are refused: not every set of random formulas has types.
            assert!(
                outcome != "contradict",
                "seed {seed} (--card {card}): {outcome} {why}\n{}",
                random_machine::machine(seed)
            );
        }
        std::fs::remove_file(&file).ok();
    }
}

/// A machine whose constants are a graph and a function on elements without names, by seed: some with one shape, some with
/// several, so that constants leave every kind of group.
fn constants_machine(seed: u64) -> String {
    let mut random = Random::new(seed);
    let graphs = [
        "g : D >->> D",
        "g : D >+> D & card(g) = 2",
        "g = g~ & g /\\ id(D) = {} & card(g) = 4",
        "g : D --> D",
        "g <: D * D & card(g) = 2",
        "(g = D * D or g = {} or g : D >->> D)",
        "g = {x, y | x : D & y : D & x /= y}",
        "g : D <-> D & card(dom(g)) = 1",
    ];
    let functions = ["f : D --> E", "f : D +-> E & card(f) = 1", "f : E >-> D", "f : D -->> E", "f = D * E"];
    let steps = [
        "step(x, y) = PRE x : at & y : D - at & (x |-> y : g or y |-> x : g) THEN at := (at - {x}) \\/ {y} END",
        "step(x, y) = PRE x |-> y : g & x : at THEN at := at \\/ {y} || seen := {x |-> y} END",
        "step(x) = PRE x : D & x : dom(f) THEN at := at \\/ dom(f |> f[{x}]) END",
        "step(x, y) = PRE x : D & y : D & x |-> y : g THEN seen := seen <+ {y |-> x} END",
        "step(e) = PRE e : E & e : dom(f) \\/ ran(f) THEN own := own \\/ {e} END",
    ];
    let mut of = |list: &[&'static str]| list[random.below(list.len())];
    let (graph, function, step, other) = (of(&graphs), of(&functions), of(&steps), of(&steps[..4]));
    // What the types of this function do not fit is left out.
    let step = if step.contains("dom(f) \\/ ran(f)") { steps[0] } else { step };
    let step = if step.contains("dom(f)") && function.starts_with("f : E") { steps[1] } else { step };
    let other = if other.contains("dom(f)") { steps[3] } else { other }.replace("step", "other");
    let function =
        if function == "f = D * E" { "f <: D * E & card(f) = card(D) * card(E)" } else { function };
    format!(
        "MACHINE Constants{seed}\nSETS D; E\nCONSTANTS g, f\nPROPERTIES g : D <-> D & {graph} & {function}\n\
         VARIABLES at, seen, own\nINVARIANT at <: D & seen : D <-> D & own <: E\n\
         INITIALISATION at :: {{{{}}, D}} || seen := {{}} || own := {{}}\nOPERATIONS\n\
         put(x) = PRE x : D - at THEN at := at \\/ {{x}} END;\n{step};\n{other}\nEND\n"
    )
}

/// All strategies count the same orbits, and as many states and transitions of the full graph, whatever the constants leave.
#[test]
fn strategies_agree_under_random_constants() {
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let fresh = clock.map_or(0, |t| t.as_secs());
    let first = number("BSYM_RANDOM_SEED").unwrap_or(fresh);
    println!("seed {first}");
    let dir = root().join("target/random-constants");
    std::fs::create_dir_all(&dir).expect("target is writable");
    let mut agreed = 0;
    for seed in first..first + 12 {
        let file = dir.join(format!("Constants{seed}.mch"));
        std::fs::write(&file, constants_machine(seed)).expect("target is writable");
        let card = ["D=2,E=2", "D=3,E=2", "D=3,E=1"][usize::try_from(seed % 3).expect("small")];
        let name = file.display().to_string();
        for (_, outcome, why) in agree(&[&name, "--card", card, "--modes", MODES, "--timeout", "60s"]) {
            let text = constants_machine(seed);
            assert!(
                outcome != "contradict" && outcome != "refused",
                "{seed} ({card}): {outcome} {why}\n{text}"
            );
            agreed += usize::from(outcome == "agree");
        }
        std::fs::remove_file(&file).ok();
    }
    assert!(agreed > 6, "{agreed} machines");
}
