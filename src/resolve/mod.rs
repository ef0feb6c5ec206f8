//! From syntax trees to one flat machine: files, definitions, composition, names.
//!
//! In: the path of the main machine. Out: a [`Flat`], or the diagnostics why not. No types here.
//!
//! The passes in order: `loader` reads files and expands `definitions`; `graph` finds out which machines
//! take part; `declare` numbers what they declare, and `kept` says what refinements share with the machines
//! behind them (`joint`: for a refinement check, one such machine takes part); `visible` and `params` settle what each can use; `flatten` resolves their texts; `special` reads definitions with a meaning
//! of their own. `written` keeps the texts themselves.

mod declare;
mod definitions;
pub mod flat;
mod flatten;
mod fold;
mod foreign;
mod formula;
mod given;
mod graph;
mod idle;
mod joint;
mod kept;
mod library;
mod loader;
mod misread;
mod params;
mod refinement;
mod scope;
mod special;
mod statement;
mod visible;
mod wider;
mod words;
pub mod written;

#[cfg(test)]
#[allow(clippy::panic, reason = "a failing test says why by panicking")]
mod tests;

pub use flat::Flat;
pub(crate) use graph::Link;
pub use refinement::{UNASKED, not_checked};

use crate::diagnostic::{Code, Diagnostic, Severity, joined};
use crate::source::Sources;
use crate::syntax::ast::Node;
use std::path::Path;

/// Reads the machine at `path` with all it refers to and merges it into one.
///
/// # Errors
/// All mistakes found, in the order of files and texts; never an empty list.
pub fn resolve(path: &Path, sources: &mut Sources) -> Result<Flat, Vec<Diagnostic>> {
    merged(path, sources, None)
}

/// As [`resolve`], with the machine that the machine at `path` refines beside it: [`Flat::joint`] says what belongs to it.
///
/// # Errors
/// As those of [`resolve`]; and what the refinement lacks to be one.
pub fn resolve_joint(
    path: &Path,
    sources: &mut Sources,
    notion: flat::Notion,
) -> Result<Flat, Vec<Diagnostic>> {
    merged(path, sources, Some(notion))
}

fn merged(path: &Path, sources: &mut Sources, joint: Option<flat::Notion>) -> Result<Flat, Vec<Diagnostic>> {
    let mut loader = loader::Loader::new(sources);
    let main = loader.main(path);
    match whole(&mut loader, main, joint) {
        (Some(flat), errors) if errors.is_empty() => Ok(flat),
        (_, errors) => Err(errors),
    }
}

/// The flat machine, as far as it can be put together, and all mistakes; with none of them there is a machine.
fn whole(
    loader: &mut loader::Loader<'_>,
    main: Option<usize>,
    joint: Option<flat::Notion>,
) -> (Option<Flat>, Vec<Diagnostic>) {
    if let Some(unit) = main
        .and_then(|main| loader.units.get(main))
        .filter(|u| joint.is_some() && u.machine.refines.is_none())
    {
        let text = format!("`{}` refines no machine", unit.machine.name.name);
        return (None, vec![Diagnostic::error(Code::MissingClause, unit.machine.name.span, text)]);
    }
    let graph = main.map(|main| graph::graph(loader, main, joint));
    let (mut units, mut errors) = (std::mem::take(&mut loader.units), std::mem::take(&mut loader.errors));
    errors.extend(units.iter().flat_map(|u| special::unreadable(&u.definitions)));
    errors.extend(loader.unused(&units));
    // With a machine missing or unread, most names would seem unknown.
    let Some((graph, main)) =
        graph.zip(main).filter(|_| errors.iter().all(|d| d.severity != Severity::Error))
    else {
        return (None, tidy(errors));
    };
    let local_calls = units.get(main).is_some_and(|u| special::local_calls(&u.definitions));
    let (mut flat, scope, mut more) = flatten::flatten(&units, &graph, local_calls);
    errors.append(&mut more);
    flat.levels = kept::levels(&units, &graph);
    if let Some(unit) = units.get_mut(main) {
        special::read(&mut flat, &scope, &unit.definitions);
        flat.notes.extend(idle::pragmas(&unit.machine.pragmas));
        // Together with the refined machine the first is what is checked.
        let not_checked = flat.levels.get(usize::from(flat.joint.is_some()));
        flat.notes.extend(not_checked.map(|level| refinement::not_checked(&level.refined, None)));
        flat.notes.extend(refinement::refines_nothing(&unit.machine));
        if flat.joint.is_some() {
            // Of a pair of machines only what relates them is of interest.
            flat.goal = None;
            flat.settings.show_any = false;
        }
        flat.names = flat::MainNames { scope, definitions: std::mem::take(&mut unit.definitions) };
    }
    flat.externals.sort();
    flat.externals.dedup();
    let (errors, mut notes): (Vec<_>, Vec<_>) =
        errors.into_iter().partition(|d| d.severity == Severity::Error);
    notes.append(&mut flat.notes);
    flat.notes = tidy(notes);
    (Some(flat), tidy(errors))
}

/// Resolves a formula given later in the scope of the main machine, whose definitions can be used.
///
/// # Errors
/// All mistakes found; never an empty list.
pub fn resolve_formula(node: Node, flat: &Flat) -> Result<Node, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let (node, expanded) = definitions::machine::formula(node, &flat.names.definitions, &mut errors);
    let names = flat.names.definitions.names().collect();
    let mut resolver = formula::Resolver::new(&flat.names.scope, &expanded.uses, names);
    let node = resolver.formula(node);
    errors.append(&mut resolver.errors);
    if errors.is_empty() { Ok(node) } else { Err(tidy(errors)) }
}

/// In the order of files and texts, each once; an unknown name is one mistake wherever it stands.
fn tidy(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|d| d.span.map(|s| (s.file, s.lo, s.hi)));
    let mut out: Vec<Diagnostic> = Vec::new();
    for d in diagnostics {
        let same = |o: &Diagnostic| o.span == d.span && o.code == d.code && o.message == d.message;
        if !out.last().is_some_and(same) {
            out.push(d);
        }
    }
    joined(out, |d| d.code == Code::UnknownName)
}
