//! All places that mean what a name means, also in machines that are not open.
//!
//! In: a place. Out: places in all files of the editor's folders. Names that are written alike and mean something else are none.

use super::analysis::{Analysis, Place};
use super::session::Session;
use super::workspace;
use lsp_types::{Location, ReferenceParams, TextDocumentPositionParams};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A name with what it means.
pub(super) struct Meant {
    pub(super) name: String,
    /// The places of its declarations.
    pub(super) decls: BTreeSet<Place>,
}

/// What the name at a place means; `None` if there is no name with a meaning.
pub(super) fn meant(session: &Session, at: &TextDocumentPositionParams) -> Option<Meant> {
    session.spots(at).iter().find_map(|spot| {
        let decls: Vec<_> = spot.uses().filter_map(|u| spot.analysis.decl(u)).collect();
        let name = decls.first()?.name.to_string();
        let places = decls.iter().filter_map(|d| spot.analysis.place(d.span)).collect();
        Some(Meant { name, decls: places })
    })
}

/// The analyses in which a name may occur: those of open texts and of other machines in the editor's folders.
///
/// `new` is a name that it may get, with which others may clash.
pub(super) fn others(session: &Session, meant: &Meant, new: Option<&str>) -> BTreeMap<PathBuf, Analysis> {
    let near = meant.decls.iter().map(|p| p.path.clone());
    let files = workspace::machines(&session.client.roots, near);
    let world = session.world();
    let last = meant.name.rsplit('.').next().unwrap_or("");
    let wanted = files.into_iter().filter(|path| !session.analyses.contains_key(path));
    wanted
        .filter(|path| workspace::mention(path, std::iter::once(last).chain(new)))
        .map(|path| {
            let analysis = Analysis::of(&path, &world, None);
            (path, analysis)
        })
        .collect()
}

/// The places of an analysis that mean one of some declarations; true if they declare it.
pub(super) fn places(analysis: &Analysis, decls: &BTreeSet<Place>) -> BTreeSet<(Place, bool)> {
    let of = analysis.index.uses.iter().filter(|u| {
        analysis.decl(u).and_then(|d| analysis.place(d.span)).is_some_and(|place| decls.contains(&place))
    });
    of.filter_map(|u| Some((analysis.place(u.span)?, u.declares))).collect()
}

/// The places that mean what the name at a place means.
pub(super) fn references(session: &Session, params: &ReferenceParams) -> Vec<Location> {
    let Some(meant) = meant(session, &params.text_document_position) else { return Vec::new() };
    let others = others(session, &meant, None);
    let mut out: BTreeMap<Place, Location> = BTreeMap::new();
    for analysis in session.analyses.values().chain(others.values()) {
        for (place, declares) in places(analysis, &meant.decls) {
            if declares && !params.context.include_declaration {
                continue;
            }
            let span = analysis.file(&place.path).map(|file| crate::source::Span {
                file,
                lo: place.lo,
                hi: place.hi,
            });
            if let Some(location) = span.and_then(|span| session.location(analysis, span)) {
                out.insert(place, location);
            }
        }
    }
    out.into_values().collect()
}
