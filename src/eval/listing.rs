//! Which formulas are being listed: a list that is needed to make that same list never comes.
//!
//! In: the address of a formula that begins to be listed. Out: a fault if that is under way already. Absent: the listing itself
//! (`closure`), and how deep evaluations may be nested (`depth`).

use crate::diagnostic::Code;
use crate::ops::Fault;
use crate::source::Span;
use std::cell::RefCell;

thread_local! {
    /// The closures whose members are being listed, by address, the last ones at the end.
    static LISTED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// How many of the closures being listed are looked at.
const RECENT: usize = 64;

/// Notes that the members of a closure are being listed: who needs the list to make the list never gets it.
pub(super) struct Listing;

impl Listing {
    /// Begins to list the closure at an address, which stands at `span`.
    ///
    /// # Errors
    /// It is being listed already.
    pub(super) fn of(here: usize, span: Span) -> Result<Listing, Fault> {
        LISTED.with_borrow_mut(|listed| {
            if listed.iter().rev().take(RECENT).any(|c| *c == here) {
                let message = "the members are needed to list the members";
                return Err(Fault::new(Code::TooLarge, message).at(span));
            }
            listed.push(here);
            Ok(Listing)
        })
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        LISTED.with_borrow_mut(Vec::pop);
    }
}
