//! Loops over sequences: permutations, sequences without repetition, sequences of a given length.
//!
//! In: `perm(S)`, `iseq(S)` and `iseq1(S)`; `seq(S)` and `seq1(S)` beside a conjunct `size(x) = n` or `size(x) <= n`. Out: for each length
//! the functions from `1..n` (see `arrows`), what the caller emits inside. Absent: sequences that nothing bounds.

use super::free::in_expr;
use super::shape::{Bits, Range, Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Opd};
use crate::ir::{Expr, ExprKind, LocalId, Pred, PredKind};
use crate::ops::{Arrow, Op};
use Opd::K;

/// Longest sequences.
const LONGEST: u64 = 16;

/// The conjunct's `n` if it says `size(x) = n` or `card(x) = n`, and n is known.
fn length<'p>(x: LocalId, p: &'p Pred, env: &Env) -> Option<&'p Expr> {
    let PredKind::Op(Op::Eq, args) = &p.kind else { return None };
    let [a, b] = args.as_slice() else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(size, n)| (is_length(size, x) && is_known(n, env)).then_some(n))
}

/// The conjunct's `n` if it says that a sequence is no longer than n, and n is known; with 1 if it is shorter.
fn longest<'p>(x: LocalId, p: &'p Pred, env: &Env) -> Option<(&'p Expr, u64)> {
    let PredKind::Op(op, args) = &p.kind else { return None };
    let [a, b] = args.as_slice() else { return None };
    let (op, size, n) = match op {
        Op::Le | Op::Lt => (*op, a, b),
        Op::Ge | Op::Gt => (op.mirrored()?, b, a),
        Op::In => match &b.kind {
            ExprKind::Op(Op::Interval, ends) => (Op::Le, a, ends.get(1)?),
            _ => return None,
        },
        _ => return None,
    };
    (is_length(size, x) && is_known(n, env)).then_some((n, u64::from(op == Op::Lt)))
}

/// Whether an expression is `size(x)` or `card(x)`.
fn is_length(e: &Expr, x: LocalId) -> bool {
    let ExprKind::Op(Op::Size | Op::Card, of) = &e.kind else { return false };
    of.first().is_some_and(|of| matches!(of.kind, ExprKind::Local(l) if l == x))
}

/// Whether all variables that an expression reads have a value.
fn is_known(e: &Expr, env: &Env) -> bool {
    let mut known = true;
    in_expr(e, &mut |e| known &= !matches!(e.kind, ExprKind::Local(l) if !env.locals.contains_key(&l)));
    known
}

impl Lower<'_> {
    /// A loop over the sequences of a kind over a set; `x` is the variable that gets them.
    pub(super) fn sequences(
        &mut self,
        op: Op,
        x: Option<LocalId>,
        s: &Bits,
        rest: &[&Pred],
        env: &Env,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let chosen = rest.len() > 1;
        let (injective, onto) = (matches!(op, Op::Perm | Op::Iseq | Op::Iseq1), op == Op::Perm);
        let kind = Arrow { total: true, functional: true, injective, onto };
        let least = u64::from(matches!(op, Op::Seq1 | Op::Iseq1));
        let known = x.and_then(|x| rest.iter().find_map(|p| length(x, p, env)));
        if let (Some(n), false) = (known, onto) {
            let (n, Range(_, most)) = self.int(n, env)?;
            let Ok(most @ 0..=LONGEST) = u64::try_from(most.max(0)) else { return no("long sequences") };
            let fine = self.bin(Bin::Sle, K(least), n);
            let fail = self.fail;
            self.require(fine, fail);
            return self.of_length(kind, n, most, s, chosen, each);
        }
        let bound = x.and_then(|x| rest.iter().find_map(|p| longest(x, p, env)));
        if let (Some((n, less)), false) = (bound, onto) {
            let (n, Range(_, most)) = self.int(n, env)?;
            let Ok(most @ 0..=LONGEST) = u64::try_from(most.max(0)) else { return no("long sequences") };
            // The conjunct itself is tested, too.
            let past = self.bin(Bin::Add, n, K(1 - less));
            return self.count_most(most + 1, K(least), past, &mut |g, n| {
                g.of_length(kind, n, most, s, chosen, each)
            });
        }
        let most = s.elem.size();
        if !injective || most > LONGEST {
            return no("sequences without bounds");
        }
        let all = self.population(&s.words);
        if onto {
            return self.of_length(kind, all, most, s, chosen, each);
        }
        let past = self.bin(Bin::Add, all, K(1));
        self.count_most(most + 1, K(least), past, &mut |g, n| g.of_length(kind, n, most, s, chosen, each))
    }

    /// The sequences of length `n`, which is at most `most`.
    fn of_length(
        &mut self,
        kind: Arrow,
        n: Opd,
        most: u64,
        s: &Bits,
        chosen: bool,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let elem = Shape::Int(1, most.cast_signed());
        let past = self.bin(Bin::Shl, K(1), n);
        let places = if most == 0 { Vec::new() } else { vec![self.bin(Bin::Sub, past, K(1))] };
        self.functions(kind, &Bits { elem, words: places }, s, chosen, each)
    }
}
