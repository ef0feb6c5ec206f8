//! A format of one kind of data, as a row of a table.
//!
//! In: a table of formats, a name. Out: the format. Reports of checks have rows of their own (`formats`): they write more than one kind.

/// A format of data of a type.
pub struct FormatOf<T: 'static> {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
    /// Writes it.
    pub write: fn(&T) -> String,
}
