//! Past operators: one bit of memory each.
//!
//! In: operators, inner ones first, whose operands are what is known at a place of the path. Out: their truth there, from the memory of
//! the place before, and the memory for the next place. Siblings: `normal`.

use super::formula::Ltl;
use super::normal::Letter;

/// A combination of letters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    Letter(Letter),
    Not(Box<Truth>),
    All(Vec<Truth>),
}

impl Truth {
    fn of(&self, letter: &impl Fn(Letter) -> bool) -> bool {
        match self {
            Truth::Letter(l) => letter(*l),
            Truth::Not(t) => !t.of(letter),
            Truth::All(list) => list.iter().all(|t| t.of(letter)),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Operator {
    Yesterday(Truth),
    Since(Truth, Truth),
    Trigger(Truth, Truth),
}

/// The past operators of one automaton.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    operators: Vec<Operator>,
}

impl Past {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.operators.len()
    }

    /// The number of an operator with these operands.
    pub(super) fn add(&mut self, f: &Ltl, operands: Vec<Truth>) -> u32 {
        let mut operands = operands.into_iter();
        let mut next = || operands.next().unwrap_or(Truth::All(Vec::new()));
        let operator = match f {
            Ltl::Since(..) => Operator::Since(next(), next()),
            Ltl::Trigger(..) => Operator::Trigger(next(), next()),
            _ => Operator::Yesterday(next()),
        };
        let known = self.operators.iter().position(|o| *o == operator);
        let number = known.unwrap_or_else(|| {
            self.operators.push(operator);
            self.operators.len() - 1
        });
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// The memory before the first place.
    pub(super) fn start(&self) -> u64 {
        let bit = |(i, o): (usize, &Operator)| u64::from(matches!(o, Operator::Trigger(..))) << i;
        self.operators.iter().enumerate().map(bit).sum()
    }

    /// What is true at a place, from the memory and the other letters, and the memory for the next place.
    pub(super) fn at(&self, memory: u64, letter: impl Fn(Letter) -> bool) -> (u64, u64) {
        let (mut now, mut next) = (0u64, 0u64);
        for (i, o) in self.operators.iter().enumerate() {
            let known = |l| match l {
                Letter::Past(n) => now >> n & 1 == 1,
                other => letter(other),
            };
            let before = memory >> i & 1 == 1;
            let (is, kept) = match o {
                Operator::Yesterday(f) => (before, f.of(&known)),
                Operator::Since(f, g) => {
                    let is = g.of(&known) || before && f.of(&known);
                    (is, is)
                }
                Operator::Trigger(f, g) => {
                    let is = g.of(&known) && (before || f.of(&known));
                    (is, is)
                }
            };
            now |= u64::from(is) << i;
            next |= u64::from(kept) << i;
        }
        (now, next)
    }
}
