//! How it looks: panes, lists, the last lines.
//!
//! In: what is shown and selected. Out: cells of a frame, however small it is. Whatever has a colour has a sign as well. Where there is no
//! room for all panes, the one that has the keys is shown.

use super::app::{App, Pane};
use super::news::{Sign, Stage};
use super::rows::{Row, text};
use super::status;
use super::wrap::{columns_of, cut, first, lines};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};

/// Columns and lines from which all panes are shown.
const WIDE: u16 = 60;
const HIGH: u16 = 12;

/// Lines of a value in the pane of the state, and of what has changed in it.
const VALUE: usize = 4;
const CHANGES: usize = 3;

/// Draws it all; `colour` says whether there are colours.
pub(super) fn draw(frame: &mut Frame<'_>, app: &mut App, colour: bool) {
    let area = frame.area();
    let below = if area.height < 5 { 1.min(area.height) } else { 2 };
    let [panes, last] = Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(area);
    let look = Look { colour };
    if panes.width >= WIDE && panes.height >= HIGH {
        let [left, right] =
            Layout::horizontal([Constraint::Percentage(48), Constraint::Percentage(52)]).areas(panes);
        let taken = (panes.height / 3).max(5);
        let [above, under] = Layout::vertical([Constraint::Min(0), Constraint::Length(taken)]).areas(left);
        look.pane(frame, above, app, Pane::State);
        look.pane(frame, under, app, Pane::History);
        look.pane(frame, right, app, Pane::Steps);
    } else {
        look.pane(frame, panes, app, app.focus);
    }
    look.page(frame, panes, app);
    look.last(frame, last, app);
}

/// The first line that is shown of a list so that the selected one is among them.
fn top(selected: usize, all: usize, height: usize) -> usize {
    selected.saturating_sub(height / 2).min(all.saturating_sub(height))
}

/// A number for the library's sizes, which are small.
fn small(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

/// Styles.
#[derive(Clone, Copy)]
struct Look {
    colour: bool,
}

impl Look {
    fn style(self, colour: Color, modifier: Modifier) -> Style {
        let style = Style::new().add_modifier(modifier);
        if self.colour { style.fg(colour) } else { style }
    }

    fn sign(self, sign: Option<Sign>) -> (&'static str, Style) {
        match sign {
            Some(Sign::Bad) => ("✗ ", self.style(Color::Red, Modifier::BOLD)),
            Some(Sign::Open) => ("? ", self.style(Color::Yellow, Modifier::empty())),
            Some(Sign::Good) => ("✓ ", self.style(Color::Green, Modifier::empty())),
            None => ("", Style::new()),
        }
    }

    fn pane(self, frame: &mut Frame<'_>, area: Rect, app: &App, pane: Pane) {
        let has_keys = app.focus == pane && app.reading.is_none();
        let all = app.place.groups.iter().map(|g| g.steps.len()).sum::<usize>();
        let title = match pane {
            Pane::State => format!(" {} ", app.machine),
            Pane::Steps => format!(" Steps: {all} "),
            Pane::History => " History ".to_owned(),
        };
        let inside = self.frame(frame, area, &title, has_keys);
        let (width, height) = (usize::from(inside.width), usize::from(inside.height));
        let lines = match pane {
            Pane::State => self.state(app, width, height),
            Pane::Steps => self.steps(app, width, height),
            Pane::History => self.history(app, width, height),
        };
        frame.render_widget(Paragraph::new(lines), inside);
    }

    /// A frame, heavy where the keys go; what is inside.
    fn frame(self, frame: &mut Frame<'_>, area: Rect, title: &str, has_keys: bool) -> Rect {
        let (kind, style) = if has_keys {
            (BorderType::Thick, self.style(Color::Cyan, Modifier::empty()))
        } else {
            (BorderType::Plain, Style::new())
        };
        let title = cut(title, usize::from(area.width).saturating_sub(2));
        let block = Block::bordered().border_type(kind).border_style(style).title(title);
        let inside = block.inner(area);
        frame.render_widget(block, area);
        inside
    }

    /// A row of a list.
    fn row(self, text: String, selected: bool, has_keys: bool, style: Style) -> Line<'static> {
        let sign = if selected { ">" } else { " " };
        let line = Line::styled(format!("{sign}{text}"), style);
        if selected && has_keys { line.patch_style(Modifier::REVERSED) } else { line }
    }

    fn state(self, app: &App, width: usize, height: usize) -> Vec<Line<'static>> {
        let has_keys = app.focus == Pane::State;
        let (mut out, mut selected, mut heading) = (Vec::new(), 0, true);
        let dim = self.style(Color::Reset, Modifier::DIM);
        for (i, (constant, entry)) in app.entries().enumerate() {
            if constant && heading && app.place.stage == Stage::State {
                out.push(Line::styled(cut("── constants (c folds)", width), dim));
                heading = false;
            }
            let mine = has_keys && i == app.entry;
            if mine {
                selected = out.len();
            }
            let style = if entry.changed { self.style(Color::Yellow, Modifier::BOLD) } else { Style::new() };
            let sign = if entry.changed { '*' } else { ' ' };
            let value = format!("{} = {}", entry.name, entry.value);
            for (n, line) in first(&value, width.saturating_sub(4), VALUE).into_iter().enumerate() {
                let line = if n == 0 { format!("{sign}{line}") } else { format!("   {line}") };
                out.push(self.row(line, mine && n == 0, has_keys, style));
            }
            let changes = entry.changes.iter().take(CHANGES);
            out.extend(changes.map(|c| Line::styled(cut(&format!("    {c}"), width), dim)));
            if let Some(more @ 1..) = entry.changes.len().checked_sub(CHANGES) {
                out.push(Line::styled(cut(&format!("    … {more} more changes"), width), dim));
            }
        }
        if app.folded && app.place.stage == Stage::State && !app.place.constants.is_empty() {
            let folded = format!("── constants: {}, folded (c)", app.place.constants.len());
            out.push(Line::styled(cut(&folded, width), dim));
        }
        if out.is_empty() {
            let why = match app.place.stage {
                Stage::Root => "nothing has a value yet",
                _ if app.of_state.is_empty() => "there are no variables",
                _ => "nothing here has the text that is looked for",
            };
            out.push(Line::styled(cut(why, width), dim));
        }
        let top = top(selected, out.len(), height);
        out.into_iter().skip(top).take(height).collect()
    }

    fn steps(self, app: &App, width: usize, height: usize) -> Vec<Line<'static>> {
        let has_keys = app.focus == Pane::Steps;
        let all = app.place.groups.iter().map(|g| g.steps.len()).sum::<usize>();
        let digits = all.to_string().len();
        let top = top(app.step, app.rows.len(), height);
        let shown = app.rows.iter().enumerate().skip(top).take(height);
        let dim = self.style(Color::Reset, Modifier::DIM);
        let line = |(at, row): (usize, &Row)| {
            let (sign, text) = text(*row, &app.place.groups);
            let (sign, style) = self.sign(sign);
            let (text, style) = match row {
                Row::Head(_) => (text, self.style(Color::Reset, Modifier::BOLD)),
                Row::Step(_, _, number) => (format!(" {number:>digits$} {text}"), style),
                Row::None(_) if sign.is_empty() => (text, dim),
                Row::None(_) | Row::Note(..) => (format!("{sign}{text}"), style),
            };
            self.row(
                cut(&text, width.saturating_sub(1)),
                at == app.step && row.is_selectable(),
                has_keys,
                style,
            )
        };
        let mut out: Vec<Line<'static>> = shown.map(line).collect();
        if out.is_empty() {
            let why = if app.place.groups.is_empty() {
                "looking…"
            } else {
                "no step has the text that is looked for"
            };
            out.push(Line::styled(cut(why, width), dim));
        }
        out
    }

    fn history(self, app: &App, width: usize, height: usize) -> Vec<Line<'static>> {
        let has_keys = app.focus == Pane::History;
        let all = app.place.history.len() + 1;
        let digits = all.to_string().len();
        let top = top(app.taken, all, height);
        let begin = "the beginning".to_owned();
        let steps = std::iter::once(&begin).chain(&app.place.history);
        let line = |(at, step): (usize, &String)| {
            let here = if at == app.place.at { '•' } else { ' ' };
            let style = match at.cmp(&app.place.at) {
                std::cmp::Ordering::Greater => self.style(Color::Reset, Modifier::DIM),
                _ => Style::new(),
            };
            let text = cut(&format!("{here}{at:>digits$} {step}"), width.saturating_sub(1));
            self.row(text, has_keys && at == app.taken, has_keys, style)
        };
        steps.enumerate().skip(top).take(height).map(line).collect()
    }

    /// A text to read: as high as it needs to be, over the panes.
    fn page(self, frame: &mut Frame<'_>, area: Rect, app: &mut App) {
        let Some(reading) = &mut app.reading else { return };
        let width = usize::from(area.width.saturating_sub(2));
        let all = lines(&reading.page.text, width).count();
        let height = small(all).max(1).saturating_add(2);
        let height = if height > area.height / 2 { area.height } else { height };
        let under = Rect { y: area.bottom().saturating_sub(height), height, ..area };
        let room = usize::from(height.saturating_sub(2));
        reading.above = reading.above.min(all.saturating_sub(room));
        let part = if all > room {
            format!(" {}-{} of {all},", reading.above + 1, all.min(reading.above + room))
        } else {
            String::new()
        };
        let end = format!("{part} Esc closes ");
        let free = width.saturating_sub(columns_of(&end) + 2);
        let title = format!(" {} —{end}", cut(&reading.page.title, free));
        frame.render_widget(Clear, under);
        let inside = self.frame(frame, under, &title, true);
        let shown = lines(&reading.page.text, width).skip(reading.above).take(room);
        frame.render_widget(Paragraph::new(shown.map(Line::from).collect::<Vec<_>>()), inside);
    }

    /// The last lines: what holds; where the run is, and what there is to say or to type.
    fn last(self, frame: &mut Frame<'_>, area: Rect, app: &App) {
        let width = usize::from(area.width);
        let (sign, text) = status::verdict(app);
        let (sign, style) = self.sign(sign);
        let verdict = Line::styled(cut(&format!("{sign}{text}"), width), style);
        let typed = app.prompt.as_ref().map(|prompt| {
            let question = status::question(app, prompt.ask);
            let free = width.saturating_sub(1);
            let mut text = format!("{question}{}", prompt.text);
            // What is typed last is seen.
            while columns_of(&text) > free && !text.is_empty() {
                text.remove(0);
            }
            text
        });
        let below = typed.clone().map_or_else(
            || {
                let place = status::place(app);
                let news = status::news(app);
                Line::from(vec![
                    Span::styled(cut(&place, width), self.style(Color::Reset, Modifier::BOLD)),
                    Span::raw(cut(&format!(" │ {news}"), width.saturating_sub(columns_of(&place)))),
                ])
            },
            Line::from,
        );
        // Of one line only, what is typed, or else what holds.
        let all = match (area.height, typed.is_some()) {
            (0 | 1, true) => vec![below],
            _ => vec![verdict, below],
        };
        let row = small(all.len()).min(area.height).saturating_sub(1);
        frame.render_widget(Paragraph::new(all), area);
        if let Some(text) = typed {
            let column = small(columns_of(&text)).min(area.width.saturating_sub(1));
            frame.set_cursor_position((area.x + column, area.y + row));
        }
    }
}
