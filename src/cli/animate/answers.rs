//! What is told of a place, of a step, of a formula: texts and values from the session.
//!
//! In: a session. Out: the plain data of news.

use super::history::{call, short};
use super::news::{Entry, OnTrace, Place, Sign, Stage};
use super::work::Worker;
use crate::cli::found::{self, Mark};
use crate::cli::session::{Answer, Session, Trouble, formulas, steps};
use crate::diagnostic::render;
use crate::model::System as _;
use crate::report::TraceStep;
use crate::walk::{Choice, Node};
use std::fmt::Write as _;

/// Bytes of a value in the pane of the state.
const SHOWN: usize = 2000;

/// Bytes of a value that is shown in full.
const WHOLE: usize = 4 << 20;

/// Where the run is; what is possible there is told later.
pub(super) fn place(worker: &Worker<'_>, number: u64) -> Place {
    let Worker { session, history, trace, .. } = worker;
    let walk = &session.walk;
    let last = steps::shown(walk.last(2)).pop();
    let (stage, valuation) = match walk.node() {
        Node::Root => (Stage::Root, None),
        Node::Valuation(v) => (Stage::Constants, Some(*v)),
        Node::State(words) => (Stage::State, words.first().and_then(|v| u32::try_from(*v).ok())),
    };
    let constants = valuation.map_or_else(Vec::new, |v| walk.system().show_valuation_in(SHOWN, v));
    let on = trace.as_ref().map(|t| {
        let at = t.along(history, walk);
        OnTrace { at, of: t.len(), left: at < walk.len() }
    });
    Place {
        number,
        stage,
        at: walk.len(),
        history: history.names().to_vec(),
        variables: last.filter(|_| stage == Stage::State).map_or_else(Vec::new, |last| entries(&last)),
        constants: constants.into_iter().map(|(name, value)| plain(name, value)).collect(),
        groups: Vec::new(),
        outside: walk.state().is_some_and(|s| walk.system().is_outside(s)),
        trace: on,
    }
}

fn plain(name: String, value: String) -> Entry {
    Entry { name, value: short(value, SHOWN), changed: false, changes: Vec::new() }
}

/// The variables after a step.
fn entries(last: &TraceStep) -> Vec<Entry> {
    let entry = |(name, value): &(String, String)| {
        let change = last.changes.iter().find(|c| c.name == *name && c.before.is_some());
        let lines = change.map_or_else(Vec::new, |c| match (&c.before, c.delta.is_empty()) {
            (Some(before), true) => vec![format!("was {}", short(before.clone(), SHOWN))],
            _ => c.delta.iter().map(|l| l.trim_start_matches(':').trim().to_owned()).collect(),
        });
        Entry { changed: change.is_some(), changes: lines, ..plain(name.clone(), value.clone()) }
    };
    last.values.iter().map(entry).collect()
}

/// What of the properties does not hold where the run is, or is not known.
pub(super) fn checked(session: &Session<'_>) -> Vec<(Sign, String)> {
    let walk = &session.walk;
    let found = found::found(&walk.words(), walk.system(), walk.state().is_some());
    let sign = |mark| match mark {
        Mark::Violated | Mark::Fault => Sign::Bad,
        Mark::Open => Sign::Open,
        Mark::Goal => Sign::Good,
    };
    found::lines(&found, &session.setup.machine).into_iter().map(|l| (sign(l.mark), l.text)).collect()
}

/// The value of a formula, or what else may be asked of one, as a line of `bsym repl`.
pub(super) fn value(session: &mut Session<'_>, text: &str) -> Answer {
    match text.trim().split_once(char::is_whitespace) {
        Some((":type" | ":t", rest)) => formulas::type_of(session, rest.trim()),
        Some((":solve", rest)) => formulas::solve(session, rest.trim()),
        Some((":why" | ":w", rest)) => formulas::why(session, rest.trim()),
        _ if text.trim_start().starts_with(':') => {
            Err(Trouble::Said("of commands here are `:type E`, `:solve P` and `:why P`".to_owned()))
        }
        _ => formulas::value(session, text),
    }
}

/// An answer as text.
pub(super) fn text(answer: Answer, session: &Session<'_>) -> String {
    match answer {
        Ok(text) => text,
        Err(Trouble::Refused(all) | Trouble::Fault(all)) => {
            let all: Vec<String> = all.iter().map(|d| render::render(d, session.sources(), false)).collect();
            all.join("\n\n")
        }
        Err(Trouble::Said(text) | Trouble::Stopped(text) | Trouble::Unknown(text)) => text,
        Err(Trouble::Quit) => String::new(),
    }
}

/// A name with its type.
pub(super) fn title(session: &Session<'_>, name: &str) -> String {
    let machine = &session.setup.machine;
    let found = machine.constants.iter().chain(&machine.variables).find(|d| *d.name == *name);
    found.map_or_else(|| name.to_owned(), |d| format!("{name} : {}", d.ty.show(&**machine)))
}

/// The value of a name in full.
pub(super) fn whole(session: &Session<'_>, name: &str) -> String {
    let walk = &session.walk;
    let words = walk.words();
    let valuation = words.first().and_then(|v| u32::try_from(*v).ok());
    let of_state = walk.state().map_or_else(Vec::new, |s| walk.system().show_state_in(WHOLE, s));
    let found = of_state.into_iter().find(|(n, _)| n == name);
    let constants =
        || walk.system().show_valuation_in(WHOLE, valuation?).into_iter().find(|(n, _)| n == name);
    found
        .or_else(constants)
        .map_or_else(|| "it has no value here".to_owned(), |(_, value)| short(value, WHOLE))
}

/// A step in full: the call, and the values after it.
pub(super) fn step(session: &Session<'_>, choice: &Choice) -> String {
    let system = session.walk.system();
    let values = match &choice.target {
        Node::Root => Vec::new(),
        Node::Valuation(v) => system.show_valuation_in(WHOLE, *v),
        Node::State(words) => system.show_state_in(WHOLE, words),
    };
    let mut out = format!("{}\n\nafter it:\n", call(choice));
    for (name, value) in values {
        let _ = writeln!(out, "{name} = {}", short(value, WHOLE));
    }
    out
}
