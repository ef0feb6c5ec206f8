//! Who starts workers, listens to them, and keeps what they say.
//!
//! In: a seed, numbers of inputs. Out: [`Seen`]: how many inputs of each kind came how far, what went wrong, each kind of failure once with the number
//! and the file of its first input. A worker that ends before its work is done, or is silent for long, fails at the input that it began last; another one goes on behind it.

use super::program::Used;
use super::worker::Task;
use super::{KINDS, folder, kind_of};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Inputs of one worker.
const BATCH: u64 = 1000;

/// A worker that is silent for so long is ended: where it waits for the program, and where the time is its own.
const SILENCE: Duration = Duration::from_secs(400);
const SILENCE_INSIDE: Duration = Duration::from_secs(15);

/// Failures of one kind that are looked at.
const LOOKED_AT: u64 = 3;

/// The slowest inputs that are told.
const SLOWEST: usize = 6;

/// A kind of failure.
pub(crate) struct Wrong {
    count: u64,
    first: u64,
    text: String,
}

/// What was seen.
#[derive(Default)]
pub(crate) struct Seen {
    came: BTreeMap<(usize, String), u64>,
    milliseconds: BTreeMap<usize, u64>,
    slowest: Vec<(u64, u64)>,
    pub(crate) wrong: BTreeMap<String, Wrong>,
}

/// What all threads share.
pub(crate) struct Parent {
    seed: u64,
    next: AtomicU64,
    behind: u64,
    end: Option<Instant>,
}

/// A failure's text without what differs between inputs.
fn kind_of_failure(number: u64, text: &str) -> String {
    let place = text.strip_prefix("panic at ").and_then(|t| t.split(": ").next());
    let short: String = text.chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
    format!("{}: {}", KINDS[kind_of(number)], place.map_or(short, |p| format!("panic at {p}")))
}

impl Seen {
    fn end(&mut self, number: u64, milliseconds: u64, came: &str) {
        let kind = kind_of(number);
        *self.came.entry((kind, came.to_owned())).or_default() += 1;
        *self.milliseconds.entry(kind).or_default() += milliseconds;
        self.slowest.push((milliseconds, number));
        self.slowest.sort_unstable_by(|a, b| b.cmp(a));
        self.slowest.truncate(SLOWEST);
    }

    /// Notes a failure; whether it should be looked at.
    fn wrong(&mut self, number: u64, text: &str) -> bool {
        *self.came.entry((kind_of(number), "wrong".to_owned())).or_default() += 1;
        let new = || Wrong { count: 0, first: number, text: text.to_owned() };
        let wrong = self.wrong.entry(kind_of_failure(number, text)).or_insert_with(new);
        wrong.count += 1;
        wrong.count <= LOOKED_AT
    }

    pub(crate) fn together(all: Vec<Seen>) -> Self {
        let mut out = Self::default();
        for seen in all {
            seen.came.into_iter().for_each(|(k, n)| *out.came.entry(k).or_default() += n);
            seen.milliseconds.into_iter().for_each(|(k, n)| *out.milliseconds.entry(k).or_default() += n);
            out.slowest.extend(seen.slowest);
            for (kind, wrong) in seen.wrong {
                let Wrong { count, first, text } = wrong;
                out.wrong.entry(kind).or_insert(Wrong { count: 0, first, text }).count += count;
            }
        }
        out.slowest.sort_unstable_by(|a, b| b.cmp(a));
        out.slowest.truncate(SLOWEST);
        out
    }

    pub(crate) fn total(&self) -> u64 {
        self.came.values().sum()
    }

    /// How many of a kind came so far as is wanted, and how many there are.
    fn share(&self, kind: usize, wanted: impl Fn(&str) -> bool) -> (u64, u64) {
        let of = || self.came.iter().filter(|((k, _), _)| *k == kind);
        (of().filter(|((_, came), _)| wanted(came)).map(|(_, n)| n).sum(), of().map(|(_, n)| n).sum())
    }

    pub(crate) fn show(&self) {
        for (kind, name) in KINDS.iter().enumerate() {
            let all: Vec<String> = self
                .came
                .iter()
                .filter(|((k, _), _)| *k == kind)
                .map(|((_, c), n)| format!("{n} {c}"))
                .collect();
            let ms = self.milliseconds.get(&kind).copied().unwrap_or(0);
            println!("{name} ({ms} ms): {}", all.join(", "));
        }
        let slowest: Vec<String> =
            self.slowest.iter().map(|(ms, n)| format!("{} {n} ({ms} ms)", KINDS[kind_of(*n)])).collect();
        println!("slowest: {}", slowest.join(", "));
        for (kind, Wrong { count, first, text }) in &self.wrong {
            println!("{count} times, first number {first}: {kind}\n  {text}");
        }
    }

    /// Asserts that enough inputs are accepted for all of this to mean something.
    pub(crate) fn is_fair(&self) {
        let accepted: [(usize, fn(&str) -> bool, u64); 5] = [
            (0, |came| came.contains("explored"), 8),
            (1, |came| ["holds", "violated"].contains(&came), 16),
            (2, |came| !came.contains("refused"), 6),
            (3, |came| !came.contains("refused"), 20),
            (4, |came| !came.contains("refused"), 10),
        ];
        for (kind, wanted, part) in accepted {
            let (some, all) = self.share(kind, wanted);
            assert!(all < 200 || some * part >= all, "of {all} {} only {some} are accepted", KINDS[kind]);
        }
    }
}

/// A worker that has been started.
struct Running {
    child: Child,
    lines: Receiver<String>,
    errors: std::path::PathBuf,
}

impl Parent {
    pub(crate) fn new(seed: u64, first: u64, count: u64, end: Option<Instant>) -> Self {
        Self { seed, next: AtomicU64::new(first), behind: first.saturating_add(count), end }
    }

    /// Has batches of inputs tried until there are no more.
    pub(crate) fn watch(&self) -> Seen {
        let mut seen = Seen::default();
        loop {
            let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= self.behind || self.is_time() {
                return seen;
            }
            let behind = self.behind.min(first.saturating_add(BATCH));
            let mut from = first;
            while from < behind && !self.is_time() {
                from = self.part(from, behind, &mut seen);
            }
        }
    }

    fn is_time(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// One worker's part; the number that another one has to go on from.
    fn part(&self, first: u64, behind: u64, seen: &mut Seen) -> u64 {
        let mut running = self.start(&Task { seed: self.seed, first, count: behind - first, looks: false });
        let mut at = first;
        loop {
            let line = match running.line(kind_of(at) < 2) {
                Ok(line) => line,
                Err(why) => {
                    let (text, wrong) = running.ended(why);
                    self.broken(at, &text, wrong, seen);
                    return at + 1;
                }
            };
            let (what, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let (n, text) = rest.split_once(' ').unwrap_or((rest, ""));
            match (what, n.parse()) {
                ("over", _) => {
                    let _ = running.child.wait();
                    return behind;
                }
                ("begin", Ok(n)) => at = n,
                ("end", Ok(n)) => self.end(n, text, seen),
                ("wrong", Ok(n)) => {
                    println!("wrong: seed {} number {n}: {text}", self.seed);
                    if seen.wrong(n, text) {
                        self.look(n);
                    }
                }
                _ => {}
            }
            if self.is_time() {
                let _ = running.child.kill();
                let _ = running.child.wait();
                return behind;
            }
        }
    }

    fn end(&self, number: u64, text: &str, seen: &mut Seen) {
        let (milliseconds, came) = text.split_once(' ').unwrap_or(("0", text));
        seen.end(number, milliseconds.parse().unwrap_or(0), came);
        if came.starts_with("slow")
            && let Some(wrong) = self.look(number)
        {
            seen.wrong(number, &wrong);
        }
    }

    /// An input whose worker has ended: the program says whether that is a failure.
    fn broken(&self, number: u64, text: &str, certain: bool, seen: &mut Seen) {
        println!("a worker's end: seed {} number {number}: {text}", self.seed);
        let program = self.look(number);
        match program {
            Some(wrong) => drop(seen.wrong(number, &format!("{text}; the program: {wrong}"))),
            None if certain => drop(seen.wrong(number, text)),
            None => seen.end(number, 0, "broken off, not by the program"),
        }
    }

    /// Writes an input and asks the program; what is wrong with what it does.
    fn look(&self, number: u64) -> Option<String> {
        let running = self.start(&Task { seed: self.seed, first: number, count: 1, looks: true });
        let mut wrong = None;
        while let Ok(line) = running.lines.recv_timeout(SILENCE * 6) {
            if line == "over" {
                break;
            }
            println!("  {line}");
            wrong = wrong.or(line.strip_prefix("program wrong ").map(str::to_owned));
        }
        let mut child = running.child;
        let _ = child.kill();
        let _ = child.wait();
        wrong
    }

    fn start(&self, task: &Task) -> Running {
        let errors = folder().join(format!("errors-{}", task.first));
        let mut command = Command::new(std::env::current_exe().expect("this test has a path"));
        command.args(["--exact", "worker", "--ignored", "--nocapture", "--test-threads=1"]);
        command.envs(task.environment()).env("BSYM_FUZZ_FOLDER", folder()).env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(File::create(&errors).expect("the folder is writable"));
        let mut child = command.spawn().expect("a worker starts");
        let out = child.stdout.take().expect("it has standard output");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if let Some((_, line)) = line.split_once("fuzz ")
                    && sender.send(line.to_owned()).is_err()
                {
                    return;
                }
            }
        });
        Running { child, lines, errors }
    }
}

impl Running {
    /// The next line, unless it does not come for too long; for want of a processor it may come later.
    fn line(&self, inside: bool) -> Result<String, RecvTimeoutError> {
        if !inside {
            return self.lines.recv_timeout(SILENCE);
        }
        let processor = || Used::of(self.child.id()).map(|u| u.processor);
        let (begin, before) = (Instant::now(), processor());
        loop {
            let line = self.lines.recv_timeout(SILENCE_INSIDE / 8);
            let used =
                processor().zip(before).map_or(begin.elapsed(), |(now, before)| now.saturating_sub(before));
            if line != Err(RecvTimeoutError::Timeout) || used > SILENCE_INSIDE || begin.elapsed() > SILENCE {
                return line;
            }
        }
    }

    /// How a worker ended that says no more, and whether that is a failure whatever the program does.
    fn ended(&mut self, why: RecvTimeoutError) -> (String, bool) {
        if why == RecvTimeoutError::Timeout {
            let _ = self.child.kill();
            let _ = self.child.wait();
            return ("it does not end".to_owned(), false);
        }
        let status = self.child.wait();
        let told = std::fs::read_to_string(&self.errors).unwrap_or_default();
        let mut lines = told.lines().filter(|l| !l.trim().is_empty() && !l.starts_with("note: "));
        let last = lines.next_back().unwrap_or_default().to_owned();
        let signal = status.ok().and_then(|s| s.signal()).unwrap_or(0);
        let overflow = told.contains("overflowed its stack");
        let text = if overflow { "stack overflow".to_owned() } else { format!("signal {signal}: {last}") };
        // Memory is refused to the program, too, which then says so and ends.
        (text, overflow || !told.contains("memory allocation of"))
    }
}
