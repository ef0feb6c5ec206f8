//! `bsym check`: explore a machine and report.

use super::args::CheckArgs;
use super::exit::Exit;
use super::last_words;
use super::load::{self, Loaded};
use super::run;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::report::traces::{self, TraceFormat};
use crate::report::{FORMATS, Report};
use crate::source::Sources;
use serde_json::{Map, Value as Json, json};
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: &CheckArgs, start: Instant) -> Exit {
    let mut sources = Sources::default();
    match load_and_run(args, &mut sources, start) {
        Ok(report) => {
            if let Err(error) = write_trace(args, &report) {
                load::print(&[error], &sources);
                return Exit::Refused;
            }
            if let Some(format) = FORMATS.iter().find(|f| f.name == args.format) {
                print(&(format.write)(&report));
            }
            if args.explain_symmetry && args.format == "text" {
                report.symmetry_sets.iter().for_each(|l| print(&format!("{}\n", l.text)));
            }
            expected(args, report.verdict.name(), report.verdict.into())
        }
        Err(errors) => {
            load::print(&errors, &sources);
            if args.format == "json" {
                print(&refusal(args, &errors, &sources));
            }
            expected(args, "refused", Exit::Refused)
        }
    }
}

/// Writes the first trace where it is wanted.
fn write_trace(args: &CheckArgs, report: &Report) -> Result<(), Diagnostic> {
    let Some(path) = &args.trace_out else { return Ok(()) };
    let format = trace_format(path)?;
    if !traces::is_whole(report) {
        return Err(load::no_place(Code::BadOption, "the values in the trace are too large to be written"));
    }
    let Some(text) = traces::write(format, report) else {
        eprintln!("note: there is no trace to write");
        return Ok(());
    };
    std::fs::write(path, text).map_err(|e| {
        load::no_place(Code::FileUnreadable, format!("`{}` cannot be written: {e}", path.display()))
    })?;
    eprintln!("note: trace written to `{}`; sizes: {}", path.display(), traces::hint(report));
    Ok(())
}

/// The format for a file's name.
fn trace_format(path: &Path) -> Result<&'static TraceFormat, Diagnostic> {
    let name = path.display().to_string();
    traces::find(&name).filter(|f| f.write.is_some()).ok_or_else(|| {
        load::no_place(Code::BadOption, format!("`{name}` does not end in .prob2trace or .itf.json"))
    })
}

fn load_and_run(args: &CheckArgs, sources: &mut Sources, start: Instant) -> Result<Report, Vec<Diagnostic>> {
    // A wrong name is better found before the search than after it.
    if let Some(path) = &args.trace_out {
        trace_format(path).map_err(|e| vec![e])?;
    }
    let Loaded { mut machine, notes, .. } = load::load(&args.file, sources)?;
    if args.no_invariant {
        machine.invariants.clear();
    }
    if args.no_assertions {
        machine.assertions.clear();
    }
    if args.no_goal {
        machine.goal = None;
    }
    let warnings: Vec<Diagnostic> = notes.into_iter().filter(|n| n.severity == Severity::Warning).collect();
    load::print(&warnings, sources);
    prepare_last_words(args);
    run::run(args, machine, &warnings, sources, start).map_err(|e| vec![e])
}

/// The report for the case that memory ends in the middle of a single step.
fn prepare_last_words(args: &CheckArgs) {
    if args.format != "json" {
        return;
    }
    let known = json!({
        "schema": "bsym.check/1", "version": env!("CARGO_PKG_VERSION"), "file": args.file.display().to_string(),
        "verdict": "incomplete", "complete": false, "stopped_by": "memory",
    });
    let known = known.to_string();
    last_words::prepare(format!("{},\"states\":", known.trim_end_matches('}')), "}\n".to_owned());
}

/// The exit code, turned to 0 if the verdict is the expected one.
fn expected(args: &CheckArgs, verdict: &str, exit: Exit) -> Exit {
    match &args.expect {
        Some(wanted) if wanted == verdict => Exit::Fine,
        Some(wanted) if exit == Exit::Fine => {
            eprintln!("error: the verdict is `{verdict}`, expected `{wanted}`");
            Exit::Violated
        }
        _ => exit,
    }
}

/// Writes to standard output; a reader that has gone away is no reason to fail.
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// The JSON object for an input that was refused.
fn refusal(args: &CheckArgs, errors: &[Diagnostic], sources: &Sources) -> String {
    let one = |d: &Diagnostic| {
        let mut out = Map::new();
        out.insert("code".into(), d.code.as_str().into());
        out.insert("message".into(), d.message.as_str().into());
        if let Some((span, file)) = d.span.and_then(|s| Some((s, sources.get(s.file)?))) {
            let (line, column) = file.line_col(span.lo);
            out.insert("file".into(), file.path.display().to_string().into());
            out.insert("line".into(), line.into());
            out.insert("column".into(), column.into());
            out.insert("text".into(), sources.text(span).into());
        }
        if let Some(help) = &d.help {
            out.insert("help".into(), help.as_str().into());
        }
        Json::Object(out)
    };
    let errors: Vec<Json> = errors.iter().filter(|d| d.severity == Severity::Error).map(one).collect();
    let all = json!({
        "schema": "bsym.check/1", "version": env!("CARGO_PKG_VERSION"), "file": args.file.display().to_string(),
        "verdict": "refused", "complete": false, "stopped_by": "refused", "diagnostics": errors,
    });
    format!("{all:#}\n")
}
