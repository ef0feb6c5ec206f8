//! What random walks have come to, as data, and its formats: one file each.
//!
//! In: numbers of walks and steps, the first violation. Out: [`Simulated`]. That nothing was found proves nothing, and every format
//! says so.

mod json;
mod text;

use super::FormatOf;
use super::steps::Look;
use super::{Bound, TraceStep};

/// Random walks.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The machine.
    pub machine: String,
    /// Its file.
    pub file: String,
    /// What chance began with.
    pub seed: u64,
    /// Walks taken, and how many were wanted.
    pub walks: (u64, u64),
    /// Most steps of one walk.
    pub longest: u64,
    /// Steps taken in all.
    pub steps: u64,
    /// Different states met.
    pub states: u64,
    /// How walks ended, with their numbers.
    pub ends: Vec<(&'static str, u64)>,
    /// The operations with how often each was taken.
    pub operations: Vec<(String, u64)>,
    /// The first violation or error.
    pub found: Option<Found>,
    /// The steps of the last walk, if they were to be kept and nothing was found.
    pub kept: Vec<TraceStep>,
    /// The limit that stopped it.
    pub stopped: Option<&'static str>,
    /// Valuations of the constants that walks begin with; whether there may be more.
    pub valuations: (u64, bool),
    /// What could not be known, a line each.
    pub unknown: Vec<String>,
    /// What evaluation has left out.
    pub bounds: Vec<Bound>,
    /// MAXINT and MININT.
    pub integers: (i64, i64),
    /// How text shows traces.
    pub look: Look,
}

impl Simulated {
    /// Whether all walks were taken, nothing was found on them, and nothing on them was unknown.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let taken = self.walks.0 == self.walks.1 && self.stopped.is_none();
        taken && self.found.is_none() && self.unknown.is_empty()
    }
}

/// A violation or an error.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its kind, as in reports of checks.
    pub kind: &'static str,
    /// What it is, with reasons, as lines of text.
    pub text: String,
    /// The way to it.
    pub trace: Vec<TraceStep>,
}

/// All formats.
pub const FORMATS: &[FormatOf<Simulated>] = &[
    FormatOf { name: "text", help: "for people", write: text::write },
    FormatOf { name: "json", help: "for programs", write: json::write },
];
