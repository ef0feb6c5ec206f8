//! Why a violation is one: questions that a report asks, and the answers as text and JSON.
//!
//! In: the system by the plain evaluator, formulas and states. Out: [`Reason`]s, finished data. How they are found is elsewhere
//! (`explain`).

use super::blocked::{self, Blocked};
use super::json::place;
use super::text::INDENT;
use super::{Location, Violation};
use crate::eval::Env;
use crate::explain::{Explainer, Kind, Shown, Turn, Why};
use crate::explore::Place;
use crate::explore::trace::abbreviate;
use crate::ir::Formula;
use crate::model::MachineSystem;
use crate::model::beyond::Beyond;
use crate::model::card::Sizes;
use crate::ops::Fault;
use crate::source::Sources;
use crate::value::Value;
use serde_json::{Map, Value as Json, json};

/// Characters of a value beside others; those of longer ones follow on a line of their own.
const BESIDE: usize = 80;
/// Values in a message: the others follow.
const BRIEF: usize = 3;

/// Whom a report asks about a state.
#[derive(Debug)]
pub struct Witness<'a> {
    system: &'a MachineSystem,
    sizes: &'a Sizes,
    sources: &'a Sources,
    explainer: Explainer<'a>,
}

/// Why a part of a formula is true or false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The part, as text.
    pub part: String,
    /// Its place.
    pub place: Option<Location>,
    /// Whether it is true; `None` if it is no predicate.
    pub holds: Option<bool>,
    /// The values of variables that are bound around it.
    pub choice: Vec<Shown>,
    /// The values of all names that it reads.
    pub names: Vec<Shown>,
    /// The values of expressions in it.
    pub values: Vec<Shown>,
    /// The variables that have no value for which it would be true.
    pub missing: Vec<String>,
    /// Reasons of parts that decide together, or what is in the way of a choice of what is missing.
    pub parts: Vec<Reason>,
    /// The calls of operations that lead to it, the innermost first.
    pub calls: Vec<Location>,
    /// The round of the loop whose invariant or variant it is.
    pub turn: Option<Turn>,
}

impl<'a> Witness<'a> {
    /// The system that is asked.
    #[must_use]
    pub fn new(system: &'a MachineSystem, sizes: &'a Sizes, sources: &'a Sources) -> Self {
        Self { system, sizes, sources, explainer: Explainer::new(system.evaluator(), sources) }
    }

    /// What a formula that is false in a state is false for, if it is a matter of MAXINT or MININT.
    pub(super) fn beyond(&self, formula: &Formula, state: &[u64]) -> Option<Beyond> {
        self.system.beyond(self.sizes, formula, state)
    }

    /// Why a formula is true or false in a state.
    pub(super) fn why(&self, formula: &Formula, state: &[u64], holds: bool) -> Option<Reason> {
        let why = self.explainer.formula(formula, &self.system.env(state), holds)?;
        Some(self.reason(why))
    }

    /// Why a formula is true or false under the values of constants and variables, as lines of text; nothing if it is not found.
    #[must_use]
    pub fn because(&self, formula: &Formula, env: &Env, holds: bool) -> String {
        let mut out = String::new();
        if let Some(why) = self.explainer.formula(formula, env, holds) {
            lines("", &self.reason(why), INDENT, &mut out);
        }
        out
    }

    /// Why evaluation at a place has met a fault, as lines of text; nothing if it is not found.
    #[must_use]
    pub fn because_of(&self, place: &Place, fault: &Fault, state: &[u64]) -> String {
        let mut out = String::new();
        if let Some(reason) = self.fault(place, fault, state) {
            lines("", &reason, INDENT, &mut out);
        }
        out
    }

    /// What is in the way of operations that are not possible in a state, as lines of text.
    #[must_use]
    pub fn in_the_way(&self, state: &[u64], operations: &[&str]) -> String {
        let mut all = self.blocked(state);
        all.retain(|b| operations.contains(&&*b.operation));
        blocked::lines(&all)
    }

    /// Why evaluation at a place has met a fault.
    pub(super) fn fault(&self, place: &Place, fault: &Fault, state: &[u64]) -> Option<Reason> {
        let (machine, env) = (&self.system.evaluator().machine, self.system.env(state));
        let why = match place {
            Place::Properties => None,
            Place::Initialisation => self.explainer.fault_in_initialisation(&env, fault),
            Place::Check(what) => self.explainer.fault_in_formula(what.formula(machine)?, &env, fault),
            Place::Operation(op, arguments) => {
                let meant = |args: &[Value]| self.system.arguments(*op, args) == *arguments;
                self.explainer.fault_in_operation(self.system.index(*op)?, &env, fault, &meant)
            }
        };
        why.map(|w| self.reason(w))
    }

    /// Why no operation is possible in a state.
    pub(super) fn blocked(&self, state: &[u64]) -> Vec<Blocked> {
        let (machine, env) = (&self.system.evaluator().machine, self.system.env(state));
        let all = (0u32..).zip(&machine.operations).filter_map(|(op, _)| self.explainer.blocked(op, &env));
        let kind = |k: Kind| (k.choices, k.why.into_iter().map(|w| self.reason(w)).collect());
        all.map(|b| Blocked {
            operation: b.operation,
            choices: b.choices,
            more: b.more,
            kinds: b.kinds.into_iter().map(kind).collect(),
        })
        .collect()
    }

    fn reason(&self, w: Why) -> Reason {
        Reason {
            place: Location::of(w.place, self.sources),
            part: w.part,
            holds: w.holds,
            choice: w.choice,
            names: w.names,
            values: w.values,
            missing: w.missing,
            parts: w.parts.into_iter().map(|w| self.reason(w)).collect(),
            calls: w.calls.into_iter().filter_map(|c| Location::of(c, self.sources)).collect(),
            turn: w.turn,
        }
    }
}

/// A reason as lines of text, below the formula that it is the reason of.
pub(super) fn text(r: &Reason, v: &Violation) -> String {
    let mut out = String::new();
    if is_told(r, v) {
        below(r, INDENT, &mut out);
    } else {
        lines("", r, INDENT, &mut out);
    }
    out
}

/// Whether the message of a violation says already which part it is.
pub(super) fn is_told(r: &Reason, v: &Violation) -> bool {
    let told = v.code.is_some() || v.conjunct.as_ref() == Some(&r.part);
    told && r.choice.is_empty() && r.missing.is_empty()
}

/// A part with what stands below it; before it what it belongs to.
pub(super) fn lines(what: &str, r: &Reason, indent: usize, out: &mut String) {
    let verb = match r.holds {
        Some(true) => " is true",
        Some(false) => " is false",
        None if !what.is_empty() => " has no value",
        None => "",
    };
    let line = r.place.as_ref().map_or_else(String::new, |p| format!(" (line {})", p.line));
    let choice: Vec<String> = r.choice.iter().map(beside).collect();
    let choice = if choice.is_empty() { String::new() } else { format!(" for {}", choice.join(", ")) };
    let part = short(&r.part);
    let missing = match r.missing.as_slice() {
        [] => String::new(),
        [one] => format!(": there is no such {one}"),
        all => format!(": there are no such {}", all.join(", ")),
    };
    let more = if r.parts.is_empty() || !r.missing.is_empty() { "" } else { ", since" };
    put(indent, &format!("{what}`{part}`{line}{verb}{choice}{missing}{more}"), out);
    below(r, indent + INDENT, out);
}

/// What stands below a part.
fn below(r: &Reason, indent: usize, out: &mut String) {
    for c in &r.calls {
        put(indent, &format!("called at {}:{}:{}", c.file, c.line, c.column), out);
    }
    if let Some(t) = &r.turn {
        put(indent, &turn(t), out);
    }
    let values = r.values.iter().chain(names(r));
    values.for_each(|v| tree(v, indent, out));
    for p in &r.parts {
        if r.missing.is_empty() {
            lines("", p, indent, out);
        } else {
            put(indent, "what comes near:", out);
            lines("", p, indent + INDENT, out);
        }
    }
}

/// The names whose values are told below a part: not those of a choice, which are there, and none twice.
pub(super) fn names(r: &Reason) -> impl Iterator<Item = &Shown> {
    let told = |n: &&Shown| !r.choice.iter().any(|c| c.text == n.text && c.value.chars().count() <= BESIDE);
    // What decides together has the names below it.
    let any = r.parts.is_empty() || !r.missing.is_empty();
    r.names.iter().filter(move |_| any).filter(told)
}

/// A round, with what the variant was and is.
pub(super) fn turn(t: &Turn) -> String {
    let variant = match (&t.before, &t.now) {
        (Some(before), Some(now)) => format!(": the variant was {before} and is {now}"),
        (None, Some(now)) => format!(": the variant is {now}"),
        _ => String::new(),
    };
    format!("in round {} of the loop{variant}", t.number)
}

/// A reason in a few words, behind a message.
pub(super) fn brief(r: &Reason) -> String {
    let mut told: Vec<&Shown> = Vec::new();
    for s in r.choice.iter().chain(&r.names) {
        if !told.iter().any(|t| t.text == s.text) {
            told.push(s);
        }
    }
    let values: Vec<String> = told.into_iter().take(BRIEF).map(beside).collect();
    let values = if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
    let call = r
        .calls
        .first()
        .map_or_else(String::new, |c| format!(", called at {}:{}:{}", c.file, c.line, c.column));
    format!(": `{}`{values}{call}", short(&r.part))
}

fn tree(s: &Shown, indent: usize, out: &mut String) {
    put(indent, &format!("{} = {}", short(&s.text), s.value), out);
    s.parts.iter().for_each(|p| tree(p, indent + INDENT, out));
}

/// Adds a line.
pub(super) fn put(indent: usize, line: &str, out: &mut String) {
    *out += &" ".repeat(indent);
    *out += line;
    *out += "\n";
}

fn beside(s: &Shown) -> String {
    format!("{} = {}", s.text, short(&s.value))
}

/// A text of at most so many characters.
fn short(text: &str) -> String {
    match text.char_indices().nth(BESIDE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A reason as a JSON object.
pub(super) fn json(r: &Reason) -> Json {
    let mut out = Map::new();
    out.insert("part".into(), r.part.as_str().into());
    if let Some(p) = &r.place {
        out.insert("place".into(), place(p));
    }
    if let Some(holds) = r.holds {
        out.insert("holds".into(), holds.into());
    }
    for (key, all) in [("choice", &r.choice), ("names", &r.names), ("values", &r.values)] {
        out.insert(key.into(), all.iter().map(shown).collect());
    }
    if !r.missing.is_empty() {
        out.insert("missing".into(), json!(r.missing));
    }
    if !r.parts.is_empty() {
        out.insert("parts".into(), r.parts.iter().map(json).collect());
    }
    if !r.calls.is_empty() {
        out.insert("calls".into(), r.calls.iter().map(place).collect());
    }
    if let Some(t) = &r.turn {
        out.insert("round".into(), json!({"number": t.number, "before": t.before, "now": t.now}));
    }
    Json::Object(out)
}

fn shown(s: &Shown) -> Json {
    let mut all = json!({"text": s.text, "value": s.value});
    if let Json::Object(all) = &mut all {
        if s.cut {
            all.insert("cut".into(), true.into());
        }
        if !s.parts.is_empty() {
            all.insert("parts".into(), s.parts.iter().map(shown).collect());
        }
    }
    all
}

impl Reason {
    /// The same with values of at most so many bytes, and how many were shortened.
    pub(super) fn shortened(&self, bytes: usize) -> (Reason, usize) {
        let mut cut = 0;
        let mut all = |list: &[Shown]| list.iter().map(|s| less(s, bytes, &mut cut)).collect::<Vec<_>>();
        let (choice, names, values) = (all(&self.choice), all(&self.names), all(&self.values));
        let parts = self.parts.iter().map(|p| p.shortened(bytes));
        let (parts, more): (Vec<_>, Vec<_>) = parts.unzip();
        (Reason { choice, names, values, parts, ..self.clone() }, cut + more.into_iter().sum::<usize>())
    }
}

fn less(s: &Shown, bytes: usize, cut: &mut usize) -> Shown {
    let parts = s.parts.iter().map(|p| less(p, bytes, cut)).collect();
    if s.value.len() <= bytes {
        return Shown { parts, ..s.clone() };
    }
    *cut += 1;
    Shown { text: s.text.clone(), value: abbreviate(&s.value, bytes), cut: true, parts }
}
