//! The syntax of temporal formulas: tokens and trees.
//!
//! What stands in braces, brackets and parentheses of calls is kept as a place in the text: B, to be read by its own parser.

use std::ops::Range;

/// A place in the text of the formula, in bytes.
pub type Place = Range<usize>;

/// A word with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// An operation, perhaps with arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// Its name.
    pub name: Name,
    /// Its arguments; `None` is any value.
    pub arguments: Vec<Option<Place>>,
}

/// How an expression changes by the next step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is the atom of that name")]
pub enum Change {
    Changed,
    Unchanged,
    Increasing,
    Decreasing,
}

/// What an atom says.
#[derive(Clone, PartialEq, Debug)]
pub enum AtomKind {
    /// `{P}`.
    Holds(Place),
    /// `e(Op)`.
    Enabled(Call),
    /// `deadlock`: no operation; `deadlock(a, b)`: none of these.
    Deadlock(Vec<Call>),
    /// `sink`: no operation leads elsewhere.
    Sink,
    /// `deterministic(a, b)`: at most one of these.
    Deterministic(Vec<Call>),
    /// `controller(a, b)`: exactly one of these.
    Controller(Vec<Call>),
    /// `current`: the state that an animation stands at.
    Current,
    /// `changed({E})` and its like.
    Change(Change, Place),
    /// `WF(Op)`, or `SF(Op)` if true; of all operations without a call.
    Fair(bool, Option<Call>),
}

/// An atom with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Atom {
    /// What it says.
    pub kind: AtomKind,
    /// Where it stands.
    pub place: Place,
}

/// Operators before one formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the operator of that name")]
pub enum Unary {
    Next,
    Finally,
    Globally,
    Yesterday,
    Once,
    Historically,
}

/// Operators between two formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the operator of that name")]
pub enum Binary {
    Until,
    Weak,
    Release,
    Since,
    Trigger,
}

/// A token. Truth values of tokens: whether all paths, or all values, are meant.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "see the trees")]
pub enum Token {
    Open,
    Close,
    And,
    Or,
    Implies,
    Iff,
    Not,
    Constant(bool),
    Unary(Unary),
    Binary(Binary),
    Next(bool),
    Path((bool, Unary)),
    Paths(bool),
    Atom(Atom),
    Step(Call),
    Bound((bool, Vec<Name>)),
}

/// A formula.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// `true`, `false`.
    Constant(bool),
    /// An atom about the state, about a change, or about fairness.
    Atom(Atom),
    /// `[Op]`.
    Step(Call),
    /// `not f`.
    Not(Box<Form>),
    /// `f & g`.
    And(Box<Form>, Box<Form>),
    /// `f or g`.
    Or(Box<Form>, Box<Form>),
    /// `f => g`.
    Implies(Box<Form>, Box<Form>),
    /// `f <=> g`.
    Iff(Box<Form>, Box<Form>),
    /// `G f`.
    Unary(Unary, Box<Form>),
    /// `f U g`.
    Binary(Binary, Box<Form>, Box<Form>),
    /// `AX f`, `EX [Op] f`.
    Next(bool, Option<Call>, Box<Form>),
    /// `AG f`.
    Path(bool, Unary, Box<Form>),
    /// `A f U g`.
    Paths(bool, Binary, Box<Form>, Box<Form>),
    /// `A (f U g)`.
    PathsOf(bool, Box<Form>),
    /// `!p.(f)`, `#p.(f)`.
    Bound(bool, Vec<Name>, Box<Form>),
}
