//! What keys do: to what is shown, and which jobs come of them.

use super::app::{App, Ask, PANES, Pane, Prompt, Reading};
use super::keys::{self, Action};
use super::news::{Along, Job, Page};
use super::rows::Row;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Rows of a page, for keys that go so far.
const PAGE: usize = 10;

/// Characters of a text that may be typed.
const LONGEST: usize = 4096;

/// Texts that can be had again.
const KEPT: usize = 100;

/// What comes of a key besides what is seen.
#[derive(Debug)]
pub(super) enum Effect {
    /// Nothing.
    None,
    /// Something is to be done.
    Job(Job),
    /// The user has had enough.
    Quit,
}

impl App {
    /// A key was pressed.
    pub(super) fn key(&mut self, key: KeyEvent) -> Effect {
        self.note = None;
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if let Some(prompt) = self.prompt.take() {
            return self.typed(prompt, key, control);
        }
        if let KeyCode::Char(digit @ '0'..='9') = key.code
            && self.focus == Pane::Steps
            && self.reading.is_none()
        {
            self.digit(digit.to_digit(10).unwrap_or_default() as usize);
            return Effect::None;
        }
        self.number = None;
        keys::action(key).map_or(Effect::None, |action| self.act(action))
    }

    /// A key where a text is typed.
    fn typed(&mut self, mut prompt: Prompt, key: KeyEvent, control: bool) -> Effect {
        match key.code {
            KeyCode::Esc | KeyCode::Char('c') if control || key.code == KeyCode::Esc => {
                prompt.text.clear();
                self.filter(&prompt);
                return Effect::None;
            }
            KeyCode::Enter => return self.entered(prompt),
            KeyCode::Backspace => drop(prompt.text.pop()),
            KeyCode::Char('u') if control => prompt.text.clear(),
            KeyCode::Up => {
                let last = self.typed.iter().rev().find(|t| t.ask == prompt.ask);
                prompt = last.cloned().unwrap_or(prompt);
            }
            KeyCode::Char(c) if !control && prompt.text.len() < LONGEST => prompt.text.push(c),
            _ => {}
        }
        self.filter(&prompt);
        self.prompt = Some(prompt);
        Effect::None
    }

    /// A filter acts while it is typed.
    fn filter(&mut self, prompt: &Prompt) {
        match prompt.ask {
            Ask::Steps => self.of_steps.clone_from(&prompt.text),
            Ask::State => self.of_state.clone_from(&prompt.text),
            _ => return,
        }
        self.refresh();
    }

    fn entered(&mut self, prompt: Prompt) -> Effect {
        let text = prompt.text.trim().to_owned();
        let job = match prompt.ask {
            Ask::Steps | Ask::State => return Effect::None,
            Ask::Eval if text.is_empty() => return Effect::None,
            Ask::Eval => Some(Job::Eval(text.clone())),
            Ask::Random if text.is_empty() => Some(Job::Random(1)),
            Ask::Random => text.parse().ok().map(Job::Random),
            Ask::Trace if text.is_empty() => Some(Job::Along(Along::End)),
            Ask::Trace => text.parse().ok().map(|n| Job::Along(Along::To(n))),
        };
        self.typed.push(prompt);
        if self.typed.len() > KEPT {
            self.typed.remove(0);
        }
        job.map_or_else(
            || {
                self.note = Some(format!("`{text}` is no number of steps"));
                Effect::None
            },
            Effect::Job,
        )
    }

    /// A digit of the number of a step.
    fn digit(&mut self, digit: usize) {
        let number = self.number.unwrap_or(0).saturating_mul(10).saturating_add(digit);
        self.number = Some(number);
        let at = self.rows.iter().position(|r| matches!(r, Row::Step(.., n) if *n == number));
        if let Some(at) = at {
            self.step = at;
            self.wanted = None;
        }
    }

    fn ask(&mut self, ask: Ask) -> Effect {
        let text = match ask {
            Ask::Steps => self.of_steps.clone(),
            Ask::State => self.of_state.clone(),
            _ => String::new(),
        };
        self.prompt = Some(Prompt { ask, text });
        Effect::None
    }

    fn act(&mut self, action: Action) -> Effect {
        match action {
            Action::Up => self.go(|at, _| at.saturating_sub(1)),
            Action::Down => self.go(|at, _| at.saturating_add(1)),
            Action::PageUp => self.go(|at, _| at.saturating_sub(PAGE)),
            Action::PageDown => self.go(|at, _| at.saturating_add(PAGE)),
            Action::First => self.go(|_, _| 0),
            Action::Last => self.go(|_, last| last),
            Action::Before => self.operation(false),
            Action::After => self.operation(true),
            Action::NextPane => self.pane(1),
            Action::LastPane => self.pane(PANES.len() - 1),
            Action::Enter => self.enter(),
            // Where the run is by then, only who computes knows.
            Action::Undo => Effect::Job(Job::Undo),
            Action::Redo => Effect::Job(Job::Redo),
            Action::Random => Effect::Job(Job::Random(1)),
            Action::RandomSteps => self.ask(Ask::Random),
            Action::Trace if self.place.trace.is_some() => self.ask(Ask::Trace),
            Action::Trace => Effect::Job(Job::Along(Along::End)),
            Action::TraceNext => Effect::Job(Job::Along(Along::Next)),
            Action::TraceBack => Effect::Job(Job::Along(Along::Back)),
            Action::Eval => self.ask(Ask::Eval),
            Action::Filter => self.ask(if self.focus == Pane::State { Ask::State } else { Ask::Steps }),
            Action::Whole => self.whole(),
            Action::Why => self.why(),
            Action::Constants => {
                self.folded = !self.folded;
                self.refresh();
                Effect::None
            }
            Action::Again => Effect::Job(Job::Again),
            Action::Help => {
                let page = Page { title: "keys".to_owned(), text: keys::help() };
                self.reading = Some(Reading { page, above: 0 });
                Effect::None
            }
            Action::Quit if self.reading.is_some() => self.close(),
            Action::Quit => Effect::Quit,
            Action::Escape => self.escape(),
            Action::Interrupt if self.doing.is_some() => Effect::Job(Job::Stop),
            Action::Interrupt => Effect::Quit,
        }
    }

    fn say(&mut self, note: &str) -> Effect {
        self.note = Some(note.to_owned());
        Effect::None
    }

    fn close(&mut self) -> Effect {
        self.reading = None;
        Effect::None
    }

    /// First what somebody asked for, then the text that is read, then what goes on beside, then filters.
    fn escape(&mut self) -> Effect {
        let asked = self.doing.as_ref().map(|(doing, _)| doing.asked);
        if asked == Some(true) {
            return Effect::Job(Job::Stop);
        }
        if self.reading.is_some() {
            return self.close();
        }
        if asked.is_some() {
            return Effect::Job(Job::Stop);
        }
        self.of_steps.clear();
        self.of_state.clear();
        self.refresh();
        Effect::None
    }

    /// Selects another row, or turns the page that is read.
    fn go(&mut self, to: fn(usize, usize) -> usize) -> Effect {
        if let Some(reading) = &mut self.reading {
            // Whoever draws knows where the end is.
            reading.above = to(reading.above, usize::MAX);
            return Effect::None;
        }
        match self.focus {
            Pane::State => {
                let last = self.entries().count().saturating_sub(1);
                self.entry = to(self.entry, last).min(last);
            }
            Pane::History => {
                let last = self.place.history.len();
                self.taken = to(self.taken, last).min(last);
            }
            Pane::Steps => {
                self.wanted = None;
                let last = self.rows.len().saturating_sub(1);
                let (before, wanted) = (self.step, to(self.step, last).min(last));
                // Headings are passed over, in the direction of the key.
                let down = self.rows.iter().enumerate().skip(wanted).find(|(_, r)| r.is_selectable());
                let mut above = self.rows.iter().enumerate().take(wanted + 1);
                let up = above.rfind(|(_, r)| r.is_selectable());
                let (near, far) = if wanted < before { (up, down) } else { (down, up) };
                self.step = near.or(far).map_or(before, |(at, _)| at);
            }
        }
        Effect::None
    }

    /// Selects the first row of the next operation, or of the one before.
    fn operation(&mut self, forth: bool) -> Effect {
        let here = self.rows.get(self.step).map(|r| r.group());
        let mut others = self.rows.iter().enumerate().filter(|(_, r)| r.is_selectable());
        let found = if forth {
            others.find(|(at, r)| *at > self.step && Some(r.group()) != here)
        } else {
            let mut before = self.rows.iter().take(self.step).filter(|r| r.is_selectable());
            let group = before.rfind(|r| Some(r.group()) != here).map(|r| r.group());
            others.find(|(_, r)| Some(r.group()) == group)
        };
        if let Some((at, _)) = found {
            self.step = at;
            self.wanted = None;
        }
        Effect::None
    }

    fn pane(&mut self, by: usize) -> Effect {
        let at = PANES.iter().position(|p| *p == self.focus).unwrap_or(0);
        self.focus = PANES.get((at + by) % PANES.len()).copied().unwrap_or(Pane::Steps);
        Effect::None
    }

    /// What is selected is taken, gone to, or read.
    fn enter(&mut self) -> Effect {
        if self.reading.is_some() {
            return self.close();
        }
        match (self.focus, self.rows.get(self.step)) {
            (Pane::State, _) | (Pane::Steps, Some(Row::Note(..))) => self.whole(),
            (Pane::History, _) => Effect::Job(Job::To(self.taken)),
            (Pane::Steps, Some(Row::Step(group, step, _))) => {
                let possible = self.place.groups.get(*group).and_then(|g| g.steps.get(*step));
                let number = self.place.number;
                possible.map_or(Effect::None, |p| Effect::Job(Job::Take(number, p.choice.clone())))
            }
            (Pane::Steps, _) => self.say("no step is selected (w says why an operation is not possible)"),
        }
    }

    /// What is selected in full.
    fn whole(&mut self) -> Effect {
        match (self.focus, self.rows.get(self.step).copied()) {
            (Pane::State, _) => {
                let name = self.entries().nth(self.entry).map(|(_, e)| e.name.clone());
                name.map_or(Effect::None, |name| Effect::Job(Job::Value(name)))
            }
            (Pane::History, _) => match self.taken.checked_sub(1) {
                Some(step) => Effect::Job(Job::Taken(step)),
                None => Effect::None,
            },
            (Pane::Steps, Some(Row::Step(group, step, _))) => {
                let possible = self.place.groups.get(group).and_then(|g| g.steps.get(step));
                possible.map_or(Effect::None, |p| Effect::Job(Job::Step(p.choice.clone())))
            }
            (Pane::Steps, Some(row)) => Effect::Job(Job::Why(self.name(row))),
            (Pane::Steps, None) => Effect::None,
        }
    }

    fn why(&mut self) -> Effect {
        let row = self.rows.get(self.step).copied();
        let none =
            row.filter(|r| self.focus == Pane::Steps && !matches!(r, Row::Step(..)) && !self.is_stuck());
        Effect::Job(Job::Why(none.and_then(|row| self.name(row))))
    }

    fn name(&self, row: Row) -> Option<String> {
        self.place.groups.get(row.group()).map(|g| g.name.clone())
    }
}
