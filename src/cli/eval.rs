//! `bsym eval`: evaluate a formula with the names of a machine.
//!
//! Constants have the values of their first valuation, variables those of the first initial state, or both those after a step of a
//! trace (`--trace`).

use super::args::EvalArgs;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::follow;
use super::load::{self, Loaded};
use super::out;
use super::setup::Setup;
use super::watch;
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::{Constants, Env, Evaluator, Wanted};
use crate::model::card;
use crate::model::constants::Mode;
use crate::ops::{Cx, Fault, Interrupt, settle};
use crate::report::text::count;
use crate::source::Sources;
use crate::types::Typed;
use crate::walk::Walk;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: &EvalArgs, start: Instant) -> Exit {
    let watch = watch::start(args.timeout, args.max_memory, start, &CtrlC::new());
    let mut sources = args.places.sources();
    match formula(args, watch.interrupt.clone(), &mut sources) {
        Ok((typed, evaluator, place)) => match value(&typed, &evaluator, place) {
            Ok(text) => out::print(&format!("{text}\n"), Exit::Fine),
            Err(fault) if fault.0.code == Code::Undecided => {
                out::print(&format!("{}\n", fault.0.message), Exit::Bounds)
            }
            Err(fault) if fault.0.code == Code::Interrupted => {
                tell!("error: stopped by a limit: {}", watch.reason().name());
                Exit::Limit
            }
            Err(fault) => {
                load::print(&[load::fault(&fault)], &sources);
                if fault.is_limit() { Exit::Limit } else { Exit::Fault }
            }
        },
        Err(errors) => {
            load::print(&errors, &sources);
            Exit::Refused
        }
    }
}

fn formula(
    args: &EvalArgs,
    interrupt: Interrupt,
    sources: &mut Sources,
) -> Result<(Typed, Evaluator, Option<Place>), Vec<Diagnostic>> {
    let Loaded { machine, mut flat, .. } = load::load(&args.file, sources)?;
    let asked = args.world.asked().map_err(|e| vec![e])?;
    let sizes = card::sizes(&machine, &asked).map_err(|e| vec![e])?;
    let world = card::world(&machine, &sizes, interrupt);
    flat.name_elements(&world.elements);
    let (_, typed) = load::formula("formula", &args.formula, &flat, sources)?;
    let Some(trace) = &args.trace else {
        return Ok((typed, Evaluator::new(Arc::new(machine), Arc::new(world)), None));
    };
    let setup = Setup::new(machine, &asked, Mode::All, world.interrupt).map_err(|e| vec![e])?;
    let env = after(trace, args.step, &setup);
    let env = env.map_err(|message| vec![Diagnostic::without_place(Code::BadOption, message)])?;
    Ok((typed, setup.evaluator, Some((env.consts, env.vars))))
}

/// The values of constants and variables after some steps of a trace, or all.
fn after(trace: &Path, step: Option<usize>, setup: &Setup) -> Result<Env, String> {
    let recorded = follow::first(trace)?;
    let all = recorded.steps.len();
    let n = step.unwrap_or(all);
    if n > all {
        return Err(format!("`--step {n}`: the trace has {}", count(all as u64, "step")));
    }
    let mut walk = Walk::new(setup.plain());
    follow::to(&mut walk, &recorded, n)?;
    if walk.is_empty() {
        return Err("nothing has a value before the first step of the trace".to_owned());
    }
    Ok(walk.system().env(&walk.words()))
}

/// The values of constants and variables.
type Place = (Constants, Constants);

fn value(typed: &Typed, evaluator: &Evaluator, place: Option<Place>) -> Result<String, Fault> {
    let (constants, vars) = if let Some(place) = place {
        place
    } else {
        let constants = first_valuation(evaluator)?;
        let vars = first_state(evaluator, &constants)?;
        (constants, vars)
    };
    shown(typed, evaluator, &|frame| Env::new(Arc::clone(&constants), Arc::clone(&vars), frame))
}

/// The value of a formula as text, where values are as `env` has them for a frame of so many slots.
///
/// # Errors
/// A fault of evaluating it.
pub(super) fn shown(typed: &Typed, evaluator: &Evaluator, env: &dyn Fn(u32) -> Env) -> Result<String, Fault> {
    match typed {
        Typed::Expr(e, frame) => {
            let v = evaluator.expr(e, &mut env(*frame))?;
            // What cannot be listed is shown as it is written; what has members without a value is an error.
            let listed = match settle(v.clone(), &Cx { world: &evaluator.world, ty: &e.ty }) {
                Err(fault) if fault.0.code == Code::Undecided => v,
                listed => listed?,
            };
            Ok(listed.show(&e.ty, &evaluator.world))
        }
        Typed::Pred(p, frame) => {
            let holds = evaluator.pred(p, &mut env(*frame))?;
            Ok(if holds { "TRUE" } else { "FALSE" }.to_owned())
        }
    }
}

fn first_valuation(evaluator: &Evaluator) -> Result<Constants, Fault> {
    let mut first = None;
    let _broken_off = evaluator.constants(&Wanted::default(), &mut |c| {
        first = c.cloned();
        // Until there is one it is looked for.
        if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    first
        .ok_or_else(|| Fault::new(Code::NotWellDefined, "no valuation of the constants satisfies PROPERTIES"))
}

fn first_state(evaluator: &Evaluator, constants: &Constants) -> Result<Constants, Fault> {
    let routine = &evaluator.machine.initialisation;
    let unset = Arc::new(vec![None; evaluator.machine.variables.len()]);
    let mut env = Env::new(Arc::clone(constants), Arc::clone(&unset), routine.frame);
    let mut first = unset;
    let _broken_off = evaluator.outcomes(&routine.body, &mut env, &mut |_, after| {
        first = Arc::clone(&after.vars);
        Ok(ControlFlow::Break(()))
    })?;
    Ok(first)
}
