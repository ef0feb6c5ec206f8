//! Text to AST with all syntax errors. The only file that names the parser generator.
//!
//! In: the text of a machine, a definition file, a formula or a substitution. Out: what could be read,
//! and a diagnostic for each piece that could not: a clause, an operation, a definition, a conjunct.

use super::ast::{Machine, Node, Subst};
use super::clauses;
use super::explain::{self, Trouble};
use super::lexer::{Lexed, Tok, lex};
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
        let start = tokens.first().map_or(0, |(lo, _, _)| *lo);
        let noted = self.make.errors.borrow().len();
        let input = std::iter::once((start, Token::Start(entry), start)).chain(tokens.iter().cloned());
        b::StartParser::new().parse(&self.make, input.map(Ok::<Tok, ()>)).map_err(|error| {
            self.make.errors.borrow_mut().truncate(noted);
            Box::new(self.explain(entry, &range, error))
        })
    }

    fn explain(&self, entry: Entry, range: &Range<usize>, error: ParseError<usize, Token, ()>) -> Diagnostic {
        let (at, expected) = match error {
            ParseError::UnrecognizedToken { token: (lo, _, _), expected } => {
                (self.index(lo, range), expected)
            }
            ParseError::UnrecognizedEof { expected, .. } => (range.end, expected),
            ParseError::ExtraToken { token: (lo, _, _) } => (self.index(lo, range), Vec::new()),
            ParseError::InvalidToken { .. } | ParseError::User { .. } => (range.end, Vec::new()),
        };
        explain::explain(self, &Trouble { entry, range: range.clone(), at, expected })
    }

    fn index(&self, lo: usize, range: &Range<usize>) -> usize {
        self.lexed.tokens.partition_point(|(start, _, _)| *start < lo).clamp(range.start, range.end)
    }
}
