//! Expressions that say the same: a DEFINITION that is used twice is two expressions, with slots and binders of their own, and
//! one inside another is as many as all of these are used.
//!
//! In: expressions with binders that read nothing from outside but constants. Out: one place for the value of all that differ in
//! nothing but the slots of their own variables and where they stand. Values that are not in extension know where they
//! come from, and stay with the expression that they are the value of; so does everything once a range has been cut
//! off, since every place where one is cut off is to be reported. External functions are called wherever they stand.

use super::constants::Constants;
use super::walk;
use crate::ir::{Binder, Expr, ExprKind, LocalId, Pred, PredKind, Scoped};
use crate::ops::World;
use crate::value::Value;
use hashbrown::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;
use std::sync::{Arc, Mutex};

/// Most expressions that are kept.
const MOST: usize = 1 << 12;

/// The places of values, each with the expression that asked first.
#[derive(Debug, Default)]
pub(super) struct Shared(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    by_hash: HashMap<u64, Vec<(Expr, Arc<Place>)>>,
    len: usize,
}

/// The value of all expressions that say the same, with the constants that it is for.
#[derive(Debug)]
pub(super) struct Place {
    value: Mutex<Option<(Constants, Value)>>,
    /// Whether the value depends on constants.
    varies: bool,
}

impl Shared {
    /// The place for the value of an expression; `None` if there are too many.
    pub(super) fn place(&self, e: &Expr) -> Option<Arc<Place>> {
        let hash = hash(e);
        let mut known = self.0.lock().ok()?;
        let alike = known.by_hash.get(&hash).into_iter().flatten();
        if let Some((_, place)) = alike.into_iter().find(|(other, _)| Pairs::default().exprs(e, other)) {
            return Some(place.clone());
        }
        if known.len == MOST {
            return None;
        }
        known.len += 1;
        let mut varies = false;
        walk::expr(e, &mut |e| varies |= matches!(e.kind, ExprKind::Const(_)));
        let place = Arc::new(Place { value: Mutex::default(), varies });
        known.by_hash.entry(hash).or_default().push((e.clone(), place.clone()));
        Some(place)
    }
}

impl Place {
    /// The value, if it is known for these constants.
    pub(super) fn get(&self, consts: &Constants) -> Option<Value> {
        let known = self.value.try_lock().ok()?;
        let (of, v) = known.as_ref()?;
        (!self.varies || Arc::ptr_eq(of, consts)).then(|| v.clone())
    }

    /// Takes note of a value, if it may be shared.
    pub(super) fn set(&self, consts: &Constants, v: &Value, world: &World) {
        if v.is_extension()
            && world.cuts.is_empty()
            && let Ok(mut known) = self.value.try_lock()
        {
            *known = Some((consts.clone(), v.clone()));
        }
    }
}

/// Of expressions that say the same the same.
fn hash(e: &Expr) -> u64 {
    let mut hasher = DefaultHasher::new();
    walk::expr(e, &mut |e| {
        discriminant(&e.kind).hash(&mut hasher);
        match &e.kind {
            ExprKind::Op(op, _) => op.hash(&mut hasher),
            ExprKind::Const(c) => c.hash(&mut hasher),
            ExprKind::Lit(Value::Int(n)) => n.hash(&mut hasher),
            ExprKind::Lit(Value::Elem(s, i)) => (s, i).hash(&mut hasher),
            _ => {}
        }
    });
    hasher.finish()
}

/// The variables of two expressions that stand for each other: those at the same place.
#[derive(Default)]
struct Pairs {
    left: Vec<LocalId>,
    right: Vec<LocalId>,
}

impl Pairs {
    /// Whether two variables stand for each other.
    fn locals(&self, a: LocalId, b: LocalId) -> bool {
        let place = |ids: &[LocalId], id| ids.iter().rposition(|of| *of == id);
        let at = place(&self.left, a);
        at.is_some() && at == place(&self.right, b)
    }

    /// Asks with more variables that stand for each other.
    fn with(&mut self, a: &[LocalId], b: &[LocalId], ask: impl FnOnce(&mut Self) -> bool) -> bool {
        let n = self.left.len();
        self.left.extend(a);
        self.right.extend(b);
        let same = a.len() == b.len() && ask(self);
        self.left.truncate(n);
        self.right.truncate(n);
        same
    }

    fn binders(&mut self, a: &Binder, b: &Binder, body: impl FnOnce(&mut Self) -> bool) -> bool {
        let ids = |of: &Binder| of.vars.iter().map(|v| v.id).collect::<Vec<_>>();
        a.vars.iter().map(|v| &v.ty).eq(b.vars.iter().map(|v| &v.ty))
            && self.with(&ids(a), &ids(b), |pairs| pairs.preds(&a.pred, &b.pred) && body(pairs))
    }

    fn scoped(&mut self, a: &Scoped<Expr>, b: &Scoped<Expr>) -> bool {
        self.binders(&a.binder, &b.binder, |pairs| pairs.exprs(&a.body, &b.body))
    }

    fn lists(&mut self, a: &[Expr], b: &[Expr]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.exprs(a, b))
    }

    fn pred_lists(&mut self, a: &[Pred], b: &[Pred]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.preds(a, b))
    }

    /// Whether two expressions say the same. Two that are not compared here do not.
    fn exprs(&mut self, a: &Expr, b: &Expr) -> bool {
        a.ty == b.ty
            && match (&a.kind, &b.kind) {
                (ExprKind::Lit(a), ExprKind::Lit(b)) => a == b,
                (ExprKind::Local(a), ExprKind::Local(b)) => self.locals(*a, *b),
                (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
                (ExprKind::Given(a), ExprKind::Given(b)) => a == b,
                (ExprKind::FreeSet(a), ExprKind::FreeSet(b)) => a == b,
                (ExprKind::Op(f, a), ExprKind::Op(g, b)) => f == g && self.lists(a, b),
                (ExprKind::SetExt(a), ExprKind::SetExt(b))
                | (ExprKind::SeqExt(a), ExprKind::SeqExt(b))
                | (ExprKind::Rec(a), ExprKind::Rec(b))
                | (ExprKind::Struct(a), ExprKind::Struct(b)) => self.lists(a, b),
                (ExprKind::Field(a, i), ExprKind::Field(b, j)) => i == j && self.exprs(a, b),
                (ExprKind::Construct(t, c, a), ExprKind::Construct(u, d, b)) => {
                    (t, c) == (u, d) && self.lists(argument(a), argument(b))
                }
                (ExprKind::Bool(a), ExprKind::Bool(b)) => self.preds(a, b),
                (ExprKind::Compr(a, s), ExprKind::Compr(b, t)) => s == t && self.binders(a, b, |_| true),
                (ExprKind::Image(a), ExprKind::Image(b)) => self.scoped(a, b),
                (ExprKind::Lambda(a, s), ExprKind::Lambda(b, t)) => s == t && self.scoped(a, b),
                (ExprKind::Fold(f, a), ExprKind::Fold(g, b)) => f == g && self.scoped(a, b),
                (ExprKind::If(p, a, c), ExprKind::If(q, b, d)) => {
                    self.preds(p, q) && self.exprs(a, b) && self.exprs(c, d)
                }
                (ExprKind::Let(x, a, c), ExprKind::Let(y, b, d)) => {
                    self.exprs(a, b) && self.with(&[*x], &[*y], |pairs| pairs.exprs(c, d))
                }
                _ => false,
            }
    }

    fn preds(&mut self, a: &Pred, b: &Pred) -> bool {
        match (&a.kind, &b.kind) {
            (PredKind::True, PredKind::True) | (PredKind::False, PredKind::False) => true,
            (PredKind::And(a), PredKind::And(b)) | (PredKind::Or(a), PredKind::Or(b)) => {
                self.pred_lists(a, b)
            }
            (PredKind::Implies(a, c), PredKind::Implies(b, d))
            | (PredKind::Iff(a, c), PredKind::Iff(b, d)) => self.preds(a, b) && self.preds(c, d),
            (PredKind::Not(a), PredKind::Not(b)) => self.preds(a, b),
            (PredKind::Op(f, a), PredKind::Op(g, b)) => f == g && self.lists(a, b),
            (PredKind::Forall(a), PredKind::Forall(b)) => {
                self.binders(&a.binder, &b.binder, |pairs| pairs.preds(&a.body, &b.body))
            }
            (PredKind::Exists(a), PredKind::Exists(b)) => self.binders(a, b, |_| true),
            (PredKind::If(p, a, c), PredKind::If(q, b, d)) => {
                self.preds(p, q) && self.preds(a, b) && self.preds(c, d)
            }
            (PredKind::Let(x, a, c), PredKind::Let(y, b, d)) => {
                self.exprs(a, b) && self.with(&[*x], &[*y], |pairs| pairs.preds(c, d))
            }
            _ => false,
        }
    }
}

fn argument(of: &Option<Box<Expr>>) -> &[Expr] {
    of.as_deref().map_or(&[], std::slice::from_ref)
}
