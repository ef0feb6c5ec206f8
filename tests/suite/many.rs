//! Machines with many operations: looking only at those that may be possible changes nothing.
//!
//! Random machines whose operations share few variables, with guards of all forms that compiled code has (comparisons with
//! literals and with each other, members of sets, negations, what has no value in some states), parameters, choices and
//! steps out of the invariant. Their whole reports are compared with those of the plain evaluator, which looks at every
//! operation.

use super::plain::{Tally, outcome, seeds, written};
use super::random::Random;
use serde_json::Value as Json;
use std::fmt::Write as _;

/// Random machines per run; `BSYM_MANY_OPERATIONS` asks for more.
const RANDOM: u64 = 12;

/// These machines' own numbers.
const SALT: u64 = 0x5eed_000f_3a4b_1c2d;

/// Variables of integers, each with the greatest value that its operations give it.
const NUMBERS: [(&str, usize); 5] = [("n0", 1), ("n1", 3), ("n2", 6), ("n3", 40), ("n4", 700)];

struct Writer(Random);

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn number(&mut self) -> (&'static str, usize) {
        NUMBERS[self.below(NUMBERS.len())]
    }

    /// A number that a variable may have, or nearly.
    fn near(&mut self, most: usize) -> i64 {
        i64::try_from(self.below(most.min(9) + 3)).unwrap_or(0) - 1
    }

    /// A test of one or two variables.
    fn test(&mut self) -> String {
        let ((x, most), (y, _)) = (self.number(), self.number());
        let (k, l) = (self.near(most), self.near(most));
        match self.below(14) {
            0..3 => format!("{x} = {k}"),
            3 => format!("{k} < {x}"),
            4 => format!("{x} <= {k}"),
            5 => format!("{x} /= {k}"),
            6 => format!("{x} : {{{k}, {l}, 2}}"),
            7 => format!("{x} - 1 > {y}"),
            8 => format!("{x} mod 3 = {}", self.below(3)),
            9 => "b = TRUE".into(),
            10 => format!("e = e{}", self.below(3)),
            11 => format!("p{} : s", self.below(3)),
            12 => format!("{k}..{l} <: {x}..{y}"),
            // Without value where `y` is 0.
            _ => format!("6 / {y} >= {k}"),
        }
    }

    fn guard(&mut self) -> String {
        let (a, b) = (self.test(), self.test());
        match self.below(8) {
            0 => format!("({a} or {b})"),
            1 => format!("not({a} & {b})"),
            2 => format!("({a} => {b})"),
            3..6 => format!("{a} & {b}"),
            _ => a,
        }
    }

    fn effect(&mut self) -> String {
        let ((x, most), (y, _)) = (self.number(), self.number());
        let k = self.below(most + 1);
        match self.below(10) {
            0..3 => format!("{x} := {k}"),
            // Out of its range, and out of the invariant, sooner or later.
            3 => format!("{x} := {x} + 1"),
            4 => format!("{x} := ({x} + {y} + 1) mod {}", most + 1),
            5 => format!("b := bool({x} > {y}) || {x} := {k}"),
            6 => format!("e :: {{e0, e{}}}", self.below(3)),
            7 => format!("s := s \\/ {{p{}}}", self.below(3)),
            8 => format!("CHOICE {x} := {k} OR s := {{}} OR skip END"),
            _ => format!("IF {} THEN {x} := {k} END", self.test()),
        }
    }

    fn operation(&mut self, number: usize) -> String {
        let (guard, effect) = (self.guard(), self.effect());
        match self.below(8) {
            0 => format!("op{number} = PRE {guard} THEN {effect} END"),
            1 => format!("op{number}(p) = SELECT p : s & {guard} THEN s := s - {{p}} END"),
            2 => format!("op{number}(i) = SELECT i : 0..2 & i > n1 & {guard} THEN n1 := i END"),
            3 => format!("op{number} = ANY i WHERE i : 0..2 & i /= n2 & {guard} THEN n2 := i END"),
            4 => format!(
                "op{number} = SELECT {guard} THEN {effect} WHEN {} THEN {} END",
                self.guard(),
                self.effect()
            ),
            _ => format!("op{number} = SELECT {guard} THEN {effect} END"),
        }
    }
}

fn machine(seed: u64) -> String {
    let mut w = Writer(Random::salted(seed, SALT));
    let mut text =
        String::from("MACHINE Many\nSETS P = {p0, p1, p2}; E = {e0, e1, e2}; D\nVARIABLES b, e, s, d");
    let (mut typing, mut initial) = (String::new(), String::new());
    for (x, most) in NUMBERS {
        let _ = write!(text, ", {x}");
        let _ = write!(typing, " & {x} : 0..{most}");
        let _ = write!(initial, " || {x} := {}", w.below(2));
    }
    let _ = write!(
        text,
        "\nINVARIANT b : BOOL & e : E & s <: P & d <: D{typing} & (n3 < {} or b = TRUE)",
        2 + w.below(40)
    );
    let _ = write!(
        text,
        "\nINITIALISATION b := FALSE || e := e0 || s := {{p0}} || d := {{}}{initial}\nOPERATIONS\n"
    );
    let mut operations: Vec<String> = (0..64 + w.below(80)).map(|i| w.operation(i)).collect();
    operations.push("join(x) = SELECT x : D & x /: d & n1 = 1 THEN d := d \\/ {x} END".into());
    let _ = write!(text, "{}\nEND\n", operations.join(";\n"));
    text
}

fn said(file: &str, symmetry: &str, depth: &str, more: &[&str]) -> Json {
    let args = [file, "--symmetry", symmetry, "--card", "D=2", "--max-depth", depth];
    outcome(&[&args, more].concat())
}

#[test]
fn many_operations_are_those_of_the_plain_evaluator() {
    let mut tally = Tally::default();
    for seed in seeds("BSYM_MANY_OPERATIONS", RANDOM) {
        let text = machine(seed);
        let name = written("many-operations", &format!("Many{seed}"), &text);
        // Whole levels: the outcomes of a choice have another order where states have another layout. Threads have work in the third.
        let depth = if seed % 4 == 2 { "3" } else { "2" };
        let modes = ["exact", "off", "markers", "markers-basic", "markers-tree", "flood", "canon"];
        for symmetry in if seed % 4 == 1 { &modes[..] } else { &modes[..2] } {
            let plain = said(&name, symmetry, depth, &["--evaluator", "plain"]);
            for more in [&[][..], &["--no-jit"], &["--threads", "3"]] {
                let compiled = said(&name, symmetry, depth, more);
                assert_eq!(compiled, plain, "seed {seed}, {symmetry} {more:?}\n{text}");
            }
            tally.add(&plain);
        }
        std::fs::remove_file(&name).ok();
    }
    tally.shows_something();
}
