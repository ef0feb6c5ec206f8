//! Where a name is declared; of the name of a definition file, the file.
//!
//! In: a place. Out: places of declarations, more than one if a definition means different things where it is used.

use super::requests::Spot;
use super::session::Session;
use crate::source::Span;
use lsp_types::{GotoDefinitionParams, Location};

/// The declarations of the name at a place.
pub(super) fn definition(session: &Session, params: &GotoDefinitionParams) -> Vec<Location> {
    let spots = session.spots(&params.text_document_position_params);
    let all = spots.iter().map(|spot| declared(session, spot));
    all.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

fn declared(session: &Session, spot: &Spot<'_>) -> Vec<Location> {
    let decls = spot.uses().filter_map(|u| spot.analysis.decl(u)).map(|d| d.span);
    let spans: Vec<Span> = decls.chain(file(spot)).collect();
    let mut out: Vec<Location> = Vec::new();
    for location in spans.into_iter().filter_map(|span| session.location(spot.analysis, span)) {
        if !out.contains(&location) {
            out.push(location);
        }
    }
    out
}

/// The start of the definition file that is named here.
fn file(spot: &Spot<'_>) -> Option<Span> {
    let index = &spot.analysis.index;
    let byte = u32::try_from(spot.byte).ok()?;
    let links = spot.analysis.texts.iter().flat_map(|t| &t.links);
    let here = |s: Span| index.home(s).file == index.home(Span { file: spot.file, lo: 0, hi: 0 }).file;
    let link = links.into_iter().find(|l| here(l.span) && l.span.lo <= byte && byte <= l.span.hi)?;
    let text = spot.analysis.texts.get(link.to).filter(|t| t.owner.is_some())?;
    Some(Span::new(text.file, 0, 0))
}
