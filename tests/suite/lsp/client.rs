//! An editor without a person: it says what a test tells it to, and hears what the server answers.

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value as Json, json};
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Nobody waits longer for a server that says nothing.
const LONGEST: Duration = Duration::from_mins(2);

/// A session with `bsym lsp`.
pub(super) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    heard: Receiver<Message>,
    kept: Vec<Message>,
    next: i32,
    pub(super) capabilities: Json,
    pub(super) folder: PathBuf,
}

impl Client {
    /// Starts a server for a folder of its own, with files in it.
    pub(super) fn new(name: &str, files: &[(&str, &str)]) -> Self {
        Self::with(name, files, json!({}), json!({}))
    }

    /// The same with arguments of `bsym lsp`.
    pub(super) fn called(name: &str, files: &[(&str, &str)], args: &[&str]) -> Self {
        Self::start(name, files, args, json!({}), json!({}))
    }

    /// The same for an editor that can do something, with options.
    pub(super) fn with(name: &str, files: &[(&str, &str)], can: Json, options: Json) -> Self {
        Self::start(name, files, &[], can, options)
    }

    fn start(name: &str, files: &[(&str, &str)], args: &[&str], can: Json, options: Json) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lsp").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("folder");
        let folder = folder.canonicalize().expect("folder");
        for (file, text) in files {
            std::fs::write(folder.join(file), text).expect("written");
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_bsym"))
            .args(["lsp", "--stdio"])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("bsym starts");
        let (send, heard) = channel();
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut out) {
                let _ = send.send(message);
            }
        });
        let stdin = child.stdin.take();
        let capabilities = Json::Null;
        let mut client = Self { child, stdin, heard, kept: Vec::new(), next: 0, capabilities, folder };
        let root = client.uri("");
        let start = json!({"processId": null, "rootUri": root, "capabilities": can, "initializationOptions": options});
        client.capabilities = client.ask("initialize", start).expect("an answer")["capabilities"].clone();
        client.tell("initialized", json!({}));
        client
    }

    /// The URI of a file.
    pub(super) fn uri(&self, file: &str) -> String {
        format!("file://{}", self.folder.join(file).display()).trim_end_matches('/').to_owned()
    }

    /// The text of a file on the disk.
    pub(super) fn disk(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.join(file)).expect("a file")
    }

    fn send(&mut self, message: Message) {
        let stdin = self.stdin.as_mut().expect("the server listens");
        message.write(stdin).expect("the server listens");
    }

    /// Sends bytes as they are.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the server listens");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server listens");
    }

    /// Sends a notification.
    pub(super) fn tell(&mut self, method: &str, params: Json) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    /// Sends a request without waiting for the answer.
    pub(super) fn begin(&mut self, method: &str, params: Json) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id: id.clone(), method: method.to_owned(), params }.into());
        id
    }

    /// The answer to a request; an error by its message.
    pub(super) fn answer(&mut self, id: &RequestId) -> Result<Json, String> {
        let message = self.hear(|m| matches!(m, Message::Response(r) if r.id == *id));
        match message {
            Message::Response(Response { response_result, .. }) => response_result.map_err(|e| e.message),
            other => panic!("{other:?}"),
        }
    }

    /// Sends a request; its answer.
    pub(super) fn ask(&mut self, method: &str, params: Json) -> Result<Json, String> {
        let id = self.begin(method, params);
        self.answer(&id)
    }

    /// The first message that is wanted; others are kept.
    fn hear(&mut self, wanted: impl Fn(&Message) -> bool) -> Message {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.heard.recv_timeout(LONGEST).expect("the server says something");
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// The parameters of the next notification of a kind.
    pub(super) fn told(&mut self, method: &str) -> Json {
        match self.hear(|m| matches!(m, Message::Notification(n) if n.method == method)) {
            Message::Notification(n) => n.params,
            other => panic!("{other:?}"),
        }
    }

    /// Opens a file with the text of the disk.
    pub(super) fn open(&mut self, file: &str) {
        let text = self.disk(file);
        let document = json!({"uri": self.uri(file), "languageId": "b", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Replaces the text of an open file.
    pub(super) fn set(&mut self, file: &str, version: i32, text: &str) {
        let document = json!({"uri": self.uri(file), "version": version});
        let changes = json!([{"text": text}]);
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// What is wrong with a file, as `code line:column`, when that is told next.
    pub(super) fn wrong(&mut self, file: &str) -> Vec<String> {
        let uri = self.uri(file);
        let about = |m: &Message| matches!(m, Message::Notification(n) if n.method == "textDocument/publishDiagnostics" && n.params["uri"] == *uri);
        let Message::Notification(told) = self.hear(about) else { panic!("no notification") };
        let all = told.params["diagnostics"].as_array().expect("a list").clone();
        let one = |d: &Json| {
            let start = &d["range"]["start"];
            format!("{} {}:{}", d["code"].as_str().unwrap_or("?"), start["line"], start["character"])
        };
        all.iter().map(one).collect()
    }

    /// A place in a file: at the `n`th time (from 0) that some text stands in it.
    pub(super) fn at(&self, file: &str, text: &str, n: usize) -> Json {
        let whole = self.disk(file);
        let (byte, _) = whole.match_indices(text).nth(n).expect("the text is there");
        let before = &whole[..byte];
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count();
        json!({"textDocument": {"uri": self.uri(file)}, "position": {"line": line, "character": column}})
    }

    /// Asks about a place.
    pub(super) fn ask_at(&mut self, method: &str, place: Json, more: Json) -> Result<Json, String> {
        let mut params = place;
        let more = more.as_object().cloned().unwrap_or_default();
        params.as_object_mut().expect("a place").extend(more);
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// Places as `file line:column-column`.
    pub(super) fn places(&self, found: &Json) -> Vec<String> {
        let folder = self.uri("");
        let one = |l: &Json| {
            let file = l["uri"].as_str().unwrap_or("").trim_start_matches(&folder).trim_start_matches('/');
            let (start, end) = (&l["range"]["start"], &l["range"]["end"]);
            format!("{file} {}:{}-{}", start["line"], start["character"], end["character"])
        };
        found.as_array().into_iter().flatten().map(one).collect()
    }

    /// Makes edits on the disk.
    pub(super) fn apply(&self, edit: &Json) {
        for (uri, edits) in edit["changes"].as_object().expect("changes") {
            let path = Path::new(uri.trim_start_matches("file://"));
            let text = std::fs::read_to_string(path).expect("a file");
            let mut lines: Vec<Vec<u16>> = text.split('\n').map(|l| l.encode_utf16().collect()).collect();
            for e in edits.as_array().expect("edits").iter().rev() {
                let number = |at: &str| {
                    e.pointer(at)
                        .and_then(Json::as_u64)
                        .and_then(|n| usize::try_from(n).ok())
                        .expect("a number")
                };
                let new = e["newText"].as_str().expect("a text").encode_utf16();
                let (lo, hi) = (number("/range/start/character"), number("/range/end/character"));
                lines[number("/range/start/line")].splice(lo..hi, new);
            }
            let lines: Vec<String> = lines.iter().map(|l| String::from_utf16_lossy(l)).collect();
            std::fs::write(path, lines.join("\n")).expect("written");
        }
    }

    /// Leaves as one should; the exit code.
    pub(super) fn leave(mut self) -> Option<i32> {
        self.ask("shutdown", Json::Null).expect("an answer");
        self.tell("exit", Json::Null);
        self.child.wait().expect("it ends").code()
    }

    /// Goes away; the exit code, and what was said on standard error.
    pub(super) fn vanish(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        let out = self.child.wait_with_output().expect("it ends");
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    }
}
