//! Keywords: misspelt, in small letters, or taken for names.
//!
//! In: a place. Out: the edit that writes the keyword, or a name in place of one.

use super::super::token::Token;
use super::{Place, Slip};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::source::{FileId, Span};

/// The keywords of clauses and statements that a slip of the pen may be meant for.
const KEYWORDS: &[&str] = &[
    "MACHINE",
    "REFINEMENT",
    "IMPLEMENTATION",
    "SETS",
    "CONSTANTS",
    "ABSTRACT_CONSTANTS",
    "CONCRETE_CONSTANTS",
    "PROPERTIES",
    "CONSTRAINTS",
    "VARIABLES",
    "ABSTRACT_VARIABLES",
    "CONCRETE_VARIABLES",
    "INVARIANT",
    "ASSERTIONS",
    "INITIALISATION",
    "OPERATIONS",
    "LOCAL_OPERATIONS",
    "DEFINITIONS",
    "SEES",
    "USES",
    "INCLUDES",
    "EXTENDS",
    "IMPORTS",
    "PROMOTES",
    "VALUES",
    "REFINES",
    "BEGIN",
    "END",
    "PRE",
    "THEN",
    "ASSERT",
    "CHOICE",
    "SELECT",
    "WHEN",
    "ELSE",
    "ELSIF",
    "IF",
    "CASE",
    "EITHER",
    "ANY",
    "WHERE",
    "LET",
    "VAR",
    "WHILE",
    "DO",
    "VARIANT",
];

/// Letters that a cut-off keyword has at least: `INIT`.
const PREFIX: usize = 4;

/// A word that is nearly a keyword.
pub(super) fn misspelt(p: &Place<'_>) -> Option<Slip> {
    (p.at.saturating_sub(1)..=p.at).rev().find_map(|at| {
        let name = p.name(at)?;
        let near = near(name)?;
        let with = Token::keyword(near)?;
        Some(p.edit(
            at..at + 1,
            vec![with],
            format!("`{name}` is no keyword of B"),
            format!("did you mean `{near}`?"),
        ))
    })
}

fn near(name: &str) -> Option<&'static str> {
    let capitals = name.to_uppercase();
    match &*capitals {
        "ELSEIF" | "ELIF" => return Some("ELSIF"),
        "OPERATION" | "EVENT" | "EVENTS" => return Some("OPERATIONS"),
        "PROPERTY" | "AXIOMS" => return Some("PROPERTIES"),
        _ => {}
    }
    if capitals.len() < 3 {
        return None;
    }
    let whole = suggest::nearest(&capitals, KEYWORDS.iter().copied());
    whole.or_else(|| KEYWORDS.iter().copied().find(|k| capitals.len() >= PREFIX && k.starts_with(&capitals)))
}

/// Keywords in small letters, all of the text at once.
pub(super) fn small_letters(p: &Place<'_>) -> Option<Slip> {
    let keyword = |at: usize| {
        let capitals = p.name(at)?.to_uppercase();
        KEYWORDS.contains(&&*capitals).then(|| Token::keyword(&capitals)).flatten()
    };
    let at = (p.at.saturating_sub(1)..=p.at).rev().find(|at| keyword(*at).is_some())?;
    let name = p.name(at)?;
    let help = format!("keywords are written in capitals: `{}`", name.to_uppercase());
    let mut slip = p.edit(at..at + 1, Vec::new(), format!("`{name}` is a name, not a keyword"), help);
    slip.edits = (0..p.tokens.len()).filter_map(|i| Some((i..i + 1, vec![keyword(i)?]))).collect();
    Some(slip)
}

/// A word of B where a name is declared: everywhere in the text, if it is the word of a function.
pub(super) fn reserved(p: &Place<'_>) -> Option<Slip> {
    let (at, token) = [Some(p.at), p.at.checked_sub(1)].into_iter().flatten().find_map(|at| {
        let token = p.token(at)?;
        is_reserved(token).then_some((at, token))
    })?;
    let word = p.written(&(at..at + 1)).to_owned();
    let name = Token::Ident(format!("{word}_").into());
    let message = format!("`{word}` is a word of B and cannot be a name");
    let mut slip = p.edit(at..at + 1, vec![name.clone()], message, "choose another name");
    if matches!(
        token,
        Token::Word(_) | Token::Const(_) | Token::Skip | Token::Bool | Token::Rec | Token::Struct
    ) {
        let same = (0..p.tokens.len()).filter(|i| p.token(*i) == Some(token));
        slip.edits = same.map(|i| (i..i + 1, vec![name.clone()])).collect();
    }
    Some(slip)
}

fn is_reserved(token: &Token) -> bool {
    matches!(
        token,
        Token::Word(_)
            | Token::Const(_)
            | Token::Skip
            | Token::Bool
            | Token::Rec
            | Token::Struct
            | Token::Or
            | Token::Not
            | Token::Times(crate::ops::Op::Mod)
            | Token::Fold(_)
    )
}

/// Clauses that Event-B has and B has not; with one of them a text with labels is Event-B.
const EVENT_B: &[&str] = &["INVARIANTS", "AXIOMS", "CONTEXT", "THEOREMS", "EVENT"];
/// Words of Event-B's events as its tools print them.
const EVENT_B_WORDS: &[&str] = &["then", "any", "where", "when", "begin", "end", "EVENT"];

/// The one error of a text of TLA+: dashes and MODULE.
fn tla(file: FileId, tokens: &[super::Tok]) -> Option<Diagnostic> {
    let dashes = tokens.iter().take_while(|(_, token, _)| *token == Token::Minus).count();
    let (lo, word, hi) = tokens.get(dashes)?;
    let begins = dashes > 0 && matches!(word, Token::Ident(name) if **name == *"MODULE");
    begins.then(|| {
        let d = Diagnostic::error(Code::UnexpectedToken, Span::new(file, *lo, *hi), "this is TLA+");
        d.with_help("bsym reads classical B: MACHINE .. INVARIANT .. OPERATIONS .. END")
    })
}

/// The one error of a text of Event-B: it begins with CONTEXT, or has another clause of it and a word, or two clauses.
pub(super) fn other_language(file: FileId, tokens: &[super::Tok]) -> Option<Diagnostic> {
    let is = |words: &[&str], token: &Token| matches!(token, Token::Ident(name) if words.contains(&&**name));
    if let Some(d) = tla(file, tokens) {
        return Some(d);
    }
    let mut clauses = tokens.iter().filter(|(_, token, _)| is(EVENT_B, token));
    let (lo, first, hi) = clauses.next()?;
    let context = tokens.first().is_some_and(|(_, token, _)| is(&["CONTEXT"], token));
    let two = clauses.any(|(_, token, _)| token != first);
    let said = context || two || tokens.iter().any(|(_, token, _)| is(EVENT_B_WORDS, token));
    said.then_some(())?;
    let span = Span::new(file, *lo, *hi);
    let d = Diagnostic::error(Code::UnexpectedToken, span, "this is Event-B");
    Some(d.with_help("bsym reads classical B: MACHINE .. INVARIANT .. OPERATIONS .. END; Rodin's ProB plug-in exports Event-B models to it"))
}
