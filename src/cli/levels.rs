//! The refinement checks beside a check: one for each level of the chain of REFINES.
//!
//! In: the chain, the options of the check, the sizes of its sets. Out: what came of each level ([`Judged`]). A level whose two
//! machines cannot be put together is told among what was not checked, with the reason.

use super::args::{CheckArgs, GivenArgs, GoalsArg};
use super::load::{self, Loaded};
use super::run::{self, Subject};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::eval::{Env, Evaluator};
use crate::explore::limits::Watch;
use crate::ir::{Formula, Machine};
use crate::model::card::{self, Asked};
use crate::ops::{Fault, Interrupt, Op};
use crate::refine::Plan;
use crate::report::excused::Callers;
use crate::report::refinement::{Judged, RefinementLine};
use crate::report::{Location, Message, Verdict};
use crate::resolve::flat::{Flat, Level, Notion};
use crate::resolve::{UNASKED, not_checked, resolve_formula};
use crate::source::{Sources, Span};
use crate::syntax::ast::{Name, Node, NodeKind};
use crate::types::{Typed, typecheck_formula};
use crate::value::Value;
use std::sync::Arc;
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
    /// Those of all invariants.
    checked: Vec<Location>,
    /// Whether it is about the refinement that is checked by itself, and not one further up.
    is_own: bool,
}

impl Sizes {
    /// Sizes that were asked for.
    pub(super) fn asked(asked: &Asked) -> Self {
        Self { asked: asked.clone(), unknown: Vec::new() }
    }
}

impl Ready {
    /// Whether what a refinement is checked for by itself is checked here, too.
    pub(super) fn covers(&self, refinement: &Machine, sources: &Sources) -> bool {
        let is_checked = |at| Location::of(at, sources).is_some_and(|place| self.checked.contains(&place));
        self.is_own && refinement.invariants.iter().all(|i| is_checked(i.pred.span))
    }
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
    let unasked = is_unasked(notes);
    let mut out = Vec::new();
    for level in chain.iter().skip(usize::from(args.refine.is_some())) {
        let told = not_checked(&level.refined, None);
        notes.retain(|n| *n != told);
        match ready(args, level, (notion, unasked), sources) {
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

/// A level, with the machines' own invariants; with those of the command line where only both machines together tell which calls are
/// allowed (`unasked`).
fn ready(
    args: &CheckArgs,
    level: &Level,
    (notion, unasked): (Notion, bool),
    whole: &Sources,
) -> Result<Ready, String> {
    let mut sources = args.places.sources();
    // The definition may be one of a level below.
    sources.replacements.iter_mut().for_each(|r| r.needed = false);
    // Constants of this machine have the values that they are given; deeper ones may have others.
    let mut given = GivenArgs::default();
    let is_own = level.file == args.file;
    if is_own {
        given.set.clone_from(&args.given.set);
        given.scope.clone_from(&args.given.scope);
        if unasked {
            given.invariant.clone_from(&args.given.invariant);
        }
    }
    let loaded = load::load_joint(&level.file, &mut sources, notion, &given).map_err(|e| {
        let errors = e.iter().filter(|d| d.severity == Severity::Error);
        errors.chain(&e).next().map_or_else(String::new, |d| Message::of(d, &sources).line())
    })?;
    let Loaded { mut machine, notes, flat } = loaded;
    let plan = flat.joint.as_ref().map(|joint| Plan::new(&mut machine, joint));
    let plan = plan.ok_or_else(|| "it refines no machine".to_owned())?;
    let gluing = machine.invariants.get(plan.gluing.clone()).unwrap_or_default();
    let places = |list: &[Formula]| list.iter().filter_map(|f| Location::of(f.pred.span, &sources)).collect();
    let (glued, checked) = (places(gluing), places(&machine.invariants));
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
        outside_scope: 0,
        transitions: 0,
        seconds: 0.0,
    };
    Ok(Ready { line, machine, plan, notes, sources, glued, checked, is_own })
}

/// Checks levels at given sizes ([`sizes_of`]), if no limit has stopped what was searched before them.
pub(super) fn check(
    args: &CheckArgs,
    stopped_by: Option<&str>,
    sizes: &Sizes,
    levels: Vec<Ready>,
    watch: &Watch,
) -> Vec<Judged> {
    levels.into_iter().map(|level| one(args, stopped_by, sizes, level, watch)).collect()
}

fn one(args: &CheckArgs, stopped_by: Option<&str>, sizes: &Sizes, level: Ready, watch: &Watch) -> Judged {
    let Ready { line, machine, plan, notes, sources, .. } = level;
    if let Some(why @ ("time" | "memory" | "interrupted")) = stopped_by {
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
    let is_open = |name: &str| machine.sets.iter().any(|s| *s.name == *name && s.elements.is_none());
    if let Some(name) = sizes.unknown.iter().find(|name| is_open(name)) {
        let why = format!("how many members the value of `{name}` has is not known");
        return Judged::undone(line, why);
    }
    let named = sizes.asked.named.iter().filter(|(name, _)| is_open(name)).cloned().collect();
    let asked = Asked { named, ..sizes.asked.clone() };
    let (warnings, notes): (Vec<_>, Vec<_>) =
        notes.into_iter().partition(|n| n.severity == Severity::Warning);
    let subject = Subject { machine, plan: Some(plan), callers: Callers::May, beside: true, last: false };
    match run::run(&args, &asked, (subject, None), (&warnings, &notes), &sources, Instant::now(), watch) {
        Ok((report, _)) => Judged::of(line, report),
        Err(why) => Judged::undone(line, Message::of(&why, &sources).line()),
    }
}

/// Whether operations may be called outside a precondition that cannot be asked.
pub(super) fn is_unasked(notes: &[Diagnostic]) -> bool {
    notes.iter().any(|n| n.code == Code::Ignored && n.message == UNASKED)
}

/// States of a refinement by itself that are looked at where a step that does not refine is known, so that what is wrong there, too, is
/// told: less than a second of states that take a millisecond.
const FIRST: u64 = 1000;

/// The options of a check of the refinement by itself where a step that does not refine is known: its first states only.
pub(super) fn first_states(args: &CheckArgs) -> CheckArgs {
    CheckArgs {
        max_states: Some(args.max_states.map_or(FIRST, |most| most.min(FIRST))),
        coverage: false,
        require_coverage: false,
        goals: GoalsArg::First,
        ..args.clone()
    }
}

/// Sizes for the machines of a chain.
pub(super) struct Sizes {
    asked: Asked,
    /// Sets that have a value of which the size is not known.
    unknown: Vec<Name>,
}

/// The sizes of a machine's sets, for the other machines of its chain; of sets to which it gives values (VALUES), the sizes of these.
///
/// # Errors
/// Sizes that make no sense for the machine.
pub(super) fn sizes_of(
    (machine, flat): (&Machine, &Flat),
    asked: &Asked,
    levels: &[Ready],
    interrupt: Interrupt,
) -> Result<Sizes, Diagnostic> {
    let sizes = card::sizes(machine, asked)?;
    let own = machine.sets.iter().zip(&sizes.sizes).map(|(set, (n, _))| (set.name.to_string(), *n));
    let mut named: Vec<(String, u32)> = own.collect();
    // Further up a set may be deferred that has a value here.
    let world = card::world(machine, &sizes, interrupt);
    let evaluator = Evaluator::new(Arc::new(machine.clone()), Arc::new(world));
    let mut unknown = Vec::new();
    for set in levels.iter().flat_map(|level| &level.machine.sets).filter(|set| set.elements.is_none()) {
        if named.iter().any(|(name, _)| **name == *set.name) {
            continue;
        }
        match size_of(&set.name, flat, &evaluator) {
            Some(Ok(n)) => named.push((set.name.to_string(), n)),
            Some(Err(_)) => unknown.push(set.name.clone()),
            None => {}
        }
    }
    let asked = Asked { named, maxint: Some(sizes.maxint), minint: Some(sizes.minint), ..asked.clone() };
    Ok(Sizes { asked, unknown })
}

/// The size of what a name means in a machine, as far as no constant decides it; `None` if it means nothing there.
fn size_of(name: &Name, flat: &Flat, evaluator: &Evaluator) -> Option<Result<u32, Fault>> {
    let node = |kind| Node { kind, span: Span::default() };
    let set = node(NodeKind::Name(name.clone()));
    let size = resolve_formula(node(NodeKind::Op(Op::Card, vec![set])), flat).ok()?;
    let Typed::Expr(size, frame) = typecheck_formula(&size, flat).ok()? else { return None };
    let unset = |n: usize| Arc::new(vec![None; n]);
    let Machine { constants, variables, .. } = &*evaluator.machine;
    let mut env = Env::new(unset(constants.len()), unset(variables.len()), frame);
    let too_large = || Fault::new(Code::TooLarge, "a set with too many members");
    Some(evaluator.expr(&size, &mut env).and_then(|n| match n {
        Value::Int(n) => u32::try_from(n).map_err(|_| too_large()),
        _ => Err(too_large()),
    }))
}
