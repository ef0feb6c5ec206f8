//! `bsym eval`: evaluate a formula with the names of a machine.
//!
//! Constants have the values of their first valuation, variables those of the first initial state, if the
//! formula reads any.

use super::args::EvalArgs;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::load::{self, Loaded};
use super::out;
use super::watch;
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::{Constants, Env, Evaluator, Wanted};
use crate::model::card;
use crate::ops::{Cx, Fault, Interrupt, settle};
use crate::source::Sources;
use crate::types::Typed;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: &EvalArgs, start: Instant) -> Exit {
    let watch = watch::start(args.timeout, args.max_memory, start, &CtrlC::new());
    let mut sources = args.places.sources();
    match formula(args, watch.interrupt.clone(), &mut sources) {
        Ok((typed, evaluator)) => match value(&typed, &evaluator) {
            Ok(text) => out::print(&format!("{text}\n"), Exit::Fine),
            Err(fault) if fault.0.code == Code::Undecided => {
                out::print(&format!("{}\n", fault.0.message), Exit::Bounds)
            }
            Err(fault) if fault.0.code == Code::Interrupted => {
                eprintln!("error: stopped by a limit: {}", watch.reason().name());
                Exit::Limit
            }
            Err(fault) => {
                let message = fault.0.message.clone();
                let diagnostic = match fault.0.span {
                    Some(span) => Diagnostic::error(fault.0.code, span, message),
                    None => Diagnostic::without_place(fault.0.code, message),
                };
                load::print(&[diagnostic], &sources);
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
) -> Result<(Typed, Evaluator), Vec<Diagnostic>> {
    let Loaded { machine, mut flat, .. } = load::load(&args.file, sources)?;
    let asked = args.world.asked().map_err(|e| vec![e])?;
    let sizes = card::sizes(&machine, &asked).map_err(|e| vec![e])?;
    let world = card::world(&machine, &sizes, interrupt);
    flat.name_elements(&world.elements);
    let (_, typed) = load::formula("formula", &args.formula, &flat, sources)?;
    Ok((typed, Evaluator::new(Arc::new(machine), Arc::new(world))))
}

fn value(typed: &Typed, evaluator: &Evaluator) -> Result<String, Fault> {
    let constants = first_valuation(evaluator)?;
    let vars = first_state(evaluator, &constants)?;
    match typed {
        Typed::Expr(e, frame) => {
            let v = evaluator.expr(e, &mut Env::new(constants, vars, *frame))?;
            // What cannot be listed is shown as it is written; what has members without a value is an error.
            let listed = match settle(v.clone(), &Cx { world: &evaluator.world, ty: &e.ty }) {
                Err(fault) if fault.0.code == Code::Undecided => v,
                listed => listed?,
            };
            Ok(listed.show(&e.ty, &evaluator.world))
        }
        Typed::Pred(p, frame) => {
            let holds = evaluator.pred(p, &mut Env::new(constants, vars, *frame))?;
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
