//! `bsym agree`: explore machines in every way there is and look for contradictions.
//!
//! In: machines and folders of machines. Out: what `report::agree` makes of the reports, and an exit code. Every
//! run is a process of its own (`child`), so one that dies is a finding like any other.

use super::args::AgreeArgs;
use super::child::{self, Check};
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::files;
use super::load;
use super::progress::{self, Part};
use super::units;
use crate::diagnostic::{Code, Diagnostic};
use crate::report::agree::{
    Agreement, Agreements, EVERY_VALUATION, EXACT, FORMATS, NAIVE, OFF, Outcome, PLAIN, Way, text,
};
use rayon::prelude::*;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the command.
pub(super) fn run(args: &AgreeArgs) -> Exit {
    match agree(args) {
        Ok(all) => {
            let exit = match all.count(Outcome::Contradict) {
                0 if all.complete() => Exit::Fine,
                0 => Exit::Limit,
                _ => Exit::Violated,
            };
            match FORMATS.iter().find(|f| f.name == args.format) {
                Some(format) => super::out::print(&(format.write)(&all), exit),
                None => exit,
            }
        }
        Err(message) => load::refuse(Diagnostic::without_place(Code::BadOption, message)),
    }
}

fn agree(args: &AgreeArgs) -> Result<Agreements, String> {
    // One size for each run.
    args.world.asked().map_err(|e| e.message)?;
    let files = files::machines(&args.paths)?;
    let (pool, ctrl_c) = (child::pool(args.jobs)?, CtrlC::new());
    let share = child::share(args.jobs, args.max_memory);
    let (part, done) = (Part::new(format!("0 of {} machines", files.len())), AtomicUsize::new(0));
    let _shown = part.show();
    let one = |file: &PathBuf| {
        let judged = machine(args, file, share.as_ref(), &ctrl_c);
        let n = 1 + done.fetch_add(1, Ordering::Relaxed);
        part.is(format!("{n} of {} machines, the last one {}", files.len(), file.display()));
        judged
    };
    // Results come in the order of the files, whatever the number of jobs; contradictions are shown at once, too.
    let all: Result<Vec<Option<Agreement>>, String> = pool.install(|| files.par_iter().map(one).collect());
    Ok(Agreements { all: all?.into_iter().flatten().collect(), asked: files.len() })
}

/// One machine; nothing if the user ended it before all ways were through.
fn machine(
    args: &AgreeArgs,
    file: &Path,
    share: Option<&OsString>,
    ctrl_c: &CtrlC,
) -> Result<Option<Agreement>, String> {
    if ctrl_c.pressed() {
        return Ok(None);
    }
    let run = |name: &str| {
        let (symmetry, evaluator) = match name {
            PLAIN => (OFF, "plain"),
            NAIVE => (OFF, "naive"),
            EVERY_VALUATION => (EXACT, "compiled"),
            name => (name, "compiled"),
        };
        let mut check = Check::new(file.as_os_str(), args.timeout);
        check.option("--symmetry", symmetry);
        if name == EVERY_VALUATION {
            check.option("--constants", "all");
        }
        check.option("--evaluator", evaluator);
        check.words(args.places.words());
        args.world.card.iter().for_each(|c| check.option("--card", &c.to_string()));
        check.optional("--maxint", args.world.maxint);
        check.optional("--minint", args.world.minint);
        check.optional("--max-memory", args.max_memory.map(units::in_bytes));
        check.words(share.cloned().into_iter().collect());
        check.run(ctrl_c).map(|report| Way { name: name.to_owned(), report })
    };
    let mut ways = vec![run(OFF)?];
    // Where nothing is permuted, strategies are all the same.
    let sets = ways.first().and_then(|w| w.report.get("symmetry_sets")).and_then(|s| s.as_array());
    let permuted = |s: &serde_json::Value| s["permuted"].as_array().is_some_and(|p| !p.is_empty());
    let symmetric = sets.is_some_and(|s| s.iter().any(permuted));
    let refused = ways.iter().any(|w| w.word("verdict") == "refused");
    if !args.no_plain && !refused {
        ways.push(run(PLAIN)?);
    }
    if !args.no_naive && !refused {
        ways.push(run(NAIVE)?);
    }
    if symmetric && !refused {
        for mode in args.modes.iter().filter(|m| *m != OFF) {
            ways.push(run(mode)?);
        }
        if args.modes.iter().any(|m| m == EXACT) && ways.iter().any(|w| w.number("constants_valuations") > 0)
        {
            ways.push(run(EVERY_VALUATION)?);
        }
    }
    if ctrl_c.pressed() {
        return Ok(None);
    }
    let judged = Agreement::new(file.display().to_string(), ways, &[child::DIED, child::OUTLIVED]);
    if judged.outcome == Outcome::Contradict {
        progress::aside(|| tell!("{}", text::one(&judged).trim_end_matches('\n')));
    }
    Ok(Some(judged))
}
