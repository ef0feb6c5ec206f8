//! Of choices of arguments that permutations of twins take to each other, one.
//!
//! In: the arguments of an operation (or the variables of its ANY) that are elements, the words of [`Twins`] behind
//! those of the state. Out: tests that let one choice of each class through, as early as the arguments are known;
//! the number of choices it stands for. The rule is that of `model/twins`: an argument is tried if it is an earlier
//! one, or the least of its class that is not.

use super::{Env, Lower, Res, no};
use crate::compile::lower::shape::Val;
use crate::compile::word::{Bin, Checked, Ins, Opd};
use crate::ir::{LocalId, Operation};
use crate::model::twins::{by_target, element_choices};
use crate::model::{Twins, UNWEIGHED};
use Opd::K;

/// An argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    local: LocalId,
    /// The first word of its set, behind the state, and how many there are; equal for arguments of one set.
    base: u32,
    len: u32,
}

impl Lower<'_> {
    /// Lets only those choices of an operation's arguments through that are tried.
    pub(crate) fn try_within(&mut self, op: &Operation, twins: &Twins) -> Res<()> {
        let Ok(behind) = u32::try_from(self.src.layout.words) else { return no("large state") };
        let with_room = |(local, set)| {
            let (start, len) = twins.room(set)?;
            Some(Argument { local, base: behind.checked_add(start)?, len })
        };
        self.within = element_choices(op).filter_map(with_room).collect();
        Ok(())
    }

    /// Goes on, once an environment is known, only if the arguments in it are tried; those from the first unknown one
    /// on are left for later.
    pub(crate) fn tried(&mut self, env: &Env) -> Res<Env> {
        let mut env = env.clone();
        while let Some(&a) = self.within.get(env.tried) {
            let Some(x) = env.locals.get(&a.local) else { break };
            let x = number(x)?;
            let word = self.twin_word(a, x);
            let before = self.bin(Bin::Shr, word, K(32));
            let mut fine = self.bin(Bin::Eq, before, K(0));
            for y in self.earlier(env.tried, &env)? {
                let same = self.bin(Bin::Eq, x, y);
                let next = self.bin(Bin::Add, y, K(1));
                let next = self.bin(Bin::Eq, before, next);
                let either = self.bin(Bin::Or, same, next);
                fine = self.bin(Bin::Or, fine, either);
            }
            let fail = self.fail;
            self.require(fine, fail);
            env.tried += 1;
        }
        Ok(env)
    }

    /// How many choices those of an environment stand for, all of which are known and tried.
    pub(crate) fn weight(&mut self, op: &Operation, env: &Env) -> Res<Opd> {
        if by_target(op) {
            return Ok(K(UNWEIGHED));
        }
        let mut weight = K(1);
        for (i, a) in self.within.clone().into_iter().enumerate() {
            let Some(x) = env.locals.get(&a.local) else { return no("argument without value") };
            let x = number(x)?;
            let word = self.twin_word(a, x);
            let mut left = self.bin(Bin::And, word, K(u64::from(u32::MAX)));
            for y in self.earlier(i, env)? {
                // 1 if it is the same, else what is left.
                let same = self.bin(Bin::Eq, x, y);
                let other = self.bin(Bin::Xor, same, K(1));
                let more = self.bin(Bin::Sub, left, K(1));
                let more = self.bin(Bin::Mul, more, other);
                left = self.bin(Bin::Add, more, K(1));
            }
            weight = self.b.checked(Checked::Mul, weight, left);
        }
        Ok(weight)
    }

    /// The arguments of the same set before the `i`-th.
    fn earlier(&self, i: usize, env: &Env) -> Res<Vec<Opd>> {
        let Some(base) = self.within.get(i).map(|a| a.base) else { return Ok(Vec::new()) };
        let before = self.within.iter().take(i).filter(|a| a.base == base);
        before
            .map(|a| env.locals.get(&a.local).map_or_else(|| no("argument without value"), number))
            .collect()
    }

    fn twin_word(&mut self, a: Argument, index: Opd) -> Opd {
        let dst = self.b.reg();
        self.emit(Ins::At { dst, base: a.base, len: a.len, index });
        Opd::R(dst)
    }
}

fn number(v: &Val) -> Res<Opd> {
    match v {
        Val::Word(_, w) => Ok(*w),
        _ => no("argument that is no element"),
    }
}
