//! The abstract syntax of B: plain data, no behaviour.
//!
//! Predicates and expressions share one type, [`Node`]: B's grammar cannot always tell them apart
//! before names are known, so the parser accepts formulas and `types` sorts them. A definition call
//! is an ordinary [`NodeKind::Name`] or [`NodeKind::Apply`] until `resolve` expands it. After
//! `resolve`, names of sets, elements, constants and variables are [`NodeKind::Ref`], and a remaining
//! `Name` is a local bound by an enclosing binder.

mod machine;
mod subst;
mod table;

pub use machine::*;
pub use subst::*;
pub use table::*;

use crate::ops::Op;
use crate::source::Span;
use crate::ty::SetId;
use num_bigint::BigInt;
use std::sync::Arc;

/// A name as written; a dotted name `a.b` is one name.
pub type Name = Arc<str>;

/// A declared or used identifier with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// A formula (expression or predicate) with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands. Nodes from an expanded definition keep the place of the definition's body.
    pub span: Span,
}

/// What a global name stands for once resolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Entity {
    /// A given set as a whole.
    Set(SetId),
    /// An element of an enumerated set.
    Element(SetId, u32),
    /// A constant (or scalar machine parameter), by index into the flat machine's constants.
    Const(u32),
    /// A variable, by index into the flat machine's variables.
    Var(u32),
    /// A variable of a refined machine that the refinement does not keep: known for its type only.
    Gone(u32),
    /// A free type as a set, by index.
    FreeType(u16),
    /// A constructor of a free type (type, constructor).
    Constructor(u16, u16),
}

/// The kinds of formulas.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind {
    /// A name not (yet) resolved.
    Name(Name),
    /// A resolved global name.
    Ref(Entity),
    /// `x$0`: the value before, in `x : (P)` and loop invariants.
    Old(Box<Node>),
    /// An integer literal.
    Int(BigInt),
    /// A real literal, as written.
    Real(Name),
    /// A string literal, unescaped.
    Str(Name),
    /// An operator of the table in `ops`, with its arguments; constants have none.
    Op(Op, Vec<Node>),
    /// `P & Q & ...`: two or more. A list, as those of generated machines have any length.
    And(Vec<Node>),
    /// `P or Q or ...`: two or more.
    Or(Vec<Node>),
    /// `P => Q`.
    Implies(Box<Node>, Box<Node>),
    /// `P <=> Q`.
    Iff(Box<Node>, Box<Node>),
    /// `not(P)`.
    Not(Box<Node>),
    /// `f(a)`; `f(a,b)` keeps its two arguments, as a definition call needs them apart. For a
    /// function it means `f(a|->b)`.
    Apply(Box<Node>, Vec<Node>),
    /// `r'field`.
    Field(Box<Node>, Ident),
    /// `{a,b}`, `{}` when empty.
    SetExt(Vec<Node>),
    /// `[a,b]`, `[]` and `<>` when empty.
    SeqExt(Vec<Node>),
    /// A large extension of ground literals.
    Table(Table),
    /// `rec(a:E, ...)`.
    Rec(Vec<(Ident, Node)>),
    /// `struct(a:S, ...)`.
    Struct(Vec<(Ident, Node)>),
    /// `bool(P)`.
    Bool(Box<Node>),
    /// `{x,y | P}`.
    Compr(Vec<Ident>, Box<Node>),
    /// `{x,y . P | E}`.
    EventCompr(Vec<Ident>, Box<Node>, Box<Node>),
    /// `%x.(P|E)`.
    Lambda(Vec<Ident>, Box<Node>, Box<Node>),
    /// `!x.(P)`.
    Forall(Vec<Ident>, Box<Node>),
    /// `#x.(P)`.
    Exists(Vec<Ident>, Box<Node>),
    /// `SIGMA(x).(P|E)` and its family.
    Fold(Fold, Vec<Ident>, Box<Node>, Box<Node>),
    /// `IF P THEN A ELSIF Q THEN B ELSE C END`, as expression or predicate; ELSIF is nested.
    If(Box<Node>, Box<Node>, Box<Node>),
    /// `LET x,y BE x=E & y=F IN A END`, as expression or predicate.
    Let(Vec<(Ident, Node)>, Box<Node>),
    /// `LET x,y BE P IN A END`, where P is no list of equations: `#x,y.(P & A)`, or the one value of A for all solutions of P.
    LetWhere(Vec<Ident>, Box<Node>, Box<Node>),
    /// A formula that the parser could not read; an error has been recorded.
    Error,
}

/// The operators that fold an expression over the solutions of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    /// SIGMA.
    Sum,
    /// PI.
    Product,
    /// UNION.
    Union,
    /// INTER.
    Inter,
}
