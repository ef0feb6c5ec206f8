//! Why a violation is one, on a page: reasons, blocked operations, conflicts, outcomes that do not fit.
//!
//! The data and the words are those of the text (`why`, `blocked`, `unsolved`, `unmatched`).

use super::super::blocked::Blocked;
use super::super::why::{self, Reason};
use super::super::{Unsolved, Violation, text, unmatched, unsolved};
use super::value::{Room, brief, code, marked, place};
use super::{escape, folded, list};
use crate::explain::Shown;
use crate::model::{Attempt, Delta, Unmatched, Why as Reach};

/// Rows of blocked operations that are seen; the others are folded.
const ROWS: usize = 30;

/// The reason of a violation.
pub(super) fn why(r: &Reason, v: &Violation, room: &mut Room) -> String {
    let inside = if why::is_told(r, v) { below(r, room) } else { whole(r, room) };
    if inside.is_empty() { inside } else { format!("<h3>Why</h3>\n{inside}") }
}

/// A part with what stands below it.
fn whole(r: &Reason, room: &mut Room) -> String {
    format!("<div>{}{}</div>\n", line(r), below(r, room))
}

/// A part, whether it is true, and for which values.
fn line(r: &Reason) -> String {
    let verb = match r.holds {
        Some(true) => " is true",
        Some(false) => " is false",
        None => "",
    };
    let at = r.place.as_ref().map_or_else(String::new, |p| format!(" (line {})", p.line));
    let choice: Vec<String> =
        r.choice.iter().map(|s| format!("{} = {}", code(&s.text), brief(&s.value))).collect();
    let choice = if choice.is_empty() { String::new() } else { format!(" for {}", choice.join(", ")) };
    let missing = match r.missing.as_slice() {
        [] => String::new(),
        [one] => format!(": there is no such {}", code(one)),
        all => format!(": there are no such {}", code(&all.join(", "))),
    };
    let more = if r.parts.is_empty() || !r.missing.is_empty() { "" } else { ", since" };
    format!("{}{at}{verb}{choice}{missing}{more}", brief(&r.part))
}

/// Calls, rounds, values and parts below a part.
fn below(r: &Reason, room: &mut Room) -> String {
    let mut lines: Vec<String> = r.calls.iter().map(|c| format!("called at {}", place(c))).collect();
    lines.extend(r.turn.as_ref().map(|t| escape(&why::turn(t))));
    lines.extend(r.values.iter().chain(why::names(r)).map(|v| shown(v, room)));
    for p in &r.parts {
        let part = format!("{}{}", line(p), below(p, room));
        lines.push(if r.missing.is_empty() { part } else { format!("what comes near: {part}") });
    }
    list("reason", lines.into_iter())
}

/// A value with those of the expressions in it.
fn shown(s: &Shown, room: &mut Room) -> String {
    let parts: Vec<String> = s.parts.iter().map(|p| shown(p, room)).collect();
    format!("{} = {}{}", brief(&s.text), room.folded(&s.value), list("reason", parts.into_iter()))
}

/// The operations that are not possible, and what each fails at.
pub(super) fn blocked(all: &[Blocked], room: &mut Room) -> String {
    if all.is_empty() {
        return String::new();
    }
    let rows: Vec<String> = all.iter().flat_map(|b| kinds(b, room)).collect();
    let (seen, rest) = rows.split_at(rows.len().min(ROWS));
    let table = |rows: &[String]| {
        format!(
            "<div class=\"wide\"><table>\n<thead><tr><th>operation</th><th>choices of arguments</th><th>fails at</th></tr></thead>\n\
             <tbody>\n{}</tbody>\n</table></div>\n",
            rows.concat()
        )
    };
    let mut out = format!("<h3>Why no operation is possible</h3>\n{}", table(seen));
    if !rest.is_empty() {
        out += &folded(&text::count(rest.len() as u64, "more row"), &table(rest), false);
    }
    out + "<p class=\"quiet\">if it is meant to end here: <code>--no-deadlock</code></p>\n"
}

fn kinds(b: &Blocked, room: &mut Room) -> Vec<String> {
    let name = code(&b.operation);
    if b.kinds.is_empty() {
        return vec![format!("<tr><td>{name}</td><td></td><td>there is no short reason</td></tr>\n")];
    }
    let kind = |(n, reasons): &(u64, Vec<Reason>)| {
        let which = match b.choices {
            Some(all) if b.more => format!("{n} of the first {all}"),
            Some(all) if all > 1 => format!("{n} of {all}"),
            _ => String::new(),
        };
        let why: String = reasons.iter().map(|r| whole(r, room)).collect();
        format!("<tr><td>{name}</td><td>{which}</td><td>{why}</td></tr>\n")
    };
    b.kinds.iter().map(kind).collect()
}

/// The conjuncts that cannot hold together.
pub(super) fn unsolved(u: &Unsolved) -> String {
    let head = unsolved::head(u);
    if head.is_empty() {
        return head;
    }
    let conjuncts =
        u.conjuncts.iter().map(|l| format!("{} <span class=\"quiet\">{}</span>", code(&l.text), place(l)));
    let mut out = format!("<h3>{}</h3>\n{}", escape(&head), list("", conjuncts));
    if let Some(because) = &u.because {
        out += &format!("<p>{}</p>\n", marked(because));
    }
    if let Some(remedy) = &u.remedy {
        out += &format!("<p>with {} they can hold</p>\n", code(remedy));
    }
    out
}

/// What the refinement does, and below it what the refined machine could do.
pub(super) fn unmatched(u: &Unmatched) -> String {
    let own = match u.why {
        Reach::Outcome => outcome(&u.label.results, &u.own),
        Reach::Precondition | Reach::Refusal => marked(&unmatched::what(u)),
    };
    let mut theirs: Vec<String> = Vec::new();
    if u.why == Reach::Precondition {
        theirs.push("the precondition holds with these arguments".to_owned());
    } else {
        if u.attempts.is_empty() {
            theirs.push("nothing, it blocks".to_owned());
        }
        theirs.extend(u.attempts.iter().take(unmatched::SHOWN).map(attempt));
        let more = u.more + u.attempts.len().saturating_sub(unmatched::SHOWN);
        theirs.extend((more > 0).then(|| escape(&text::count(more as u64, "more outcome"))));
    }
    let row = |who: &str, what: &str| format!("<tr><th>{}</th><td>{what}</td></tr>\n", escape(who));
    let in_refined = format!("in {}", u.refined);
    let theirs: String = theirs.iter().map(|t| row(&in_refined, t)).collect();
    format!(
        "<h3>Both sides of the step</h3>\n<div class=\"wide\"><table>\n<tbody>\n{}{theirs}</tbody>\n</table></div>\n",
        row("in the refinement", &own)
    )
}

/// Results and changes, a line each.
fn outcome(results: &[(String, String)], changes: &[Delta]) -> String {
    match unmatched::parts(results, changes).as_slice() {
        [] => unmatched::NOTHING.to_owned(),
        all => list("values", all.iter().map(|p| code(p))),
    }
}

/// What the refined machine could do, and what is wrong about it.
fn attempt(a: &Attempt) -> String {
    if a.offers.is_some() {
        return marked(&unmatched::attempt(a));
    }
    let done = outcome(&a.results, &a.changes);
    if a.other_results {
        return format!("{done}<p>other results</p>");
    }
    let broken: String = a.broken.iter().map(|c| format!("<p>{} is false</p>", code(c))).collect();
    format!("{done}{broken}")
}
