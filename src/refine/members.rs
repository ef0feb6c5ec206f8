//! Sets of states of the refined machine beside the variables of the refinement: how they are stored, and how they are shown.
//!
//! In: the machine that holds both. Out: layouts of states with all that the refined machine can be in (its members), and the way
//! there and back. Mostly there is one member, and its values are stored in the places of the refined machine's variables, so
//! that layout, symmetry and compiled code find them where they are in the pairs. Several are a set of tuples in a
//! place of its own; then the others hold what no renaming changes: no values. A variable whose type has no such value
//! is stored as the set of its values, which is empty there. Siblings: `traces`, `positions` (whose states these are).

use super::glue::Vars;
use super::joint::JointSystem;
use crate::ir::{Decl, Formula, Machine, Routine, Subst, SubstKind};
use crate::layout::{Hull, Layout, Pool, StateLayout};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The words of a state of both machines in which all but the refined machine's bits are 0.
pub(super) type Member = Box<[u64]>;

/// How states with their members are stored.
#[derive(Debug)]
pub(super) struct Members {
    /// The places of the refined machine's variables.
    pub(super) slots: Vec<usize>,
    /// The layout of states of both machines, and its bits that are the refined machine's.
    inner: Arc<StateLayout>,
    refined_bits: Vec<u64>,
    /// The layout of stored states.
    pub(super) outer: Arc<StateLayout>,
    /// The variables stored as sets of at most one value, and their bits in `inner`.
    wrapped: Vec<usize>,
    wrapped_bits: Vec<u64>,
    /// The place of a set of several members; nothing if the refined machine has no variables.
    several: Option<usize>,
    /// What stands there if there is one member.
    one: u64,
    /// The words of stored states with several members that are not the refinement's.
    nothing: Vec<u64>,
    pool: Arc<Pool>,
}

impl Members {
    /// The layout for two machines.
    pub(super) fn new(joint: &JointSystem<'_>) -> Self {
        let packer = joint.inner.packer();
        let (inner, pool) = (Arc::clone(&packer.layout), Arc::clone(&packer.pool));
        let sides = joint.plan.refined_variables.iter().enumerate();
        let slots: Vec<usize> = sides.filter(|(_, refined)| **refined).map(|(i, _)| i).collect();
        let empty = |slot: usize| inner.fields.get(slot).and_then(|f| nothing(&f.ty, &f.layout));
        let wrapped: Vec<usize> = slots.iter().copied().filter(|slot| empty(*slot).is_none()).collect();
        let mut outer = StateLayout::clone(&inner);
        for slot in &wrapped {
            let Some(field) = inner.fields.get(*slot) else { continue };
            let layout = match &field.layout {
                Layout::Index(d) if d.size <= u64::BITS => Layout::Bits(d.clone()),
                _ => Layout::Shared,
            };
            outer.move_behind(*slot, Ty::pow(field.ty.clone()), layout, inner.words);
        }
        let several = tuple(&slots, &inner).map(|ty| {
            let layout = Layout::of(&Ty::pow(ty.clone()), &Hull::Unknown, &packer.world);
            let layout = if layout.bits() > u64::BITS { Layout::Shared } else { layout };
            outer.add(Ty::pow(ty), layout, inner.words)
        });
        let mut without = vec![0; outer.words];
        for slot in slots.iter().copied().chain(several) {
            put(&outer, &mut without, slot, &empty(slot).unwrap_or_else(none), &pool);
        }
        let one = several.and_then(|var| outer.fields.get(var)).map_or(0, |field| field.small(&without));
        Self {
            refined_bits: joint.refined_bits.clone(),
            outer: Arc::new(outer),
            wrapped_bits: inner.mask(|var| wrapped.contains(&var)),
            nothing: without,
            slots,
            inner,
            wrapped,
            several,
            one,
            pool,
        }
    }

    /// The machine whose variables are those of stored states.
    pub(super) fn machine(&self, inner: &Machine, refined: &str) -> Machine {
        let mut variables = inner.variables.clone();
        for slot in &self.wrapped {
            let Some(decl) = variables.get_mut(*slot) else { continue };
            decl.ty = Ty::pow(decl.ty.clone());
        }
        if let (Some(place), Some(any)) = (self.several, inner.variables.first()) {
            let ty = self.outer.fields.get(place).map_or(Ty::Bool, |f| f.ty.clone());
            variables.push(Decl { name: Arc::from(format!("{refined}.states")), ty, ..any.clone() });
        }
        without_behaviour(inner, variables, &self.slots)
    }

    /// The bits of a state of both machines that are the refined machine's.
    pub(super) fn member(&self, words: &[u64]) -> Member {
        words.iter().zip(&self.refined_bits).map(|(w, refined)| w & refined).collect()
    }

    /// Whether a stored state has one member; if so, it as a state of both machines.
    pub(super) fn only(&self, state: &[u64], out: &mut Vec<u64>) -> bool {
        let several = self.several.and_then(|var| self.outer.fields.get(var));
        if state.len() < self.outer.words || several.is_some_and(|field| field.small(state) != self.one) {
            return false;
        }
        out.clear();
        out.extend(state.iter().take(self.inner.words));
        for slot in &self.wrapped {
            let (Some(inside), Some(outside)) = (self.inner.fields.get(*slot), self.outer.fields.get(*slot))
            else {
                return false;
            };
            if let (Layout::Index(_), Layout::Bits(_)) = (&inside.layout, &outside.layout) {
                inside.put_small(out, u64::from(outside.small(state).trailing_zeros()));
            } else if let Some(Value::Set(set)) = self.outer.get(state, *slot, &self.pool)
                && let [value] = set.items()
            {
                put(&self.inner, out, *slot, value, &self.pool);
            }
        }
        true
    }

    /// The states of both machines, one with each member.
    pub(super) fn each(&self, state: &[u64]) -> Vec<Vec<u64>> {
        let mut only = Vec::new();
        if self.only(state, &mut only) {
            return vec![only];
        }
        let Some(Value::Set(set)) = self.several.and_then(|var| self.outer.get(state, var, &self.pool))
        else {
            return Vec::new();
        };
        let own = state.iter().zip(&self.refined_bits).map(|(w, refined)| w & !refined);
        let with = |tuple: &Value| {
            let mut words: Vec<u64> = own.clone().collect();
            for (slot, value) in self.slots.iter().zip(apart(tuple, self.slots.len())) {
                put(&self.inner, &mut words, *slot, &value, &self.pool);
            }
            words
        };
        set.items().iter().map(with).collect()
    }

    /// Appends a stored state: the refinement's variables as in a state of both machines, and members.
    pub(super) fn store(&self, own: &[u64], members: &BTreeSet<Member>, out: &mut Vec<u64>) {
        let start = out.len();
        match members.first() {
            Some(only) if members.len() == 1 => self.store_one(own, only, out),
            _ => {
                self.beside(own, &self.nothing, out);
                let set = self.tuples(members.iter().map(|m| &**m));
                if let (Some(var), Some(words)) = (self.several, out.get_mut(start..)) {
                    put(&self.outer, words, var, &set, &self.pool);
                }
            }
        }
    }

    /// Appends a stored state: the refinement's variables as in a state of both machines, and the words of a stored state that are of
    /// members alone.
    pub(super) fn beside(&self, own: &[u64], members: &[u64], out: &mut Vec<u64>) {
        let own = own.iter().zip(&self.refined_bits).map(|(w, refined)| w & !refined);
        out.extend(members.iter().zip(own.chain(std::iter::repeat(0))).map(|(members, own)| members | own));
    }

    /// Appends a stored state with one member: the refinement's variables from one state of both machines, the refined
    /// machine's from another.
    pub(super) fn store_one(&self, own: &[u64], member: &[u64], out: &mut Vec<u64>) {
        let start = out.len();
        let sides = own.iter().zip(member).zip(self.refined_bits.iter().zip(&self.wrapped_bits));
        out.extend(
            sides.map(|((own, other), (refined, wrapped))| own & !refined | other & refined & !wrapped),
        );
        out.resize(start + self.outer.words, 0);
        let Some(words) = out.get_mut(start..) else { return };
        if let Some(several) = self.several.and_then(|var| self.outer.fields.get(var)) {
            several.put_small(words, self.one);
        }
        for slot in &self.wrapped {
            let (Some(inside), Some(outside)) = (self.inner.fields.get(*slot), self.outer.fields.get(*slot))
            else {
                continue;
            };
            if let (Layout::Index(_), Layout::Bits(_)) = (&inside.layout, &outside.layout) {
                outside.put_small(words, 1 << inside.small(member));
            } else if let Some(value) = self.inner.get(member, *slot, &self.pool) {
                let set = Value::Set(SetRef::from_sorted(vec![value]));
                put(&self.outer, words, *slot, &set, &self.pool);
            }
        }
    }

    /// Members as a set of tuples.
    fn tuples<'w>(&self, members: impl Iterator<Item = &'w [u64]>) -> Value {
        let tuples = members.filter_map(|m| self.values(m).into_iter().reduce(Value::pair));
        Value::Set(SetRef::from_vec(tuples.collect()))
    }

    /// The values of the refined machine's variables in a member.
    fn values(&self, member: &[u64]) -> Vec<Value> {
        self.slots.iter().filter_map(|slot| self.inner.get(member, *slot, &self.pool)).collect()
    }

    /// The machine in whose states the first variable of the refined machine is a set of tuples of all of them, and the others
    /// are nothing: for those who read.
    pub(super) fn shown(&self, inner: &Machine, refined: &str) -> Machine {
        let mut variables = inner.variables.clone();
        let set = tuple(&self.slots, &self.inner).map(Ty::pow);
        for (nth, slot) in self.slots.iter().enumerate() {
            let Some(decl) = variables.get_mut(*slot) else { continue };
            *decl = match set.clone().filter(|_| nth == 0) {
                Some(ty) => Decl { name: Arc::from(format!("{refined}.states")), ty, ..decl.clone() },
                None => Decl { ty: Ty::Bool, ..decl.clone() },
            };
        }
        without_behaviour(inner, variables, &self.slots)
    }

    /// The values of that machine's variables in a stored state.
    pub(super) fn shown_values(&self, state: &[u64]) -> Vars {
        let all = self.each(state);
        let set = self.tuples(all.iter().map(Vec::as_slice));
        let any = all.first().map(Vec::as_slice).unwrap_or_default();
        let mut vars: Vars =
            (0..self.inner.fields.len()).map(|var| self.inner.get(any, var, &self.pool)).collect();
        for (nth, slot) in self.slots.iter().enumerate() {
            if let Some(place) = vars.get_mut(*slot) {
                *place = Some(if nth == 0 { set.clone() } else { Value::Bool(false) });
            }
        }
        vars
    }
}

/// Writes a value that was read from the same place, or one that every layout of its type has room for.
fn put(layout: &StateLayout, words: &mut [u64], var: usize, value: &Value, pool: &Pool) {
    let written = layout.set(words, var, value, pool);
    debug_assert_eq!(written, Ok(()));
}

/// The set without members.
fn none() -> Value {
    Value::Set(SetRef::from_sorted(Vec::new()))
}

/// A value that no renaming of elements changes, if a type has one whatever the elements are.
fn nothing(ty: &Ty, layout: &Layout) -> Option<Value> {
    match (ty, layout) {
        (Ty::Pow(_), _) => Some(none()),
        (Ty::Bool, _) => Some(Value::Bool(false)),
        (Ty::Int, Layout::Index(d)) => Some(d.value(0)),
        (Ty::Int, Layout::Span(low, _)) => Some(Value::Int(*low)),
        (Ty::Int, _) => Some(Value::Int(0)),
        _ => None,
    }
}

/// The type of tuples of some variables.
fn tuple(slots: &[usize], layout: &StateLayout) -> Option<Ty> {
    let types = slots.iter().filter_map(|slot| layout.fields.get(*slot)).map(|field| field.ty.clone());
    types.reduce(|a, b| Ty::Pair(a.into(), b.into()))
}

/// A machine with other variables, of which some are not what formulas take them for, and no behaviour of its own.
fn without_behaviour(inner: &Machine, variables: Vec<Decl>, slots: &[usize]) -> Machine {
    let own = |f: &&Formula| !f.reads.iter().any(|v| slots.contains(&(v.0 as usize)));
    let skip = Subst { kind: SubstKind::Skip, span: inner.initialisation.body.span };
    Machine {
        name: Arc::clone(&inner.name),
        sets: inner.sets.clone(),
        free_types: inner.free_types.clone(),
        constants: inner.constants.clone(),
        variables,
        properties: Vec::new(),
        invariants: Vec::new(),
        typing: inner.typing.iter().filter(own).cloned().collect(),
        assertions: Vec::new(),
        goal: None,
        scope: None,
        initialisation: Routine { body: skip, frame: 0 },
        operations: Vec::new(),
        settings: inner.settings.clone(),
        named: inner.named.clone(),
        watched: Vec::new(),
    }
}

/// The parts of a tuple.
fn apart(tuple: &Value, parts: usize) -> Vec<Value> {
    match tuple {
        Value::Pair(pair) if parts > 1 => {
            let mut out = apart(&pair.0, parts - 1);
            out.push(pair.1.clone());
            out
        }
        other => vec![other.clone()],
    }
}
