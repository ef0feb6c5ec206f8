//! The code of all valuations, and that of the initial states.
//!
//! In: a machine; a valuation. Out: places for the code of each operation and formula; the state that it begins in.

use super::super::exec::Exec;
use super::super::function::initialisation;
use super::super::lower::Source;
use super::checks::Fused;
use super::groups::Groups;
use super::versions::{Numbers, Versions, in_body, in_preds};
use super::{Compiled, CompiledOp, CompiledSystem, Scratch};
use crate::model::{Plain, Steps, System};
use crate::value::Value;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

/// The code of all valuations.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) numbers: Numbers,
    /// How many there are in all programs.
    pub(super) instructions: AtomicUsize,
    pub(super) initialisation: Versions<CompiledOp>,
    pub(super) ops: Vec<Versions<CompiledOp>>,
    pub(super) within: Vec<Versions<CompiledOp>>,
    pub(super) labelled: Vec<Versions<CompiledOp>>,
    /// By group.
    pub(super) fused: Vec<Versions<Fused>>,
    pub(super) invariants: Vec<Versions<Exec>>,
    pub(super) goal: Versions<Exec>,
    pub(super) assertions: Versions<Exec>,
}

impl Shared {
    pub(super) fn new(plain: &impl Plain, groups: &Groups) -> Self {
        let m = plain.machine();
        let ops = || {
            let bodies = plain.offered().iter().map(|i| m.operations.get(*i as usize)?.offered.as_ref());
            bodies.map(|b| Versions::new(b.map(|b| in_body(b, m)).unwrap_or_default())).collect()
        };
        let invariants = m.invariants.iter().map(|f| &f.pred);
        // What a group may mention is not told apart: others are mostly the same.
        let all = Arc::new(in_preds(invariants.clone()));
        Self {
            numbers: Numbers::default(),
            instructions: AtomicUsize::new(0),
            initialisation: Versions::new(in_body(&m.initialisation.body, m)),
            ops: ops(),
            within: ops(),
            labelled: ops(),
            fused: (0..groups.len()).map(|_| Versions::new(Arc::clone(&all))).collect(),
            invariants: invariants.map(|p| Versions::new(in_preds([p]))).collect(),
            goal: Versions::new(in_preds(m.goal.iter().map(|g| &g.pred))),
            assertions: Versions::new(in_preds(m.assertions.iter().map(|a| &a.pred))),
        }
    }
}

impl<P: Plain> CompiledSystem<P> {
    /// Places for the code of a valuation.
    pub(super) fn no_code_yet(&self, consts: Arc<Vec<Option<Value>>>) -> Compiled {
        let machine = self.plain.machine();
        Compiled {
            numbers: self.shared.numbers.of(&consts),
            consts,
            initialisation: OnceLock::new(),
            ops: OnceLock::new(),
            within: OnceLock::new(),
            labelled: self.plain.offered().iter().map(|_| OnceLock::new()).collect(),
            fused: (0..self.groups.len()).map(|_| OnceLock::new()).collect(),
            routes: OnceLock::new(),
            invariants: machine.invariants.iter().map(|_| OnceLock::new()).collect(),
            goal: OnceLock::new(),
            assertions: OnceLock::new(),
        }
    }

    /// The initial state, if there is code for it and it does not give up; `false` if there is none.
    pub(super) fn begin(&self, valuation: u32, s: &mut Scratch, out: &mut Steps) -> bool {
        let Some(c) = self.compiled(&[u64::from(valuation)]) else { return false };
        let code = c.initialisation.get_or_init(|| {
            let make = |src: Source<'_>| Some(self.unlabelled(initialisation(src).ok()?));
            self.version(c, &self.shared.initialisation, make)
        });
        let Some(code) = code else { return false };
        let mut before = vec![0; self.width()];
        if let Some(word) = before.first_mut() {
            *word = u64::from(valuation);
        }
        s.out.clear();
        match code.run(&before, &mut s.regs, &mut s.out) {
            Ok(()) if s.out.len() == self.width() => out.push(0, 1, &s.out),
            Ok(()) | Err(None) => return false,
            Err(Some(misfit)) => out.faults.push(self.misfit(0, misfit)),
        }
        true
    }
}
