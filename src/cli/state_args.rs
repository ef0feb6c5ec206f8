//! The arguments of the commands that look at some states: a replayed trace, a formula in a state, a session by hand, random walks.

use super::shared_args::{PlaceArgs, WorldArgs, names};
use super::units;
use crate::report;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct TraceArgs {
    /// The machine
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    /// Show the steps with what they change, as far as they are possible
    #[arg(long)]
    pub show: bool,
    /// The trace: `x.prob2trace`, `x.itf.json`, or the JSON report of a check
    pub trace: PathBuf,
    #[command(flatten)]
    pub world: WorldArgs,
    /// Most time for one conjunct of the invariant or assertion in one state, as `2s`; `0s`: no limit
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "2s")]
    pub property_timeout: Duration,
    /// Most time, as `60s` or `5min`
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// How to write what comes of it: a line for each trace, or one page for a browser with their steps as tables
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = super::trace::FORMATS)]
    pub format: String,
}

/// A session in which a machine is walked through by hand.
#[derive(Args, Debug)]
pub(super) struct SessionArgs {
    /// The machine
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    #[command(flatten)]
    pub world: WorldArgs,
    /// Which steps chance takes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Most time for one conjunct of the invariant or assertion in one state, as `2s`; `0s`: no limit
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s")]
    pub property_timeout: Duration,
    /// Most time for one answer, as `60s` or `5min`
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Most memory, as `4GiB` [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub max_memory: Option<u64>,
}

#[derive(Args, Debug)]
pub(super) struct AnimateArgs {
    #[command(flatten)]
    pub session: SessionArgs,
    /// A trace to go along with `t`, `n` and `N`: `x.prob2trace`, `x.itf.json`, or the JSON report of a check
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct SimulateArgs {
    /// The machine
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    #[command(flatten)]
    pub world: WorldArgs,
    /// Number of walks
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub walks: u64,
    /// Most steps of one walk
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub steps: u64,
    /// Which steps chance takes: the same number takes the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Deadlocks are no violations
    #[arg(long)]
    pub no_deadlock: bool,
    /// Show all steps of the trace in text, however many there are
    #[arg(long)]
    pub trace_full: bool,
    /// Whether the last walk is kept, whatever it has met (`bsym probcli`)
    #[arg(skip)]
    pub keep: bool,
    /// Most time for one conjunct of the invariant or assertion in one state, as `2s`; `0s`: no limit
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s")]
    pub property_timeout: Duration,
    /// Most time, as `60s` or `5min`
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Most memory, as `4GiB` [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub max_memory: Option<u64>,
    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = names(report::simulated::FORMATS))]
    pub format: String,
}

#[derive(Args, Debug)]
pub(super) struct EvalArgs {
    /// The machine whose names may be used
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    /// An expression or predicate
    pub formula: String,
    /// In the state that this trace leads to, instead of the first initial state: `x.prob2trace`, `x.itf.json`, or the JSON report
    /// of a check
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// After so many steps of the trace, as its table counts them [default: all]
    #[arg(long, value_name = "N", requires = "trace")]
    pub step: Option<usize>,
    #[command(flatten)]
    pub world: WorldArgs,
    /// Most time, as `60s` or `5min`
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Most memory, as `4GiB` [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub max_memory: Option<u64>,
}
