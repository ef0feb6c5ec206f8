//! The exact reducer: one key per orbit, at the price of a marker wherever possible.
//!
//! In: a packed state. Out: a hash of its facts (`facts`) under canonical names (`search`). Facts about
//! single points make their colours; points without other facts count as a multiset of colours, which needs
//! no names. Only the others go through refinement and, where that does not decide, through the search. So
//! states without facts about several points cost what their marker costs. Where there may be such facts and the group is
//! small, nothing has names: the least image counts (`small`). So it is where the constants say something of several
//! points and leave a small group (`residual`): what they say is looked at once, not in every state.
//!
//! Every way gives a complete invariant (symmetry.md 4.1): equal keys mean symmetric states, up to a
//! collision of 128-bit hashes.

use super::apart::Apart;
use super::cache::Known;
use super::certificate::{self, Functions};
use super::classes::Classes;
use super::core::Core;
use super::counts::{Counts, Went};
use super::dense::{Part, Reader};
use super::facts::{Atom, Facts};
use super::labellings::{Desk, Labellings};
use super::memo::{Memo, Shelf};
use super::near::{Near, Reading};
use super::residual::Residual;
use super::search::canonical;
use super::settle::Way;
use super::small::{Room, Small};
use super::vector::{Places, STATE, VALUATION, Vector};
use super::view::View;
use super::{Basis, Cache, Context, Count, Guarantee, Inside, Reducer, mix, orbit};
use crate::ir::Decl;
use crate::model::{Twins, UNWEIGHED};
use crate::ty::SetId;
use hashbrown::HashSet;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exact reducer.
pub struct Exact {
    context: Context,
    places: Places,
    /// A hash of its set for each point.
    first: Vec<u128>,
    /// Facts of the variables, read off the words.
    reader: Reader<Atom>,
    /// The same by number, if keys may be made from residual groups and nothing has to be decoded.
    numbered: Option<Reader<u32>>,
    /// Facts of the constants, by valuation.
    constants: Cache<Facts>,
    /// What constants leave of the group, by valuation.
    residuals: Cache<Residual>,
    /// Whether keys may be made from that.
    by_residual: bool,
    /// Whether states were left to [`Apart`].
    apart: AtomicBool,
    counts: Counts,
    /// Whether there may be facts about several points.
    relational: bool,
    /// Images of states, where they are few.
    small: Option<Small>,
    memories: Shelf<Memory>,
    /// Where images of a valuation need not be valuations (`None` otherwise): how many are.
    classes: Option<OnceLock<Classes>>,
    /// There, by valuation, the size of its orbit and how many valuations its class has.
    valuations: Cache<Option<(Count, Count)>>,
}

/// A state that differs in more points than this had better be the one that others are compared with.
const CLOSE: usize = 4;
/// It may become so once this many states have been compared with the last one.
const OFTEN: u32 = 16;

/// Where permutations are so few, twins are not looked for: passing over their edges would save little, and takes code of
/// its own, which would have to be compiled besides the other.
const FEW: usize = 24;

/// How keys of states are made under a valuation of the constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// Nothing moves.
    Alone,
    /// From the least of so many images.
    Images(usize),
    /// From names that are found in each state.
    Names,
}

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alone => f.write_str("every state is the only one of its orbit under these constants"),
            Self::Images(n) => write!(f, "of each state the least of {n} images counts"),
            Self::Names => f.write_str("in each state its elements are named"),
        }
    }
}

/// What calls leave each other.
#[derive(Default)]
struct Memory {
    memo: Memo,
    room: Room,
    desk: Desk,
}

/// States that follow each other, compared with one of them.
#[derive(Default)]
struct Series {
    near: Near,
    /// The sum of that one, if nothing is said there of several points.
    sum: u128,
    /// How many have been compared with it.
    used: u32,
}

impl Exact {
    /// A reducer for one run.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        let mut exact = Self::by_names(context);
        exact.small = exact.relational.then(|| Small::new(context)).flatten();
        let says_more =
            |c: &Decl| certificate::single(&c.ty, context.group(), &context.machine) != Some(false);
        let several = exact.relational || context.machine.constants.iter().any(says_more);
        exact.by_residual = several && exact.small.is_none();
        let numbered = exact.by_residual && exact.reader.decoded().is_empty();
        exact.numbered = numbered.then(|| exact.reader.numbered());
        exact
    }

    /// The same without tables of images and of labellings.
    pub(super) fn by_names(context: &Context) -> Self {
        let group = context.group();
        let places = Places::new(context);
        let reader = Reader::new(context, |var, part, out| {
            let place = places.variables.get(var).copied().unwrap_or(0);
            match part {
                Part::Member(v) => out.push(Facts::member(v, place, group)),
                Part::Whole(v) => out.extend(Facts::atoms(v, place, group)),
            }
        });
        let first = group.points().iter().map(|(s, _)| mix::mix(u128::from(s.0))).collect();
        let several = |atom: &Atom| matches!(atom, Atom::Edge { .. } | Atom::Wide(_));
        Self {
            context: context.clone(),
            places,
            first,
            relational: !reader.decoded().is_empty() || reader.atoms().any(several),
            small: None,
            memories: Shelf::default(),
            reader,
            numbered: None,
            constants: Cache::default(),
            residuals: Cache::default(),
            by_residual: false,
            apart: AtomicBool::new(false),
            counts: Counts::default(),
            classes: context.leaves_valuations().then(OnceLock::new),
            valuations: Cache::default(),
        }
    }

    /// The facts of a constants valuation.
    fn constants(&self, valuation: u32) -> Known<'_, Facts> {
        self.constants.get(valuation, || {
            let vector = Vector::of_valuation(&self.context, valuation);
            Facts::of(&vector, &self.places, self.context.group())
        })
    }

    /// What a valuation leaves of the group.
    fn residual(&self, valuation: u32) -> Known<'_, Residual> {
        self.residuals.get(valuation, || {
            let (facts, colours) = self.about(valuation);
            let several = self.relational || !facts.is_unary();
            let read: Option<Vec<&Atom>> = self.numbered.as_ref().map(|_| self.reader.atoms().collect());
            Residual::new(&self.context, valuation, &facts, &colours, several, read.as_deref())
        })
    }

    /// The size of every orbit, if all are of one size, nothing moves under any of these valuations, and none is an image of
    /// another.
    fn apart(&self, valuations: &[u32]) -> Option<Count> {
        if self.context.machine.constants.is_empty() || self.small.is_some() {
            return None;
        }
        let (mut forms, mut orbits) = (HashSet::new(), Vec::new());
        for &v in valuations {
            let residual = self.residual(v);
            if !residual.is_trivial() || !forms.insert(residual.form) {
                return None;
            }
            orbits.push(self.among_valuations(&[v.into()], self.context.group().order().clone())?);
        }
        orbits.dedup();
        orbits.pop().filter(|_| orbits.is_empty())
    }

    /// How keys are made under a valuation.
    pub(super) fn keys_under(&self, valuation: u32) -> Keys {
        let residual = self.residual(valuation);
        match (&self.small, &residual.labellings) {
            _ if residual.is_trivial() => Keys::Alone,
            (Some(small), _) => Keys::Images(small.order()),
            (None, Some(labellings)) if self.by_residual => Keys::Images(labellings.count()),
            _ => Keys::Names,
        }
    }

    /// The facts of a constants valuation, and first colours of all points.
    pub(super) fn about(&self, valuation: u32) -> (Known<'_, Facts>, Vec<u128>) {
        let facts = self.constants(valuation);
        let colours = self.colours(&facts);
        (facts, colours)
    }

    /// The key of a state from the labellings of its valuation, if they are listed, and how many permutations leave
    /// the state as it is.
    fn labelled(&self, state: &[u64], desk: &mut Desk) -> Option<(u128, usize)> {
        if !self.by_residual {
            return None;
        }
        let residual = self.residual(valuation(state));
        let labellings: &Labellings = residual.labellings.as_ref()?;
        if let Some((sums, reader)) = labellings.sums().zip(self.numbered.as_ref()) {
            let each = |f: &mut dyn FnMut(u32)| reader.each(state, |n| f(*n));
            let (least, count) = sums.least(each, &mut desk.sums);
            let all = least.wrapping_add(self.reader.plain_hash(state));
            return Some((mix::pair(mix::pair(STATE, residual.form), all), count));
        }
        desk.facts.restart(&Facts::default());
        desk.facts.colours.resize(self.first.len(), 0);
        self.read_variables(state, &mut desk.facts);
        let (least, count) = labellings.least(desk);
        Some((mix::pair(mix::pair(STATE, residual.form), least), count))
    }

    /// All facts of a state.
    fn facts(&self, state: &[u64]) -> Facts {
        let mut facts = Facts::default();
        self.read(state, &mut facts);
        facts
    }

    /// Replaces facts by all those of a state.
    fn read(&self, state: &[u64], facts: &mut Facts) {
        if self.context.machine.constants.is_empty() {
            facts.restart(&Facts::default());
            facts.colours.resize(self.first.len(), 0);
        } else {
            facts.restart(&self.constants(valuation(state)));
        }
        self.read_variables(state, facts);
    }

    /// Adds what is said of the variables.
    fn read_variables(&self, state: &[u64], facts: &mut Facts) {
        facts.fixed = facts.fixed.wrapping_add(self.reader.plain_hash(state));
        self.reader.each(state, |atom| facts.add_atom(atom));
        for &(var, _) in self.reader.decoded() {
            if let (Some(v), Some(&place)) =
                (self.context.layout.get(state, var, &self.context.pool), self.places.variables.get(var))
            {
                facts.read(&v, place, self.context.group());
            }
        }
    }

    /// Calls `f` with how states are read, for comparing them with one.
    pub(super) fn reading<R>(&self, f: impl FnOnce(&Reading<'_>) -> R) -> R {
        let decode = |state: &[u64], var: usize| self.decode(state, var);
        f(&Reading { reader: &self.reader, first: &self.first, decode: &decode })
    }

    /// A state to compute keys of others from.
    #[cfg(test)]
    pub(super) fn near(&self, state: &[u64]) -> Near {
        let mut near = Near::default();
        near.take(state, |facts| self.read(state, facts));
        near
    }

    /// The facts about a variable that has to be decoded.
    fn decode(&self, state: &[u64], var: usize) -> Option<Vec<Atom>> {
        let v = self.context.layout.get(state, var, &self.context.pool)?;
        Some(Facts::atoms(&v, *self.places.variables.get(var)?, self.context.group()))
    }

    /// First colours of all points: what is said of each alone, and its set.
    fn colours(&self, facts: &Facts) -> Vec<u128> {
        self.each_colour(facts).collect()
    }

    pub(super) fn each_colour(&self, facts: &Facts) -> impl Iterator<Item = u128> {
        facts.colours.iter().zip(&self.first).map(|(&c, &f)| mix::pair(c, f))
    }

    /// The size of the orbit of facts, and how the names were found; classes of twins on the way.
    fn size(&self, facts: &Facts, class: orbit::Class<'_>) -> (Count, Option<Way>) {
        let colours = self.colours(facts);
        let core = if facts.is_unary() { Core::default() } else { Core::of(facts, &colours) };
        orbit::size(&core, &colours, self.context.group(), class)
    }

    /// How many valuations there are of each class, where images of one need not be valuations.
    fn classes(&self) -> Option<&Classes> {
        Some(self.classes.as_ref()?.get_or_init(|| {
            Classes::of(&self.context, &self.places, &|n| self.facts_hash(&self.constants(n)))
        }))
    }

    /// The size of the orbit of a state, if it is `size` when images of its valuation count whether or not they are
    /// valuations.
    fn among_valuations(&self, state: &[u64], size: Count) -> Option<Count> {
        let Some(classes) = self.classes() else { return Some(size) };
        // The images with the constants of this valuation, and as many with those of each other one of its class.
        let valuation = valuation(state);
        let counts = self.valuations.get(valuation, || {
            let constants = self.constants(valuation);
            Some((self.size(&constants, &mut |_| {}).0, classes.size(self.facts_hash(&constants))?))
        });
        let (own, all) = counts.as_ref()?;
        Some(size / own * all)
    }

    /// The key of a state under permutations of twins alone, and how many images it has, from all that is said of it.
    fn images_of(&self, state: &[u64], twins: &Twins) -> (u128, u64) {
        let group = self.context.group();
        let facts = self.facts(state);
        // A point may go to those of its class only. Keys are compared within one state, so numbers may name classes.
        let least = |&(set, e): &(SetId, u32)| group.point(set, twins.least(set, e)).unwrap_or(0);
        let classes: Vec<u32> = group.points().iter().map(least).collect();
        let colours = self.each_colour(&facts).zip(&classes);
        let colours: Vec<u128> = colours.map(|(c, &class)| mix::pair(c, u128::from(class))).collect();
        let core = if facts.is_unary() { Core::default() } else { Core::of(&facts, &colours) };
        let mut sizes = vec![0usize; classes.len()];
        classes.iter().for_each(|&c| sizes.iter_mut().skip(c as usize).take(1).for_each(|n| *n += 1));
        let all: Count = sizes.into_iter().filter(|n| *n > 1).map(|n| group.factorial(n)).product();
        let images = match all / &orbit::stabiliser(&core, &colours, group, &mut |_| {}).0 {
            Count::Small(n) => u64::try_from(n).ok(),
            Count::Large(_) => None,
        };
        (named(&facts, &colours), images.unwrap_or(UNWEIGHED - 1))
    }

    /// The key of a state from its least image.
    fn listed(&self, small: &Small, state: &[u64], room: &mut Room) -> u128 {
        let constants = if self.context.machine.constants.is_empty() {
            0
        } else {
            self.constants(valuation(state)).fixed
        };
        let least = small.least(state, room);
        mix::words(mix::pair(STATE, constants), least.get(1..).unwrap_or_default())
    }

    /// The key of the next state of a series.
    fn next(&self, how: &Reading<'_>, series: &mut Series, state: &[u64]) -> u128 {
        let Series { near, sum, used } = series;
        *used = used.saturating_add(1);
        let close = near.compare(how, state);
        // The successors of the next state are nearer to each other than to what came before.
        if !close || near.touched() > CLOSE && *used > OFTEN {
            near.take(state, |facts| self.read(state, facts));
            if !near.facts().is_unary() {
                return mix::pair(STATE, self.facts_hash(near.facts()));
            }
            (*sum, *used) = (near.sum(how, self.each_colour(near.facts())), 0);
            near.compare(how, state);
        }
        mix::pair(STATE, mix::mix(near.changed_sum(*sum)))
    }

    /// As [`Reducer::keys_from`], from least images.
    fn listed_from(
        &self,
        small: &Small,
        targets: std::slice::Chunks<'_, u64>,
        keys: &mut Vec<u128>,
        twins: Option<&Twins>,
        under: &mut Vec<(u128, u64)>,
    ) {
        self.memories.lend(|Memory { memo, room, .. }| {
            let mut key = |t: &[u64]| self.listed(small, t, room);
            if small.at_once() {
                keys.extend(targets.clone().map(key));
            } else {
                keys.extend(targets.clone().map(|t| memo.key(t, || key(t))));
            }
            let Some(twins) = twins else { return };
            let group = small.within(self.context.group().points(), twins);
            under.extend(targets.map(|t| {
                let (least, stabiliser) = small.least_of(t, Some(&group), room);
                (mix::words(0, least), (group.len() / stabiliser.max(1)) as u64)
            }));
        });
    }

    /// The hash of facts under canonical names.
    fn facts_hash(&self, facts: &Facts) -> u128 {
        named(facts, &self.colours(facts))
    }
}

/// The hash of facts under canonical names; `colours` are the first colours of all points.
pub(super) fn named(facts: &Facts, colours: &[u128]) -> u128 {
    // Points of the core are counted, too: their colours are part of it, and the sum stays a function of
    // the orbit.
    let sum = colours.iter().fold(facts.fixed, |h, &c| h.wrapping_add(c));
    if facts.is_unary() {
        return mix::mix(sum);
    }
    mix::pair(canonical(&Core::of(facts, colours)), sum)
}

/// The number of the valuation of a state.
fn valuation(state: &[u64]) -> u32 {
    state.first().and_then(|&w| u32::try_from(w).ok()).unwrap_or(0)
}

impl Reducer for Exact {
    fn key(&self, state: &[u64]) -> u128 {
        self.memories.lend(|Memory { room, desk, .. }| {
            if let Some(small) = &self.small {
                return self.listed(small, state, room);
            }
            let named = || mix::pair(STATE, self.facts_hash(&self.facts(state)));
            self.labelled(state, desk).map_or_else(named, |(key, _)| key)
        })
    }

    fn keys(&self, states: &[u64], width: usize, out: &mut Vec<u128>) {
        let states = states.chunks(width);
        if let Some(small) = &self.small {
            return self.listed_from(small, states, out, None, &mut Vec::new());
        }
        // Successors of one state follow each other and differ in little.
        let mut series = Series::default();
        self.reading(|how| {
            if !self.relational && !self.by_residual {
                return out.extend(states.map(|s| self.next(how, &mut series, s)));
            }
            self.memories.lend(|Memory { memo, desk, .. }| {
                let mut key = |s: &[u64]| {
                    let labelled = self.labelled(s, desk);
                    labelled.map_or_else(|| self.next(how, &mut series, s), |(key, _)| key)
                };
                out.extend(states.map(|s| memo.key(s, || key(s))));
            });
        });
    }

    fn settled(&self, valuations: &[u32]) -> Option<Box<dyn Reducer>> {
        let orbit = self.apart(valuations)?;
        self.apart.store(true, Ordering::Relaxed);
        Some(Box::new(Apart::new(&self.context, valuations, orbit)))
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        mix::pair(VALUATION, self.facts_hash(&self.constants(valuation)))
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }

    fn orbit_size(&self, state: &[u64]) -> Option<Count> {
        self.inside(state, None, &mut View::default()).orbit
    }

    fn looks_inside(&self) -> bool {
        true
    }

    fn inside(&self, state: &[u64], mut twins: Option<&mut Twins>, view: &mut View) -> Inside {
        let points = self.context.group().points();
        view.images.clear();
        let mut found = false;
        let mut class = |class: &[u32]| {
            let element = |p: &u32| points.get(*p as usize).copied().unwrap_or((SetId(0), u32::MAX));
            let Some((twins, (set, _))) = twins.as_mut().zip(class.first().map(element)) else {
                return false;
            };
            let matters = twins.class(set, class.iter().map(|p| element(p).1));
            found |= matters;
            matters
        };
        if let Some(small) = &self.small {
            let stabiliser = small.stabiliser(state, &mut view.room);
            if stabiliser > 1 && small.order() > FEW {
                small.alike(state, &mut |points| {
                    class(points);
                });
            }
            self.counts.add(Went::Images);
            return Inside { orbit: Some(Count::from(small.order() / stabiliser.max(1))), twins: found };
        }
        if let Some((_, stabiliser)) = self.labelled(state, &mut view.desk) {
            self.counts.add(Went::Residual);
            let size = self.context.group().order().clone() / &Count::from(stabiliser);
            return Inside { orbit: self.among_valuations(state, size), twins: false };
        }
        view.near.take(state, |facts| self.read(state, facts));
        let (size, way) = if view.near.facts().is_unary() {
            view.colours.clear();
            view.colours.extend(self.each_colour(view.near.facts()));
            (view.alone(self.context.group(), &mut class), None)
        } else {
            self.size(view.near.facts(), &mut |points| {
                class(points);
            })
        };
        self.counts.add(way.into());
        Inside { orbit: self.among_valuations(state, size), twins: found }
    }

    fn keys_from(
        &self,
        targets: &[u64],
        width: usize,
        view: &mut View,
        keys: &mut Vec<u128>,
        twins: Option<&Twins>,
    ) {
        if let Some(small) = &self.small {
            return self.listed_from(small, targets.chunks(width), keys, twins, &mut view.images);
        }
        let labelled = |s: &[u64]| self.by_residual && self.residual(valuation(s)).labellings.is_some();
        if targets.chunks(width).next().is_some_and(labelled) || !view.near.facts().is_unary() {
            if let Some(twins) = twins {
                view.images.extend(targets.chunks(width).map(|t| self.images_of(t, twins)));
            }
            return self.keys(targets, width, keys);
        }
        self.reading(|how| {
            let sum = view.near.sum(how, view.colours.iter().copied());
            for target in targets.chunks(width) {
                let close = view.near.compare(how, target);
                keys.push(if close {
                    mix::pair(STATE, mix::mix(view.near.changed_sum(sum)))
                } else {
                    self.key(target)
                });
                if let Some(twins) = twins {
                    let images = if close { view.images_of_last() } else { self.images_of(target, twins) };
                    view.images.push(images);
                }
            }
        });
    }

    fn valuation_orbit_size(&self, valuation: u32) -> Option<Count> {
        if self.context.machine.constants.is_empty() {
            return Some(Count::ONE);
        }
        let constants = self.constants(valuation);
        match self.classes() {
            Some(classes) => classes.size(self.facts_hash(&constants)),
            None => Some(self.size(&constants, &mut |_| {}).0),
        }
    }

    fn basis(&self) -> Basis {
        if self.small.is_some() {
            return Basis::Enumeration;
        }
        if self.apart.load(Ordering::Relaxed) {
            return Basis::Equality;
        }
        let no_functions = Functions::of(&self.context).map(|f| f.is_empty());
        self.counts.basis(no_functions)
    }

    fn memory(&self) -> Vec<u64> {
        self.counts.all()
    }

    fn recall(&self, memory: &[u64]) {
        self.counts.set(memory);
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        if self.small.is_some() { self.counts.of_images() } else { self.counts.of_names() }
    }
}
