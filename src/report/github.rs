//! Reports as annotations of GitHub's workflow runs: one command on each line.
//!
//! Shape: `::error file=F,line=L,col=C,endLine=L,endColumn=C,title=T::message`. In messages `%` and line breaks
//! are escaped, in properties `:` and `,` as well.

use super::annotations::{Annotation, of_refusal, of_report};
use super::{Refusal, Report, Sweep, shorten, text};
use crate::diagnostic::Severity;

/// The report as annotations, and a last line for the log.
#[must_use]
pub fn write(r: &Report) -> String {
    format!("{}{}\n", lines(&r.file, &r.machine, &of_report(r)), text::answer(r))
}

/// A refused input as annotations.
#[must_use]
pub fn refused(r: &Refusal) -> String {
    lines(&r.file, "bsym", &of_refusal(r))
}

/// The annotations of all sizes.
#[must_use]
pub fn sweep(s: &Sweep) -> String {
    let one = |(size, r): &(u32, Report)| lines(&r.file, &format!("{} at {size}", r.machine), &of_report(r));
    let all: String = s.runs.iter().map(one).collect();
    format!("{all}{}\n", s.answer())
}

fn lines(file: &str, machine: &str, all: &[Annotation<'_>]) -> String {
    all.iter().map(|a| line(file, machine, a)).collect()
}

fn line(file: &str, machine: &str, a: &Annotation<'_>) -> String {
    let level = match a.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = match a.location {
        Some(l) => {
            let (line, column) = l.end();
            let file = property(&l.file);
            format!("file={file},line={},col={},endLine={line},endColumn={column}", l.line, l.column)
        }
        None => format!("file={}", property(file)),
    };
    let mut message = a.message.clone();
    let (head, between, tail) = shorten::ends(a.trace);
    for (n, step) in (1..).zip(head) {
        message += &format!("\n{n}. {}", text::call(step));
    }
    if between > 0 {
        message += &format!("\n{}", shorten::gap(between));
    }
    for (n, step) in (1 + head.len() + between..).zip(tail) {
        message += &format!("\n{n}. {}", text::call(step));
    }
    let title = property(&format!("{machine}: {}", a.rule));
    format!("::{level} {place},title={title}::{}\n", escaped(&message))
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
