//! A run of a machine that somebody takes by hand: from the root over constants and an initial state, one step after the other.
//!
//! In: a system by the plain evaluator. Out: what is possible at a node, and the steps taken, as traces have them. There is no
//! symmetry and nothing is stored but the path. Who chooses, and how, is not here, unless it is chance (`chance`).

pub mod chance;

use crate::explore::trace::{Step, StepKind};
use crate::ir::LocalId;
use crate::model::{Label, MachineSystem, Plain as _, PlainEdge, StepFault, Steps, System as _, twins};
use crate::ops::Fault;
use crate::value::Value;

/// Bytes of a value that a step shows.
const SHOWN: usize = 1 << 16;

/// Where a run has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// Nothing has a value yet.
    Root,
    /// The constants have the values of this valuation.
    Valuation(u32),
    /// A state.
    State(Vec<u64>),
}

impl Node {
    /// The words of the state, or of the valuation alone; none at the root.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        match self {
            Node::Root => Vec::new(),
            Node::Valuation(v) => vec![u64::from(*v)],
            Node::State(words) => words.clone(),
        }
    }
}

/// A step that is possible.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What kind of step.
    pub kind: StepKind,
    /// Operation, arguments and results.
    pub label: Label,
    /// Where it leads.
    pub target: Node,
}

/// What is possible at a node.
#[derive(Debug, Default)]
pub struct Choices {
    /// The steps: by operation, then by arguments and results.
    pub all: Vec<Choice>,
    /// Whether there are, or may be, more: valuations are only looked for as far as they are asked for.
    pub more: bool,
    /// Steps that have met an error.
    pub faults: Vec<StepFault>,
    /// The error that PROPERTIES have met.
    pub setup: Option<Fault>,
}

/// A run.
#[derive(Debug)]
pub struct Walk {
    system: MachineSystem,
    path: Vec<(Step, Node)>,
}

impl Walk {
    /// A run of no steps.
    #[must_use]
    pub fn new(system: MachineSystem) -> Self {
        Self { system, path: Vec::new() }
    }

    /// The system that is walked in.
    #[must_use]
    pub fn system(&self) -> &MachineSystem {
        &self.system
    }

    /// Where the run is.
    #[must_use]
    pub fn node(&self) -> &Node {
        self.path.last().map_or(&Node::Root, |(_, node)| node)
    }

    /// The words of the state, or of the valuation alone; none at the root.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        self.node().words()
    }

    /// The state, if there is one.
    #[must_use]
    pub fn state(&self) -> Option<&[u64]> {
        match self.node() {
            Node::State(words) => Some(words),
            _ => None,
        }
    }

    /// The steps taken.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        self.last(usize::MAX)
    }

    /// The last of the steps taken, so many of them.
    #[must_use]
    pub fn last(&self, steps: usize) -> Vec<Step> {
        let before = self.path.len().saturating_sub(steps);
        self.path.iter().skip(before).map(|(step, _)| step.clone()).collect()
    }

    /// The steps taken with where they lead.
    pub fn path(&self) -> impl Iterator<Item = (&Step, &Node)> {
        self.path.iter().map(|(step, node)| (step, node))
    }

    /// Number of steps taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.path.len()
    }

    /// Whether no step was taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// Takes a step.
    pub fn take(&mut self, choice: Choice) {
        let Choice { kind, label, target } = choice;
        let system = &self.system;
        let (values, told) = match &target {
            Node::Root => (Vec::new(), crate::model::Told::default()),
            Node::Valuation(v) => (system.show_valuation_in(SHOWN, *v), crate::model::Told::default()),
            Node::State(words) => {
                (system.show_state_in(SHOWN, words), system.told(SHOWN, self.state(), words))
            }
        };
        let step =
            Step { label, kind, values, watched: told.watched, deltas: told.deltas, unseen: Vec::new() };
        self.path.push((step, target));
    }

    /// Goes back to a number of steps; whether there were more.
    pub fn back_to(&mut self, steps: usize) -> bool {
        let fewer = steps < self.path.len();
        self.path.truncate(steps);
        fewer
    }

    /// What is possible; of valuations at most so many.
    #[must_use]
    pub fn choices(&self, most: usize) -> Choices {
        match self.node() {
            Node::Root => self.valuations(most),
            Node::Valuation(v) => self.initial(*v),
            Node::State(state) => {
                let mut out = Choices::default();
                let numbers = (0u32..).take(self.system.operations().len());
                numbers.for_each(|number| self.steps_of(state, number, &mut out));
                out
            }
        }
    }

    /// What is possible of one operation (by its number among those that are offered).
    #[must_use]
    pub fn choices_of(&self, number: u32) -> Choices {
        let mut out = Choices::default();
        if let Node::State(state) = self.node() {
            self.steps_of(state, number, &mut out);
        }
        out
    }

    /// What is possible of one operation with these values of parameters: others are not tried.
    #[must_use]
    pub fn choices_with(&self, number: u32, given: &[(LocalId, Value)]) -> Choices {
        let mut out = Choices::default();
        let Node::State(state) = self.node() else { return out };
        let Some(operation) = self.system.operation(number) else { return out };
        let all: Vec<LocalId> = twins::arguments(operation).map(|l| l.id).collect();
        let is_given =
            |id: &LocalId, v: &Value| given.iter().find(|(g, _)| g == id).is_none_or(|(_, w)| v == w);
        let mut edges: Vec<PlainEdge> = Vec::new();
        let mut steps = Steps::default();
        let mut labels: Vec<Vec<Value>> = Vec::new();
        self.system.steps_where(
            state,
            number,
            given,
            &mut |edge| {
                let fits = all.iter().zip(&edge.args).all(|(id, v)| is_given(id, v));
                if fits {
                    labels.push(edge.args.iter().chain(&edge.results).cloned().collect());
                }
                fits
            },
            &mut steps,
        );
        let width = self.system.width();
        // A step that ends in an error has a label and no target: then the labels are no use, and all edges are looked at.
        if labels.len() * width == steps.targets.len() {
            edges.extend(labels.into_iter().zip(steps.targets.chunks(width).map(Into::into)));
            edges.sort_unstable();
            edges.dedup();
            self.add(number, edges, &mut out);
            out.faults = steps.faults;
        } else {
            self.steps_of(state, number, &mut out);
        }
        out
    }

    fn steps_of(&self, state: &[u64], number: u32, out: &mut Choices) {
        let mut edges = Vec::new();
        self.system.edges(state, number, &mut edges, &mut out.faults);
        self.add(number, edges, out);
    }

    fn add(&self, number: u32, edges: Vec<PlainEdge>, out: &mut Choices) {
        let choice = |(values, target): PlainEdge| {
            let label = self.system.label_of(number, &values)?;
            Some(Choice { kind: StepKind::Operation, label, target: Node::State(target.into_vec()) })
        };
        out.all.extend(edges.into_iter().filter_map(choice));
    }

    fn valuations(&self, most: usize) -> Choices {
        let mut out = Choices::default();
        let mut found: Vec<u32> = Vec::new();
        let done = self.system.valuations(&mut |v| {
            found.push(v);
            // Whether there are more may take long to find out.
            out.more = found.len() >= most;
            !out.more
        });
        out.setup = done.err();
        if !self.system.has_setup() {
            let of_them = found.first().map(|v| self.initial(*v));
            return Choices { setup: out.setup, ..of_them.unwrap_or_default() };
        }
        let choice =
            |v| Choice { kind: StepKind::Setup, label: Label::default(), target: Node::Valuation(v) };
        out.all = found.into_iter().map(choice).collect();
        out
    }

    fn initial(&self, valuation: u32) -> Choices {
        let mut steps = Steps::default();
        self.system.initial(valuation, &mut steps);
        let choice = |target: &[u64]| Choice {
            kind: StepKind::Initialisation,
            label: Label::default(),
            target: Node::State(target.to_vec()),
        };
        let all = steps.targets.chunks(self.system.width().max(1)).map(choice).collect();
        Choices { all, faults: steps.faults, ..Choices::default() }
    }
}
