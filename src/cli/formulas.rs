//! The temporal formulas of a run: those that the machine states and those of the command line.
//!
//! In: options, the machine before it was typed. Out: [`Wanted`] formulas, read and without mistakes; notes about those that are not checked. Deciding them
//! is in `temporal`.

use super::args::CheckArgs;
use super::load::Loaded;
use crate::diagnostic::suggest::listed;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Expr, Machine};
use crate::resolve::Flat;
use crate::resolve::flat::Stated;
use crate::source::Sources;
use crate::temporal::ast::Change;
use crate::temporal::ast::Form;
use crate::temporal::atoms::{Atoms, StateAtom, StepAtom};
use crate::temporal::automaton::TooLarge;
use crate::temporal::lower::{Lower, Offered, Question};
use crate::temporal::text::Text;
use crate::temporal::{Automaton, Letter, show};
use crate::ty::Ty;

/// A formula that is to be decided.
pub(super) struct Wanted {
    /// Its text.
    pub text: Text,
    /// What it says.
    pub form: Form,
}

/// The operations that are offered, by number.
pub(super) fn offered(machine: &Machine) -> Vec<Offered> {
    let offered = machine.operations.iter().filter(|o| o.offered.is_some());
    offered.map(|o| Offered { name: o.name.to_string(), parameters: o.params.len() }).collect()
}

/// Whether there may be formulas to be decided.
pub(super) fn are_asked(args: &CheckArgs, flat: &Flat) -> bool {
    !flat.temporal.is_empty() || !args.ltl.is_empty() || !args.ctl.is_empty()
}

/// All formulas that are wanted. Notes that say that one of them is not checked are taken away, or say why.
///
/// # Errors
/// Mistakes in formulas of the command line, or that it names. Others are not checked, and a note says why.
pub(super) fn wanted(
    args: &CheckArgs,
    machine: &Machine,
    flat: &Flat,
    sources: &mut Sources,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<Wanted>, Vec<Diagnostic>> {
    unknown_names(args, flat)?;
    let is_named = |s: &Stated| args.only.is_empty() || args.only.iter().any(|n| **n == *s.name.name);
    let is_wanted = |s: &&Stated| !args.no_formulas && is_named(s);
    let option = if args.no_formulas { "--no-formulas" } else { "--only" };
    for stated in flat.temporal.iter().filter(|s| !is_wanted(s)) {
        let of = notes
            .iter_mut()
            .filter(|n| n.code == Code::NotChecked && sources.is_same_place(n.span, Some(stated.name.span)));
        of.for_each(|n| n.message += &format!(", which was not asked for (`{option}`)"));
    }
    let mut texts: Vec<Text> = Vec::new();
    for stated in flat.temporal.iter().filter(is_wanted) {
        // What is no string stays a note.
        texts.extend(Text::of_definition(stated, sources));
    }
    let options = [("--ltl", false, &args.ltl), ("--ctl", true, &args.ctl)];
    for (name, branching, list) in options {
        for text in list {
            texts.push(Text::of_option(name, branching, text, sources));
        }
    }
    let operations = offered(machine);
    let mut out = Vec::new();
    let mut errors = Vec::new();
    for text in texts {
        let form = text.read().map_err(|e| vec![e]).and_then(|form| {
            mistakes(&text, &form, &operations, flat, sources)?;
            Ok(form)
        });
        let at = notes
            .iter()
            .position(|n| n.code == Code::NotChecked && sources.is_same_place(n.span, text.defined));
        match form {
            Ok(form) => {
                if let Some(at) = at {
                    notes.remove(at);
                }
                out.push(Wanted { text, form });
            }
            // What the machine is checked for otherwise does not depend on it.
            Err(list) if text.defined.is_some() && args.only.is_empty() => {
                if let (Some(note), Some(first)) = (at.and_then(|at| notes.get_mut(at)), list.first()) {
                    because(note, first, sources);
                }
            }
            Err(list) => errors.extend(list),
        }
    }
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

/// Adds to a note that a formula is not checked why that is so.
fn because(note: &mut Diagnostic, why: &Diagnostic, sources: &Sources) {
    let supported = if why.code == Code::Unsupported { "not supported: " } else { "" };
    let place = why.span.and_then(|s| Some(sources.get(s.file)?.line_col(s.lo)));
    let place = place.map_or_else(String::new, |(line, column)| format!(" ({line}:{column})"));
    note.message = format!("{}: {supported}{}{place}", note.message, why.message);
    note.others.extend(why.span.map(|s| (s, "here".to_owned())));
}

/// Names of formulas that are asked for and not there.
fn unknown_names(args: &CheckArgs, flat: &Flat) -> Result<(), Vec<Diagnostic>> {
    let missing = args.only.iter().find(|n| flat.temporal.iter().all(|s| *s.name.name != ***n));
    let Some(name) = missing else { return Ok(()) };
    let known: Vec<&str> = flat.temporal.iter().map(|s| &*s.name.name).collect();
    let d =
        Diagnostic::without_place(Code::BadOption, format!("the machine has no temporal formula `{name}`"));
    let none = "ASSERT_LTL and ASSERT_CTL definitions give it some, `--ltl` and `--ctl` ask for others";
    let help = listed(name, "it has", &known).unwrap_or_else(|| none.to_owned());
    Err(vec![d.with_help(help)])
}

/// Looks for mistakes in names and types.
fn mistakes(
    text: &Text,
    form: &Form,
    operations: &[Offered],
    flat: &Flat,
    sources: &Sources,
) -> Result<(), Vec<Diagnostic>> {
    let mut atoms = Atoms::default();
    Lower::new(flat, operations, &mut atoms, text).question(form)?;
    let machine = atoms.machine(flat, sources)?;
    arguments(&machine, &atoms, &atoms.evaluated(&machine))
}

/// Arguments of operations have the types of the parameters, and what increases is a number.
pub(super) fn arguments(
    machine: &Machine,
    atoms: &Atoms,
    expressions: &[Option<(Expr, u32)>],
) -> Result<(), Vec<Diagnostic>> {
    let expression = |e: u32| expressions.get(e as usize)?.as_ref().map(|(e, _)| e);
    let of_states = atoms.states.iter().filter_map(|a| match a {
        StateAtom::Enabled(c) => Some(c),
        _ => None,
    });
    let of_steps = atoms.steps.iter().filter_map(|a| match a {
        StepAtom::Taken(c) => Some(c),
        StepAtom::Change(..) => None,
    });
    let offered: Vec<_> = machine.operations.iter().filter(|o| o.offered.is_some()).collect();
    for called in of_states.chain(of_steps) {
        let Some(op) = offered.get(called.operation as usize) else { continue };
        for (param, argument) in op.params.iter().zip(&called.arguments) {
            let Some(e) = argument.and_then(expression) else { continue };
            if e.ty != param.ty {
                let (is, wanted) = (e.ty.show(machine), param.ty.show(machine));
                let text =
                    format!("the argument `{}` of `{}` is of type {wanted}, not {is}", param.name, op.name);
                return Err(vec![Diagnostic::error(Code::TypeMismatch, e.span, text)]);
            }
        }
    }
    for atom in &atoms.steps {
        let StepAtom::Change(Change::Increasing | Change::Decreasing, e) = atom else { continue };
        if let Some(e) = expression(*e)
            && e.ty != Ty::Int
        {
            let text =
                format!("what increases or decreases is an integer, not of type {}", e.ty.show(machine));
            return Err(vec![Diagnostic::error(Code::TypeMismatch, e.span, text)]);
        }
    }
    Ok(())
}

/// The automata of a formula, or of those that the machine states.
pub(super) fn automata(
    ltl: Option<&str>,
    loaded: &Loaded,
    sources: &mut Sources,
) -> Result<String, Vec<Diagnostic>> {
    let flat = &loaded.flat;
    let texts: Vec<Text> = match ltl {
        Some(text) => vec![Text::of_option("--ltl", false, text, sources)],
        None => flat.temporal.iter().filter_map(|s| Text::of_definition(s, sources)).collect(),
    };
    let operations = offered(&loaded.machine);
    let mut out = String::new();
    for text in texts {
        let form = text.read().map_err(|e| vec![e])?;
        let mut atoms = Atoms::default();
        let question = Lower::new(flat, &operations, &mut atoms, &text).question(&form)?;
        out += &format!("formula {}: {}\n", text.name, text.folded());
        let Question::Linear(wanted, weak, strong) = question else {
            out += "a formula of branching time has no automaton: states are labelled\n\n";
            continue;
        };
        let large = |e: TooLarge| vec![Diagnostic::without_place(Code::Unsupported, e.0)];
        let automaton = Automaton::new(&wanted).map_err(large)?;
        let named = |l| atoms.named(l, &operations);
        for (what, list) in [("weakly", &weak), ("strongly", &strong)] {
            let taken: Vec<String> = list.iter().map(|f| named(Letter::Step(f.taken))).collect();
            if !taken.is_empty() {
                out += &format!("{what} fair: {}\n", taken.join(", "));
            }
        }
        out += &show::hoa(&format!("not({})", text.folded()), &automaton, &named);
        out += &show::dot(&automaton, &named);
        out.push('\n');
    }
    Ok(out)
}
