//! From syntax trees to one flat machine: files, definitions, composition, names.
//!
//! In: the path of the main machine. Out: a [`Flat`], or the diagnostics why not. No types here.

pub mod flat;

pub use flat::Flat;
