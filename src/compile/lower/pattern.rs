//! Patterns: pairs and records with variables of a binder in them, as in `x |-> red : colour` or
//! `here |-> y : edges`.
//!
//! In: an expression, the variables that have no value yet. Out: a [`Pattern`] whose known parts have been evaluated,
//! and what a match with a value gives to the variables. A part may mention variables that stand to the left of it, as
//! in `x |-> x + 1`: it is evaluated once they are known.

use super::free::expr_mentions;
use super::rel::sides;
use super::shape::{Bits, Val};
use super::{Env, Lower, Res, no};
use crate::ir::{Expr, ExprKind, LocalId};
use crate::ops::Op;

/// What a value is matched with.
pub(super) enum Pattern<'e> {
    /// A variable that gets the value.
    Open(LocalId),
    /// A part that has this value.
    Known(Val),
    /// A part that has a value once the variables to its left have.
    Later(&'e Expr),
    /// A pair or a record.
    Tuple(Vec<Pattern<'e>>),
}

/// The parts of a pair or a record.
fn parts(e: &Expr) -> Option<&[Expr]> {
    match &e.kind {
        ExprKind::Op(Op::Maplet, parts) | ExprKind::Rec(parts) => Some(parts),
        _ => None,
    }
}

/// Whether an expression is a pair or a record that a match gives values of open variables by.
pub(super) fn is_pattern(e: &Expr, open: &[LocalId]) -> bool {
    fn fits(e: &Expr, open: &mut Vec<LocalId>) -> bool {
        match (&e.kind, parts(e)) {
            (ExprKind::Local(l), _) => {
                open.retain(|o| o != l);
                true
            }
            (_, Some(parts)) => parts.iter().all(|p| fits(p, open)),
            _ => !expr_mentions(e, open),
        }
    }
    let mut unbound = open.to_vec();
    parts(e).is_some() && fits(e, &mut unbound) && unbound.len() < open.len()
}

impl Pattern<'_> {
    /// The left side of a pair, if it is known.
    pub(super) fn left(&self) -> Option<&Val> {
        match self {
            Pattern::Tuple(parts) => match parts.as_slice() {
                [Pattern::Known(v), _] => Some(v),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Lower<'_> {
    /// The pattern of an expression, its known parts evaluated.
    pub(super) fn pattern<'e>(&mut self, e: &'e Expr, open: &[LocalId], env: &Env) -> Res<Pattern<'e>> {
        if !expr_mentions(e, open) {
            return self.expr(e, env).map(Pattern::Known);
        }
        match (&e.kind, parts(e)) {
            (ExprKind::Local(l), _) => Ok(Pattern::Open(*l)),
            (_, Some(parts)) => {
                let parts = parts.iter().map(|p| self.pattern(p, open, env));
                parts.collect::<Res<_>>().map(Pattern::Tuple)
            }
            _ => Ok(Pattern::Later(e)),
        }
    }

    /// Binds the variables of a pattern to the parts of a value; what is known is compared. `all` are the binder's.
    pub(super) fn unify(
        &mut self,
        p: &Pattern<'_>,
        v: &Val,
        all: &[LocalId],
        env: &mut Env,
        bound: &mut Vec<LocalId>,
    ) -> Res<()> {
        let fail = self.fail;
        let known = match (p, v) {
            (Pattern::Open(l), _) if !bound.contains(l) => {
                env.locals.insert(*l, v.clone());
                bound.push(*l);
                return Ok(());
            }
            (Pattern::Tuple(parts), Val::Tuple(vs)) if vs.len() == parts.len() => {
                return parts.iter().zip(vs).try_for_each(|(p, v)| self.unify(p, v, all, env, bound));
            }
            (Pattern::Open(l), _) => match env.locals.get(l) {
                Some(v) => v.clone(),
                None => return no("pattern"),
            },
            (Pattern::Known(known), _) => known.clone(),
            (Pattern::Later(e), _) => {
                let soft = Some((all.to_vec(), fail));
                self.with_soft(soft, |g| g.expr(e, env))?
            }
            (Pattern::Tuple(_), _) => return no("pattern"),
        };
        let same = self.same(&known, v)?;
        self.require(same, fail);
        Ok(())
    }

    /// The members of a set that can match: only those of one row if the pattern's left side is known.
    pub(super) fn candidates(&mut self, left: Option<&Val>, s: Bits) -> Res<Bits> {
        let Some(x) = left.filter(|_| s.elem.sides().is_some()) else { return Ok(s) };
        let (a, _) = sides(&s)?;
        let fail = self.fail;
        let i = self.number(x, &a, fail)?;
        let row = self.row(&s, i)?;
        let words = self.at_row(&s, &row, i)?;
        Ok(Bits { elem: s.elem, words })
    }
}
