//! Checks in processes of their own: each with its own time and memory, none able to take the caller with it.
//!
//! In: the arguments of a `bsym check`. Out: its JSON report. What the child says on standard error is dropped.

use serde_json::{Value as Json, json};
use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// `stopped_by` of a child that left no report.
pub(super) const DIED: &str = "died";
/// `stopped_by` of a child that went on after its limit of time and was killed.
pub(super) const OUTLIVED: &str = "outlived its timeout";

/// A check to be run.
pub(super) struct Check {
    arguments: Vec<OsString>,
    timeout: Duration,
}

impl Check {
    /// A check of `file` that goes on after violations.
    pub(super) fn new(file: &OsStr, timeout: Duration) -> Self {
        let mut check = Self { arguments: vec!["check".into(), file.into()], timeout };
        check.option("--timeout", &format!("{}s", timeout.as_secs_f64()));
        check.arguments.extend(["--keep-going", "--quiet", "--format=json"].map(OsString::from));
        check
    }

    /// Adds an option with its value.
    pub(super) fn option(&mut self, name: &str, value: &str) {
        // One word: a value may begin with a minus sign.
        self.arguments.push(format!("{name}={value}").into());
    }

    /// Adds an option with a path for its value.
    pub(super) fn path(&mut self, name: &str, value: &Path) {
        let mut word = OsString::from(format!("{name}="));
        word.push(value);
        self.arguments.push(word);
    }

    /// Adds an option with its value, if there is one.
    pub(super) fn optional(&mut self, name: &str, value: Option<impl ToString>) {
        if let Some(v) = value {
            self.option(name, &v.to_string());
        }
    }

    /// Adds an option without a value.
    pub(super) fn flag(&mut self, name: &str) {
        self.arguments.push(name.into());
    }

    /// The report. A child that dies has `stopped_by` [`DIED`], one that does not stop [`OUTLIVED`].
    ///
    /// # Errors
    /// No child can be started.
    pub(super) fn run(&self) -> Result<Json, String> {
        let failed = |e| format!("bsym cannot be started again: {e}");
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let pipe = child.stdout.take();
        // Read beside the child, which would wait for ever to write more than a pipe holds.
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            pipe.map(|mut p| p.read_to_end(&mut text)).is_some_and(|r| r.is_ok()).then_some(text)
        });
        let ended = wait(&mut child, self.timeout.mul_f64(1.5) + Duration::from_secs(10));
        let text = reader.join().ok().flatten().unwrap_or_default();
        let without = |why: &str| json!({"complete": false, "stopped_by": why});
        Ok(match serde_json::from_slice(&text) {
            _ if !ended => without(OUTLIVED),
            Ok(report) => report,
            Err(_) => without(DIED),
        })
    }
}

/// Waits for the end of a child and kills it when it does not come; whether it came.
fn wait(child: &mut Child, longest: Duration) -> bool {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(None) if start.elapsed() < longest => std::thread::sleep(pause),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
            Ok(Some(_)) | Err(_) => return true,
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
