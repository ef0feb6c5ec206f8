//! The line editor: history in a file of the user, completion of commands and of the machine's names.

use super::answered;
use super::commands::COMMANDS;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use crate::model::Plain as _;
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use std::path::PathBuf;

/// Lines that the history keeps.
const KEPT: usize = 1000;

/// The line editor.
pub(super) struct Prompt(Editor<Names, FileHistory>);

impl Prompt {
    /// Takes over the terminal. It has a handler of signals, which others must come after: `bsym` wants them while it computes.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub(super) fn new() -> Result<Self, String> {
        let config = Config::builder().max_history_size(KEPT).map(rustyline::config::Builder::build);
        let editor = config.and_then(Editor::<Names, FileHistory>::with_config);
        editor.map(Self).map_err(|e| format!("the terminal cannot be used: {e}"))
    }

    /// Asks and answers until the user has enough.
    pub(super) fn run(mut self, session: &mut Session<'_>) -> Exit {
        let editor = &mut self.0;
        editor.set_helper(Some(Names { names: names(session) }));
        let history = history();
        if let Some(file) = &history {
            // There may be none yet.
            let _ = editor.load_history(file);
        }
        let machine = session.setup.machine.name.to_string();
        loop {
            match editor.readline(&format!("{machine} {}> ", session.place())) {
                Ok(line) => {
                    let _ = editor.add_history_entry(line.as_str());
                    if answered(session, &line).1 {
                        break;
                    }
                }
                // Ctrl-C gives up the line, not the session.
                Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {}
                Err(_) => break,
            }
        }
        if let Some(file) = &history {
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = editor.save_history(file);
        }
        Exit::Fine
    }
}

/// Where lines are kept between sessions.
fn history() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".local/state"));
    Some(state.filter(|s| s.is_absolute()).or_else(home)?.join("bsym").join("history"))
}

/// What can be completed.
fn names(session: &Session<'_>) -> Vec<String> {
    let machine = session.walk.system().machine();
    let commands = COMMANDS.iter().filter_map(|c| c.names.first()).map(|n| format!(":{n}"));
    let decls = machine.constants.iter().chain(&machine.variables).map(|d| d.name.to_string());
    let sets = machine.sets.iter().map(|s| s.name.to_string());
    let elements = session.setup.evaluator.world.elements.iter().flatten().map(ToString::to_string);
    let mut all: Vec<String> = commands
        .chain(decls)
        .chain(sets)
        .chain(elements)
        .chain(session.operations().iter().cloned())
        .collect();
    all.sort();
    all.dedup();
    all
}

/// The names that can be completed.
struct Names {
    names: Vec<String>,
}

impl Completer for Names {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = line.get(..pos).unwrap_or(line);
        let part = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | '.'));
        let start = before.char_indices().rev().find(|(_, c)| part(*c)).map_or(0, |(i, c)| i + c.len_utf8());
        let begun = before.get(start..).unwrap_or("");
        let fits = self.names.iter().filter(|n| !begun.is_empty() && n.starts_with(begun));
        let pair = |n: &String| Pair { display: n.clone(), replacement: n.clone() };
        Ok((start, fits.map(pair).collect()))
    }
}

impl Hinter for Names {
    type Hint = String;
}
impl Highlighter for Names {}
impl Validator for Names {}
impl Helper for Names {}
