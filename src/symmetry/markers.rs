//! The reducer by symmetry markers, with any of the rules of `marker`.
//!
//! In: a packed state. Out: the hash of its marker. Approximate in general: the representative of a marker
//! is the first state met, and another state with that marker need not be symmetric to it. With the
//! improved rules the marker is a complete invariant if the types allow no more than one point per member
//! of a set, or certain functions to sets turn out to be functions in every state (`certificate`).
//!
//! Where types alone are enough, the keys are those of `exact`: the same classes, cheap for successors, and of twins
//! that are arguments one is enough.
//!
//! A marker is computed once for a state met again and again, and where the group is small once for all its images.
//!
//! States are read through `dense`: for every bit, the points it speaks of, their paths and the hash of the
//! rest are computed once. A first pass over the bits adds up colours, a second hashes members under them.

use super::certificate::{Functions, functional};
use super::dense::{Part, Reader};
use super::exact::Exact;
use super::facts::skeleton;
use super::group::Group;
use super::marker::{self, Rules, occurrences};
use super::memo::{Memo, Shelf};
use super::small::{Room, Small};
use super::vector::{Places, STATE, VALUATION, Vector};
use super::{Basis, Cache, Context, Guarantee, Inside, MarkerHash, Reducer, View, audit, mix};
use crate::ir::Decl;
use crate::model::Twins;
use crate::value::{SetRef, Value};
use std::sync::atomic::{AtomicBool, Ordering};

/// The reducer by markers.
pub struct Markers {
    context: Context,
    places: Places,
    rules: Rules,
    reader: Reader<Mark>,
    constants: Cache<Base>,
    certificate: Option<Functions>,
    /// Whether some state has a relation where the certificate asks for a function.
    broken: AtomicBool,
    /// Where types alone make markers complete they tell apart what exact keys do, and those cost little for
    /// successors.
    exact: Option<Exact>,
    /// Images of states, where they are few and a marker costs more than going through them.
    small: Option<Small>,
    memories: Shelf<Memory>,
}

/// A member of a set (or a whole value) without inner sets.
#[derive(Clone, Debug)]
struct Mark {
    /// The hash of everything but its points.
    label: u128,
    /// Its points in order, with what each adds to the point's colour.
    first: Occurrence,
    second: Occurrence,
    more: Box<[Occurrence]>,
}

#[derive(Clone, Copy, Debug)]
struct Occurrence {
    point: u32,
    path: u128,
}

/// No point.
const NONE: Occurrence = Occurrence { point: u32::MAX, path: 0 };

/// What calls leave each other: markers of states, and of least images.
#[derive(Default)]
struct Memory {
    states: Memo,
    images: Memo,
    room: Room,
}

/// What the constants bring along.
#[derive(Debug)]
struct Base {
    colours: Vec<u128>,
    values: Vec<(u128, Value)>,
}

impl Mark {
    /// The mark of a flat value; `paths` are those of its points.
    fn new(v: &Value, place: u128, paths: Vec<(u32, u128)>, group: &Group) -> Self {
        let mut points = Vec::new();
        let label = mix::pair(place, skeleton(v, group, &mut points));
        let mut all: Vec<Occurrence> =
            points.into_iter().map(|point| Occurrence { point, path: 0 }).collect();
        for (p, path) in paths {
            if let Some(o) = all.iter_mut().find(|o| o.point == p) {
                o.path = o.path.wrapping_add(path);
            }
        }
        let mut rest = all.into_iter();
        let mut next = || rest.next().unwrap_or(NONE);
        Self { label, first: next(), second: next(), more: rest.collect() }
    }

    #[inline]
    fn each(&self, mut f: impl FnMut(&Occurrence)) {
        if self.first.point == NONE.point {
            return;
        }
        f(&self.first);
        if self.second.point == NONE.point {
            return;
        }
        f(&self.second);
        self.more.iter().for_each(f);
    }
}

impl Markers {
    /// A reducer for one run.
    #[must_use]
    pub fn new(context: &Context, rules: Rules) -> Self {
        let group = context.group();
        let places = Places::new(context);
        let reader = Reader::new(context, |var, part, out| {
            let place = places.variables.get(var).copied().unwrap_or(0);
            let (v, paths) = match part {
                Part::Whole(v) => (v, occurrences(v, place, rules, group)),
                Part::Member(v) => {
                    let alone = Value::Set(SetRef::from_vec(vec![v.clone()]));
                    (v, occurrences(&alone, place, rules, group))
                }
            };
            out.push(Mark::new(v, place, paths, group));
        });
        let certificate = match rules {
            _ if group.is_trivial() => Some(Functions::default()),
            Rules::Basic => None,
            Rules::Improved | Rules::Tree => Functions::of(context),
        };
        let sums = matches!(context.marker_hash, MarkerHash::Sums);
        let exact =
            (sums && certificate.as_ref().is_some_and(Functions::is_empty)).then(|| Exact::new(context));
        let several = |mark: &Mark| mark.second.point != NONE.point;
        let small = sums && exact.is_none() && reader.decoded().is_empty() && reader.atoms().any(several);
        let small = small.then(|| Small::new(context)).flatten();
        Self {
            context: context.clone(),
            places,
            rules,
            reader,
            constants: Cache::default(),
            certificate,
            broken: AtomicBool::new(false),
            exact,
            small,
            memories: Shelf::default(),
        }
    }

    /// Looks whether a value is the function that the certificate asks for.
    fn look(&self, v: &Value, decl: Option<&Decl>) {
        if decl.is_some_and(|d| !functional(v, &d.ty, &self.context)) {
            self.broken.store(true, Ordering::Relaxed);
        }
    }

    fn look_at_constants(&self, vector: &Vector) {
        for &i in self.certificate.iter().flat_map(|f| &f.constants) {
            if let Some(Some(v)) = vector.constants.get(i) {
                self.look(v, self.context.machine.constants.get(i));
            }
        }
    }

    /// Whether equal markers have meant symmetric states so far.
    fn complete(&self) -> bool {
        self.certificate.is_some() && !self.broken.load(Ordering::Relaxed)
    }

    fn base(&self, vector: &Vector) -> Base {
        let group = self.context.group();
        self.look_at_constants(vector);
        Base {
            colours: marker::colours(vector, &self.places, self.rules, group),
            values: vector.values(&self.places).map(|(p, v)| (p, v.clone())).collect(),
        }
    }

    fn hash(&self, state: &[u64]) -> u128 {
        let group = self.context.group();
        let number = state.first().and_then(|&w| u32::try_from(w).ok()).unwrap_or(0);
        let constants =
            self.constants.get(number, || self.base(&Vector::of_valuation(&self.context, number)));
        let decoded: Vec<(u128, Value)> = (self.reader.decoded().iter())
            .filter_map(|&(var, _)| {
                let v = self.context.layout.get(state, var, &self.context.pool)?;
                if self.certificate.as_ref().is_some_and(|f| f.variables.binary_search(&var).is_ok()) {
                    self.look(&v, self.context.machine.variables.get(var));
                }
                Some((*self.places.variables.get(var)?, v))
            })
            .collect();
        let mut colours = constants.colours.clone();
        let mut add = |point: u32, path: u128| {
            if let Some(c) = colours.get_mut(point as usize) {
                *c = c.wrapping_add(path);
            }
        };
        self.reader.each(state, |m| m.each(|o| add(o.point, o.path)));
        for (place, v) in &decoded {
            occurrences(v, *place, self.rules, group).into_iter().for_each(|(p, path)| add(p, path));
        }
        let mut sum = self.reader.plain_hash(state);
        self.reader.each(state, |m| {
            let mut h = m.label;
            m.each(|o| h = mix::pair(h, colours.get(o.point as usize).copied().unwrap_or(0)));
            sum = sum.wrapping_add(h);
        });
        for (place, v) in constants.values.iter().chain(&decoded) {
            sum = sum.wrapping_add(mix::pair(*place, marker::marked(v, &colours, group)));
        }
        mix::pair(STATE, sum)
    }
}

impl Reducer for Markers {
    fn key(&self, state: &[u64]) -> u128 {
        if let Some(exact) = &self.exact {
            return exact.key(state);
        }
        match self.context.marker_hash {
            MarkerHash::Sums => self.hash(state),
            MarkerHash::Blake3 => {
                let vector = Vector::of_state(&self.context, state);
                self.look_at_constants(&vector);
                for &i in self.certificate.iter().flat_map(|f| &f.variables) {
                    if let Some(v) = vector.variables.as_ref().and_then(|vs| vs.get(i)) {
                        self.look(v, self.context.machine.variables.get(i));
                    }
                }
                audit::marker(&vector, self.rules, self.context.group())
            }
        }
    }

    fn keys(&self, states: &[u64], width: usize, out: &mut Vec<u128>) {
        match &self.exact {
            Some(exact) => exact.keys(states, width, out),
            None => self.memories.lend(|Memory { states: met, images, room }| {
                let states = states.chunks(width);
                let Some(small) = &self.small else {
                    return out.extend(states.map(|s| met.key(s, || self.key(s))));
                };
                // All images have one marker.
                let mut key = |s: &[u64]| images.key(small.least(s, room), || self.key(s));
                if small.at_once() {
                    out.extend(states.map(key));
                } else {
                    out.extend(states.map(|s| met.key(s, || key(s))));
                }
            }),
        }
    }

    fn looks_inside(&self) -> bool {
        self.exact.is_some()
    }

    fn inside(&self, state: &[u64], twins: Option<&mut Twins>, view: &mut View) -> Inside {
        match &self.exact {
            // Markers do not count what a state stands for.
            Some(exact) => Inside { orbit: None, ..exact.inside(state, twins, view) },
            None => Inside::default(),
        }
    }

    fn keys_from(
        &self,
        targets: &[u64],
        width: usize,
        view: &mut View,
        keys: &mut Vec<u128>,
        twins: Option<&Twins>,
    ) {
        match &self.exact {
            Some(exact) => exact.keys_from(targets, width, view, keys, twins),
            None => self.keys(targets, width, keys),
        }
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        if let Some(exact) = &self.exact {
            return exact.valuation_key(valuation);
        }
        let vector = Vector::of_valuation(&self.context, valuation);
        self.look_at_constants(&vector);
        match self.context.marker_hash {
            MarkerHash::Sums => {
                mix::pair(VALUATION, marker::marker(&vector, &self.places, self.rules, self.context.group()))
            }
            MarkerHash::Blake3 => audit::marker(&vector, self.rules, self.context.group()),
        }
    }

    fn basis(&self) -> Basis {
        if self.complete() { Basis::Types } else { Basis::None }
    }

    fn memory(&self) -> Vec<u64> {
        vec![u64::from(self.broken.load(Ordering::Relaxed))]
    }

    fn recall(&self, memory: &[u64]) {
        self.broken.store(memory.first().is_some_and(|b| *b != 0), Ordering::Relaxed);
    }

    fn guarantee(&self) -> Guarantee {
        if self.complete() { Guarantee::Fingerprint } else { Guarantee::Approximate }
    }
}
