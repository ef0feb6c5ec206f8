//! The arguments of the commands for what was made for other tools: command lines of `probcli`, projects of `ProB2-UI`.

use super::shared_args::{PlaceArgs, names};
use super::units;
use crate::report::project::FORMATS;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct ProbcliArgs {
    /// The machine and switches of probcli, such as `M.mch -mc 1000 -nodead`
    #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct ProjectArgs {
    /// The project: `x.prob2project`
    pub file: PathBuf,
    #[command(flatten)]
    pub places: PlaceArgs,
    /// Of the machines only this one, by its name in the project; can be given several times
    #[arg(long, value_name = "NAME")]
    pub machine: Vec<String>,
    /// Most time for each task, as `60s` or `5min`
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Tasks at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// How to write what came of them
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = names(FORMATS))]
    pub format: String,
    /// Exit with 0 as well if there are tasks that bsym does not have and all others are as expected
    #[arg(long)]
    pub accept_missing: bool,
}
