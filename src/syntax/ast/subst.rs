//! Substitutions as written.

use super::{Ident, Node};
use crate::source::Span;

/// A substitution with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Subst {
    /// What it is.
    pub kind: SubstKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of substitutions.
#[derive(Clone, PartialEq, Debug)]
pub enum SubstKind {
    /// `skip`, and `BEGIN S END` is just S.
    Skip,
    /// `x,f(a) := E,F`: targets (names, applications, fields) and as many values.
    Assign(Vec<Node>, Vec<Node>),
    /// `x,y :: S`.
    BecomesIn(Vec<Node>, Box<Node>),
    /// `x,y : (P)`.
    BecomesSuch(Vec<Node>, Box<Node>),
    /// `PRE P THEN S END`.
    Pre(Box<Node>, Box<Subst>),
    /// `ASSERT P THEN S END`.
    Assert(Box<Node>, Box<Subst>),
    /// `CHOICE S OR T END`.
    Choice(Vec<Subst>),
    /// `SELECT P THEN S WHEN Q THEN T ELSE U END`.
    Select(Vec<(Node, Subst)>, Option<Box<Subst>>),
    /// `IF P THEN S ELSIF Q THEN T ELSE U END`.
    If(Vec<(Node, Subst)>, Option<Box<Subst>>),
    /// `CASE E OF EITHER a,b THEN S OR c THEN T ELSE U END END`.
    Case(Box<Node>, Vec<(Vec<Node>, Subst)>, Option<Box<Subst>>),
    /// `ANY x WHERE P THEN S END`.
    Any(Vec<Ident>, Box<Node>, Box<Subst>),
    /// `LET x,y BE x=E & y=F IN S END`.
    Let(Vec<(Ident, Node)>, Box<Subst>),
    /// `VAR x IN S END`.
    Var(Vec<Ident>, Box<Subst>),
    /// `WHILE P DO S INVARIANT I VARIANT V END`.
    While {
        /// The test.
        cond: Box<Node>,
        /// The body.
        body: Box<Subst>,
        /// The loop invariant.
        invariant: Box<Node>,
        /// The variant.
        variant: Box<Node>,
    },
    /// `S ; T ; ...`.
    Seq(Vec<Subst>),
    /// `S || T || ...`.
    Par(Vec<Subst>),
    /// `x,y <-- op(a,b)`, and without results `op(a,b)`. Before `resolve` a call without results may
    /// also be a call of a definition whose body is a substitution.
    Call {
        /// Results, empty if none are taken.
        results: Vec<Node>,
        /// The operation's name as written; dotted after renaming.
        name: Ident,
        /// Actual parameters.
        args: Vec<Node>,
        /// Index into the flat machine's operations, set by `resolve`.
        target: Option<u32>,
    },
    /// A substitution that the parser could not read; an error has been recorded.
    Error,
}
