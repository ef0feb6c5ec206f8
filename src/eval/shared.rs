//! Expressions that say the same: a DEFINITION that is used twice is two expressions, with slots and binders of their own, and
//! one inside another is as many as all of these are used.
//!
//! In: expressions with binders that read nothing from outside but constants. Out: one place for the value of all that differ in
//! nothing but the slots of their own variables and where they stand. Values that are not in extension know where they
//! come from, and stay with the expression that they are the value of; so does everything once a range has been cut
//! off, since every place where one is cut off is to be reported. External functions are called wherever they stand.

use super::constants::Constants;
use super::{Env, Evaluator, walk};
use crate::ir::{Binder, Expr, ExprKind, LocalId, Machine, Pred, PredKind, Scoped};
use crate::ops::World;
use crate::value::Value;
use hashbrown::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;
use std::sync::{Arc, Mutex, OnceLock};

/// Most expressions that are kept.
const MOST: usize = 1 << 12;

/// The places of values, each with the expression that asked first.
#[derive(Debug, Default)]
pub(super) struct Shared {
    known: Mutex<Known>,
    /// Hashes of the [large](is_large) comprehensions that a machine's formulas mention several times.
    often: OnceLock<HashSet<u64>>,
}

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
    /// The value, if it has been asked for before anything else is known, and could be listed.
    listed: OnceLock<Option<Value>>,
}

impl Shared {
    /// The place for the value of an expression; `None` if there are too many.
    pub(super) fn place(&self, e: &Expr) -> Option<Arc<Place>> {
        let hash = hash(e);
        let mut known = self.known.lock().ok()?;
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
        let place = Arc::new(Place { value: Mutex::default(), varies, listed: OnceLock::new() });
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

impl Evaluator {
    /// The members of a comprehension that PROPERTIES or ASSERTIONS mention several times and that would be more than a bound for
    /// its variables: they are found once, instead of by each who takes candidates from it. `None` if that takes long.
    pub(super) fn listed_once(&self, e: &Expr) -> Option<Value> {
        let ExprKind::Compr(binder, false) = &e.kind else { return None };
        if self.naive || !is_large(binder) {
            return None;
        }
        let often = self.cache.shared.often.get_or_init(|| several(&self.machine));
        if often.is_empty() || !often.contains(&hash(e)) {
            return None;
        }
        let place = self.cache.shared.place(e)?;
        let list = || {
            let consts = Constants::default();
            let v =
                self.symbolic_value(e, &mut Env::new(consts.clone(), Arc::default(), binder.frame)).ok()?;
            place.set(&consts, &v, &self.world);
            place.get(&consts)
        };
        place.listed.get_or_init(list).clone()
    }
}

/// The hashes of large comprehensions that are mentioned several times.
fn several(machine: &Machine) -> HashSet<u64> {
    let (mut once, mut several) = (HashSet::new(), HashSet::new());
    for f in machine.properties.iter().chain(&machine.assertions) {
        walk::pred(&f.pred, &mut |e| {
            if let ExprKind::Compr(binder, false) = &e.kind
                && is_large(binder)
            {
                let hash = hash(e);
                // What calls an external function does not say the same as itself.
                if !once.insert(hash) && Pairs::default().exprs(e, e) {
                    several.insert(hash);
                }
            }
        });
    }
    several
}

/// Whether a comprehension has others in it, and nothing but its text decides its members.
fn is_large(binder: &Binder) -> bool {
    let (mut closed, mut large) = (binder.captures.is_empty() && !binder.reads_state, false);
    if closed {
        walk::pred(&binder.pred, &mut |e| {
            closed &= !matches!(e.kind, ExprKind::Const(_));
            large |= e.binder().is_some();
        });
    }
    closed && large
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::*;
    use crate::ops::Op;
    use crate::ty::Ty;

    /// `{v | v op n & {w | w = v} = {..}}` over the slots `v` and `w`.
    fn nested(v: u32, w: u32, compared: Op, n: i64) -> Expr {
        let binder = |var: u32, pred: Pred, captures: Vec<LocalId>| {
            let vars = vec![local(var, Ty::Int)];
            let binder = Binder { vars, pred, captures, frame: 4, reads_state: false, id: var };
            e(ExprKind::Compr(Arc::new(binder), false), Ty::pow(Ty::Int))
        };
        let inner = binder(w, p(Op::Eq, vec![x(w), x(v)]), vec![LocalId(v)]);
        let range = op(Op::Interval, vec![int(0), int(9)], Ty::pow(Ty::Int));
        let parts = vec![
            p(Op::In, vec![x(v), range]),
            p(compared, vec![x(v), int(n)]),
            p(Op::Eq, vec![inner, set(&[1])]),
        ];
        binder(v, and(parts), Vec::new())
    }

    #[test]
    fn the_same_but_for_slots() {
        let same = |a: &Expr, b: &Expr| Pairs::default().exprs(a, b);
        let one = nested(0, 1, Op::Lt, 3);
        let other = nested(2, 0, Op::Lt, 3);
        assert!(same(&one, &other) && hash(&one) == hash(&other));
        for different in [nested(0, 1, Op::Gt, 3), nested(0, 1, Op::Lt, 4), set(&[1])] {
            assert!(!same(&one, &different) && !same(&different, &one));
        }
        // Variables from outside have no counterpart, not even themselves.
        assert!(!same(&x(0), &x(0)));
    }

    #[test]
    fn one_place_for_all() {
        let shared = Shared::default();
        let place = |e: Expr| shared.place(&e);
        let one = place(nested(0, 1, Op::Lt, 3)).expect("few");
        assert!(Arc::ptr_eq(&one, &place(nested(3, 2, Op::Lt, 3)).expect("few")));
        assert!(!Arc::ptr_eq(&one, &place(nested(0, 1, Op::Le, 3)).expect("few")));
        let (consts, world) = (Constants::default(), World::default());
        one.set(&consts, &Value::Int(7), &world);
        assert_eq!(one.get(&Constants::default()), Some(Value::Int(7)));
        world.cuts.note(&crate::ops::Cut { what: "x".into(), at: at(1), range: None, of: None });
        one.set(&consts, &Value::Int(8), &world);
        assert_eq!(one.get(&consts), Some(Value::Int(7)));
    }

    #[test]
    fn members_once_as_by_each() {
        let ev = evaluator();
        let e = nested(0, 1, Op::Lt, 3);
        let ExprKind::Compr(binder, _) = &e.kind else { unreachable!() };
        assert!(is_large(binder));
        // No formula of the machine mentions it twice.
        assert_eq!(ev.listed_once(&e), None);
    }
}
