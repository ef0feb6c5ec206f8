//! The program itself, run within limits.
//!
//! In: arguments, a folder, how long it may take. Out: how it ended, and what is wrong with that: a signal, a code that is not documented, a panic that is told, more time or
//! memory than it may have. Children have the address space of this process. What they print is not looked at otherwise.

use super::{MEMORY_CAP, scratch};
use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
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

/// What waits for a processor may take so many times as long.
const LONGEST: u32 = 4;

/// Bytes of what is told that are shown.
const TOLD: usize = 2000;

/// In the place of a code: the call was given up, since it had hardly any processor.
const WAITED: i32 = -1;

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
    used: Used,
    told: String,
}

/// What a process has used.
#[derive(Clone, Copy, Default)]
pub(crate) struct Used {
    pub(crate) processor: Duration,
    memory: u64,
}

/// Hundredths of a second: what the system counts in.
const TICK: Duration = Duration::from_millis(10);

impl Used {
    /// As far as the system tells.
    pub(crate) fn of(process: u32) -> Option<Self> {
        let about = |what: &str| std::fs::read_to_string(format!("/proc/{process}/{what}")).ok();
        let (stat, status) = (about("stat")?, about("status")?);
        // Behind the name, which may have blanks in it.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut ticks = || fields.next()?.parse::<u32>().ok();
        let processor = TICK * ticks()?.saturating_add(ticks()?);
        let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
        let memory = line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)?;
        Some(Self { processor, memory })
    }

    /// Whether it took so long, and not only for want of a processor.
    pub(crate) fn over(self, took: Duration, most: Duration) -> bool {
        took > most && self.processor > most.min(took / STARVED)
    }
}

/// Who has less than such a part of a processor waits for one.
const STARVED: u32 = 2;

impl Call {
    /// The exit code, or what is wrong.
    pub(crate) fn judged(&self) -> Result<i32, String> {
        let most = self.limit.map_or(UNLIMITED, |limit| limit + PROMISED);
        let mut ended = self.once(most)?;
        for _ in 1..ATTEMPTS {
            if !ended.late(most) {
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
        command.args(&self.arguments).current_dir(&self.folder).env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::null()).stdout(file(&out)?).stderr(file(&errors)?);
        let begin = Instant::now();
        let mut child = match command.spawn() {
            Ok(child) => child,
            // Arguments that are too long or have NUL bytes are none that a system passes on.
            Err(e) if [ErrorKind::InvalidInput, ErrorKind::ArgumentListTooLong].contains(&e.kind()) => {
                return Ok(Ended::refused());
            }
            Err(e) => return Err(format!("not started: {e}")),
        };
        let (status, used) = watched(&mut child, begin, most + ENOUGH);
        let took = begin.elapsed();
        let told = std::fs::read(&errors).unwrap_or_default();
        Ok(Ended { status, took, used, told: String::from_utf8_lossy(&told).into_owned() })
    }
}

/// Waits for the end of a child; `None` if it had to be ended. What it has used.
fn watched(child: &mut Child, begin: Instant, most: Duration) -> (Option<ExitStatus>, Used) {
    let mut used = Used::default();
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return (Some(status), used);
        }
        used = Used::of(child.id()).unwrap_or(used);
        if used.over(begin.elapsed(), most) || begin.elapsed() > most * LONGEST {
            let _ = child.kill();
            let _ = child.wait();
            return (None, used);
        }
        std::thread::sleep(PERIOD);
    }
}

impl Ended {
    fn refused() -> Self {
        Self {
            status: Some(ExitStatus::from_raw(2 << 8)),
            took: Duration::ZERO,
            used: Used::default(),
            told: String::new(),
        }
    }

    fn late(&self, most: Duration) -> bool {
        self.used.over(self.took, most)
    }

    fn judged(self, most: Duration) -> Result<i32, String> {
        let late = self.late(most);
        let Self { status, took, used: Used { processor, memory }, told } = self;
        let Some(status) = status else {
            if !late {
                return Ok(WAITED);
            }
            return Err(format!("does not end: {took:?} of {most:?}, {processor:?} of a processor"));
        };
        if told.contains("panicked at") || status.code() == Some(101) {
            let first = told.lines().skip_while(|l| !l.contains("panicked at")).take(2).collect::<Vec<_>>();
            return Err(format!("panic: {}", first.join(" ")));
        }
        if let Some(signal) = status.signal() {
            return Err(format!("signal {signal}: {}", tail(&told)));
        }
        let code = status.code().unwrap_or(-1);
        if !CODES.contains(&code) {
            return Err(format!("exit code {code}: {}", tail(&told)));
        }
        if late {
            return Err(format!(
                "late: {took:?} of {most:?}, {processor:?} of a processor, exit code {code}"
            ));
        }
        if memory > MEMORY_CAP * 2 {
            return Err(format!("{} MiB in use, exit code {code}", memory >> 20));
        }
        Ok(code)
    }
}

/// The end of what was told.
fn tail(told: &str) -> &str {
    let told = told.trim();
    let from = (told.len().saturating_sub(TOLD)..told.len()).find(|at| told.is_char_boundary(*at));
    told.get(from.unwrap_or(0)..).unwrap_or_default()
}

/// A word for an exit code.
pub(crate) fn word(code: i32) -> &'static str {
    match code {
        0 => "code 0",
        1 => "code 1",
        2 => "code 2 (refused)",
        3 => "code 3",
        4 => "code 4",
        WAITED => "given up for want of a processor",
        _ => "code 5",
    }
}
