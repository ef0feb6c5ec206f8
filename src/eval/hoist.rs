//! Parts of a quantified predicate that read an unknown in one place only, taken out of it: `!s.(s : r[{f(a)}] => s /= f(b))`
//! is `!s.(s : u => s /= v)` with `u = r[{f(a)}]` and `v = f(b)`.
//!
//! In: a predicate that begins with a quantifier, which unknowns have no value yet. Out: the largest such parts, and the predicate
//! with a local instead of each. Whoever has evaluated all parts without a fault may evaluate the rest instead of the predicate:
//! if it has a value, that is the predicate's. What is made is kept with the machine's plans: the rest has binders of its own,
//! which are planned once.

use super::constants::Constants;
use super::evaluated::Evaluated;
use super::pointwise::same;
use super::problem::{Slot, slot_of};
use super::rename::Rename;
use super::walk::{self, Reads};
use super::{Env, Evaluator};
use crate::ir::{Expr, ExprKind, Local, LocalId, Pred, PredKind};
use crate::ops::{Op, World};
use hashbrown::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// First number of binders in what is left; those of copied properties are below.
const FIRST: u32 = 48 << 10;

/// Binders from this number on are not kept.
const END: u32 = 64 << 10;

/// For so many choices of unknowns the parts of one predicate are kept.
const CHOICES: usize = 4;

/// A place where a predicate reads an unknown: in whole, or at an argument that is known.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) slot: Slot,
    pub(super) argument: Option<Expr>,
}

impl Site {
    /// Whether this is where an unknown is read in whole, or at an argument.
    fn is(&self, slot: Slot, argument: Option<&Expr>) -> bool {
        self.slot == slot
            && match (&self.argument, argument) {
                (None, None) => true,
                (Some(a), Some(b)) => same(a, b),
                _ => false,
            }
    }
}

/// What is read: calls `read` with the function and the argument of each application, and, unless it says that this is a place
/// of its own, with the function and each other expression in whole.
struct Reading<'r, 'e> {
    read: &'r mut dyn FnMut(&'e Expr, Option<&'e Expr>) -> bool,
    functions: Vec<*const Expr>,
}

impl<'r, 'e> Reading<'r, 'e> {
    fn new(read: &'r mut dyn FnMut(&'e Expr, Option<&'e Expr>) -> bool) -> Self {
        Self { read, functions: Vec::new() }
    }

    /// One expression, after those around it.
    fn visit(&mut self, e: &'e Expr) {
        if let ExprKind::Op(Op::Apply, args) = &e.kind
            && let [f, x] = &args[..]
            && (self.read)(f, Some(x))
        {
            self.functions.push(f);
        } else if !self.functions.contains(&std::ptr::from_ref(e)) {
            (self.read)(e, None);
        }
    }
}

/// A part that is taken out.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) expr: Expr,
    /// What stands for it.
    pub(super) local: LocalId,
    /// What it reads, by number among all that the predicate reads.
    pub(super) site: usize,
    /// The locals that it reads, each once.
    pub(super) locals: Vec<LocalId>,
}

/// A predicate with parts taken out.
#[derive(Debug)]
pub(super) struct Hoisted {
    pub(super) parts: Vec<Part>,
    pub(super) rest: Pred,
    /// The locals that the rest reads, each once, but for those that stand for parts.
    pub(super) locals: Vec<LocalId>,
    /// Whether nothing is read but locals and constants, and no external function is called.
    lasts: bool,
    /// What was evaluated, with the constants that it is for.
    evaluated: Mutex<Option<(Constants, Arc<Mutex<Evaluated>>)>>,
}

impl Hoisted {
    /// What has been evaluated already, if it has the values that it had: a place for it in any case. Where a range has been
    /// cut off every evaluation may have to say so.
    pub(super) fn evaluated(&self, consts: &Constants, world: &World) -> Arc<Mutex<Evaluated>> {
        if !self.lasts || !world.cuts.is_empty() || consts.iter().any(Option::is_none) {
            return Arc::default();
        }
        let mut kept = self.evaluated.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, evaluated)) = &*kept
            && Arc::ptr_eq(of, consts)
            && !locked(evaluated).is_full()
        {
            return evaluated.clone();
        }
        let new = Arc::<Mutex<Evaluated>>::default();
        *kept = Some((consts.clone(), new.clone()));
        new
    }
}

/// Access to what was evaluated; nothing is evaluated meanwhile, so nobody waits for long.
pub(super) fn locked(evaluated: &Mutex<Evaluated>) -> MutexGuard<'_, Evaluated> {
    evaluated.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was made of one predicate: for which unknowns, and what.
type Made = Vec<(Vec<Slot>, Option<Arc<Hoisted>>)>;

/// What was made of predicates, by address.
#[derive(Debug, Default)]
pub(super) struct Hoists(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// The predicates are kept as well, so that no other one can be at the address of one.
    made: HashMap<usize, (Pred, Made)>,
    /// The binders made so far.
    binders: u32,
    /// The next local that stands for a part.
    next: u32,
}

/// Where a predicate reads unknowns, each place once. `open` are the unknowns without a value, `known` says whether an
/// expression reads none of them, `bound` are the variables that have other values inside.
pub(super) fn sites(
    p: &Pred,
    bound: &[LocalId],
    open: &dyn Fn(&Expr) -> bool,
    known: &dyn Fn(&Expr) -> bool,
) -> Vec<Site> {
    let mut found: Vec<Site> = Vec::new();
    let mut read = |e: &Expr, argument: Option<&Expr>| {
        let fixed = |x: &Expr| known(x) && Reads::of(x).free().all(|id| !bound.contains(&id));
        let Some(slot) = slot_of(e).filter(|_| open(e) && argument.is_none_or(fixed)) else { return false };
        if !found.iter().any(|site| site.is(slot, argument)) {
            found.push(Site { slot, argument: argument.cloned() });
        }
        true
    };
    let mut reading = Reading::new(&mut read);
    walk::pred(p, &mut |e| reading.visit(e));
    found
}

impl Evaluator {
    /// A predicate with parts taken out, if it is one quantifier; `sites` are all its places. It is evaluated in environments
    /// like this one.
    pub(super) fn hoisted(
        &self,
        p: &Pred,
        bound: &[LocalId],
        sites: &[Site],
        env: &Env,
    ) -> Option<Arc<Hoisted>> {
        let at = match &p.kind {
            PredKind::Exists(b) => Arc::as_ptr(b).addr(),
            PredKind::Forall(s) => Arc::as_ptr(s).addr(),
            _ => return None,
        };
        let mut slots: Vec<Slot> = sites.iter().map(|s| s.slot).collect();
        slots.dedup();
        let mut kept = self.cache.hoists.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { made, binders, next } = &mut *kept;
        let (_, made) = made.entry(at).or_insert_with(|| (p.clone(), Made::new()));
        if let Some((_, found)) = made.iter().find(|(of, _)| *of == slots) {
            return found.clone();
        }
        if made.len() == CHOICES || FIRST + *binders >= END {
            return None;
        }
        // No two predicates share a local, since one may be evaluated within another; nor is it one of the frame's.
        *next = (*next).max(u32::try_from(env.locals.len()).ok()?);
        let hoisted = hoist(p, bound, sites, binders, next).map(Arc::new);
        made.push((slots, hoisted.clone()));
        hoisted
    }
}

fn hoist(p: &Pred, bound: &[LocalId], sites: &[Site], binders: &mut u32, next: &mut u32) -> Option<Hoisted> {
    let mut parts: Vec<Part> = Vec::new();
    let mut taken: HashMap<usize, Slot> = HashMap::new();
    let mut inside: HashSet<usize> = HashSet::new();
    walk::pred(p, &mut |e| {
        if inside.contains(&std::ptr::from_ref(e).addr()) {
            return;
        }
        let Some(site) = sole_site(e, bound, sites) else { return };
        walk::expr(e, &mut |e| _ = inside.insert(std::ptr::from_ref(e).addr()));
        let known = parts.iter().find(|part| same(&part.expr, e)).map(|part| part.local);
        let local = known.unwrap_or_else(|| {
            let local = LocalId(*next);
            *next += 1;
            let mut within = Vec::new();
            walk::bound_in_expr(e, &mut within);
            let other = |id: &LocalId| Slot::Local(*id) != sites[site].slot && !within.contains(id);
            let locals = each_once(Reads::of(e).free().filter(other));
            parts.push(Part { expr: e.clone(), local, site, locals });
            local
        });
        taken.insert(std::ptr::from_ref(e).addr(), Slot::Local(local));
    });
    let mut rename = Rename::taking(taken, FIRST + *binders);
    let rest = at_one_point(rename.pred(p), &parts);
    *binders = rename.next - FIRST;
    // A place that is read in what is left would be read without its value.
    let mut left = false;
    walk::pred(&rest, &mut |e| left |= slot_among(e, sites).is_some());
    if left {
        return None;
    }
    let mut inside = Vec::new();
    walk::bound_in(&rest, &mut inside);
    let is_part = |id: LocalId| parts.iter().any(|part| part.local == id);
    let locals = each_once(Reads::of_pred(&rest).free().filter(|id| !inside.contains(id) && !is_part(*id)));
    let is_constant = |site: &Site| matches!(site.slot, Slot::Const(_));
    let lasts = !Reads::of_pred(p).state && !walk::calls_external(p) && !sites.iter().any(is_constant);
    (rename.next < END).then(|| Hoisted { parts, rest, locals, lasts, evaluated: Mutex::default() })
}

fn each_once(locals: impl Iterator<Item = LocalId>) -> Vec<LocalId> {
    let mut locals: Vec<LocalId> = locals.collect();
    locals.sort_unstable();
    locals.dedup();
    locals
}

/// The unknown that an expression is, if it is read at one of the places.
fn slot_among(e: &Expr, sites: &[Site]) -> Option<Slot> {
    slot_of(e).filter(|slot| sites.iter().any(|site| site.slot == *slot))
}

/// The number of the only place that an expression reads, if it reads no variable that has several values.
fn sole_site(e: &Expr, bound: &[LocalId], sites: &[Site]) -> Option<usize> {
    if Reads::of(e).free().any(|id| bound.contains(&id)) {
        return None;
    }
    let mut found: Vec<Option<usize>> = Vec::new();
    let mut read = |e: &Expr, argument: Option<&Expr>| {
        let Some(slot) = slot_among(e, sites) else { return false };
        let site = sites.iter().position(|site| site.is(slot, argument));
        // An unknown read in whole, or at an argument that is none of the places, is another site.
        if site.is_some() || argument.is_none() {
            found.push(site);
        }
        site.is_some()
    };
    let mut reading = Reading::new(&mut read);
    walk::expr(e, &mut |e| reading.visit(e));
    let first = *found.first()?;
    first.filter(|_| found.iter().all(|other| *other == first))
}

/// Of `#x.(x = u & P)`, where u stands for a part, `P` with the value of u as x: the one-point rule.
fn at_one_point(p: Pred, parts: &[Part]) -> Pred {
    let PredKind::Exists(binder) = &p.kind else { return p };
    let mut vars: Vec<Local> = binder.vars.clone();
    let mut left: Vec<Pred> = Vec::new();
    let mut given: Vec<(LocalId, Expr)> = Vec::new();
    for conjunct in binder.pred.conjuncts() {
        let point = point_of(conjunct, &vars, parts);
        if let Some((x, u)) = point {
            vars.retain(|v| v.id != x);
            given.push((x, u.clone()));
        } else {
            left.push(conjunct.clone());
        }
    }
    if !vars.is_empty() {
        return p;
    }
    let rest = match left.len() {
        0 => PredKind::True,
        1 => return within(given, left.remove(0)),
        _ => PredKind::And(left),
    };
    within(given, Pred { kind: rest, span: p.span })
}

/// `x = u` or `u = x`.
fn point_of<'p>(p: &'p Pred, vars: &[Local], parts: &[Part]) -> Option<(LocalId, &'p Expr)> {
    let PredKind::Op(Op::Eq, args) = &p.kind else { return None };
    let [a, b] = &args[..] else { return None };
    let is_var = |e: &Expr| match e.kind {
        ExprKind::Local(id) => vars.iter().find(|v| v.id == id).map(|v| v.id),
        _ => None,
    };
    let is_part =
        |e: &Expr| matches!(e.kind, ExprKind::Local(id) if parts.iter().any(|part| part.local == id));
    let one = |x: &Expr, u: &'p Expr| is_var(x).filter(|_| is_part(u)).map(|x| (x, u));
    one(a, b).or_else(|| one(b, a))
}

/// A predicate in which variables have values.
fn within(given: Vec<(LocalId, Expr)>, p: Pred) -> Pred {
    given.into_iter().rev().fold(p, |p, (x, u)| {
        if !walk::pred_mentions(&p, x) {
            return p;
        }
        let span = p.span;
        Pred { kind: PredKind::Let(x, Box::new(u), Box::new(p)), span }
    })
}
