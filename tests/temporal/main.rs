//! Temporal formulas on random graphs: automata and labels against the meaning of formulas, path by path.
//!
//! `BSYM_SEED` is the seed (a fresh one otherwise, which is printed), `BSYM_FORMULAS` how many pairs of a graph and a formula are tried. A verdict
//! "violated" comes with a path, which is looked at by itself; where none was found no path of a few steps may be one. With `--ignored` formulas are
//! held against the never claims of SPIN as well.

#![allow(clippy::panic, reason = "a failing test says why by panicking")]

mod brute;
mod make;
#[path = "../random/mod.rs"]
mod random;
mod spin;

use bsym::temporal::{Answer, Automaton, Fair, Graph, Ltl, Path, Problem, ctl, find};
use random::Random;
use std::time::{SystemTime, UNIX_EPOCH};

/// Steps of the paths that are tried.
const LONGEST: usize = 8;
/// Paths that are tried for one formula.
const MOST_PATHS: usize = 300;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn seed() -> u64 {
    let fresh = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| u64::from(d.subsec_nanos()));
    let seed = number("BSYM_SEED").unwrap_or_else(fresh);
    println!("seed {seed}");
    seed
}

/// Whether steps lead from an initial state along a path.
fn is_path(graph: &Graph, path: &Path) -> bool {
    let steps = path.states.windows(2).zip(&path.labels);
    let possible = |(pair, label): (&[u32], &u32)| {
        graph.edges(pair[0]).iter().any(|e| e.target == pair[1] && e.label == *label)
    };
    let last = path.states[path.states.len() - 1];
    path.states.len() == path.labels.len() + 1
        && graph.initial.contains(&path.states[0])
        && steps.into_iter().all(possible)
        && match path.back {
            Some(back) => back < path.labels.len() && path.states[back] == last,
            None => graph.is_end(last),
        }
}

/// Weak and strong fairness of all kinds as a formula.
fn fairness(weak: &[Fair], strong: &[Fair]) -> Vec<Ltl> {
    let weak = weak.iter().map(|f| {
        let taken = Ltl::Step(f.taken).finally().globally();
        Ltl::State(f.enabled).globally().finally().implies(taken)
    });
    let strong = strong.iter().map(|f| {
        let taken = Ltl::Step(f.taken).finally().globally();
        Ltl::State(f.enabled).finally().globally().implies(taken)
    });
    weak.chain(strong).collect()
}

fn decide(graph: &Graph, f: &Ltl, weak: &[Fair], strong: &[Fair]) -> Option<Answer> {
    let automaton = Automaton::new(f).ok()?;
    let problem = Problem { graph, automaton: &automaton, weak, strong, stop: &|| false };
    Some(find(&problem).0)
}

#[test]
fn linear_time() {
    let seed = seed();
    let count = number("BSYM_FORMULAS").unwrap_or(20_000);
    let (mut violated, mut held, mut large) = (0, 0, 0);
    for i in 0..count {
        let mut r = Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(i));
        // Of many states a part is looked at first.
        let graph = match r.below(64) {
            0 => {
                let n = 32 + r.below(70);
                make::graph_of(&mut r, n)
            }
            _ => make::graph(&mut r),
        };
        let size = 1 + r.below(7);
        let past = r.below(2) == 0;
        let f = make::linear(&mut r, size, past);
        let kinds: Vec<Fair> = (0..2).map(|n| Fair { enabled: n, taken: n }).collect();
        let some = |r: &mut Random| kinds.iter().copied().filter(|_| r.below(4) == 0).collect::<Vec<_>>();
        let (weak, strong) = (some(&mut r), some(&mut r));
        let wanted = f.clone().negated();
        let Some(answer) = decide(&graph, &wanted, &weak, &strong) else {
            large += 1;
            continue;
        };
        let what = || format!("seed {seed}, pair {i}: {f:?}\nweak {weak:?} strong {strong:?}\n{graph:?}");
        match &answer {
            Answer::Found(path) => {
                violated += 1;
                assert!(is_path(&graph, path), "no path {path:?}\n{}", what());
                assert!(brute::fair(&graph, &weak, &strong, path), "not fair {path:?}\n{}", what());
                assert!(!brute::holds(&graph, &f, path), "it holds on {path:?}\n{}", what());
            }
            Answer::None => {
                held += 1;
                let mut tried = 0;
                brute::paths(&graph, LONGEST, &mut |path| {
                    tried += 1;
                    let bad = brute::fair(&graph, &weak, &strong, path) && !brute::holds(&graph, &f, path);
                    assert!(!bad, "missed {path:?}\n{}", what());
                    tried == MOST_PATHS
                });
            }
            Answer::Stopped => panic!("stopped\n{}", what()),
        }
        // Fairness is a formula, too.
        let mut all = fairness(&weak, &strong);
        if !all.is_empty() {
            all.push(wanted);
            let other = decide(&graph, &Ltl::And(all), &[], &[]);
            let same = other.is_none_or(|o| matches!(o, Answer::None) == matches!(answer, Answer::None));
            assert!(same, "fairness as a formula differs\n{}", what());
        }
    }
    println!("{violated} violated, {held} held, {large} too large");
    assert!(violated > count / 10 && held > count / 10 && large < count / 100);
}

/// What is found where not all steps are known is so in the whole graph: a path of it, or the beginning of paths all of which are
/// violations.
#[test]
fn some_steps_are_not_known() {
    let seed = seed();
    let count = number("BSYM_FORMULAS").unwrap_or(20_000) / 4;
    let (mut open, mut closed, mut none) = (0, 0, 0);
    for i in 0..count {
        let mut r = Random::new(seed.wrapping_mul(0x1_0000_0007).wrapping_add(i));
        let whole = make::graph(&mut r);
        let part = make::part(&mut r, &whole);
        let (size, past) = (1 + r.below(5), r.below(2) == 0);
        let f = make::linear(&mut r, size, past);
        let kinds: Vec<Fair> = (0..2).map(|n| Fair { enabled: n, taken: n }).collect();
        let some = |r: &mut Random| kinds.iter().copied().filter(|_| r.below(4) == 0).collect::<Vec<_>>();
        let (weak, strong) = (some(&mut r), some(&mut r));
        let Some(answer) = decide(&part, &f.clone().negated(), &weak, &strong) else { continue };
        let what =
            || format!("seed {seed}, pair {i}: {f:?}\nweak {weak:?} strong {strong:?}\n{whole:?}\n{part:?}");
        match answer {
            Answer::Found(found) if found.prefix => {
                open += 1;
                let mut tried = 0;
                brute::paths(&whole, LONGEST, &mut |path| {
                    let goes_on =
                        path.states.starts_with(&found.states) && path.labels.starts_with(&found.labels);
                    assert!(
                        !(goes_on && brute::holds(&whole, &f, path)),
                        "{path:?} of {found:?}\n{}",
                        what()
                    );
                    tried += 1;
                    tried == MOST_PATHS
                });
            }
            Answer::Found(path) => {
                closed += 1;
                assert!(is_path(&whole, &path) && !brute::holds(&whole, &f, &path), "{path:?}\n{}", what());
                assert!(brute::fair(&whole, &weak, &strong, &path), "not fair {path:?}\n{}", what());
            }
            Answer::None | Answer::Stopped => none += 1,
        }
    }
    println!("{open} by their beginnings, {closed} whole, {none} without a path");
    assert!(open > count / 20 && closed > count / 20 && none > count / 20);
}

#[test]
fn branching_time() {
    let seed = seed();
    let count = number("BSYM_FORMULAS").unwrap_or(20_000) / 4;
    let (mut violated, mut held) = (0, 0);
    for i in 0..count {
        let mut r = Random::new(seed.wrapping_mul(0x1_0000_0003).wrapping_add(i));
        let graph = make::graph(&mut r);
        let size = 1 + r.below(4);
        let f = make::branching(&mut r, size);
        let wanted = graph.initial.iter().all(|s| brute::branching(&graph, &f, *s));
        let answer = ctl::refute(&graph, &f, &|| false);
        let same = wanted == matches!(answer, Answer::None);
        assert!(same, "seed {seed}, pair {i}: {wanted}, {answer:?}: {f:?}\n{graph:?}");
        if wanted { held += 1 } else { violated += 1 }
    }
    println!("{violated} violated, {held} held");
    assert!(violated > count / 10 && held > count / 10);
}

/// What is false where not all steps are known is false in the whole graph.
#[test]
fn some_branches_are_not_known() {
    let seed = seed();
    let count = number("BSYM_FORMULAS").unwrap_or(20_000) / 4;
    let (mut violated, mut missed) = (0, 0);
    for i in 0..count {
        let mut r = Random::new(seed.wrapping_mul(0x1_0000_0009).wrapping_add(i));
        let whole = make::graph(&mut r);
        let part = make::part(&mut r, &whole);
        let size = 1 + r.below(4);
        let f = make::branching(&mut r, size);
        let wanted = whole.initial.iter().all(|s| brute::branching(&whole, &f, *s));
        let found = matches!(ctl::refute(&part, &f, &|| false), Answer::Found(_));
        assert!(!(found && wanted), "seed {seed}, pair {i}: {f:?}\n{whole:?}\n{part:?}");
        if found {
            violated += 1;
        } else if !wanted {
            missed += 1;
        }
    }
    println!("{violated} violated, {missed} not known to be");
    assert!(violated > count / 10 && missed < violated);
}

/// The path that is shown is one of few steps, also where others are met first: a chain of states, of which only the first goes round in circles by
/// a step that comes last.
#[test]
fn short_paths_come_first() {
    let mut graph = Graph::new(0, 0);
    graph.initial.push(0);
    let label = graph.label(0, &[]);
    let edge = |target| bsym::temporal::Edge { target, label };
    for n in 0..5000 {
        let mut steps = vec![edge((n + 1).min(4999))];
        steps.extend((n == 1).then(|| edge(0)));
        graph.push([], Some(&mut steps));
    }
    graph.close();
    let Some(Answer::Found(path)) = decide(&graph, &Ltl::True, &[], &[]) else { panic!("a path") };
    assert!(is_path(&graph, &path));
    assert!(path.states.len() <= 4, "{path:?}");
}
