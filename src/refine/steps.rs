//! The steps of all operations in turn, in the order in which they have their numbers.
//!
//! In: the numbers of the operations, what gives the steps of one. Out: all of them with their faults; the one with a number.
//! Siblings: `joint`, `traces` (whose steps these are).

use crate::model::{PlainEdge, StepFault, Steps};
use crate::value::Value;
use std::ops::Range;

/// Adds the steps of an operation.
pub(super) fn push(number: u32, edges: &[PlainEdge], faults: Vec<StepFault>, out: &mut Steps) {
    for (_, target) in edges {
        out.push(number, 1, target);
    }
    out.faults.extend(faults);
}

/// The operation and the values of the label of the `nth` step.
pub(super) fn label(
    operations: Range<u32>,
    nth: u32,
    of: impl Fn(u32) -> Vec<PlainEdge>,
) -> Option<(u32, Vec<Value>)> {
    let mut left = nth as usize;
    for number in operations {
        let mut edges = of(number);
        if left < edges.len() {
            return Some((number, edges.swap_remove(left).0));
        }
        left -= edges.len();
    }
    None
}
