//! Diagnostics as data: what a stage has to say about the user's text.
//!
//! In: a code, a message and places. Out: a [`Diagnostic`] that `render` turns into text. Nothing here
//! prints. Message style: lower case, no final stop, user text in backticks.

pub mod codes;
pub mod render;
pub mod suggest;

pub use codes::Code;

use crate::source::Span;

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
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
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

    /// The same diagnostic with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
