//! Constant functions to sets, applied: routes of pairs, with arguments that have none.
//!
//! Random machines apply such constants wherever a set of pairs may stand. Their whole reports are compared with those of the plain
//! evaluator, which knows nothing of tables. `BSYM_TABLES` asks for more machines, `BSYM_RANDOM_SEED` for others.

use super::plain::{compare_all, seeds};
use super::random::Random;

/// Random machines per run.
const RANDOM: u64 = 16;

/// These machines' own numbers.
const SALT: u64 = 0x7ab1_e500_31c7_55d1;

/// Arguments of a table: with pairs of 12 and 12 integers these are too many to be held with all their rows.
const ARGUMENTS: usize = 9;
const SIDE: usize = 12;

struct Writer(Random);

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn pairs(&mut self) -> String {
        let few = self.below(6);
        let pair = |w: &mut Self| format!("{} |-> {}", 1 + w.below(SIDE), 1 + w.below(SIDE));
        format!("{{{}}}", (0..few).map(|_| pair(self)).collect::<Vec<_>>().join(", "))
    }

    /// A table, with a gap now and then.
    fn table(&mut self) -> String {
        let gap = 1 + self.below(2 * ARGUMENTS);
        let rows = (1..=ARGUMENTS).filter(|i| *i != gap).map(|i| format!("{i} |-> {}", self.pairs()));
        format!("{{{}}}", rows.collect::<Vec<_>>().join(",\n    "))
    }

    fn row(&mut self) -> &'static str {
        ["t(i)", "t(j)", "u(i)", "t(i)", "r"][self.below(5)]
    }

    fn relation(&mut self) -> String {
        let (a, b) = (self.row(), self.row());
        match self.below(9) {
            0 => format!("{a} \\/ {b}"),
            1 => format!("{a} /\\ {b}"),
            2 => format!("{a} - {b}"),
            3 => format!("dom({a}) <| {b}"),
            4 => format!("dom({a}) <<| {b}"),
            5 => format!("{b} |>> ran({a})"),
            6 => format!("{a} <+ {b}"),
            7 => format!("{a}~"),
            _ => a.into(),
        }
    }

    fn test(&mut self) -> String {
        let (a, b) = (self.row(), self.relation());
        match self.below(9) {
            0 => format!("i |-> j : {a}"),
            1 => format!("{a} <: {b}"),
            2 => format!("{a}[{{i}}] = {{}}"),
            3 => format!("{a}~[{{i, j}}] /= {{}}"),
            4 => format!("card({b}) < 4"),
            5 => format!("i : dom({b})"),
            6 => format!("{a}(i) > j"),
            7 => "#k.(k : dom(t) & i |-> j : t(k))".into(),
            _ => format!("!k.(k : dom(t) => t(k) /= {b})"),
        }
    }

    fn machine(&mut self, seed: u64) -> String {
        let (t, u) = (self.table(), self.table());
        let operations: Vec<String> = (0..5)
            .map(|k| format!("op{k} = SELECT {} THEN r := {} END", self.test(), self.relation()))
            .chain([
                format!("next = i := i mod {ARGUMENTS} + 1"),
                format!("jump = j := (j + 4) mod {ARGUMENTS} + 1"),
            ])
            .collect();
        format!(
            "MACHINE Tables{seed}\nCONSTANTS t, u\nPROPERTIES\n  t = {t} &\n  u = {u}\nVARIABLES r, i, j\nINVARIANT\n  \
             r : 1..{SIDE} <-> 1..{SIDE} & i : 1..{ARGUMENTS} & j : 1..{ARGUMENTS} & ({} or i <= j)\n\
             INITIALISATION r := {{}} || i := 1 || j := 2\nOPERATIONS\n  {}\nEND\n",
            self.test(),
            operations.join(";\n  ")
        )
    }
}

#[test]
fn tables_are_functions_to_the_plain_evaluator() {
    compare_all("Tables", seeds("BSYM_TABLES", RANDOM), &["--max-depth", "5"], |seed| {
        Writer(Random::salted(seed, SALT)).machine(seed)
    });
}
