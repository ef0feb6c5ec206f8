//! Names that may be meant by what is being typed, and keywords of clauses at the start of a line.
//!
//! In: a place. Out: names with their types and comments. In text with mistakes the names around count as locals.

use super::comments;
use super::hover;
use super::index::{Decl, Kind};
use super::position::Lines;
use super::requests::Spot;
use super::session::Session;
use super::words::{self, CLAUSES};
use crate::source::Span;
use crate::syntax::lexer::lex;
use crate::syntax::token::Token;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionTextEdit, Documentation, TextEdit,
};
use std::collections::BTreeMap;

/// The names that may stand at a place.
pub(super) fn completion(session: &Session, params: &CompletionParams) -> Vec<CompletionItem> {
    let spots = session.spots(&params.text_document_position);
    let Some(spot) = spots.first() else { return Vec::new() };
    if comments::is_within(spot.text(), spot.byte) {
        return Vec::new();
    }
    let before = spot.text().get(..spot.byte).unwrap_or("");
    let start = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.').len();
    let typed = before.get(start..).unwrap_or("");
    let mut items: BTreeMap<String, CompletionItem> = BTreeMap::new();
    // Of two with one name the first counts: what is nearest.
    for item in locals(spot).chain(globals(&spots)).chain(around(spot, start)) {
        items.entry(item.label.clone()).or_insert(item);
    }
    let line = before.get(..start).unwrap_or("").rsplit(['\n', '\r']).next().unwrap_or("");
    if line.trim().is_empty() {
        for (word, meaning) in CLAUSES {
            let item = item(word, CompletionItemKind::KEYWORD, Some((*meaning).to_owned()), None);
            items.entry((*word).to_owned()).or_insert(item);
        }
    }
    let lines = Lines::new(spot.text(), session.client.encoding);
    let place = |b: usize| lines.position(u32::try_from(b).unwrap_or(u32::MAX));
    let range = lsp_types::Range::new(place(start), place(spot.byte));
    let fits = |label: &str| typed.is_empty() || matches(label, typed);
    let edit = |item: CompletionItem| CompletionItem {
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: item.label.clone() })),
        ..item
    };
    items.into_values().filter(|i| fits(&i.label)).map(edit).collect()
}

/// Whether the letters that were typed stand in a name, in this order.
fn matches(label: &str, typed: &str) -> bool {
    let mut rest = label.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|c| rest.any(|r| r == c))
}

fn item(
    label: &str,
    kind: CompletionItemKind,
    detail: Option<String>,
    comment: Option<String>,
) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail,
        documentation: comment.map(Documentation::String),
        ..CompletionItem::default()
    }
}

fn kind(kind: Kind) -> CompletionItemKind {
    match kind {
        Kind::Machine | Kind::Prefix => CompletionItemKind::MODULE,
        Kind::Set | Kind::FreeType => CompletionItemKind::ENUM,
        Kind::Element | Kind::Constructor => CompletionItemKind::ENUM_MEMBER,
        Kind::Constant | Kind::MachineParameter => CompletionItemKind::CONSTANT,
        Kind::Operation => CompletionItemKind::METHOD,
        Kind::Definition => CompletionItemKind::FUNCTION,
        _ => CompletionItemKind::VARIABLE,
    }
}

fn named(spot: &Spot<'_>, label: &str, decl: &Decl) -> CompletionItem {
    let detail = hover::signature(spot.analysis, decl).lines().next().map(str::to_owned);
    item(label, kind(decl.kind), detail, None)
}

/// Locals that are known at the place.
fn locals<'a>(spot: &'a Spot<'_>) -> impl Iterator<Item = CompletionItem> + use<'a> {
    let index = &spot.analysis.index;
    let here = index.home(Span::new(spot.file, spot.byte, spot.byte));
    let inner = index.decls.iter().filter(move |d| d.scope.is_some_and(|s| s.contains(here)));
    inner.map(|d| named(spot, &d.name, d))
}

/// What the machine knows, or the machines that use a definition file.
fn globals<'a>(spots: &'a [Spot<'_>]) -> impl Iterator<Item = CompletionItem> + use<'a> {
    spots.iter().flat_map(|spot| {
        let analysis = spot.analysis;
        let scope = analysis.unit(spot.file).and_then(|unit| analysis.index.scopes.get(unit));
        scope.into_iter().flat_map(move |scope| {
            let definitions = scope.definitions.iter().map(|(name, decl)| (name, *decl));
            let others = scope.names.iter().chain(&scope.calls).map(|(name, entry)| (name, entry.decl));
            definitions
                .chain(others)
                .filter_map(move |(name, decl)| Some(named(spot, name, analysis.index.decls.get(decl)?)))
        })
    })
}

/// Names that stand near the place in text that could not be read: parameters of the operation that is being written.
fn around(spot: &Spot<'_>, start: usize) -> Vec<CompletionItem> {
    if !spot.analysis.broken.contains(&spot.file) {
        return Vec::new();
    }
    let tokens = lex(spot.file, spot.text()).tokens;
    let at = tokens.partition_point(|(lo, _, _)| *lo < start);
    let ends = |t: &Token| matches!(t, Token::Clause(_) | Token::Machine(_));
    let before = tokens.get(..at).unwrap_or(&[]).iter().rev().take_while(|(_, t, _)| !ends(t));
    let names = before.filter_map(|(_, t, _)| match t {
        Token::Ident(name) => Some(name),
        _ => None,
    });
    names.filter(|n| !words::is_reserved(n)).map(|n| item(n, CompletionItemKind::TEXT, None, None)).collect()
}
