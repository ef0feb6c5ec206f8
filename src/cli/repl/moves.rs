//! Steps: what is possible, taking and undoing them, the path so far.

use super::call;
use crate::cli::session::steps::{VALUATIONS, is_unknown, line, of_properties, shown, told};
use crate::cli::session::{Answer, Session, Trouble, formulas};
use crate::cli::trace::values::{Reader, Said};
use crate::explore::trace::StepKind;
use crate::ir::LocalId;
use crate::model::{System as _, twins};
use crate::report::steps;
use crate::report::text;
use crate::value::Value;
use crate::walk::{Choice, Choices, Node};
use std::fmt::Write as _;
use std::sync::Arc;

/// Steps of one operation that are listed unless more are asked for.
const LISTED: usize = 12;

/// Takes the steps that only set the machine up: the first values of constants and variables. What there was to choose.
pub(super) fn set_up(session: &mut Session<'_>) -> String {
    let mut out = String::new();
    while session.walk.state().is_none() {
        let Choices { mut all, faults, setup, .. } = session.walk.choices(1);
        let unknown = is_unknown(setup.as_ref(), &faults);
        out += &of_properties(setup);
        out += &told(&faults, session);
        if all.is_empty() {
            out += if unknown {
                "no way to begin was found: there may be values of constants or variables that were not tried\n"
            } else {
                "there is no way to begin: no values of constants or variables are possible\n"
            };
            break;
        }
        let several = all.len() > 1;
        let first = all.swap_remove(0);
        if first.kind == StepKind::Setup {
            out +=
                "constants have the first values that were found; `:reset` and `:enabled` look for others\n";
        } else if several {
            out += "the first of several initial states is taken; `:reset` and `:enabled` show the others\n";
        }
        session.walk.take(first);
    }
    out
}

/// The values where the user is.
pub(super) fn state(session: &mut Session<'_>, _: &str) -> Answer {
    let system = session.walk.system();
    let words = session.walk.words();
    let Some(valuation) = words.first().and_then(|v| u32::try_from(*v).ok()) else {
        return Ok("nothing has a value yet; `:step` begins".to_owned());
    };
    let mut values = system.show_valuation(valuation);
    if session.walk.state().is_some() {
        values.extend(system.show_state(&words));
    }
    let line = |(name, value): (String, String)| format!("{name} = {value}\n");
    Ok(values.into_iter().map(line).collect())
}

/// The steps that are possible.
pub(super) fn enabled(session: &mut Session<'_>, operation: &str) -> Answer {
    let choices = if operation.is_empty() {
        session.walk.choices(VALUATIONS)
    } else {
        session.walk.choices_of(number(session, operation)?)
    };
    Ok(list(session, choices, !operation.is_empty()))
}

/// Lists steps, with numbers by which they can be taken.
fn list(session: &mut Session<'_>, choices: Choices, whole: bool) -> String {
    let Choices { all, more, faults, setup } = choices;
    let unknown = is_unknown(setup.as_ref(), &faults);
    let mut out = of_properties(setup);
    let width = all.len().to_string().len();
    let mut at = 0;
    while let Some(first) = all.get(at) {
        let same = all.iter().skip(at).take_while(|c| c.label.operation == first.label.operation).count();
        let listed = if whole || same <= LISTED + 1 { same } else { LISTED };
        let labels: Vec<String> = all.iter().skip(at).take(listed).map(|c| line(session, c)).collect();
        for (i, label) in labels.iter().enumerate() {
            let _ = writeln!(out, "{:>width$}  {label}", at + i + 1);
        }
        if listed < same {
            let name = &first.label.operation;
            let _ = writeln!(
                out,
                "{:>width$}  {} more of {name}; `:enabled {name}` lists them",
                "",
                same - listed
            );
        }
        at += same;
    }
    if more {
        let _ = writeln!(out, "there may be more");
    }
    out += &told(&faults, session);
    if all.is_empty() && faults.is_empty() {
        out += match session.walk.node() {
            Node::State(state) if session.walk.system().is_outside(state) => {
                "SCOPE excludes this state: it is not left\n"
            }
            Node::State(_) => "no step is possible (`:why` says what is in the way)\n",
            _ if unknown => "no values were found\n",
            _ => "no values are possible\n",
        };
    }
    session.listed = all;
    out
}

/// The number of an operation by its name.
fn number(session: &Session<'_>, name: &str) -> Result<u32, Trouble> {
    let all = session.operations();
    let exact = all.iter().position(|o| o == name);
    let at = exact.or_else(|| all.iter().position(|o| o.rsplit('.').next() == Some(name)));
    at.and_then(|n| u32::try_from(n).ok()).ok_or_else(|| {
        let known = if all.is_empty() { "there is none".to_owned() } else { all.join(", ") };
        Trouble::Said(format!("there is no operation `{name}`; the operations are: {known}"))
    })
}

/// Takes a step.
pub(super) fn step(session: &mut Session<'_>, text: &str) -> Answer {
    if let Ok(n) = text.parse::<usize>() {
        if session.listed.is_empty() {
            session.listed = session.walk.choices(VALUATIONS).all;
        }
        let Some(choice) = n.checked_sub(1).and_then(|i| session.listed.get(i)).cloned() else {
            let all = session.listed.len();
            return Err(Trouble::Said(format!("there is no step {n}; {all} are listed (`:enabled`)")));
        };
        return Ok(take(session, choice));
    }
    let setting_up = session.walk.state().is_none();
    let choices = match text {
        "" => session.walk.choices(VALUATIONS),
        _ if setting_up => {
            return Err(Trouble::Said(
                "the initialisation comes first: `:step` takes it, `:enabled` lists its outcomes".to_owned(),
            ));
        }
        _ => called(session, text)?,
    };
    one_of(session, choices, text)
}

/// Takes the only one of some steps; lists several.
fn one_of(session: &mut Session<'_>, mut choices: Choices, text: &str) -> Answer {
    match (choices.all.len(), choices.faults.len()) {
        (1, 0) if !choices.more => Ok(take(session, choices.all.swap_remove(0))),
        (0, 0) if !text.is_empty() => {
            let name = call::read(text).map_or(text, |c| c.name);
            let reason = formulas::why(session, name).unwrap_or_default();
            let with = if text.contains('(') && reason.ends_with("is possible") {
                " with these arguments"
            } else {
                ""
            };
            let reason = if with.is_empty() { format!("\n{reason}") } else { String::new() };
            Err(Trouble::Said(format!("`{text}` is not possible here{with}{reason}")))
        }
        _ => Ok(list(session, choices, true) + "`:step N` takes one of them"),
    }
}

/// The steps of an operation with arguments.
fn called(session: &Session<'_>, text: &str) -> Result<Choices, Trouble> {
    let call = call::read(text).ok_or_else(|| {
        Trouble::Said(format!("`{text}` is no operation with arguments, as `op(1, {{2}})`"))
    })?;
    let number = number(session, call.name)?;
    let Some(arguments) = call.arguments else { return Ok(session.walk.choices_of(number)) };
    let system = session.walk.system();
    let Some(operation) = system.operation(number) else { return Ok(Choices::default()) };
    let parameters: Vec<_> = twins::arguments(operation).collect();
    if arguments.len() > parameters.len() {
        let (n, name) = (parameters.len(), &operation.name);
        return Err(Trouble::Said(format!("`{name}` has {}", text::count(n as u64, "parameter"))));
    }
    let mut given: Vec<(LocalId, Value)> = Vec::new();
    for (i, (name, value)) in arguments.iter().enumerate() {
        let local = match name {
            Some(name) => parameters.iter().find(|p| *p.name == **name),
            None => parameters.get(i),
        };
        let Some(local) = local else {
            return Err(Trouble::Said(format!(
                "`{}` has no parameter `{}`",
                operation.name,
                name.unwrap_or_default()
            )));
        };
        let env = session.env(0);
        let reader = Reader {
            flat: &session.flat,
            evaluator: system.evaluator(),
            constants: Arc::clone(&env.consts),
            variables: Arc::clone(&env.vars),
        };
        let text = [(local.name.to_string(), (*value).to_owned())];
        let read = reader.read(&text, &[(&*local.name, &local.ty, None)]).into_iter().next();
        let Some(Said { value: Some(v), .. }) = read else {
            let ty = local.ty.show(&*session.setup.machine).to_string();
            return Err(Trouble::Said(format!(
                "`{value}` has no value of type {ty}, which `{}` has",
                local.name
            )));
        };
        given.push((local.id, v));
    }
    Ok(session.walk.choices_with(number, &given))
}

/// Takes a step, and says what it changes and what does not hold after it.
pub(super) fn take(session: &mut Session<'_>, choice: Choice) -> String {
    session.walk.take(choice);
    session.listed.clear();
    let two = shown(session.walk.last(2));
    let before = two.len().checked_sub(2).and_then(|i| two.get(i));
    let Some(last) = two.last() else { return String::new() };
    let mut out = format!("{}  {}\n", session.walk.len(), text::call(last));
    for line in steps::changes(before, last) {
        let _ = writeln!(out, "   {line}");
    }
    out + &formulas::violated(session)
}

/// Takes steps by chance.
pub(super) fn random(session: &mut Session<'_>, text: &str) -> Answer {
    let n = count(text)?;
    let mut out = String::new();
    for _ in 0..n {
        if session.is_stopped() {
            break;
        }
        let mut choices = session.walk.choices(VALUATIONS);
        if choices.all.is_empty() {
            out += &list(session, choices, true);
            break;
        }
        let at = session.chance.usize(..choices.all.len());
        let choice = choices.all.swap_remove(at);
        out += &take(session, choice);
    }
    Ok(out)
}

/// A number of steps, 1 if nothing is said.
fn count(text: &str) -> Result<usize, Trouble> {
    match text {
        "" => Ok(1),
        _ => text.parse().map_err(|_| Trouble::Said(format!("`{text}` is no number of steps"))),
    }
}

/// Takes steps back.
pub(super) fn undo(session: &mut Session<'_>, text: &str) -> Answer {
    let n = count(text)?;
    let len = session.walk.len();
    back_to(session, len.saturating_sub(n))
}

/// Goes back to a step, from a later one.
pub(super) fn back_to(session: &mut Session<'_>, step: usize) -> Answer {
    session.listed.clear();
    if session.walk.back_to(step) {
        Ok(format!("back at step {step}"))
    } else {
        Err(Trouble::Said(format!("the trace has {} so far", text::count(session.walk.len() as u64, "step"))))
    }
}

/// Goes back to the beginning.
pub(super) fn reset(session: &mut Session<'_>, _: &str) -> Answer {
    session.walk.back_to(0);
    session.listed.clear();
    Ok("at the beginning: `:enabled` shows the values that are possible, `:step` takes one".to_owned())
}

/// The steps so far.
pub(super) fn trace(session: &mut Session<'_>, _: &str) -> Answer {
    if session.walk.is_empty() {
        return Ok("no step was taken".to_owned());
    }
    Ok(steps::table(&shown(session.walk.steps()), session.look()).to_string())
}
