//! `bsym eval`: evaluate a formula with the names of a machine.

use super::args::EvalArgs;
use super::exit::Exit;
use super::load;
use crate::diagnostic::Code;
use crate::source::Sources;

/// Runs the command.
pub fn run(args: &EvalArgs) -> Exit {
    let sources = Sources::default();
    let _ = (&args.file, &args.formula, args.world.asked());
    load::print(&[load::no_place(Code::Unsupported, "formulas cannot be evaluated yet")], &sources);
    Exit::Refused
}
