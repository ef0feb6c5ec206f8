//! Lowering of expressions: typed nodes to IR.
//!
//! In: nodes with their types ([`Infer`], whose work is done). Out: IR in which names are slots (`frame`) and
//! overloads are settled. Predicates and substitutions have files of their own.

use super::frame::Frame;
use super::infer::{Infer, key};
use super::table;
use super::unify::Tid;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{ConstId, Expr, ExprKind, Local};
use crate::ops::Op;
use crate::ops::external::{self, External};
use crate::source::{Sources, Span};
use crate::syntax::ast::{Entity, Ident, Node, NodeKind};
use crate::ty::{SetId, Ty};
use crate::value::{SetRef, Value};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lowers nodes typed by `infer`.
pub(super) struct Lower<'a, 'f> {
    pub(super) infer: &'a Infer<'f>,
    pub(super) frame: Frame,
    pub(super) errors: Vec<Diagnostic>,
    /// Ground types found so far.
    known: HashMap<Tid, Ty>,
    /// Binders numbered so far.
    pub(super) binders: u32,
    /// Elements that literals name which were tables, by the place of the literal.
    pub(super) named: BTreeMap<Span, Vec<(SetId, u32, Span)>>,
    /// The texts, for pragmas before expressions.
    pub(super) sources: Option<&'a Sources>,
}

impl<'a, 'f> Lower<'a, 'f> {
    pub(super) fn new(infer: &'a Infer<'f>) -> Self {
        Self {
            infer,
            frame: Frame::default(),
            errors: Vec::new(),
            known: HashMap::new(),
            binders: 0,
            named: BTreeMap::new(),
            sources: None,
        }
    }

    pub(super) fn ground(&mut self, t: Option<Tid>) -> Ty {
        t.map_or(Ty::Any, |t| self.infer.terms.ground(t, &mut self.known))
    }

    /// The type of a node or identifier.
    pub(super) fn ty<T>(&mut self, node: &T) -> Ty {
        self.ground(self.infer.types.get(&key(node)).copied())
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

    pub(super) fn all(&mut self, nodes: &[Node]) -> Vec<Expr> {
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
                let at = Self::position(&r.ty, &name.name);
                ExprKind::Field(r, at)
            }
            NodeKind::SetExt(items) if items.is_empty() => ExprKind::Lit(Value::empty()),
            NodeKind::SeqExt(items) if items.is_empty() => ExprKind::Lit(Value::empty()),
            NodeKind::SetExt(items) => match literals(items) {
                Some(values) => ExprKind::Lit(Value::Set(SetRef::from_vec(values))),
                None => ExprKind::SetExt(self.all(items)),
            },
            NodeKind::SeqExt(items) => match literals(items) {
                Some(values) => {
                    let pairs = (1..).zip(values).map(|(i, v)| Value::pair(Value::Int(i), v)).collect();
                    ExprKind::Lit(Value::Set(SetRef::from_sorted(pairs)))
                }
                None => ExprKind::SeqExt(self.all(items)),
            },
            NodeKind::Table(table) => {
                self.named.entry(node.span).or_default().extend(table.named());
                ExprKind::Lit(table::value(table))
            }
            NodeKind::Rec(fields) => ExprKind::Rec(self.fields(fields)),
            NodeKind::Struct(fields) => ExprKind::Struct(self.fields(fields)),
            NodeKind::Bool(p) => ExprKind::Bool(Box::new(self.pred(p))),
            NodeKind::Compr(names, p) => {
                let (binder, ()) = self.binder(names, |s| (s.pred(p), ()));
                ExprKind::Compr(binder, self.marked_symbolic(node))
            }
            NodeKind::EventCompr(names, p, e) => {
                ExprKind::Image(self.scoped(names, |s| (s.pred(p), s.expr(e))))
            }
            NodeKind::LetWhere(names, p, e) => self.let_where(names, p, e, node.span),
            NodeKind::Lambda(names, p, e) => {
                let symbolic = self.marked_symbolic(node);
                ExprKind::Lambda(self.scoped(names, |s| (s.pred(p), s.expr(e))), symbolic)
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

    /// Whether the pragma `/*@symbolic */` stands before an expression.
    fn marked_symbolic(&self, node: &Node) -> bool {
        self.sources.and_then(|s| s.pragma_before(node.span)) == Some("symbolic")
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
            Entity::Gone(_) => {
                self.unsupported(span, "a variable of a refined machine here");
                ExprKind::Lit(Value::empty())
            }
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
            NodeKind::Ref(Entity::Var(i)) => self.read_old(*i),
            NodeKind::Name(n) => {
                // The outer local: those further in are the new value, and names that are bound.
                let outside = self.frame.scope.iter().take(self.frame.outside);
                match outside.rev().find(|(m, _)| m == n).map(|(_, id)| *id) {
                    Some(id) => self.read_local(id),
                    None => ExprKind::Lit(Value::empty()),
                }
            }
            _ => {
                self.unsupported(inner.span, "`$0` after something that is no variable");
                ExprKind::Lit(Value::empty())
            }
        }
    }

    /// The external function or predicate that a name means in front of arguments.
    pub(super) fn external(&self, f: &Node) -> Option<&'static External> {
        match &f.kind {
            NodeKind::Name(n) if self.lookup(n).is_none() => external::find(n),
            _ => None,
        }
    }

    fn apply(&mut self, f: &Node, args: &[Node], span: Span) -> ExprKind {
        if let Some(ext) = self.external(f) {
            return ExprKind::External(ext, self.all(args));
        }
        let arg = self.tuple(args, span);
        if let NodeKind::Ref(Entity::Constructor(t, c)) = f.kind {
            return ExprKind::Construct(t, c, Some(Box::new(self.argument((t, c), arg))));
        }
        let f = self.expr(f);
        ExprKind::Op(Op::Apply, vec![f, arg])
    }

    /// The argument of a constructor, which has a value only if it is in the constructor's set: what `id` of that set makes of it. So all
    /// values that there are of a free type are members of it.
    fn argument(&mut self, (t, c): (u16, u16), arg: Expr) -> Expr {
        let flat = self.infer.flat;
        let constructor = flat.free_types.get(usize::from(t)).and_then(|(_, all)| all.get(usize::from(c)));
        let Some((_, Some(set))) = constructor else { return arg };
        let set = self.expr(set);
        if is_type(&set) {
            return arg;
        }
        let (ty, span) = (arg.ty.clone(), arg.span);
        let all = Ty::pow(Ty::pair(ty.clone(), ty.clone()));
        let same = Expr { kind: ExprKind::Op(Op::Id, vec![set]), ty: all, span };
        Expr { kind: ExprKind::Op(Op::Apply, vec![same, arg]), ty, span }
    }

    /// The arguments of an application as one: `f(a,b)` is `f(a|->b)`.
    pub(super) fn tuple(&mut self, args: &[Node], span: Span) -> Expr {
        let mut all = self.all(args).into_iter();
        let first = all.next().unwrap_or(Expr { kind: ExprKind::Lit(Value::empty()), ty: Ty::Any, span });
        all.fold(first, |a, b| {
            let ty = Ty::pair(a.ty.clone(), b.ty.clone());
            let span = a.span.to(b.span);
            Expr { kind: ExprKind::Op(Op::Maplet, vec![a, b]), ty, span }
        })
    }

    /// The position of a field in its record.
    pub(super) fn position(record: &Ty, field: &str) -> u32 {
        let at = match record {
            Ty::Rec(fields) => fields.iter().position(|(n, _)| &**n == field),
            _ => None,
        };
        at.and_then(|at| u32::try_from(at).ok()).unwrap_or(0)
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
        if let (Op::Neg, [Expr { kind: ExprKind::Lit(number), .. }]) = (settled, args.as_slice()) {
            match number {
                Value::Int(n) => return ExprKind::Lit(Value::int(-num_bigint::BigInt::from(*n))),
                Value::Big(n) => return ExprKind::Lit(Value::int(-&**n)),
                _ => {}
            }
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

    /// A LET of any condition: the values that the body has make a relation of one row, which is applied. So it has a value if the
    /// row has one member.
    fn let_where(&mut self, names: &[Ident], condition: &Node, body: &Node, span: Span) -> ExprKind {
        let of = self.ty(body);
        let expr = |kind, ty| Expr { kind, ty, span };
        let one = expr(ExprKind::Lit(Value::Int(1)), Ty::Int);
        let ones = expr(ExprKind::SetExt(vec![one.clone()]), Ty::Pow(Arc::new(Ty::Int)));
        let values = ExprKind::Image(self.scoped(names, |s| (s.pred(condition), s.expr(body))));
        let values = expr(values, Ty::Pow(Arc::new(of.clone())));
        let row = ExprKind::Op(Op::Product, vec![ones, values]);
        let row = expr(row, Ty::Pow(Arc::new(Ty::pair(Ty::Int, of))));
        ExprKind::Op(Op::Apply, vec![row, one])
    }

    /// One equation of a LET: its value, then its name in scope.
    pub(super) fn let_bind(&mut self, (name, value): &(Ident, Node)) -> (Local, Expr) {
        let value = self.expr(value);
        (self.bind(name), value)
    }
}

/// Whether a set is that of all values of its type, by its form.
fn is_type(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Given(_) | ExprKind::FreeSet(_) => true,
        ExprKind::Op(op, args) => match op {
            Op::Integer | Op::BoolSet | Op::StringSet | Op::RealSet => true,
            Op::Pow | Op::Product | Op::Rel => args.iter().all(is_type),
            _ => false,
        },
        _ => false,
    }
}

/// With so many members an extension of literals becomes a literal itself: tables of data have thousands, and what is
/// short is read by those who solve predicates.
const TABLE: usize = 64;

/// The values of the members of a large extension, if all are literals.
fn literals(items: &[Node]) -> Option<Vec<Value>> {
    if items.len() < TABLE {
        return None;
    }
    items.iter().map(literal).collect()
}

fn literal(node: &Node) -> Option<Value> {
    Some(match &node.kind {
        NodeKind::Int(n) => Value::int(n.clone()),
        NodeKind::Str(s) => Value::Str(s.clone()),
        NodeKind::Ref(Entity::Element(s, i)) => Value::Elem(*s, *i),
        NodeKind::Op(op, args) => match (op, &args[..]) {
            (Op::Maplet, [a, b]) => Value::pair(literal(a)?, literal(b)?),
            (Op::TrueValue, []) => Value::Bool(true),
            (Op::FalseValue, []) => Value::Bool(false),
            _ => return None,
        },
        _ => return None,
    })
}
