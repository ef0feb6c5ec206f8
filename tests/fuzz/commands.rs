//! Command lines: commands with options drawn from their own help, values drawn by what they are called, all of it changed now and then.
//!
//! In: the help of all commands, a folder with some small files of each kind. Out: how the program ends. Arguments are divided by NUL bytes. What writes a file may write to the folder
//! only: then no argument has a slash. `--watch` is left out, as are limits, which are added.

use super::json;
use super::mutate::{Corpus, mutate};
use super::program::{Call, word};
use super::random::Random;
use super::{Input, LIMIT_OF_PROGRAM, Subject, Tried, limits, root, scratch, seeds};
use serde_json::json;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The commands; those that read lines find none.
const COMMANDS: [&str; 18] = [
    "check",
    "compare",
    "agree",
    "test",
    "graph",
    "trace",
    "refine",
    "info",
    "show",
    "eval",
    "simulate",
    "probcli",
    "project",
    "completions",
    "man",
    "repl",
    "animate",
    "lsp",
];

/// Options that are added, or without which a command has no end.
const LEFT_OUT: [&str; 6] = ["--timeout", "--max-memory", "--watch", "--every", "-h", "--help"];

/// Digits of numbers that switches of `probcli` take.
const FEW_DIGITS: usize = 3;

/// Options and commands that write files.
const WRITERS: [&str; 5] = ["--out", "--trace-out", "--checkpoint", "probcli", "man"];

/// What is in the folder: machines by their names under `machines/`.
const MACHINES: [&str; 5] = [
    "symmetry/Scheduler0.mch",
    "temporal/Elevator.mch",
    "temporal/Peterson.mch",
    "refinement/Choice.mch",
    "refinement/Choice_made.ref",
];

/// Other files in it.
const TRACE: &str = "t.prob2trace";
const CHECKPOINT: &str = "x.ck";
const PROJECT: &str = "p.prob2project";
const CONFIG: &str = "bsym.toml";

/// Values by what help calls them; of what is not here numbers and words are tried.
const VALUES: [(&str, &[&str]); 17] = [
    ("FILE", &[]),
    ("PATH", &[]),
    ("DIR", &[".", "sub", ""]),
    ("N", &["0", "1", "2", "5", "100", "-1", "18446744073709551615", "4294967296"]),
    ("N | S=N,...", &["2", "3", "1..3", "PROC=2", "PROC=2..3", "PROC=1,PID=2", "0", "1000000", "4000000000"]),
    ("A..B", &["1..2", "2", "3..1", "0..2"]),
    ("P", &["1 = 1", "card(active) < 2", "0.5", "x : {", "!x.(x : PROC => x /: active)"]),
    ("E", &["1+1", "card(waiting)", "floor", "POW(PROC)"]),
    ("NAME=E", &["N == 3", "GOAL=1=1", "a=", "=", "SCOPE==TRUE=TRUE"]),
    ("CONSTANT=E", &["c=1", "top = 4", "PROC=2"]),
    ("FORMULA", &["G {1 = 1}", "F [new]", "AG(EF {1 = 1})", "G F deadlock", "WF(new) => G {active = {}}"]),
    ("NAME", &["ASSERT_LTL_served", "x"]),
    ("TIME", &["1s", "0s", "5ms", "1000000h", "-1s", "99999999999999999999s"]),
    ("SIZE", &["1MiB", "100MiB", "0", "99999999999GiB"]),
    ("SET,...", &["PROC", "PID,PROC", ",", "nothing"]),
    ("WORDS", &["card=2", "symmetry=off", "card=2 verdict=holds", "ltl=\"G {1=1}\"=holds"]),
    ("VARIABLES | FORMULA", &["active", "active,waiting", "card(active)", "floor > 1"]),
];

/// An option as help tells it.
struct Offered {
    name: String,
    /// What its value is called; none if it has none.
    value: Option<String>,
    /// The values that are possible, where help lists them.
    possible: Vec<String>,
}

/// What is changed.
pub(crate) struct Commands {
    /// By command.
    options: Vec<Vec<Offered>>,
    corpus: Corpus,
    files: Vec<(String, Vec<u8>)>,
}

/// Writes what the commands say of themselves.
pub(crate) fn prepare() {
    for command in COMMANDS {
        let help = if command == "probcli" { "-help" } else { "--help" };
        let told =
            Command::new(env!("CARGO_BIN_EXE_bsym")).args([command, help]).output().expect("bsym starts");
        std::fs::write(seeds().join(format!("{command}.help")), told.stdout).expect("the folder is writable");
    }
}

/// The options in a help text.
fn read(help: &str) -> Vec<Offered> {
    let mut out: Vec<Offered> = Vec::new();
    for line in help.lines() {
        let text = line.trim_start();
        if let Some((value, _)) = text.strip_prefix("- ").and_then(|t| t.split_once(':')) {
            out.last_mut().into_iter().for_each(|o| o.possible.push(value.to_owned()));
        } else if text.starts_with('-') && line.len() - text.len() <= 6 {
            let text = text.split("  ").next().unwrap_or(text);
            let name = text.split(", ").find(|n| n.starts_with("--")).unwrap_or(text);
            let (name, value) = name.split_once(' ').unwrap_or((name, ""));
            let value = value.trim_matches(['<', '>', '.']);
            let value = (!value.is_empty()).then(|| value.to_owned());
            out.push(Offered { name: name.trim_end_matches(',').to_owned(), value, possible: Vec::new() });
        }
        if let Some((_, list)) = text.split_once("[possible values: ") {
            let list = list.trim_end_matches(']').split(", ").map(str::to_owned);
            out.last_mut().into_iter().for_each(|o| o.possible.extend(list.clone()));
        }
    }
    out.retain(|o| !LEFT_OUT.contains(&o.name.as_str()));
    out
}

fn project() -> Vec<u8> {
    let task = json!({"taskType": "MODEL_CHECKING", "id": "all", "searchStrategy": "MIXED_BF_DF", "nodesLimit": 50,
        "timeLimit": 1, "goal": null, "options": ["FIND_DEADLOCKS", "FIND_INVARIANT_VIOLATIONS"], "selected": true});
    let formula = json!({"taskType": "TEMPORAL", "type": "LTL", "id": "", "code": "G {1 = 1}", "stateLimit": -1,
        "startState": "ALL_INITIAL_STATES", "expectedResult": true, "selected": true});
    let trace = json!({"taskType": "REPLAY_TRACE", "location": TRACE, "selected": true});
    let machine = json!({"name": "Elevator", "description": "", "location": "Elevator.mch",
        "lastUsedPreferenceName": "small", "validationTasks": [task, formula, trace]});
    let whole = json!({"name": "P", "description": "", "machines": [machine],
        "preferences": [{"name": "small", "preferences": {"MAXINT": "2", "CLPFD": "true"}}],
        "metadata": {"fileType": "Project", "formatVersion": 43}});
    whole.to_string().into_bytes()
}

impl Commands {
    pub(crate) fn new() -> Self {
        let read_help =
            |c: &&str| std::fs::read_to_string(seeds().join(format!("{c}.help"))).unwrap_or_default();
        let help: Vec<String> = COMMANDS.iter().map(read_help).collect();
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for name in MACHINES {
            let short = name.rsplit('/').next().unwrap_or(name).to_owned();
            files.extend(std::fs::read(root().join("machines").join(name)).ok().map(|text| (short, text)));
        }
        let seed = |name: &str| std::fs::read(seeds().join(name)).unwrap_or_default();
        files.push((TRACE.to_owned(), seed("Peterson.prob2trace")));
        files.push((CHECKPOINT.to_owned(), seed("2.ck")));
        files.push((PROJECT.to_owned(), project()));
        files.push((CONFIG.to_owned(), b"[check]\nkeep-going = true\ncard = [\"2\"]\n".to_vec()));
        let values = VALUES.iter().flat_map(|(_, all)| all.iter().map(|v| v.as_bytes().to_vec())).collect();
        Self { options: help.iter().map(|h| read(h)).collect(), corpus: Corpus::of(values), files }
    }

    fn file(&self, r: &mut Random) -> String {
        let machine = r.below(MACHINES.len());
        let of = if r.once_in(4) { r.below(self.files.len()) } else { machine };
        self.files.get(of).map_or_else(|| "nothing.mch".to_owned(), |(name, _)| name.clone())
    }

    fn value(&self, option: &Offered, r: &mut Random) -> Vec<u8> {
        if let Some(value) = r.pick(&option.possible).filter(|_| !r.once_in(20)) {
            return value.clone().into_bytes();
        }
        let called = option.value.as_deref().unwrap_or_default();
        let known = VALUES.iter().find(|(name, _)| *name == called).map_or(&[][..], |(_, all)| all);
        let mut value = match called {
            "FILE" | "PATH" => self.file(r).into_bytes(),
            _ if known.is_empty() => r.pick(&self.corpus.texts).cloned().unwrap_or_default(),
            _ => r.pick(known).map(|v| v.as_bytes().to_vec()).unwrap_or_default(),
        };
        if r.once_in(6) {
            mutate(&mut value, r, &self.corpus);
            value.truncate(4000);
        }
        value
    }

    /// The arguments that a command has without a dash.
    fn positional(&self, command: &str, r: &mut Random) -> Vec<Vec<u8>> {
        let file = self.file(r).into_bytes();
        let more = match command {
            "trace" => TRACE.to_owned(),
            "eval" => r
                .pick(&["1+1", "{x | x : 1..3}", "active", "floor = 1"])
                .map_or(String::new(), |s| (*s).to_owned()),
            "completions" => return vec![b"bash".to_vec()],
            "man" => return vec![b"sub".to_vec()],
            "lsp" => return Vec::new(),
            "project" => return vec![PROJECT.as_bytes().to_vec()],
            "check" | "agree" | "test" if r.once_in(6) => self.file(r),
            _ => return vec![file],
        };
        vec![file, more.into_bytes()]
    }
}

impl Subject for Commands {
    fn make(&mut self, r: &mut Random) -> Input {
        // The last ones have little to them.
        let of = if r.once_in(8) { r.below(COMMANDS.len()) } else { r.below(13) };
        let command = COMMANDS.get(of).copied().unwrap_or("check");
        let mut arguments = vec![command.as_bytes().to_vec()];
        arguments.extend(self.positional(command, r));
        let options = self.options.get(of).map_or(&[][..], Vec::as_slice);
        for _ in 0..r.below(5) {
            let Some(option) = r.pick(options) else { break };
            let name = option.name.clone().into_bytes();
            match option.value {
                None => arguments.push(name),
                Some(_) if command == "probcli" => {
                    let mut value = self.value(option, r);
                    // A walk of so many steps has no limit of time.
                    if value.iter().all(u8::is_ascii_digit) {
                        value.truncate(FEW_DIGITS);
                    }
                    arguments.extend([name, value]);
                }
                Some(_) if r.once_in(2) => arguments.extend([name, self.value(option, r)]),
                Some(_) => arguments.push([name, b"=".to_vec(), self.value(option, r)].concat()),
            }
        }
        if r.once_in(12) {
            let (a, b) = (1 + r.below(arguments.len()), 1 + r.below(arguments.len()));
            if a.max(b) < arguments.len() {
                arguments.swap(a, b);
            } else {
                arguments.truncate(a);
            }
        }
        Input { of, text: arguments.join(&0), choice: r.next() }
    }

    fn file(&self, _: &Input) -> PathBuf {
        PathBuf::from("arguments")
    }

    fn run(&mut self, input: &Input) -> Tried {
        let folder = scratch().join("commands");
        if self.fill(&folder, input).is_err() {
            return Tried::came("not written");
        }
        match call(folder, &input.text, input.choice).judged() {
            Ok(code) => Tried::came(word(code)),
            Err(wrong) => Tried::wrong(wrong),
        }
    }
}

impl Commands {
    /// Writes the files anew: an input may have changed them. Projects and options of the folder are changed, too.
    fn fill(&self, folder: &Path, input: &Input) -> std::io::Result<()> {
        let mut r = Random::salted(input.choice, 1);
        let _ = std::fs::remove_dir_all(folder);
        std::fs::create_dir_all(folder.join("sub"))?;
        for (name, text) in &self.files {
            let mut text = text.clone();
            match name.as_str() {
                CONFIG if !r.once_in(8) => continue,
                CONFIG if r.once_in(2) => {
                    mutate(&mut text, &mut r, &self.corpus);
                    text.retain(|b| *b != b'/');
                }
                PROJECT if r.once_in(2) => {
                    let mut whole = serde_json::from_slice(&text).unwrap_or_default();
                    json::change(&mut whole, &mut r, &self.corpus);
                    text = whole.to_string().into_bytes();
                }
                _ => {}
            }
            std::fs::write(folder.join(name), text)?;
        }
        Ok(())
    }
}

fn call(folder: PathBuf, text: &[u8], choice: u64) -> Call {
    let mut arguments: Vec<Vec<u8>> = text.split(|b| *b == 0).map(<[u8]>::to_vec).collect();
    let writes = |a: &Vec<u8>| WRITERS.iter().any(|w| a.starts_with(w.as_bytes()));
    if arguments.iter().any(writes) {
        arguments.iter_mut().for_each(|a| a.retain(|b| *b != b'/'));
    }
    let command = String::from_utf8_lossy(arguments.first().map_or(&[], Vec::as_slice)).into_owned();
    let plain = arguments.iter().skip(1).filter(|a| !a.starts_with(b"-")).count();
    let mut arguments: Vec<OsString> = arguments.into_iter().map(OsString::from_vec).collect();
    let mut limit = None;
    match command.as_str() {
        "check" | "refine" | "simulate" | "eval" => {
            limit = (plain < 3 && text.windows(2).all(|w| w != b"..")).then_some(LIMIT_OF_PROGRAM);
            arguments.extend(limits(true));
        }
        "graph" | "trace" => {
            limit = Some(LIMIT_OF_PROGRAM);
            arguments.extend(limits(false));
        }
        "compare" | "agree" => {
            arguments.extend(["--timeout", "100ms", "--max-memory", "512MiB"].map(OsString::from));
        }
        "show" if choice.is_multiple_of(2) => arguments.extend(limits(false)),
        "test" => arguments.extend(["--with", "timeout=1s"].map(OsString::from)),
        _ => {}
    }
    Call { arguments, folder, limit }
}
