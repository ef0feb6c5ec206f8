//! What a command line of `probcli` asks for.
//!
//! In: switches with their arguments, one after the other ([`Wanted::take`]). Out: [`Wanted`], data; which commands that are is in `steps`.

use super::errors::{self, Error};
use super::table::{Means, Switch};
use super::{formula_file, preferences};
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Code, Diagnostic};
use std::path::Path;

/// What a switch of its own asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    ModelCheck,
    ModelCheckAtMost,
    OtherChecker,
    Init,
    Walk,
    WalkOn,
    Assertions,
    Ltl,
    Ctl,
    Stated,
    LtlFile,
    LtlLimit,
    Refines,
    Replay,
    ReplayBeside,
    Eval,
    Repl,
    Without(Part),
    Goal,
    Preference,
    Symmetry,
    Timeout,
    History,
    State,
    Graph,
    GraphCommand,
    Projection,
    Junit,
    Expect,
    Version,
    Help,
    Markdown,
    Translate,
    Nothing,
}

/// A part of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Deadlock,
    Invariant,
    Assertions,
    Goal,
    Formulas,
}

/// What is shown instead of anything that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    Help,
    Markdown,
    Version,
}

/// A graph in a file.
pub(super) struct Graph {
    /// Where.
    pub file: String,
    /// On what, if not on all variables.
    pub project: Option<String>,
}

/// How many steps chance takes.
pub(super) const NO_END: &str = "1000000";

/// All that a command line asks for.
#[derive(Default)]
pub(super) struct Wanted {
    /// The machine.
    pub file: Option<String>,
    /// Options of every command.
    pub world: Vec<String>,
    /// Options of checks.
    pub checks: Vec<String>,
    /// The limit of time.
    pub timeout: Option<String>,
    /// The strategy, if one is named.
    pub symmetry: Option<String>,
    /// Whether the machine is checked.
    pub model_check: bool,
    /// Whether its assertions are.
    pub assertions: bool,
    /// Whether the formulas that it states are decided.
    pub stated: bool,
    /// Other formulas, as options.
    pub formulas: Vec<String>,
    /// What is not checked.
    pub without: Vec<Part>,
    /// A property that is looked for.
    pub goal: Option<String>,
    /// Most states.
    pub most: Option<String>,
    /// Most states for formulas.
    pub most_for_formulas: Option<String>,
    /// Whether there is to be a first state.
    pub init: bool,
    /// Steps by chance.
    pub walk: Option<String>,
    /// Whether they are to come to an end, which is then no violation.
    pub to_the_end: bool,
    /// A machine that is refined.
    pub refines: Option<String>,
    /// Traces that are replayed; `None`: the one beside the machine.
    pub replays: Vec<Option<String>>,
    /// Formulas that are evaluated.
    pub evals: Vec<String>,
    /// Graphs that are written.
    pub graphs: Vec<Graph>,
    /// Whether the machine is explored by hand.
    pub repl: bool,
    /// Where the trace goes that is found.
    pub history: Option<String>,
    /// Where the state goes that was found.
    pub state: Option<String>,
    /// The folder for reports.
    pub junit: Option<String>,
    /// Errors that are to be found.
    pub expected: Vec<&'static Error>,
    /// What is shown instead.
    pub shown: Option<Shown>,
    /// Whether what would be run is only said.
    pub translate: bool,
    /// Switches that are ignored, with the reason.
    pub ignored: Vec<String>,
}

/// Something is wrong with the command line.
pub(super) fn wrong(text: impl Into<String>) -> Diagnostic {
    Diagnostic::without_place(Code::BadOption, text)
}

impl Wanted {
    /// Whether there is a check, whose trace is then the one that is written.
    pub(super) fn is_checked(&self) -> bool {
        self.model_check || self.assertions || self.stated || !self.formulas.is_empty()
    }

    /// Takes a switch, as it was written, with its arguments.
    ///
    /// # Errors
    /// It is refused.
    pub(super) fn take(&mut self, word: &str, switch: &Switch, args: &[String]) -> Result<(), Diagnostic> {
        let filled = |pattern: &str| {
            let names = switch.arguments.iter().zip(args);
            names.fold(pattern.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
        };
        match switch.means {
            Means::Check(pattern) => put(&mut self.checks, filled(pattern)),
            Means::World(pattern) => put(&mut self.world, filled(pattern)),
            Means::Ignored => self.ignored.push(format!("`{word}` is ignored: {}", switch.help)),
            Means::Refused => {
                return Err(wrong(format!("bsym has no `{word}`")).with_help(switch.help));
            }
            Means::Do(task, _) => self.act(word, task, args)?,
        }
        Ok(())
    }

    fn act(&mut self, word: &str, task: Task, args: &[String]) -> Result<(), Diagnostic> {
        let (first, last) = (args.first().cloned(), args.last().cloned());
        match task {
            Task::ModelCheck => self.model_check = true,
            Task::ModelCheckAtMost => (self.model_check, self.most) = (true, first),
            Task::OtherChecker => {
                self.model_check = true;
                self.ignored.push(format!("`{word}`: bsym is the model checker itself"));
            }
            Task::Init => self.init = true,
            Task::Walk => self.walk = first,
            Task::WalkOn => {
                self.walk = Some(NO_END.to_owned());
                self.to_the_end = true;
            }
            Task::Assertions => self.assertions = true,
            Task::Ltl => self.formulas.extend(first.map(|f| format!("--ltl={f}"))),
            Task::Ctl => self.formulas.extend(first.map(|f| format!("--ctl={f}"))),
            Task::Stated => self.stated = true,
            Task::LtlFile => {
                let all = formula_file::read(Path::new(&first.unwrap_or_default())).map_err(wrong)?;
                self.formulas.extend(all.into_iter().map(|f| format!("--ltl={f}")));
            }
            Task::LtlLimit => self.most_for_formulas = first,
            Task::Refines => self.refines = first,
            Task::Replay => self.replay(&first.unwrap_or_default(), last)?,
            Task::ReplayBeside => self.replays.push(None),
            Task::Eval => self.evals.extend(first),
            Task::Repl => self.repl = true,
            Task::Without(part) => self.without.push(part),
            Task::Goal => self.goal = first,
            Task::Preference => self.prefer(&first.unwrap_or_default(), &last.unwrap_or_default())?,
            Task::Symmetry => self.symmetry = Some(strategy(&first.unwrap_or_default())?.to_owned()),
            Task::Timeout => self.timeout = first.map(|n| format!("--timeout={n}ms")),
            Task::History => self.history = first,
            Task::State => self.state = first,
            Task::Graph => self.graph(last, None),
            Task::GraphCommand => self.draw(args)?,
            Task::Projection => self.project(args)?,
            Task::Junit => self.junit = first,
            Task::Expect => self.expected.push(errors::find(&first.unwrap_or_default())?),
            Task::Version => self.shown = Some(Shown::Version),
            Task::Help => self.shown = Some(Shown::Help),
            Task::Markdown => self.shown = Some(Shown::Markdown),
            Task::Translate => self.translate = true,
            Task::Nothing => {}
        }
        Ok(())
    }

    /// Sets a preference.
    ///
    /// # Errors
    /// It is refused.
    pub(super) fn prefer(&mut self, name: &str, value: &str) -> Result<(), Diagnostic> {
        let preference = preferences::find(name)?;
        let filled = |pattern: &str| pattern.replace("{VALUE}", value);
        match preference.means {
            Means::Check(pattern) => put(&mut self.checks, filled(pattern)),
            Means::World(pattern) => put(&mut self.world, filled(pattern)),
            Means::Do(task, _) => self.act(name, task, &[value.to_owned()])?,
            Means::Ignored => self.ignored.push(format!("`-p {name}` is ignored: {}", preference.help)),
            Means::Refused => {
                return Err(wrong(format!("bsym has no preference `{name}`")).with_help(preference.help));
            }
        }
        Ok(())
    }

    fn replay(&mut self, format: &str, file: Option<String>) -> Result<(), Diagnostic> {
        if !["json", "itf", "prob2trace"].contains(&format.to_ascii_lowercase().as_str()) {
            let text = format!("`-trace_replay {format}`: bsym reads no traces in this format");
            return Err(wrong(text).with_help("save the trace as `.prob2trace` (json) or `.itf.json` (itf)"));
        }
        self.replays.push(file);
        Ok(())
    }

    fn graph(&mut self, file: Option<String>, project: Option<String>) {
        self.graphs.extend(file.map(|file| Graph { file, project }));
    }

    fn draw(&mut self, args: &[String]) -> Result<(), Diagnostic> {
        if let [command, _] = args
            && command != "state_space"
        {
            let help = "`state_space` is there, and `-dotexpr transition_diagram E FILE`; `bsym info FILE` says what a machine is made of";
            return Err(wrong(format!("`-dot {command}`: bsym draws nothing of that kind")).with_help(help));
        }
        self.graph(args.last().cloned(), None);
        Ok(())
    }

    fn project(&mut self, args: &[String]) -> Result<(), Diagnostic> {
        let [command, formula, file] = args else { return Ok(()) };
        if !["transition_diagram", "state_space_projection"].contains(&command.as_str()) {
            let help = "`transition_diagram` is there: a node for each value of the expression";
            return Err(
                wrong(format!("`-dotexpr {command}`: bsym draws nothing of that kind")).with_help(help)
            );
        }
        self.graph(Some(file.clone()), Some(formula.clone()));
        Ok(())
    }
}

/// `ProB`'s ways to use symmetry, and bsym's.
const STRATEGIES: [(&str, &str); 4] =
    [("off", "off"), ("flood", "flood"), ("nauty", "canon"), ("hash", "markers")];

fn strategy(mode: &str) -> Result<&'static str, Diagnostic> {
    let wanted = mode.to_ascii_lowercase();
    let known = STRATEGIES.iter().find(|(name, _)| *name == wanted);
    known.map(|(_, own)| *own).ok_or_else(|| {
        let help = match nearest(&wanted, STRATEGIES.map(|(name, _)| name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "there are off, flood, nauty, hash".to_owned(),
        };
        wrong(format!("there is no symmetry mode `{mode}`")).with_help(help)
    })
}

/// Adds an option; one that may be given once replaces an earlier one, as the last one counts in `probcli`.
fn put(all: &mut Vec<String>, option: String) {
    let name = |o: &str| o.split('=').next().unwrap_or_default().to_owned();
    if name(&option) != "--card" {
        all.retain(|o| name(o) != name(&option));
    }
    all.push(option);
}
