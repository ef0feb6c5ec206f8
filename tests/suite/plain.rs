//! What random machines share that are compared with the plain evaluator.
//!
//! In: a folder below `target`, a machine's text, options. Out: its file, its whole report, that the reports are those of the plain
//! evaluator, and that some of them showed something.

use super::{number, report, root};
use serde_json::Value as Json;
use std::ops::Range;

/// The seeds that are tried: so many unless a variable asks for others.
pub(crate) fn seeds(variable: &str, usual: u64) -> Range<u64> {
    let (count, first) = (number(variable).unwrap_or(usual), number("BSYM_RANDOM_SEED").unwrap_or(1));
    first..first + count
}

/// The file of a random machine, in a folder of its kind.
pub(crate) fn written(folder: &str, name: &str, text: &str) -> String {
    let dir = root().join("target").join(folder);
    std::fs::create_dir_all(&dir).expect("target is writable");
    let file = dir.join(format!("{name}.mch"));
    std::fs::write(&file, text).expect("target is writable");
    file.display().to_string()
}

/// The report without what says how it was come by: times, memory, whether layouts of states are so narrow that keys cannot collide.
pub(crate) fn outcome(args: &[&str]) -> Json {
    let mut report = report(args);
    if let Some(fields) = report.as_object_mut() {
        let how = ["seconds", "peak_bytes", "counters", "guarantee", "collision_probability"];
        fields.retain(|key, _| !how.contains(&key.as_str()));
    }
    report
}

/// A count of a report.
pub(crate) fn count(report: &Json, key: &str) -> u64 {
    report[key].as_u64().unwrap_or_else(|| panic!("{key} of {report}"))
}

/// What all reports of a test come to.
#[derive(Default)]
pub(crate) struct Tally {
    states: u64,
    errors: u64,
    broken: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, report: &Json) {
        self.states += count(report, "states");
        self.errors += count(report, "errors");
        self.broken += count(report, "invariant_violations");
    }

    /// Machines that come nowhere show nothing.
    pub(crate) fn shows_something(&self) {
        let Tally { states, errors, broken } = self;
        assert!(
            *states > 500 && *errors > 0 && *broken > 0,
            "{states} states, {errors} errors, {broken} violations"
        );
    }
}

/// Compares the whole reports of a seed's machine, with native code and without; `said` is the report under some more options.
pub(crate) fn compare(seed: u64, text: &str, tally: &mut Tally, said: impl Fn(&[&str]) -> Json) {
    let plain = said(&["--evaluator", "plain"]);
    for more in [&[][..], &["--no-jit"]] {
        assert_eq!(said(more), plain, "seed {seed} {more:?}\n{text}");
    }
    tally.add(&plain);
}

/// Compares the whole reports of machines called after a kind and their seed, which are run with some options.
pub(crate) fn compare_all(kind: &str, seeds: Range<u64>, options: &[&str], machine: impl Fn(u64) -> String) {
    let mut tally = Tally::default();
    for seed in seeds {
        let text = machine(seed);
        let name = written(&kind.to_lowercase(), &format!("{kind}{seed}"), &text);
        let said = |more: &[&str]| outcome(&[&[name.as_str()], options, more].concat());
        compare(seed, &text, &mut tally, said);
        std::fs::remove_file(&name).ok();
    }
    tally.shows_something();
}
