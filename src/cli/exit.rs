//! Exit codes: one number per outcome, for good.

use crate::report::Verdict;
use std::process::ExitStatus;

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All checks hold on everything; or the command did what it was asked for.
    Fine,
    /// A property is violated, or the verdict was not the expected one.
    Violated,
    /// The input was refused: usage, syntax, names, types, unsupported constructs.
    Refused,
    /// A limit stopped the search.
    Limit,
    /// Evaluation met a fault.
    Fault,
    /// Checks hold on all values that were tried, and of an infinite type not all were.
    Bounds,
    /// A bug in bsym.
    Bug,
}

impl Exit {
    /// The number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Violated => 1,
            Exit::Refused => 2,
            Exit::Limit => 3,
            Exit::Fault => 4,
            Exit::Bounds => 5,
            Exit::Bug => 101,
        }
    }

    /// The outcome with a number; what has none is a process that the system ended.
    #[must_use]
    pub fn of(code: u8) -> Self {
        let all =
            [Exit::Fine, Exit::Violated, Exit::Refused, Exit::Limit, Exit::Fault, Exit::Bounds, Exit::Bug];
        all.into_iter().find(|e| e.code() == code).unwrap_or(Exit::Limit)
    }
}

impl Exit {
    /// That of a process of bsym.
    pub(super) fn of_process(status: ExitStatus) -> Self {
        status.code().and_then(|c| u8::try_from(c).ok()).map_or(Exit::Limit, Exit::of)
    }

    /// From the worst on.
    const ORDER: [Exit; 7] =
        [Exit::Violated, Exit::Bug, Exit::Fault, Exit::Refused, Exit::Limit, Exit::Bounds, Exit::Fine];

    /// The worst of several.
    pub fn worst(all: impl IntoIterator<Item = Exit>) -> Exit {
        let all: Vec<Exit> = all.into_iter().collect();
        Self::ORDER.into_iter().find(|e| all.contains(e)).unwrap_or(Exit::Fine)
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(e: Exit) -> Self {
        e.code().into()
    }
}

impl From<Verdict> for Exit {
    fn from(v: Verdict) -> Self {
        match v {
            Verdict::Holds => Exit::Fine,
            Verdict::Violated => Exit::Violated,
            Verdict::Error => Exit::Fault,
            Verdict::Incomplete => Exit::Limit,
            Verdict::HoldsWithinBounds => Exit::Bounds,
        }
    }
}
