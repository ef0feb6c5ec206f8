//! The atoms of formulas, each once, with the B that they need evaluated.
//!
//! In: atoms as they are met. Out: their numbers; predicates and expressions as trees of B, resolved. Siblings: `lower` (who meets them), `record` (who decides
//! them).

use super::ast::Change;
use super::lower::{Offered, Refused};
use super::normal::Letter;
use crate::ir::{Expr, Formula, Machine, PredKind};
use crate::ops::Op;
use crate::resolve::Flat;
use crate::source::Sources;
use crate::syntax::ast::Node;
use crate::types::typecheck;

/// An operation, perhaps with arguments: numbers of expressions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Called {
    /// Its number among those that are offered.
    pub operation: u32,
    /// The expressions that its parameters are equal to, where that matters.
    pub arguments: Vec<Option<u32>>,
}

impl Called {
    /// Whether any argument matters.
    #[must_use]
    pub fn has_arguments(&self) -> bool {
        self.arguments.iter().any(Option::is_some)
    }
}

/// What is asked of a state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StateAtom {
    /// Whether a predicate is true, by its number.
    Holds(u32),
    /// Whether a step is possible.
    Enabled(Called),
    /// Whether no step is.
    Deadlock,
    /// Whether no step leads elsewhere.
    Sink,
}

/// What is asked of a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StepAtom {
    /// Whether it is this one.
    Taken(Called),
    /// How an expression changes, by its number.
    Change(Change, u32),
}

/// All atoms of some formulas.
#[derive(Clone, Debug, Default)]
pub struct Atoms {
    /// Predicates.
    pub predicates: Vec<Node>,
    /// Expressions.
    pub expressions: Vec<Node>,
    /// Atoms about states.
    pub states: Vec<StateAtom>,
    /// Atoms about steps.
    pub steps: Vec<StepAtom>,
    /// By predicate and expression its text with the values of names bound around it.
    keys: [Vec<String>; 2],
}

impl Atoms {
    /// All B that is evaluated.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.predicates.iter().chain(&self.expressions)
    }

    /// The machine whose invariant is the predicates, and `E = E` of every expression. Its own invariant tells types first.
    ///
    /// # Errors
    /// Mistakes in types.
    pub fn machine(&self, flat: &Flat, sources: &Sources) -> Result<Machine, Refused> {
        let mut flat = flat.clone();
        flat.invariants.extend(self.nodes().cloned());
        flat.goal = None;
        flat.notes.clear();
        let (mut machine, _) = typecheck(&flat, sources)?;
        let own = machine.invariants.len().saturating_sub(self.nodes().count());
        machine.typing = machine.invariants.drain(..own).collect();
        machine.assertions.clear();
        Ok(machine)
    }

    /// The expressions with the sizes of their frames, from the conjuncts of [`Self::machine`] behind those that are predicates; `None` where
    /// names are bound around them that have no value yet.
    #[must_use]
    pub fn evaluated(&self, machine: &Machine) -> Vec<Option<(Expr, u32)>> {
        let one = |f: &Formula| match &f.pred.kind {
            PredKind::Op(Op::Eq, sides) => Some((sides.first()?.clone(), f.frame)),
            _ => None,
        };
        machine.invariants.iter().skip(self.predicates.len()).map(one).collect()
    }

    /// A letter of an automaton in words.
    #[must_use]
    pub fn named(&self, letter: Letter, operations: &[Offered]) -> String {
        let text = |keys: &[String], n: u32| {
            let key = keys.get(n as usize).map_or("", |k| k.as_str());
            key.lines().map(str::trim).take_while(|l| !l.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let called = |c: &Called| {
            let name = operations.get(c.operation as usize).map_or("?", |o| o.name.as_str());
            let one = |a: &Option<u32>| a.map_or_else(|| "_".to_owned(), |e| text(&self.keys[1], e));
            let arguments: Vec<String> = c.arguments.iter().map(one).collect();
            if arguments.is_empty() { name.to_owned() } else { format!("{name}({})", arguments.join(", ")) }
        };
        match letter {
            Letter::State(n) => match self.states.get(n as usize) {
                Some(StateAtom::Holds(p)) => format!("{{{}}}", text(&self.keys[0], *p)),
                Some(StateAtom::Enabled(c)) => format!("e({})", called(c)),
                Some(StateAtom::Deadlock) => "deadlock".to_owned(),
                Some(StateAtom::Sink) | None => "sink".to_owned(),
            },
            Letter::Step(n) => match self.steps.get(n as usize) {
                Some(StepAtom::Taken(c)) => format!("[{}]", called(c)),
                Some(StepAtom::Change(change, e)) => {
                    format!("{}({{{}}})", format!("{change:?}").to_lowercase(), text(&self.keys[1], *e))
                }
                None => "?".to_owned(),
            },
            Letter::Past(n) => format!("past {n}"),
            Letter::Guess(n) => format!("guess {n}"),
        }
    }

    /// The number of a predicate whose text, with all that it depends on, is a key.
    pub(super) fn predicate(&mut self, key: String, node: Node) -> u32 {
        number(&mut self.keys[0], &mut self.predicates, key, node)
    }

    /// The number of an expression.
    pub(super) fn expression(&mut self, key: String, node: Node) -> u32 {
        number(&mut self.keys[1], &mut self.expressions, key, node)
    }

    /// The number of an atom about states.
    pub(super) fn state(&mut self, atom: StateAtom) -> u32 {
        place(&mut self.states, atom)
    }

    /// The number of an atom about steps.
    pub(super) fn step(&mut self, atom: StepAtom) -> u32 {
        place(&mut self.steps, atom)
    }
}

fn number(keys: &mut Vec<String>, nodes: &mut Vec<Node>, key: String, node: Node) -> u32 {
    let known = keys.iter().position(|k| *k == key);
    let at = known.unwrap_or_else(|| {
        keys.push(key);
        nodes.push(node);
        nodes.len() - 1
    });
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn place<T: PartialEq>(all: &mut Vec<T>, one: T) -> u32 {
    let known = all.iter().position(|a| *a == one);
    let at = known.unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    });
    u32::try_from(at).unwrap_or(u32::MAX)
}
