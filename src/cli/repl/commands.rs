//! What a line may say: a formula, or a command that begins with a colon. One row a command.

use super::{moves, search};
use crate::cli::session::{Answer, Session, Trouble, formulas};
use std::fmt::Write as _;

/// A command.
pub(super) struct Command {
    /// Its names, the long one first.
    pub names: &'static [&'static str],
    /// What stands behind it, for help.
    pub arguments: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// Does it.
    run: fn(&mut Session<'_>, &str) -> Answer,
}

const fn row(
    names: &'static [&'static str],
    arguments: &'static str,
    help: &'static str,
    run: fn(&mut Session<'_>, &str) -> Answer,
) -> Command {
    Command { names, arguments, help, run }
}

/// All commands, in the order of the help.
pub(super) const COMMANDS: &[Command] = &[
    row(&["type", "t"], "E", "the type of an expression", formulas::type_of),
    row(&["solve"], "P", "the values of names in P that the machine does not know", formulas::solve),
    row(
        &["why", "w"],
        "[P | OPERATION]",
        "why P is true or false, why an operation is not possible",
        formulas::why,
    ),
    row(&["state"], "", "the values of constants and variables", moves::state),
    row(&["check", "c"], "", "the invariant, assertions and goal in this state", formulas::check),
    row(&["enabled", "e"], "[OPERATION]", "the steps that are possible, with numbers", moves::enabled),
    row(
        &["step", "s"],
        "[N | OPERATION | OPERATION(E,..)]",
        "take a step: by number, by name, with arguments; the only one",
        moves::step,
    ),
    row(&["random", "r"], "[N]", "take N steps by chance (1)", moves::random),
    row(&["undo", "u"], "[N]", "take N steps back (1)", moves::undo),
    row(
        &["goto", "g"],
        "N | violation",
        "go back to step N of the trace, or to the first violation",
        search::go,
    ),
    row(&["find", "f"], "P", "go to a state in which P is true, the nearest to the beginning", search::find),
    row(&["follow"], "FILE", "go along a trace in a file, as far as it is possible", search::follow),
    row(&["reset"], "", "go back to the beginning, before constants and variables have values", moves::reset),
    row(&["trace"], "", "the steps taken", moves::trace),
    row(&["help", "h"], "", "this list", help),
    row(&["quit", "q"], "", "end (as does Ctrl-D)", |_, _| Err(Trouble::Quit)),
];

/// The answer to a line that is not empty.
pub(super) fn answer(session: &mut Session<'_>, line: &str) -> Answer {
    let Some(command) = line.strip_prefix(':') else { return formulas::value(session, line) };
    let (name, rest) = match command.split_once(char::is_whitespace) {
        Some((name, rest)) => (name, rest.trim()),
        None => (command, ""),
    };
    match COMMANDS.iter().find(|c| c.names.contains(&name)) {
        Some(command) => (command.run)(session, rest),
        None => Err(Trouble::Said(unknown(name))),
    }
}

fn unknown(name: &str) -> String {
    let long = COMMANDS.iter().filter_map(|c| c.names.first());
    let begun: Vec<String> = long.filter(|n| n.starts_with(name)).map(|n| format!("`:{n}`")).collect();
    let meant = match begun.as_slice() {
        [] => String::new(),
        [one] => format!(", did you mean {one}?"),
        all => format!(", did you mean one of {}?", all.join(", ")),
    };
    let end = if meant.is_empty() { "; `:help` lists all" } else { "" };
    format!("there is no command `:{name}`{meant}{end}")
}

fn help(_: &mut Session<'_>, _: &str) -> Answer {
    let call = |c: &Command| {
        let names: Vec<String> = c.names.iter().map(|n| format!(":{n}")).collect();
        format!("{} {}", names.join(", "), c.arguments).trim_end().to_owned()
    };
    let width = COMMANDS.iter().map(|c| call(c).chars().count()).max().unwrap_or(0);
    let mut out = "an expression or predicate: its value in this state\n".to_owned();
    for c in COMMANDS {
        let _ = writeln!(out, "{:width$}  {}", call(c), c.help);
    }
    Ok(out)
}
