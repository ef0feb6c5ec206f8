//! Files of kept searches, changed, and gone on from by the program.
//!
//! In: files that the program has written of searches that a limit of depth ended. Out: what `bsym check --resume` makes of a changed one. Sections are taken apart here as the
//! format is documented in `explore/checkpoint/file`; half of the changes are made inside of them, and their checksums put right again.

use super::json;
use super::mutate::{Corpus, mutate};
use super::program::{Call, word};
use super::random::Random;
use super::{Input, LIMIT_OF_PROGRAM, Subject, Tried, limits, root, scratch, seeds};
use serde_json::Value as Json;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// What is kept: a machine, options.
const KEPT: [(&str, &[&str]); 5] = [
    ("symmetry/Scheduler1.mch", &["--card", "3"]),
    ("symmetry/Scheduler1.mch", &["--card", "3", "--symmetry", "off"]),
    ("symmetry/Scheduler0.mch", &["--card", "4", "--keep-going"]),
    ("temporal/Elevator.mch", &["--no-formulas"]),
    ("symmetry/USB.mch", &["--card", "2", "--evaluator", "plain"]),
];

/// Bytes before the first section, of a section's name, of its length, of its checksum.
const MAGIC: usize = 20;
const NAME: usize = 8;
const HEAD: usize = NAME + 8;
const SUM: usize = 32;

/// What is changed.
pub(crate) struct Checkpoints {
    corpus: Corpus,
}

fn seed(of: usize) -> PathBuf {
    seeds().join(format!("{of}.ck"))
}

/// Writes the files, where no one has yet.
pub(crate) fn prepare() {
    for (of, (machine, options)) in KEPT.iter().enumerate() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
        command.arg("check").arg(root().join("machines").join(machine)).args(*options);
        command.args(["--max-depth", "4", "--checkpoint"]).arg(seed(of));
        command.output().expect("bsym starts");
        assert!(seed(of).is_file(), "no checkpoint of {machine}");
    }
}

/// The sections of a file: heads and what they hold.
fn sections(file: &[u8]) -> Vec<([u8; NAME], Vec<u8>)> {
    let mut out = Vec::new();
    let mut rest = file.get(MAGIC..).unwrap_or_default();
    while let Some((head, after)) = rest.split_first_chunk::<HEAD>() {
        let (mut name, mut length) = ([0; NAME], [0; 8]);
        name.copy_from_slice(&head[..NAME]);
        length.copy_from_slice(&head[NAME..]);
        let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
        let Some(body) = after.get(..length) else { break };
        out.push((name, body.to_vec()));
        rest = after.get(length + SUM..).unwrap_or_default();
    }
    out
}

/// A file of sections, with their checksums.
fn written(magic: &[u8], all: &[([u8; NAME], Vec<u8>)]) -> Vec<u8> {
    let mut out = magic.to_vec();
    for (name, body) in all {
        let mut sum = blake3::Hasher::new();
        let length = (body.len() as u64).to_le_bytes();
        for part in [&name[..], &length[..], body] {
            sum.update(part);
            out.extend_from_slice(part);
        }
        out.extend_from_slice(sum.finalize().as_bytes());
    }
    out
}

/// Changes what a section holds.
fn inside(body: &mut Vec<u8>, r: &mut Random, corpus: &Corpus) {
    if let Ok(mut whole) = serde_json::from_slice::<Json>(body) {
        json::change(&mut whole, r, corpus);
        *body = whole.to_string().into_bytes();
        return;
    }
    let at = r.below(body.len() / 8 + 1) * 8;
    let word = match r.below(5) {
        0 => u64::MAX,
        1 => 0,
        2 => r.next(),
        3 => 1 << r.below(64),
        _ => r.next() % 100,
    };
    match (r.below(6), body.get_mut(at..at + 8)) {
        (0, _) => body.truncate(at),
        (1, _) => body.extend_from_slice(&word.to_le_bytes()),
        (2, _) => body.truncate(r.below(body.len() + 1)),
        (_, Some(place)) => place.copy_from_slice(&word.to_le_bytes()),
        (_, None) => body.clear(),
    }
}

/// Changes sections, with right checksums.
fn resummed(file: &[u8], r: &mut Random, corpus: &Corpus) -> Vec<u8> {
    let mut all = sections(file);
    let (a, b) = (r.below(all.len()), r.below(all.len()));
    match r.below(12) {
        0 => all.swap(a, b),
        1 => {
            all.remove(a);
        }
        2 => all.insert(b, all[a].clone()),
        3 => {
            let body = all[b].1.clone();
            all[a].1 = body;
        }
        _ => {
            for _ in 0..=r.below(2) {
                let of = r.below(all.len());
                inside(&mut all[of].1, r, corpus);
            }
        }
    }
    written(file.get(..MAGIC).unwrap_or_default(), &all)
}

impl Checkpoints {
    pub(crate) fn new() -> Self {
        let texts: Vec<Vec<u8>> =
            (0..KEPT.len()).map(|of| std::fs::read(seed(of)).unwrap_or_default()).collect();
        let whole = texts.iter().map(|t| written(t.get(..MAGIC).unwrap_or_default(), &sections(t)));
        assert!(whole.eq(texts.iter().cloned()), "the format of checkpoints is another one by now");
        Self { corpus: Corpus::of(texts) }
    }
}

impl Subject for Checkpoints {
    fn make(&mut self, r: &mut Random) -> Input {
        let of = r.below(KEPT.len());
        let mut text = self.corpus.texts.get(of).cloned().unwrap_or_default();
        match r.below(8) {
            0 => mutate(&mut text, r, &self.corpus),
            1 => text.truncate(r.below(text.len() + 1)),
            2 => {
                let (at, bit) = (r.below(text.len()), 1 << r.below(8));
                text.iter_mut().skip(at).take(1).for_each(|b| *b ^= bit);
            }
            _ => text = resummed(&text, r, &self.corpus),
        }
        Input { of, text, choice: r.next() }
    }

    fn file(&self, _: &Input) -> PathBuf {
        PathBuf::from("changed.ck")
    }

    fn run(&mut self, input: &Input) -> Tried {
        let Some((machine, options)) = KEPT.get(input.of) else { return Tried::came("no machine") };
        let file = scratch().join("changed.ck");
        if std::fs::write(&file, &input.text).is_err() {
            return Tried::came("not written");
        }
        let mut arguments = vec![OsString::from("check"), root().join("machines").join(machine).into()];
        arguments.extend(options.iter().map(OsString::from));
        arguments.extend([OsString::from("--resume"), file.into(), "--max-states".into(), "2000".into()]);
        arguments.extend(limits(true));
        match (Call { arguments, folder: root(), limit: Some(LIMIT_OF_PROGRAM) }).judged() {
            Ok(code) => Tried::came(word(code)),
            Err(wrong) => Tried::wrong(wrong),
        }
    }
}
