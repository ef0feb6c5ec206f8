//! What the machine's states were on the way of a replay.
//!
//! In: the states that fit the steps so far, as replay goes on ([`Seen`]). Out: what came of a trace, with its steps and the values of the
//! machine; where several states fit, only what all of them agree on is known. Steps that were not taken have what the file says.

use super::{At, Failure, Replay};
use crate::ir::Decl;
use crate::model::{MachineSystem, Plain as _};
use crate::report::Change;
use crate::report::TraceStep;
use crate::report::html::replay::{End, Replayed};
use crate::report::traces::{Recorded, RecordedStep};
use crate::value::Value;

/// Values by name.
type Values = Vec<(String, String)>;

/// States that fit which are looked at: of more it is only said that there are several.
const STATES: usize = 64;

/// What was seen on the way, under the valuation that led furthest.
#[derive(Default)]
pub(super) struct Seen {
    wanted: bool,
    now: Vec<Values>,
    furthest: Vec<Values>,
}

impl Seen {
    /// A valuation of the constants; whether there is a step that sets them.
    pub(super) fn begin(&mut self, system: &MachineSystem, valuation: u32, setup: bool) {
        self.end();
        if self.wanted && setup {
            let values = system.constants(valuation).unwrap_or_default();
            self.now.push(shown(system, &system.machine().constants, &[values.to_vec()]));
        }
    }

    /// A step was taken.
    pub(super) fn step(&mut self, system: &MachineSystem, at: &At) {
        let At::States(all) = at else { return };
        if self.wanted {
            let states: Vec<_> = all.iter().take(STATES).map(|s| system.packer().unpack(s)).collect();
            self.now.push(shown(system, &system.machine().variables, &states));
        }
    }

    fn end(&mut self) {
        let now = std::mem::take(&mut self.now);
        if now.len() >= self.furthest.len() {
            self.furthest = now;
        }
    }
}

/// The values of declarations in which some states agree.
fn shown(system: &MachineSystem, decls: &[Decl], states: &[Vec<Option<Value>>]) -> Values {
    let world = system.world();
    let one = |(i, d): (usize, &Decl)| {
        let value = |s: &Vec<Option<Value>>| s.get(i)?.as_ref().map(|v| v.show(&d.ty, world));
        let mut all: Vec<String> = states.iter().filter_map(value).collect();
        all.dedup();
        let text = match all.as_slice() {
            [] => return None,
            [one] => one.clone(),
            _ => "several values are possible".to_owned(),
        };
        Some((d.name.to_string(), text))
    };
    decls.iter().enumerate().filter_map(one).collect()
}

/// Replays a trace; its steps are only told if that is wanted.
pub(super) fn replayed(replay: &Replay, recorded: &Recorded, wanted: bool) -> Replayed {
    let mut seen = Seen { wanted, ..Seen::default() };
    let (end, text) = match replay.replay(recorded, &mut seen) {
        Ok(text) => (End::Done, text),
        Err(Failure::Wrong(text)) => (End::Fails, text),
        Err(Failure::Stopped(text)) => (End::Stopped, text),
    };
    seen.end();
    let taken = seen.furthest;
    let mut steps: Vec<TraceStep> = Vec::new();
    for (i, said) in recorded.steps.iter().enumerate().filter(|_| wanted) {
        let values = taken.get(i).unwrap_or(&said.values);
        let before = steps.last().map_or(&[][..], |s| &s.values);
        let changes = changes(before, values);
        let fault = match taken.len() {
            n if i < n => said.fault.then(|| "there is an error here, as the trace says".to_owned()),
            n => (i == n).then(|| text.clone()),
        };
        steps.push(step(said, values.clone(), changes, fault));
    }
    Replayed { end, text, kind: recorded.kind.clone(), steps, reached: taken.len(), back: recorded.back }
}

fn step(said: &RecordedStep, values: Values, changes: Vec<Change>, fault: Option<String>) -> TraceStep {
    let RecordedStep { operation, arguments, results, .. } = said.clone();
    TraceStep {
        operation: operation.unwrap_or_else(|| "?".to_owned()),
        arguments,
        results,
        values,
        watched: Vec::new(),
        changes,
        fault,
    }
}

/// What is other than before.
fn changes(before: &[(String, String)], after: &[(String, String)]) -> Vec<Change> {
    let old = |name: &String| before.iter().find(|(n, _)| n == name).map(|(_, v)| v);
    let new = after.iter().filter(|(name, value)| old(name) != Some(value));
    new.map(|(name, value)| Change {
        name: name.clone(),
        before: old(name).cloned(),
        after: value.clone(),
        delta: Vec::new(),
    })
    .collect()
}
