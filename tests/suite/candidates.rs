//! What parameters, chosen and quantified variables are taken from: subsets, relations, records, sequences no longer than something.
//!
//! Random machines ask for such values in guards, ANY, quantifiers and comprehensions. Their whole reports are compared with those of the
//! plain evaluator. `BSYM_CANDIDATES` asks for more machines, `BSYM_RANDOM_SEED` for others.

use super::plain::{compare_all, seeds};
use super::random::Random;

/// Random machines per run.
const RANDOM: u64 = 10;

/// These machines' own numbers.
const SALT: u64 = 0x5eed_0fca_11d1_da00;

/// Where values come from, with what may be said of one.
const KINDS: [(&[&str], &[&str]); 4] = [
    (
        &[
            "x : POW1(1..3)",
            "x : FIN1(t)",
            "x <<: 0..2",
            "x <<: t",
            "x : POW1({1, 2, 4})",
            "x <: NATURAL & x <: 1..3",
            "x <: INTEGER & x <<: t",
            "x <<: {0, 4, n}",
            "x : POW1(t) & max(x) > n",
        ],
        &["card(x)", "(max({0} \\/ x) + n)", "card(x \\/ t)", "SIGMA(i).(i : x | i)"],
    ),
    (
        &[
            "x : seq(E) & size(x) <= 2",
            "x : seq1(E) & size(x) < 3",
            "x : seq(E) & size(x) : 1..2",
            "x : seq(E) & 2 >= size(x)",
            "x : seq1(E) & size(x) <= n",
            "x : seq(E) & size(x) < n & n < 4",
            "x : seq(E) & card(x) <= 1",
            "x : iseq(E) & size(x) <= 2",
            "x : iseq1(E) & size(x) : 0..n",
            "x : seq(0..1) & size(x) <= 3 & size(x) <= n",
        ],
        &["size(x)", "card(ran(x))", "(size(x) + n)", "card({i | i : dom(x) & i < n})"],
    ),
    (
        &["x : E <-> E & card(x) <= 2", "x : E <-> BOOL", "x : {a} <-> E", "x : E <-> (0..1) & dom(x) = {b}"],
        &["card(x)", "card(dom(x))", "card(dom(x) - {a})", "card(ran(x))"],
    ),
    (
        &[
            "x : struct(k : E, v : 0..2)",
            "x : struct(k : BOOL, v : t)",
            "x : struct(k : E, v : {1, 3}) & x'v > n",
            "x : struct(k : struct(p : BOOL, q : E), v : 0..1) & x'k'p = TRUE",
        ],
        &["x'v", "(x'v + n)", "card({x'k})", "(x'v * n)"],
    ),
];

struct Writer(Random);

impl Writer {
    fn of(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.0.below(texts.len())]
    }

    fn operation(&mut self, number: usize) -> String {
        let (sources, values) = KINDS[self.0.below(KINDS.len())];
        let (from, value) = (self.of(sources), self.of(values));
        let also = self.of(&["", "", " & n < 4", " & n > 0"]);
        match self.0.below(6) {
            0 | 1 => format!("o{number}(x) = PRE {from}{also} THEN n := min({{{value}, 9}}) END"),
            2 => format!("o{number} = ANY x WHERE {from}{also} THEN n := min({{{value}, 9}}) END"),
            3 => format!(
                "o{number} = SELECT #(x).({from}{also} & {value} < 3) THEN n := min({{n + 1, 9}}) END"
            ),
            4 => format!("o{number} = n := card({{x | {from}{also}}}) mod 6"),
            _ => format!(
                "o{number}(z) = PRE z : 0..2 & !x.({from} => z <= {value}) THEN n := min({{n + z, 9}}) END"
            ),
        }
    }

    fn machine(&mut self, seed: u64) -> String {
        let mut operations: Vec<String> = (0..3).map(|i| self.operation(i)).collect();
        operations.push("low = PRE n > 0 THEN n := n - 1 END".into());
        operations.push("odd(i) = PRE i : t THEN t := t - {i} \\/ {10 / (n - 2) mod 5} END".into());
        format!(
            "MACHINE Candidates{seed}\nSETS E = {{a, b}}\nVARIABLES n, t\nINVARIANT n : 0..5 & t <: 0..4\n\
             INITIALISATION n := 0 || t := {{0, 2}}\nOPERATIONS\n  {}\nEND\n",
            operations.join(";\n  ")
        )
    }
}

#[test]
fn random_machines_agree_with_the_plain_evaluator() {
    let options = ["--symmetry=off", "--max-states=100"];
    compare_all("Candidates", seeds("BSYM_CANDIDATES", RANDOM), &options, |seed| {
        Writer(Random::salted(seed, SALT)).machine(seed)
    });
}
