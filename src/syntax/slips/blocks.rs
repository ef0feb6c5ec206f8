//! Blocks that begin with another word, or without one.
//!
//! In: a place. Out: the edit that opens the block as B does.

use super::super::token::Token;
use super::spelling::word;
use super::statements::block;
use super::{LOOK_BACK, Place, Slip};

/// `WHEN P THEN S END` and `WHERE P THEN S END`, as Event-B guards an event.
pub(super) fn guard(p: &Place<'_>) -> Option<Slip> {
    matches!(p.token(p.at), Some(Token::When | Token::Where)).then(|| {
        let message = format!("`{}` begins no substitution", p.written(&(p.at..p.at + 1)));
        p.edit(p.at..p.at + 1, vec![Token::Select], message, "a guard is written `SELECT P THEN S END`")
    })
}

/// `LET x = E IN S END`.
pub(super) fn without_be(p: &Place<'_>) -> Option<Slip> {
    let (start, _) = block(p).filter(|(_, token)| **token == Token::Let)?;
    let name = p.name(start + 1).filter(|_| start + 2 == p.at)?;
    matches!(p.token(p.at), Some(Token::Equal | Token::Assign)).then(|| {
        let help = format!("write `LET {name} BE {name} = .. IN S END`");
        let with = word(&format!("BE {name} ="));
        p.edit(p.at..p.at + 1, with, "LET without BE".to_owned(), help)
    })
}

/// `CASE E OF 1: S | 2: T END`.
pub(super) fn without_either(p: &Place<'_>) -> Option<Slip> {
    let (start, _) = block(p).filter(|(_, token)| **token == Token::Case)?;
    let of = p.at.checked_sub(1).filter(|at| p.token(*at) == Some(&Token::Of))?;
    let mut open = 0_usize;
    let end = (of + 1..p.tokens.len()).find(|at| match p.token(*at) {
        Some(Token::End) if open == 0 => true,
        Some(Token::End) => {
            open -= 1;
            false
        }
        Some(token) if token.opens_block() => {
            open += 1;
            false
        }
        Some(token) => matches!(token, Token::Clause(_)),
        None => false,
    })?;
    let help = "write `CASE E OF EITHER a THEN S OR b, c THEN T ELSE U END END`";
    // What stands between is of another language: nothing is told of it.
    let mut with = word("EITHER 1 THEN skip");
    let closed = p.token(end) == Some(&Token::End) && p.token(end + 1) == Some(&Token::End);
    let closed = closed && p.tokens.get(end + 2).is_some();
    if !closed {
        with.push(Token::End);
    }
    let mut slip = p.edit(p.at..end, with, "CASE without EITHER".to_owned(), help);
    slip.said.span = Some(p.span(&(p.at..p.at + 1)));
    Some(slip.with_place(p, start, "of this"))
}

/// `!x : S . P`, `#x : S . P`, `!x . x : S => P`: the body without parentheses, or a type in the names.
pub(super) fn quantifier(p: &Place<'_>) -> Option<Slip> {
    let at = quantified(p)?;
    let all = *p.token(at)? == Token::Forall;
    if p.token(at + 1) == Some(&Token::LParen) {
        // `!(x = 1)`: names in parentheses are the other form of a quantifier, and no error stands in them.
        let help = "`!` is `for all`; a negation is written `not(P)`";
        return all.then(|| p.edit(at..at + 1, vec![Token::Not], "`!` begins no negation".to_owned(), help));
    }
    let name = p.name(at + 1)?.split('.').next()?;
    let what = p.written(&(at..at + 1));
    let (sign, joined) = if all { ("!", "=>") } else { ("#", "&") };
    let help = format!("write `{sign}{name}.({name} : S {joined} P)`");
    let message = format!("the body of `{what}` has no parentheses");
    let mut slip = p.edit(at..formula_end(p, at + 1), word("1 = 1"), message, help);
    slip.said.span = Some(p.span(&(at..p.at + 1)));
    Some(slip)
}

/// The quantifier whose names are read at the place.
fn quantified(p: &Place<'_>) -> Option<usize> {
    let at = (p.at.saturating_sub(LOOK_BACK)..p.at)
        .rev()
        .find(|at| matches!(p.token(*at), Some(Token::Forall | Token::Exists)))?;
    let inside = |i: usize| match p.token(i) {
        Some(Token::Ident(_) | Token::Comma | Token::Dot(_) | Token::LParen) => true,
        Some(_) => p.token(at + 1) == Some(&Token::LParen),
        None => false,
    };
    (at + 1..p.at).all(inside).then_some(at)
}

/// Where the formula that begins at a token ends: at the bracket, the word or the clause that it stands in.
fn formula_end(p: &Place<'_>, from: usize) -> usize {
    let mut open = 0_usize;
    let ends = |at: &usize| match p.token(*at) {
        Some(Token::LParen | Token::LBrace | Token::LBracket) => {
            open += 1;
            false
        }
        Some(Token::RParen | Token::RBrace | Token::RBracket) => match open.checked_sub(1) {
            Some(rest) => {
                open = rest;
                false
            }
            None => true,
        },
        Some(token) => {
            open == 0 && (token.parts_block() || matches!(token, Token::Clause(_) | Token::End | Token::Semi))
        }
        None => true,
    };
    (from..=p.tokens.len()).find(ends).unwrap_or(p.tokens.len())
}
