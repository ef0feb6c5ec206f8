//! `bsym refine`: a refinement together with the machine that it refines; all else is as in `check`.
//!
//! In: the options of `check`. Out: its reports, of pairs of states. What makes no sense for pairs is refused.

use super::args::{CheckArgs, RefineArgs};
use super::check;
use super::exit::Exit;
use super::load;
use crate::diagnostic::{Code, Diagnostic};
use crate::resolve::flat::Notion;
use crate::source::Sources;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: RefineArgs, start: Instant) -> Exit {
    let notion = if args.against == Notion::Traces.name() { Notion::Traces } else { Notion::Gluing };
    let check = CheckArgs { refine: Some(notion), ..args.check };
    let of_one_machine = [
        ("--no-invariant", check.no_invariant),
        ("--coverage", check.coverage),
        ("--require-coverage", check.require_coverage),
        ("--trace-out", check.trace_out.is_some()),
        ("--show-expr", notion == Notion::Traces && !check.show_expr.is_empty()),
    ];
    if let Some((option, _)) = of_one_machine.iter().find(|(_, given)| *given) {
        let text = format!("`{option}` is for one machine: `bsym refine` looks at two");
        load::print(&[Diagnostic::without_place(Code::BadOption, text)], &Sources::default());
        return Exit::Refused;
    }
    check::run(&check, start)
}
