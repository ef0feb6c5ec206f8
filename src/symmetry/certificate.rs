//! The static certificate: types for which improved markers are a complete invariant.
//!
//! In: the types of constants and variables. Out: whether equal markers imply symmetric states. That is so
//! if no member of any set has two points, and no set with points is inside another: then a vector is
//! determined by what is said of each point alone, which is its colour, and by what is said of none. A
//! permutation that takes points to points of equal colour takes one vector to the other.
//!
//! A function from arguments without points to such sets is a family of them, one for each argument, and the
//! argument is part of the colours. That the relation is a function is no matter of types: it is checked for each
//! state ([`functional`]), because a state may violate the invariant that says so.

use super::Context;
use super::group::Group;
use crate::ir::{Decl, Machine};
use crate::ty::Ty;
use crate::value::Value;

/// The constants and variables that have to be functions for the certificate to hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Functions {
    /// By `ConstId`, ascending.
    pub(super) constants: Vec<usize>,
    /// By `VarId`, ascending.
    pub(super) variables: Vec<usize>,
}

impl Functions {
    /// What the certificate asks for, if the types of all constants and variables allow for one.
    pub(super) fn of(context: &Context) -> Option<Self> {
        let (machine, group) = (&*context.machine, context.group());
        let which = |decls: &[Decl]| {
            let mut asked = Vec::new();
            for (i, d) in decls.iter().enumerate() {
                if single(&d.ty, group, machine)? {
                    asked.push(i);
                }
            }
            Some(asked)
        };
        Some(Self { constants: which(&machine.constants)?, variables: which(&machine.variables)? })
    }

    /// Whether nothing is asked of states.
    pub(super) fn is_empty(&self) -> bool {
        self.constants.is_empty() && self.variables.is_empty()
    }
}

/// Whether no relation in a value that would have to be a function is none.
pub(super) fn functional(v: &Value, ty: &Ty, context: &Context) -> bool {
    match (v, ty) {
        (Value::Set(s), Ty::Pow(member)) => {
            if points(member, context.group(), &context.machine).is_some() {
                return true;
            }
            let Ty::Pair(_, range) = &**member else { return false };
            let mut last = None;
            // Members are sorted: pairs with one left side are neighbours.
            s.items().iter().all(|x| match x {
                Value::Pair(p) => last.replace(&p.0) != Some(&p.0) && functional(&p.1, range, context),
                _ => false,
            })
        }
        (Value::Pair(p), Ty::Pair(a, b)) => functional(&p.0, a, context) && functional(&p.1, b, context),
        (Value::Rec(values), Ty::Rec(fields)) => {
            values.iter().zip(fields.iter()).all(|(v, (_, t))| functional(v, t, context))
        }
        (Value::Lazy(_), Ty::Pow(_)) => false,
        _ => true,
    }
}

/// Whether a value of this type says nothing about two points together (`None` if it may), and whether a relation
/// in it has to be a function for that. The parts of a tuple that is no member of a set are values of their own.
pub(super) fn single(ty: &Ty, group: &Group, machine: &Machine) -> Option<bool> {
    match ty {
        Ty::Pow(member) => match points(member, group, machine) {
            Some(n) => (n < 2).then_some(false),
            None => family(member, group, machine).then_some(true),
        },
        Ty::Pair(a, b) => Some(single(a, group, machine)? | single(b, group, machine)?),
        Ty::Rec(fields) => {
            fields.iter().try_fold(false, |asked, (_, t)| Some(asked | single(t, group, machine)?))
        }
        Ty::Free(_) => (points(ty, group, machine) == Some(0)).then_some(false),
        Ty::Int | Ty::Bool | Ty::Str | Ty::Real | Ty::Given(_) | Ty::Any => Some(false),
    }
}

/// Whether members of this type are sets that say nothing about two points together, each with an argument
/// without points.
fn family(member: &Ty, group: &Group, machine: &Machine) -> bool {
    match member {
        Ty::Pair(argument, set) => {
            points(argument, group, machine) == Some(0)
                && matches!(&**set, Ty::Pow(_))
                && single(set, group, machine).is_some()
        }
        _ => false,
    }
}

/// How many points a value of this type has at most, if it has none in inner sets and there is a bound.
fn points(ty: &Ty, group: &Group, machine: &Machine) -> Option<usize> {
    match ty {
        Ty::Int | Ty::Bool | Ty::Str | Ty::Real | Ty::Any => Some(0),
        Ty::Given(s) => Some(usize::from(group.cells().iter().any(|c| c.set == *s))),
        Ty::Pow(_) | Ty::Free(_) => (!super::dense::has_points(ty, group, machine)).then_some(0),
        Ty::Pair(a, b) => Some(points(a, group, machine)? + points(b, group, machine)?),
        Ty::Rec(fields) => fields.iter().try_fold(0, |n, (_, t)| Some(n + points(t, group, machine)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Toy;
    use super::*;
    use crate::ty::SetId;
    use crate::value::SetRef;

    #[test]
    fn one_point_per_member() {
        let d = || Ty::Given(SetId(0));
        let good = [
            d(),
            Ty::pow(d()),
            Ty::pair(d(), Ty::pair(d(), Ty::pow(d()))),
            Ty::rel(d(), Ty::Int),
            Ty::rel(Ty::Bool, Ty::pair(Ty::Int, d())),
            Ty::pow(Ty::pow(Ty::Bool)),
            Ty::rel(d(), Ty::Given(SetId(1))),
        ];
        let bad = [
            Ty::rel(d(), d()),
            Ty::pow(Ty::pow(d())),
            Ty::rel(d(), Ty::pow(d())),
            Ty::rel(Ty::Bool, Ty::pow(Ty::pair(d(), d()))),
            Ty::pow(Ty::pair(Ty::pow(d()), Ty::Bool)),
        ];
        // The second set has one element only: nothing to permute.
        let asked = |types: &[Ty]| Functions::of(&Toy::new(&[3, 1], types, &good, &[]).context);
        assert!(asked(&[]).is_some_and(|f| f.is_empty()));
        for ty in bad {
            assert!(asked(&[ty]).is_none());
        }
        // Sets by argument, if each argument has one.
        let sets = Ty::rel(Ty::Bool, Ty::pow(d()));
        assert_eq!(asked(std::slice::from_ref(&sets)).map(|f| f.constants), Some(vec![0]));
        let toy = Toy::new(&[3, 1], &[], std::slice::from_ref(&sets), &[]);
        let row = |b, x| {
            let set = Value::Set(SetRef::from_vec(vec![Value::Elem(SetId(0), x)]));
            Value::pair(Value::Bool(b), set)
        };
        let value = |rows| Value::Set(SetRef::from_vec(rows));
        assert!(functional(&value(vec![row(true, 0), row(false, 0)]), &sets, &toy.context));
        assert!(!functional(&value(vec![row(true, 0), row(true, 1)]), &sets, &toy.context));
        assert!(functional(&value(Vec::new()), &sets, &toy.context));
    }
}
