//! `bsym graph`: the state graph of a machine, or what is left of it under a projection.
//!
//! Under a reduction the projected values, too, are taken up to permutation: two states whose projections differ in
//! the names of elements only are one node.

use super::args::GraphArgs;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::files;
use super::follow;
use super::load::{self, Loaded};
use super::setup::{Extra, Setup};
use super::watch;
use crate::compile::fitting;
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::Env;
use crate::explore::graph::{Graph, Taken, Wish, build};
use crate::explore::limits::{Limits, Watch};
use crate::explore::quotient::quotient;
use crate::explore::trace::Step;
use crate::ir::Machine;
use crate::model::System;
use crate::model::constants::Mode;
use crate::model::pack::{Packer, expand};
use crate::ops::Fault;
use crate::report::graph::{FORMATS, GraphFormat};
use crate::report::text::count;
use crate::resolve::Flat;
use crate::source::Sources;
use crate::symmetry::least;
use crate::symmetry::told::told;
use crate::symmetry::{self, Count, Guarantee, MarkerHash};
use crate::types::Typed;
use crate::value::Value;
use crate::walk::{Node, Walk};
use std::path::Path;
use std::time::Instant;

/// More permutations than this are not tried on every projected value.
const MOST_PERMUTATIONS: u64 = 50_000;

/// What a node shows.
enum View {
    /// All variables.
    All,
    /// Some constants and variables, by name.
    Names(Vec<String>),
    /// The value of a formula, with its text.
    Formula(Box<Typed>, String),
}

/// Runs the command.
pub(super) fn run(args: &GraphArgs, start: Instant) -> Exit {
    let mut sources = args.places.sources();
    match written(args, start, &mut sources) {
        Ok((text, cut)) => {
            let exit = if cut { Exit::Limit } else { Exit::Fine };
            let exit = text.map_or(exit, |text| super::out::print(&text, exit));
            if cut {
                tell!("note: the graph is cut at a limit; nodes whose edges are not all there are marked");
            }
            exit
        }
        Err(errors) => {
            load::print(&errors, &sources);
            Exit::Refused
        }
    }
}

/// The graph as text, if it was not written to a file; and whether a limit cut it.
fn written(
    args: &GraphArgs,
    start: Instant,
    sources: &mut Sources,
) -> Result<(Option<String>, bool), Vec<Diagnostic>> {
    let format = format(args).map_err(|e| vec![e])?;
    // Nothing is left to be written if a limit is reached while files are read.
    let reading = watch::start(args.timeout, None, start, &CtrlC::default());
    let Loaded { machine, flat, notes } = load::load(&args.file, sources)?;
    drop(reading);
    load::print(&notes, sources);
    let view = view(args, &machine, &flat, sources)?;
    let graph = graph(args, format, machine, &view).map_err(|e| vec![e])?;
    let text = (format.write)(&graph);
    let Some(path) = &args.out else { return Ok((Some(text), graph.cut)) };
    files::write(path, &text).map_err(|e| {
        let text = format!("`{}` cannot be written: {e}", path.display());
        vec![Diagnostic::without_place(Code::FileUnreadable, text)]
    })?;
    Ok((None, graph.cut))
}

fn format(args: &GraphArgs) -> Result<&'static GraphFormat, Diagnostic> {
    let ending = args.out.as_ref().and_then(|p| p.extension()).map(|e| e.to_string_lossy().into_owned());
    let name = args.format.clone().or(ending).unwrap_or_else(|| "dot".to_owned());
    FORMATS.iter().find(|f| f.name == name).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().map(|f| f.name).collect();
        let text = format!("no format of graphs ends in `.{name}`");
        let help = format!("give one with --format: {}", known.join(", "));
        Diagnostic::without_place(Code::BadOption, text).with_help(help)
    })
}

fn view(
    args: &GraphArgs,
    machine: &Machine,
    flat: &Flat,
    sources: &mut Sources,
) -> Result<View, Vec<Diagnostic>> {
    let Some(text) = &args.project else { return Ok(View::All) };
    let names: Vec<String> = text.split(',').map(|n| n.trim().to_owned()).collect();
    let known = |n: &String| machine.variables.iter().chain(&machine.constants).any(|d| *d.name == **n);
    if names.iter().all(known) {
        return Ok(View::Names(names));
    }
    let (_, typed) = load::formula("--project", text, flat, sources)?;
    Ok(View::Formula(Box::new(typed), text.trim().to_owned()))
}

fn graph(args: &GraphArgs, format: &GraphFormat, machine: Machine, view: &View) -> Result<Graph, Diagnostic> {
    let deadline = args.timeout.and_then(|t| Instant::now().checked_add(t));
    let watch = Watch::start(Limits { deadline, ..Limits::default() });
    let off = args.symmetry == "off";
    // Of the constants a trace may have any valuation.
    let all = off || args.trace.is_some();
    let mode = args.constants.map_or(if all { Mode::All } else { Mode::Orbits }, Mode::from);
    let formula = match view {
        View::Formula(typed, _) => Some(&**typed),
        _ => None,
    };
    let asked = args.world.asked()?;
    let extra = Extra { formula, ..Extra::default() };
    let setup = Setup::with(machine, &asked, mode, watch.interrupt.clone(), &extra)?;
    let permute = !off && !matches!(view, View::All);
    let order = setup.detection.group.order();
    if permute && *order > Count::from(MOST_PERMUTATIONS) {
        let text = format!("projected values would be permuted in {order} ways each");
        return Err(Diagnostic::without_place(Code::BadOption, text)
            .with_help("use `--symmetry off`, or smaller sets"));
    }
    fitting(&setup.evaluator, &setup.table, (true, None), &mut |system| {
        let packer = system.plain().packer();
        let context = setup.context(system.plain(), MarkerHash::Sums);
        let reducer = symmetry::build(&args.symmetry, &context)?;
        // What markers put together may be more than one orbit.
        let exact = reducer.guarantee() == Guarantee::Fingerprint && !off;
        let counter = if exact { Some(symmetry::build(symmetry::DEFAULT, &context)?) } else { None };
        let show = |state: &[u64]| shown(&setup, packer, system, view, permute, state);
        let mark = |state: &[u64]| told(&context, state);
        let run = args.trace.as_ref().map(|trace| run_of(trace, &setup, packer)).transpose()?;
        let run = run.unwrap_or_default();
        let graph = build(&Wish {
            system,
            reducer: &*reducer,
            counter: counter.as_deref(),
            show: &show,
            mark: if args.show_markers { Some(&mark) } else { None },
            run: &run,
            limit: args.max_nodes.unwrap_or(format.limit).max(1),
            interrupt: watch.interrupt.clone(),
        });
        let (found, all) = (graph.followed(), run.len());
        if found < all {
            let why = if graph.cut {
                "it is cut at a limit"
            } else {
                "it begins with constants of which only an image is here"
            };
            tell!("note: {found} of {} of the trace are in the graph: {why}", count(all as u64, "step"));
        }
        Ok(if matches!(view, View::All) { graph } else { quotient(projected(graph, view)) })
    })
}

/// The steps of the first trace of a file, with states as `packer` has them.
fn run_of(trace: &Path, setup: &Setup, packer: &Packer) -> Result<Vec<Taken>, Diagnostic> {
    let refused = |message: String| Diagnostic::without_place(Code::BadOption, message);
    let recorded = follow::first(trace).map_err(refused)?;
    let mut walk = Walk::new(setup.plain());
    follow::to(&mut walk, &recorded, recorded.steps.len()).map_err(refused)?;
    let plain = walk.system().packer();
    let taken = |(step, node): (&Step, &Node)| {
        let words = node.words();
        let words = match node {
            Node::State(_) => {
                let mut own = Vec::new();
                packer.pack(*words.first()?, &plain.unpack(&words), &mut own).ok()?;
                own
            }
            _ => words,
        };
        Some(Taken { kind: step.kind, label: step.label.clone(), words: words.into() })
    };
    Ok(walk.path().map_while(taken).collect())
}

/// What a node shows of a state.
fn shown(
    setup: &Setup,
    packer: &Packer,
    system: &dyn System,
    view: &View,
    permute: bool,
    state: &[u64],
) -> Vec<(String, String)> {
    let number = state.first().and_then(|&w| u32::try_from(w).ok()).unwrap_or(u32::MAX);
    let constants = setup.table.values(number);
    let vars = packer.unpack(state);
    let least = |values: Vec<Value>| {
        if permute { least::image(&setup.detection.in_properties, &values) } else { values }
    };
    match view {
        View::All => system.show_state(state),
        View::Names(names) => {
            let (machine, world) = (&setup.machine, &packer.world);
            let decls = machine.constants.iter().zip(constants.iter());
            let decls = decls.chain(machine.variables.iter().zip(vars.iter()));
            let all: Vec<_> = decls.filter_map(|(d, v)| Some((d, v.as_ref()?))).collect();
            let chosen: Vec<_> =
                names.iter().filter_map(|n| all.iter().find(|(d, _)| *d.name == **n)).collect();
            let values = least(chosen.iter().map(|(_, v)| (*v).clone()).collect());
            chosen.iter().zip(values).map(|((d, _), v)| (d.name.to_string(), v.show(&d.ty, world))).collect()
        }
        View::Formula(typed, text) => {
            let env = |frame| Env::new(constants.clone(), std::sync::Arc::new(vars.clone()), frame);
            let value = match &**typed {
                Typed::Expr(e, frame) => setup.evaluator.expr(e, &mut env(*frame)).and_then(|v| {
                    let v = expand(&v, &e.ty, &packer.world)?;
                    Ok(least(vec![v]).pop().map_or_else(String::new, |v| v.show(&e.ty, &packer.world)))
                }),
                Typed::Pred(p, frame) => {
                    let holds = setup.evaluator.pred(p, &mut env(*frame));
                    holds.map(|b| if b { "TRUE" } else { "FALSE" }.to_owned())
                }
            };
            let value = value.unwrap_or_else(|fault: Fault| format!("(no value: {})", fault.0.message));
            vec![(text.clone(), value)]
        }
    }
}

/// Valuations show those of their constants that are chosen.
fn projected(mut graph: Graph, view: &View) -> Graph {
    use crate::explore::graph::NodeKind;
    for node in graph.nodes.iter_mut().filter(|n| n.kind == NodeKind::Valuation) {
        match view {
            View::Names(names) => node.values.retain(|(n, _)| names.contains(n)),
            _ => node.values.clear(),
        }
    }
    graph
}
