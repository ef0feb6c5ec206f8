//! Predicates as branches.
//!
//! In: [`Pred`], the blocks to go to. Out: code that ends the current block. Connectives are evaluated left
//! to right. A conjunct without value does not yet bail if a later conjunct is false (the rule of the plain
//! evaluator): it goes on in a second copy of the later conjuncts, whose end is the bail.

use super::shape::{Bits, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Block, Opd};
use crate::ir::{Expr, Pred, PredKind};
use crate::ops::Op;
use Opd::{K, R};

impl Lower<'_> {
    /// Branches on a predicate. The current block ends.
    pub(super) fn cond(&mut self, p: &Pred, env: &Env, yes: Block, other: Block) -> Res<()> {
        let soft = match p.kind {
            PredKind::Op(..) | PredKind::Not(_) => self.soft.clone(),
            _ => None,
        };
        let code = |s: &mut Self| s.cond_kind(p, env, yes, other);
        self.nest(|s| s.with_soft(soft, code)).map_err(|mut u| {
            u.span.get_or_insert(p.span);
            u
        })
    }

    fn cond_kind(&mut self, p: &Pred, env: &Env, yes: Block, other: Block) -> Res<()> {
        match &p.kind {
            PredKind::True => self.b.jump(yes),
            PredKind::False => self.b.jump(other),
            PredKind::And(ps) => {
                let all: Vec<&Pred> = ps.iter().collect();
                return self.all(&all, env, yes, other);
            }
            PredKind::Or(ps) => {
                for q in ps {
                    let next = self.b.block();
                    self.cond(q, env, yes, next)?;
                    self.b.at(next);
                }
                self.b.jump(other);
            }
            PredKind::Implies(p, q) => {
                let mid = self.b.block();
                self.cond(p, env, mid, yes)?;
                self.b.at(mid);
                self.cond(q, env, yes, other)?;
            }
            PredKind::Iff(p, q) => {
                let (a, b) = (self.truth(p, env)?, self.truth(q, env)?);
                let same = self.bin(Bin::Eq, a, b);
                self.b.branch(same, yes, other);
            }
            PredKind::Not(p) => return self.cond(p, env, other, yes),
            PredKind::Op(op, args) => return self.test_op(*op, args, env, yes, other),
            PredKind::Forall(s) => {
                let binder = &s.binder;
                self.solve(&binder.vars, &[&binder.pred], env, &mut |g, env| {
                    let on = g.b.block();
                    g.cond(&s.body, env, on, other)?;
                    g.b.at(on);
                    Ok(())
                })?;
                self.b.jump(yes);
            }
            PredKind::Exists(b) => {
                self.solve(&b.vars, &[&b.pred], env, &mut |g, _| {
                    g.b.jump(yes);
                    let dead = g.b.block();
                    g.b.at(dead);
                    Ok(())
                })?;
                self.b.jump(other);
            }
            PredKind::If(c, p, q) => {
                let (a, b) = (self.b.block(), self.b.block());
                self.cond(c, env, a, b)?;
                self.b.at(a);
                self.cond(p, env, yes, other)?;
                self.b.at(b);
                self.cond(q, env, yes, other)?;
            }
            PredKind::Let(x, e, p) => {
                let mut env = env.clone();
                let v = self.expr(e, &env)?;
                env.locals.insert(*x, v);
                return self.cond(p, &env, yes, other);
            }
            PredKind::External(..) => return no("external predicate"),
        }
        Ok(())
    }

    /// Branches on a conjunction.
    pub(super) fn all(&mut self, ps: &[&Pred], env: &Env, yes: Block, other: Block) -> Res<()> {
        let bail = self.bail;
        // Where to go on when an earlier conjunct had no value: one entry per conjunct still to come.
        let late: Vec<Block> = ps.iter().map(|_| self.b.block()).collect();
        for (i, p) in ps.iter().enumerate() {
            let next = if i + 1 == ps.len() { yes } else { self.b.block() };
            self.bail = late.get(i + 1).copied().unwrap_or(bail);
            let done = self.cond(p, env, next, other);
            self.bail = bail;
            done?;
            self.b.at(next);
        }
        for (i, p) in ps.iter().enumerate().skip(1) {
            if !self.b.reached(late[i]) {
                continue;
            }
            let next = late.get(i + 1).copied().unwrap_or(bail);
            self.b.at(late[i]);
            self.bail = next;
            let done = self.cond(p, env, next, other);
            self.bail = bail;
            done?;
        }
        self.b.at(yes);
        Ok(())
    }

    /// A predicate as 0 or 1.
    pub(super) fn truth(&mut self, p: &Pred, env: &Env) -> Res<Opd> {
        let (yes, other, join) = (self.b.block(), self.b.block(), self.b.block());
        let r = self.b.reg();
        self.cond(p, env, yes, other)?;
        self.b.at(yes);
        self.b.set(r, K(1));
        self.b.jump(join);
        self.b.at(other);
        self.b.set(r, K(0));
        self.b.jump(join);
        self.b.at(join);
        Ok(R(r))
    }

    /// Goes on only if a predicate holds; else to `other`.
    pub(super) fn demand(&mut self, p: &Pred, env: &Env, other: Block) -> Res<()> {
        let on = self.b.block();
        self.cond(p, env, on, other)?;
        self.b.at(on);
        Ok(())
    }

    fn test_op(&mut self, op: Op, args: &[Expr], env: &Env, yes: Block, other: Block) -> Res<()> {
        match (op, args) {
            (Op::Eq, [a, b]) => self.equality(a, b, env, yes, other),
            (Op::Neq, [a, b]) => self.equality(a, b, env, other, yes),
            (Op::Lt, [a, b]) | (Op::Gt, [b, a]) => self.less(Bin::Slt, a, b, env, yes, other),
            (Op::Le, [a, b]) | (Op::Ge, [b, a]) => self.less(Bin::Sle, a, b, env, yes, other),
            (Op::In, [x, s]) => self.member_expr(x, s, env, yes, other),
            (Op::NotIn, [x, s]) => self.member_expr(x, s, env, other, yes),
            (Op::Subset, [s, t]) => {
                let s = self.expr(s, env)?;
                self.subset_expr(&s, t, env, yes, other)
            }
            (Op::NotSubset, [s, t]) => {
                let s = self.expr(s, env)?;
                self.subset_expr(&s, t, env, other, yes)
            }
            (Op::StrictSubset, [s, t]) => self.strict(s, t, env, yes, other),
            (Op::NotStrictSubset, [s, t]) => self.strict(s, t, env, other, yes),
            (Op::Finite, [s]) => {
                self.set(s, env)?;
                self.b.jump(yes);
                Ok(())
            }
            (Op::Partition, [s, parts @ ..]) => self.partition(s, parts, env, yes, other),
            _ => no("predicate operator"),
        }
    }

    fn less(&mut self, op: Bin, a: &Expr, b: &Expr, env: &Env, yes: Block, other: Block) -> Res<()> {
        let (x, _) = self.int(a, env)?;
        let (y, _) = self.int(b, env)?;
        let c = self.bin(op, x, y);
        self.b.branch(c, yes, other);
        Ok(())
    }

    fn equality(&mut self, a: &Expr, b: &Expr, env: &Env, yes: Block, other: Block) -> Res<()> {
        for (x, i) in [(a, b), (b, a)] {
            if let Some((lo, hi)) = self.wide_interval(i, env)? {
                let x = self.set(x, env)?;
                let same = self.equals_interval(&x, lo, hi)?;
                self.b.branch(same, yes, other);
                return Ok(());
            }
        }
        let x = self.expr(a, env)?;
        let y = self.expr(b, env)?;
        let same = self.same(&x, &y)?;
        self.b.branch(same, yes, other);
        Ok(())
    }

    /// Whether a set is `lo..hi`, as 0 or 1.
    pub(super) fn equals_interval(&mut self, x: &Bits, lo: Opd, hi: Opd) -> Res<Opd> {
        let (i, lost) = self.interval_in(lo, hi, &x.elem)?;
        let mut diff = self.zip(Bin::Xor, &x.words, &i.words);
        diff.push(lost);
        let any = self.any(&diff);
        Ok(self.bin(Bin::Eq, any, K(0)))
    }

    /// Whether two values are equal, as 0 or 1.
    pub(super) fn same(&mut self, x: &Val, y: &Val) -> Res<Opd> {
        Ok(match (x, y) {
            (Val::Word(_, a), Val::Word(_, b)) | (Val::Int(a, _), Val::Int(b, _)) => {
                self.bin(Bin::Eq, *a, *b)
            }
            (Val::Tuple(a), Val::Tuple(b)) if a.len() == b.len() => {
                let mut sum = K(1);
                for (a, b) in a.iter().zip(b) {
                    let c = self.same(a, b)?;
                    sum = self.bin(Bin::And, sum, c);
                }
                sum
            }
            (Val::Set(a), Val::Set(b)) => {
                let (a, b) = self.align(a, b)?;
                let diff = self.zip(Bin::Xor, &a.words, &b.words);
                let any = self.any(&diff);
                self.bin(Bin::Eq, any, K(0))
            }
            (Val::Fun(_), Val::Fun(_) | Val::Set(_)) | (Val::Set(_), Val::Fun(_)) => {
                let (a, b) = self.align_funs(x, y)?;
                let diff = self.zip(Bin::Xor, &a.bits.words, &b.bits.words);
                let any = self.any(&diff);
                self.bin(Bin::Eq, any, K(0))
            }
            _ => return no("comparison"),
        })
    }

    fn strict(&mut self, s: &Expr, t: &Expr, env: &Env, yes: Block, other: Block) -> Res<()> {
        let x = self.set(s, env)?;
        let y = self.set(t, env)?;
        let (x, y) = self.align(&x, &y)?;
        let out = self.zip(Bin::AndNot, &x.words, &y.words);
        let out = self.any(&out);
        let more = self.zip(Bin::AndNot, &y.words, &x.words);
        let more = self.any(&more);
        let none = self.bin(Bin::Eq, out, K(0));
        let on = self.b.block();
        self.b.branch(none, on, other);
        self.b.at(on);
        self.b.branch(more, yes, other);
        Ok(())
    }

    fn partition(&mut self, s: &Expr, parts: &[Expr], env: &Env, yes: Block, other: Block) -> Res<()> {
        let mut whole = self.set(s, env)?;
        let mut vals = Vec::new();
        for p in parts {
            let v = self.set(p, env)?;
            let Some(shape) = whole.elem.join(&v.elem) else { return no("partition") };
            let bail = self.bail;
            whole = self.reshape(&whole, &shape, bail)?;
            vals.push(v);
        }
        let mut seen = Self::empty(&whole.elem)?.words;
        for v in vals {
            let bail = self.bail;
            let v = self.reshape(&v, &whole.elem, bail)?;
            let twice = self.zip(Bin::And, &seen, &v.words);
            let twice = self.any(&twice);
            let none = self.bin(Bin::Eq, twice, K(0));
            self.require(none, other);
            seen = self.zip(Bin::Or, &seen, &v.words);
        }
        let diff = self.zip(Bin::Xor, &seen, &whole.words);
        let diff = self.any(&diff);
        self.b.branch(diff, other, yes);
        Ok(())
    }
}
