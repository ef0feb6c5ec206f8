//! Whether texts mean the same after names have been replaced.
//!
//! In: what is known of all machines, and edits. Out: nothing, or the first name that would mean something else. The edited
//! texts are looked at like any others: every name must mean the declaration that it means now, and what is said of the machines
//! must be the same.

use super::super::analysis::Analysis;
use super::super::references::Meant;
use super::super::requests::Refusal;
use super::super::session::Session;
use super::{Edits, shown};
use crate::diagnostic::Code;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A place in the text as it is now.
type At = (PathBuf, u32);

/// The text of a file.
pub(super) fn text<'a>(all: &[(&Path, &'a Analysis)], path: &Path) -> Option<&'a str> {
    all.iter().find_map(|(_, analysis)| Some(analysis.text(analysis.file(path)?)))
}

/// Whether the edits change nothing but names.
pub(super) fn same(
    session: &Session,
    all: &[(&Path, &Analysis)],
    edits: &Edits,
    meant: &Meant,
    new: &str,
) -> Result<(), Refusal> {
    let mut world = session.world();
    for (path, places) in edits {
        let text = text(all, path).unwrap_or("");
        world.open.insert(path.clone(), edited(text, places, new).into());
    }
    let grown = i64::try_from(new.len()).unwrap_or(0) - i64::try_from(meant.name.len()).unwrap_or(0);
    let back = Back { edits, grown };
    for (root, before) in all {
        let after = Analysis::of(root, &world, None);
        let (old, now) = (names(before, &|at| at), names(&after, &|at| back.old(at)));
        if let Some((place, _)) = old.symmetric_difference(&now).next() {
            let line = text(all, &place.0)
                .and_then(|t| t.get(..place.1 as usize))
                .map_or(0, |t| t.matches('\n').count());
            return Err(Refusal::because(format!(
                "`{new}` is taken: a name in {}, line {}, would mean something else",
                shown(&place.0),
                line + 1
            )));
        }
        if said(before, &|at| at) != said(&after, &|at| back.old(at)) {
            let text = format!("with `{new}`, {} would have other mistakes or warnings", shown(root));
            return Err(Refusal::because(text));
        }
        if before.index.caught.contains(&*meant.name) || after.index.caught.contains(new) {
            let text = "an argument of a definition would be caught by a name that the definition binds";
            return Err(Refusal::because(text));
        }
    }
    Ok(())
}

fn edited(text: &str, places: &BTreeSet<(u32, u32)>, new: &str) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (lo, hi) in places {
        out.push_str(text.get(at..*lo as usize).unwrap_or(""));
        out.push_str(new);
        at = *hi as usize;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}

/// The way from the edited texts to those that are there now.
struct Back<'a> {
    edits: &'a Edits,
    /// How much longer the new name is.
    grown: i64,
}

impl Back<'_> {
    fn old(&self, (path, new): At) -> At {
        let mut old = i64::from(new);
        for (lo, _) in self.edits.get(&path).into_iter().flatten() {
            if i64::from(*lo) < old {
                old -= self.grown;
            }
        }
        (path, u32::try_from(old).unwrap_or(0))
    }
}

/// Every place with the place of its declaration.
fn names(analysis: &Analysis, back: &dyn Fn(At) -> At) -> BTreeSet<(At, At)> {
    let at = |span| analysis.place(span).map(|p| back((p.path, p.lo)));
    let uses = analysis.index.uses.iter().filter(|u| !u.loose);
    uses.filter_map(|u| Some((at(u.span)?, at(analysis.decl(u)?.span)?))).collect()
}

/// What is said, by place.
fn said(analysis: &Analysis, back: &dyn Fn(At) -> At) -> Vec<(Code, Option<At>)> {
    let at = |span| analysis.place(span).map(|p| back((p.path, p.lo)));
    let mut all: Vec<_> = analysis.diagnostics.iter().map(|d| (d.code, d.span.and_then(at))).collect();
    all.sort();
    all
}
