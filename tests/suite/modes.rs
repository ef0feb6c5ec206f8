//! All symmetry strategies agree with the unreduced search: on every machine in `machines/` that has
//! deferred sets, and on random machines.
//!
//! Where the guarantee is exact, the number of orbits is the same for every strategy, the orbit sizes add up to
//! the states of `off`, and so do the verdict flags. Markers never store more than there are orbits.

use super::{random_machine, report, root};
use serde_json::Value as Json;

/// Strategies that promise one state per orbit.
const EXACT: [&str; 3] = ["exact", "canon", "flood"];
/// Random machines per run; `BSYM_RANDOM_MACHINES` asks for more.
const RANDOM: u64 = 60;

fn flags(r: &Json) -> Vec<bool> {
    ["invariant_violations", "deadlocks", "assertion_violations", "errors", "goal_states"]
        .map(|k| r[k].as_u64().unwrap_or(0) > 0)
        .to_vec()
}

fn count(r: &Json, key: &str) -> u64 {
    r[key].as_u64().unwrap_or(u64::MAX)
}

/// Compares all strategies on one machine; says what disagrees.
fn disagreement(file: &str, card: &str) -> Option<String> {
    let run = |mode: &str| report(&[file, "--card", card, "--symmetry", mode, "--constants", "all"]);
    let off = run("off");
    if off["complete"] != Json::Bool(true) || count(&off, "errors") > 0 {
        return None;
    }
    let states = count(&off, "states") - count(&off, "constants_valuations");
    let mut orbits = None;
    for mode in EXACT {
        let r = run(mode);
        if flags(&r) != flags(&off) {
            return Some(format!("{mode}: flags {:?}, off {:?}", flags(&r), flags(&off)));
        }
        let n = count(&r, "states");
        if *orbits.get_or_insert(n) != n {
            return Some(format!("{mode}: {n} states, {orbits:?} in another exact mode"));
        }
        if mode == "exact" && r["full_states"].as_u64() != Some(states) {
            return Some(format!("{mode}: stands for {} states, off has {states}", r["full_states"]));
        }
    }
    let all = run("exact");
    let few = report(&[file, "--card", card, "--symmetry", "exact", "--constants", "orbits"]);
    for key in ["states", "constants_valuations", "initial_states", "transitions", "full_states"] {
        if few[key] != all[key] {
            return Some(format!("constants up to symmetry: {} {key}, otherwise {}", few[key], all[key]));
        }
    }
    for mode in ["markers", "markers-basic", "markers-tree"] {
        let n = count(&run(mode), "states");
        if orbits.is_some_and(|o| n > o) {
            return Some(format!("{mode}: {n} states, more than the {orbits:?} orbits"));
        }
    }
    None
}

#[test]
fn strategies_agree_on_the_machines() {
    for name in [
        "Login",
        "Scheduler0",
        "TwoSets",
        "SetOfSets",
        "TokenRing",
        "Philosophers",
        "PolitePhilosophers",
        "Towns",
    ] {
        let file = format!("machines/symmetry/{name}.mch");
        if let Some(what) = disagreement(&file, "3") {
            panic!("{name}: {what}");
        }
    }
}

#[test]
fn strategies_agree_on_random_machines() {
    let count = std::env::var("BSYM_RANDOM_MACHINES").ok().and_then(|n| n.parse().ok()).unwrap_or(RANDOM);
    let first = std::env::var("BSYM_RANDOM_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let dir = root().join("target/random-machines");
    std::fs::create_dir_all(&dir).expect("target is writable");
    for seed in first..first + count {
        let file = dir.join(format!("Random{seed}.mch"));
        std::fs::write(&file, random_machine::machine(seed)).expect("target is writable");
        let card = if seed % 3 == 0 { "P=3,Q=1" } else { "P=2,Q=2" };
        if let Some(what) = disagreement(&file.display().to_string(), card) {
            panic!("seed {seed} (--card {card}): {what}\n{}", random_machine::machine(seed));
        }
        std::fs::remove_file(&file).ok();
    }
}
