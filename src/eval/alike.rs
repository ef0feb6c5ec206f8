//! Partial valuations that are images of each other: only the first of them is gone on with.
//!
//! In: what may be permuted ([`Alike`], made by whoever knows the symmetry), the places of a plan with the values
//! bound there. Out: whether an image of them has been met at the same place. Nothing here knows permutations.
//!
//! # Why at least one solution of every orbit is found
//! Conjuncts say of an image what they say of the original, because nothing that is permuted is named. So at one
//! place (the same conjuncts left, the same unknowns bound) the solutions of alike values are images of each other.
//! Take a solution and, among the places that are gone on with, one that comes last in the order below and whose
//! values some image of the solution has. If it is no leaf, the step from it that agrees with that image leads to a
//! later place, or to one that was turned away because of a later place with an image of the same values: a
//! contradiction either way. The order: places along a branch bind more, ban more or leave fewer conjuncts, inside a
//! search they decide more cells, and alike values agree in all of these numbers.

use super::Env;
use super::bits::Bits;
use super::pattern::get;
use super::plan::Node;
use super::problem::Problem;
use crate::ty::Ty;
use crate::value::Value;
use crate::value::key::fingerprint;
use hashbrown::{HashMap, HashSet};
use std::cell::RefCell;

/// Tells which values are images of each other under permutations that change no formula.
pub trait Alike: std::fmt::Debug + Send + Sync {
    /// Whether a value of this type may differ from some image of it.
    fn moves(&self, ty: &Ty) -> bool;

    /// A hash of values at places: equal, up to a collision, exactly if one permutation takes all values to those
    /// at the same places.
    fn key(&self, values: &[(u128, Value)]) -> u128;
}

/// Most keys that are kept; beyond them nothing new is turned away.
const MOST: usize = 1 << 22;
/// Tries after which a place where next to nothing is turned away is left alone.
const PATIENCE: u32 = 1 << 12;
/// So many tries per value that is turned away are worth their while.
const WORTH: u32 = 64;

/// What has been met during one enumeration.
pub(super) struct Sieve<'a> {
    alike: &'a dyn Alike,
    problem: &'a Problem,
    /// Unknowns whose values may be permuted.
    moved: Bits,
    /// Unknowns that have values although the plan does not say so: those of parts solved before.
    held: RefCell<Bits>,
    seen: RefCell<HashSet<u128>>,
    tries: RefCell<HashMap<(u128, usize), Tries>>,
}

#[derive(Clone, Copy, Default)]
struct Tries {
    all: u32,
    hits: u32,
}

/// A place in a plan with the values that are bound there.
pub(super) struct Context {
    place: u128,
    values: Vec<(u128, Value)>,
}

impl<'a> Sieve<'a> {
    /// A sieve for the solutions of a problem; none if nothing can be permuted.
    pub(super) fn new(alike: &'a dyn Alike, problem: &'a Problem) -> Option<Self> {
        let mut moved = Bits::default();
        let unknowns = problem.unknowns.iter().enumerate();
        unknowns.filter(|(_, u)| alike.moves(&u.ty)).for_each(|(i, _)| moved.insert(i));
        (!moved.is_empty()).then(|| Self {
            alike,
            problem,
            moved,
            held: RefCell::default(),
            seen: RefCell::default(),
            tries: RefCell::default(),
        })
    }

    /// Whether values of some of these unknowns may be permuted.
    pub(super) fn moves(&self, vars: &Bits) -> bool {
        vars.iter().any(|i| self.moved.contains(i))
    }

    /// Runs `f` while more unknowns count as bound.
    pub(super) fn holding<T>(&self, vars: &Bits, f: impl FnOnce() -> T) -> T {
        let before = self.held.borrow().clone();
        self.held.borrow_mut().add_all(vars);
        let out = f();
        self.held.replace(before);
        out
    }

    /// Whether a node of a plan is the first of its kind. To be asked once its tests have passed.
    pub(super) fn admits(&self, node: &Node, env: &Env) -> bool {
        if !self.moves(&node.bound) {
            return true;
        }
        self.context(node, env).is_none_or(|c| self.first(&c, 0, Vec::new()))
    }

    /// The place of a node with its values; none if some of them cannot be compared.
    pub(super) fn context(&self, node: &Node, env: &Env) -> Option<Context> {
        let mut bound = node.bound.clone();
        bound.add_all(&self.held.borrow());
        let mut values = Vec::new();
        for i in bound.iter() {
            let v = get(env, self.problem.unknowns.get(i)?.slot)?;
            if !v.is_extension() {
                return None;
            }
            values.push((i as u128, v.clone()));
        }
        let mut bytes = Vec::new();
        let held = self.held.borrow();
        for bits in [&node.bound, &node.scope, &node.banned, &*held] {
            bits.iter().for_each(|i| bytes.extend((i as u64).to_le_bytes()));
            bytes.extend([u8::MAX; 8]);
        }
        node.rest.iter().for_each(|c| bytes.extend((*c as u64).to_le_bytes()));
        Some(Context { place: fingerprint(&bytes), values })
    }

    /// How many partial solutions have been told apart.
    pub(super) fn compared(&self) -> u64 {
        self.seen.borrow().len() as u64
    }

    /// Whether nothing alike has been met in a context: its values with further ones, at a stage of a search.
    pub(super) fn first(&self, context: &Context, stage: usize, more: Vec<(u128, Value)>) -> bool {
        let mut tries = self.tries.borrow_mut();
        let tries = tries.entry((context.place, stage)).or_default();
        if tries.all >= PATIENCE && tries.hits < tries.all / WORTH {
            return true;
        }
        let values: Vec<(u128, Value)> = context.values.iter().cloned().chain(more).collect();
        let mut bytes = context.place.to_le_bytes().to_vec();
        bytes.extend((stage as u64).to_le_bytes());
        bytes.extend(self.alike.key(&values).to_le_bytes());
        let key = fingerprint(&bytes);
        let mut seen = self.seen.borrow_mut();
        let new = if seen.len() < MOST { seen.insert(key) } else { !seen.contains(&key) };
        tries.all = tries.all.saturating_add(1);
        tries.hits = tries.hits.saturating_add(u32::from(!new));
        new
    }
}
