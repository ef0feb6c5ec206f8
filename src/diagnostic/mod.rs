//! Diagnostics as data: what a stage has to say about the user's text.
//!
//! In: a code, a message and places. Out: a [`Diagnostic`] that `render` turns into text. Nothing here
//! prints. Message style: lower case, no final stop, user text in backticks.

pub mod codes;
pub mod render;
pub mod suggest;

pub use codes::Code;

use crate::source::{FileId, Span};
use std::collections::BTreeMap;

/// Further places of one mistake that are shown; the others are counted.
const PLACES: usize = 4;

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// The input is accepted, but the user should know.
    Warning,
    /// For information only.
    Note,
}

/// One message with its places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable code; never changes its meaning.
    pub code: Code,
    /// Error, warning or note.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The main place, if there is one.
    pub span: Option<Span>,
    /// Text beside the underline of the main place.
    pub label: String,
    /// Further places, each with its text.
    pub others: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::without_place(code, message) }
    }

    /// An error that is at no place of a text, as one about an option.
    #[must_use]
    pub fn without_place(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: None,
            label: String::new(),
            others: Vec::new(),
            help: None,
        }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// A note at a place.
    #[must_use]
    pub fn note(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(code, span, message) }
    }

    /// The same diagnostic with text beside its underline.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same diagnostic with a second place.
    #[must_use]
    pub fn with_other(mut self, span: Span, label: impl Into<String>) -> Self {
        self.others.push((span, label.into()));
        self
    }

    /// Adds the `n`th further place at which the same is wrong.
    fn again(&mut self, place: Span, n: usize) {
        match n.checked_sub(PLACES) {
            None | Some(0) => self.others.push((place, "here too".to_owned())),
            Some(more) => {
                let places = if more == 1 { "place" } else { "places" };
                let text = format!("here too, and at {more} more {places}");
                self.others.last_mut().into_iter().for_each(|(_, label)| label.clone_from(&text));
            }
        }
    }

    /// The same diagnostic with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Makes one of those that say the same of several places of a file, if they are wanted: the first, with the places of
/// the others.
#[must_use]
pub fn joined(diagnostics: Vec<Diagnostic>, wanted: impl Fn(&Diagnostic) -> bool) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::with_capacity(diagnostics.len());
    // Where the first of its kind is, and how often it was met again.
    let mut firsts: BTreeMap<(Code, FileId, String, Option<String>), (usize, usize)> = BTreeMap::new();
    for d in diagnostics {
        let Some(span) = d.span.filter(|_| wanted(&d)) else {
            out.push(d);
            continue;
        };
        let key = (d.code, span.file, d.message.clone(), d.help.clone());
        let (at, again) = firsts.entry(key).or_insert((out.len(), 0));
        match out.get_mut(*at) {
            None => out.push(d),
            Some(first) => {
                *again += 1;
                first.again(span, *again);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_is_a_place_of_the_first() {
        let at = |lo| Span::new(FileId(0), lo, lo + 1);
        let said = |lo, text: &str| Diagnostic::error(Code::UnknownName, at(lo), text);
        let mut all: Vec<_> = (0..8).map(|lo| said(lo, "a")).collect();
        all.insert(3, said(20, "b"));
        let out = joined(all.clone(), |_| true);
        assert_eq!(out.iter().map(|d| d.message.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        let others: Vec<_> = out[0].others.iter().map(|(s, label)| (s.lo, label.as_str())).collect();
        assert_eq!(
            others,
            [(1, "here too"), (2, "here too"), (3, "here too"), (4, "here too, and at 3 more places")]
        );
        assert_eq!(joined(all.clone(), |_| false), all);
    }
}
