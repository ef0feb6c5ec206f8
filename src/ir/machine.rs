//! A whole machine in the IR: all included machines merged into one.

use super::{Expr, Local, LocalId, Pred, Subst};
use crate::source::Span;
use crate::ty::{FreeId, SetId, Ty, TyNames};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A machine ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Name of the main machine.
    pub name: Arc<str>,
    /// Given sets, by `SetId`.
    pub sets: Vec<GivenSet>,
    /// Free types, by `FreeId`.
    pub free_types: Vec<FreeType>,
    /// Constants and scalar machine parameters, by `ConstId`.
    pub constants: Vec<Decl>,
    /// Variables, by `VarId`.
    pub variables: Vec<Decl>,
    /// Conjuncts of PROPERTIES and CONSTRAINTS of all machines.
    pub properties: Vec<Formula>,
    /// Conjuncts of the INVARIANTs of all machines.
    pub invariants: Vec<Formula>,
    /// Conjuncts that are not checked here and yet say what variables are like: the INVARIANT where other formulas are asked.
    pub typing: Vec<Formula>,
    /// ASSERTIONS.
    pub assertions: Vec<Formula>,
    /// The GOAL definition, if there is one and it types.
    pub goal: Option<Formula>,
    /// The SCOPE definition, which the offered bodies of operations ask for: states in which it is false have no edges.
    pub scope: Option<Formula>,
    /// Initialisations, innermost machine first; run as a sequence.
    pub initialisation: Routine,
    /// All operations, offered or only called.
    pub operations: Vec<Operation>,
    /// What the machine's special definitions ask for.
    pub settings: Settings,
    /// For large literals, by their place: all elements that they name, with the first places (an element may be there
    /// twice).
    pub named: BTreeMap<Span, Vec<(SetId, u32, Span)>>,
    /// Expressions whose values traces show beside those of variables.
    pub watched: Vec<Watched>,
}

/// An expression that traces show.
#[derive(Clone, Debug)]
pub struct Watched {
    /// As it was given.
    pub text: Arc<str>,
    /// The expression.
    pub expr: Expr,
    /// Number of slots of its frame.
    pub frame: u32,
}

impl TyNames for Machine {
    fn set_name(&self, id: SetId) -> &str {
        self.sets.get(usize::from(id.0)).map_or("?", |s| &s.name)
    }
    fn free_name(&self, id: FreeId) -> &str {
        self.free_types.get(usize::from(id.0)).map_or("?", |s| &s.name)
    }
}

/// A given set.
#[derive(Clone, Debug)]
pub struct GivenSet {
    /// Its name.
    pub name: Arc<str>,
    /// Where it is declared.
    pub span: Span,
    /// Names of its elements if it is enumerated; `None` if deferred (or a set parameter).
    pub elements: Option<Vec<Arc<str>>>,
    /// Whether it is a parameter of the machine.
    pub parameter: bool,
}

/// A free type.
#[derive(Clone, Debug)]
pub struct FreeType {
    /// Its name.
    pub name: Arc<str>,
    /// Constructors with the type of their argument.
    pub constructors: Vec<(Arc<str>, Option<Ty>)>,
}

/// A constant or variable.
#[derive(Clone, Debug)]
pub struct Decl {
    /// Its name, with prefix if renamed.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Ty,
    /// Where it is declared.
    pub span: Span,
    /// For a constant: `ABSTRACT_CONSTANTS` (kept symbolic where possible). For a variable: false.
    pub symbolic: bool,
    /// For a constant: whether it is a scalar machine parameter.
    pub parameter: bool,
}

/// A predicate with a frame of its own.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The predicate.
    pub pred: Pred,
    /// Its source text, white space folded.
    pub text: Arc<str>,
    /// Number of slots.
    pub frame: u32,
    /// Variables of the state it reads, sorted.
    pub reads: Vec<super::VarId>,
}

/// A substitution with a frame of its own.
#[derive(Clone, Debug)]
pub struct Routine {
    /// The body.
    pub body: Subst,
    /// Number of slots.
    pub frame: u32,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name, with prefix if renamed.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
    /// Parameters.
    pub params: Vec<Local>,
    /// Result parameters.
    pub results: Vec<Local>,
    /// The body when offered: an outermost PRE is a SELECT.
    pub offered: Option<Subst>,
    /// The body when called: an outermost PRE is an obligation of the caller.
    pub called: Subst,
    /// Number of slots (parameters, results and all binders, for both bodies).
    pub frame: u32,
    /// The variables of an outermost ANY that belong to the label under `SHOW_EVENTB_ANY_VALUES`.
    pub shown: Vec<LocalId>,
}

/// Special definitions (b-language.md 7) that bsym honours.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `SET_PREF_MAXINT`, else 3.
    pub maxint: i64,
    /// `SET_PREF_MININT`, else -1.
    pub minint: i64,
    /// Whether there is a `SET_PREF_MAXINT`.
    pub maxint_is_set: bool,
    /// Whether there is a `SET_PREF_MININT`.
    pub minint_is_set: bool,
    /// `SET_PREF_DEFAULT_SETSIZE`, else 2.
    pub default_set_size: u32,
    /// `scope_S`, by set.
    pub scopes: Vec<(SetId, u32)>,
    /// `SET_PREF_SHOW_EVENTB_ANY_VALUES`.
    pub show_any: bool,
    /// `SET_PREF_ALLOW_SIMULTANEOUS_ASSIGNMENTS`.
    pub simultaneous: bool,
    /// `SET_PREF_SYMBOLIC`.
    pub symbolic: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            maxint: 3,
            minint: -1,
            maxint_is_set: false,
            minint_is_set: false,
            default_set_size: 2,
            scopes: Vec::new(),
            show_any: false,
            simultaneous: false,
            symbolic: false,
        }
    }
}
