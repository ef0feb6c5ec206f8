//! Membership in functions to sets and in sets of them, and loops over their pairs.
//!
//! In: values, functions held row by row. Out: branches and loops that look at one row after the other.

use super::funs::Fun;
use super::shape::Val;
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Block, Opd};
use crate::ir::Expr;
use crate::ops::Arrow;
use Opd::K;

impl Lower<'_> {
    /// Branches on `x |-> y : f`.
    pub(super) fn member_fun(&mut self, v: &Val, f: &Fun, yes: Block, other: Block) -> Res<()> {
        let Val::Tuple(parts) = v else { return no("pair expected") };
        let [x, y] = parts.as_slice() else { return no("pair expected") };
        let z = self.apply_fun(f, x, other)?;
        let same = self.same(y, &z)?;
        self.b.branch(same, yes, other);
        Ok(())
    }

    /// Branches on `v : dom(f)` or `v : ran(f)`.
    pub(super) fn member_side(&mut self, v: &Val, f: &Fun, dom: bool, yes: Block, other: Block) -> Res<()> {
        if dom {
            self.apply_fun(f, v, other)?;
            self.b.jump(yes);
            return Ok(());
        }
        self.each_row(f, &mut |g, pair| {
            let Val::Tuple(parts) = pair else { return no("pair expected") };
            let Some(y) = parts.last() else { return no("pair expected") };
            let same = g.same(v, y)?;
            let next = g.b.block();
            g.b.branch(same, yes, next);
            g.b.at(next);
            Ok(())
        })?;
        self.b.jump(other);
        Ok(())
    }

    /// Branches on `f : a --> b` and the like.
    #[allow(clippy::too_many_arguments, reason = "the parts of one membership")]
    pub(super) fn fun_arrow(
        &mut self,
        f: &Fun,
        kind: Arrow,
        a: &Expr,
        b: &Expr,
        env: &Env,
        yes: Block,
        other: Block,
    ) -> Res<()> {
        if kind.onto {
            return no("surjection to sets");
        }
        if kind.injective {
            self.distinct_rows(f, other)?;
        }
        self.require_side(kind.total, a, env, other, |g| g.dom_fun(f))?;
        self.each_row(f, &mut |g, pair| {
            let Val::Tuple(parts) = pair else { return no("pair expected") };
            let Some(y) = parts.last() else { return no("pair expected") };
            let on = g.b.block();
            g.member(y, b, env, on, other)?;
            g.b.at(on);
            Ok(())
        })?;
        self.b.jump(yes);
        Ok(())
    }

    /// Goes on only if no two arguments have one value.
    fn distinct_rows(&mut self, f: &Fun, other: Block) -> Res<()> {
        let n = f.left().size();
        if n == 0 {
            return Ok(());
        }
        self.count(K(1), K(n), &mut |g, i| {
            let row = g.row(&f.bits, i)?;
            let (any, fail) = (g.any(&row), g.fail);
            g.require(any, fail);
            g.count(K(0), i, &mut |g, j| {
                let earlier = g.row(&f.bits, j)?;
                let diff = g.zip(Bin::Xor, &row, &earlier);
                let diff = g.any(&diff);
                g.require(diff, other);
                Ok(())
            })
        })
    }

    /// A loop over the pairs of a function that a pattern can match: one at most if its left side is known.
    pub(super) fn matching(
        &mut self,
        left: Option<&Val>,
        f: &Val,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let fail = self.fail;
        let (x, y) = match (left, f) {
            (None, Val::Fun(f)) => return self.each_row(f, each),
            (None, Val::Array(f)) => return self.each_pair(f, each),
            (Some(x), Val::Fun(f)) => (x, self.apply_fun(f, x, fail)?),
            (Some(x), Val::Array(f)) => (x, self.apply_array(f, x, fail)?),
            _ => return no("function expected"),
        };
        each(self, Val::Tuple(vec![x.clone(), y]))
    }
}
