//! `bsym refine`: a refinement together with the machine that it refines; all else is as in `check`.
//!
//! In: the options of `check`, which levels of the chain of REFINES. Out: its reports, of pairs of states. What makes no sense for pairs is
//! refused.

use super::args::{CheckArgs, RefineArgs};
use super::check;
use super::exit::Exit;
use super::load;
use super::units::LevelArg;
use crate::diagnostic::{Code, Diagnostic};
use crate::report::Report;
use crate::resolve::flat::Notion;
use crate::resolve::resolve;
use std::path::PathBuf;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: RefineArgs, start: Instant) -> Exit {
    run_told(args, start, &mut |_| {})
}

/// As [`run`]; the report of one size is told as soon as it is written.
pub(super) fn run_told(args: RefineArgs, start: Instant, told: &mut dyn FnMut(&Report)) -> Exit {
    let notion = Notion::ALL.into_iter().find(|n| n.name() == args.against).unwrap_or(Notion::Gluing);
    let check = args.check;
    let of_one_machine = [
        ("--no-invariant", check.no_invariant),
        ("--no-refinement", check.no_refinement),
        ("--coverage", check.coverage),
        ("--require-coverage", check.require_coverage),
        ("--trace-out", check.trace_out.is_some()),
        ("--show-expr", notion == Notion::Traces && !check.show_expr.is_empty()),
    ];
    let refused = |text: String| load::refuse(Diagnostic::without_place(Code::BadOption, text));
    if let Some((option, _)) = of_one_machine.iter().find(|(_, given)| *given) {
        return refused(format!("`{option}` is for one machine: `bsym refine` looks at two"));
    }
    let file = match args.level {
        LevelArg::All | LevelArg::One(1) => check.file.clone(),
        LevelArg::One(n) => match file(&check, n) {
            Ok(file) => file,
            Err(text) => return refused(text),
        },
    };
    let no_refinement = args.level != LevelArg::All;
    check::run_told(&CheckArgs { refine: Some(notion), file, no_refinement, ..check }, start, told)
}

/// The file of a machine in the chain of REFINES. What is wrong with the first is told when it is checked.
fn file(check: &CheckArgs, number: usize) -> Result<PathBuf, String> {
    let Ok(flat) = resolve(&check.file, &mut check.places.sources()) else { return Ok(check.file.clone()) };
    let level = flat.levels.get(number - 1).map(|l| l.file.clone());
    level.ok_or_else(|| {
        format!("there is no level {number}: the chain of REFINES has {} of them", flat.levels.len())
    })
}
