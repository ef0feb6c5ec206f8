//! The static certificate: types for which improved markers are a complete invariant.
//!
//! In: the types of constants and variables. Out: whether equal markers imply symmetric states. That is so
//! if no member of any set has two points, and no set with points is inside another: then a vector is
//! determined by what is said of each point alone, which is its colour, and by what is said of none. A
//! permutation that takes points to points of equal colour takes one vector to the other. (Symmetry.md 4.1
//! extends this to functions from other types to sets; that needs a check of functionality in each state.)

use super::Context;
use super::group::Group;
use crate::ir::Machine;
use crate::ty::Ty;

/// Whether the types of all constants and variables are such.
pub(super) fn holds(context: &Context) -> bool {
    let (machine, group) = (&*context.machine, context.group());
    let types = machine.constants.iter().chain(&machine.variables).map(|d| &d.ty);
    types.into_iter().all(|ty| single(ty, group, machine))
}

/// Whether a value of this type says nothing about two points together. The parts of a tuple that is no
/// member of a set are values of their own.
fn single(ty: &Ty, group: &Group, machine: &Machine) -> bool {
    match ty {
        Ty::Pow(member) => points(member, group, machine).is_some_and(|n| n < 2),
        Ty::Pair(a, b) => single(a, group, machine) && single(b, group, machine),
        Ty::Rec(fields) => fields.iter().all(|(_, t)| single(t, group, machine)),
        Ty::Free(_) => points(ty, group, machine) == Some(0),
        Ty::Int | Ty::Bool | Ty::Str | Ty::Real | Ty::Given(_) | Ty::Any => true,
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
        let bad = [Ty::rel(d(), d()), Ty::pow(Ty::pow(d())), Ty::rel(Ty::Bool, Ty::pow(d()))];
        // The second set has one element only: nothing to permute.
        assert!(holds(&Toy::new(&[3, 1], &[], &good, &[]).context));
        for ty in bad {
            assert!(!holds(&Toy::new(&[3, 1], &[ty], &good, &[]).context));
        }
    }
}
