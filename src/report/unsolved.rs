//! That nothing satisfies PROPERTIES or INITIALISATION, in words.
//!
//! In: what has no solution, and the conflict in it. Out: a [`Violation`] of kind `setup` that names the conjuncts; whether it
//! is one, or only says that nothing was found, stands in its [`Unsolved`].

use super::{Location, Violation};
use crate::explore::Setup;
use crate::ir::Machine;
use crate::model::card::{Origin, Sizes};
use crate::model::conflict::Conflict;
use crate::source::Sources;

/// Most conjuncts that the message names; the list has all.
const NAMED: usize = 4;
/// Most characters of a conjunct in the message.
const LONGEST: usize = 80;

/// Conjuncts that cannot hold together.
#[derive(Clone, Debug, Default)]
pub struct Unsolved {
    /// The conjuncts, each with its text on one line.
    pub conjuncts: Vec<Location>,
    /// Whether none of them can be left out.
    pub smallest: bool,
    /// Whether there is no solution, or only none where the search looked and at the sizes that were assumed.
    pub certain: bool,
    /// What of limits and assumed sizes takes part.
    pub because: Option<String>,
    /// Options with which they can hold together.
    pub remedy: Option<String>,
}

impl Unsolved {
    /// `cannot hold`, or less than that.
    fn verb(&self) -> &'static str {
        if self.certain { "cannot hold" } else { "were not found to hold" }
    }
}

/// The finding in words.
pub(super) fn violation(
    what: Setup,
    conflict: Option<&Conflict>,
    (machine, sizes): (&Machine, &Sizes),
    sources: &Sources,
    base: Violation,
) -> Violation {
    let unsolved = conflict.map(|c| unsolved(c, machine, sizes, sources)).unwrap_or_default();
    let nothing = match (what, unsolved.certain || conflict.is_none()) {
        (Setup::Properties, true) => "no valuation of the constants satisfies PROPERTIES",
        (Setup::Properties, false) => "no valuation of the constants was found that satisfies PROPERTIES",
        (Setup::Initialisation, true) => "there is no initial state",
        (Setup::Initialisation, false) => "no initial state was found",
    };
    let parts = [Some(nothing.to_owned()), named(&unsolved), unsolved.because.clone()];
    let mut message = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    if let Some(remedy) = &unsolved.remedy {
        message += &format!(": `{remedy}`");
    }
    Violation {
        kind: "setup",
        message,
        location: unsolved.conjuncts.first().cloned(),
        unsolved: conflict.is_some().then_some(unsolved),
        ..base
    }
}

/// Which conjuncts they are, if there are few.
fn named(u: &Unsolved) -> Option<String> {
    let short = |l: &Location| match l.text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", l.text.get(..end).unwrap_or("")),
        None => format!("`{}`", l.text),
    };
    let all: Vec<String> = u.conjuncts.iter().map(short).collect();
    match all.as_slice() {
        [] => None,
        [one] if u.certain => Some(format!("{one} cannot hold")),
        [one] => Some(format!("{one} was not found to hold")),
        [most @ .., last] if all.len() <= NAMED => {
            Some(format!("{} and {last} {} together", most.join(", "), u.verb()))
        }
        _ => Some(format!("{} conjuncts {} together", all.len(), u.verb())),
    }
}

fn unsolved(c: &Conflict, machine: &Machine, sizes: &Sizes, sources: &Sources) -> Unsolved {
    let at = |span: &crate::source::Span| {
        let l = Location::of(*span, sources)?;
        Some(Location { text: l.text.split_whitespace().collect::<Vec<_>>().join(" "), ..l })
    };
    let (max, min) = (sizes.maxint, sizes.minint);
    let (max_from, min_from) = (sizes.origin_of_maxint, sizes.origin_of_minint);
    let mut because: Vec<String> = c
        .limits
        .iter()
        // Told below, with where it comes from.
        .filter(|name| **name != "MAXINT")
        .map(|name| match *name {
            "NAT" => format!("NAT is 0..{max}"),
            "NAT1" => format!("NAT1 is 1..{max}"),
            "INT" => format!("INT is {min}..{max}"),
            _ => format!("MININT = {min} ({min_from})"),
        })
        .collect();
    if c.limits.iter().any(|n| *n != "MININT") {
        because.push(format!("MAXINT = {max} ({max_from})"));
    }
    if !c.proved {
        because
            .push(format!("not all values beyond MININT = {min} and MAXINT = {max} ({max_from}) were tried"));
    }
    for set in &c.assumed {
        let index = usize::from(set.0);
        if let (Some(s), Some((n, origin))) = (machine.sets.get(index), sizes.sizes.get(index)) {
            let how = match origin {
                Origin::Bounds => "within the bounds of PROPERTIES",
                other => other.text(),
            };
            because.push(format!("{} = {n} is assumed ({how})", s.name));
        }
    }
    Unsolved {
        conjuncts: c.parts.iter().filter_map(at).collect(),
        smallest: c.smallest,
        certain: c.is_certain(),
        because: (!because.is_empty()).then(|| because.join(", ")),
        remedy: c.remedy.clone(),
    }
}

/// What is said above the list of conjuncts; nothing if there is none.
pub(super) fn head(u: &Unsolved) -> String {
    match (u.conjuncts.len(), u.smallest) {
        (0, _) => String::new(),
        (1, _) if u.certain => "this cannot hold".to_owned(),
        (1, _) => "this was not found to hold".to_owned(),
        (_, true) => format!("these {} together; all of them take part", u.verb()),
        (_, false) => format!("these {} together; perhaps fewer of them do not either", u.verb()),
    }
}

/// The list of conjuncts, for people.
pub(super) fn listed(u: &Unsolved) -> String {
    let head = head(u);
    if head.is_empty() {
        return head;
    }
    let line = |l: &Location| format!("    {}:{}:{}  {}\n", l.file, l.line, l.column, l.text);
    format!("  {head}:\n{}", u.conjuncts.iter().map(line).collect::<String>())
}
