//! `bsym repl`: a machine explored by hand: formulas in a state, steps back and forth, reasons, searches.
//!
//! In: lines of a terminal, or of a pipe. Out: an answer to each on standard output, errors on standard error. The machine and the run
//! are those of a `session`. Siblings: `commands` (what lines may say, a row each), `moves` (steps), `search` (traces that lead somewhere,
//! found by a check of its own), `call` (operations with arguments), `prompt` (the line editor).

mod call;
mod commands;
mod moves;
mod prompt;
mod search;

use super::args::SessionArgs;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::load;
use super::out;
use super::session::{Session, Trouble};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;
use prompt::Prompt;
use std::io::IsTerminal as _;

/// Runs the command.
pub(super) fn run(args: &SessionArgs) -> Exit {
    let prompt = match std::io::stdin().is_terminal().then(Prompt::new).transpose() {
        Ok(prompt) => prompt,
        Err(why) => {
            tell!("error: {why}");
            return Exit::Refused;
        }
    };
    let mut sources = args.places.sources();
    let opened = Session::open(args, &mut sources, CtrlC::of_a_prompt());
    let mut session = match opened {
        Ok(session) => session,
        Err(errors) => {
            load::print(&errors, &sources);
            return Exit::Refused;
        }
    };
    if prompt.is_some() {
        let name = &session.setup.machine.name;
        println!("{name}: `:help` lists the commands, `:enabled` the steps that are possible, Ctrl-D ends");
    }
    session.begin();
    let begun = moves::set_up(&mut session);
    let stopped = session.end(Ok(String::new())).err();
    if out::print(&begun, Exit::Fine) != Exit::Fine {
        return Exit::Refused;
    }
    if let Some(trouble) = &stopped {
        told(trouble, &session);
    }
    match (prompt, stopped) {
        (Some(prompt), _) => prompt.run(&mut session),
        (None, Some(trouble)) => trouble.exit(),
        (None, None) => script(&mut session),
    }
}

/// Lines that nobody types: the exit code is that of the first that has no answer.
fn script(session: &mut Session<'_>) -> Exit {
    let mut exit = Exit::Fine;
    for line in std::io::stdin().lines() {
        let Ok(line) = line else {
            load::print(
                &[Diagnostic::without_place(
                    crate::diagnostic::Code::FileUnreadable,
                    "a line of standard input cannot be read: it is no UTF-8",
                )],
                &Sources::default(),
            );
            return Exit::Refused;
        };
        let (done, quit) = answered(session, &line);
        exit = if exit == Exit::Fine { done } else { exit };
        if quit {
            break;
        }
    }
    exit
}

/// Answers a line; how that went, and whether it was the last one.
fn answered(session: &mut Session<'_>, line: &str) -> (Exit, bool) {
    let line = line.trim();
    if line.is_empty() {
        return (Exit::Fine, false);
    }
    session.begin();
    let answer = commands::answer(session, line);
    let answer = session.end(answer);
    match answer {
        Ok(text) if text.is_empty() => (Exit::Fine, false),
        Ok(text) => {
            let done = out::print(&format!("{}\n", text.trim_end()), Exit::Fine);
            (done, done != Exit::Fine)
        }
        Err(Trouble::Quit) => (Exit::Fine, true),
        Err(Trouble::Unknown(text)) => (out::print(&format!("{text}\n"), Exit::Bounds), false),
        Err(trouble) => {
            told(&trouble, session);
            (trouble.exit(), false)
        }
    }
}

/// Says why there is no answer.
fn told(trouble: &Trouble, session: &Session<'_>) {
    match trouble {
        Trouble::Refused(all) | Trouble::Fault(all) => load::print(all, session.sources()),
        Trouble::Said(text) | Trouble::Stopped(text) | Trouble::Unknown(text) => tell!("error: {text}"),
        Trouble::Quit => {}
    }
}
