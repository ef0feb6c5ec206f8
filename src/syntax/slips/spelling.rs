//! Operators as other languages write them.
//!
//! In: a place. Out: the edit that writes them as B does. Words in place of operators are here too (`and`).

use super::super::lexer::lex;
use super::super::token::Token;
use super::{LOOK_BACK, Place, Slip};
use crate::ops::Op;
use crate::source::FileId;

/// What is written, what B writes, and what that means.
const FOREIGN: &[(&str, &str, &str)] = &[
    ("not in", "/:", "not a member"),
    ("notin", "/:", "not a member"),
    ("subset", "<:", "inclusion"),
    ("subseteq", "<:", "inclusion"),
    ("union", "\\/", "the union"),
    ("inter", "/\\", "the intersection"),
    ("intersect", "/\\", "the intersection"),
    ("implies", "=>", "implication"),
    ("iff", "<=>", "equivalence"),
    ("!=", "/=", "not equal"),
    ("<>", "/=", "not equal"),
    ("&&", "&", "`and`"),
    ("and", "&", "`and`"),
    ("AND", "&", "`and`"),
    ("||", "or", "`or`"),
    ("OR", "or", "`or`"),
    ("NOT", "not", "negation"),
    ("==>", "=>", "implication"),
    ("<==>", "<=>", "equivalence"),
    ("==", "=", "equality"),
    (":=", "=", "equality"),
    ("=<", "<=", "less or equal"),
    ("=>=", ">=", "greater or equal"),
    ("=", ":=", "an assignment"),
    ("in", ":", "membership"),
    ("%", "mod", "the remainder"),
    ("forall", "!", "`for all`"),
    ("exists", "#", "`there is`"),
    ("...", "..", "an interval"),
];

/// Tokens before the error at which an operator may stand that only looked well.
const NEAR: usize = 2;

/// An operator of another language at the place or just before it.
pub(super) fn foreign(p: &Place<'_>) -> Option<Slip> {
    (0..NEAR).filter_map(|back| p.at.checked_sub(back)).find_map(|at| {
        FOREIGN.iter().find_map(|(wrong, right, what)| {
            let found = word(wrong);
            let range = at..at + found.len();
            let same = (0..found.len()).all(|i| p.token(at + i) == found.get(i));
            // Equality for assignment only where the error is, or every formula would be one.
            let likely = match found.as_slice() {
                [Token::Assign] => range.contains(&p.at) && p.is_predicate(),
                [Token::Equal | Token::Lambda] => range.contains(&p.at),
                _ => true,
            };
            (same && likely && p.written(&range) == *wrong).then(|| {
                p.edit(
                    range,
                    word(right),
                    format!("`{wrong}` means nothing here"),
                    format!("for {what} write `{right}`"),
                )
            })
        })
    })
}

/// A text in tokens.
pub(super) fn word(text: &str) -> Vec<Token> {
    lex(FileId(0), text).tokens.into_iter().map(|(_, token, _)| token).collect()
}

/// `-- text` to the end of the line.
pub(super) fn comment(p: &Place<'_>) -> Option<Slip> {
    let begins = |at: &usize| p.written(&(*at..at + 2)) == "--";
    let start = (p.at.saturating_sub(LOOK_BACK)..=p.at).rev().find(begins)?;
    let lo = p.tokens.get(start)?.0;
    let error = p.tokens.get(p.at).map_or(p.text.len(), |(lo, _, _)| *lo);
    // The error is in the comment, or what follows it.
    if start + 2 < p.at && p.text.get(lo..error)?.contains('\n') {
        return None;
    }
    let line = p.text.get(lo..)?.find('\n').map_or(p.text.len(), |n| lo + n);
    let end = p.tokens.partition_point(|(begin, _, _)| *begin < line);
    let mut slip = p.edit(
        start..end,
        Vec::new(),
        "`--` starts no comment in B".to_owned(),
        "a comment is written `// text` to the end of the line, or `/* text */`",
    );
    slip.said.span = Some(p.span(&(start..start + 2)));
    Some(slip)
}

/// `/\`, `\/` or `->` between predicates.
pub(super) fn set_operator(p: &Place<'_>) -> Option<Slip> {
    let at = (p.at.saturating_sub(LOOK_BACK)..=p.at)
        .rev()
        .find(|at| matches!(p.token(*at), Some(Token::Infix(Op::Inter | Op::Union | Op::Prepend))))?;
    let (wrong, is, right, sign, meant) = match p.token(at) {
        Some(Token::Infix(Op::Inter)) => ("/\\", "is the intersection of two sets", Token::And, "&", "`and`"),
        Some(Token::Infix(Op::Union)) => ("\\/", "is the union of two sets", Token::Or, "or", "`or`"),
        _ => ("->", "prepends to a sequence", Token::Implies, "=>", "implication"),
    };
    let message = format!("`{wrong}` {is}; predicates stand beside it");
    Some(p.edit(at..at + 1, vec![right], message, format!("for {meant} write `{sign}`")))
}

/// `inv1: P` and `act1: x := E`, as Event-B labels predicates and actions: a name that stands nowhere else.
pub(super) fn label(p: &Place<'_>) -> Option<Slip> {
    let joins = |at: &usize| {
        matches!(p.token(*at), Some(Token::And | Token::Clause(_) | Token::Where | Token::Pre))
            || matches!(
                p.token(*at),
                Some(Token::Invariant | Token::Then | Token::Begin | Token::Par | Token::Semi)
            )
    };
    let at = (p.at.saturating_sub(LOOK_BACK)..p.at).rev().find(joins)? + 1;
    let name = p.name(at).filter(|_| p.token(at + 1) == Some(&Token::In))?;
    let once = (0..p.tokens.len()).filter(|other| p.name(*other) == Some(name)).nth(1).is_none();
    (once && p.at > at + 1).then(|| {
        let message = format!("`{name}:` is a label as in Event-B");
        let joined = if p.is_predicate() { "predicates by `&`" } else { "substitutions by `||`" };
        let help = format!("classical B has no labels: leave it out, and join {joined}");
        p.edit(at..at + 2, Vec::new(), message, help)
    })
}

/// The sign at the place and the next one like it, at least so far behind.
fn twice(p: &Place<'_>, sign: &Token, least: usize) -> Option<(usize, usize)> {
    let is = |at: &usize| p.token(*at) == Some(sign);
    let start = Some(p.at).filter(is)?;
    Some((start, (start + least..p.tokens.len().min(start + LOOK_BACK)).find(is)?))
}

/// `|s|`.
pub(super) fn cardinality(p: &Place<'_>) -> Option<Slip> {
    let (start, end) = twice(p, &Token::Bar, 2)?;
    let set = p.written(&(start + 1..end));
    let help = format!("the number of elements is written `card({set})`");
    let mut slip = p.edit(start..end + 1, Vec::new(), "`|` opens no bracket".to_owned(), help);
    slip.edits = vec![(start..start + 1, word("card(")), (end..end + 1, vec![Token::RParen])];
    Some(slip)
}

/// `'text'`.
pub(super) fn quoted(p: &Place<'_>) -> Option<Slip> {
    let (start, end) = twice(p, &Token::Quote, 1)?;
    let text = p.written(&(start + 1..end));
    let help = format!("strings stand in double quotes: `\"{text}\"`");
    Some(p.edit(start..end + 1, vec![Token::Str(text.into())], "`'` starts no string".to_owned(), help))
}
