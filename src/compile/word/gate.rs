//! What a part of the state must be like for a program to do anything.
//!
//! In: a program. Out: a [`Gate`]: a few bits of the state, and the values of these for which the program may
//! emit something or give up. For all others it returns and has emitted nothing, so that nobody need run it. Only the tests
//! that every run comes to first are looked at, and only those of few bits.

use super::{Bin, Block, End, Ins, Opd, Program, Reg, fold};
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;

/// Most bits that a test may depend on: tables of all values stay small.
const BITS: u32 = 16;

/// Most bits if a test is no comparison of one part with a literal, but known by trying all values.
const TRIED: u32 = 8;

/// Tests of a program that are looked at, and blocks on the way to them.
const TESTS: usize = 4;
const BLOCKS: usize = 32;

/// Blocks that a run which does nothing may go through.
const INERT: usize = 4;

/// Some bits of a word of the state, taken as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Part {
    /// The word.
    pub(crate) word: u32,
    /// Its first bit.
    pub(crate) shift: u32,
    /// How many.
    pub(crate) bits: u32,
}

impl Part {
    /// The greatest value.
    fn last(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// The value in a state; 0 if that has no such word.
    #[inline]
    pub(crate) fn of(self, state: &[u64]) -> u64 {
        state.get(self.word as usize).map_or(0, |w| (w >> self.shift) & self.last())
    }
}

/// Values from the first to the second, both included; in order, with gaps between them.
type Ranges = Vec<(u64, u64)>;

/// Some parts of a state, taken as one number: the first one has the lowest bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key(pub(crate) SmallVec<[Part; 2]>);

impl Key {
    /// How many bits it has.
    pub(crate) fn bits(&self) -> u32 {
        self.0.iter().map(|p| p.bits).sum()
    }

    /// Its value in a state.
    #[inline]
    pub(crate) fn of(&self, state: &[u64]) -> u64 {
        self.0.iter().rev().fold(0, |value, p| value << p.bits | p.of(state))
    }

    /// The value of `other`, all of whose parts it has, where it has itself a value.
    fn within(&self, value: u64, other: &Key) -> u64 {
        let of = |part: &Part| {
            let before: u32 = self.0.iter().take_while(|p| *p != part).map(|p| p.bits).sum();
            value >> before & part.last()
        };
        other.0.iter().rev().fold(0, |value, p| value << p.bits | of(p))
    }
}

/// The only values of a key for which a program does anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Gate {
    pub(crate) key: Key,
    pub(crate) open: Ranges,
}

impl Gate {
    /// The narrowest gate of a program that is found.
    pub(crate) fn of(p: &Program) -> Option<Gate> {
        let mut walk = Walk { program: p, forms: HashMap::new(), gates: Vec::new() };
        walk.go();
        let share = |g: &Gate| (g.width() << BITS) >> g.key.bits();
        walk.gates.into_iter().filter(|g| g.width() >> g.key.bits() == 0).min_by_key(share)
    }

    /// For how many values it is open.
    pub(crate) fn width(&self) -> u64 {
        self.open.iter().map(|(first, last)| last - first + 1).sum()
    }
}

/// What is known of a register.
#[derive(Clone, Debug)]
enum Form {
    Known(u64),
    /// A part of the state plus a number, modulo 2^64.
    Sum(Part, u64),
    /// Whether a part of the state is in some ranges, as 1 or 0.
    Test(Part, Ranges),
    /// The value for each value of a key.
    Table(Key, Vec<u64>),
}

impl Form {
    /// As a table, if that has few rows.
    fn table(self) -> Option<(Key, Vec<u64>)> {
        match self {
            Form::Known(k) => Some((Key(smallvec![]), vec![k])),
            Form::Table(key, values) => Some((key, values)),
            Form::Sum(p, _) | Form::Test(p, _) if p.bits > TRIED => None,
            Form::Sum(p, n) => Some((Key(smallvec![p]), (0..=p.last()).map(|v| v.wrapping_add(n)).collect())),
            Form::Test(p, ranges) => {
                let is_in = |v: u64| ranges.iter().any(|(first, last)| (*first..=*last).contains(&v));
                Some((Key(smallvec![p]), (0..=p.last()).map(|v| is_in(v).into()).collect()))
            }
        }
    }

    /// As a test: the values of a key for which it is not 0, or for which it is.
    fn gate(self, truth: bool) -> Option<Gate> {
        if let Form::Test(part, ranges) = self {
            let open = if truth { ranges } else { others(part, &ranges) };
            return Some(Gate { key: Key(smallvec![part]), open });
        }
        let (key, values) = self.table()?;
        let open = (0..).zip(values).filter(|(_, x)| (*x != 0) == truth).map(|(v, _)| (v, v)).collect();
        Some(Gate { key, open })
    }
}

struct Walk<'p> {
    program: &'p Program,
    forms: HashMap<Reg, Form>,
    gates: Vec<Gate>,
}

impl Walk<'_> {
    /// From the entry on, as long as there is one way on which anything is done.
    fn go(&mut self) {
        let mut at = 0;
        let mut tests = 0;
        for _ in 0..BLOCKS {
            let Some((instructions, end)) = self.program.blocks.get(at as usize) else { return };
            if !instructions.iter().all(|i| self.instruction(i)) {
                return;
            }
            at = match *end {
                End::Jump(next) => next,
                End::Branch(c, yes, no) => {
                    let (acts, next) = match (self.inert(yes, INERT), self.inert(no, INERT)) {
                        (false, true) => (true, yes),
                        (true, false) => (false, no),
                        _ => return,
                    };
                    self.gates.extend(self.form(c).and_then(|c| c.gate(acts)));
                    tests += 1;
                    next
                }
                End::Return(_) | End::Bail | End::Misfit(_) => return,
            };
            if tests == TESTS {
                return;
            }
        }
    }

    /// Whether a run from a block on returns within so many blocks and emits nothing.
    fn inert(&self, at: Block, blocks: usize) -> bool {
        let Some((instructions, end)) = self.program.blocks.get(at as usize).filter(|_| blocks > 0) else {
            return false;
        };
        instructions.iter().all(|i| !acts(i))
            && match *end {
                End::Return(_) => true,
                End::Jump(next) => self.inert(next, blocks - 1),
                End::Branch(_, yes, no) => self.inert(yes, blocks - 1) && self.inert(no, blocks - 1),
                End::Bail | End::Misfit(_) => false,
            }
    }

    fn form(&self, o: Opd) -> Option<Form> {
        match o {
            Opd::K(k) => Some(Form::Known(k)),
            Opd::R(r) => self.forms.get(&r).cloned(),
        }
    }

    /// Takes note of what an instruction computes; false if a run may emit there or give up.
    fn instruction(&mut self, i: &Ins) -> bool {
        let (to, form) = match i {
            Ins::Copy(to, a) => (*to, self.form(*a)),
            Ins::Load(to, word) => (*to, Some(Form::Sum(Part { word: *word, shift: 0, bits: u64::BITS }, 0))),
            Ins::Bin(op, to, a, b) => {
                (*to, self.form(*a).zip(self.form(*b)).and_then(|(a, b)| combined(*op, a, b)))
            }
            Ins::Un(_, to, _) | Ins::At { dst: to, .. } | Ins::Pick { dst: to, .. } => (*to, None),
            Ins::Checked(..) | Ins::Emit(_) | Ins::Patch { .. } => return false,
        };
        match form {
            Some(form) => self.forms.insert(to, form),
            None => self.forms.remove(&to),
        };
        true
    }
}

/// Whether a run may emit there or give up.
fn acts(i: &Ins) -> bool {
    matches!(i, Ins::Checked(..) | Ins::Emit(_) | Ins::Patch { .. })
}

/// `a op b`, where that is known.
fn combined(op: Bin, a: Form, b: Form) -> Option<Form> {
    compact(op, a.clone(), b.clone()).or_else(|| tabulated(op, a.table()?, b.table()?))
}

/// The same by trying all values, where there are few.
fn tabulated(op: Bin, (a, of_a): (Key, Vec<u64>), (b, of_b): (Key, Vec<u64>)) -> Option<Form> {
    let mut key = a.clone();
    key.0.extend(b.0.iter().filter(|p| !a.0.contains(p)).copied());
    let row = |of: &[u64], own: &Key, v| of.get(usize::try_from(key.within(v, own)).ok()?).copied();
    let value = |v| Some(fold(op, row(&of_a, &a, v)?, row(&of_b, &b, v)?));
    let values = if key.bits() > TRIED { None } else { (0..1 << key.bits()).map(value).collect() };
    values.map(|values| Form::Table(key, values))
}

/// The same without tables.
fn compact(op: Bin, a: Form, b: Form) -> Option<Form> {
    use Form::{Known, Sum, Test};
    Some(match (op, a, b) {
        (_, Known(a), Known(b)) => Known(fold(op, a, b)),
        (Bin::Shr, Sum(p, 0), Known(k)) if k < p.bits.into() => {
            let k = u32::try_from(k).ok()?;
            Sum(Part { shift: p.shift + k, bits: p.bits - k, ..p }, 0)
        }
        (Bin::And, Sum(p, 0), Known(k)) | (Bin::And, Known(k), Sum(p, 0))
            if k > 0 && k & k.wrapping_add(1) == 0 =>
        {
            Sum(Part { bits: p.bits.min(k.trailing_ones()), ..p }, 0)
        }
        (Bin::Add, Sum(p, n), Known(k)) | (Bin::Add, Known(k), Sum(p, n)) => Sum(p, n.wrapping_add(k)),
        (Bin::Sub, Sum(p, n), Known(k)) => Sum(p, n.wrapping_sub(k)),
        (_, Sum(p, n), Known(k)) if p.bits <= BITS => Test(p, compared(op, p, n, k)?),
        (_, Known(k), Sum(p, n)) if p.bits <= BITS => Test(p, compared_with(op, k, p, n)?),
        (Bin::And, Test(p, r), Known(1)) | (Bin::And, Known(1), Test(p, r)) => Test(p, r),
        (Bin::Eq, Test(p, r), Known(k @ (0 | 1))) | (Bin::Eq, Known(k @ (0 | 1)), Test(p, r)) => {
            Test(p, if k == 1 { r } else { others(p, &r) })
        }
        (Bin::Xor, Test(p, r), Known(1)) | (Bin::Xor, Known(1), Test(p, r)) => Test(p, others(p, &r)),
        (Bin::And, Test(p, a), Test(q, b)) if p == q => Test(p, common(&a, &b)),
        (Bin::Or, Test(p, a), Test(q, b)) if p == q => {
            Test(p, others(p, &common(&others(p, &a), &others(p, &b))))
        }
        _ => return None,
    })
}

/// The values `v` of a part for which `v + n` compares so with `k`.
fn compared(op: Bin, p: Part, n: u64, k: u64) -> Option<Ranges> {
    Some(match op {
        Bin::Eq => rotated(p, n, k, Some(k)),
        Bin::Ult => rotated(p, n, 0, k.checked_sub(1)),
        // Signed numbers are in order from the least one on.
        Bin::Slt => rotated(p, n, SIGN, below_signed(k)),
        Bin::Sle => rotated(p, n, SIGN, Some(k)),
        _ => return None,
    })
}

/// The values `v` of a part for which `k` compares so with `v + n`.
fn compared_with(op: Bin, k: u64, p: Part, n: u64) -> Option<Ranges> {
    let turned = match op {
        Bin::Eq => return compared(Bin::Eq, p, n, k),
        Bin::Ult => rotated(p, n, 0, Some(k)),
        Bin::Slt => compared(Bin::Sle, p, n, k)?,
        Bin::Sle => compared(Bin::Slt, p, n, k)?,
        _ => return None,
    };
    Some(others(p, &turned))
}

/// The least signed number.
const SIGN: u64 = 1 << 63;

/// The signed number before, if there is one.
fn below_signed(k: u64) -> Option<u64> {
    (k != SIGN).then(|| k.wrapping_sub(1))
}

/// The values `v` of a part for which `v + n` is from `first` to `last`, round the end of numbers perhaps; none without `last`.
fn rotated(p: Part, n: u64, first: u64, last: Option<u64>) -> Ranges {
    let Some(last) = last else { return Vec::new() };
    let (first, last) = (first.wrapping_sub(n), last.wrapping_sub(n));
    let all = if first <= last { vec![(first, last)] } else { vec![(0, last), (first, u64::MAX)] };
    common(&all, &[(0, p.last())])
}

/// The values of a part that are not in ranges.
fn others(p: Part, ranges: &[(u64, u64)]) -> Ranges {
    let mut out = Vec::new();
    let mut next = Some(0);
    for (first, last) in ranges {
        if let Some(next) = next.filter(|next| next < first) {
            out.push((next, first - 1));
        }
        next = last.checked_add(1);
    }
    out.extend(next.filter(|next| *next <= p.last()).map(|next| (next, p.last())));
    out
}

/// What is in both.
fn common(a: &[(u64, u64)], b: &[(u64, u64)]) -> Ranges {
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
    pairs.filter(|(first, last)| first <= last).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Ran, run::Code};
    use super::*;
    use Opd::{K, R};

    /// Bits 3 to 5 of word 1 in register 1, plus a number in 2; emits if `op` says so.
    fn program(op: Bin, n: u64, k: u64, turned: bool, not: bool) -> Program {
        let (a, b) = if turned { (K(k), R(2)) } else { (R(2), K(k)) };
        let entry = vec![
            Ins::Load(0, 1),
            Ins::Bin(Bin::Shr, 0, R(0), K(3)),
            Ins::Bin(Bin::And, 1, R(0), K(7)),
            Ins::Bin(Bin::Add, 2, R(1), K(n)),
            Ins::Bin(op, 3, a, b),
        ];
        let (yes, no) = if not { (2, 1) } else { (1, 2) };
        let blocks = vec![
            (entry, End::Branch(R(3), yes, no)),
            (vec![Ins::Emit([R(1)].into())], End::Return(true)),
            (Vec::new(), End::Return(true)),
        ];
        Program { blocks, regs: 4 }
    }

    #[test]
    fn a_closed_gate_means_that_nothing_is_done() {
        let numbers = [0, 1, 3, 7, 8, u64::MAX, u64::MAX - 3, SIGN, SIGN - 1, SIGN + 5, SIGN - 4];
        let mut narrow = 0;
        for op in [Bin::Eq, Bin::Ult, Bin::Slt, Bin::Sle] {
            for (n, k) in numbers.iter().flat_map(|n| numbers.iter().map(move |k| (*n, *k))) {
                for (turned, not) in [(false, false), (false, true), (true, false), (true, true)] {
                    let p = program(op, n, k, turned, not);
                    let gate = Gate::of(&p);
                    narrow += usize::from(gate.is_some());
                    let does: Vec<u64> = (0..8u64)
                        .filter(|v| {
                            let (a, b) = if turned { (k, v.wrapping_add(n)) } else { (v.wrapping_add(n), k) };
                            (fold(op, a, b) != 0) != not
                        })
                        .collect();
                    let opens = |v: &u64| {
                        gate.as_ref().is_none_or(|g| g.open.iter().any(|(a, b)| (a..=b).contains(&v)))
                    };
                    let open: Vec<u64> = (0..8).filter(opens).collect();
                    assert_eq!(open, does, "{op:?} {n} {k} {turned} {not}");
                    for v in 0..8u64 {
                        let mut out = Vec::new();
                        let ran = Code::new(&p).run(&[0, v << 3 | 0xfff << 6 | 5], &mut Vec::new(), &mut out);
                        assert_eq!((ran, out.is_empty()), (Ran::Done(true), !does.contains(&v)));
                    }
                }
            }
        }
        assert!(narrow > 100, "{narrow}");
    }

    /// Bits 0 to 2 of words 1 and 2, computed with twice: the gate has the values for which the result is not 0.
    #[test]
    fn tests_of_several_parts_are_tried() {
        let part = |to, word| [Ins::Load(to, word), Ins::Bin(Bin::And, to, R(to), K(7))];
        for op in [Bin::Eq, Bin::Slt, Bin::Ult, Bin::Sub, Bin::Xor, Bin::Sar, Bin::Div] {
            for then in [Bin::Add, Bin::Mul, Bin::AndNot, Bin::Shl] {
                let mut entry = [part(0, 1), part(1, 2)].concat();
                entry.extend([
                    Ins::Bin(op, 2, R(0), R(1)),
                    Ins::Bin(then, 3, R(2), R(1)),
                    Ins::Bin(Bin::And, 4, R(3), K(1)),
                ]);
                let emit = (vec![Ins::Emit([R(0)].into())], End::Return(true));
                let blocks = vec![(entry, End::Branch(R(4), 1, 2)), emit, (Vec::new(), End::Return(true))];
                let p = Program { blocks, regs: 5 };
                let gate = Gate::of(&p);
                for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                    let (state, mut out) = ([0, a | 8, b | 16], Vec::new());
                    let ran = Code::new(&p).run(&state, &mut Vec::new(), &mut out);
                    let open =
                        gate.as_ref().is_none_or(|g| g.open.contains(&(g.key.of(&state), g.key.of(&state))));
                    assert_eq!((ran, open), (Ran::Done(true), !out.is_empty()), "{op:?} {then:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn what_may_give_up_opens_all_gates() {
        let mut p = program(Bin::Eq, 0, 3, false, false);
        assert_eq!(
            Gate::of(&p).map(|g| (g.width(), g.key)),
            Some((1, Key(smallvec![Part { word: 1, shift: 3, bits: 3 }])))
        );
        p.blocks[2].1 = End::Bail;
        assert_eq!(Gate::of(&p), None);
        p.blocks[2] = (Vec::new(), End::Return(true));
        p.blocks[0].0.push(Ins::Checked(super::super::Checked::Add, 0, R(1), K(1)));
        assert_eq!(Gate::of(&p), None);
    }
}
