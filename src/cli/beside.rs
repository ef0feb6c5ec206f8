//! Formulas that are decided on the graph of the search that checks the machine.
//!
//! In: formulas, a machine that is ready to be explored. Out: what is evaluated beside it, in its states, by systems of its own ([`Systems`]), and what
//! came of the formulas ([`Shared`]). What the search finds, counts and reports is what it would be without. Not here: formulas that name elements which the search permutes, and
//! those of a search that ended at a violation; they have a graph of their own (`temporal`).

use super::args::EvaluatorArg;
use super::setup::Setup;
use super::temporal::{Begun, Decider, Group, Named, Result1};
use crate::compile::{Compiled, CompiledSystem, unread};
use crate::eval::Evaluator;
use crate::explore::trace::Parents;
use crate::explore::{Outcome, Stop};
use crate::ir::{Decl, Machine};
use crate::model::card;
use crate::model::{MachineSystem, System};
use crate::symmetry::group::{Cell, Group as Permutations};
use crate::symmetry::{Detection, Reducer};
use crate::temporal::atoms::{StateAtom, StepAtom};
use crate::temporal::look::Subject;
use crate::temporal::record::Recorder;
use crate::temporal::variants;
use std::sync::Arc;

/// What was decided in the search that checks the machine.
pub(super) struct Shared {
    /// The groups of formulas, by the elements that they name.
    pub named: Vec<Named>,
    /// By number of the formula.
    pub decided: Vec<(usize, Result1)>,
}

/// Formulas with what evaluates them in the states of another machine.
pub(super) struct Beside<'a> {
    decider: &'a Decider<'a>,
    named: Vec<Named>,
    group: Group,
    evaluator: Evaluator,
    /// For a machine that has nothing but the parts of split operations.
    parts: Option<Evaluator>,
}

/// A system by the evaluator that the run asks for.
enum Made {
    Compiled(Box<Compiled>),
    Plain(Box<MachineSystem>),
}

/// Systems whose states are those of the search.
pub(super) struct Systems {
    own: Made,
    parts: Option<Made>,
}

impl Made {
    fn system(&self) -> &dyn System {
        match self {
            Made::Compiled(system) => &**system,
            Made::Plain(system) => &**system,
        }
    }

    fn plain(&self) -> &MachineSystem {
        match self {
            Made::Compiled(system) => system.plain(),
            Made::Plain(system) => system,
        }
    }
}

impl<'a> Beside<'a> {
    /// Of formulas those that can be decided on the graph of a machine that is ready to be explored.
    pub(super) fn new(decider: &'a Decider<'a>, begun: &Begun, setup: &Setup) -> Option<Self> {
        let permutes = decider.permutes();
        let Detection { group, in_properties, .. } = &*setup.detection;
        let moved =
            |(set, i): &(_, u32)| group.point(*set, *i).is_some() || in_properties.point(*set, *i).is_some();
        let (mut named, mut instances) = (Vec::new(), Vec::new());
        for (of, some) in &begun.groups {
            if !permutes || !of.iter().any(moved) {
                named.push(of.clone());
                instances.extend(some.iter().cloned());
            }
        }
        if instances.is_empty() {
            return None;
        }
        let (group, machine) = decider.group(&instances).ok()?;
        if decider.args.symmetry != "off" && asks_arguments(&group) {
            return None;
        }
        if !fits(setup, &machine, permutes) {
            return None;
        }
        let parts = match &group.split {
            Some((flat, origins)) => {
                let flat = variants::parts(flat, origins);
                Some(evaluator(setup, group.atoms.machine(&flat, decider.sources).ok()?))
            }
            None => None,
        };
        Some(Self { decider, named, group, evaluator: evaluator(setup, machine), parts })
    }

    /// The systems for the states of a search.
    pub(super) fn systems(&self, searched: &MachineSystem) -> Systems {
        let args = self.decider.args;
        let made = |evaluator: &Evaluator| {
            let plain = searched.beside(evaluator.clone());
            if args.evaluator != EvaluatorArg::Compiled {
                return Made::Plain(Box::new(plain));
            }
            let system = CompiledSystem::new(plain);
            Made::Compiled(Box::new(if args.no_jit { system.interpreted() } else { system }))
        };
        Systems { own: made(&self.evaluator), parts: self.parts.as_ref().map(made) }
    }

    /// What formulas are about in the states of a search.
    pub(super) fn subject<'s>(&'s self, systems: &'s Systems) -> Subject<'s> {
        let Group { atoms, expressions, .. } = &self.group;
        let (system, plain) = (systems.own.system(), systems.own.plain());
        Subject { system, plain, atoms, expressions, origins: self.group.origins() }
    }

    /// Who records a search.
    pub(super) fn recorder<'s>(&'s self, subject: &'s Subject<'s>, systems: &'s Systems) -> Recorder<'s> {
        let parts = systems.parts.as_ref().map(Made::system);
        Recorder::for_search(subject, parts, &self.decider.watch.interrupt)
    }

    /// Decides the formulas after a search, unless it has not seen what one of its own would have.
    pub(super) fn decided(
        &self,
        (recorder, subject): (Recorder<'_>, &Subject<'_>),
        reducer: &dyn Reducer,
        searched: &MachineSystem,
        (outcome, parents): (&Outcome, Parents),
    ) -> Option<Shared> {
        // Steps that are not known may be so for what the search checks and formulas do not ask for.
        let open = !searched.evaluator().world.cuts.is_empty();
        let void = searched.misfits().or(subject.plain.misfits()).is_some();
        // Formulas speak of all runs, also of those that nobody may cause.
        let left_out = !outcome.excused.is_empty();
        if open || void || left_out || matches!(outcome.stopped, Some(Stop::Violation | Stop::Interrupted)) {
            return None;
        }
        let mut recorded = recorder.recorded(outcome, parents);
        let of_parts = self.parts.as_ref().is_some_and(|parts| !parts.world.cuts.is_empty());
        let bounded = of_parts || !subject.plain.evaluator().world.cuts.is_empty();
        let results = self.decider.on_recorded(subject, reducer, &mut recorded, bounded, &self.group);
        let formulas = self.group.instances.iter().map(|i| i.formula);
        Some(Shared { named: self.named.clone(), decided: formulas.zip(results).collect() })
    }
}

/// An evaluator for another machine with the sizes of one that is ready; where it tries only a part of what there is, it says so itself.
fn evaluator(setup: &Setup, machine: Machine) -> Evaluator {
    let world = card::world(&machine, &setup.sizes, setup.evaluator.world.interrupt.clone());
    let mut evaluator = Evaluator::new(Arc::new(machine), Arc::new(world));
    evaluator.naive = setup.evaluator.naive;
    evaluator
}

/// Whether a machine can be looked at in the states of one that is ready: it has the same constants and variables, with all the
/// values that it speaks of, and permutations of states, where these are not all kept, make no difference to it.
fn fits(setup: &Setup, machine: &Machine, permutes: bool) -> bool {
    let types = |all: &[Decl]| all.iter().map(|d| (d.name.clone(), d.ty.clone())).collect::<Vec<_>>();
    let same = |other: &[Decl], own: &[Decl]| types(other) == types(own);
    let free = unread(machine);
    let world = &setup.evaluator.world;
    same(&machine.constants, &setup.machine.constants)
        && same(&machine.variables, &setup.machine.variables)
        && setup.table.one_of().iter().all(|o| free.contains(&o.constant))
        && (!permutes || {
            let Detection { group, in_properties, .. } = Detection::of(machine, world);
            is_within(&setup.detection.group, &group)
                && is_within(&setup.detection.in_properties, &in_properties)
        })
}

/// Whether all permutations of the one are in the other.
fn is_within(small: &Permutations, large: &Permutations) -> bool {
    let cells = large.cells();
    let holds =
        |c: &Cell| cells.iter().any(|d| d.set == c.set && c.elements.iter().all(|e| d.elements.contains(e)));
    small.cells().iter().all(holds)
}

/// Whether any formula asks for arguments of operations.
fn asks_arguments(group: &Group) -> bool {
    let states = group.atoms.states.iter().any(|a| matches!(a, StateAtom::Enabled(c) if c.has_arguments()));
    states || group.atoms.steps.iter().any(|a| matches!(a, StepAtom::Taken(c) if c.has_arguments()))
}

#[cfg(test)]
mod tests {
    use super::super::{formulas, load};
    use super::*;
    use crate::source::Sources;
    use crate::temporal::ast::Form;
    use crate::temporal::atoms::Atoms;
    use crate::temporal::lower::Lower;
    use crate::temporal::text::Text;
    use std::path::Path;

    #[test]
    fn operations_are_split_by_arguments_that_are_written_down() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("machines/temporal/Elevator.mch");
        let mut sources = Sources::default();
        let loaded = load::load(&path, &mut sources).unwrap();
        let operations = formulas::offered(&loaded.machine);
        for (formula, parts) in
            [("F [call(1)]", 2), ("WF(call(1)) => F [call(2)]", 3), ("F [call(floor + 1)]", 0)]
        {
            let text = Text::of_option("--ltl", false, formula, &mut sources);
            let form: Form = text.read().unwrap();
            let mut atoms = Atoms::default();
            Lower::new(&loaded.flat, &operations, &mut atoms, &text).question(&form).unwrap();
            let split = variants::split(&loaded.flat, &atoms);
            let found = split.as_ref().map_or(0, |(_, o)| o.iter().filter(|o| o.is_part()).count());
            assert_eq!(found, parts, "{formula}");
            let offered = split.map_or(0, |(flat, o)| {
                variants::parts(&flat, &o).operations.iter().filter(|o| o.offered).count()
            });
            assert_eq!(offered, parts, "{formula}");
        }
    }
}
