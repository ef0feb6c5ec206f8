//! The rows of the list of steps.
//!
//! In: what is possible, by operation, and a filter. Out: rows: an operation with several steps is a heading and its steps, one with a
//! single step is that; those that are not possible come last. Numbers are those of the list without a filter.

use super::news::{Group, Known, Sign};

/// A row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Row {
    /// Above the steps of an operation; it cannot be selected.
    Head(usize),
    /// A step: its group, its number there, its number in the list from 1.
    Step(usize, usize, usize),
    /// An error, or what is not known: its group, its number there.
    Note(usize, usize),
    /// An operation with no steps, for now or for good.
    None(usize),
}

impl Row {
    /// Whether it can be selected.
    pub(super) fn is_selectable(self) -> bool {
        !matches!(self, Row::Head(_))
    }

    /// Its group.
    pub(super) fn group(self) -> usize {
        match self {
            Row::Head(g) | Row::Step(g, ..) | Row::Note(g, _) | Row::None(g) => g,
        }
    }
}

/// Whether a text has a filter in it, in capitals or not.
pub(super) fn fits(text: &str, filter: &str) -> bool {
    filter.is_empty() || text.to_lowercase().contains(&filter.to_lowercase())
}

/// The rows.
pub(super) fn rows(groups: &[Group], filter: &str) -> Vec<Row> {
    let (mut out, mut last, mut number) = (Vec::new(), Vec::new(), 0);
    for (g, group) in groups.iter().enumerate() {
        let numbered = group.steps.iter().enumerate().map(|(i, s)| (Row::Step(g, i, number + i + 1), s));
        let steps: Vec<Row> = numbered.filter(|(_, s)| fits(&s.text, filter)).map(|(row, _)| row).collect();
        number += group.steps.len();
        let all = fits(&group.name, filter);
        if steps.len() > 1 {
            out.push(Row::Head(g));
        }
        let some = !steps.is_empty();
        out.extend(steps);
        let notes = group.notes.iter().enumerate().filter(|(_, (_, text))| fits(text, filter));
        out.extend(notes.map(|(i, _)| Row::Note(g, i)));
        match group.known {
            Known::Looking | Known::Stopped(_) if all => out.push(Row::None(g)),
            Known::More if all && group.notes.is_empty() => out.push(Row::None(g)),
            Known::All if all && !some && group.steps.is_empty() && group.notes.is_empty() => {
                last.push(Row::None(g));
            }
            _ => {}
        }
    }
    out.extend(last);
    out
}

/// What a row says.
pub(super) fn text(row: Row, groups: &[Group]) -> (Option<Sign>, String) {
    let Some(group) = groups.get(row.group()) else { return (None, String::new()) };
    let name = &group.name;
    match row {
        Row::Head(_) => (None, format!("{name}: {} steps", group.steps.len())),
        Row::Step(_, i, _) => (None, group.steps.get(i).map_or_else(String::new, |s| s.text.clone())),
        Row::Note(_, i) => {
            group.notes.get(i).map_or((None, String::new()), |(sign, text)| (Some(*sign), text.clone()))
        }
        Row::None(_) => match group.known {
            Known::Looking => (None, format!("{name}: looking…")),
            Known::Stopped(why) => (Some(Sign::Open), format!("{name}: {why}, there may be more (l looks)")),
            Known::More => (Some(Sign::Open), format!("{name}: there may be more")),
            Known::All => (None, format!("{name}: not possible")),
        },
    }
}
