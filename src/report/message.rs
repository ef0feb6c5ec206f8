//! Diagnostics as the formats of reports want them: finished words and places.
//!
//! In: diagnostics and sources. Out: [`Message`]s, and the [`Refusal`] of an input.

use super::Location;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{Sources, Span};

/// Something said about the user's text.
#[derive(Clone, Debug)]
pub struct Message {
    /// How serious it is.
    pub severity: Severity,
    /// The diagnostic's code.
    pub code: &'static str,
    /// What the code stands for.
    pub meaning: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub location: Option<Location>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Message {
    /// A diagnostic with its place in words.
    #[must_use]
    pub fn of(d: &Diagnostic, sources: &Sources) -> Self {
        Self {
            severity: d.severity,
            code: d.code.as_str(),
            meaning: d.code.meaning(),
            message: d.message.clone(),
            location: d.span.and_then(|s| Location::of(s, sources)),
            help: d.help.clone(),
        }
    }

    /// Whether it says that a property of the file was not checked.
    #[must_use]
    pub fn is_not_checked(&self) -> bool {
        self.code == Code::NotChecked.as_str()
    }

    /// The message in one line, with its place.
    #[must_use]
    pub fn line(&self) -> String {
        let place = self.location.as_ref().map(|l| format!("{}:{}:{}: ", l.file, l.line, l.column));
        format!("{}{}", place.unwrap_or_default(), self.message)
    }
}

impl Location {
    /// The place of a span.
    #[must_use]
    pub fn of(span: Span, sources: &Sources) -> Option<Self> {
        let file = sources.get(span.file)?;
        let (line, column) = file.line_col(span.lo);
        let text = sources.text(span).to_owned();
        Some(Self { file: file.path.display().to_string(), line, column, text })
    }

    /// Line and column of the first character behind the text.
    #[must_use]
    pub fn end(&self) -> (usize, usize) {
        let breaks = self.text.matches('\n').count();
        let last = self.text.rsplit('\n').next().unwrap_or_default().chars().count();
        (self.line + breaks, if breaks == 0 { self.column + last } else { 1 + last })
    }
}

/// An input that was refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// File of the machine.
    pub file: String,
    /// What is wrong with it, errors first, and the warnings before them.
    pub messages: Vec<Message>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_places() {
        let at = |text: &str| Location { file: String::new(), line: 3, column: 5, text: text.to_owned() };
        assert_eq!(at("").end(), (3, 5));
        assert_eq!(at("äb").end(), (3, 7));
        assert_eq!(at("a\n  bc").end(), (4, 5));
    }
}
