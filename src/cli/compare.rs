//! `bsym compare`: strategies side by side.
//!
//! Every measurement is a `bsym check` in a process of its own: so each has its own budget of time and memory,
//! and its peak of memory is its own. Strategies are interleaved, so that a machine that becomes slower does so
//! for all. Collisions are looked for here, in this process.

use super::args::CompareArgs;
use super::child::{Check, INTERRUPTED};
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::load::{self, Loaded};
use super::progress::Part;
use super::setup::Setup;
use super::units;
use crate::diagnostic::{Code, Diagnostic};
use crate::explore::collide::{self, Pair};
use crate::explore::limits::{Limits, Watch};
use crate::model::System;
use crate::model::card::Asked;
use crate::model::constants::Mode;
use crate::report::compare::{Cell, Collision, Comparison, Decided, FORMATS, Precision};
use crate::report::formulas::FORMULA;
use crate::source::Sources;
use crate::symmetry::{self, Context, MarkerHash, difference, timed};
use serde_json::Value as Json;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: &CompareArgs) -> Exit {
    let mut sources = args.places.sources();
    match compare(args, &mut sources) {
        Ok(comparison) => {
            let same = comparison.differences().is_empty();
            let interrupted =
                comparison.cells.iter().flatten().any(|c| c.limit.as_deref() == Some(INTERRUPTED));
            let exit = match (same, interrupted) {
                (false, _) => Exit::Violated,
                (true, true) => Exit::Limit,
                (true, false) => Exit::Fine,
            };
            if let Some(format) = FORMATS
                .iter()
                .find(|f| f.name == args.format || (args.format == "md" && f.name == "markdown"))
            {
                return super::out::print(&(format.write)(&comparison), exit);
            }
            exit
        }
        Err(errors) => {
            load::print(&errors, &sources);
            Exit::Refused
        }
    }
}

fn compare(args: &CompareArgs, sources: &mut Sources) -> Result<Comparison, Vec<Diagnostic>> {
    let Loaded { machine, .. } = load::load(&args.file, sources)?;
    let mut c = Comparison {
        machine: machine.name.to_string(),
        file: args.file.display().to_string(),
        cards: args.card.0.clone(),
        modes: args.modes.clone(),
        repetitions: args.repeat,
        ..Comparison::default()
    };
    let (ctrl_c, part) = (CtrlC::new(), Part::new("reading".to_owned()));
    let _shown = part.show();
    for &card in &args.card.0 {
        let cells = row(args, card, &ctrl_c, &part)
            .map_err(|e| vec![Diagnostic::without_place(Code::BadOption, e)])?;
        c.cells.push(cells);
        let i = c.cells.len() - 1;
        let nodes = |mode| c.cell(i, mode).filter(|x| x.finished).map(|x| x.nodes);
        let precision = match (nodes("markers"), nodes("exact")) {
            (Some(markers), Some(orbits)) => {
                part.is(format!("size {card}, looking for states that the markers take for one"));
                let collision = if markers < orbits { collision(args, card, sources, &ctrl_c) } else { None };
                Some(Precision { markers, orbits, collision })
            }
            _ => None,
        };
        c.precision.push(precision);
    }
    c.growth = (0..c.modes.len()).map(|m| growth(&c, m)).collect();
    Ok(c)
}

/// All strategies at one size; nothing is measured after Ctrl-C.
fn row(args: &CompareArgs, card: u32, ctrl_c: &CtrlC, part: &Part) -> Result<Vec<Cell>, String> {
    let mut cells: Vec<Cell> = vec![Cell::default(); args.modes.len()];
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); args.modes.len()];
    for round in 0..args.repeat {
        for ((mode, cell), times) in args.modes.iter().zip(&mut cells).zip(&mut times) {
            if round > 0 && !cell.finished {
                continue;
            }
            if ctrl_c.pressed() {
                cell.limit.get_or_insert_with(|| INTERRUPTED.to_owned());
                continue;
            }
            part.is(format!("size {card}, {mode}, run {} of {}", round + 1, args.repeat));
            let report = measure(args, card, (mode, false), ctrl_c)?;
            *cell = read(&report, args, std::mem::take(cell).peak_bytes);
            times.push(cell.seconds);
        }
    }
    for ((mode, cell), times) in args.modes.iter().zip(&mut cells).zip(&mut times) {
        cell.seconds = median(times);
        if cell.finished && !ctrl_c.pressed() {
            part.is(format!("size {card}, {mode}, what part of the time its keys take"));
            cell.key_share = key_share(&measure(args, card, (mode, true), ctrl_c)?);
        }
    }
    Ok(cells)
}

/// One check in a process of its own, which says what part of its time `keys` take if asked to.
fn measure(
    args: &CompareArgs,
    card: u32,
    (mode, keys): (&str, bool),
    ctrl_c: &CtrlC,
) -> Result<Json, String> {
    let mut check = Check::new(args.file.as_os_str(), args.timeout);
    check.words(args.places.words());
    // What strategies are compared on is one graph.
    check.flag("--no-refinement");
    check.option("--symmetry", mode);
    check.option("--card", &card.to_string());
    check.option("--evaluator", if args.plain { "plain" } else { "compiled" });
    check.optional("--max-memory", args.max_memory.map(units::in_bytes));
    check.optional("--maxint", args.maxint);
    check.optional("--minint", args.minint);
    check.optional("--constants", args.constants.map(|c| Mode::from(c).name()));
    args.ltl.iter().for_each(|f| check.option("--ltl", f));
    args.ctl.iter().for_each(|f| check.option("--ctl", f));
    args.only.iter().for_each(|f| check.option("--only", f));
    if keys {
        check.flag("--time-keys");
    }
    // A process that died without a report (out of memory, say) is a cell without numbers.
    check.run(ctrl_c)
}

fn read(r: &Json, args: &CompareArgs, peak_before: u64) -> Cell {
    let number = |key: &str| r.get(key).and_then(Json::as_u64).unwrap_or(0);
    let word = |key: &str| r.get(key).and_then(Json::as_str).map(str::to_owned);
    // A formula that was not decided does not make a search less finished.
    let stopped_by = word("stopped_by").filter(|why| why != FORMULA);
    let complete = r.get("complete").and_then(Json::as_bool).unwrap_or(false);
    let finished = complete || word("stopped_by").is_some_and(|why| why == FORMULA);
    let formula = |f: &Json| {
        let word = |key: &str| f.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let number = |key: &str| f.get(key).and_then(Json::as_u64).unwrap_or(0);
        let (states, product) = (number("states"), number("product"));
        Decided { name: word("name"), verdict: word("verdict"), states, product }
    };
    let formulas = r.get("formulas").and_then(Json::as_array);
    let limit = stopped_by.map(|why| match why.as_str() {
        "time" => format!("> {} s", args.timeout.as_secs_f64()),
        "memory" => match args.max_memory {
            Some(bytes) => format!("> {} MiB", bytes >> 20),
            None => "> free memory".to_owned(),
        },
        other => other.to_owned(),
    });
    Cell {
        finished,
        limit,
        nodes: number("nodes"),
        transitions: number("transitions"),
        seconds: r.pointer("/seconds/explore").and_then(Json::as_f64).unwrap_or(0.0),
        peak_bytes: number("peak_bytes").max(peak_before),
        key_share: 0.0,
        verdict: word("verdict").unwrap_or_default(),
        formulas: formulas.into_iter().flatten().map(formula).collect(),
    }
}

#[allow(clippy::cast_precision_loss, reason = "a share")]
fn key_share(r: &Json) -> f64 {
    let nanos = r.pointer(&format!("/counters/{}", timed::COUNTER)).and_then(Json::as_u64).unwrap_or(0);
    let seconds = r.pointer("/seconds/explore").and_then(Json::as_f64).unwrap_or(0.0);
    if seconds > 0.0 { (nanos as f64 / 1e9 / seconds).clamp(0.0, 1.0) } else { 0.0 }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    match (times.len() % 2, times.get(middle), middle.checked_sub(1).and_then(|i| times.get(i))) {
        (0, Some(a), Some(b)) => f64::midpoint(*a, *b),
        (_, Some(a), _) => *a,
        _ => 0.0,
    }
}

/// The base b of nodes ~ a * b^card by least squares on logarithms, from three sizes on.
#[allow(clippy::cast_precision_loss, reason = "a fit")]
fn growth(c: &Comparison, mode: usize) -> Option<f64> {
    let rows = c.cards.iter().zip(&c.cells);
    let points: Vec<(f64, f64)> = rows
        .filter_map(|(card, row)| {
            let cell = row.get(mode).filter(|x| x.finished && x.nodes > 0)?;
            Some((f64::from(*card), (cell.nodes as f64).ln()))
        })
        .collect();
    let n = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let slope = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>()
        / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>();
    (points.len() >= 3).then(|| slope.exp())
}

/// The first two nodes that markers take for one, if they are found within the budget of time.
fn collision(args: &CompareArgs, card: u32, sources: &mut Sources, ctrl_c: &CtrlC) -> Option<Collision> {
    let machine = load::load(&args.file, sources).ok()?.machine;
    let deadline = Instant::now().checked_add(args.timeout);
    let limits = Limits { deadline, memory: args.max_memory, address_space: None };
    let watch = Watch::until(limits, ctrl_c.pressed_flag());
    let asked =
        Asked { all: Some(card), named: Vec::new(), maxint: args.maxint, minint: args.minint, lowered: None };
    let mode = args.constants.map_or(Mode::Orbits, Mode::from);
    let setup = Setup::new(machine, &asked, mode, watch.interrupt.clone()).ok()?;
    let system = setup.plain();
    let context = setup.context(&system, MarkerHash::Sums);
    let markers = symmetry::build("markers", &context).ok()?;
    let exact = symmetry::build("exact", &context).ok()?;
    let pair = collide::first(&system, &*markers, &*exact, &watch.interrupt)?;
    Some(describe(&pair, &system, &context))
}

fn describe(pair: &Pair, system: &dyn System, context: &Context) -> Collision {
    let (first, second): (Vec<u64>, Vec<u64>) = match pair {
        Pair::Valuations(a, b) => (vec![u64::from(*a)], vec![u64::from(*b)]),
        Pair::States(a, b) => (a.to_vec(), b.to_vec()),
    };
    let values = |node: &[u64]| {
        let number = node.first().and_then(|&w| u32::try_from(w).ok()).unwrap_or(0);
        let mut all = if system.has_setup() { system.show_valuation(number) } else { Vec::new() };
        if matches!(pair, Pair::States(..)) {
            all.extend(system.show_state(node));
        }
        all
    };
    let rows = values(&first).into_iter().zip(values(&second)).map(|((n, a), (_, b))| (n, a, b)).collect();
    let difference = match difference::predicate(context, &first, &second) {
        Some(p) => format!("True in the first and false in the second: {p}"),
        None => "No small substructure was found that tells the two apart; they are in different orbits \
                 because no permutation of the deferred sets takes one to the other."
            .to_owned(),
    };
    Collision { rows, difference }
}
