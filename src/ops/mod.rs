//! The operators of B: one file per operator, one row per operator in [`table`].
//!
//! A row says how an operator is written (spelling, form, priority), how it is typed (a scheme) and what
//! it means on values. Lexer, parser, printer, types and evaluator read the rows. Binders and the lazy
//! connectives (`&`, `or`, `=>`, `<=>`, `not`, `bool`, IF, LET) are a closed set and live in `syntax`
//! and `eval`; so do set and sequence literals, records and function application's *syntax* (its
//! meaning is [`Op::Apply`]).

mod apply;
mod args;
mod arith;
mod compare;
mod cuts;
mod deadline;
mod extension;
pub mod external;
mod family;
mod functions;
#[cfg(test)]
mod laws;
mod lazy;
mod membership;
mod op;
mod relations;
mod sequences;
mod sets;
pub mod table;
mod trees;

pub use apply::{apply, holds};
pub use compare::equality::equal;
pub use cuts::{Cut, Cuts};
pub use deadline::TimeBudget;
pub use extension::{MEMBER_LIMIT, expand, expand_deep, gather, is_empty, set_of, settle, size};
pub use family::Arrow;
pub(crate) use lazy::combine::operands;
pub(crate) use lazy::known::{
    are_functions_on, has_rights_in, is_function_on, rights_around, rights_around_all,
};
pub use lazy::numbers::{Numbers, of as interval_of};
pub(crate) use lazy::region::hull;
pub(crate) use lazy::whole;
pub use membership::inclusion::{contains, subset};
pub use op::Op;
pub use relations::pairs::image_of;
pub use sequences::list::{numbered, sequence};

use crate::diagnostic::Code;
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;

/// How an operator is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A keyword without arguments: `INTEGER`.
    Constant,
    /// A keyword with arguments in parentheses: `dom(r)`.
    Word,
    /// Between its arguments, with its priority: `a + b`.
    Infix(u16),
    /// Before its argument: `-a`.
    Prefix(u16),
    /// After its argument: `r~`.
    Postfix(u16),
    /// With syntax of its own: `r[S]`, `f(x)`, or reached only through another operator's overloading.
    Special,
}

/// What an operator means on evaluated arguments.
#[derive(Clone, Copy)]
pub enum Meaning {
    /// It yields a value.
    Value(fn(&[Value], &Cx<'_>) -> Result<Value, Fault>),
    /// It yields text of values; the type of the last argument says what they are.
    Text(fn(&[Value], &Ty, &Cx<'_>) -> Result<Value, Fault>),
    /// It yields a truth value.
    Pred(fn(&[Value], &Cx<'_>) -> Result<bool, Fault>),
    /// Settled by an earlier stage (`types` picks one of the overloads); never evaluated.
    Overloaded,
}

/// A row of the table.
pub struct OpDef {
    /// The operator.
    pub op: Op,
    /// ASCII spelling.
    pub spelling: &'static str,
    /// How it is written.
    pub form: Form,
    /// Argument types and result, as `set a, set a -> set a`; `pred` as result for a predicate. The
    /// words: `int bool str real num` (integer or real), `set T`, `rel S T`, `seq T`, `pair S T`,
    /// lower-case single letters as variables, parentheses to group. `*` alone means that `types` has
    /// a rule of its own for it.
    pub scheme: &'static str,
    /// Its meaning.
    pub meaning: Meaning,
    /// Pairs of B expressions with equal values; each runs as a test. A left side that is a predicate is put
    /// in `bool()`: `("1 < 2", "TRUE")`.
    pub examples: &'static [(&'static str, &'static str)],
}

/// What operators need to know besides their arguments.
#[derive(Clone, Copy)]
pub struct Cx<'a> {
    /// Sizes and limits.
    pub world: &'a World,
    /// The type of the result (of the first argument for a predicate).
    pub ty: &'a Ty,
}

/// The finite world that a machine is evaluated in.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// MAXINT.
    pub maxint: i64,
    /// MININT.
    pub minint: i64,
    /// Number of elements of each given set, by `SetId`.
    pub card: Vec<u32>,
    /// Names of the elements of each given set; as many as `card` says.
    pub elements: Vec<Vec<std::sync::Arc<str>>>,
    /// Names of the constructors of each free type.
    pub constructors: Vec<Vec<std::sync::Arc<str>>>,
    /// Where an infinite type was tried in part only.
    pub cuts: Cuts,
    /// No limit of the search for values is above this; for tests, since no answer may rest on a limit.
    pub lowered: Option<u32>,
    /// Stops long evaluations; asked now and then, true means stop with [`Code::Interrupted`].
    pub interrupt: Interrupt,
}

impl World {
    /// A limit of the search for values, lowered if limits are.
    #[must_use]
    pub fn at_most(&self, limit: u64) -> u64 {
        self.lowered.map_or(limit, |most| limit.min(most.into()))
    }

    /// As [`World::at_most`], of a number of things in memory.
    #[must_use]
    pub fn few(&self, limit: usize) -> usize {
        self.lowered.map_or(limit, |most| limit.min(most as usize))
    }

    /// The integers from MININT to MAXINT, of which values of infinite types are made where nothing else is known.
    #[must_use]
    pub fn window(&self) -> std::ops::RangeInclusive<i64> {
        let most = self.lowered.map_or(i64::MAX, i64::from);
        self.minint.max(-most)..=self.maxint.min(most)
    }
}

/// A shared flag that limits (time, memory, Ctrl-C) raise and evaluation polls.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(pub std::sync::Arc<std::sync::atomic::AtomicBool>);

impl Interrupt {
    /// Whether evaluation should stop: somebody said so, or the time of this thread is up ([`TimeBudget`]).
    #[must_use]
    pub fn raised(&self) -> bool {
        self.raised_for_all() || deadline::passed()
    }
    /// Whether somebody said so.
    #[must_use]
    pub fn raised_for_all(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed)
    }
    /// Lets evaluation go on again.
    pub fn lower(&self) {
        self.0.store(false, std::sync::atomic::Ordering::Relaxed);
    }
    /// Asks evaluation to stop.
    pub fn raise(&self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

/// A fault of evaluation: why an expression has no value.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Fault(pub Box<FaultData>);

/// The parts of a [`Fault`].
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct FaultData {
    /// Which kind.
    pub code: Code,
    /// A sentence with the values in question.
    pub message: String,
    /// The innermost expression at fault; set by the evaluator, operators leave it `None`.
    pub span: Option<Span>,
    /// Of a value that is not known ([`Code::Undecided`]): what was not looked at.
    pub cut: Option<Cut>,
    /// Of a search that was interrupted: whether the place is that of the conjunct that was false most often.
    pub fails_most: bool,
    /// Whether the machine is at fault in any case, where else a limit of the evaluator would be.
    pub certain: bool,
    /// The prefix of the copy of a machine in which it happened.
    pub copy: Option<std::sync::Arc<str>>,
}

impl Fault {
    /// A fault without a place yet.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        // Whoever passes over what is not known notes what was left out.
        debug_assert_ne!(code, Code::Undecided, "what is not known has a cut");
        let (span, cut, copy) = (None, None, None);
        let (message, fails_most, certain) = (message.into(), false, false);
        Self(Box::new(FaultData { code, message, span, cut, fails_most, certain, copy }))
    }
    /// The fault of a value that is not known because values of a variable were left out.
    #[must_use]
    pub fn undecided(cut: Cut) -> Self {
        let (code, span) = (Code::Undecided, Some(cut.at));
        let blank = Self::new(Code::Interrupted, format!("unknown: {cut}"));
        Self(Box::new(FaultData { code, span, cut: Some(cut), ..*blank.0 }))
    }
    /// Where the conjunct is that was false most often in a search that was interrupted.
    #[must_use]
    pub fn fails_most(&self) -> Option<Span> {
        self.0.span.filter(|_| self.0.fails_most)
    }
    /// The same fault, for which the machine is to blame whatever can be evaluated.
    #[must_use]
    pub fn certain(mut self) -> Self {
        self.0.certain = true;
        self
    }
    /// Whether it says what cannot be represented or takes too much, rather than that the machine is wrong.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        !self.0.certain && matches!(self.0.code, Code::Infinite | Code::TooLarge | Code::Unsupported)
    }
    /// Whether there may be a value that was not found.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.code == Code::Undecided || self.is_limit()
    }
    /// Whether it says that an expression of the machine has no value.
    #[must_use]
    pub fn is_of_machine(&self) -> bool {
        use Code::{DivisionByZero, EmptySet, NotAFunction, NotWellDefined, OutsideDomain};
        matches!(self.0.code, DivisionByZero | EmptySet | NotAFunction | NotWellDefined | OutsideDomain)
    }
    /// The same fault, placed at `span` unless it has a place already.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.0.span.get_or_insert(span);
        self
    }
}
