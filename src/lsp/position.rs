//! Places as an editor counts them: lines from 0, columns in UTF-16 units or bytes.
//!
//! In: byte offsets of a text. Out: LSP positions, and back. Places outside a text become the nearest one inside.

use lsp_types::{Position, PositionEncodingKind, Range};

/// What columns count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16: what all editors know.
    #[default]
    Utf16,
}

impl Encoding {
    /// The best of what an editor offers.
    pub(super) fn chosen(offered: &[PositionEncodingKind]) -> Self {
        if offered.contains(&PositionEncodingKind::UTF8) { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    /// Its name.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
        }
    }
}

/// The lines of a text.
pub(super) struct Lines<'t> {
    text: &'t str,
    /// Where each line begins and where it ends without its line break.
    places: Vec<(usize, usize)>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str, encoding: Encoding) -> Self {
        let mut lines = Vec::new();
        let (mut start, mut bytes) = (0, text.bytes().enumerate().peekable());
        while let Some((at, byte)) = bytes.next() {
            let next = match byte {
                b'\r' => bytes.next_if(|(_, b)| *b == b'\n').map_or(at + 1, |(at, _)| at + 1),
                b'\n' => at + 1,
                _ => continue,
            };
            lines.push((start, at));
            start = next;
        }
        lines.push((start, text.len()));
        Self { text, places: lines, encoding }
    }

    /// The position of a byte.
    pub(super) fn position(&self, byte: u32) -> Position {
        let byte = self.floor(byte as usize);
        let line = self.places.partition_point(|(start, _)| *start <= byte).saturating_sub(1);
        let (start, end) = self.places.get(line).copied().unwrap_or_default();
        let before = self.text.get(start..byte.min(end)).unwrap_or("");
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position::new(number(line), number(self.encoding.length(before)))
    }

    /// The range of bytes.
    pub(super) fn range(&self, lo: u32, hi: u32) -> Range {
        Range::new(self.position(lo), self.position(hi.max(lo)))
    }

    /// The byte at a position.
    pub(super) fn byte(&self, at: Position) -> usize {
        let Some((start, end)) = self.places.get(at.line as usize).copied() else { return self.text.len() };
        let line = self.text.get(start..end).unwrap_or("");
        let wanted = at.character as usize;
        if self.encoding == Encoding::Utf8 {
            return self.floor(start + wanted.min(line.len()));
        }
        let mut units = 0;
        for (offset, c) in line.char_indices() {
            // A position inside a character is that of the character.
            if units + c.len_utf16() > wanted {
                return start + offset;
            }
            units += c.len_utf16();
        }
        end
    }

    /// The start of the character that a byte is of.
    fn floor(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        (0..=byte).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_was_agreed_on() {
        let text = "é𝔸x\r\ny\rz\n";
        for (encoding, x) in [(Encoding::Utf8, 6), (Encoding::Utf16, 3)] {
            let lines = Lines::new(text, encoding);
            assert_eq!(lines.position(6), Position::new(0, x));
            assert_eq!(lines.byte(Position::new(0, x)), 6);
            // Beyond the end of a line is its end, and beyond the text the end of it.
            assert_eq!(lines.byte(Position::new(0, 90)), 7);
            assert_eq!(lines.byte(Position::new(9, 0)), text.len());
            assert_eq!(lines.position(8), Position::new(0, x + 1));
            assert_eq!([9, 11, 13].map(|b| lines.position(b).line), [1, 2, 3]);
            // Inside a character is its start.
            assert_eq!(lines.byte(Position::new(0, 2)), 2);
        }
    }
}
