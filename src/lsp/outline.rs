//! The clauses of a machine with what they declare.
//!
//! In: a file. Out: symbols that lie within each other.

use super::analysis::Analysis;
use super::documents::Documents;
use super::position::Lines;
use super::session::Session;
use crate::source::Span;
use crate::syntax::ast::{Clause, ClauseKind, Definition, Ident, SetKind};
use lsp_types::{DocumentSymbol, DocumentSymbolParams, SymbolKind};
use std::path::Path;

/// The outline of a file.
pub(super) fn outline(session: &Session, params: &DocumentSymbolParams) -> Vec<DocumentSymbol> {
    let path = Documents::path(&params.text_document.uri);
    let machine = session.analyses.get(&path).and_then(|a| of(a, &path, session));
    machine.into_iter().collect()
}

fn of(analysis: &Analysis, path: &Path, session: &Session) -> Option<DocumentSymbol> {
    let file = analysis.file(path)?;
    let text = analysis.texts.iter().find(|t| t.file == file)?;
    let lines = Lines::new(analysis.text(file), session.client.encoding);
    let outline = Outline { analysis, lines };
    let machine = &text.machine;
    let name = match &*machine.name.name {
        "" => path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned()),
        name => name.to_owned(),
    };
    let children = machine.clauses.iter().map(|c| outline.clause(c)).collect();
    let whole = Span::new(file, 0, analysis.text(file).len());
    Some(outline.symbol(&name, SymbolKind::MODULE, whole, machine.name.span, children))
}

struct Outline<'a> {
    analysis: &'a Analysis,
    lines: Lines<'a>,
}

impl Outline<'_> {
    #[allow(deprecated, reason = "the type has a field that is not used any more")]
    fn symbol(
        &self,
        name: &str,
        kind: SymbolKind,
        whole: Span,
        place: Span,
        children: Vec<DocumentSymbol>,
    ) -> DocumentSymbol {
        let place = if whole.contains(place) { place } else { whole };
        DocumentSymbol {
            name: name.to_owned(),
            detail: self.analysis.ty(place).map(str::to_owned),
            kind,
            tags: None,
            deprecated: None,
            range: self.lines.range(whole.lo, whole.hi),
            selection_range: self.lines.range(place.lo, place.hi),
            children: Some(children).filter(|c| !c.is_empty()),
        }
    }

    fn one(&self, ident: &Ident, kind: SymbolKind) -> DocumentSymbol {
        self.symbol(&ident.name, kind, ident.span, ident.span, Vec::new())
    }

    fn all(&self, idents: &[Ident], kind: SymbolKind) -> Vec<DocumentSymbol> {
        idents.iter().map(|i| self.one(i, kind)).collect()
    }

    fn clause(&self, clause: &Clause) -> DocumentSymbol {
        let text = self.analysis.sources.text(clause.span);
        let word = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        let keyword = Span { hi: clause.span.lo + u32::try_from(word.len()).unwrap_or(0), ..clause.span };
        let children = self.declared(&clause.kind);
        self.symbol(word, SymbolKind::NAMESPACE, clause.span, keyword, children)
    }

    fn declared(&self, clause: &ClauseKind) -> Vec<DocumentSymbol> {
        match clause {
            ClauseKind::Sets(sets) => {
                let set = |s: &crate::syntax::ast::SetDecl| match &s.kind {
                    SetKind::Enumerated(elements) => {
                        let last = elements.last().map_or(s.name.span, |e| e.span);
                        let elements = self.all(elements, SymbolKind::ENUM_MEMBER);
                        self.symbol(
                            &s.name.name,
                            SymbolKind::ENUM,
                            s.name.span.to(last),
                            s.name.span,
                            elements,
                        )
                    }
                    _ => self.one(&s.name, SymbolKind::ENUM),
                };
                sets.iter().map(set).collect()
            }
            ClauseKind::FreeTypes(types) => {
                let one = |(name, constructors): &(Ident, Vec<(Ident, _)>)| {
                    let last = constructors.last().map_or(name.span, |c| c.0.span);
                    let all = constructors.iter().map(|c| self.one(&c.0, SymbolKind::ENUM_MEMBER)).collect();
                    self.symbol(&name.name, SymbolKind::ENUM, name.span.to(last), name.span, all)
                };
                types.iter().map(one).collect()
            }
            ClauseKind::Constants(_, names) => self.all(names, SymbolKind::CONSTANT),
            ClauseKind::Variables(_, names) => self.all(names, SymbolKind::VARIABLE),
            ClauseKind::Promotes(names) => self.all(names, SymbolKind::METHOD),
            ClauseKind::Operations(all) | ClauseKind::LocalOperations(all) => all
                .iter()
                .map(|o| self.symbol(&o.name.name, SymbolKind::METHOD, o.span, o.name.span, Vec::new()))
                .collect(),
            ClauseKind::References(_, refs) => {
                refs.iter().map(|r| self.one(&r.name, SymbolKind::MODULE)).collect()
            }
            ClauseKind::Definitions(all) => {
                let one = |d: &Definition| match d {
                    Definition::Body { name, .. } => self.one(name, SymbolKind::FUNCTION),
                    Definition::File(name, span) => {
                        self.symbol(name, SymbolKind::FILE, *span, *span, Vec::new())
                    }
                };
                // An editor refuses a symbol without a name.
                all.iter().map(one).filter(|s| !s.name.is_empty()).collect()
            }
            _ => Vec::new(),
        }
    }
}
