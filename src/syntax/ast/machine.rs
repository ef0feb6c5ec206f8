//! Machines, clauses and definitions as written.

use super::{Ident, Name, Node, Subst};
use crate::source::Span;

/// One machine text.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    /// MACHINE (also MODEL, SYSTEM), REFINEMENT, IMPLEMENTATION, or a `.def` file.
    pub kind: MachineKind,
    /// Its name; empty for a definition file.
    pub name: Ident,
    /// Formal parameters, sets (upper case) and scalars.
    pub params: Vec<Ident>,
    /// The machine behind REFINES.
    pub refines: Option<Ident>,
    /// All clauses in the order written.
    pub clauses: Vec<Clause>,
    /// `/*@package a.b */`, if present: moves the folder that machine references start from.
    pub package: Option<Name>,
    /// `/*@import-package a.b */`.
    pub imports: Vec<Name>,
    /// The words of all pragmas, with their places.
    pub pragmas: Vec<Ident>,
}

/// The kinds of machine texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MachineKind {
    /// MACHINE, MODEL, SYSTEM.
    Machine,
    /// REFINEMENT.
    Refinement,
    /// IMPLEMENTATION.
    Implementation,
    /// A file with a DEFINITIONS clause only.
    Definitions,
}

/// A clause with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// What it holds.
    pub kind: ClauseKind,
    /// The whole clause.
    pub span: Span,
}

/// The clauses of a machine.
#[derive(Clone, PartialEq, Debug)]
pub enum ClauseKind {
    /// SETS.
    Sets(Vec<SetDecl>),
    /// FREETYPES: name and constructors.
    #[allow(clippy::type_complexity, reason = "said once, read here")]
    FreeTypes(Vec<(Ident, Vec<(Ident, Option<Node>)>)>),
    /// CONSTANTS, `CONCRETE_CONSTANTS` (false) or `ABSTRACT_CONSTANTS` (true).
    Constants(bool, Vec<Ident>),
    /// PROPERTIES.
    Properties(Node),
    /// CONSTRAINTS.
    Constraints(Node),
    /// VARIABLES, `ABSTRACT_VARIABLES` (false) or `CONCRETE_VARIABLES` (true).
    Variables(bool, Vec<Ident>),
    /// INVARIANT.
    Invariant(Node),
    /// ASSERTIONS.
    Assertions(Vec<Node>),
    /// INITIALISATION.
    Initialisation(Subst),
    /// OPERATIONS, EVENTS.
    Operations(Vec<Operation>),
    /// `LOCAL_OPERATIONS`.
    LocalOperations(Vec<Operation>),
    /// DEFINITIONS, PREDICATES, EXPRESSIONS.
    Definitions(Vec<Definition>),
    /// SEES, USES, INCLUDES, EXTENDS, IMPORTS.
    References(RefKind, Vec<MachineRef>),
    /// PROMOTES.
    Promotes(Vec<Ident>),
    /// VALUES.
    Values(Vec<(Ident, Node)>),
}

/// How a machine refers to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefKind {
    /// SEES.
    Sees,
    /// USES.
    Uses,
    /// INCLUDES.
    Includes,
    /// EXTENDS.
    Extends,
    /// IMPORTS.
    Imports,
}

/// `x.M(a,b) /*@file "path" */`.
#[derive(Clone, PartialEq, Debug)]
pub struct MachineRef {
    /// The renaming prefix `x`.
    pub prefix: Option<Ident>,
    /// The machine's name.
    pub name: Ident,
    /// Actual parameters.
    pub args: Vec<Node>,
    /// The path of a file pragma.
    pub file: Option<Name>,
}

/// One entry of a SETS clause.
#[derive(Clone, PartialEq, Debug)]
pub struct SetDecl {
    /// The set's name.
    pub name: Ident,
    /// What it holds.
    pub kind: SetKind,
}

/// The kinds of given sets.
#[derive(Clone, PartialEq, Debug)]
pub enum SetKind {
    /// Elements have no names.
    Deferred,
    /// `{a,b}`.
    Enumerated(Vec<Ident>),
    /// `S = D`, where D is a definition `D == {a,b}`.
    ByDefinition(Ident),
}

/// An operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Operation {
    /// Its name; dotted in a refinement that implements a renamed operation.
    pub name: Ident,
    /// Result parameters.
    pub results: Vec<Ident>,
    /// Parameters.
    pub params: Vec<Ident>,
    /// The abstract operation behind `ref`.
    pub refines: Option<Ident>,
    /// The body.
    pub body: Subst,
    /// The whole operation.
    pub span: Span,
}

/// An entry of a DEFINITIONS clause.
#[derive(Clone, PartialEq, Debug)]
pub enum Definition {
    /// `name(p,q) == body`.
    Body {
        /// The name.
        name: Ident,
        /// Formal parameters.
        params: Vec<Ident>,
        /// The body.
        body: DefBody,
    },
    /// `"file.def"`.
    File(Name, Span),
}

/// What a definition stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum DefBody {
    /// An expression or predicate. A body that is only a name or a call may also turn out to be a
    /// call of an operation or of a substitution definition: its use decides.
    Formula(Node),
    /// A substitution.
    Subst(Subst),
    /// `x,y,z`: a list of names.
    Names(Vec<Ident>),
    /// A body that cannot be read. Reported only if the definition is used.
    Unreadable(Box<crate::diagnostic::Diagnostic>),
}
