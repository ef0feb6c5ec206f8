//! `bsym trace`: replay traces on the unreduced machine.
//!
//! Every step is looked for in all states that fit the steps before, among the edges of the operation that it names: what the
//! trace says of constants, parameters and results is part of what is solved. All valuations of the constants that fit count,
//! and there is no symmetry; so a trace fails only if no run of the machine is described by it. Siblings: `values`, `end` (what a last state is to show), `seen` (states on the way), `page` (as HTML). Where a file says
//! what its end is to show (the reports of `check` do), that is checked, too. When time is up, what was replayed until
//! then is told.

mod end;
mod page;
mod seen;
pub(super) mod values;

use self::end::shows;
use self::seen::Seen;
use self::values::{Reader, Real, Said, difference};
use super::args::TraceArgs;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::load::{self, Loaded};
use super::out;
use super::run::columns;
use super::setup::{Setup, property_time};
use super::watch;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{ConstId, Decl, Expr, ExprKind, Local, LocalId, Machine, Pred, PredKind};
use crate::layout::{Pool, StateLayout};
use crate::model::constants::{Mode, Table};
use crate::model::machine_system::valuation;
use crate::model::{MachineSystem, Plain as _, PropertyTime, Steps, System as _, twins};
use crate::ops::{Interrupt, Op};
use crate::report::html::replay::{End, Replayed};
use crate::report::steps::{self, Look};
use crate::report::traces::{self, INITIALISATION, Recorded, RecordedStep, SETUP};
use crate::resolve::Flat;
use crate::source::Sources;
use crate::ty::Ty;
use crate::value::Value;
use hashbrown::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The formats that a replay is written in.
pub(super) const FORMATS: [&str; 2] = ["text", HTML];
const HTML: &str = "html";

/// Runs the command.
pub(super) fn run(args: &TraceArgs, start: Instant) -> Exit {
    let mut sources = args.places.sources();
    let watch = watch::start(args.timeout, None, start, &CtrlC::new());
    let replay = match prepare(args, &mut sources, &watch.interrupt) {
        Ok(ready) => ready,
        Err(errors) => {
            load::print(&errors, &sources);
            return Exit::Refused;
        }
    };
    let text = args.format != HTML;
    let mut done: Vec<Replayed> = Vec::new();
    for (i, trace) in replay.all.iter().enumerate() {
        let replayed = seen::replayed(&replay, trace, args.show || !text);
        if text && out::print(&told(&replayed, i, replay.all.len(), args.show), Exit::Fine) != Exit::Fine {
            return Exit::Refused;
        }
        let stopped = replayed.end == End::Stopped;
        done.push(replayed);
        if stopped {
            break;
        }
    }
    let exit = exit(&done);
    if !text {
        let (file, trace) = (args.file.display().to_string(), args.trace.display().to_string());
        return out::print(&page::write(&replay, file, trace, done), exit);
    }
    match replay.all.len() - done.len() {
        _ if replay.all.is_empty() => out::print("no trace in the file\n", exit),
        0 => exit,
        rest => out::print(&format!("{rest} more traces were not replayed\n"), exit),
    }
}

/// What came of a trace, by its number, as text; with its steps if they are to be shown.
fn told(replayed: &Replayed, number: usize, all: usize, show: bool) -> String {
    let title = if all > 1 { format!("trace {}: ", number + 1) } else { String::new() };
    let mut out = format!("{title}{}\n", replayed.text);
    if show && !replayed.steps.is_empty() {
        let look = Look { columns: columns(), all: true, verbose: false };
        out += &format!("{}\n", steps::table(&replayed.steps, look));
    }
    out
}

/// The exit code: a trace that fails is a result whatever else there is.
fn exit(all: &[Replayed]) -> Exit {
    let any = |end: End| all.iter().any(|r| r.end == end);
    match () {
        () if any(End::Fails) => Exit::Violated,
        () if any(End::Stopped) => Exit::Limit,
        () => Exit::Fine,
    }
}

/// Why a trace was not replayed to its end.
enum Failure {
    /// It is no run of the machine.
    Wrong(String),
    /// Time is up.
    Stopped(String),
}

/// The traces of a file, and the machine that is to take their steps.
struct Replay {
    flat: Flat,
    setup: Setup,
    layout: Arc<StateLayout>,
    /// The time that properties have.
    time: Option<PropertyTime>,
    all: Vec<Recorded>,
}

fn prepare(
    args: &TraceArgs,
    sources: &mut Sources,
    interrupt: &Interrupt,
) -> Result<Replay, Vec<Diagnostic>> {
    let all = read(&args.trace).map_err(|e| vec![e])?;
    let Loaded { machine, flat, .. } = load::load(&args.file, sources)?;
    let asked = args.world.asked().map_err(|e| vec![e])?;
    let time = property_time(args.property_timeout, args.timeout);
    let setup = Setup::new(machine, &asked, Mode::All, interrupt.clone()).map_err(|e| vec![e])?;
    let types: Vec<Ty> = setup.machine.variables.iter().map(|v| v.ty.clone()).collect();
    let layout = Arc::new(StateLayout::new(&types, &setup.evaluator.world));
    Ok(Replay { flat, setup, layout, time, all })
}

/// The traces of a file.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(path: &Path) -> Result<Vec<Recorded>, Diagnostic> {
    let bad = |message: String| Diagnostic::without_place(Code::BadOption, message);
    let name = path.display().to_string();
    let format = traces::find(&name).ok_or_else(|| bad(endings(&name)))?;
    let text = crate::source::read_text(path).map_err(|e| {
        Diagnostic::without_place(Code::FileUnreadable, format!("`{name}` cannot be read: {e}"))
    })?;
    (format.read)(&text).map_err(|e| bad(format!("`{name}`: {e}")))
}

/// What file names are possible.
pub(super) fn endings(name: &str) -> String {
    let known: Vec<&str> = traces::FORMATS.iter().map(|f| f.ending).collect();
    format!("`{name}` does not end in {}", known.join(", "))
}

impl Replay {
    /// The system with the valuations of the constants that a trace allows.
    fn system(&self, trace: &Recorded) -> MachineSystem {
        let evaluator = &self.setup.evaluator;
        let machine = &self.setup.machine;
        let declared = declared(&machine.constants);
        let reader =
            Reader { flat: &self.flat, evaluator, constants: Arc::default(), variables: Arc::default() };
        let is_first = |s: &&RecordedStep| matches!(s.operation.as_deref(), Some(SETUP | INITIALISATION));
        let known = trace.steps.iter().take_while(is_first).flat_map(|step| {
            let values: Vec<_> = step.values.iter().filter(|v| of_constant(machine, v)).cloned().collect();
            reader.read(&values, &declared)
        });
        let known = known.filter_map(|s| self.equation(&s)).collect();
        let table = Table::of_known(evaluator, known);
        let table = match self.time {
            Some(time) => table.within(time),
            None => table,
        };
        let table = Arc::new(table);
        let pool = Arc::new(Pool::default());
        MachineSystem::new(evaluator.clone(), table, Arc::clone(&self.layout), pool)
    }

    /// Who reads what a trace says where the constants are as in a valuation.
    fn reader(&self, system: &MachineSystem, valuation: u32) -> Reader<'_> {
        let constants = system.constants(valuation).unwrap_or_default();
        Reader { flat: &self.flat, evaluator: &self.setup.evaluator, constants, variables: Arc::default() }
    }

    /// What is said of a constant as a predicate.
    fn equation(&self, said: &Said) -> Option<Pred> {
        let constants = &self.setup.machine.constants;
        let exact = constants.iter().position(|c| *c.name == *said.name);
        let at = exact.or_else(|| constants.iter().position(|c| said.means(&c.name)))?;
        let decl = constants.get(at)?;
        let expr = |kind| Expr { kind, ty: decl.ty.clone(), span: decl.span };
        let constant = expr(ExprKind::Const(ConstId(u32::try_from(at).ok()?)));
        let value = expr(ExprKind::Lit(said.value.clone()?));
        Some(Pred { kind: PredKind::Op(Op::Eq, vec![constant, value]), span: decl.span })
    }

    /// Replays a trace under one valuation of the constants after the other: the first under which it is a run will do.
    fn replay(&self, trace: &Recorded, seen: &mut Seen) -> Result<String, Failure> {
        let (system, interrupt) = (&self.system(trace), &self.setup.evaluator.world.interrupt);
        let n = trace.steps.len();
        let end = match (&trace.kind, trace.back) {
            _ if trace.prefix => "; what it shows lies in its steps".to_owned(),
            (_, Some(back)) => format!("; its end is the state after step {back}"),
            (Some(kind), None) => format!("; its end shows `{kind}`"),
            (None, None) => String::new(),
        };
        let replayed = Ok(format!("replayed: {n} steps{end}"));
        let Some(first) = trace.steps.first() else {
            let shown = trace.kind.as_deref().is_none_or(|kind| shows(system, &At::Root, kind, false));
            let failure = Failed { steps: 0, why: no_end(0, trace) };
            return if shown { replayed } else { Err(failure.told(system, trace)) };
        };
        let setup = first.operation.as_deref() == Some(SETUP);
        let mut done = false;
        let why = "no valuation of the constants is as the trace says".to_owned();
        let mut furthest = Failed { steps: 0, why };
        // A fault in PROPERTIES leaves what was found before it.
        let _fault = system.valuations(&mut |v| {
            let taker = Taker { replay: self, system, step: first };
            let other =
                || taker.of_constants(v, &first.values).or_else(|| taker.of_predicates(v, &[], &[&[][..]]));
            if interrupt.raised() {
                return false;
            }
            if let Some(other) = setup.then(other).flatten() {
                if furthest.steps == 0 && !first.predicates.is_empty() {
                    furthest.why = format!("no valuation of the constants is as the trace says: {other}");
                }
                return true;
            }
            match self.under((system, trace), v, usize::from(setup), seen) {
                Ok(()) => done = true,
                Err(failed) if failed.steps >= furthest.steps => furthest = failed,
                Err(_) => {}
            }
            !done
        });
        if done {
            return replayed;
        }
        if interrupt.raised() {
            // Not everything was looked at: neither a yes nor a no counts.
            let text = format!("time is up after {} of {n} steps, all possible", furthest.steps);
            return Err(Failure::Stopped(text));
        }
        Err(furthest.told(system, trace))
    }

    /// Whether a state that was reached satisfies what the trace says of its end: a goal or an invariant that is not the machine's own.
    fn satisfies(&self, system: &MachineSystem, at: &At, trace: &Recorded) -> bool {
        let (At::States(states), Some(text)) = (at, &trace.end) else { return false };
        let holds = |state: &Vec<u64>| {
            self.reader(system, valuation(state)).holds(text, &[], &[&system.packer().unpack(state)])
        };
        states.iter().any(|state| holds(state) == Ok(true))
    }

    /// Takes the steps of a trace but some first ones under a valuation.
    fn under(
        &self,
        (system, trace): (&MachineSystem, &Recorded),
        valuation: u32,
        first: usize,
        seen: &mut Seen,
    ) -> Result<(), Failed> {
        let mut at = At::Valuation(valuation);
        seen.begin(system, valuation, first > 0);
        for (i, step) in trace.steps.iter().enumerate().skip(first) {
            let next = Taker { replay: self, system, step }.take(&at);
            at = next.map_err(|why| Failed { steps: i, why })?;
            seen.step(system, &at);
        }
        let n = trace.steps.len();
        if let Some(why) = trace.back.and_then(|back| open_loop(trace, back)) {
            return Err(Failed { steps: n, why: format!("all {n} steps are possible, but {why}") });
        }
        let faulty = trace.steps.last().is_some_and(|s| s.fault);
        match trace.kind.as_deref().filter(|_| !faulty) {
            Some(kind)
                if !shows(system, &at, kind, trace.back.is_some() || trace.prefix)
                    && !self.satisfies(system, &at, trace) =>
            {
                Err(Failed { steps: n, why: no_end(n, trace) })
            }
            _ => Ok(()),
        }
    }
}

/// How far a trace was replayed, and why no further.
struct Failed {
    steps: usize,
    why: String,
}

impl Failed {
    fn told(self, system: &MachineSystem, trace: &Recorded) -> Failure {
        let Self { steps, why } = self;
        let at = trace.steps.get(steps).map(|s| s.operation.as_deref().unwrap_or("?"));
        let step = at.map_or_else(String::new, |name| format!(" at step {} ({name})", steps + 1));
        match (system.world().cuts.all().first(), at) {
            (Some(cut), _) => Failure::Stopped(format!("not decided{step}: {why}, but {cut}")),
            (None, Some(_)) => Failure::Wrong(format!("fails{step}: {why}")),
            (None, None) => Failure::Wrong(why),
        }
    }
}

/// Why the last state is not the one after so many steps.
fn open_loop(trace: &Recorded, back: usize) -> Option<String> {
    let values = |n: usize| n.checked_sub(1).and_then(|i| trace.steps.get(i)).map(|s| &s.values);
    let (before, after) = (values(back)?, values(trace.steps.len())?);
    let differs = |(name, value): &&(String, String)| !before.iter().any(|(n, v)| n == name && v == value);
    let other = after.iter().find(differs).map(|(name, _)| name.as_str());
    let same = back < trace.steps.len() && before.len() == after.len() && other.is_none();
    let at = other.map_or_else(String::new, |name| format!(": `{name}` has another value"));
    (!same).then(|| format!("the last state is not the one after step {back}{at}"))
}

fn no_end(n: usize, trace: &Recorded) -> String {
    let kind = trace.kind.as_deref().unwrap_or_default();
    format!("all {n} steps are possible, but the end shows no `{kind}`")
}

/// Names and types of declarations.
fn declared(decls: &[Decl]) -> Vec<Real<'_>> {
    decls.iter().map(|d| (&*d.name, &d.ty, None)).collect()
}

/// Whether the value of a constant is given.
fn of_constant(machine: &Machine, (name, _): &(String, String)) -> bool {
    let among = |decls: &[Decl]| decls.iter().any(|d| values::means(name, &d.name));
    among(&machine.constants) && !among(&machine.variables)
}

/// The names, types and values of declarations.
fn real<'r>(decls: &'r [Decl], values: &'r [Option<Value>]) -> Vec<Real<'r>> {
    decls.iter().zip(values).map(|(d, v)| (&*d.name, &d.ty, v.as_ref())).collect()
}

/// The names, types and values of locals, as far as there are values.
fn typed<'r>(names: &'r [String], locals: &[&'r Local], values: &'r [Value]) -> Vec<Real<'r>> {
    let value = |i: usize| values.get(i);
    (0..).zip(names).zip(locals).map(|((i, n), l)| (n.as_str(), &l.ty, value(i))).collect()
}

/// The states that fit the steps so far.
enum At {
    Root,
    Valuation(u32),
    States(Vec<Vec<u64>>),
}

/// Who takes a step of a trace.
struct Taker<'t> {
    replay: &'t Replay,
    system: &'t MachineSystem,
    step: &'t RecordedStep,
}

impl Taker<'_> {
    fn take(&self, at: &At) -> Result<At, String> {
        let operation = self.step.operation.as_deref();
        match at {
            At::Root | At::Valuation(_) if operation.is_some_and(|o| o != INITIALISATION) => {
                Err("the initialisation comes first".to_owned())
            }
            At::Root => Err("there are no constants yet".to_owned()),
            At::Valuation(v) => {
                let mut found = Found::default();
                let (mut steps, (said, other)) = (Steps::default(), self.values(*v));
                if let Some(other) = other {
                    return Err(other);
                }
                self.system.initial(*v, &mut steps);
                for target in steps.targets.chunks(self.system.width()) {
                    let values = self.system.packer().unpack(target);
                    let other = self.of_variables(&said, &values);
                    let other = other.or_else(|| self.of_predicates(*v, &[], &[&values[..]]));
                    found.add(target, other.or_else(|| self.of_after(*v, &values)));
                }
                found.end()
            }
            At::States(all) => {
                let mut found = Found::default();
                let mut said: Option<(u32, (Vec<Said>, Option<String>))> = None;
                for state in all {
                    let valuation = valuation(state);
                    if said.as_ref().is_none_or(|(of, _)| *of != valuation) {
                        said = Some((valuation, self.values(valuation)));
                    }
                    let Some((_, (values, other))) = &said else { continue };
                    if other.is_some() {
                        found.other.clone_from(other);
                        continue;
                    }
                    let numbers = (0u32..).zip(self.system.operations());
                    for (number, _) in numbers.filter(|(_, name)| self.is_named(name)) {
                        self.look(state, number, values, &mut found);
                    }
                }
                if self.step.fault && found.fault { Ok(At::States(all.clone())) } else { found.end() }
            }
        }
    }

    /// Whether the step may be one of an operation.
    fn is_named(&self, operation: &str) -> bool {
        let exact = self.system.operations().iter().any(|o| Some(o) == self.step.operation.as_ref());
        let said = |o: &str| o == operation || !exact && o.rsplit('.').next() == Some(operation);
        self.step.operation.as_deref().is_none_or(said)
    }

    fn reader(&self, valuation: u32) -> Reader<'_> {
        self.replay.reader(self.system, valuation)
    }

    /// The values of variables that the trace says, and in what the constants of a valuation are not as it says.
    fn values(&self, valuation: u32) -> (Vec<Said>, Option<String>) {
        let machine = self.system.machine();
        let said = self.step.values.iter().cloned();
        let (constants, rest): (Vec<_>, Vec<_>) = said.partition(|v| of_constant(machine, v));
        let other = (!constants.is_empty()).then(|| self.of_constants(valuation, &constants)).flatten();
        (self.reader(valuation).read(&rest, &declared(&machine.variables)), other)
    }

    /// In what the constants of a valuation are not as is said.
    fn of_constants(&self, valuation: u32, said: &[(String, String)]) -> Option<String> {
        let values = self.system.constants(valuation).unwrap_or_default();
        let constants = &self.system.machine().constants;
        let said = self.reader(valuation).read(said, &declared(constants));
        difference(&said, &real(constants, &values), &self.replay.setup.evaluator)
    }

    /// In what the variables are not as the trace says.
    fn of_variables(&self, said: &[Said], values: &[Option<Value>]) -> Option<String> {
        difference(said, &real(&self.system.machine().variables, values), &self.replay.setup.evaluator)
    }

    /// The first of the step's predicates that none of these states satisfies, with some names bound to values.
    fn of_predicates(
        &self,
        valuation: u32,
        bound: &[Real<'_>],
        states: &[&[Option<Value>]],
    ) -> Option<String> {
        let reader = self.reader(valuation);
        self.step.predicates.iter().find_map(|text| untrue(text, &reader.holds(text, bound, states)))
    }

    /// The first of the predicates about the state after the step that it does not satisfy.
    fn of_after(&self, valuation: u32, state: &[Option<Value>]) -> Option<String> {
        let reader = self.reader(valuation);
        self.step.after.iter().find_map(|text| untrue(text, &reader.holds(text, &[], &[state])))
    }

    /// Looks for the step among those of one operation, with its arguments where the trace gives them.
    fn look(&self, state: &[u64], number: u32, said: &[Said], found: &mut Found) {
        let Some(operation) = self.system.operation(number) else { return };
        let arguments: Vec<&Local> = twins::arguments(operation).collect();
        let chosen = twins::chosen(operation);
        let names = |locals: &[&Local]| locals.iter().map(|l| l.name.to_string()).collect::<Vec<_>>();
        let results: Vec<&Local> = operation.results.iter().collect();
        let (argument_names, result_names) = (names(&arguments), names(&results));
        let valuation = valuation(state);
        let (reader, evaluator) = (self.reader(valuation), &self.replay.setup.evaluator);
        let all: Vec<&Local> = arguments.iter().copied().chain(chosen).collect();
        let mut with = reader.read(&self.step.arguments, &typed(&names(&all), &all, &[]));
        let yields = reader.read(&self.step.results, &typed(&result_names, &results, &[]));
        let value = |l: &&Local| with.iter().find(|s| s.means(&l.name))?.value.clone().map(|v| (l.id, v));
        if let Some(unread) = with.iter().find(|s| s.value.is_none() && all.iter().any(|l| s.means(&l.name)))
        {
            // Without it all arguments there are would be tried.
            let text = format!("the argument `{}` cannot be read: `{}`", unread.name, unread.text);
            found.unread.get_or_insert(text);
            return;
        }
        let given: Vec<(LocalId, Value)> = all.iter().filter_map(value).collect();
        // What is chosen and not shown is only solved for.
        with.retain(|s| {
            s.value.is_none()
                || arguments.iter().any(|l| s.means(&l.name))
                || !all.iter().any(|l| s.means(&l.name))
        });
        let mut steps = Steps::default();
        let before = self.system.packer().unpack(state);
        self.system.steps_where(
            state,
            number,
            &given,
            &mut |edge| {
                if difference(&with, &typed(&argument_names, &arguments, &edge.args), evaluator).is_some() {
                    return false;
                }
                found.named = true;
                let other = difference(&yields, &typed(&result_names, &results, &edge.results), evaluator)
                    .or_else(|| self.of_variables(said, &edge.vars))
                    .or_else(|| {
                        let mut bound = typed(&argument_names, &arguments, &edge.args);
                        bound.extend(typed(&result_names, &results, &edge.results));
                        self.of_predicates(valuation, &bound, &[&before[..], &edge.vars[..]])
                    })
                    .or_else(|| self.of_after(valuation, &edge.vars));
                let fits = other.is_none();
                found.other = found.other.take().or(other);
                fits
            },
            &mut steps,
        );
        found.with |= !with.is_empty();
        found.fault |= !steps.faults.is_empty();
        for target in steps.targets.chunks(self.system.width()) {
            found.add(target, None);
        }
    }
}

/// Why a predicate of a trace does not hold.
fn untrue(text: &str, holds: &Result<bool, String>) -> Option<String> {
    match holds {
        Ok(true) => None,
        Ok(false) => Some(format!("`{text}` is false")),
        Err(why) => Some(format!("the predicate `{text}` of the trace {why}")),
    }
}

/// What was found among the edges: those that fit, and in what the best of the others does not.
#[derive(Default)]
struct Found {
    fit: HashSet<Vec<u64>>,
    fault: bool,
    /// Whether the operation is possible at all with the arguments of the trace.
    named: bool,
    /// Whether the trace gives arguments.
    with: bool,
    other: Option<String>,
    /// An argument of the trace that cannot be read.
    unread: Option<String>,
}

impl Found {
    fn add(&mut self, target: &[u64], other: Option<String>) {
        self.named = true;
        match other {
            None => {
                self.fit.insert(target.to_vec());
            }
            other => self.other = self.other.take().or(other),
        }
    }

    fn end(self) -> Result<At, String> {
        if !self.fit.is_empty() {
            let mut fit: Vec<Vec<u64>> = self.fit.into_iter().collect();
            fit.sort_unstable();
            return Ok(At::States(fit));
        }
        Err(match self.other {
            _ if self.unread.is_some() => self.unread.unwrap_or_default(),
            _ if !self.named && self.with => "it is not possible here with these arguments".to_owned(),
            _ if !self.named => "it is not possible here".to_owned(),
            Some(difference) => format!("it leads elsewhere: {difference}"),
            None => "it leads elsewhere".to_owned(),
        })
    }
}
