//! `bsym show`: what a stage makes of a machine.

use super::args::{ShowArgs, Stage};
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::formulas;
use super::load;
use super::out;
use super::tree;
use super::watch;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Sources;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: &ShowArgs, start: Instant) -> Exit {
    let mut sources = args.places.sources();
    match args.stage {
        Stage::Tokens | Stage::Ast => syntax(args, &mut sources),
        Stage::Formula => automata(args, &mut sources),
        Stage::Group => group(args, &mut sources, start),
        Stage::Types | Stage::Ir => match load::load(&args.file, &mut sources) {
            Ok(loaded) => {
                load::print(&loaded.notes, &sources);
                let text = match args.stage {
                    Stage::Types => types(&loaded.machine),
                    _ => crate::ir::dump::machine(&loaded.machine),
                };
                out::print(&format!("{text}\n"), Exit::Fine)
            }
            Err(errors) => {
                load::print(&errors, &sources);
                Exit::Refused
            }
        },
    }
}

/// What the constants leave of the permutations of elements.
fn group(args: &ShowArgs, sources: &mut Sources, start: Instant) -> Exit {
    let watch = watch::start(args.timeout, None, start, &CtrlC::new());
    match super::group::text(args, sources, watch.interrupt.clone()) {
        Ok(text) => {
            let exit = if watch.interrupt.raised() { Exit::Limit } else { Exit::Fine };
            out::print(&text, exit)
        }
        Err(errors) => {
            load::print(&errors, sources);
            Exit::Refused
        }
    }
}

/// The automata of temporal formulas.
fn automata(args: &ShowArgs, sources: &mut Sources) -> Exit {
    let shown = load::load(&args.file, sources)
        .and_then(|loaded| formulas::automata(args.ltl.as_deref(), &loaded, sources));
    match shown {
        Ok(text) => out::print(&text, Exit::Fine),
        Err(errors) => {
            load::print(&errors, sources);
            Exit::Refused
        }
    }
}

fn syntax(args: &ShowArgs, sources: &mut Sources) -> Exit {
    let file = match sources.read(&args.file) {
        Ok(file) => file,
        Err(e) => {
            let message = format!("`{}` cannot be read: {e}", args.file.display());
            load::print(&[Diagnostic::without_place(Code::FileUnreadable, message)], sources);
            return Exit::Refused;
        }
    };
    let text = sources.get(file).map(|f| std::sync::Arc::clone(&f.text)).unwrap_or_default();
    if args.stage == Stage::Tokens {
        let lexed = crate::syntax::lexer::lex(file, &text);
        load::print(&lexed.bad, sources);
        let exit = if lexed.bad.is_empty() { Exit::Fine } else { Exit::Refused };
        let mut tokens = lexed.tokens.iter();
        return out::say(
            |to| tokens.try_for_each(|(lo, token, hi)| writeln!(to, "{lo:>6}..{hi:<6} {token:?}")),
            exit,
        );
    }
    let (machine, problems) = crate::syntax::parse_machine_in_full(file, &text);
    load::print(&problems, sources);
    let refused = problems.iter().any(|p| p.severity == Severity::Error);
    let exit = if refused { Exit::Refused } else { Exit::Fine };
    machine.map_or(exit, |machine| out::say(|to| tree::write(&machine, to), exit))
}

/// Constants, variables, parameters and results with their types, one per line.
fn types(machine: &crate::ir::Machine) -> String {
    let mut lines = Vec::new();
    for (what, list) in [("constant", &machine.constants), ("variable", &machine.variables)] {
        for d in list {
            lines.push(format!("{what} {} : {}", d.name, d.ty.show(machine)));
        }
    }
    for op in &machine.operations {
        lines.push(format!("operation {}", op.name));
        for (what, list) in [("parameter", &op.params), ("result", &op.results)] {
            for l in list {
                lines.push(format!("  {what} {} : {}", l.name, l.ty.show(machine)));
            }
        }
    }
    lines.join("\n")
}
