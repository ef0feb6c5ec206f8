//! Reading packed states without decoding values.
//!
//! In: a state layout; a way to turn one member of a set, or one value, into *atoms*. Out: a [`Reader`] that
//! goes through the set bits of a state and hands out the atoms of each, computed once per bit when the
//! reader is made. Variables whose types have no points are not taken apart at all: their words are hashed
//! as they are (equal values have equal words, pool numbers included). What has neither kind of layout, or
//! sets of sets, is handed out as a number of a variable to be decoded.

use super::group::Group;
use super::mix;
use super::{Context, detect};
use crate::ir::Machine;
use crate::layout::{Dense, Field, Layout};
use crate::ty::Ty;
use crate::value::Value;

/// Where the bits of one variable are, and the atoms of each bit or index.
struct Table<T> {
    field: Field,
    /// Words of a long bitset; 0 for a field within one word.
    words: usize,
    /// Whether the field is an index, not a bitset.
    index: bool,
    /// For each bit or index where its atoms begin; one more at the end.
    starts: Vec<u32>,
    atoms: Vec<T>,
}

/// A plan for reading the states of one layout.
pub(super) struct Reader<T> {
    /// Which bits of which words have nothing to do with points.
    plain: Vec<(usize, u64)>,
    tables: Vec<Table<T>>,
    /// Variables that have to be decoded, and where they are.
    decoded: Vec<(usize, Field)>,
}

/// What an atom is made from.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    /// A member of a set that is a variable's value.
    Member(&'a Value),
    /// A variable's whole value.
    Whole(&'a Value),
}

impl<T> Reader<T> {
    /// A plan; `atoms` turns a part of a variable's value into atoms.
    pub(super) fn new(context: &Context, mut atoms: impl FnMut(usize, Part<'_>, &mut Vec<T>)) -> Self {
        let mut reader = Self { plain: Vec::new(), tables: Vec::new(), decoded: Vec::new() };
        let (machine, group) = (&*context.machine, context.group());
        for (var, field) in context.layout.fields.iter().enumerate() {
            match &field.layout {
                _ if !has_points(&field.ty, group, machine) => reader.plain(field),
                Layout::Bits(d) if field.ty.elem().is_some_and(|t| !has_inner_set(t, group, machine)) => {
                    reader.table(field, d, false, |v, out| atoms(var, Part::Member(v), out));
                }
                Layout::Index(d) if !has_inner_set(&field.ty, group, machine) => {
                    reader.table(field, d, true, |v, out| atoms(var, Part::Whole(v), out));
                }
                _ => reader.decoded.push((var, field.clone())),
            }
        }
        reader
    }

    fn plain(&mut self, field: &Field) {
        let (bits, word) = (field.layout.bits(), field.word as usize);
        let words = (bits.div_ceil(64) as usize).max(1);
        for w in word..word + words {
            let mask = match bits {
                0 => 0,
                1..64 => (u64::MAX >> (64 - bits)) << field.shift,
                _ => u64::MAX,
            };
            match self.plain.iter_mut().find(|(at, _)| *at == w) {
                Some((_, m)) => *m |= mask,
                None => self.plain.push((w, mask)),
            }
        }
    }

    fn table(&mut self, field: &Field, d: &Dense, index: bool, mut atoms: impl FnMut(&Value, &mut Vec<T>)) {
        let mut table = Table {
            field: field.clone(),
            words: if !index && d.size > 64 { d.size.div_ceil(64) as usize } else { 0 },
            index,
            starts: vec![0],
            atoms: Vec::new(),
        };
        for i in 0..d.size {
            atoms(&d.value(i), &mut table.atoms);
            table.starts.push(super::core::len(&table.atoms));
        }
        self.tables.push(table);
    }

    /// The same plan with the numbers of the atoms, in the order of [`Self::atoms`].
    pub(super) fn numbered(&self) -> Reader<u32> {
        let mut numbers = 0u32..;
        let table = |t: &Table<T>| Table {
            field: t.field.clone(),
            words: t.words,
            index: t.index,
            starts: t.starts.clone(),
            atoms: numbers.by_ref().take(t.atoms.len()).collect(),
        };
        Reader {
            plain: self.plain.clone(),
            tables: self.tables.iter().map(table).collect(),
            decoded: self.decoded.clone(),
        }
    }

    /// A hash of everything in a state that has nothing to do with points.
    pub(super) fn plain_hash(&self, state: &[u64]) -> u128 {
        if self.plain.is_empty() {
            return 0;
        }
        mix::masked(state, &self.plain)
    }

    /// Variables that have to be decoded, and where they are.
    pub(super) fn decoded(&self) -> &[(usize, Field)] {
        &self.decoded
    }

    /// All atoms of all states, but those of variables that have to be decoded.
    pub(super) fn atoms(&self) -> impl Iterator<Item = &T> {
        self.tables.iter().flat_map(|t| &t.atoms)
    }

    /// Calls `f` on the atoms of a state.
    #[inline]
    pub(super) fn each(&self, state: &[u64], mut f: impl FnMut(&T)) {
        for t in &self.tables {
            if t.index {
                t.at(t.field.small(state), &mut f);
            } else if t.words == 0 {
                t.bits(0, t.field.small(state), &mut f);
            } else {
                let from = t.field.word as usize;
                let words = state.get(from..from + t.words).unwrap_or_default();
                for (i, &w) in (0u64..).zip(words) {
                    t.bits(64 * i, w, &mut f);
                }
            }
        }
    }
}

impl<T> Reader<T> {
    /// Calls `f` on the atoms in which two states differ, and whether the second has them.
    #[inline]
    pub(super) fn changes(&self, from: &[u64], to: &[u64], mut f: impl FnMut(&T, bool)) {
        for t in &self.tables {
            if t.index {
                let (a, b) = (t.field.small(from), t.field.small(to));
                if a != b {
                    t.at(a, &mut |atom| f(atom, false));
                    t.at(b, &mut |atom| f(atom, true));
                }
            } else if t.words == 0 {
                t.differing(0, t.field.small(from), t.field.small(to), &mut f);
            } else {
                let first = t.field.word as usize;
                let (a, b) = (from.get(first..first + t.words), to.get(first..first + t.words));
                let words = a.unwrap_or_default().iter().zip(b.unwrap_or_default());
                for (i, (&a, &b)) in (0u64..).zip(words) {
                    t.differing(64 * i, a, b, &mut f);
                }
            }
        }
    }
}

impl<T> Table<T> {
    #[inline]
    fn differing(&self, base: u64, from: u64, to: u64, f: &mut impl FnMut(&T, bool)) {
        if from != to {
            self.bits(base, from & !to, &mut |atom| f(atom, false));
            self.bits(base, to & !from, &mut |atom| f(atom, true));
        }
    }

    #[inline]
    fn bits(&self, base: u64, word: u64, f: &mut impl FnMut(&T)) {
        let mut rest = word;
        while rest != 0 {
            self.at(base + u64::from(rest.trailing_zeros()), f);
            rest &= rest - 1;
        }
    }

    #[inline]
    fn at(&self, i: u64, f: &mut impl FnMut(&T)) {
        let i = usize::try_from(i).unwrap_or(usize::MAX);
        if let Some(&[lo, hi]) = self.starts.get(i..).and_then(<[u32]>::first_chunk::<2>) {
            self.atoms.get(lo as usize..hi as usize).unwrap_or_default().iter().for_each(f);
        }
    }
}

/// Whether values of a type may contain points.
pub(super) fn has_points(ty: &Ty, group: &Group, machine: &Machine) -> bool {
    group.cells().iter().any(|c| detect::mentions(ty, c.set, machine))
}

/// Whether values of a type may contain a set (or, in a free type, something unknown) with points.
pub(super) fn has_inner_set(ty: &Ty, group: &Group, machine: &Machine) -> bool {
    match ty {
        Ty::Pow(_) | Ty::Free(_) => has_points(ty, group, machine),
        Ty::Pair(a, b) => has_inner_set(a, group, machine) || has_inner_set(b, group, machine),
        Ty::Rec(fields) => fields.iter().any(|(_, t)| has_inner_set(t, group, machine)),
        Ty::Int | Ty::Bool | Ty::Str | Ty::Real | Ty::Given(_) | Ty::Any => false,
    }
}
