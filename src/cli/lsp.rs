//! `bsym lsp`: machines in an editor.
//!
//! In: folders to look in. Out: what `lsp` answers the editor, and an exit code: 0 if the editor left as the protocol has it, 1 if
//! it went away, 2 if what it sent was no message.

use super::args::LspArgs;
use super::exit::Exit;
use super::load;
use crate::diagnostic::{Code, Diagnostic};
use crate::lsp::{Ended, Options, serve};

/// Runs the command.
pub(super) fn run(args: &LspArgs) -> Exit {
    let folders = args.places.sources().folders;
    match serve(Options { folders }) {
        Ok(Ended::Well) => Exit::Fine,
        Ok(Ended::Early) => Exit::Violated,
        Err(message) => load::refuse(Diagnostic::without_place(Code::BadOption, message)),
    }
}
