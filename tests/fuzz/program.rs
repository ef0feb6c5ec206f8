//! The program itself, run within limits.
//!
//! In: arguments, a folder, how long it may take. Out: how it ended, and what is wrong with that: a signal, a code that is not documented, a panic that is told, more time or
//! memory than it may have. Children have the address space of this process. What they print is not looked at otherwise.

use super::{MEMORY_CAP, scratch};
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Who is told a limit may need so much more time: the promise is a second.
const PROMISED: Duration = Duration::from_secs(1);

/// What has no limit of its own may take so long.
const UNLIMITED: Duration = Duration::from_secs(20);

/// What goes on that much longer is ended.
const ENOUGH: Duration = Duration::from_secs(10);

/// A machine with other work is slow: who is late may try again.
const ATTEMPTS: usize = 3;

/// Between two looks at the child.
const PERIOD: Duration = Duration::from_millis(2);

/// Bytes of what is told that are kept.
const TOLD: usize = 2000;

/// The codes that are documented, but for 101.
const CODES: [i32; 6] = [0, 1, 2, 3, 4, 5];

/// A call of the program.
pub(crate) struct Call {
    pub(crate) arguments: Vec<OsString>,
    pub(crate) folder: PathBuf,
    /// The limit that the arguments say.
    pub(crate) limit: Option<Duration>,
}

/// How a call ended.
struct Ended {
    status: Option<ExitStatus>,
    took: Duration,
    peak: u64,
    told: String,
}

impl Call {
    /// The exit code, or what is wrong.
    pub(crate) fn judged(&self) -> Result<i32, String> {
        let most = self.limit.map_or(UNLIMITED, |limit| limit + PROMISED);
        let mut ended = self.once(most)?;
        for _ in 1..ATTEMPTS {
            if ended.took <= most {
                break;
            }
            ended = self.once(most)?;
        }
        ended.judged(most)
    }

    fn once(&self, most: Duration) -> Result<Ended, String> {
        let (out, errors) = (scratch().join("stdout"), scratch().join("stderr"));
        let file = |path: &Path| File::create(path).map_err(|e| format!("no file: {e}"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
        command.args(&self.arguments).current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(file(&out)?).stderr(file(&errors)?);
        let begin = Instant::now();
        let mut child = match command.spawn() {
            Ok(child) => child,
            // An argument with a NUL byte is none that a system passes on.
            Err(e) if e.kind() == std::io::ErrorKind::InvalidInput => return Ok(Ended::refused()),
            Err(e) => return Err(format!("not started: {e}")),
        };
        let (status, peak) = watched(&mut child, begin, most + ENOUGH);
        let took = begin.elapsed();
        let told = std::fs::read(&errors).unwrap_or_default();
        let told = told.get(told.len().saturating_sub(TOLD)..).unwrap_or_default();
        Ok(Ended { status, took, peak, told: String::from_utf8_lossy(told).into_owned() })
    }
}

/// Waits for the end of a child; `None` if it had to be ended. The most memory that it had.
fn watched(child: &mut Child, begin: Instant, most: Duration) -> (Option<ExitStatus>, u64) {
    let about = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return (Some(status), peak);
        }
        peak = resident(&about).unwrap_or(0).max(peak);
        if begin.elapsed() > most {
            let _ = child.kill();
            let _ = child.wait();
            return (None, peak);
        }
        std::thread::sleep(PERIOD);
    }
}

fn resident(about: &str) -> Option<u64> {
    let text = std::fs::read_to_string(about).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

impl Ended {
    fn refused() -> Self {
        Self {
            status: Some(ExitStatus::from_raw(2 << 8)),
            took: Duration::ZERO,
            peak: 0,
            told: String::new(),
        }
    }

    fn judged(self, most: Duration) -> Result<i32, String> {
        let Self { status, took, peak, told } = self;
        let Some(status) = status else { return Err(format!("does not end: {took:?} of {most:?}")) };
        if told.contains("panicked at") || status.code() == Some(101) {
            let first = told.lines().skip_while(|l| !l.contains("panicked at")).take(2).collect::<Vec<_>>();
            return Err(format!("panic: {}", first.join(" ")));
        }
        if let Some(signal) = status.signal() {
            return Err(format!("signal {signal}: {}", told.trim()));
        }
        let code = status.code().unwrap_or(-1);
        if !CODES.contains(&code) {
            return Err(format!("exit code {code}: {}", told.trim()));
        }
        if took > most {
            return Err(format!("late: {took:?} of {most:?}, exit code {code}"));
        }
        if peak > MEMORY_CAP * 2 {
            return Err(format!("{} MiB in use, exit code {code}", peak >> 20));
        }
        Ok(code)
    }
}

/// A word for an exit code.
pub(crate) fn word(code: i32) -> &'static str {
    match code {
        0 => "code 0",
        1 => "code 1",
        2 => "code 2 (refused)",
        3 => "code 3",
        4 => "code 4",
        _ => "code 5",
    }
}
