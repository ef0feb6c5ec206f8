//! One binary for the tests that are no expectation of a single machine. See `tests/README.md`.

#![allow(clippy::panic, reason = "a failing test says why by panicking")]

mod animate;
mod arrays;
mod book;
mod browser;
mod by_hand;
mod candidates;
mod checkpoints;
mod cli;
mod compare;
mod config;
mod diagnostics;
mod ends;
mod expectations;
mod first_steps;
mod formats;
mod given;
mod goals;
mod graphs;
mod html;
mod info;
mod integers;
mod limits;
mod long;
mod lsp;
mod many;
mod modes;
#[path = "../numbers/mod.rs"]
mod numbers;
mod operators;
mod options;
mod plain;
mod probcli;
mod progress;
mod project;
#[path = "../random/mod.rs"]
mod random;
mod random_machine;
mod refinement;
mod screen;
mod several;
mod tables;
mod temporal;
mod tidy;
mod traces;
mod unknown;
mod watch;
mod why;
mod wide;

use serde_json::Value as Json;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The project's root.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The number that an environment variable gives.
pub(crate) fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Runs the built program from the project's root. A report that it writes as JSON must not contradict itself.
pub(crate) fn bsym(args: &[&str]) -> Output {
    let out = Command::new(env!("CARGO_BIN_EXE_bsym")).args(args).current_dir(root()).output();
    let out = out.expect("bsym starts");
    if let Ok(report) = serde_json::from_slice::<Json>(&out.stdout) {
        let wrong = numbers::contradictions(&report);
        assert!(wrong.is_empty(), "{args:?}: {}", wrong.join("\n"));
    }
    out
}

/// The JSON report of a check that keeps going.
pub(crate) fn report(args: &[&str]) -> Json {
    let mut all = vec!["check"];
    all.extend(args);
    all.extend(["--keep-going", "--format", "json", "--timeout", "60s"]);
    let out = bsym(&all);
    serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|e| panic!("{all:?}: no JSON ({e})\n{}", String::from_utf8_lossy(&out.stderr)))
}
