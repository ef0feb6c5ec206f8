//! Traces as tables of changes, for people.
//!
//! In: the steps of a trace. Out: a table that is as wide as the terminal, its lines broken at commas, and the state at the end.
//! Of long traces only the ends are shown, unless all is wanted.

use super::text::{INDENT, call};
use super::{Change, TraceStep, shorten};
use crate::explore::trace::abbreviated;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::borrow::Cow;

/// Most characters of a value in a table: more is for programs to read.
const MOST: usize = 2000;
/// As [`MOST`], where the values of a table have used up their room.
const SHORT: usize = 100;
/// Characters of values in one table before long ones are shortened: nobody reads millions.
const ROOM: usize = 1 << 18;
/// Columns that a table of three columns needs around what stands in them.
const FRAME: usize = 10;
/// Fewest columns for the changes.
const NARROWEST: usize = 20;

/// How traces are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Columns of a line.
    pub columns: u16,
    /// Whether all steps are shown, however many there are.
    pub all: bool,
    /// Whether more is told of how a result was reached.
    pub verbose: bool,
}

/// Steps as a table.
#[must_use]
pub fn table(steps: &[TraceStep], look: Look) -> Table {
    let mut room = ROOM;
    let (head, between, tail) = if look.all { (steps, 0, &[][..]) } else { shorten::ends(steps) };
    let numbered = || (1..).zip(head).chain((1 + head.len() + between..).zip(tail));
    let number = steps.len().to_string().len();
    let free = usize::from(look.columns).saturating_sub(FRAME + number);
    let longest = numbered().map(|(_, s)| call(s).chars().count()).max().unwrap_or(0);
    let called = longest.min(free / 2);
    let changed = free.saturating_sub(called.max("step".len())).max(NARROWEST);
    let mut table = Table::new();
    // Words that are too long are broken at its edge.
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(look.columns);
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header(["", "step", "changes"]);
    for (n, s) in numbered() {
        if between > 0 && n == 1 + head.len() + between {
            table.add_row(["…".to_owned(), "…".to_owned(), broken(&shorten::gap(between), changed)]);
        }
        let before = n.checked_sub(2).and_then(|i| steps.get(i));
        let changes = lines(before, s, &mut room).iter().map(|l| broken(l, changed)).collect::<Vec<_>>();
        table.add_row([n.to_string(), broken(&call(s), called), changes.join("\n")]);
    }
    if let Some(column) = table.column_mut(0) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// What a step does, in lines.
#[must_use]
pub fn changes(before: Option<&TraceStep>, s: &TraceStep) -> Vec<String> {
    lines(before, s, &mut ROOM.clone())
}

/// The same, with the room that is left for values.
fn lines(before: Option<&TraceStep>, s: &TraceStep, room: &mut usize) -> Vec<String> {
    if let Some(fault) = &s.fault {
        return vec![format!("error: {fault}")];
    }
    let mut lines: Vec<String> = s.changes.iter().flat_map(|c| change(c, room)).collect();
    lines.extend(watched(before, s, room));
    lines
}

/// A change in lines.
fn change(c: &Change, room: &mut usize) -> Vec<String> {
    if !c.delta.is_empty() {
        return c.delta.iter().map(|line| format!("{}{}", c.name, cell(line, room))).collect();
    }
    vec![match &c.before {
        Some(b) => format!("{}: {} -> {}", c.name, cell(b, room), cell(&c.after, room)),
        None => format!("{} = {}", c.name, cell(&c.after, room)),
    }]
}

/// Expressions whose values are others than before a step.
fn watched(before: Option<&TraceStep>, s: &TraceStep, room: &mut usize) -> Vec<String> {
    let old = |text: &str| before?.watched.iter().find(|(t, _)| t == text).map(|(_, v)| v);
    let line = |(text, v): &(String, String)| match old(text) {
        Some(old) if old == v => None,
        Some(old) => Some(format!("`{text}`: {} -> {}", cell(old, room), cell(v, room))),
        None => Some(format!("`{text}` = {}", cell(v, room))),
    };
    s.watched.iter().filter_map(line).collect()
}

/// The state that steps end in, unless the last one shows all of it.
#[must_use]
pub(super) fn last(steps: &[TraceStep], look: Look) -> String {
    let (mut out, mut room) = (String::new(), ROOM);
    let Some(end) = steps.iter().rev().find(|s| !s.values.is_empty()) else { return out };
    let told = |name: &str| end.changes.iter().any(|c| c.name == name && c.delta.is_empty());
    if end.values.iter().all(|(name, _)| told(name)) {
        return out;
    }
    let failed = steps.last().is_some_and(|s| s.fault.is_some());
    let which = if failed { "before the error" } else { "at the end" };
    out += &format!("{}the state {which}:\n", " ".repeat(INDENT));
    let indent = " ".repeat(2 * INDENT);
    let width = usize::from(look.columns).saturating_sub(indent.len()).max(NARROWEST);
    let watched = end.watched.iter().map(|(text, value)| (format!("`{text}`"), value));
    for (name, value) in end.values.iter().map(|(name, value)| (name.clone(), value)).chain(watched) {
        for line in broken(&format!("{name} = {}", cell(value, &mut room)), width).lines() {
            out += &format!("{indent}{line}\n");
        }
    }
    out
}

/// A line broken at commas and blanks, where it is longer than so many characters; what follows is indented. What cannot be
/// broken there is left as it is.
fn broken(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let (mut out, mut now, mut used) = (String::new(), String::new(), 0);
    for piece in line.split_inclusive([',', ' ']) {
        let long = piece.trim_end().chars().count();
        if used > 0 && used + long > width && !now.trim().is_empty() {
            out += now.trim_end();
            out.push('\n');
            now = " ".repeat(INDENT);
            used = INDENT;
        }
        now += piece;
        used += piece.chars().count();
    }
    out + &now
}

/// A value as it stands in a table that has room for so many characters more.
fn cell<'v>(value: &'v str, room: &mut usize) -> Cow<'v, str> {
    let most = if *room == 0 { SHORT } else { MOST };
    *room = room.saturating_sub(value.len().min(most));
    match value.char_indices().nth(most) {
        Some((end, _)) => {
            let start = value.get(..end).unwrap_or("");
            match abbreviated(value) {
                Some(_) => Cow::Owned(format!("{start}…")),
                None => Cow::Owned(format!("{start}… ({} characters)", value.chars().count())),
            }
        }
        None => Cow::Borrowed(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_commas() {
        assert_eq!(broken("x = {a,b}", 9), "x = {a,b}");
        assert_eq!(broken("x = {aa,bb,cc}", 9), "x = {aa,\n  bb,cc}");
        assert_eq!(broken("x = {aaaaaaaaaaaa,b}", 9), "x =\n  {aaaaaaaaaaaa,\n  b}");
    }

    #[test]
    fn the_state_at_the_end_is_shown_if_the_last_step_does_not() {
        let values = vec![("x".to_owned(), "1".to_owned()), ("s".to_owned(), "{1,2}".to_owned())];
        let change = |name: &str, delta: &[&str]| Change {
            name: name.to_owned(),
            before: None,
            after: "1".to_owned(),
            delta: delta.iter().map(|l| (*l).to_owned()).collect(),
        };
        let look = Look { columns: 80, all: false, verbose: false };
        let whole =
            TraceStep { values, changes: vec![change("x", &[]), change("s", &[])], ..TraceStep::default() };
        let part = TraceStep { changes: vec![change("s", &[": + 2"])], ..whole.clone() };
        assert_eq!(last(std::slice::from_ref(&whole), look), "");
        let both = [whole, part];
        assert!(table(&both, look).to_string().contains("s: + 2"));
        assert_eq!(last(&both, look), "  the state at the end:\n    x = 1\n    s = {1,2}\n");
    }
}
