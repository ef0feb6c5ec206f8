//! The last lines: what holds, where the run is, what is being done.

use super::app::{App, Ask};
use super::news::{Checked, Known, Sign, Stage};
use crate::report::text::count;

/// Whether properties hold and steps are possible, in one line.
pub(super) fn verdict(app: &App) -> (Option<Sign>, String) {
    let place = &app.place;
    let lines: &[(Sign, String)] = match &app.checked {
        Checked::Known(lines) => lines,
        _ => &[],
    };
    let notes = place.groups.iter().flat_map(|g| &g.notes);
    let all = || lines.iter().chain(notes.clone());
    let some = place.groups.iter().any(|g| !g.steps.is_empty());
    let looking = place.groups.iter().any(|g| g.known == Known::Looking);
    let bad: Vec<&str> = all().filter(|(s, _)| *s == Sign::Bad).map(|(_, t)| t.as_str()).collect();
    let open: Vec<&str> = all().filter(|(s, _)| *s == Sign::Open).map(|(_, t)| t.as_str()).collect();
    let more = |n: usize| if n > 1 { format!(" (and {} more)", n - 1) } else { String::new() };
    let ended = match place.stage {
        _ if some || looking || place.groups.is_empty() => None,
        _ if place.outside => Some((Sign::Open, "SCOPE excludes this state: it is not left")),
        Stage::State if app.is_stuck() => Some((Sign::Bad, "deadlock: no step is possible")),
        Stage::State => Some((Sign::Open, "it is not known whether a step is possible")),
        _ if app.is_stuck() => Some((Sign::Bad, "no values of constants or variables are possible")),
        _ => Some((Sign::Open, "no way to begin was found")),
    };
    if let Some(first) = bad.first() {
        let stuck = ended.filter(|(s, _)| *s == Sign::Bad).map_or("", |_| "; deadlock");
        return (Some(Sign::Bad), format!("{first}{}{stuck}", more(bad.len())));
    }
    if let Some((Sign::Bad, text)) = ended {
        return (Some(Sign::Bad), text.to_owned());
    }
    if let Some(first) = open.first() {
        return (Some(Sign::Open), format!("{first}{}", more(open.len())));
    }
    if let Some((sign, text)) = ended {
        return (Some(sign), text.to_owned());
    }
    match (&app.checked, place.stage) {
        (_, Stage::Root) => (None, "nothing has a value yet".to_owned()),
        (Checked::Looking, _) => (None, "invariant and assertions: looking…".to_owned()),
        (Checked::Stopped(why), _) => (Some(Sign::Open), format!("invariant and assertions: {why}")),
        (Checked::Known(lines), stage) => {
            let what = match stage {
                Stage::State => "the invariant and the assertions hold",
                _ => "the assertions that can be decided here hold",
            };
            let goal = if lines.is_empty() { "" } else { "; the goal is reached" };
            (Some(Sign::Good), format!("{what}{goal}"))
        }
    }
}

/// Where the run is.
pub(super) fn place(app: &App) -> String {
    let place = &app.place;
    let mut out = match place.history.len() {
        all if all > place.at => format!("step {} of {all}", place.at),
        _ => format!("step {}", place.at),
    };
    if let Some(trace) = place.trace {
        let left = if trace.left { ", left" } else { "" };
        out += &format!(" · trace {}/{}{left}", trace.at, trace.of);
    }
    for (what, filter) in [("steps", &app.of_steps), ("state", &app.of_state)] {
        if !filter.is_empty() {
            out += &format!(" · {what} with `{filter}`");
        }
    }
    out
}

/// What is being done, what is to be read, or which keys there are.
pub(super) fn news(app: &App) -> String {
    if let Some(note) = &app.note {
        return note.clone();
    }
    if let Some(number) = app.number {
        return format!("step {number}: Enter takes the selected one");
    }
    match app.busy() {
        Some((doing, time)) if time.as_millis() >= 200 => {
            format!("{}… {} (Esc stops)", doing.what, count(time.as_secs(), "second"))
        }
        _ => "Enter take  u undo  r random  / filter  e evaluate  Tab pane  ? help  q quit".to_owned(),
    }
}

/// What is asked for while a text is typed.
pub(super) fn question(app: &App, ask: Ask) -> String {
    match ask {
        Ask::Eval => "evaluate: ".to_owned(),
        Ask::Random => "random steps: ".to_owned(),
        Ask::Trace => {
            let all = app.place.trace.map_or(0, |t| t.of);
            format!("step of the trace (0..{all}, nothing: the end): ")
        }
        Ask::Steps => "steps with: ".to_owned(),
        Ask::State => "variables with: ".to_owned(),
    }
}
