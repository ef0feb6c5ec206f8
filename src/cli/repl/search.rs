//! Going where a trace leads: one that a check finds, in a process of its own, or one in a file.

use super::moves::back_to;
use crate::cli::child::{self, Ended, word};
use crate::cli::follow::{self, Followed};
use crate::cli::progress::Part;
use crate::cli::session::formulas::wanted;
use crate::cli::session::steps::shown;
use crate::cli::session::{Answer, Session, Trouble, formulas};
use crate::report::text;
use crate::report::traces::{self, Recorded};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Goes back to a step, or to the first violation.
pub(super) fn go(session: &mut Session<'_>, text: &str) -> Answer {
    match text.parse() {
        Ok(step) => back_to(session, step),
        Err(_) if text == "violation" => violation(session),
        Err(_) => Err(Trouble::Said("`:goto` wants the number of a step, or `violation`".to_owned())),
    }
}

fn violation(session: &mut Session<'_>) -> Answer {
    let found = checked(session, "looking for a violation", &["--no-goal".into()])?;
    match found.into_iter().find(|t| t.kind.as_deref() != Some("goal")) {
        Some(trace) => along(session, &trace),
        None => Err(Trouble::Said(
            "the check finds no violation of the machine with a trace (`bsym check` says what it covers)"
                .to_owned(),
        )),
    }
}

/// Goes to a state in which a predicate is true.
pub(super) fn find(session: &mut Session<'_>, text: &str) -> Answer {
    let text = wanted(text, "a predicate")?;
    // What is wrong with it is told here; the check would tell it of an option.
    formulas::predicate(session, text)?;
    let options = [
        word("--goal", OsStr::new(text)),
        "--no-invariant".into(),
        "--no-assertions".into(),
        "--no-deadlock".into(),
        "--no-refinement".into(),
        // Errors on other ways do not end the search.
        "--max-errors=1000000".into(),
    ];
    let found = checked(session, "looking for a state", &options)?;
    match found.into_iter().find(|t| t.kind.as_deref() == Some("goal")) {
        Some(trace) => along(session, &trace),
        None => Err(Trouble::Said(
            "no such state is found (`bsym check --goal` says whether all were looked at)".to_owned(),
        )),
    }
}

/// The traces of a check of the machine with more options; meanwhile it is said what for.
fn checked(session: &Session<'_>, what: &str, options: &[OsString]) -> Result<Vec<Recorded>, Trouble> {
    let _shown = Part::new(format!("{what} (Ctrl-C ends)")).show();
    let mut arguments = vec![OsString::from("check")];
    arguments.extend(options.iter().cloned());
    arguments.extend(["--format=json", "--full", "--quiet"].map(OsString::from));
    arguments.extend(own());
    let ended = child::run(&arguments, None, &session.ctrl_c).map_err(Trouble::Said)?;
    let Ended { out, .. } = ended;
    if session.ctrl_c.pressed() {
        return Err(Trouble::Stopped("stopped by a limit: interrupted".to_owned()));
    }
    let text = String::from_utf8_lossy(&out);
    traces::json::read(&text).map_err(|e| Trouble::Said(format!("the check has no traces: {e}")))
}

/// The arguments of this process that a check has as well: all but `--seed`.
fn own() -> Vec<OsString> {
    let mut all = std::env::args_os().skip(2);
    let mut own = Vec::new();
    while let Some(argument) = all.next() {
        match argument.to_str() {
            Some("--seed") => drop(all.next()),
            Some(text) if text.starts_with("--seed=") => {}
            _ => own.push(argument),
        }
    }
    own
}

/// Goes along a trace in a file.
pub(super) fn follow(session: &mut Session<'_>, name: &str) -> Answer {
    let name = wanted(name, "the name of a file")?;
    let trace = follow::first(Path::new(name)).map_err(Trouble::Said)?;
    along(session, &trace)
}

/// Takes the steps of a trace from the beginning on.
fn along(session: &mut Session<'_>, trace: &Recorded) -> Answer {
    session.listed.clear();
    let followed = follow::follow(&mut session.walk, trace, usize::MAX);
    let last = shown(session.walk.last(1)).pop();
    let last = last.map_or_else(String::new, |s| format!(", the last one {}", text::call(&s)));
    let n = text::count(session.walk.len() as u64, "step");
    let end = format!("{n}{last}; `:trace` shows all\n{}", formulas::violated(session));
    let name = |i: usize| trace.steps.get(i).and_then(|s| s.operation.as_deref()).unwrap_or("?");
    match followed {
        Followed::All => Ok(end),
        Followed::Error(i) => {
            Ok(format!("{end}the next step, {}, meets an error (`:enabled` shows it)\n", name(i)))
        }
        Followed::Lost(i) => {
            let (n, name) = (i + 1, name(i));
            Err(Trouble::Said(format!("step {n} of the trace ({name}) is none that is found here\n{end}")))
        }
    }
}
