//! What the names of one machine mean, and what it shows to others.
//!
//! In: declarations and scopes of other machines. Out: tables from names to declarations. Locals are not in them.

use super::{Index, Kind};
use crate::resolve::Link;
use crate::source::Span;
use crate::syntax::ast::Name;
use std::collections::{BTreeMap, BTreeSet};

/// A name that stands for a declaration.
#[derive(Clone, Debug)]
pub(in crate::lsp) struct Entry {
    pub(in crate::lsp) decl: usize,
    /// The prefixes before it, outermost first.
    pub(super) prefixes: Vec<usize>,
    /// Whether any other declaration of the name takes precedence.
    weak: bool,
}

impl Entry {
    pub(super) fn new(decl: usize) -> Self {
        Self { decl, prefixes: Vec::new(), weak: false }
    }

    fn behind(&self, prefix: Option<usize>, weak: bool) -> Self {
        let prefixes = prefix.into_iter().chain(self.prefixes.iter().copied()).collect();
        Self { decl: self.decl, prefixes, weak: self.weak || weak }
    }
}

/// A reference to another machine.
pub(super) struct Child {
    pub(super) link: Link,
    /// Its prefix with the declaration of that.
    pub(super) prefix: Option<(Name, usize)>,
    /// The number of the text.
    pub(super) to: usize,
}

/// The names of one machine.
#[derive(Clone, Debug, Default)]
pub(in crate::lsp) struct Scope {
    /// What may stand in formulas.
    pub(in crate::lsp) names: BTreeMap<Name, Entry>,
    /// What may be called.
    pub(in crate::lsp) calls: BTreeMap<Name, Entry>,
    pub(in crate::lsp) definitions: BTreeMap<Name, usize>,
    /// Declarations that share their name here with another.
    pub(in crate::lsp) shared: BTreeSet<usize>,
    shown: Vec<(Name, Entry)>,
    offered: Vec<(Name, Entry)>,
    /// Operations of others that may be promoted.
    candidates: BTreeMap<Name, Entry>,
}

fn with_prefix(prefix: Option<&(Name, usize)>, name: &Name) -> Name {
    prefix.map_or_else(|| name.clone(), |(p, _)| format!("{p}.{name}").into())
}

impl Scope {
    /// A name in formulas or calls.
    pub(in crate::lsp) fn get(&self, name: &str) -> Option<&Entry> {
        self.names.get(name).or_else(|| self.calls.get(name))
    }

    /// An operation that may be promoted.
    pub(super) fn candidate(&self, name: &str) -> Option<&Entry> {
        self.candidates.get(name)
    }

    /// A name that the machine shows, for a refinement that repeats it.
    pub(super) fn shows(&self, name: &str, operation: bool) -> Option<usize> {
        let all = if operation { &self.offered } else { &self.shown };
        all.iter().find(|(n, _)| **n == *name).map(|(_, e)| e.decl)
    }

    /// Adds a name of its own.
    pub(super) fn own(&mut self, name: &Name, decl: usize) {
        self.add(name.clone(), Entry::new(decl));
        self.shown.push((name.clone(), Entry::new(decl)));
    }

    /// Adds an operation of its own.
    pub(super) fn own_call(&mut self, name: &Name, decl: usize, local: bool) {
        self.calls.insert(name.clone(), Entry::new(decl));
        if !local {
            self.offered.push((name.clone(), Entry::new(decl)));
        }
    }

    fn add(&mut self, name: Name, entry: Entry) {
        match self.names.get_mut(&name) {
            None => _ = self.names.insert(name, entry),
            Some(first) if first.decl == entry.decl => first.weak &= entry.weak,
            Some(first) => {
                self.shared.extend([first.decl, entry.decl]);
                if first.weak && !entry.weak {
                    *first = entry;
                }
            }
        }
    }

    /// Adds what another machine shows.
    pub(super) fn through(&mut self, child: &Child, other: &Scope, index: &Index) {
        let (prefix, decl) = (child.prefix.as_ref(), child.prefix.as_ref().map(|p| p.1));
        let seen = child.link == Link::Sees;
        for (name, entry) in &other.shown {
            let variable = index.decls.get(entry.decl).is_some_and(|d| d.kind == Kind::Variable);
            let prefixed = (with_prefix(prefix, name), entry.behind(decl, !variable && prefix.is_some()));
            let plain = (!variable && prefix.is_some()).then(|| (name.clone(), entry.clone()));
            for (name, entry) in plain.into_iter().chain([prefixed]) {
                let weak = variable && child.link == Link::Refines;
                self.add(name.clone(), entry.behind(None, weak));
                self.shown.push((name, entry.behind(None, weak || seen)));
            }
        }
        if child.link == Link::Refines {
            return;
        }
        for (name, entry) in &other.offered {
            let (name, entry) = (with_prefix(prefix, name), entry.behind(decl, false));
            match self.calls.get(&name) {
                Some(first) if first.decl != entry.decl => self.shared.extend([first.decl, entry.decl]),
                Some(_) => {}
                None => _ = self.calls.insert(name.clone(), entry.clone()),
            }
            match child.link {
                Link::Extends => self.offered.push((name, entry)),
                Link::Includes => _ = self.candidates.insert(name, entry),
                Link::Sees | Link::Refines => {}
            }
        }
    }

    /// Offers an operation of another machine as its own.
    pub(super) fn promote(&mut self, name: &Name) {
        self.offered.extend(self.candidates.get(name).map(|e| (name.clone(), e.clone())));
    }
}

impl Index {
    /// Adds the places of a name with its prefixes.
    pub(super) fn mention_entry(&mut self, text: &str, span: Span, entry: &Entry, loose: bool) {
        for (part, decl) in parts(text, span)
            .into_iter()
            .rev()
            .zip(std::iter::once(entry.decl).chain(entry.prefixes.iter().rev().copied()))
        {
            self.place(part, decl, false, loose);
        }
    }
}

/// The names between the dots of a name as it stands in the text.
pub(super) fn parts(text: &str, span: Span) -> Vec<Span> {
    let mut lo = span.lo;
    let mut out = Vec::new();
    for part in text.split('.') {
        let len = |s: &str| u32::try_from(s.len()).unwrap_or(0);
        let start = lo + len(part) - len(part.trim_start());
        out.push(Span { lo: start, hi: start + len(part.trim()), ..span });
        lo += len(part) + 1;
    }
    out
}
