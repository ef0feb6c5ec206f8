//! Small groups: the least image of a packed state under all permutations, from tables.
//!
//! In: where the bits of points are in a state. Out: the least image, the number of permutations that leave a state as it
//! is, elements that can be exchanged in it. Of a field, some bits at a time say under each permutation where they go;
//! an image is the union of that, for all permutations side by side. That costs less than to find names for a few
//! points, which is what a canonical form does otherwise.
//!
//! Only for variables whose bits or index stand in one word, and constants without points: others are left to `exact`.

use super::dense::{has_inner_set, has_points};
use super::facts::skeleton;
use super::lanes::{Piece, Table};
use super::{Context, Count};
use crate::layout::{Dense, Field, Layout};
use crate::model::Twins;
use crate::ty::SetId;
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// More permutations are not gone through for every state.
const MOST: usize = 128;

/// Bits that are looked up at once.
const AT_ONCE: u32 = 6;

/// An index of more bits is not looked up.
const INDEX: u32 = 8;

/// Images in all tables: half a megabyte, which stays in a cache.
const ROOM: usize = 1 << 16;

/// The images of packed states.
pub(super) struct Small {
    order: usize,
    /// Images of the points under one permutation after the other.
    points: Vec<Vec<u32>>,
    words: Vec<Word>,
    /// For two points of one set, ascending, the permutation that exchanges these alone.
    exchanges: Vec<(u32, u32, usize)>,
}

/// A word with bits that move.
struct Word {
    at: usize,
    /// The bits that move, and the lowest of them.
    mask: u64,
    low: u32,
    table: Table,
}

/// Memory for one state after the other.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// Images of what moves in one word.
    images: Vec<u64>,
    /// Permutations under which the words so far are least.
    least: Vec<usize>,
    /// The least image.
    state: Vec<u64>,
}

impl Small {
    /// Tables for the states of a layout, if the group is small and all that moves can be looked up.
    pub(super) fn new(context: &Context) -> Option<Self> {
        let (machine, group) = (&*context.machine, context.group());
        let order = match group.order() {
            Count::Small(n) => usize::try_from(*n).ok().filter(|n| *n <= MOST)?,
            Count::Large(_) => return None,
        };
        if machine.constants.iter().any(|c| has_points(&c.ty, group, machine)) || context.leaves_valuations()
        {
            return None;
        }
        let mut points = Vec::with_capacity(order);
        let _all = group.each(&mut |images| {
            points.push(images.to_vec());
            ControlFlow::Continue(())
        });
        let mut small = Self { order, points, words: Vec::new(), exchanges: Vec::new() };
        let mut words: BTreeMap<usize, (u64, Vec<Piece>)> = BTreeMap::new();
        for field in context.layout.fields.iter().filter(|f| has_points(&f.ty, group, machine)) {
            let (d, index) = match &field.layout {
                Layout::Bits(d) if !has_inner_set(field.ty.elem()?, group, machine) => (d, false),
                Layout::Index(d) if !has_inner_set(&field.ty, group, machine) => (d, true),
                _ => return None,
            };
            small.field(context, field, d, index, &mut words)?;
        }
        small.words =
            words.into_iter().map(|(at, (mask, pieces))| Word::new(at, mask, pieces, order)).collect();
        small.exchanges = small.exchanges(context);
        Some(small)
    }

    /// Adds what moves in a field to its word: the bits, and their images.
    fn field(
        &self,
        context: &Context,
        field: &Field,
        d: &Dense,
        index: bool,
        words: &mut BTreeMap<usize, (u64, Vec<Piece>)>,
    ) -> Option<()> {
        let bits = field.layout.bits();
        if bits == 0 {
            return Some(());
        }
        if bits > if index { INDEX } else { u64::BITS } {
            return None;
        }
        let (mask, pieces) = words.entry(field.word as usize).or_default();
        *mask |= u64::MAX >> (u64::BITS - bits) << field.shift;
        let moves = self.moves(context, d)?;
        if index {
            pieces.push(self.index(field.shift, bits, &moves));
        } else {
            let parts = (0..bits).step_by(AT_ONCE as usize);
            pieces.extend(parts.map(|low| self.bits(field.shift, low, (bits - low).min(AT_ONCE), &moves)));
        }
        let all = words.values().flat_map(|(_, pieces)| pieces);
        (all.map(|p| p.images.len()).sum::<usize>() <= ROOM).then_some(())
    }

    /// For each value of a dense type its images under all permutations.
    fn moves(&self, context: &Context, d: &Dense) -> Option<Vec<Vec<u32>>> {
        let group = context.group();
        let mut numbers: HashMap<(u128, Vec<u32>), u32> = HashMap::new();
        let mut values = Vec::new();
        for i in 0..d.size {
            let mut points = Vec::new();
            let shape = skeleton(&d.value(i), group, &mut points);
            numbers.insert((shape, points.clone()), i);
            values.push((shape, points));
        }
        // Points are never in other numbers of values: each has its image among them.
        let image = |(shape, of): &(u128, Vec<u32>), points: &[u32]| {
            let moved = of.iter().map(|&p| points.get(p as usize).copied()).collect::<Option<Vec<u32>>>()?;
            numbers.get(&(*shape, moved)).copied()
        };
        values.iter().map(|v| self.points.iter().map(|points| image(v, points)).collect()).collect()
    }

    fn index(&self, shift: u32, bits: u32, moves: &[Vec<u32>]) -> Piece {
        let mut images = vec![0; self.order << bits];
        for (row, moves) in images.chunks_mut(self.order).zip(moves) {
            for (slot, &image) in row.iter_mut().zip(moves) {
                *slot = u64::from(image) << shift;
            }
        }
        Piece { shift, mask: u64::MAX >> (u64::BITS - bits), images }
    }

    /// Bits of a set from one on.
    fn bits(&self, shift: u32, low: u32, bits: u32, moves: &[Vec<u32>]) -> Piece {
        let mut images: Vec<u64> = vec![0; self.order << bits];
        for value in 1usize..1 << bits {
            let (before, here) = images.split_at_mut(value * self.order);
            let rest = (value & (value - 1)) * self.order;
            let rest = before.get(rest..rest + self.order).unwrap_or_default();
            let bit = low as usize + value.trailing_zeros() as usize;
            let moves = moves.get(bit).map_or(&[][..], Vec::as_slice);
            for ((slot, rest), &image) in here.iter_mut().zip(rest).zip(moves) {
                *slot = rest | 1 << (shift + image);
            }
        }
        Piece { shift: shift + low, mask: u64::MAX >> (u64::BITS - bits), images }
    }

    fn exchanges(&self, context: &Context) -> Vec<(u32, u32, usize)> {
        let mut all = Vec::new();
        for cell in context.group().cells() {
            let points = cell.first..cell.first + super::core::len(&cell.elements);
            for q in points.clone() {
                for p in cell.first..q {
                    let image = |x: u32| {
                        if x == p {
                            q
                        } else if x == q {
                            p
                        } else {
                            x
                        }
                    };
                    let found = self.points.iter().position(|i| (0..).zip(i).all(|(x, &i)| i == image(x)));
                    all.extend(found.map(|n| (p, q, n)));
                }
            }
        }
        all
    }

    /// Whether a least image takes no longer than to remember it.
    pub(super) fn at_once(&self) -> bool {
        self.words.len() == 1
    }

    /// The least image of a state.
    #[inline]
    pub(super) fn least<'r>(&self, state: &[u64], room: &'r mut Room) -> &'r [u64] {
        let [word] = &*self.words else { return self.least_of(state, None, room).0 };
        let image = &mut room.state;
        image.clear();
        image.extend_from_slice(state);
        if let Some(slot) = image.get_mut(word.at) {
            *slot = word.with(*slot, word.table.least(word.moving(*slot), self.order));
        }
        image
    }

    /// How many permutations leave a state as it is.
    pub(super) fn stabiliser(&self, state: &[u64], room: &mut Room) -> usize {
        let [word] = &*self.words else { return self.least_of(state, None, room).1 };
        let moving = word.moving(state.get(word.at).copied().unwrap_or(0));
        word.table.stabiliser(moving, self.order)
    }

    /// The least image under the permutations of a list, which are to be a group, or all of them; and how many give it: as many
    /// leave the state as it is.
    pub(super) fn least_of<'r>(
        &self,
        state: &[u64],
        group: Option<&[usize]>,
        room: &'r mut Room,
    ) -> (&'r [u64], usize) {
        let Room { images, least, state: image } = room;
        image.clear();
        image.extend_from_slice(state);
        least.clear();
        match group {
            Some(group) => least.extend_from_slice(group),
            None => least.extend(0..self.order),
        }
        for w in &self.words {
            let Some(slot) = image.get_mut(w.at) else { continue };
            w.table.images(w.moving(*slot), self.order, images);
            let of = |g: &usize| images.get(*g).copied().unwrap_or(u64::MAX);
            let Some(value) = least.iter().map(of).min() else { continue };
            least.retain(|g| of(g) == value);
            *slot = w.with(*slot, value);
        }
        (image, least.len())
    }

    /// The number of permutations.
    pub(super) fn order(&self) -> usize {
        self.order
    }

    /// Calls `f` on each class of points any permutation of which leaves a state as it is, ascending: at least two.
    pub(super) fn alike(&self, state: &[u64], f: &mut dyn FnMut(&[u32])) {
        let mut classes: Vec<Vec<u32>> = Vec::new();
        let mut placed = None;
        for &(p, q, g) in &self.exchanges {
            if placed == Some(q) || !self.fixes(g, state) {
                continue;
            }
            // The first one found is the least of the class: exchanges of points alike are transitive.
            placed = Some(q);
            match classes.iter_mut().find(|c| c.first() == Some(&p)) {
                Some(class) => class.push(q),
                None => classes.push(vec![p, q]),
            }
        }
        classes.iter().for_each(|c| f(c));
    }

    fn fixes(&self, permutation: usize, state: &[u64]) -> bool {
        self.words.iter().all(|w| {
            let moving = state.get(w.at).map(|word| w.moving(*word));
            moving.is_none_or(|m| w.table.image(m, self.order, permutation) == m)
        })
    }

    /// The permutations that take every element to one of its class of twins.
    pub(super) fn within(&self, points: &[(SetId, u32)], twins: &Twins) -> Vec<usize> {
        let least = |&(set, e): &(SetId, u32)| (set, twins.least(set, e));
        let classes: Vec<(SetId, u32)> = points.iter().map(least).collect();
        let keeps = |images: &Vec<u32>| {
            images.iter().zip(&classes).all(|(&image, class)| classes.get(image as usize) == Some(class))
        };
        (0..).zip(&self.points).filter(|(_, images)| keeps(images)).map(|(g, _)| g).collect()
    }
}

impl Word {
    fn new(at: usize, mask: u64, mut pieces: Vec<Piece>, order: usize) -> Self {
        let low = mask.trailing_zeros() % u64::BITS;
        for piece in &mut pieces {
            piece.shift -= low;
            piece.images.iter_mut().for_each(|image| *image >>= low);
        }
        Self { at, mask, low, table: Table::new(pieces, u64::BITS - (mask >> low).leading_zeros(), order) }
    }

    /// What moves of a word.
    #[inline]
    fn moving(&self, word: u64) -> u64 {
        (word & self.mask) >> self.low
    }

    /// The word with an image of what moves.
    #[inline]
    fn with(&self, word: u64, image: u64) -> u64 {
        word & !self.mask | image << self.low
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact::Exact;
    use super::super::tests::{Toy, random, rng};
    use super::super::vector::{Places, Vector};
    use super::super::{Basis, Reducer, View};
    use super::*;
    use crate::ty::Ty;
    use crate::value::Value;
    use crate::value::permute::Permutation;
    use proptest::prelude::RngExt;
    use std::collections::HashSet;

    /// A random toy of relations between few elements, with some states and an image of each.
    fn case(seed: u64) -> (Toy, Vec<Vec<u64>>) {
        let mut rng = rng(seed);
        let n = rng.random_range(2..6u32);
        let card = [n, if n == 5 { 1 } else { rng.random_range(1..3) }];
        let (d, e) = (Ty::Given(SetId(0)), Ty::Given(SetId(1)));
        let relation = || Ty::rel(d.clone(), d.clone());
        let all = [relation(), Ty::rel(e.clone(), d.clone()), Ty::pow(d.clone()), d.clone(), Ty::Bool];
        let more = (0..rng.random_range(0..4u32)).map(|_| all[rng.random_range(0..all.len())].clone());
        let variables: Vec<Ty> = std::iter::once(relation()).chain(more.collect::<Vec<_>>()).collect();
        let toy = Toy::new(&card, &[], &variables, &[]);
        let permutations = toy.permutations();
        let mut states = Vec::new();
        for _ in 0..12 {
            let values: Vec<Value> = variables.iter().map(|t| random(t, &card, &mut rng)).collect();
            let p = &permutations[rng.random_range(0..permutations.len())];
            states.push(toy.state(&[], &values));
            states.push(toy.state(&[], &values.iter().map(|v| p.apply(v)).collect::<Vec<_>>()));
        }
        (toy, states)
    }

    /// Least images and names put the same states together and count the same orbits, and what twins allow leaves a
    /// state as it is.
    #[test]
    fn images_agree_with_names() {
        let mut by_twins = 0;
        for seed in 0..60 {
            let (toy, states) = case(seed);
            let context = &toy.context;
            let (listed, named) = (Exact::new(context), Exact::by_names(context));
            assert_eq!(listed.basis(), Basis::Enumeration);
            let places = Places::new(context);
            let permutations = toy.permutations();
            let mut names = HashMap::new();
            for state in &states {
                let name = named.key(state);
                assert_eq!(*names.entry(listed.key(state)).or_insert(name), name);
                assert_eq!(listed.orbit_size(state), named.orbit_size(state));
                let Some(mut twins) = Twins::for_sets([SetId(0), SetId(1)], &context.world) else { continue };
                listed.inside(state, Some(&mut twins), &mut View::default());
                let least = |(s, e)| (s, twins.least(s, e));
                let keeps = |p: &&Permutation| {
                    context.group().points().iter().all(|&(s, e)| least((s, p.image(s, e))) == least((s, e)))
                };
                let vector = Vector::of_state(context, state);
                for p in permutations.iter().filter(keeps).skip(1) {
                    by_twins += 1;
                    assert_eq!(vector.permuted(p).fingerprint(&places), vector.fingerprint(&places));
                }
            }
            assert_eq!(names.values().collect::<HashSet<_>>().len(), names.len());
        }
        assert!(by_twins > 100, "{by_twins}");
    }
}
