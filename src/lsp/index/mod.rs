//! Which name means what: every declaration of some texts with every place that means it.
//!
//! In: syntax trees as they are written. Out: an [`Index`]. It follows the rules of `resolve`, and keeps what `resolve` has no
//! more use for: names inside definitions, the prefixes of copies, places. `declare` finds what machines declare and show each
//! other, `walk` what stands in formulas and substitutions, `survey` what uses of definitions catch, `loose` names in text that
//! has no tree. Whether a machine is right is not asked here.

mod declare;
mod loose;
mod scope;
mod survey;
mod walk;

pub(super) use scope::Scope;

use crate::resolve::written::Text;
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{Ident, Name};
use std::collections::{BTreeMap, BTreeSet};

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Machine,
    Prefix,
    MachineParameter,
    Set,
    Element,
    FreeType,
    Constructor,
    Constant,
    Variable,
    Operation,
    Definition,
    Parameter,
    Result,
    DefinitionParameter,
    Local,
}

impl Kind {
    /// As users are told.
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Machine => "machine",
            Kind::Prefix => "prefix",
            Kind::MachineParameter => "parameter of the machine",
            Kind::Set => "set",
            Kind::Element => "element",
            Kind::FreeType => "free type",
            Kind::Constructor => "constructor",
            Kind::Constant => "constant",
            Kind::Variable => "variable",
            Kind::Operation => "operation",
            Kind::Definition => "definition",
            Kind::Parameter => "parameter",
            Kind::Result => "result",
            Kind::DefinitionParameter => "parameter of the definition",
            Kind::Local => "local",
        }
    }
}

/// A declaration. Its place is what tells it from others.
#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub(super) name: Name,
    pub(super) kind: Kind,
    /// The name.
    pub(super) span: Span,
    /// The whole of an operation or definition; else the name.
    pub(super) whole: Span,
    /// Where a local is known; `None` for what all of a machine knows.
    pub(super) scope: Option<Span>,
    /// The operation or definition that it belongs to, or the set of an element.
    pub(super) owner: Option<Name>,
    /// Results of an operation.
    pub(super) results: Vec<Ident>,
    /// Parameters of an operation or definition.
    pub(super) params: Vec<Ident>,
}

impl Decl {
    fn new(ident: &Ident, kind: Kind) -> Self {
        Self {
            name: ident.name.clone(),
            kind,
            span: ident.span,
            whole: ident.span,
            scope: None,
            owner: None,
            results: Vec::new(),
            params: Vec::new(),
        }
    }
}

/// A place that means a declaration, that of the declaration itself included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Use {
    pub(super) span: Span,
    /// Index of the declaration.
    pub(super) decl: usize,
    /// Whether it declares the name, too: a refinement repeats what it keeps.
    pub(super) declares: bool,
    /// Whether it is only a guess, from text without a tree.
    pub(super) loose: bool,
}

/// All declarations and places of some texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    pub(super) decls: Vec<Decl>,
    /// In the order of files and places.
    pub(super) uses: Vec<Use>,
    /// By text.
    pub(super) scopes: Vec<Scope>,
    /// Names of arguments that a binder in the body of a definition catches: more than renaming can keep.
    pub(super) caught: BTreeSet<Name>,
    /// The first text of the same file, by file.
    homes: Vec<FileId>,
    at: BTreeMap<Span, usize>,
    found: BTreeMap<(Span, usize), (bool, bool)>,
}

impl Index {
    /// The index of texts; `homes` gives the first text of the same file, and those of `broken` files have parts without a tree.
    pub(super) fn of(
        texts: &[Text],
        sources: &Sources,
        homes: Vec<FileId>,
        broken: &BTreeSet<FileId>,
    ) -> Self {
        let mut index = Self { homes, ..Self::default() };
        index.scopes = vec![Scope::default(); texts.len()];
        let order = order(texts);
        for &at in &order {
            declare::text(&mut index, texts, at, sources);
        }
        for &at in &order {
            walk::text(&mut index, texts, at, sources);
        }
        loose::texts(&mut index, texts, sources, broken);
        let found = std::mem::take(&mut index.found);
        let one = |((span, decl), (declares, loose))| Use { span, decl, declares, loose };
        index.uses = found.into_iter().map(one).collect();
        index
    }

    /// A place in the first text of its file.
    pub(super) fn home(&self, span: Span) -> Span {
        let file = self.homes.get(usize::from(span.file.0)).copied().unwrap_or(span.file);
        Span { file, ..span }
    }

    /// What is meant around a byte; several if a definition means different things where it is used.
    pub(super) fn at(&self, file: FileId, byte: u32) -> impl Iterator<Item = &Use> {
        let file = self.home(Span { file, lo: 0, hi: 0 }).file;
        // Names do not overlap, but one may end where the next begins.
        let from = self.uses.partition_point(|u| (u.span.file, u.span.hi) < (file, byte));
        let all = self.uses.get(from..).unwrap_or(&[]).iter();
        all.take_while(move |u| u.span.file == file && u.span.lo <= byte)
    }

    /// Adds a declaration, once for each place.
    fn declare(&mut self, decl: Decl) -> usize {
        let span = self.home(decl.span);
        let at = *self.at.entry(span).or_insert(self.decls.len());
        if at == self.decls.len() {
            let (whole, scope) = (self.home(decl.whole), decl.scope.map(|s| self.home(s)));
            self.decls.push(Decl { span, whole, scope, ..decl });
        }
        self.mention(span, at, true);
        at
    }

    /// Adds a place.
    fn mention(&mut self, span: Span, decl: usize, declares: bool) {
        self.place(span, decl, declares, false);
    }

    fn place(&mut self, span: Span, decl: usize, declares: bool, loose: bool) {
        let span = self.home(span);
        self.found.entry((span, decl)).or_insert((declares, loose)).0 |= declares;
    }
}

/// The machines among some texts, those that others refer to first.
fn order(texts: &[Text]) -> Vec<usize> {
    fn visit(at: usize, texts: &[Text], seen: &mut BTreeSet<usize>, out: &mut Vec<usize>) {
        let Some(text) = texts.get(at).filter(|t| t.owner.is_none()) else { return };
        if seen.insert(at) {
            text.links.iter().for_each(|link| visit(link.to, texts, seen, out));
            out.push(at);
        }
    }
    let (mut seen, mut out) = (BTreeSet::new(), Vec::new());
    (0..texts.len()).for_each(|at| visit(at, texts, &mut seen, &mut out));
    out
}
