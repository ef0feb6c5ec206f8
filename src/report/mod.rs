//! What a run found, as data, and the formats it can be written in: one file per format, one row each.

pub mod compare;
pub mod graph;
