//! Functions with many possible pairs: arrays of integers, and what is overridden in them.
//!
//! Random machines whose functions are as long as some words have bits, or one more or less, with point updates, exchanges,
//! unions, what is no function in the end, guards without value, values that leave their range. Their whole reports are compared
//! with those of the plain evaluator, which knows nothing of lanes.

use super::plain::{Tally, compare, count, outcome, seeds, written};
use super::random::Random;

/// Random machines per run; `BSYM_ARRAYS` asks for more.
const RANDOM: u64 = 16;

/// These machines' own numbers.
const SALT: u64 = 0x5eed_0010_77ab_90d3;

/// Lengths of arrays: around the numbers of bits of words.
const LENGTHS: [usize; 10] = [63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 1100];

/// Greatest values: around those of lanes.
const GREATEST: [usize; 6] = [40, 253, 254, 255, 3000, 70_000];

struct Writer {
    random: Random,
    length: usize,
    greatest: usize,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn index(&mut self) -> String {
        match self.below(8) {
            0 => "1".into(),
            1 => self.length.to_string(),
            2 => (1 + self.below(self.length)).to_string(),
            // Outside, now and then.
            3 => "j + 1".into(),
            4 | 5 => "j".into(),
            _ => "i".into(),
        }
    }

    fn array(&mut self) -> &'static str {
        ["f", "g"][self.below(2)]
    }

    fn value(&mut self) -> String {
        let (i, f) = (self.index(), self.array());
        match self.below(6) {
            0 => self.greatest.to_string(),
            1 => "0".into(),
            2 => self.below(self.greatest + 1).to_string(),
            // Out of its range, sooner or later.
            3 => format!("{f}({i}) + 1"),
            _ => format!("{f}({i})"),
        }
    }

    fn test(&mut self) -> String {
        let (i, x, f) = (self.index(), self.value(), self.array());
        match self.below(15) {
            0 => format!("{f}({i}) = {x}"),
            1 => format!("{f}({i}) <= {x}"),
            2 => format!("{i} : dom({f})"),
            3 => format!("{i} |-> {x} : {f}"),
            4 => format!("{x} : ran({f})"),
            5 => format!("card({f}) = {}", self.length),
            6 => format!("#z.(z : dom({f}) & {f}(z) = {x})"),
            7 => format!("#(y, z).(y |-> z : {f} & z < y & y > {i})"),
            8 => format!("{f} : 1..{} --> 0..{}", self.length, self.greatest),
            9 => format!("{f} : 1..{} >+> NATURAL", self.length),
            10 => format!("dom({f}) = 1..{}", self.length),
            11 => format!("({i} : dom({f}) => {f}({i}) > 3)"),
            12 => "f = g".into(),
            13 => format!("#z.({i} |-> z : {f} & z /= {x})"),
            _ => "i < j".into(),
        }
    }

    fn effect(&mut self) -> String {
        let (i, j, x, y, f) = (self.index(), self.index(), self.value(), self.value(), self.array());
        match self.below(12) {
            0 | 1 => format!("{f}({i}) := {x}"),
            2 => format!("{f} := {f} <+ {{{i} |-> {x}}}"),
            3 => format!("{f} := {f} <+ {{{i} |-> {x}, {j} |-> {y}}}"),
            4 => format!("{f} := {f} <+ {{i |-> {f}(j), j |-> {f}(i)}}"),
            5 => format!("{f} := {{{i}, {j}}} <<| {f}"),
            6 => format!("{f} := {f} \\/ {{{i} |-> {x}}}"),
            7 => format!("IF {} THEN {f}({i}) := {x} ELSE {f}({j}) := {y} END", self.test()),
            8 => format!("IF {} THEN {f}({i}) := {x} END; {f}({j}) := {y}", self.test()),
            9 => "f := g || g := f".into(),
            10 => format!("CHOICE {f}({i}) := {x} OR {f}({j}) := {y} OR i := j END"),
            _ => format!("{f} := {f} <+ g"),
        }
    }

    fn operations(&mut self) -> Vec<String> {
        let n = self.length;
        (0..6)
            .map(|k| format!("op{k} = SELECT {} THEN {} END", self.test(), self.effect()))
            .chain([format!("go = BEGIN i := i mod {n} + 1 || j := (j + 62) mod {n} + 1 END")])
            .collect()
    }

    /// What an operation does with elements of a deferred set: arrays from them and to them.
    fn element_effect(&mut self) -> String {
        let (i, x) = (self.index(), self.below(self.greatest + 1));
        match self.below(8) {
            0 => format!("owns(p) := {x}"),
            1 => "owns := owns <+ {p |-> owns(q), q |-> owns(p)}".into(),
            2 => "owns := {p} <<| owns".into(),
            3 => format!("at({i}) := p"),
            4 => "at := at <+ {i |-> at(j), j |-> at(i)}".into(),
            5 => format!("IF at({i}) = p THEN owns(p) := owns(q) + 1 END"),
            6 => format!("at := {{{i}}} <<| at"),
            _ => format!("at := at \\/ {{{i} |-> q}}"),
        }
    }

    fn element_test(&mut self) -> String {
        let (i, x) = (self.index(), self.below(self.greatest + 1));
        match self.below(8) {
            0 => "p : dom(owns)".into(),
            1 => format!("{i} : dom(at) & at({i}) = p"),
            2 => "p : ran(at)".into(),
            3 => "owns(p) = owns(q)".into(),
            4 => format!("owns(p) < {x}"),
            5 => format!("p |-> {x} : owns"),
            6 => "p /= q".into(),
            _ => format!("#z.(z : dom(at) & at(z) = p & z > {i})"),
        }
    }

    /// Arrays from and to elements that may be permuted.
    fn elements(&mut self, seed: u64) -> String {
        let (n, most) = (self.length, self.greatest.max(400));
        let arrow = ["+->", "-->"][self.below(2)];
        let operations: Vec<String> = (0..5)
            .map(|k| {
                let (test, effect) = (self.element_test(), self.element_effect());
                format!("op{k}(p, q) = PRE p : P & q : P & {test} THEN {effect} END")
            })
            .chain([format!("go = BEGIN i := i mod {n} + 1 || j := (j + 62) mod {n} + 1 END")])
            .collect();
        format!(
            "MACHINE Arrays{seed}\nSETS P\nVARIABLES owns, at, i, j\nINVARIANT\n  owns : P {arrow} 0..{most} & at : 1..{n} +-> P & i : 1..{n} & \
             j : 1..{n}\nINITIALISATION ANY e WHERE e : P THEN owns := P * {{{}}} || at := ({}..{n}) * {{e}} || i := 1 || j := {n} END\nOPERATIONS\n  {}\nEND\n",
            self.below(4),
            [1, 1, 2, n + 1][self.below(4)],
            operations.join(";\n  ")
        )
    }

    fn machine(&mut self, seed: u64) -> String {
        let (n, most) = (self.length, self.greatest);
        let arrow = ["+->", "-->", ">+>"][self.below(3)];
        let starts = [
            format!("%x.(x : 1..{n} | x mod {})", most + 1),
            format!("%x.(x : 1..{n} | {n} - x)"),
            format!("%x.(x : 2..{} | 7)", n - 1),
            "{}".into(),
        ];
        let (f, g) = (&starts[self.below(3)], &starts[self.below(4)]);
        let operations = self.operations();
        format!(
            "MACHINE Arrays{seed}\nVARIABLES f, g, i, j\nINVARIANT\n  f : 1..{n} {arrow} 0..{most} & g : 1..{n} +-> 0..{most} & \
             i : 1..{n} & j : 1..{n} & ({} or i : 1..{n})\nINITIALISATION f := {f} || g := {g} || i := 1 || j := {n}\nOPERATIONS\n  {}\nEND\n",
            self.test(),
            operations.join(";\n  ")
        )
    }
}

/// The seeds of these.
fn asked() -> std::ops::Range<u64> {
    seeds("BSYM_ARRAYS", RANDOM)
}

/// A random machine: the file of its own, its text, and how deep it is explored.
fn random(kind: &str, seed: u64, write: impl Fn(&mut Writer) -> String) -> (String, String, &'static str) {
    let mut random = Random::salted(seed, SALT);
    let (length, greatest) = (LENGTHS[random.below(LENGTHS.len())], GREATEST[random.below(GREATEST.len())]);
    let text = write(&mut Writer { random, length, greatest });
    (written(kind, &format!("Arrays{seed}"), &text), text, if length < 200 { "4" } else { "3" })
}

#[test]
fn arrays_of_elements_are_permuted_like_functions() {
    let (mut states, mut saved) = (0, 0);
    for seed in asked() {
        let (name, text, depth) = random("arrays-of-elements", seed, |w| w.elements(seed));
        let args = [&name, "--max-depth", depth, "--card", "3", "--no-deadlock"];
        let said = |more: &[&str]| outcome(&[&args, more].concat());
        let mut all = Vec::new();
        for mode in ["off", "exact", "canon", "flood"] {
            let plain = said(&["--symmetry", mode, "--evaluator", "plain"]);
            assert_eq!(said(&["--symmetry", mode]), plain, "seed {seed} {mode}\n{text}");
            all.push(plain);
        }
        let [off, exact, canon, ..] = &all[..] else { unreachable!() };
        assert_eq!(exact["states"], canon["states"], "seed {seed}\n{text}");
        states += count(off, "states");
        saved += count(off, "states") - count(exact, "states");
        std::fs::remove_file(&name).ok();
    }
    assert!(states > 500 && saved > 200, "{states} states, {saved} saved");
}

#[test]
fn arrays_are_functions_to_the_plain_evaluator() {
    let mut tally = Tally::default();
    for seed in asked() {
        let (name, text, depth) = random("arrays", seed, |w| w.machine(seed));
        let said = |more: &[&str]| {
            let mut report = outcome(&[&[name.as_str(), "--max-depth", depth], more].concat());
            // The outcomes of a choice have another order where states have another layout: other traces lead to the same.
            if text.contains("CHOICE") {
                report.as_object_mut().and_then(|fields| fields.remove("violations"));
            }
            report
        };
        compare(seed, &text, &mut tally, said);
        std::fs::remove_file(&name).ok();
    }
    tally.shows_something();
}
