//! Relations and sets with thousands of possible members: as many as some words have bits, one row more or less, and more than are kept
//! with a bit for each.
//!
//! Random machines with all operators on relations, whose whole reports are compared with those of the plain evaluator, which
//! knows nothing of bits. `BSYM_WIDE` asks for more machines, `BSYM_RANDOM_SEED` for others.

use super::plain::{compare_all, seeds};
use super::random::Random;

/// Random machines per run.
const RANDOM: u64 = 16;

/// These machines' own numbers.
const SALT: u64 = 0x31de_0b17_5ca1_ab1e;

/// Both sides of a relation: the least that has more than 16 words, the greatest with 64, one with a row more, others between.
const SIDES: [[usize; 2]; 7] = [[25, 41], [33, 32], [40, 40], [41, 99], [64, 64], [64, 65], [3, 1000]];

struct Writer {
    random: Random,
    sides: [usize; 2],
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    /// A number on the left, and one on the right: mostly what two variables say.
    fn number(&mut self, side: usize) -> String {
        let n = self.sides[side];
        match self.below(7) {
            0 => "1".into(),
            1 => n.to_string(),
            2 => (1 + self.below(n)).to_string(),
            // Outside, now and then.
            3 => ["i + 1", "j + 1"][side].into(),
            _ => ["i", "j"][side].into(),
        }
    }

    fn pair(&mut self) -> String {
        format!("{} |-> {}", self.number(0), self.number(1))
    }

    /// A set of numbers on a side.
    fn set(&mut self, side: usize) -> String {
        let (a, b) = (self.number(side), self.number(side));
        match self.below(8) {
            0 => format!("{{{a}, {b}}}"),
            1 | 2 => format!("({a}..{b})"),
            3 => format!("(1..{})", self.sides[side]),
            4 => format!("{{z | z : 1..{} & z mod 3 = {a} mod 3}}", self.sides[side]),
            5 => format!("(({a}..{b}) - {{{a}}})"),
            _ => {
                [["dom(r)", "dom(s)", "s~[{j}]"], ["ran(r)", "ran(s)", "r[{i}]"]][side][self.below(3)].into()
            }
        }
    }

    fn small(&mut self) -> String {
        match self.below(5) {
            0 => format!("{{{}, {}}}", self.pair(), self.pair()),
            1 => format!("{{{}}}", self.pair()),
            2 => "s".into(),
            3 => format!("{{{}}} * {}", self.number(0), self.set(1)),
            _ => format!("{} * {{{}}}", self.set(0), self.number(1)),
        }
    }

    fn relation(&mut self) -> String {
        let (a, b) = (["r", "s"][self.below(2)], self.small());
        match self.below(15) {
            0..=2 => format!("{a} \\/ {b}"),
            3 => format!("{a} - {b}"),
            4 => format!("{a} /\\ ({b})"),
            5 => format!("{} <| {a}", self.set(0)),
            6 => format!("{} <<| {a}", self.set(0)),
            7 => format!("{a} |> {}", self.set(1)),
            8 => format!("{a} |>> {}", self.set(1)),
            9 => format!("{a} <+ ({b})"),
            10 => format!("({a} ; s~ ; r)"),
            11 => format!("{{x, y | x |-> y : {a} & x /= {} & y <= {}}}", self.number(0), self.number(1)),
            12 => format!("{} * {}", self.set(0), self.set(1)),
            13 => format!("{{x, y | x : {} & y : {a}[{{x}}]}}", self.set(0)),
            _ => b,
        }
    }

    fn test(&mut self) -> String {
        let (a, b, p) = (["r", "s"][self.below(2)], self.small(), self.pair());
        match self.below(17) {
            0 => format!("{p} : {a}"),
            1 => format!("{p} /: {a}"),
            2 => format!("card({a}) > {}", self.below(5)),
            3 => format!("{b} <: {a}"),
            4 => format!("{a}[{}] = {{}}", self.set(0)),
            5 => format!("{a}~[{}] /= {{}}", self.set(1)),
            6 => format!("{} <: dom({a})", self.set(0)),
            7 => format!("#(x, y).(x |-> y : {a} & x > y)"),
            8 => format!("!(x, y).(x |-> y : {a} => x + y > {})", self.number(0)),
            9 => format!("{a}({}) > {}", self.number(0), self.number(1)),
            10 => format!("card({}) > 3", self.set(0)),
            11 => format!("{a} : {} +-> {}", self.set(0), self.set(1)),
            12 => format!("{a} : {} <-> {}", self.set(0), self.set(1)),
            13 => format!("{} = {}", self.set(0), self.set(0)),
            14 => "r = s".into(),
            15 => format!("j : {}", self.set(1)),
            _ => "i <= j".into(),
        }
    }

    fn machine(&mut self, seed: u64) -> String {
        let [m, n] = self.sides;
        let among = self.set(0);
        let operations: Vec<String> = (0..6)
            .map(|k| {
                let v = ["r", "r", "s"][self.below(3)];
                format!("op{k} = SELECT {} THEN {v} := {} END", self.test(), self.relation())
            })
            .chain([
                format!("next = i := i mod {m} + 1"),
                format!("jump = j := (j + 20) mod {n} + 1"),
                format!(
                    "add(x) = SELECT x : {among} & x : 1..{m} & card(r) < 9 THEN r := r \\/ {{x |-> j}} END"
                ),
            ])
            .collect();
        format!(
            "MACHINE Wide{seed}\nVARIABLES r, s, i, j\nINVARIANT\n  r : 1..{m} <-> 1..{n} & s : 1..{m} <-> 1..{n} & i : 1..{m} & j : 1..{n} & \
             ({} or i <= j)\nINITIALISATION r := {{}} || s := {{{m} |-> {n}, 1 |-> 2}} || i := {m} || j := 2\nOPERATIONS\n  {}\nEND\n",
            self.test(),
            operations.join(";\n  ")
        )
    }
}

#[test]
fn bits_of_wide_relations_are_relations_to_the_plain_evaluator() {
    compare_all("Wide", seeds("BSYM_WIDE", RANDOM), &["--max-depth", "3"], |seed| {
        let mut random = Random::salted(seed, SALT);
        let sides = SIDES[random.below(SIDES.len())];
        Writer { random, sides }.machine(seed)
    });
}
