//! The texts that are open in the editor.
//!
//! In: what the editor says of opening, changing and closing them. Out: texts by path, as the rest of the server reads them.

use super::position::{Encoding, Lines};
use super::uri;
use crate::source::canonical;
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open text.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// Its name, as the editor writes it.
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: Arc<str>,
}

/// All open texts, by canonical path.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: BTreeMap<PathBuf, Document>,
}

impl Documents {
    /// The path under which the text of a URI is known.
    pub(super) fn path(uri: &Uri) -> PathBuf {
        canonical(&uri::path(uri))
    }

    pub(super) fn open(&mut self, uri: Uri, version: i32, text: &str) -> PathBuf {
        let path = Self::path(&uri);
        self.open.insert(path.clone(), Document { uri, version, text: text.into() });
        path
    }

    /// Changes a text; `None` if it is not open.
    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Option<PathBuf> {
        let path = Self::path(uri);
        let document = self.open.get_mut(&path)?;
        let mut text = document.text.to_string();
        for change in changes {
            text = changed(text, &change, encoding);
        }
        document.text = text.into();
        document.version = version;
        Some(path)
    }

    pub(super) fn close(&mut self, uri: &Uri) -> PathBuf {
        let path = Self::path(uri);
        self.open.remove(&path);
        path
    }

    pub(super) fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    /// The URI of a file, open or not.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        self.get(path).map_or_else(|| uri::of(path), |d| Some(d.uri.clone()))
    }

    /// The paths of all.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.open.keys()
    }

    /// All texts, in the place of those on the disk.
    pub(super) fn texts(&self) -> BTreeMap<PathBuf, Arc<str>> {
        self.open.iter().map(|(path, d)| (path.clone(), Arc::clone(&d.text))).collect()
    }

    /// Whether a text is not what the disk has.
    pub(super) fn unsaved(&self, path: &Path) -> bool {
        self.get(path).is_some_and(|d| std::fs::read_to_string(path).ok().as_deref() != Some(&*d.text))
    }
}

/// A text after one change; one without a place is all of the new text.
fn changed(text: String, change: &TextDocumentContentChangeEvent, encoding: Encoding) -> String {
    let Some(range) = change.range else { return change.text.clone() };
    let lines = Lines::new(&text, encoding);
    let (lo, hi) = (lines.byte(range.start), lines.byte(range.end));
    let (before, after) = (text.get(..lo).unwrap_or(""), text.get(hi.max(lo)..).unwrap_or(""));
    [before, &change.text, after].concat()
}
