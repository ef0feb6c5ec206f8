//! What is shown and what is selected. Plain data: news in, keys in, jobs out; nothing is drawn and nothing computed here.
//!
//! Siblings: `act` (what keys do to it), `status` (what its last lines say), `view` (how it looks).

use super::news::{Checked, Doing, Entry, Known, News, Page, Place, Stage};
use super::rows::{Row, fits, rows, text};
use std::time::{Duration, Instant};

/// A pane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pane {
    /// The values.
    State,
    /// The steps that are possible.
    Steps,
    /// The steps taken.
    History,
}

/// In the order of Tab.
pub(super) const PANES: [Pane; 3] = [Pane::Steps, Pane::History, Pane::State];

/// What a text is typed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ask {
    /// A formula.
    Eval,
    /// A number of random steps.
    Random,
    /// A step of the trace.
    Trace,
    /// A filter of steps.
    Steps,
    /// A filter of variables.
    State,
}

/// A text that is being typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Prompt {
    /// What for.
    pub ask: Ask,
    /// As far as it is typed.
    pub text: String,
}

/// A text that is being read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    /// The text.
    pub page: Page,
    /// Lines above those that are seen.
    pub above: usize,
}

/// All that is shown.
pub(super) struct App {
    /// Name of the machine.
    pub machine: String,
    /// Where the run is.
    pub place: Place,
    /// What holds there.
    pub checked: Checked,
    /// What is being done, and since when.
    pub doing: Option<(Doing, Instant)>,
    /// A line to read, until the next key.
    pub note: Option<String>,
    /// A text to read.
    pub reading: Option<Reading>,
    /// A text that is being typed.
    pub prompt: Option<Prompt>,
    /// What was typed last, to be had again.
    pub typed: Vec<Prompt>,
    /// Where keys go.
    pub focus: Pane,
    /// The rows of the list of steps.
    pub rows: Vec<Row>,
    /// The selected one.
    pub step: usize,
    /// The text of the step that was selected before, while the list still grows.
    pub wanted: Option<String>,
    /// The selected row of the state, among those that are shown.
    pub entry: usize,
    /// The selected step of the history; 0 is the beginning.
    pub taken: usize,
    /// The digits of a number that is being typed.
    pub number: Option<usize>,
    /// The filter of steps.
    pub of_steps: String,
    /// The filter of variables and constants.
    pub of_state: String,
    /// Whether constants are only counted.
    pub folded: bool,
}

impl App {
    /// Nothing is known yet.
    pub(super) fn new(machine: String) -> Self {
        Self {
            machine,
            place: Place::default(),
            checked: Checked::default(),
            doing: None,
            note: None,
            reading: None,
            prompt: None,
            typed: Vec::new(),
            focus: Pane::Steps,
            rows: Vec::new(),
            step: 0,
            wanted: None,
            entry: 0,
            taken: 0,
            number: None,
            of_steps: String::new(),
            of_state: String::new(),
            folded: false,
        }
    }

    /// Takes in what is told.
    pub(super) fn hear(&mut self, news: News) {
        match news {
            News::Place(place) => {
                self.wanted = self.selected().or(self.wanted.take());
                self.taken = place.at;
                self.place = *place;
                self.checked = Checked::default();
                self.number = None;
                self.refresh();
            }
            News::Group(place, at, group) if place == self.place.number => {
                if let Some(old) = self.place.groups.get_mut(at) {
                    *old = group;
                }
                self.refresh();
            }
            News::Checked(place, checked) if place == self.place.number => self.checked = checked,
            // Of a place that was left.
            News::Group(..) | News::Checked(..) => {}
            News::Doing(None) => self.doing = None,
            News::Doing(Some(doing)) => {
                let same =
                    self.doing.as_ref().filter(|(d, _)| d.what == doing.what && d.asked == doing.asked);
                let since = same.map_or_else(Instant::now, |(_, since)| *since);
                self.doing = Some((doing, since));
            }
            News::Page(page) => self.reading = Some(Reading { page, above: 0 }),
            News::Note(note) => self.note = Some(note),
        }
    }

    /// The text of the selected step.
    fn selected(&self) -> Option<String> {
        let row = self.rows.get(self.step).copied().filter(|r| matches!(r, Row::Step(..)))?;
        Some(text(row, &self.place.groups).1)
    }

    /// Makes the rows anew; what was selected stays so if it is there.
    pub(super) fn refresh(&mut self) {
        let before = self.selected();
        self.rows = rows(&self.place.groups, &self.of_steps);
        let groups = &self.place.groups;
        let find = |wanted: &Option<String>| {
            let wanted = wanted.as_ref()?;
            self.rows.iter().position(|r| matches!(r, Row::Step(..)) && text(*r, groups).1 == *wanted)
        };
        let first_step = || self.rows.iter().position(|r| matches!(r, Row::Step(..)));
        let first = || self.rows.iter().position(|r| r.is_selectable());
        self.step =
            find(&self.wanted).or_else(|| find(&before)).or_else(first_step).or_else(first).unwrap_or(0);
        self.entry = self.entry.min(self.entries().count().saturating_sub(1));
    }

    /// Variables and constants that are shown, in order; whether it is a constant.
    pub(super) fn entries(&self) -> impl Iterator<Item = (bool, &Entry)> {
        let fit = |e: &&Entry| fits(&e.name, &self.of_state) || fits(&e.value, &self.of_state);
        let variables = self.place.variables.iter().filter(fit).map(|e| (false, e));
        let constants = self.place.constants.iter().filter(fit).map(|e| (true, e));
        let folded = self.folded && self.place.stage == Stage::State;
        variables.chain(constants.filter(move |_| !folded))
    }

    /// Whether all steps that are possible are known, and there are none.
    pub(super) fn is_stuck(&self) -> bool {
        let none = self.place.groups.iter().all(|g| g.steps.is_empty() && g.known == Known::All);
        none && self.place.groups.iter().all(|g| g.notes.is_empty())
    }

    /// What is being done, and how long already.
    pub(super) fn busy(&self) -> Option<(&Doing, Duration)> {
        self.doing.as_ref().map(|(doing, since)| (doing, since.elapsed()))
    }
}
