//! Problems: unknowns and conjuncts, in the form that plans are made from.
//!
//! In: variables and predicates. Out: a [`Problem`]: negations pushed inwards, conjunctions flattened,
//! memberships taken apart (`a|->b : S*T`, `x : A /\ B`, `x : {y|P}`, `s : POW(S)`, `{a,b} <: S`), each conjunct
//! with the unknowns that it reads. Nothing is evaluated here.

use super::Evaluator;
use super::bits::Bits;
use super::denied::Solutions;
use super::enumerate::Stated;
use super::negate::negate;
use super::plan::Node;
use super::rename::Rename;
use super::voids::{applications, applies};
use super::walk;
use crate::diagnostic::Code;
use crate::ir::{Binder, ConstId, Expr, ExprKind, Local, LocalId, Pred, PredKind};
use crate::ops::{Fault, Op};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;
use hashbrown::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// Where the value of an unknown goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Slot {
    Local(LocalId),
    Const(ConstId),
}

impl Slot {
    /// What reads it.
    pub(super) fn kind(self) -> ExprKind {
        match self {
            Self::Local(id) => ExprKind::Local(id),
            Self::Const(id) => ExprKind::Const(id),
        }
    }

    /// Whether an expression reads it.
    pub(super) fn is_read_by(self, e: &Expr) -> bool {
        walk::exprs_in(e).into_iter().any(|e| slot_of(e) == Some(self))
    }
}

/// The numbers of unknowns by slot. Names are looked up at every step of every walk.
#[derive(Debug, Default)]
pub(super) struct Index {
    locals: Vec<Option<u32>>,
    consts: Vec<Option<u32>>,
}

impl Index {
    pub(super) fn new(unknowns: &[Unknown]) -> Self {
        let mut index = Self::default();
        for (i, u) in (0..).zip(unknowns) {
            let (list, at) = match u.slot {
                Slot::Local(id) => (&mut index.locals, id.0 as usize),
                Slot::Const(id) => (&mut index.consts, id.0 as usize),
            };
            if at >= list.len() {
                list.resize(at + 1, None);
            }
            list[at] = Some(i);
        }
        index
    }

    /// The unknowns that an expression reads.
    pub(super) fn read_by(&self, e: &Expr) -> Bits {
        let mut out = Bits::default();
        walk::expr(e, &mut |e| note(e, self, &mut out));
        out
    }

    /// The unknown of a slot.
    pub(super) fn get(&self, slot: Slot) -> Option<usize> {
        let found = match slot {
            Slot::Local(id) => self.locals.get(id.0 as usize),
            Slot::Const(id) => self.consts.get(id.0 as usize),
        };
        found.copied().flatten().map(|i| i as usize)
    }
}

/// A variable to be solved for.
#[derive(Clone, Debug)]
pub(crate) struct Unknown {
    pub(super) slot: Slot,
    pub(super) ty: Ty,
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    /// Whether its value may stay a lazy set.
    pub(super) symbolic: bool,
}

impl Unknown {
    pub(crate) fn local(v: &Local) -> Self {
        Self {
            slot: Slot::Local(v.id),
            ty: v.ty.clone(),
            name: v.name.clone(),
            span: v.span,
            symbolic: false,
        }
    }

    /// Whether an expression is this unknown.
    pub(super) fn is(&self, e: &Expr) -> bool {
        slot_of(e) == Some(self.slot)
    }
}

/// One conjunct.
#[derive(Debug)]
pub(crate) struct Conj {
    pub(crate) pred: Pred,
    /// Unknowns that it reads.
    pub(super) reads: Bits,
    /// How costly it is to test, roughly; quantifiers weigh most.
    pub(super) weight: u32,
    /// For an implication or IF: the conjuncts that it comes to once its condition is known.
    pub(super) cases: Option<Cases>,
    /// Where being ill-defined makes the conjunct false.
    soft: Vec<(Span, Soft)>,
    /// Whether others say as much, so that it need not be tested.
    pub(super) implied: bool,
}

/// What may be ill-defined without being an error, because it is solved for (b-language.md 4.6, rule 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Soft {
    /// An application outside the domain, as if it was `x |-> y : f`.
    Application,
    /// An application of a relation that is no function there.
    Relation,
    /// An operator on sequences: the relation is none.
    Sequence,
}

impl Conj {
    /// Whether there are faults that make the conjunct false.
    pub(super) fn has_soft(&self) -> bool {
        !self.soft.is_empty()
    }

    /// Where applications stand that make the conjunct false if they have no value; `None` if other operators do, too.
    pub(super) fn soft_applications(&self) -> Option<Vec<Span>> {
        let place = |(span, what): &(Span, Soft)| (*what != Soft::Sequence).then_some(*span);
        self.soft.iter().map(place).collect()
    }

    /// Whether a fault makes the conjunct false instead of ill-defined.
    pub(super) fn excuses(&self, f: &Fault) -> bool {
        let what = match f.0.code {
            Code::OutsideDomain => Soft::Application,
            Code::NotAFunction => Soft::Relation,
            Code::NotWellDefined => Soft::Sequence,
            _ => return false,
        };
        f.0.span.is_some_and(|s| self.soft.contains(&(s, what)))
    }
}

/// The truth of one of some conjuncts, or of a part of it, where a fault that one of them excuses is as good as false.
pub(super) fn excused(conjs: &[Conj], truth: Result<bool, Fault>) -> Result<bool, Fault> {
    match truth {
        Err(f) if conjs.iter().any(|c| c.excuses(&f)) => Ok(false),
        truth => truth,
    }
}

/// A condition with the numbers of the conjuncts that hold if it is true, or false.
#[derive(Debug)]
pub(super) struct Cases {
    pub(super) cond: Pred,
    /// Unknowns that the condition reads.
    pub(super) reads: Bits,
    pub(super) yes: Vec<usize>,
    pub(super) no: Vec<usize>,
}

/// Unknowns and conjuncts, with the plan as far as it has been made.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(super) unknowns: Vec<Unknown>,
    pub(super) index: Index,
    pub(crate) conjs: Vec<Conj>,
    /// How many of the conjuncts must hold in any case; the others belong to [`Cases`].
    pub(super) active: usize,
    /// Whether independent parts are solved apart and combined (PROPERTIES).
    pub(super) split: bool,
    /// Whether partial solutions that are images of each other are turned away: the smaller the steps, the sooner.
    pub(super) sieved: bool,
    /// How many problems it is a part of, one in the other.
    pub(super) nested: u32,
    pub(super) root: OnceLock<Box<Node>>,
    /// How many solutions there have been.
    pub(super) solutions: Solutions,
    /// The conjuncts as they were stated, where all values are tried instead of a plan.
    pub(super) stated: Option<Stated>,
}

impl Problem {
    pub(crate) fn new(unknowns: Vec<Unknown>, preds: &[&Pred], ev: &Evaluator) -> Self {
        let stated = ev.naive.then(|| Stated::new(&unknowns, preds));
        let mut b = Builder { ev, unknowns, flat: Vec::new(), closed: false, repeated: repeated(preds) };
        for p in preds {
            b.add((*p).clone());
        }
        let implied = super::wholes::wholes(&b.flat, &b.unknowns);
        b.flat.extend(implied);
        let implied = super::pointwise::equations(&b.flat, ev.named());
        b.flat.extend(implied);
        let implied =
            super::implied::memberships(&b.flat.iter().collect::<Vec<_>>(), &b.unknowns, ev.named());
        b.flat.extend(implied);
        let implied = super::sizes::memberships(&b.flat, &b.unknowns);
        b.flat.extend(implied);
        let implied = super::sizes::images(&b.flat, &b.unknowns);
        b.flat.extend(implied);
        let index = Index::new(&b.unknowns);
        if super::congruence::contradicts(&b.flat, &index) {
            b.flat.push(Pred {
                kind: PredKind::False,
                span: b.flat.first().map_or(Span::default(), |p| p.span),
            });
        }
        let told = b.flat.len();
        let implied = super::unfold::equations(&b.flat, &b.unknowns, ev.named());
        b.flat.extend(implied);
        let told_of = b.flat.get(..told).unwrap_or_default();
        let mut implied = super::lengths::conjuncts(told_of, &b.unknowns, &ev.world);
        implied.extend(super::extents::conjuncts(told_of, &b.unknowns, &ev.world));
        implied.extend(super::aliases::conjuncts(told_of, &b.unknowns));
        b.flat.extend(implied);
        let mut conjs: Vec<Conj> = std::mem::take(&mut b.flat).into_iter().map(|p| conj(p, &index)).collect();
        conjs.iter_mut().skip(told).for_each(|c| c.implied = true);
        let active = conjs.len();
        let mut at = 0;
        // Conjuncts under conditions may be conditions again.
        while let Some(c) = conjs.get(at) {
            if let Some((cond, yes, no)) = conditional(&c.pred) {
                let mut numbers = |p: Pred| {
                    b.add_fixed(p);
                    let from = conjs.len();
                    conjs.extend(std::mem::take(&mut b.flat).into_iter().map(|p| conj(p, &index)));
                    (from..conjs.len()).collect()
                };
                let (yes, no) = (numbers(yes), numbers(no));
                let mut reads = Bits::default();
                walk::pred(&cond, &mut |e| note(e, &index, &mut reads));
                conjs[at].cases = Some(Cases { cond, reads, yes, no });
            }
            at += 1;
        }
        Self {
            unknowns: b.unknowns,
            index,
            conjs,
            active,
            split: false,
            sieved: false,
            nested: 0,
            root: OnceLock::new(),
            solutions: Solutions::default(),
            stated,
        }
    }

    /// As what restricts choices of a step: an application outside the domain in these conditions is no error, whatever it reads.
    pub(crate) fn guarding(mut self, guards: &[&Pred]) -> Self {
        let mut places = HashSet::new();
        guards.iter().for_each(|p| applications(p, &mut places));
        let stated = self.stated.iter_mut().flat_map(Stated::conjuncts_mut);
        for conj in self.conjs.iter_mut().chain(stated) {
            let Conj { pred, soft, .. } = conj;
            walk::pred(pred, &mut |e| {
                if applies(e) && places.contains(&e.span) {
                    soft.push((e.span, Soft::Application));
                }
            });
        }
        self
    }

    /// The problem of all solutions of a binder.
    pub(crate) fn of(binder: &Binder, ev: &Evaluator) -> Self {
        Self::new(binder.vars.iter().map(Unknown::local).collect(), &[&binder.pred], ev)
    }

    /// The unknowns that an expression reads.
    pub(super) fn reads(&self, e: &Expr) -> Bits {
        self.index.read_by(e)
    }

    pub(super) fn unknown_of(&self, e: &Expr) -> Option<usize> {
        self.index.get(slot_of(e)?)
    }
}

pub(super) fn slot_of(e: &Expr) -> Option<Slot> {
    match &e.kind {
        ExprKind::Local(id) => Some(Slot::Local(*id)),
        ExprKind::Const(id) => Some(Slot::Const(*id)),
        _ => None,
    }
}

fn note(e: &Expr, index: &Index, out: &mut Bits) {
    if let Some(i) = slot_of(e).and_then(|s| index.get(s)) {
        out.insert(i);
    }
}

pub(super) fn conj(pred: Pred, index: &Index) -> Conj {
    let mut reads = Bits::default();
    let mut weight = 0;
    let mut soft = Vec::new();
    walk::pred(&pred, &mut |e| {
        note(e, index, &mut reads);
        weight += match &e.kind {
            ExprKind::Compr(..) | ExprKind::Image(_) | ExprKind::Lambda(..) | ExprKind::Fold(..) => 50,
            _ => 1,
        };
        let solved = |e: &Expr| {
            let mut inner = Bits::default();
            walk::expr(e, &mut |e| note(e, index, &mut inner));
            !inner.is_empty()
        };
        match &e.kind {
            ExprKind::Op(Op::Apply, args) if solved(e) => {
                soft.push((e.span, Soft::Application));
                if args.first().is_some_and(solved) {
                    soft.push((e.span, Soft::Relation));
                }
            }
            ExprKind::Op(op, _) if on_sequences(*op) && solved(e) => soft.push((e.span, Soft::Sequence)),
            _ => {}
        }
    });
    if matches!(pred.kind, PredKind::Forall(_) | PredKind::Exists(_)) {
        weight += 100;
    }
    Conj { pred, reads, weight, cases: None, soft, implied: false }
}

/// Whether an operator has a value for sequences only, and for all of them but the empty one.
fn on_sequences(op: Op) -> bool {
    matches!(
        op,
        Op::Size
            | Op::First
            | Op::Last
            | Op::Front
            | Op::Tail
            | Op::Rev
            | Op::Concat
            | Op::Append
            | Op::Prepend
            | Op::Conc
    )
}

/// Condition and both branches of an implication or IF whose condition is simple enough to be worth knowing.
fn conditional(p: &Pred) -> Option<(Pred, Pred, Pred)> {
    let always = Pred { kind: PredKind::True, span: p.span };
    match &p.kind {
        PredKind::Implies(a, b) => Some(((**a).clone(), (**b).clone(), always)),
        PredKind::If(c, a, b) => Some(((**c).clone(), (**a).clone(), (**b).clone())),
        _ => None,
    }
}

struct Builder<'e> {
    ev: &'e Evaluator,
    unknowns: Vec<Unknown>,
    flat: Vec<Pred>,
    /// No unknowns may be added any more.
    closed: bool,
    /// Numbers of binders that stand in several places: their variables cannot be solved for, as they would have one value
    /// in all of them.
    repeated: HashSet<u32>,
}

/// The binders of comprehensions that predicates have in several places.
fn repeated(preds: &[&Pred]) -> HashSet<u32> {
    let (mut seen, mut again) = (HashSet::new(), HashSet::new());
    for p in preds {
        walk::pred(p, &mut |e| {
            if let ExprKind::Compr(binder, _) = &e.kind
                && !seen.insert(binder.id)
            {
                again.insert(binder.id);
            }
        });
    }
    again
}

impl Builder<'_> {
    fn add(&mut self, p: Pred) {
        let span = p.span;
        match p.kind {
            PredKind::True => {}
            PredKind::And(ps) => ps.into_iter().for_each(|p| self.add(p)),
            PredKind::Not(inner) => match negate(*inner) {
                Pred { kind: PredKind::Not(inner), span } => {
                    self.flat.push(Pred { kind: PredKind::Not(inner), span });
                }
                other => self.add(other),
            },
            PredKind::Op(op, args) => self.atom(op, args, span),
            // What a LET names is solved for, too: by the equation, once the other side is known. Sets may be some that are not listed.
            PredKind::Let(id, e, p) if is_scalar(&e.ty) && self.is_new(id) => {
                let x = Local { id, name: "let".into(), ty: e.ty.clone(), span: e.span };
                self.unknowns.push(Unknown::local(&x));
                let name = Expr { kind: ExprKind::Local(id), ty: x.ty, span: e.span };
                self.op(Op::Eq, vec![name, *e], span);
                self.add(*p);
            }
            kind => self.flat.push(Pred { kind, span }),
        }
    }

    /// Whether a variable may be solved for that has not been so far.
    fn is_new(&self, id: LocalId) -> bool {
        !self.closed && self.unknowns.iter().all(|u| u.slot != Slot::Local(id))
    }

    /// As `add`, without new unknowns.
    fn add_fixed(&mut self, p: Pred) {
        self.closed = true;
        self.add(p);
    }

    fn op(&mut self, op: Op, args: Vec<Expr>, span: Span) {
        self.add(Pred { kind: PredKind::Op(op, args), span });
    }

    fn atom(&mut self, op: Op, args: Vec<Expr>, span: Span) {
        let [a, b] = match <[Expr; 2]>::try_from(args) {
            Ok(sides) => sides,
            Err(args) => return self.flat.push(Pred { kind: PredKind::Op(op, args), span }),
        };
        match (op, a.kind, b.kind) {
            (Op::Eq, ExprKind::Op(Op::Maplet, l), ExprKind::Op(Op::Maplet, r)) => {
                for (x, y) in l.into_iter().zip(r) {
                    self.op(Op::Eq, vec![x, y], span);
                }
            }
            (Op::Eq, ExprKind::Bool(p), ExprKind::Lit(Value::Bool(v)))
            | (Op::Eq, ExprKind::Lit(Value::Bool(v)), ExprKind::Bool(p)) => {
                self.add(if v { *p } else { Pred { kind: PredKind::Not(p), span } });
            }
            (Op::Eq, ExprKind::Op(Op::Card, sets), ExprKind::Lit(Value::Int(n)))
                if all_different(&sets, n) =>
            {
                let ExprKind::SetExt(items) = &sets[0].kind else { return };
                for (i, x) in items.iter().enumerate() {
                    for y in &items[..i] {
                        self.op(Op::Neq, vec![y.clone(), x.clone()], span);
                    }
                }
            }
            (Op::In, ExprKind::Op(Op::Maplet, l), ExprKind::Op(Op::Product, r)) => {
                for (x, s) in l.into_iter().zip(r) {
                    self.op(Op::In, vec![x, s], span);
                }
            }
            (Op::In, a_kind, ExprKind::Op(Op::Inter, sets)) => {
                let a = Expr { kind: a_kind, ty: a.ty, span: a.span };
                for s in sets {
                    self.op(Op::In, vec![a.clone(), s], span);
                }
            }
            (Op::In, a_kind, ExprKind::Op(Op::Diff, sets)) => {
                let a = Expr { kind: a_kind, ty: a.ty, span: a.span };
                for (s, op) in sets.into_iter().zip([Op::In, Op::NotIn]) {
                    self.op(op, vec![a.clone(), s], span);
                }
            }
            (Op::In, a_kind, ExprKind::Op(Op::Pow, sets)) => {
                let a = Expr { kind: a_kind, ty: a.ty, span: a.span };
                for s in sets {
                    self.op(Op::Subset, vec![a.clone(), s], span);
                }
            }
            (Op::In, a_kind, ExprKind::Compr(binder, symbolic)) => {
                let a = Expr { kind: a_kind, ty: a.ty, span: a.span };
                let set = Expr { kind: ExprKind::Compr(binder.clone(), symbolic), ty: b.ty, span: b.span };
                match self.ev.listed_once(&set) {
                    Some(v) => {
                        let set = Expr { kind: ExprKind::Lit(v), ..set };
                        self.flat.push(Pred { kind: PredKind::Op(Op::In, vec![a, set]), span });
                    }
                    None => self.inline(a, &binder, span),
                }
            }
            // Without members no conjunct would be left to say that the other side has a value.
            (Op::Subset, ExprKind::SetExt(items), b_kind) if !items.is_empty() => {
                if let ExprKind::Compr(binder, _) = &b_kind
                    && items.len() > 1
                {
                    self.repeated.insert(binder.id);
                }
                let b = Expr { kind: b_kind, ty: b.ty, span: b.span };
                for x in items {
                    self.op(Op::In, vec![x, b.clone()], span);
                }
            }
            (op, a_kind, b_kind) => {
                let a = Expr { kind: a_kind, ty: a.ty, span: a.span };
                let b = Expr { kind: b_kind, ty: b.ty, span: b.span };
                self.flat.push(Pred { kind: PredKind::Op(op, vec![a, b]), span });
            }
        }
    }

    /// `a : {x | P}` becomes P with a instead of x if a is solved for, and if P binds nothing.
    fn instead(&self, a: &Expr, binder: &Binder) -> Option<Pred> {
        let [x] = &binder.vars[..] else { return None };
        let a = slot_of(a).filter(|a| self.unknowns.iter().any(|u| u.slot == *a))?;
        let mut bound = Vec::new();
        walk::bound_in(&binder.pred, &mut bound);
        if !bound.is_empty() {
            return None;
        }
        let mut taken = HashMap::new();
        walk::pred(&binder.pred, &mut |e| {
            if slot_of(e) == Some(Slot::Local(x.id)) {
                taken.insert(std::ptr::from_ref(e).addr(), a);
            }
        });
        Some(Rename::taking(taken, 0).pred(&binder.pred))
    }

    /// `a : {x,y | P}` becomes `(x|->y) = a & P` with x and y solved for too (they are functions of a).
    fn inline(&mut self, a: Expr, binder: &Arc<Binder>, span: Span) {
        if let Some(p) = self.instead(&a, binder) {
            return self.add(p);
        }
        if self.closed
            || self.repeated.contains(&binder.id)
            || binder.vars.iter().any(|v| self.unknowns.iter().any(|u| u.slot == Slot::Local(v.id)))
        {
            // The same comprehension twice (a definition's body, or several members of one set).
            let set = Expr { kind: ExprKind::Compr(binder.clone(), false), ty: Ty::pow(a.ty.clone()), span };
            self.flat.push(Pred { kind: PredKind::Op(Op::In, vec![a, set]), span });
            return;
        }
        self.unknowns.extend(binder.vars.iter().map(Unknown::local));
        if let Some(t) = tuple_expr(&binder.vars, span) {
            self.op(Op::Eq, vec![t, a], span);
        }
        self.add(binder.pred.clone());
    }
}

/// Whether values of a type have one representation each, and no parts.
pub(super) fn is_scalar(ty: &Ty) -> bool {
    matches!(ty, Ty::Int | Ty::Bool | Ty::Given(_) | Ty::Str)
}

/// Whether `card(set) = n` says that the members listed are all different. Of one member that would say nothing, not
/// even that it has a value.
fn all_different(sets: &[Expr], n: i64) -> bool {
    match sets {
        [Expr { kind: ExprKind::SetExt(items), .. }] => n > 1 && i64::try_from(items.len()) == Ok(n),
        _ => false,
    }
}

/// `x : set`.
pub(crate) fn member_of(x: &Local, set: &Expr) -> Pred {
    let member = Expr { kind: ExprKind::Local(x.id), ty: x.ty.clone(), span: x.span };
    Pred { kind: PredKind::Op(Op::In, vec![member, set.clone()]), span: set.span }
}

/// The left-nested tuple of variables as an expression.
pub(super) fn tuple_expr(vars: &[Local], span: Span) -> Option<Expr> {
    let one = |v: &Local| Expr { kind: ExprKind::Local(v.id), ty: v.ty.clone(), span };
    let mut vars = vars.iter();
    let first = one(vars.next()?);
    Some(vars.fold(first, |t, v| {
        let ty = Ty::pair(t.ty.clone(), v.ty.clone());
        Expr { kind: ExprKind::Op(Op::Maplet, vec![t, one(v)]), ty, span }
    }))
}
