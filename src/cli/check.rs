//! `bsym check`: explore a machine, at one size or at several, and report.

use super::args::CheckArgs;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::formulas::{self, Wanted};
use super::last_words::{self, AtWork, Begun};
use super::levels::{self, Ready};
use super::load::{self, Loaded};
use super::out;
use super::progress;
use super::run::Subject;
use super::temporal::{self, Decider};
use super::{files, run, watch, watched};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::explore::Stop;
use crate::explore::limits::{self, Watch};
use crate::ir::{Formula, Machine, Settings, Watched};
use crate::model::card::Asked;
use crate::refine::Plan;
use crate::report::broken::{Broken, Known};
use crate::report::build;
use crate::report::excused::Callers;
use crate::report::refinement::Judged;
use crate::report::traces::{self, TraceFormat};
use crate::report::{FORMATS, Format, Message, Refusal, Report, Sweep};
use crate::resolve::Flat;
use crate::source::Sources;
use crate::temporal::lower::Offered;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: &CheckArgs, start: Instant) -> Exit {
    run_told(args, start, &mut |_| {})
}

/// As [`run`]; the report of one size is told as soon as it is written.
pub(super) fn run_told(args: &CheckArgs, start: Instant, told: &mut dyn FnMut(&Report)) -> Exit {
    let mut sources = args.places.sources();
    let format = FORMATS.iter().find(|f| f.name == args.format);
    let done = match args.world.sweep() {
        Ok(Some(_)) if args.kept.is_asked() => {
            let text = "`--checkpoint` and `--resume` are for one size of each set";
            Err(vec![Diagnostic::without_place(Code::BadOption, text)])
        }
        Ok(Some((set, sizes))) => {
            sweep(args, set, sizes, start, &mut sources).map(|s| swept(args, format, &s))
        }
        // The limits hold until all is written.
        Ok(None) => one(args, start, &mut sources).map(|(r, _watch)| {
            let exit = reported(args, format, &r);
            told(&r);
            exit
        }),
        Err(error) => Err(vec![error]),
    };
    done.unwrap_or_else(|errors| {
        load::print(&errors, &sources);
        if let Some(format) = format {
            let messages = errors.iter().map(|d| Message::of(d, &sources)).collect();
            let text = (format.refused)(&Refusal { file: args.file.display().to_string(), messages });
            // The input is refused whether or not that can be written.
            out::print(&text, Exit::Refused);
        }
        expected(args, "refused", Exit::Refused)
    })
}

/// One size.
fn one(args: &CheckArgs, start: Instant, sources: &mut Sources) -> Result<(Report, Watch), Vec<Diagnostic>> {
    let asked = args.world.asked().map_err(|e| vec![e])?;
    let watch = watch::start(args.timeout, args.max_memory, start, &CtrlC::new());
    let _shown = progress::of_check(args.quiet, start);
    let report = at(args, &asked, start, sources, &watch)?;
    Ok((report, watch))
}

/// Writes the report of one size.
fn reported(args: &CheckArgs, format: Option<&Format>, report: &Report) -> Exit {
    if let Err(error) = write_trace(args, report) {
        return load::refuse(error);
    }
    last_words::writing();
    let exit = expected(args, report.verdict.name(), report.verdict.into());
    let exit = match format {
        Some(format) => out::say(|out| (format.write)(report, out), exit),
        None => exit,
    };
    if args.explain_symmetry && args.format == "text" {
        let lines: String = report.symmetry_sets.iter().map(|l| format!("{}\n", l.text)).collect();
        return out::print(&lines, exit);
    }
    exit
}

/// Several sizes, until one does not hold.
fn sweep(
    args: &CheckArgs,
    set: Option<String>,
    sizes: Vec<u32>,
    start: Instant,
    sources: &mut Sources,
) -> Result<Sweep, Vec<Diagnostic>> {
    let ctrl_c = CtrlC::new();
    let mut runs = Vec::new();
    for &size in &sizes {
        let begin = if runs.is_empty() { start } else { Instant::now() };
        limits::forget_peak();
        // Warnings are the same at every size.
        *sources = args.places.sources();
        let watch = watch::start(args.timeout, args.max_memory, begin, &ctrl_c);
        let _shown = progress::of_check(args.quiet, begin);
        let report = at(args, &args.world.asked_at(size), begin, sources, &watch)?;
        if report.sets.is_empty() {
            let text = "the machine has no deferred set whose size could vary";
            return Err(vec![Diagnostic::without_place(Code::BadOption, text)]);
        }
        let on = report.verdict.is_fine() || args.keep_going;
        runs.push((size, report));
        if !on || ctrl_c.pressed() {
            break;
        }
    }
    Ok(Sweep { set, asked: sizes, runs })
}

/// Writes the report of several sizes.
fn swept(args: &CheckArgs, format: Option<&Format>, s: &Sweep) -> Exit {
    if let Some(report) = s.worst().map(|(_, r)| r)
        && let Err(error) = write_trace(args, report)
    {
        load::print(&[error], &Sources::default());
        return Exit::Refused;
    }
    let exit = expected(args, s.verdict().name(), s.verdict().into());
    match format {
        Some(format) => out::print(&(format.sweep)(s), exit),
        None => exit,
    }
}

/// Writes the first trace where it is wanted.
fn write_trace(args: &CheckArgs, report: &Report) -> Result<(), Diagnostic> {
    let Some(path) = &args.trace_out else { return Ok(()) };
    let format = trace_format(path)?;
    if !traces::is_whole(report) {
        return Err(Diagnostic::without_place(
            Code::BadOption,
            "the values in the trace are too large to be written",
        ));
    }
    let Some(text) = traces::write(format, report) else {
        tell!("note: there is no trace to write");
        return Ok(());
    };
    files::write(path, &text).map_err(|e| {
        Diagnostic::without_place(
            Code::FileUnreadable,
            format!("`{}` cannot be written: {e}", path.display()),
        )
    })?;
    tell!("note: trace written to `{}`; sizes: {}", path.display(), traces::hint(report));
    Ok(())
}

/// The format for a file's name.
fn trace_format(path: &Path) -> Result<&'static TraceFormat, Diagnostic> {
    let name = path.display().to_string();
    traces::find(&name).filter(|f| f.write.is_some()).ok_or_else(|| {
        Diagnostic::without_place(
            Code::BadOption,
            format!("`{name}` does not end in .prob2trace or .itf.json"),
        )
    })
}

/// What is searched.
struct Searched {
    machine: Machine,
    /// Of a refinement check, which invariants and operations are whose.
    plan: Option<Plan>,
    /// The refinement checks beside it.
    levels: Vec<Ready>,
    warnings: Vec<Diagnostic>,
    /// These stand in the report only.
    notes: Vec<Diagnostic>,
}

/// What formulas speak of.
struct Spoken {
    /// The machine, before it was typed.
    flat: Flat,
    operations: Vec<Offered>,
    wanted: Vec<Wanted>,
    /// What is shown of the states of their paths.
    watched: Vec<Watched>,
}

/// Reads the machine and all that is asked of it.
fn read(args: &CheckArgs, sources: &mut Sources) -> Result<(Searched, Spoken), Vec<Diagnostic>> {
    let Loaded { mut machine, mut notes, flat } = match args.refine {
        Some(notion) => load::load_joint(&args.file, sources, notion, &args.given)?,
        None => load::load_given(&args.file, sources, &args.given)?,
    };
    machine.watched = watched::watched(&args.show_expr, &flat, sources)?;
    let alone = by_itself(args, &flat, sources)?;
    let (spoken, own) = alone.as_ref().map_or((&machine, &flat), |a| (&a.machine, &a.flat));
    let wanted = formulas::wanted(args, spoken, own, sources, &mut notes)?;
    let operations = formulas::offered(spoken);
    let watched = watched_alone(args, alone.as_ref(), &machine, sources);
    let plan = flat.joint.as_ref().map(|joint| Plan::new(&mut machine, joint));
    let levels = levels::read(args, &flat.levels, &mut notes, sources);
    notes.extend(leave_out(args, &mut machine));
    let (warnings, notes) = notes.into_iter().partition(|n| n.severity == Severity::Warning);
    let flat = alone.map_or(flat, |a| a.flat);
    Ok((Searched { machine, plan, levels, warnings, notes }, Spoken { flat, operations, wanted, watched }))
}

/// Loads the machine and runs it at one size.
fn at(
    args: &CheckArgs,
    asked: &Asked,
    start: Instant,
    sources: &mut Sources,
    watch: &Watch,
) -> Result<Report, Vec<Diagnostic>> {
    // A wrong name is better found before the search than after it.
    if let Some(path) = &args.trace_out {
        trace_format(path).map_err(|e| vec![e])?;
    }
    prepare_last_words(args, start);
    last_words::at_work(AtWork::Loading);
    let (searched, Spoken { flat, operations, wanted, watched }) = read(args, sources)?;
    last_words::at_work(AtWork::Preparing);
    load::print(&searched.warnings, sources);
    let decider = Decider {
        args,
        asked,
        flat: &flat,
        operations: &operations,
        sources,
        watch,
        wanted: &wanted,
        watched: &watched,
    };
    prepare_known(&decider, &searched);
    // A pair of machines has states of its own.
    // What formulas record is not kept in a file: they are decided afterwards then.
    let afterwards = wanted.is_empty() || searched.plan.is_some() || args.kept.is_asked();
    let begun = if afterwards { None } else { decider.ahead() };
    search(&decider, begun, searched, start)
}

/// Searches, with the refinement checks beside, and decides the formulas.
fn search(
    decider: &Decider<'_>,
    begun: Option<temporal::Begun>,
    Searched { machine, plan, levels, warnings, notes }: Searched,
    start: Instant,
) -> Result<Report, Vec<Diagnostic>> {
    let Decider { args, asked, sources, watch, wanted, .. } = *decider;
    let last = levels.is_empty() && wanted.is_empty() && !args.more;
    let sizes = match levels[..] {
        [] => levels::Sizes::asked(asked),
        _ => levels::sizes_of((&machine, decider.flat), asked, &levels, watch.interrupt.clone())
            .map_err(|e| vec![e])?,
    };
    // Where callers cannot be asked there may be states without end, and what is the callers' doing must be known.
    let unasked = plan.is_none() && levels::is_unasked(&notes);
    let (before, after) = if unasked { (levels, Vec::new()) } else { (Vec::new(), levels) };
    let covered = before.first().is_some_and(|level| level.covers(&machine, sources));
    let loaded = Instant::now();
    let mut judged = levels::check(args, None, &sizes, before, watch);
    last_words::no_longer_beside(&judged);
    let enough = !args.keep_going && judged.iter().any(Judged::fails);
    let own_args = if enough { levels::first_states(args) } else { args.clone() };
    let callers = match judged.first().filter(|_| covered) {
        Some(own) if own.holds() => Callers::MayNot,
        Some(own) if own.is_open() => Callers::Unknown,
        _ => Callers::May,
    };
    let subject = Subject { machine, plan, callers, beside: false, last };
    let formulas = begun.as_ref().map(|begun| (decider, begun));
    let told = (&warnings[..], &notes[..]);
    let start = start + loaded.elapsed();
    let ran = run::run(&own_args, asked, (subject, formulas), told, sources, start, watch);
    let (mut report, mut shared) = ran.map_err(|e| vec![e])?;
    if enough && report.stopped_by == Some(Stop::States.name()) {
        report.stopped_by = Some(Stop::Violation.name());
        shared = None;
    }
    if callers == Callers::Unknown && report.excuses {
        judged.first_mut().into_iter().for_each(Judged::open);
    }
    // How far the search came that formulas were decided in.
    let stopped_by = report.stopped_by;
    judged.extend(levels::check(args, stopped_by, &sizes, after, watch));
    // Last, since a refinement by itself may go on without end where its callers may not.
    if !wanted.is_empty() {
        crate::report::formulas::add(&mut report, decider.after(stopped_by, begun, shared));
    }
    crate::report::refinement::add(&mut report, judged);
    Ok(report)
}

/// A refinement without the machine that it refines, for formulas: they speak of its own runs, not of what may go on beside it.
fn by_itself(
    args: &CheckArgs,
    flat: &Flat,
    sources: &mut Sources,
) -> Result<Option<Loaded>, Vec<Diagnostic>> {
    let wanted = args.refine.is_some() && formulas::are_asked(args, flat);
    wanted.then(|| load::load_given(&args.file, sources, &args.given)).transpose()
}

/// What is shown of the states of formulas' paths.
fn watched_alone(
    args: &CheckArgs,
    alone: Option<&Loaded>,
    machine: &Machine,
    sources: &mut Sources,
) -> Vec<Watched> {
    match alone {
        // What is only the refined machine's has no value there.
        Some(alone) => watched::watched(&args.show_expr, &alone.flat, sources).unwrap_or_default(),
        None => machine.watched.clone(),
    }
}

/// What is known before the search, for a report of a run that ends in the middle of a single step.
fn prepare_known(decider: &Decider<'_>, searched: &Searched) {
    let Searched { machine, plan, levels, warnings, notes } = searched;
    let message = |d: &Diagnostic| Message::of(d, decider.sources);
    let checks = run::checks(decider.args, plan.is_some());
    last_words::more(|known| {
        known.machine = machine.name.to_string();
        known.warnings = warnings.iter().map(message).collect();
        known.notes = notes.iter().map(message).collect();
        known.properties = build::properties(machine, decider.sources, checks);
        known.refinements = levels.iter().map(|l| l.line.clone()).collect();
        known.formulas = decider.none("").into_iter().map(|d| d.line).collect();
    });
}

/// Takes out what options leave unchecked; what of it the file states is among what was not checked.
fn leave_out(args: &CheckArgs, machine: &mut Machine) -> Vec<Diagnostic> {
    let told = |what: &str, option: &str, first: Option<&Formula>| {
        let text = format!("not checked: {what} (`{option}`)");
        first.map(|f| Diagnostic::warning(Code::NotChecked, f.pred.span, text))
    };
    let mut notes = Vec::new();
    if args.no_invariant {
        notes.extend(told("the invariant", "--no-invariant", machine.invariants.first()));
        machine.invariants.clear();
    }
    if args.no_assertions {
        notes.extend(told("the assertions", "--no-assertions", machine.assertions.first()));
        machine.assertions.clear();
    }
    if args.no_goal {
        notes.extend(told("the goal", "--no-goal", machine.goal.as_ref()));
        machine.goal = None;
    }
    notes
}

/// The report for the case that memory or patience ends in the middle of a single step.
fn prepare_last_words(args: &CheckArgs, start: Instant) {
    let file = args.file.display().to_string();
    let stem = args.file.file_stem().map_or_else(|| file.clone(), |s| s.to_string_lossy().into_owned());
    let usual = Settings::default();
    let integers = (args.world.maxint.unwrap_or(usual.maxint), args.world.minint.unwrap_or(usual.minint));
    let run = Broken {
        file,
        known: Known { machine: stem, integers, ..Known::default() },
        symmetry: args.symmetry.clone(),
        constants: run::mode(args).name(),
        ..Broken::default()
    };
    let format = FORMATS.iter().find(|f| f.name == args.format);
    last_words::prepare(Begun { run, format, start });
}

/// The exit code, turned to 0 if the verdict is the expected one.
fn expected(args: &CheckArgs, verdict: &str, exit: Exit) -> Exit {
    let exit = if exit == Exit::Bounds && args.accept_bounds { Exit::Fine } else { exit };
    match &args.expect {
        Some(wanted) if wanted == verdict => Exit::Fine,
        Some(wanted) if exit == Exit::Fine => {
            tell!("error: the verdict is `{verdict}`, expected `{wanted}`");
            Exit::Violated
        }
        _ => exit,
    }
}
