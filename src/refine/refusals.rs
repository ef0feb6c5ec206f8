//! Refinement by failures: what a state refuses, and whether the refined machine can refuse it as well.
//!
//! In: a state of the refinement with all states in which the refined machine can be ([`TracesSystem`]). Out: what each of these offers
//! and the refinement does not, if there is none that offers nothing else. An operation with arguments is refused where it is not
//! possible, whatever its results would be: those are the machine's to choose. A state in which the refinement can do something on its own
//! refuses nothing yet. Infinite runs of such steps are not looked for.

use super::matching::not_refined;
use super::traces::TracesSystem;
use super::words::Desk;
use super::{explain, glue};
use crate::compile::{Compiled, Records};
use crate::model::{Attempt, Delta, Plain, StepFault, Unmatched, Why};
use crate::value::Value;
use std::collections::BTreeSet;

/// Whether some edges have no arguments but those of others; both are in the same order.
fn are_among(some: &Records, others: &Records) -> bool {
    let mut others = others.arguments().peekable();
    some.arguments().all(|asked| {
        while others.next_if(|offered| *offered != asked).is_some() {}
        others.peek().is_some()
    })
}

/// An operation, by its number, with arguments.
type Event = (u32, Vec<Value>);

/// That no state of the refined machine refuses as much: what each of them offers.
pub(super) struct Refusal {
    /// States of both machines, each with one of the refined machine's.
    offers: Vec<(Vec<u64>, Event)>,
}

impl TracesSystem<'_> {
    /// Adds a fault where a state refuses more than it may.
    pub(super) fn refused(&self, state: &[u64], desk: &mut Desk, faults: &mut Vec<StepFault>) {
        if self.joint.code.and_then(|code| self.may_refuse(code, state, desk)).is_some() {
            return;
        }
        match self.refusal(state) {
            Ok(None) => {}
            Ok(Some(refusal)) => faults.extend(self.told(&refusal)),
            Err(fault) => faults.push(fault),
        }
    }

    /// Whether some member can refuse as much, by compiled code; nothing where it does not go, or where that is not so.
    fn may_refuse(&self, code: &Compiled, state: &[u64], desk: &mut Desk) -> Option<()> {
        let Desk { code: memory, own, refined, state: only, .. } = desk;
        let is_one = self.members.only(state, only);
        let several = if is_one { Vec::new() } else { self.members.each(state) };
        let all = || several.iter().map(Vec::as_slice).chain(is_one.then_some(&only[..]));
        let inside = || self.joint.plan.operations.iter().filter(|compared| !compared.outside);
        for compared in inside().filter(|compared| compared.refined.is_none()) {
            code.records(all().next()?, compared.own, memory, own).then_some(())?;
            if !own.is_empty() {
                return Some(());
            }
        }
        for words in all() {
            let mut is_offered = true;
            for compared in &self.joint.plan.operations {
                let Some(op) = compared.refined else { continue };
                code.records(words, op, memory, refined).then_some(())?;
                code.records(words, compared.own, memory, own).then_some(())?;
                is_offered = refined.is_empty() || !compared.outside && are_among(refined, own);
                if !is_offered {
                    break;
                }
            }
            if is_offered {
                return Some(());
            }
        }
        None
    }

    fn told(&self, refusal: &Refusal) -> Option<StepFault> {
        let (_, (op, arguments)) = refusal.offers.first()?;
        let compared = self.joint.plan.operations.get(*op as usize)?;
        let own = self.joint.inner.operation(compared.own)?;
        let (name, refined) = (&compared.name, &self.joint.plan.refined);
        let text = format!("`{refined}` cannot refuse all that is refused here, as `{name}`");
        // What was not tried may be possible.
        let fault = match self.joint.inner.world().cuts.all().first() {
            None => not_refined(&text, own.span),
            Some(cut) => glue::limit(&format!("{text}, with the values that were tried: {cut}")).at(own.span),
        };
        Some(StepFault { op: *op, arguments: self.joint.label_by_arguments(*op, arguments), fault })
    }

    /// What each state of the refined machine offers that the refinement refuses.
    fn refusal(&self, state: &[u64]) -> Result<Option<Refusal>, StepFault> {
        let all = self.members.each(state);
        // What cannot be evaluated of the refinement is told by the steps.
        let Some(offered) = all.first().and_then(|any| self.offered(any)) else { return Ok(None) };
        let mut offers = Vec::new();
        for words in all {
            match self.other(&words, &offered)? {
                Some(event) => offers.push((words, event)),
                None => return Ok(None),
            }
        }
        Ok((!offers.is_empty()).then_some(Refusal { offers }))
    }

    /// What the refinement offers; `None` if it can do something on its own.
    fn offered(&self, state: &[u64]) -> Option<BTreeSet<Event>> {
        let mut out = BTreeSet::new();
        for (number, compared) in self.joint.plan.numbers().zip(&self.joint.plan.operations) {
            if compared.outside {
                continue;
            }
            let mut faults = Vec::new();
            let events = self.events(number, compared.own, state, &mut faults);
            if !faults.is_empty() || compared.refined.is_none() && !events.is_empty() {
                return None;
            }
            out.extend(events);
        }
        Some(out)
    }

    /// What a state of the refined machine offers that is not among these.
    fn other(&self, state: &[u64], offered: &BTreeSet<Event>) -> Result<Option<Event>, StepFault> {
        for (number, compared) in self.joint.plan.numbers().zip(&self.joint.plan.operations) {
            let Some(refined) = compared.refined else { continue };
            let mut faults = Vec::new();
            let events = self.events(number, refined, state, &mut faults);
            if let Some(met) = faults.into_iter().next() {
                return Err(StepFault { op: number, fault: glue::decided(met.fault), ..met });
            }
            if let Some(event) = events.difference(offered).next() {
                return Ok(Some(event.clone()));
            }
        }
        Ok(None)
    }

    /// The arguments with which an operation, that of a number, is possible.
    fn events(&self, number: u32, op: u32, state: &[u64], faults: &mut Vec<StepFault>) -> BTreeSet<Event> {
        let mut edges = Vec::new();
        self.joint.inner.edges(state, op, &mut edges, faults);
        let params = self.joint.inner.operation(op).map_or(0, |o| o.params.len());
        let arguments = |label: Vec<Value>| label.into_iter().take(params).collect();
        edges.into_iter().map(|(label, _)| (number, arguments(label))).collect()
    }

    /// Why a state refuses too much, in words for reports, if it is told of this operation.
    pub(super) fn refusal_explained(&self, state: &[u64], op: u32) -> Option<Unmatched> {
        let refusal = self.refusal(state).ok().flatten()?;
        let (_, (first, arguments)) = refusal.offers.first().filter(|(_, (first, _))| *first == op)?;
        let label = |(op, values): &Event| self.joint.label_by(*op, values).unwrap_or_default();
        let attempt = |(words, event): &(Vec<u64>, Event)| Attempt {
            results: Vec::new(),
            changes: self.values(words),
            other_results: false,
            broken: Vec::new(),
            offers: Some(label(event)),
        };
        Some(Unmatched {
            why: Why::Refusal,
            refined: self.joint.plan.refined.clone(),
            label: crate::model::Label { results: Vec::new(), ..label(&(*first, arguments.clone())) },
            own: Vec::new(),
            attempts: refusal.offers.iter().take(explain::LISTED).map(attempt).collect(),
            more: refusal.offers.len().saturating_sub(explain::LISTED),
        })
    }

    /// The values of the refined machine's variables.
    fn values(&self, state: &[u64]) -> Vec<Delta> {
        let after = self.joint.inner.packer().unpack(state);
        let mut before = after.clone();
        self.members.slots.iter().for_each(|s| before.get_mut(*s).into_iter().for_each(|v| *v = None));
        self.joint.changes(&before, &after)
    }
}
