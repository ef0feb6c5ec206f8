//! A search that goes on from a checkpoint ends as one that was never stopped; a file that is not of this search, or damaged, is
//! refused.

use super::random::Random;
use super::{bsym, number, random_machine, root};
use serde_json::Value as Json;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("checkpoints");
    std::fs::create_dir_all(&folder).expect("folder");
    folder
}

fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    number("BSYM_SEED").unwrap_or(now.map_or(1, |d| d.as_secs()))
}

/// A report without what two runs of the same search need not share.
fn told(out: &[u8]) -> Json {
    let mut report: Json = serde_json::from_slice(out).expect("a report");
    let times = |line: &mut Json| line.as_object_mut().map(|line| line.remove("seconds"));
    for list in ["refinements", "formulas"] {
        report[list].as_array_mut().into_iter().flatten().for_each(|line| {
            times(line);
        });
    }
    if let Some(notes) = report["notes"].as_array_mut() {
        notes.retain(|n| !n.to_string().contains("the search went on from"));
    }
    let report_of = report.as_object_mut().expect("an object");
    ["seconds", "peak_bytes"].iter().for_each(|key| {
        report_of.remove(*key);
    });
    report
}

/// Machines of many kinds: constants with several valuations, values without a dense form, cuts, errors, violations, formulas,
/// refinements.
const MACHINES: [(&str, &str, &[&str]); 16] = [
    ("check", "machines/symmetry/Scheduler1.mch", &["--card", "4"]),
    ("check", "machines/symmetry/Scheduler1.mch", &["--card", "4", "--symmetry", "off", "--threads", "2"]),
    ("check", "machines/symmetry/Scheduler1.mch", &["--card", "3", "--symmetry", "flood"]),
    (
        "check",
        "machines/symmetry/Scheduler1.mch",
        &["--card", "4", "--symmetry", "markers", "--evaluator", "plain"],
    ),
    ("check", "machines/refinement/Scheduler_queue.ref", &["--card", "3", "--no-refinement"]),
    ("refine", "machines/refinement/Scheduler_queue.ref", &["--card", "3"]),
    ("refine", "machines/refinement/Scheduler_queue.ref", &["--card", "3", "--against", "failures"]),
    ("check", "machines/refinement/Tally_ahead.imp", &["--keep-going", "--max-depth", "6"]),
    ("check", "machines/basics/CounterViolated.mch", &["--keep-going"]),
    ("check", "machines/basics/Counter.mch", &["--goals", "all", "--goal", "1 = 1", "--coverage"]),
    ("check", "machines/basics/NotChecked.mch", &["--keep-going"]),
    ("check", "machines/papers/PetersonThesis.mch", &[]),
    ("check", "machines/papers/Hypercube3.mch", &[]),
    ("check", "machines/papers/Mutex.mch", &[]),
    ("check", "machines/temporal/Peterson.mch", &[]),
    ("check", "machines/temporal/TokenRing.mch", &[]),
];

/// Stopped at each depth, and gone on with from there.
#[test]
fn goes_on_from_a_border_of_levels() {
    let file = folder().join("border.ck").display().to_string();
    let mut resumed = 0;
    for (command, machine, options) in MACHINES {
        let all: Vec<&str> = [command, machine, "--format", "json", "--timeout", "100s"]
            .iter()
            .chain(options)
            .copied()
            .collect();
        // Formulas are decided after a search that is kept, which has other numbers of nodes.
        let whole = told(&bsym(&[&all[..], &["--checkpoint", &file]].concat()).stdout);
        let depth = whole["depth"].as_u64().expect("a depth");
        let mut at = 1;
        while at < depth && !options.contains(&"--max-depth") {
            let cut = at.to_string();
            let some = [&all[..], &["--checkpoint", &file, "--max-depth", &cut]].concat();
            let part = told(&bsym(&some).stdout);
            if part["stopped_by"] == "depth" {
                resumed += 1;
                let rest = [&all[..], &["--resume", &file]].concat();
                assert_eq!(told(&bsym(&rest).stdout), whole, "{machine} {options:?} from depth {at}");
            }
            at += depth.div_ceil(4);
        }
    }
    assert!(resumed > 2 * MACHINES.len(), "{resumed}");
}

/// Random machines, each in one of the modes, stopped in the middle of its depth.
#[test]
fn random_machines_go_on() {
    let first = seed() * 1000;
    println!("seeds from {first}");
    let (file, machine) = (folder().join("random.ck"), folder().join("Random.mch"));
    let (file, machine) = (file.display().to_string(), machine.display().to_string());
    let modes: [&[&str]; 5] = [
        &[],
        &["--symmetry", "off", "--threads", "2"],
        &["--symmetry", "markers", "--keep-going"],
        &["--symmetry", "flood"],
        &["--symmetry", "auto", "--evaluator", "plain"],
    ];
    for (seed, mode) in (first..first + number("BSYM_MACHINES").unwrap_or(20)).zip(modes.iter().cycle()) {
        std::fs::write(&machine, random_machine::machine(seed)).expect("written");
        let all = [&["check", &machine, "--format", "json", "-q", "--timeout", "20s"], *mode].concat();
        let whole = told(&bsym(&[&all[..], &["--checkpoint", &file]].concat()).stdout);
        let cut = (whole["depth"].as_u64().unwrap_or(0) / 2).to_string();
        let part = told(&bsym(&[&all[..], &["--checkpoint", &file, "--max-depth", &cut]].concat()).stdout);
        if part["stopped_by"] == "depth" && whole["stopped_by"] != "time" {
            assert_eq!(
                told(&bsym(&[&all[..], &["--resume", &file]].concat()).stdout),
                whole,
                "{seed} {mode:?}"
            );
        }
    }
}

/// Kept after each chunk of states: from the last image, in the middle of a level, the end is the same.
#[test]
fn goes_on_from_the_last_image() {
    let file = folder().join("last.ck");
    let name = file.display().to_string();
    for (command, machine, options) in MACHINES {
        let _ = std::fs::remove_file(&file);
        let all: Vec<&str> = [command, machine, "--format", "json", "--timeout", "100s"]
            .iter()
            .chain(options)
            .copied()
            .collect();
        let whole = told(&bsym(&[&all[..], &["--checkpoint", &name, "--every", "0s"]].concat()).stdout);
        let plain = told(&bsym(&all).stdout);
        for key in plain.as_object().into_iter().flatten().map(|(key, _)| key).filter(|k| *k != "formulas") {
            assert_eq!(plain[key], whole[key], "{machine} {options:?} {key}");
        }
        if file.exists() {
            let rest = [&all[..], &["--resume", &name]].concat();
            assert_eq!(told(&bsym(&rest).stdout), whole, "{machine} {options:?}");
        }
    }
}

/// Killed at random moments, or asked to end, again and again.
#[cfg(unix)]
#[test]
fn goes_on_after_it_was_killed() {
    let first = seed();
    println!("seed {first}");
    let mut random = Random::salted(first, 36);
    let file = folder().join("killed.ck");
    let name = file.display().to_string();
    let modes: [&[&str]; 4] = [
        &["--card", "6", "--symmetry", "off"],
        &["--card", "6", "--symmetry", "off", "--threads", "2"],
        &["--card", "12"],
        &["--card", "5", "--symmetry", "off", "--evaluator", "plain"],
    ];
    for _ in 0..number("BSYM_KILLS").unwrap_or(8) {
        let mode = modes[random.below(4)];
        let all = [&["check", "machines/symmetry/Scheduler1.mch", "--format", "json", "-q"], mode].concat();
        let whole = told(&bsym(&all).stdout);
        let _ = std::fs::remove_file(&file);
        for _ in 0..4 {
            let mut args = [&all[..], &["--checkpoint", &name, "--every", "10ms"]].concat();
            if file.exists() {
                args.extend(["--resume", &name]);
            }
            let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
            command.args(&args).current_dir(root()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().expect("started");
            std::thread::sleep(Duration::from_millis(random.next() % 900));
            let signal = if random.below(3) == 0 { "-INT" } else { "-KILL" };
            let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
            child.wait().expect("ended");
        }
        if file.exists() {
            assert_eq!(told(&bsym(&[&all[..], &["--resume", &name]].concat()).stdout), whole, "{mode:?}");
        }
    }
}

/// The file that a search of a small machine leaves.
fn kept(name: &str) -> String {
    let file = folder().join(name).display().to_string();
    let out = bsym(&["check", "machines/symmetry/Scheduler1.mch", "--max-depth", "3", "--checkpoint", &file]);
    assert_eq!(out.status.code(), Some(3));
    file
}

#[test]
fn what_is_of_another_search_is_refused() {
    let file = kept("other.ck");
    let why = |args: &[&str]| {
        let out = bsym(&[args, &["--resume", &file]].concat());
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    let machine = "machines/symmetry/Scheduler1.mch";
    assert!(why(&["check", "machines/basics/Counter.mch"]).contains("another machine: `Counter.mch`"));
    assert!(why(&["check", machine, "--card", "4"]).contains("other sizes of sets"));
    assert!(why(&["check", machine, "--symmetry", "off"]).contains("another reduction"));
    assert!(why(&["check", machine, "--no-deadlock"]).contains("other checks were asked for"));
    assert!(why(&["check", machine, "--card", "2..3"]).contains("one size"));
    let wrong = bsym(&["check", machine, "--resume", machine]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("no checkpoint"));
    // Limits, threads and formats may be others.
    let other = ["check", machine, "--resume", &file, "--threads", "2", "--timeout", "60s", "-q"];
    assert_eq!(bsym(&other).status.code(), Some(0));
}

/// A file that is cut off, or a byte of which was changed, is refused, wherever that is.
#[test]
fn damage_is_found() {
    let whole = std::fs::read(kept("whole.ck")).expect("read");
    let file = folder().join("damaged.ck");
    let name = file.display().to_string();
    let first = seed();
    println!("seed {first}");
    let mut random = Random::salted(first, 36);
    for n in 0..number("BSYM_DAMAGES").unwrap_or(40) {
        let at = random.below(whole.len());
        let mut bytes = whole.clone();
        match n % 4 {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, 0),
            _ => bytes[at] ^= 1 << random.below(8),
        }
        std::fs::write(&file, &bytes).expect("written");
        let out = bsym(&["check", "machines/symmetry/Scheduler1.mch", "--resume", &name]);
        assert_eq!(out.status.code(), Some(2), "{n} at {at}");
        assert!(String::from_utf8_lossy(&out.stderr).contains("error[B0002]: `--resume"), "{n} at {at}");
    }
}

/// A file that cannot be written does not end the search, and is told.
#[test]
fn what_cannot_be_written_is_told() {
    let out = bsym(&[
        "check",
        "machines/symmetry/Scheduler1.mch",
        "--checkpoint",
        "/nowhere/at.ck",
        "--every",
        "0s",
        "-q",
    ]);
    assert_eq!(out.status.code(), Some(0));
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(text.contains("`/nowhere/at.ck` cannot be written"), "{text}");
}

/// Where what is wrong may be the callers' doing, it may go on with other limits as well: the refinement check beside came no further under the same limit.
#[test]
fn a_refinement_goes_on_without_the_limit() {
    let file = folder().join("callers.ck").display().to_string();
    let machine = root().join("machines/refinement/Ring_array.imp").display().to_string();
    let part = told(
        &bsym(&["check", &machine, "--format", "json", "--max-depth", "4", "--checkpoint", &file]).stdout,
    );
    assert_eq!(part["stopped_by"], "depth");
    let rest = told(&bsym(&["check", &machine, "--format", "json", "--resume", &file]).stdout);
    assert_eq!(rest["verdict"], "holds", "{rest}");
}
