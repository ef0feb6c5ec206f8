//! Building a [`Program`] block by block, folding literals on the way.
//!
//! In: operations on operands. Out: the program. One block is current; instructions go there. A block that
//! has ended takes no more: what would follow an end is put into a fresh block that nothing reaches.

use super::tidy::tidy;
use super::{Bin, Block, Checked, End, Ins, Opd, Program, Reg, Un, fold, fold_checked, fold_un};
use Opd::{K, R};
use std::collections::BTreeSet;

/// A program under construction.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    blocks: Vec<(Vec<Ins>, Option<End>)>,
    current: Block,
    regs: Reg,
    size: usize,
    /// Blocks that some block ends with.
    reached: BTreeSet<Block>,
}

impl Builder {
    /// An empty program with its entry block current.
    pub(crate) fn new() -> Self {
        Self { blocks: vec![(Vec::new(), None)], ..Self::default() }
    }

    /// Number of instructions so far.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// A new register, not written yet.
    pub(crate) fn reg(&mut self) -> Reg {
        self.regs += 1;
        self.regs - 1
    }

    /// Registers with consecutive numbers; the first one.
    pub(crate) fn regs(&mut self, n: u32) -> Reg {
        self.regs += n;
        self.regs - n
    }

    /// A new block without end.
    pub(crate) fn block(&mut self) -> Block {
        self.blocks.push((Vec::new(), None));
        u32::try_from(self.blocks.len() - 1).unwrap_or(u32::MAX)
    }

    /// The current block.
    pub(crate) fn here(&self) -> Block {
        self.current
    }

    /// Makes a block current.
    pub(crate) fn at(&mut self, b: Block) {
        self.current = b;
    }

    /// Ends the current block.
    pub(crate) fn end(&mut self, end: End) {
        let end = match end {
            End::Branch(K(k), yes, no) => End::Jump(if k == 0 { no } else { yes }),
            End::Branch(_, yes, no) if yes == no => End::Jump(yes),
            e => e,
        };
        if let Some(b) = self.blocks.get_mut(self.current as usize)
            && b.1.is_none()
        {
            b.1 = Some(end);
            match end {
                End::Jump(t) => self.reached.extend([t]),
                End::Branch(_, y, n) => self.reached.extend([y, n]),
                End::Return(_) | End::Bail | End::Misfit(_) => {}
            }
        }
    }

    /// Whether some block ends with this one.
    pub(crate) fn reached(&self, b: Block) -> bool {
        self.reached.contains(&b)
    }

    /// Ends the current block with a jump.
    pub(crate) fn jump(&mut self, b: Block) {
        self.end(End::Jump(b));
    }

    /// Ends the current block with a branch.
    pub(crate) fn branch(&mut self, c: Opd, yes: Block, no: Block) {
        self.end(End::Branch(c, yes, no));
    }

    /// Appends an instruction.
    pub(crate) fn push(&mut self, ins: Ins) {
        self.size += 1;
        if let Some(b) = self.blocks.get_mut(self.current as usize)
            && b.1.is_none()
        {
            b.0.push(ins);
        }
    }

    /// Puts an instruction before all others.
    pub(crate) fn first(&mut self, ins: Ins) {
        self.size += 1;
        if let Some(entry) = self.blocks.first_mut() {
            entry.0.insert(0, ins);
        }
    }

    /// Writes a register.
    pub(crate) fn set(&mut self, r: Reg, v: Opd) {
        if v != R(r) {
            self.push(Ins::Copy(r, v));
        }
    }

    /// A new register with a value.
    pub(crate) fn var(&mut self, v: Opd) -> Reg {
        let r = self.reg();
        self.push(Ins::Copy(r, v));
        r
    }

    /// `a op b`.
    pub(crate) fn bin(&mut self, op: Bin, a: Opd, b: Opd) -> Opd {
        if let Some(x) = Self::simplify(op, a, b) {
            return x;
        }
        let r = self.reg();
        self.push(Ins::Bin(op, r, a, b));
        R(r)
    }

    fn simplify(op: Bin, a: Opd, b: Opd) -> Option<Opd> {
        match (op, a, b) {
            (_, K(x), K(y)) => Some(K(fold(op, x, y))),
            (Bin::And, x, K(u64::MAX))
            | (Bin::And, K(u64::MAX), x)
            | (
                Bin::Or | Bin::Xor | Bin::Add | Bin::Sub | Bin::AndNot | Bin::Shl | Bin::Shr | Bin::Sar,
                x,
                K(0),
            )
            | (Bin::Or | Bin::Xor | Bin::Add, K(0), x)
            | (Bin::Mul | Bin::Div, x, K(1))
            | (Bin::Mul, K(1), x) => Some(x),
            (Bin::And | Bin::Mul, _, K(0))
            | (Bin::And | Bin::Mul | Bin::AndNot | Bin::Shl | Bin::Shr, K(0), _)
            | (Bin::Rem, _, K(1))
            | (Bin::AndNot, _, K(u64::MAX)) => Some(K(0)),
            _ => None,
        }
    }

    /// `a op b`, bails where it has no value.
    pub(crate) fn checked(&mut self, op: Checked, a: Opd, b: Opd) -> Opd {
        if let (K(x), K(y)) = (a, b)
            && let Some(z) = fold_checked(op, x, y)
        {
            return K(z);
        }
        let r = self.reg();
        self.push(Ins::Checked(op, r, a, b));
        R(r)
    }

    /// `op a`.
    pub(crate) fn un(&mut self, op: Un, a: Opd) -> Opd {
        if let K(x) = a {
            return K(fold_un(op, x));
        }
        let r = self.reg();
        self.push(Ins::Un(op, r, a));
        R(r)
    }

    /// The `index`-th of some operands, 0 if there is none.
    pub(crate) fn pick(&mut self, words: &[Opd], index: Opd) -> Opd {
        if let K(i) = index {
            return usize::try_from(i).ok().and_then(|i| words.get(i)).copied().unwrap_or(K(0));
        }
        let len = u32::try_from(words.len()).unwrap_or(u32::MAX);
        let base = self.regs(len);
        for (r, w) in (base..).zip(words) {
            self.push(Ins::Copy(r, *w));
        }
        let dst = self.reg();
        self.push(Ins::Pick { dst, base, len, index });
        R(dst)
    }

    /// The finished program; a block without end bails.
    pub(crate) fn finish(self) -> Program {
        let blocks = self.blocks.into_iter().map(|(ins, end)| (ins, end.unwrap_or(End::Bail))).collect();
        let mut program = Program { blocks, regs: self.regs };
        tidy(&mut program);
        program
    }
}
