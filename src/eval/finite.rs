//! All values of a type.
//!
//! In: a type, a world. Out: its values in their order. Integers and strings are infinite: with `open`,
//! integers are those of a window and strings are `"STR1"`, `"STR2"` as in `ProB`, else they are a fault that
//! has no place yet (the caller names the variable). So is a type that nothing determines. Long enumerations poll the interrupt.

use super::{Evaluator, Flow};
use crate::diagnostic::Code;
use crate::ops::{Cut, Fault, World};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::ops::ControlFlow::{Break, Continue};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Most values of a type inside another one.
const PART_LIMIT: usize = 1 << 20;

/// A set of so many members, or more, has too many subsets.
const MEMBERS: usize = 60;

/// Sets between two looks at the interrupt.
const POLL: u64 = 256;

/// The integers of which values of an infinite type are made. They are not listed: MAXINT may be billions.
pub(super) struct Window {
    /// Those that come before the others.
    pub(super) first: Vec<i64>,
    pub(super) all: RangeInclusive<i64>,
}

impl Window {
    /// The integers, each once.
    pub(super) fn iter(&self) -> impl Iterator<Item = i64> {
        let others = self.all.clone().filter(|n| !self.first.contains(n));
        self.first.iter().copied().chain(others)
    }

    /// How many there are.
    fn count(&self) -> u64 {
        let (lo, hi) = (*self.all.start(), *self.all.end());
        let outside = self.first.iter().filter(|n| !self.all.contains(n)).count() as u64;
        if lo > hi { outside } else { hi.abs_diff(lo).saturating_add(1 + outside) }
    }

    /// The largest.
    pub(super) fn max(&self) -> Option<i64> {
        let last = (!self.all.is_empty()).then_some(*self.all.end());
        self.first.iter().copied().chain(last).max()
    }
}

/// Roughly how many values a type has, for choosing between sources; infinite counts as very many.
pub(super) fn estimate(ty: &Ty, world: &World) -> u64 {
    counted(ty, world, &|_| Some(1 << 20)).unwrap_or(u64::MAX)
}

/// How many values [`each`] has for a type, `u64::MAX` where there are more than can be counted; `None` if it has a fault.
pub(super) fn count(ty: &Ty, world: &World, open: Option<&Window>) -> Option<u64> {
    counted(ty, world, &|ty| match ty {
        Ty::Int => Some(open?.count()),
        Ty::Str => open.map(|_| 2),
        _ => None,
    })
}

/// How many values a type has, where those without end have as many as `endless` says.
fn counted(ty: &Ty, world: &World, endless: &dyn Fn(&Ty) -> Option<u64>) -> Option<u64> {
    Some(match ty {
        Ty::Bool => 2,
        Ty::Given(s) => world.card.get(usize::from(s.0)).copied().unwrap_or(0).into(),
        Ty::Pow(t) => {
            let members = u32::try_from(counted(t, world, endless)?).unwrap_or(u32::MAX);
            1u64.checked_shl(members).unwrap_or(u64::MAX)
        }
        Ty::Pair(a, b) => counted(a, world, endless)?.saturating_mul(counted(b, world, endless)?),
        Ty::Rec(fields) => {
            let mut all = fields.iter().map(|(_, t)| counted(t, world, endless));
            all.try_fold(1, |n: u64, m| Some(n.saturating_mul(m?)))?
        }
        Ty::Int | Ty::Str | Ty::Real | Ty::Free(_) | Ty::Any => endless(ty)?,
    })
}

/// Whether a type has infinitely many values.
pub(super) fn infinite(ty: &Ty) -> bool {
    match ty {
        Ty::Int | Ty::Str | Ty::Real => true,
        Ty::Pow(t) => infinite(t),
        Ty::Pair(a, b) => infinite(a) || infinite(b),
        Ty::Rec(fields) => fields.iter().any(|(_, t)| infinite(t)),
        Ty::Bool | Ty::Given(_) | Ty::Free(_) | Ty::Any => false,
    }
}

impl Evaluator {
    /// That of a variable of an infinite type only such values are tried as [`each`] has.
    pub(super) fn cut(&self, at: Span, what: &Arc<str>, ty: &Ty) -> Cut {
        let range = integers(ty).then(|| self.world.window().into_inner());
        Cut { what: what.clone(), at, range, of: None }
    }
}

/// Whether values of a type are made of integers and of nothing else that is infinite.
fn integers(ty: &Ty) -> bool {
    match ty {
        Ty::Int => true,
        Ty::Str | Ty::Real => false,
        Ty::Pow(t) => integers(t),
        Ty::Pair(a, b) => [a, b].iter().all(|t| integers(t) || !infinite(t)),
        Ty::Rec(fields) => fields.iter().all(|(_, t)| integers(t) || !infinite(t)),
        Ty::Bool | Ty::Given(_) | Ty::Free(_) | Ty::Any => false,
    }
}

/// Calls `f` with every value of a type.
pub(super) fn each(ty: &Ty, world: &World, open: Option<&Window>, f: &mut dyn FnMut(Value) -> Flow) -> Flow {
    match ty {
        Ty::Bool => {
            if f(Value::Bool(false))?.is_break() {
                return Ok(Break(()));
            }
            f(Value::Bool(true))
        }
        Ty::Given(s) => {
            for i in 0..world.card.get(usize::from(s.0)).copied().unwrap_or(0) {
                if f(Value::Elem(*s, i))?.is_break() {
                    return Ok(Break(()));
                }
            }
            Ok(Continue(()))
        }
        Ty::Int if let Some(window) = open => {
            for n in window.iter() {
                if f(Value::Int(n))?.is_break() {
                    return Ok(Break(()));
                }
            }
            Ok(Continue(()))
        }
        Ty::Str if open.is_some() => {
            if f(Value::Str("STR1".into()))?.is_break() {
                return Ok(Break(()));
            }
            f(Value::Str("STR2".into()))
        }
        Ty::Pair(a, b) => {
            let rights = all(b, world, open)?;
            each(a, world, open, &mut |x| {
                for y in &rights {
                    if f(Value::pair(x.clone(), y.clone()))?.is_break() {
                        return Ok(Break(()));
                    }
                }
                Ok(Continue(()))
            })
        }
        Ty::Rec(fields) => {
            let columns = fields.iter().map(|(_, t)| all(t, world, open)).collect::<Result<Vec<_>, _>>()?;
            rows(&columns, &mut Vec::new(), f)
        }
        Ty::Pow(t) => {
            if count(t, world, open).is_some_and(|n| n >= MEMBERS as u64) {
                return Err(too_large());
            }
            let items = all(t, world, open)?;
            subsets(&items, world, f)
        }
        Ty::Any => Err(Fault::new(Code::TypeUnknown, "nothing determines the type of these values")),
        Ty::Int | Ty::Str | Ty::Real | Ty::Free(_) => {
            Err(Fault::new(Code::Infinite, "an infinite type cannot be enumerated"))
        }
    }
}

/// The values of a type inside another one, which are needed many times.
pub(super) fn all(ty: &Ty, world: &World, open: Option<&Window>) -> Result<Vec<Value>, Fault> {
    // What cannot be kept is not begun with.
    if count(ty, world, open).is_some_and(|n| n > PART_LIMIT as u64) {
        return Err(too_large());
    }
    let mut out = Vec::new();
    let _ = each(ty, world, open, &mut |v| {
        if out.len() >= PART_LIMIT {
            return Err(too_large());
        }
        out.push(v);
        Ok(Continue(()))
    })?;
    Ok(out)
}

fn too_large() -> Fault {
    Fault::new(Code::TooLarge, "a type with too many values to be enumerated")
}

pub(super) fn subsets(items: &[Value], world: &World, f: &mut dyn FnMut(Value) -> Flow) -> Flow {
    if items.len() >= MEMBERS {
        return Err(too_large());
    }
    for mask in 0..1u64 << items.len() {
        if mask % POLL == 0 && world.interrupt.raised() {
            return Err(Fault::new(Code::Interrupted, "evaluation was stopped"));
        }
        let members = items.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        let v = Value::Set(SetRef::from_vec(members.map(|(_, v)| v.clone()).collect()));
        if f(v)?.is_break() {
            return Ok(Break(()));
        }
    }
    Ok(Continue(()))
}

fn rows(columns: &[Vec<Value>], row: &mut Vec<Value>, f: &mut dyn FnMut(Value) -> Flow) -> Flow {
    let Some(column) = columns.get(row.len()) else { return f(Value::Rec(row.clone().into())) };
    for v in column {
        row.push(v.clone());
        if rows(columns, row, f)?.is_break() {
            return Ok(Break(()));
        }
        row.pop();
    }
    Ok(Continue(()))
}
