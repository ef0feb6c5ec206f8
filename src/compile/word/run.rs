//! The portable executor: interprets the word IR. Also the oracle of the native one.
//!
//! In: a program flattened by [`Code::new`], a state. Out: how it ended, and what it emitted. Literals have
//! registers of their own, so that every operand is one index.

use super::step::{Step, add, operators};
use super::{Bin, End, Ins, Opd, Program, Ran, fold, fold_checked, fold_un};
use std::collections::BTreeSet;

/// All literals of a program.
fn literals(p: &Program) -> BTreeSet<u64> {
    let mut out = BTreeSet::new();
    p.each_operand(&mut |o| {
        if let Opd::K(k) = o {
            out.insert(k);
        }
    });
    out
}

/// A program ready to be interpreted.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    steps: Vec<Step>,
    /// The literals; they fill the first registers.
    literals: Vec<u64>,
    /// Number of registers.
    regs: usize,
}

impl Code {
    /// Flattens a program.
    pub(crate) fn new(p: &Program) -> Self {
        let literals: Vec<u64> = literals(p).into_iter().collect();
        let shift = u32::try_from(literals.len()).unwrap_or(u32::MAX);
        let reg = |r: u32| r + shift;
        let opd = |o: &Opd| match *o {
            Opd::R(r) => reg(r),
            Opd::K(k) => literals.binary_search(&k).ok().and_then(|i| u32::try_from(i).ok()).unwrap_or(0),
        };
        let mut steps = Vec::new();
        let mut at = Vec::new();
        for (ins, end) in &p.blocks {
            let begin = steps.len();
            at.push(u32::try_from(begin).unwrap_or(u32::MAX));
            for i in ins {
                let step = match i {
                    Ins::Copy(r, a) => Step::Copy(reg(*r), opd(a)),
                    Ins::Bin(op, r, a, b) => Step::of(*op, reg(*r), opd(a), opd(b)),
                    Ins::Checked(op, r, a, b) => Step::Checked(*op, reg(*r), opd(a), opd(b)),
                    Ins::Un(op, r, a) => Step::Un(*op, reg(*r), opd(a)),
                    Ins::Load(r, w) => Step::Load(reg(*r), *w),
                    Ins::At { dst, base, len, index } => Step::At(reg(*dst), *base, *len, opd(index)),
                    Ins::Pick { dst, base, len, index } => {
                        Step::Pick(reg(*dst), reg(*base), *len, opd(index))
                    }
                    Ins::Emit(ops) => Step::Emit(ops.iter().map(opd).collect()),
                    Ins::Patch { back, len, index, mask, value } => {
                        Step::Patch { back: *back, len: *len, operands: [index, mask, value].map(opd) }
                    }
                };
                add(&mut steps, begin, step);
            }
            let step = match end {
                End::Jump(b) => Step::Jump(*b),
                End::Branch(c, y, n) => Step::Branch(opd(c), *y, *n),
                End::Return(x) => Step::Return(*x),
                End::Bail => Step::Bail,
                End::Misfit(n) => Step::Misfit(*n),
            };
            add(&mut steps, begin, step);
        }
        for place in steps.iter_mut().flat_map(|s| s.places()).flatten() {
            *place = at.get(*place as usize).copied().unwrap_or(u32::MAX);
        }
        // Loops jump to a block that decides whether they go on.
        for i in 0..steps.len() {
            if let Step::Jump(to) = &steps[i]
                && let Some(first) = steps.get(*to as usize)
                && first.decides()
            {
                steps[i] = first.clone();
            }
        }
        let regs = literals.len() + p.regs as usize;
        Self { steps, literals, regs }
    }

    /// Runs on a state; appends what the program emits to `out`. `regs` is memory to be reused.
    #[cfg(test)]
    pub(crate) fn run(&self, state: &[u64], regs: &mut Vec<u64>, out: &mut Vec<u64>) -> Ran {
        // That many jumps take centuries.
        self.run_while(u64::MAX, &|| false, state, regs, out).unwrap_or(Ran::Bailed)
    }

    /// As [`Code::run`]; after so many jumps `more` is asked whether there may be as many again. Else it stops, and what was
    /// emitted is then of no meaning.
    pub(crate) fn run_while(
        &self,
        most: u64,
        more: &dyn Fn() -> bool,
        state: &[u64],
        regs: &mut Vec<u64>,
        out: &mut Vec<u64>,
    ) -> Option<Ran> {
        // What other programs left in the other registers is never read: registers are written first.
        if regs.len() < self.regs {
            regs.resize(self.regs, 0);
        }
        regs[..self.literals.len()].copy_from_slice(&self.literals);
        let r = regs.as_mut_slice();
        let mut jumps = most;
        let mut pc = 0usize;
        macro_rules! run {
            (
                [$($one:ident)*] [$($two:ident = $first:ident $then:ident),*] [$($branch:ident = $test:ident),*]
                $($rest:tt)*
            ) => {
                match &self.steps[pc] {
                    $(Step::$one(d, a, b) => r[*d as usize] = fold(Bin::$one, r[*a as usize], r[*b as usize]),)*
                    $(Step::$two([d, a, b], [e, f, g]) => {
                        r[*d as usize] = fold(Bin::$first, r[*a as usize], r[*b as usize]);
                        r[*e as usize] = fold(Bin::$then, r[*f as usize], r[*g as usize]);
                    })*
                    $(Step::$branch([d, a, b], yes, no) => {
                        jumps = jumps.checked_sub(1).or_else(|| more().then_some(most))?;
                        let x = fold(Bin::$test, r[*a as usize], r[*b as usize]);
                        r[*d as usize] = x;
                        pc = if x == 0 { *no } else { *yes } as usize;
                        continue;
                    })*
                    $($rest)*
                }
            };
        }
        loop {
            operators! { run!
                Step::Copy(d, a) => r[*d as usize] = r[*a as usize],
                Step::Checked(op, d, a, b) => match fold_checked(*op, r[*a as usize], r[*b as usize]) {
                    Some(x) => r[*d as usize] = x,
                    None => return Some(Ran::Bailed),
                },
                Step::Un(op, d, a) => r[*d as usize] = fold_un(*op, r[*a as usize]),
                Step::Load(d, w) => r[*d as usize] = state[*w as usize],
                Step::At(d, base, len, i) => {
                    let i = r[*i as usize];
                    let inside = i < u64::from(*len);
                    r[*d as usize] =
                        if inside { state[*base as usize + usize::try_from(i).unwrap_or(0)] } else { 0 };
                }
                Step::Pick(d, base, len, i) => {
                    let i = r[*i as usize];
                    let x = if i < u64::from(*len) {
                        r[*base as usize + usize::try_from(i).unwrap_or(0)]
                    } else {
                        0
                    };
                    r[*d as usize] = x;
                }
                Step::Emit(ops) => out.extend(ops.iter().map(|o| r[*o as usize])),
                Step::Patch { back, len, operands } => {
                    let [index, mask, value] = operands.map(|o| r[o as usize]);
                    let begin = out.len().checked_sub(*back as usize);
                    if index < u64::from(*len)
                        && let Some(word) = begin.and_then(|b| out.get_mut(b + usize::try_from(index).ok()?))
                    {
                        *word = *word & !mask | value;
                    }
                }
                Step::Jump(b) => {
                    jumps = jumps.checked_sub(1).or_else(|| more().then_some(most))?;
                    pc = *b as usize;
                    continue;
                }
                Step::Branch(c, y, n) => {
                    jumps = jumps.checked_sub(1).or_else(|| more().then_some(most))?;
                    pc = if r[*c as usize] == 0 { *n } else { *y } as usize;
                    continue;
                }
                Step::Return(x) => return Some(Ran::Done(*x)),
                Step::Bail => return Some(Ran::Bailed),
                Step::Misfit(n) => return Some(Ran::Misfit(*n)),
            }
            pc += 1;
        }
    }
}
