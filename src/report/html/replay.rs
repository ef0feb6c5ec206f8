//! Traces that were replayed, as a page.
//!
//! In: what came of each, with the values of the machine as far as it went ([`Replay`]). Out: the page. Replay itself is
//! done by who has the machine.

use super::super::TraceStep;
use super::path::{self, Path};
use super::steps::{self, Rows};
use super::value::{Room, code, marked};
use super::{Badge, escape, footer, found, page};

/// Traces of a file, replayed.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Name of the machine.
    pub machine: String,
    /// Its file.
    pub file: String,
    /// The file of the traces.
    pub trace: String,
    /// How many of its traces were not begun.
    pub not_replayed: usize,
    /// The others.
    pub replayed: Vec<Replayed>,
}

/// How the replay of a trace ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It is a run of the machine.
    Done,
    /// It is none.
    Fails,
    /// That is not known.
    Stopped,
}

/// A trace with what came of it.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// How it ended.
    pub end: End,
    /// In words.
    pub text: String,
    /// What the last state is to show, as the kind of a violation.
    pub kind: Option<String>,
    /// The steps, with values of the machine as far as they were taken, then as the file says.
    pub steps: Vec<TraceStep>,
    /// How many steps were taken.
    pub reached: usize,
    /// How many steps come before those that are taken again and again.
    pub back: Option<usize>,
}

impl End {
    fn badge(self) -> Badge {
        let (class, sign, word) = match self {
            End::Done => ("holds", "\u{2713}", "REPLAYED"),
            End::Fails => ("violated", "\u{2717}", "FAILS"),
            End::Stopped => ("incomplete", "?", "NOT DECIDED"),
        };
        Badge { class, sign, word }
    }
}

/// The page.
#[must_use]
pub fn write(r: &Replay) -> String {
    let worst = [End::Fails, End::Stopped].into_iter().find(|e| r.replayed.iter().any(|t| t.end == *e));
    let worst = worst.unwrap_or(End::Done);
    let answer = match r.replayed.as_slice() {
        [] => "no trace in the file".to_owned(),
        [one] if r.not_replayed == 0 => one.text.clone(),
        all => {
            let fine = all.iter().filter(|t| t.end == End::Done).count();
            format!("{fine} of {} traces are replayed to their ends", all.len() + r.not_replayed)
        }
    };
    let mut out = super::heading(&worst.badge(), &r.machine, &answer, &r.file);
    out += &format!("<p>the trace: {}</p>\n", code(&r.trace));
    let mut room = Room::default();
    let several = r.replayed.len() + r.not_replayed > 1;
    for (i, t) in r.replayed.iter().enumerate() {
        let title = if several {
            format!("<h2>{} Trace {}: {}</h2>\n", t.end.badge().html(), i + 1, marked(&t.text))
        } else {
            String::new()
        };
        out += &format!("<section>\n{title}{}</section>\n", trace(t, &mut room));
    }
    if r.not_replayed > 0 {
        out += &format!("<p>{} more traces were not replayed</p>\n", r.not_replayed);
    }
    page(&format!("{}: {}", r.machine, escape(&r.trace)), &(out + &footer("")))
}

fn trace(t: &Replayed, room: &mut Room) -> String {
    let end = match t.end {
        End::Fails => "fails",
        End::Stopped => "",
        End::Done => t.kind.as_deref().map_or("", found::end),
    };
    let back = t.back.filter(|_| t.reached == t.steps.len());
    let rows = Rows { steps: &t.steps, ends: (&t.steps, 0, &[]), reached: t.reached, back, refined: None };
    path::write(&Path { steps: &t.steps, reached: t.reached, back, end }) + &steps::table(&rows, room)
}
