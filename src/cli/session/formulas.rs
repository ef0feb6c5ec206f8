//! Formulas in the state where the user is: values, types, solutions, reasons, the properties of the machine.

use super::{Answer, Session, Trouble};
use crate::cli::{eval, found};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Formula, Pred};
use crate::ops::{Cx, settle};
use crate::report::why::Witness;
use crate::syntax::parse_formula;
use crate::ty::Ty;
use crate::types::Typed;
use crate::value::Value;
use std::fmt::Write as _;

/// What texts of lines are called in messages.
const LINE: &str = "line";

/// Solutions that are shown.
const SOLUTIONS: usize = 100;

/// The value of a formula.
pub(in crate::cli) fn value(session: &mut Session<'_>, text: &str) -> Answer {
    let typed = typed(session, text)?;
    let value = eval::shown(&typed, &session.evaluator(), &|frame| session.env(frame));
    value.map_err(|f| session.trouble(&f))
}

/// The type of an expression.
pub(in crate::cli) fn type_of(session: &mut Session<'_>, text: &str) -> Answer {
    let text = wanted(text, "an expression")?;
    match typed(session, text)? {
        Typed::Expr(e, _) => Ok(e.ty.show(&*session.setup.machine).to_string()),
        Typed::Pred(..) => Ok("a predicate".to_owned()),
    }
}

/// A predicate of a line, typed, with the size of its frame.
pub(in crate::cli) fn predicate(session: &mut Session<'_>, text: &str) -> Result<(Pred, u32), Trouble> {
    match typed(session, text)? {
        Typed::Pred(pred, frame) => Ok((pred, frame)),
        Typed::Expr(..) => {
            Err(Trouble::Said(format!("`{text}` is neither true nor false: it is no predicate")))
        }
    }
}

/// A formula of a line, typed.
fn typed(session: &mut Session<'_>, text: &str) -> Result<Typed, Trouble> {
    session.formula(LINE, text).map_err(|errors| Trouble::Refused(hinted(errors)))
}

/// What may be meant by names that nobody knows.
fn hinted(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for e in errors.iter_mut().filter(|e| e.code == Code::UnknownName && e.help.is_none()) {
        e.help = Some("`:solve P` looks for values of names that the machine does not know".to_owned());
    }
    errors
}

/// The text behind a command that needs one.
pub(in crate::cli) fn wanted<'t>(text: &'t str, what: &str) -> Result<&'t str, Trouble> {
    if text.is_empty() {
        Err(Trouble::Said(format!("{what} is missing behind the command")))
    } else {
        Ok(text)
    }
}

/// The values for which a predicate is true, of names that the machine does not know.
pub(in crate::cli) fn solve(session: &mut Session<'_>, text: &str) -> Answer {
    let text = wanted(text, "a predicate")?;
    let names = unknown(session, text)?;
    if names.is_empty() {
        return value(session, text);
    }
    let set = format!("{{{} | {text}}}", names.join(","));
    let Typed::Expr(e, frame) = typed(session, &set)? else { return Ok(String::new()) };
    let evaluator = session.evaluator();
    let cx = Cx { world: &evaluator.world, ty: &e.ty };
    let found = evaluator.expr(&e, &mut session.env(frame)).and_then(|v| settle(v, &cx));
    let (found, element) = match (found, &e.ty) {
        (Ok(Value::Set(found)), Ty::Pow(element)) => (found, element),
        (Ok(_), _) => return Err(Trouble::Unknown("there are too many solutions to list them".to_owned())),
        (Err(fault), _) => return Err(session.trouble(&fault)),
    };
    let mut out = match found.len() {
        0 => "no solution".to_owned(),
        1 => String::new(),
        n => format!("{n} solutions\n"),
    };
    for solution in found.items().iter().take(SOLUTIONS) {
        let parts = components(solution, element, names.len());
        let shown =
            names.iter().zip(parts).map(|(n, (v, ty))| format!("{n} = {}", v.show(ty, &evaluator.world)));
        let _ = writeln!(out, "{}", shown.collect::<Vec<_>>().join(", "));
    }
    if let Some(more @ 1..) = found.len().checked_sub(SOLUTIONS) {
        let _ = writeln!(out, "... {more} more");
    }
    Ok(out)
}

/// The names in a predicate that neither it nor the machine binds, in order.
fn unknown(session: &mut Session<'_>, text: &str) -> Result<Vec<String>, Trouble> {
    let mut names: Vec<String> = Vec::new();
    loop {
        let bound =
            if names.is_empty() { text.to_owned() } else { format!("{{{} | {text}}}", names.join(",")) };
        let before = session.sources().files().count();
        let file = session.sources_mut().add(LINE, bound.as_str());
        let (node, errors) = parse_formula(file, &bound);
        if !errors.is_empty() && !names.is_empty() {
            return Err(Trouble::Refused(errors));
        }
        let node = node.filter(|_| errors.is_empty()).ok_or(Trouble::Refused(errors))?;
        let Err(errors) = crate::resolve::resolve_formula(node, &session.flat) else { return Ok(names) };
        let (missing, others): (Vec<_>, Vec<_>) =
            errors.into_iter().partition(|e| e.code == Code::UnknownName);
        let known = names.len();
        for span in missing.iter().filter_map(|e| e.span) {
            let name = session.sources().text(span).to_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.len() == known {
            let all = if others.is_empty() { missing } else { others };
            return Err(Trouble::Refused(all));
        }
        session.sources_mut().keep(before);
    }
}

/// The parts of nested pairs with their types.
fn components<'v>(value: &'v Value, ty: &'v Ty, n: usize) -> Vec<(&'v Value, &'v Ty)> {
    match (value, ty) {
        (Value::Pair(pair), Ty::Pair(a, b)) if n > 1 => {
            let mut parts = components(&pair.0, a, n - 1);
            parts.push((&pair.1, b));
            parts
        }
        _ => vec![(value, ty)],
    }
}

/// Why a predicate is true or false; why an operation is not possible; without either, why none is.
pub(in crate::cli) fn why(session: &mut Session<'_>, text: &str) -> Answer {
    let operation = session.operations().iter().any(|o| o == text);
    if text.is_empty() || operation {
        return Ok(blocked(session, text));
    }
    let (pred, frame) = predicate(session, text)?;
    let evaluator = session.evaluator();
    let holds = evaluator.pred(&pred, &mut session.env(frame)).map_err(|f| session.trouble(&f))?;
    let formula = Formula { pred, text: text.into(), frame, reads: Vec::new() };
    let verdict = if holds { "TRUE" } else { "FALSE" };
    Ok(format!("{verdict}\n{}", because(session, &formula, holds)))
}

/// The reason as lines.
fn because(session: &Session<'_>, formula: &Formula, holds: bool) -> String {
    let system = session.walk.system();
    Witness::new(system, &session.setup.sizes, session.sources()).because(formula, &session.env(0), holds)
}

fn blocked(session: &Session<'_>, operation: &str) -> String {
    let Some(state) = session.walk.state() else {
        return "here only constants or variables get their values".to_owned();
    };
    let numbered = (0u32..).zip(session.operations());
    let asked = numbered.filter(|(_, name)| operation.is_empty() || *name == operation);
    let impossible = asked.filter(|(number, _)| {
        let choices = session.walk.choices_of(*number);
        choices.all.is_empty() && choices.faults.is_empty()
    });
    let names: Vec<&str> = impossible.map(|(_, name)| name.as_str()).collect();
    match (names.is_empty(), operation) {
        (true, "") => "every operation is possible".to_owned(),
        (true, operation) => format!("{operation} is possible"),
        (false, _) => {
            let system = session.walk.system();
            Witness::new(system, &session.setup.sizes, session.sources()).in_the_way(state, &names)
        }
    }
}

/// The properties of the machine in this state.
pub(in crate::cli) fn check(session: &mut Session<'_>, _: &str) -> Answer {
    let said = violated(session);
    Ok(match (said.is_empty(), session.walk.state()) {
        (false, _) => said,
        (true, Some(_)) => "the invariant and the assertions hold here".to_owned(),
        (true, None) => "the assertions that can be decided here hold".to_owned(),
    })
}

/// What of the machine's properties does not hold here, with reasons; whether the goal does.
pub(in crate::cli) fn violated(session: &Session<'_>) -> String {
    let (system, words) = (session.walk.system(), session.walk.words());
    let found = found::found(&words, system, session.walk.state().is_some());
    let witness = Witness::new(system, &session.setup.sizes, session.sources());
    found::told(&found, &words, system, &witness)
}
