//! Clauses, and the pieces between `;`, found by tokens alone.
//!
//! In: the tokens of a text. Out: ranges of tokens. Because the pieces are found before anything is
//! parsed, an error in one of them never hides the next.

use super::lexer::Tok;
use super::token::{ClauseWord, Token};
use std::ops::Range;

/// A clause: its keyword's index and the tokens after it.
#[derive(Clone, Debug)]
pub struct RawClause {
    /// Which clause.
    pub word: ClauseWord,
    /// Index of the keyword.
    pub head: usize,
    /// The tokens of the clause without its keyword.
    pub body: Range<usize>,
}

/// A machine text in clauses.
#[derive(Clone, Debug)]
pub struct Split {
    /// Tokens before the first clause.
    pub header: Range<usize>,
    /// The clauses.
    pub clauses: Vec<RawClause>,
    /// Index of the machine's END, if there is one.
    pub end: Option<usize>,
}

/// Splits a text into clauses, starting at token `from`.
#[must_use]
pub fn clauses(tokens: &[Tok], from: usize) -> Split {
    let mut blocks: Vec<&Token> = Vec::new();
    let mut clauses: Vec<RawClause> = Vec::new();
    let mut header = from..tokens.len();
    let mut end = None;
    for (at, (_, token, _)) in tokens.iter().enumerate().skip(from) {
        if let Some(word) = starts_clause(tokens, at, &blocks) {
            match clauses.last_mut() {
                Some(last) => last.body.end = at,
                None => header.end = at,
            }
            clauses.push(RawClause { word, head: at, body: at + 1..tokens.len() });
            blocks.clear();
        } else if opens(token) {
            blocks.push(token);
        } else if *token == Token::End && blocks.pop().is_none() && ends_machine(tokens, at) {
            end = Some(at);
            break;
        }
    }
    if let Some(at) = end {
        match clauses.last_mut() {
            Some(last) => last.body.end = at,
            None => header.end = at,
        }
    }
    Split { header, clauses, end }
}

/// CASE is closed by two END, one of them EITHER's.
fn opens(token: &Token) -> bool {
    token.opens_block() || *token == Token::Either
}

/// An END that closes no block ends the machine, unless another clause follows: then there is one END
/// too many, which the clause's parser reports.
fn ends_machine(tokens: &[Tok], at: usize) -> bool {
    !tokens.iter().enumerate().skip(at + 1).any(|(i, _)| starts_clause(tokens, i, &[]).is_some())
}

fn starts_clause(tokens: &[Tok], at: usize, blocks: &[&Token]) -> Option<ClauseWord> {
    match &tokens.get(at)?.1 {
        Token::Clause(word) => Some(*word),
        Token::Invariant if !blocks.contains(&&Token::While) => Some(ClauseWord::Invariant),
        Token::Ident(name) if matches!(&**name, "PREDICATES" | "EXPRESSIONS") => {
            definition_head(tokens, at + 1).map(|_| ClauseWord::LateDefinitions)
        }
        _ => None,
    }
}

/// The index after `==` if `name ==` or `name(a,b) ==` stands at `at`.
#[must_use]
pub fn definition_head(tokens: &[Tok], at: usize) -> Option<usize> {
    let is = |i: usize, t: &Token| tokens.get(i).is_some_and(|(_, u, _)| u == t);
    let name = |i: usize| matches!(tokens.get(i), Some((_, Token::Ident(_), _)));
    if !name(at) {
        return None;
    }
    let mut next = at + 1;
    if is(next, &Token::LParen) {
        while name(next + 1) && is(next + 2, &Token::Comma) {
            next += 2;
        }
        if !name(next + 1) || !is(next + 2, &Token::RParen) {
            return None;
        }
        next += 3;
    }
    is(next, &Token::Defined).then_some(next + 1)
}

/// Which brackets keep a `;` inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guards {
    /// All brackets and blocks.
    All,
    /// Parentheses and blocks: what the language says for definitions.
    Parentheses,
}

/// The ranges between the separators `at` that stand outside brackets and blocks.
#[must_use]
pub fn pieces(tokens: &[Tok], range: Range<usize>, separator: &Token, guards: Guards) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut depth = 0_usize;
    let mut start = range.start;
    for at in range.clone() {
        let Some((_, token, _)) = tokens.get(at) else { break };
        match token {
            Token::LParen => depth += 1,
            Token::RParen | Token::End => depth = depth.saturating_sub(1),
            Token::LBrace | Token::LBracket if guards == Guards::All => depth += 1,
            Token::RBrace | Token::RBracket if guards == Guards::All => depth = depth.saturating_sub(1),
            t if opens(t) => depth += 1,
            t if t == separator && depth == 0 => {
                out.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(start..range.end);
    out
}

/// The operations in a piece that is more than one: each `;` before `name =` or `name(x) =` starts one,
/// as no statement looks like that. Only for pieces that cannot be read as a whole.
#[must_use]
pub fn operations(tokens: &[Tok], range: Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = range.start;
    for at in range.clone() {
        let semicolon = matches!(tokens.get(at), Some((_, Token::Semi, _)));
        if semicolon && operation_head(tokens, at + 1) {
            out.push(start..at);
            start = at + 1;
        }
    }
    out.push(start..range.end);
    out
}

fn operation_head(tokens: &[Tok], at: usize) -> bool {
    let mut rest = tokens.get(at..).unwrap_or(&[]).iter().map(|(_, t, _)| t).peekable();
    let mut names = 0;
    while rest.next_if(|t| matches!(t, Token::Ident(_))).is_some() {
        names += 1;
        if rest.next_if(|t| matches!(t, Token::Comma | Token::Results)).is_none() {
            break;
        }
    }
    if rest.next_if(|t| **t == Token::LParen).is_some() {
        while rest.next_if(|t| matches!(t, Token::Ident(_) | Token::Comma)).is_some() {}
        rest.next_if(|t| **t == Token::RParen);
    }
    names > 0 && rest.next() == Some(&Token::Equal)
}
