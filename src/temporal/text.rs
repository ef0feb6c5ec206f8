//! From the text of a formula to its tree.
//!
//! In: a [`Text`]: what stands between the quotes of a definition, or an option of the command line. Out: a [`Form`], or the mistake with its place in the string. B inside
//! is read later (`lower`), by its own parser. Siblings: `ast`, `lexer`.

use super::ast::{Form, Place, Token};
use super::lexer::{self, Mistake};
use crate::diagnostic::{Code, Diagnostic};
use crate::resolve::flat::Stated;
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::Node;
use crate::syntax::parse_formula;
use lalrpop_util::{ParseError, lalrpop_mod};

lalrpop_mod!(
    #[allow(warnings, clippy::all, clippy::pedantic, reason = "generated code")]
    temporal
);

/// A formula with more tokens is none that a person has written.
const MOST_TOKENS: usize = 4000;

/// A formula in text.
#[derive(Clone, Debug)]
pub struct Text {
    /// What it is called.
    pub name: String,
    /// Whether it is about branching time.
    pub branching: bool,
    /// The name where it is defined, if it is.
    pub defined: Option<Span>,
    /// The text, as long as in its file.
    pub text: String,
    file: FileId,
    start: usize,
}

impl Text {
    /// A formula of the command line.
    pub fn of_option(name: &str, branching: bool, text: &str, sources: &mut Sources) -> Self {
        let file = sources.add(name, text);
        Self { name: text.trim().to_owned(), branching, defined: None, text: text.to_owned(), file, start: 0 }
    }

    /// A formula that a machine states; `None` if it is no string.
    #[must_use]
    pub fn of_definition(stated: &Stated, sources: &Sources) -> Option<Self> {
        let place = stated.text?;
        let raw = sources.text(place);
        let quotes = if raw.starts_with("'''") { 3 } else { 1 };
        let inside = raw.get(quotes..raw.len().checked_sub(quotes)?)?;
        Some(Self {
            name: stated.name.name.to_string(),
            branching: stated.branching,
            defined: Some(stated.name.span),
            text: plain(inside),
            file: place.file,
            start: place.lo as usize + quotes,
        })
    }

    /// The text on one line.
    #[must_use]
    pub fn folded(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A place in the sources.
    #[must_use]
    pub fn span(&self, place: &Place) -> Span {
        Span::new(self.file, self.start + place.start, self.start + place.end)
    }

    /// The whole.
    #[must_use]
    pub fn whole(&self) -> Span {
        self.span(&(0..self.text.len()))
    }

    /// Its tree.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(&self) -> Result<Form, Diagnostic> {
        let told = |m: Mistake| Diagnostic::error(m.code, self.span(&m.place), m.message);
        let tokens = lexer::tokens(&self.text, self.branching).map_err(told)?;
        if tokens.len() > MOST_TOKENS {
            let text = format!("a temporal formula of more than {MOST_TOKENS} tokens");
            return Err(Diagnostic::error(Code::Unsupported, self.whole(), text));
        }
        let parser = temporal::FormulaParser::new();
        parser.parse(tokens).map_err(|e| self.explained(e))
    }

    fn explained(&self, error: ParseError<usize, Token, ()>) -> Diagnostic {
        let unexpected = |place: Place, what: &str| {
            Diagnostic::error(Code::UnexpectedToken, self.span(&place), what.to_owned())
        };
        match error {
            ParseError::UnrecognizedToken { token: (lo, token, hi), .. } => {
                let d = unexpected(lo..hi, "this does not fit here");
                match token {
                    Token::Implies | Token::Iff => {
                        d.with_help("parentheses say which of several implications comes first")
                    }
                    Token::Binary(_) => {
                        d.with_help("parentheses say which of several such operators comes first")
                    }
                    _ => d,
                }
            }
            ParseError::ExtraToken { token: (lo, _, hi) } => unexpected(lo..hi, "nothing may follow here"),
            ParseError::UnrecognizedEof { location, .. } => {
                unexpected(location.saturating_sub(1)..location, "the formula ends too early")
            }
            ParseError::InvalidToken { location } => {
                unexpected(location..location + 1, "this cannot be read")
            }
            ParseError::User { .. } => unexpected(0..self.text.len(), "this cannot be read"),
        }
    }

    /// The B that stands at a place: places in it are those of the file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn formula(&self, place: &Place) -> Result<Node, Vec<Diagnostic>> {
        let inside = self.text.get(place.clone()).unwrap_or("");
        if inside.trim().is_empty() {
            let span = self.span(&(place.start.saturating_sub(1)..place.end + 1));
            return Err(vec![Diagnostic::error(Code::UnexpectedToken, span, "a formula is missing here")]);
        }
        let before = " ".repeat(self.start + place.start);
        let (node, errors) = parse_formula(self.file, &(before + inside));
        node.filter(|_| errors.is_empty()).ok_or(errors)
    }
}

/// A string with blanks where characters are escaped, so that all others keep their places.
fn plain(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('n' | 't' | 'r')) => {
                out.push_str("  ");
                chars.next();
            }
            ('\\', Some('"' | '\'' | '\\')) => {
                out.push(' ');
                out.extend(chars.next());
            }
            _ => out.push(c),
        }
    }
    out
}
