//! Random formulas on random states: compiled code, portable and native, against the plain evaluator.
//!
//! A run that does not give up must yield what the evaluator yields. Giving up is allowed where the evaluator
//! finds a fault, and (rarely) elsewhere; both are counted, so that the test cannot pass by giving up always.

use super::function::{operation, predicate};
use super::lower::Source;
use super::word::Ran;
use super::word::run;
use crate::diagnostic::Code;
use crate::eval::{Env, Evaluator};
use crate::ir::{
    Access, Binder, Decl, Expr, ExprKind, GivenSet, Local, LocalId, Machine, Operation, Place, Pred,
    PredKind, Routine, Scoped, Settings, Subst, SubstKind, Target, VarId,
};
use crate::layout::{Hull, Pool, StateLayout};
use crate::ops::{Op, World};
use crate::source::Span;
use crate::syntax::ast::Fold;
use crate::ty::{SetId, Ty};
use crate::value::{SetRef, Value};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The types that variables and expressions have here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum T {
    A,
    Int,
    Bool,
    SetA,
    SetInt,
    RelAA,
    RelAInt,
    SeqA,
}
use T::{A, Int, RelAA, RelAInt, SeqA, SetA, SetInt};

fn a() -> Ty {
    Ty::Given(SetId(0))
}
fn ty(t: T) -> Ty {
    match t {
        A => a(),
        Int => Ty::Int,
        T::Bool => Ty::Bool,
        SetA => Ty::pow(a()),
        SetInt => Ty::pow(Ty::Int),
        RelAA => Ty::rel(a(), a()),
        RelAInt => Ty::rel(a(), Ty::Int),
        SeqA => Ty::seq(a()),
    }
}

/// The variables of the machine.
const VARS: [T; 9] = [A, Int, T::Bool, SetA, SetA, RelAA, RelAA, RelAInt, SeqA];

struct Gen {
    seed: u64,
    scope: Vec<(LocalId, T)>,
    next: u32,
    card: u32,
}

/// A place of its own for every expression: the evaluator tells applications apart by their places.
fn place() -> Span {
    use std::cell::Cell;
    thread_local! { static NEXT: Cell<u32> = const { Cell::new(0) } }
    let n = NEXT.get();
    NEXT.set(n.wrapping_add(1));
    Span { lo: n, hi: n, ..Span::default() }
}

fn ex(kind: ExprKind, t: T) -> Expr {
    Expr { kind, ty: ty(t), span: place() }
}
fn pr(kind: PredKind) -> Pred {
    Pred { kind, span: Span::default() }
}
fn op(o: Op, args: Vec<Expr>, t: T) -> Expr {
    ex(ExprKind::Op(o, args), t)
}

impl Gen {
    fn below(&mut self, n: u64) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn one<X: Copy>(&mut self, xs: &[X]) -> X {
        xs[self.below(xs.len() as u64) as usize]
    }

    fn name(&mut self, t: T) -> Option<Expr> {
        let mut all: Vec<Expr> = Vec::new();
        for (i, v) in (0..).zip(VARS) {
            if v == t {
                all.push(ex(ExprKind::Var(VarId(i)), t));
            }
        }
        for (l, v) in &self.scope {
            if *v == t {
                all.push(ex(ExprKind::Local(*l), t));
                all.push(ex(ExprKind::Local(*l), t));
            }
        }
        if all.is_empty() {
            return None;
        }
        let i = self.below(all.len() as u64) as usize;
        Some(all.swap_remove(i))
    }

    fn leaf(&mut self, t: T) -> Expr {
        if let Some(e) = self.name(t).filter(|_| self.below(4) > 0) {
            return e;
        }
        match t {
            A => {
                let i = self.below(u64::from(self.card)) as u32;
                ex(ExprKind::Lit(Value::Elem(SetId(0), i)), A)
            }
            Int => {
                let n = self.below(6).cast_signed() - 1;
                ex(ExprKind::Lit(Value::Int(n)), Int)
            }
            T::Bool => ex(ExprKind::Lit(Value::Bool(self.below(2) == 0)), T::Bool),
            SetA if self.below(2) == 0 => ex(ExprKind::Given(SetId(0)), SetA),
            SetInt if self.below(2) == 0 => op(Op::Nat, vec![], SetInt),
            _ => ex(ExprKind::Lit(Value::empty()), t),
        }
    }

    fn es(&mut self, ts: &[T], d: u32) -> Vec<Expr> {
        ts.iter().map(|t| self.expr(*t, d)).collect()
    }

    fn bound(&mut self, ts: &[T], d: u32) -> (Arc<Binder>, usize) {
        let mut vars = Vec::new();
        let before = self.scope.len();
        let mut typing = Vec::new();
        for t in ts {
            let id = LocalId(self.next);
            self.next += 1;
            let set = if *t == Int { SetInt } else { SetA };
            let s = match (t, self.below(3)) {
                (Int, _) => {
                    let (lo, hi) = (self.leaf(Int), self.expr(Int, 1));
                    op(Op::Interval, vec![lo, hi], SetInt)
                }
                (_, 0) => ex(ExprKind::Given(SetId(0)), SetA),
                _ => self.expr(set, d),
            };
            typing.push(pr(PredKind::Op(Op::In, vec![ex(ExprKind::Local(id), *t), s])));
            vars.push(Local { id, name: "z".into(), ty: ty(*t), span: Span::default() });
        }
        for (v, t) in vars.iter().zip(ts) {
            self.scope.push((v.id, *t));
        }
        let more = self.below(3);
        for _ in 0..more {
            typing.push(self.pred(d));
        }
        typing.push(pr(PredKind::True));
        typing.push(pr(PredKind::True));
        let binder = Binder {
            vars,
            pred: pr(PredKind::And(typing)),
            captures: self.scope[..before].iter().map(|s| s.0).collect(),
            frame: 64,
            reads_state: true,
            id: self.next,
        };
        (Arc::new(binder), before)
    }

    fn pair(&mut self, x: T, y: T, d: u32) -> Expr {
        let args = self.es(&[x, y], d);
        let t = Ty::pair(ty(x), ty(y));
        Expr { kind: ExprKind::Op(Op::Maplet, args), ty: t, span: Span::default() }
    }

    fn expr(&mut self, t: T, d: u32) -> Expr {
        if d == 0 || self.below(5) == 0 {
            return self.leaf(t);
        }
        let d = d - 1;
        if self.below(12) == 0 {
            let (p, x, y) = (self.pred(d), self.expr(t, d), self.expr(t, d));
            return ex(ExprKind::If(Box::new(p), Box::new(x), Box::new(y)), t);
        }
        match t {
            A => match self.below(4) {
                0 => op(self.one(&[Op::First, Op::Last]), self.es(&[SeqA], d), A),
                1 => op(Op::Apply, self.es(&[SeqA, Int], d), A),
                _ => op(Op::Apply, self.es(&[RelAA, A], d), A),
            },
            Int => match self.below(8) {
                0 => op(self.one(&[Op::Add, Op::Sub, Op::Mul]), self.es(&[Int, Int], d), Int),
                1 => op(self.one(&[Op::Div, Op::Mod]), self.es(&[Int, Int], d), Int),
                2 => op(Op::Card, self.es(&[SetA], d), Int),
                3 => op(Op::Card, self.es(&[RelAA], d), Int),
                4 => op(self.one(&[Op::Min, Op::Max]), self.es(&[SetInt], d), Int),
                5 => op(Op::Size, self.es(&[SeqA], d), Int),
                6 => {
                    let t = self.one(&[A, Int]);
                    let (binder, before) = self.bound(&[t], d);
                    let body = self.expr(Int, d);
                    self.scope.truncate(before);
                    ex(ExprKind::Fold(Fold::Sum, Arc::new(Scoped { binder, body })), Int)
                }
                _ => op(Op::Apply, self.es(&[RelAInt, A], d), Int),
            },
            T::Bool => ex(ExprKind::Bool(Box::new(self.pred(d))), T::Bool),
            SetA => match self.below(9) {
                0 => {
                    let n = 1 + self.below(2) as usize;
                    ex(ExprKind::SetExt(self.es(&[A, A][..n], d)), SetA)
                }
                1 | 2 => op(self.one(&[Op::Union, Op::Inter, Op::Diff]), self.es(&[SetA, SetA], d), SetA),
                3 => op(self.one(&[Op::Dom, Op::Ran]), self.es(&[RelAA], d), SetA),
                4 => op(Op::Image, self.es(&[RelAA, SetA], d), SetA),
                5 => op(Op::Ran, self.es(&[SeqA], d), SetA),
                6 => op(Op::Image, self.es(&[SeqA, SetInt], d), SetA),
                7 => {
                    let (binder, before) = self.bound(&[A], d);
                    self.scope.truncate(before);
                    ex(ExprKind::Compr(binder, false), SetA)
                }
                _ => {
                    let (binder, before) = self.bound(&[A], d);
                    let body = self.expr(SetA, d);
                    self.scope.truncate(before);
                    let kind = self.one(&[Fold::Union, Fold::Inter]);
                    ex(ExprKind::Fold(kind, Arc::new(Scoped { binder, body })), SetA)
                }
            },
            SetInt => match self.below(6) {
                0 => op(Op::Interval, self.es(&[Int, Int], 0), SetInt),
                1 => ex(ExprKind::SetExt(self.es(&[Int, Int], d)), SetInt),
                2 => op(Op::Ran, self.es(&[RelAInt], d), SetInt),
                3 => op(Op::Dom, self.es(&[SeqA], d), SetInt),
                4 => op(Op::Image, self.es(&[RelAInt, SetA], d), SetInt),
                _ => op(self.one(&[Op::Union, Op::Inter, Op::Diff]), self.es(&[SetInt, SetInt], d), SetInt),
            },
            RelAA => match self.below(12) {
                0 => op(Op::Inverse, self.es(&[RelAA], d), RelAA),
                1 => op(Op::Closure1, self.es(&[RelAA], d), RelAA),
                2 => op(Op::Comp, self.es(&[RelAA, RelAA], d), RelAA),
                3 => op(Op::Id, self.es(&[SetA], d), RelAA),
                4 => op(self.one(&[Op::DomRes, Op::DomSub]), self.es(&[SetA, RelAA], d), RelAA),
                5 => op(self.one(&[Op::RanRes, Op::RanSub]), self.es(&[RelAA, SetA], d), RelAA),
                6 => op(Op::Override, self.es(&[RelAA, RelAA], d), RelAA),
                7 => {
                    let p = self.pair(A, A, d);
                    let one = ex(ExprKind::SetExt(vec![p]), RelAA);
                    let f = self.expr(RelAA, d);
                    op(self.one(&[Op::Override, Op::Union, Op::Diff]), vec![f, one], RelAA)
                }
                8 => op(Op::Product, self.es(&[SetA, SetA], d), RelAA),
                9 => {
                    let (binder, before) = self.bound(&[A], d);
                    let body = self.expr(A, d);
                    self.scope.truncate(before);
                    ex(ExprKind::Lambda(Arc::new(Scoped { binder, body }), false), RelAA)
                }
                10 => {
                    let (binder, before) = self.bound(&[A, A], d);
                    self.scope.truncate(before);
                    ex(ExprKind::Compr(binder, false), RelAA)
                }
                _ => op(self.one(&[Op::Union, Op::Inter, Op::Diff]), self.es(&[RelAA, RelAA], d), RelAA),
            },
            RelAInt => match self.below(5) {
                0 => {
                    let p = self.pair(A, Int, d);
                    let one = ex(ExprKind::SetExt(vec![p]), RelAInt);
                    let f = self.expr(RelAInt, d);
                    op(Op::Override, vec![f, one], RelAInt)
                }
                1 => op(self.one(&[Op::DomRes, Op::DomSub]), self.es(&[SetA, RelAInt], d), RelAInt),
                2 => op(Op::Product, self.es(&[SetA, SetInt], d), RelAInt),
                3 => {
                    let (binder, before) = self.bound(&[A], d);
                    let body = self.expr(Int, d);
                    self.scope.truncate(before);
                    ex(ExprKind::Lambda(Arc::new(Scoped { binder, body }), false), RelAInt)
                }
                _ => op(self.one(&[Op::Union, Op::Override]), self.es(&[RelAInt, RelAInt], d), RelAInt),
            },
            SeqA => match self.below(5) {
                0 => op(self.one(&[Op::Tail, Op::Front, Op::Rev]), self.es(&[SeqA], d), SeqA),
                1 => op(Op::Append, self.es(&[SeqA, A], d), SeqA),
                2 => op(Op::Prepend, self.es(&[A, SeqA], d), SeqA),
                3 if self.below(2) == 0 => op(Op::Concat, self.es(&[SeqA, SeqA], d), SeqA),
                3 => op(self.one(&[Op::Take, Op::Drop]), self.es(&[SeqA, Int], d), SeqA),
                _ => ex(ExprKind::SeqExt(self.es(&[A, A], d)), SeqA),
            },
        }
    }

    fn space(&mut self, d: u32) -> Pred {
        const ARROWS: [Op; 12] = [
            Op::Rel,
            Op::TotalRel,
            Op::SurjRel,
            Op::TotalSurjRel,
            Op::PartialFun,
            Op::TotalFun,
            Op::PartialInj,
            Op::TotalInj,
            Op::PartialSurj,
            Op::TotalSurj,
            Op::PartialBij,
            Op::TotalBij,
        ];
        let (t, args, o) = match self.below(4) {
            0 => (SetA, self.es(&[SetA], d), self.one(&[Op::Pow, Op::Pow1, Op::Fin, Op::Fin1])),
            1 => (SeqA, self.es(&[SetA], d), self.one(&[Op::Seq, Op::Seq1, Op::Iseq, Op::Iseq1, Op::Perm])),
            2 => (RelAInt, self.es(&[SetA, SetInt], d), self.one(&ARROWS)),
            _ => (RelAA, self.es(&[SetA, SetA], d), self.one(&ARROWS)),
        };
        let x = self.expr(t, d);
        let set = Expr { kind: ExprKind::Op(o, args), ty: Ty::pow(ty(t)), span: Span::default() };
        pr(PredKind::Op(Op::In, vec![x, set]))
    }

    fn pred(&mut self, d: u32) -> Pred {
        if d > 0 && self.below(2) == 0 {
            let d = d - 1;
            return pr(match self.below(8) {
                0 | 1 => PredKind::And(vec![self.pred(d), self.pred(d)]),
                2 => PredKind::Or(vec![self.pred(d), self.pred(d)]),
                3 => PredKind::Implies(Box::new(self.pred(d)), Box::new(self.pred(d))),
                4 => PredKind::Iff(Box::new(self.pred(d)), Box::new(self.pred(d))),
                5 => PredKind::Not(Box::new(self.pred(d))),
                6 => {
                    let t = self.one(&[A, Int]);
                    let (binder, before) = self.bound(&[t], d);
                    let body = self.pred(d);
                    self.scope.truncate(before);
                    PredKind::Forall(Arc::new(Scoped { binder, body }))
                }
                _ => {
                    let ts = self.one(&[&[A][..], &[A, A], &[Int], &[A, Int]]);
                    let (binder, before) = self.bound(ts, d);
                    self.scope.truncate(before);
                    PredKind::Exists(binder)
                }
            });
        }
        let e = d.min(3);
        match self.below(6) {
            0 => {
                let t = self.one(&[A, Int, T::Bool, SetA, SetInt, RelAA, RelAInt, SeqA]);
                let o = self.one(&[Op::Eq, Op::Neq]);
                pr(PredKind::Op(o, self.es(&[t, t], e)))
            }
            1 => {
                let o = self.one(&[Op::Lt, Op::Le, Op::Gt, Op::Ge]);
                pr(PredKind::Op(o, self.es(&[Int, Int], e)))
            }
            2 => {
                let ts = self.one(&[[A, SetA], [Int, SetInt]]);
                let o = self.one(&[Op::In, Op::NotIn]);
                pr(PredKind::Op(o, self.es(&ts, e)))
            }
            3 => {
                let t = self.one(&[SetA, SetInt, RelAA, RelAInt]);
                let o = self.one(&[Op::Subset, Op::NotSubset, Op::StrictSubset, Op::NotStrictSubset]);
                pr(PredKind::Op(o, self.es(&[t, t], e)))
            }
            4 => {
                let p = self.pair(A, A, e);
                let r = self.expr(RelAA, e);
                pr(PredKind::Op(Op::In, vec![p, r]))
            }
            _ => self.space(e),
        }
    }

    fn value(&mut self, t: T) -> Value {
        let elem = |g: &mut Self| Value::Elem(SetId(0), g.below(u64::from(g.card)) as u32);
        let set = |v: Vec<Value>| Value::Set(SetRef::from_vec(v));
        let n = self.below(4);
        match t {
            A => elem(self),
            Int => Value::Int(self.below(5).cast_signed() - 1),
            T::Bool => Value::Bool(self.below(2) == 0),
            SetA => set((0..n).map(|_| elem(self)).collect()),
            SetInt => set((0..n).map(|_| self.value(Int)).collect()),
            RelAA => set((0..n).map(|_| Value::pair(elem(self), elem(self))).collect()),
            RelAInt => set((0..n).map(|_| Value::pair(elem(self), self.value(Int))).collect()),
            SeqA => set((1..=n).map(|i| Value::pair(Value::Int(i.cast_signed()), elem(self))).collect()),
        }
    }

    fn assign(&mut self, v: u32, d: u32) -> (Target, Expr) {
        let t = VARS[v as usize];
        let mut path = Vec::new();
        let e = match t {
            RelAA if self.below(2) == 0 => {
                path.push(Access::At(self.expr(A, d)));
                self.expr(A, d)
            }
            _ => self.expr(t, d),
        };
        (Target { place: Place::Var(VarId(v)), path, ty: ty(t), span: Span::default() }, e)
    }

    fn subst(&mut self, vars: &[u32], d: u32) -> Subst {
        let kind = if d == 0 || vars.len() < 2 || self.below(4) == 0 {
            match vars {
                [] => SubstKind::Skip,
                [v, ..] if self.below(4) > 0 => SubstKind::Assign(vec![self.assign(*v, 2)]),
                [v, ..] => {
                    let (t, _) = self.assign(*v, 2);
                    match VARS[*v as usize] {
                        A => {
                            let s = self.expr(SetA, 2);
                            SubstKind::BecomesIn(vec![Target { path: Vec::new(), ..t }], s)
                        }
                        _ => SubstKind::Skip,
                    }
                }
            }
        } else {
            let d = d - 1;
            let (x, y) = vars.split_at(vars.len() / 2);
            match self.below(7) {
                0 => SubstKind::Par(vec![self.subst(x, d), self.subst(y, d)]),
                1 => SubstKind::Seq(vec![self.subst(vars, d), self.subst(vars, d)]),
                2 => {
                    let bs = vec![(self.pred(1), self.subst(x, d)), (self.pred(1), self.subst(y, d))];
                    SubstKind::If(bs, (self.below(2) == 0).then(|| Box::new(self.subst(vars, d))))
                }
                3 => {
                    let bs = vec![(self.pred(1), self.subst(x, d)), (self.pred(1), self.subst(y, d))];
                    SubstKind::Select(bs, (self.below(2) == 0).then(|| Box::new(self.subst(vars, d))))
                }
                4 => SubstKind::Choice(vec![self.subst(x, d), self.subst(vars, d)]),
                5 => {
                    let t = self.one(&[A, Int]);
                    let (binder, before) = self.bound(&[t], 1);
                    let s = self.subst(vars, d);
                    self.scope.truncate(before);
                    SubstKind::Any(binder, Box::new(s))
                }
                _ => {
                    let id = LocalId(self.next);
                    self.next += 1;
                    let e = self.expr(A, 1);
                    self.scope.push((id, A));
                    let s = self.subst(vars, d);
                    self.scope.pop();
                    let l = Local { id, name: "l".into(), ty: a(), span: Span::default() };
                    SubstKind::Let(vec![(l, e)], Box::new(s))
                }
            }
        };
        Subst { kind, span: Span::default() }
    }
}

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
        assertions: Vec::new(),
        goal: None,
        initialisation: Routine { body: Subst { kind: SubstKind::Skip, span: Span::default() }, frame: 0 },
        operations,
        settings: Settings::default(),
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
                Int => int.clone(),
                RelAInt => pair(Hull::Unknown, int.clone()),
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
        assert!(ran == Ran::Bailed || native == out);
    }
    (ran, out)
}

#[test]
#[ignore = "needs the plain evaluator"]
fn predicates_agree() {
    let (mut refused, mut faults, mut gave_up, mut same) = (0, 0, 0, 0);
    for seed in 0..1500u64 {
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
                (Ran::Bailed, Ok(_)) => gave_up += 1,
                (Ran::Bailed, Err(_)) => faults += 1,
            }
        }
    }
    assert!(same > 2000 && gave_up * 10 < same, "{same} {gave_up} {faults} {refused}");
}

#[test]
#[ignore = "needs the plain evaluator"]
fn operations_agree() {
    let (mut refused, mut gave_up, mut same) = (0, 0, 0);
    for seed in 0..1000u64 {
        let card = [2, 3, 5, 9][seed as usize % 4];
        let b = Setting::new(card);
        let mut g = Gen { seed: seed << 20 | 7, scope: Vec::new(), next: 0, card };
        let (binder, before) = g.bound(&[A], 2);
        let body = g.subst(&[0, 1, 2, 3, 5, 7, 8], 3);
        g.scope.truncate(before);
        let offered =
            Subst { kind: SubstKind::Select(vec![(binder.pred.clone(), body)], None), span: Span::default() };
        let o = Operation {
            name: "o".into(),
            span: Span::default(),
            params: binder.vars.clone(),
            results: Vec::new(),
            offered: Some(offered.clone()),
            called: offered,
            frame: 512,
            shown: Vec::new(),
        };
        let m = Arc::new(machine(vec![o]));
        let Ok(p) = operation(b.source(&m), &m.operations[0]) else {
            refused += 1;
            continue;
        };
        let eval = Evaluator::new(m.clone(), Arc::new(b.world.clone()));
        for _ in 0..3 {
            let (env, words) = b.state(&mut g);
            let mut want = Vec::new();
            let (mut fault, mut unsupported) = (false, false);
            let flow = eval.operation(0, &env, &mut |edge| {
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
            if ran == Ran::Bailed {
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
    assert!(same > 1000 && gave_up * 5 < same, "{same} {gave_up} {refused}");
}

/// Formulas in short, for failures.
struct Brief<'a, X>(&'a X);

impl std::fmt::Display for Brief<'_, Expr> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let binder = |b: &Binder| {
            let names: Vec<String> = b.vars.iter().map(|v| format!("l{}", v.id.0)).collect();
            format!("{} | {}", names.join(","), Brief(&b.pred))
        };
        let list = |es: &[Expr]| es.iter().map(|e| Brief(e).to_string()).collect::<Vec<_>>().join(", ");
        match &self.0.kind {
            ExprKind::Lit(v) => write!(f, "{v:?}"),
            ExprKind::Local(l) => write!(f, "l{}", l.0),
            ExprKind::Var(v) => write!(f, "v{}:{:?}", v.0, VARS[v.0 as usize]),
            ExprKind::Given(_) => write!(f, "GIVEN"),
            ExprKind::Op(o, es) => write!(f, "{o:?}({})", list(es)),
            ExprKind::SetExt(es) => write!(f, "{{{}}}", list(es)),
            ExprKind::SeqExt(es) => write!(f, "[{}]", list(es)),
            ExprKind::Bool(p) => write!(f, "bool({})", Brief(&**p)),
            ExprKind::Compr(b, _) => write!(f, "{{{}}}", binder(b)),
            ExprKind::Lambda(s, _) => write!(f, "LAMBDA {}.({})", binder(&s.binder), Brief(&s.body)),
            ExprKind::Fold(k, s) => write!(f, "{k:?} {}.({})", binder(&s.binder), Brief(&s.body)),
            ExprKind::If(p, a, b) => {
                write!(f, "IF {} THEN {} ELSE {} END", Brief(&**p), Brief(&**a), Brief(&**b))
            }
            _ => write!(f, "?"),
        }
    }
}

impl std::fmt::Display for Brief<'_, Pred> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list =
            |ps: &[Pred], by: &str| ps.iter().map(|p| format!("({})", Brief(p))).collect::<Vec<_>>().join(by);
        match &self.0.kind {
            PredKind::And(ps) => write!(f, "{}", list(ps, " & ")),
            PredKind::Or(ps) => write!(f, "{}", list(ps, " or ")),
            PredKind::Implies(p, q) => write!(f, "({}) => ({})", Brief(&**p), Brief(&**q)),
            PredKind::Iff(p, q) => write!(f, "({}) <=> ({})", Brief(&**p), Brief(&**q)),
            PredKind::Not(p) => write!(f, "not({})", Brief(&**p)),
            PredKind::Op(o, es) => {
                let list: Vec<String> = es.iter().map(|e| Brief(e).to_string()).collect();
                write!(f, "{o:?}({})", list.join(", "))
            }
            PredKind::Forall(s) => write!(
                f,
                "! {:?}.({} => {})",
                s.binder.vars.iter().map(|v| v.id.0).collect::<Vec<_>>(),
                Brief(&s.binder.pred),
                Brief(&s.body)
            ),
            PredKind::Exists(b) => {
                write!(f, "# {:?}.({})", b.vars.iter().map(|v| v.id.0).collect::<Vec<_>>(), Brief(&b.pred))
            }
            k => write!(f, "{}", if matches!(k, PredKind::True) { "true" } else { "?" }),
        }
    }
}

impl std::fmt::Display for Brief<'_, Subst> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list =
            |ss: &[Subst], by: &str| ss.iter().map(|s| Brief(s).to_string()).collect::<Vec<_>>().join(by);
        let branches = |bs: &[(Pred, Subst)]| {
            bs.iter()
                .map(|(p, s)| format!("{} THEN {}", Brief(p), Brief(s)))
                .collect::<Vec<_>>()
                .join(" WHEN ")
        };
        let other = |o: &Option<Box<Subst>>| o.as_ref().map(|s| Brief(&**s).to_string());
        match &self.0.kind {
            SubstKind::Assign(ps) => ps.iter().try_for_each(|(t, e)| {
                write!(f, "{:?}", t.place)?;
                for a in &t.path {
                    if let Access::At(e) = a {
                        write!(f, "({})", Brief(e))?;
                    }
                }
                write!(f, " := {}", Brief(e))
            }),
            SubstKind::BecomesIn(t, e) => write!(f, "{:?} :: {}", t[0].place, Brief(e)),
            SubstKind::Par(ss) => write!(f, "({})", list(ss, " || ")),
            SubstKind::Seq(ss) => write!(f, "({})", list(ss, " ; ")),
            SubstKind::Choice(ss) => write!(f, "CHOICE {} END", list(ss, " OR ")),
            SubstKind::If(bs, o) => write!(f, "IF {} ELSE {:?} END", branches(bs), other(o)),
            SubstKind::Select(bs, o) => write!(f, "SELECT {} ELSE {:?} END", branches(bs), other(o)),
            SubstKind::Any(b, s) => write!(
                f,
                "ANY {:?} WHERE {} THEN {} END",
                b.vars.iter().map(|v| v.id.0).collect::<Vec<_>>(),
                Brief(&b.pred),
                Brief(&**s)
            ),
            SubstKind::Let(ps, s) => {
                write!(f, "LET l{} = {} IN {} END", ps[0].0.id.0, Brief(&ps[0].1), Brief(&**s))
            }
            _ => write!(f, "skip"),
        }
    }
}
