//! Numbers in compiled code: arithmetic, intervals and sets of numbers whose parts are known when it is made (literals, constants, sizes
//! of sets, operators on these), known to lie in a range, or not known at all.
//!
//! Random machines, whose whole reports are compared with those of the plain evaluator, which lays out nothing beforehand.
//! `BSYM_INTEGERS` asks for more machines, `BSYM_RANDOM_SEED` for others.

use super::plain::{compare_all, seeds};
use super::random::Random;

/// Random machines per run.
const RANDOM: u64 = 40;

/// These machines' own numbers.
const SALT: u64 = 0x6e75_6d62_6572_7321;

struct Writer {
    random: Random,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// A number; with fewer parts the deeper it is.
    fn int(&mut self, deep: usize) -> String {
        if deep == 0 || self.below(3) == 0 {
            return match self.below(12) {
                0..=2 => self.below(6).to_string(),
                3 => "-1".into(),
                // Known when the machine is compiled.
                4 => self.one(&["card(P)", "card(D)", "size([4, 2])", "card({p1, p1, p3})", "MAXINT"]).into(),
                5 => self.one(&["k", "l", "min(c)", "card(c)", "max({1, k})"]).into(),
                _ => self.one(&["x", "y", "f(p1)", "f(p2)", "card(s)"]).into(),
            };
        }
        let (a, b) = (self.int(deep - 1), self.int(deep - 1));
        match self.below(12) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * {b})"),
            4 => format!("({a} mod {})", 1 + self.below(5)),
            5 => format!("({a} / {})", self.one(&["2", "3", "k", "x"])),
            6 => format!("({a} mod {})", self.one(&["k", "y", "card(P)"])),
            7 => format!("max({{{a}, {b}}})"),
            8 => format!("min({{{a}, {b}, 3}})"),
            9 => format!("(IF {} THEN {a} ELSE {b} END)", self.test(deep - 1)),
            10 => format!("card({})", self.set(deep - 1)),
            _ => format!("succ({a})"),
        }
    }

    fn set(&mut self, deep: usize) -> String {
        if deep == 0 || self.below(4) == 0 {
            return self
                .one(&["s", "c", "{}", "(0..3)", "ran(f)", "{x, y}", "f[{p2, p3}]", "NAT", "{k}"])
                .into();
        }
        let (a, b) = (self.int(deep - 1), self.int(deep - 1));
        let (s, t) = (self.set(deep - 1), self.set(deep - 1));
        match self.below(12) {
            0..=3 => format!("({a}..{b})"),
            4 => format!("{{{a}, {b}}}"),
            5 => format!("({s} \\/ {t})"),
            6 => format!("({s} /\\ {t})"),
            7 => format!("({s} - {t})"),
            8 => format!("{{z | z : {a}..{b} & z mod 2 = 0}}"),
            9 => format!("{{z | z : {s} & z /= {a}}}"),
            10 => format!("{{(z).z : {s} | z + {a}}}"),
            _ => format!("(IF {} THEN {s} ELSE {t} END)", self.test(deep - 1)),
        }
    }

    fn test(&mut self, deep: usize) -> String {
        let (a, b) = (self.int(deep), self.int(deep));
        match self.below(10) {
            0..=2 => format!("{a} {} {b}", self.one(&["<", "<=", ">", ">=", "=", "/="])),
            3 => format!("{a} : {}", self.set(deep)),
            4 => format!("{a} /: {}", self.set(deep)),
            5 => format!("{} {} {}", self.set(deep), self.one(&["<:", "=", "/=", "<<:"]), self.set(deep)),
            6 => format!("#z.(z : {} & z > {a})", self.set(deep)),
            7 => format!("!z.(z : {} => z < {a})", self.set(deep)),
            8 => format!("{} = {{}}", self.set(deep)),
            _ => format!("not({})", self.one(&["x = y", "x : s", "s = {}", "f(p1) = x"])),
        }
    }

    /// A number of the range of variables.
    fn bounded(&mut self) -> String {
        match self.below(3) {
            0 => format!("max({{0, {}}}) mod 6", self.int(2)),
            1 => format!("min({{5, max({{0, {}}})}})", self.int(2)),
            _ => self.int(1),
        }
    }

    fn machine(&mut self, seed: u64) -> String {
        let mut operations: Vec<String> = (0..6)
            .map(|n| {
                let guard = self.test(1);
                let body = match self.below(5) {
                    0 => format!("x := {}", self.bounded()),
                    1 => format!("y := {}", self.bounded()),
                    2 | 3 => format!("s := {} /\\ 0..5", self.set(2)),
                    _ => format!("f({}) := {}", self.one(&["p1", "p2", "p3"]), self.bounded()),
                };
                format!("op{n} = SELECT {guard} THEN {body} END")
            })
            .collect();
        operations.extend([
            format!("take(z) = PRE z : {} & z : 0..5 THEN x := z END", self.set(2)),
            format!("ask = y :: {} /\\ 0..5", self.set(2)),
            "next = BEGIN x := (x + 1) mod 6 || y := (y + x) mod 6 END".into(),
        ]);
        format!(
            "MACHINE Integers{seed}\nSETS D; P = {{p1, p2, p3}}\nCONSTANTS k, l, c\nPROPERTIES k : {}..2 & l : {{0, 4}} & c = {{1, l}}\nVARIABLES x, y, s, f\n\
             INVARIANT\n  x : 0..5 & y : 0..5 & s <: 0..5 & f : P --> 0..5 & (x < 5 or {}) & (y < 5 or {})\n\
             INITIALISATION x := 0 || y := 1 || s := {{2, 3}} || f := {{p1 |-> 0, p2 |-> 4, p3 |-> 1}}\nOPERATIONS\n  {}\nEND\n",
            1 + self.below(2),
            self.test(1),
            self.test(2),
            operations.join(";\n  ")
        )
    }
}

#[test]
fn numbers_known_beforehand_are_those_of_the_plain_evaluator() {
    let options = ["--max-depth", "4", "--no-deadlock"];
    compare_all("Integers", seeds("BSYM_INTEGERS", RANDOM), &options, |seed| {
        Writer { random: Random::salted(seed, SALT) }.machine(seed)
    });
}
