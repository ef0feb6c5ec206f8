//! Names in text that has no tree: what a mistake has kept from being parsed.
//!
//! In: the tokens of files with mistakes. Out: places of what the machine declares, as guesses: locals are not known there.

use super::Index;
use super::scope::Entry;
use crate::resolve::written::Text;
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{ClauseKind, DefBody, Definition};
use crate::syntax::lexer::lex;
use crate::syntax::token::Token;
use std::collections::BTreeSet;

/// Adds the guesses for files with mistakes, and for those with definitions that cannot be read.
pub(super) fn texts(index: &mut Index, texts: &[Text], sources: &Sources, broken: &BTreeSet<FileId>) {
    for (at, text) in texts.iter().enumerate() {
        if broken.contains(&text.file) || unreadable(text) {
            tokens(index, text.owner.unwrap_or(at), text.file, sources);
        }
    }
}

fn unreadable(text: &Text) -> bool {
    text.machine.clauses.iter().any(|c| match &c.kind {
        ClauseKind::Definitions(all) => {
            all.iter().any(|d| matches!(d, Definition::Body { body: DefBody::Unreadable(_), .. }))
        }
        _ => false,
    })
}

fn tokens(index: &mut Index, scope: usize, file: FileId, sources: &Sources) {
    let Some(text) = sources.get(file).map(|f| f.text.clone()) else { return };
    let home = index.home(Span::new(file, 0, 0)).file;
    let first = index.found.range((Span::new(home, 0, 0), 0)..);
    let known: BTreeSet<u32> =
        first.take_while(|((s, _), _)| s.file == home).map(|((span, _), _)| span.lo).collect();
    for (lo, token, hi) in lex(file, &text).tokens {
        let span = Span::new(file, lo, hi);
        let Token::Ident(name) = token else { continue };
        if known.contains(&span.lo) {
            continue;
        }
        let Some(names) = index.scopes.get(scope) else { continue };
        let definition = names.definitions.get(&name).map(|d| Entry::new(*d));
        if let Some(entry) = definition.or_else(|| names.get(&name).cloned()) {
            index.mention_entry(sources.text(span), span, &entry, true);
        }
    }
}
