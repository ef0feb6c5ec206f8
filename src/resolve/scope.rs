//! What the names of one machine mean.
//!
//! In: declarations as they are found. Out: a table from names to meanings, and clashes as diagnostics.
//! Names bound inside formulas are the business of `formula`.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Entity, Name, Node};
use std::collections::{BTreeMap, BTreeSet};

/// What a name stands for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Meaning {
    /// A set, element, constant, variable or free type of the flat machine.
    Entity(Entity),
    /// A formal parameter with its actual one, or a set with its value, resolved already.
    Actual(Node),
}

/// A declared name.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Named {
    pub(super) name: Name,
    pub(super) meaning: Meaning,
    pub(super) span: Span,
    /// Whether the machine at hand may assign it (if it is a variable).
    pub(super) own: bool,
    /// Whether any other declaration of the name takes precedence: names that strict B would not show.
    pub(super) weak: bool,
}

/// An operation that can be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Callable {
    /// Index into the flat machine's operations.
    pub(super) index: u32,
    pub(super) params: usize,
    pub(super) results: usize,
    pub(super) span: Span,
    /// Whether calling it is allowed here; if not, it is known for better messages only.
    pub(super) allowed: bool,
}

/// All that the names of one machine mean.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    names: BTreeMap<Name, Named>,
    calls: BTreeMap<Name, Callable>,
    /// External functions, left as applications.
    pub(super) externals: BTreeSet<Name>,
}

impl Scope {
    /// Adds a name; two strong declarations of different things clash.
    pub(super) fn add(&mut self, named: Named, errors: &mut Vec<Diagnostic>) {
        match self.names.get_mut(&named.name) {
            None => {
                self.names.insert(named.name.clone(), named);
            }
            Some(first) if first.weak && !named.weak => *first = named,
            Some(_) if named.weak => {}
            Some(first) if first.meaning == named.meaning && first.span == named.span => {
                first.own |= named.own;
            }
            Some(first) => errors.push(clash(&named.name, named.span, first.span)),
        }
    }

    /// Adds an operation; one that may be called hides one that may not.
    pub(super) fn add_call(&mut self, name: Name, callable: Callable) {
        let better = self.calls.get(&name).is_none_or(|old| callable.allowed && !old.allowed);
        if better {
            self.calls.insert(name, callable);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Named> {
        self.names.get(name)
    }

    pub(super) fn call(&self, name: &str) -> Option<&Callable> {
        self.calls.get(name)
    }

    /// All names that may stand in formulas.
    pub(super) fn known(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|n| &**n)
    }

    /// Names of operations.
    pub(super) fn operations(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().filter(|(_, c)| c.allowed).map(|(n, _)| &**n)
    }
}

/// Two declarations of one name.
pub(super) fn clash(name: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::error(Code::NameClash, second, format!("`{name}` is declared twice"))
        .with_label("second declaration")
        .with_other(first, "first declaration")
}
