//! A trace as a table: a row for each step, a column for each variable and each expression that is to be shown.
//!
//! What a step changes is marked; a value that stays is grey and short. Where there are many variables, those that never
//! change have no column. The two sides of a refinement stand beside each other.

use super::super::text::call;
use super::super::traces::SETUP;
use super::super::{Change, TraceStep};
use super::value::{Room, brief, code};
use super::{escape, folded, values};

/// Columns of variables before those that never change are folded.
const WIDE: usize = 6;

/// What the table shows.
pub(super) struct Rows<'t> {
    /// All steps.
    pub steps: &'t [TraceStep],
    /// The first ones, how many are left out, the last ones.
    pub ends: (&'t [TraceStep], usize, &'t [TraceStep]),
    /// How many steps were taken: those behind them are only told.
    pub reached: usize,
    /// How many steps come before those that are taken again and again.
    pub back: Option<usize>,
    /// The refined machine, whose variables have its name before theirs.
    pub refined: Option<&'t str>,
}

/// A column of values.
struct Column<'t> {
    name: &'t str,
    expression: bool,
    /// Whether it is of the refined machine.
    refined: bool,
}

/// The table.
pub(super) fn table(rows: &Rows<'_>, room: &mut Room) -> String {
    let (columns, kept) = columns(rows);
    let (head, between, tail) = rows.ends;
    let first = rows.steps.iter().position(is_state);
    let mut body = String::new();
    let one = |i: usize, room: &mut Room| {
        let Some(s) = rows.steps.get(i) else { return String::new() };
        let kept = if Some(i) == first { folded_kept(&kept, room) } else { String::new() };
        row(rows, &columns, (i, s), &kept, room)
    };
    for i in 0..head.len() {
        body += &one(i, room);
    }
    if between > 0 {
        let all = columns.len().max(1) + 2;
        body += &format!(
            "<tr><td colspan=\"{all}\" class=\"gap\">{between} steps are left out here (<code>--trace-full</code> shows all)</td></tr>\n"
        );
    }
    for i in rows.steps.len() - tail.len()..rows.steps.len() {
        body += &one(i, room);
    }
    format!(
        "<div class=\"wide\"><table class=\"trace\">\n<thead>\n{}</thead>\n<tbody>\n{body}</tbody>\n</table></div>\n",
        header(&columns, rows.refined)
    )
}

/// Whether a step leads to a state of variables.
fn is_state(s: &TraceStep) -> bool {
    s.operation != SETUP && !s.values.is_empty()
}

/// The columns, and the variables that keep their values and have none.
fn columns<'t>(rows: &Rows<'t>) -> (Vec<Column<'t>>, Vec<(String, String)>) {
    let Some(first) = rows.steps.iter().find(|s| is_state(s)) else { return (Vec::new(), Vec::new()) };
    let later = || rows.steps.iter().filter(|s| is_state(s)).skip(1);
    let changes = |name: &str| later().any(|s| s.changes.iter().any(|c| c.name == name));
    let wide = first.values.len() > WIDE;
    let is_theirs = |name: &str| {
        rows.refined.is_some_and(|r| name.strip_prefix(r).is_some_and(|rest| rest.starts_with('.')))
    };
    let (shown, kept): (Vec<_>, Vec<_>) = first.values.iter().partition(|(n, _)| !wide || changes(n));
    let variable =
        |(n, _): &&'t (String, String)| Column { name: n, expression: false, refined: is_theirs(n) };
    let mut columns: Vec<Column<'t>> = shown.iter().map(variable).collect();
    // The sides of a refinement are apart.
    columns.sort_by_key(|c| !c.refined);
    let expression = |(n, _): &'t (String, String)| Column { name: n, expression: true, refined: false };
    columns.extend(first.watched.iter().map(expression));
    (columns, kept.into_iter().cloned().collect())
}

fn folded_kept(kept: &[(String, String)], room: &mut Room) -> String {
    match kept.len() {
        0 => String::new(),
        1 => folded("1 variable keeps its value", &values(kept, room), false),
        n => folded(&format!("{n} variables keep their values"), &values(kept, room), false),
    }
}

/// The names of the columns; above them whose they are, if there are two machines.
fn header(columns: &[Column<'_>], refined: Option<&str>) -> String {
    let theirs = columns.iter().filter(|c| c.refined).count();
    let own = columns.iter().filter(|c| !c.refined && !c.expression).count();
    let mut out = String::new();
    if let Some(refined) = refined.filter(|_| theirs > 0) {
        let own = if own == 0 {
            String::new()
        } else {
            format!("<th class=\"side\" colspan=\"{own}\">the refinement</th>")
        };
        out += &format!(
            "<tr><th></th><th></th><th class=\"side\" colspan=\"{theirs}\">{}, which it refines</th>{own}</tr>\n",
            escape(refined)
        );
    }
    let title = |c: &Column<'_>| {
        let class = if c.expression { " class=\"expression\"" } else { "" };
        format!("<th{class}>{}</th>", code(c.name))
    };
    let titles: String = columns.iter().map(title).collect();
    let titles = if titles.is_empty() { "<th>state</th>".to_owned() } else { titles };
    out + &format!("<tr><th></th><th>step</th>{titles}</tr>\n")
}

fn row(
    rows: &Rows<'_>,
    columns: &[Column<'_>],
    (i, s): (usize, &TraceStep),
    kept: &str,
    room: &mut Room,
) -> String {
    let n = i + 1;
    let mut class = "step".to_owned();
    for (is, word) in [
        (rows.back.is_some_and(|b| n > b), " again"),
        (n == rows.steps.len() && rows.back.is_none(), " last"),
        (n > rows.reached && s.fault.is_none(), " missed"),
    ] {
        class += if is { word } else { "" };
    }
    let sign = if rows.back.is_some_and(|b| n > b) { "\u{21bb} " } else { "" };
    let all = columns.len().max(1);
    let cells = if let Some(fault) = &s.fault {
        format!("<td colspan=\"{all}\" class=\"fault\">\u{2717} {}</td>", super::marked(fault))
    } else if s.operation == SETUP {
        format!("<td colspan=\"{all}\">{}</td>", values(&s.values, room))
    } else if columns.is_empty() {
        "<td></td>".to_owned()
    } else {
        let before = i.checked_sub(1).and_then(|i| rows.steps.get(i));
        columns.iter().map(|c| cell(c, before, s, room)).collect()
    };
    format!("<tr class=\"{class}\"><td>{sign}{n}</td><td>{}{kept}</td>{cells}</tr>\n", room.folded(&call(s)))
}

fn cell(column: &Column<'_>, before: Option<&TraceStep>, s: &TraceStep, room: &mut Room) -> String {
    let value = |s: &'_ TraceStep| {
        let all = if column.expression { &s.watched } else { &s.values };
        all.iter().find(|(n, _)| n == column.name).map(|(_, v)| v.clone())
    };
    let Some(now) = value(s) else { return "<td></td>".to_owned() };
    let change = s.changes.iter().find(|c| !column.expression && c.name == column.name);
    let other = column.expression && before.and_then(value).as_ref() != Some(&now);
    match change {
        Some(change) => format!("<td class=\"changed\">{}{}</td>", room.folded(&now), delta(change, room)),
        None if other => format!("<td class=\"changed\">{}</td>", room.folded(&now)),
        None => format!("<td class=\"same\">{}</td>", brief(&now)),
    }
}

/// A change in few words, below the value.
fn delta(c: &Change, room: &mut Room) -> String {
    // What the value says by itself need not be said again.
    let told = c.after.chars().count() <= 8 || c.before.as_deref().is_none_or(|b| matches!(b, "{}" | "[]"));
    let lines = c.delta.iter().filter(|_| !told);
    lines
        .map(|l| {
            let line = l.trim_start_matches(':').trim_start();
            format!("<span class=\"delta\">{}</span>", room.folded(line))
        })
        .collect()
}
