//! Replayed traces as a page.

use super::Replay;
use crate::report::html;
use crate::report::html::replay::Replayed;

/// The page.
pub(super) fn write(replay: &Replay, file: String, trace: String, replayed: Vec<Replayed>) -> String {
    let machine = replay.setup.machine.name.to_string();
    let not_replayed = replay.all.len() - replayed.len();
    html::replay::write(&html::replay::Replay { machine, file, trace, not_replayed, replayed })
}
