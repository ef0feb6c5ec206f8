//! From a file to a machine in the IR, with what there is to say about it.

use super::args::GivenArgs;
use super::exit::Exit;
use super::given;
use super::progress;
use crate::diagnostic::{Diagnostic, Severity, render};
use crate::flow;
use crate::ir::Machine;
use crate::ops::Fault;
use crate::resolve::flat::Notion;
use crate::resolve::{Flat, resolve, resolve_formula, resolve_joint};
use crate::source::Sources;
use crate::syntax::ast::Node;
use crate::syntax::parse_formula;
use crate::types::{Typed, typecheck, typecheck_formula};
use std::io::IsTerminal as _;
use std::path::Path;

/// A machine that was accepted.
pub(super) struct Loaded {
    /// The machine.
    pub machine: Machine,
    /// Warnings and notes.
    pub notes: Vec<Diagnostic>,
    /// The machine before it was typed, for formulas given later.
    pub flat: Flat,
}

/// Reads, resolves and types a machine; looks for mistakes that show whatever is run.
pub(super) fn load(path: &Path, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    typed(resolve(path, sources)?, sources)
}

/// As [`load`], with what the command line adds.
pub(super) fn load_given(
    path: &Path,
    sources: &mut Sources,
    given: &GivenArgs,
) -> Result<Loaded, Vec<Diagnostic>> {
    let mut flat = resolve(path, sources)?;
    given::add(given, &mut flat, sources)?;
    typed(flat, sources)
}

/// As [`load_given`], with the machine that the machine at `path` refines beside it.
pub(super) fn load_joint(
    path: &Path,
    sources: &mut Sources,
    notion: Notion,
    given: &GivenArgs,
) -> Result<Loaded, Vec<Diagnostic>> {
    // The refinement by itself must not speak of what is the refined machine's, which it could beside it.
    load(path, sources)?;
    *sources = sources.anew();
    let mut flat = resolve_joint(path, sources, notion)?;
    given::add(given, &mut flat, sources)?;
    typed(flat, sources)
}

fn typed(flat: Flat, sources: &Sources) -> Result<Loaded, Vec<Diagnostic>> {
    let (machine, mut notes) = typecheck(&flat, sources)?;
    let (errors, warnings): (Vec<_>, Vec<_>) =
        flow::check(&machine).into_iter().partition(|d| d.severity == Severity::Error);
    if !errors.is_empty() {
        return Err(errors);
    }
    notes.extend(warnings);
    Ok(Loaded { machine, notes, flat })
}

/// A formula of the command line, read, resolved and typed in the scope of the main machine; `option` names its text.
///
/// # Errors
/// What is wrong with it.
pub(super) fn formula(
    option: &str,
    text: &str,
    flat: &Flat,
    sources: &mut Sources,
) -> Result<(Node, Typed), Vec<Diagnostic>> {
    let file = sources.add(option, text);
    let (node, errors) = parse_formula(file, text);
    let node = resolve_formula(node.filter(|_| errors.is_empty()).ok_or(errors)?, flat)?;
    let typed = typecheck_formula(&node, flat)?;
    Ok((node, typed))
}

/// A fault of evaluating a formula of the command line, as it is told.
pub(super) fn fault(fault: &Fault) -> Diagnostic {
    let message = fault.0.message.clone();
    match fault.0.span {
        Some(span) => Diagnostic::error(fault.0.code, span, message),
        None => Diagnostic::without_place(fault.0.code, message),
    }
}

/// Says what is wrong with the input as a whole.
pub(super) fn refuse(error: Diagnostic) -> Exit {
    print(&[error], &Sources::default());
    Exit::Refused
}

/// Diagnostics of one severity that are written: more than anybody reads before mending the first.
const WRITTEN: usize = 100;

/// Writes diagnostics to standard error, and how many more there are.
pub(super) fn print(diagnostics: &[Diagnostic], sources: &Sources) {
    let colour = std::io::stderr().is_terminal();
    let mut counts =
        [(Severity::Error, "errors"), (Severity::Warning, "warnings"), (Severity::Note, "notes")]
            .map(|(severity, what)| (severity, what, 0_usize));
    for d in diagnostics {
        let counted = counts.iter_mut().find(|(severity, ..)| *severity == d.severity);
        let met = counted.map_or(0, |(_, _, count)| {
            *count += 1;
            *count
        });
        if met <= WRITTEN {
            let text = render::render(d, sources, colour);
            progress::aside(|| tell!("{text}\n"));
        }
    }
    for (_, what, count) in counts.into_iter().filter(|(.., count)| *count > WRITTEN) {
        progress::aside(|| tell!("{WRITTEN} of {count} {what} are shown\n"));
    }
}
