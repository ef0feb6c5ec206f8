//! Expressions of the IR.

use super::{ConstId, LocalId, Pred, VarId};
use crate::ops::Op;
use crate::ops::external::External;
use crate::source::Span;
use crate::syntax::ast::Fold;
use crate::ty::{SetId, Ty};
use crate::value::Value;
use std::sync::Arc;

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type; ground.
    pub ty: Ty,
    /// Where it stands.
    pub span: Span,
}

impl Expr {
    /// An operator with its arguments.
    #[must_use]
    pub fn op(op: Op, args: Vec<Expr>, ty: Ty, span: Span) -> Self {
        Self { kind: ExprKind::Op(op, args), ty, span }
    }

    /// An integer.
    #[must_use]
    pub fn int(n: i64, span: Span) -> Self {
        Self { kind: ExprKind::Lit(Value::Int(n)), ty: Ty::Int, span }
    }

    /// The binder of a comprehension, lambda, union, sum and the like.
    #[must_use]
    pub fn binder(&self) -> Option<&Binder> {
        match &self.kind {
            ExprKind::Compr(binder, _) => Some(binder),
            ExprKind::Image(s) | ExprKind::Lambda(s, _) | ExprKind::Fold(_, s) => Some(&s.binder),
            _ => None,
        }
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal (integer, string, BOOL value, element of an enumerated set, `{}` as empty set).
    Lit(Value),
    /// A local: parameter, result, quantified or LET variable.
    Local(LocalId),
    /// A constant.
    Const(ConstId),
    /// A variable's value in the state the formula is evaluated in.
    Var(VarId),
    /// `x$0` in a loop invariant: the variable's value when the operation began. (In `x : (P)` the new
    /// value is a local and `x$0` is plain [`ExprKind::Var`].)
    Old(VarId),
    /// A given set as a whole.
    Given(SetId),
    /// An operator with its arguments. Never `Op::Minus`, `Op::Star` (settled to Sub/Diff, Mul/Product)
    /// nor an operator whose meaning is a predicate. `f(a,b)` is `Apply(f, Maplet(a,b))`.
    Op(Op, Vec<Expr>),
    /// An external function.
    External(&'static External, Vec<Expr>),
    /// `{a,b}`; at least one.
    SetExt(Vec<Expr>),
    /// `[a,b]`; at least one.
    SeqExt(Vec<Expr>),
    /// A record; fields in the type's order.
    Rec(Vec<Expr>),
    /// `struct(..)`; fields in the type's order, each a set.
    Struct(Vec<Expr>),
    /// A field of a record, by position in its type.
    Field(Box<Expr>, u32),
    /// A constructor of a free type applied (`None` for a constant constructor).
    Construct(u16, u16, Option<Box<Expr>>),
    /// A free type as a set.
    FreeSet(u16),
    /// `bool(P)`.
    Bool(Box<Pred>),
    /// `{x,y | P}`: the tuples of the bound variables, left-nested pairs. `true` if marked symbolic.
    Compr(Arc<Binder>, bool),
    /// `{x . P | E}`.
    Image(Arc<Scoped<Expr>>),
    /// `%x.(P|E)`. `true` if marked symbolic.
    Lambda(Arc<Scoped<Expr>>, bool),
    /// SIGMA, PI, UNION, INTER.
    Fold(Fold, Arc<Scoped<Expr>>),
    /// IF.
    If(Box<Pred>, Box<Expr>, Box<Expr>),
    /// `LET x BE x = E IN F END` for one variable; several nest.
    Let(LocalId, Box<Expr>, Box<Expr>),
}

/// Bound variables and the predicate that restricts them.
#[derive(Debug)]
pub struct Binder {
    /// The bound variables in order, each with its type and name.
    pub vars: Vec<Local>,
    /// The predicate.
    pub pred: Pred,
    /// Locals of enclosing binders that the binder (predicate and body) reads, sorted: what a closure
    /// over it must capture.
    pub captures: Vec<LocalId>,
    /// Number of slots of the owner's frame: a closure is evaluated in a frame of this size.
    pub frame: u32,
    /// Whether predicate or body read variables of the state (then a closure captures the state too).
    pub reads_state: bool,
    /// Unique in the machine; evaluators key cached enumeration plans by it.
    pub id: u32,
}

/// A binder with a body in its scope.
#[derive(Debug)]
pub struct Scoped<T> {
    /// The bound variables and their predicate.
    pub binder: Arc<Binder>,
    /// The body.
    pub body: T,
}

/// A declared local.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its slot.
    pub id: LocalId,
    /// Its name, for traces and messages.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Ty,
    /// Where it was declared.
    pub span: Span,
}
