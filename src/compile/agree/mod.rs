//! Random formulas on random states: compiled code, portable and native, against the plain evaluator.
//!
//! A run that does not give up must yield what the evaluator yields. Giving up is allowed where the evaluator
//! finds a fault, and (rarely) elsewhere; both are counted, so that the test cannot pass by giving up always.
#![allow(clippy::unwrap_used, clippy::panic, clippy::cast_possible_truncation, reason = "tests")]

mod brief;
mod random;

use super::CompiledSystem;
use super::function::{labelled, predicate};
use super::lower::Source;
use super::word::Ran;
use super::word::run;
use crate::diagnostic::Code;
use crate::eval::{Env, Evaluator};
use crate::ir::{Decl, GivenSet, Machine, Operation, Routine, Settings, Subst, SubstKind};
use crate::layout::{Hull, Pool, StateLayout};
use crate::model::constants::{Mode, Table};
use crate::model::{Findings, MachineSystem, Steps, System};
use crate::ops::World;
use crate::source::Span;
use crate::ty::{SetId, Ty};
use crate::value::Value;
use brief::Brief;
use random::{FunSet, Gen, Int, RelAInt, SeqA, T, VARS, ty};
use std::ops::ControlFlow;
use std::sync::Arc;

fn machine(operations: Vec<Operation>) -> Machine {
    let decl = |t: &T| Decl {
        name: "v".into(),
        ty: ty(*t),
        span: Span::default(),
        symbolic: false,
        parameter: false,
    };
    Machine {
        name: "m".into(),
        sets: vec![GivenSet { name: "A".into(), span: Span::default(), elements: None, parameter: false }],
        free_types: Vec::new(),
        constants: Vec::new(),
        variables: VARS.iter().map(decl).collect(),
        properties: Vec::new(),
        invariants: Vec::new(),
        typing: Vec::new(),
        assertions: Vec::new(),
        goal: None,
        scope: None,
        initialisation: Routine { body: Subst { kind: SubstKind::Skip, span: Span::default() }, frame: 0 },
        operations,
        settings: Settings::default(),
        named: std::collections::BTreeMap::new(),
        watched: Vec::new(),
    }
}

/// A world, its layout, and states in it.
struct Setting {
    world: World,
    layout: StateLayout,
    pool: Pool,
}

impl Setting {
    fn new(card: u32) -> Self {
        let names = (0..card).map(|i| Arc::from(format!("a{i}").as_str())).collect();
        let world =
            World { card: vec![card], elements: vec![names], maxint: 3, minint: -1, ..World::default() };
        let int = Hull::Int(-1, 4);
        let pair = |x: Hull, y: Hull| Hull::Set(Box::new(Hull::Pair(Box::new(x), Box::new(y))));
        let hulls: Vec<Hull> = VARS
            .iter()
            .map(|t| match t {
                // By turns dense and a span.
                Int if card % 2 == 1 => Hull::Int(-1, 1 << 20),
                Int => int.clone(),
                RelAInt => pair(Hull::Unknown, int.clone()),
                FunSet => Hull::Fun(Box::default()),
                SeqA => pair(Hull::Int(1, 4), Hull::Unknown),
                _ => Hull::Unknown,
            })
            .collect();
        let types: Vec<Ty> = VARS.iter().map(|t| ty(*t)).collect();
        let layout = StateLayout::within(&types, &hulls, &world);
        Self { world, layout, pool: Pool::default() }
    }

    fn state(&self, g: &mut Gen) -> (Env, Vec<u64>) {
        let mut words = vec![0; self.layout.words];
        let mut vars = Vec::new();
        for (i, t) in VARS.iter().enumerate() {
            let v = g.value(*t);
            self.layout.set(&mut words, i, &v, &self.pool).unwrap();
            vars.push(Some(v));
        }
        (Env { vars: Arc::new(vars), locals: vec![None; 512], ..Env::default() }, words)
    }

    fn source<'a>(&'a self, m: &'a Machine) -> Source<'a> {
        Source { machine: m, world: &self.world, layout: &self.layout, consts: &[] }
    }
}

/// Runs a program by both executors, which must agree.
fn run(p: &super::word::Program, state: &[u64]) -> (Ran, Vec<u64>) {
    let mut out = Vec::new();
    let ran = run::Code::new(p).run(state, &mut Vec::new(), &mut out);
    #[cfg(feature = "jit")]
    {
        let mut native = Vec::new();
        assert_eq!(super::jit::Native::new(p).unwrap().run(state, &mut native), ran);
        assert!(ran.void() || native == out);
    }
    (ran, out)
}

#[test]
fn predicates_agree() {
    let (mut refused, mut faults, mut gave_up, mut same) = (0, 0, 0, 0);
    for seed in 0..500u64 {
        let card = [2, 3, 5, 9][seed as usize % 4];
        let b = Setting::new(card);
        let mut g = Gen { seed: seed << 20, scope: Vec::new(), next: 0, card };
        let m = Arc::new(machine(Vec::new()));
        let p = g.pred(3);
        let Ok(program) = predicate(b.source(&m), &p) else {
            refused += 1;
            continue;
        };
        let eval = Evaluator::new(m.clone(), Arc::new(b.world.clone()));
        for _ in 0..3 {
            let (mut env, words) = b.state(&mut g);
            let plain = eval.pred(&p, &mut env);
            match (run(&program, &words).0, plain) {
                (Ran::Done(x), Ok(y)) => {
                    assert_eq!(x, y, "seed {seed}: {}\n{:?}", Brief(&p), env.vars);
                    same += 1;
                }
                (Ran::Done(_), Err(f)) if f.0.code == Code::Unsupported => {}
                (Ran::Done(x), Err(f)) => {
                    panic!(
                        "seed {seed}: {x} but {:?} {:?}: {}\n{:?}",
                        f.0.code,
                        f.0.span,
                        Brief(&p),
                        env.vars
                    )
                }
                (Ran::Bailed | Ran::Misfit(_), Ok(_)) => gave_up += 1,
                (Ran::Bailed | Ran::Misfit(_), Err(_)) => faults += 1,
            }
        }
    }
    assert!(same > 500 && gave_up * 10 < same, "{same} {gave_up} {faults} {refused}");
}

#[test]
fn operations_agree() {
    let (mut refused, mut gave_up, mut same) = (0, 0, 0);
    for seed in 0..300u64 {
        let card = [2, 3, 5, 9][seed as usize % 4];
        let b = Setting::new(card);
        let mut g = Gen { seed: seed << 20 | 7, scope: Vec::new(), next: 0, card };
        let o = g.operation();
        let m = Arc::new(machine(vec![o]));
        let Ok(p) = labelled(b.source(&m), &m.operations[0]) else {
            refused += 1;
            continue;
        };
        let eval = Evaluator::new(m.clone(), Arc::new(b.world.clone()));
        for _ in 0..3 {
            let (env, words) = b.state(&mut g);
            let mut want = Vec::new();
            let (mut fault, mut unsupported) = (false, false);
            let flow = eval.operation(0, &env, &|_| true, &mut |edge| {
                match edge {
                    Ok(e) => {
                        let mut target = vec![0; words.len()];
                        for (i, v) in e.vars.iter().enumerate() {
                            let v = v.as_ref().unwrap();
                            fault |= b.layout.set(&mut target, i, v, &b.pool).is_err();
                        }
                        let Value::Elem(_, x) = e.args[0] else { panic!() };
                        want.push((u64::from(x), target));
                    }
                    Err((_, f)) => {
                        fault = true;
                        unsupported |= f.0.code == Code::Unsupported;
                    }
                }
                ControlFlow::Continue(())
            });
            fault |= flow.is_err();
            let (ran, out) = run(&p.program, &words);
            if ran.void() {
                gave_up += u32::from(!fault);
                continue;
            }
            let body = m.operations[0].offered.as_ref().unwrap();
            if flow.as_ref().is_err_and(|f| f.0.code == Code::Unsupported) || unsupported {
                continue;
            }
            assert!(!fault, "seed {seed}: {:?} {}\n{:?}", flow.map_err(|f| f.0.code), Brief(body), env.vars);
            let mut got: Vec<_> = out.chunks(1 + words.len()).map(|r| (r[0], r[1..].to_vec())).collect();
            let repeats = got.len();
            got.sort();
            got.dedup();
            want.sort();
            want.dedup();
            assert!(got.len() == repeats || p.repeats, "seed {seed}");
            assert_eq!(got, want, "seed {seed}: {}\n{:?}", Brief(body), env.vars);
            same += 1;
        }
    }
    // A guard that is false for want of a value is left to the evaluator.
    assert!(same > 250 && gave_up * 3 < same, "{same} {gave_up} {refused}");
}

/// Systems as a whole: order of edges, faults, findings.
#[test]
fn systems_agree() {
    let (mut edges, mut tried, mut findings) = (0, 0, 0);
    for seed in 0..100u64 {
        let card = [2, 3, 5][seed as usize % 3];
        let b = Setting::new(card);
        let mut g = Gen { seed: seed << 20 | 3, scope: Vec::new(), next: 0, card };
        let operations = (0..3).map(|_| g.operation()).collect();
        let mut m = machine(operations);
        m.invariants = (0..3).map(|_| g.formula()).collect();
        m.goal = Some(g.formula());
        let evaluator = Evaluator::new(Arc::new(m), Arc::new(b.world.clone()));
        let table = Arc::new(Table::new(&evaluator, Mode::All, None));
        let (layout, pool) = (Arc::new(b.layout.clone()), Arc::new(Pool::default()));
        let make = || MachineSystem::new(evaluator.clone(), table.clone(), layout.clone(), pool.clone());
        let (plain, compiled) = (make(), CompiledSystem::new(make()));
        plain.valuations(&mut |_| true).unwrap();
        for _ in 0..5 {
            let (_, words) = b.state(&mut g);
            let (mut x, mut y) = (Steps::default(), Steps::default());
            plain.successors(&words, &mut x);
            compiled.successors(&words, &mut y);
            assert!(x.runs().eq(y.runs()), "seed {seed}");
            assert_eq!(x.targets, y.targets, "seed {seed}");
            let codes = |s: &Steps| s.faults.iter().map(|f| (f.op, f.fault.0.code)).collect::<Vec<_>>();
            assert_eq!(codes(&x), codes(&y), "seed {seed}");
            edges += x.len();
            tried += within(&plain, &compiled, &words, &mut g, card).unwrap_or_default();
            let (mut x, mut y) = (Findings::default(), Findings::default());
            plain.check(&words, &mut x);
            compiled.check(&words, &mut y);
            assert_eq!((&x.invariants, x.goal, &x.faults), (&y.invariants, y.goal, &y.faults), "seed {seed}");
            findings += x.invariants.len();
        }
    }
    assert!(edges > 200 && tried > 100 && tried < edges && findings > 20, "{edges} {tried} {findings}");
}

/// With random classes of twins both systems try the same edges and weigh them the same: how many they are.
fn within(
    plain: &MachineSystem,
    compiled: &CompiledSystem<MachineSystem>,
    state: &[u64],
    g: &mut Gen,
    card: u32,
) -> Option<usize> {
    let mut twins = plain.twins()?;
    let (some, others): (Vec<u32>, Vec<u32>) = (0..card).partition(|_| g.below(2) == 0);
    twins.class(SetId(0), some.iter().copied());
    twins.class(SetId(0), others.iter().copied());
    let (mut x, mut y) = (Steps::default(), Steps::default());
    plain.successors_within(state, &twins, &mut x);
    compiled.successors_within(state, &twins, &mut y);
    assert!(x.runs().eq(y.runs()) && x.targets == y.targets);
    Some(x.len())
}
