//! `--checkpoint`, `--resume`: a search that is kept in a file, and one that goes on from there.
//!
//! In: the options, the machine with its sizes, the limits. Out: what the search asks and calls ([`Checkpoints`]), and what the layout and
//! the pool of values begin with; notes on what was gone on from and what could not be kept. A file is taken only if the program, the files of the
//! machine, its sizes and all options are the same that bear on what is found; limits, threads and formats may be others. Not kept: what
//! temporal formulas record, and refinement checks beside: they begin anew.

use super::args::CheckArgs;
use super::progress;
use super::setup::Setup;
use super::units;
use crate::compile::Earlier;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::explore::checkpoint::{About as Bytes, Checkpoint, Checkpoints, Due, Image, Saved};
use crate::explore::limits::Watch;
use crate::layout::Hull;
use crate::model::MachineSystem;
use crate::ops::{Cut, Cuts};
use crate::report::Message;
use crate::source::{SourceFile, Sources, Span};
use crate::value::stored;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Args, Clone, Debug, Default)]
pub(super) struct CheckpointArgs {
    /// Keep the search in this file now and then, and when Ctrl-C or a limit of time, memory or depth ends it, to go on with
    /// `--resume`
    #[arg(long, value_name = "FILE", help_heading = "Limits", conflicts_with = "audit")]
    pub checkpoint: Option<PathBuf>,
    /// How often `--checkpoint` keeps it
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "5min", requires = "checkpoint", help_heading = "Limits")]
    pub every: Duration,
    /// Go on from this file of `--checkpoint`: same machine, same sizes, same checks, with other limits, threads or formats if wanted
    #[arg(long, value_name = "FILE", help_heading = "Limits", conflicts_with = "audit")]
    pub resume: Option<PathBuf>,
}

impl CheckpointArgs {
    /// Whether any of it is asked for.
    pub(super) fn is_asked(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }
}

/// What must be the same for a search to go on.
#[derive(PartialEq, Serialize, Deserialize)]
struct Identity {
    /// Of the program, a checksum: another one may lay states out otherwise.
    program: String,
    /// Of each file of the machine its name and a checksum.
    files: Vec<(String, String)>,
    sizes: String,
    options: String,
    /// Whether the refinement is known to hold, so that what its callers do is no violation.
    excuses: bool,
}

/// What is kept beside what the search knows.
#[derive(Serialize, Deserialize)]
struct About {
    identity: Identity,
    hulls: Vec<Hull>,
    cuts: Vec<Cut>,
    voids: Vec<Span>,
    recursions: Vec<(Span, Arc<str>)>,
    /// Seconds of exploring so far.
    seconds: f64,
}

/// What is gone on from.
struct Resumed {
    path: PathBuf,
    saved: Cell<Option<Saved>>,
    earlier: Earlier,
    seconds: f64,
    cuts: Cuts,
}

/// Keeps a search, and gives back one that was kept.
pub(super) struct Keeper<'a> {
    args: &'a CheckpointArgs,
    identity: Identity,
    watch: &'a Watch,
    resumed: Option<Resumed>,
    /// When the search is to be kept next.
    next: Cell<Instant>,
    /// What could not be written, and why.
    failed: RefCell<Option<String>>,
}

impl<'a> Keeper<'a> {
    /// If any of it is asked for.
    ///
    /// # Errors
    /// A file that cannot be gone on from.
    pub(super) fn new(
        (args, excuses): (&'a CheckArgs, bool),
        setup: &Setup,
        sources: &Sources,
        watch: &'a Watch,
    ) -> Result<Option<Self>, Diagnostic> {
        let own = &args.kept;
        if !own.is_asked() {
            return Ok(None);
        }
        let identity = Identity {
            program: program(),
            files: sources.files().map(file).collect(),
            sizes: format!("{:?} {:?}", setup.sizes.sizes, (setup.sizes.minint, setup.sizes.maxint)),
            options: options(args),
            excuses,
        };
        let resumed = match &own.resume {
            Some(path) => Some(resumed(path, &identity, args.threads)?),
            None => None,
        };
        let next = Cell::new(Instant::now() + own.every);
        Ok(Some(Self { args: own, identity, watch, resumed, next, failed: RefCell::default() }))
    }

    /// What the layout and the pool begin with.
    pub(super) fn earlier(&self) -> Option<&Earlier> {
        self.resumed.as_ref().map(|r| &r.earlier)
    }

    /// Seconds that were spent on exploring before.
    pub(super) fn seconds(&self) -> f64 {
        self.resumed.as_ref().map_or(0.0, |r| r.seconds)
    }

    /// Whether it is time, or the last time.
    fn due(&self) -> Due {
        if self.args.checkpoint.is_none() {
            return Due::Nothing;
        }
        if self.watch.pause.asked() {
            return Due::LastImage;
        }
        if Instant::now() >= self.next.get() { Due::Image } else { Due::Nothing }
    }

    fn keep(&self, image: &Image<'_>, plain: &MachineSystem, since: Instant) {
        let Some(path) = &self.args.checkpoint else { return };
        let _busy = self.watch.pause.busy();
        let written = self.write(image, path, plain, since);
        let failed = written.err().map(|e| format!("`{}` cannot be written: {e}", path.display()));
        if let Some(why) = &failed {
            progress::aside(|| tell!("warning: {why}"));
        }
        self.failed.replace(failed);
        self.next.set(Instant::now() + self.args.every);
        if self.watch.pause.asked() {
            // What the limit asked for is done; all else stops at once.
            self.watch.interrupt.raise();
        }
    }

    fn write(
        &self,
        image: &Image<'_>,
        path: &Path,
        plain: &MachineSystem,
        since: Instant,
    ) -> std::io::Result<()> {
        let packer = plain.packer();
        let mut values = Vec::new();
        if !packer.pool.all(&mut |v| stored::put(v, &mut values)) {
            return Err(std::io::Error::other("a value is not in extension"));
        }
        let cuts = &packer.world.cuts;
        let seconds = self.seconds() + since.elapsed().as_secs_f64();
        let about = serde_json::json!({
            "identity": &self.identity, "hulls": &packer.layout.hulls, "cuts": cuts.all(),
            "voids": cuts.voids(), "recursions": cuts.recursions(), "seconds": seconds,
        });
        image.write(path, Bytes { about: &about.to_string(), values: &values })
    }

    /// Lets `search` run with what it asks and calls. `since` is when exploring began.
    pub(super) fn during<R>(
        &self,
        plain: &MachineSystem,
        since: Instant,
        search: impl FnOnce(&Checkpoints<'_>) -> R,
    ) -> R {
        // A layout that turns out too narrow is made anew, and the search begins with it.
        let fits = |r: &&Resumed| r.earlier.hulls == plain.packer().layout.hulls;
        let from = self.resumed.as_ref().filter(fits).and_then(|r| {
            plain.packer().world.cuts.note_all(&r.cuts);
            r.saved.take()
        });
        let (due, keep) = (|| self.due(), |image: &Image<'_>| self.keep(image, plain, since));
        self.watch.pause.ready(self.args.checkpoint.is_some());
        let result = search(&Checkpoints { due: &due, keep: &keep, from: Cell::new(from) });
        self.watch.pause.ready(false);
        result
    }

    /// What reports say of it.
    pub(super) fn notes(&self) -> Vec<Message> {
        let note = |code: Code, severity, message| Message {
            severity,
            code: code.as_str(),
            meaning: code.meaning(),
            message,
            location: None,
            help: None,
        };
        let from = self.resumed.as_ref().map(|r| format!("the search went on from `{}`", r.path.display()));
        let from = from.map(|text| note(Code::Resumed, Severity::Note, text));
        let failed = self.failed.borrow().clone().map(|text| note(Code::NotKept, Severity::Warning, text));
        from.into_iter().chain(failed).collect()
    }
}

/// Opens a file, and takes it if it is of the same search.
fn resumed(path: &Path, identity: &Identity, threads: usize) -> Result<Resumed, Diagnostic> {
    let refused = |why: String| {
        Diagnostic::without_place(Code::BadOption, format!("`--resume {}`: {why}", path.display()))
    };
    let damage = |d: crate::explore::checkpoint::Damage| refused(d.to_string());
    let mut file = Checkpoint::open(path).map_err(damage)?;
    let content = || refused("it is not what this version of bsym writes".to_owned());
    let about: About = serde_json::from_str(&file.about).map_err(|_| content())?;
    if let Some(why) = other(&about.identity, identity) {
        return Err(
            refused(why).with_help("go on with what it was written for, or begin anew without `--resume`")
        );
    }
    let (mut values, mut bytes) = (Vec::new(), file.values.as_slice());
    while !bytes.is_empty() {
        values.push(stored::take(&mut bytes).ok_or_else(content)?);
    }
    let cuts = Cuts::default();
    about.cuts.iter().for_each(|cut| cuts.note(cut));
    about.voids.iter().for_each(|at| cuts.note_void(*at));
    about.recursions.iter().for_each(|(at, name)| cuts.note_recursion(*at, name));
    let saved = Cell::new(Some(file.saved(threads).map_err(damage)?));
    let earlier = Earlier { hulls: about.hulls, values };
    Ok(Resumed { path: path.to_owned(), saved, earlier, seconds: about.seconds, cuts })
}

/// Why a file is of another search.
fn other(then: &Identity, now: &Identity) -> Option<String> {
    if then.program != now.program {
        return Some("it was written by another version of bsym".to_owned());
    }
    if then.files != now.files {
        let changed = now.files.iter().find(|f| !then.files.contains(f));
        let missing = || then.files.iter().find(|f| !now.files.contains(f));
        let name = changed.or_else(missing).map_or("", |(name, _)| name);
        return Some(if name.starts_with("--") {
            format!("other checks were asked for: `{name}` is not as it was")
        } else {
            format!("it is of another machine: `{name}` is not as it was")
        });
    }
    if then.sizes != now.sizes {
        return Some("it is of other sizes of sets or limits of integers".to_owned());
    }
    if then.excuses != now.excuses {
        return Some(
            "what the refinement check before the search has come to is not what it had come to".to_owned(),
        );
    }
    (then.options != now.options).then(|| "other checks were asked for, or another reduction".to_owned())
}

/// The options that bear on what is found.
fn options(args: &CheckArgs) -> String {
    let same = CheckArgs {
        file: PathBuf::new(),
        kept: CheckpointArgs::default(),
        threads: 1,
        max_states: None,
        max_depth: None,
        timeout: None,
        max_memory: None,
        property_timeout: Duration::ZERO,
        format: String::new(),
        full: false,
        show_expr: Vec::new(),
        trace_full: false,
        trace_out: None,
        expect: None,
        accept_bounds: false,
        explain_symmetry: false,
        explain_evaluator: false,
        time_keys: false,
        no_jit: false,
        quiet: false,
        verbose: false,
        ..args.clone()
    };
    format!("{same:?}")
}

/// The checksum of the program that runs.
fn program() -> String {
    let mut sum = blake3::Hasher::new();
    let file = std::env::current_exe().and_then(std::fs::File::open);
    let read = file.and_then(|f| sum.update_reader(f).map(|_| ()));
    // Who cannot read it is told apart by nothing but the version.
    read.map_or_else(|_| env!("CARGO_PKG_VERSION").to_owned(), |()| sum.finalize().to_hex().to_string())
}

/// The name and the checksum of a file of the machine; it may lie in another folder.
fn file(f: &SourceFile) -> (String, String) {
    let name = f.path.file_name().map_or_else(String::new, |n| n.display().to_string());
    (name, sum(f.text.as_bytes()))
}

fn sum(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
