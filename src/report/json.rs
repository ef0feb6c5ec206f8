//! Reports as JSON, schema `bsym.check/1`. Keys are only ever added.

mod lines;

use self::lines::Text;
use super::coverage::{CoveredConjunct, CoveredGuard};
use super::goals::GoalLine;
use super::shorten::{self, Sum};
use super::{
    Bound, Change, Covered, LeftOut, Limit, Location, Message, OneOf, Property, Refusal, Report, SetLine,
    SetSize, TraceStep, Undecided, Unsolved, Violation,
};
use super::{blocked, unmatched, why};
use crate::diagnostic::Severity;
use crate::explore::Audited;
use crate::symmetry::Basis;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// Writes the report as JSON. Traces may be most of it, by far: they are written as they are. Of a report that would be too
/// large steps and values are left out, unless it is wanted in full.
pub fn write(r: &Report, to: &mut dyn Write) -> io::Result<()> {
    let Json::Object(mut head) = headed(r) else { return Ok(()) };
    let whole = [r.violations.as_slice(), &r.open, r.goal.as_slice()];
    let fits = |head: &Map<String, Json>, found: [&[Violation]; 3]| {
        lines::write(&Streamed { head, found }, &mut Room(shorten::MOST)).is_ok()
    };
    if r.full || fits(&head, whole) {
        lines::write(&Streamed { head: &head, found: whole }, to)?;
        return to.write_all(b"\n");
    }
    let mut short = Vec::new();
    for level in shorten::LEVELS {
        let mut sum = Sum::default();
        short = whole.iter().map(|part| shorten::shortened(part, level, &mut sum)).collect();
        let told = json!({"over_bytes": shorten::MOST, "steps": sum.steps, "values": sum.values, "option": "--full"});
        head.insert("left_out".to_owned(), told);
        if let [violations, open, goal] = short.as_slice()
            && fits(&head, [violations, open, goal])
        {
            break;
        }
    }
    let part = |i: usize| short.get(i).map_or(&[][..], Vec::as_slice);
    lines::write(&Streamed { head: &head, found: [part(0), part(1), part(2)] }, to)?;
    to.write_all(b"\n")
}

/// Takes so many bytes, and no more.
struct Room(usize);

impl Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The report as a JSON object.
#[must_use]
pub fn object(r: &Report) -> Json {
    let mut text = Vec::new();
    let written = write(r, &mut text).is_ok();
    written.then(|| serde_json::from_slice(&text).ok()).flatten().unwrap_or_default()
}

/// The report without its violations, whose places are there.
fn headed(r: &Report) -> Json {
    let sizes: Map<String, Json> = r.sets.iter().map(|s| (s.name.clone(), s.size.into())).collect();
    let operations: Vec<Json> = r
        .operations
        .iter()
        .map(|o| json!({"name": o.name, "transitions": o.transitions, "states_enabled": o.states_enabled}))
        .collect();
    let counters: Map<String, Json> =
        r.counters.iter().map(|(n, c)| ((*n).to_owned(), (*c).into())).collect();
    let big = |n: &Option<String>| n.as_ref().map(|n| n.parse::<u64>().map_or_else(|_| json!(n), Json::from));
    let mut all = json!({
        "schema": "bsym.check/1", "version": env!("CARGO_PKG_VERSION"), "machine": r.machine, "file": r.file,
        "cardinalities": sizes, "sizes": r.sets.iter().map(set_size).collect::<Vec<_>>(),
        "limits": r.limits.iter().map(limit).collect::<Vec<_>>(), "maxint": r.integers.0, "minint": r.integers.1,
        "symmetry": r.symmetry, "constants": r.constants, "guarantee": r.guarantee_name(),
        "basis": basis(r), "audit": r.audit.as_ref().map(audit),
        "collision_probability": r.collision_probability,
        "verdict": r.verdict.name(), "complete": r.complete, "stopped_by": r.stopped_by, "at_work": r.at_work,
        "states": r.states, "nodes": r.states.saturating_add(1), "full_states": big(&r.full_states),
        "transitions": r.transitions, "full_transitions": big(&r.full_transitions), "constants_valuations": r.valuations,
        "initial_states": r.initial_states, "depth": r.depth, "outside_scope": r.outside_scope,
        "invariant_violations": r.invariant_violations, "deadlocks": r.deadlocks,
        "assertion_violations": r.assertion_violations, "errors": r.errors,
        "goal_states": r.goal_states.unwrap_or(0), "operations": operations,
    });
    let found = json!({
        "violations": null, "open": null, "left_out": null,
        "undecided": r.undecided.iter().map(undecided).collect::<Vec<_>>(),
        "goal": null, "goals": r.goals.as_ref().map(|all| all.iter().map(GoalLine::json).collect::<Vec<_>>()), "warnings": r.warnings.iter().map(Message::line).collect::<Vec<_>>(),
        "cut_at_maxint": r.bounds.iter().filter(|b| b.is_of_integers()).map(Bound::name).collect::<Vec<_>>(),
        "bounds": r.bounds.iter().map(bound).collect::<Vec<_>>(),
        "one_of": r.one_of.iter().map(one_of).collect::<Vec<_>>(),
        "coverage": r.coverage.as_ref().map(coverage), "notes": r.notes.iter().map(Message::line).collect::<Vec<_>>(),
        "checked": r.properties.iter().map(property).chain(super::formulas::checked(r)).chain(super::refinement::checked(r)).collect::<Vec<_>>(),
        "formulas": r.formulas.iter().map(super::formulas::FormulaLine::json).collect::<Vec<_>>(),
        "refinements": r.refinements.iter().map(super::refinement::RefinementLine::json).collect::<Vec<_>>(),
        "not_checked": r.not_checked().map(Message::line).collect::<Vec<_>>(),
        "permuted": r.symmetry_sets.iter().map(|l| l.text.as_str()).collect::<Vec<_>>(),
        "symmetry_sets": r.symmetry_sets.iter().map(set_line).collect::<Vec<_>>(), "counters": counters,
        "seconds": {"load": r.load_seconds, "explore": r.explore_seconds}, "peak_bytes": r.peak_bytes,
    });
    if let (Json::Object(all), Json::Object(found)) = (&mut all, found) {
        all.extend(found);
        if let Some((refined, notion)) = &r.refines {
            all.insert("against".into(), (*notion).into());
            all.insert("refines".into(), refined.as_str().into());
        }
        if r.refines.is_some() || !r.refinements.is_empty() {
            all.insert("refinement_violations".into(), r.refinement_violations.into());
        }
    }
    all
}

/// The object for an input that was refused.
#[must_use]
pub fn refused(r: &Refusal) -> String {
    let errors: Vec<Json> =
        r.messages.iter().filter(|m| m.severity == Severity::Error).map(message).collect();
    let all = json!({
        "schema": "bsym.check/1", "version": env!("CARGO_PKG_VERSION"), "file": r.file,
        "verdict": "refused", "complete": false, "stopped_by": "refused", "diagnostics": errors,
    });
    format!("{all:#}\n")
}

fn message(m: &Message) -> Json {
    let mut out = Map::new();
    out.insert("code".into(), m.code.into());
    out.insert("message".into(), m.message.as_str().into());
    if let Some(Location { file, line, column, text }) = &m.location {
        out.insert("file".into(), file.as_str().into());
        out.insert("line".into(), (*line).into());
        out.insert("column".into(), (*column).into());
        out.insert("text".into(), text.as_str().into());
    }
    if let Some(help) = &m.help {
        out.insert("help".into(), help.as_str().into());
    }
    Json::Object(out)
}

/// Why states of one key are symmetric: the way, and the stored states that each part of it decides.
fn basis(r: &Report) -> Json {
    let stored = r.states.saturating_sub(r.valuations);
    match r.basis {
        Basis::None => json!({"class": "approximate"}),
        Basis::Unknown => json!({"class": "unknown"}),
        Basis::Equality => json!({"class": "equality", "by_equality": stored}),
        Basis::Enumeration => json!({"class": "enumeration", "by_enumeration": stored}),
        Basis::Least => json!({"class": "least", "by_image": stored}),
        Basis::Images => json!({"class": "images", "by_image": stored}),
        Basis::Types => json!({"class": "types", "by_type": stored}),
        Basis::Labelling => json!({"class": "labelling", "by_labelling": stored}),
        Basis::States { certificate, labelling } => {
            let class = if labelling == 0 { "certificate" } else { "labelling" };
            json!({"class": class, "by_certificate": certificate, "by_labelling": labelling})
        }
    }
}

fn conflict(u: &Unsolved) -> Json {
    let at = |l: &Location| json!({"file": l.file, "line": l.line, "column": l.column, "text": l.text});
    json!({
        "conjuncts": u.conjuncts.iter().map(at).collect::<Vec<_>>(), "smallest": u.smallest, "certain": u.certain,
        "because": u.because, "remedy": u.remedy,
    })
}

fn audit(a: &Audited) -> Json {
    json!({"known": a.known, "compared": a.compared, "different": a.different, "bound": a.bound()})
}

/// What was left out.
pub(super) fn bound(b: &Bound) -> Json {
    let (from, to) = b.range.unzip();
    json!({"what": b.what, "place": b.place.as_ref().map(place), "from": from, "to": to, "option": b.option, "of": b.of})
}

fn undecided(u: &Undecided) -> Json {
    let p = &u.property;
    json!({
        "kind": p.kind, "conjunct": p.text, "place": p.location.as_ref().map(place), "number": u.number.0, "of": u.number.1,
        "seconds": u.seconds, "count": u.count,
    })
}

fn one_of(o: &OneOf) -> Json {
    json!({"name": o.name, "place": o.place.as_ref().map(place), "values": o.values})
}

/// Something that was checked: its kind, and the conjunct with its place if it is one.
fn property(p: &Property) -> Json {
    json!({"kind": p.kind, "conjunct": p.text, "place": p.location.as_ref().map(place)})
}

fn coverage(c: &Covered) -> Json {
    let conjunct = |c: &CoveredConjunct| json!({"place": c.place.as_ref().map(place), "true": c.held, "false": c.failed, "void": c.void, "why": c.why});
    let guard = |g: &CoveredGuard| {
        let conjuncts: Vec<Json> = g.conjuncts.iter().map(conjunct).collect();
        json!({"operation": g.operation, "all_choices": g.all, "conjuncts": conjuncts})
    };
    json!({"states": c.states, "guards": c.guards.iter().map(guard).collect::<Vec<_>>()})
}

fn set_size(s: &SetSize) -> Json {
    json!({"set": s.name, "size": s.size, "from": s.origin, "assumed": s.assumed})
}

fn limit(l: &Limit) -> Json {
    json!({"name": l.name, "value": l.value, "from": l.origin})
}

pub(super) fn place(l: &Location) -> Json {
    json!({"file": l.file, "line": l.line, "column": l.column, "text": l.text})
}

fn set_line(l: &SetLine) -> Json {
    json!({"set": l.set, "size": l.size, "permuted": l.permuted, "why": l.why, "at": l.at.as_ref().map(place)})
}

/// A report of which everything but violations is an object already: these, what was not found, and the goal.
struct Streamed<'r> {
    head: &'r Map<String, Json>,
    found: [&'r [Violation]; 3],
}

impl Serialize for Streamed<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let [violations, open, goal] = self.found;
        let mut map = to.serialize_map(Some(self.head.len()))?;
        for (key, value) in self.head {
            match key.as_str() {
                "violations" => map.serialize_entry(key, violations)?,
                "open" => map.serialize_entry(key, open)?,
                "goal" => map.serialize_entry(key, &goal.first())?,
                _ => map.serialize_entry(key, value)?,
            }
        }
        map.end()
    }
}

impl Serialize for Violation {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("kind", self.kind)?;
        for (key, text) in [("conjunct", &self.conjunct), ("operation", &self.operation)] {
            if let Some(text) = text {
                map.serialize_entry(key, text)?;
            }
        }
        if let Some(code) = self.code {
            map.serialize_entry("code", code)?;
        }
        map.serialize_entry("message", &self.message)?;
        if let Some(Location { file, line, column, text }) = &self.location {
            map.serialize_entry("file", file)?;
            map.serialize_entry("line", line)?;
            map.serialize_entry("column", column)?;
            map.serialize_entry("text", text)?;
        }
        if let Some(u) = &self.unsolved {
            map.serialize_entry("conflict", &conflict(u))?;
        }
        if let Some(b) = &self.beyond {
            let beyond = json!({"limit": b.limit, "value": b.value, "from": b.origin, "remedy": b.remedy});
            map.serialize_entry("beyond", &beyond)?;
        }
        if let Some(r) = &self.why {
            map.serialize_entry("why", &why::json(r))?;
        }
        if !self.blocked.is_empty() {
            map.serialize_entry("blocked", &self.blocked.iter().map(blocked::json).collect::<Vec<_>>())?;
        }
        if let Some(u) = &self.unmatched {
            map.serialize_entry("refinement", &unmatched::json(u))?;
        }
        map.serialize_entry("count", &self.count)?;
        map.serialize_entry("trace", &(!self.untraced).then_some(&self.trace))?;
        if let Some(back) = self.back {
            map.serialize_entry("loop", &back)?;
        }
        if self.prefix {
            map.serialize_entry("prefix", &true)?;
        }
        if let Some(LeftOut { after, steps }) = self.left_out {
            map.serialize_entry("left_out", &json!({"after": after, "steps": steps}))?;
        }
        map.end()
    }
}

/// An object of names that differ.
struct Pairs<'a>(&'a [(String, String)]);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(n, v)| (n, Text(v))))
    }
}

impl Serialize for TraceStep {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // A variable of the body may hide a parameter: an object has each name once.
        let arguments: Map<String, Json> =
            self.arguments.iter().map(|(n, v)| (n.clone(), v.as_str().into())).collect();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("operation", &self.operation)?;
        map.serialize_entry("arguments", &arguments)?;
        map.serialize_entry("results", &Pairs(&self.results))?;
        map.serialize_entry("state", &Pairs(&self.values))?;
        map.serialize_entry("changes", &self.changes)?;
        if !self.watched.is_empty() {
            map.serialize_entry("expressions", &Pairs(&self.watched))?;
        }
        if let Some(fault) = &self.fault {
            map.serialize_entry("error", fault)?;
        }
        map.end()
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("before", &self.before.as_deref().map(Text))?;
        map.serialize_entry("after", &Text(&self.after))?;
        map.end()
    }
}
