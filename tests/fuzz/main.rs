//! Changed inputs of every kind: whatever they are, bsym ends as is documented. See `tests/README.md`.
//!
//! `BSYM_SEED` is the seed (a fresh one otherwise, which is printed), `BSYM_FUZZ` how many inputs are tried, `BSYM_SECONDS` for how long (instead of a number),
//! `BSYM_FIRST` the number of the first one, `BSYM_THREADS` on how many processes at the same time, `BSYM_KIND` is a kind that all of them
//! are of; `BSYM_SHRINK` makes failing ones smaller. An input is a function of the seed, its number and the files under `machines/`. Inputs are tried by other processes
//! of this test (`worker`), so that one that ends its process fails alone.

#![cfg(target_os = "linux")]
#![allow(clippy::panic, reason = "a failing test says why by panicking")]

mod bytes;
mod checkpoints;
mod commands;
mod explore;
mod formulas;
mod json;
mod large;
mod machines;
mod mutate;
mod parent;
mod program;
#[path = "../random/mod.rs"]
mod random;
mod shrink;
mod traces;
mod words;
mod worker;

use parent::{Parent, Seen};
use random::Random;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The inputs, if nothing else is said.
const COUNT: u64 = 3000;

/// The kinds of inputs.
const KINDS: [&str; 5] = ["machines", "formulas", "traces", "checkpoints", "commands"];

/// What the program is told as its limits.
const LIMIT_OF_PROGRAM: Duration = Duration::from_secs(1);
const MEMORY_CAP: u64 = 512 << 20;

/// Address space of workers and of what they start.
const ADDRESS_SPACE: u64 = 6 << 30;

/// An input.
struct Input {
    /// What it is made of, by its number among what the kind begins with.
    of: usize,
    text: Vec<u8>,
    /// Says how it is run.
    choice: u64,
}

/// What came of an input.
struct Tried {
    came: &'static str,
    wrong: Option<String>,
}

impl Tried {
    fn came(came: &'static str) -> Self {
        Self { came, wrong: None }
    }

    fn wrong(wrong: String) -> Self {
        Self { came: "wrong", wrong: Some(wrong) }
    }
}

/// A kind of inputs.
trait Subject {
    /// The input of some numbers.
    fn make(&mut self, r: &mut Random) -> Input;
    /// The file that an input stands for.
    fn file(&self, input: &Input) -> PathBuf;
    /// Runs it.
    fn run(&mut self, input: &Input) -> Tried;
    /// The machine that it is about, if it is none itself.
    fn about(&self, _: &Input) -> Option<PathBuf> {
        None
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of this run, which workers are told.
fn folder() -> PathBuf {
    let own = || PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", std::process::id()));
    std::env::var_os("BSYM_FUZZ_FOLDER").map_or_else(own, PathBuf::from)
}

/// What inputs are made of that the program has to write first.
fn seeds() -> PathBuf {
    folder().join("seeds")
}

/// Where a worker may write.
fn scratch() -> PathBuf {
    folder().join(format!("worker-{}", std::process::id()))
}

/// Where failing inputs are kept.
fn found() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz-found")
}

/// The limits of a call.
fn limits(memory: bool) -> Vec<OsString> {
    let more: &[&str] = if memory { &["--max-memory", "512MiB"] } else { &[] };
    ["--timeout", "1s"].iter().chain(more).map(OsString::from).collect()
}

/// The kind of an input: those that start the program are dear.
fn kind_of(number: u64) -> usize {
    let only = std::env::var("BSYM_KIND").ok().and_then(|k| KINDS.iter().position(|kind| *kind == k));
    only.unwrap_or(match number % 200 {
        50 => 2,
        100 => 3,
        150 | 190 => 4,
        n if n % 8 == 3 => 1,
        _ => 0,
    })
}

/// Does the work of another process; see `worker`.
#[test]
#[ignore = "started by the other test"]
fn worker() {
    if let Some(task) = worker::Task::given() {
        worker::work(task);
    }
}

#[test]
#[ignore = "a search for faults, not a test of what is known: run it by name"]
fn whatever_the_input_it_ends_as_documented() {
    let fresh = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| d.as_secs());
    let seed = number("BSYM_SEED").unwrap_or_else(fresh);
    println!("seed {seed}");
    std::fs::create_dir_all(seeds()).expect("the target folder is writable");
    traces::prepare();
    checkpoints::prepare();
    commands::prepare();
    let begin = Instant::now();
    let seconds = number("BSYM_SECONDS");
    let count = number("BSYM_FUZZ").unwrap_or(if seconds.is_some() { u64::MAX } else { COUNT });
    let end = seconds.map(|s| begin + Duration::from_secs(s));
    let parent = Parent::new(seed, number("BSYM_FIRST").unwrap_or(0), count, end);
    let all: Vec<Seen> = std::thread::scope(|scope| {
        let one = |_| scope.spawn(|| parent.watch());
        let all: Vec<_> = (0..number("BSYM_THREADS").unwrap_or(1)).map(one).collect();
        all.into_iter().map(|t| t.join().expect("no thread dies")).collect()
    });
    let _ = std::fs::remove_dir_all(folder());
    let seen = Seen::together(all);
    println!("{} inputs in {:?}", seen.total(), begin.elapsed());
    seen.show();
    assert!(seen.wrong.is_empty(), "seed {seed}: {} kinds of failures, see above", seen.wrong.len());
    seen.is_fair();
}
