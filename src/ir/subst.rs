//! Substitutions of the IR.

use super::{Binder, Expr, Local, LocalId, Pred, VarId};
use crate::source::Span;
use std::sync::Arc;

/// A substitution.
#[derive(Clone, Debug)]
pub struct Subst {
    /// What it is.
    pub kind: SubstKind,
    /// Where it stands.
    pub span: Span,
}

/// What is assigned: a state variable or a local (VAR, result parameter).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    /// A variable of the state.
    Var(VarId),
    /// A local.
    Local(LocalId),
}

/// One step of `f(a)'fld(b) := E`.
#[derive(Clone, Debug)]
pub enum Access {
    /// Application to an argument.
    At(Expr),
    /// A field, by position.
    Field(u32),
}

/// An assignment target.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub place: Place,
    /// Applications and fields from the outside in; empty for a plain variable.
    pub path: Vec<Access>,
    /// Type of the variable itself.
    pub ty: crate::ty::Ty,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of substitutions.
#[derive(Clone, Debug)]
pub enum SubstKind {
    /// `skip`.
    Skip,
    /// Multiple assignment: all values are evaluated first.
    Assign(Vec<(Target, Expr)>),
    /// `x,y :: S`: one outcome per element; S is a set of (left-nested) tuples for several targets.
    BecomesIn(Vec<Target>, Expr),
    /// `x,y : (P)`: the binder's variables are the new values, in the order of the targets.
    BecomesSuch(Vec<Target>, Arc<Binder>),
    /// `PRE`. An outermost one of an offered operation is a guard: lowering has turned that into
    /// `Select` already, so a remaining `Pre` that is false is a fault.
    Pre(Pred, Box<Subst>),
    /// `ASSERT`.
    Assert(Pred, Box<Subst>),
    /// `CHOICE`.
    Choice(Vec<Subst>),
    /// `SELECT`.
    Select(Vec<(Pred, Subst)>, Option<Box<Subst>>),
    /// `IF`.
    If(Vec<(Pred, Subst)>, Option<Box<Subst>>),
    /// `CASE`: subject, branches with their values, ELSE.
    Case(Expr, Vec<(Vec<Expr>, Subst)>, Option<Box<Subst>>),
    /// `ANY`.
    Any(Arc<Binder>, Box<Subst>),
    /// `LET`: values evaluated in order.
    Let(Vec<(Local, Expr)>, Box<Subst>),
    /// `VAR`.
    Var(Vec<Local>, Box<Subst>),
    /// `WHILE`.
    While {
        /// The test.
        cond: Pred,
        /// The body.
        body: Box<Subst>,
        /// Checked before every test.
        invariant: Pred,
        /// A natural number that decreases.
        variant: Expr,
    },
    /// `S ; T`.
    Seq(Vec<Subst>),
    /// `S || T`.
    Par(Vec<Subst>),
    /// A call of an operation, by index into [`super::Machine::operations`].
    Call {
        /// The operation.
        op: u32,
        /// Actual parameters, evaluated in the caller's frame.
        args: Vec<Expr>,
        /// Where the results go.
        results: Vec<Target>,
    },
}
