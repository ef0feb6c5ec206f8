//! The steps that a conjunct offers, with their estimated costs.
//!
//! In: a conjunct, the unknowns bound so far. Out: candidates for [`super::plan::Step`], handed to the planner, which takes
//! the cheapest. Costs are guesses by form and type: no values are looked at.

use super::bits::Bits;
use super::formulas::{equation, op_pred, strict};
use super::negate::negate;
use super::pattern::{Compiler, Matcher, Pat};
use super::plan::{Choice, Later, Planner, Source, Step};
use super::problem::{Problem, Unknown};
use super::walk;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;
use std::collections::BTreeMap;

impl Planner<'_> {
    /// The steps that a conjunct offers, but for some that cost as much as `ceiling`.
    pub(super) fn choices(
        &self,
        c: usize,
        bound: &Bits,
        ceiling: u64,
        consider: &mut dyn FnMut(Option<Choice>),
    ) {
        let conj = &self.problem.conjs[c];
        if conj.cases.as_ref().is_some_and(|c| c.reads.is_subset(bound)) {
            let step = Step::Cond { conj: c, yes: Later::new(), no: Later::new(), alt: Later::new() };
            return consider(Some(Choice { cost: 5, step }));
        }
        match &conj.pred.kind {
            PredKind::Op(op, args) => {
                if let [a, b] = &args[..] {
                    match op {
                        Op::Eq => {
                            consider(self.assign(c, a, b, bound));
                            consider(self.assign(c, b, a, bound));
                            consider(self.inverse(c, a, b, bound));
                            consider(self.inverse(c, b, a, bound));
                            consider(self.knot(c, a, b, bound));
                            consider(self.listed(c, a, b, bound));
                            consider(self.listed(c, b, a, bound));
                            for (x, y) in [(a, b), (b, a)] {
                                consider(self.by_points(c, x, y, bound));
                                consider(self.splits(c, x, y, bound));
                                consider(self.longer(c, x, y, bound));
                            }
                        }
                        Op::In => {
                            consider(self.row(c, a, b, bound));
                            consider(self.each(c, a, b, bound));
                            consider(self.power(c, a, b, bound));
                            consider(self.image(c, a, b, bound));
                        }
                        Op::Subset => {
                            consider(self.subsets(c, a, b, bound, false));
                            consider(self.listed(c, a, b, bound));
                        }
                        Op::StrictSubset => consider(self.subsets(c, a, b, bound, true)),
                        _ => {}
                    }
                }
                self.applications(c, bound, consider);
            }
            PredKind::Or(ps) => {
                let parts: Vec<Vec<&Pred>> = ps.iter().map(|p| vec![p]).collect();
                consider(self.sub(c, &parts, &[], bound, ceiling));
            }
            PredKind::Implies(a, b) => {
                let not_a = negate((**a).clone());
                consider(self.sub(c, &[vec![&not_a], vec![&**b]], &[], bound, ceiling).map(|mut s| {
                    s.cost += 200;
                    s
                }));
            }
            PredKind::Exists(binder) => {
                let inner: Vec<Unknown> = binder.vars.iter().map(Unknown::local).collect();
                consider(self.sub(c, &[vec![&binder.pred]], &inner, bound, ceiling));
            }
            PredKind::Let(id, e, p) => {
                let local = crate::ir::Local { id: *id, name: "let".into(), ty: e.ty.clone(), span: e.span };
                let eq = equation(&local, e);
                consider(self.sub(c, &[vec![&eq, &**p]], &[Unknown::local(&local)], bound, ceiling));
            }
            _ => {}
        }
    }

    pub(super) fn known(&self, e: &Expr, bound: &Bits) -> bool {
        self.problem.reads(e).is_subset(bound)
    }

    fn matcher(&self, e: &Expr, bound: &Bits) -> Option<Matcher> {
        let mut compiler = Compiler::new(self.problem, bound);
        let pat = compiler.pat(e)?;
        let m = compiler.finish(pat);
        (!m.binds.is_empty()).then_some(m)
    }

    fn assign(&self, conj: usize, pattern: &Expr, value: &Expr, bound: &Bits) -> Option<Choice> {
        if !self.known(value, bound) {
            return None;
        }
        let mut compiler = Compiler::for_one(self.problem, bound);
        let pat = compiler.pat(pattern)?;
        let matcher = compiler.finish(pat);
        if matcher.binds.is_empty() {
            return None;
        }
        let source = source(conj, true, matcher);
        Some(Choice { cost: 10, step: Step::Assign { source, value: value.clone() } })
    }

    /// `f(x) = e`: the pairs of f.
    fn inverse(&self, conj: usize, application: &Expr, other: &Expr, bound: &Bits) -> Option<Choice> {
        let ExprKind::Op(Op::Apply, args) = &application.kind else { return None };
        let [f, x] = &args[..] else { return None };
        if !self.known(f, bound) || self.known(x, bound) {
            return None;
        }
        let mut compiler = Compiler::new(self.problem, bound);
        let pat = compiler.pair(x, other)?;
        let matcher = compiler.finish(pat);
        let cost = 90 + self.size(f);
        let source = source(conj, false, matcher);
        Some(Choice { cost, step: Step::Each { source, set: f.clone(), distinct_left: false } })
    }

    /// `f(a) = d & f(b) = e & ..` for all values of a small type: f, which is a function, as a whole.
    fn by_points(&self, conj: usize, point: &Expr, value: &Expr, bound: &Bits) -> Option<Choice> {
        let (var, x) = self.point(point)?;
        let ExprKind::Lit(own) = &x.kind else { return None };
        if bound.contains(var) || !self.known(value, bound) {
            return None;
        }
        let count = match &x.ty {
            Ty::Given(s) => self.ev.world.card.get(usize::from(s.0)).copied()?,
            Ty::Bool => 2,
            _ => return None,
        };
        let conjs = || self.problem.conjs.iter().take(self.problem.active);
        let mut points: BTreeMap<&Value, (&Expr, &Expr)> = BTreeMap::new();
        for c in conjs() {
            let PredKind::Op(Op::Eq, args) = &c.pred.kind else { continue };
            let [a, b] = &args[..] else { continue };
            for (p, e) in [(a, b), (b, a)] {
                if let Some((v, x)) = self.point(p)
                    && let (true, ExprKind::Lit(key)) = (v == var && self.known(e, bound), &x.kind)
                {
                    points.entry(key).or_insert((x, e));
                }
            }
        }
        let function = conjs().any(|c| match &c.pred.kind {
            PredKind::Op(Op::In, args) => match &args[..] {
                [f, set] => self.problem.unknown_of(f) == Some(var) && is_arrow(set),
                _ => false,
            },
            _ => false,
        });
        // The conjunct counts as dealt with, so it must be one that the value is made from.
        let made = points.get(own).is_some_and(|(_, e)| std::ptr::eq(*e, value));
        if !function || !made || u32::try_from(points.len()) != Ok(count) {
            return None;
        }
        let ExprKind::Op(_, args) = &point.kind else { return None };
        let f = args.first()?;
        let pair = |(x, e): &(&Expr, &Expr)| Expr {
            kind: ExprKind::Op(Op::Maplet, vec![(*x).clone(), (*e).clone()]),
            ty: Ty::pair(x.ty.clone(), e.ty.clone()),
            span: e.span,
        };
        let kind = ExprKind::SetExt(points.values().map(pair).collect());
        let value = Expr { kind, ty: f.ty.clone(), span: point.span };
        let source = source(conj, true, self.matcher(f, bound)?);
        Some(Choice { cost: 12, step: Step::Assign { source, value } })
    }

    /// The unknown that is applied in `f(x)`, and x.
    fn point<'e>(&self, e: &'e Expr) -> Option<(usize, &'e Expr)> {
        let ExprKind::Op(Op::Apply, args) = &e.kind else { return None };
        let [f, x] = &args[..] else { return None };
        Some((self.problem.unknown_of(f)?, x))
    }

    /// `{..,x,..} \/ .. = e` and `{..,x,..} \/ .. <: e`: the members of e.
    fn listed(&self, conj: usize, part: &Expr, whole: &Expr, bound: &Bits) -> Option<Choice> {
        match &part.kind {
            ExprKind::Op(Op::Union, parts) => parts.iter().find_map(|p| self.listed(conj, p, whole, bound)),
            ExprKind::SetExt(items) if self.known(whole, bound) => items.iter().find_map(|x| {
                let source = source(conj, false, self.matcher(x, bound)?);
                // Integers in a range are narrowed by all that is said of them (`ints`), if they go together.
                let range = x.ty == Ty::Int && matches!(whole.kind, ExprKind::Op(Op::Interval, _));
                let cost = if range { 160 } else { 80 } + self.size(whole);
                Some(Choice { cost, step: Step::Each { source, set: whole.clone(), distinct_left: false } })
            }),
            _ => None,
        }
    }

    fn row(&self, conj: usize, a: &Expr, rel: &Expr, bound: &Bits) -> Option<Choice> {
        let ExprKind::Op(Op::Maplet, args) = &a.kind else { return None };
        let [left, right] = &args[..] else { return None };
        if !self.known(rel, bound) || !self.known(left, bound) {
            return None;
        }
        let source = source(conj, true, self.matcher(right, bound)?);
        Some(Choice { cost: 30, step: Step::Row { source, rel: rel.clone(), left: left.clone() } })
    }

    fn each(&self, conj: usize, a: &Expr, set: &Expr, bound: &Bits) -> Option<Choice> {
        if !self.known(set, bound) || (a.ty == Ty::Int && super::ints::is_range(set)) {
            return None;
        }
        let matcher = self.matcher(a, bound)?;
        let wait = if self.keyed_later(conj, a, bound) { WAIT } else { 0 };
        let cost = 100 + self.size(set) + wait;
        let source = source(conj, true, matcher);
        Some(Choice { cost, step: Step::Each { source, set: set.clone(), distinct_left: false } })
    }

    /// Whether in `x |-> y : r` another conjunct `x : s` will give x once what s mentions is known, or does so now that
    /// it is: then a row of r is all that is to be looked at. Joining all of r with what leads to s comes to the product of both.
    fn keyed_later(&self, conj: usize, a: &Expr, bound: &Bits) -> bool {
        let ExprKind::Op(Op::Maplet, sides) = &a.kind else { return false };
        let [Some(x), Some(y)] = [0, 1].map(|i| sides.get(i)) else { return false };
        let Some(key) = self.problem.unknown_of(x).filter(|i| !bound.contains(*i)) else { return false };
        let others = self.problem.reads(y);
        self.problem.conjs.iter().enumerate().take(self.problem.active).any(|(c, other)| {
            let PredKind::Op(Op::In, args) = &other.pred.kind else { return false };
            let [e, set] = &args[..] else { return false };
            let reads = self.problem.reads(set);
            let mut open = reads.iter().filter(|i| !bound.contains(*i));
            c != conj
                && self.problem.unknown_of(e) == Some(key)
                && reads.iter().next().is_some()
                && open.all(|i| i != key && !others.contains(i))
        })
    }

    /// `x : {y . P | e}` and `x : union of ..`: by solving for y.
    fn image(&self, conj: usize, a: &Expr, set: &Expr, bound: &Bits) -> Option<Choice> {
        match &set.kind {
            ExprKind::Image(s) if !self.known(set, bound) => {
                let inner: Vec<Unknown> = s.binder.vars.iter().map(Unknown::local).collect();
                let eq = op_pred(Op::Eq, vec![a.clone(), s.body.clone()]);
                self.sub(conj, &[vec![&s.binder.pred, &eq]], &inner, bound, u64::MAX)
            }
            ExprKind::Op(Op::Union, sides) => {
                let ins: Vec<Pred> =
                    sides.iter().map(|s| op_pred(Op::In, vec![a.clone(), s.clone()])).collect();
                let parts: Vec<Vec<&Pred>> = ins.iter().map(|p| vec![p]).collect();
                self.sub(conj, &parts, &[], bound, u64::MAX)
            }
            ExprKind::SetExt(items) if !self.known(set, bound) => {
                let eqs: Vec<Pred> =
                    items.iter().map(|i| op_pred(Op::Eq, vec![a.clone(), i.clone()])).collect();
                let parts: Vec<Vec<&Pred>> = eqs.iter().map(|p| vec![p]).collect();
                self.sub(conj, &parts, &[], bound, u64::MAX)
            }
            _ => None,
        }
    }

    fn power(&self, conj: usize, a: &Expr, set: &Expr, bound: &Bits) -> Option<Choice> {
        let ExprKind::Op(Op::Fin, args) = &set.kind else { return None };
        self.subsets(conj, a, args.first()?, bound, false)
    }

    fn subsets(&self, conj: usize, a: &Expr, set: &Expr, bound: &Bits, strict: bool) -> Option<Choice> {
        if !self.known(set, bound) {
            return None;
        }
        let matcher = self.matcher(a, bound)?;
        let n = self.size(set).min(40);
        let source = source(conj, true, matcher);
        Some(Choice { cost: 200 + (1 << n), step: Step::Subsets { source, set: set.clone(), strict } })
    }

    /// `f(x)` anywhere in a conjunct, f known: x is in the domain (b-language.md 4.6, rule 2).
    fn applications(&self, conj: usize, bound: &Bits, consider: &mut dyn FnMut(Option<Choice>)) {
        let PredKind::Op(_, args) = &self.problem.conjs[conj].pred.kind else { return };
        let mut found = Vec::new();
        for a in args {
            strict(a, &mut |e| {
                if let ExprKind::Op(Op::Apply, args) = &e.kind
                    && let [f, x] = &args[..]
                    && self.known(f, bound)
                    && !self.known(x, bound)
                {
                    found.push((f.clone(), x.clone()));
                }
            });
        }
        for (f, x) in found {
            let mut compiler = Compiler::new(self.problem, bound);
            let Some(p) = compiler.pat(&x) else { continue };
            let matcher = compiler.finish(Pat::Pair(Box::new(p), Box::new(Pat::Any), false));
            let cost = 180 + self.size(&f);
            let source = source(conj, false, matcher);
            consider(Some(Choice { cost, step: Step::Each { source, set: f, distinct_left: true } }));
        }
    }

    /// Whether a predicate is about unknown sets of which it does not give one by an equation.
    fn leaves_sets(&self, p: &Pred, binds: &[usize]) -> bool {
        let set =
            |i: &&usize| matches!(self.problem.unknowns.get(**i), Some(u) if matches!(u.ty, Ty::Pow(_)));
        binds.iter().filter(set).any(|i| !self.gives(p, *i))
    }

    /// The cost of trying all values of a type, for the sets of a part that nothing in it confines.
    fn untyped(&self, part: &Problem) -> u64 {
        let confined = |i: usize| {
            part.conjs.iter().any(|c| match &c.pred.kind {
                PredKind::Op(Op::Eq, args) => args.iter().any(|e| part.unknown_of(e) == Some(i)),
                PredKind::Op(Op::In | Op::Subset | Op::StrictSubset, args) => {
                    args.first().is_some_and(|e| part.unknown_of(e) == Some(i))
                }
                _ => false,
            })
        };
        let sets =
            part.unknowns.iter().enumerate().filter(|(i, u)| matches!(u.ty, Ty::Pow(_)) && !confined(*i));
        sets.map(|(_, u)| 4 * super::finite::estimate(&u.ty, &self.ev.world).min(1 << 30)).sum()
    }

    /// The union of the solutions of several parts; nothing if that costs as much as `ceiling`: to prepare the parts takes
    /// long.
    fn sub(
        &self,
        conj: usize,
        parts: &[Vec<&Pred>],
        inner: &[Unknown],
        bound: &Bits,
        ceiling: u64,
    ) -> Option<Choice> {
        let binds: Vec<usize> =
            self.problem.conjs[conj].reads.iter().filter(|i| !bound.contains(*i)).collect();
        if binds.is_empty() || self.problem.nested >= NESTED {
            return None;
        }
        let unknowns: Vec<Unknown> =
            binds.iter().map(|i| self.problem.unknowns[*i].clone()).chain(inner.iter().cloned()).collect();
        let mut around = bound.clone();
        around.add_all(&self.problem.conjs[conj].reads);
        let others: Vec<&Pred> = (self.problem.conjs.iter().enumerate().take(self.problem.active))
            .filter(|(i, c)| {
                *i != conj && c.weight < 50 && c.reads.is_subset(&around) && !c.reads.is_subset(bound)
            })
            .filter(|(_, c)| matches!(c.pred.kind, PredKind::Op(..)))
            .map(|(_, c)| &c.pred)
            .collect();
        let mut cost = 250 + 20 * binds.len() as u64;
        // Orders give bounds, never values.
        let open = |ps: &Vec<&Pred>| ps.iter().chain(&others).all(|p| is_order(p));
        let mut given = inner.is_empty() && !parts.iter().any(open);
        let mut problems = Vec::with_capacity(parts.len());
        for ps in parts {
            if !given && cost >= ceiling {
                return None;
            }
            let all: Vec<&Pred> = ps.iter().copied().chain(others.iter().copied()).collect();
            let mut p = Problem::new(unknowns.clone(), &all, self.ev);
            // Parts of a conjunct by itself are no more than its text.
            p.nested = self.problem.nested + u32::from(!others.is_empty());
            let root = Planner { problem: &p, ev: self.ev }.root();
            cost = cost.saturating_add(root.step.rough_cost()).saturating_add(self.untyped(&p));
            // Variables of its own leave the sets that it is about to be tried one by one.
            if root.step.begins_behind(binds.len()) && ps.iter().any(|p| self.leaves_sets(p, &binds)) {
                cost = cost.saturating_add(SPACE);
            }
            given &= matches!(&root.step, Step::Assign { source, .. }
                if source.matcher.binds.iter().count() == p.unknowns.len());
            problems.push(p);
        }
        // Every part is an equation that gives everything: few candidates, and they cost nothing.
        if given {
            cost = 40 + 10 * parts.len() as u64;
        }
        let parts = problems;
        // A union, or a list, has no value where one of its parts has none, whatever the others are.
        let settles = match &self.problem.conjs[conj].pred.kind {
            PredKind::Op(Op::In, args) => match &args[..] {
                [_, Expr { kind: ExprKind::Image(_), .. }] => true,
                args => args.iter().all(has_value),
            },
            _ => true,
        };
        let (next, alt) = (Later::new(), Later::new());
        Some(Choice { cost, step: Step::Sub { conj, settles, parts, binds, next, alt } })
    }

    /// A guess at the number of members of a set.
    fn size(&self, e: &Expr) -> u64 {
        let by_type = || match e.ty.elem() {
            Some(t) => super::finite::estimate(t, &self.ev.world),
            None => 1,
        };
        match &e.kind {
            ExprKind::Lit(Value::Set(s)) => s.items().len() as u64,
            ExprKind::SetExt(items) | ExprKind::SeqExt(items) => items.len() as u64,
            ExprKind::Op(op, args) if let Some(n) = self.few(*op, args) => n,
            ExprKind::Op(op, _) if op.arrow().is_some() || op.is_power() || op.is_sequences() => SPACE,
            ExprKind::Op(Op::Product, args) => {
                args.iter().fold(1u64, |n, a| n.saturating_mul(self.size(a))).min(2000)
            }
            ExprKind::Op(Op::StringSet | Op::Integer | Op::Natural | Op::Natural1, _) => 3000,
            ExprKind::Given(_) => by_type().min(60),
            _ => by_type().min(40),
        }
    }
}

/// Whether a conjunct says how integers lie to each other, or where one lies.
fn is_order(p: &Pred) -> bool {
    let PredKind::Op(op, args) = &p.kind else { return false };
    match (op, &args[..]) {
        (Op::Lt | Op::Le | Op::Gt | Op::Ge, _) => true,
        (Op::In, [a, set]) => a.ty == Ty::Int && super::ints::is_range(set),
        _ => false,
    }
}

/// Parts of parts of a problem are planned so deep where other conjuncts are planned with them: each of n conjuncts that are made of
/// parts would be planned within each of the others, n! times together.
const NESTED: u32 = 2;

/// Whether an expression has a value whatever the unknowns are: by its form, nothing is applied in it.
fn has_value(e: &Expr) -> bool {
    let mut plain = true;
    walk::expr(e, &mut |e| {
        plain &= match &e.kind {
            ExprKind::Op(op, _) => {
                matches!(op, Op::Maplet | Op::Union | Op::Inter | Op::Diff | Op::Add | Op::Sub)
            }
            ExprKind::Local(_) | ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Lit(_) => true,
            ExprKind::Given(_) | ExprKind::SetExt(_) | ExprKind::Rec(_) => true,
            _ => false,
        };
    });
    plain
}

/// The cost of trying the members of a space of sets or functions.
const SPACE: u64 = 1000;

/// What a relation costs more whose left sides will be given: it goes last among those of about its size.
const WAIT: u64 = 8;

/// So many functions are tried one after the other: preparing a search for them would take longer.
const FEW: u64 = 8;

impl Planner<'_> {
    /// How many functions there are at most between two given sets, if they are few.
    fn few(&self, op: Op, args: &[Expr]) -> Option<u64> {
        let arrow = op.arrow().filter(|a| a.functional)?;
        let size = |e: &Expr| match (&e.kind, e.ty.elem()) {
            (ExprKind::Given(_), Some(t)) => Some(super::finite::estimate(t, &self.ev.world)),
            _ => None,
        };
        let [a, b] = args else { return None };
        let values = size(b)? + u64::from(!arrow.total);
        values.checked_pow(u32::try_from(size(a)?).ok()?).filter(|n| *n <= FEW)
    }
}

/// Whether a set holds functions only, by its form.
fn is_arrow(set: &Expr) -> bool {
    matches!(set.kind, ExprKind::Op(op, _) if op.arrow().is_some_and(|a| a.functional))
}

pub(super) fn source(conj: usize, settles: bool, matcher: Matcher) -> Source {
    Source { conj, settles, matcher, next: Later::new(), alt: Later::new() }
}
