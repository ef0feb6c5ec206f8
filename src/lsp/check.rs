//! Checks that the editor asks for: each is a process of its own, which can be ended.
//!
//! In: a file. Out: the line with the verdict as a message, the report in the log, and the answer to the request when the check
//! is over. The server answers other requests meanwhile.

use super::client::Client;
use super::session::{Speak, asked, notification};
use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::notification::{LogMessage, Notification as _, Progress, ShowMessage};
use lsp_types::request::{CodeLensRefresh, Request as _, WorkDoneProgressCreate};
use lsp_types::{LogMessageParams, MessageType, NumberOrString, ShowMessageParams};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Checks a file.
pub(super) const CHECK: &str = "bsym.check";
/// Ends the check of a file.
pub(super) const CANCEL: &str = "bsym.cancel";

/// Most time of a check whose arguments do not say it: what outlives the editor ends some time.
const LONGEST: &str = "--timeout=10min";

/// How often one looks whether a check has ended or is to end.
const PAUSE: Duration = Duration::from_millis(20);

/// A check that runs.
struct Running {
    path: PathBuf,
    token: String,
    ended: Arc<AtomicBool>,
}

type All = Arc<Mutex<BTreeMap<RequestId, Running>>>;

/// The checks that run.
pub(super) struct Checks {
    running: All,
    threads: Vec<JoinHandle<()>>,
    speak: Speak,
    progress: bool,
    lenses: bool,
    started: u32,
}

impl Checks {
    pub(super) fn new(speak: Speak, client: &Client) -> Self {
        let (progress, lenses) = (client.progress, client.lenses);
        Self { running: All::default(), threads: Vec::new(), speak, progress, lenses, started: 0 }
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<RequestId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a file is being checked.
    pub(super) fn runs(&self, path: &Path) -> bool {
        self.running().values().any(|r| r.path == path)
    }

    /// Starts the check of a file; the request is answered when it is over.
    ///
    /// # Errors
    /// It is being checked, or no process can be started.
    pub(super) fn start(
        &mut self,
        id: RequestId,
        path: &Path,
        client: &Client,
        unsaved: bool,
    ) -> Result<(), String> {
        if self.runs(path) {
            return Err(format!("`{}` is being checked already", path.display()));
        }
        let failed = |e: std::io::Error| format!("bsym cannot be started again: {e}");
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command.arg("check").arg(path).args(["--quiet", "--format=text"]);
        command.args(client.folders.iter().map(|f| format!("--include={}", f.display())));
        command.args(&client.arguments);
        if !client.check.iter().any(|a| a.starts_with("--timeout")) {
            command.arg(LONGEST);
        }
        command.args(&client.check);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(failed)?;
        self.started += 1;
        let token = format!("bsym-check-{}", self.started);
        let ended = Arc::new(AtomicBool::new(false));
        let running = Running { path: path.to_owned(), token: token.clone(), ended: Arc::clone(&ended) };
        self.running().insert(id.clone(), running);
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let watch = Watch {
            id,
            name,
            token,
            ended,
            unsaved,
            all: Arc::clone(&self.running),
            speak: Arc::clone(&self.speak),
            progress: self.progress,
            lenses: self.lenses,
        };
        watch.begin();
        self.threads.push(std::thread::spawn(move || watch.run(child)));
        Ok(())
    }

    fn end_those(&self, wanted: impl Fn(&RequestId, &Running) -> bool) -> bool {
        let running = self.running();
        let found: Vec<&Running> = running.iter().filter(|(id, r)| wanted(id, r)).map(|(_, r)| r).collect();
        found.iter().for_each(|r| r.ended.store(true, Ordering::SeqCst));
        !found.is_empty()
    }

    /// Ends the check that a request has started.
    pub(super) fn cancel(&self, id: &RequestId) {
        self.end_those(|i, _| i == id);
    }

    /// Ends the check of a file; whether there was one.
    pub(super) fn cancel_path(&self, path: &Path) -> bool {
        self.end_those(|_, r| r.path == path)
    }

    /// Ends the check whose progress the editor shows.
    pub(super) fn cancel_progress(&self, token: &NumberOrString) {
        self.end_those(|_, r| *token == NumberOrString::String(r.token.clone()));
    }

    /// Ends all.
    pub(super) fn end(&mut self) {
        self.end_those(|_, _| true);
        for thread in self.threads.drain(..) {
            // One that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

/// What waits for a check.
struct Watch {
    id: RequestId,
    name: String,
    token: String,
    ended: Arc<AtomicBool>,
    unsaved: bool,
    all: All,
    speak: Speak,
    progress: bool,
    lenses: bool,
}

impl Watch {
    fn begin(&self) {
        if self.progress {
            let create = WorkDoneProgressCreate::METHOD;
            (self.speak)(asked(&self.token, create, json!({"token": self.token})));
            let title = format!("checking {}", self.name);
            self.told(json!({"kind": "begin", "title": title, "cancellable": true}));
        }
        self.refresh("begins");
    }

    fn told(&self, value: serde_json::Value) {
        (self.speak)(notification(Progress::METHOD, json!({"token": self.token, "value": value})));
    }

    fn refresh(&self, when: &str) {
        if self.lenses {
            let id = format!("{}-{when}", self.token);
            (self.speak)(asked(&id, CodeLensRefresh::METHOD, serde_json::Value::Null));
        }
    }

    fn run(self, mut child: std::process::Child) {
        let (out, said) = (aside(child.stdout.take()), aside(child.stderr.take()));
        let status = loop {
            match child.try_wait() {
                Ok(None) if !self.ended.load(Ordering::SeqCst) => std::thread::sleep(PAUSE),
                Ok(None) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break None;
                }
                Ok(Some(status)) => break Some(status),
                Err(_) => break None,
            }
        };
        let text = |reader: JoinHandle<Vec<u8>>| {
            String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
        };
        let (out, said) = (text(out), text(said));
        self.all.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
        if self.progress {
            self.told(json!({"kind": "end"}));
        }
        self.refresh("ends");
        self.tell(status, &out, &said);
    }

    fn tell(&self, status: Option<ExitStatus>, out: &str, said: &str) {
        let Some(status) = status else {
            let text = format!("the check of {} was cancelled", self.name);
            (self.speak)(Response::new_err(self.id.clone(), ErrorCode::RequestCanceled as i32, text).into());
            return;
        };
        let code = status.code();
        let typ = match code {
            Some(0) => MessageType::INFO,
            Some(3 | 5) => MessageType::WARNING,
            _ => MessageType::ERROR,
        };
        let mut message = verdict(out, said, &self.name);
        if self.unsaved {
            message.push_str(" (of the files as they are saved: there are changes that are not)");
        }
        let log = LogMessageParams { typ, message: [out, said].concat() };
        (self.speak)(notification(LogMessage::METHOD, log));
        let shown = ShowMessageParams { typ, message: message.clone() };
        (self.speak)(notification(ShowMessage::METHOD, shown));
        let answer = json!({"verdict": message, "exit": code, "report": out});
        (self.speak)(Response::new_ok(self.id.clone(), answer).into());
    }
}

/// The line of a report that says how it went; else what was said instead of one.
fn verdict(out: &str, said: &str, name: &str) -> String {
    let error = said.lines().find(|l| l.starts_with("error"));
    let first = out.lines().next().or(error).or_else(|| said.lines().next());
    first.map_or_else(|| format!("the check of {name} ended without a report"), str::to_owned)
}

/// Reads beside the process, which would wait for ever to write more than a pipe holds.
fn aside(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = pipe.map(|mut p| p.read_to_end(&mut text));
        text
    })
}
