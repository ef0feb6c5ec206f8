//! A session: the open texts, what is known of them, what the editor has been told.
//!
//! In: notifications. Out: diagnostics, whenever there are others than before. Texts are looked at when nothing more comes in,
//! or when somebody asks: of many changes only the last counts.

use super::Start;
use super::analysis::{Analysis, World};
use super::check::Checks;
use super::client::Client;
use super::diagnostics;
use super::documents::Documents;
use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument,
    Notification as _, PublishDiagnostics, ShowMessage, WorkDoneProgressCancel,
};
use lsp_types::{
    CancelParams, Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, MessageType, NumberOrString, PublishDiagnosticsParams, ShowMessageParams,
    WorkDoneProgressCancelParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Sends a message to the editor; one that has gone away hears nothing.
pub(super) type Speak = Arc<dyn Fn(Message) + Send + Sync>;

/// All that the server knows.
pub(super) struct Session {
    pub(super) client: Client,
    pub(super) documents: Documents,
    /// By path; one for each open text.
    pub(super) analyses: BTreeMap<PathBuf, Analysis>,
    pub(super) checks: Checks,
    /// What is wrong with texts of which nothing can be read; what was known of them before is still there.
    unread: BTreeMap<PathBuf, Analysis>,
    start: Start,
    speak: Speak,
    /// Open texts that have to be looked at.
    behind: BTreeSet<PathBuf>,
    /// What was told of files, with the version of the text.
    told: BTreeMap<PathBuf, (Option<i32>, Vec<Diagnostic>)>,
}

/// A message that nobody answers.
pub(super) fn notification(method: &str, params: impl Serialize) -> Message {
    let params = serde_json::to_value(params).unwrap_or_default();
    Notification { method: method.to_owned(), params }.into()
}

/// A request to the editor.
pub(super) fn asked(id: &str, method: &str, params: Json) -> Message {
    Request { id: RequestId::from(id.to_owned()), method: method.to_owned(), params }.into()
}

impl Session {
    pub(super) fn new(
        client: Client,
        start: Start,
        sender: impl Fn(Message) + Send + Sync + 'static,
    ) -> Self {
        let speak: Speak = Arc::new(sender);
        Self {
            checks: Checks::new(Arc::clone(&speak), &client),
            client,
            start,
            documents: Documents::default(),
            analyses: BTreeMap::new(),
            unread: BTreeMap::new(),
            speak,
            behind: BTreeSet::new(),
            told: BTreeMap::new(),
        }
    }

    pub(super) fn send(&self, message: impl Into<Message>) {
        (self.speak)(message.into());
    }

    /// Asks the editor to say when files change that are not open.
    pub(super) fn begin(&self) {
        if self.client.watches {
            let options = json!({"watchers": [{"globPattern": "**/*.{mch,ref,imp,sys,def}"}, {"globPattern": "**/bsym.toml"}]});
            let method = DidChangeWatchedFiles::METHOD;
            let one = json!({"id": "files", "method": method, "registerOptions": options});
            self.send(asked("files", "client/registerCapability", json!({"registrations": [one]})));
        }
    }

    /// Ends what still runs.
    pub(super) fn end(&mut self) {
        self.checks.end();
    }

    /// Whether texts have changed since they were looked at.
    pub(super) fn is_behind(&self) -> bool {
        !self.behind.is_empty()
    }

    pub(super) fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(DidOpenTextDocumentParams { text_document: t }) = self.read(&method, params) {
                    let path = self.documents.open(t.uri, t.version, &t.text);
                    self.behind.insert(path);
                    self.all_behind();
                }
            }
            DidChangeTextDocument::METHOD => {
                let Some(change) = self.read::<DidChangeTextDocumentParams>(&method, params) else { return };
                let (of, encoding) = (change.text_document, self.client.encoding);
                let path = self.documents.change(&of.uri, of.version, change.content_changes, encoding);
                path.into_iter().for_each(|path| self.changed(&path));
            }
            DidCloseTextDocument::METHOD => {
                if let Some(DidCloseTextDocumentParams { text_document }) = self.read(&method, params) {
                    let path = self.documents.close(&text_document.uri);
                    self.analyses.remove(&path);
                    self.unread.remove(&path);
                    self.behind.remove(&path);
                    self.all_behind();
                    self.publish();
                }
            }
            DidChangeWatchedFiles::METHOD => self.all_behind(),
            Cancel::METHOD => {
                if let Some(CancelParams { id }) = self.read(&method, params) {
                    self.checks.cancel(&match id {
                        NumberOrString::Number(n) => n.into(),
                        NumberOrString::String(s) => s.into(),
                    });
                }
            }
            WorkDoneProgressCancel::METHOD => {
                if let Some(WorkDoneProgressCancelParams { token }) = self.read(&method, params) {
                    self.checks.cancel_progress(&token);
                }
            }
            _ => {}
        }
    }

    /// The parameters of a notification; the user hears of those that cannot be read.
    fn read<T: DeserializeOwned>(&self, method: &str, params: Json) -> Option<T> {
        let read = serde_json::from_value(params);
        read.map_err(|e| self.say(MessageType::WARNING, &format!("the parameters of `{method}`: {e}"))).ok()
    }

    /// Shows a message.
    pub(super) fn say(&self, typ: MessageType, text: &str) {
        let params = ShowMessageParams { typ, message: text.to_owned() };
        self.send(notification(ShowMessage::METHOD, params));
    }

    fn all_behind(&mut self) {
        self.behind.extend(self.documents.paths().cloned());
    }

    /// Notes that a text has changed, and with it all machines that read it.
    fn changed(&mut self, path: &Path) {
        let readers = self.analyses.iter().filter(|(_, a)| a.file(path).is_some()).map(|(root, _)| root);
        self.behind.extend(readers.cloned());
        self.behind.insert(path.to_owned());
    }

    /// Whether nothing of a text can be read at the moment.
    pub(super) fn is_unread(&self, path: &Path) -> bool {
        self.unread.contains_key(path)
    }

    /// What an analysis reads.
    pub(super) fn world(&self) -> World {
        let (start, folders) = (Arc::clone(&self.start), self.client.folders.clone());
        World { start, folders, open: self.documents.texts() }
    }

    /// Looks at all texts that have changed, and tells what is wrong with them.
    pub(super) fn catch_up(&mut self) {
        if !self.is_behind() {
            return;
        }
        let world = self.world();
        for path in std::mem::take(&mut self.behind) {
            let before = self.analyses.get(&path);
            let new = catch_unwind(AssertUnwindSafe(|| Analysis::of(&path, &world, before)));
            match (new, self.analyses.get(&path)) {
                // A text of which nothing can be read says nothing about its names: those from before are better.
                (Ok(new), Some(old)) if new.is_empty() && !old.is_empty() => {
                    self.unread.insert(path, new);
                }
                (Ok(new), _) => {
                    self.unread.remove(&path);
                    self.analyses.insert(path, new);
                }
                (Err(_), _) => {
                    let text = format!("a bug in bsym: `{}` cannot be looked at", path.display());
                    self.say(MessageType::ERROR, &text);
                }
            }
        }
        self.publish();
    }

    /// Tells the diagnostics of all files of which there is something new to say.
    fn publish(&mut self) {
        let newest = self.analyses.iter().map(|(path, a)| (path, self.unread.get(path).unwrap_or(a)));
        let mut all = diagnostics::all(newest, &self.documents, self.client.encoding, self.client.related);
        for path in self.told.keys().chain(self.documents.paths()) {
            all.entry(path.clone()).or_default();
        }
        for (path, diagnostics) in all {
            let version = self.documents.get(&path).map(|d| d.version);
            let new = (version, diagnostics);
            if self.told.get(&path) == Some(&new) {
                continue;
            }
            if let Some(uri) = self.documents.uri(&path) {
                let params = PublishDiagnosticsParams { uri, diagnostics: new.1.clone(), version };
                self.send(notification(PublishDiagnostics::METHOD, params));
            }
            if version.is_none() && new.1.is_empty() {
                self.told.remove(&path);
            } else {
                self.told.insert(path, new);
            }
        }
    }
}
