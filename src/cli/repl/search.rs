//! Going where a trace leads: one that a check finds, in a process of its own, or one in a file.

use super::formulas::wanted;
use super::moves::{self, VALUATIONS, back_to};
use super::session::Session;
use super::{Answer, Trouble, formulas};
use crate::cli::child::{self, Ended, word};
use crate::cli::trace::endings;
use crate::report::text;
use crate::report::traces::{self, Recorded, RecordedStep};
use crate::walk::{Choice, Node};
use std::ffi::{OsStr, OsString};

/// Goes back to a step, or to the first violation.
pub(super) fn go(session: &mut Session<'_>, text: &str) -> Answer {
    match text.parse() {
        Ok(step) => back_to(session, step),
        Err(_) if text == "violation" => violation(session),
        Err(_) => Err(Trouble::Said("`:goto` wants the number of a step, or `violation`".to_owned())),
    }
}

fn violation(session: &mut Session<'_>) -> Answer {
    let found = checked(session, &["--no-goal".into()])?;
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
    formulas::type_of(session, text)?;
    let options = [
        word("--goal", OsStr::new(text)),
        "--no-invariant".into(),
        "--no-assertions".into(),
        "--no-deadlock".into(),
        "--no-refinement".into(),
        // Errors on other ways do not end the search.
        "--max-errors=1000000".into(),
    ];
    let found = checked(session, &options)?;
    match found.into_iter().find(|t| t.kind.as_deref() == Some("goal")) {
        Some(trace) => along(session, &trace),
        None => Err(Trouble::Said(
            "no such state is found (`bsym check --goal` says whether all were looked at)".to_owned(),
        )),
    }
}

/// The traces of a check of the machine with more options.
fn checked(session: &Session<'_>, options: &[OsString]) -> Result<Vec<Recorded>, Trouble> {
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
    let format = traces::find(name).ok_or_else(|| Trouble::Said(endings(name)))?;
    let path = std::path::Path::new(name);
    let text =
        crate::source::read_text(path).map_err(|e| Trouble::Said(format!("`{name}` cannot be read: {e}")))?;
    let all = (format.read)(&text).map_err(|e| Trouble::Said(format!("`{name}`: {e}")))?;
    match all.first() {
        Some(first) => along(session, first),
        None => Err(Trouble::Said(format!("there is no trace in `{name}`"))),
    }
}

/// Takes the steps of a trace from the beginning on.
fn along(session: &mut Session<'_>, trace: &Recorded) -> Answer {
    session.walk.back_to(0);
    session.listed.clear();
    for (i, step) in trace.steps.iter().enumerate() {
        if step.fault {
            let name = step.operation.as_deref().unwrap_or("the initialisation");
            return Ok(
                end(session, i) + &format!("the next step, {name}, meets an error (`:enabled` shows it)\n")
            );
        }
        let Some(choice) = next(session, step) else {
            let name = step.operation.as_deref().unwrap_or("?");
            let said = end(session, i);
            let n = i + 1;
            return Err(Trouble::Said(format!(
                "step {n} of the trace ({name}) is none that is found here\n{said}"
            )));
        };
        session.walk.take(choice);
    }
    Ok(end(session, trace.steps.len()))
}

/// What is said when a number of steps were taken.
fn end(session: &Session<'_>, n: usize) -> String {
    let last = moves::shown(session.walk.steps()).pop();
    let last = last.map_or_else(String::new, |s| format!(", the last one {}", text::call(&s)));
    format!("{}{last}; `:trace` shows all\n{}", text::count(n as u64, "step"), formulas::violated(session))
}

/// The step that a trace describes.
fn next(session: &Session<'_>, step: &RecordedStep) -> Option<Choice> {
    let choices = match session.walk.node() {
        Node::State(_) => {
            let name = step.operation.as_deref()?;
            let at = session.operations().iter().position(|o| o == name)?;
            session.walk.choices_of(u32::try_from(at).ok()?)
        }
        // The valuation of a trace may be any of them.
        Node::Root => session.walk.choices(usize::MAX),
        Node::Valuation(_) => session.walk.choices(VALUATIONS),
    };
    choices.all.into_iter().find(|choice| fits(session, choice, step))
}

fn fits(session: &Session<'_>, choice: &Choice, step: &RecordedStep) -> bool {
    use crate::model::System as _;
    let system = session.walk.system();
    let values = match &choice.target {
        Node::Root => Vec::new(),
        Node::Valuation(v) => system.show_valuation(*v),
        Node::State(words) => system.show_state(words),
    };
    let among = |said: &[(String, String)], real: &[(String, String)]| said.iter().all(|s| real.contains(s));
    among(&step.arguments, &choice.label.arguments)
        && among(&step.results, &choice.label.results)
        && among(&step.values, &values)
}
