//! The search on toy graphs: no B.

use super::{Kind, Options, Outcome, Stop, explore, explore_early};
use crate::diagnostic::Code;
use crate::explore::trace::Trace;
use crate::model::{Findings, Label, StepFault, Steps, System};
use crate::ops::Fault;
use crate::symmetry::{Guarantee, Reducer};

/// Nodes are numbers with their edges; an edge to `FAULT` is a fault.
struct Toy {
    valuations: u32,
    initial: Vec<u64>,
    edges: fn(u64) -> Vec<u64>,
    bad: fn(u64) -> bool,
}

const FAULT: u64 = u64::MAX;

impl System for Toy {
    fn width(&self) -> usize {
        2
    }
    fn has_setup(&self) -> bool {
        self.valuations > 0
    }
    fn valuations(&self, f: &mut dyn FnMut(u32) -> bool) -> Result<(), Fault> {
        for v in 0..self.valuations.max(1) {
            if !f(v) {
                break;
            }
        }
        Ok(())
    }
    fn initial(&self, v: u32, out: &mut Steps) {
        for &i in &self.initial {
            out.push(0, 1, &[u64::from(v), i]);
        }
    }
    fn successors(&self, state: &[u64], out: &mut Steps) {
        for t in (self.edges)(state[1]) {
            if t == FAULT {
                let fault = Fault::new(Code::DivisionByZero, "no value");
                out.faults.push(StepFault { op: 0, arguments: Vec::new(), fault });
            } else {
                out.push(0, 1, &[state[0], t]);
            }
        }
    }
    fn check(&self, state: &[u64], out: &mut Findings) {
        if (self.bad)(state[1]) {
            out.invariants.push(0);
        }
    }
    fn check_assertions(&self, _: &[u64], _: &mut Findings) {}
    fn operations(&self) -> &[String] {
        const NAMES: &[String] = &[String::new()];
        NAMES
    }
    fn label(&self, _: &[u64], nth: u32) -> Option<Label> {
        Some(Label { operation: nth.to_string(), ..Label::default() })
    }
    fn show_state_in(&self, _: usize, state: &[u64]) -> Vec<(String, String)> {
        vec![("n".to_owned(), state[1].to_string())]
    }
    fn show_valuation_in(&self, _: usize, v: u32) -> Vec<(String, String)> {
        vec![("v".to_owned(), v.to_string())]
    }
}

/// States count modulo a number.
struct Modulo(u64);

impl Reducer for Modulo {
    fn key(&self, state: &[u64]) -> u128 {
        (u128::from(state[0]) << 64) | (u128::from(state[1] % self.0) + 1)
    }
    fn valuation_key(&self, v: u32) -> u128 {
        u128::from(v) << 64 | 1 << 63
    }
    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }
}

const ALL: Modulo = Modulo(u64::MAX);

fn run(toy: &Toy, reducer: &Modulo, options: &Options) -> (Outcome, Vec<Trace>) {
    let (outcome, parents) = explore(toy, reducer, reducer, options, &mut |_| {});
    let traces = outcome.findings.iter().map(|f| parents.trace(toy, reducer, f.node, true)).collect();
    (outcome, traces)
}

fn counter(n: u64) -> Vec<u64> {
    if n < 10 { vec![n + 1, 0] } else { vec![0] }
}

const COUNTER: Toy = Toy { valuations: 0, initial: vec![], edges: counter, bad: |n| n > 7 };

fn going() -> Options {
    Options { keep_going: true, ..Options::default() }
}

fn names(t: &Trace) -> Vec<&str> {
    t.steps.iter().map(|s| s.values[0].1.as_str()).collect()
}

#[test]
fn counts_and_shortest_trace() {
    let toy = Toy { initial: vec![0, 3], ..COUNTER };
    let (out, traces) = run(&toy, &ALL, &going());
    assert_eq!((out.states, out.transitions, out.initial_states), (11, 2 + 21, 2));
    assert_eq!((out.invariant_violations, out.deadlocks, out.stopped), (3, 0, None));
    assert_eq!((out.operations[0].transitions, out.operations[0].states_enabled), (21, 11));
    assert_eq!(out.findings.len(), 1);
    assert_eq!(names(&traces[0]), ["3", "4", "5", "6", "7", "8"]);
    let (out, traces) = run(&toy, &ALL, &Options::default());
    assert_eq!((out.stopped, traces[0].steps.len()), (Some(Stop::Violation), 6));
}

#[test]
fn valuations_are_nodes() {
    let toy = Toy { valuations: 3, initial: vec![0], bad: |n| n == 2, ..COUNTER };
    let (out, traces) = run(&toy, &ALL, &going());
    assert_eq!((out.states, out.transitions, out.valuations), (3 + 33, 3 + 3 + 63, 3));
    assert_eq!(names(&traces[0]), ["0", "0", "1", "2"]);
    let none = Toy { valuations: 2, initial: vec![], ..COUNTER };
    let (out, _) = run(&none, &ALL, &going());
    assert_eq!((out.states, out.transitions, out.deadlocks), (2, 2, 2));
}

/// What a search that looks ahead comes to, and whether its result is that of a look.
fn run_early(toy: &Toy, options: &Options) -> (Outcome, Vec<Trace>, bool) {
    let fresh = || Some(Box::new(Modulo(u64::MAX)) as Box<dyn Reducer>);
    let (outcome, parents, own) =
        explore_early(toy, (&ALL, &ALL), &fresh, options, (None, None), &mut |_| {});
    let traces = outcome.findings.iter().map(|f| parents.trace(toy, &ALL, f.node, true)).collect();
    (outcome, traces, own.is_some())
}

#[test]
fn a_look_ahead_finds_what_is_near() {
    let toy = Toy { valuations: 1 << 20, initial: vec![0], bad: |n| n == 3, ..COUNTER };
    let (out, traces, early) = run_early(&toy, &Options::default());
    assert!(early && out.stopped == Some(Stop::Violation) && out.states < 100);
    assert_eq!(names(&traces[0]), ["0", "0", "1", "2", "3"]);
    // A search that is finished is the same as without.
    for valuations in [3, 40, 300] {
        let toy = Toy { valuations, initial: vec![0], bad: |_| false, ..COUNTER };
        let (out, _, early) = run_early(&toy, &Options::default());
        let (whole, _) = run(&toy, &ALL, &Options::default());
        assert!(!early && !out.more_valuations);
        assert_eq!((out.states, out.transitions, out.depth), (whole.states, whole.transitions, whole.depth));
    }
    let toy = Toy { valuations: 300, ..toy };
    let (all, traces) = run(&toy, &ALL, &going());
    let (out, same, early) = run_early(&toy, &going());
    assert!(!early);
    assert_eq!((out.states, out.invariant_violations, same), (all.states, all.invariant_violations, traces));
}

#[test]
fn at_most_so_many_valuations() {
    let toy = Toy { valuations: 5, initial: vec![0], bad: |_| false, ..COUNTER };
    for (most, taken, more) in [(4, 4, true), (5, 5, false), (6, 5, false)] {
        let options = Options { max_valuations: Some(most), ..Options::default() };
        let (out, _) = run(&toy, &ALL, &options);
        assert_eq!((out.valuations, out.more_valuations, out.stopped), (taken, more, None));
    }
}

#[test]
fn reduction_stores_the_first_of_a_class() {
    let toy = Toy { initial: vec![0], bad: |n| n == 4, ..COUNTER };
    let (out, traces) = run(&toy, &Modulo(5), &going());
    assert_eq!((out.states, out.transitions), (5, 1 + 10));
    assert_eq!(names(&traces[0]), ["0", "1", "2", "3", "4"]);
}

#[test]
fn limits_stop() {
    let toy = Toy { initial: vec![0], bad: |_| false, ..COUNTER };
    let (out, _) = run(&toy, &ALL, &Options { max_states: Some(4), ..going() });
    assert_eq!((out.states, out.stopped), (4, Some(Stop::States)));
    let (out, _) = run(&toy, &ALL, &Options { max_states: Some(11), ..going() });
    assert_eq!((out.states, out.stopped), (11, None));
    let (out, _) = run(&toy, &ALL, &Options { max_depth: Some(2), ..going() });
    assert_eq!((out.states, out.stopped), (3, Some(Stop::Depth)));
    let options = going();
    options.interrupt.raise();
    assert_eq!(run(&toy, &ALL, &options).0.stopped, Some(Stop::Interrupted));
}

#[test]
fn faults_are_no_deadlocks() {
    let toy = Toy { initial: vec![0], edges: |n| vec![if n < 2 { n + 1 } else { FAULT }], ..COUNTER };
    let (out, traces) = run(&toy, &ALL, &going());
    assert_eq!((out.states, out.errors, out.deadlocks, out.stopped), (3, 1, 0, None));
    assert!(matches!(out.findings[0].kind, Kind::Fault(..)));
    assert_eq!(names(&traces[0]), ["0", "1", "2"]);
    let dead = Toy { initial: vec![0], edges: |_| vec![], ..COUNTER };
    assert_eq!(run(&dead, &ALL, &going()).0.deadlocks, 1);
    let free = Options { deadlock: false, ..Options::default() };
    let (out, _) = run(&dead, &ALL, &free);
    assert_eq!((out.deadlocks, out.findings.len(), out.stopped), (1, 0, None));
}

#[test]
fn threads_change_nothing() {
    // A graph with levels wide enough to wake threads, and violations among them.
    let edges = |n: u64| (1..6).map(|i| (n * 31 + i * 977) % 5003).filter(|m| m % 11 != 5).collect();
    let toy = Toy { initial: (0..400).collect(), edges, bad: |n| n % 1234 == 7, ..COUNTER };
    for base in [going(), Options::default(), Options { max_states: Some(1000), ..going() }] {
        let (one, traces) = run(&toy, &ALL, &base);
        let (many, same) = run(&toy, &ALL, &Options { threads: 3, ..base });
        assert_eq!(traces, same);
        assert_eq!((one.states, one.transitions, one.stopped), (many.states, many.transitions, many.stopped));
        assert_eq!(one.operations, many.operations);
        assert_eq!((one.invariant_violations, one.deadlocks), (many.invariant_violations, many.deadlocks));
    }
}
