//! What can be done with a machine: to check it, and to end a check that runs.
//!
//! In: a file. Out: a lens at the name of the machine.

use super::check::{CANCEL, CHECK};
use super::documents::Documents;
use super::session::Session;
use crate::syntax::ast::MachineKind;
use lsp_types::{CodeLens, CodeLensParams, Command};
use serde_json::Value as Json;

/// The lenses of a file.
pub(super) fn lenses(session: &Session, params: &CodeLensParams) -> Vec<CodeLens> {
    let uri = &params.text_document.uri;
    let path = Documents::path(uri);
    let place = session.analyses.get(&path).and_then(|analysis| {
        let text = analysis.texts.first().filter(|t| t.machine.kind != MachineKind::Definitions)?;
        session.location(analysis, text.machine.name.span)
    });
    let (title, command) =
        if session.checks.runs(&path) { ("Cancel the check", CANCEL) } else { ("Check", CHECK) };
    let command = Command {
        title: title.to_owned(),
        command: command.to_owned(),
        arguments: Some(vec![Json::String(uri.as_str().to_owned())]),
    };
    place.map(|p| CodeLens { range: p.range, command: Some(command), data: None }).into_iter().collect()
}
