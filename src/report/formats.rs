//! The formats of reports: one file each, one row each here.

use super::{Many, Refusal, Report, Sweep, github, html, json, junit, many, sarif, sweep, text};
use std::io::{self, Write};

/// A format of reports.
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
    /// Writes a report.
    pub write: fn(&Report, &mut dyn Write) -> io::Result<()>,
    /// Writes that an input was refused, for standard output (standard error has the messages in any case).
    pub refused: fn(&Refusal) -> String,
    /// Writes the reports of several sizes.
    pub sweep: fn(&Sweep) -> String,
    /// Writes what the checks of several machines wrote in this format as one. `None`: each is shown when it is done.
    pub many: Option<fn(&Many) -> String>,
}

/// All formats.
pub const FORMATS: &[Format] = &[
    Format {
        name: "text",
        help: "for people",
        write: |r, to| to.write_all(text::write(r).as_bytes()),
        refused: |_| String::new(),
        sweep: sweep::text,
        many: None,
    },
    Format {
        name: "html",
        help: "one page for a browser, with traces as tables and pictures",
        write: |r, to| to.write_all(html::write(r).as_bytes()),
        refused: html::refused,
        sweep: html::sweep,
        many: Some(many::html::write),
    },
    Format {
        name: "json",
        help: "one object, schema bsym.check/1 (bsym.sweep/1 for several sizes, bsym.checks/1 for several machines)",
        write: json::write,
        refused: json::refused,
        sweep: sweep::json,
        many: Some(many::json::write),
    },
    Format {
        name: "junit",
        help: "JUnit XML: a suite for each size, a test for each property",
        write: |r, to| to.write_all(junit::write(r).as_bytes()),
        refused: junit::refused,
        sweep: junit::sweep,
        many: Some(many::junit::write),
    },
    Format {
        name: "sarif",
        help: "SARIF 2.1.0: violations, errors and warnings with their places",
        write: |r, to| to.write_all(sarif::write(r).as_bytes()),
        refused: sarif::refused,
        sweep: sarif::sweep,
        many: Some(many::sarif::write),
    },
    Format {
        name: "github",
        help: "annotations for GitHub's workflow runs",
        write: |r, to| to.write_all(github::write(r).as_bytes()),
        refused: github::refused,
        sweep: github::sweep,
        many: Some(many::github::write),
    },
];
