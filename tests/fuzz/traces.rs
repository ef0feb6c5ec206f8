//! Trace files, changed, and replayed by the program.
//!
//! In: traces of some violated machines, written by the program in every format it reads. Out: what `bsym trace` makes of a changed one.

use super::json;
use super::machines::files;
use super::mutate::{Corpus, mutate};
use super::program::{Call, word};
use super::random::Random;
use super::{Input, LIMIT_OF_PROGRAM, Subject, Tried, limits, root, scratch, seeds};
use serde_json::Value as Json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Machines with a trace.
const VIOLATED: [&str; 8] = [
    "basics/Counter",
    "basics/Deadlock",
    "basics/Violated",
    "symmetry/Scheduler0",
    "temporal/Peterson",
    "temporal/Philosophers",
    "temporal/TokenRing",
    "temporal/Ends",
];

/// The formats of traces, by the ends of their files; the last one is a report.
const FORMATS: [&str; 3] = ["prob2trace", "itf.json", "json"];

/// What is changed.
pub(crate) struct Traces {
    /// The machine and the file.
    seeds: Vec<(PathBuf, PathBuf)>,
    corpus: Corpus,
}

/// Writes the traces of machines, where no one has yet.
pub(crate) fn prepare() {
    for path in violated() {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for format in FORMATS {
            let out = seeds().join(format!("{stem}.{format}"));
            let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
            command.arg("check").arg(&path).args(["--timeout", "10s", "--no-refinement"]);
            if format == "json" {
                let told = command.args(["--format", "json"]).output().expect("bsym starts");
                std::fs::write(&out, told.stdout).expect("the folder is writable");
            } else {
                command.arg("--trace-out").arg(&out).output().expect("bsym starts");
            }
        }
    }
}

/// Machines of which a violation is expected, small ones.
fn violated() -> Vec<PathBuf> {
    let all = files(&root().join("machines"), &["mch"]);
    let expected = |p: &PathBuf| {
        let text = std::fs::read_to_string(p).unwrap_or_default();
        text.len() < 2000 && text.contains("verdict=violated") && !text.contains("slow")
    };
    let named = VIOLATED.iter().map(|n| root().join("machines").join(format!("{n}.mch")));
    let more = all.into_iter().filter(expected).step_by(12);
    named.chain(more).filter(|p| p.is_file()).collect()
}

impl Traces {
    pub(crate) fn new() -> Self {
        let of = |path: PathBuf| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            FORMATS.map(|f| (path.clone(), seeds().join(format!("{stem}.{f}"))))
        };
        let seeds: Vec<_> =
            violated().into_iter().flat_map(of).filter(|(_, trace)| trace.is_file()).collect();
        let texts = seeds.iter().map(|(_, trace)| std::fs::read(trace).unwrap_or_default()).collect();
        Self { seeds, corpus: Corpus::of(texts) }
    }
}

impl Subject for Traces {
    fn make(&mut self, r: &mut Random) -> Input {
        let of = r.below(self.seeds.len());
        let mut text = self.corpus.texts.get(of).cloned().unwrap_or_default();
        match serde_json::from_slice::<Json>(&text) {
            Ok(mut whole) if !r.once_in(3) => {
                for _ in 0..=r.below(3) {
                    json::change(&mut whole, r, &self.corpus);
                }
                text = whole.to_string().into_bytes();
            }
            _ => mutate(&mut text, r, &self.corpus),
        }
        Input { of, text, choice: r.next() }
    }

    fn file(&self, input: &Input) -> PathBuf {
        self.seeds
            .get(input.of)
            .and_then(|(_, trace)| trace.file_name())
            .map_or_else(PathBuf::new, PathBuf::from)
    }

    fn run(&mut self, input: &Input) -> Tried {
        let Some((machine, _)) = self.seeds.get(input.of) else { return Tried::came("no trace") };
        let trace = scratch().join(self.file(input));
        if std::fs::write(&trace, &input.text).is_err() {
            return Tried::came("not written");
        }
        let call = call(machine, &trace, input.choice);
        match call.judged() {
            Ok(code) => Tried::came(word(code)),
            Err(wrong) => Tried::wrong(wrong),
        }
    }
}

/// A replay, or another command that reads traces.
fn call(machine: &Path, trace: &Path, choice: u64) -> Call {
    let words = |all: &[&str]| all.iter().map(OsString::from).collect::<Vec<_>>();
    let mut arguments = match choice % 8 {
        0 => words(&["eval"]),
        1 => words(&["graph", "--max-nodes", "50"]),
        2 => words(&["trace", "--format", "html"]),
        3 | 4 => words(&["trace", "--show"]),
        _ => words(&["trace"]),
    };
    arguments.push(machine.into());
    match choice % 8 {
        0 => {
            arguments.extend([OsString::from("1 = 1"), "--trace".into(), trace.into()]);
            arguments.extend(words(&["--step", "1"]));
        }
        1 => arguments.extend([OsString::from("--trace"), trace.into()]),
        _ => arguments.push(trace.into()),
    }
    arguments.extend(limits(choice.is_multiple_of(8)));
    Call { arguments, folder: root(), limit: Some(LIMIT_OF_PROGRAM) }
}
