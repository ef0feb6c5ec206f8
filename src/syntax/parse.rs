//! Text to AST with all syntax errors. The only file that names the parser generator.
//!
//! In: the text of a machine, a definition file, a formula or a substitution. Out: what could be read,
//! and a diagnostic for each piece that could not: a clause, an operation, a definition, a conjunct.

use super::ast::{Machine, Node, Subst};
use super::clauses;
use super::explain::{self, Trouble};
use super::lexer::{Lexed, Tok, lex};
use super::literal;
use super::make::{Make, Parsed};
use super::token::{Entry, Token};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use lalrpop_util::{ParseError, lalrpop_mod};
use std::ops::Range;

lalrpop_mod!(
    #[allow(warnings, clippy::all, clippy::pedantic, reason = "generated code")]
    b
);

/// Reads a machine. `None` if the text does not even have a header; errors may be there in any case.
#[must_use]
pub fn parse_machine(file: FileId, text: &str) -> (Option<Machine>, Vec<Diagnostic>) {
    let reader = Reader::new(file, text);
    let machine = reader.ready().then(|| clauses::machine(&reader)).flatten();
    (machine, reader.finish())
}

/// Reads a definition file: one DEFINITIONS clause.
#[must_use]
pub fn parse_definitions(file: FileId, text: &str) -> (Option<Machine>, Vec<Diagnostic>) {
    let reader = Reader::new(file, text);
    let machine = reader.ready().then(|| clauses::definition_file(&reader)).flatten();
    (machine, reader.finish())
}

/// Reads one formula.
#[must_use]
pub fn parse_formula(file: FileId, text: &str) -> (Option<Node>, Vec<Diagnostic>) {
    let reader = Reader::new(file, text);
    let all = 0..reader.lexed.tokens.len();
    let node = match reader.ready().then(|| reader.read(Entry::Formula, all)).flatten() {
        Some(Parsed::Formula(node)) => Some(node),
        _ => None,
    };
    (node, reader.finish())
}

/// Reads one substitution.
#[must_use]
pub fn parse_substitution(file: FileId, text: &str) -> (Option<Subst>, Vec<Diagnostic>) {
    let reader = Reader::new(file, text);
    let all = 0..reader.lexed.tokens.len();
    let subst = match reader.ready().then(|| reader.read(Entry::Subst, all)).flatten() {
        Some(Parsed::Subst(subst)) => Some(subst),
        _ => None,
    };
    (subst, reader.finish())
}

/// A text in tokens, from which pieces are parsed.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) file: FileId,
    pub(super) lexed: Lexed,
    make: Make,
    length: usize,
}

impl Reader {
    fn new(file: FileId, text: &str) -> Self {
        Self { file, lexed: lex(file, text), make: Make::new(file), length: text.len() }
    }

    /// Whether the text may be parsed at all.
    fn ready(&self) -> bool {
        self.lexed.too_deep.iter().cloned().for_each(|d| self.complain(d));
        self.lexed.too_deep.is_none()
    }

    /// All diagnostics in the order of the text.
    fn finish(self) -> Vec<Diagnostic> {
        let mut all = self.make.errors.into_inner();
        all.sort_by_key(|d| d.span.map_or(0, |s| s.lo));
        all.dedup();
        all
    }

    /// Notes a mistake.
    pub(super) fn complain(&self, diagnostic: Diagnostic) {
        self.make.errors.borrow_mut().push(diagnostic);
    }

    /// Whether a mistake has been noted.
    pub(super) fn failed(&self) -> bool {
        !self.make.errors.borrow().is_empty()
    }

    /// The token at an index.
    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.lexed.tokens.get(at).map(|(_, t, _)| t)
    }

    /// The place of a token; the end of the text past the last one.
    pub(super) fn place(&self, at: usize) -> Span {
        if let Some((lo, _, hi)) = self.lexed.tokens.get(at) {
            return Span::new(self.file, *lo, *hi);
        }
        let end = self.lexed.tokens.last().map_or(self.length, |(_, _, hi)| *hi);
        Span::new(self.file, end, end)
    }

    /// The place of a range of tokens.
    pub(super) fn places(&self, range: &Range<usize>) -> Span {
        if range.is_empty() {
            self.place(range.start)
        } else {
            self.place(range.start).to(self.place(range.end - 1))
        }
    }

    /// Parses a piece; notes the error if there is one.
    pub(super) fn read(&self, entry: Entry, range: Range<usize>) -> Option<Parsed> {
        self.attempt(entry, range).map_err(|d| self.complain(*d)).ok()
    }

    /// Parses a piece; the error is the caller's.
    pub(super) fn attempt(&self, entry: Entry, range: Range<usize>) -> Result<Parsed, Box<Diagnostic>> {
        let tokens: &[Tok] = self.lexed.tokens.get(range.clone()).unwrap_or(&[]);
        let noted = self.make.errors.borrow().len();
        let mut feed = Feed { make: &self.make, tokens, at: 0, from: 0, data: false };
        if matches!(entry, Entry::Formula | Entry::Subst | Entry::Operation | Entry::Value) {
            let parsed = self.parse(entry, &mut feed);
            if let Ok(parsed) = parsed {
                return Ok(parsed);
            }
            self.make.errors.borrow_mut().truncate(noted);
            if !feed.data {
                return parsed.map_err(|error| Box::new(self.explain(entry, &range, error)));
            }
        }
        // What is wrong is told in terms of the tokens as they are.
        self.parse(entry, &mut tokens.iter().cloned()).map_err(|error| {
            self.make.errors.borrow_mut().truncate(noted);
            Box::new(self.explain(entry, &range, error))
        })
    }

    fn parse(
        &self,
        entry: Entry,
        tokens: &mut dyn Iterator<Item = Tok>,
    ) -> Result<Parsed, ParseError<usize, Token, ()>> {
        let mut tokens = tokens.peekable();
        let start = tokens.peek().map_or(0, |(lo, _, _)| *lo);
        let input = std::iter::once((start, Token::Start(entry), start)).chain(tokens);
        b::StartParser::new().parse(&self.make, input.map(Ok::<Tok, ()>))
    }

    fn explain(&self, entry: Entry, range: &Range<usize>, error: ParseError<usize, Token, ()>) -> Diagnostic {
        let (at, mut expected) = match error {
            ParseError::UnrecognizedToken { token: (lo, _, _), expected } => {
                (self.index(lo, range), expected)
            }
            ParseError::UnrecognizedEof { expected, .. } => (range.end, expected),
            ParseError::ExtraToken { token: (lo, _, _) } => (self.index(lo, range), Vec::new()),
            ParseError::InvalidToken { .. } | ParseError::User { .. } => (range.end, Vec::new()),
        };
        // Nobody can write that token.
        expected.retain(|name| name != "\"data\"");
        explain::explain(self, &Trouble { entry, range: range.clone(), at, expected })
    }

    fn index(&self, lo: usize, range: &Range<usize>) -> usize {
        self.lexed.tokens.partition_point(|(start, _, _)| *start < lo).clamp(range.start, range.end)
    }
}

/// The tokens of a piece for the parser; extensions of literals come as one token each.
struct Feed<'t> {
    make: &'t Make,
    tokens: &'t [Tok],
    at: usize,
    /// An extension that starts before this token is none of literals: no token is looked at more than twice.
    from: usize,
    /// Whether there was an extension of literals.
    data: bool,
}

impl Feed<'_> {
    /// Whether an extension starts here; a bracket may also be that of an image.
    fn opens(&self) -> bool {
        match self.tokens.get(self.at) {
            Some((_, Token::LBrace, _)) => true,
            Some((_, Token::LBracket, _)) => {
                let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
                before.is_none_or(|(_, token, _)| {
                    matches!(
                        token,
                        Token::Equal
                            | Token::In
                            | Token::Assign
                            | Token::Comma
                            | Token::LParen
                            | Token::LBrace
                            | Token::LBracket
                            | Token::Infix(_)
                    )
                })
            }
            _ => false,
        }
    }
}

impl Iterator for Feed<'_> {
    type Item = Tok;

    fn next(&mut self) -> Option<Tok> {
        let first = self.tokens.get(self.at)?;
        if self.at >= self.from && self.opens() {
            match literal::extension(self.make, self.tokens, self.at) {
                Ok((kind, end)) => {
                    let hi = self.tokens.get(end - 1).map_or(first.2, |(_, _, hi)| *hi);
                    (self.at, self.data) = (end, true);
                    return Some((first.0, Token::Data(Box::new(kind)), hi));
                }
                Err(other) => self.from = other,
            }
        }
        self.at += 1;
        Some(first.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the grammar makes of a formula with and without the reader of literals.
    fn both(text: &str) -> [Option<Node>; 2] {
        let reader = Reader::new(FileId(0), text);
        let tokens = &reader.lexed.tokens;
        let formula = |parsed| match parsed {
            Some(Parsed::Formula(node)) => Some(node),
            _ => None,
        };
        let plain = reader.parse(Entry::Formula, &mut tokens.iter().cloned());
        let all = 0..tokens.len();
        [formula(reader.attempt(Entry::Formula, all).ok()), formula(plain.ok())]
    }

    #[test]
    fn literals_are_what_the_grammar_makes_of_them() {
        let texts = [
            "{}",
            "[ ]",
            "{ 1 , -2, - 3 |-> 4 |-> 5, (6,7,8) , (9), ((1|->2),3) |-> TRUE } /\\ S",
            "x = {{1,{}},{a |-> b'c}} & y = {{1},{2,3}}",
            "{a,b | a = {1,2} & b : NAT}",
            "f[{1,2}] \\/ f[[1,2],[3]] \\/ {1,2}~[{1}]",
            "[1,[2,3],<>] ^ [rec(a:1, b:{2 |-> \"s\"})] & {} = {}",
            "{[1,2](1), {3}[4]}",
            "{1.5, \"x\", {[1]}, x$0}",
            "s <| {1 |-> 2} (1) + {(1,2)}(1)",
            "{1,2;3} = [4] ^ -[5]",
            "{(1,2",
            "{1,,2}",
            "{- x, 1}",
            "{rec(a:1,b), 2}",
            "{1,2} {3}",
        ];
        for text in texts {
            let [quick, plain] = both(text);
            assert_eq!(quick, plain, "{text}");
        }
        assert!(both("{1,-2,(3|->4)}")[0].is_some() && both("{1,2} {3}")[0].is_none());
    }

    #[test]
    fn mistakes_behind_literals_are_told_as_before() {
        let said = |text: &str| parse_formula(FileId(0), text).1.first().map(|d| d.message.clone());
        assert_eq!(said("{1,2} {3}"), said("{1,x+0} {3}"));
        assert_eq!(said("a = {1,2} &"), said("a = {1,x+0} &"));
    }
}
