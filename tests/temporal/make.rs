//! Random graphs and formulas: each is a function of its seed.

use crate::random::Random;
use bsym::temporal::{Ctl, Edge, Graph, Ltl};

/// Atoms about states; the first is true where a step of the first kind is possible, and so on.
pub(crate) const ATOMS: usize = 4;
/// Kinds of steps.
pub(crate) const KINDS: usize = 2;

/// These graphs' own numbers.
const SALT: u64 = 0x0bad_5eed_0bad_5eed;

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self::salted(seed, SALT)
    }

    fn atom(&mut self, n: usize) -> u32 {
        u32::try_from(self.below(n)).unwrap_or(0)
    }
}

/// A graph of a few states, some of them ends.
pub(crate) fn graph(r: &mut Random) -> Graph {
    let n = 1 + r.below(4);
    graph_of(r, n)
}

/// Of so many states.
pub(crate) fn graph_of(r: &mut Random, n: usize) -> Graph {
    let mut graph = Graph::new(ATOMS, KINDS);
    graph.initial = (0..=r.atom(n.min(2))).collect();
    for _ in 0..n {
        let mut edges = Vec::new();
        let mut enabled = [false; KINDS];
        for _ in 0..r.below(4) {
            // A step is of one kind, or of none.
            let kind = r.below(KINDS + 1);
            if let Some(e) = enabled.get_mut(kind) {
                *e = true;
            }
            let set: Vec<u32> =
                (kind < KINDS).then(|| u32::try_from(kind).unwrap_or(0)).into_iter().collect();
            let label = graph.label(u32::try_from(kind).unwrap_or(0), &set);
            edges.push(Edge { target: r.atom(n), label });
        }
        let free = (KINDS..ATOMS).map(|_| r.below(2) == 0).collect::<Vec<_>>();
        let all = enabled.into_iter().chain(free);
        let set: Vec<u32> = (0u32..).zip(all).filter(|(_, is)| *is).map(|(i, _)| i).collect();
        graph.push(set, Some(&mut edges));
    }
    graph
}

/// A graph some of whose states are without some of their steps, as if a search had not come by them: what is possible there is known in part,
/// too.
pub(crate) fn part(r: &mut Random, whole: &Graph) -> Graph {
    let mut part = Graph::new(ATOMS, KINDS);
    part.initial.clone_from(&whole.initial);
    part.labels.clone_from(&whole.labels);
    part.late = (0..ATOMS).map(|atom| atom < KINDS).collect();
    for state in (0u32..).take(whole.len()) {
        let open = r.below(3) == 0;
        let mut steps = whole.edges(state).to_vec();
        if open {
            steps.retain(|_| r.below(2) == 0);
        }
        let known = |kind: u32| steps.iter().any(|step| whole.labels.get(step.label, kind));
        let known = |atom: u32| !open || atom as usize >= KINDS || known(atom);
        let set: Vec<u32> =
            (0u32..).take(ATOMS).filter(|atom| whole.states.get(state, *atom) && known(*atom)).collect();
        part.discover(set);
        part.expand([], &mut steps, !open);
    }
    part
}

/// A formula of linear time with so many operators.
pub(crate) fn linear(r: &mut Random, size: usize, past: bool) -> Ltl {
    if size == 0 {
        return match r.below(10) {
            0 => Ltl::True,
            1..=6 => Ltl::State(r.atom(ATOMS)),
            _ => Ltl::Step(r.atom(KINDS)),
        };
    }
    let left = r.below(size);
    let one = |r: &mut Random| linear(r, size - 1, past);
    let two = |r: &mut Random| (linear(r, left, past), linear(r, size - 1 - left, past));
    match r.below(if past { 18 } else { 12 }) {
        0 => one(r).negated(),
        1 => one(r).next(),
        2 | 3 => one(r).finally(),
        4 | 5 => one(r).globally(),
        6 => {
            let (f, g) = two(r);
            f.until(g)
        }
        7 => {
            let (f, g) = two(r);
            f.release(g)
        }
        8 => {
            let (f, g) = two(r);
            f.weak_until(g)
        }
        9 => {
            let (f, g) = two(r);
            f.and(g)
        }
        10 => {
            let (f, g) = two(r);
            f.or(g)
        }
        11 => {
            let (f, g) = two(r);
            f.implies(g)
        }
        12 => one(r).yesterday(),
        13 => one(r).once(),
        14 => one(r).historically(),
        15 => {
            let (f, g) = two(r);
            f.since(g)
        }
        16 => {
            let (f, g) = two(r);
            f.trigger(g)
        }
        _ => {
            let (f, g) = two(r);
            f.iff(g)
        }
    }
}

/// A formula of branching time with so many operators.
pub(crate) fn branching(r: &mut Random, size: usize) -> Ctl {
    if size == 0 {
        return if r.below(8) == 0 { Ctl::True } else { Ctl::State(r.atom(ATOMS)) };
    }
    let left = r.below(size);
    let one = |r: &mut Random| branching(r, size - 1);
    let two = |r: &mut Random| (branching(r, left), branching(r, size - 1 - left));
    let step = |r: &mut Random| (r.below(3) == 0).then(|| r.atom(KINDS));
    match r.below(12) {
        0 => one(r).negated(),
        1 => {
            let s = step(r);
            one(r).exists_next(s)
        }
        2 => {
            let s = step(r);
            one(r).always_next(s)
        }
        3 => one(r).exists_finally(),
        4 => one(r).always_finally(),
        5 => one(r).exists_always(),
        6 => one(r).always_always(),
        7 => {
            let (f, g) = two(r);
            f.exists_until(g)
        }
        8 => {
            let (f, g) = two(r);
            f.always_until(g)
        }
        9 => {
            let (f, g) = two(r);
            Ctl::And(vec![f, g])
        }
        10 => {
            let (f, g) = two(r);
            Ctl::Or(vec![f, g])
        }
        _ => {
            let (f, g) = two(r);
            f.implies(g)
        }
    }
}
