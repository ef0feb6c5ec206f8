//! Constraints of a search: conjuncts, universal quantifiers taken apart into instances.
//!
//! In: the conjuncts that mention an unknown of the search. Out: one constraint per conjunct or instance. What
//! cannot be taken apart is kept as it is, or left out: constraints only prune.

use super::enforce::Cuts;
use super::linear::{Linear, only_points};
use super::{Constraint, Search};
use crate::eval::{Env, walk};
use crate::ir::{Binder, LocalId, Pred, PredKind, Scoped};
use crate::value::Value;
use hashbrown::HashMap;
use std::sync::Arc;

/// Most constraints of one search.
const CONSTRAINT_LIMIT: usize = 200_000;

impl Search<'_> {
    /// Makes the constraints.
    pub(super) fn expand_all(&mut self, env: &mut Env) {
        self.exact.extend(self.given.iter().map(|c| (c, 0..0)));
        for c in self.rest.iter().filter(|c| !self.given.contains(**c)).copied().collect::<Vec<usize>>() {
            let conj = &self.run.problem.conjs[c];
            let mine = |i: usize| self.shapes.contains_key(&i) || self.defined.iter().any(|(d, _)| *d == i);
            if conj.reads.iter().any(mine) {
                let first = self.constraints.len();
                self.said.clear();
                self.pairs_of_options = self.cells.cells.iter().any(|c| c.left == 2);
                // What is defined may get its value from another equation.
                self.faithful =
                    conj.reads.iter().all(|i| self.shapes.contains_key(&i) || self.bound.contains(i));
                let apart = self.circular(&conj.pred).map(|p| self.copied(&p));
                self.doubted_before = self.doubted.len();
                self.expand(apart.as_deref().unwrap_or(&conj.pred), &mut Vec::new(), env);
                // That tests of something else have a value does not say that the conjunct has one.
                self.faithful &= apart.is_none() || self.doubted.len() == self.doubted_before;
                if self.faithful {
                    self.exact.push((c, first..self.constraints.len()));
                }
                self.ends.push((self.constraints.len(), c));
            }
        }
        self.said = HashMap::default();
    }

    fn expand(&mut self, p: &Pred, locals: &mut Vec<(LocalId, Value)>, env: &mut Env) {
        if self.constraints.len() >= CONSTRAINT_LIMIT {
            self.faithful = false;
            return;
        }
        match &p.kind {
            PredKind::And(ps) => ps.iter().for_each(|p| self.expand(p, locals, env)),
            PredKind::Forall(s) => self.instances(s, &[], p, locals, env),
            _ => {
                self.besides(|search| free_parts(p).for_each(|part| search.expand(part, locals, env)));
                self.keep_new(p, locals, env);
            }
        }
    }

    /// Keeps what follows from a conjunct that is kept as well: whether the constraints say all of it does not depend on this.
    fn besides(&mut self, keep: impl FnOnce(&mut Self)) {
        let (faithful, doubted) = (std::mem::replace(&mut self.faithful, false), self.doubted.len());
        keep(self);
        self.faithful = faithful;
        self.doubted.truncate(doubted);
    }

    /// Keeps a predicate that may not be among the formulas.
    fn keep_new(&mut self, p: &Pred, locals: &[(LocalId, Value)], env: &mut Env) {
        let pred = self.copied(p);
        self.keep(pred, locals, env);
    }

    /// Keeps a test; unless it is `certain` to have a value, it says what the evaluator says only once it has been evaluated.
    fn keep_test(&mut self, pred: Arc<Pred>, locals: &[(LocalId, Value)], certain: bool) {
        if !certain {
            self.doubted.push(self.constraints.len());
        }
        self.note_fixed(&pred, locals);
        self.constraints.push(Constraint::Test { pred, locals: locals.to_vec() });
    }

    /// A copy of a predicate, unless it is among the formulas. Caches know it by address, so it outlives them.
    fn copied(&mut self, p: &Pred) -> Arc<Pred> {
        if let Some(pred) = self.formulas.get(&std::ptr::from_ref(p).addr()) {
            return pred.clone();
        }
        let pred = Arc::new(p.clone());
        self.keep_formula(&pred);
        pred
    }

    fn keep_formula(&mut self, p: &Arc<Pred>) {
        self.formulas.insert(Arc::as_ptr(p).addr(), p.clone());
    }

    /// Keeps a predicate that is among the formulas, in the form that is looked at fastest.
    fn keep(&mut self, pred: Arc<Pred>, locals: &[(LocalId, Value)], env: &mut Env) {
        place(locals, env);
        if let Some(m) = self.in_arrow(&pred, env) {
            if let Some(found) = self.of_points(&m, env) {
                // What may have no value is tested.
                self.faithful &= !self.lacks_part(&pred, env) && self.nature(&pred).total;
                self.constraints.extend(found);
                return;
            }
            let rows = self.of_rows(&m);
            self.besides(|search| rows.iter().for_each(|p| search.keep_new(p, locals, env)));
        }
        if self.confine_cell(&pred, env) {
            return;
        }
        if let Some(relation) = self.relation(&pred, env) {
            self.constraints.push(Constraint::Relation(relation));
            return;
        }
        let sum = self.linear(&pred, locals, env);
        let before = self.faithful;
        // A sum of points has been found to have a value.
        if self.faithful && !(sum.is_some() && only_points(&pred)) {
            place(locals, env);
            // What stands for it takes a part without a value for a false one, whose negation is true.
            // Asking is not worth while once a test has to be evaluated anyway.
            self.faithful = self.doubted.len() == self.doubted_before && !self.lacks_part(&pred, env);
        }
        if let Some(sum) = sum {
            self.keep_sum(sum);
        } else if let Some(sums) = self.tuples(&pred, env) {
            self.constraints.push(Constraint::Differ(sums));
        } else if let Some(tables) = self.bools(&pred, env) {
            self.constraints.extend(tables);
        } else if let Some(table) = self.table(&pred, env) {
            self.constraints.extend(table);
        } else {
            let certain = self.faithful && self.nature(&pred).total;
            self.faithful = before;
            self.keep_test(pred, locals, certain);
        }
    }

    /// Narrows a cell to what a membership leaves of it.
    pub(super) fn narrow_at_once(&mut self, p: &Pred, env: &mut Env) {
        let mut cuts = Cuts::default();
        let mark = self.cells.mark();
        if !self.make_true(p, env, &mut cuts) || !self.apply(&cuts, &mut Vec::new()) {
            self.cells.back_to(mark);
        }
    }

    /// Keeps a sum, once for all instances of a conjunct that say the same: `!(i, j).(i /= j => f(i) /= f(j))` says all
    /// twice.
    fn keep_sum(&mut self, sum: Linear) {
        let next = self.constraints.len();
        let at = *self.said.entry(sum.said()).or_insert(next);
        match self.constraints.get_mut(at) {
            Some(Constraint::Linear(first)) => first.copies += 1,
            _ => self.constraints.push(Constraint::Linear(sum)),
        }
    }

    /// The instances of a universal quantifier that is to hold under guards; `p` says all of it.
    fn instances(
        &mut self,
        s: &Scoped<Pred>,
        under: &[&Pred],
        p: &Pred,
        locals: &mut Vec<(LocalId, Value)>,
        env: &mut Env,
    ) {
        let mut conjuncts = s.binder.pred.conjuncts();
        let met: Vec<bool> = conjuncts.iter().map(|p| self.reads_nothing(p)).collect();
        let mut each = met.iter();
        conjuncts.retain(|_| each.next() == Some(&false));
        if !conjuncts.is_empty() && under.is_empty() && self.is_of_two(p, locals, env) {
            return self.keep_new(p, locals, env);
        }
        conjuncts.splice(0..0, under.iter().copied());
        let Some((rows, lacks)) = self.instances_of(&s.binder, env) else {
            return self.keep_new(p, locals, env);
        };
        // Of rows that are absent since a set has no value nothing is said.
        self.faithful &= !lacks;
        let before = self.faithful;
        if self.may_lack_rows(&s.binder, &met, &rows, locals, env) {
            // As instances, guards without a value would make the whole false; row by row they do not.
            self.faithful = before;
            let pred = self.copied(p);
            return self.keep_test(pred, locals, false);
        }
        let mut parts = s.body.conjuncts();
        let own = parts.len();
        let of: Vec<(usize, &Pred)> =
            parts.iter().enumerate().flat_map(|(i, part)| free_parts(part).map(move |p| (i, p))).collect();
        parts.extend(of.iter().map(|(_, p)| *p));
        let helped: Vec<bool> = (0..own).map(|i| of.iter().any(|(of, _)| *of == i)).collect();
        // Where the guards are known to be true, the bodies stand alone.
        let alone: Vec<Arc<Pred>> = parts.iter().map(|b| Arc::new((*b).clone())).collect();
        let bodies: Vec<Arc<Pred>> = parts.into_iter().map(|b| Arc::new(guarded(&conjuncts, b))).collect();
        alone.iter().chain(&bodies).for_each(|p| self.keep_formula(p));
        for row in rows {
            let n = locals.len();
            locals.extend(s.binder.vars.iter().map(|v| v.id).zip(row));
            place(locals, env);
            let guards: Vec<Option<bool>> = conjuncts.iter().map(|c| self.truth(c, env)).collect();
            if guards.contains(&Some(false)) {
                locals.truncate(n);
                continue;
            }
            let open = guards.contains(&None);
            // What is decided at once as a whole needs no help.
            let says = |i: usize| if open { &bodies[i] } else { &alone[i] };
            let at_once: Vec<bool> =
                (0..own).map(|i| helped[i] && self.is_of_two(says(i), locals, env)).collect();
            for (i, (alone, guarded)) in alone.iter().zip(&bodies).enumerate() {
                let body = if open { guarded } else { alone };
                if i >= own && at_once[of[i - own].0] {
                    continue;
                }
                let under: &[&Pred] = if open { &conjuncts } else { &[] };
                if i < own {
                    self.instance(alone, body, under, locals, env);
                } else {
                    self.besides(|search| search.instance(alone, body, under, locals, env));
                }
            }
            locals.truncate(n);
        }
    }

    /// One conjunct of an instance: it stands under guards that are still open, with which it is `body`.
    fn instance(
        &mut self,
        alone: &Pred,
        body: &Arc<Pred>,
        under: &[&Pred],
        locals: &mut Vec<(LocalId, Value)>,
        env: &mut Env,
    ) {
        // For guards that are still open that is worth its while only if the problem is solved once.
        if let PredKind::Forall(inner) = &alone.kind
            && (under.is_empty() || self.run.problem.split)
        {
            self.instances(inner, under, body, locals, env);
        } else if self.constraints.len() < CONSTRAINT_LIMIT {
            self.keep(body.clone(), locals, env);
        } else {
            self.faithful = false;
        }
    }
}

/// The conjuncts under an existential quantifier that do not mention its variables: they stand for themselves, and say something
/// where nobody knows yet what the variables can be.
fn free_parts(p: &Pred) -> impl Iterator<Item = &Pred> {
    let parts = match &p.kind {
        PredKind::Exists(b) => b.pred.conjuncts().into_iter().filter(|part| !mentions_any(part, b)).collect(),
        _ => Vec::new(),
    };
    parts.into_iter()
}

fn mentions_any(p: &Pred, binder: &Binder) -> bool {
    binder.vars.iter().any(|v| walk::pred_mentions(p, v.id))
}

impl Search<'_> {
    /// Whether the predicate of a binder may have no value for some of its rows that are not known to be absent: rows that
    /// have met some of its conjuncts.
    fn may_lack_rows(
        &mut self,
        binder: &Binder,
        met: &[bool],
        rows: &[Vec<Value>],
        locals: &[(LocalId, Value)],
        env: &mut Env,
    ) -> bool {
        let Some(mut doubts) = self.doubts(binder) else { return false };
        doubts.without(met);
        place(locals, env);
        let mut open = false;
        for row in rows {
            env.bind(&binder.vars, row);
            if self.may_lack(&doubts, env) {
                // Of several pairs the evaluator says something else than of none, so absent rows count here, too.
                self.faithful = false;
                open = open || self.truth(&binder.pred, env) != Some(false);
            }
        }
        open
    }
}

/// Puts values of quantified variables into the environment.
pub(super) fn place(locals: &[(LocalId, Value)], env: &mut Env) {
    locals.iter().for_each(|(id, v)| env.set_local(*id, Some(v.clone())));
}

/// `open => body`.
fn guarded(open: &[&Pred], body: &Pred) -> Pred {
    let span = body.span;
    let left = match open {
        [] => return body.clone(),
        [one] => (*one).clone(),
        many => Pred { kind: PredKind::And(many.iter().map(|p| (*p).clone()).collect()), span },
    };
    Pred { kind: PredKind::Implies(Box::new(left), Box::new(body.clone())), span }
}
