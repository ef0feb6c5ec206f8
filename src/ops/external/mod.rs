//! External functions of `ProB`'s standard library, by name: one file per family, one row per function.
//!
//! The pure ones have a meaning here; printing and observing helpers mean their fallback definition and
//! need no row; impure ones (files, time, random) are refused by name ([`REFUSED`]).

use super::{Cx, Fault, Meaning};
use crate::value::Value;

/// A row of the table of external functions.
pub struct External {
    /// Name, as in `EXTERNAL_FUNCTION_name`.
    pub name: &'static str,
    /// Type scheme, as in [`super::OpDef::scheme`].
    pub scheme: &'static str,
    /// Its meaning.
    pub meaning: Meaning,
}

impl std::fmt::Debug for External {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All rows.
pub const TABLE: &[External] = &[];

/// Names of external functions with effects outside the model.
pub const REFUSED: &[&str] = &[];

/// The row of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static External> {
    TABLE.iter().find(|e| e.name == name)
}

#[allow(dead_code, reason = "the signature every row follows")]
type Eval = fn(&[Value], &Cx<'_>) -> Result<Value, Fault>;
