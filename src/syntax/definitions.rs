//! The DEFINITIONS clause.
//!
//! In: its tokens. Out: definitions, each read as a formula, else as a substitution, else as a list of
//! names. A body that is none of these is kept with its error, which counts only if it is used.

use super::ast::{DefBody, Definition, Ident};
use super::make::Parsed;
use super::parse::Reader;
use super::split::{self, Guards};
use super::token::{Entry, Token};
use crate::diagnostic::{Code, Diagnostic};
use std::ops::Range;

/// All definitions of a clause; a trailing `;` is allowed.
pub(super) fn definitions(r: &Reader, body: Range<usize>) -> Vec<Definition> {
    let ranges = split::pieces(&r.lexed.tokens, body, &Token::Semi, Guards::Parentheses);
    ranges.into_iter().filter(|range| !range.is_empty()).filter_map(|range| definition(r, range)).collect()
}

fn definition(r: &Reader, range: Range<usize>) -> Option<Definition> {
    if let Some(Token::Str(file)) = r.token(range.start) {
        if range.len() > 1 {
            let d = Diagnostic::error(
                Code::UnexpectedToken,
                r.place(range.start + 1),
                "`;` is expected after the name of a definition file",
            );
            r.complain(d);
        }
        return Some(Definition::File(file.clone(), r.place(range.start)));
    }
    let start = split::definition_head(&r.lexed.tokens, range.start).filter(|start| *start <= range.end);
    let Some(start) = start else {
        r.complain(bad_head(r, &range));
        return None;
    };
    let mut names =
        r.lexed.tokens.get(range.start..start).unwrap_or(&[]).iter().filter_map(|(lo, t, hi)| match t {
            Token::Ident(name) => {
                Some(Ident { name: name.clone(), span: crate::source::Span::new(r.file, *lo, *hi) })
            }
            _ => None,
        });
    let name = names.next()?;
    let params = names.collect();
    let end = end_of_body(r, start..range.end);
    Some(Definition::Body { name, params, body: body(r, start..end) })
}

fn bad_head(r: &Reader, range: &Range<usize>) -> Diagnostic {
    let one_equal = range.clone().take(20).find(|at| r.token(*at) == Some(&Token::Equal));
    let d = Diagnostic::error(
        Code::UnexpectedToken,
        r.places(range),
        "a definition is written `name == body` or `name(x,y) == body`",
    );
    match one_equal {
        Some(at) => d.with_other(r.place(at), "one `=` where `==` is expected"),
        None => d,
    }
}

/// Where the body ends: before another `name ==`, if its `;` was forgotten.
fn end_of_body(r: &Reader, range: Range<usize>) -> usize {
    let next = range.clone().skip(1).find(|at| split::definition_head(&r.lexed.tokens, *at).is_some());
    let Some(next) = next else { return range.end };
    let d = Diagnostic::error(Code::UnexpectedToken, r.place(next), "`;` is missing before this definition");
    r.complain(d);
    next
}

fn body(r: &Reader, range: Range<usize>) -> DefBody {
    let first = match r.attempt(Entry::Formula, range.clone()) {
        Ok(Parsed::Formula(node)) => return DefBody::Formula(node),
        Ok(_) => None,
        Err(d) => Some(d),
    };
    let second = match r.attempt(Entry::Subst, range.clone()) {
        Ok(Parsed::Subst(subst)) => return DefBody::Subst(subst),
        Ok(_) => None,
        Err(d) => Some(d),
    };
    if let Ok(Parsed::Names(names)) = r.attempt(Entry::Names, range.clone()) {
        return DefBody::Names(names);
    }
    // The reading that got further is the one that was meant.
    let place = |d: &Diagnostic| d.span.map_or(0, |s| s.lo);
    let furthest =
        [first, second].into_iter().flatten().reduce(|a, b| if place(&b) > place(&a) { b } else { a });
    DefBody::Unreadable(furthest.unwrap_or_else(|| {
        Box::new(Diagnostic::error(Code::UnexpectedToken, r.places(&range), "this definition cannot be read"))
    }))
}
