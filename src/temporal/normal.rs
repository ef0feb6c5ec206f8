//! Negation normal form: every formula once, simplified as it is made.
//!
//! In: an [`Ltl`]. Out: a number in an [`Arena`] of [`Node`]s in which negation stands at letters only. Past operators
//! are letters: each has a bit of memory that says what it was a step before (`past`). A formula about the future inside one about the past is
//! guessed: a letter of its own, and a promise that it always was what the formula is. Siblings: `formula`, `automaton`.

use super::formula::Ltl;
use super::past::{Past, Truth};
use std::collections::HashMap;

/// The number of a node.
pub(super) type Id = u32;

/// What a path is made of, as an automaton reads it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Letter {
    /// An atom about the state.
    State(u32),
    /// An atom about the next step.
    Step(u32),
    /// A past operator.
    Past(u32),
    /// A guess.
    Guess(u32),
}

/// A formula in normal form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    True,
    False,
    Lit(Letter, bool),
    /// Sorted, at least two.
    And(Vec<Id>),
    /// Sorted, at least two.
    Or(Vec<Id>),
    Next(Id),
    /// There is no next state, or it holds there.
    WeakNext(Id),
    Until(Id, Id),
    Release(Id, Id),
}

pub(super) const TRUE: Id = 0;
pub(super) const FALSE: Id = 1;

/// All formulas of one automaton.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    index: HashMap<Node, Id>,
    implied: HashMap<(Id, Id), bool>,
    /// Past operators, inner ones first.
    pub(super) past: Past,
    /// Guesses: the formula that each stands for.
    guesses: Vec<Ltl>,
}

impl Arena {
    pub(super) fn new() -> Self {
        let nodes = vec![Node::True, Node::False];
        let index = [(Node::True, TRUE), (Node::False, FALSE)].into();
        Self { nodes, index, implied: HashMap::new(), past: Past::default(), guesses: Vec::new() }
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        self.nodes.get(id as usize).unwrap_or(&Node::False)
    }

    /// How many letters are guessed.
    pub(super) fn guesses(&self) -> usize {
        self.guesses.len()
    }

    /// A formula with what its guesses promise.
    pub(super) fn formula(&mut self, f: &Ltl) -> Id {
        let mut all = vec![self.normal(f, true)];
        let mut done = 0;
        while let Some(guessed) = self.guesses.get(done).cloned() {
            let letter = Letter::Guess(u32::try_from(done).unwrap_or(u32::MAX));
            let (is, is_not) = (self.normal(&guessed, true), self.normal(&guessed, false));
            let (yes, no) = (self.lit(letter, true), self.lit(letter, false));
            let (yes, no) = (self.and(vec![yes, is]), self.and(vec![no, is_not]));
            let always = self.or(vec![yes, no]);
            all.push(self.release(FALSE, always));
            done += 1;
        }
        self.and(all)
    }

    /// The formula, or its negation.
    fn normal(&mut self, f: &Ltl, positive: bool) -> Id {
        match f {
            Ltl::True | Ltl::False => {
                if (*f == Ltl::True) == positive {
                    TRUE
                } else {
                    FALSE
                }
            }
            Ltl::State(n) => self.lit(Letter::State(*n), positive),
            Ltl::Step(n) => self.lit(Letter::Step(*n), positive),
            Ltl::Not(g) => self.normal(g, !positive),
            Ltl::And(list) | Ltl::Or(list) => {
                let list = list.iter().map(|g| self.normal(g, positive)).collect();
                if matches!(f, Ltl::And(_)) == positive { self.and(list) } else { self.or(list) }
            }
            Ltl::Next(g) => {
                let g = self.normal(g, positive);
                if positive { self.next(g) } else { self.weak_next(g) }
            }
            Ltl::Until(g, h) | Ltl::Release(g, h) => {
                let (g, h) = (self.normal(g, positive), self.normal(h, positive));
                if matches!(f, Ltl::Until(..)) == positive { self.until(g, h) } else { self.release(g, h) }
            }
            Ltl::Yesterday(_) | Ltl::Since(..) | Ltl::Trigger(..) => {
                let letter = self.past_letter(f);
                self.lit(Letter::Past(letter), positive)
            }
        }
    }

    /// The number of a past operator.
    fn past_letter(&mut self, f: &Ltl) -> u32 {
        let operands: Vec<Truth> = f.operands().into_iter().map(|g| self.truth(g)).collect();
        self.past.add(f, operands)
    }

    /// What is known of a formula where the letters are.
    fn truth(&mut self, f: &Ltl) -> Truth {
        if matches!(f, Ltl::Next(_) | Ltl::Until(..) | Ltl::Release(..)) {
            let known = self.guesses.iter().position(|g| g == f).unwrap_or_else(|| {
                self.guesses.push(f.clone());
                self.guesses.len() - 1
            });
            return Truth::Letter(Letter::Guess(u32::try_from(known).unwrap_or(u32::MAX)));
        }
        match f {
            Ltl::True => Truth::All(Vec::new()),
            Ltl::False => Truth::Not(Box::new(Truth::All(Vec::new()))),
            Ltl::State(n) => Truth::Letter(Letter::State(*n)),
            Ltl::Step(n) => Truth::Letter(Letter::Step(*n)),
            Ltl::Not(g) => Truth::Not(Box::new(self.truth(g))),
            Ltl::And(list) => Truth::All(list.iter().map(|g| self.truth(g)).collect()),
            Ltl::Or(list) => {
                let none = list.iter().map(|g| Truth::Not(Box::new(self.truth(g)))).collect();
                Truth::Not(Box::new(Truth::All(none)))
            }
            past => Truth::Letter(Letter::Past(self.past_letter(past))),
        }
    }

    fn add(&mut self, node: Node) -> Id {
        if let Some(id) = self.index.get(&node) {
            return *id;
        }
        let id = Id::try_from(self.nodes.len()).unwrap_or(Id::MAX);
        self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }

    fn lit(&mut self, letter: Letter, positive: bool) -> Id {
        self.add(Node::Lit(letter, positive))
    }

    /// All of them; what others imply is left out.
    pub(super) fn and(&mut self, list: Vec<Id>) -> Id {
        let mut flat = Vec::new();
        for id in list {
            match self.node(id) {
                Node::And(inner) => flat.extend_from_slice(inner),
                Node::True => {}
                _ => flat.push(id),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&FALSE) || self.contradict(&flat) {
            return FALSE;
        }
        self.strongest(&mut flat);
        match flat.as_slice() {
            [] => TRUE,
            [one] => *one,
            _ => self.add(Node::And(flat)),
        }
    }

    /// One of them; what implies others is left out.
    pub(super) fn or(&mut self, list: Vec<Id>) -> Id {
        let mut flat = Vec::new();
        for id in list {
            match self.node(id) {
                Node::Or(inner) => flat.extend_from_slice(inner),
                Node::False => {}
                _ => flat.push(id),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&TRUE) || self.contradict(&flat) {
            return TRUE;
        }
        let all = flat.clone();
        flat.retain(|&a| all.iter().all(|&b| a == b || !self.implies(a, b) || (a < b && self.implies(b, a))));
        match flat.as_slice() {
            [] => FALSE,
            [one] => *one,
            _ => self.add(Node::Or(flat)),
        }
    }

    /// Whether a letter is there with its negation.
    fn contradict(&self, list: &[Id]) -> bool {
        let opposite = |id: &Id| match self.node(*id) {
            Node::Lit(letter, positive) => self.index.get(&Node::Lit(*letter, !positive)).copied(),
            _ => None,
        };
        list.iter().filter_map(opposite).any(|o| list.contains(&o))
    }

    /// Leaves out what others imply; of several that imply each other always the same one stays, so that an obligation cannot be
    /// handed round for ever.
    pub(super) fn strongest(&mut self, list: &mut Vec<Id>) {
        let all = list.clone();
        list.retain(|&b| all.iter().all(|&a| a == b || !self.implies(a, b) || (b < a && self.implies(b, a))));
    }

    fn next(&mut self, f: Id) -> Id {
        if f == FALSE { FALSE } else { self.add(Node::Next(f)) }
    }

    fn weak_next(&mut self, f: Id) -> Id {
        if f == TRUE { TRUE } else { self.add(Node::WeakNext(f)) }
    }

    fn until(&mut self, f: Id, g: Id) -> Id {
        if g == TRUE || g == FALSE || self.implies(f, g) {
            return g;
        }
        match *self.node(g) {
            // F (a U b) is F b, and a U (a U b) is a U b.
            Node::Until(_, h) if f == TRUE => self.until(TRUE, h),
            Node::Until(a, _) if a == f => g,
            _ if f == FALSE => g,
            _ => self.add(Node::Until(f, g)),
        }
    }

    fn release(&mut self, f: Id, g: Id) -> Id {
        if g == TRUE || g == FALSE || self.implies(g, f) {
            return g;
        }
        match *self.node(g) {
            // G (a R b) is G b, and a R (a R b) is a R b.
            Node::Release(_, h) if f == FALSE => self.release(FALSE, h),
            Node::Release(a, _) if a == f => g,
            _ if f == TRUE => g,
            _ => self.add(Node::Release(f, g)),
        }
    }

    /// Whether the text of the formulas shows that the first implies the second.
    fn implies(&mut self, a: Id, b: Id) -> bool {
        if a == b || a == FALSE || b == TRUE {
            return true;
        }
        if a == TRUE || b == FALSE {
            return false;
        }
        if let Some(known) = self.implied.get(&(a, b)) {
            return *known;
        }
        let found = self.shows(&self.node(a).clone(), a, &self.node(b).clone(), b);
        self.implied.insert((a, b), found);
        found
    }

    fn shows(&mut self, of_a: &Node, a: Id, of_b: &Node, b: Id) -> bool {
        match (of_a, of_b) {
            (Node::Next(x), Node::Next(y) | Node::WeakNext(y)) | (Node::WeakNext(x), Node::WeakNext(y)) => {
                return self.implies(*x, *y);
            }
            (Node::Until(x, y), Node::Until(p, q)) if self.implies(*x, *p) && self.implies(*y, *q) => {
                return true;
            }
            (Node::Release(x, y), Node::Release(p, q)) if self.implies(*x, *p) && self.implies(*y, *q) => {
                return true;
            }
            _ => {}
        }
        let by_a = match of_a {
            Node::Or(list) => list.iter().all(|&x| self.implies(x, b)),
            Node::And(list) => list.iter().any(|&x| self.implies(x, b)),
            Node::Until(x, y) => self.implies(*x, b) && self.implies(*y, b),
            Node::Release(_, y) => self.implies(*y, b),
            _ => false,
        };
        by_a || match of_b {
            Node::And(list) => list.iter().all(|&y| self.implies(a, y)),
            Node::Or(list) => list.iter().any(|&y| self.implies(a, y)),
            Node::Until(_, y) => self.implies(a, *y),
            Node::Release(x, y) => self.implies(a, *x) && self.implies(a, *y),
            _ => false,
        }
    }
}
