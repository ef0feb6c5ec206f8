//! Every machine under `machines/` against the expectations in its own comment block, one named test
//! per `expect:` line (the words are explained in `docs/testing.md`), by running the built `bsym`.

mod numbers;

use bsym::report::expect::{self, Expectation, Ran};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What lines hold that do not speak of it.
const DEFAULTS: [&str; 2] = ["symmetry=off", "timeout=300s"];

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("machines");
    let mut trials = Vec::new();
    for file in machines(&root) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        let lines = expect::of_text(&text, &DEFAULTS.map(String::from));
        if lines.is_empty() {
            trials.push(Trial::test(name.clone(), || Err("no `expect:` line: nothing is tested".into())));
        }
        for line in lines {
            let (file, slow) = (file.clone(), line.slow);
            let title = format!("{name}: {}", line.text);
            trials.push(Trial::test(title, move || run(&file, &line)).with_ignored_flag(slow));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

/// All machine files below a folder, sorted, those that others include among them.
fn machines(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut entries: Vec<_> =
        std::fs::read_dir(dir).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            out.extend(machines(&path));
        } else if path.extension().is_some_and(|e| e == "mch" || e == "ref" || e == "imp") {
            out.push(path);
        }
    }
    out
}

fn run(file: &Path, expected: &Expectation) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
    let output = command.args(expected.arguments(file)).output();
    let output = output.map_err(|e| format!("bsym does not start: {e}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let ran = Ran { out: output.stdout, said, exit: output.status.code() };
    let mut found = expected.unmet(&ran);
    let report: Json = serde_json::from_slice(&ran.out).unwrap_or_default();
    found.extend(numbers::contradictions(&report));
    if found.is_empty() { Ok(()) } else { Err(format!("{}\n{report:#}", found.join("\n")).into()) }
}
