//! Automata as text: in the Hanoi omega-automata format and as DOT.
//!
//! In: an automaton, names of letters. Out: text. Transitions that a path may end in are marked by a comment (HOA) or a double arrow head (DOT): the format itself knows only
//! infinite paths. Past operators are propositions there; their memory is not shown.

use super::automaton::{Automaton, Transition};
use super::normal::Letter;
use std::fmt::Write as _;

type Names<'a> = &'a dyn Fn(Letter) -> String;

/// All letters that are read, in order.
fn letters(a: &Automaton) -> Vec<Letter> {
    let mut all: Vec<Letter> =
        a.states.iter().flatten().flat_map(|t| t.guard.iter().map(|(l, _)| *l)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn sets(a: &Automaton, t: &Transition) -> String {
    let sets: Vec<String> = (0..a.sets).filter(|s| t.marks >> s & 1 == 1).map(|s| s.to_string()).collect();
    sets.join(" ")
}

/// In the Hanoi omega-automata format.
#[must_use]
pub fn hoa(name: &str, a: &Automaton, names: Names<'_>) -> String {
    let letters = letters(a);
    let quoted = |s: &str| format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""));
    let propositions: String = letters.iter().map(|l| format!(" {}", quoted(&names(*l)))).collect();
    let acceptance = match a.sets {
        0 => "t".to_owned(),
        n => (0..n).map(|s| format!("Inf({s})")).collect::<Vec<_>>().join("&"),
    };
    let mut out = format!("HOA: v1\nname: {}\nStates: {}\nStart: 0\n", quoted(name), a.states.len());
    // Writing to a string cannot fail.
    let _ = writeln!(out, "AP: {}{propositions}", letters.len());
    let _ = writeln!(out, "acc-name: generalized-Buchi {}\nAcceptance: {} {acceptance}", a.sets, a.sets);
    out += "properties: trans-labels explicit-labels trans-acc\n--BODY--\n";
    for (i, state) in a.states.iter().enumerate() {
        let _ = writeln!(out, "State: {i}");
        for t in state {
            let literal = |(l, positive): &(Letter, bool)| {
                let n = letters.iter().position(|o| o == l).unwrap_or(0);
                if *positive { n.to_string() } else { format!("!{n}") }
            };
            let guard: Vec<String> = t.guard.iter().map(literal).collect();
            let guard = if guard.is_empty() { "t".to_owned() } else { guard.join("&") };
            let sets = sets(a, t);
            let sets = if sets.is_empty() { sets } else { format!(" {{{sets}}}") };
            let end = if t.may_end { " /* a path may end here */" } else { "" };
            let _ = writeln!(out, "[{guard}] {}{sets}{end}", t.to);
        }
    }
    out + "--END--\n"
}

/// As a graph for Graphviz.
#[must_use]
pub fn dot(a: &Automaton, names: Names<'_>) -> String {
    let mut out = "digraph formula {\n  rankdir=LR;\n  start [shape=point];\n  start -> 0;\n".to_owned();
    for (i, state) in a.states.iter().enumerate() {
        let _ = writeln!(out, "  {i} [shape=circle];");
        for t in state {
            let literal = |(l, positive): &(Letter, bool)| {
                format!("{}{}", if *positive { "" } else { "not " }, names(*l))
            };
            let guard: Vec<String> = t.guard.iter().map(literal).collect();
            let guard = if guard.is_empty() { "true".to_owned() } else { guard.join(" & ") };
            let sets = sets(a, t);
            let sets = if sets.is_empty() { sets } else { format!("\\n{{{sets}}}") };
            let guard = guard.replace('\\', "\\\\").replace('"', "\\\"");
            let head = if t.may_end { ", arrowhead=\"normalnormal\"" } else { "" };
            let _ = writeln!(out, "  {i} -> {} [label=\"{guard}{sets}\"{head}];", t.to);
        }
    }
    out + "}\n"
}
