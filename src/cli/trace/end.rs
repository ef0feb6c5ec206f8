//! What the last state of a trace is to show: the violation that the file names.

use super::At;
use crate::model::{Findings, Steps, System};

/// Whether one of the states reached shows a violation of this kind.
pub(super) fn shows(system: &dyn System, at: &At, kind: &str, forever: bool) -> bool {
    match at {
        // A fault before the first step is not looked for again: it may be that there is too much to try.
        At::Root if kind == "error" => true,
        At::Root if kind != "setup" => {
            // Assertions without variables where there is no set-up.
            valuations(system).iter().any(|&v| finds(system, &[u64::from(v)], kind))
        }
        At::Root => {
            let all = valuations(system);
            all.is_empty() || !system.has_setup() && all.iter().all(|&v| no_initial(system, v))
        }
        At::Valuation(v) => match kind {
            "setup" => no_initial(system, *v),
            "error" => true,
            _ => finds(system, &[u64::from(*v)], kind),
        },
        // One branch of several shows nothing by itself, nor does a path that goes on for ever at its end.
        At::States(_) if kind == "ctl" || forever => true,
        At::States(all) => all.iter().any(|s| match kind {
            // The path of a formula that ends does so where no step is possible.
            "deadlock" | "ltl" => {
                let mut steps = Steps::default();
                system.successors(s, &mut steps);
                steps.is_empty() && steps.faults.is_empty()
            }
            _ => finds(system, s, kind),
        }),
    }
}

fn no_initial(system: &dyn System, v: u32) -> bool {
    let mut steps = Steps::default();
    system.initial(v, &mut steps);
    steps.is_empty()
}

fn finds(system: &dyn System, node: &[u64], kind: &str) -> bool {
    let mut found = Findings::default();
    // A state that is one word wide is also checked as a state: the word is its valuation.
    if node.len() == system.width() {
        system.check(node, &mut found);
    }
    system.check_assertions(node, &mut found);
    match kind {
        "invariant" => !found.invariants.is_empty(),
        "assertion" => !found.assertions.is_empty(),
        "goal" => found.goal,
        _ => !found.faults.is_empty(),
    }
}

fn valuations(system: &dyn System) -> Vec<u32> {
    let mut all = Vec::new();
    // A fault in PROPERTIES leaves what was found before it.
    let _ = system.valuations(&mut |v| {
        all.push(v);
        true
    });
    all
}
