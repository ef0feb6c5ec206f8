//! Laws of reducers on random vectors of values: what one orbit shares, and what tells orbits apart.
//!
//! A toy machine has no text, only sets, constants and variables of chosen types; the orbit of a state is
//! computed by brute force.

use super::vector::Vector;
use super::{Basis, Context, Count, Guarantee, MarkerHash, Reducer, STRATEGIES, Valuations, View, build};
use crate::ir::{Decl, GivenSet, Machine, Routine, Settings, Subst, SubstKind};
use crate::layout::{Hull, Pool, StateLayout};
use crate::model::Twins;
use crate::ops::World;
use crate::source::Span;
use crate::ty::{SetId, Ty};
use crate::value::permute::Permutation;
use crate::value::{SetRef, Value};
use num_bigint::BigUint;
use proptest::prelude::RngExt;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// Valuations that a test adds as it goes.
#[derive(Default)]
pub(super) struct Table(Mutex<Vec<Arc<Vec<Option<Value>>>>>);

impl Table {
    /// The number of a valuation.
    pub(super) fn number(&self, values: Vec<Option<Value>>) -> u32 {
        let mut all = self.0.lock().expect("no test panics while it holds the lock");
        let values = Arc::new(values);
        let at = all.iter().position(|v| *v == values).unwrap_or_else(|| {
            all.push(values);
            all.len() - 1
        });
        u32::try_from(at).expect("few valuations")
    }
}

impl Valuations for Table {
    fn get(&self, valuation: u32) -> Arc<Vec<Option<Value>>> {
        self.0.lock().expect("no test panics while it holds the lock")[valuation as usize].clone()
    }
}

/// A machine without text.
pub(super) struct Toy {
    pub(super) context: Context,
    table: Arc<Table>,
}

fn nowhere() -> Span {
    Span::default()
}

fn decls(types: &[Ty], name: &str) -> Vec<Decl> {
    let decl = |(i, ty): (usize, &Ty)| Decl {
        name: format!("{name}{i}").into(),
        ty: ty.clone(),
        span: nowhere(),
        symbolic: false,
        parameter: false,
    };
    types.iter().enumerate().map(decl).collect()
}

impl Toy {
    /// Sets of the given sizes (all deferred), constants and variables of the given types.
    pub(super) fn new(card: &[u32], constants: &[Ty], variables: &[Ty], hulls: &[Hull]) -> Self {
        let world = World { card: card.to_vec(), ..World::default() };
        let set = |i: usize| GivenSet {
            name: format!("S{i}").into(),
            span: nowhere(),
            elements: None,
            parameter: false,
        };
        let machine = Machine {
            name: "Toy".into(),
            sets: (0..card.len()).map(set).collect(),
            free_types: Vec::new(),
            constants: decls(constants, "c"),
            variables: decls(variables, "v"),
            properties: Vec::new(),
            invariants: Vec::new(),
            typing: Vec::new(),
            assertions: Vec::new(),
            goal: None,
            scope: None,
            initialisation: Routine { body: Subst { kind: SubstKind::Skip, span: nowhere() }, frame: 0 },
            operations: Vec::new(),
            settings: Settings::default(),
            named: std::collections::BTreeMap::new(),
            watched: Vec::new(),
        };
        let layout = StateLayout::within(variables, hulls, &world);
        let table = Arc::new(Table::default());
        let context = Context::new(
            Arc::new(machine),
            Arc::new(world),
            Arc::new(layout),
            Arc::new(Pool::default()),
            table.clone(),
        );
        Self { context, table }
    }

    /// The packed state with these values.
    pub(super) fn state(&self, constants: &[Value], variables: &[Value]) -> Vec<u64> {
        let number = self.table.number(constants.iter().cloned().map(Some).collect());
        let mut words = vec![0; self.context.layout.words];
        words[0] = u64::from(number);
        for (i, v) in variables.iter().enumerate() {
            self.context.layout.set(&mut words, i, v, &self.context.pool).expect("fits");
        }
        words
    }

    pub(super) fn permutations(&self) -> Vec<Permutation> {
        let mut all = Vec::new();
        let _ = self.context.group().each(&mut |images| {
            all.push(self.context.group().permutation(images));
            ControlFlow::Continue(())
        });
        all
    }
}

/// The types that the laws are tried on: two sets to permute and booleans, nested in all ways.
fn types() -> Vec<Ty> {
    let (d, e) = (Ty::Given(SetId(0)), Ty::Given(SetId(1)));
    vec![
        d.clone(),
        Ty::pow(d.clone()),
        Ty::rel(d.clone(), Ty::Bool),
        Ty::rel(d.clone(), d.clone()),
        Ty::rel(d.clone(), e.clone()),
        Ty::pow(Ty::pow(d.clone())),
        Ty::rel(d.clone(), Ty::pow(e.clone())),
        Ty::seq(d.clone()),
        Ty::rel(Ty::pair(d.clone(), e.clone()), d.clone()),
        Ty::rel(Ty::Bool, Ty::pow(Ty::pow(d.clone()))),
        Ty::pow(Ty::rel(d.clone(), e.clone())),
        Ty::Rec([("a".into(), d.clone()), ("b".into(), Ty::Bool), ("c".into(), Ty::pow(e.clone()))].into()),
        Ty::rel(Ty::pow(d.clone()), e.clone()),
        Ty::pow(Ty::pow(Ty::pow(d.clone()))),
        Ty::rel(d.clone(), Ty::rel(d.clone(), Ty::Bool)),
        Ty::rel(d, e),
    ]
}

pub(super) fn random(ty: &Ty, card: &[u32], rng: &mut TestRng) -> Value {
    let n = rng.random_range(0..4u32);
    match ty {
        Ty::Bool => Value::Bool(n % 2 == 0),
        Ty::Int => Value::Int(i64::from(n) + 1),
        Ty::Given(s) => Value::Elem(*s, rng.random_range(0..card[usize::from(s.0)])),
        Ty::Pair(a, b) => Value::pair(random(a, card, rng), random(b, card, rng)),
        Ty::Rec(fields) => Value::Rec(fields.iter().map(|(_, t)| random(t, card, rng)).collect()),
        Ty::Pow(t) => {
            let n = rng.random_range(0..5u32);
            Value::Set(SetRef::from_vec((0..n).map(|_| random(t, card, rng)).collect()))
        }
        Ty::Str | Ty::Real | Ty::Free(_) | Ty::Any => unreachable!("not among the types tried"),
    }
}

/// The least image of a vector under all permutations, by fingerprint.
fn orbit_of(toy: &Toy, permutations: &[Permutation], state: &[u64]) -> (u128, BTreeSet<u128>) {
    let places = super::vector::Places::new(&toy.context);
    let vector = Vector::of_state(&toy.context, state);
    let orbit: BTreeSet<u128> =
        permutations.iter().map(|p| vector.permuted(p).fingerprint(&places)).collect();
    (*orbit.first().expect("the identity is a permutation"), orbit)
}

/// A random toy with some states, and an image of each.
pub(super) struct Case {
    pub(super) toy: Toy,
    pub(super) states: Vec<(Vec<u64>, Vec<u64>)>,
}

fn case(rng: &mut TestRng, dense: bool) -> Case {
    let card = [rng.random_range(1..5u32), rng.random_range(1..4u32)];
    let all = types();
    let pick = |rng: &mut TestRng| all[rng.random_range(0..all.len())].clone();
    let constants: Vec<Ty> = (0..rng.random_range(0..2u32)).map(|_| pick(rng)).collect();
    let variables: Vec<Ty> = (0..rng.random_range(1..4u32)).map(|_| pick(rng)).collect();
    let draw = |rng: &mut TestRng, types: &[Ty]| -> Vec<Value> {
        types.iter().map(|t| random(t, &card, rng)).collect()
    };
    let drawn: Vec<(Vec<Value>, Vec<Value>)> =
        (0..12).map(|_| (draw(rng, &constants), draw(rng, &variables))).collect();
    let mut hulls = vec![Hull::Unknown; variables.len()];
    if dense {
        for (_, vs) in &drawn {
            hulls.iter_mut().zip(vs).for_each(|(h, v)| {
                h.include(v);
            });
        }
    }
    let toy = Toy::new(&card, &constants, &variables, &hulls);
    let permutations = toy.permutations();
    let states = drawn
        .iter()
        .map(|(c, v)| {
            let p = &permutations[rng.random_range(0..permutations.len())];
            let image = |vs: &[Value]| vs.iter().map(|v| p.apply(v)).collect::<Vec<_>>();
            (toy.state(c, v), toy.state(&image(c), &image(v)))
        })
        .collect();
    Case { toy, states }
}

pub(super) fn reducer(toy: &Toy, name: &str) -> Box<dyn Reducer> {
    build(name, &toy.context).unwrap_or_else(|d| panic!("{name}: {}", d.message))
}

/// Random cases, the same in every run; half of them with layouts made to measure.
pub(super) fn cases() -> impl Iterator<Item = Case> {
    (0..200).map(|seed| case(&mut rng(seed), seed % 2 == 0))
}

/// All strategies but the two that tell images apart give one key to an orbit, unless they say that there may be several.
#[test]
fn keys_are_constant_on_orbits() {
    let mut one: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases() {
        for strategy in STRATEGIES.iter().filter(|s| s.name != "off" && s.name != "flood") {
            for (s, image) in &case.states {
                let r = reducer(&case.toy, strategy.name);
                let keys = [r.key(s), r.key(image)];
                if r.basis() != Basis::Images {
                    assert_eq!(keys[0], keys[1], "{}", strategy.name);
                    *one.entry(strategy.name).or_default() += 1;
                }
            }
        }
    }
    let all = one["exact"];
    for name in ["canon", "enumerate", "segment"] {
        assert_eq!(one[name], all, "{name}");
    }
    for name in ["minimise", "sorted", "order", "hillclimb", "auto"] {
        assert!((1..=all).contains(&one[name]), "{name}: {} of {all}", one[name]);
    }
}

/// The strategies with a promise give different keys to different orbits.
#[test]
fn exact_keys_tell_orbits_apart() {
    for case in cases() {
        let permutations = case.toy.permutations();
        for strategy in STRATEGIES {
            let r = reducer(&case.toy, strategy.name);
            if r.guarantee() == Guarantee::Approximate {
                continue;
            }
            let mut orbit_of_key: HashMap<u128, u128> = HashMap::new();
            for (s, _) in &case.states {
                let (least, orbit) = orbit_of(&case.toy, &permutations, s);
                assert_eq!(*orbit_of_key.entry(r.key(s)).or_insert(least), least, "{}", strategy.name);
                if let Some(size) = r.orbit_size(s) {
                    assert_eq!(size, orbit.len().into(), "{}", strategy.name);
                }
            }
        }
    }
}

/// Flooding stores exactly the orbit.
#[test]
fn flooding_covers_the_orbit() {
    for case in cases() {
        let permutations = case.toy.permutations();
        let r = reducer(&case.toy, "flood");
        for (s, image) in &case.states {
            let mut keys = BTreeSet::from([r.key(s)]);
            r.further_keys(s, &mut |k| {
                keys.insert(k);
            });
            assert_eq!(&keys, &orbit_of(&case.toy, &permutations, s).1);
            assert!(keys.contains(&r.key(image)));
        }
    }
}

/// Sums of hashes and sorted lists give the same partition, whatever the rules.
#[test]
fn markers_agree_with_their_audit() {
    for case in cases() {
        let slow = Context { marker_hash: MarkerHash::Blake3, ..case.toy.context.clone() };
        for name in ["markers", "markers-basic", "markers-tree"] {
            let fast = reducer(&case.toy, name);
            let slow = build(name, &slow).unwrap_or_else(|d| panic!("{}", d.message));
            let (mut there, mut back) = (HashMap::new(), HashMap::new());
            for s in case.states.iter().flat_map(|(s, i)| [s, i]) {
                let (a, b) = (fast.key(s), slow.key(s));
                assert_eq!(*there.entry(a).or_insert(b), b, "{name} joins");
                assert_eq!(*back.entry(b).or_insert(a), a, "{name} splits");
            }
        }
    }
}

/// A valuation is never taken for a state, and has one key per orbit.
#[test]
fn valuations_are_nodes_of_their_own() {
    for case in cases() {
        for strategy in STRATEGIES {
            let r = reducer(&case.toy, strategy.name);
            let keys: HashSet<u128> = case.states.iter().map(|(s, _)| r.key(s)).collect();
            for (s, image) in &case.states {
                let numbers = [s, image].map(|s| u32::try_from(s[0]).expect("few valuations"));
                let [a, b] = numbers.map(|n| r.valuation_key(n));
                assert!(!keys.contains(&a), "{}", strategy.name);
                if strategy.name != "off" && strategy.name != "flood" {
                    assert_eq!(a, b, "{}", strategy.name);
                }
            }
        }
    }
}

pub(super) fn rng(seed: u64) -> TestRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

/// Improved markers are finer than basic ones, and tree markers finer than improved ones.
#[test]
fn finer_rules_split_more() {
    let mut rng = rng(7);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..60 {
        let case = case(&mut rng, true);
        let [basic, improved, tree] =
            ["markers-basic", "markers", "markers-tree"].map(|n| reducer(&case.toy, n));
        let (mut to_basic, mut to_improved) = (HashMap::new(), HashMap::new());
        for (s, _) in &case.states {
            let keys = [basic.key(s), improved.key(s), tree.key(s)];
            assert_eq!(*to_basic.entry(keys[1]).or_insert(keys[0]), keys[0]);
            assert_eq!(*to_improved.entry(keys[2]).or_insert(keys[1]), keys[1]);
        }
        for (name, r) in [("basic", &basic), ("improved", &improved), ("tree", &tree)] {
            let keys: HashSet<u128> = case.states.iter().map(|(s, _)| r.key(s)).collect();
            *counts.entry(name).or_default() += keys.len();
        }
    }
    assert!(counts["basic"] <= counts["improved"] && counts["improved"] <= counts["tree"]);
}

/// The number of different keys; all states of a machine must be given, so that orbit sizes add up.
fn keys_of(toy: &Toy, name: &str, values: impl Iterator<Item = Vec<Value>>) -> usize {
    let r = reducer(toy, name);
    let mut sizes: HashMap<u128, BigUint> = HashMap::new();
    let mut states = 0u32;
    for v in values {
        let state = toy.state(&[], &v);
        sizes.entry(r.key(&state)).or_insert_with(|| r.orbit_size(&state).expect("exact").into());
        states += 1;
    }
    assert_eq!(sizes.values().sum::<BigUint>(), states.into());
    sizes.len()
}

fn subset(all: &[Value], bits: u32) -> Value {
    let chosen = all.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, v)| v.clone());
    Value::Set(SetRef::from_vec(chosen.collect()))
}

/// All relations on a set, and all sets of subsets: the numbers of classes are known (OEIS A000595, A003180).
#[test]
fn classes_are_as_many_as_in_the_literature() {
    let d = || Ty::Given(SetId(0));
    for (n, relations, families) in [(2, 10, 12), (3, 104, 80), (4, 3044, 3984)] {
        let elements: Vec<Value> = (0..n).map(|i| Value::Elem(SetId(0), i)).collect();
        let pairs: Vec<Value> = (elements.iter())
            .flat_map(|a| elements.iter().map(|b| Value::pair(a.clone(), b.clone())))
            .collect();
        let subsets: Vec<Value> = (0..1u32 << n).map(|bits| subset(&elements, bits)).collect();
        for (ty, atoms, classes) in
            [(Ty::rel(d(), d()), pairs, relations), (Ty::pow(Ty::pow(d())), subsets, families)]
        {
            let toy = Toy::new(&[n], &[], &[ty], &[]);
            let all = || (0..1u32 << atoms.len()).map(|bits| vec![subset(&atoms, bits)]);
            assert_eq!(keys_of(&toy, "exact", all()), classes, "{n}");
        }
    }
}

/// The edges of a graph, in both directions.
fn graph(edges: impl Iterator<Item = (u32, u32)>) -> Value {
    let e = |i| Value::Elem(SetId(0), i);
    Value::Set(SetRef::from_vec(
        edges.flat_map(|(a, b)| [Value::pair(e(a), e(b)), Value::pair(e(b), e(a))]).collect(),
    ))
}

/// Graphs whose points no colour tells apart.
#[test]
fn regular_graphs_are_told_apart() {
    let d = Ty::Given(SetId(0));
    let square = |n: u32| (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)));
    // On 16 points: rows and columns of a 4 x 4 board, and Shrikhande's graph; parameters (16, 6, 2, 2).
    let number = |(a, b): (u32, u32)| 4 * a + b;
    let all = || square(16).map(|(x, y)| ((x / 4, x % 4), (y / 4, y % 4)));
    let rook = all().filter(|(x, y)| (x.0 == y.0) != (x.1 == y.1)).map(|(x, y)| (number(x), number(y)));
    let steps = [(1, 0), (3, 0), (0, 1), (0, 3), (1, 1), (3, 3)];
    let differ = |x: (u32, u32), y: (u32, u32)| ((x.0 + 4 - y.0) % 4, (x.1 + 4 - y.1) % 4);
    let shrikhande =
        all().filter(|(x, y)| steps.contains(&differ(*x, *y))).map(|(x, y)| (number(x), number(y)));
    // On 16 points: one ring, two rings; four cubes' edges.
    let ring = |n: u32, from: u32| (0..n).map(move |i| (from + i, from + (i + 1) % n));
    let cube = square(16).filter(|(a, b)| (a ^ b).is_power_of_two());
    // Each with the order of its automorphism group.
    let graphs = [
        (graph(rook), 1152),
        (graph(shrikhande), 192),
        (graph(ring(16, 0)), 32),
        (graph(ring(8, 0).chain(ring(8, 8))), 512),
        (graph(ring(5, 0).chain(ring(11, 5))), 220),
        (graph(cube), 384),
        (graph((0..8).map(|i| (i, i + 8))), 10_321_920),
        (graph(std::iter::empty()), 20_922_789_888_000u64),
    ];
    let toy = Toy::new(&[16], &[], &[Ty::rel(d.clone(), d)], &[]);
    let r = reducer(&toy, "exact");
    let mut keys = HashSet::new();
    let mut rng = rng(3);
    for (g, automorphisms) in graphs {
        let state = toy.state(&[], std::slice::from_ref(&g));
        let key = r.key(&state);
        assert!(keys.insert(key));
        assert_eq!(r.orbit_size(&state), Some(toy.context.group().order().clone() / &automorphisms.into()));
        for _ in 0..5 {
            let mut images: Vec<u32> = (0..16).collect();
            (1..16).for_each(|i| images.swap(i, rng.random_range(0..=i)));
            let image = toy.context.group().permutation(&images).apply(&g);
            assert_eq!(r.key(&toy.state(&[], &[image])), key);
        }
    }
}

/// Philosophers and their two forks each: nobody is a twin, but whole places at the table are.
#[test]
fn linked_sets_move_together() {
    let (d, e) = (Ty::Given(SetId(0)), Ty::Given(SetId(1)));
    let n = 40;
    let row = |i: u32, j: u32| Value::pair(Value::Elem(SetId(0), i), Value::Elem(SetId(1), j));
    let matching = |turn: u32| Value::Set(SetRef::from_vec((0..n).map(|i| row(i, (i + turn) % n)).collect()));
    let pairs: Vec<Value> = (0..n / 2).flat_map(|i| [row(2 * i, 2 * i + 1), row(2 * i + 1, 2 * i)]).collect();
    let some = |keep: usize| Value::Set(SetRef::from_vec(pairs[..keep].to_vec()));
    let toy = Toy::new(&[n, n], &[], &[Ty::rel(d.clone(), e.clone()), Ty::rel(d, e)], &[]);
    let r = reducer(&toy, "exact");
    let key = |a: Value, b: Value| {
        let state = toy.state(&[], &[a, b]);
        (r.key(&state), r.orbit_size(&state).expect("exact"))
    };
    let places = Count::product(1, n as usize);
    assert_eq!(key(matching(0), matching(0)), key(matching(3), matching(3)));
    assert_eq!(key(matching(0), matching(0)).1, places);
    assert_ne!(key(matching(0), matching(0)).0, key(matching(0), matching(1)).0);
    assert_eq!(r.counters()[4].1, 1, "only the ring needs a search");
    assert_ne!(key(matching(0), some(4)).0, key(matching(0), some(6)).0);
}

/// Keys of many states are those of each; where types are flat they come from the difference to one before.
#[test]
fn keys_by_difference_are_the_keys() {
    for case in cases() {
        let (width, states) = (case.toy.context.layout.words, &case.states);
        let targets: Vec<u64> = states.iter().flat_map(|(s, _)| s).copied().collect();
        for strategy in STRATEGIES {
            let r = reducer(&case.toy, strategy.name);
            let mut keys = Vec::new();
            r.keys(&targets, width, &mut keys);
            let single: Vec<u128> = targets.chunks(width).map(|t| r.key(t)).collect();
            assert_eq!(keys, single, "{}", strategy.name);
        }
    }
    let d = || Ty::Given(SetId(0));
    let toy = Toy::new(&[70], &[], &[Ty::pow(d()), Ty::rel(d(), Ty::Bool), d()], &[]);
    let set = |n: u32| Value::Set(SetRef::from_vec((0..n).map(|i| Value::Elem(SetId(0), i)).collect()));
    let state = |n, i| toy.state(&[], &[set(n), Value::empty(), Value::Elem(SetId(0), i)]);
    let exact = super::exact::Exact::new(&toy.context);
    let (source, close, far) = (state(40, 3), state(44, 5), state(60, 3));
    let mut near = exact.near(&source);
    let mut sum = |state: &[u64]| {
        let all = |near: &super::near::Near, how: &super::near::Reading<'_>| {
            near.sum(how, exact.each_colour(near.facts()))
        };
        exact.reading(|how| near.compare(how, state).then(|| near.changed_sum(all(&near, how))))
    };
    assert!(sum(&close).is_some_and(|s| s != sum(&source).unwrap_or(s)));
    assert_eq!(sum(&far), None, "too many elements change");
    let targets: Vec<u64> = [close, far, source.clone()].concat();
    let mut keys = Vec::new();
    exact.keys(&targets, source.len(), &mut keys);
    assert_eq!(keys, targets.chunks(source.len()).map(|t| exact.key(t)).collect::<Vec<_>>());
}

/// Variables that have to be decoded take part in differences.
#[test]
fn decoded_variables_differ() {
    let d = || Ty::Given(SetId(0));
    let sets = Ty::rel(Ty::Bool, Ty::pow(d()));
    let toy = Toy::new(&[9], &[], &[sets, Ty::pow(d())], &[]);
    let set = |n: &[u32]| Value::Set(SetRef::from_vec(n.iter().map(|&i| Value::Elem(SetId(0), i)).collect()));
    let state = |no: &[u32], yes: &[u32], other: &[u32]| {
        let rows = [(false, no), (true, yes)].map(|(b, s)| Value::pair(Value::Bool(b), set(s)));
        toy.state(&[], &[Value::Set(SetRef::from_vec(rows.to_vec())), set(other)])
    };
    let exact = super::exact::Exact::new(&toy.context);
    let all = [
        state(&[0, 1], &[2], &[0]),
        state(&[0, 1], &[2], &[1]),
        state(&[0, 1], &[2, 3], &[0]),
        state(&[0, 4], &[5], &[4]),
        state(&[], &[], &[0]),
        state(&[2], &[0, 1], &[0]),
    ];
    let width = all[0].len();
    let mut keys = Vec::new();
    exact.keys(&all.concat(), width, &mut keys);
    assert_eq!(keys, all.iter().map(|s| exact.key(s)).collect::<Vec<_>>());
    assert!(keys[0] == keys[1] && keys[0] == keys[3] && keys[0] != keys[2] && keys[0] != keys[5]);
    let mut near = exact.near(&all[0]);
    assert!(all.iter().all(|s| exact.reading(|how| near.compare(how, s))));
}

/// The judge of audits agrees with brute force.
#[test]
fn symmetric_states_are_recognised() {
    for case in cases() {
        let permutations = case.toy.permutations();
        let judge = super::iso::Isomorphism::new(&case.toy.context, true);
        let strict = super::iso::Isomorphism::new(&case.toy.context, false);
        for (i, (s, image)) in case.states.iter().enumerate() {
            assert!(judge.symmetric(s, image));
            let (_, orbit) = orbit_of(&case.toy, &permutations, s);
            for (t, _) in &case.states[..i] {
                let (_, other) = orbit_of(&case.toy, &permutations, t);
                assert_eq!(judge.symmetric(s, t), orbit == other);
                assert!(!strict.symmetric(s, t) || s == t);
            }
        }
    }
}

/// Under the twins of a state, targets have one key exactly if a permutation of these takes one to the other, and as
/// many images as there are such targets.
#[test]
fn images_under_twins() {
    let mut compared = 0;
    let both: [fn(&Context) -> super::exact::Exact; 2] =
        [super::exact::Exact::new, super::exact::Exact::by_names];
    for (case, new) in both.into_iter().flat_map(|new| cases().map(move |case| (case, new))) {
        let context = &case.toy.context;
        let exact = new(context);
        let sets = [SetId(0), SetId(1)];
        let Some(mut twins) = Twins::for_sets(sets, &context.world) else { continue };
        let permutations = case.toy.permutations();
        let mut view = View::default();
        for (source, _) in &case.states {
            twins.clear();
            exact.inside(source, Some(&mut twins), &mut view);
            let classes = |set: SetId| (0..context.world.card[usize::from(set.0)]).map(move |e| (set, e));
            let inside = |p: &&Permutation| {
                sets.into_iter()
                    .flat_map(classes)
                    .all(|(s, e)| twins.least(s, p.image(s, e)) == twins.least(s, e))
            };
            let moves: Vec<&Permutation> = permutations.iter().filter(inside).collect();
            let mut met: HashMap<u128, BTreeSet<u128>> = HashMap::new();
            for (target, _) in case.states.iter().filter(|(t, _)| t.first() == source.first()) {
                let vector = Vector::of_state(context, target);
                let places = super::vector::Places::new(context);
                let images: BTreeSet<u128> =
                    moves.iter().map(|p| vector.permuted(p).fingerprint(&places)).collect();
                let mut keys = Vec::new();
                exact.keys_from(target, target.len(), &mut view, &mut keys, Some(&twins));
                assert_eq!(keys, [exact.key(target)]);
                let (key, count) = *view.images().last().expect("twins were given");
                assert_eq!(count, images.len() as u64);
                assert_eq!(*met.entry(key).or_insert_with(|| images.clone()), images);
                compared += usize::from(images.len() > 1);
            }
            let distinct: HashSet<&BTreeSet<u128>> = met.values().collect();
            assert_eq!(distinct.len(), met.len());
        }
    }
    assert!(compared > 100, "{compared} targets with images");
}
