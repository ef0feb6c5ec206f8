//! A path between classes of states as one between states.
//!
//! In: a path of a graph, the states that it was recorded from. Out: states that follow each other in the machine without symmetry, with the numbers of the edges. A
//! cycle of classes leads to a renaming of the state that it began in; it is gone round until that state itself comes again, by a shortest way. Siblings:
//! `record`, `look`.

use super::look::{Looker, Subject};
use super::product::Path;
use super::record::Recorded;
use crate::model::{PlainEdge, Steps};
use crate::symmetry::Reducer;
use hashbrown::HashMap;
use std::collections::VecDeque;

/// A path of states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The states.
    pub states: Vec<Vec<u64>>,
    /// The number of each edge among those of the state it leaves.
    pub edges: Vec<u32>,
    /// The place of the state that the last one is, if it goes on from there for ever.
    pub back: Option<usize>,
    /// Whether the last state is a renaming of that one only.
    pub up_to_renaming: bool,
}

/// States that are looked at until a cycle closes.
const MOST: usize = 100_000;

/// The states of a path; as far as they were found again.
pub fn unwind(subject: &Subject<'_>, reducer: &dyn Reducer, recorded: &mut Recorded, path: &Path) -> Run {
    let Some(first) = path.states.first() else { return Run::default() };
    let mut at = recorded.state(*first).to_vec();
    let mut run = Run { states: vec![at.clone()], ..Run::default() };
    let mut finder = Finder {
        subject,
        looker: Looker::new(subject),
        reducer,
        recorded,
        keys: HashMap::new(),
        edges: Steps::default(),
        labelled: Vec::new(),
    };
    let straight = path.back.unwrap_or(path.labels.len());
    let steps: Vec<(u32, u32)> =
        path.labels.iter().copied().zip(path.states.iter().skip(1).copied()).collect();
    for step in steps.get(..straight).unwrap_or_default() {
        let Some((nth, to)) = finder.next(&at, *step).into_iter().next() else { return run };
        at.clone_from(&to);
        run.edges.push(nth);
        run.states.push(to);
    }
    let Some(back) = path.back else { return run };
    run.back = Some(back);
    let cycle = steps.get(back..).unwrap_or_default();
    if let Some(way) = finder.round(&at, cycle) {
        for (nth, state) in way {
            run.edges.push(nth);
            run.states.push(state);
        }
        return run;
    }
    run.up_to_renaming = true;
    for step in cycle {
        let Some((nth, to)) = finder.next(&at, *step).into_iter().next() else { return run };
        at.clone_from(&to);
        run.edges.push(nth);
        run.states.push(to);
    }
    run
}

struct Finder<'a, 'b> {
    subject: &'b Subject<'b>,
    looker: Looker<'b>,
    reducer: &'a dyn Reducer,
    recorded: &'a mut Recorded,
    /// The keys of the classes that were met.
    keys: HashMap<u32, Vec<u128>>,
    edges: Steps,
    labelled: Vec<PlainEdge>,
}

/// An edge's number and where it leads.
type Next = (u32, Vec<u64>);

impl Finder<'_, '_> {
    /// Edges of a state with this label to this class.
    fn next(&mut self, state: &[u64], (label, class): (u32, u32)) -> Vec<Next> {
        let Self { subject, looker, reducer, recorded, keys, edges, labelled } = self;
        let width = recorded.width;
        let of_class = keys.entry(class).or_insert_with(|| recorded.keys(*reducer, class));
        let mut out = Vec::new();
        edges.clear();
        subject.system.successors(state, edges);
        looker.begin();
        let (mut nth, mut targets) = (0u32, edges.targets.chunks(width));
        let mut before = None;
        for run in edges.runs() {
            if before != Some(run.op) && looker.asks_arguments(run.op) {
                looker.labelled(state, run.op, labelled);
            }
            before = Some(run.op);
            let known = looker.asks_arguments(run.op);
            for (i, target) in targets.by_ref().take(run.edges as usize).enumerate() {
                // In the same order.
                let values = labelled.get(i).filter(|_| known).map(|(values, _)| values.as_slice());
                let own = looker.label((state, target), run.op, values, &mut recorded.graph);
                if own == label && of_class.contains(&reducer.key(target)) {
                    out.push((nth, target.to_vec()));
                }
                nth += 1;
            }
        }
        out
    }

    /// A shortest way from a state back to it, round a cycle of classes.
    fn round(&mut self, start: &[u64], cycle: &[(u32, u32)]) -> Option<Vec<Next>> {
        let mut known: HashMap<(usize, Vec<u64>), usize> = HashMap::new();
        let mut nodes: Vec<(usize, Vec<u64>, Option<(usize, u32)>)> = vec![(0, start.to_vec(), None)];
        known.insert((0, start.to_vec()), 0);
        let mut todo: VecDeque<usize> = [0].into();
        while let Some(at) = todo.pop_front() {
            let (place, state, _) = nodes.get(at)?.clone();
            let step = *cycle.get(place)?;
            let after = (place + 1) % cycle.len();
            for (nth, to) in self.next(&state, step) {
                if after == 0 && to == start {
                    let mut way = vec![(nth, to)];
                    let mut here = at;
                    while let Some((_, state, Some((before, nth)))) = nodes.get(here) {
                        way.push((*nth, state.clone()));
                        here = *before;
                    }
                    way.reverse();
                    return Some(way);
                }
                if nodes.len() >= MOST {
                    return None;
                }
                let fresh = nodes.len();
                known.entry((after, to.clone())).or_insert_with(|| {
                    nodes.push((after, to, Some((at, nth))));
                    todo.push_back(fresh);
                    fresh
                });
            }
        }
        None
    }
}
