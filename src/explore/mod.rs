//! Exploring a transition system: one loop, breadth first.
//!
//! In: a `System` and a `Reducer`. Out: counts, findings with traces, why it stopped. Knows no B.

pub mod graph;
pub mod keys;
