//! What a search covered, and what that rests on, in plain words.
//!
//! In: a report. Out: lines below its verdict. How the proof was made is only told to those who ask for more.

use super::text::{count, grouped};
use super::{OUT_OF_TIME, Report, formulas, refinement};
use crate::symmetry::{Basis, Guarantee};

/// The lines below the verdict.
pub(super) fn lines(r: &Report) -> Vec<String> {
    let mut out = match (r.guarantee, r.basis) {
        (Guarantee::Approximate, _) => vec![approximate(r), basis(r)],
        (Guarantee::Fingerprint, _) if r.states == 0 => vec![reached(r)],
        (Guarantee::Fingerprint, _) => vec![reached(r), symmetry(r)],
    };
    if r.look.verbose && r.guarantee == Guarantee::Fingerprint && r.states > 0 {
        if r.basis != Basis::Equality {
            out.push(basis(r));
        }
        if r.coded {
            out.push("states are told apart by codes that cannot collide".to_owned());
        }
    }
    out
}

/// Both in one, where there is one line only.
pub(super) fn line(r: &Report) -> String {
    match r.guarantee {
        Guarantee::Approximate => approximate(r),
        Guarantee::Fingerprint => {
            let trust = trust(r);
            let trust = if trust.is_empty() { String::new() } else { format!(" ({trust})") };
            format!("symmetry {}: {}{trust}", r.symmetry, reached(r))
        }
    }
}

/// What a search reached.
fn reached(r: &Report) -> String {
    let covered = match (r.bounds.is_empty(), r.outside_scope) {
        (true, 0) => "all reachable states are covered",
        (true, _) => "all states reachable within SCOPE are covered",
        (false, 0) => "all states reachable with the values that were tried are covered",
        (false, _) => "all states reachable within SCOPE with the values that were tried are covered",
    };
    let but_not_all = |what: &str| format!("{covered}, but not all {what}");
    match r.stopped_by {
        None => covered.to_owned(),
        Some("time" | "memory" | "interrupted") if r.states == 0 => "no state was explored".to_owned(),
        Some(_) if r.states == 0 && r.violations.iter().any(|v| v.unsolved.is_some()) => {
            "there was nothing to begin with".to_owned()
        }
        Some(_) if r.states == 0 => "the search ended before the first state".to_owned(),
        Some(formulas::FORMULA) => but_not_all("formulas were decided"),
        Some(refinement::REFINEMENT) => but_not_all("pairs of the refinement"),
        Some(OUT_OF_TIME) => but_not_all("properties were decided"),
        Some("evaluation") => {
            "what lies behind the steps that could not be evaluated is not covered".to_owned()
        }
        Some(_) => "not all states were explored".to_owned(),
    }
}

/// What a strategy that may skip states leaves open.
fn approximate(r: &Report) -> String {
    if r.basis == Basis::Unknown {
        let why = "the run was ended from outside, so what is covered is not known";
        return format!("symmetry {}: {why}", r.symmetry);
    }
    let and = if r.is_explored() { "" } else { ", and the search did not finish" };
    format!("symmetry {}: approximate, states may have been skipped{and}", r.symmetry)
}

/// How many states the stored ones stand for, and how sure that is.
fn symmetry(r: &Report) -> String {
    let trust = trust(r);
    let trust = if trust.is_empty() { String::new() } else { format!(" ({trust})") };
    if r.basis == Basis::Equality && !of_valuations(r) {
        let what = if r.is_explored() { "every state is stored" } else { "no state stands for others" };
        return format!("{what}{trust}");
    }
    let stored = count(r.states, "state");
    let what = match r.full_states.as_deref() {
        _ if r.basis == Basis::Images => "a class of renamings may be stored more than once".to_owned(),
        Some(full) if full == r.states.to_string() => format!("{stored}, none stands for others"),
        Some(full) if r.states == 1 => format!("{stored} stands for {}", grouped(full)),
        Some(full) => format!("{stored} stand for {}", grouped(full)),
        None => "each state stands for all its renamings".to_owned(),
    };
    format!("symmetry {}: {what}{trust}", r.symmetry)
}

/// Whether states stand for others that differ by a renaming of the constants, of which one valuation stands for its class.
fn of_valuations(r: &Report) -> bool {
    r.full_states.as_ref().is_some_and(|full| *full != r.states.to_string())
}

/// `proved exact; chance of a hash collision 3e-34`.
fn trust(r: &Report) -> String {
    // Nothing can collide with what is alone, and codes cannot collide at all.
    let hashed = r.collision_probability > 0.0 && !(r.coded && r.states > 0);
    let chance = hashed.then(|| format!("chance of a hash collision {:.0e}", r.collision_probability));
    let proved = match r.basis {
        Basis::Equality if !of_valuations(r) => None,
        Basis::Images => Some("proved sound".to_owned()),
        _ => Some("proved exact".to_owned()),
    };
    proved.into_iter().chain(chance).collect::<Vec<_>>().join("; ")
}

/// Why the strategy may promise what it does.
fn basis(r: &Report) -> String {
    if r.guarantee == Guarantee::Approximate && !matches!(r.basis, Basis::None | Basis::Unknown) {
        return "the audit has found different states put together: nothing is proved".to_owned();
    }
    match r.basis {
        Basis::None => "markers of different states may be equal".to_owned(),
        Basis::Unknown => "the counts are those that were told last".to_owned(),
        Basis::Equality if of_valuations(r) => {
            "exact: one valuation of the constants stands for its class, under which every state is stored"
                .to_owned()
        }
        Basis::Equality => "every state is stored".to_owned(),
        Basis::Enumeration => "exact by enumeration of all images of each state".to_owned(),
        Basis::Least => "exact by the image that all states of a class have in common".to_owned(),
        Basis::Images => "each state is stored as one of its images".to_owned(),
        Basis::Types => "exact by type: no variable says anything of two elements together".to_owned(),
        Basis::Labelling => "exact by canonical labelling of every state".to_owned(),
        Basis::States { certificate, labelling } => format!(
            "exact: {} by certificate, {} by canonical labelling",
            count(certificate, "state"),
            count(labelling, "state")
        ),
    }
}
