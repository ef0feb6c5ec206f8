//! Sizes of deferred sets, and names for their elements.
//!
//! In: a machine, what the command line asks for. Out: the [`World`] it is evaluated in, and for each deferred
//! set where its size comes from. In order: `--card`, `scope_S`, `card(S) = e` in PROPERTIES or what else leaves one size
//! (`spans`), else the default raised to the least size that PROPERTIES need and lowered to the greatest they allow.

use super::facts::Facts;
use super::spans::{Span, Spans};
use crate::diagnostic::suggest::listed;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{FreeType, Machine};
use crate::ops::{Interrupt, World};
use crate::ty::SetId;
use std::sync::Arc;

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// For all deferred sets that are not named.
    pub all: Option<u32>,
    /// For single sets, by name.
    pub named: Vec<(String, u32)>,
    /// MAXINT.
    pub maxint: Option<i64>,
    /// MININT.
    pub minint: Option<i64>,
    /// Most of any limit of the search for values, for tests.
    pub lowered: Option<u32>,
}

/// Where the size of a set comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The set is enumerated.
    Enumerated,
    /// The command line.
    Asked,
    /// `scope_S`.
    Scope,
    /// `card(S) = e`.
    Properties,
    /// PROPERTIES leave no other size.
    Follows,
    /// The least size that PROPERTIES need, or the greatest that they allow.
    Bounds,
    /// The default.
    Default,
}

impl Origin {
    /// Whether nobody has said that the set has this size and no other.
    #[must_use]
    pub fn is_assumed(self) -> bool {
        matches!(self, Origin::Bounds | Origin::Default)
    }

    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Origin::Enumerated => "enumerated",
            Origin::Asked => "--card",
            Origin::Scope => "scope definition",
            Origin::Properties => "card in PROPERTIES",
            Origin::Follows => "follows from PROPERTIES",
            Origin::Bounds => "assumed within the bounds of PROPERTIES",
            Origin::Default => "default",
        }
    }
}

/// Sizes of all given sets, by `SetId`.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// The sizes and where they come from.
    pub sizes: Vec<(u32, Origin)>,
    /// MAXINT.
    pub maxint: i64,
    /// MININT.
    pub minint: i64,
    /// Where MAXINT comes from, in words.
    pub origin_of_maxint: &'static str,
    /// Where MININT comes from, in words.
    pub origin_of_minint: &'static str,
    /// Most of any limit of the search for values.
    pub lowered: Option<u32>,
}

/// Where a limit of integers comes from.
fn origin(option: &'static str, asked: bool, preference: &'static str, set: bool) -> &'static str {
    if asked {
        option
    } else if set {
        preference
    } else {
        "default"
    }
}

/// Decides the sizes of all given sets.
///
/// # Errors
/// A name in `asked` that is no deferred set of the machine; a MAXINT or MININT in `asked` such that there are no integers.
pub fn sizes(machine: &Machine, asked: &Asked) -> Result<Sizes, Diagnostic> {
    for (name, _) in &asked.named {
        check_name(machine, name)?;
    }
    let maxint = asked.maxint.unwrap_or(machine.settings.maxint);
    let minint = asked.minint.unwrap_or(machine.settings.minint);
    check_integers(asked, (maxint, minint))?;
    let facts = Facts::new(machine, maxint, minint);
    let mut sizes: Vec<Option<(u32, Origin)>> = machine
        .sets
        .iter()
        .enumerate()
        .map(|(i, s)| {
            if let Some(e) = &s.elements {
                return Some((u32::try_from(e.len()).unwrap_or(u32::MAX), Origin::Enumerated));
            }
            let named = asked.named.iter().rev().find(|(n, _)| **n == *s.name).map(|(_, n)| *n);
            let scope = machine.settings.scopes.iter().find(|(x, _)| usize::from(x.0) == i);
            named
                .or(asked.all)
                .map(|n| (n, Origin::Asked))
                .or_else(|| scope.map(|(_, n)| (*n, Origin::Scope)))
        })
        .collect();
    let limits = (maxint, minint);
    while sizes.iter().any(Option::is_none) {
        from_equations(machine, &facts, &mut sizes);
        if !from_spans(machine, &facts, limits, &mut sizes) {
            break;
        }
    }
    from_bounds(machine, &facts, limits, &mut sizes);
    let sizes = sizes.into_iter().map(|s| s.unwrap_or((2, Origin::Default))).collect();
    let settings = &machine.settings;
    Ok(Sizes {
        sizes,
        lowered: asked.lowered,
        maxint,
        minint,
        origin_of_maxint: origin(
            "--maxint",
            asked.maxint.is_some(),
            "SET_PREF_MAXINT",
            settings.maxint_is_set,
        ),
        origin_of_minint: origin(
            "--minint",
            asked.minint.is_some(),
            "SET_PREF_MININT",
            settings.minint_is_set,
        ),
    })
}

/// `card(S) = e`, where e may mention other sizes: until nothing new is known.
fn from_equations(machine: &Machine, facts: &Facts<'_>, sizes: &mut [Option<(u32, Origin)>]) {
    for _ in 0..machine.sets.len() {
        for i in 0..sizes.len() {
            if sizes.get(i).is_some_and(Option::is_none) {
                let known = |s: SetId| sizes.get(usize::from(s.0)).copied().flatten().map(|(n, _)| n);
                let set = set_id(i);
                let size = facts.card_equation(set, &known).or_else(|| facts.bijection_size(set, &known));
                let found = size.map(|n| (n, Origin::Properties));
                if let Some(slot) = sizes.get_mut(i) {
                    *slot = found;
                }
            }
        }
    }
}

/// Sets to which PROPERTIES leave one size; whether there are any.
fn from_spans(
    machine: &Machine,
    facts: &Facts<'_>,
    limits: (i64, i64),
    sizes: &mut [Option<(u32, Origin)>],
) -> bool {
    let spans = spans(machine, facts, limits, sizes);
    let mut any = false;
    for (slot, span) in sizes.iter_mut().zip(spans).filter(|(slot, _)| slot.is_none()) {
        *slot = span.only().and_then(|n| Some((u32::try_from(n).ok()?, Origin::Follows)));
        any |= slot.is_some();
    }
    any
}

/// The sizes that PROPERTIES leave to each set.
fn spans(
    machine: &Machine,
    facts: &Facts<'_>,
    limits: (i64, i64),
    sizes: &[Option<(u32, Origin)>],
) -> Vec<Span> {
    let known = |s: SetId| sizes.get(usize::from(s.0)).copied().flatten().map(|(n, _)| n);
    let spans = Spans::new(machine, facts, limits, &known);
    (0..sizes.len()).map(|i| spans.size(set_id(i))).collect()
}

/// The rest: the default within bounds; bounds may mention sizes, so until nothing changes.
fn from_bounds(
    machine: &Machine,
    facts: &Facts<'_>,
    limits: (i64, i64),
    sizes: &mut [Option<(u32, Origin)>],
) {
    if sizes.iter().all(Option::is_some) {
        return;
    }
    let left = spans(machine, facts, limits, sizes);
    let open: Vec<usize> = (0..sizes.len()).filter(|&i| sizes.get(i).is_some_and(Option::is_none)).collect();
    for _ in 0..=open.len() {
        for &i in &open {
            let known = |s: SetId| sizes.get(usize::from(s.0)).copied().flatten().map(|(n, _)| n);
            let set = set_id(i);
            // A size that another open set has been given meanwhile may decide an equation; its own decides nothing.
            let others = |s: SetId| known(s).filter(|_| s != set);
            let span = left.get(i).copied();
            let size = facts.card_equation(set, &others).map_or_else(
                || within_bounds(machine, facts, set, span, &known),
                |n| (n, Origin::Properties),
            );
            if let Some(slot) = sizes.get_mut(i) {
                *slot = Some(size);
            }
        }
    }
}

fn within_bounds(
    machine: &Machine,
    facts: &Facts<'_>,
    set: SetId,
    span: Option<Span>,
    known: &dyn Fn(SetId) -> Option<u32>,
) -> (u32, Origin) {
    let parts = |parts: &[&crate::ir::Expr]| parts.iter().map(|p| facts.part_size(p)).sum::<u32>();
    let split = facts.splits.iter().filter(|s| s.set == set).map(|s| parts(&s.parts)).max().unwrap_or(0);
    let clique = u32::try_from(facts.clique(set).len()).unwrap_or(0);
    let (low, high) = span.map_or((1, u32::MAX), |s| {
        (u32::try_from(s.lo).unwrap_or(1), u32::try_from(s.hi).unwrap_or(u32::MAX))
    });
    let least = clique.max(split).max(facts.card_bounds(set, known)).max(low).max(1);
    let names = facts.names_of(set).map_or(u32::MAX, |n| u32::try_from(n.len()).unwrap_or(u32::MAX));
    let most = names.min(high);
    let default = machine.settings.default_set_size;
    let size = default.max(least).min(most.max(least));
    (size, if size == default { Origin::Default } else { Origin::Bounds })
}

fn set_id(i: usize) -> SetId {
    SetId(u16::try_from(i).unwrap_or(u16::MAX))
}

/// Whether options leave integers from MININT to MAXINT; what a machine says of both is its own business.
fn check_integers(asked: &Asked, (maxint, minint): (i64, i64)) -> Result<(), Diagnostic> {
    if maxint >= minint {
        return Ok(());
    }
    let help = match (asked.maxint, asked.minint) {
        (None, None) => return Ok(()),
        (Some(_), Some(_)) => "exchange `--maxint` and `--minint`".to_owned(),
        (Some(n), None) => format!("add `--minint N` with N at most {n}"),
        (None, Some(n)) => format!("add `--maxint N` with N at least {n}"),
    };
    let text = format!("MAXINT = {maxint} is below MININT = {minint}");
    Err(Diagnostic::without_place(Code::BadOption, text).with_help(help))
}

fn check_name(machine: &Machine, name: &str) -> Result<(), Diagnostic> {
    let refused = |text: String| Diagnostic::without_place(Code::BadOption, text);
    match machine.sets.iter().find(|s| *s.name == *name) {
        Some(s) if s.elements.is_some() => {
            Err(refused(format!("`{name}` is an enumerated set, its size is fixed")))
        }
        Some(_) => Ok(()),
        None => {
            let deferred = machine.sets.iter().filter(|s| s.elements.is_none());
            let names: Vec<&str> = deferred.map(|s| &*s.name).collect();
            let help = listed(name, "the deferred sets are", &names);
            let help = help.unwrap_or_else(|| "the machine has no deferred sets".to_owned());
            Err(refused(format!("`--card` names `{name}`, which is no deferred set")).with_help(help))
        }
    }
}

/// The world of a machine with these sizes.
#[must_use]
pub fn world(machine: &Machine, sizes: &Sizes, interrupt: Interrupt) -> World {
    let taken: std::collections::BTreeSet<&str> = machine
        .constants
        .iter()
        .chain(&machine.variables)
        .map(|d| &*d.name)
        .chain(machine.sets.iter().flat_map(|s| s.elements.iter().flatten()).map(|n| &**n))
        .chain(machine.sets.iter().map(|s| &*s.name))
        .collect();
    let mut card = Vec::new();
    let mut elements = Vec::new();
    for (set, (size, _)) in machine.sets.iter().zip(&sizes.sizes) {
        card.push(*size);
        elements.push(match &set.elements {
            Some(names) => names.clone(),
            None => element_names(&set.name, *size, &taken),
        });
    }
    World {
        maxint: sizes.maxint,
        minint: sizes.minint,
        lowered: sizes.lowered,
        card,
        elements,
        constructors: constructors(machine),
        interrupt,
        ..World::default()
    }
}

/// The names of the constructors of free types.
fn constructors(machine: &Machine) -> Vec<Vec<Arc<str>>> {
    let names = |t: &FreeType| t.constructors.iter().map(|(name, _)| name.clone()).collect();
    machine.free_types.iter().map(names).collect()
}

/// `D1`, `D2`, ...; with as many underscores before the number as it takes to clash with nothing.
fn element_names(set: &str, size: u32, taken: &std::collections::BTreeSet<&str>) -> Vec<Arc<str>> {
    let mut prefix = set.to_owned();
    loop {
        let names: Vec<Arc<str>> = (1..=size).map(|i| format!("{prefix}{i}").into()).collect();
        if names.iter().all(|n| !taken.contains(&**n)) {
            return names;
        }
        prefix.push('_');
    }
}
