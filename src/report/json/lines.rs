//! JSON as indented lines, with plain texts written as a whole.
//!
//! In: data that serialises itself, long texts in it as [`Text`]. Out: the bytes that `serde_json` would write. A trace may be
//! a few texts of a megabyte each, mostly without a character that JSON escapes: `serde_json` looks at one byte after the
//! other, here all are asked at once. Other texts go its way.

use serde::ser::{Serialize, Serializer};
use serde_json::ser::{Formatter, PrettyFormatter};
use std::io::{self, BufWriter, Write};

/// Bytes that are handed on together.
const BUFFER: usize = 1 << 16;

/// Writes data as indented JSON.
pub(super) fn write(data: &impl Serialize, to: &mut dyn Write) -> io::Result<()> {
    let mut to = BufWriter::with_capacity(BUFFER, to);
    data.serialize(&mut serde_json::Serializer::with_formatter(&mut to, Lines(PrettyFormatter::new())))?;
    to.flush()
}

/// A text that may be long.
pub(super) struct Text<'a>(pub(super) &'a str);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Bytes are a plain text for [`Lines`].
        if is_plain(self.0.as_bytes()) {
            to.serialize_bytes(self.0.as_bytes())
        } else {
            to.serialize_str(self.0)
        }
    }
}

/// Whether JSON escapes none of the characters. Without branches, so that the compiler compares many at once.
fn is_plain(text: &[u8]) -> bool {
    let escaped = |b: u8| u8::from(b < b' ') | u8::from(b == b'"') | u8::from(b == b'\\');
    text.iter().fold(0, |found, b| found | escaped(*b)) == 0
}

/// Indented lines, in which bytes are a plain text.
struct Lines(PrettyFormatter<'static>);

/// Methods that do as the inner formatter does.
macro_rules! as_inner {
    ($($method:ident($($argument:ident: $type:ty)?);)*) => {$(
        fn $method<W: ?Sized + Write>(&mut self, to: &mut W $(, $argument: $type)?) -> io::Result<()> {
            self.0.$method(to $(, $argument)?)
        }
    )*};
}

impl Formatter for Lines {
    as_inner! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
    }

    fn write_byte_array<W: ?Sized + Write>(&mut self, to: &mut W, text: &[u8]) -> io::Result<()> {
        to.write_all(b"\"")?;
        to.write_all(text)?;
        to.write_all(b"\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_library_writes() {
        for text in ["", "{1|->2}", "[\"a\\b\"]", "\u{1}\n\t\u{7f}\u{2026}", "é"] {
            let mut out = Vec::new();
            write(&vec![Text(text)], &mut out).expect("a list takes everything");
            assert_eq!(String::from_utf8(out).ok(), serde_json::to_string_pretty(&[text]).ok());
        }
    }
}
