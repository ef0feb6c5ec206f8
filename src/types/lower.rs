//! Lowering of formulas: typed nodes to IR.
//!
//! In: nodes with their types ([`Infer`]). Out: IR in which names are slots and overloads are settled. A
//! [`Frame`] gives every binder slots of its own and keeps track of what closures must capture.

use super::infer::{Infer, key};
use super::unify::Tid;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Binder, ConstId, Expr, ExprKind, Local, LocalId, Pred, PredKind, Scoped, VarId};
use crate::ops::{Op, external};
use crate::source::Span;
use crate::syntax::ast::{Entity, Ident, Name, Node, NodeKind};
use crate::ty::Ty;
use crate::value::Value;
use std::sync::Arc;

/// The frame of one formula, routine or operation.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// Slots given out so far.
    next: u32,
    /// Slots that will have been given out at the end.
    size: u32,
    /// Names in scope, innermost last.
    pub(super) scope: Vec<(Name, LocalId)>,
    /// Variables whose new value is a local inside `x : (P)`.
    pub(super) renamed: Vec<(u32, LocalId)>,
    /// Open binders: first slot, captured locals, whether the state is read.
    open: Vec<(u32, Vec<LocalId>, bool)>,
    /// Variables read so far.
    reads: Vec<VarId>,
}

/// Lowers nodes typed by `infer`.
pub(super) struct Lower<'a, 'f> {
    pub(super) infer: &'a Infer<'f>,
    pub(super) frame: Frame,
    pub(super) errors: Vec<Diagnostic>,
    binders: u32,
}

impl<'a, 'f> Lower<'a, 'f> {
    pub(super) fn new(infer: &'a Infer<'f>) -> Self {
        Self { infer, frame: Frame::default(), errors: Vec::new(), binders: 0 }
    }

    /// Starts a frame of at most so many slots.
    pub(super) fn start(&mut self, size: usize) {
        self.frame = Frame { size: u32::try_from(size).unwrap_or(u32::MAX), ..Frame::default() };
    }

    /// Size of the frame.
    pub(super) fn size(&self) -> u32 {
        self.frame.size.max(self.frame.next)
    }

    /// Variables read in this frame, sorted.
    pub(super) fn reads(&self) -> Vec<VarId> {
        let mut reads = self.frame.reads.clone();
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    pub(super) fn ground(&self, t: Option<Tid>) -> Ty {
        t.map_or(Ty::Any, |t| self.infer.terms.ground(t))
    }

    /// The type of a node or identifier.
    pub(super) fn ty<T>(&self, node: &T) -> Ty {
        self.ground(self.infer.types.get(&key(node)).copied())
    }

    /// A new local in scope.
    pub(super) fn bind(&mut self, id: &Ident) -> Local {
        let local = self.fresh(id.name.clone(), self.ty(id), id.span);
        self.frame.scope.push((id.name.clone(), local.id));
        local
    }

    /// A new slot.
    pub(super) fn fresh(&mut self, name: Name, ty: Ty, span: Span) -> Local {
        let id = LocalId(self.frame.next);
        self.frame.next += 1;
        Local { id, name, ty, span }
    }

    pub(super) fn read_local(&mut self, id: LocalId) -> ExprKind {
        for (base, captures, _) in &mut self.frame.open {
            if id.0 < *base && !captures.contains(&id) {
                captures.push(id);
            }
        }
        ExprKind::Local(id)
    }

    fn read_var(&mut self, i: u32) -> ExprKind {
        self.frame.reads.push(VarId(i));
        self.frame.open.iter_mut().for_each(|o| o.2 = true);
        ExprKind::Var(VarId(i))
    }

    pub(super) fn lookup(&self, name: &str) -> Option<LocalId> {
        self.frame.scope.iter().rev().find(|(n, _)| &**n == name).map(|(_, id)| *id)
    }

    /// Lowers a binder: `make` lowers predicate and body with the names in scope.
    pub(super) fn binder<T>(
        &mut self,
        names: &[Ident],
        make: impl FnOnce(&mut Self) -> (Pred, T),
    ) -> (Arc<Binder>, T) {
        self.binder_with(|s| names.iter().map(|id| s.bind(id)).collect(), make)
    }

    /// As [`Lower::binder`], for locals that `vars` makes.
    pub(super) fn binder_with<T>(
        &mut self,
        vars: impl FnOnce(&mut Self) -> Vec<Local>,
        make: impl FnOnce(&mut Self) -> (Pred, T),
    ) -> (Arc<Binder>, T) {
        let mark = self.frame.scope.len();
        self.frame.open.push((self.frame.next, Vec::new(), false));
        let vars = vars(self);
        let (pred, body) = make(self);
        self.frame.scope.truncate(mark);
        let (_, mut captures, reads_state) = self.frame.open.pop().unwrap_or_default();
        captures.sort_unstable();
        self.binders += 1;
        let frame = self.size();
        let id = self.binders - 1;
        (Arc::new(Binder { vars, pred, captures, frame, reads_state, id }), body)
    }

    fn scoped<T>(&mut self, names: &[Ident], make: impl FnOnce(&mut Self) -> (Pred, T)) -> Arc<Scoped<T>> {
        let (binder, body) = self.binder(names, make);
        Arc::new(Scoped { binder, body })
    }

    pub(super) fn unsupported(&mut self, span: Span, what: &str) {
        self.errors.push(Diagnostic::error(Code::Unsupported, span, format!("{what} is not supported")));
    }

    /// Lowers an expression.
    pub(super) fn expr(&mut self, node: &Node) -> Expr {
        let ty = self.ty(node);
        let kind = self.expr_kind(node, &ty);
        Expr { kind, ty, span: node.span }
    }

    fn boxed(&mut self, node: &Node) -> Box<Expr> {
        Box::new(self.expr(node))
    }

    fn all(&mut self, nodes: &[Node]) -> Vec<Expr> {
        nodes.iter().map(|n| self.expr(n)).collect()
    }

    fn expr_kind(&mut self, node: &Node, ty: &Ty) -> ExprKind {
        match &node.kind {
            NodeKind::Name(n) => match self.lookup(n) {
                Some(id) => self.read_local(id),
                None => ExprKind::Lit(Value::empty()),
            },
            NodeKind::Ref(e) => self.entity(*e, node.span),
            NodeKind::Old(inner) => self.old(inner),
            NodeKind::Int(n) => ExprKind::Lit(Value::int(n.clone())),
            NodeKind::Real(text) => ExprKind::Lit(Value::Real(text.parse().unwrap_or(f64::NAN))),
            NodeKind::Str(s) => ExprKind::Lit(Value::Str(s.clone())),
            NodeKind::Op(op, args) => self.operator(*op, args, ty),
            NodeKind::Apply(f, args) => self.apply(f, args, node.span),
            NodeKind::Field(r, name) => {
                let r = self.boxed(r);
                let at = match &r.ty {
                    Ty::Rec(fields) => fields.iter().position(|(n, _)| *n == name.name).unwrap_or(0),
                    _ => 0,
                };
                ExprKind::Field(r, u32::try_from(at).unwrap_or(0))
            }
            NodeKind::SetExt(items) if items.is_empty() => ExprKind::Lit(Value::empty()),
            NodeKind::SeqExt(items) if items.is_empty() => ExprKind::Lit(Value::empty()),
            NodeKind::SetExt(items) => ExprKind::SetExt(self.all(items)),
            NodeKind::SeqExt(items) => ExprKind::SeqExt(self.all(items)),
            NodeKind::Rec(fields) => ExprKind::Rec(self.fields(fields)),
            NodeKind::Struct(fields) => ExprKind::Struct(self.fields(fields)),
            NodeKind::Bool(p) => ExprKind::Bool(Box::new(self.pred(p))),
            NodeKind::Compr(names, p) => {
                let (binder, ()) = self.binder(names, |s| (s.pred(p), ()));
                ExprKind::Compr(binder, false)
            }
            NodeKind::EventCompr(names, p, e) => {
                ExprKind::Image(self.scoped(names, |s| (s.pred(p), s.expr(e))))
            }
            NodeKind::Lambda(names, p, e) => {
                ExprKind::Lambda(self.scoped(names, |s| (s.pred(p), s.expr(e))), false)
            }
            NodeKind::Fold(fold, names, p, e) => {
                ExprKind::Fold(*fold, self.scoped(names, |s| (s.pred(p), s.expr(e))))
            }
            NodeKind::If(c, a, b) => {
                let c = Box::new(self.pred(c));
                ExprKind::If(c, self.boxed(a), self.boxed(b))
            }
            NodeKind::Let(binds, body) => self.let_expr(binds, body),
            // Not expressions: inference has refused them.
            NodeKind::And(..)
            | NodeKind::Or(..)
            | NodeKind::Implies(..)
            | NodeKind::Iff(..)
            | NodeKind::Not(_)
            | NodeKind::Forall(..)
            | NodeKind::Exists(..)
            | NodeKind::Error => ExprKind::Lit(Value::empty()),
        }
    }

    fn fields(&mut self, fields: &[(Ident, Node)]) -> Vec<Expr> {
        let mut sorted: Vec<&(Ident, Node)> = fields.iter().collect();
        sorted.sort_by(|a, b| a.0.name.cmp(&b.0.name));
        sorted.into_iter().map(|(_, e)| self.expr(e)).collect()
    }

    fn entity(&mut self, e: Entity, span: Span) -> ExprKind {
        match e {
            Entity::Set(s) => ExprKind::Given(s),
            Entity::Element(s, i) => ExprKind::Lit(Value::Elem(s, i)),
            Entity::Const(i) => ExprKind::Const(ConstId(i)),
            Entity::Var(i) => match self.frame.renamed.iter().rev().find(|(v, _)| *v == i) {
                Some(&(_, local)) => self.read_local(local),
                None => self.read_var(i),
            },
            Entity::FreeType(f) => ExprKind::FreeSet(f),
            Entity::Constructor(t, c) => {
                if self.infer.constructor(t, c).is_some() {
                    self.unsupported(span, "a constructor of a free type as a function without argument");
                }
                ExprKind::Construct(t, c, None)
            }
        }
    }

    /// `x$0`: inside `x : (P)` the plain variable, elsewhere the value when the operation began.
    fn old(&mut self, inner: &Node) -> ExprKind {
        match &inner.kind {
            NodeKind::Ref(Entity::Var(i)) if self.frame.renamed.iter().any(|(v, _)| v == i) => {
                self.read_var(*i)
            }
            NodeKind::Ref(Entity::Var(i)) => {
                self.frame.reads.push(VarId(*i));
                self.frame.open.iter_mut().for_each(|o| o.2 = true);
                ExprKind::Old(VarId(*i))
            }
            NodeKind::Name(n) => {
                // The outer local: the innermost one is the new value.
                let ids: Vec<LocalId> =
                    self.frame.scope.iter().rev().filter(|(m, _)| m == n).map(|(_, id)| *id).collect();
                match ids.get(1).or(ids.first()) {
                    Some(id) => self.read_local(*id),
                    None => ExprKind::Lit(Value::empty()),
                }
            }
            _ => {
                self.unsupported(inner.span, "`$0` after something that is no variable");
                ExprKind::Lit(Value::empty())
            }
        }
    }

    fn apply(&mut self, f: &Node, args: &[Node], span: Span) -> ExprKind {
        if let NodeKind::Name(n) = &f.kind
            && self.lookup(n).is_none()
            && let Some(ext) = external::find(n)
        {
            return ExprKind::External(ext, self.all(args));
        }
        let arg = self.maplets(args, span);
        if let NodeKind::Ref(Entity::Constructor(t, c)) = f.kind {
            return ExprKind::Construct(t, c, Some(Box::new(arg)));
        }
        let f = self.expr(f);
        ExprKind::Op(Op::Apply, vec![f, arg])
    }

    fn maplets(&mut self, args: &[Node], span: Span) -> Expr {
        let mut all = self.all(args).into_iter();
        let first = all.next().unwrap_or(Expr { kind: ExprKind::Lit(Value::empty()), ty: Ty::Any, span });
        all.fold(first, |a, b| {
            let ty = Ty::pair(a.ty.clone(), b.ty.clone());
            let span = a.span.to(b.span);
            Expr { kind: ExprKind::Op(Op::Maplet, vec![a, b]), ty, span }
        })
    }

    fn operator(&mut self, op: Op, args: &[Node], ty: &Ty) -> ExprKind {
        let is_set = matches!(ty, Ty::Pow(_));
        let settled = match op {
            Op::Minus if is_set => Op::Diff,
            Op::Minus => Op::Sub,
            Op::Star if is_set => Op::Product,
            Op::Star => Op::Mul,
            Op::TrueValue => return ExprKind::Lit(Value::Bool(true)),
            Op::FalseValue => return ExprKind::Lit(Value::Bool(false)),
            other => other,
        };
        let args = self.all(args);
        if let (Op::Neg, [Expr { kind: ExprKind::Lit(Value::Int(n)), .. }]) = (settled, args.as_slice())
            && let Some(m) = n.checked_neg()
        {
            return ExprKind::Lit(Value::Int(m));
        }
        ExprKind::Op(settled, args)
    }

    fn let_expr(&mut self, binds: &[(Ident, Node)], body: &Node) -> ExprKind {
        let mark = self.frame.scope.len();
        let bound: Vec<(Local, Expr)> = binds.iter().map(|b| self.let_bind(b)).collect();
        let mut out = self.expr(body);
        self.frame.scope.truncate(mark);
        for (local, value) in bound.into_iter().rev() {
            let (ty, span) = (out.ty.clone(), out.span);
            out = Expr { kind: ExprKind::Let(local.id, Box::new(value), Box::new(out)), ty, span };
        }
        out.kind
    }

    /// One equation of a LET: its value, then its name in scope.
    pub(super) fn let_bind(&mut self, (name, value): &(Ident, Node)) -> (Local, Expr) {
        let value = self.expr(value);
        (self.bind(name), value)
    }

    fn boxed_pred(&mut self, node: &Node) -> Box<Pred> {
        Box::new(self.pred(node))
    }

    /// Lowers a predicate.
    pub(super) fn pred(&mut self, node: &Node) -> Pred {
        let kind = match &node.kind {
            NodeKind::And(..) => PredKind::And(self.flatten(node, true)),
            NodeKind::Or(..) => PredKind::Or(self.flatten(node, false)),
            NodeKind::Implies(a, b) => {
                let a = self.boxed_pred(a);
                PredKind::Implies(a, self.boxed_pred(b))
            }
            NodeKind::Iff(a, b) => {
                let a = self.boxed_pred(a);
                PredKind::Iff(a, self.boxed_pred(b))
            }
            NodeKind::Not(a) => PredKind::Not(self.boxed_pred(a)),
            NodeKind::Op(Op::True, _) => PredKind::True,
            NodeKind::Op(Op::False, _) => PredKind::False,
            NodeKind::Op(op, args) => PredKind::Op(*op, self.all(args)),
            NodeKind::Forall(names, p) => {
                // `!x.(P => Q)`; a body `P => Q => R` is `(P => Q) => R` to the parser and stays that.
                PredKind::Forall(self.scoped(names, |s| match &p.kind {
                    NodeKind::Implies(a, b) => {
                        let (mut guards, mut body) = (vec![s.pred(a)], &**b);
                        while let NodeKind::Implies(a, b) = &body.kind {
                            guards.push(s.pred(a));
                            body = b;
                        }
                        let span = a.span;
                        (conjunction(guards, span), s.pred(body))
                    }
                    _ => (Pred { kind: PredKind::True, span: p.span }, s.pred(p)),
                }))
            }
            NodeKind::Exists(names, p) => {
                let (binder, ()) = self.binder(names, |s| (s.pred(p), ()));
                PredKind::Exists(binder)
            }
            NodeKind::If(c, a, b) => {
                let (c, a) = (self.boxed_pred(c), self.boxed_pred(a));
                PredKind::If(c, a, self.boxed_pred(b))
            }
            NodeKind::Let(binds, body) => {
                let mark = self.frame.scope.len();
                let bound: Vec<(Local, Expr)> = binds.iter().map(|b| self.let_bind(b)).collect();
                let mut out = self.pred(body);
                self.frame.scope.truncate(mark);
                for (local, value) in bound.into_iter().rev() {
                    let span = out.span;
                    out = Pred { kind: PredKind::Let(local.id, Box::new(value), Box::new(out)), span };
                }
                out.kind
            }
            NodeKind::Apply(f, args) => match &f.kind {
                NodeKind::Name(n) if self.lookup(n).is_none() && external::find(n).is_some() => {
                    match external::find(n) {
                        Some(ext) => PredKind::External(ext, self.all(args)),
                        None => PredKind::False,
                    }
                }
                _ => PredKind::False,
            },
            // Not predicates: inference has refused them.
            _ => PredKind::False,
        };
        Pred { kind, span: node.span }
    }

    /// The operands of a chain of `&` (or of `or`), without recursion along the chain.
    fn flatten(&mut self, node: &Node, and: bool) -> Vec<Pred> {
        let mut out = Vec::new();
        let mut todo = vec![node];
        while let Some(n) = todo.pop() {
            match (&n.kind, and) {
                (NodeKind::And(a, b), true) | (NodeKind::Or(a, b), false) => {
                    todo.push(b);
                    todo.push(a);
                }
                _ => out.push(self.pred(n)),
            }
        }
        out
    }
}

/// A conjunction of any number of predicates.
pub(super) fn conjunction(preds: Vec<Pred>, span: Span) -> Pred {
    let mut flat = Vec::new();
    for p in preds {
        match p.kind {
            PredKind::And(inner) => flat.extend(inner),
            PredKind::True => {}
            _ => flat.push(p),
        }
    }
    match flat.len() {
        0 => Pred { kind: PredKind::True, span },
        1 => flat.remove(0),
        _ => Pred { kind: PredKind::And(flat), span },
    }
}
