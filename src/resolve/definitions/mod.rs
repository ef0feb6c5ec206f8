//! The definitions of one machine, its definition files included.
//!
//! In: definitions as written. Out: a table by name. How a definition is put in place of its use stands
//! in [`expand`] (formulas) and [`substitution`]; what counts as a list of names in [`lists`].

pub(super) mod expand;
mod lists;
pub(super) mod machine;
mod substitution;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{DefBody, Definition, Ident, Name};
use std::collections::{BTreeMap, BTreeSet};

/// One definition.
#[derive(Clone, Debug)]
pub(super) struct Def {
    /// Its name.
    pub(super) name: Ident,
    /// Formal parameters.
    pub(super) params: Vec<Ident>,
    /// What it stands for.
    pub(super) body: DefBody,
}

/// All definitions that one machine can use.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    table: BTreeMap<Name, Def>,
    external: BTreeSet<Name>,
}

/// What a definition `EXTERNAL_.._f` is about.
fn external_name(name: &str) -> Option<&str> {
    ["EXTERNAL_FUNCTION_", "EXTERNAL_PREDICATE_", "EXTERNAL_SUBSTITUTION_"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
}

impl Definitions {
    /// Adds a definition; a second one of the same name is an error, but for those of our own library.
    pub(super) fn add(&mut self, definition: &Definition, library: bool, errors: &mut Vec<Diagnostic>) {
        let Definition::Body { name, params, body } = definition else { return };
        if let Some(first) = self.table.get(&name.name) {
            if !library {
                errors.push(twice(name, first.name.span));
            }
            return;
        }
        if let Some(f) = external_name(&name.name) {
            self.external.insert(f.into());
        }
        let def = Def { name: name.clone(), params: params.clone(), body: body.clone() };
        self.table.insert(name.name.clone(), def);
    }

    /// Puts a definition in place of that of its name; whether there is one.
    pub(super) fn replace(&mut self, with: &Def) -> bool {
        let known = self.table.get_mut(&with.name.name);
        known.map(|known| *known = with.clone()).is_some()
    }

    /// The definition of a name.
    pub(super) fn get(&self, name: &str) -> Option<&Def> {
        self.table.get(name)
    }

    /// Whether the name is declared external.
    pub(super) fn is_external(&self, name: &str) -> bool {
        self.external.contains(name)
    }

    /// Names of external functions that have a meaning of their own; their uses stay applications.
    pub(super) fn known_externals(&self) -> impl Iterator<Item = &Name> {
        self.external.iter().filter(|name| external(name) == External::Known)
    }

    /// All definitions in the order of their names.
    pub(super) fn all(&self) -> impl Iterator<Item = &Def> {
        self.table.values()
    }

    /// All names, for advice.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(|n| &**n)
    }
}

fn twice(name: &Ident, first: Span) -> Diagnostic {
    let text = format!("the definition `{}` appears twice", name.name);
    Diagnostic::error(Code::NameClash, name.span, text).with_label("second").with_other(first, "first")
}

/// External functions that only print or observe: the body written in the machine is their meaning.
const OBSERVERS: &[&str] = &[
    "ADD_ERROR",
    "ADD_STATE_ERROR",
    "CHECK_DET",
    "DEBUG_PRINT_STATE",
    "DO_NOT_ENUMERATE",
    "ENUMERATE",
    "FORCE",
    "FPRINTF",
    "IS_DETERMINED_INTO_FILE",
    "IS_EVALUATED",
    "PRINT",
    "PRINTF",
    "PRINT_BT",
    "PRINT_IF_FALSE",
    "SEE",
    "SEEN",
    "SET_PREF",
    "TRACE",
    "fprintf",
    "fvprintf",
    "iprintf",
    "observe",
    "observe_fun",
    "observe_indent",
    "observe_silent",
    "printf",
    "printf1",
    "printf_nonvar",
    "printf_opt_trace",
    "print_goal",
    "tobserve",
    "tprintf",
    "trace_print",
    "vprintf",
];

/// How a use of an external function is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum External {
    /// It has a row in the table of external functions.
    Known,
    /// The body written in the machine is its meaning.
    Body,
    /// It has effects outside the model.
    Impure,
    /// Its body is only a stand-in for a meaning that bsym does not have.
    Missing,
}

/// Sorts an external function by its name.
pub(super) fn external(name: &str) -> External {
    use crate::ops::external::{REFUSED, find};
    if find(name).is_some() {
        External::Known
    } else if REFUSED.contains(&name) {
        External::Impure
    } else if OBSERVERS.contains(&name) {
        External::Body
    } else {
        External::Missing
    }
}
