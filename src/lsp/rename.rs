//! Another name for what is declared, in all files that mean it.
//!
//! In: a place and the new name. Out: edits, or why there are none. The new texts are looked at as well: where a name would
//! mean something else than before, or other mistakes would be found, nothing is renamed.

mod verify;

use super::analysis::{Analysis, Place};
use super::index::Kind;
use super::position::Lines;
use super::references::{Meant, meant, others, places};
use super::requests::Refusal;
use super::session::Session;
use super::words;
use crate::syntax::ast::{ClauseKind, DefBody, Definition, NodeKind};
use crate::syntax::lexer::lex;
use crate::syntax::token::Token;
use lsp_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Beginnings of names of definitions that have a meaning of their own.
const SPECIAL: &[&str] = &[
    "SET_PREF_",
    "scope_",
    "FORCE_SYMMETRY_",
    "MAX_OPERATIONS_",
    "EXTERNAL_FUNCTION_",
    "EXTERNAL_PREDICATE_",
    "EXTERNAL_SUBSTITUTION_",
    "ASSERT_LTL",
    "ASSERT_CTL",
    "ANIMATION_",
    "CUSTOM_GRAPH",
    "VISB_",
];

/// Edits by file: the places that get the new name.
type Edits = BTreeMap<PathBuf, BTreeSet<(u32, u32)>>;

/// The name at a place, if it can be renamed at all.
pub(super) fn prepare(
    session: &Session,
    at: &TextDocumentPositionParams,
) -> Result<PrepareRenameResponse, Refusal> {
    let meant = named(session, at)?;
    let spots = session.spots(at);
    let here = spots.iter().find_map(|spot| Some((spot, spot.uses().next()?.span)));
    let (spot, span) = here.ok_or_else(nothing)?;
    let range = Lines::new(spot.text(), session.client.encoding).range(span.lo, span.hi);
    Ok(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: meant.name })
}

fn nothing() -> Refusal {
    Refusal::because("there is no name here that is declared somewhere")
}

/// What the name at a place means, if that can have another name.
fn named(session: &Session, at: &TextDocumentPositionParams) -> Result<Meant, Refusal> {
    let meant = meant(session, at).ok_or_else(nothing)?;
    let name = &meant.name;
    if meant.decls.is_empty() {
        return Err(Refusal::because(format!("`{name}` is of the standard library of bsym")));
    }
    if meant.decls.len() > 1 {
        let text = format!("`{name}` means different things here, depending on where the definition is used");
        return Err(Refusal::because(text));
    }
    let spots = session.spots(at);
    let kind = spots.iter().find_map(|s| s.analysis.decl(s.uses().next()?)).map(|d| d.kind);
    match kind {
        Some(Kind::Machine) => {
            Err(Refusal::because("a machine has the name of its file, which is not renamed"))
        }
        Some(Kind::Definition) if is_special(name) => {
            Err(Refusal::because(format!("the name `{name}` has a meaning of its own")))
        }
        _ => Ok(meant),
    }
}

fn is_special(name: &str) -> bool {
    matches!(name, "GOAL" | "SCOPE" | "HEURISTIC_FUNCTION") || SPECIAL.iter().any(|s| name.starts_with(s))
}

/// The edits that give a name to what is meant at a place.
pub(super) fn rename(session: &Session, params: &RenameParams) -> Result<Json, Refusal> {
    let meant = named(session, &params.text_document_position)?;
    let new = params.new_name.trim();
    spelled(new)?;
    let others = others(session, &meant, Some(new));
    let all: Vec<(&Path, &Analysis)> =
        session.analyses.iter().chain(&others).map(|(path, a)| (path.as_path(), a)).collect();
    let mut edits = Edits::new();
    for (root, analysis) in &all {
        let found = places(analysis, &meant.decls);
        if found.is_empty() {
            continue;
        }
        if session.is_unread(root) {
            return Err(Refusal::because(format!("{} cannot be read as it is", shown(root))));
        }
        certain(analysis, &meant, new)?;
        for (Place { path, lo, hi }, _) in found {
            edits.entry(path).or_default().insert((lo, hi));
        }
    }
    edits.keys().try_for_each(|path| writable(path))?;
    verify::same(session, &all, &edits, &meant, new)?;
    let changes: serde_json::Map<String, Json> =
        edits.iter().filter_map(|(path, places)| changes(session, &all, path, places, new)).collect();
    Ok(json!({"changes": changes}))
}

/// A file as users are told.
fn shown(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |n| format!("`{}`", n.to_string_lossy()))
}

/// Whether something is a name that can be given.
fn spelled(new: &str) -> Result<(), Refusal> {
    let tokens = lex(crate::source::FileId(0), new).tokens;
    let plain = matches!(tokens.as_slice(), [(0, Token::Ident(name), _)] if **name == *new);
    if words::is_reserved(new) {
        Err(Refusal::because(format!("`{new}` is a reserved word")))
    } else if is_special(new) {
        Err(Refusal::because(format!("a definition `{new}` would have a meaning of its own")))
    } else if !plain || new.contains('.') {
        Err(Refusal::because(format!(
            "`{new}` is no name: a name is letters, digits and `_`, a letter first"
        )))
    } else {
        Ok(())
    }
}

fn writable(path: &Path) -> Result<(), Refusal> {
    match std::fs::metadata(path) {
        Ok(data) if data.permissions().readonly() => {
            Err(Refusal::because(format!("{} cannot be written", shown(path))))
        }
        _ => Ok(()),
    }
}

/// Whether all places of what is meant are known, and nothing else goes by its name.
fn certain(analysis: &Analysis, meant: &Meant, new: &str) -> Result<(), Refusal> {
    let old = &meant.name;
    if let Some(file) = analysis.broken.iter().next() {
        let file = analysis.path(*file).map_or_else(String::new, shown);
        return Err(Refusal::because(format!(
            "{file} has mistakes that keep it from being read: mend them first"
        )));
    }
    let of = |at: usize| analysis.index.decls.get(at).and_then(|d| analysis.place(d.span));
    let ours = |at: usize| of(at).is_some_and(|place| meant.decls.contains(&place));
    let uses = &analysis.index.uses;
    let mine: Vec<_> = uses.iter().filter(|u| ours(u.decl)).collect();
    let taken = uses.iter().find(|u| !ours(u.decl) && mine.iter().any(|m| m.span == u.span));
    if taken.is_some() {
        return Err(Refusal::because(format!(
            "`{old}` means different things in a definition, depending on its use"
        )));
    }
    for u in &mine {
        if u.loose || *analysis.sources.text(u.span) != **old {
            let file = analysis.path(u.span.file).map_or_else(String::new, shown);
            let line = analysis.sources.line(u.span);
            return Err(Refusal::because(format!(
                "what stands at {file}, line {line}, cannot be renamed safely"
            )));
        }
    }
    if analysis.index.scopes.iter().any(|s| s.shared.iter().any(|at| ours(*at))) {
        return Err(Refusal::because(format!(
            "`{old}` is declared by several machines, which may belong together"
        )));
    }
    let capital = |name: &str| !name.chars().any(char::is_lowercase);
    let parameter = analysis
        .index
        .decls
        .iter()
        .enumerate()
        .any(|(at, d)| d.kind == Kind::MachineParameter && ours(at) && capital(old) != capital(new));
    if parameter {
        return Err(Refusal::because("a parameter in capitals is a set, one with small letters is none"));
    }
    special(analysis, old, new)
}

/// Definitions and strings that name things without being formulas.
fn special(analysis: &Analysis, old: &str, new: &str) -> Result<(), Refusal> {
    let clauses = analysis.texts.iter().flat_map(|t| &t.machine.clauses);
    let definitions = clauses.filter_map(|c| match &c.kind {
        ClauseKind::Definitions(all) => Some(all),
        _ => None,
    });
    for definition in definitions.flatten() {
        let Definition::Body { name, body, .. } = definition else { continue };
        let about = SPECIAL.iter().filter_map(|s| name.name.strip_prefix(s)).any(|n| n == old || n == new);
        let says = match body {
            DefBody::Formula(node) if name.name.starts_with("ASSERT_") => {
                matches!(&node.kind, NodeKind::Str(text) if mentions(text, old))
            }
            _ => false,
        };
        if about || says {
            let text =
                format!("the definition `{}` speaks of it by name, and would have to change, too", name.name);
            return Err(Refusal::because(text));
        }
    }
    Ok(())
}

/// Whether a name is a word of a text.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}

/// The edits of one file for the editor.
fn changes(
    session: &Session,
    all: &[(&Path, &Analysis)],
    path: &Path,
    places: &BTreeSet<(u32, u32)>,
    new: &str,
) -> Option<(String, Json)> {
    let uri = session.documents.uri(path)?;
    let text = verify::text(all, path)?;
    let lines = Lines::new(text, session.client.encoding);
    let edit = |(lo, hi): &(u32, u32)| TextEdit { range: lines.range(*lo, *hi), new_text: new.to_owned() };
    let edits: Vec<TextEdit> = places.iter().map(edit).collect();
    Some((uri.as_str().to_owned(), serde_json::to_value(edits).ok()?))
}
