//! What a file says that is known and has no influence here, told once for each kind.
//!
//! In: the names of such definitions, the pragmas. Out: notes. Properties that could be false are never among them: these are
//! warnings (`special`, `formula`).

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::Ident;

/// A kind of definition without influence.
#[derive(Clone, Copy, Debug)]
pub(super) enum Group {
    /// Pictures and graphs.
    Pictures,
    /// The order in which states are taken.
    Order,
    /// Sets whose elements shall be permuted.
    Permuted,
    /// Most steps of one operation.
    Limits,
    /// Preferences of other tools.
    Preferences,
}

/// Most names that are told.
const TOLD: usize = 3;

/// Pragmas that say how a file is read, or say something to people only.
const PRAGMAS: &[&str] = &["file", "package", "import-package", "symbolic", "label", "desc", "generated"];

/// The note on the definitions of a group; none if there are none.
pub(super) fn note(group: Group, mut names: Vec<&Ident>) -> Option<Diagnostic> {
    names.sort_by_key(|n| (n.span.file, n.span.lo));
    let first = names.first()?;
    let (why, others) = match group {
        Group::Pictures => {
            ("only draws pictures: it is not looked at", "only draw pictures: they are not looked at")
        }
        Group::Order => ("has no effect here: states are taken breadth first", ""),
        Group::Permuted => (
            "has no effect here: what can be permuted is found from the machine",
            "have no effect here: what can be permuted is found from the machine",
        ),
        Group::Limits => {
            ("has no effect here: all steps are taken", "have no effect here: all steps are taken")
        }
        Group::Preferences => ("has no effect here", "have no effect here"),
    };
    let text = format!("{} {}", listed(&names), if names.len() == 1 { why } else { others });
    Some(Diagnostic::note(Code::Ignored, first.span, text))
}

/// One note for each word of pragmas that have no influence.
pub(super) fn pragmas(pragmas: &[Ident]) -> Vec<Diagnostic> {
    let mut out: Vec<(&Ident, usize)> = Vec::new();
    for p in pragmas.iter().filter(|p| !PRAGMAS.contains(&&*p.name)) {
        match out.iter_mut().find(|(first, _)| first.name == p.name) {
            Some((_, times)) => *times += 1,
            None => out.push((p, 1)),
        }
    }
    let one = |(first, times): (&Ident, usize)| {
        let places = if times == 1 { String::new() } else { format!(" (at {times} places)") };
        let text = format!("the pragma `{}`{places} has no effect here, and nothing checks it", first.name);
        Diagnostic::note(Code::Ignored, first.span, text)
    };
    out.into_iter().map(one).collect()
}

/// `a`, `b` and 3 more.
fn listed(names: &[&Ident]) -> String {
    let told = if names.len() > TOLD + 1 { TOLD } else { names.len() };
    let mut words: Vec<String> = names.iter().take(told).map(|n| format!("`{}`", n.name)).collect();
    if names.len() > told {
        words.push(format!("{} more", names.len() - told));
    }
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
