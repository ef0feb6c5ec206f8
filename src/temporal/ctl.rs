//! Formulas of branching time, by labelling states backwards.
//!
//! In: a graph, a [`Ctl`]. Out: a path that shows why it is false in a state that paths begin in (one branch, where there would be several),
//! or that there is no such state. At the end of a path nothing is next, so that `AX f` is true and `EX f` false; `EG f` is true there if f is.
//! Where not all steps of a state are known, formulas have three values: they hold surely, or they may hold, whatever these steps are. Siblings:
//! `graph`, `product` (linear time).

use super::graph::Graph;
use super::product::{Answer, Path};
use fixedbitset::FixedBitSet;
use std::collections::{HashMap, VecDeque};

/// A formula of branching time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ctl {
    /// True.
    True,
    /// An atom about the state.
    State(u32),
    /// Negation.
    Not(Box<Ctl>),
    /// All of them.
    And(Vec<Ctl>),
    /// One of them.
    Or(Vec<Ctl>),
    /// In some next state, after a step of which an atom is true if there is one.
    ExistsNext(Option<u32>, Box<Ctl>),
    /// On some path the first until the second, which comes.
    ExistsUntil(Box<Ctl>, Box<Ctl>),
    /// On some path always.
    ExistsAlways(Box<Ctl>),
}

impl Ctl {
    /// `not f`.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Ctl::Not(f) => *f,
            f => Ctl::Not(Box::new(f)),
        }
    }

    /// `f => g`.
    #[must_use]
    pub fn implies(self, g: Self) -> Self {
        Ctl::Or(vec![self.negated(), g])
    }

    /// `EX f`, `EX [a] f`.
    #[must_use]
    pub fn exists_next(self, step: Option<u32>) -> Self {
        Ctl::ExistsNext(step, Box::new(self))
    }

    /// `AX f`, `AX [a] f`.
    #[must_use]
    pub fn always_next(self, step: Option<u32>) -> Self {
        self.negated().exists_next(step).negated()
    }

    /// `E f U g`.
    #[must_use]
    pub fn exists_until(self, g: Self) -> Self {
        Ctl::ExistsUntil(Box::new(self), Box::new(g))
    }

    /// `A f U g`.
    #[must_use]
    pub fn always_until(self, g: Self) -> Self {
        let (not_f, not_g) = (self.negated(), g.negated());
        let never = not_g.clone().exists_always();
        let lost = not_g.clone().exists_until(Ctl::And(vec![not_f, not_g]));
        Ctl::Or(vec![never, lost]).negated()
    }

    /// `EF f`.
    #[must_use]
    pub fn exists_finally(self) -> Self {
        Ctl::True.exists_until(self)
    }

    /// `AF f`.
    #[must_use]
    pub fn always_finally(self) -> Self {
        self.negated().exists_always().negated()
    }

    /// `EG f`.
    #[must_use]
    pub fn exists_always(self) -> Self {
        Ctl::ExistsAlways(Box::new(self))
    }

    /// `AG f`.
    #[must_use]
    pub fn always_always(self) -> Self {
        self.negated().exists_finally().negated()
    }

    /// Calls `f` on every atom: whether it is about a step, and its number.
    pub(super) fn atoms(&self, f: &mut dyn FnMut(bool, u32)) {
        match self {
            Ctl::True => {}
            Ctl::State(n) => f(false, *n),
            Ctl::Not(g) | Ctl::ExistsAlways(g) => g.atoms(f),
            Ctl::And(list) | Ctl::Or(list) => list.iter().for_each(|g| g.atoms(f)),
            Ctl::ExistsNext(step, g) => {
                step.iter().for_each(|n| f(true, *n));
                g.atoms(f);
            }
            Ctl::ExistsUntil(g, h) => {
                g.atoms(f);
                h.atoms(f);
            }
        }
    }
}

/// Whether a formula is false in some state that paths begin in, whatever is not known: [`Answer::Found`] is a path that shows why.
#[must_use]
pub fn refute(graph: &Graph, formula: &Ctl, stop: &dyn Fn() -> bool) -> Answer {
    let mut labels = Labels { graph, before: before(graph), sets: HashMap::new(), stop };
    if labels.fill(formula, Value::May).is_none() {
        return Answer::Stopped;
    }
    let Some(&start) = graph.initial.iter().find(|s| !labels.holds(formula, **s, Value::May)) else {
        return Answer::None;
    };
    let mut path = Path { states: vec![start], ..Path::default() };
    labels.against(formula, start, &mut path);
    Answer::Found(path)
}

/// For every state those that lead to it: where they end among all, and all.
fn before(graph: &Graph) -> (Vec<usize>, Vec<u32>) {
    let states = || 0..u32::try_from(graph.len()).unwrap_or(u32::MAX);
    let mut ends = vec![0usize; graph.len() + 1];
    for e in states().flat_map(|s| graph.edges(s)) {
        if let Some(n) = ends.get_mut(e.target as usize + 1) {
            *n += 1;
        }
    }
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    let mut all = vec![0; graph.steps()];
    let mut free = ends.clone();
    for s in states() {
        for e in graph.edges(s) {
            if let Some(at) = free.get_mut(e.target as usize) {
                if let Some(slot) = all.get_mut(*at) {
                    *slot = s;
                }
                *at += 1;
            }
        }
    }
    (ends, all)
}

/// What is said of a formula in a state: that it holds surely, or that it may. Where all is known these are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Value {
    Sure,
    May,
}

impl Value {
    /// What is to be said of a formula for this not to be said of its negation.
    fn of_negation(self) -> Self {
        match self {
            Value::Sure => Value::May,
            Value::May => Value::Sure,
        }
    }
}

struct Labels<'a> {
    graph: &'a Graph,
    before: (Vec<usize>, Vec<u32>),
    /// By what is said.
    sets: HashMap<&'a Ctl, [Option<FixedBitSet>; 2]>,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> Labels<'a> {
    /// The states of which something is said; the same where all is known.
    fn set(&self, f: &Ctl, value: Value) -> Option<&FixedBitSet> {
        self.sets.get(f)?.get(self.said(value))?.as_ref()
    }

    /// Where it is kept what is said: in one place where all is known.
    fn said(&self, value: Value) -> usize {
        usize::from(self.graph.has_open() && value == Value::May)
    }

    fn holds(&self, f: &Ctl, state: u32, value: Value) -> bool {
        self.set(f, value).is_some_and(|s| s.contains(state as usize))
    }

    fn states(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.graph.len()).unwrap_or(u32::MAX)
    }

    fn before(&self, state: u32) -> &[u32] {
        let (ends, all) = &self.before;
        let at = |i: usize| ends.get(i).copied().unwrap_or(0);
        all.get(at(state as usize)..at(state as usize + 1)).unwrap_or_default()
    }

    /// Whether steps of a state that are not known may make something true.
    fn may_change(&self, state: u32, value: Value) -> bool {
        value == Value::May && self.graph.is_open(state)
    }

    /// Labels all states with a formula and what it is made of; `None` if it was stopped.
    fn fill(&mut self, f: &'a Ctl, value: Value) -> Option<()> {
        if self.set(f, value).is_some() {
            return Some(());
        }
        if (self.stop)() {
            return None;
        }
        let mut set = FixedBitSet::with_capacity(self.graph.len());
        let states = self.states();
        match f {
            Ctl::True => set.insert_range(..),
            Ctl::State(n) => {
                let late = self.graph.late(*n);
                let is = |s: &u32| self.graph.states.get(*s, *n) || late && self.may_change(*s, value);
                states.filter(is).for_each(|s| set.insert(s as usize));
            }
            Ctl::Not(g) => {
                self.fill(g, value.of_negation())?;
                set.insert_range(..);
                self.set(g, value.of_negation()).into_iter().for_each(|s| set.difference_with(s));
            }
            Ctl::And(list) | Ctl::Or(list) => {
                let all = matches!(f, Ctl::And(_));
                if all {
                    set.insert_range(..);
                }
                for g in list {
                    self.fill(g, value)?;
                    let Some(of) = self.set(g, value) else { continue };
                    if all {
                        set.intersect_with(of);
                    } else {
                        set.union_with(of);
                    }
                }
            }
            Ctl::ExistsNext(step, g) => {
                self.fill(g, value)?;
                let is = |s: &u32| self.may_change(*s, value) || self.next(*s, *step, g, value).is_some();
                states.filter(is).for_each(|s| set.insert(s as usize));
            }
            Ctl::ExistsUntil(g, h) => {
                self.fill(g, value)?;
                self.fill(h, value)?;
                let ends = |s: &u32| {
                    self.holds(h, *s, value) || self.may_change(*s, value) && self.holds(g, *s, value)
                };
                let mut todo: Vec<u32> = states.filter(ends).collect();
                todo.iter().for_each(|s| set.insert(*s as usize));
                while let Some(s) = todo.pop() {
                    for &b in self.before(s) {
                        if self.holds(g, b, value) && !set.put(b as usize) {
                            todo.push(b);
                        }
                    }
                }
            }
            Ctl::ExistsAlways(g) => {
                self.fill(g, value)?;
                set = self.always(g, value);
            }
        }
        let said = self.said(value);
        if let Some(of) = self.sets.entry(f).or_default().get_mut(said) {
            *of = Some(set);
        }
        Some(())
    }

    /// A step to a state where it holds.
    fn next(&self, state: u32, step: Option<u32>, f: &Ctl, value: Value) -> Option<(u32, u32)> {
        let mut edges = self.graph.edges(state).iter();
        let fits = |label| step.is_none_or(|n| self.graph.labels.get(label, n));
        edges.find(|e| fits(e.label) && self.holds(f, e.target, value)).map(|e| (e.label, e.target))
    }

    /// States from which a path stays in those of a formula.
    fn always(&self, f: &Ctl, value: Value) -> FixedBitSet {
        let mut set = self.set(f, value).cloned().unwrap_or_default();
        let within = |s: u32, set: &FixedBitSet| {
            self.graph.edges(s).iter().filter(|e| set.contains(e.target as usize)).count()
        };
        let mut left: Vec<usize> = self.states().map(|s| within(s, &set)).collect();
        let lost = |s: u32, left: &[usize]| {
            left.get(s as usize).is_none_or(|n| *n == 0)
                && !self.graph.is_end(s)
                && !self.may_change(s, value)
        };
        let mut todo: Vec<u32> =
            self.states().filter(|s| set.contains(*s as usize) && lost(*s, &left)).collect();
        todo.iter().for_each(|s| set.set(*s as usize, false));
        while let Some(s) = todo.pop() {
            for &b in self.before(s) {
                if let Some(n) = left.get_mut(b as usize) {
                    *n = n.saturating_sub(1);
                }
                if set.contains(b as usize) && lost(b, &left) {
                    set.set(b as usize, false);
                    todo.push(b);
                }
            }
        }
        set
    }

    /// Goes on with a path that shows why a formula is false, whatever is not known.
    fn against(&self, f: &Ctl, at: u32, path: &mut Path) {
        match f {
            Ctl::Not(g) => self.shows(g, at, path),
            Ctl::And(list) => {
                if let Some(g) = list.iter().find(|g| !self.holds(g, at, Value::May)) {
                    self.against(g, at, path);
                }
            }
            // Of an implication what it says.
            Ctl::Or(list) => {
                if let Some(g) = list.last() {
                    self.against(g, at, path);
                }
            }
            // All paths would have to be shown.
            Ctl::ExistsNext(..) | Ctl::ExistsUntil(..) | Ctl::ExistsAlways(_) => {}
            Ctl::True | Ctl::State(_) => {}
        }
    }

    /// Goes on with a path that shows why a formula is true, whatever is not known.
    fn shows(&self, f: &Ctl, at: u32, path: &mut Path) {
        let mut go = |(label, to): (u32, u32)| {
            path.labels.push(label);
            path.states.push(to);
        };
        match f {
            Ctl::Not(g) => self.against(g, at, path),
            Ctl::And(list) => {
                if let Some(g) = list.last() {
                    self.shows(g, at, path);
                }
            }
            Ctl::Or(list) => {
                if let Some(g) = list.iter().find(|g| self.holds(g, at, Value::Sure)) {
                    self.shows(g, at, path);
                }
            }
            Ctl::ExistsNext(step, g) => {
                if let Some(edge) = self.next(at, *step, g, Value::Sure) {
                    go(edge);
                    self.shows(g, edge.1, path);
                }
            }
            Ctl::ExistsUntil(g, h) => {
                let way = self.way(at, g, h);
                let end = way.last().map_or(at, |(_, to)| *to);
                way.into_iter().for_each(go);
                self.shows(h, end, path);
            }
            Ctl::ExistsAlways(_) => {
                let start = path.states.len() - 1;
                let mut here = at;
                while let Some(edge) = self.next(here, None, f, Value::Sure) {
                    path.labels.push(edge.0);
                    let back = path.states.iter().skip(start).position(|s| *s == edge.1);
                    path.states.push(edge.1);
                    here = edge.1;
                    if let Some(back) = back {
                        path.back = Some(start + back);
                        break;
                    }
                }
            }
            Ctl::True | Ctl::State(_) => {}
        }
    }

    /// A shortest way through states of the first formula to one of the second.
    fn way(&self, from: u32, g: &Ctl, h: &Ctl) -> Vec<(u32, u32)> {
        let mut reached: HashMap<u32, Option<(u32, u32)>> = [(from, None)].into();
        let mut todo: VecDeque<u32> = [from].into();
        while let Some(s) = todo.pop_front() {
            if self.holds(h, s, Value::Sure) {
                let mut way = Vec::new();
                let mut at = s;
                while let Some(Some((before, label))) = reached.get(&at) {
                    way.push((*label, at));
                    at = *before;
                }
                way.reverse();
                return way;
            }
            if !self.holds(g, s, Value::Sure) {
                continue;
            }
            for e in self.graph.edges(s) {
                reached.entry(e.target).or_insert_with(|| {
                    todo.push_back(e.target);
                    Some((s, e.label))
                });
            }
        }
        Vec::new()
    }
}
