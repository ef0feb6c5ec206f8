//! Random typed formulas, substitutions and values.
#![allow(clippy::panic, clippy::cast_possible_truncation, reason = "tests")]

use crate::ir::{
    Access, Binder, Expr, ExprKind, Formula, Local, LocalId, Operation, Place, Pred, PredKind, Scoped, Subst,
    SubstKind, Target, VarId,
};
use crate::ops::Op;
use crate::source::Span;
use crate::syntax::ast::Fold;
use crate::ty::{SetId, Ty};
use crate::value::{SetRef, Value};
use std::sync::Arc;

/// The types that variables and expressions have here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum T {
    A,
    Int,
    Bool,
    SetA,
    SetInt,
    RelAA,
    RelAInt,
    SeqA,
    /// Functions to sets.
    FunSet,
}
pub(super) use T::{A, FunSet, Int, RelAA, RelAInt, SeqA, SetA, SetInt};

pub(super) fn a() -> Ty {
    Ty::Given(SetId(0))
}
pub(super) fn ty(t: T) -> Ty {
    match t {
        A => a(),
        Int => Ty::Int,
        T::Bool => Ty::Bool,
        SetA => Ty::pow(a()),
        SetInt => Ty::pow(Ty::Int),
        RelAA => Ty::rel(a(), a()),
        RelAInt => Ty::rel(a(), Ty::Int),
        SeqA => Ty::seq(a()),
        FunSet => Ty::rel(a(), Ty::pow(a())),
    }
}

/// The variables of the machine.
pub(super) const VARS: [T; 10] = [A, Int, T::Bool, SetA, SetA, RelAA, RelAA, RelAInt, SeqA, FunSet];

/// Sets of relations, and from the fifth on of functions.
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

pub(super) struct Gen {
    pub(super) seed: u64,
    pub(super) scope: Vec<(LocalId, T)>,
    pub(super) next: u32,
    pub(super) card: u32,
}

/// A place of its own for every expression: the evaluator tells applications apart by their places.
pub(super) fn place() -> Span {
    use std::cell::Cell;
    thread_local! { static NEXT: Cell<u32> = const { Cell::new(0) } }
    let n = NEXT.get();
    NEXT.set(n.wrapping_add(1));
    Span { lo: n, hi: n, ..Span::default() }
}

pub(super) fn ex(kind: ExprKind, t: T) -> Expr {
    Expr { kind, ty: ty(t), span: place() }
}
pub(super) fn pr(kind: PredKind) -> Pred {
    Pred { kind, span: Span::default() }
}
pub(super) fn op(o: Op, args: Vec<Expr>, t: T) -> Expr {
    ex(ExprKind::Op(o, args), t)
}

impl Gen {
    pub(super) fn below(&mut self, n: u64) -> u64 {
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

    pub(super) fn expr(&mut self, t: T, d: u32) -> Expr {
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
            Int => match self.below(9) {
                0 => op(self.one(&[Op::Add, Op::Sub, Op::Mul]), self.es(&[Int, Int], d), Int),
                1 => op(self.one(&[Op::Div, Op::Mod]), self.es(&[Int, Int], d), Int),
                2 => op(Op::Card, self.es(&[SetA], d), Int),
                3 => op(Op::Card, self.es(&[RelAA], d), Int),
                4 => op(self.one(&[Op::Min, Op::Max]), self.es(&[SetInt], d), Int),
                8 => op(Op::Card, self.es(&[FunSet], d), Int),
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
            SetA => match self.below(12) {
                0 => {
                    let n = 1 + self.below(2) as usize;
                    ex(ExprKind::SetExt(self.es(&[A, A][..n], d)), SetA)
                }
                1 | 2 => op(self.one(&[Op::Union, Op::Inter, Op::Diff]), self.es(&[SetA, SetA], d), SetA),
                9 | 10 => op(Op::Apply, self.es(&[FunSet, A], d), SetA),
                11 => self.of_sets(d),
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
            FunSet => self.fun_set(d),
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

    /// Operators that take functions to sets.
    fn of_sets(&mut self, d: u32) -> Expr {
        if self.below(3) == 0 {
            return op(Op::Dom, self.es(&[FunSet], d), SetA);
        }
        let f = self.expr(FunSet, d);
        let args = if self.below(2) == 0 { vec![f] } else { vec![f, self.expr(SetA, d)] };
        let o = if args.len() == 1 { Op::Ran } else { Op::Image };
        let sets = Expr { kind: ExprKind::Op(o, args), ty: Ty::pow(ty(SetA)), span: place() };
        op(Op::BigUnion, vec![sets], SetA)
    }

    fn fun_set(&mut self, d: u32) -> Expr {
        match self.below(6) {
            0 | 1 => {
                let pairs = (0..=self.below(2)).map(|_| self.pair(A, SetA, d)).collect();
                let few = ex(ExprKind::SetExt(pairs), FunSet);
                let f = self.expr(FunSet, d);
                op(self.one(&[Op::Override, Op::Override, Op::Union]), vec![f, few], FunSet)
            }
            2 => op(self.one(&[Op::DomRes, Op::DomSub]), self.es(&[SetA, FunSet], d), FunSet),
            3 => {
                let one = ex(ExprKind::SetExt(self.es(&[SetA], d)), FunSet);
                let one = Expr { ty: Ty::pow(ty(SetA)), ..one };
                op(Op::Product, vec![self.expr(SetA, d), one], FunSet)
            }
            4 => {
                let (binder, before) = self.bound(&[A], d);
                let body = self.expr(SetA, d);
                self.scope.truncate(before);
                ex(ExprKind::Lambda(Arc::new(Scoped { binder, body }), false), FunSet)
            }
            _ => op(self.one(&[Op::Union, Op::Override]), self.es(&[FunSet, FunSet], d), FunSet),
        }
    }

    fn space(&mut self, d: u32) -> Pred {
        if self.below(5) == 0 {
            return self.fun_space(d);
        }
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

    /// `f : S --> POW(T)` and the like.
    fn fun_space(&mut self, d: u32) -> Pred {
        const ARROWS: [Op; 5] = [Op::PartialFun, Op::TotalFun, Op::PartialInj, Op::TotalInj, Op::Rel];
        let power = self.one(&[Op::Pow, Op::Pow1]);
        let sets =
            Expr { kind: ExprKind::Op(power, self.es(&[SetA], d)), ty: Ty::pow(ty(SetA)), span: place() };
        let args = vec![self.expr(SetA, d), sets];
        let arrow =
            Expr { kind: ExprKind::Op(self.one(&ARROWS), args), ty: Ty::pow(ty(FunSet)), span: place() };
        pr(PredKind::Op(Op::In, vec![self.expr(FunSet, d), arrow]))
    }

    pub(super) fn pred(&mut self, d: u32) -> Pred {
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
                let t = self.one(&[A, Int, T::Bool, SetA, SetInt, RelAA, RelAInt, SeqA, FunSet]);
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
                let (y, r) = self.one(&[(A, RelAA), (SetA, FunSet)]);
                let p = self.pair(A, y, e);
                let r = self.expr(r, e);
                pr(PredKind::Op(Op::In, vec![p, r]))
            }
            _ => self.space(e),
        }
    }

    pub(super) fn value(&mut self, t: T) -> Value {
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
            FunSet => {
                let mut args: Vec<Value> = (0..n).map(|_| elem(self)).collect();
                args.sort();
                args.dedup();
                set(args.into_iter().map(|x| Value::pair(x, self.value(SetA))).collect())
            }
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
            FunSet if self.below(2) == 0 => {
                path.push(Access::At(self.expr(A, d)));
                self.expr(SetA, d)
            }
            _ => self.expr(t, d),
        };
        (Target { place: Place::Var(VarId(v)), path, ty: ty(t), span: Span::default() }, e)
    }

    pub(super) fn operation(&mut self) -> Operation {
        let (binder, before) = self.bound(&[A], 2);
        let body = self.subst(&[0, 1, 2, 3, 5, 7, 8, 9], 3);
        self.scope.truncate(before);
        let offered =
            Subst { kind: SubstKind::Select(vec![(binder.pred.clone(), body)], None), span: Span::default() };
        Operation {
            name: "o".into(),
            span: Span::default(),
            params: binder.vars.clone(),
            results: Vec::new(),
            offered: Some(offered.clone()),
            called: offered,
            frame: 512,
            shown: Vec::new(),
        }
    }

    pub(super) fn formula(&mut self) -> Formula {
        Formula { pred: self.pred(2), text: "".into(), frame: 512, reads: Vec::new() }
    }

    /// Functions from two elements, few enough to be tried one by one.
    fn functions(&mut self) -> Expr {
        let element = |i| ex(ExprKind::Lit(Value::Elem(SetId(0), i)), A);
        let left = ex(ExprKind::SetExt(vec![element(0), element(1)]), SetA);
        let args = vec![left, self.expr(SetA, 1)];
        Expr { kind: ExprKind::Op(self.one(&ARROWS[4..]), args), ty: Ty::pow(ty(RelAA)), span: place() }
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
                        RelAA => {
                            let set = self.functions();
                            SubstKind::BecomesIn(vec![Target { path: Vec::new(), ..t }], set)
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
