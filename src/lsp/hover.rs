//! What a name is: kind, type, where it is declared, what the comment there says. What a keyword or operator means.
//!
//! In: a place. Out: Markdown, or plain text if the editor shows no other.

use super::analysis::Analysis;
use super::comments;
use super::index::{Decl, Kind};
use super::position::Lines;
use super::requests::Spot;
use super::session::Session;
use super::words;
use crate::source::Span;
use crate::syntax::ast::Ident;
use crate::syntax::lexer::lex;
use crate::syntax::token::Token;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Range};

/// Lines of a definition that are shown.
const LONGEST: usize = 20;

/// What there is to say of a place.
pub(super) fn hover(session: &Session, params: &HoverParams) -> Option<Hover> {
    let spots = session.spots(&params.text_document_position_params);
    let name = spots.iter().find_map(|spot| of_name(session, spot));
    name.or_else(|| spots.first().and_then(|spot| of_token(session, spot)))
}

fn of_name(session: &Session, spot: &Spot<'_>) -> Option<Hover> {
    let place = spot.uses().next()?.span;
    let mut parts: Vec<String> = Vec::new();
    for decl in spot.uses().filter(|u| u.span == place).filter_map(|u| spot.analysis.decl(u)) {
        parts.push(block(session, &signature(spot.analysis, decl)));
        parts.extend(declared(session, spot, decl));
        parts.extend(comment(spot.analysis, decl));
    }
    let lines = Lines::new(spot.text(), session.client.encoding);
    Some(shown(session, &parts.join("\n\n"), lines.range(place.lo, place.hi)))
}

fn shown(session: &Session, text: &str, range: Range) -> Hover {
    let kind = if session.client.markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    let contents = HoverContents::Markup(MarkupContent { kind, value: text.to_owned() });
    Hover { contents, range: Some(range) }
}

/// B in the middle of a text.
fn block(session: &Session, text: &str) -> String {
    if session.client.markdown { format!("```b\n{text}\n```") } else { text.to_owned() }
}

/// A declaration as it would be written with its types.
pub(super) fn signature(analysis: &Analysis, decl: &Decl) -> String {
    let word = decl.kind.word();
    let name = &decl.name;
    match decl.kind {
        Kind::Operation => {
            let results = typed(analysis, &decl.results);
            let results = if results.is_empty() { results } else { format!("{results} <-- ") };
            let params = typed(analysis, &decl.params);
            let params = if params.is_empty() { params } else { format!("({params})") };
            format!("{word} {results}{name}{params}")
        }
        Kind::Definition => format!("{word} {}", shortened(analysis.sources.text(decl.whole))),
        Kind::Element | Kind::Constructor => {
            let of = decl.owner.as_ref().map(|set| format!(" of {set}"));
            format!("{word} {name}{}", of.unwrap_or_default())
        }
        _ => {
            let ty = analysis.ty(decl.span).map(|ty| format!(" : {ty}"));
            let of = decl.owner.as_ref().filter(|_| decl.kind != Kind::Local).map(|o| format!(" of {o}"));
            format!("{word} {name}{}{}", ty.unwrap_or_default(), of.unwrap_or_default())
        }
    }
}

fn typed(analysis: &Analysis, idents: &[Ident]) -> String {
    let one = |ident: &Ident| match analysis.ty(ident.span) {
        Some(ty) => format!("{} : {ty}", ident.name),
        None => ident.name.to_string(),
    };
    idents.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn shortened(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().take(LONGEST).collect();
    if text.lines().count() > LONGEST {
        lines.push("...");
    }
    lines.join("\n")
}

/// Where a declaration is, if it is not here.
fn declared(session: &Session, spot: &Spot<'_>, decl: &Decl) -> Option<String> {
    let analysis = spot.analysis;
    if analysis.index.home(Span { file: spot.file, ..decl.span }) == decl.span && decl.scope.is_some() {
        return None;
    }
    let file = analysis.sources.get(decl.span.file)?;
    let name = file.path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let line = Lines::new(&file.text, session.client.encoding).position(decl.span.lo).line + 1;
    Some(format!("declared in {name}, line {line}"))
}

/// What the comment at a declaration says.
pub(super) fn comment(analysis: &Analysis, decl: &Decl) -> Option<String> {
    let bytes = |s: Span| s.lo as usize..s.hi as usize;
    comments::about(analysis.text(decl.span.file), bytes(decl.span), bytes(decl.whole))
}

/// What a keyword or operator means.
fn of_token(session: &Session, spot: &Spot<'_>) -> Option<Hover> {
    let tokens = lex(spot.file, spot.text()).tokens;
    // Of two that touch, the one behind the place.
    let from = tokens.partition_point(|(_, _, hi)| *hi <= spot.byte);
    let here = |at: usize| tokens.get(at).filter(|(lo, _, hi)| *lo <= spot.byte && spot.byte <= *hi);
    let (lo, token, hi) = here(from).or_else(|| here(from.checked_sub(1)?))?;
    let word = spot.text().get(*lo..*hi)?;
    let text = match words::meaning(word) {
        Some(meaning) => format!("`{word}`: {meaning}"),
        None => words::operator(operator(token)?)?,
    };
    let (lo, hi) = (u32::try_from(*lo).ok()?, u32::try_from(*hi).ok()?);
    Some(shown(session, &text, Lines::new(spot.text(), session.client.encoding).range(lo, hi)))
}

fn operator(token: &Token) -> Option<crate::ops::Op> {
    use crate::ops::Op;
    match token {
        Token::Equal => Some(Op::Eq),
        Token::In => Some(Op::In),
        Token::Minus => Some(Op::Minus),
        other => other.operator(),
    }
}
