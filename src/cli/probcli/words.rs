//! From the words of a command line of `probcli` to what it asks for.
//!
//! In: words. Out: [`Wanted`], or what is wrong with one of them. A word without a dash in front is the machine.

use super::table::{self, SWITCHES, Switch};
use super::wanted::{Wanted, wrong};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;

/// Reads them all.
///
/// # Errors
/// The first that is wrong.
pub(super) fn read(words: &[String]) -> Result<Wanted, Diagnostic> {
    let mut wanted = Wanted::default();
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        if word.len() > 1 && word.starts_with('-') {
            let switch = table::find(word).ok_or_else(|| unknown(word))?;
            let n = if matches!(switch.means, table::Means::Refused) { 0 } else { taken(switch, rest) };
            let (args, after) = rest.split_at_checked(n).ok_or_else(|| too_few(word, switch))?;
            numbers(word, switch, args)?;
            rest = after;
            wanted.take(word, switch, args)?;
        } else if let Some(first) = &wanted.file {
            let text = format!("`{word}` is a second machine beside `{first}`");
            return Err(wrong(text).with_help("`bsym check` takes several machines, or a folder"));
        } else {
            wanted.file = Some(word.clone());
        }
    }
    Ok(wanted)
}

/// How many of the words that follow belong to a switch.
fn taken(switch: &Switch, rest: &[String]) -> usize {
    let left_out = switch.arguments.first().is_some_and(|a| a.starts_with('['))
        && rest.first().is_some_and(|word| word.contains('.'));
    switch.arguments.len() - usize::from(left_out)
}

fn too_few(word: &str, switch: &Switch) -> Diagnostic {
    wrong(format!("`{word}` takes {}: `{word} {}`", count(switch), switch.arguments.join(" ")))
        .with_help(format!("it is to {}", switch.help))
}

fn count(switch: &Switch) -> String {
    match switch.arguments.len() {
        1 => "an argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

/// What is to be a number is one.
fn numbers(word: &str, switch: &Switch, args: &[String]) -> Result<(), Diagnostic> {
    let bad = switch
        .arguments
        .iter()
        .zip(args)
        .find(|(name, value)| **name == "N" && value.parse::<u64>().is_err());
    bad.map_or(Ok(()), |(_, value)| {
        Err(wrong(format!("`{word}` takes a number, and `{value}` is none that goes here"))
            .with_help(switch.help))
    })
}

fn unknown(word: &str) -> Diagnostic {
    let names = SWITCHES.iter().flat_map(|s| s.names.iter().copied());
    let help = match nearest(&table::bare(word), names) {
        Some(near) => format!("did you mean `-{near}`? `bsym probcli -help` lists those that are known"),
        None => "`bsym probcli -help` lists those that are known".to_owned(),
    };
    wrong(format!("there is no switch `{word}`")).with_help(help)
}
