//! Who answers what.
//!
//! In: requests. Out: answers, or an error that says why there is none. Places in texts are looked up here.

use super::analysis::Analysis;
use super::documents::Documents;
use super::index::Use;
use super::position::Lines;
use super::session::Session;
use super::{completion, definition, hover, lens, outline, references, rename};
use crate::source::FileId;
use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::request::{
    CodeLensRequest, Completion, DocumentSymbolRequest, ExecuteCommand, GotoDefinition, HoverRequest,
    PrepareRenameRequest, References, Rename, Request as _,
};
use lsp_types::{ExecuteCommandParams, Location, TextDocumentPositionParams, Uri};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// A place in a text that an analysis knows.
#[derive(Clone, Copy)]
pub(super) struct Spot<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) file: FileId,
    pub(super) byte: usize,
}

impl<'a> Spot<'a> {
    /// The text of the file.
    pub(super) fn text(&self) -> &'a str {
        self.analysis.text(self.file)
    }

    /// What the name here means.
    pub(super) fn uses(&self) -> impl Iterator<Item = &'a Use> + use<'a> {
        self.analysis.index.at(self.file, u32::try_from(self.byte).unwrap_or(u32::MAX))
    }
}

/// Why there is no answer, for the user.
pub(super) struct Refusal(pub(super) ErrorCode, pub(super) String);

impl Refusal {
    /// What cannot be done.
    pub(super) fn because(text: impl Into<String>) -> Self {
        Self(ErrorCode::RequestFailed, text.into())
    }
}

type Answer = Result<Json, Refusal>;

/// The parameters of a request.
fn read<T: DeserializeOwned>(params: Json) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|e| Refusal(ErrorCode::InvalidParams, e.to_string()))
}

fn json(value: impl Serialize) -> Answer {
    serde_json::to_value(value).map_err(|e| Refusal(ErrorCode::InternalError, e.to_string()))
}

impl Session {
    /// Answers a request.
    pub(super) fn request(&mut self, request: Request) {
        self.catch_up();
        let Request { id, method, params } = request;
        if method == ExecuteCommand::METHOD {
            return self.command(id, params);
        }
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
        let bug =
            |_| Err(Refusal(ErrorCode::InternalError, format!("a bug in bsym: `{method}` has no answer")));
        let answer = answer.unwrap_or_else(bug);
        self.respond(id, answer);
    }

    fn respond(&self, id: RequestId, answer: Answer) {
        self.send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(Refusal(code, text)) => Response::new_err(id, code as i32, text),
        });
    }

    fn answer(&self, method: &str, params: Json) -> Answer {
        match method {
            HoverRequest::METHOD => json(hover::hover(self, &read(params)?)),
            GotoDefinition::METHOD => json(definition::definition(self, &read(params)?)),
            References::METHOD => json(references::references(self, &read(params)?)),
            PrepareRenameRequest::METHOD => json(rename::prepare(self, &read(params)?)?),
            Rename::METHOD => rename::rename(self, &read(params)?),
            DocumentSymbolRequest::METHOD => json(outline::outline(self, &read(params)?)),
            Completion::METHOD => json(completion::completion(self, &read(params)?)),
            CodeLensRequest::METHOD => json(lens::lenses(self, &read(params)?)),
            _ => Err(Refusal(ErrorCode::MethodNotFound, format!("`{method}` is not known here"))),
        }
    }

    fn command(&mut self, id: RequestId, params: Json) {
        let started = read::<ExecuteCommandParams>(params).and_then(|params| {
            let uri = params.arguments.first().and_then(Json::as_str).and_then(|u| u.parse::<Uri>().ok());
            let uri = uri.ok_or_else(|| Refusal::because(format!("`{}` needs a file", params.command)))?;
            let path = Documents::path(&uri);
            match params.command.as_str() {
                super::check::CHECK => {
                    let unsaved = self.documents.paths().any(|p| self.documents.unsaved(p));
                    let started = self.checks.start(id.clone(), &path, &self.client, unsaved);
                    started.map(|()| None).map_err(Refusal::because)
                }
                super::check::CANCEL => Ok(Some(Json::Bool(self.checks.cancel_path(&path)))),
                other => Err(Refusal(ErrorCode::InvalidParams, format!("there is no command `{other}`"))),
            }
        });
        match started {
            // The answer comes when the check is over.
            Ok(None) => {}
            Ok(Some(value)) => self.respond(id, Ok(value)),
            Err(refusal) => self.respond(id, Err(refusal)),
        }
    }

    /// A place in all analyses that know its file, that of the file itself first.
    pub(super) fn spots(&self, at: &TextDocumentPositionParams) -> Vec<Spot<'_>> {
        let path = Documents::path(&at.text_document.uri);
        let own = self.analyses.get(&path);
        let others = self.analyses.iter().filter(|(root, _)| **root != path).map(|(_, a)| a);
        let spot = |analysis| self.spot(analysis, &path, at);
        own.into_iter().chain(others).filter_map(spot).collect()
    }

    fn spot<'a>(
        &self,
        analysis: &'a Analysis,
        path: &Path,
        at: &TextDocumentPositionParams,
    ) -> Option<Spot<'a>> {
        let file = analysis.file(path)?;
        let byte = Lines::new(analysis.text(file), self.client.encoding).byte(at.position);
        Some(Spot { analysis, file, byte })
    }

    /// A place for the editor; `None` in what is no file.
    pub(super) fn location(&self, analysis: &Analysis, span: crate::source::Span) -> Option<Location> {
        let uri = self.documents.uri(analysis.path(span.file)?)?;
        let range = Lines::new(analysis.text(span.file), self.client.encoding).range(span.lo, span.hi);
        Some(Location { uri, range })
    }
}
