//! Valuations of the constants: all solutions of PROPERTIES over all constants at once.
//!
//! In: the machine's properties, possibly more conjuncts (static symmetry). Out: each valuation once, in a
//! fixed order. Constants given by equations come first; the rest falls into independent components.

use super::alike::{Alike, Sieve};
use super::bind::Run;
use super::problem::{Problem, Slot, Unknown};
use super::rename::Rename;
use super::solve::OPEN;
use super::{Env, Evaluator, Flow};
use crate::ir::{ConstId, Pred};
use crate::ops::Fault;
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Values of all constants, by `ConstId`.
pub type Constants = Arc<Vec<Option<Value>>>;

/// First binder number for the copies of properties.
const FIRST_COPY: u32 = 1 << 15;

/// Properties whose frames lie side by side.
#[derive(Debug, Default)]
pub(super) struct Properties {
    preds: Vec<Pred>,
    frame: u32,
}

impl Evaluator {
    /// Calls `f` with every solution of PROPERTIES and `extra` (conjuncts without frames of their own); with `alike`,
    /// which must leave these conjuncts as they are, with at least one of solutions that are images of each other.
    ///
    /// # Errors
    /// A fault of evaluating PROPERTIES, or one that names a constant that cannot be enumerated.
    pub fn constants(
        &self,
        extra: &[Pred],
        alike: Option<&dyn Alike>,
        f: &mut dyn FnMut(&Constants) -> Result<ControlFlow<()>, Fault>,
    ) -> Flow {
        let n = self.machine.constants.len();
        let properties = self.cache.properties.get_or_init(|| self.side_by_side());
        let mut env = Env::new(Arc::new(vec![None; n]), Arc::default(), properties.frame);
        let preds: Vec<&Pred> = extra.iter().chain(&properties.preds).collect();
        let mut problem = Problem::new(self.constant_unknowns(), &preds);
        problem.split = true;
        problem.sieved = alike.is_some();
        let sieve = alike.and_then(|a| Sieve::new(a, &problem));
        let run = Run { sieve: sieve.as_ref(), ..Run::new(self, &problem, OPEN) };
        run.solve(&mut env, &mut |_, env| f(&env.consts))
    }

    fn constant_unknowns(&self) -> Vec<Unknown> {
        let one = |(i, d): (u32, &crate::ir::Decl)| Unknown {
            slot: Slot::Const(ConstId(i)),
            ty: d.ty.clone(),
            name: d.name.clone(),
            span: d.span,
            symbolic: d.symbolic || self.machine.settings.symbolic,
        };
        (0..).zip(&self.machine.constants).map(one).collect()
    }

    /// Every property has a frame of its own; copies are shifted so that they can be solved together.
    fn side_by_side(&self) -> Properties {
        let mut rename = Rename { shift: 0, next: FIRST_COPY };
        let mut preds = Vec::with_capacity(self.machine.properties.len());
        for p in &self.machine.properties {
            preds.push(rename.pred(&p.pred));
            rename.shift += p.frame;
        }
        Properties { preds, frame: rename.shift }
    }
}
