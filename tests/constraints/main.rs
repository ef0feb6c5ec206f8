//! The solver against brute force on random constraints that repeat themselves. See `tests/README.md`.
//!
//! `BSYM_SEED` is the seed, `BSYM_CONSTRAINTS` how many formulas are tried, `BSYM_SECONDS` for how long (instead of a number),
//! `BSYM_THREADS` on how many threads, `BSYM_FIRST` the first number; `BSYM_SHOW` shows each formula before it is tried, `BSYM_MACHINES` is a
//! folder into which machines are written that pose formulas with some solutions, for `bsym agree`. A formula is a function of the
//! seed and its number. What differs is made as small as possible and shown.

#![allow(clippy::panic, reason = "a failing test says why by panicking")]

mod draw;
mod force;
mod kinds;
#[path = "../random/mod.rs"]
mod random;
mod terms;
mod tree;
mod ways;
mod write;

use bsym::ops::Interrupt;
use random::Random;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use ways::{Base, Difference, Outcome};
use write::Problem;

/// The seed of plain `cargo test`.
const SEED: u64 = 1;

/// The formulas of plain `cargo test`.
const COUNT: u64 = 2000;

/// Every so often a formula is posed as a machine as well: loading one takes as long as some formulas.
const DEAR: u64 = 8;

/// Most attempts to make a failing formula smaller.
const SHRINKS: usize = 4000;

/// A formula that takes longer is broken off, and counted.
const LONGEST: Duration = Duration::from_millis(200);

/// Most solutions of a formula that is written as a machine: it has as many valuations, and as many states in each.
const POSED: usize = 20;

/// Differences after which nothing more is tried.
const ENOUGH: usize = 5;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// What one thread has seen.
#[derive(Default)]
struct Seen {
    outcomes: BTreeMap<&'static str, u64>,
    solutions: u64,
    found: Vec<(u64, Problem, Difference)>,
}

fn make(seed: u64, number: u64, base: &mut Base) -> Problem {
    let mut r = Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number));
    // From thirty to some thousand valuations, seldom many.
    let most = *r.pick(&[30, 100, 100, 300, 300, 1000, 1000, 4000]);
    write::problem(&mut r, most, &mut |kind| base.count(kind))
}

/// The outcome of a problem; a panic is a difference.
fn outcome(base: &mut Base, problem: &Problem, dear: bool) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| base.compare(problem, dear))) {
        Ok(outcome) => outcome,
        Err(why) => {
            let text = why.downcast_ref::<String>().cloned();
            let text = text.or_else(|| why.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Outcome::Differs(Difference { way: "panic", text: text.unwrap_or_default() })
        }
    }
}

/// A failing problem made smaller as long as it fails.
fn shrunk(base: &mut Base, problem: Problem, said: Difference, watch: &Watch) -> (Problem, Difference) {
    let (mut best, mut said) = (problem, said);
    let dear = ["constants", "initialisation", "ANY", "parameters", "panic"].contains(&said.way);
    let mut tries = 0;
    'again: loop {
        let mut smaller = best.smaller();
        smaller.sort_by_key(Problem::size);
        for p in smaller {
            tries += 1;
            if tries > SHRINKS {
                return (best, said);
            }
            watch.begin();
            if p.size() < best.size()
                && let Outcome::Differs(d) = outcome(base, &p, dear)
            {
                (best, said) = (p, d);
                continue 'again;
            }
        }
        return (best, said);
    }
}

/// Raises a flag when the formula under way takes too long, until a thread ends.
struct Watch {
    /// The milliseconds since the start at which the formula began, plus one; 0 at the end.
    begun: AtomicU64,
    start: Instant,
    interrupt: Interrupt,
}

impl Watch {
    fn begin(&self) {
        self.interrupt.0.store(false, Ordering::SeqCst);
        self.begun.store(self.now() + 1, Ordering::SeqCst);
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
    }

    fn watch(&self) {
        let most = u64::try_from(LONGEST.as_millis()).unwrap_or(u64::MAX);
        loop {
            match self.begun.load(Ordering::SeqCst) {
                0 => return,
                begun if self.now() + 1 > begun.saturating_add(most) => self.interrupt.raise(),
                _ => {}
            }
            std::thread::sleep(LONGEST / 8);
        }
    }
}

fn work(seed: u64, name: &str, next: &AtomicU64, count: u64, end: Option<Instant>, watch: &Watch) -> Seen {
    let mut base = Base::new(name, watch.interrupt.clone());
    let show = std::env::var_os("BSYM_SHOW").is_some();
    let machines = std::env::var_os("BSYM_MACHINES");
    let mut seen = Seen::default();
    loop {
        let i = next.fetch_add(1, Ordering::Relaxed);
        if i >= count || end.is_some_and(|end| Instant::now() >= end) || seen.found.len() >= ENOUGH {
            seen.outcomes.insert("ways given up", base.given_up.get());
            return seen;
        }
        let problem = make(seed, i, &mut base);
        if show {
            println!("{i}: {{{} | {}}}", problem.names(), problem.text());
        }
        watch.begin();
        let is = match outcome(&mut base, &problem, i.is_multiple_of(DEAR)) {
            Outcome::Same(n) => {
                if let Some(dir) = machines.as_ref().filter(|_| (1..=POSED).contains(&n)) {
                    let file = std::path::Path::new(dir).join(format!("Posed{seed}_{i}.mch"));
                    std::fs::write(file, ways::machine_text(&problem)).expect("the folder is writable");
                }
                seen.solutions += n as u64;
                if n == 0 { "without a solution" } else { "with solutions" }
            }
            Outcome::Void(why) => why,
            Outcome::Differs(said) => {
                println!(
                    "difference: seed {seed} number {i} ({}): {}\n  {}",
                    said.way,
                    said.text,
                    problem.text()
                );
                let (problem, said) = shrunk(&mut base, problem, said, watch);
                println!(
                    "  smaller ({}): {}\n  {{{} | {}}}",
                    said.way,
                    said.text,
                    problem.names(),
                    problem.text()
                );
                seen.found.push((i, problem, said));
                "different"
            }
        };
        *seen.outcomes.entry(is).or_default() += 1;
    }
}

#[test]
fn solver_and_brute_force_agree() {
    let seed = number("BSYM_SEED").unwrap_or(SEED);
    let seconds = number("BSYM_SECONDS");
    let count = number("BSYM_CONSTRAINTS").unwrap_or(if seconds.is_some() { u64::MAX } else { COUNT });
    let threads = number("BSYM_THREADS").unwrap_or(1);
    println!("seed {seed}");
    let begin = Instant::now();
    let end = seconds.map(|s| begin + Duration::from_secs(s));
    let next = AtomicU64::new(number("BSYM_FIRST").unwrap_or(0));
    // Panics are differences, and shown as such.
    std::panic::set_hook(Box::new(|_| {}));
    let all: Vec<Seen> = std::thread::scope(|scope| {
        let one = |t: u64| {
            let next = &next;
            let run = move || {
                let watch = Watch { begun: AtomicU64::new(1), start: begin, interrupt: Interrupt::default() };
                std::thread::scope(|scope| {
                    scope.spawn(|| watch.watch());
                    let seen = work(seed, &format!("{seed}-{t}"), next, count, end, &watch);
                    watch.begun.store(0, Ordering::SeqCst);
                    seen
                })
            };
            let builder = std::thread::Builder::new().stack_size(256 << 20);
            builder.spawn_scoped(scope, run).expect("a thread starts")
        };
        let all: Vec<_> = (0..threads).map(one).collect();
        all.into_iter().map(|t| t.join().expect("no thread dies")).collect()
    });
    let _ = std::panic::take_hook();
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut found = Vec::new();
    let mut solutions = 0;
    for seen in all {
        seen.outcomes.iter().for_each(|(k, n)| *outcomes.entry(k).or_default() += n);
        solutions += seen.solutions;
        found.extend(seen.found);
    }
    let given_up = outcomes.remove("ways given up").unwrap_or(0);
    let total: u64 = outcomes.values().sum();
    println!(
        "{total} formulas in {:?}, {solutions} solutions: {outcomes:?}, {given_up} ways given up",
        begin.elapsed()
    );
    assert!(found.is_empty(), "seed {seed}: {} differences, see above", found.len());
    let compared = outcomes.get("with solutions").copied().unwrap_or(0);
    assert!(total < 100 || compared * 8 > total, "few formulas have solutions: {outcomes:?}");
}
