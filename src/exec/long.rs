//! Sequences and parallel substitutions of very many parts.
//!
//! In: the parts. Out: the same outcomes as `subst` finds, without a frame of the stack for each part and in time that grows
//! with their number: parts that turn out to have one outcome are taken one after the other, and only at one with several
//! it goes on as usual.

use super::choices::passes;
use super::subst::Then;
use super::writes::{Undo, Write, enact, last, revert};
use crate::eval::{Env, Evaluator, Flow};
use crate::ir::{Place, Subst};
use crate::ops::Fault;
use hashbrown::{HashMap, HashSet};
use std::ops::ControlFlow::{Break, Continue};

/// From so many parts on.
pub(super) const MANY: usize = 64;

/// The outcomes of a part.
enum Outcomes {
    None,
    One(Vec<Write>),
    Several,
}

impl Evaluator {
    fn outcomes_of(&self, part: &Subst, env: &mut Env) -> Result<Outcomes, Fault> {
        let mut met = Outcomes::None;
        let flow = self.execute(part, env, &mut Vec::new(), &mut |_, _, writes| {
            if matches!(met, Outcomes::None) {
                met = Outcomes::One(writes.clone());
                return Ok(Continue(()));
            }
            met = Outcomes::Several;
            Ok(Break(()))
        });
        match flow {
            // One choice has an outcome, and another one a fault.
            Err(fault) if passes(&fault) && matches!(met, Outcomes::One(_)) => Ok(Outcomes::Several),
            flow => flow.map(|_broken_off| met),
        }
    }

    /// Parts that happen at once.
    pub(super) fn long_parallel(
        &self,
        parts: &[Subst],
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let n = out.len();
        let mut known: HashSet<Place> = out.iter().map(|w| w.place).collect();
        for (i, part) in parts.iter().enumerate() {
            match self.outcomes_of(part, env)? {
                Outcomes::One(writes) => {
                    for w in writes {
                        if known.insert(w.place) {
                            out.push(w);
                        } else {
                            self.add_write(out, w)?;
                        }
                    }
                }
                Outcomes::None => {
                    out.truncate(n);
                    return Ok(Continue(()));
                }
                Outcomes::Several => {
                    let rest = parts.get(i + 1..).unwrap_or_default();
                    let go_on = &mut |ev: &Evaluator, env: &mut Env, out: &mut Vec<Write>| {
                        ev.parallel(rest, env, out, then)
                    };
                    let flow = self.execute(part, env, out, go_on);
                    out.truncate(n);
                    return flow;
                }
            }
        }
        let flow = then(self, env, out);
        out.truncate(n);
        flow
    }

    /// Parts that happen one after the other; `then` is called with the writes of all in the state of the start.
    pub(super) fn long_chain(&self, parts: &[Subst], env: &mut Env, then: Then<'_>) -> Flow {
        let mut so_far = SoFar::default();
        for (i, part) in parts.iter().enumerate() {
            match self.outcomes_of(part, env) {
                Ok(Outcomes::One(writes)) => so_far.add(&writes, env),
                Ok(Outcomes::None) => {
                    revert(env, so_far.undo);
                    return Ok(Continue(()));
                }
                Ok(Outcomes::Several) => {
                    let rest = parts.get(i..).unwrap_or_default();
                    let flow = self.chain(rest, &so_far.writes(), &so_far.undo, env, then);
                    revert(env, so_far.undo);
                    return flow;
                }
                Err(fault) => {
                    revert(env, so_far.undo);
                    return Err(fault);
                }
            }
        }
        let mut writes = so_far.writes();
        revert(env, so_far.undo);
        then(self, env, &mut writes)
    }
}

/// The writes of the parts so far, in effect, and what takes them back.
#[derive(Default)]
struct SoFar {
    /// The last write to each place, and its number.
    last: HashMap<Place, (usize, Write)>,
    known: HashSet<Place>,
    undo: Undo,
    /// How many writes there were.
    count: usize,
}

impl SoFar {
    /// As `follow` has it: the later write counts, for the whole value where there was one before.
    fn add(&mut self, writes: &[Write], env: &mut Env) {
        let undo = enact(env, writes);
        self.undo.extend(undo.into_iter().filter(|(place, _)| self.known.insert(*place)));
        for w in last(writes) {
            let mut w = w.clone();
            if self.last.contains_key(&w.place) {
                w.points = Vec::new();
            }
            self.last.insert(w.place, (self.count, w));
            self.count += 1;
        }
    }

    fn writes(&self) -> Vec<Write> {
        let mut all: Vec<&(usize, Write)> = self.last.values().collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, w)| w.clone()).collect()
    }
}
