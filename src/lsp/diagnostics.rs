//! Diagnostics as an editor shows them.
//!
//! In: what analyses say. Out: lists by file. Mistakes in included machines belong to their files; what several machines say of
//! a file is said once.

use super::analysis::Analysis;
use super::documents::Documents;
use super::position::{Encoding, Lines};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Span;
use lsp_types::{
    Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The diagnostics of all files that machines have something to say of, by path.
pub(super) fn all<'a>(
    analyses: impl Iterator<Item = (&'a PathBuf, &'a Analysis)>,
    documents: &Documents,
    encoding: Encoding,
    related: bool,
) -> BTreeMap<PathBuf, Vec<Shown>> {
    let mut out: BTreeMap<PathBuf, Vec<Shown>> = BTreeMap::new();
    for (root, analysis) in analyses {
        let one = One { analysis, documents, encoding, related, lines: lines(analysis, encoding) };
        for d in &analysis.diagnostics {
            let (path, shown) = one.shown(d, root);
            let list = out.entry(path).or_default();
            if !list.contains(&shown) {
                list.push(shown);
            }
        }
    }
    out
}

/// The lines of the files that diagnostics point to.
fn lines(analysis: &Analysis, encoding: Encoding) -> BTreeMap<u16, Lines<'_>> {
    let spans = analysis.diagnostics.iter().flat_map(|d| d.span.iter().chain(d.others.iter().map(|o| &o.0)));
    let mut files: Vec<_> = spans.map(|s| s.file).collect();
    files.sort_unstable();
    files.dedup();
    files.into_iter().map(|f| (f.0, Lines::new(analysis.text(f), encoding))).collect()
}

struct One<'a> {
    analysis: &'a Analysis,
    documents: &'a Documents,
    encoding: Encoding,
    related: bool,
    lines: BTreeMap<u16, Lines<'a>>,
}

impl One<'_> {
    /// A diagnostic with the file to which it belongs.
    fn shown(&self, d: &Diagnostic, root: &Path) -> (PathBuf, Shown) {
        // What is wrong at no place of a file is said at the first that has to do with it, else at the start of the machine.
        let spans = d.span.iter().chain(d.others.iter().map(|(span, _)| span));
        let place =
            spans.copied().find_map(|s| Some((self.analysis.path(s.file)?.to_owned(), self.range(s))));
        let (path, range) = place.unwrap_or_else(|| (root.to_owned(), Range::default()));
        let others: Vec<_> = d.others.iter().filter_map(|(span, text)| self.other(*span, text)).collect();
        let mut message = d.message.clone();
        if let Some(help) = &d.help {
            message.push_str(&format!("\nhelp: {help}"));
        }
        if !self.related {
            for other in &others {
                message.push_str(&format!(
                    "\n{} (line {})",
                    other.message,
                    other.location.range.start.line + 1
                ));
            }
        }
        let severity = match d.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        };
        let shown = Shown {
            range,
            severity: Some(severity),
            code: Some(NumberOrString::String(d.code.as_str().to_owned())),
            source: Some("bsym".to_owned()),
            message,
            related_information: Some(others).filter(|o| self.related && !o.is_empty()),
            ..Shown::default()
        };
        (path, shown)
    }

    fn range(&self, span: Span) -> Range {
        self.lines.get(&span.file.0).map_or_else(
            || Lines::new(self.analysis.text(span.file), self.encoding).range(span.lo, span.hi),
            |lines| lines.range(span.lo, span.hi),
        )
    }

    fn other(&self, span: Span, text: &str) -> Option<DiagnosticRelatedInformation> {
        let uri = self.documents.uri(self.analysis.path(span.file)?)?;
        let location = Location { uri, range: self.range(span) };
        Some(DiagnosticRelatedInformation { location, message: text.to_owned() })
    }
}
