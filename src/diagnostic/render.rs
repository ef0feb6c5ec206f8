//! Diagnostics as text, with the source underlined (annotate-snippets).
//!
//! In: diagnostics, the sources. Out: text, with colours if wanted. Nothing is printed here.

use super::{Diagnostic, Severity};
use crate::source::{FileId, Sources, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
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
        let mut snippet = Snippet::source(&*source.text).path(path.as_str()).fold(true);
        let main = d.span.filter(|s| s.file == *file);
        if let Some(span) = main {
            snippet = snippet.annotation(mark(AnnotationKind::Primary, span, &source.text, &d.label));
        }
        for (span, label) in d.others.iter().filter(|(s, _)| s.file == *file) {
            snippet = snippet.annotation(mark(AnnotationKind::Context, *span, &source.text, label));
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

fn mark<'a>(kind: AnnotationKind, span: Span, text: &str, label: &'a str) -> Annotation<'a> {
    let annotation = kind.span(clip(span, text));
    if label.is_empty() { annotation } else { annotation.label(label) }
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
