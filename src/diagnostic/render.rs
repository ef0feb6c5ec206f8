//! Diagnostics as text, with the source underlined (annotate-snippets).
//!
//! In: diagnostics, the sources. Out: text, with colours if wanted. Nothing is printed here.

use super::{Diagnostic, Severity};
use crate::source::{FileId, Sources, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// One diagnostic as text, without a line break at the end.
#[must_use]
pub fn render(d: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(d.message.as_str()).id(d.code.as_str()));
    let paths: Vec<(FileId, String)> =
        files(d).into_iter().filter_map(|f| Some((f, sources.get(f)?.path.display().to_string()))).collect();
    for (file, path) in &paths {
        let Some(source) = sources.get(*file) else { continue };
        let main = d.span.iter().map(|s| (AnnotationKind::Primary, *s, d.label.as_str()));
        let others = d.others.iter().map(|(s, label)| (AnnotationKind::Context, *s, label.as_str()));
        let marks: Vec<(AnnotationKind, Range<usize>, &str)> = (main.chain(others))
            .filter(|(_, s, _)| s.file == *file)
            .map(|(kind, s, label)| (kind, clip(s, &source.text), label))
            .collect();
        let (lines, first) = around(marks.iter().map(|(_, at, _)| at), &source.text);
        let text = source.text.get(lines.clone()).unwrap_or_default();
        let mut snippet = Snippet::source(text).line_start(first).path(path.as_str()).fold(true);
        for (kind, at, label) in marks {
            let annotation = kind.span(at.start - lines.start..at.end - lines.start);
            snippet = snippet.annotation(if label.is_empty() { annotation } else { annotation.label(label) });
        }
        group = group.element(snippet);
    }
    if let Some(help) = &d.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// The files a diagnostic points into, that of the main place first.
fn files(d: &Diagnostic) -> Vec<FileId> {
    let mut out: Vec<FileId> = Vec::new();
    for span in d.span.iter().chain(d.others.iter().map(|(s, _)| s)) {
        if !out.contains(&span.file) {
            out.push(span.file);
        }
    }
    out
}

/// The lines of some places, with those beside them, and the number of the first: who has hundreds of mistakes does not wait
/// until the whole text has been gone through for each.
fn around<'a>(places: impl Iterator<Item = &'a Range<usize>> + Clone, text: &str) -> (Range<usize>, usize) {
    let lo = places.clone().map(|p| p.start).min().unwrap_or(0);
    let hi = places.map(|p| p.end).max().unwrap_or(text.len());
    let before = |at: usize| text.get(..at).and_then(|t| t.rfind('\n'));
    let lo = before(lo).and_then(before).map_or(0, |end| end + 1);
    let after = |at: usize| text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |n| at + n + 1);
    let first = text.get(..lo).map_or(0, |t| t.bytes().filter(|b| *b == b'\n').count());
    (lo..after(after(hi)), first + 1)
}

/// The span within the text, on character boundaries.
fn clip(span: Span, text: &str) -> Range<usize> {
    let floor = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let lo = floor(span.lo);
    lo..floor(span.hi).max(lo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn underlines_the_place() {
        let mut sources = Sources::default();
        let file = sources.add("m.mch", "MACHINE m\nVARIABLES x\nEND\n");
        let d = Diagnostic::error(Code::UnknownName, Span::new(file, 20, 21), "`x` is not declared")
            .with_label("used here")
            .with_help("declare it");
        let text = render(&d, &sources, false);
        assert!(text.starts_with("error[B0201]: `x` is not declared"), "{text}");
        assert!(
            text.contains("m.mch:2:11") && text.contains("used here") && text.contains("declare it"),
            "{text}"
        );
    }

    #[test]
    fn survives_places_outside_the_text() {
        let mut sources = Sources::default();
        let file = sources.add("m.mch", "é");
        let d = Diagnostic::error(Code::UnexpectedToken, Span::new(file, 1, 90), "odd");
        assert!(render(&d, &sources, false).contains("odd"));
        let nowhere = Diagnostic::error(Code::BadToken, Span::new(FileId(7), 1, 2), "no file");
        assert!(render(&nowhere, &sources, false).contains("no file"));
    }
}
