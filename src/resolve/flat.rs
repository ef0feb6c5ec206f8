//! What `resolve` hands on: one flat machine, with every included machine merged in.
//!
//! Definitions are expanded, machine parameters replaced, names of sets, elements, constants and
//! variables are [`Entity`](crate::syntax::ast::Entity) references, calls carry their target. A remaining
//! [`Name`](crate::syntax::ast::NodeKind::Name) is a local of an enclosing binder, parameter or result.

use super::definitions::Definitions;
use super::scope::{Meaning, Named, Scope};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Entity, Ident, Name, Node, Subst};
use crate::ty::SetId;
use std::path::PathBuf;

/// A machine without composition, definitions and unresolved globals.
#[derive(Clone, Debug, Default)]
pub struct Flat {
    /// Name of the main machine.
    pub name: Name0,
    /// Given sets of all machines, each once, by `SetId`.
    pub sets: Vec<FlatSet>,
    /// Free types: name and constructors.
    pub free_types: Vec<(Ident, Vec<(Ident, Option<Node>)>)>,
    /// Constants and scalar parameters, by index.
    pub constants: Vec<FlatDecl>,
    /// Variables, by index.
    pub variables: Vec<FlatDecl>,
    /// Number of variables of refined machines that are gone.
    pub gone: u32,
    /// Predicates that tell types and are not checked: they speak of variables that are gone.
    pub typing: Vec<Node>,
    /// Operations behind operations, with the number of the refining one: they tell types of parameters and results.
    pub refined: Vec<(u32, FlatOperation)>,
    /// PROPERTIES and CONSTRAINTS, one node per clause.
    pub properties: Vec<Node>,
    /// INVARIANT clauses.
    pub invariants: Vec<Node>,
    /// ASSERTIONS.
    pub assertions: Vec<Node>,
    /// INITIALISATIONs, innermost machine first.
    pub initialisations: Vec<Subst>,
    /// Operations of all machines.
    pub operations: Vec<FlatOperation>,
    /// The GOAL definition of the main machine.
    pub goal: Option<Node>,
    /// The SCOPE definition of the main machine: operations leave only states in which it holds.
    pub scope: Option<(Node, Span)>,
    /// Temporal formulas that the main machine states.
    pub temporal: Vec<Stated>,
    /// Special definitions of the main machine, read (b-language.md 7).
    pub settings: FlatSettings,
    /// Warnings and notes (ignored definitions and the like).
    pub notes: Vec<Diagnostic>,
    /// Definitions `f` with an `EXTERNAL_FUNCTION_f` (or PREDICATE) whose name is in
    /// the table of `ops::external` are left as `Apply(Name f, args)`; their names are listed here.
    pub externals: Vec<Name>,
    /// What names mean in the main machine, for formulas given later.
    pub names: MainNames,
    /// Where the refined machine takes part, too: what belongs to it.
    pub joint: Option<Joint>,
    /// The chain of REFINES, the main machine first.
    pub levels: Vec<Level>,
}

impl Flat {
    /// Lets formulas given later name the elements of sets that the machine does not enumerate, by what they are called in
    /// states and traces; what the machine declares has precedence.
    pub fn name_elements(&mut self, elements: &[Vec<Name>]) {
        // Such names clash with nothing.
        let mut none = Vec::new();
        for ((i, set), names) in
            (0..).zip(&self.sets).zip(elements).filter(|((_, set), _)| set.elements.is_none())
        {
            for (element, name) in (0..).zip(names) {
                let meaning = Meaning::Entity(Entity::Element(SetId(i), element));
                let (name, span) = (name.clone(), set.name.span);
                self.names.scope.add(Named { name, meaning, span, own: false, weak: true }, &mut none);
            }
        }
    }

    /// What an entity is called, with the prefix of its copy of a machine.
    #[must_use]
    pub fn name_of(&self, entity: Entity) -> String {
        let name = match entity {
            Entity::Set(s) => self.sets.get(usize::from(s.0)).map(|s| &s.name),
            Entity::Element(s, e) => {
                self.sets.get(usize::from(s.0)).and_then(|s| s.elements.as_ref()?.get(e as usize))
            }
            Entity::Const(c) => self.constants.get(c as usize).map(|d| &d.name),
            Entity::Var(v) => self.variables.get(v as usize).map(|d| &d.name),
            Entity::FreeType(t) => self.free_types.get(usize::from(t)).map(|t| &t.0),
            Entity::Constructor(t, c) => {
                self.free_types.get(usize::from(t)).and_then(|t| t.1.get(usize::from(c))).map(|c| &c.0)
            }
            Entity::Gone(_) => None,
        };
        name.map_or_else(|| "?".to_owned(), |n| n.name.to_string())
    }
}

/// A machine that refines another.
#[derive(Clone, Debug)]
pub struct Level {
    /// Its file.
    pub file: PathBuf,
    /// Its name.
    pub refinement: Name,
    /// The machine that it refines, as it says.
    pub refined: Ident,
}

/// What steps of a refinement are compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notion {
    /// The gluing invariant relates the states of the two.
    Gluing,
    /// The labels are those of some steps of the refined machine, from the beginning.
    Traces,
    /// As by traces, and what is not possible after them need not be possible in the refined machine.
    Failures,
}

impl Notion {
    /// All of them; the first is the default.
    pub const ALL: [Notion; 3] = [Notion::Gluing, Notion::Traces, Notion::Failures];

    /// Whether the gluing invariant has no part in it.
    #[must_use]
    pub fn is_of_labels(self) -> bool {
        self != Notion::Gluing
    }

    /// The word on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Notion::Gluing => "gluing",
            Notion::Traces => "traces",
            Notion::Failures => "failures",
        }
    }
}

/// A refinement and the machine that it refines in one.
#[derive(Clone, Debug)]
pub struct Joint {
    /// What they are compared by.
    pub notion: Notion,
    /// The refined machine.
    pub refined: Name,
    /// By variable, whether it is the refined machine's, or of one that this includes.
    pub refined_variables: Vec<bool>,
    /// The same by initialisation.
    pub refined_initialisations: Vec<bool>,
    /// The operations that the refinement offers, and those of machines that are seen.
    pub operations: Vec<JointOperation>,
    /// How many conjuncts at the end of the invariants are the gluing invariant: the refinement's own, and the equations of
    /// the variables that are kept.
    pub gluing: usize,
    /// The equations among them, which are the last, in words.
    pub kept: Vec<String>,
}

/// An operation of the refinement with the one that it refines, as indices of operations.
#[derive(Clone, Debug)]
pub struct JointOperation {
    /// Its name.
    pub name: Name,
    /// The refined operation; `None` if it refines doing nothing.
    pub refined: Option<u32>,
    /// The refinement's, under the refined one's precondition.
    pub own: u32,
    /// It is possible with the arguments that the refined operation accepts and the refinement's does not.
    pub gap: Option<u32>,
    /// Whether it is that of a machine which is seen.
    pub outside: bool,
}

/// Scope and definitions of the main machine; read by [`super::resolve_formula`].
#[derive(Clone, Debug, Default)]
pub struct MainNames {
    pub(super) scope: Scope,
    pub(super) definitions: Definitions,
}

/// A temporal formula that a machine states, in text: what it says is not known here.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The name of the definition.
    pub name: Ident,
    /// Whether it is about branching time.
    pub branching: bool,
    /// The string with its quotes; `None` if the definition is no string.
    pub text: Option<Span>,
}

/// A name that is empty by default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name0(pub Name);

impl Default for Name0 {
    fn default() -> Self {
        Self("".into())
    }
}

/// A given set.
#[derive(Clone, Debug)]
pub struct FlatSet {
    /// Its name.
    pub name: Ident,
    /// Element names if enumerated.
    pub elements: Option<Vec<Ident>>,
    /// Whether it is a set parameter of the main machine.
    pub parameter: bool,
}

/// A constant or variable.
#[derive(Clone, Debug)]
pub struct FlatDecl {
    /// Its name, with prefix if renamed.
    pub name: Ident,
    /// `ABSTRACT_CONSTANTS`.
    pub symbolic: bool,
    /// A scalar parameter of the main machine.
    pub parameter: bool,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct FlatOperation {
    /// Its name, with prefix if renamed.
    pub name: Ident,
    /// Results.
    pub results: Vec<Ident>,
    /// Parameters.
    pub params: Vec<Ident>,
    /// The body, as written (outermost PRE still a PRE).
    pub body: Subst,
    /// Whether it is offered at top level (else only called).
    pub offered: bool,
    /// The whole operation.
    pub span: Span,
}

/// Special definitions that bsym honours, read from the text.
#[derive(Clone, Debug, Default)]
pub struct FlatSettings {
    /// `SET_PREF_MAXINT`.
    pub maxint: Option<i64>,
    /// `SET_PREF_MININT`.
    pub minint: Option<i64>,
    /// `SET_PREF_DEFAULT_SETSIZE`.
    pub default_set_size: Option<u32>,
    /// `scope_S`: index of the set and its size.
    pub scopes: Vec<(u16, u32)>,
    /// `SET_PREF_SHOW_EVENTB_ANY_VALUES`.
    pub show_any: bool,
    /// `SET_PREF_ALLOW_SIMULTANEOUS_ASSIGNMENTS`.
    pub simultaneous: bool,
    /// `SET_PREF_SYMBOLIC`.
    pub symbolic: bool,
    /// `FORCE_SYMMETRY_S`: sets by index.
    pub force_symmetry: Vec<u16>,
}
