//! Code that valuations share.
//!
//! In: what a formula or substitution mentions, the valuations' constants. Out: code by the values of just those
//! constants: two valuations that agree on them run the same, so that it is made once and becomes warm once. Code is
//! made without knowledge of all other constants, so it cannot depend on them.

use crate::ir::{ExprKind, Machine, Pred, Subst};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::lower::effects::called;
use super::super::lower::free::{in_pred, in_subst};

/// Numbers of the values that constants have in the valuations met so far.
#[derive(Debug, Default)]
pub(super) struct Numbers(Mutex<Vec<BTreeMap<Option<Value>, u32>>>);

impl Numbers {
    /// The numbers of a valuation's values, by constant: the same number for the same value.
    pub(super) fn of(&self, consts: &[Option<Value>]) -> Vec<u32> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < consts.len() {
            known.resize_with(consts.len(), BTreeMap::new);
        }
        let number = |(known, v): (&mut BTreeMap<Option<Value>, u32>, &Option<Value>)| {
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            known.get(v).copied().unwrap_or_else(|| *known.entry(v.clone()).or_insert(next))
        };
        known.iter_mut().zip(consts).map(number).collect()
    }
}

/// The code of one thing, in versions; `None` where there can be none.
#[derive(Debug)]
pub(super) struct Versions<T> {
    mentioned: Arc<BTreeSet<usize>>,
    made: Mutex<HashMap<Box<[u32]>, Cell<T>>>,
}

type Cell<T> = Arc<OnceLock<Option<Arc<T>>>>;

impl<T> Versions<T> {
    /// No code yet for what mentions these constants.
    pub(super) fn new(mentioned: impl Into<Arc<BTreeSet<usize>>>) -> Self {
        Self { mentioned: mentioned.into(), made: Mutex::default() }
    }

    /// The code under a valuation; `make` gets the values of the mentioned constants, of others none.
    pub(super) fn get(
        &self,
        consts: &[Option<Value>],
        numbers: &[u32],
        make: impl FnOnce(&[Option<Value>]) -> Option<T>,
    ) -> Option<Arc<T>> {
        let key = self.mentioned.iter().map(|c| numbers.get(*c).copied().unwrap_or(u32::MAX)).collect();
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let cell = Arc::clone(made.entry(key).or_default());
        drop(made);
        let code = cell.get_or_init(|| {
            let known = |(i, v): (usize, &Option<Value>)| v.clone().filter(|_| self.mentioned.contains(&i));
            let known: Vec<_> = consts.iter().enumerate().map(known).collect();
            make(&known).map(Arc::new)
        });
        code.clone()
    }
}

/// The constants in predicates.
pub(super) fn in_preds<'p>(ps: impl IntoIterator<Item = &'p Pred>) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    for p in ps {
        in_pred(p, &mut |e| note(&e.kind, &mut out));
    }
    out
}

/// The constants in a substitution, operations it calls included.
pub(super) fn in_body(s: &Subst, m: &Machine) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    for s in called(s, m) {
        in_subst(s, &mut |e| note(&e.kind, &mut out), &mut |_| {});
    }
    out
}

fn note(e: &ExprKind, out: &mut BTreeSet<usize>) {
    if let ExprKind::Const(c) = e {
        out.insert(c.0 as usize);
    }
}
