//! Why a formula is false: as text, and as JSON.

use super::Location;
use crate::model::explain::Explanation;
use crate::source::{Sources, Span};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write as _;
use std::sync::Arc;

/// Why a formula is false, with its texts.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The smallest part that decides, with its place.
    pub part: Location,
    /// What it is.
    pub truth: bool,
    /// Whether it is smaller than the formula.
    pub is_less: bool,
    /// The names bound around it, with values for which it is so.
    pub witness: Vec<(String, String)>,
    /// Names and expressions in it, with their values.
    pub values: Vec<(String, String)>,
}

impl Explained {
    /// With texts; `None` if there is no text.
    #[must_use]
    pub fn of(e: &Explanation, whole: Span, sources: &Sources) -> Option<Self> {
        let names = |list: &[(Arc<str>, String)]| -> Vec<(String, String)> {
            list.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
        };
        let expressions = e.values.iter().map(|(span, value)| (folded(sources.text(*span)), value.clone()));
        let mut values = names(&e.names);
        // What is written as its value, or stands twice, says nothing.
        for (text, value) in expressions {
            if text != value && values.iter().all(|(t, _)| *t != text) {
                values.push((text, value));
            }
        }
        Some(Self {
            part: Location::of(e.part, sources)?,
            truth: e.truth,
            is_less: e.part != whole,
            witness: names(&e.witness),
            values,
        })
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        if self.is_less {
            let _ = writeln!(out, "  `{}` is {}", folded(&self.part.text), self.truth);
        }
        for (name, value) in &self.witness {
            let _ = writeln!(out, "    for {name} = {value}");
        }
        for (text, value) in &self.values {
            let _ = writeln!(out, "    {text} = {value}");
        }
        out
    }

    /// For programs.
    pub(super) fn json(&self) -> Json {
        let object = |list: &[(String, String)]| -> Map<String, Json> {
            list.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
        };
        json!({
            "part": folded(&self.part.text),
            "is": self.truth,
            "line": self.part.line,
            "column": self.part.column,
            "for": object(&self.witness),
            "values": object(&self.values),
        })
    }
}

/// One blank wherever there is any space, but for texts in quotes.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    for c in text.chars() {
        if quoted || !c.is_whitespace() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
        quoted ^= c == '"' && !escaped;
        escaped = quoted && c == '\\' && !escaped;
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn blanks_in_quotes_stay() {
        assert_eq!(folded("x  =\n \"a  b\" "), "x = \"a  b\"");
        assert_eq!(folded("\"a\\\"  b\"  <:  s"), "\"a\\\"  b\" <: s");
    }
}
