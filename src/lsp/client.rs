//! What the editor can do, and what it is told that the server can.
//!
//! In: the parameters of `initialize`. Out: what later answers depend on. Options of the server: `include`, folders as those of
//! `-I`; `check`, arguments for the checks that it starts.

use super::position::Encoding;
use super::uri;
use lsp_types::{
    CodeLensOptions, CompletionOptions, ExecuteCommandOptions, HoverProviderCapability, InitializeParams,
    OneOf, RenameOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions,
};
use serde_json::Value as Json;
use std::ffi::OsString;
use std::path::PathBuf;

/// What there is to know of the editor.
#[derive(Clone, Debug, Default)]
pub(super) struct Client {
    pub(super) encoding: Encoding,
    /// Whether hovers may be Markdown.
    pub(super) markdown: bool,
    /// Whether diagnostics may have further places.
    pub(super) related: bool,
    /// Whether it asks again for lenses when told so.
    pub(super) lenses: bool,
    /// Whether it shows progress that can be cancelled.
    pub(super) progress: bool,
    /// Whether it watches files for the server.
    pub(super) watches: bool,
    /// Its folders.
    pub(super) roots: Vec<PathBuf>,
    /// Folders of machines that are not beside the file that names them.
    pub(super) folders: Vec<PathBuf>,
    /// Arguments of checks: the server's.
    pub(super) arguments: Vec<OsString>,
    /// The editor's.
    pub(super) check: Vec<String>,
}

impl Client {
    /// What `initialize` says; what it does not say is not there.
    pub(super) fn of(params: &Json, arguments: Vec<OsString>) -> Self {
        let initial: InitializeParams = serde_json::from_value(params.clone()).unwrap_or_default();
        let can = |path: &str| params.pointer(&format!("/capabilities{path}")).cloned();
        let is = |path: &str| can(path) == Some(Json::Bool(true));
        let offered = initial.capabilities.general.and_then(|g| g.position_encodings).unwrap_or_default();
        let formats = can("/textDocument/hover/contentFormat").unwrap_or_default();
        let listed = |name: &str| -> Vec<String> {
            let list = params.pointer(&format!("/initializationOptions/{name}")).and_then(Json::as_array);
            list.into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
        };
        let roots: Vec<PathBuf> = match initial.workspace_folders {
            Some(folders) => folders.iter().map(|f| uri::path(&f.uri)).collect(),
            None => params
                .pointer("/rootUri")
                .and_then(Json::as_str)
                .and_then(|u| u.parse().ok())
                .map(|u| uri::path(&u))
                .into_iter()
                .collect(),
        };
        let root = roots.first().cloned().unwrap_or_default();
        let included = listed("include").into_iter().map(|folder| root.join(folder));
        Self {
            encoding: Encoding::chosen(&offered),
            markdown: formats.as_array().is_some_and(|f| f.iter().any(|v| v == "markdown")),
            related: is("/textDocument/publishDiagnostics/relatedInformation"),
            lenses: is("/workspace/codeLens/refreshSupport"),
            progress: is("/window/workDoneProgress"),
            watches: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            folders: included.collect(),
            arguments,
            check: listed("check"),
            roots,
        }
    }

    /// What the server can do for it.
    pub(super) fn capabilities(&self) -> ServerCapabilities {
        ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                ..TextDocumentSyncOptions::default()
            })),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            rename_provider: Some(OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
            })),
            completion_provider: Some(CompletionOptions::default()),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: vec![super::check::CHECK.to_owned(), super::check::CANCEL.to_owned()],
                ..ExecuteCommandOptions::default()
            }),
            ..ServerCapabilities::default()
        }
    }
}
