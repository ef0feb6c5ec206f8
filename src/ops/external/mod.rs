//! External functions of `ProB`'s standard library, by name: one file per family, one row per function.
//!
//! The pure ones have a meaning here; printing and observing helpers mean their fallback definition and
//! need no row; impure ones (files, time, random) are refused by name ([`REFUSED`]). A function that has
//! neither is refused where it is used.

mod bits;
mod choice;
mod claims;
mod decimal;
mod graphs;
mod maths;
mod ordering;
mod pieces;
mod refused;
mod strings;

pub use refused::REFUSED;

use super::Meaning;

/// A row of the table of external functions.
pub struct External {
    /// Name, as in `EXTERNAL_FUNCTION_name`.
    pub name: &'static str,
    /// Type scheme, as in [`super::OpDef::scheme`].
    pub scheme: &'static str,
    /// Its meaning.
    pub meaning: Meaning,
    /// Applications and their values, as in [`super::OpDef::examples`].
    pub examples: &'static [(&'static str, &'static str)],
}

impl std::fmt::Debug for External {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const FAMILIES: &[&[External]] = &[
    bits::ROWS,
    choice::ROWS,
    claims::ROWS,
    decimal::ROWS,
    graphs::ROWS,
    maths::ROWS,
    ordering::ROWS,
    pieces::ROWS,
    strings::ROWS,
];

/// All rows.
pub fn table() -> impl Iterator<Item = &'static External> {
    FAMILIES.iter().copied().flatten()
}

/// The row of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static External> {
    table().find(|e| e.name == name)
}
