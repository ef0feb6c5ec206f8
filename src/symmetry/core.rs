//! The core of a vector: the points that occur in facts about several points, and these facts.
//!
//! In: [`Facts`]. Out: a [`Core`], with points renumbered and all edges between two points joined into one.
//! Points outside the core are told apart by their colours alone; nothing more has to be done about them.
//! Joining edges is what tells that two relations hold between the *same* two points ("joint edge labels"
//! in the specification).

use super::colour::Structure;
use super::facts::{Edge, Facts, Term, Wide};
use super::mix;
use super::twins::joint_hash;

/// All that is said of two different points together, as each of them sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) a: u32,
    pub(super) b: u32,
    /// The multiset of edges as `a` sees them, towards `b`.
    pub(super) at_a: u128,
    /// The same edges as `b` sees them.
    pub(super) at_b: u128,
}

/// Points of the core with the facts between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Core {
    /// The points, ascending; the core knows them by their places in this list.
    pub(super) points: Vec<u32>,
    /// First colour of each.
    pub(super) colours: Vec<u128>,
    /// All pairs of points with edges between them, each once.
    pub(super) joints: Vec<Joint>,
    /// Facts about more than two points, about sets of sets.
    pub(super) wide: Vec<Wide>,
}

const OUT: u128 = 61;
const IN: u128 = 62;
const OUTSIDE: u32 = u32::MAX;

impl Core {
    /// The core of some facts; `colours` are the first colours of all points.
    pub(super) fn of(facts: &Facts, colours: &[u128]) -> Self {
        let mut numbers = vec![OUTSIDE; colours.len()];
        let mut mark = |p: u32| {
            if let Some(n) = numbers.get_mut(p as usize) {
                *n = 0;
            }
        };
        for e in &facts.edges {
            mark(e.from);
            mark(e.to);
        }
        facts.wide.iter().flat_map(|w| &w.terms).for_each(|t| each_point(t, &mut mark));
        let mut core = Self::default();
        for ((p, n), &c) in (0u32..).zip(&mut numbers).zip(colours) {
            if *n != OUTSIDE {
                *n = len(&core.points);
                core.points.push(p);
                core.colours.push(c);
            }
        }
        let number = |p: u32| numbers.get(p as usize).copied().unwrap_or(OUTSIDE);
        core.joints =
            join(facts.edges.iter().map(|e| Edge { from: number(e.from), to: number(e.to), label: e.label }));
        core.wide = facts
            .wide
            .iter()
            .map(|w| Wide { label: w.label, terms: w.terms.iter().map(|t| renumbered(t, &number)).collect() })
            .collect();
        core
    }

    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }
}

impl Structure for Core {
    fn first_colours(&self) -> Vec<u128> {
        self.colours.clone()
    }

    fn round(&self, colours: &[u128], sums: &mut [u128]) {
        let colour = |p: u32| colours.get(p as usize).copied().unwrap_or(0);
        let mut add = |p: u32, h: u128| {
            if let Some(s) = sums.get_mut(p as usize) {
                *s = s.wrapping_add(h);
            }
        };
        for j in &self.joints {
            add(j.a, mix::pair(j.at_a, colour(j.b)));
            add(j.b, mix::pair(j.at_b, colour(j.a)));
        }
        for w in &self.wide {
            let hashes: Vec<u128> = w.terms.iter().map(|t| term_hash(t, &colour)).collect();
            let whole = hashes.iter().fold(w.label, |h, &t| mix::pair(h, t));
            for ((i, t), &h) in (0u128..).zip(&w.terms).zip(&hashes) {
                inside(t, h, mix::pair(whole, i), &colour, &mut add);
            }
        }
    }

    fn named(&self, names: &[u32]) -> u128 {
        let name = |p: u32| names.get(p as usize).copied().unwrap_or(OUTSIDE);
        let colours = self.colours.iter().zip(names).map(|(&c, &n)| mix::pair(c, u128::from(n)));
        let joints = self.joints.iter().map(|j| joint_hash(j, &name));
        let wide = self.wide.iter().map(|w| wide_hash(w, &|p| u128::from(name(p))));
        colours.chain(joints).chain(wide).fold(0, u128::wrapping_add)
    }
}

/// Tells each point of a term where it stands: the hash of everything around it.
fn inside(
    t: &Term,
    hash: u128,
    around: u128,
    colour: &impl Fn(u32) -> u128,
    add: &mut impl FnMut(u32, u128),
) {
    match t {
        Term::Point(p) => add(*p, mix::mix(around)),
        Term::Tuple(_, parts) => {
            let around = mix::pair(around, hash);
            for (i, t) in (0u128..).zip(parts) {
                inside(t, term_hash(t, colour), mix::pair(around, i), colour, add);
            }
        }
        Term::Set(parts) => {
            let around = mix::pair(around, hash);
            for t in parts {
                inside(t, term_hash(t, colour), around, colour, add);
            }
        }
    }
}

/// A length as a number of points: there are never more than 2^32.
pub(super) fn len<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// Joins all edges between the same two points.
fn join(edges: impl Iterator<Item = Edge>) -> Vec<Joint> {
    let mut joints: Vec<Joint> = edges
        .map(|e| {
            let (from, to) = (mix::pair(e.label, OUT), mix::pair(e.label, IN));
            if e.from < e.to {
                Joint { a: e.from, b: e.to, at_a: from, at_b: to }
            } else {
                Joint { a: e.to, b: e.from, at_a: to, at_b: from }
            }
        })
        .collect();
    joints.sort_unstable_by_key(|j| (j.a, j.b));
    joints.dedup_by(|next, first| {
        let same = (next.a, next.b) == (first.a, first.b);
        if same {
            first.at_a = first.at_a.wrapping_add(next.at_a);
            first.at_b = first.at_b.wrapping_add(next.at_b);
        }
        same
    });
    joints
}

/// Calls `f` on every occurrence of a point.
pub(super) fn each_point(t: &Term, f: &mut impl FnMut(u32)) {
    match t {
        Term::Point(p) => f(*p),
        Term::Tuple(_, parts) | Term::Set(parts) => parts.iter().for_each(|t| each_point(t, f)),
    }
}

fn renumbered(t: &Term, number: &impl Fn(u32) -> u32) -> Term {
    match t {
        Term::Point(p) => Term::Point(number(*p)),
        Term::Tuple(h, parts) => Term::Tuple(*h, parts.iter().map(|t| renumbered(t, number)).collect()),
        Term::Set(parts) => Term::Set(parts.iter().map(|t| renumbered(t, number)).collect()),
    }
}

const POINT: u128 = 63;
const SET: u128 = 64;

/// The hash of a wide fact under names or colours of points.
pub(super) fn wide_hash(w: &Wide, name: &impl Fn(u32) -> u128) -> u128 {
    mix::mix(w.terms.iter().fold(w.label, |h, t| mix::pair(h, term_hash(t, name))))
}

/// The hash of a term under names or colours of points.
pub(super) fn term_hash(t: &Term, name: &impl Fn(u32) -> u128) -> u128 {
    match t {
        Term::Point(p) => mix::pair(name(*p), POINT),
        Term::Tuple(h, parts) => parts.iter().fold(mix::mix(*h), |h, t| mix::pair(h, term_hash(t, name))),
        Term::Set(parts) => {
            let sum = parts.iter().map(|t| mix::mix(term_hash(t, name))).fold(0, u128::wrapping_add);
            mix::pair(sum, SET + (u128::from(len(parts)) << 8))
        }
    }
}
