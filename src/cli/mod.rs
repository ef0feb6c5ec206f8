//! The command line: arguments, commands, exit codes. One file per command.
//!
//! In: the arguments of the process. Out: text on standard output, diagnostics on standard error, an exit code.
//! Only this room prints.

/// Writes a line to standard error. Where nobody can read it, or it cannot be written, there is nobody to be told.
macro_rules! tell {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _unheard = writeln!(std::io::stderr(), $($text)*);
    }};
}

mod agree;
mod animate;
mod args;
mod beside;
mod check;
mod checkpoint;
mod child;
mod compare;
mod config;
mod ctrl_c;
mod eval;
mod exit;
mod files;
mod follow;
mod foreign_args;
mod formulas;
mod found;
mod given;
mod graph;
mod group;
mod info;
mod last_words;
mod levels;
mod load;
mod lsp;
mod many;
mod out;
mod probcli;
mod progress;
mod project;
mod refine;
mod repl;
mod rerun;
mod run;
mod session;
mod setup;
mod shared_args;
mod shell;
mod show;
mod simulate;
mod state_args;
mod temporal;
mod test;
mod trace;
mod trail;
mod tree;
mod units;
mod values;
mod watch;
mod watched;

pub use last_words::out_of_memory;

use args::{Cli, Command};
use config::Unread;
use exit::Exit;
use std::time::Instant;

/// Stack of the thread that does the work: formulas and values may be deep. Only touched pages cost memory.
const STACKS: [usize; 3] = [1 << 30, 1 << 28, 1 << 26];

/// Runs the command that the process was started with. Once all is said and done `leave` ends the process with its exit code.
pub fn main(leave: fn(u8) -> !) -> std::process::ExitCode {
    let start = Instant::now();
    let (cli, from) = match config::read(std::env::args_os().collect()) {
        Ok(read) => read,
        Err(Unread::File(config::Refused { errors, sources })) => {
            load::print(&errors, &sources);
            return Exit::Refused.into();
        }
        Err(Unread::Usage(e, from)) => {
            // Help and version go to standard output and are no error.
            let usage = e.use_stderr();
            let _ = e.print();
            from.iter().for_each(|from| tell!("\nnote: {from}"));
            return if usage { Exit::Refused } else { Exit::Fine }.into();
        }
    };
    from.iter().for_each(|from| tell!("note: {from}\n"));
    on_large_stack(move || leave(dispatch(cli, start).code())).into()
}

fn dispatch(cli: Cli, start: Instant) -> Exit {
    match cli.command {
        Command::Check(args) => many::run(args, start),
        Command::Compare(args) => compare::run(&args),
        Command::Agree(args) => agree::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Graph(args) => graph::run(&args, start),
        Command::Trace(args) => trace::run(&args, start),
        Command::Refine(args) => refine::run(args, start),
        Command::Show(args) => show::run(&args, start),
        Command::Info(args) => info::run(&args),
        Command::Eval(args) => eval::run(&args, start),
        Command::Simulate(args) => simulate::run(&args, start),
        Command::Repl(args) => repl::run(&args),
        Command::Probcli(args) => probcli::run(&args, start),
        Command::Project(args) => project::run(&args),
        Command::Animate(args) => animate::run(&args),
        Command::Lsp(args) => lsp::run(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
    }
}

/// Runs `work` on a thread with as large a stack as the system grants.
fn on_large_stack(work: impl FnOnce() -> Exit + Send + 'static) -> Exit {
    let work = std::sync::Arc::new(std::sync::Mutex::new(Some(work)));
    for size in STACKS {
        let slot = std::sync::Arc::clone(&work);
        let body = move || {
            let work = slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            work.map_or(Exit::Bug, |w| w())
        };
        if let Ok(thread) = std::thread::Builder::new().name("bsym".into()).stack_size(size).spawn(body) {
            return thread.join().unwrap_or(Exit::Bug);
        }
    }
    tell!("error: the system gives no memory for a thread; see `ulimit -v`");
    Exit::Limit
}
