//! Tables: large extensions of ground literals as written, one node for all of their members.
//!
//! A table holds its members as a row of words and the one program by which all of them are built, so that later stages
//! look at the program once instead of at every member. `syntax::table` reads tables from the text; its `spelled` gives
//! back the nodes that a table stands for, with their places, for whoever needs them (errors, printing, names that turn
//! out to be no elements).

use super::{Ident, Name};
use crate::source::Span;
use crate::ty::SetId;
use std::sync::Arc;

/// A table in a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// What was read.
    pub rows: Arc<Rows>,
    /// The elements that its names mean, by name; empty until they are resolved.
    pub elements: Arc<[(SetId, u32)]>,
}

/// The members of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows {
    /// The text from bracket to bracket.
    pub text: Box<str>,
    /// Its place.
    pub span: Span,
    /// Whether it is a sequence; else a set.
    pub sequence: bool,
    /// The number of members as written.
    pub len: usize,
    /// How to build a member of the table (the first) and of the extensions inside.
    pub programs: Vec<Vec<Code>>,
    /// The fields of each kind of record, in the order of the text.
    pub records: Vec<Vec<Name>>,
    /// What the programs read, member after member.
    pub words: Vec<i64>,
    /// The names, each once, with the first place.
    pub names: Vec<Ident>,
    /// The strings, each once.
    pub strings: Vec<Name>,
    /// The names that stand at each [`Code::Name`].
    pub columns: Vec<Vec<u32>>,
}

/// A step of a program for a stack of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// The next word is an integer.
    Int,
    /// The next word is TRUE (1) or FALSE (0).
    Bool,
    /// The next word is the index of a string.
    Str,
    /// The next word is the index of a name; all names of a column are elements of one set.
    Name(u16),
    /// Two values become a pair.
    Pair,
    /// The fields of a record follow; says nothing that [`Code::Record`] does not.
    Fields(u16),
    /// As many values as the record has fields become a record.
    Record(u16),
    /// The next word is a number of members, each built by this program: a set of them.
    Set(u16),
    /// The same as a sequence.
    Sequence(u16),
}

impl Table {
    /// The elements that it names, each with the first place, once resolved.
    pub fn named(&self) -> impl Iterator<Item = (SetId, u32, Span)> + '_ {
        self.elements.iter().zip(&self.rows.names).map(|((set, i), name)| (*set, *i, name.span))
    }

    /// The given set of a column of names, once resolved.
    #[must_use]
    pub fn set_of(&self, column: u16) -> Option<SetId> {
        let name = self.rows.columns.get(usize::from(column))?.first()?;
        self.elements.get(*name as usize).map(|(set, _)| *set)
    }
}

impl Rows {
    /// The program with a number.
    #[must_use]
    pub fn program(&self, at: u16) -> &[Code] {
        self.programs.get(usize::from(at)).map_or(&[], Vec::as_slice)
    }

    /// The fields of a kind of record, as written.
    #[must_use]
    pub fn fields(&self, record: u16) -> &[Name] {
        self.records.get(usize::from(record)).map_or(&[], Vec::as_slice)
    }
}
