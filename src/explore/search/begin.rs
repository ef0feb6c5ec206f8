//! What a search begins with: valuations of the constants, their assertions, their initial states.
//!
//! In: a search that has stored nothing. Out: the valuations and the initial states in it, the keys of all that. While valuations
//! are being looked for, the first of them are looked at (`early`).

use super::super::early::{Early, First};
use super::super::findings::{Kind, Place, Setup};
use super::super::keys::Keys;
use super::super::trace::ROOT;
use super::{PROGRESS, Phase, Search, Stop};
use crate::diagnostic::Code;
use crate::model::{Findings, Steps};
use crate::ops::Fault;
use crate::symmetry::{Count, Reducer};
use hashbrown::HashMap;
use std::cell::OnceCell;

impl<'a> Search<'a> {
    /// The root: valuations, then their initial states. The keys of all that.
    pub(super) fn root(
        &mut self,
        valuation_reducer: &dyn Reducer,
        settled: &'a OnceCell<Option<Box<dyn Reducer>>>,
        first: First<'_, '_>,
    ) -> Keys {
        let setup = self.system.has_setup();
        self.all_valuations = !setup || valuation_reducer.is_trivial();
        self.enter(Phase::Properties);
        let mut seen = Keys::new(false, self.options.threads);
        let (mut kept, fault) = match first {
            First::All => self.kept_valuations(setup, valuation_reducer, &mut seen, None),
            First::AllAnd(early) => self.kept_valuations(setup, valuation_reducer, &mut seen, Some(early)),
            First::These(some) => (some.to_vec(), None),
        };
        let told = self.told();
        self.faults(fault.map(|f| Kind::Fault(Place::Properties, f)), None);
        if kept.is_empty() && self.told() == told && self.running() {
            self.no_setup(Setup::Properties, None);
        }
        self.out.depth = u64::from(setup);
        if let Some(settled) = settled.get_or_init(|| self.reducer.settled(&kept)) {
            self.reducer = &**settled;
            self.out.coded = settled.has_codes();
            if self.out.coded {
                seen = Keys::new(true, self.options.threads);
            }
        }
        kept.sort_by(|a, b| self.system.compare_valuations(*a, *b));
        let nodes: Vec<(u32, u32)> =
            kept.into_iter().map_while(|v| Some((self.valuation_node(setup, v)?, v))).collect();
        self.enter(Phase::Initialisation);
        for (node, v) in nodes {
            if !self.running() {
                break;
            }
            self.valuation(node, v, valuation_reducer, &mut seen);
        }
        seen
    }

    /// One valuation of each class: the least, so that what an approximate reduction finds does not depend on the
    /// order in which PROPERTIES are solved. One more than may be stored is enough. The keys of all classes are known
    /// from then on.
    fn kept_valuations(
        &mut self,
        setup: bool,
        reducer: &dyn Reducer,
        seen: &mut Keys,
        mut early: Option<&mut Early<'_>>,
    ) -> (Vec<u32>, Option<Fault>) {
        let most = self.options.max_states.unwrap_or(u64::MAX);
        let wanted = self.options.max_valuations.unwrap_or(u64::MAX);
        let mut kept: Vec<u32> = Vec::new();
        let mut class: HashMap<u128, usize> = HashMap::new();
        let system = self.system;
        let end = system.valuations_told(&mut |v| {
            if !self.running() {
                return false;
            }
            let Some(v) = v else {
                // Whether there are more is not worth a long search.
                self.out.more_valuations |= kept.len() as u64 >= wanted;
                return !self.out.more_valuations && self.look_ahead(&kept, true, early.as_deref_mut());
            };
            self.found_valuations += 1;
            if self.found_valuations.is_multiple_of(PROGRESS) {
                self.report();
            }
            let key = if setup { reducer.valuation_key(v) } else { 0 };
            let full = kept.len() as u64 >= wanted;
            match class.get(&key).and_then(|i| kept.get_mut(*i)) {
                Some(least) if system.compare_valuations(v, *least).is_lt() => *least = v,
                Some(_) => {}
                None if full => {
                    self.out.more_valuations = true;
                    return false;
                }
                None => {
                    class.insert(key, kept.len());
                    if setup {
                        seen.insert(key);
                        reducer.further_valuation_keys(v, &mut |k| {
                            class.insert(k, kept.len());
                            seen.insert(k);
                        });
                    }
                    kept.push(v);
                }
            }
            kept.len() as u64 <= most && self.look_ahead(&kept, false, early.as_deref_mut())
        });
        self.running();
        let fault = end.err();
        if let Some(f) = fault.as_ref().filter(|f| f.0.code == Code::Interrupted) {
            self.stop(Stop::Interrupted);
            self.out.fails_most = f.fails_most();
        }
        let looking = self.out.stopped == Some(Stop::Interrupted);
        self.out.looking = looking.then_some(kept.len() as u64);
        (kept, fault)
    }

    /// Looks at valuations found so far, if it is time to; whether to go on looking for others.
    fn look_ahead(&mut self, kept: &[u32], waiting: bool, early: Option<&mut Early<'_>>) -> bool {
        let Some(early) = early.filter(|e| e.is_time(kept.len(), waiting)) else { return true };
        let on = early.look(self.system, self.options, kept, self.observer);
        if early.is_decided() {
            self.stop(Stop::Violation);
        } else if !on {
            self.stop(Stop::Interrupted);
        }
        self.ahead = early.states();
        self.report();
        on
    }

    /// The node of a valuation: the root if there is no set-up step.
    fn valuation_node(&mut self, setup: bool, v: u32) -> Option<u32> {
        if !setup {
            return Some(ROOT);
        }
        let node = self.store(ROOT, v)?;
        self.out.valuations += 1;
        self.out.transitions += 1;
        Some(node)
    }

    /// A valuation: its assertions and its initial states.
    fn valuation(&mut self, node: u32, v: u32, reducer: &dyn Reducer, seen: &mut Keys) {
        let at = (node != ROOT).then_some(node);
        self.assertions(v, at);
        let mut steps = Steps::default();
        self.system.initial(v, &mut steps);
        let interrupted = !self.running();
        let late = steps.faults.iter().find_map(|f| f.fault.fails_most());
        self.out.fails_most = late.or(self.out.fails_most);
        let faults = steps.faults.drain(..).map(|f| Kind::Fault(Place::Initialisation, f.fault));
        let told = self.told();
        self.faults(faults.collect::<Vec<_>>(), at);
        if steps.is_empty() && self.told() == told && !interrupted {
            self.no_setup(Setup::Initialisation, at);
        }
        self.out.transitions += steps.len() as u64;
        self.full = self.full.take().zip(reducer.valuation_orbit_size(v)).map(|(mut full, images)| {
            if at.is_some() {
                full.states += &images;
            }
            full.transitions += &(images * &Count::from(steps.len() + usize::from(at.is_some())));
            full
        });
        let before = self.out.states;
        for (nth, target) in (0u32..).zip(steps.targets.chunks(self.width)) {
            if self.out.stopped.is_some() {
                break;
            }
            let key = self.reducer.key(target);
            let new = seen.insert(key);
            if let Some(auditor) = &mut self.auditor {
                auditor.edge(self.reducer, key, target, new);
            }
            if new {
                self.reducer.further_keys(target, &mut |k| {
                    seen.insert(k);
                });
                let mut found = None;
                if self.options.checks {
                    self.system.check_these(target, &[0], &mut |_, f| found = Some(f));
                }
                let stored = self.out.states;
                self.add(target, node, nth, || found);
                if let Some(kept) = self.kept.as_mut().filter(|_| self.out.states > stored) {
                    kept.initial(self.reducer, key, target);
                }
            }
        }
        self.out.initial_states += self.out.states - before;
    }

    /// A root without valuation, or a valuation without initial state: counted among the deadlocks.
    fn no_setup(&mut self, what: Setup, node: Option<u32>) {
        self.out.deadlocks += 1;
        self.found(Kind::Setup(what), node);
    }

    /// The assertions without variables, under a valuation.
    fn assertions(&mut self, valuation: u32, node: Option<u32>) {
        let mut findings = Findings::default();
        self.system.check_assertions(&[u64::from(valuation)], &mut findings);
        self.out.assertion_violations += u64::from(!findings.assertions.is_empty());
        self.undecided(&mut findings, node);
        for i in findings.assertions {
            self.found(Kind::Assertion(i), node);
        }
        self.faults(findings.faults.into_iter().map(|f| Kind::Fault(Place::Check(f.of), f.fault)), node);
    }
}
