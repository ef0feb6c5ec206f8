//! How deep closures are evaluated inside one another.
//!
//! In: each evaluation of a closure, while it lasts. Out: a fault where recursion goes on for ever, before the stack ends.

use crate::diagnostic::Code;
use crate::ops::Fault;
use crate::source::Span;
use std::cell::Cell;

/// Most closures that may be evaluated inside one another (the stack holds somewhat more).
const DEPTH_LIMIT: u32 = 12_000;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Whether there were too many since somebody wanted to know.
    static EXCEEDED: Cell<bool> = const { Cell::new(false) };
}

/// Counts closures evaluated inside one another, so that runaway recursion is a fault, not a crash.
pub(super) struct Depth;

impl Depth {
    pub(super) fn enter(span: Span) -> Result<Depth, Fault> {
        let n = DEPTH.get();
        if n >= DEPTH_LIMIT {
            return Err(Self::exceed(span));
        }
        DEPTH.set(n + 1);
        Ok(Depth)
    }

    /// Whether none is being evaluated.
    pub(super) fn is_outermost() -> bool {
        DEPTH.get() == 0
    }

    /// The fault that says that recursion does not end.
    pub(super) fn exceed(span: Span) -> Fault {
        EXCEEDED.set(true);
        Fault::new(Code::TooLarge, "recursion is too deep").at(span)
    }

    /// From now on it is noted whether recursion is too deep.
    pub(super) fn forget() {
        EXCEEDED.set(false);
    }

    /// Whether recursion was too deep.
    pub(super) fn was_exceeded() -> bool {
        EXCEEDED.get()
    }
}

impl Drop for Depth {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}
