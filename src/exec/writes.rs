//! What a substitution assigns: writes that have not taken effect yet.
//!
//! In: places with values. Out: lists of writes, merged in parallel (one place twice is a fault, or merged point
//! by point under `ALLOW_SIMULTANEOUS_ASSIGNMENTS`) or in sequence (the later wins), put into an environment and
//! taken back.

use crate::diagnostic::Code;
use crate::eval::{Env, Evaluator};
use crate::ir::Place;
use crate::ops::Fault;
use crate::source::Span;
use crate::value::{SetRef, Value};
use std::sync::Arc;

/// One step of a path, evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Key {
    At(Value),
    Field(u32),
}

/// One assignment.
#[derive(Clone, Debug)]
pub(super) struct Write {
    pub(super) place: Place,
    /// The whole new value of the place.
    pub(super) value: Value,
    pub(super) span: Span,
    /// For assignments to parts: the parts with their values.
    pub(super) points: Vec<(Vec<Key>, Value)>,
}

/// The old values under some writes.
pub(super) type Undo = Vec<(Place, Option<Value>)>;

impl Evaluator {
    /// Adds a write that happens in parallel with those in `out`.
    pub(super) fn add_write(&self, out: &mut Vec<Write>, w: Write) -> Result<(), Fault> {
        let Some(at) = out.iter().rposition(|o| o.place == w.place) else {
            out.push(w);
            return Ok(());
        };
        let name = self.place_name(w.place);
        let twice = || {
            Fault::new(Code::DoubleAssignment, format!("`{name}` is assigned twice in parallel")).at(w.span)
        };
        if !self.machine.settings.simultaneous {
            return Err(twice());
        }
        if out[at].points.is_empty() || w.points.is_empty() {
            return if out[at].value == w.value { Ok(()) } else { Err(twice()) };
        }
        let mut merged = out[at].clone();
        for (path, v) in &w.points {
            match merged.points.iter().find(|(p, _)| p == path) {
                Some((_, old)) if old == v => {}
                Some(_) => return Err(twice()),
                None => {
                    merged.value = updated(&merged.value, path, v).ok_or_else(twice)?;
                    merged.points.push((path.clone(), v.clone()));
                }
            }
        }
        // The list may be cut back to a length before this write: replace by a new entry at the end.
        out.push(merged);
        Ok(())
    }

    pub(super) fn place_name(&self, place: Place) -> Arc<str> {
        match place {
            Place::Var(v) => {
                self.machine.variables.get(v.0 as usize).map_or_else(|| "?".into(), |d| d.name.clone())
            }
            Place::Local(_) => "a local variable".into(),
        }
    }
}

/// Adds writes that happen after those in `acc`: a place written again keeps only the later value.
pub(super) fn follow(acc: &[Write], later: &[Write]) -> Vec<Write> {
    let mut out: Vec<Write> =
        acc.iter().filter(|w| later.iter().all(|l| l.place != w.place)).cloned().collect();
    for (i, w) in later.iter().enumerate() {
        if later[i + 1..].iter().any(|l| l.place == w.place) {
            continue;
        }
        let mut w = w.clone();
        if acc.iter().any(|a| a.place == w.place) {
            // Parts written before count too: the whole value is what was assigned.
            w.points = Vec::new();
        }
        out.push(w);
    }
    out
}

/// The writes that count: the last one for each place.
pub(super) fn last(writes: &[Write]) -> impl Iterator<Item = &Write> {
    (writes.iter().enumerate())
        .filter(|(i, w)| writes[i + 1..].iter().all(|l| l.place != w.place))
        .map(|(_, w)| w)
}

/// Puts writes into effect; the last one for a place counts.
pub(super) fn enact(env: &mut Env, writes: &[Write]) -> Undo {
    let mut undo = Vec::with_capacity(writes.len());
    for w in writes {
        match w.place {
            Place::Var(id) => {
                undo.push((w.place, env.var(id).cloned()));
                env.set_var(id, Some(w.value.clone()));
            }
            Place::Local(id) => {
                undo.push((w.place, env.local(id).cloned()));
                env.set_local(id, Some(w.value.clone()));
            }
        }
    }
    undo
}

/// Takes writes back.
pub(super) fn revert(env: &mut Env, undo: Undo) {
    for (place, v) in undo.into_iter().rev() {
        match place {
            Place::Var(id) => env.set_var(id, v),
            Place::Local(id) => env.set_local(id, v),
        }
    }
}

/// A value with one part replaced; `None` if there is no such part to go into.
pub(super) fn updated(old: &Value, path: &[Key], v: &Value) -> Option<Value> {
    let Some((first, rest)) = path.split_first() else { return Some(v.clone()) };
    match (first, old) {
        (Key::Field(i), Value::Rec(fields)) => {
            let mut fields = fields.to_vec();
            let slot = fields.get_mut(*i as usize)?;
            *slot = updated(slot, rest, v)?;
            Some(Value::Rec(fields.into()))
        }
        (Key::At(x), Value::Set(s)) => {
            let row = s.row(x);
            let inner = if rest.is_empty() {
                v.clone()
            } else {
                let [Value::Pair(p)] = row else { return None };
                updated(&p.1, rest, v)?
            };
            Some(Value::Set(overridden(s, x, inner)))
        }
        _ => None,
    }
}

/// `s <+ {x |-> y}`.
fn overridden(s: &SetRef, x: &Value, y: Value) -> SetRef {
    let items = s.items();
    let lo = items.partition_point(|v| match v {
        Value::Pair(p) => p.0 < *x,
        _ => false,
    });
    let n = s.row(x).len();
    let mut out = Vec::with_capacity(items.len() + 1 - n.min(1));
    out.extend_from_slice(&items[..lo]);
    out.push(Value::pair(x.clone(), y));
    out.extend_from_slice(&items[lo + n..]);
    SetRef::from_sorted(out)
}
