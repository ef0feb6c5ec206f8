//! Comments, and what they say of a declaration.
//!
//! In: a text and a declaration in it. Out: the words of the comment that stands directly before it, or behind it on the same
//! line. The lexer drops comments, so they are found here.

use std::ops::Range;

/// The comments of a text, and the strings, in order; true for a comment.
fn pieces(text: &str) -> Vec<(Range<usize>, bool)> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let (open, close, comment) = match (byte, bytes.get(at + 1), bytes.get(at + 2)) {
            (b'/', Some(b'/'), _) => (2, "\n", true),
            (b'/', Some(b'*'), _) => (2, "*/", true),
            (b'\'', Some(b'\''), Some(b'\'')) => (3, "'''", false),
            (b'"', _, _) => (1, "\"", false),
            _ => {
                at += 1;
                continue;
            }
        };
        let inside = at + open;
        let length = text.get(inside..).and_then(|rest| rest.find(close)).map(|n| inside + n);
        // The end of the line is not part of the comment.
        let end = length.map_or(text.len(), |n| if close == "\n" { n } else { n + close.len() });
        out.push((at..end, comment));
        at = end;
    }
    out
}

/// Whether a byte is inside a comment or string.
pub(super) fn is_within(text: &str, byte: usize) -> bool {
    pieces(text).iter().any(|(range, comment)| {
        // Typing goes on at the end of a line comment, and behind others.
        let line = *comment && text.get(range.clone()).is_some_and(|c| c.starts_with("//"));
        range.start < byte && (byte < range.end || line && byte == range.end)
    })
}

/// What comments say of the declaration at `name`, which is all of `whole`.
pub(super) fn about(text: &str, name: Range<usize>, whole: Range<usize>) -> Option<String> {
    // A pragma is for programs.
    let pragma = |range: &Range<usize>| text.get(range.clone()).is_some_and(|c| c.starts_with("/*@"));
    let all = pieces(text).into_iter().filter(|(_, comment)| *comment).map(|(range, _)| range);
    let comments: Vec<Range<usize>> = all.filter(|range| !pragma(range)).collect();
    let before = before(text, &comments, whole.start);
    let said = before.or_else(|| behind(text, &comments, name, whole))?;
    (!said.is_empty()).then_some(said)
}

/// The comments that end directly before a place; several lines of them are one.
fn before(text: &str, comments: &[Range<usize>], start: usize) -> Option<String> {
    let mut at = start;
    let mut lines = Vec::new();
    for comment in comments.iter().rev().skip_while(|c| c.end > start) {
        let between = text.get(comment.end..at)?;
        if !between.trim().is_empty() || between.matches('\n').count() > 1 {
            break;
        }
        // What stands behind something else on its line is about that, unless the declaration is on the line, too.
        let line = text.get(..comment.start)?.rsplit('\n').next().unwrap_or("");
        let apart = between.contains('\n') && !line.trim().is_empty();
        if apart {
            break;
        }
        lines.push(words(text.get(comment.clone())?));
        at = comment.start;
    }
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The comment behind a name on its line, where nothing else is declared between.
fn behind(text: &str, comments: &[Range<usize>], name: Range<usize>, whole: Range<usize>) -> Option<String> {
    // The head of an operation, or all of what is on one line.
    let line = |from: usize| text.get(from..).and_then(|r| r.find('\n')).map_or(text.len(), |n| from + n);
    let end = if whole.end <= line(name.end) { whole.end } else { name.end };
    let comment = comments.iter().find(|c| c.start >= end && c.start < line(end))?;
    let between = text.get(end..comment.start)?;
    let long = whole.end > line(name.end);
    let nothing = between.chars().all(|c| c.is_whitespace() || matches!(c, ',' | ';'));
    (long || nothing).then(|| words(text.get(comment.clone()).unwrap_or("")))
}

/// A comment without its marks.
fn words(comment: &str) -> String {
    let inner = comment.strip_prefix("//").or_else(|| comment.strip_prefix("/*")).unwrap_or(comment);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let lines: Vec<&str> = inner.lines().map(|l| l.trim().trim_start_matches(['*', '/']).trim()).collect();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, name: &str) -> Option<String> {
        let at = text.find(name).expect("the name");
        about(text, at..at + name.len(), at..at + name.len())
    }

    #[test]
    fn a_comment_is_about_what_stands_by_it() {
        let text = "VARIABLES\n  /* how many */ aa, // not bb\n  bb, // of bb\n  // two\n  // lines\n  cc,\n\n  // far\n\n  dd /*@x */, ee";
        assert_eq!(of(text, "aa").as_deref(), Some("how many"));
        assert_eq!(of(text, "bb,").as_deref(), Some("of bb"));
        assert_eq!(of(text, "cc").as_deref(), Some("two\nlines"));
        assert_eq!(of(text, "dd"), None);
        assert_eq!(of("x == \"// no\"; y // yes", "y").as_deref(), Some("yes"));
    }

    #[test]
    fn an_operation_is_told_about_before_it_or_on_its_first_line() {
        let text = "  // adds\n  add(e) = // here\n  BEGIN skip END;\n  sub = // less\n  skip\n END";
        let of = |name: &str, hi: usize| {
            let at = text.find(name).expect("the name");
            about(text, at..at + name.len(), at..hi)
        };
        assert_eq!(of("add(e)", 45).as_deref(), Some("adds"));
        assert_eq!(of("sub", text.len()).as_deref(), Some("less"));
    }

    #[test]
    fn one_knows_when_one_is_inside() {
        let text = "a // b\nc /* d */ \"e\" f";
        let inside: Vec<bool> = [0, 5, 6, 8, 13, 16, 19, 21].iter().map(|b| is_within(text, *b)).collect();
        assert_eq!(inside, [false, true, true, false, true, false, true, false]);
    }
}
