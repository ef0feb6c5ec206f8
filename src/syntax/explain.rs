//! Syntax errors in terms of B.
//!
//! In: where the parser stopped and which tokens it would have taken. Out: a diagnostic that says what
//! was found, what was expected, and, for the usual slips, what to do.

use super::parse::Reader;
use super::token::{Entry, Token};
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Op;
use std::ops::Range;

/// A piece that could not be parsed.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) entry: Entry,
    /// The tokens of the piece.
    pub(super) range: Range<usize>,
    /// The token that does not fit; the end of the range if the piece is too short.
    pub(super) at: usize,
    /// The grammar's names of the tokens that would fit.
    pub(super) expected: Vec<String>,
}

/// The diagnostic for a piece that could not be parsed.
pub(super) fn explain(r: &Reader, t: &Trouble) -> Diagnostic {
    if let Some(Token::Bad(index)) = r.token(t.at)
        && let Some(d) = r.lexed.bad.get(*index as usize)
    {
        return d.clone();
    }
    let found = found(r, t.at);
    let expected = expected(t);
    let d = Diagnostic::error(
        Code::UnexpectedToken,
        r.place(t.at),
        format!("expected {expected}, found {found}"),
    )
    .with_label(format!("expected {expected}"));
    let d = match unclosed(r, t) {
        Some(at) => d.with_other(r.place(at), "this is not closed"),
        None => d,
    };
    match hint(r, t) {
        Some(text) => d.with_help(text),
        None => d,
    }
}

fn found(r: &Reader, at: usize) -> String {
    let text = match r.token(at) {
        None => return "the end of the text".to_owned(),
        Some(Token::Ident(name)) => return format!("the name `{name}`"),
        Some(Token::Int(i)) => return format!("the number {i}"),
        Some(Token::Real(x)) => return format!("the number {x}"),
        Some(Token::Str(_)) => return "a string".to_owned(),
        Some(token) => spelling(token),
    };
    format!("`{text}`")
}

/// A token as it is written.
fn spelling(token: &Token) -> String {
    let fixed = match token {
        Token::LParen => "(",
        Token::RParen => ")",
        Token::LBracket => "[",
        Token::RBracket => "]",
        Token::LBrace => "{",
        Token::RBrace => "}",
        Token::Comma => ",",
        Token::Semi => ";",
        Token::Par => "||",
        Token::Bar => "|",
        Token::Dot(_) => ".",
        Token::Quote => "'",
        Token::Assign => ":=",
        Token::Choose => "::",
        Token::Results => "<--",
        Token::Defined => "==",
        Token::Equal => "=",
        Token::In => ":",
        Token::And => "&",
        Token::Or => "or",
        Token::Not => "not",
        Token::Implies => "=>",
        Token::Iff => "<=>",
        Token::Forall => "!",
        Token::Exists => "#",
        Token::Lambda => "%",
        Token::Minus => "-",
        Token::Old => "$0",
        Token::EmptySet => "{}",
        Token::EmptySeq => "<>",
        Token::InWord => "IN",
        Token::OrElse => "OR",
        token if let Some(op) = token.operator() => super::print::operator(op),
        Token::Machine(_) => "MACHINE",
        Token::Skip | Token::Bool | Token::Rec | Token::Struct => return format!("{token:?}").to_lowercase(),
        Token::Clause(word) => return clause_name(&format!("{word:?}")),
        other => return format!("{other:?}").to_uppercase(),
    };
    fixed.to_owned()
}

/// `AbstractConstants` as `ABSTRACT_CONSTANTS`.
fn clause_name(debug: &str) -> String {
    let inner = debug.split_once('(').map_or(debug, |(_, rest)| rest.trim_end_matches(')'));
    let mut out = String::new();
    for c in inner.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_uppercase());
    }
    out
}

/// What would have fitted, in words.
fn expected(t: &Trouble) -> String {
    let has = |name: &str| t.expected.iter().any(|e| e.trim_matches('"') == name);
    let mut words: Vec<String> = Vec::new();
    let mut covered: Vec<&str> = Vec::new();
    if has("skip") {
        words.push("a substitution".into());
        covered.extend([
            "name", "skip", "BEGIN", "PRE", "ASSERT", "CHOICE", "SELECT", "IF", "CASE", "ANY", "LET", "VAR",
            "WHILE",
        ]);
    } else if has("integer") {
        words.push(if has("not") { "a formula" } else { "an expression" }.into());
        covered.extend([
            "name",
            "integer",
            "real",
            "string",
            "(",
            "{",
            "[",
            "const",
            "word",
            "empty set",
            "empty sequence",
            "bool",
            "rec",
            "struct",
            "IF",
            "LET",
            "%",
            "fold",
            "-",
            "not",
            "!",
            "#",
        ]);
    } else if has("name") {
        words.push("a name".into());
        covered.push("name");
    }
    if has(":=") {
        words.push("`:=` or another substitution".into());
        covered.extend([":=", "::", "<--", ":", "(", "'", ",", "||", ";"]);
    }
    if has("infix") || has("power") || has("cmp") || has("&") {
        words.push("an operator".into());
        covered.extend([
            "infix", "power", "cmp", "swapped", "arrow", "range", "-", "sum", "times", "after", "=", ":",
            "&", "or", "=>", "<=>", "(", "[", "'", "$0",
        ]);
    }
    for name in t.expected.iter().map(|e| e.trim_matches('"')) {
        if !covered.contains(&name) && !name.starts_with('<') || name == "<--" {
            words.push(format!("`{name}`"));
        }
    }
    let end = match t.entry {
        _ if t.at >= t.range.end => None,
        Entry::Operation => Some("the end of the operation"),
        Entry::Formula => Some("the end of the formula"),
        _ => Some("the end of the clause"),
    };
    if words.is_empty() {
        return end.unwrap_or("something else").to_owned();
    }
    words.truncate(6);
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

/// The innermost bracket or block before the trouble that is still open there.
fn unclosed(r: &Reader, t: &Trouble) -> Option<usize> {
    let mut open = Vec::new();
    for at in t.range.start..t.at {
        match r.token(at)? {
            Token::LParen | Token::LBrace | Token::LBracket | Token::Either => open.push(at),
            x if x.opens_block() => open.push(at),
            Token::RParen | Token::RBrace | Token::RBracket | Token::End => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop().filter(|_| t.at >= t.range.end || closes(r.token(t.at)))
}

fn closes(token: Option<&Token>) -> bool {
    matches!(
        token,
        Some(Token::RParen | Token::RBrace | Token::RBracket | Token::End | Token::Equal | Token::Results)
    )
}

/// Advice for the usual slips.
fn hint(r: &Reader, t: &Trouble) -> Option<&'static str> {
    let before = t.at.checked_sub(1).filter(|b| *b >= t.range.start).and_then(|b| r.token(b));
    let chained = comparison(r.token(t.at)) && follows_comparison(r, t);
    Some(match (before, r.token(t.at)) {
        (Some(Token::Semi), Some(Token::End | Token::Else | Token::OrElse | Token::When | Token::Elsif)) => {
            "`;` separates statements: remove the one before this place"
        }
        _ if t.range.is_empty() && t.entry == Entry::Operation => {
            "`;` separates operations: there must be one between two, and none after the last"
        }
        (Some(Token::Word(_)), _) => {
            "this word is an operator of B with its arguments in parentheses; it cannot be a name"
        }
        (Some(Token::Infix(Op::Append)), _) => {
            "`<-` appends to a sequence; for `less than minus` write `x < -3` with a space"
        }
        (_, Some(Token::Word(_) | Token::Const(_))) if t.expected.iter().any(|e| e == "\"name\"") => {
            "this word is an operator of B; a name must be different"
        }
        (_, Some(Token::EmptySeq)) => "`<>` is the empty sequence; `not equal` is written `/=`",
        (_, Some(Token::Defined)) => "`==` is for DEFINITIONS; equality is one `=`",
        (_, Some(Token::Assign))
            if t.entry == Entry::Operation && t.expected.iter().any(|e| e == "\"=\"") =>
        {
            "`;` ends an operation: statements in sequence stand in BEGIN .. END"
        }
        (_, Some(Token::Assign)) => "`:=` assigns and is no formula; equality is written `=`",
        (_, Some(Token::Cmp(Op::Gt))) if before == Some(&Token::Equal) => {
            "`=>` is implication, `>=` is greater or equal"
        }
        (Some(Token::Equal), Some(Token::Cmp(Op::Lt))) => "less or equal is written `<=`",
        (_, Some(Token::Equal)) if t.entry == Entry::Subst => "an assignment is written `x := E`",
        (_, Some(Token::Equal)) if unclosed(r, t).is_some() && t.entry == Entry::Operation => {
            "perhaps an END is missing before this operation"
        }
        (_, Some(Token::Equal)) if t.entry == Entry::Operation => "an assignment is written `x := E`",
        (_, Some(Token::In)) if t.entry == Entry::Subst || t.entry == Entry::Operation => {
            "`x :: S` chooses an element; `x : (P)` needs its parentheses"
        }
        (_, token) if chained && comparison(token) => "comparisons do not chain: write `a < b & b < c`",
        (_, Some(Token::Semi)) if t.entry == Entry::Operation => match unclosed(r, t) {
            Some(_) => "perhaps an END or a bracket is missing before this place",
            None => "`;` ends an operation: statements in sequence stand in BEGIN .. END",
        },
        (_, Some(Token::Semi | Token::Par)) => "composition and parallel product need parentheses: `(r;s)`",
        (_, Some(Token::Comma)) => "a pair outside a list needs parentheses: `(a,b)`, or write `a |-> b`",
        (_, token)
            if t.entry == Entry::Operation && t.at >= t.range.end && !matches!(token, Some(Token::End)) =>
        {
            "perhaps an END is missing"
        }
        (_, Some(Token::Ident(_))) if t.entry == Entry::Names => "names are separated by commas",
        _ => return None,
    })
}

/// Whether the formula before the trouble, back to the nearest connective or bracket, holds a comparison.
fn follows_comparison(r: &Reader, t: &Trouble) -> bool {
    let before = (t.range.start..t.at).rev().filter_map(|at| r.token(at));
    let inside = |x: &&Token| {
        let connective =
            matches!(x, Token::And | Token::Or | Token::Implies | Token::Iff | Token::Comma | Token::Bar);
        !connective && !matches!(x, Token::LParen | Token::LBrace | Token::LBracket | Token::Dot(_))
    };
    before.take_while(inside).any(|x| comparison(Some(x)))
}

fn comparison(token: Option<&Token>) -> bool {
    matches!(token, Some(Token::Cmp(_) | Token::Swapped(_) | Token::Equal | Token::In))
}
