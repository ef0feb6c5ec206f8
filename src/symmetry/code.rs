//! Codes: states as single words, each its own, where they are small enough.
//!
//! In: the layout of states. Out: for each state a word that no other has. Where the fields of a state do not fit
//! into a word side by side, a row of a function, of which at most one bit is set, becomes the number of that bit.
//! Code and state are related bit by bit: the code of a state is the exclusive or of the codes of its bits. So states
//! that differ alike have codes that differ alike, and a set of codes may be packed (`explore/keys/basis`).
//!
//! What a row is says the invariant, which a state may violate. Such states are numbered as they come, and their
//! codes have a bit that others have not.

mod matrix;

use super::Context;
use crate::ir::{ExprKind, Pred, PredKind};
use crate::layout::{Dense, DenseKind, Layout, StateLayout};
use crate::ops::Op;
use hashbrown::HashMap;
use matrix::{EIGHT, Lanes, Matrix};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The bit of the codes of numbered states.
const NUMBERED: u64 = 1 << 63;

/// How states are coded.
#[derive(Debug)]
pub(super) struct Code {
    /// Bits of the fields of each word but the first, if they fit side by side; their codes are in order.
    plain: Option<Vec<u32>>,
    /// The halves of the words but the first, in order.
    halves: Vec<Half>,
    /// Of the numbers of rows in a code, the highest bits.
    highest: u64,
    /// The other bits of these numbers.
    lower: u64,
    /// Bits of the fields.
    bits: u32,
    /// The same as the tables, once there are many states, if there can be.
    matrix: OnceLock<Option<Matrix>>,
    numbered: Mutex<HashMap<Vec<u64>, u64>>,
}

/// Half a word of a state.
#[derive(Clone)]
struct Half {
    /// The codes of the values of its bytes. All of one size, so that nothing is asked on the way: branches cost more than
    /// reads in vain.
    bytes: Box<[[u64; 256]; 4]>,
    /// The bits that belong to rows.
    rows: u32,
}

impl Half {
    fn empty() -> Self {
        Self { bytes: Box::new([[0; 256]; 4]), rows: 0 }
    }

    #[inline]
    fn code(&self, half: u32) -> u64 {
        let [a, b, c, d] = half.to_le_bytes();
        let [of_a, of_b, of_c, of_d] = &*self.bytes;
        of_a[usize::from(a)] ^ of_b[usize::from(b)] ^ of_c[usize::from(c)] ^ of_d[usize::from(d)]
    }
}

impl std::fmt::Debug for Half {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Half({:x})", self.rows)
    }
}

/// The code of one bit of a state.
struct Point {
    word: usize,
    bit: u32,
    code: u64,
    /// Whether it belongs to a row.
    row: bool,
}

impl Code {
    /// Codes for the states of a run whose valuations have numbers up to this; `None` if there is too much in a state.
    pub(super) fn new(context: &Context, valuations: u32) -> Option<Self> {
        let invariants = &context.machine.invariants;
        let is_function = |var| invariants.iter().any(|f| functional(&f.pred, var));
        Self::of(&context.layout, &is_function, valuations)
    }

    /// As [`Self::new`], where it is known which variables are mostly functions.
    fn of(layout: &StateLayout, is_function: &dyn Fn(usize) -> bool, valuations: u32) -> Option<Self> {
        let valuation = u32::BITS - valuations.leading_zeros();
        let mut used = vec![0; layout.words.saturating_sub(1)];
        for f in &layout.fields {
            fill(&mut used, f.word as usize, f.shift, f.layout.bits());
        }
        let bits = used.iter().sum();
        if bits + valuation <= u64::BITS {
            return Some(Self { plain: Some(used), bits, ..Self::empty() });
        }
        let mut code = Self::empty();
        let mut points = Vec::new();
        for (var, f) in layout.fields.iter().enumerate() {
            let long = if f.layout.bits() > u64::BITS { 0 } else { f.shift };
            let at = |bit: u32| (f.word as usize + ((long + bit) / 64) as usize, (long + bit) % 64);
            match row(&f.layout).filter(|_| is_function(var)) {
                Some(size) => code.add_rows(f.layout.bits() / size, size, &at, &mut points)?,
                None => {
                    for bit in 0..f.layout.bits() {
                        let (word, bit) = at(bit);
                        points.push(Point { word, bit, code: code.number(1)?, row: false });
                    }
                }
            }
        }
        // One bit is for states whose rows are no rows.
        (code.bits + valuation < u64::BITS).then(|| code.tabulate(&points))
    }

    fn empty() -> Self {
        Self {
            plain: None,
            halves: Vec::new(),
            highest: 0,
            lower: 0,
            bits: 0,
            matrix: OnceLock::new(),
            numbered: Mutex::default(),
        }
    }

    /// The lowest of some further bits of the code.
    fn number(&mut self, bits: u32) -> Option<u64> {
        let lowest = 1u64.checked_shl(self.bits)?;
        self.bits += bits;
        (self.bits <= u64::BITS).then_some(lowest)
    }

    /// Adds rows of `size` bits: of each, the number of its bit, from 1 on.
    fn add_rows(
        &mut self,
        rows: u32,
        size: u32,
        at: &impl Fn(u32) -> (usize, u32),
        points: &mut Vec<Point>,
    ) -> Option<()> {
        let width = u32::BITS - size.leading_zeros();
        for row in 0..rows {
            let lowest = self.number(width)?;
            let highest = lowest << (width - 1);
            self.highest |= highest;
            self.lower |= highest - lowest;
            points.extend((0..size).map(|i| {
                let (word, bit) = at(row * size + i);
                Point { word, bit, code: lowest * u64::from(i + 1), row: true }
            }));
        }
        Some(())
    }

    /// Makes the tables of all words that have points.
    fn tabulate(mut self, points: &[Point]) -> Self {
        for p in points {
            let at = (p.word.max(1) - 1) * 2 + (p.bit / 32) as usize;
            self.halves.resize(self.halves.len().max(at + 1), Half::empty());
            let half = &mut self.halves[at];
            half.rows |= u32::from(p.row) << (p.bit % 32);
            let codes = &mut half.bytes[(p.bit / 8 % 4) as usize];
            let with = codes.iter_mut().enumerate().filter(|(byte, _)| byte >> (p.bit % 8) & 1 == 1);
            with.for_each(|(_, c)| *c ^= p.code);
        }
        self
    }

    /// The states that are numbered, each behind the number of its words, by their numbers.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let numbers = self.numbered.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<(&u64, &Vec<u64>)> = numbers.iter().map(|(state, n)| (n, state)).collect();
        all.sort_unstable();
        all.into_iter()
            .flat_map(|(_, state)| std::iter::once(state.len() as u64).chain(state.iter().copied()))
            .collect()
    }

    /// Numbers states as [`Self::numbers`] says, and no others.
    pub(super) fn number_again(&self, mut states: &[u64]) {
        self.numbered.lock().unwrap_or_else(PoisonError::into_inner).clear();
        while let Some((len, rest)) = states.split_first() {
            let len = usize::try_from(*len).unwrap_or(rest.len()).min(rest.len());
            let (state, rest) = rest.split_at(len);
            self.numbered(state);
            states = rest;
        }
    }

    /// The codes of states of `width` words.
    pub(super) fn codes(&self, states: &[u64], width: usize, out: &mut Vec<u128>) {
        let rest = if self.plain.is_none() { self.multiplied(states, width, out) } else { states };
        let states = rest.chunks_exact(width);
        match self.plain.as_deref() {
            // One word of fields, as most small machines have.
            Some([_]) if self.bits < u64::BITS => {
                let join = |s: &[u64]| if let [v, word] = *s { v << self.bits | word } else { self.code(s) };
                out.extend(states.map(|s| u128::from(join(s))));
            }
            Some(_) => out.extend(states.map(|s| u128::from(self.code(s)))),
            // Where their number is known beforehand, where each is, is as well.
            None => match self.halves.as_slice() {
                [a, b] => self.tabulated(&[a, b], states, out),
                [a, b, c] => self.tabulated(&[a, b, c], states, out),
                [a, b, c, d] => self.tabulated(&[a, b, c, d], states, out),
                halves => out.extend(states.map(|s| u128::from(self.tabled(halves.iter(), s)))),
            },
        }
    }

    /// The codes of most of many states, if the processor multiplies matrices; the states that are left.
    fn multiplied<'s>(&self, states: &'s [u64], width: usize, out: &mut Vec<u128>) -> &'s [u64] {
        let eights = states.chunks_exact(EIGHT * width);
        if eights.len() == 0 {
            return states;
        }
        let Some(matrix) = self.matrix.get_or_init(|| self.as_matrix()) else { return states };
        let rest = eights.remainder();
        let mut codes = Lanes::default();
        for eight in eights {
            let each = eight.chunks_exact(width);
            if matrix.codes(eight, width, &mut codes) {
                out.extend(each.zip(&codes.0).map(|(s, code)| u128::from(self.under(s.first(), *code))));
            } else {
                out.extend(each.map(|s| u128::from(self.code(s))));
            }
        }
        rest
    }

    fn as_matrix(&self) -> Option<Matrix> {
        let of = |word: usize, half: usize| self.halves.get(word * 2 + half);
        let code = |word, bit: u32| of(word, (bit / 32) as usize).map_or(0, |h| h.code(1 << (bit % 32)));
        let rows = |word| {
            let [low, high] = [0, 1].map(|half| of(word, half).map_or(0, |h| u64::from(h.rows)));
            high << 32 | low
        };
        Matrix::new(self.halves.len().div_ceil(2), &code, &rows, [self.highest, self.lower])
    }

    /// The code of fields under a valuation, if there are fewer bits than a word has.
    #[inline]
    fn under(&self, valuation: Option<&u64>, fields: u64) -> u64 {
        valuation.map_or(0, |v| v << (self.bits & 63)) | fields
    }

    fn tabulated<'s, const N: usize>(
        &self,
        halves: &[&Half; N],
        states: impl Iterator<Item = &'s [u64]>,
        out: &mut Vec<u128>,
    ) {
        out.extend(states.map(|s| u128::from(self.tabled(halves.iter().copied(), s))));
    }

    /// The code of a state.
    #[inline]
    pub(super) fn code(&self, state: &[u64]) -> u64 {
        let Some(plain) = &self.plain else { return self.tabled(self.halves.iter(), state) };
        let valuation = state.first().copied().unwrap_or(0).checked_shl(self.bits).unwrap_or(0);
        let fields = state.get(1..).unwrap_or(&[]).iter().zip(plain);
        let join = |(code, at): (u64, u32), (word, bits): (&u64, &u32)| {
            (code | word.checked_shl(at).unwrap_or(0), at + bits)
        };
        valuation | fields.fold((0, 0), join).0
    }

    /// The code of a state, by tables.
    #[allow(clippy::inline_always, reason = "a call and its registers take as long as the work")]
    #[inline(always)]
    fn tabled<'h>(&self, halves: impl ExactSizeIterator<Item = &'h Half>, state: &[u64]) -> u64 {
        let Some(words) = state.get(1..).filter(|words| words.len() >= halves.len().div_ceil(2)) else {
            return self.numbered(state);
        };
        let (mut code, mut bits) = (0, 0);
        for (i, of) in halves.enumerate() {
            #[allow(clippy::cast_possible_truncation, reason = "a half of the word")]
            let half = (words[i / 2] >> (i % 2 * 32)) as u32;
            code ^= of.code(half);
            bits += (half & of.rows).count_ones();
        }
        // Every row has a bit at most exactly if there are as many bits as rows that are not empty: lower bits of a number that are
        // not all 0 make a carry into the highest.
        let rows = ((((code & self.lower) + self.lower) | code) & self.highest).count_ones();
        if bits == rows { self.under(state.first(), code) } else { self.numbered(state) }
    }

    #[cold]
    fn numbered(&self, state: &[u64]) -> u64 {
        let mut numbers = self.numbered.lock().unwrap_or_else(PoisonError::into_inner);
        let next = numbers.len() as u64;
        NUMBERED | *numbers.entry_ref(state).or_insert(next)
    }
}

/// Marks the bits of a field as used.
fn fill(used: &mut [u32], word: usize, shift: u32, bits: u32) {
    let (mut word, mut rest) = (word, shift + bits);
    while let Some(u) = word.checked_sub(1).and_then(|i| used.get_mut(i)) {
        *u = (*u).max(rest.min(u64::BITS));
        rest = rest.saturating_sub(u64::BITS);
        if rest == 0 {
            return;
        }
        word += 1;
    }
}

/// The bits of a row of a relation, if rows of functions are worth numbering.
fn row(layout: &Layout) -> Option<u32> {
    let Layout::Bits(Dense { kind: DenseKind::Pair(_, right), .. }) = layout else { return None };
    (3..1 << 16).contains(&right.size).then_some(right.size)
}

/// Whether a conjunct says that a variable is a function.
fn functional(p: &Pred, var: usize) -> bool {
    match &p.kind {
        PredKind::And(ps) => ps.iter().any(|p| functional(p, var)),
        PredKind::Op(Op::In, args) => match args.as_slice() {
            [a, b] => {
                let is_function = |op: &Op| op.is_sequences() || op.arrow().is_some_and(|a| a.functional);
                matches!(a.kind, ExprKind::Var(v) if v.0 as usize == var)
                    && matches!(&b.kind, ExprKind::Op(op, _) if is_function(op))
            }
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::World;
    use crate::ty::{SetId, Ty};
    use std::collections::HashSet;

    /// A relation between sets of 7 and 9, a set of 9, a truth value.
    fn layout() -> StateLayout {
        let world = World { card: vec![7, 9], ..World::default() };
        let (a, b) = (Ty::Given(SetId(0)), Ty::Given(SetId(1)));
        StateLayout::new(&[Ty::rel(a, b.clone()), Ty::pow(b), Ty::Bool], &world)
    }

    /// States whose relation has two bits at most, each with two values of the rest.
    fn states() -> impl Iterator<Item = Vec<u64>> {
        let bit = |i: u32| 1u64.checked_shl(i).unwrap_or(0);
        let pairs = (0..=63).flat_map(move |i| (0..=i).map(move |j| (bit(i) | bit(j)) & (u64::MAX >> 1)));
        pairs.flat_map(|relation| [[0, relation, 0], [2, relation, 0x3ff]]).map(|s| s.to_vec())
    }

    #[test]
    fn no_two_states_have_one_code() {
        let code = Code::of(&layout(), &|_| true, 2).expect("28 bits for the rows, 10 beside them");
        assert!(code.plain.is_none());
        let distinct: HashSet<Vec<u64>> = states().collect();
        let codes: HashSet<u64> = distinct.iter().map(|s| code.code(s)).collect();
        assert_eq!(codes.len(), distinct.len());
        // Two bits in one row are no function.
        let is_none = |s: &&Vec<u64>| (0..7).any(|row| (s[1] >> (9 * row) & 0x1ff).count_ones() > 1);
        let numbered = codes.iter().filter(|c| **c & NUMBERED != 0).count();
        assert_eq!(numbered, distinct.iter().filter(is_none).count());
        assert!(distinct.iter().all(|s| codes.contains(&code.code(s))));
    }

    /// Eight at once, whether or not all their rows are rows, and the rest.
    #[test]
    fn many_codes_are_those_of_single_states() {
        let code = Code::of(&layout(), &|_| true, 2).expect("small enough");
        let (rows, others): (Vec<_>, Vec<_>) = states().partition(|s| code.code(s) & NUMBERED == 0);
        let all: Vec<Vec<u64>> = rows.into_iter().chain(others).chain(states().skip(3)).collect();
        let mut many = Vec::new();
        code.codes(&all.concat(), 3, &mut many);
        let single: Vec<u128> = all.iter().map(|s| code.code(s).into()).collect();
        assert!(!all.len().is_multiple_of(EIGHT));
        assert_eq!(many, single);
    }

    #[test]
    fn codes_are_as_states_differ() {
        let code = Code::of(&layout(), &|_| true, 0).expect("small enough");
        let [a, b, c] = [0b1, 0b10 << 9, 0b100 << 18].map(|row| [0, row, 5]);
        let all = [0, a[1] | b[1] | c[1], 5];
        assert_eq!(code.code(&a) ^ code.code(&b) ^ code.code(&c), code.code(&all));
    }

    #[test]
    fn what_is_too_long_has_none() {
        assert!(Code::of(&layout(), &|_| false, 0).is_none(), "63 and 10 bits");
        assert!(Code::of(&layout(), &|_| true, u32::MAX).is_none(), "38 and 32 bits");
        let world = World { card: vec![7], ..World::default() };
        let small = StateLayout::new(&[Ty::pow(Ty::Given(SetId(0))), Ty::Bool], &world);
        let code = Code::of(&small, &|_| false, 1).expect("9 bits");
        let all = (0..1u64 << 9).map(|x| [x >> 8, x & 0xff]);
        assert_eq!(all.map(|s| code.code(&s)).collect::<HashSet<_>>().len(), 1 << 9);
    }
}
