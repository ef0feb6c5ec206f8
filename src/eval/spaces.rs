//! Sets of relations and of functions: between given sets, listed once, since nothing but the sizes of the sets decides
//! them; and those that have names.
//!
//! In: an expression with its value, which is not listed; a machine. Out: its value, listed if it is of bearable size; what
//! the constants stand for that PROPERTIES define as such sets.

use super::{Evaluator, walk};
use crate::ir::{Binder, ConstId, Expr, ExprKind, Formula, Machine, PredKind, Scoped};
use crate::ops::{Fault, Op};
use crate::ty::SetId;
use crate::value::{SetRef, Value};
use std::sync::{Arc, Mutex};

/// Most members of all sets that are kept.
const ROOM: usize = 1 << 18;

/// An arrow with the sets at its ends.
type Space = (Op, SetId, SetId);

/// What PROPERTIES say that constants stand for.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// Sets of sets, spelled out: whose value is known to be `A --> B` need not be searched member by member.
    sets: Vec<Option<Expr>>,
    /// Sets that include the domains of functions: `A` of `%x.(x : A & P | E)`.
    domains: Vec<Option<Expr>>,
    /// Functions.
    functions: Vec<Option<Arc<Scoped<Expr>>>>,
}

impl Named {
    /// What a machine's PROPERTIES say.
    pub(super) fn of(machine: &Machine) -> Self {
        let none = vec![None; machine.constants.len()];
        let mut named =
            Self { sets: none.clone(), domains: none, functions: vec![None; machine.constants.len()] };
        for (id, e) in machine.properties.iter().flat_map(equations) {
            if let (Some(slot @ None), ExprKind::Lambda(scoped, _)) =
                (named.functions.get_mut(id.0 as usize), &e.kind)
            {
                *slot = Some(scoped.clone());
            }
            let (list, set) = match &e.kind {
                ExprKind::Op(op, _) if op.arrow().is_some() || op.is_power() => (&mut named.sets, Some(e)),
                ExprKind::Lambda(scoped, _) => (&mut named.domains, argument(&scoped.binder)),
                _ => continue,
            };
            if let (Some(slot @ None), Some(set)) = (list.get_mut(id.0 as usize), set)
                && is_closed(set, id)
            {
                *slot = Some(set.clone());
            }
        }
        named
    }

    /// A set that includes the domain of a function with a name.
    pub(super) fn domain(&self, f: &Expr) -> Option<&Expr> {
        match f.kind {
            ExprKind::Const(id) => self.domains.get(id.0 as usize)?.as_ref(),
            _ => None,
        }
    }

    /// What a function with a name says: its variables and names in them have slots of their own.
    pub(super) fn function(&self, f: &Expr) -> Option<&Scoped<Expr>> {
        match f.kind {
            ExprKind::Const(id) => self.functions.get(id.0 as usize)?.as_deref(),
            _ => None,
        }
    }

    /// The set that an expression stands for: another expression with the same value if it is such a name.
    pub(super) fn spelled_out<'e>(&'e self, e: &'e Expr) -> &'e Expr {
        let set = match e.kind {
            ExprKind::Const(id) => self.sets.get(id.0 as usize).and_then(Option::as_ref),
            _ => None,
        };
        set.unwrap_or(e)
    }
}

/// The constants that a formula equates with something, and that.
fn equations(f: &Formula) -> impl Iterator<Item = (ConstId, &Expr)> {
    let sides = match &f.pred.kind {
        PredKind::Op(Op::Eq, sides) => sides.as_slice(),
        _ => &[],
    };
    let pairs = match sides {
        [a, b] => [Some((a, b)), Some((b, a))],
        _ => [None, None],
    };
    pairs.into_iter().flatten().filter_map(|(name, e)| match &name.kind {
        ExprKind::Const(id) => Some((*id, e)),
        _ => None,
    })
}

/// The A of a binder `x : A & P`.
fn argument(binder: &Binder) -> Option<&Expr> {
    let [x] = &binder.vars[..] else { return None };
    binder.pred.conjuncts().into_iter().find_map(|c| match &c.kind {
        PredKind::Op(Op::In, sides) => match &sides[..] {
            [y, set] if matches!(y.kind, ExprKind::Local(id) if id == x.id) => Some(set),
            _ => None,
        },
        _ => None,
    })
}

/// Whether an expression means the same everywhere: other constants may be in it, but no names with a narrower scope.
fn is_closed(set: &Expr, name: ConstId) -> bool {
    let mut closed = true;
    walk::expr(set, &mut |e| {
        closed &= match &e.kind {
            ExprKind::Const(id) => *id != name,
            ExprKind::Lit(_) | ExprKind::Given(_) | ExprKind::SetExt(_) | ExprKind::Op(..) => true,
            _ => false,
        }
    });
    closed
}

/// What has been listed.
#[derive(Debug, Default)]
pub(super) struct Spaces(Mutex<Vec<(Space, SetRef)>>);

/// The space that an expression stands for.
fn space(e: &Expr) -> Option<Space> {
    let ExprKind::Op(op, args) = &e.kind else { return None };
    let [a, b] = &args[..] else { return None };
    match (&a.kind, &b.kind) {
        (ExprKind::Given(a), ExprKind::Given(b)) if op.arrow().is_some() => Some((*op, *a, *b)),
        _ => None,
    }
}

impl Evaluator {
    /// Puts the value of an expression in extension where that is possible.
    pub(super) fn settle_space(&self, v: Value, e: &Expr) -> Result<Value, Fault> {
        let (Value::Lazy(_), Some(space)) = (&v, space(e)) else { return self.settle(v, &e.ty) };
        let Ok(mut known) = self.cache.spaces.0.try_lock() else { return self.settle(v, &e.ty) };
        if let Some((_, s)) = known.iter().find(|(k, _)| *k == space) {
            return Ok(Value::Set(s.clone()));
        }
        let v = self.settle(v, &e.ty)?;
        if let Value::Set(s) = &v
            && known.iter().map(|(_, s)| s.len()).sum::<usize>() + s.len() <= ROOM
        {
            known.push((space, s.clone()));
        }
        Ok(v)
    }
}
