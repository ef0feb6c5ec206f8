//! From text to a list of tokens with places, as the parser reads it.
//!
//! In: a text. Out: tokens, pragmas, and a diagnostic for every piece of text that is none (the piece
//! stays in the list as [`Token::Bad`], so that it is reported where the parser meets it). Dotted names
//! are joined here, and tables are read here if they are wanted. Input that is nested too deeply for the stages behind
//! is refused here.

use super::ast::{Name, NodeKind};
use super::scan::{BadText, Pragma};
use super::table;
use super::token::Token;
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Op;
use crate::source::{FileId, Span};
use logos::Logos;

/// A token between its first byte and one past its last.
pub type Tok = (usize, Token, usize);

/// A text in tokens.
#[derive(Clone, Debug)]
pub struct Lexed {
    /// The tokens in order.
    pub tokens: Vec<Tok>,
    /// What [`Token::Bad`] points to.
    pub bad: Vec<Diagnostic>,
    /// All pragmas.
    pub pragmas: Vec<Pragma>,
    /// Set if the text is nested too deeply; nothing of it may be parsed then.
    pub too_deep: Option<Diagnostic>,
    /// Whether there is a table among the tokens ([`Token::Data`]).
    pub tables: bool,
}

/// Brackets and blocks that may be open at one place.
const DEEPEST: usize = 1_000;
/// How high the tree of one formula may be: trees are walked recursively.
const HIGHEST: usize = 20_000;

/// Splits a text into tokens.
#[must_use]
pub fn lex(file: FileId, text: &str) -> Lexed {
    split(file, text, None)
}

/// Splits a text into tokens, tables into one each.
#[must_use]
pub fn lex_tables(file: FileId, text: &str) -> Lexed {
    split(file, text, Some(Tables { file, text, from: 0, found: false }))
}

/// The search for tables.
struct Tables<'t> {
    file: FileId,
    text: &'t str,
    /// What opens before this byte is no table: no byte is looked at more than twice for each level of brackets.
    from: usize,
    found: bool,
}

impl Tables<'_> {
    /// The table that starts with the last token, and where it ends.
    fn at(&mut self, tokens: &[Tok]) -> Option<(Token, usize)> {
        let (start, last, _) = tokens.last()?;
        let opens = match last {
            Token::LBrace => true,
            Token::LBracket => {
                let before = tokens.len().checked_sub(2).and_then(|at| tokens.get(at));
                before.is_some_and(|(_, token, _)| token.before_sequence() || *token == Token::Defined)
            }
            _ => false,
        };
        if !opens || *start < self.from {
            return None;
        }
        match table::table(self.file, self.text, *start) {
            Ok((table, end)) => {
                self.found = true;
                Some((Token::Data(Box::new(NodeKind::Table(table))), end))
            }
            Err(other) => {
                self.from = other.unwrap_or(self.from);
                None
            }
        }
    }
}

fn split(file: FileId, text: &str, mut tables: Option<Tables>) -> Lexed {
    let mut lexer = Token::lexer(text);
    lexer.bump(shebang(text));
    let mut tokens: Vec<Tok> = Vec::new();
    let mut bad: Vec<Diagnostic> = Vec::new();
    let garbled = text.contains(char::REPLACEMENT_CHARACTER);
    // Tables are read without looking at each string.
    tables = tables.filter(|_| !garbled);
    while let Some(next) = lexer.next() {
        let at = lexer.span();
        let garbled = garbled && lexer.slice().contains(char::REPLACEMENT_CHARACTER);
        let next = match next {
            Ok(Token::Str(_) | Token::Ident(_)) if garbled => Err(BadText::Encoding),
            next => next,
        };
        match next {
            Ok(token) => {
                push(&mut tokens, (at.start, token, at.end));
                if let Some((table, end)) = tables.as_mut().and_then(|tables| tables.at(&tokens)) {
                    tokens.pop();
                    tokens.push((at.start, table, end));
                    lexer.bump(end - at.end);
                }
            }
            Err(BadText::Character) if extends_bad(&mut tokens, &mut bad, &at) => {}
            Err(why) => {
                let index = u32::try_from(bad.len()).unwrap_or(u32::MAX);
                bad.push(complaint(why, Span::new(file, at.start, at.end), lexer.slice()));
                tokens.push((at.start, Token::Bad(index), at.end));
            }
        }
    }
    let too_deep = too_deep(file, &tokens);
    let tables = tables.is_some_and(|tables| tables.found);
    Lexed { tokens, bad, pragmas: std::mem::take(&mut lexer.extras.pragmas), too_deep, tables }
}

fn shebang(text: &str) -> usize {
    let bom = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let rest = text.get(bom..).unwrap_or("");
    if rest.starts_with("#!") { bom + rest.find('\n').unwrap_or(rest.len()) } else { 0 }
}

/// Appends a token; `name . name` becomes one name. Only the ASCII dot joins.
fn push(tokens: &mut Vec<Tok>, (lo, token, hi): Tok) {
    if let Token::Ident(last) = &token
        && let [.., (_, Token::Ident(first), end), (_, Token::Dot(true), _)] = tokens.as_mut_slice()
    {
        *first = Name::from(format!("{first}.{last}"));
        *end = hi;
        tokens.pop();
    } else {
        tokens.push((lo, token, hi));
    }
}

/// Makes neighbouring bad characters one complaint.
fn extends_bad(tokens: &mut [Tok], bad: &mut [Diagnostic], at: &std::ops::Range<usize>) -> bool {
    let Some((_, Token::Bad(_), end)) = tokens.last_mut() else { return false };
    let Some(span) = bad.last_mut().and_then(|d| d.span.as_mut()) else { return false };
    if *end != at.start {
        return false;
    }
    *end = at.end;
    span.hi = u32::try_from(at.end).unwrap_or(u32::MAX);
    true
}

/// What to do about bytes that are not UTF-8.
const NOT_UTF8: &str = "the file is not UTF-8 (perhaps Latin-1): save it as UTF-8";

fn complaint(why: BadText, span: Span, text: &str) -> Diagnostic {
    let open = Span { hi: span.lo + span.hi.saturating_sub(span.lo).min(3), ..span };
    match why {
        BadText::Character => {
            let d = Diagnostic::error(Code::BadToken, span, format!("`{text}` is not a token of B"));
            match text {
                "$" => d.with_help("the old value of a variable is written `x$0`"),
                "_" => d.with_help("a name starts with a letter"),
                "“" | "”" | "„" | "‘" | "’" | "«" | "»" => {
                    d.with_help("strings stand in straight double quotes: `\"abc\"`")
                }
                _ if text.contains(char::REPLACEMENT_CHARACTER) => d.with_help(NOT_UTF8),
                "?" | "@" | "⋀" | "⋁" | "⊢" | "⇐" => {
                    d.with_help("this sign has no meaning in classical B")
                }
                _ => d,
            }
        }
        BadText::Comment => Diagnostic::error(
            Code::UnclosedComment,
            Span { hi: open.hi.min(span.lo + 2), ..open },
            "a comment that is not closed",
        )
        .with_help(
            "`/*` starts a comment, also where a division and a product were meant; close it with `*/`",
        ),
        BadText::Str => Diagnostic::error(Code::UnclosedComment, open, "a string that is not closed")
            .with_help("a string ends on its line; use `'''` for one of several lines"),
        BadText::Quoted => {
            Diagnostic::error(Code::BadToken, span, "a quoted name that is empty or not closed")
        }
        BadText::Encoding => {
            let what = if text.starts_with(['"', '\'']) { "a string" } else { "a name" };
            Diagnostic::error(Code::BadToken, span, format!("{what} with bytes that are no text"))
                .with_help(NOT_UTF8)
        }
        BadText::Template => {
            Diagnostic::error(Code::Unsupported, span, "interpolated strings are not supported")
        }
    }
}

/// How high the tree over the tokens of one bracket or block is at most, as far as they were read. Members of a list
/// (conjuncts, disjuncts, elements, substitutions) stand side by side and add nothing to each other.
#[derive(Default)]
struct Level {
    /// Whether it is a parenthesis whose commas and `;` nest to the left.
    nests: bool,
    /// Whether a substitution stands in it: the branches of an IF are then a list, those of an expression nest.
    acts: bool,
    /// Operators in the member at hand, each of which may stand over the one before.
    links: usize,
    /// The highest bracket closed in the member at hand.
    inner: usize,
    /// The highest of the members before.
    members: usize,
    /// The highest of the parts before, which nothing that follows stands over.
    parts: usize,
    /// Connectives under which all that was read before stands.
    over: usize,
    /// The last of `&` and `or`: a change between the two nests.
    last: Option<Token>,
}

impl Level {
    fn height(&self) -> usize {
        self.parts.max(self.members.max(self.links + self.inner) + self.over)
    }

    /// Ends a part.
    fn part(&mut self) {
        let parts = self.height();
        *self = Self { nests: self.nests, acts: self.acts, parts, ..Self::default() };
    }

    /// Ends a member.
    fn next(&mut self) {
        self.members = self.members.max(self.links + self.inner);
        (self.links, self.inner, self.last) = (0, 0, None);
    }

    /// Ends a member; the rest stands over all before.
    fn nest(&mut self) {
        self.next();
        self.over += 1;
    }

    fn connective(&mut self, token: &Token) {
        let changes = self.last.as_ref().is_some_and(|last| last != token);
        self.next();
        self.over += usize::from(changes);
        self.last = Some(token.clone());
    }
}

/// Whether the tree over a token list is too high for those who walk it recursively.
fn too_deep(file: FileId, tokens: &[Tok]) -> Option<Diagnostic> {
    let mut open = vec![Level::default()];
    let mut before: Option<&Token> = None;
    for (lo, token, hi) in tokens {
        let mut closed = None;
        if let Some(level) = open.last_mut() {
            match token {
                Token::RParen | Token::RBracket | Token::RBrace | Token::End => closed = open.pop(),
                Token::LParen | Token::LBracket | Token::LBrace => {}
                Token::And | Token::Or => level.connective(token),
                Token::Comma | Token::Semi | Token::Par if level.nests => level.nest(),
                Token::Elsif if level.acts => level.part(),
                Token::Implies | Token::Elsif => level.nest(),
                Token::Comma | Token::Semi | Token::Par => level.part(),
                t if t.parts_block() => level.next(),
                Token::Assign | Token::Choose | Token::Results | Token::Skip => level.acts = true,
                Token::Ident(_) | Token::Int(_) | Token::Str(_) | Token::Const(_) => {}
                _ => level.links += 1,
            }
        }
        match token {
            // The parts of a partition stand side by side, and so do the fields of a record.
            Token::LParen => open.push(Level {
                nests: !matches!(before, Some(Token::Word(Op::Partition) | Token::Rec | Token::Struct)),
                ..Level::default()
            }),
            t if t.opens_block() || matches!(t, Token::LBracket | Token::LBrace) => {
                open.push(Level::default());
            }
            Token::Clause(_) | Token::Machine(_) => open.clear(),
            _ => {}
        }
        if open.is_empty() {
            open.push(Level::default());
        }
        if let (Some(closed), Some(level)) = (closed, open.last_mut()) {
            level.inner = level.inner.max(closed.height());
            level.acts |= closed.acts;
            // An application or image stands over what is before it.
            level.links += usize::from(matches!(token, Token::RParen | Token::RBracket));
        }
        let high = open.last().is_some_and(|level| level.height() > HIGHEST);
        if open.len() > DEEPEST + 1 || high {
            let span = Span::new(file, *lo, *hi);
            let text = format!(
                "the text is nested too deeply: at most {DEEPEST} open brackets and {HIGHEST} operators over each other"
            );
            return Some(Diagnostic::error(Code::Unsupported, span, text));
        }
        before = Some(token);
    }
    None
}
