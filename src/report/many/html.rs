//! Many machines as one HTML page: a table of the verdicts, and below it what the page of each has.

use super::super::html::{folded, page};
use super::super::markup::escape;
use super::{Checked, Many, word};

/// What a page has between these is its content.
const CONTENT: (&str, &str) = ("<main>\n", "</main>");

/// All of them.
pub(in super::super) fn write(all: &Many) -> String {
    let summary = all.summary();
    let rows: String = all.machines.iter().enumerate().map(|(i, m)| row(i + 1, m, all.expected)).collect();
    let whole: String =
        all.machines.iter().enumerate().map(|(i, m)| report(i + 1, m, all.expected)).collect();
    let body = format!(
        "<header>\n<h1>{0}</h1>\n</header>\n<div class=\"wide\"><table>\n<thead><tr><th></th><th>machine</th><th>verdict</th><th></th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n{whole}<footer>\n<p class=\"quiet\">bsym {1}</p>\n</footer>\n",
        escape(&summary),
        env!("CARGO_PKG_VERSION")
    );
    page(&summary, &body)
}

/// The content of a page; nothing if it is none.
fn content(page: &str) -> &str {
    let inside = page.split_once(CONTENT.0).and_then(|(_, rest)| rest.rsplit_once(CONTENT.1));
    inside.map_or("", |(inside, _)| inside)
}

/// What stands in a page for the verdict, without markup of its own: the line below its first heading.
fn answer(page: &str) -> &str {
    let inside = page.split_once("<p class=\"answer\">").and_then(|(_, rest)| rest.split_once("</p>"));
    inside.map_or("", |(inside, _)| inside)
}

/// The verdict by colour and word.
fn badge(m: &Checked, expected: bool) -> String {
    let (class, sign) = match m.exit {
        Some(0 | 5) => ("holds", "\u{2713}"),
        Some(3) | None => ("incomplete", "?"),
        Some(_) => ("violated", "\u{2717}"),
    };
    format!("<span class=\"badge {class}\">{sign} {}</span>", escape(word(m.exit, expected)))
}

fn row(number: usize, m: &Checked, expected: bool) -> String {
    format!(
        "<tr><td>{number}</td><td><a href=\"#m{number}\"><code>{}</code></a></td><td>{}</td><td>{}</td></tr>\n",
        escape(&m.file),
        badge(m, expected),
        answer(&m.report)
    )
}

fn report(number: usize, m: &Checked, expected: bool) -> String {
    let title = format!("<code>{}</code> {}", escape(&m.file), badge(m, expected));
    let mut inside = content(&m.report).to_owned();
    if inside.is_empty() && !m.said.is_empty() {
        inside = format!("<pre>{}</pre>\n", escape(&m.said));
    }
    format!("<div id=\"m{number}\">\n{}</div>\n", folded(&title, &inside, false))
}
