//! A violation on a page: what and where it is, why, and the way to it.

use super::super::{Location, Report, Violation, formulas, shorten, text};
use super::path::{self, Path};
use super::reason;
use super::steps::{self, Rows};
use super::value::{Room, marked, place};
use super::{escape, folded, values};

/// Lines of a source text that are seen; the others are folded.
const LINES: usize = 12;

/// The violation.
pub(super) fn write(v: &Violation, r: &Report, room: &mut Room) -> String {
    let class = match v.kind {
        "goal" => "found goal",
        _ if v.is_open() => "found open",
        _ => "found",
    };
    let mut out =
        format!("<section class=\"{class}\">\n<h2>{}: {}</h2>\n", escape(v.kind), marked(&v.message));
    out += &v.location.as_ref().filter(|_| v.unsolved.is_none()).map_or_else(String::new, source);
    out += &v.why.as_ref().map_or_else(String::new, |w| reason::why(w, v, room));
    out += &reason::blocked(&v.blocked, room);
    out += &v.unsolved.as_ref().map_or_else(String::new, reason::unsolved);
    out += &v.unmatched.as_ref().map_or_else(String::new, reason::unmatched);
    if v.count > 1 {
        out += &format!("<p>in {} (the first is shown)</p>\n", escape(&text::count(v.count, "state")));
    }
    if v.untraced {
        out += "<p>a limit stopped the steps to it from being taken again</p>\n";
    }
    if !v.trace.is_empty() {
        out += &trace(v, r, room);
    }
    out + "</section>\n"
}

fn trace(v: &Violation, r: &Report, room: &mut Room) -> String {
    let steps = text::count(v.trace.len() as u64, "step");
    let mut out = format!("<h3>Trace: {steps}</h3>\n");
    out += &path::write(&Path { steps: &v.trace, reached: v.trace.len(), back: v.back, end: end(v.kind) });
    let rows = Rows {
        steps: &v.trace,
        ends: if r.look.all { (&v.trace[..], 0, &[][..]) } else { shorten::ends(&v.trace) },
        reached: v.trace.len(),
        back: v.back,
        refined: v
            .unmatched
            .as_ref()
            .map(|u| u.refined.as_str())
            .or(r.refines.as_ref().map(|(n, _)| n.as_str())),
    };
    out += &steps::table(&rows, room);
    if let Some(end) = formulas::end(v) {
        out += &format!("<p class=\"again-note\">\u{21bb} {}</p>\n", escape(&end));
    }
    if let Some(last) = v.trace.iter().rev().find(|s| !s.values.is_empty()) {
        let failed = v.trace.last().is_some_and(|s| s.fault.is_some());
        let which = if failed { "before the error" } else { "at the end" };
        let mut all = last.values.clone();
        all.extend(last.watched.iter().cloned());
        out += &folded(&format!("The state {which}"), &values(&all, room), false);
    }
    out
}

/// The word for the state in which a trace ends.
pub(super) fn end(kind: &str) -> &str {
    match kind {
        "invariant" | "assertion" | "refinement" => "violation",
        "setup" => "no way on",
        "unsupported" => "undecided",
        "ltl" | "ctl" => "",
        other => other,
    }
}

/// A place with the text there, its lines numbered.
pub(super) fn source(l: &Location) -> String {
    if l.text.is_empty() {
        return format!("<p>at {}</p>\n", place(l));
    }
    let width = (l.line + l.text.matches('\n').count()).to_string().len();
    let numbered = |(i, line): (usize, &str)| {
        // Of several lines the first begins at its column, the others at the margin.
        let before = if i == 0 && l.text.contains('\n') {
            " ".repeat(l.column.saturating_sub(1).min(40))
        } else {
            String::new()
        };
        format!("<span class=\"no\">{:width$}</span>  {before}{}\n", l.line + i, escape(line))
    };
    let lines: Vec<String> = l.text.lines().enumerate().map(numbered).collect();
    let (seen, rest) = lines.split_at(lines.len().min(LINES));
    let mut out = format!("<p>at {}</p>\n<pre>{}</pre>\n", place(l), seen.concat());
    if !rest.is_empty() {
        out += &folded(
            &text::count(rest.len() as u64, "more line"),
            &format!("<pre>{}</pre>\n", rest.concat()),
            false,
        );
    }
    out
}
