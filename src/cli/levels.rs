//! The refinement checks beside a check: one for each level of the chain of REFINES.
//!
//! In: the chain, the options of the check, its report. Out: what came of each level ([`Judged`]). A level whose two
//! machines cannot be put together is told among what was not checked, with the reason.

use super::args::{CheckArgs, GivenArgs, GoalsArg};
use super::load::{self, Loaded};
use super::run::{self, Subject};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::explore::limits::Watch;
use crate::ir::Machine;
use crate::model::card::Asked;
use crate::refine::Plan;
use crate::report::refinement::{Judged, RefinementLine};
use crate::report::{Location, Message, Report, Verdict, Violation};
use crate::resolve::flat::{Level, Notion};
use crate::resolve::{UNASKED, not_checked};
use crate::source::Sources;
use std::time::Instant;

/// A level that can be checked.
pub(super) struct Ready {
    pub(super) line: RefinementLine,
    machine: Machine,
    plan: Plan,
    notes: Vec<Diagnostic>,
    sources: Sources,
    /// The places of the gluing invariant.
    glued: Vec<Location>,
}

/// Reads the machines of all levels, and mends the notes on what is not checked.
pub(super) fn read(
    args: &CheckArgs,
    chain: &[Level],
    notes: &mut Vec<Diagnostic>,
    sources: &Sources,
) -> Vec<Ready> {
    if args.no_refinement {
        return Vec::new();
    }
    let notion = args.refine.unwrap_or(Notion::Gluing);
    let mut out = Vec::new();
    for level in chain.iter().skip(usize::from(args.refine.is_some())) {
        let told = not_checked(&level.refined, None);
        notes.retain(|n| *n != told);
        match ready(args, level, notion, sources) {
            Ok(ready) => out.push(ready),
            Err(why) => notes.push(not_checked(&level.refined, Some(&why))),
        }
    }
    let is_glued = |n: &Diagnostic| {
        let place = n.span.and_then(|s| Location::of(s, sources));
        n.code == Code::NotChecked && place.is_some_and(|p| out.iter().any(|r| r.glued.contains(&p)))
    };
    notes.retain(|n| !is_glued(n));
    out
}

fn ready(args: &CheckArgs, level: &Level, notion: Notion, whole: &Sources) -> Result<Ready, String> {
    let mut sources = args.places.sources();
    // The definition may be one of a level below.
    sources.replacements.iter_mut().for_each(|r| r.needed = false);
    // Constants of this machine have the values that they are given; deeper ones may have others.
    let set = if level.file == args.file { args.given.set.clone() } else { Vec::new() };
    let given = GivenArgs { set, ..GivenArgs::default() };
    let loaded = load::load_joint(&level.file, &mut sources, notion, &given).map_err(|e| {
        let errors = e.iter().filter(|d| d.severity == Severity::Error);
        errors.chain(&e).next().map_or_else(String::new, |d| Message::of(d, &sources).line())
    })?;
    let Loaded { mut machine, notes, flat } = loaded;
    let plan = flat.joint.as_ref().map(|joint| Plan::new(&mut machine, joint));
    let plan = plan.ok_or_else(|| "it refines no machine".to_owned())?;
    let gluing = machine.invariants.get(plan.gluing.clone()).unwrap_or_default();
    let glued = gluing.iter().filter_map(|f| Location::of(f.pred.span, &sources)).collect();
    let line = RefinementLine {
        refinement: level.refinement.to_string(),
        refined: level.refined.name.to_string(),
        against: notion.name(),
        location: Location::of(level.refined.span, whole),
        verdict: Verdict::Incomplete,
        reason: None,
        states: 0,
        violations: 0,
        full_states: None,
        transitions: 0,
        seconds: 0.0,
    };
    Ok(Ready { line, machine, plan, notes, sources, glued })
}

/// Checks a level at the sizes of a report, whose search has ended.
pub(super) fn check(args: &CheckArgs, report: &Report, asked: &Asked, level: Ready, watch: &Watch) -> Judged {
    let Ready { line, machine, plan, notes, sources, .. } = level;
    if let Some(why @ ("time" | "memory" | "interrupted")) = report.stopped_by {
        return Judged::undone(line, format!("the search stopped ({why})"));
    }
    // A level need not have all sets of the last one.
    let is_there = |name: &&String| machine.sets.iter().any(|s| *s.name == ***name);
    let permute = args.permute.as_ref().map(|names| names.iter().filter(is_there).cloned().collect());
    let args = CheckArgs {
        refine: Some(plan.notion),
        coverage: false,
        require_coverage: false,
        goals: GoalsArg::First,
        permute,
        ..args.clone()
    };
    let asked = sized(asked, report, &machine);
    let (warnings, notes): (Vec<_>, Vec<_>) =
        notes.into_iter().partition(|n| n.severity == Severity::Warning);
    let subject = Subject { machine, plan: Some(plan), excuse_calls: false, beside: true, last: false };
    match run::run(&args, &asked, (subject, None), (&warnings, &notes), &sources, Instant::now(), watch) {
        Ok((report, _)) => Judged::of(line, report),
        Err(why) => Judged::undone(line, Message::of(&why, &sources).line()),
    }
}

/// Whether operations may be called outside a precondition that cannot be asked.
pub(super) fn is_unasked(notes: &[Diagnostic]) -> bool {
    notes.iter().any(|n| n.code == Code::Ignored && n.message == UNASKED)
}

/// Whether what a check of the refinement by itself has found may be the doing of who called an operation outside a precondition
/// that it cannot ask, while calls within lead to nothing of the kind: the refinement holds, on all pairs of states.
pub(super) fn is_excused(report: &Report, first: Option<&Judged>) -> bool {
    let of_call = |v: &Violation| v.kind == "invariant" || v.kind == "error" && v.operation.is_some();
    first.is_some_and(Judged::holds) && report.violations.iter().any(of_call)
}

/// The sizes of a report, for another machine of the chain.
fn sized(asked: &Asked, report: &Report, machine: &Machine) -> Asked {
    let is_open = |name: &str| machine.sets.iter().any(|s| *s.name == *name && s.elements.is_none());
    let named = report.sets.iter().filter(|s| is_open(&s.name)).map(|s| (s.name.clone(), s.size)).collect();
    let (maxint, minint) = report.integers;
    Asked { named, maxint: Some(maxint), minint: Some(minint), ..asked.clone() }
}
