//! The word IR: a function of blocks over 64-bit registers, run on one packed state.
//!
//! In: what `lower` builds. Out: data for the executors ([`run`] and, with the feature `jit`, native code).
//! Registers are mutable and written before they are read on every path. No well-definedness here: whatever
//! has no value ends in [`End::Bail`], and the caller asks the plain evaluator, which knows why.

pub(crate) mod build;
pub(crate) mod gate;
pub(crate) mod run;
mod step;
mod tidy;

use std::collections::BTreeSet;

/// A register.
pub(crate) type Reg = u32;
/// A block.
pub(crate) type Block = u32;

/// Operators on two words. Shift counts are below 64, divisors not 0: `lower` sees to that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bin {
    And,
    Or,
    Xor,
    /// `a & !b`
    AndNot,
    /// Modulo 2^64; only where no wrap can happen or bits are meant.
    Add,
    /// As `Add`.
    Sub,
    /// As `Add`.
    Mul,
    Shl,
    Shr,
    /// Shift right with sign.
    Sar,
    /// Unsigned.
    Div,
    /// Unsigned.
    Rem,
    /// 1 or 0, as all comparisons.
    Eq,
    /// Unsigned.
    Ult,
    /// Signed.
    Slt,
    /// Signed.
    Sle,
}

/// Integer operators on two signed words that bail when the result does not fit (or has no value).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Checked {
    Add,
    Sub,
    Mul,
    /// Towards zero; bails on divisor 0.
    Div,
    /// Bails unless `a >= 0` and `b > 0`.
    Mod,
}

/// Operators on one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Un {
    /// Number of ones.
    Count,
    /// Number of the lowest one; the argument is not 0.
    Low,
    /// Number of the highest one; the argument is not 0.
    High,
}

/// An operand: a register or a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opd {
    R(Reg),
    K(u64),
}

/// An instruction; the first register is the destination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ins {
    Copy(Reg, Opd),
    Bin(Bin, Reg, Opd, Opd),
    Checked(Checked, Reg, Opd, Opd),
    Un(Un, Reg, Opd),
    /// A word of the state.
    Load(Reg, u32),
    /// The `index`-th of `len` words of the state from `base` on; 0 if there is none.
    At {
        dst: Reg,
        base: u32,
        len: u32,
        index: Opd,
    },
    /// The `index`-th of `len` registers from `base` on; 0 if there is none.
    Pick {
        dst: Reg,
        base: Reg,
        len: u32,
        index: Opd,
    },
    /// Appends operands to the output.
    Emit(Box<[Opd]>),
    /// Of the `len` words that begin `back` words before the end of the output, gives the `index`-th (if there is one) the bits
    /// of `value` where `mask` has any; `value` has no others. Comes after an `Emit` of at least `back` words in its block.
    Patch {
        back: u32,
        len: u32,
        index: Opd,
        mask: Opd,
        value: Opd,
    },
}

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Jump(Block),
    /// To the first block if the operand is not 0.
    Branch(Opd, Block, Block),
    /// The function is done, with this result.
    Return(bool),
    /// The function gives up; its output is void.
    Bail,
    /// As [`End::Bail`], and known why: a value for which the layout of states has no room, by the number of its
    /// [`Misfit`](super::lower::Misfit).
    Misfit(u32),
}

/// A function over a state. Block 0 is the entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Instructions and end of every block.
    pub(crate) blocks: Vec<(Vec<Ins>, End)>,
    /// Number of registers.
    pub(crate) regs: u32,
}

impl Program {
    /// The blocks that control can reach.
    pub(super) fn reachable(&self) -> BTreeSet<Block> {
        let mut seen = BTreeSet::new();
        let mut todo = vec![0];
        while let Some(n) = todo.pop() {
            if seen.insert(n) {
                match self.blocks.get(n as usize).map(|b| b.1) {
                    Some(End::Jump(t)) => todo.push(t),
                    Some(End::Branch(_, y, n)) => todo.extend([y, n]),
                    _ => {}
                }
            }
        }
        seen
    }

    /// Calls `f` with everything that instructions and ends read but the state.
    fn each_operand(&self, f: &mut dyn FnMut(Opd)) {
        for (instructions, end) in &self.blocks {
            for i in instructions {
                match i {
                    Ins::Copy(_, a) | Ins::Un(_, _, a) => f(*a),
                    Ins::Bin(_, _, a, b) | Ins::Checked(_, _, a, b) => [*a, *b].into_iter().for_each(&mut *f),
                    Ins::Load(..) => {}
                    Ins::At { index, .. } => f(*index),
                    Ins::Pick { base, len, index, .. } => {
                        f(*index);
                        (*base..base + len).for_each(|r| f(Opd::R(r)));
                    }
                    Ins::Emit(words) => words.iter().for_each(|o| f(*o)),
                    Ins::Patch { index, mask, value, .. } => {
                        [*index, *mask, *value].into_iter().for_each(&mut *f);
                    }
                }
            }
            if let End::Branch(c, ..) = end {
                f(*c);
            }
        }
    }

    /// The number of instructions.
    pub(crate) fn len(&self) -> usize {
        self.blocks.iter().map(|(instructions, _)| instructions.len() + 1).sum()
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ran {
    /// It finished with this result.
    Done(bool),
    /// It gave up.
    Bailed,
    /// It gave up because of the layout of states, by the number of the misfit.
    Misfit(u32),
}

impl Ran {
    /// Whether what was emitted is void.
    pub(crate) fn void(self) -> bool {
        !matches!(self, Ran::Done(_))
    }
}

/// `a op b` as the executors compute it.
pub(crate) fn fold(op: Bin, a: u64, b: u64) -> u64 {
    let (s, t) = (a.cast_signed(), b.cast_signed());
    let shift = u32::try_from(b & 63).unwrap_or(0);
    match op {
        Bin::And => a & b,
        Bin::Or => a | b,
        Bin::Xor => a ^ b,
        Bin::AndNot => a & !b,
        Bin::Add => a.wrapping_add(b),
        Bin::Sub => a.wrapping_sub(b),
        Bin::Mul => a.wrapping_mul(b),
        Bin::Shl => a << shift,
        Bin::Shr => a >> shift,
        Bin::Sar => (s >> shift).cast_unsigned(),
        Bin::Div => a.checked_div(b).unwrap_or(0),
        Bin::Rem => a.checked_rem(b).unwrap_or(0),
        Bin::Eq => u64::from(a == b),
        Bin::Ult => u64::from(a < b),
        Bin::Slt => u64::from(s < t),
        Bin::Sle => u64::from(s <= t),
    }
}

/// `a op b`, `None` where it bails.
pub(crate) fn fold_checked(op: Checked, a: u64, b: u64) -> Option<u64> {
    let (a, b) = (a.cast_signed(), b.cast_signed());
    let r = match op {
        Checked::Add => a.checked_add(b),
        Checked::Sub => a.checked_sub(b),
        Checked::Mul => a.checked_mul(b),
        Checked::Div => a.checked_div(b),
        Checked::Mod if a < 0 || b <= 0 => None,
        Checked::Mod => a.checked_rem(b),
    };
    r.map(i64::cast_unsigned)
}

/// `op a`.
pub(crate) fn fold_un(op: Un, a: u64) -> u64 {
    match op {
        Un::Count => u64::from(a.count_ones()),
        Un::Low => u64::from(a.trailing_zeros()),
        Un::High => u64::from(63u32.saturating_sub(a.leading_zeros())),
    }
}
