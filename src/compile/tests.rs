//! Programs from hand-built IR, run by both executors.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::function::{labelled, operation, predicate, try_of_operation};
#[cfg(feature = "jit")]
use super::jit::Joint;
use super::lower::Source;
use super::word::Ran;
use super::word::run::Code;
use crate::ir::{
    Decl, Expr, ExprKind, Local, LocalId, Machine, Operation, Place, Pred, PredKind, Routine, Settings,
    Subst, SubstKind, Target, VarId,
};
use crate::layout::{Hull, Pool, StateLayout};
use crate::ops::{Op, World};
use crate::source::Span;
use crate::ty::{SetId, Ty};
use crate::value::{SetRef, Value};

fn span() -> Span {
    Span::default()
}
fn ex(kind: ExprKind, ty: Ty) -> Expr {
    Expr { kind, ty, span: span() }
}
fn pr(kind: PredKind) -> Pred {
    Pred { kind, span: span() }
}
fn sub(kind: SubstKind) -> Subst {
    Subst { kind, span: span() }
}
fn proc() -> Ty {
    Ty::Given(SetId(0))
}
fn var(i: u32, ty: Ty) -> Expr {
    ex(ExprKind::Var(VarId(i)), ty)
}
fn par() -> Expr {
    ex(ExprKind::Local(LocalId(0)), proc())
}
fn op(op: Op, args: Vec<Expr>, ty: Ty) -> Expr {
    ex(ExprKind::Op(op, args), ty)
}
fn test(op: Op, args: Vec<Expr>) -> Pred {
    pr(PredKind::Op(op, args))
}
fn set(i: u32, ty: Ty, e: Expr) -> (Target, Expr) {
    (Target { place: Place::Var(VarId(i)), path: Vec::new(), ty, span: span() }, e)
}
fn operation_of(guard: Vec<Pred>, body: Vec<(Target, Expr)>) -> Operation {
    let guard = pr(PredKind::And(guard));
    let body = sub(SubstKind::Select(vec![(guard, sub(SubstKind::Assign(body)))], None));
    let p = Local { id: LocalId(0), name: "p".into(), ty: proc(), span: span() };
    Operation {
        name: "op".into(),
        span: span(),
        params: vec![p],
        results: Vec::new(),
        offered: Some(body.clone()),
        called: body,
        frame: 1,
        shown: Vec::new(),
    }
}

/// Variables: `free` (a set of PROC), `queue` (a sequence of PROC).
fn machine(ops: Vec<Operation>) -> Machine {
    let decl =
        |name: &str, ty: Ty| Decl { name: name.into(), ty, span: span(), symbolic: false, parameter: false };
    Machine {
        name: "m".into(),
        sets: Vec::new(),
        free_types: Vec::new(),
        constants: Vec::new(),
        variables: vec![decl("free", Ty::pow(proc())), decl("queue", Ty::seq(proc()))],
        properties: Vec::new(),
        invariants: Vec::new(),
        typing: Vec::new(),
        assertions: Vec::new(),
        goal: None,
        scope: None,
        initialisation: Routine { body: sub(SubstKind::Skip), frame: 0 },
        operations: ops,
        settings: Settings::default(),
        named: std::collections::BTreeMap::new(),
        watched: Vec::new(),
    }
}

fn elem(i: u32) -> Value {
    Value::Elem(SetId(0), i)
}
fn elems(is: &[u32]) -> Value {
    Value::Set(SetRef::from_vec(is.iter().map(|i| elem(*i)).collect()))
}
fn queue(is: &[u32]) -> Value {
    Value::Set(SetRef::from_vec((1..).zip(is).map(|(n, i)| Value::pair(Value::Int(n), elem(*i))).collect()))
}

struct Bench {
    world: World,
    layout: StateLayout,
    pool: Pool,
}

impl Bench {
    fn new(card: u32, longest: i64) -> Self {
        let world = World { card: vec![card], maxint: 3, minint: -1, ..World::default() };
        let seq = Hull::Pair(Box::new(Hull::Int(1, longest)), Box::default());
        let hulls = [Hull::Unknown, Hull::Set(Box::new(seq))];
        let layout = StateLayout::within(&[Ty::pow(proc()), Ty::seq(proc())], &hulls, &world);
        Self { world, layout, pool: Pool::default() }
    }
    fn state(&self, free: &[u32], q: &[u32]) -> Vec<u64> {
        let mut words = vec![0; self.layout.words];
        self.layout.set(&mut words, 0, &elems(free), &self.pool).unwrap();
        self.layout.set(&mut words, 1, &queue(q), &self.pool).unwrap();
        words
    }
    fn source<'a>(&'a self, m: &'a Machine) -> Source<'a> {
        Source { machine: m, world: &self.world, layout: &self.layout, consts: &[] }
    }
    /// The outcomes (parameter, state) of the only operation, or `None` if the program gave up.
    fn run(&self, o: Operation, state: &[u64]) -> Option<Vec<(u64, Value, Value)>> {
        let m = machine(vec![o]);
        let p = labelled(self.source(&m), &m.operations[0]).unwrap();
        let mut out = Vec::new();
        let ran = Code::new(&p.program).run(state, &mut Vec::new(), &mut out);
        #[cfg(feature = "jit")]
        {
            let mut native = Vec::new();
            assert_eq!(super::jit::Native::new(&p.program).unwrap().run(state, &mut native), ran);
            assert!(ran.void() || native == out);
        }
        if ran.void() {
            return None;
        }
        let record = p.label + self.layout.words;
        assert_eq!(out.len() % record, 0);
        Some(
            out.chunks(record)
                .map(|r| {
                    let get = |v| self.layout.get(&r[p.label..], v, &self.pool).unwrap();
                    (r[0], get(0), get(1))
                })
                .collect(),
        )
    }
    fn holds(&self, p: &Pred, state: &[u64]) -> Ran {
        let m = machine(Vec::new());
        let program = predicate(self.source(&m), p).unwrap();
        let ran = Code::new(&program).run(state, &mut Vec::new(), &mut Vec::new());
        #[cfg(feature = "jit")]
        assert_eq!(super::jit::Native::new(&program).unwrap().run(state, &mut Vec::new()), ran);
        ran
    }
}

fn free() -> Expr {
    var(0, Ty::pow(proc()))
}
fn q() -> Expr {
    var(1, Ty::seq(proc()))
}
fn one(e: Expr) -> Expr {
    let ty = Ty::pow(e.ty.clone());
    ex(ExprKind::SetExt(vec![e]), ty)
}

/// `p : free` moves p to the end of the queue.
fn ready() -> Operation {
    operation_of(
        vec![test(Op::In, vec![par(), free()])],
        vec![
            set(0, Ty::pow(proc()), op(Op::Diff, vec![free(), one(par())], Ty::pow(proc()))),
            set(1, Ty::seq(proc()), op(Op::Append, vec![q(), par()], Ty::seq(proc()))),
        ],
    )
}

/// The first of the queue becomes free.
fn enter() -> Operation {
    let empty = ex(ExprKind::Lit(Value::empty()), Ty::seq(proc()));
    operation_of(
        vec![test(Op::Neq, vec![q(), empty]), test(Op::Eq, vec![par(), op(Op::First, vec![q()], proc())])],
        vec![
            set(0, Ty::pow(proc()), op(Op::Union, vec![free(), one(par())], Ty::pow(proc()))),
            set(1, Ty::seq(proc()), op(Op::Tail, vec![q()], Ty::seq(proc()))),
        ],
    )
}

#[test]
fn candidates_come_from_the_guard() {
    for card in [5, 20] {
        let b = Bench::new(card, 5);
        let s = b.state(&[1, 3], &[2, 0]);
        let want = vec![(1, elems(&[3]), queue(&[2, 0, 1])), (3, elems(&[1]), queue(&[2, 0, 3]))];
        assert_eq!(b.run(ready(), &s), Some(want));
        assert_eq!(b.run(enter(), &s), Some(vec![(2, elems(&[1, 2, 3]), queue(&[0]))]));
        let empty = b.state(&[1, 3], &[]);
        assert_eq!(b.run(enter(), &empty), Some(Vec::new()));
    }
}

#[test]
fn leaving_the_hull_gives_up() {
    let b = Bench::new(4, 2);
    let s = b.state(&[1], &[2, 0]);
    assert_eq!(b.run(ready(), &s), None);
}

#[test]
fn predicates() {
    let b = Bench::new(5, 5);
    let s = b.state(&[1, 3], &[2, 0]);
    let lit = |n| ex(ExprKind::Lit(Value::Int(n)), Ty::Int);
    let card = |e| op(Op::Card, vec![e], Ty::Int);
    let first = |e| op(Op::First, vec![e], proc());
    let ran = op(Op::Ran, vec![q()], Ty::pow(proc()));
    let inter = op(Op::Inter, vec![ran, free()], Ty::pow(proc()));
    assert_eq!(b.holds(&test(Op::Eq, vec![card(inter.clone()), lit(0)]), &s), Ran::Done(true));
    assert_eq!(b.holds(&test(Op::Le, vec![card(free()), lit(1)]), &s), Ran::Done(false));
    assert_eq!(b.holds(&test(Op::In, vec![first(q()), free()]), &s), Ran::Done(false));
    let none = b.state(&[], &[]);
    let undefined = || test(Op::In, vec![first(q()), free()]);
    assert_eq!(b.holds(&undefined(), &none), Ran::Bailed);
    let wrong = test(Op::Lt, vec![card(free()), lit(0)]);
    assert_eq!(b.holds(&pr(PredKind::And(vec![undefined(), wrong])), &none), Ran::Done(false));
    let given = || ex(ExprKind::Given(SetId(0)), Ty::pow(proc()));
    let iseq = op(Op::Iseq, vec![given()], Ty::pow(Ty::seq(proc())));
    assert_eq!(b.holds(&test(Op::In, vec![q(), iseq]), &s), Ran::Done(true));
}

/// Where loops may have very many rounds, the first program gives up soon.
#[test]
fn long_loops_are_tried_shortly() {
    let b = Bench::new(64, 2);
    let s = b.state(&[1], &[]);
    let tried = |o: &Operation| try_of_operation(b.source(&machine(vec![o.clone()])), o).unwrap();
    assert!(!tried(&ready()).is_try);
    let at = |i| ex(ExprKind::Local(LocalId(i)), proc());
    let different = |i| test(Op::Neq, vec![at(i), at(i + 1)]);
    let mut nest =
        operation_of((0..4).map(different).chain([test(Op::Eq, vec![at(0), at(4)])]).collect(), Vec::new());
    let param = |i| Local { id: LocalId(i), name: "p".into(), ty: proc(), span: span() };
    nest.params = (0..5).map(param).collect();
    nest.frame = 5;
    let p = tried(&nest);
    assert!(p.is_try);
    let mut out = Vec::new();
    assert_eq!(Code::new(&p.program).run(&s, &mut Vec::new(), &mut out), Ran::Bailed);
    let m = machine(vec![nest.clone()]);
    assert!(!operation(b.source(&m), &nest).unwrap().is_try);
}

/// All operations in one run, over states at some of which one gives up after others have emitted.
#[cfg(feature = "jit")]
#[test]
fn together_is_one_after_the_other() {
    for card in [3, 20] {
        let b = Bench::new(card, 2);
        let m = machine(vec![enter(), ready(), enter()]);
        let ops: Vec<_> = m.operations.iter().map(|o| operation(b.source(&m), o).unwrap()).collect();
        assert!(ops.iter().all(|o| o.sorted));
        let programs: Vec<_> = ops.iter().map(|o| &o.program).collect();
        let queues: [&[u32]; 5] = [&[], &[0], &[2], &[1, 0], &[2, 1]];
        let sets: [&[u32]; 4] = [&[], &[1], &[0, 2], &[0, 1, 2]];
        let states: Vec<Vec<u64>> = sets.iter().flat_map(|s| queues.map(|q| b.state(s, q))).collect();
        let words = b.layout.words;
        let joint = Joint::new(&programs, words).unwrap();
        assert!(Joint::new(&programs, words + 1).is_none(), "records have the words of states");

        // By each program itself: targets and numbers of targets so far, or nothing if one gives up.
        let apart = |state: &[u64]| {
            let (mut out, mut ends) = (Vec::new(), Vec::new());
            for p in &programs {
                let ran = Code::new(p).run(state, &mut Vec::new(), &mut out);
                ends.push(u32::try_from(out.len() / words).unwrap());
                if ran.void() {
                    return None;
                }
            }
            Some((out, ends))
        };
        let (mut at, mut given_up) = (0, 0);
        while at < states.len() {
            let (mut out, mut ends) = (vec![7], vec![8]);
            let done = joint.run(&states[at..].concat(), &mut out, &mut ends);
            let (mut expected, mut numbers) = (vec![7], vec![8]);
            for state in &states[at..at + done] {
                let (targets, ends) = apart(state).unwrap();
                expected.extend(targets);
                numbers.extend(ends);
            }
            assert_eq!((out, ends), (expected, numbers));
            at += done;
            if let Some(state) = states.get(at) {
                assert_eq!(apart(state), None);
                given_up += 1;
                at += 1;
            }
        }
        // Two queues have no room for one more, with three sets that have one more.
        assert_eq!(given_up, 6);
    }
}
