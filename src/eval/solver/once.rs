//! What expressions were found to be, kept while the cells stay as they are.
//!
//! In: an expression with a way to find what it can be. Out: that, and the undecided cells that were met are noted as if it had
//! been found anew. Expressions that read quantified variables are found each time, but for applications and arithmetic of
//! the test that is looked at: its judgement and its consequences ask for the same.

use super::Search;
use super::abs::Abs;
use super::cells::CellId;
use crate::eval::{Env, walk};
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use smallvec::SmallVec;

/// What was found of an expression.
pub(super) enum Found {
    /// It depends on more than the cells.
    Varies,
    /// What it can be, and the undecided cells that were met, with the cells as they were.
    As { value: Abs<'static>, met: SmallVec<[CellId; 8]>, at: u64 },
}

/// What an expression of the test that is looked at was found to be.
pub(super) struct Lately {
    value: Abs<'static>,
    met: SmallVec<[CellId; 8]>,
    /// The cells as they were, and the test.
    at: (u64, usize),
}

impl Abs<'_> {
    /// The same without a part of an unknown in it.
    fn lasting(&self) -> Option<Abs<'static>> {
        Some(match self {
            Abs::Known(v) => Abs::Known(v.clone()),
            Abs::OneOf(vs) => Abs::OneOf(vs.clone()),
            Abs::Int(i) => Abs::Int(*i),
            Abs::Between(a, b) => Abs::Between(a.clone(), b.clone()),
            Abs::Top => Abs::Top,
            Abs::Part(_) | Abs::Options(_) | Abs::Pair(..) => return None,
        })
    }
}

impl Search<'_> {
    /// What an expression can be; if it reads no quantified variables, found once while the cells stay as they are: for
    /// all instances, and for the judgement of a constraint as for its consequences.
    pub(super) fn once<'a>(
        &'a self,
        e: &Expr,
        env: &mut Env,
        find: impl FnOnce(&mut Env) -> Abs<'a>,
    ) -> Abs<'a> {
        let key = std::ptr::from_ref(e).addr();
        let version = self.cells.version;
        // Finding looks here again, so nothing may be borrowed meanwhile.
        let varies = match self.found.borrow().get(&key) {
            Some(Found::As { value, met, at }) if *at == version => {
                self.touched.borrow_mut().extend(met);
                return value.clone();
            }
            found => found.map(|f| matches!(f, Found::Varies)),
        };
        if varies.unwrap_or_else(|| !self.closed(e)) {
            if varies.is_none() {
                self.found.borrow_mut().insert(key, Found::Varies);
            }
            return find(env);
        }
        let before = self.touched.borrow().len();
        let value = find(env);
        if let Some(kept) = value.lasting() {
            let mut met: SmallVec<[CellId; 8]> =
                self.touched.borrow().get(before..).unwrap_or_default().into();
            // Definitions lead to other definitions: what each meets twice would grow without end.
            met.sort_unstable();
            met.dedup();
            self.found.borrow_mut().insert(key, Found::As { value: kept, met, at: version });
        }
        value
    }

    /// What an expression can be, found once while a test is looked at and the cells stay the same. Without binders a test has
    /// one value for each quantified variable.
    pub(super) fn in_turn<'a>(
        &'a self,
        e: &Expr,
        env: &mut Env,
        find: impl FnOnce(&mut Env) -> Abs<'a>,
    ) -> Abs<'a> {
        let Some(test) = self.turn.get() else { return find(env) };
        let (key, at) = (std::ptr::from_ref(e).addr(), (self.cells.version, test));
        if let Some(found) = self.lately.borrow().get(&key)
            && found.at == at
        {
            self.touched.borrow_mut().extend_from_slice(&found.met);
            return found.value.clone();
        }
        let before = self.touched.borrow().len();
        let value = find(env);
        if let Some(kept) = value.lasting() {
            let met = self.touched.borrow().get(before..).unwrap_or_default().into();
            self.lately.borrow_mut().insert(key, Lately { value: kept, met, at });
        }
        value
    }

    /// Whether nothing in a predicate, nor in what is defined, gives a quantified variable another value.
    pub(super) fn keeps_locals(&self, p: &Pred) -> bool {
        let key = std::ptr::from_ref(p).addr();
        if let Some(flat) = self.flat.borrow().get(&key) {
            return *flat;
        }
        let flat = keeps_locals(p) && self.defined.iter().all(|(_, e)| is_without_binders(e));
        self.flat.borrow_mut().insert(key, flat);
        flat
    }
}

fn keeps_locals(p: &Pred) -> bool {
    match &p.kind {
        PredKind::True | PredKind::False => true,
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(keeps_locals),
        PredKind::Implies(a, b) | PredKind::Iff(a, b) => keeps_locals(a) && keeps_locals(b),
        PredKind::Not(a) => keeps_locals(a),
        PredKind::Op(_, args) => args.iter().all(is_without_binders),
        _ => false,
    }
}

/// Whether an expression has neither binders nor predicates in it.
fn is_without_binders(e: &Expr) -> bool {
    let mut without = true;
    walk::expr(e, &mut |e| {
        without &= e.binder().is_none()
            && !matches!(e.kind, ExprKind::Bool(_) | ExprKind::If(..) | ExprKind::Let(..));
    });
    without
}
