//! Texts of the report inside a page: code, places, and values that may be long.
//!
//! A long value is shown by its beginning and unfolds to the whole; nobody reads millions of characters, so the whole
//! has an end, too, and once a page has many of them it comes sooner.

use super::super::Location;
use super::super::markup::escape;
use crate::explore::trace::abbreviated;

/// Characters of a value that are seen.
const SEEN: usize = 80;
/// Most characters of a value that can be unfolded.
const MOST: usize = 2000;
/// As [`MOST`], when a page has used up its room.
const SHORT: usize = 100;

/// Characters of values that a page has room for before long ones are shortened.
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(1 << 20)
    }
}

impl Room {
    /// A value, or its beginning with the number of its characters.
    pub(super) fn cut(&mut self, value: &str) -> String {
        let most = if self.0 == 0 { SHORT } else { MOST };
        self.0 = self.0.saturating_sub(value.len().min(most));
        match value.char_indices().nth(most) {
            None => value.to_owned(),
            Some((end, _)) => {
                let start = value.get(..end).unwrap_or_default();
                match abbreviated(value) {
                    Some(_) => format!("{start}\u{2026}"),
                    None => format!("{start}\u{2026} ({} characters)", value.chars().count()),
                }
            }
        }
    }

    /// A value as code, folded if it is long.
    pub(super) fn folded(&mut self, value: &str) -> String {
        let short = short(value, SEEN);
        if short == value {
            self.0 = self.0.saturating_sub(value.len());
            return code(value);
        }
        let whole = code(&self.cut(value));
        format!("<details><summary>{}</summary>{whole}</details>", code(&short))
    }
}

/// A value by its beginning.
pub(super) fn brief(value: &str) -> String {
    code(&short(value, SEEN))
}

/// At most so many characters of a text.
pub(super) fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\u{2026}", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A text as code.
pub(super) fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

/// A message, in which formulas stand between backquotes.
pub(super) fn marked(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let last = parts.len() - 1;
    let mut out = String::new();
    for (i, part) in parts.iter().enumerate() {
        match i % 2 {
            1 if i < last => out += &code(part),
            // Nothing closes the last one.
            1 => out += &format!("`{}", escape(part)),
            _ => out += &escape(part),
        }
    }
    out
}

/// A place: file, line and column.
pub(super) fn place(l: &Location) -> String {
    code(&format!("{}:{}:{}", l.file, l.line, l.column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_in_messages_are_code() {
        assert_eq!(marked("a `x < 1` b"), "a <code>x &lt; 1</code> b");
        assert_eq!(marked("a ` b"), "a ` b");
        assert_eq!(marked(""), "");
    }

    #[test]
    fn long_values_unfold() {
        let mut room = Room::default();
        assert_eq!(room.folded("{1}"), "<code>{1}</code>");
        let long = room.folded(&"x".repeat(3000));
        assert!(
            long.starts_with("<details>") && long.contains("(3000 characters)") && long.len() < 2300,
            "{long}"
        );
        let mut none = Room(0);
        assert!(none.folded(&"x".repeat(3000)).len() < 400);
    }
}
