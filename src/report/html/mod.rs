//! Reports as one HTML page: to be read in a browser, sent by mail or printed.
//!
//! In: a report, those of several sizes, or a refused input. Out: a page that is complete by itself. It is well-formed XML, too; there
//! is no script in it, and nothing is fetched. Folded is what is long or seldom asked for. Siblings: `head` (what the verdict is and
//! covers), `found` (a violation), `reason` (why it is one), `steps` (a trace as a table), `path` (as a picture), `value` (long
//! texts), `replay` (a trace that was replayed), `style`.

mod found;
mod head;
mod path;
mod reason;
pub mod replay;
mod steps;
mod style;
mod value;

use self::value::{Room, code, marked};
use super::markup::escape;
use super::{Message, Refusal, Report, Sweep, Verdict, covered, text};
use crate::diagnostic::Severity;

/// The report as a page.
#[must_use]
pub fn write(r: &Report) -> String {
    page(&format!("{}: {}", r.machine, r.verdict.name()), &body(r, &mut Room::default()))
}

/// A refused input as a page.
#[must_use]
pub fn refused(r: &Refusal) -> String {
    let answer = "the machine was not checked: what is wrong with it stands below";
    let mut out = heading(&Badge::REFUSED, &r.file, answer, "");
    for m in &r.messages {
        let word = if m.severity == Severity::Error { "error" } else { "warning" };
        out += &format!("<section class=\"found\">\n<h2>{word}: {}</h2>\n", marked(&m.message));
        out += &m.location.as_ref().map_or_else(String::new, found::source);
        if let Some(help) = &m.help {
            out += &format!("<p>{}</p>\n", marked(help));
        }
        out += &format!("<p class=\"quiet\">{} ({})</p>\n</section>\n", escape(m.code), escape(m.meaning));
    }
    page(&format!("{}: refused", r.file), &(out + &footer("")))
}

/// The reports of several sizes as a page: a row each, all of each folded below.
#[must_use]
pub fn sweep(s: &Sweep) -> String {
    let (answer, machine) = (s.answer(), s.runs.first().map_or("", |(_, r)| r.machine.as_str()));
    let badge = Badge::of(s.verdict());
    let why = answer.split_once(": ").map_or("", |(_, why)| why);
    let file = s.runs.first().map_or("", |(_, r)| r.file.as_str());
    let mut out = heading(&badge, machine, why, file);
    if let Some((_, r)) = s.worst() {
        out += &format!("<p>{}</p>\n", escape(&covered::line(r)));
    }
    let header = ["size", "verdict", "states", "transitions", "full graph", "seconds", "MiB"];
    let row = |(size, r): &(u32, Report)| {
        let bound = if r.complete { "" } else { "> " };
        let full = r.full_states.as_deref().map(text::grouped).unwrap_or_default();
        vec![
            format!("{}{size}", s.label()),
            r.verdict.name().to_owned(),
            format!("{bound}{}", text::grouped(&r.states.to_string())),
            text::grouped(&r.transitions.to_string()),
            full,
            format!("{:.3}", r.explore_seconds),
            (r.peak_bytes >> 20).to_string(),
        ]
    };
    out += &table(&header, 2, s.runs.iter().map(row));
    out += &list("", s.lines().iter().map(|l| escape(l)));
    let mut room = Room::default();
    for (size, r) in &s.runs {
        let worst = s.worst().is_some_and(|(worst, _)| worst == size) && !r.verdict.is_fine();
        let title = format!("{} At size {}{size}", Badge::of(r.verdict).html(), escape(&s.label()));
        out += &folded(&title, &body(r, &mut room), worst);
    }
    page(&format!("{machine}: {}", s.verdict().name()), &out)
}

/// What the page of a report has.
fn body(r: &Report, room: &mut Room) -> String {
    let mut out = heading(
        &Badge::of(r.verdict),
        &r.machine,
        &format!("{}{}", text::why(r), text::not_checked(r)),
        &r.file,
    );
    out += &head::write(r);
    for v in r.violations.iter().chain(&r.open).chain(&r.goal) {
        out += &found::write(v, r, room);
    }
    out += &head::operations(r);
    out += &messages("Warnings", &r.warnings);
    out += &messages("Notes: what has no influence", &r.notes);
    out + &footer(&head::options(r))
}

fn messages(title: &str, all: &[Message]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let one = |m: &Message| {
        let help = m.help.as_ref().map_or_else(String::new, |h| format!("<br/>{}", marked(h)));
        let place = m.location.as_ref().map_or_else(String::new, |l| format!("{}: ", value::place(l)));
        format!("{place}{}{help}", marked(&m.message))
    };
    format!("<section>\n<h2>{title}</h2>\n{}</section>\n", list("", all.iter().map(one)))
}

/// A verdict as it is shown: by colour, by a sign and by its word.
struct Badge {
    class: &'static str,
    sign: &'static str,
    word: &'static str,
}

impl Badge {
    const REFUSED: Badge = Badge { class: "violated", sign: "\u{2717}", word: "REFUSED" };

    fn of(v: Verdict) -> Badge {
        let (class, sign, word) = match v {
            Verdict::Holds => ("holds", "\u{2713}", "HOLDS"),
            Verdict::HoldsWithinBounds => ("holds", "\u{2713}", "HOLDS-WITHIN-BOUNDS"),
            Verdict::Violated => ("violated", "\u{2717}", "VIOLATED"),
            Verdict::Error => ("violated", "!", "ERROR"),
            Verdict::Incomplete => ("incomplete", "?", "INCOMPLETE"),
        };
        Badge { class, sign, word }
    }

    fn html(&self) -> String {
        format!("<span class=\"badge {}\">{} {}</span>", self.class, self.sign, self.word)
    }
}

/// The verdict with what it is of and what it rests on.
fn heading(badge: &Badge, machine: &str, answer: &str, file: &str) -> String {
    let file = if file.is_empty() {
        String::new()
    } else {
        format!("<p class=\"quiet\"><code>{}</code></p>\n", escape(file))
    };
    format!(
        "<header>\n<h1>{} {}</h1>\n<p class=\"answer\">{}</p>\n{file}</header>\n",
        badge.html(),
        escape(machine),
        marked(answer)
    )
}

/// The last lines: options, who wrote it.
fn footer(options: &str) -> String {
    format!("<footer>\n{options}<p class=\"quiet\">bsym {}</p>\n</footer>\n", env!("CARGO_PKG_VERSION"))
}

/// A whole page.
pub(super) fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{}</title>\n\
         <style>{}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title),
        style::STYLE
    )
}

/// A list; its lines are HTML already. Nothing if there are none.
fn list(class: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: String = lines.map(|l| format!("<li>{l}</li>\n")).collect();
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    if lines.is_empty() { lines } else { format!("<ul{class}>\n{lines}</ul>\n") }
}

/// A table of texts, with numbers from a column on.
fn table(header: &[&str], numbers: usize, rows: impl Iterator<Item = Vec<String>>) -> String {
    let cell = |tag: &str, (i, text): (usize, &str)| {
        let class = if i < numbers { "" } else { " class=\"number\"" };
        format!("<{tag}{class}>{}</{tag}>", escape(text))
    };
    let header: String = header.iter().enumerate().map(|(i, h)| cell("th", (i, h))).collect();
    let row = |all: Vec<String>| {
        let cells: String = all.iter().enumerate().map(|(i, c)| cell("td", (i, c))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = rows.map(row).collect();
    format!(
        "<div class=\"wide\"><table>\n<thead><tr>{header}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// Something under a title, which is HTML already; closed unless it is wanted open.
pub(super) fn folded(title: &str, inside: &str, open: bool) -> String {
    let open = if open { " open=\"open\"" } else { "" };
    format!("<details{open}>\n<summary>{title}</summary>\n{inside}</details>\n")
}

/// Names with their values in full, a line each.
fn values(all: &[(String, String)], room: &mut Room) -> String {
    list("values", all.iter().map(|(n, v)| format!("{} = {}", code(n), code(&room.cut(v)))))
}
