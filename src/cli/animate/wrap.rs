//! Texts in lines of a width.
//!
//! In: a text, columns. Out: lines that fit, broken after commas where there are some. Columns are those that a terminal needs: a character
//! may need two of them, or none.

use unicode_width::UnicodeWidthChar as _;

/// Stands for what does not fit.
const CUT: char = '…';

/// Columns of a character.
fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// A text on one line: what does not fit is cut, with a sign.
pub(super) fn cut(text: &str, width: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for c in text.chars().map(|c| if c == '\n' { ' ' } else { c }) {
        used += columns(c);
        if used > width {
            while !out.is_empty() && columns_of(&out) + 1 > width {
                out.pop();
            }
            if width > 0 {
                out.push(CUT);
            }
            return out;
        }
        out.push(c);
    }
    out
}

/// Columns of a text.
pub(super) fn columns_of(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// The lines of a text.
pub(super) fn lines(text: &str, width: usize) -> impl Iterator<Item = &str> {
    text.lines().flat_map(move |line| Pieces { rest: Some(line), width: width.max(2) })
}

/// At most so many of them; a sign at the end says that there are more.
pub(super) fn first(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut out: Vec<String> = lines(text, width).take(most + 1).map(str::to_owned).collect();
    if out.len() > most {
        out.truncate(most);
        if let Some(last) = out.last_mut() {
            *last = cut(&format!("{last}{}", " ".repeat(width + 1)), width);
            *last = format!("{}{CUT}", last.trim_end_matches(CUT).trim_end());
        }
    }
    out
}

/// The pieces of a line.
struct Pieces<'t> {
    rest: Option<&'t str>,
    width: usize,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let line = self.rest.take()?;
        let (mut used, mut comma) = (0, None);
        for (at, c) in line.char_indices() {
            used += columns(c);
            if used > self.width {
                let end = comma.filter(|end| *end * 3 > at * 2).unwrap_or(at);
                let (piece, rest) = line.split_at_checked(end)?;
                self.rest = Some(rest);
                return Some(piece);
            }
            if matches!(c, ',' | ' ') {
                comma = Some(at + c.len_utf8());
            }
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_cut_with_a_sign() {
        assert_eq!(cut("{1,2}", 5), "{1,2}");
        assert_eq!(cut("{1,2,3}", 5), "{1,2…");
        assert_eq!(cut("漢字", 3), "漢…");
        assert_eq!(cut("ab", 1), "…");
        assert_eq!(cut("ab", 0), "");
    }

    #[test]
    fn nothing_is_lost_between_lines() {
        let text = "x = {aaaa,bbbb,cccc}\n漢字漢字";
        for width in 2..30 {
            let all: Vec<&str> = lines(text, width).collect();
            assert!(all.iter().all(|l| columns_of(l) <= width), "{width}: {all:?}");
            assert_eq!(all.concat(), text.replace('\n', ""));
        }
        assert_eq!(lines("{aaaa,bbbb,cccc}", 12).collect::<Vec<_>>(), ["{aaaa,bbbb,", "cccc}"]);
        assert_eq!(first("{aaaa,bbbb,cccc}", 12, 1), ["{aaaa,bbbb,…"]);
    }
}
