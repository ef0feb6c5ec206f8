//! The arguments, as clap reads them.

use super::checkpoint::CheckpointArgs;
pub(super) use super::foreign_args::{ProbcliArgs, ProjectArgs};
use super::shared_args::names;
pub(super) use super::shared_args::{GivenArgs, PlaceArgs, WorldArgs};
pub(super) use super::state_args::{AnimateArgs, EvalArgs, SessionArgs, SimulateArgs, TraceArgs};
use super::units::{self, LevelArg, Sizes};
use crate::model::constants::Mode;
use crate::resolve::flat::Notion;
use crate::{report, symmetry};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// A model checker for the B method that exploits the symmetry of deferred sets.
///
/// bsym explores the states of a classical B machine and checks its invariant, its assertions and freedom
/// from deadlock. Elements of deferred sets are interchangeable, so one state stands for all its renamings.
#[derive(Parser, Debug)]
#[command(name = "bsym", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 all checks hold and everything was explored; 1 a property is violated; \
    2 the input was refused; 3 a limit stopped the search or the time of a property ran out; 4 an evaluation error was found; 5 all checks hold, and not all \
    values of infinite types were tried; 101 a bug in bsym."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Explore the states of machines and check them
    Check(ManyArgs),
    /// Run symmetry strategies side by side and say what each costs, saves and misses
    Compare(CompareArgs),
    /// Explore machines in every way there is and look for contradictions
    Agree(AgreeArgs),
    /// Run what the comments of machines expect (`expect: card=3 verdict=holds`), and say what is not so
    Test(TestArgs),
    /// Write the state graph, or what is left of it under a projection, for other tools
    Graph(GraphArgs),
    /// Replay a trace on the machine without symmetry reduction, and say where it fails
    Trace(TraceArgs),
    /// Check that a refinement or implementation refines the machine that it says it refines, on the states of both
    Refine(RefineArgs),
    /// Say what a machine is made of: sets and their sizes, what is permuted, types, operations and what they change
    Info(InfoArgs),
    /// Show what a stage makes of a machine
    Show(ShowArgs),
    /// Evaluate an expression or predicate with the sets and constants of a machine
    Eval(EvalArgs),
    /// Explore a machine by hand: formulas in a state, steps back and forth, reasons, searches
    Repl(SessionArgs),
    /// Animate a machine in the terminal: its state, the steps that are possible, those that were taken
    Animate(AnimateArgs),
    /// Take random steps, check the states on the way, and say what was met
    Simulate(SimulateArgs),
    /// Take the command line of `ProB`'s `probcli`, and run what it stands for; `bsym probcli -help` lists its switches
    #[command(disable_help_flag = true)]
    Probcli(ProbcliArgs),
    /// Run the tasks of a project of `ProB2-UI` that bsym has: checks, temporal formulas, traces
    Project(ProjectArgs),
    /// Serve an editor: diagnostics, types, names, checks (Language Server Protocol on standard input and output)
    Lsp(LspArgs),
    /// Write the script that lets a shell complete commands and options
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
}

#[derive(Args, Clone, Debug)]
pub(super) struct CheckArgs {
    /// The machine
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    #[command(flatten)]
    pub world: WorldArgs,
    #[command(flatten)]
    pub given: GivenArgs,
    /// Which states count as the same
    #[arg(long, value_name = "MODE", default_value = symmetry::DEFAULT, value_parser = strategies(),
        help_heading = "Symmetry")]
    pub symmetry: String,
    /// Which valuations of the constants [default: all with `--symmetry off`, else orbits]
    #[arg(long, value_name = "WHICH", value_enum, help_heading = "Symmetry")]
    pub constants: Option<ConstantsArg>,
    /// Permute the elements of these sets only [default: of all sets whose elements may be permuted]
    #[arg(long, value_name = "SET,...", value_delimiter = ',', help_heading = "Symmetry")]
    pub permute: Option<Vec<String>>,
    /// Say which sets are permuted, and why not the others
    #[arg(long, help_heading = "Symmetry")]
    pub explain_symmetry: bool,
    /// Say on stderr what was left to the plain evaluator, and how often
    #[arg(long)]
    pub explain_evaluator: bool,
    /// Compare this part (0 to 1) of the states that were taken for known ones with them, value by value
    #[arg(long, value_name = "P", value_parser = units::fraction, help_heading = "Symmetry")]
    pub audit: Option<f64>,
    /// How markers are hashed: `blake3` is slow and audits `sums`
    #[arg(long, value_name = "HOW", value_enum, default_value_t = HashArg::Sums, help_heading = "Symmetry")]
    pub marker_hash: HashArg,
    /// Go on after violations and errors, and count them all
    #[arg(long, help_heading = "Checks")]
    pub keep_going: bool,
    /// End once so many different violations and errors are found, each with its trace
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Checks", conflicts_with = "keep_going")]
    pub max_errors: u32,
    /// Which states that satisfy the goal are told
    #[arg(long, value_name = "WHICH", value_enum, default_value = "first", help_heading = "Checks")]
    pub goals: GoalsArg,
    /// Deadlocks are no violations
    #[arg(long, help_heading = "Checks")]
    pub no_deadlock: bool,
    /// Do not check the invariant
    #[arg(long, help_heading = "Checks")]
    pub no_invariant: bool,
    /// Do not check the assertions
    #[arg(long, help_heading = "Checks")]
    pub no_assertions: bool,
    /// Do not check that a refinement refines its machine, and that its machine the next, on the states of both
    #[arg(long, help_heading = "Checks")]
    pub no_refinement: bool,
    /// Look at every conjunct of guards and invariants in every state, and say which decide nothing
    #[arg(long, help_heading = "Checks")]
    pub coverage: bool,
    /// An operation that is possible in no reachable state is a violation
    #[arg(long, help_heading = "Checks")]
    pub require_coverage: bool,
    /// Do not look for the goal
    #[arg(long, help_heading = "Checks")]
    pub no_goal: bool,
    /// Do not decide the temporal formulas that the machine states
    #[arg(long, help_heading = "Checks", conflicts_with = "only")]
    pub no_formulas: bool,
    /// Decide this temporal formula of linear time, as `G({x < 3} => F [inc])`; can be given several times
    #[arg(long, value_name = "FORMULA", help_heading = "Checks")]
    pub ltl: Vec<String>,
    /// Decide this temporal formula of branching time, as `AG(EF {x = 0})`; can be given several times
    #[arg(long, value_name = "FORMULA", help_heading = "Checks")]
    pub ctl: Vec<String>,
    /// Of the temporal formulas that the machine states decide this one; can be given several times
    #[arg(long, value_name = "NAME", help_heading = "Checks")]
    pub only: Vec<String>,
    /// Most states to store
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_states: Option<u64>,
    /// Most steps from the beginning
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_depth: Option<u64>,
    /// Most valuations of the constants to begin with: if there are, or may be, more, the result holds within bounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub max_valuations: Option<u64>,
    /// Most time, as `60s` or `5min`; of a range of sizes for each
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Limits")]
    pub timeout: Option<Duration>,
    /// Most time for one conjunct of the invariant, assertion or goal in one state, as `2s`; one that is not decided is reported,
    /// and given up when this has cost a tenth of `--timeout` (without one, ten times as long as this); `0s`: no limit
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "2s", help_heading = "Limits")]
    pub property_timeout: Duration,
    /// Most memory, as `4GiB` [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, help_heading = "Limits")]
    pub max_memory: Option<u64>,
    /// Threads that expand states; the report does not depend on their number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = units::threads)]
    pub threads: usize,
    /// Evaluate by compiled code where possible, or never
    #[arg(long, value_name = "HOW", value_enum, default_value_t = EvaluatorArg::Compiled)]
    pub evaluator: EvaluatorArg,
    /// Interpret compiled code, do not translate it to machine code
    #[arg(long)]
    pub no_jit: bool,
    /// How to write the report
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats())]
    pub format: String,
    /// Write reports in JSON in full, even those of more than 1 MiB
    #[arg(long)]
    pub full: bool,
    /// Show the value of an expression or predicate in each state of a trace; may be given several times
    #[arg(long, value_name = "E")]
    pub show_expr: Vec<String>,
    /// Show all steps of traces in text, however many there are
    #[arg(long)]
    pub trace_full: bool,
    /// Write the trace of the first violation (or to the goal): `x.prob2trace`, `x.itf.json`
    #[arg(long, value_name = "FILE")]
    pub trace_out: Option<PathBuf>,
    /// Measure the time that keys take
    #[arg(long, hide = true)]
    pub time_keys: bool,
    /// Exit with 0 as well if all checks hold and not all values of infinite types were tried (`holds-within-bounds`)
    #[arg(long, help_heading = "Checks")]
    pub accept_bounds: bool,
    /// Exit with 0 exactly if this is the verdict
    #[arg(long, value_name = "VERDICT", value_parser = verdicts())]
    pub expect: Option<String>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Say more in text: what the proof of the reduction rests on, nodes and transitions of the full graph
    #[arg(long, short)]
    pub verbose: bool,
    #[command(flatten)]
    pub kept: CheckpointArgs,
    /// Whether the machine is checked together with the one that it refines (`bsym refine`)
    #[arg(skip)]
    pub refine: Option<Notion>,
    /// Whether the process goes on after the check (`bsym probcli`)
    #[arg(skip)]
    pub more: bool,
}

/// Checks of machines, one after the other.
#[derive(Args, Debug)]
pub(super) struct ManyArgs {
    #[command(flatten)]
    pub check: CheckArgs,
    /// More machines, or folders with machines in them: each is checked with the same options, in a process of its own
    #[arg(value_name = "PATH")]
    pub more: Vec<PathBuf>,
    /// Of several machines, checks at the same time; each may take its share of the memory that is free, unless `--max-memory` says
    /// how much each may take
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Of the machines that are named, only this one, which is none of them itself if it is in a folder
    #[arg(long, value_name = "FILE", hide = true)]
    pub one_of_them: Option<PathBuf>,
    /// Check again whenever a file of the machines changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
}

/// A refinement check: all options of `check`, and which notion of refinement.
#[derive(Args, Debug)]
pub(super) struct RefineArgs {
    #[command(flatten)]
    pub check: CheckArgs,
    /// What steps are compared by: `gluing`, the gluing invariant; `traces`, the operations with arguments and results that were taken;
    /// `failures`, these and what is not possible after them
    #[arg(long, value_name = "NOTION", value_parser = Notion::ALL.map(Notion::name), default_value = "gluing", help_heading = "Checks")]
    pub against: String,
    /// Which machines of a chain of REFINES: `all`, or the number of one: 1 is the file's, 2 the one that it refines, and so on
    #[arg(long, value_name = "LEVEL", value_parser = units::level, default_value = "all", help_heading = "Checks")]
    pub level: LevelArg,
}

#[derive(Args, Debug)]
pub(super) struct CompareArgs {
    /// The machine
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    /// Sizes of all deferred sets, as `1..6` or `4`
    #[arg(long, value_name = "A..B", value_parser = units::range, default_value = "1..4")]
    pub card: Sizes,
    /// Strategies; precision needs `markers` and `exact`
    #[arg(long, value_name = "MODE,...", value_delimiter = ',', default_value = "off,flood,markers,exact",
        value_parser = strategies())]
    pub modes: Vec<String>,
    /// Which valuations of the constants [default: all with `off`, else orbits]
    #[arg(long, value_name = "WHICH", value_enum)]
    pub constants: Option<ConstantsArg>,
    /// Runs behind each median time
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Most time for each run, as `60s` or `5min`
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s")]
    pub timeout: Duration,
    /// Most memory for each run, as `4GiB` [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub max_memory: Option<u64>,
    /// MAXINT [default: as the machine says, else 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub maxint: Option<i64>,
    /// MININT [default: as the machine says, else -1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub minint: Option<i64>,
    /// Evaluate without compiled code
    #[arg(long)]
    pub plain: bool,
    /// Decide this temporal formula of linear time under every strategy; can be given several times
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Decide this temporal formula of branching time under every strategy; can be given several times
    #[arg(long, value_name = "FORMULA")]
    pub ctl: Vec<String>,
    /// Of the temporal formulas that the machine states decide this one; can be given several times
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// How to write the comparison
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = compare_formats())]
    pub format: String,
}

#[derive(Args, Debug)]
pub(super) struct AgreeArgs {
    /// Machines, or folders with machines in them
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub places: PlaceArgs,
    #[command(flatten)]
    pub world: WorldArgs,
    /// Strategies that are held against `off`, on machines where something is permuted
    #[arg(long, value_name = "MODE,...", value_delimiter = ',', default_value = "flood,canon,exact,markers",
        value_parser = strategies())]
    pub modes: Vec<String>,
    /// Do not hold the plain evaluator against the compiled code
    #[arg(long)]
    pub no_plain: bool,
    /// Do not hold the search for values against trying all values (where these are at most 1,000,000)
    #[arg(long)]
    pub no_naive: bool,
    /// Most time for each run, as `60s` or `5min`
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "20s")]
    pub timeout: Duration,
    /// Most memory for each run, as `4GiB` [default: its share of nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub max_memory: Option<u64>,
    /// Machines explored at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = names(report::agree::FORMATS))]
    pub format: String,
}

#[derive(Args, Debug)]
pub(super) struct TestArgs {
    /// Machines, or folders with machines in them
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub places: PlaceArgs,
    /// Words for all expectations that do not speak of the same, as `timeout=60s symmetry=off`; can be given several times
    #[arg(long, value_name = "WORDS")]
    pub with: Vec<String>,
    /// Machines that expect nothing are to hold
    #[arg(long)]
    pub all: bool,
    /// Run those with the word `slow`, too
    #[arg(long)]
    pub slow: bool,
    /// Runs at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = names(report::tested::FORMATS))]
    pub format: String,
}

#[derive(Args, Debug)]
pub(super) struct GraphArgs {
    /// The machine
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    #[command(flatten)]
    pub world: WorldArgs,
    /// Which states are one node
    #[arg(long, value_name = "MODE", default_value = symmetry::DEFAULT, value_parser = strategies())]
    pub symmetry: String,
    /// Which valuations of the constants [default: all with `--symmetry off` or `--trace`, else orbits]
    #[arg(long, value_name = "WHICH", value_enum)]
    pub constants: Option<ConstantsArg>,
    /// Show only these variables, as `x,y`, or the value of an expression or predicate, and make one node of all
    /// states where they are the same
    #[arg(long, value_name = "VARIABLES | FORMULA")]
    pub project: Option<String>,
    /// Show the symmetry marker of each state: the paths to each element that is permuted, the colours that these come to, the values
    /// with colours instead of elements
    #[arg(long, conflicts_with = "project")]
    pub show_markers: bool,
    /// Show the way of this trace (`.prob2trace`, `.itf.json`, or a report in JSON): its steps are numbered and have a colour
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Most nodes before projection [default: 200 for svg, 1000 for dot, else 1000000]
    #[arg(long, value_name = "N")]
    pub max_nodes: Option<usize>,
    /// Most time, as `60s` or `5min`
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// How to write the graph [default: by the ending of `--out`, else dot]
    #[arg(long, value_name = "FORMAT", value_parser = graph_formats())]
    pub format: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct ShowArgs {
    /// The machine
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    /// What to show
    #[arg(long, value_enum)]
    pub stage: Stage,
    /// With `--stage formula`: this temporal formula of linear time instead of those of the machine
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Option<String>,
    #[command(flatten)]
    pub world: WorldArgs,
    /// With `--stage group`: most time, as `60s` or `5min`
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
}

#[derive(Args, Debug)]
pub(super) struct LspArgs {
    #[command(flatten)]
    pub places: PlaceArgs,
    /// The only way there is; editors say it
    #[arg(long)]
    pub stdio: bool,
}

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(super) struct ManArgs {
    /// The folder for them, such as `~/.local/share/man/man1`
    pub folder: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct InfoArgs {
    /// The machine
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    #[command(flatten)]
    pub world: WorldArgs,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = names(report::info::FORMATS))]
    pub format: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Stage {
    /// The tokens of the file
    Tokens,
    /// The syntax tree of the file
    Ast,
    /// The types of constants, variables and parameters
    Types,
    /// The machine as it is evaluated
    Ir,
    /// What the constants leave of the permutations of elements: how many, what kind of group, generators
    Group,
    /// The temporal formulas: the automaton that accepts the paths on which each is false, in the HOA format and as DOT
    Formula,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum GoalsArg {
    /// The first one, with the way there
    First,
    /// All, one of each class of symmetric ones with the size of the class
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ConstantsArg {
    /// Every valuation
    All,
    /// Those that `ProB`'s static symmetry leaves
    Static,
    /// One of every orbit
    Orbits,
}

impl From<ConstantsArg> for Mode {
    fn from(c: ConstantsArg) -> Self {
        match c {
            ConstantsArg::All => Mode::All,
            ConstantsArg::Static => Mode::Static,
            ConstantsArg::Orbits => Mode::Orbits,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum HashArg {
    /// Sums of mixed path hashes
    Sums,
    /// Blake3 over the whole marker
    Blake3,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum EvaluatorArg {
    /// Compiled code, the plain evaluator for the rest
    Compiled,
    /// The plain evaluator alone
    Plain,
    /// The plain evaluator, with solutions found by trying all values where these are at most 1,000,000: slow
    Naive,
}

fn strategies() -> PossibleValuesParser {
    let value = |s: &symmetry::Strategy| PossibleValue::new(s.name).help(s.help);
    symmetry::STRATEGIES.iter().map(value).collect::<Vec<_>>().into()
}

fn formats() -> PossibleValuesParser {
    let value = |f: &report::Format| PossibleValue::new(f.name).help(f.help);
    report::FORMATS.iter().map(value).collect::<Vec<_>>().into()
}

fn verdicts() -> PossibleValuesParser {
    let names = report::Verdict::ALL.iter().map(|v| v.name()).chain(["refused"]);
    names.map(PossibleValue::new).collect::<Vec<_>>().into()
}

fn graph_formats() -> PossibleValuesParser {
    let value = |f: &report::graph::GraphFormat| PossibleValue::new(f.name).help(f.help);
    report::graph::FORMATS.iter().map(value).collect::<Vec<_>>().into()
}

fn compare_formats() -> PossibleValuesParser {
    let value = |f: &report::FormatOf<report::compare::Comparison>| PossibleValue::new(f.name).help(f.help);
    let mut all: Vec<PossibleValue> = report::compare::FORMATS.iter().map(value).collect();
    all.iter_mut().for_each(|v| {
        if v.get_name() == "markdown" {
            *v = v.clone().alias("md");
        }
    });
    all.into()
}
