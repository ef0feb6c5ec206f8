//! The arguments that several commands share: where files are, sizes, what is added to a machine.
//!
//! In: what clap has read. Out: sources that know their folders, sizes as the model wants them.

use super::child::word;
use super::config::NO_CONFIG;
use super::units::{self, Card, Sizes};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::card::Asked;
use crate::report::FormatOf;
use crate::source::{Replacement, Sources};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::ffi::OsString;
use std::path::PathBuf;

/// Where files are.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct PlaceArgs {
    /// Look for machines and definition files in this folder, too, after those beside the file that names them and before
    /// those in the environment variables BSYMPATH and PROBPATH; can be given several times
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// A definition that counts instead of that of its name in the machines: as if their DEFINITIONS said `NAME == E`; can be
    /// given several times
    #[arg(short = 'D', long = "define", value_name = "NAME=E")]
    pub define: Vec<String>,
    /// Take no options from the `bsym.toml` of the folder
    #[arg(long)]
    pub no_config: bool,
}

impl PlaceArgs {
    /// The same as arguments of another command.
    pub(super) fn given(&self) -> Vec<OsString> {
        let folders = self.include.iter().map(|dir| word("--include", dir.as_os_str()));
        let definitions = self.define.iter().map(|text| word("--define", text.as_ref()));
        let alone = self.no_config.then(|| format!("--{NO_CONFIG}").into());
        folders.chain(definitions).chain(alone).collect()
    }

    /// The same as arguments of another command, which gets all its options from here.
    pub(super) fn words(&self) -> Vec<OsString> {
        Self { no_config: true, ..self.clone() }.given()
    }

    /// No texts yet, with the folders to look in.
    pub(super) fn sources(&self) -> Sources {
        let listed = |name| std::env::var_os(name).unwrap_or_default();
        let of = |name| std::env::split_paths(&listed(name)).collect::<Vec<_>>();
        let folders = self.include.iter().cloned().chain(of("BSYMPATH")).chain(of("PROBPATH"));
        let mut sources = Sources::default();
        sources.folders.extend(folders.filter(|f| !f.as_os_str().is_empty()));
        let replacement = |text: &String| Replacement { text: text.as_str().into(), needed: true };
        sources.replacements.extend(self.define.iter().map(replacement));
        sources
    }
}

/// Sizes and limits of the world.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct WorldArgs {
    /// Sizes of deferred sets: `5` for all, or `PROC=5,KEY=3` [default: as the machine says, else 2]; `check` takes
    /// a range, `2..6` or `PROC=2..6`, and runs each size until one does not hold
    #[arg(long, value_name = "N | S=N,...", value_parser = units::card)]
    pub card: Vec<Card>,
    /// MAXINT [default: as the machine says, else 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub maxint: Option<i64>,
    /// MININT [default: as the machine says, else -1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub minint: Option<i64>,
    /// No limit of the search for values is above this: whatever it is, no other answer may come of it than that it is unknown
    #[arg(long, value_name = "N", hide = true)]
    pub lower_limits: Option<u32>,
}

impl WorldArgs {
    /// As the model wants it.
    ///
    /// # Errors
    /// A range, or a size that is given twice.
    pub(super) fn asked(&self) -> Result<Asked, Diagnostic> {
        match self.sweep()? {
            None => Ok(self.asked_at(0)),
            Some(_) => {
                Err(Diagnostic::without_place(Code::BadOption, "`--card` is one size here, not a range"))
            }
        }
    }

    /// As the model wants it, with this size where there is a range.
    pub(super) fn asked_at(&self, size: u32) -> Asked {
        let one = |s: &Sizes| match s.0.as_slice() {
            [one] => *one,
            _ => size,
        };
        Asked {
            all: self.card.iter().flat_map(|c| &c.all).next().map(one),
            named: self.card.iter().flat_map(|c| &c.named).map(|(n, s)| (n.clone(), one(s))).collect(),
            maxint: self.maxint,
            minint: self.minint,
            lowered: self.lower_limits,
        }
    }

    /// The range, if one is asked for, with the set it is for (`None`: all deferred sets).
    ///
    /// # Errors
    /// More than one range, or a size that is given twice.
    pub(super) fn sweep(&self) -> Result<Option<(Option<String>, Vec<u32>)>, Diagnostic> {
        let all = self.card.iter().flat_map(|c| c.all.iter().map(|s| (None, s)));
        let named = self.card.iter().flat_map(|c| c.named.iter().map(|(n, s)| (Some(n.clone()), s)));
        let sizes: Vec<(Option<String>, &Sizes)> = all.chain(named).collect();
        for (i, (set, size)) in sizes.iter().enumerate() {
            if let Some((_, first)) = sizes.iter().take(i).find(|(earlier, _)| earlier == set) {
                let whose = set.as_ref().map_or_else(|| "all sets".to_owned(), |s| format!("`{s}`"));
                let text = format!("`--card` gives the size of {whose} twice: {first} and {size}");
                return Err(
                    Diagnostic::without_place(Code::BadOption, text).with_help("leave one of them out")
                );
            }
        }
        let mut ranges = sizes.into_iter().filter(|(_, s)| s.0.len() > 1);
        match (ranges.next(), ranges.next()) {
            (Some(_), Some(_)) => {
                Err(Diagnostic::without_place(Code::BadOption, "`--card` has more than one range of sizes"))
            }
            (found, _) => Ok(found.map(|(set, sizes)| (set, sizes.0.clone()))),
        }
    }
}

/// What the command line adds to a machine.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct GivenArgs {
    /// Look for a state with this property, instead of that of a GOAL definition
    #[arg(long, value_name = "P", help_heading = "Checks", conflicts_with = "no_goal")]
    pub goal: Option<String>,
    /// Check that this holds in all states, too; can be given several times
    #[arg(long, value_name = "P", help_heading = "Checks", conflicts_with = "no_invariant")]
    pub invariant: Vec<String>,
    /// Do not leave states in which this is false, instead of what a SCOPE definition says
    #[arg(long, value_name = "P", help_heading = "Limits")]
    pub scope: Option<String>,
    /// A constant with its value, as `max=5`, beside PROPERTIES; can be given several times
    #[arg(long, value_name = "CONSTANT=E")]
    pub set: Vec<String>,
}

/// The names of formats as values of an option.
pub(super) fn names<T>(all: &'static [FormatOf<T>]) -> PossibleValuesParser {
    all.iter().map(|f| PossibleValue::new(f.name).help(f.help)).collect::<Vec<_>>().into()
}
