//! What decided nothing in any state, in words.
//!
//! In: the counts of a finished search, and what guards and invariants came to. Out: warnings with their places, and
//! [`Covered`] for formats. Operations that are never possible are known from the counts alone.

use super::{Location, Message, Violation};
use crate::diagnostic::{Code, Diagnostic};
use crate::explore::Outcome;
use crate::ir::{Machine, Operation};
use crate::model::coverage::{Conjunct, Coverage, Empty, Looked};
use crate::source::{Sources, Span};

/// What guards came to in all states.
#[derive(Clone, Debug)]
pub struct Covered {
    /// States looked at.
    pub states: u64,
    /// Guards, by operation.
    pub guards: Vec<CoveredGuard>,
}

/// The guard of one operation.
#[derive(Clone, Debug)]
pub struct CoveredGuard {
    /// The operation.
    pub operation: String,
    /// Whether all choices of its parameters were looked at.
    pub all: bool,
    /// Its conjuncts.
    pub conjuncts: Vec<CoveredConjunct>,
}

/// One conjunct of a guard.
#[derive(Clone, Debug)]
pub struct CoveredConjunct {
    /// The place.
    pub place: Option<Location>,
    /// States and choices in which it was true.
    pub held: u64,
    /// In which it was false.
    pub failed: u64,
    /// In which it had no value and no other conjunct was false.
    pub void: u64,
    /// Why, the first time.
    pub why: Option<String>,
}

/// An operation that is never possible.
pub(super) struct Never {
    operation: String,
    /// The warning.
    pub(super) message: Message,
}

/// What there is to tell of a finished search.
pub(super) struct Told<'a> {
    pub(super) machine: &'a Machine,
    pub(super) sources: &'a Sources,
    pub(super) outcome: &'a Outcome,
    /// Whether conjuncts that restrict nothing are told as well.
    pub(super) all: bool,
}

impl Told<'_> {
    fn message(&self, code: Code, at: Span, text: String) -> Message {
        Message::of(&Diagnostic::warning(code, at, text), self.sources)
    }

    /// The text at a place on one line.
    fn text(&self, at: Span) -> String {
        self.sources.text(at).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Where the name of an operation stands.
    fn name(&self, o: &Operation) -> Span {
        let written = o.name.rsplit('.').next().unwrap_or(&o.name);
        let found = self.sources.text(o.span).find(written);
        let lo = found.map_or(o.span.lo as usize, |at| o.span.lo as usize + at);
        Span::new(o.span.file, lo, lo + written.len())
    }

    fn offered(&self) -> impl Iterator<Item = (u32, &Operation)> {
        (0u32..).zip(&self.machine.operations).filter(|(_, o)| o.offered.is_some())
    }

    /// The operations that are never possible, each with a conjunct that is never true if one is.
    pub(super) fn never_possible(&self, coverage: Option<&Coverage>) -> Vec<Never> {
        let counts = self.offered().zip(&self.outcome.operations);
        let never = counts.filter(|(_, c)| c.transitions == 0).map(|((i, o), _)| {
            let looked = coverage.and_then(|c| c.guards.iter().find(|g| g.op == i)).filter(|g| g.all);
            let at_fault =
                looked.and_then(|g| g.conjuncts.iter().find(|c| c.held == 0 && c.failed > 0 && c.void == 0));
            let why =
                at_fault.map_or_else(String::new, |c| format!(": `{}` is never true", self.text(c.span)));
            let states = if self.outcome.outside > 0 { "state within SCOPE" } else { "reachable state" };
            let text = format!("the operation `{}` is possible in no {states}{why}", o.name);
            Never {
                operation: o.name.to_string(),
                message: self.message(Code::NeverEnabled, self.name(o), text),
            }
        });
        never.collect()
    }

    /// Conjuncts of guards and of the invariant that decide nothing.
    pub(super) fn conjuncts(&self, coverage: &Coverage) -> Vec<Message> {
        let guards = coverage.guards.iter().flat_map(|g| g.conjuncts.iter().map(move |c| (g, c)));
        let mut out: Vec<Message> = guards.filter_map(|(g, c)| self.conjunct(g, c)).collect();
        for (what, at) in &coverage.empty {
            let text = self.text(*at);
            let text = match what {
                Empty::Premise => {
                    format!("`{text}` is never true, so what the invariant says under it says nothing")
                }
                Empty::Range => {
                    format!("nothing ever satisfies `{text}`, so what the invariant says of it says nothing")
                }
                Empty::Side if self.all => {
                    format!("`{text}` is never true, so it adds nothing to the disjunction")
                }
                Empty::Side => continue,
            };
            out.push(self.message(Code::Idle, *at, text));
        }
        out
    }

    fn conjunct(&self, g: &Looked, c: &Conjunct) -> Option<Message> {
        let name = self.machine.operations.get(g.op as usize).map_or("", |o| &*o.name);
        let text = self.text(c.span);
        if let Some(void) = self.void(g, c, "") {
            return Some(void);
        }
        let restricts_nothing = self.all && g.all && !c.typing && c.failed == 0 && c.held > 0;
        restricts_nothing.then(|| {
            let text = format!("the guard `{text}` of `{name}` is never false, so it restricts nothing");
            self.message(Code::Idle, c.span, text)
        })
    }

    /// A guard that had no value, `at` some states.
    fn void(&self, g: &Looked, c: &Conjunct, at: &str) -> Option<Message> {
        if c.void == 0 {
            return None;
        }
        let name = self.machine.operations.get(g.op as usize).map_or("", |o| &*o.name);
        let text = self.text(c.span);
        let why = c.why.as_ref().map_or_else(String::new, |w| format!(": {w}"));
        let times = if c.void == 1 { "once".to_owned() } else { format!("{} times", c.void) };
        let text = format!(
            "the guard `{text}` of `{name}` has no value {times}{at}, and counts as false there{why}"
        );
        Some(self.message(Code::GuardVoid, c.span, text))
    }

    /// Guards without a value in some of the states.
    pub(super) fn void_in_some(&self, coverage: &Coverage) -> Vec<Message> {
        let at = match coverage.states {
            1 => " in the state looked at".to_owned(),
            n => format!(" in the {n} states looked at"),
        };
        let guards = coverage.guards.iter().flat_map(|g| g.conjuncts.iter().map(move |c| (g, c)));
        guards.filter_map(|(g, c)| self.void(g, c, &at)).collect()
    }

    /// Guards that the search met without a value, in states or at places that were not looked at.
    pub(super) fn void_elsewhere(&self, met: &[Span], coverage: Option<&Coverage>) -> Vec<Message> {
        let told = |at: &Span| {
            let guards = coverage.iter().flat_map(|c| &c.guards).flat_map(|g| &g.conjuncts);
            guards.into_iter().any(|c| c.void > 0 && c.span == *at)
        };
        let message = |at: &Span| {
            let text = format!(
                "the guard `{}` has no value in some states, and counts as false there",
                self.text(*at)
            );
            self.message(Code::GuardVoid, *at, text)
        };
        met.iter().filter(|at| !told(at)).map(message).collect()
    }

    /// What guards came to.
    pub(super) fn guards(&self, coverage: &Coverage) -> Covered {
        let conjunct = |c: &Conjunct| CoveredConjunct {
            place: Location::of(c.span, self.sources),
            held: c.held,
            failed: c.failed,
            void: c.void,
            why: c.why.clone(),
        };
        let guard = |g: &Looked| CoveredGuard {
            operation: self
                .machine
                .operations
                .get(g.op as usize)
                .map_or_else(String::new, |o| o.name.to_string()),
            all: g.all,
            conjuncts: g.conjuncts.iter().map(conjunct).collect(),
        };
        Covered { states: coverage.states, guards: coverage.guards.iter().map(guard).collect() }
    }
}

/// An operation that is never possible as a violation.
pub(super) fn violation(never: &Never) -> Violation {
    Violation {
        kind: "coverage",
        operation: Some(never.operation.clone()),
        message: never.message.message.clone(),
        location: never.message.location.clone(),
        count: 1,
        ..Violation::default()
    }
}
