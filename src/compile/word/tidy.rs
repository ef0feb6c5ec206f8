//! Programs without what does nothing.
//!
//! In: a program. Out: the same without blocks that only lead on, branches to one place either way, and pure instructions
//! whose results nobody reads. Results of operations, for example, are not read where edges have no labels. Loops
//! stay, whatever they compute: whether they end is not asked.

use super::{Block, End, Ins, Opd, Program, Reg};
use std::collections::BTreeSet;

/// Takes out what does nothing.
pub(super) fn tidy(p: &mut Program) {
    let ends: Vec<End> = p.blocks.iter().map(|b| ahead(p, b.1)).collect();
    p.blocks.iter_mut().zip(ends).for_each(|(b, end)| b.1 = end);
    let reachable = p.reachable();
    let lost = (0..).zip(&mut p.blocks).filter(|(n, _)| !reachable.contains(n));
    lost.for_each(|(_, b)| *b = (Vec::new(), End::Bail));
    loop {
        let read = read(p);
        let before = p.len();
        for (instructions, _) in &mut p.blocks {
            instructions.retain(|i| result(i).is_none_or(|r| read.contains(&r)));
        }
        if p.len() == before {
            return;
        }
    }
}

/// The end with targets that do something.
fn ahead(p: &Program, end: End) -> End {
    let target = |mut t: Block| {
        // Blocks may lead round in a circle.
        for _ in 0..p.blocks.len() {
            match p.blocks.get(t as usize) {
                Some((instructions, End::Jump(next))) if instructions.is_empty() => t = *next,
                _ => break,
            }
        }
        t
    };
    match end {
        End::Jump(t) => match p.blocks.get(target(t) as usize) {
            Some((instructions, end @ (End::Return(_) | End::Bail | End::Misfit(_))))
                if instructions.is_empty() =>
            {
                *end
            }
            _ => End::Jump(target(t)),
        },
        End::Branch(c, yes, no) => match (target(yes), target(no)) {
            (yes, no) if yes == no => ahead(p, End::Jump(yes)),
            (yes, no) => End::Branch(c, yes, no),
        },
        End::Return(_) | End::Bail | End::Misfit(_) => end,
    }
}

/// The register that an instruction writes, if it does nothing else.
fn result(i: &Ins) -> Option<Reg> {
    match i {
        Ins::Copy(r, _) | Ins::Bin(_, r, ..) | Ins::Un(_, r, _) | Ins::Load(r, _) => Some(*r),
        Ins::At { dst, .. } | Ins::Pick { dst, .. } => Some(*dst),
        Ins::Checked(..) | Ins::Emit(_) | Ins::Patch { .. } => None,
    }
}

/// The registers that something reads.
fn read(p: &Program) -> BTreeSet<Reg> {
    let mut all = BTreeSet::new();
    p.each_operand(&mut |o| {
        if let Opd::R(r) = o {
            all.insert(r);
        }
    });
    all
}

#[cfg(test)]
mod tests {
    use super::super::Bin;
    use super::*;
    use Opd::{K, R};

    #[test]
    fn what_nobody_reads_is_not_computed() {
        let work = vec![Ins::Load(0, 1), Ins::Bin(Bin::And, 1, R(0), K(1)), Ins::Load(2, 2)];
        let emit = vec![Ins::Emit([R(2)].into())];
        let blocks = vec![
            (work, End::Branch(R(1), 1, 2)),
            (Vec::new(), End::Jump(3)),
            (Vec::new(), End::Jump(3)),
            (emit.clone(), End::Jump(4)),
            (Vec::new(), End::Return(true)),
        ];
        let mut p = Program { blocks, regs: 3 };
        tidy(&mut p);
        assert_eq!(p.blocks[0], (vec![Ins::Load(2, 2)], End::Jump(3)));
        assert_eq!(p.blocks[3], (emit, End::Return(true)));
        assert_eq!(p.reachable(), [0, 3].into());
    }

    #[test]
    fn circles_and_what_may_give_up_stay() {
        let check = Ins::Checked(super::super::Checked::Add, 0, K(u64::MAX), K(1));
        let blocks =
            vec![(vec![check.clone()], End::Jump(1)), (Vec::new(), End::Jump(2)), (Vec::new(), End::Jump(1))];
        let mut p = Program { blocks, regs: 1 };
        tidy(&mut p);
        assert_eq!(p.blocks[0].0, [check]);
        assert!(matches!(p.blocks[0].1, End::Jump(1 | 2)));
    }
}
