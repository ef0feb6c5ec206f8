//! All that is known of one machine with what it refers to.
//!
//! In: its path, texts that are open. Out: diagnostics as `bsym check` would give them before it explores, the index of names,
//! types. What a mistake hides of types is remembered from the time before it was made.

use super::Start;
use super::index::{Decl, Index, Use};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::flow;
use crate::resolve::Flat;
use crate::resolve::written::{self, Text, Written};
use crate::source::{FileId, Sources, Span, canonical};
use crate::syntax::ast::Name;
use crate::types::{typecheck_names, types_of_names};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where texts come from.
pub(super) struct World {
    /// Folders and definitions by machine.
    pub(super) start: Start,
    /// Folders of machines that are not beside the file that names them, before those.
    pub(super) folders: Vec<PathBuf>,
    /// Open texts by path.
    pub(super) open: BTreeMap<PathBuf, Arc<str>>,
}

/// A declaration or place, whichever analysis speaks of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) lo: u32,
    pub(super) hi: u32,
}

/// What is known of a machine.
#[derive(Debug)]
pub(super) struct Analysis {
    pub(super) sources: Sources,
    pub(super) texts: Vec<Text>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) index: Index,
    /// Files of which not all could be parsed.
    pub(super) broken: BTreeSet<FileId>,
    /// By file; `None` for what is no file.
    paths: Vec<Option<PathBuf>>,
    types: BTreeMap<Span, String>,
}

/// A declaration by its name, which lasts while the text changes: file, owner, name, how many of these come before.
type Key = (PathBuf, Option<Name>, Name, usize);

impl Analysis {
    /// Looks at the machine or definition file at `path`; `before` is what was known of it.
    pub(super) fn of(path: &Path, world: &World, before: Option<&Analysis>) -> Self {
        let mut sources = (world.start)(path);
        sources.folders.splice(0..0, world.folders.iter().cloned());
        sources.replacements.iter_mut().for_each(|r| r.needed = false);
        sources.open.clone_from(&world.open);
        let Written { texts, flat, errors } = written::read(path, &mut sources);
        let broken = broken(&errors);
        let (diagnostics, types) = typed(flat, errors, &sources);
        let real = |p: &PathBuf| sources.is_file(p).then(|| canonical(p));
        let paths: Vec<Option<PathBuf>> = sources.files().map(|f| real(&f.path)).collect();
        let index = Index::of(&texts, &sources, homes(&sources, &paths), &broken);
        let types = types.into_iter().map(|(span, text)| (index.home(span), text)).collect();
        let mut new = Self { sources, texts, diagnostics, index, broken, paths, types };
        before.into_iter().for_each(|before| new.remember(before));
        new
    }

    /// Whether nothing of the text could be read.
    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Takes over types from before for what has none.
    fn remember(&mut self, before: &Analysis) {
        if self.index.decls.iter().all(|d| self.types.contains_key(&d.span)) {
            return;
        }
        let known: BTreeMap<Key, &String> =
            before.keys().filter_map(|(key, d)| Some((key, before.types.get(&d.span)?))).collect();
        let missing = self.keys().filter(|(_, d)| !self.types.contains_key(&d.span));
        let found: Vec<(Span, String)> =
            missing.filter_map(|(key, d)| Some((d.span, (*known.get(&key)?).clone()))).collect();
        self.types.extend(found);
    }

    fn keys(&self) -> impl Iterator<Item = (Key, &Decl)> {
        let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
        self.index.decls.iter().filter_map(move |d| {
            let mut key: Key = (self.path(d.span.file)?.to_owned(), d.owner.clone(), d.name.clone(), 0);
            let count = seen.entry(key.clone()).or_default();
            key.3 = *count;
            *count += 1;
            Some((key, d))
        })
    }

    /// The type of a declaration.
    pub(super) fn ty(&self, span: Span) -> Option<&str> {
        self.types.get(&self.index.home(span)).map(String::as_str)
    }

    /// The path of a file.
    pub(super) fn path(&self, file: FileId) -> Option<&Path> {
        self.paths.get(usize::from(file.0))?.as_deref()
    }

    /// The file at a path.
    pub(super) fn file(&self, path: &Path) -> Option<FileId> {
        let at = self.paths.iter().position(|p| p.as_deref() == Some(path))?;
        u16::try_from(at).ok().map(FileId)
    }

    /// The text of a file.
    pub(super) fn text(&self, file: FileId) -> &str {
        self.sources.get(file).map_or("", |f| &f.text)
    }

    /// A span as a place that other analyses know.
    pub(super) fn place(&self, span: Span) -> Option<Place> {
        Some(Place { path: self.path(span.file)?.to_owned(), lo: span.lo, hi: span.hi })
    }

    /// The declaration of a use.
    pub(super) fn decl(&self, of: &Use) -> Option<&Decl> {
        self.index.decls.get(of.decl)
    }

    /// The number of the machine whose names a file can use.
    pub(super) fn unit(&self, file: FileId) -> Option<usize> {
        let home = self.index.home(Span::new(file, 0, 0)).file;
        let same = |t: &&Text| self.index.home(Span::new(t.file, 0, 0)).file == home;
        let at = self.texts.iter().position(|t| same(&t))?;
        self.texts.get(at).map(|t| t.owner.unwrap_or(at))
    }
}

/// The first file with the same path, by file.
fn homes(sources: &Sources, paths: &[Option<PathBuf>]) -> Vec<FileId> {
    let mut first: BTreeMap<&Path, FileId> = BTreeMap::new();
    let ids = (0..=u16::MAX).map(FileId);
    let all = sources.files().zip(paths).map(|(f, path)| path.as_deref().unwrap_or(&f.path));
    ids.zip(all).map(|(id, path)| *first.entry(path).or_insert(id)).collect()
}

/// Files of which not all could be parsed.
fn broken(errors: &[Diagnostic]) -> BTreeSet<FileId> {
    let syntax = |d: &&Diagnostic| {
        matches!(d.code, Code::BadToken | Code::UnexpectedToken | Code::UnclosedComment | Code::ClauseTwice)
            || d.code == Code::Unsupported
            || d.code == Code::WrongArity
    };
    errors.iter().filter(syntax).filter_map(|d| d.span).map(|s| s.file).collect()
}

/// What there is to say, and the types of declared names.
fn typed(
    flat: Option<Flat>,
    errors: Vec<Diagnostic>,
    sources: &Sources,
) -> (Vec<Diagnostic>, BTreeMap<Span, String>) {
    let Some(flat) = flat else { return (errors, BTreeMap::new()) };
    if errors.iter().any(|d| d.severity == Severity::Error) {
        return (errors, types_of_names(&flat));
    }
    let (checked, types) = typecheck_names(&flat, sources);
    let mut out = match checked {
        Ok((machine, notes)) => [notes, flow::check(&machine)].concat(),
        Err(errors) => [errors, flat.notes].concat(),
    };
    out.sort_by_key(|d| d.span.map(|s| (s.file, s.lo, s.hi)));
    (out, types)
}
