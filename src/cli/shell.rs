//! `bsym completions` and `bsym man`: what shells and `man` want to know of the command line.
//!
//! In: a shell, or a folder. Out: its script on standard output, or one page for each command in the folder.

use super::args::{Cli, CompletionsArgs, ManArgs};
use super::exit::Exit;
use super::load;
use super::out;
use crate::diagnostic::{Code, Diagnostic};
use clap::CommandFactory as _;

/// The script that completes what is typed.
pub(super) fn completions(args: &CompletionsArgs) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "bsym", &mut script);
    out::say(|to| to.write_all(&script), Exit::Fine)
}

/// `bsym.1`, `bsym-check.1` and so on.
pub(super) fn man(args: &ManArgs) -> Exit {
    let written = std::fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &args.folder));
    match written {
        Ok(()) => Exit::Fine,
        Err(e) => {
            let text = format!("`{}` cannot be written: {e}", args.folder.display());
            load::refuse(Diagnostic::without_place(Code::FileUnreadable, text))
        }
    }
}
