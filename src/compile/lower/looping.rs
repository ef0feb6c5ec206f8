//! WHILE: registers that carry the written places around.
//!
//! In: a loop with a deterministic body. Out: the environment after it. Invariant and variant are checked as
//! the plain evaluator does; what they do not allow bails, and so does a loop that runs for long (`fuel`).

use super::effects::writes;
use super::funs::Fun;
use super::shape::{Bits, Range, Val};
use super::subst::put_place;
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Block, Opd};
use crate::ir::{Expr, Place, Pred, Subst};
use Opd::{K, R};

impl Lower<'_> {
    pub(super) fn run_while(
        &mut self,
        cond: &Pred,
        body: &Subst,
        invariant: &Pred,
        variant: &Expr,
        env: &Env,
    ) -> Res<Env> {
        let mut inside = env.clone();
        inside.old.clone_from(&env.vars);
        let written = writes(body, self.src.machine);
        for p in &written {
            let slot = match p {
                Place::Var(v) => inside.vars.get(v.0 as usize).cloned().flatten(),
                Place::Local(l) => inside.locals.get(l).cloned(),
            };
            let Some(v) = slot else { return no("loop over an unset variable") };
            let cell = self.carried(&v);
            put_place(&mut inside, *p, cell);
        }
        let (head, on, exit) = (self.b.block(), self.b.block(), self.b.block());
        let last = self.b.var(K(i64::MAX.cast_unsigned()));
        self.b.jump(head);
        self.b.at(head);
        let bail = self.bail;
        self.demand(invariant, &inside, bail)?;
        self.cond(cond, &inside, on, exit)?;
        self.b.at(on);
        let (v, _) = self.int(variant, &inside)?;
        let natural = self.bin(Bin::Sle, K(0), v);
        self.require(natural, bail);
        let less = self.bin(Bin::Slt, v, R(last));
        self.require(less, bail);
        self.b.set(last, v);
        let after = self.round_of_while(|g| g.run(body, &inside))?;
        let mut moves = Vec::new();
        for p in &written {
            let (to, from) = match p {
                Place::Var(v) => (
                    inside.vars.get(v.0 as usize).cloned().flatten(),
                    after.vars.get(v.0 as usize).cloned().flatten(),
                ),
                Place::Local(l) => (inside.locals.get(l).cloned(), after.locals.get(l).cloned()),
            };
            let (Some(to), Some(from)) = (to, from) else { return no("loop over an unset variable") };
            let out = match p {
                Place::Var(v) => self.misfit(v.0 as usize, &from),
                Place::Local(_) => bail,
            };
            self.moves(&to, &from, out, &mut moves)?;
        }
        // All sources are read before any target is written.
        let fresh: Vec<Opd> = moves.iter().map(|(_, v)| R(self.b.var(*v))).collect();
        for ((to, _), v) in moves.iter().zip(fresh) {
            if let R(r) = to {
                self.b.set(*r, v);
            }
        }
        self.b.jump(head);
        self.b.at(exit);
        let mut out = inside;
        out.old.clone_from(&env.old);
        Ok(out)
    }

    /// Registers that carry a value around a loop.
    fn carried(&mut self, v: &Val) -> Val {
        match v {
            Val::Word(n, w) => Val::Word(*n, R(self.b.var(*w))),
            Val::Int(w, _) => Val::Int(R(self.b.var(*w)), Range::ALL),
            Val::Tuple(parts) => Val::Tuple(parts.iter().map(|p| self.carried(p)).collect()),
            Val::Set(s) => Val::Set(self.cell(s)),
            // Refused if the loop changes it.
            Val::Array(f) => Val::Array(f.clone()),
            Val::Fun(f) => Val::Fun(Fun { item: f.item.clone(), bits: self.cell(&f.bits) }),
        }
    }

    /// What to copy where; goes to `away` if a set has no room.
    fn moves(&mut self, to: &Val, from: &Val, away: Block, out: &mut Vec<(Opd, Opd)>) -> Res<()> {
        match (to, from) {
            (Val::Word(_, a), Val::Word(_, b)) | (Val::Int(a, _), Val::Int(b, _)) => out.push((*a, *b)),
            (Val::Tuple(a), Val::Tuple(b)) if a.len() == b.len() => {
                for (a, b) in a.iter().zip(b) {
                    self.moves(a, b, away, out)?;
                }
            }
            (Val::Set(a), Val::Set(b)) => {
                let b: Bits = self.reshape(b, &a.elem, away)?;
                out.extend(a.words.iter().copied().zip(b.words));
            }
            (Val::Array(a), Val::Array(b)) if a == b => {}
            (Val::Fun(a), Val::Fun(_) | Val::Set(_)) => {
                let b = self.refit(from, &a.left(), &a.item, away)?;
                out.extend(a.bits.words.iter().copied().zip(b.bits.words));
            }
            _ => return no("loop"),
        }
        Ok(())
    }
}
