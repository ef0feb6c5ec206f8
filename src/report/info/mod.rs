//! What a machine is made of, as data, and its formats: one file each.
//!
//! In: a machine with its sizes ([`crate::model::card`]) and what may be permuted ([`crate::symmetry`]). Out: [`Info`].
//! Nothing is explored or evaluated here.

mod json;
mod text;

use super::FormatOf;
use super::SetSize;

/// A constant, variable, parameter or result.
#[derive(Clone, Debug)]
pub struct Typed {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: String,
}

/// A given set.
#[derive(Clone, Debug)]
pub struct Set {
    /// Its name, size, and where that comes from.
    pub size: SetSize,
    /// The names of its elements, if they have some.
    pub elements: Option<Vec<String>>,
    /// What of it is permuted, and why not the rest.
    pub symmetry: String,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Typed>,
    /// Its results.
    pub results: Vec<Typed>,
    /// Whether it is offered, and not only called.
    pub offered: bool,
    /// The variables that it reads, those of operations that it calls included.
    pub reads: Vec<String>,
    /// The variables that it may change.
    pub writes: Vec<String>,
}

/// All there is to say of a machine before it is explored.
#[derive(Clone, Debug)]
pub struct Info {
    /// The machine.
    pub name: String,
    /// Its file.
    pub file: String,
    /// All files that were read, in order.
    pub files: Vec<String>,
    /// The machines that it refines, the nearest first.
    pub refines: Vec<String>,
    /// Its sets.
    pub sets: Vec<Set>,
    /// MININT and MAXINT, each with where it comes from.
    pub integers: [(i64, &'static str); 2],
    /// Constants.
    pub constants: Vec<Typed>,
    /// Variables.
    pub variables: Vec<Typed>,
    /// Operations.
    pub operations: Vec<Operation>,
    /// How many properties of each kind are checked: the kind, and how many.
    pub properties: Vec<(&'static str, usize)>,
}

/// All formats.
pub const FORMATS: &[FormatOf<Info>] = &[
    FormatOf { name: "text", help: "for people", write: text::write },
    FormatOf { name: "json", help: "one object, schema bsym.info/1", write: json::write },
];
