//! What representatives there are of known examples, and groups that constants leave, against all permutations.

use super::super::tests::{Toy, rng};
use super::super::{Basis, Reducer, build};
use crate::ty::{SetId, Ty};
use crate::value::permute::Permutation;
use crate::value::{SetRef, Value};
use proptest::prelude::RngExt;
use std::collections::{HashMap, HashSet};

fn point(set: u16, i: u32) -> Value {
    Value::Elem(SetId(set), i)
}

fn set(members: impl IntoIterator<Item = Value>) -> Value {
    Value::Set(SetRef::from_vec(members.into_iter().collect()))
}

fn pairs(s: u16, t: u16, all: &[(u32, u32)]) -> Value {
    set(all.iter().map(|&(a, b)| Value::pair(point(s, a), point(t, b))))
}

/// The states that all permutations make of one.
fn images(toy: &Toy, constants: &[Value], variables: &[Value]) -> Vec<Vec<u64>> {
    let image = |p: &Permutation, vs: &[Value]| vs.iter().map(|v| p.apply(v)).collect::<Vec<_>>();
    toy.permutations().iter().map(|p| toy.state(&image(p, constants), &image(p, variables))).collect()
}

/// How many representatives some states have, and what the strategy says of them.
fn representatives(toy: &Toy, name: &str, states: &[Vec<u64>]) -> (usize, Basis) {
    let r: Box<dyn Reducer> = build(name, &toy.context).unwrap_or_else(|d| panic!("{name}: {}", d.message));
    let keys: HashSet<u128> = states.iter().map(|s| r.key(s)).collect();
    (keys.len(), r.basis())
}

/// Three components, of which one refers to another in the same control state (Donaldson and Miller's reason for segments; what
/// refers to itself says so alone and is no reference here): sorting leaves two representatives, segments one.
#[test]
fn references_need_segments() {
    let d = || Ty::Given(SetId(0));
    let toy = Toy::new(&[3], &[], &[Ty::pow(d()), Ty::rel(d(), d())], &[]);
    let all = images(&toy, &[], &[set([point(0, 0)]), pairs(0, 0, &[(1, 2)])]);
    for name in ["segment", "enumerate", "auto", "exact"] {
        assert_eq!(representatives(&toy, name, &all).0, 1, "{name}");
    }
    for name in ["sorted", "minimise"] {
        let (found, basis) = representatives(&toy, name, &all);
        assert!((1..=2).contains(&found), "{name}: {found}");
        assert_eq!(basis, Basis::Images, "{name}");
    }
    assert_eq!(representatives(&toy, "sorted", &all).0, 2);
}

/// A ring of four with two colours side by side: ordering has two representatives of its 24 states, as FDR has. A list and free
/// nodes beside it have one.
#[test]
fn rings_may_have_two_representatives_by_ordering() {
    let d = || Ty::Given(SetId(0));
    let toy = Toy::new(&[4], &[], &[Ty::rel(d(), d()), Ty::pow(d())], &[]);
    let ring = |last: &[(u32, u32)], marked: &[u32]| {
        let edges = [&[(0, 1), (1, 2), (2, 3)], last].concat();
        images(&toy, &[], &[pairs(0, 0, &edges), set(marked.iter().map(|i| point(0, *i)))])
    };
    let (all, list) = (ring(&[(3, 0)], &[]), ring(&[], &[]));
    assert_eq!(representatives(&toy, "order", &list), (1, Basis::Least));
    assert_eq!(representatives(&toy, "order", &all).1, Basis::Images);
    assert_eq!(representatives(&toy, "exact", &all).0, 1);
    // Two sets of two neighbours each, in a ring of references without direction.
    let both = Toy::new(&[4], &[], &[Ty::rel(d(), d())], &[]);
    let edges = [(0, 1), (1, 2), (2, 3), (3, 0)];
    let all: Vec<(u32, u32)> = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    assert_eq!(representatives(&both, "order", &images(&both, &[], &[pairs(0, 0, &all)])).1, Basis::Images);
}

/// Under constants that tie two sets together the group is that of columns: exchanges of columns find the least image, and
/// sorting, where each point says something of its own; and the classes are those of all permutations.
#[test]
fn columns_have_minimising_sets() {
    let (d, e) = (|| Ty::Given(SetId(0)), || Ty::Given(SetId(1)));
    let n = 4;
    let toy = Toy::new(&[n, n], &[Ty::rel(d(), e())], &[Ty::pow(d()), Ty::rel(e(), Ty::Bool)], &[]);
    let tie = pairs(0, 1, &(0..n).map(|i| (i, i)).collect::<Vec<_>>());
    let mut rng = rng(5);
    let mut states = Vec::new();
    for _ in 0..30 {
        let some = set((0..n).filter(|_| rng.random_range(0..2) == 0).map(|i| point(0, i)));
        let says = (0..n).map(|i| Value::pair(point(1, i), Value::Bool(rng.random_range(0..2) == 0)));
        let says = set(says);
        let all = images(&toy, std::slice::from_ref(&tie), &[some, says]);
        states.extend((0..4).map(|_| all[rng.random_range(0..all.len())].clone()));
    }
    let exact = build("exact", &toy.context).unwrap_or_else(|d| panic!("{}", d.message));
    for name in ["minimise", "enumerate", "segment", "auto"] {
        let r = build(name, &toy.context).unwrap_or_else(|d| panic!("{name}: {}", d.message));
        let (mut there, mut back) = (HashMap::new(), HashMap::new());
        for s in &states {
            let (a, b) = (exact.key(s), r.key(s));
            assert_eq!(*there.entry(a).or_insert(b), b, "{name}");
            assert_eq!(*back.entry(b).or_insert(a), a, "{name}");
        }
        assert_eq!(r.basis(), Basis::Least, "{name}");
    }
}
