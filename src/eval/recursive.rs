//! Equations in which a constant occurs on both sides, and when such a one is a definition by recursion.
//!
//! In: a conjunct, the unknowns bound so far. Out: the step that gives the constant its value by name (`knot`), with its cost.
//! Recursion finds one value. Where it ends for every argument there is no other; where it does not, as in
//! `x = {q | q : x}`, there may be many, so that it is left to the search for values (`solver`, `circular`) wherever other
//! conjuncts, or the type, leave the constant few possible members.

use super::bits::Bits;
use super::plan::{Choice, Later, Planner, Step};
use super::walk;
use super::{descent, finite};
use crate::ir::{Expr, ExprKind, PredKind};
use crate::ops::{Op, World};
use crate::value::Value;

/// Among so many possible members, values are sought instead: as many pairs as a function has that the search takes apart in a
/// millisecond or so.
const MEMBERS: u64 = 4096;

/// Which sets are looked at for how many members they have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sets {
    /// Intervals and lists, and what is made of them.
    Listed,
    /// Sets of sets and of functions, NAT, NAT1 and INT as well.
    All,
}

impl Planner<'_> {
    /// `x = e` where e reads x and nothing else that is not bound.
    pub(super) fn knot(&self, conj: usize, a: &Expr, value: &Expr, bound: &Bits) -> Option<Choice> {
        let var = self.problem.unknown_of(a)?;
        let ExprKind::Const(_) = &a.kind else { return None };
        let mut with = bound.clone();
        with.insert(var);
        let lazy = matches!(value.kind, ExprKind::Lambda(..) | ExprKind::Compr(..) | ExprKind::Op(..));
        if bound.contains(var) || !lazy || self.known(value, bound) || !self.known(value, &with) {
            return None;
        }
        let mut direct = false;
        walk::expr(value, &mut |e| direct |= matches!(e.kind, ExprKind::Lambda(..) | ExprKind::Compr(..)));
        // Where recursion does not end by its form there may be other values than the one it finds.
        let slot = self.problem.unknowns.get(var)?.slot;
        let sought = || {
            let few = |sets| self.has_few_members(conj, var, a, sets);
            few(Sets::Listed) || few(Sets::All) && !descent::ends(slot, value, &self.ev.world)
        };
        (direct && !sought()).then(|| {
            let value = value.clone();
            Choice {
                cost: 15,
                step: Step::Knot { conj, var, value, next: Later::new(), tested: Later::new() },
            }
        })
    }

    /// Whether the type of a set, or a conjunct other than this, leaves it few possible members.
    fn has_few_members(&self, conj: usize, var: usize, set: &Expr, sets: Sets) -> bool {
        let few = |n: Option<u64>| n.is_some_and(|n| n <= MEMBERS);
        let conjs = self.problem.conjs.iter().enumerate().take(self.problem.active);
        few(self.members(set, sets))
            || conjs.filter(|(c, _)| *c != conj).any(|(_, c)| {
                let PredKind::Op(op @ (Op::In | Op::Subset | Op::StrictSubset), sides) = &c.pred.kind else {
                    return false;
                };
                let [x, space] = &sides[..] else { return false };
                self.problem.unknown_of(x) == Some(var)
                    && few(if *op == Op::In {
                        self.members_within(space, sets)
                    } else {
                        self.members(space, sets)
                    })
            })
    }

    /// How many members the sets in a space have together, at most.
    fn members_within(&self, space: &Expr, sets: Sets) -> Option<u64> {
        let ExprKind::Op(op, args) = &space.kind else { return None };
        match &args[..] {
            [s] if op.is_power() => self.members(s, sets),
            [s, t] if op.arrow().is_some() => self.members(s, sets)?.checked_mul(self.members(t, sets)?),
            _ => None,
        }
    }

    /// The most members that a set can have, by its form and its type.
    fn members(&self, set: &Expr, sets: Sets) -> Option<u64> {
        let each = |args: &[Expr]| args.iter().map(|a| self.members(a, sets)).collect::<Option<Vec<u64>>>();
        match &set.kind {
            ExprKind::Lit(Value::Set(s)) => Some(s.items().len() as u64),
            ExprKind::SetExt(items) => Some(items.len() as u64),
            ExprKind::Op(Op::Interval, ends) => match &ends[..] {
                [
                    Expr { kind: ExprKind::Lit(Value::Int(lo)), .. },
                    Expr { kind: ExprKind::Lit(Value::Int(hi)), .. },
                ] => Some(hi.checked_sub(*lo)?.checked_add(1)?.max(0).unsigned_abs()),
                _ => None,
            },
            ExprKind::Op(Op::Product, sides) | ExprKind::Struct(sides) => {
                each(sides)?.into_iter().try_fold(1, u64::checked_mul)
            }
            ExprKind::Op(Op::Inter, sides) => sides.iter().filter_map(|s| self.members(s, sets)).min(),
            ExprKind::Op(Op::Union, sides) => each(sides)?.into_iter().try_fold(0, u64::checked_add),
            ExprKind::Op(Op::Diff, sides) => self.members(sides.first()?, sets),
            ExprKind::Op(op, of) if sets == Sets::All => self.members_of_family(*op, of, set),
            _ => finite::count(set.ty.elem()?, &self.ev.world, None),
        }
    }

    /// The same of NAT, NAT1, INT, and of sets of sets and of functions.
    fn members_of_family(&self, op: Op, of: &[Expr], set: &Expr) -> Option<u64> {
        let World { maxint, minint, .. } = *self.ev.world;
        let from = |least: i64| Some(maxint.checked_sub(least)?.checked_add(1)?.max(0).unsigned_abs());
        let all = |s: &Expr| self.members(s, Sets::All);
        match (op, of) {
            (Op::Nat, _) => from(0),
            (Op::Nat1, _) => from(1),
            (Op::Int, _) => from(minint),
            (_, [s]) if op.is_power() => 1u64.checked_shl(u32::try_from(all(s)?).ok()?),
            (_, [s, t]) if op.arrow().is_some() => {
                all(t)?.checked_add(1)?.checked_pow(u32::try_from(all(s)?).ok()?)
            }
            _ => finite::count(set.ty.elem()?, &self.ev.world, None),
        }
    }
}
