//! How a node was reached: the steps from the root, rebuilt by replay.
//!
//! In: for each node its parent and the number of the edge. Out: labels and states. States are not kept by the
//! search, so the steps are taken again; they are real steps of the system under every reduction.

use super::spare::Pile;
use super::within::Within;
use crate::model::{Label, Steps, System};
use crate::symmetry::Reducer;

/// No parent: the root.
pub(super) const ROOT: u32 = u32::MAX;

/// For each node, in order of discovery, its parent and the number of the edge there. For a valuation the
/// number is that of the valuation.
///
/// Kept in pieces: growing one long vector would need twice its memory for a while.
#[derive(Clone, Debug, Default)]
pub struct Parents {
    pieces: Vec<Vec<(u32, u32)>>,
    spare: Pile<(u32, u32)>,
}

/// Nodes in a piece.
pub(super) const PIECE: usize = 1 << 14;

/// One step with the node it ends in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was done: an operation, the initialisation or the set-up.
    pub label: Label,
    /// What kind of step it is.
    pub kind: StepKind,
    /// The variables (or, after the set-up, the constants) after it, as (name, B text). Long texts at the end of a
    /// very large trace are [`abbreviated`].
    pub values: Vec<(String, String)>,
    /// Expressions that traces show, with their values after it.
    pub watched: Vec<(String, String)>,
    /// For each value lines that say in few words what has changed, to stand behind the name; none where the values say it.
    pub deltas: Vec<Vec<String>>,
    /// Which values differ from those of the state before though their abbreviated texts do not.
    pub unseen: Vec<usize>,
}

/// Characters of values in one trace before long values are abbreviated: a thousand steps with a million elements
/// each would not fit into memory.
const MOST: usize = 16 << 20;

/// A trace of more steps is shown by its ends, of so many steps each, unless all of it is wanted: in large states it takes longer to say
/// what a step changes than to take it.
pub const LONG: usize = 100;
/// See [`LONG`].
pub const END: usize = 25;

/// Characters that an abbreviated value keeps.
pub const KEPT: usize = 1 << 10;

/// Stands behind what an abbreviated value keeps; no text of a value contains it outside strings.
const CUT: &str = "\u{2026} (abbreviated)";

/// What is kept of an abbreviated value; `None` if the text is a whole value.
#[must_use]
pub fn abbreviated(text: &str) -> Option<&str> {
    text.strip_suffix(CUT)
}

/// A text of which only so many bytes are kept.
#[must_use]
pub fn abbreviate(text: &str, kept: usize) -> String {
    let end = (0..=kept).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    format!("{}{CUT}", text.get(..end).unwrap_or(""))
}

/// What one trace may still show in full.
struct Room(usize);

impl Room {
    /// Bytes of a text after which it makes no difference what follows: it is abbreviated.
    fn most(&self) -> usize {
        self.0.max(KEPT) + 1
    }

    /// The values, long ones abbreviated when the room is used up.
    fn values(&mut self, mut values: Vec<(String, String)>) -> Vec<(String, String)> {
        for (_, text) in &mut values {
            if text.len() > KEPT && text.len() > self.0 {
                *text = abbreviate(text, KEPT);
            }
            self.0 = self.0.saturating_sub(text.len());
        }
        values
    }
}

/// The step's name where the constants get their values.
pub const SETUP: &str = "SETUP_CONSTANTS";
/// The step's name where the variables get theirs.
pub const INITIALISATION: &str = "INITIALISATION";

/// Kinds of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// The constants get their values.
    Setup,
    /// The initialisation.
    Initialisation,
    /// An operation.
    Operation,
}

/// The steps to a node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// In order.
    pub steps: Vec<Step>,
    /// Whether steps are missing at the end: evaluation was stopped before all of them were taken again.
    pub broken_off: bool,
    /// The state that they lead to; the number of the valuation alone if they end with it.
    pub state: Vec<u64>,
}

impl Parents {
    /// None yet; pieces that are ready come from a pile.
    pub(super) fn new(spare: Pile<(u32, u32)>) -> Self {
        Self { pieces: Vec::new(), spare }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * PIECE + last.len())
    }

    /// Adds a node.
    #[inline]
    pub(super) fn push(&mut self, parent: u32, nth: u32) {
        match self.pieces.last_mut() {
            Some(last) if last.len() < PIECE => last.push((parent, nth)),
            _ => {
                // The first piece grows as needed: most searches are small.
                let mut piece = match self.pieces.len() {
                    0 => Vec::new(),
                    _ => self.spare.take().unwrap_or_else(|| Vec::with_capacity(PIECE)),
                };
                piece.push((parent, nth));
                self.pieces.push(piece);
            }
        }
    }

    /// Adds nodes.
    pub(super) fn extend(&mut self, mut nodes: impl Iterator<Item = (u32, u32)>) {
        while let Some((parent, nth)) = nodes.next() {
            self.push(parent, nth);
            if let Some(last) = self.pieces.last_mut() {
                last.extend(nodes.by_ref().take(PIECE - last.len()));
            }
        }
    }

    /// The valuation whose node it is; the root is that of the only one where there is no set-up step.
    #[must_use]
    pub fn valuation(&self, node: Option<u32>) -> u32 {
        node.and_then(|n| self.get(n)).map_or(0, |(_, valuation)| valuation)
    }

    /// The nodes on the way to one, which is the last.
    #[must_use]
    pub fn way(&self, node: u32) -> Vec<u32> {
        let mut way = Vec::new();
        let mut at = node;
        while let Some((parent, _)) = self.get(at).filter(|_| at != ROOT) {
            way.push(at);
            at = parent;
        }
        way.reverse();
        way
    }

    /// For each node, in order, its parent and the number of the edge.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.pieces.iter().flatten().copied()
    }

    fn get(&self, node: u32) -> Option<(u32, u32)> {
        self.pieces.get(node as usize / PIECE)?.get(node as usize % PIECE).copied()
    }

    /// The steps to a node that a search with this reducer has found; fewer if the system does not repeat what it did. Of a long
    /// trace [`Step::deltas`] are those of the ends, unless all are wanted.
    #[must_use]
    pub fn trace(&self, system: &dyn System, reducer: &dyn Reducer, node: Option<u32>, all: bool) -> Trace {
        let mut numbers = Vec::new();
        let mut at = node.unwrap_or(ROOT);
        while let Some((parent, nth)) = self.get(at).filter(|_| at != ROOT) {
            numbers.push(nth);
            at = parent;
        }
        numbers.reverse();
        replay(system, reducer, &numbers, all)
    }
}

/// Takes steps by their numbers: with a set-up step first the number of a valuation; then that of an initial
/// state; then those of edges. Without a set-up step the valuation is number 0.
fn replay(system: &dyn System, reducer: &dyn Reducer, numbers: &[u32], all: bool) -> Trace {
    let mut steps = Vec::new();
    let mut rest = numbers.iter().copied();
    let mut valuation = 0;
    let mut room = Room(MOST);
    if system.has_setup() {
        let Some(number) = rest.next() else { return Trace::default() };
        valuation = number;
        let values = room.values(system.show_valuation_in(room.most(), number));
        steps.push(Step {
            label: Label::default(),
            kind: StepKind::Setup,
            values,
            watched: Vec::new(),
            deltas: Vec::new(),
            unseen: Vec::new(),
        });
    }
    let mut broken_off = false;
    let mut within = Within::default();
    let mut edges = Steps::default();
    let mut state: Vec<u64> = vec![u64::from(valuation)];
    for (i, nth) in rest.enumerate() {
        edges.clear();
        let mut twins = false;
        if i == 0 {
            system.initial(valuation, &mut edges);
        } else {
            twins = within.successors(system, reducer, &state, &mut edges).twins;
        }
        let Some(target) = edges.targets.chunks(system.width()).nth(nth as usize).map(<[u64]>::to_vec) else {
            broken_off = true;
            break;
        };
        let (kind, label) = if i == 0 {
            (StepKind::Initialisation, Label::default())
        } else {
            // With twins edges have numbers of their own.
            let op = edges.operation(nth as usize);
            let nth = if twins { number(system, &state, op, &target) } else { Some(nth) };
            // Evaluation that is stopped in the middle gives no label.
            let Some(label) = nth.and_then(|nth| system.label(&state, nth)) else {
                broken_off = true;
                break;
            };
            (StepKind::Operation, label)
        };
        let values = room.values(system.show_state_in(room.most(), &target));
        let cut = |(i, (_, text)): (usize, &(String, String))| abbreviated(text).map(|_| i);
        let cut: Vec<usize> = values.iter().enumerate().filter_map(cut).collect();
        let at = steps.len();
        let shown = all || numbers.len() <= LONG || at < END || at + END >= numbers.len() || !cut.is_empty();
        let before = (shown && kind == StepKind::Operation).then_some(&state[..]);
        let told = system.told(KEPT, before, &target);
        let unseen = cut.into_iter().filter(|&i| told.changed.get(i) == Some(&true)).collect();
        let watched = room.values(told.watched);
        state = target;
        steps.push(Step { label, kind, values, watched, deltas: told.deltas, unseen });
    }
    Trace { steps, broken_off, state }
}

/// The number, among all edges of a state, of the first one of an operation to another state.
fn number(system: &dyn System, state: &[u64], op: Option<u32>, target: &[u64]) -> Option<u32> {
    let mut all = Steps::default();
    system.successors(state, &mut all);
    let same = |&(nth, t): &(usize, &[u64])| t == target && all.operation(nth) == op;
    let (nth, _) = all.targets.chunks(system.width()).enumerate().find(same)?;
    u32::try_from(nth).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_abbreviated_when_the_room_is_used_up() {
        let value = |n: usize| vec![("x".to_owned(), "\u{e9}".repeat(n))];
        let mut room = Room(3000);
        assert_eq!(room.values(value(1000)), value(1000));
        let cut = room.values(value(1000));
        let kept = abbreviated(&cut[0].1).expect("abbreviated");
        assert_eq!(kept, "\u{e9}".repeat(512));
        // Short values are always shown.
        let mut none = Room(0);
        assert_eq!(none.values(value(10)), value(10));
    }
}
