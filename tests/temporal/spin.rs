//! Formulas against the never claims that `spin -f` makes of them, on random graphs without ends.
//!
//! In: a random formula without steps, past and next. Out: whether some path of a graph is as it says, by the claim. A claim reads the state at
//! hand and goes on with the graph; a path is accepted if it comes by accepting states of the claim again and again.

use super::{decide, make, number, random::Random, seed};
use bsym::temporal::{Answer, Edge, Graph, Ltl};
use std::process::Command;

/// Formulas that are tried, and graphs for each.
const FORMULAS: u64 = 2000;
const GRAPHS: usize = 10;
/// Most operators of a formula: claims of larger ones can take minutes.
const SIZE: usize = 6;

/// A formula with its text.
fn formula(r: &mut Random, size: usize) -> (Ltl, String) {
    if size == 0 {
        let n = r.below(make::ATOMS);
        return (Ltl::State(u32::try_from(n).unwrap_or(0)), format!("p{n}"));
    }
    let sign: Option<(&str, fn(Ltl) -> Ltl)> = match r.below(8) {
        0 => Some(("!", Ltl::negated)),
        1 => Some(("<>", Ltl::finally)),
        2 => Some(("[]", Ltl::globally)),
        _ => None,
    };
    if let Some((sign, of)) = sign {
        let (f, text) = formula(r, size - 1);
        return (of(f), format!("{sign} ({text})"));
    }
    let left = r.below(size);
    let ((f, a), (g, b)) = (formula(r, left), formula(r, size - 1 - left));
    match r.below(6) {
        0 => (f.and(g), format!("({a}) && ({b})")),
        1 => (f.or(g), format!("({a}) || ({b})")),
        2 => (f.implies(g), format!("({a}) -> ({b})")),
        3 => (f.iff(g), format!("({a}) <-> ({b})")),
        4 => (f.until(g), format!("({a}) U ({b})")),
        _ => (f.release(g), format!("({a}) V ({b})")),
    }
}

/// A graph in which every path goes on.
fn graph(r: &mut Random) -> Graph {
    let n = 1 + r.below(4);
    let mut graph = Graph::new(make::ATOMS, 0);
    graph.initial = vec![0];
    let label = graph.label(0, &[]);
    for _ in 0..n {
        let edge = |r: &mut Random| Edge { target: u32::try_from(r.below(n)).unwrap_or(0), label };
        let mut edges: Vec<Edge> = (0..=r.below(3)).map(|_| edge(r)).collect();
        let set: Vec<u32> = (0..4).filter(|_| r.below(2) == 0).collect();
        graph.push(set, Some(&mut edges));
    }
    graph
}

/// A state of a never claim: its names, conditions and where they lead.
#[derive(Default)]
struct State {
    names: Vec<String>,
    moves: Vec<(String, String)>,
}

/// A never claim, its first state first.
struct Claim(Vec<State>);

/// Where a claim goes when all that follows is accepted.
const ALL: &str = "accept_all";

impl Claim {
    fn of(text: &str) -> Self {
        let out = Command::new("spin").args(["-f", text]).output().expect("spin is installed");
        let claim = String::from_utf8_lossy(&out.stdout).replace("false", "0").replace("true", "1");
        let mut states: Vec<State> = Vec::new();
        let mut named = false;
        for line in claim.lines().map(str::trim) {
            if let Some(name) = line.strip_suffix(':') {
                // Of several labels all are names of one state.
                if !std::mem::replace(&mut named, true) {
                    states.push(State::default());
                }
                states.last_mut().expect("a state").names.push(name.to_owned());
                continue;
            } else if let Some(rest) = line.strip_prefix("::") {
                let (condition, to) = match rest.split_once("->") {
                    Some((c, to)) if c.contains("atomic") => {
                        (c.trim().trim_start_matches("atomic {"), (to, ALL))
                    }
                    Some((c, to)) => (c, (to, to.trim().trim_start_matches("goto "))),
                    None if rest.trim() == "0" => continue,
                    None => panic!("{text}: {claim}"),
                };
                assert!(to.0.contains("goto") || to.0.contains("assert"), "{text}: {claim}");
                let state = states.last_mut().unwrap_or_else(|| panic!("{text}: {claim}"));
                state.moves.push((condition.to_owned(), to.1.to_owned()));
            } else if line == "skip" {
                let state = states.last_mut().unwrap_or_else(|| panic!("{text}: {claim}"));
                state.moves.push(("1".to_owned(), state.names[0].clone()));
            }
            named = false;
        }
        assert!(!states.is_empty(), "{text}: {claim}");
        Self(states)
    }

    fn state(&self, name: &str) -> usize {
        self.0
            .iter()
            .position(|s| s.names.iter().any(|n| n == name))
            .unwrap_or_else(|| panic!("no state {name}"))
    }

    fn next(&self, graph: &Graph, (s, q): (u32, usize)) -> Vec<(u32, usize)> {
        let holds = |c: &str| {
            let mut left: Vec<char> = c.chars().filter(|c| !c.is_whitespace()).rev().collect();
            any(&mut left, graph, s)
        };
        let open = self.0[q].moves.iter().filter(|(c, _)| holds(c));
        open.flat_map(|(_, to)| graph.edges(s).iter().map(move |e| (e.target, self.state(to)))).collect()
    }

    /// Nodes that some lead to.
    fn reached(&self, graph: &Graph, mut todo: Vec<(u32, usize)>) -> Vec<(u32, usize)> {
        let mut seen = Vec::new();
        while let Some(node) = todo.pop() {
            if !seen.contains(&node) {
                seen.push(node);
                todo.extend(self.next(graph, node));
            }
        }
        seen
    }

    fn accepts_some(&self, graph: &Graph) -> bool {
        let initial = graph.initial.iter().map(|s| (*s, 0)).collect();
        let again = |n: &(u32, usize)| self.reached(graph, self.next(graph, *n)).contains(n);
        let accepting = |n: &&(u32, usize)| self.0[n.1].names.iter().any(|n| n.starts_with("accept"));
        self.reached(graph, initial).iter().filter(accepting).any(again)
    }
}

/// The truth of a condition, of which the first character is the last one.
fn any(left: &mut Vec<char>, graph: &Graph, state: u32) -> bool {
    let mut truth = all(left, graph, state);
    while left.ends_with(&['|', '|']) {
        left.truncate(left.len() - 2);
        truth |= all(left, graph, state);
    }
    truth
}

fn all(left: &mut Vec<char>, graph: &Graph, state: u32) -> bool {
    let mut truth = single(left, graph, state);
    while left.ends_with(&['&', '&']) {
        left.truncate(left.len() - 2);
        truth &= single(left, graph, state);
    }
    truth
}

fn single(left: &mut Vec<char>, graph: &Graph, state: u32) -> bool {
    match left.pop() {
        Some('!') => !single(left, graph, state),
        Some('(') => {
            let truth = any(left, graph, state);
            assert_eq!(left.pop(), Some(')'));
            truth
        }
        Some('1') => true,
        Some('0') => false,
        Some('p') => {
            let n = left.pop().and_then(|c| c.to_digit(10)).expect("a number");
            graph.states.get(state, n)
        }
        other => panic!("{other:?} in a condition"),
    }
}

#[test]
#[ignore = "needs spin (`apt-get install spin`)"]
fn never_claims_of_spin() {
    let seed = seed();
    let count = number("BSYM_FORMULAS").unwrap_or(FORMULAS);
    let (mut some, mut none) = (0, 0);
    for i in 0..count {
        let mut r = Random::new(seed.wrapping_mul(0x1_0000_0005).wrapping_add(i));
        let size = 1 + r.below(SIZE);
        let (f, text) = formula(&mut r, size);
        let claim = Claim::of(&text);
        for _ in 0..GRAPHS {
            let graph = graph(&mut r);
            let found = matches!(decide(&graph, &f, &[], &[]), Some(Answer::Found(_)));
            let same = found == claim.accepts_some(&graph);
            assert!(same, "seed {seed}, formula {i}: {text}: {found}\n{graph:?}");
            if found { some += 1 } else { none += 1 }
        }
    }
    println!("{count} formulas: {some} with a path, {none} without");
    assert!(some > count && none > count);
}
