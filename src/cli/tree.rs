//! A tree on lines of its own, however high it is.
//!
//! In: what prints itself as `{:?}` does. Out: the same with one part per line, each place in the text on one line. Deeper than
//! [`MARGIN`] levels the lines are not set in further, a number says their level: the output is as long as the tree is large.

use std::fmt::{self, Debug, Write as _};
use std::io::{self, Write};

/// Levels that are shown by blanks.
const MARGIN: usize = 16;

/// Writes a tree and ends the line.
pub(super) fn write(tree: &dyn Debug, to: &mut dyn Write) -> io::Result<()> {
    let mut lines = Lines {
        to: io::BufWriter::new(to),
        failed: None,
        level: 0,
        at: At::Text,
        word: String::new(),
        blank: false,
    };
    let _ = write!(lines, "{tree:?}");
    if let Some(error) = lines.failed {
        return Err(error);
    }
    lines.to.write_all(b"\n")?;
    lines.to.flush()
}

/// Where the text of a tree is.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Text,
    /// Behind a bracket that opened: the next character may close it.
    Opened,
    /// Behind a comma.
    Comma,
    /// In a string; whether behind a backslash.
    Str(bool),
    /// In brackets that stay on one line: how many are open.
    Line(u32),
}

struct Lines<W: Write> {
    to: W,
    failed: Option<io::Error>,
    level: usize,
    at: At,
    /// The word at hand.
    word: String,
    /// Whether a blank is to come before the next character of the line.
    blank: bool,
}

impl<W: Write> Lines<W> {
    fn put(&mut self, c: char) -> io::Result<()> {
        if std::mem::take(&mut self.blank) {
            self.to.write_all(b" ")?;
        }
        write!(self.to, "{c}")
    }

    fn line(&mut self) -> io::Result<()> {
        self.blank = false;
        self.to.write_all(b"\n")?;
        for _ in 0..self.level.min(MARGIN) {
            self.to.write_all(b"  ")?;
        }
        if self.level > MARGIN { write!(self.to, "@{} ", self.level) } else { Ok(()) }
    }

    fn next(&mut self, c: char) -> io::Result<()> {
        match (self.at, c) {
            (At::Str(true), _) => self.at = At::Str(false),
            (At::Str(_), '\\') => self.at = At::Str(true),
            (At::Str(_), '"') => self.at = At::Text,
            (At::Str(_), _) => {}
            (At::Line(n), '{' | '(' | '[') => self.at = At::Line(n + 1),
            (At::Line(1), '}' | ')' | ']') => self.at = At::Text,
            (At::Line(n), '}' | ')' | ']') => self.at = At::Line(n - 1),
            (At::Line(_), _) => {}
            (At::Opened, '}' | ')' | ']') => {
                self.at = At::Text;
                self.level -= 1;
            }
            // The blank is the one after a bracket or a comma.
            (At::Opened | At::Comma, ' ') => return Ok(()),
            (At::Text, '}' | ')' | ']') => {
                self.level = self.level.saturating_sub(1);
                self.line()?;
            }
            (before, _) => {
                if before != At::Text {
                    self.line()?;
                }
                return self.part(c);
            }
        }
        self.put(c)
    }

    /// A character of a part.
    fn part(&mut self, c: char) -> io::Result<()> {
        self.at = match c {
            '{' if self.word == "Span" => At::Line(1),
            '{' | '(' | '[' => {
                self.level += 1;
                At::Opened
            }
            ',' => At::Comma,
            '"' => At::Str(false),
            _ => At::Text,
        };
        match c {
            c if c.is_alphanumeric() => self.word.push(c),
            // There is one before the bracket that closes fields, too.
            ' ' => {
                self.blank = true;
                return Ok(());
            }
            _ => self.word.clear(),
        }
        self.put(c)
    }
}

impl<W: Write> fmt::Write for Lines<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if let Err(error) = self.next(c) {
                self.failed = Some(error);
                return Err(fmt::Error);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, Span};

    fn shown(tree: &dyn Debug) -> String {
        let mut out = Vec::new();
        write(tree, &mut out).expect("memory takes all");
        String::from_utf8(out).expect("text")
    }

    #[derive(Debug)]
    struct Chain(#[allow(dead_code, reason = "shown")] Option<Box<Chain>>);

    #[test]
    fn parts_stand_on_lines() {
        let place = Span::new(FileId(0), 1, 2);
        assert_eq!(
            shown(&(vec![1, 2], "a, {\"b\"", Vec::<u8>::new(), place)),
            "(\n  [\n    1,\n    2\n  ],\n  \"a, {\\\"b\\\"\",\n  [],\n  Span { file: FileId(0), lo: 1, hi: 2 }\n)\n"
        );
    }

    #[test]
    fn a_high_tree_takes_as_much_text_as_a_broad_one() {
        let chain = |n: usize| (0..n).fold(Chain(None), |c, _| Chain(Some(Box::new(c))));
        let (short, long) = (shown(&chain(100)).len(), shown(&chain(1_000)).len());
        assert!(long < 11 * short, "{short} {long}");
        assert!(shown(&chain(20)).contains("@41 None"), "{}", shown(&chain(20)));
    }
}
