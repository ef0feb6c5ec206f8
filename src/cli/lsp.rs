//! `bsym lsp`: machines in an editor.
//!
//! In: folders to look in, definitions. Out: what `lsp` answers the editor, and an exit code: 0 if the editor left as the protocol has it, 1 if
//! it went away, 2 if what it sent was no message.

use super::args::{Cli, Command, LspArgs};
use super::config;
use super::exit::Exit;
use super::load;
use super::shared_args::PlaceArgs;
use crate::diagnostic::{Code, Diagnostic};
use crate::lsp::{Ended, Options, serve};
use crate::source::Sources;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// Runs the command.
pub(super) fn run(args: &LspArgs) -> Exit {
    let places = args.places.clone();
    let arguments = places.given();
    match serve(Options { start: Arc::new(move |file| start(&places, file)), arguments }) {
        Ok(Ended::Well) => Exit::Fine,
        Ok(Ended::Early) => Exit::Violated,
        Err(message) => load::refuse(Diagnostic::without_place(Code::BadOption, message)),
    }
}

/// What `bsym check` would begin with for a machine. A `bsym.toml` that cannot be read is left alone here: a check says why.
fn start(places: &PlaceArgs, file: &Path) -> Sources {
    let words = ["bsym", "check"].map(OsString::from).into_iter().chain(places.given());
    let words = words.chain(["--".into(), file.into()]).collect();
    match config::read(words) {
        Ok((Cli { command: Command::Check(args) }, _)) => args.check.places.sources(),
        _ => places.sources(),
    }
}
