//! Values that a loop need not compute again.
//!
//! In: an expression inside a loop that says nothing of what the loops around it choose. Out: code that computes it when it
//! is needed first, and has it from then on. Not before the loop: it may never be needed, or have no value where nobody
//! asks for it.

use super::free::{expr_mentions, in_expr};
use super::funs::Fun;
use super::shape::{Bits, Val};
use super::{Env, Lower, Res};
use crate::compile::word::{Ins, Opd};
use crate::ir::{Expr, ExprKind, LocalId};
use crate::ops::Op;

impl Lower<'_> {
    /// The value of an expression, as [`Self::expr_kind`] gives it, computed once if that is worth it.
    pub(super) fn once(&mut self, e: &Expr, env: &Env) -> Res<Val> {
        if !self.in_loop() || !is_costly(e) || !self.is_constant(e, env) {
            return self.expr_kind(e, env);
        }
        let done = self.b.reg();
        self.b.first(Ins::Copy(done, Opd::K(0)));
        let (compute, known) = (self.b.block(), self.b.block());
        self.b.branch(Opd::R(done), known, compute);
        self.b.at(compute);
        let value = self.expr_kind(e, env)?;
        let value = self.kept(value);
        self.b.set(done, Opd::K(1));
        self.b.jump(known);
        self.b.at(known);
        Ok(value)
    }

    /// Whether an expression has the same value wherever the run asks for it: no locals, and variables that have not
    /// changed.
    fn is_constant(&self, e: &Expr, env: &Env) -> bool {
        let locals: Vec<LocalId> = env.locals.keys().copied().collect();
        let mut same = !expr_mentions(e, &locals);
        in_expr(e, &mut |e| match &e.kind {
            ExprKind::Var(v) => {
                let i = v.0 as usize;
                same &= env.vars.get(i).is_some_and(|now| now.is_some() && self.start.get(i) == Some(now));
            }
            ExprKind::Old(_) | ExprKind::External(..) => same = false,
            _ => {}
        });
        same
    }

    /// A value in registers of its own, which nothing else writes.
    fn kept(&mut self, v: Val) -> Val {
        match v {
            Val::Word(n, x) => Val::Word(n, self.keep(x)),
            Val::Int(x, range) => Val::Int(self.keep(x), range),
            Val::Tuple(parts) => Val::Tuple(parts.into_iter().map(|p| self.kept(p)).collect()),
            Val::Set(s) => Val::Set(self.kept_bits(s)),
            Val::Array(mut f) => {
                f.each_operand(&mut |x| self.keep(x));
                Val::Array(f)
            }
            Val::Fun(f) => Val::Fun(Fun { item: f.item, bits: self.kept_bits(f.bits) }),
        }
    }

    fn kept_bits(&mut self, s: Bits) -> Bits {
        Bits { elem: s.elem, words: s.words.into_iter().map(|w| self.keep(w)).collect() }
    }

    fn keep(&mut self, x: Opd) -> Opd {
        match x {
            Opd::K(_) => x,
            Opd::R(_) => Opd::R(self.b.var(x)),
        }
    }
}

/// Whether computing an expression takes a loop, or more.
fn is_costly(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Op(op, _) => matches!(
            op,
            Op::Closure
                | Op::Closure1
                | Op::Iterate
                | Op::Comp
                | Op::BackComp
                | Op::BigUnion
                | Op::BigInter
                | Op::Image
                | Op::Inverse
        ),
        ExprKind::Compr(..) | ExprKind::Lambda(..) | ExprKind::Image(_) | ExprKind::Fold(..) => true,
        _ => false,
    }
}
