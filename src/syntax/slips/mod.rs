//! The usual slips of those who write B for the first time, found by mending them.
//!
//! In: the tokens of a text that cannot be read and its errors. Out: the errors again, but where a small edit of the
//! tokens makes an error go away, the edit tells what the slip was; what follows from it is told no more. Rows:
//! `spelling` (operators of other languages), `statements` (statements and heads of operations), `blocks` (words that
//! open a block), `declared` (types and values beside names), `separators` (what stands between names, sets, operations,
//! conjuncts), `words` (keywords misspelt, in small letters, or taken for names). Nothing that was mended is ever explored: the
//! text stays refused.

mod blocks;
mod declared;
mod separators;
mod spelling;
mod statements;
mod words;

use super::lexer::{Lexed, Tok};
use super::token::{ClauseWord, Token};
use crate::diagnostic::{Code, Diagnostic, joined};
use crate::source::{FileId, Span};
use std::ops::Range;

/// Edits tried and places looked at for one text, times its tokens and errors: about a second of reading.
const WORK: usize = 4_000_000;

/// An error takes as long to read as so many tokens: what may stand there instead is looked for.
const ERROR: usize = 8;

/// Tokens around an error among which a sign that only looked well is looked for.
const LOOK_BACK: usize = 24;

/// A place where the text cannot be read.
struct Place<'t> {
    file: FileId,
    text: &'t str,
    tokens: &'t [Tok],
    /// The token at which an error is told; the number of tokens for the end of the text.
    at: usize,
}

impl Place<'_> {
    fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at).map(|(_, t, _)| t)
    }

    fn name(&self, at: usize) -> Option<&str> {
        match self.token(at)? {
            Token::Ident(name) => Some(name),
            _ => None,
        }
    }

    fn span(&self, tokens: &Range<usize>) -> Span {
        let lo = self.tokens.get(tokens.start).map_or(self.text.len(), |(lo, _, _)| *lo);
        let last = tokens.end.checked_sub(1).filter(|last| *last >= tokens.start);
        let hi = last.and_then(|at| self.tokens.get(at)).map_or(lo, |(_, _, hi)| *hi);
        Span::new(self.file, lo, hi)
    }

    fn written(&self, tokens: &Range<usize>) -> &str {
        let span = self.span(tokens);
        self.text.get(span.lo as usize..span.hi as usize).unwrap_or("")
    }

    /// The clause that the place is in.
    fn clause(&self) -> Option<ClauseWord> {
        self.tokens.get(..self.at)?.iter().rev().find_map(|(_, t, _)| match t {
            Token::Clause(word) => Some(*word),
            _ => None,
        })
    }

    /// Whether a predicate is wanted: in a clause of predicates, or between the words of a statement that frame one.
    fn is_predicate(&self) -> bool {
        let before = self.tokens.get(..self.at).unwrap_or_default().iter().rev().map(|(_, token, _)| token);
        for token in before {
            match token {
                Token::Clause(word) => {
                    return !matches!(
                        word,
                        ClauseWord::Operations | ClauseWord::LocalOperations | ClauseWord::Initialisation
                    );
                }
                Token::Pre | Token::If | Token::Elsif | Token::Select | Token::When | Token::Where => {
                    return true;
                }
                Token::Assert | Token::While | Token::Invariant | Token::Variant => return true,
                Token::Be => return true,
                token if token.parts_block() || token.opens_block() => return false,
                Token::Semi | Token::End | Token::Assign => return false,
                _ => {}
            }
        }
        true
    }

    /// An edit that puts other tokens in the place of some.
    fn edit(&self, tokens: Range<usize>, with: Vec<Token>, message: String, help: impl Into<String>) -> Slip {
        let said = Diagnostic::error(Code::UnexpectedToken, self.span(&tokens), message).with_help(help);
        Slip { edits: vec![(tokens, with)], said }
    }
}

/// A slip: the edits that mend it, in the order of the text, and what is told.
struct Slip {
    edits: Vec<(Range<usize>, Vec<Token>)>,
    said: Diagnostic,
}

impl Slip {
    /// The same with a second place.
    fn with_place(mut self, p: &Place<'_>, at: usize, label: &str) -> Self {
        self.said = self.said.with_other(p.span(&(at..at + 1)), label);
        self
    }

    fn mended(&self, tokens: &[Tok], end: usize) -> Vec<Tok> {
        let mut out = Vec::with_capacity(tokens.len() + 2);
        let mut from = 0;
        for (range, with) in &self.edits {
            out.extend(tokens.get(from..range.start).unwrap_or_default().iter().cloned());
            let lo = tokens.get(range.start).map_or(end, |(lo, _, _)| *lo);
            let last = range.end.checked_sub(1).filter(|last| *last >= range.start);
            let hi = last.and_then(|at| tokens.get(at)).map_or(lo, |(_, _, hi)| *hi);
            out.extend(with.iter().map(|token| (lo, token.clone(), hi)));
            from = range.end;
        }
        out.extend(tokens.get(from..).unwrap_or_default().iter().cloned());
        out
    }
}

/// What a row makes of a place.
type Row = fn(&Place<'_>) -> Option<Slip>;

/// All rows; the first that makes an error go away is told.
const ROWS: &[Row] = &[
    statements::branches_of_choice,
    statements::branches_of_select,
    statements::results,
    statements::arrow,
    statements::head,
    declared::typed,
    declared::elements,
    blocks::guard,
    blocks::without_be,
    blocks::without_either,
    statements::increment,
    statements::parallel,
    statements::place_of_array,
    spelling::label,
    spelling::foreign,
    spelling::comment,
    spelling::set_operator,
    blocks::quantifier,
    spelling::cardinality,
    spelling::quoted,
    statements::returned,
    words::small_letters,
    words::misspelt,
    words::reserved,
    separators::end_of_clause,
    separators::names,
    separators::sets,
    separators::conjuncts,
    separators::operations,
    separators::missing_between_operations,
    separators::parameters,
    separators::stray_bracket,
    statements::unclosed,
    statements::then,
];

/// The errors of a text with its slips told as such. `read` gives the errors of edited tokens.
pub(super) fn told(
    (file, text): (FileId, &str),
    lexed: &Lexed,
    errors: Vec<Diagnostic>,
    read: &dyn Fn(Vec<Tok>) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut rounds = WORK / (lexed.tokens.len() + ERROR * errors.len()).max(1);
    let mut tokens = lexed.tokens.clone();
    let (mut errors, mut said) = (errors, Vec::new());
    if let Some(d) = words::other_language(file, &tokens) {
        return vec![d];
    }
    // Errors up to this one stay as they are.
    let mut done = 0;
    while let Some(lo) = errors.iter().filter(|d| d.code == Code::UnexpectedToken).nth(done).map(offset) {
        // Rows look around the place.
        let Some(left) = rounds.checked_sub(1) else { break };
        rounds = left;
        let at = tokens.partition_point(|(start, _, _)| *start < lo);
        let place = Place { file, text, tokens: &tokens, at };
        let mended = ROWS.iter().filter_map(|row| row(&place)).find_map(|slip| {
            rounds = rounds.checked_sub(1)?;
            let edited = slip.mended(&tokens, text.len());
            let after = read(edited.clone());
            (up_to(&after, lo) < up_to(&errors, lo)).then_some((slip.said, edited, after))
        });
        match mended {
            Some((slip, edited, after)) => {
                said.push(slip);
                (tokens, errors) = (edited, after);
            }
            None => done += 1,
        }
    }
    said.sort_by_key(offset);
    errors.append(&mut joined(said, |_| true));
    errors.sort_by_key(offset);
    errors
}

fn offset(d: &Diagnostic) -> usize {
    d.span.map_or(0, |s| s.lo as usize)
}

/// How many errors there are up to a place.
fn up_to(errors: &[Diagnostic], lo: usize) -> usize {
    errors.iter().filter(|d| offset(d) <= lo).count()
}
