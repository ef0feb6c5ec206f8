//! What is looked for where the run is, piece by piece, and what a limit that ends it is called. Plain data.

use crate::explore::limits::Stop;

/// Something to look for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    /// What.
    pub what: What,
    /// Whether it has had its turn, and now has all the time there is.
    pub long: bool,
}

/// What there is to look for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// The values of constants or variables.
    Values,
    /// The steps of an operation.
    Steps(u32),
    /// Whether properties hold.
    Check,
}

/// A limit in words.
pub(super) fn why(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "stopped by --timeout",
        Stop::Memory => "stopped by --max-memory",
        _ => "stopped",
    }
}
