//! Machines and definition files as they are written, for those who show texts: an editor.
//!
//! In: the path of the main machine. Out: the syntax tree of every text that takes part, which text each reference is to, and
//! the flat machine as far as it could be put together. What names mean in the trees is not said here.

use super::flat::Flat;
use super::loader::Loader;
use super::{special, tidy, whole};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{Machine, MachineKind};
use std::path::{Path, PathBuf};

/// A machine or definition file.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text. A definition file that several machines read has one each.
    pub file: FileId,
    /// Its path, always the same for a file.
    pub path: PathBuf,
    /// Of a text that was read for its definitions alone, the machine that has them.
    pub owner: Option<usize>,
    /// Whether it is of the standard library, which is no file.
    pub library: bool,
    /// The syntax tree, definitions not expanded.
    pub machine: Machine,
    /// What it refers to, in the order in which it was read.
    pub links: Vec<Link>,
}

/// A reference that was followed.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The name of the machine, or the string that names a definition file.
    pub span: Span,
    /// The number of the text.
    pub to: usize,
}

/// A machine with all that it refers to.
#[derive(Debug)]
pub struct Written {
    /// All texts that could be read, the main machine's first.
    pub texts: Vec<Text>,
    /// The flat machine; `None` with a text missing or unread. If there are errors, it is no machine to run.
    pub flat: Option<Flat>,
    /// All mistakes found; without any, notes and warnings are in the flat machine.
    pub errors: Vec<Diagnostic>,
}

/// Reads the machine or definition file at `path` with all that it refers to.
#[must_use]
pub fn read(path: &Path, sources: &mut Sources) -> Written {
    let mut loader = Loader::new(sources);
    loader.texts = Some(Vec::new());
    let main = loader.main(path);
    let definitions = main.and_then(|main| loader.units.get(main)).filter(|u| {
        // Such a file is fine, and no machine.
        u.machine.kind == MachineKind::Definitions
    });
    let (flat, errors) = match definitions {
        Some(unit) => {
            let mut errors = loader.errors.clone();
            errors.extend(special::unreadable(&unit.definitions));
            (None, tidy(errors))
        }
        None => whole(&mut loader, main, None),
    };
    Written { texts: loader.texts.unwrap_or_default(), flat, errors }
}
