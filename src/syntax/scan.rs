//! Tokens that regular expressions cannot read: words of any alphabet, strings, comments, pragmas.
//!
//! In: the lexer standing after the first character. Out: the token, or why the text is none.

use super::ast::Name;
use super::token::Token;
use logos::{FilterResult, Lexer};
use num_bigint::BigInt;
use num_traits::Num;

/// What the lexer collects beside the tokens.
#[derive(Default, Debug)]
pub struct Side {
    /// All pragmas of the text.
    pub pragmas: Vec<Pragma>,
}

/// `/*@ word text */`.
#[derive(Clone, Debug)]
pub struct Pragma {
    /// The word, such as `file`.
    pub word: String,
    /// The rest, trimmed, without quotes around it.
    pub text: Name,
    /// First byte of the comment.
    pub lo: usize,
}

/// Why a piece of text is no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BadText {
    /// A character that B does not know.
    #[default]
    Character,
    /// A comment without its end.
    Comment,
    /// A string without its end.
    Str,
    /// A quoted name without its end, or an empty one.
    Quoted,
    /// An interpolated string.
    Template,
    /// A string or name with bytes that are not UTF-8: two that differ may look the same.
    Encoding,
}

type Lex<'s> = Lexer<'s, Token>;

fn continues_name(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || c == '_'
}

/// Extends a word over letters of any alphabet, subscripts and primes.
fn extend(lex: &mut Lex) {
    let rest = lex.remainder();
    let mut chars = rest.char_indices().peekable();
    let mut len = 0;
    while let Some((at, c)) = chars.next_if(|(_, c)| continues_name(*c)) {
        len = at + c.len_utf8();
    }
    while let Some((at, c)) = chars.next_if(|(_, c)| ('₀'..='₉').contains(c)) {
        len = at + c.len_utf8();
    }
    if let Some((at, c)) = chars.next_if(|(_, c)| matches!(c, '′' | '‘' | '’')) {
        len = at + c.len_utf8();
    }
    lex.bump(len);
}

/// A word that starts with an ASCII letter.
pub(super) fn word(lex: &mut Lex) -> Token {
    extend(lex);
    Token::keyword(lex.slice()).unwrap_or_else(|| Token::Ident(Name::from(lex.slice())))
}

/// A character outside ASCII that is no operator: a letter starts a word, all else is an error.
pub(super) fn foreign(lex: &mut Lex) -> Result<Token, BadText> {
    if lex.slice().chars().all(char::is_alphabetic) {
        extend(lex);
        Ok(Token::Ident(Name::from(lex.slice())))
    } else {
        Err(BadText::Character)
    }
}

/// A name between backquotes.
pub(super) fn quoted(lex: &mut Lex) -> Result<Token, BadText> {
    if lex.remainder().starts_with("``") {
        lex.bump(2);
        return Err(BadText::Template);
    }
    let mut name = String::new();
    let mut chars = lex.remainder().char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '`' if name.is_empty() => return Err(BadText::Quoted),
            '`' => {
                lex.bump(at + 1);
                return Ok(Token::Ident(name.into()));
            }
            '\n' => break,
            '\\' => name.extend(chars.next().map(|(_, c)| c)),
            _ => name.push(c),
        }
    }
    Err(BadText::Quoted)
}

/// A decimal integer.
pub(super) fn decimal(lex: &mut Lex) -> BigInt {
    let digits = lex.slice();
    digits
        .parse::<u64>()
        .map_or_else(|_| BigInt::from_str_radix(digits, 10).unwrap_or_default(), BigInt::from)
}

/// A hexadecimal integer.
pub(super) fn hexadecimal(lex: &mut Lex) -> BigInt {
    BigInt::from_str_radix(lex.slice().trim_start_matches("0x"), 16).unwrap_or_default()
}

/// The characters that a backslash before `c` stands for, appended to `out`.
fn escape(c: char, out: &mut String) {
    match c {
        'n' => out.push('\n'),
        't' => out.push('\t'),
        'r' => out.push('\r'),
        '"' | '\'' | '\\' => out.push(c),
        other => out.extend(['\\', other]),
    }
}

/// A string on one line.
pub(super) fn string(lex: &mut Lex) -> Result<Name, BadText> {
    let mut out = String::new();
    let mut chars = lex.remainder().char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                lex.bump(at + 1);
                return Ok(out.into());
            }
            '\n' => {
                lex.bump(at);
                return Err(BadText::Str);
            }
            '\\' => match chars.next() {
                Some((_, c)) if c != '\n' => escape(c, &mut out),
                _ => break,
            },
            _ => out.push(c),
        }
    }
    Err(BadText::Str)
}

/// A string between three quotes, over any number of lines.
pub(super) fn long_string(lex: &mut Lex) -> Result<Name, BadText> {
    let mut out = String::new();
    let rest = lex.remainder();
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' if rest.get(at..).is_some_and(|r| r.starts_with("'''")) => {
                lex.bump(at + 3);
                return Ok(out.into());
            }
            '\r' => {
                chars.next_if(|(_, c)| *c == '\n');
                out.push('\n');
            }
            '\\' => {
                if let Some((_, c)) = chars.next() {
                    escape(c, &mut out);
                }
            }
            _ => out.push(c),
        }
    }
    lex.bump(rest.len());
    Err(BadText::Str)
}

/// `// ...` to the end of the line.
pub(super) fn line_comment(lex: &mut Lex) -> FilterResult<Token, BadText> {
    let rest = lex.remainder();
    lex.bump(rest.find(['\n', '\r']).unwrap_or(rest.len()));
    FilterResult::Skip
}

/// `/* ... */`; pragmas are noted.
pub(super) fn block_comment(lex: &mut Lex) -> FilterResult<Token, BadText> {
    let rest = lex.remainder();
    let Some(end) = rest.find("*/") else {
        lex.bump(rest.len());
        return FilterResult::Error(BadText::Comment);
    };
    if let Some(body) = rest.get(..end).and_then(|b| b.strip_prefix('@')) {
        note_pragma(lex, body);
    }
    lex.bump(end + 2);
    FilterResult::Skip
}

fn note_pragma(lex: &mut Lex, body: &str) {
    let body = body.trim();
    let (word, text) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
    let text = Name::from(text.trim().trim_matches('"'));
    let lo = lex.span().start;
    lex.extras.pragmas.push(Pragma { word: word.to_owned(), text, lo });
}
