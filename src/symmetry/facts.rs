//! A vector of values taken apart into facts about points.
//!
//! In: values. Out: [`Facts`]: what does not depend on points at all; what is said of single points (their
//! first colours); labelled edges between two points; and wide facts, for tuples of more points and for
//! sets of sets. Two vectors have isomorphic facts exactly if a permutation takes one to the other: labels
//! are hashes of everything about a fact but the points, so a vector can be put together again from its
//! facts (up to a collision of labels).
//!
//! A relation becomes edges. So does a function to sets or to relations, read as a relation with one more
//! column; what is left for the slow kind of facts are sets of sets that are no such functions. Which way a
//! set is taken apart depends on its shape alone, never on the numbers of points, and is part of the labels.

use super::group::Group;
use super::marker::pointless;
use super::mix;
use super::vector::{Places, Vector, plain};
use crate::value::Value;
use std::sync::Arc;

/// A value with points where elements were.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// A point.
    Point(u32),
    /// A tuple; the hash is that of everything but its parts.
    Tuple(u128, Vec<Term>),
    /// A set, its members in no particular order.
    Set(Vec<Term>),
}

/// Something said of two different points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) label: u128,
}

/// Something said of any number of points.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    pub(super) label: u128,
    pub(super) terms: Vec<Term>,
}

/// All facts of a vector.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The multiset of facts about no point.
    pub(super) fixed: u128,
    /// For each point the multiset of facts about it alone.
    pub(super) colours: Vec<u128>,
    /// Facts about two points.
    pub(super) edges: Vec<Edge>,
    /// All others.
    pub(super) wide: Vec<Arc<Wide>>,
}

/// Parts of labels. They never meet other hashes but by chance.
const POINT: u128 = 41;
const LEFT: u128 = 42;
const RIGHT: u128 = 43;
const FIELD: u128 = 44;
const CONSTRUCTOR: u128 = 45;
const MEMBER: u128 = 46;
const ROW: u128 = 47;
const NESTED: u128 = 48;
const SAME: u128 = 49;
const WHOLE: u128 = 50;

impl Facts {
    /// No facts about so many points.
    pub(super) fn new(points: usize) -> Self {
        Self { colours: vec![0; points], ..Self::default() }
    }

    /// Copies others into the memory of these.
    pub(super) fn restart(&mut self, from: &Self) {
        self.fixed = from.fixed;
        self.colours.clone_from(&from.colours);
        self.edges.clone_from(&from.edges);
        self.wide.clone_from(&from.wide);
    }

    /// Whether no fact is about several points.
    pub(super) fn is_unary(&self) -> bool {
        self.edges.is_empty() && self.wide.is_empty()
    }

    /// The facts of a whole vector.
    pub(super) fn of(vector: &Vector, places: &Places, group: &Group) -> Self {
        let mut facts = Self::new(group.points().len());
        for (place, v) in vector.values(places) {
            facts.read(v, place, group);
        }
        facts
    }

    /// Adds the facts of one value at a place.
    pub(super) fn read(&mut self, v: &Value, place: u128, group: &Group) {
        Reader { group, facts: self, context: Vec::new() }.single(v, place);
    }

    /// The facts about one member of a set without inner sets, as [`Facts::read`] would add them for the
    /// whole set if it always took sets apart.
    pub(super) fn member(v: &Value, place: u128, group: &Group) -> Atom {
        let mut points = Vec::new();
        let shape = skeleton(v, group, &mut points);
        Atom::new(mix::pair(mix::pair(place, MEMBER), shape), &points)
    }

    /// The facts of one value at a place.
    pub(super) fn atoms(v: &Value, place: u128, group: &Group) -> Vec<Atom> {
        let mut facts = Self::new(group.points().len());
        facts.read(v, place, group);
        let colour = |(point, &label): (u32, &u128)| (label != 0).then_some(Atom::Colour { point, label });
        let colours = (0u32..).zip(&facts.colours).filter_map(colour);
        let edges = facts.edges.iter().map(|e| Atom::Edge { from: e.from, to: e.to, label: e.label });
        let wide = facts.wide.iter().map(|w| Atom::Wide(w.clone()));
        colours.chain(edges).chain(wide).chain([Atom::Fixed { label: facts.fixed }]).collect()
    }

    /// Adds a fact made before.
    #[inline]
    pub(super) fn add_atom(&mut self, atom: &Atom) {
        match atom {
            &Atom::Colour { point, label } => {
                if let Some(c) = self.colours.get_mut(point as usize) {
                    *c = c.wrapping_add(label);
                }
            }
            &Atom::Edge { from, to, label } => self.edges.push(Edge { from, to, label }),
            Atom::Fixed { label } => self.fixed = self.fixed.wrapping_add(*label),
            Atom::Wide(w) => self.wide.push(w.clone()),
        }
    }

    /// Adds a fact about some points.
    pub(super) fn add(&mut self, label: u128, points: &[u32]) {
        self.add_atom(&Atom::new(label, points));
    }
}

/// One fact.
#[derive(Clone, Debug)]
pub(super) enum Atom {
    /// About no point.
    Fixed {
        /// Its hash.
        label: u128,
    },
    /// About one point.
    Colour {
        /// The point.
        point: u32,
        /// What is said of it.
        label: u128,
    },
    /// About two different points.
    Edge {
        /// The first.
        from: u32,
        /// The second.
        to: u32,
        /// What is said of them.
        label: u128,
    },
    /// About more.
    Wide(Arc<Wide>),
}

impl Atom {
    fn new(label: u128, points: &[u32]) -> Self {
        match *points {
            [] => Atom::Fixed { label: mix::mix(label) },
            [point] => Atom::Colour { point, label: mix::mix(label) },
            [p, q] if p == q => Atom::Colour { point: p, label: mix::mix(mix::pair(label, SAME)) },
            [from, to] => Atom::Edge { from, to, label },
            _ => {
                Atom::Wide(Arc::new(Wide { label, terms: points.iter().map(|&p| Term::Point(p)).collect() }))
            }
        }
    }
}

/// Takes values apart, under the points of the rows around them.
struct Reader<'a> {
    group: &'a Group,
    facts: &'a mut Facts,
    context: Vec<u32>,
}

impl Reader<'_> {
    fn emit(&mut self, label: u128) {
        self.facts.add(label, &self.context);
    }

    /// A value that is the only one at its place.
    fn single(&mut self, v: &Value, label: u128) {
        if pointless(v, self.group) {
            return self.emit(mix::pair(mix::pair(label, WHOLE), plain(v)));
        }
        match v {
            Value::Elem(s, i) => {
                if let Some(p) = self.group.point(*s, *i) {
                    self.context.push(p);
                    self.emit(mix::pair(label, POINT));
                    self.context.pop();
                }
            }
            Value::Pair(p) => {
                self.single(&p.0, mix::pair(label, LEFT));
                self.single(&p.1, mix::pair(label, RIGHT));
            }
            Value::Rec(fields) => {
                for (i, f) in (0u128..).zip(fields.iter()) {
                    self.single(f, mix::pair(label, FIELD + (i << 8)));
                }
            }
            Value::Free(t, c, Some(arg)) => {
                let label = mix::pair(label, constructor(*t, *c));
                self.emit(label);
                self.single(arg, mix::pair(label, RIGHT));
            }
            Value::Set(s) => self.set(s.items(), label),
            // The rest has no points.
            Value::Bool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Real(_)
            | Value::Str(_)
            | Value::Free(_, _, None)
            | Value::Lazy(_) => {}
        }
    }

    /// The members of a set.
    fn set(&mut self, items: &[Value], label: u128) {
        let depth = self.context.len();
        if items.iter().all(|x| flat(x, self.group)) {
            let label = mix::pair(label, MEMBER);
            for x in items {
                let shape = skeleton(x, self.group, &mut self.context);
                self.emit(mix::pair(label, shape));
                self.context.truncate(depth);
            }
        } else if let Some(rows) = self.rows(items) {
            let label = mix::pair(label, ROW);
            for (x, y) in rows {
                let shape = skeleton(x, self.group, &mut self.context);
                let label = mix::pair(label, shape);
                self.emit(label);
                self.single(y, mix::pair(label, RIGHT));
                self.context.truncate(depth);
            }
        } else {
            for x in items {
                let around = self.context.iter().map(|&p| Term::Point(p));
                let terms = around.chain([term(x, self.group)]).collect();
                self.facts.wide.push(Arc::new(Wide { label: mix::pair(label, NESTED), terms }));
            }
        }
    }

    /// The members as rows of a function with flat arguments, if that is what the set is.
    fn rows<'v>(&self, items: &'v [Value]) -> Option<Vec<(&'v Value, &'v Value)>> {
        let mut rows: Vec<(&Value, &Value)> = Vec::with_capacity(items.len());
        for x in items {
            match x {
                // Members are sorted: equal left sides would be neighbours.
                Value::Pair(p) if rows.last().is_none_or(|(x, _)| *x != &p.0) && flat(&p.0, self.group) => {
                    rows.push((&p.0, &p.1));
                }
                _ => return None,
            }
        }
        Some(rows)
    }
}

fn constructor(t: u16, c: u16) -> u128 {
    CONSTRUCTOR + (u128::from(t) << 24) + (u128::from(c) << 8)
}

/// Whether no set inside a value contains points.
fn flat(v: &Value, group: &Group) -> bool {
    match v {
        Value::Set(_) => pointless(v, group),
        Value::Pair(p) => flat(&p.0, group) && flat(&p.1, group),
        Value::Rec(fields) => fields.iter().all(|f| flat(f, group)),
        Value::Free(_, _, Some(arg)) => flat(arg, group),
        Value::Elem(..)
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Big(_)
        | Value::Real(_)
        | Value::Str(_)
        | Value::Free(_, _, None)
        | Value::Lazy(_) => true,
    }
}

/// The hash of a flat value with its points left out; they go to the end of `points`, in order.
pub(super) fn skeleton(v: &Value, group: &Group, points: &mut Vec<u32>) -> u128 {
    match v {
        Value::Elem(s, i) => match group.point(*s, *i) {
            Some(p) => {
                points.push(p);
                POINT
            }
            None => plain(v),
        },
        Value::Pair(p) => {
            let left = skeleton(&p.0, group, points);
            mix::pair(mix::pair(left, LEFT), skeleton(&p.1, group, points))
        }
        Value::Rec(fields) => fields.iter().fold(FIELD, |h, f| mix::pair(h, skeleton(f, group, points))),
        Value::Free(t, c, Some(arg)) => mix::pair(constructor(*t, *c), skeleton(arg, group, points)),
        Value::Set(_)
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Big(_)
        | Value::Real(_)
        | Value::Str(_)
        | Value::Free(_, _, None)
        | Value::Lazy(_) => plain(v),
    }
}

/// Any value as a term.
fn term(v: &Value, group: &Group) -> Term {
    match v {
        Value::Set(s) if !pointless(v, group) => {
            Term::Set(s.items().iter().map(|x| term(x, group)).collect())
        }
        Value::Pair(p) if !pointless(v, group) => {
            Term::Tuple(LEFT, vec![term(&p.0, group), term(&p.1, group)])
        }
        Value::Rec(fields) if !pointless(v, group) => {
            Term::Tuple(FIELD, fields.iter().map(|f| term(f, group)).collect())
        }
        Value::Free(t, c, Some(arg)) if !pointless(v, group) => {
            Term::Tuple(constructor(*t, *c), vec![term(arg, group)])
        }
        Value::Elem(s, i) => {
            group.point(*s, *i).map_or_else(|| Term::Tuple(plain(v), Vec::new()), Term::Point)
        }
        _ => Term::Tuple(plain(v), Vec::new()),
    }
}
