//! What stands between the parts of a clause.
//!
//! In: a place. Out: the edit that puts the separator that the clause wants, or takes away one too many.

use super::super::token::{ClauseWord, Token};
use super::{LOOK_BACK, Place, Slip};

fn is_names(word: ClauseWord) -> bool {
    use ClauseWord as C;
    matches!(
        word,
        C::Variables
            | C::ConcreteVariables
            | C::Constants
            | C::AbstractConstants
            | C::References(_)
            | C::Promotes
    )
}

/// `VARIABLES x; y`.
pub(super) fn names(p: &Place<'_>) -> Option<Slip> {
    (p.token(p.at) == Some(&Token::Semi) && is_names(p.clause()?)).then(|| {
        p.edit(
            p.at..p.at + 1,
            vec![Token::Comma],
            "`;` does not separate names".to_owned(),
            "names are separated by commas: `x, y`",
        )
    })
}

/// `SETS S, T`.
pub(super) fn sets(p: &Place<'_>) -> Option<Slip> {
    (p.token(p.at) == Some(&Token::Comma) && p.clause()? == ClauseWord::Sets).then(|| {
        p.edit(
            p.at..p.at + 1,
            vec![Token::Semi],
            "`,` does not separate sets".to_owned(),
            "sets are separated by `;`: `S; T`",
        )
    })
}

/// `P, Q` and `P; Q` for `P & Q`.
pub(super) fn conjuncts(p: &Place<'_>) -> Option<Slip> {
    let sign = match p.token(p.at)? {
        Token::Comma => ",",
        Token::Semi if p.is_predicate() && compares(p, p.at + 1) => ";",
        _ => return None,
    };
    let message = format!("`{sign}` does not join predicates");
    Some(p.edit(p.at..p.at + 1, vec![Token::And], message, "for `and` write `&`"))
}

/// Whether what begins at a token is a comparison, and no part of an expression.
fn compares(p: &Place<'_>, from: usize) -> bool {
    let own = p.tokens.get(from..).unwrap_or_default().iter().map(|(_, token, _)| token).take(LOOK_BACK);
    let mut own =
        own.take_while(|t| !matches!(t, Token::And | Token::Or | Token::Implies | Token::Clause(_)));
    own.any(|t| matches!(t, Token::Cmp(_) | Token::Swapped(_) | Token::Equal | Token::In))
}

/// `;` or `,` at the end of a clause.
pub(super) fn end_of_clause(p: &Place<'_>) -> Option<Slip> {
    let at = [Some(p.at), p.at.checked_sub(1)].into_iter().flatten();
    let at = at.into_iter().find(|at| matches!(p.token(*at), Some(Token::Semi | Token::Comma)))?;
    let last = match p.token(at + 1) {
        Some(Token::Clause(_) | Token::Invariant) => true,
        // The machine's own END.
        Some(Token::End) => p.token(at + 2).is_none(),
        _ => false,
    };
    last.then(|| {
        let message = format!("`{}` ends no clause", p.written(&(at..at + 1)));
        p.edit(at..at + 1, Vec::new(), message, "take it away: a clause ends where the next one begins")
    })
}

/// `,` between operations.
pub(super) fn operations(p: &Place<'_>) -> Option<Slip> {
    let at = (p.at.saturating_sub(1)..=p.at).find(|at| p.token(*at) == Some(&Token::Comma))?;
    (p.clause()? == ClauseWord::Operations).then(|| {
        p.edit(
            at..at + 1,
            vec![Token::Semi],
            "`,` does not separate operations".to_owned(),
            "operations are separated by `;`",
        )
    })
}

/// Nothing between operations.
pub(super) fn missing_between_operations(p: &Place<'_>) -> Option<Slip> {
    let start = (p.at.saturating_sub(HEAD)..=p.at).rev().find(|at| {
        p.name(*at).is_some() && at.checked_sub(1).is_some_and(|b| p.token(b) == Some(&Token::End))
    })?;
    (p.clause()? == ClauseWord::Operations).then(|| {
        let mut slip = p.edit(
            start..start,
            vec![Token::Semi],
            "two operations without `;` between them".to_owned(),
            "operations are separated by `;`: put one behind the END before this place",
        );
        slip.said.span = Some(p.span(&(start..start + 1)));
        slip
    })
}

/// Tokens before an error among which the head of an operation is looked for.
const HEAD: usize = 8;

/// `inc n = ..`.
pub(super) fn parameters(p: &Place<'_>) -> Option<Slip> {
    let two_names =
        |at: &usize| p.name(*at).is_some() && at.checked_sub(1).is_some_and(|b| p.name(b).is_some());
    let first = (p.at.saturating_sub(HEAD)..=p.at).find(two_names)?;
    let end = list(p, first)?;
    if p.token(end) != Some(&Token::Equal) || p.clause()? != ClauseWord::Operations {
        return None;
    }
    let (name, params) = (p.written(&(first - 1..first)), p.written(&(first..end)));
    let help = format!("parameters stand in parentheses: `{name}({params}) = ..`");
    let mut slip = p.edit(first..end, Vec::new(), "parameters without parentheses".to_owned(), help);
    slip.edits = vec![(first..first, vec![Token::LParen]), (end..end, vec![Token::RParen])];
    Some(slip)
}

/// The end of `a, b, c`.
fn list(p: &Place<'_>, from: usize) -> Option<usize> {
    p.name(from)?;
    let mut at = from + 1;
    while p.token(at) == Some(&Token::Comma) && p.name(at + 1).is_some() {
        at += 2;
    }
    Some(at)
}

/// A bracket that closes nothing.
pub(super) fn stray_bracket(p: &Place<'_>) -> Option<Slip> {
    let opening = opening(p.token(p.at)?)?;
    let clause = (0..p.at).rev().find(|at| matches!(p.token(*at), Some(Token::Clause(_)))).unwrap_or(0);
    let mut open = Vec::new();
    for token in (clause..p.at).filter_map(|at| p.token(at)) {
        match token {
            Token::LParen | Token::LBrace | Token::LBracket => open.push(token),
            Token::RParen | Token::RBrace | Token::RBracket => drop(open.pop()),
            _ => {}
        }
    }
    (open.last() != Some(&&opening)).then(|| {
        let sign = p.written(&(p.at..p.at + 1));
        let message = format!("this `{sign}` closes nothing");
        p.edit(p.at..p.at + 1, Vec::new(), message, "take it away, or open it before")
    })
}

fn opening(closing: &Token) -> Option<Token> {
    match closing {
        Token::RParen => Some(Token::LParen),
        Token::RBrace => Some(Token::LBrace),
        Token::RBracket => Some(Token::LBracket),
        _ => None,
    }
}
