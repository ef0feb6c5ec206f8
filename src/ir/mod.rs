//! The intermediate representation: typed, names are slots, operators resolved by type.
//!
//! In: what `types` infers and lowers. Out: data that the evaluators read. No behaviour here besides
//! walking and printing ([`dump`]). Locals live in the frame of their [`Routine`]-like owner (an
//! operation, a property, an invariant conjunct, ...): a [`LocalId`] indexes that frame, every binder
//! inside one owner has slots of its own, so that no inner binding overwrites an outer one (recursion
//! enters a fresh frame).

pub mod dump;
mod expr;
mod machine;
mod pred;
mod subst;

pub use expr::*;
pub use machine::*;
pub use pred::*;
pub use subst::*;

/// A slot of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);

/// A constant, by index into [`Machine::constants`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstId(pub u32);

/// A variable, by index into [`Machine::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);
