//! Plans: in which order the unknowns of a problem get their values, and from where.
//!
//! In: a [`Problem`], the unknowns bound so far. Out: a [`Node`]: the conjuncts that can be tested now and the
//! step that binds next. A plan is a lazily grown tree: the successor of a step is planned when it is first
//! reached and kept; every step that takes its candidates from a set also has an alternative plan without that
//! source, for sets that turn out not to be enumerable. Plans depend on no values.

use super::bits::Bits;
use super::formulas::{equation, op_pred, strict};
use super::pattern::{Compiler, Matcher, Pat};
use super::problem::{Problem, Unknown, negate};
use super::walk;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::{Op, World};
use crate::ty::Ty;
use crate::value::Value;
use std::sync::OnceLock;

/// A node that is planned when it is first needed.
pub(super) type Later = OnceLock<Box<Node>>;

/// A step of a plan with the tests that come before it.
#[derive(Debug)]
pub(super) struct Node {
    /// Conjuncts to test, all their unknowns being bound; cheap ones first.
    pub(super) tests: Vec<usize>,
    /// Unknowns that have values.
    pub(super) bound: Bits,
    /// Unknowns that are to get values here (all, but for parts of a split).
    pub(super) scope: Bits,
    /// Conjuncts not dealt with yet.
    pub(super) rest: Vec<usize>,
    /// Conjuncts that may not serve as a source any more.
    pub(super) banned: Bits,
    /// What comes next.
    pub(super) step: Step,
}

/// Where the next values come from.
#[derive(Debug)]
pub(super) enum Step {
    /// Everything is bound and tested.
    Done,
    /// An expression's value.
    Assign { source: Source, value: Expr },
    /// The members of a set.
    Each { source: Source, set: Expr, distinct_left: bool },
    /// The right sides of a relation's pairs whose left side is known.
    Row { source: Source, rel: Expr, left: Expr },
    /// The subsets of a set.
    Subsets { source: Source, set: Expr, strict: bool },
    /// A range that the remaining conjuncts leave for one of the integers; one successor for each. With `alt`,
    /// other unknowns could go first: to be taken if no range has both ends.
    Ints { vars: Vec<usize>, sides: u64, next: Vec<Later>, alt: Option<Later> },
    /// The union of the solutions of several problems.
    Sub { conj: usize, parts: Vec<Problem>, binds: Vec<usize>, next: Later, alt: Later },
    /// A condition that can be decided now; what it comes to replaces the conjunct.
    Cond { conj: usize, yes: Later, no: Later },
    /// All values of a type.
    Type { var: usize, next: Later },
    /// Set- and function-valued unknowns by cells; the step that was planned otherwise, should none of them
    /// have a moderate domain.
    Search { vars: Vec<usize>, defined: Vec<(usize, Expr)>, next: Later, other: Box<Step> },
    /// Independent parts, each with its unknowns: all combinations of their solutions.
    Split { parts: Vec<(Bits, Box<Node>)> },
    /// A constant's defining equation that mentions the constant itself.
    Knot { var: usize, value: Expr, next: Later },
}

/// Types with more values than this are enumerated only when nothing else is left.
const VAST: u64 = 1 << 20;

/// What all steps that match a pattern have in common.
#[derive(Debug)]
pub(super) struct Source {
    /// The conjunct it comes from.
    pub(super) conj: usize,
    /// Whether the step makes the conjunct true, so that it need not be tested.
    pub(super) settles: bool,
    pub(super) matcher: Matcher,
    pub(super) next: Later,
    pub(super) alt: Later,
}

/// A possible next step with its estimated cost.
struct Choice {
    cost: u64,
    step: Step,
}

/// Makes plans for one problem.
pub(super) struct Planner<'a> {
    pub(super) problem: &'a Problem,
    pub(super) world: &'a World,
}

impl Planner<'_> {
    /// The first node.
    pub(super) fn root(&self) -> Box<Node> {
        let rest = (0..self.problem.active).collect();
        let mut scope = Bits::default();
        (0..self.problem.unknowns.len()).for_each(|i| scope.insert(i));
        self.node(Bits::default(), scope, rest, Bits::default())
    }

    /// The node after `binds` got values; `settled` is a conjunct that is true by construction.
    pub(super) fn after(&self, node: &Node, binds: &Bits, settled: Option<usize>) -> Box<Node> {
        let mut bound = node.bound.clone();
        bound.add_all(binds);
        let rest = node.rest.iter().copied().filter(|c| Some(*c) != settled).collect();
        self.node(bound, node.scope.clone(), rest, node.banned.clone())
    }

    /// The node after the condition of a conjunct has been decided.
    pub(super) fn decided(&self, node: &Node, conj: usize, truth: bool) -> Box<Node> {
        let mut rest: Vec<usize> = node.rest.iter().copied().filter(|c| *c != conj).collect();
        if let Some(cases) = &self.problem.conjs[conj].cases {
            rest.extend(if truth { &cases.yes } else { &cases.no });
        }
        self.node(node.bound.clone(), node.scope.clone(), rest, node.banned.clone())
    }

    /// The node to go to if a conjunct cannot serve as a source.
    pub(super) fn without(&self, node: &Node, conj: usize) -> Box<Node> {
        let mut banned = node.banned.clone();
        banned.insert(conj);
        self.node(node.bound.clone(), node.scope.clone(), node.rest.clone(), banned)
    }

    fn node(&self, bound: Bits, scope: Bits, rest: Vec<usize>, banned: Bits) -> Box<Node> {
        let ready = |c: &usize| self.problem.conjs[*c].reads.is_subset(&bound);
        let (mut tests, rest): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(ready);
        tests.sort_by_key(|c| self.problem.conjs[*c].weight / 50);
        let step = self.step(&bound, &scope, &rest, &banned);
        Box::new(Node { tests, bound, scope, rest, banned, step })
    }

    /// The independent parts of what is left, if there are several.
    fn split(&self, bound: &Bits, scope: &Bits, rest: &[usize], banned: &Bits) -> Option<Step> {
        let open: Vec<usize> = scope.iter().filter(|i| !bound.contains(*i)).collect();
        let mut groups: Vec<Bits> = Vec::new();
        let mut add = |vars: Bits| {
            let (touching, mut apart): (Vec<Bits>, Vec<Bits>) =
                std::mem::take(&mut groups).into_iter().partition(|g| g.iter().any(|i| vars.contains(i)));
            let mut all = vars;
            touching.iter().for_each(|g| all.add_all(g));
            apart.push(all);
            groups = apart;
        };
        for i in &open {
            let mut one = Bits::default();
            one.insert(*i);
            add(one);
        }
        for c in rest {
            let mut vars = Bits::default();
            self.problem.conjs[*c].reads.iter().filter(|i| !bound.contains(*i)).for_each(|i| vars.insert(i));
            add(vars);
        }
        if groups.len() < 2 {
            return None;
        }
        groups.sort_by_key(|g| g.iter().next());
        let part = |g: Bits| {
            let mine = |c: &usize| self.problem.conjs[*c].reads.iter().any(|i| g.contains(i));
            let rest: Vec<usize> = rest.iter().copied().filter(mine).collect();
            let mut scope = bound.clone();
            scope.add_all(&g);
            (g, self.node(bound.clone(), scope, rest, banned.clone()))
        };
        Some(Step::Split { parts: groups.into_iter().map(part).collect() })
    }

    fn step(&self, bound: &Bits, scope: &Bits, rest: &[usize], banned: &Bits) -> Step {
        let mut best: Option<Choice> = None;
        let mut consider = |c: Option<Choice>| {
            if let Some(c) = c
                && best.as_ref().is_none_or(|b| c.cost < b.cost)
            {
                best = Some(c);
            }
        };
        for &c in rest {
            if !banned.contains(c) {
                self.choices(c, bound, &mut consider);
            }
        }
        // A range without an end is cut at MININT or MAXINT. What else can be enumerated goes first: it may
        // turn out to bound the integer.
        let last = banned.contains(self.open_ints());
        if !last {
            consider(self.ints(bound, scope, rest, true));
        }
        for (i, u) in self.problem.unknowns.iter().enumerate() {
            if scope.contains(i) && !bound.contains(i) && u.ty != Ty::Int {
                let size = super::finite::estimate(&u.ty, self.world);
                if last && size >= VAST {
                    continue;
                }
                let cost = 300 + 4 * size.min(1 << 40);
                consider(Some(Choice { cost, step: Step::Type { var: i, next: Later::new() } }));
            }
        }
        if last && best.is_none() {
            best = self.ints(bound, scope, rest, false).or_else(|| self.vast(bound, scope));
        }
        if self.problem.split
            && best.as_ref().is_some_and(|c| c.cost > 15)
            && let Some(step) = self.split(bound, scope, rest, banned)
        {
            return step;
        }
        match best {
            Some(c) if c.cost >= 330 && c.step.is_space() => self.search(bound, scope, rest, c.step),
            Some(c) => c.step,
            None => Step::Done,
        }
    }

    /// The first unknown with a type of very many values, as the very last resort.
    fn vast(&self, bound: &Bits, scope: &Bits) -> Option<Choice> {
        let var = scope.iter().find(|i| !bound.contains(*i))?;
        Some(Choice { cost: 1 << 41, step: Step::Type { var, next: Later::new() } })
    }

    /// The number that stands for "no integer without both ends" among the banned conjuncts.
    pub(super) fn open_ints(&self) -> usize {
        self.problem.conjs.len()
    }

    /// The search for all set-valued unknowns that no equation defines.
    fn search(&self, bound: &Bits, scope: &Bits, rest: &[usize], other: Step) -> Step {
        let mut vars = Vec::new();
        let mut defined: Vec<(usize, Expr)> = Vec::new();
        for (i, u) in self.problem.unknowns.iter().enumerate() {
            if !scope.contains(i) || bound.contains(i) || !matches!(u.ty, Ty::Pow(_)) {
                continue;
            }
            match self.definition(i, &defined, rest) {
                Some(e) => defined.push((i, e)),
                None => vars.push(i),
            }
        }
        if vars.is_empty() {
            return other;
        }
        Step::Search { vars, defined, next: Later::new(), other: Box::new(other) }
    }

    /// The other side of an equation `x = e` that does not mention x, nor what x itself defines.
    fn definition(&self, var: usize, defined: &[(usize, Expr)], rest: &[usize]) -> Option<Expr> {
        for c in rest {
            let PredKind::Op(Op::Eq, args) = &self.problem.conjs[*c].pred.kind else { continue };
            let [a, b] = &args[..] else { continue };
            for (x, e) in [(a, b), (b, a)] {
                if self.problem.unknown_of(x) != Some(var) {
                    continue;
                }
                let circular = self.leads_to(e, var, defined);
                let plain = self.problem.unknown_of(e).is_some_and(|i| defined.iter().any(|(d, _)| *d == i));
                if !circular && !plain {
                    return Some(e.clone());
                }
            }
        }
        None
    }

    /// Whether an expression reads an unknown, itself or through definitions.
    fn leads_to(&self, e: &Expr, var: usize, defined: &[(usize, Expr)]) -> bool {
        let mut seen = self.problem.reads(e);
        let mut todo: Vec<usize> = seen.iter().collect();
        while let Some(i) = todo.pop() {
            for (_, d) in defined.iter().filter(|(d, _)| *d == i) {
                for j in self.problem.reads(d).iter() {
                    if !seen.contains(j) {
                        seen.insert(j);
                        todo.push(j);
                    }
                }
            }
        }
        seen.contains(var)
    }

    fn ints(&self, bound: &Bits, scope: &Bits, rest: &[usize], early: bool) -> Option<Choice> {
        let vars: Vec<usize> = (self.problem.unknowns.iter().enumerate())
            .filter(|(i, u)| scope.contains(*i) && !bound.contains(*i) && u.ty == Ty::Int)
            .map(|(i, _)| i)
            .collect();
        if vars.is_empty() {
            return None;
        }
        let sides = vars.iter().map(|v| self.sides(*v, bound, rest)).max().unwrap_or(0);
        let next = vars.iter().map(|_| Later::new()).collect();
        // Integers that equations give once other unknowns are known had better wait.
        let waits = vars.iter().all(|v| self.definition(*v, &[], rest).is_some());
        let cost = match (sides, waits) {
            (2, false) => 150,
            (2, true) => 900,
            _ => 1500,
        };
        let others = scope.iter().any(|i| !bound.contains(i) && !vars.contains(&i));
        let alt = (early && (others || vars.len() > 1 || !rest.is_empty())).then(Later::new);
        Some(Choice { cost, step: Step::Ints { vars, sides, next, alt } })
    }

    /// How many bounds (lower, upper) conjuncts with everything else known give an integer.
    fn sides(&self, var: usize, bound: &Bits, rest: &[usize]) -> u64 {
        let (mut lower, mut upper) = (false, false);
        for &c in rest {
            let conj = &self.problem.conjs[c];
            let PredKind::Op(op, args) = &conj.pred.kind else { continue };
            let [a, b] = &args[..] else { continue };
            let is = |e: &Expr| self.problem.unknown_of(e) == Some(var);
            let known = |e: &Expr| self.problem.reads(e).is_subset(bound);
            match op {
                Op::In if is(a) && known(b) => match &b.kind {
                    ExprKind::Op(Op::Natural | Op::Natural1, _) => lower = true,
                    ExprKind::Op(Op::Integer, _) => {}
                    _ => return 2,
                },
                Op::Lt | Op::Le if is(a) && known(b) => upper = true,
                Op::Lt | Op::Le if is(b) && known(a) => lower = true,
                Op::Gt | Op::Ge if is(a) && known(b) => lower = true,
                Op::Gt | Op::Ge if is(b) && known(a) => upper = true,
                _ => {}
            }
        }
        u64::from(lower) + u64::from(upper)
    }

    /// The steps that a conjunct offers.
    fn choices(&self, c: usize, bound: &Bits, consider: &mut dyn FnMut(Option<Choice>)) {
        let conj = &self.problem.conjs[c];
        if conj.cases.as_ref().is_some_and(|c| c.reads.is_subset(bound)) {
            let step = Step::Cond { conj: c, yes: Later::new(), no: Later::new() };
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
                            consider(self.knot(a, b, bound));
                            consider(self.listed(c, a, b, bound));
                            consider(self.listed(c, b, a, bound));
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
                consider(self.sub(c, &parts, &[], bound));
            }
            PredKind::Implies(a, b) => {
                let not_a = negate((**a).clone());
                consider(self.sub(c, &[vec![&not_a], vec![&**b]], &[], bound).map(|mut s| {
                    s.cost += 200;
                    s
                }));
            }
            PredKind::Exists(binder) => {
                let inner: Vec<Unknown> = binder.vars.iter().map(Unknown::local).collect();
                consider(self.sub(c, &[vec![&binder.pred]], &inner, bound));
            }
            PredKind::Let(id, e, p) => {
                let local = crate::ir::Local { id: *id, name: "let".into(), ty: e.ty.clone(), span: e.span };
                let eq = equation(&local, e);
                consider(self.sub(c, &[vec![&eq, &**p]], &[Unknown::local(&local)], bound));
            }
            _ => {}
        }
    }

    fn known(&self, e: &Expr, bound: &Bits) -> bool {
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
        let matcher = self.matcher(pattern, bound)?;
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

    /// `{..,x,..} \/ .. = e` and `{..,x,..} \/ .. <: e`: the members of e.
    fn listed(&self, conj: usize, part: &Expr, whole: &Expr, bound: &Bits) -> Option<Choice> {
        match &part.kind {
            ExprKind::Op(Op::Union, parts) => parts.iter().find_map(|p| self.listed(conj, p, whole, bound)),
            ExprKind::SetExt(items) if self.known(whole, bound) => items.iter().find_map(|x| {
                let source = source(conj, false, self.matcher(x, bound)?);
                let cost = 80 + self.size(whole);
                Some(Choice { cost, step: Step::Each { source, set: whole.clone(), distinct_left: false } })
            }),
            _ => None,
        }
    }

    fn knot(&self, a: &Expr, value: &Expr, bound: &Bits) -> Option<Choice> {
        let var = self.problem.unknown_of(a)?;
        let ExprKind::Const(_) = &a.kind else { return None };
        let mut with = bound.clone();
        with.insert(var);
        let lazy = matches!(value.kind, ExprKind::Lambda(..) | ExprKind::Compr(..) | ExprKind::Op(..));
        if bound.contains(var) || !lazy || self.known(value, bound) || !self.known(value, &with) {
            return None;
        }
        let mut direct = false;
        walk::expr(value, &mut |e| direct |= matches!(e.kind, ExprKind::Lambda(..) | ExprKind::Compr(..)));
        direct
            .then(|| Choice { cost: 15, step: Step::Knot { var, value: value.clone(), next: Later::new() } })
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
        let cost = 100 + self.size(set);
        let source = source(conj, true, matcher);
        Some(Choice { cost, step: Step::Each { source, set: set.clone(), distinct_left: false } })
    }

    /// `x : {y . P | e}` and `x : union of ..`: by solving for y.
    fn image(&self, conj: usize, a: &Expr, set: &Expr, bound: &Bits) -> Option<Choice> {
        match &set.kind {
            ExprKind::Image(s) if !self.known(set, bound) => {
                let inner: Vec<Unknown> = s.binder.vars.iter().map(Unknown::local).collect();
                let eq = op_pred(Op::Eq, vec![a.clone(), s.body.clone()]);
                self.sub(conj, &[vec![&s.binder.pred, &eq]], &inner, bound)
            }
            ExprKind::Op(Op::Union, sides) => {
                let ins: Vec<Pred> =
                    sides.iter().map(|s| op_pred(Op::In, vec![a.clone(), s.clone()])).collect();
                let parts: Vec<Vec<&Pred>> = ins.iter().map(|p| vec![p]).collect();
                self.sub(conj, &parts, &[], bound)
            }
            ExprKind::SetExt(items) if !self.known(set, bound) => {
                let eqs: Vec<Pred> =
                    items.iter().map(|i| op_pred(Op::Eq, vec![a.clone(), i.clone()])).collect();
                let parts: Vec<Vec<&Pred>> = eqs.iter().map(|p| vec![p]).collect();
                self.sub(conj, &parts, &[], bound)
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

    fn sub(&self, conj: usize, parts: &[Vec<&Pred>], inner: &[Unknown], bound: &Bits) -> Option<Choice> {
        let binds: Vec<usize> =
            self.problem.conjs[conj].reads.iter().filter(|i| !bound.contains(*i)).collect();
        if binds.is_empty() {
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
        let problem = |ps: &Vec<&Pred>| {
            let all: Vec<&Pred> = ps.iter().copied().chain(others.iter().copied()).collect();
            Problem::new(unknowns.clone(), &all)
        };
        let parts: Vec<Problem> = parts.iter().map(problem).collect();
        let mut cost = 250 + 20 * binds.len() as u64;
        for p in &parts {
            let root = Planner { problem: p, world: self.world }.root();
            cost += root.step.rough_cost();
        }
        Some(Choice { cost, step: Step::Sub { conj, parts, binds, next: Later::new(), alt: Later::new() } })
    }

    /// A guess at the number of members of a set.
    fn size(&self, e: &Expr) -> u64 {
        let by_type = || match e.ty.elem() {
            Some(t) => super::finite::estimate(t, self.world),
            None => 1,
        };
        match &e.kind {
            ExprKind::Lit(Value::Set(s)) => s.items().len() as u64,
            ExprKind::SetExt(items) | ExprKind::SeqExt(items) => items.len() as u64,
            ExprKind::Op(
                Op::Rel
                | Op::TotalRel
                | Op::SurjRel
                | Op::TotalSurjRel
                | Op::PartialFun
                | Op::TotalFun
                | Op::PartialInj
                | Op::TotalInj
                | Op::PartialSurj
                | Op::TotalSurj
                | Op::PartialBij
                | Op::TotalBij
                | Op::Pow
                | Op::Pow1
                | Op::Fin
                | Op::Fin1
                | Op::Seq
                | Op::Seq1
                | Op::Iseq
                | Op::Iseq1
                | Op::Perm,
                _,
            ) => 1000,
            ExprKind::Op(Op::Product, args) => {
                args.iter().fold(1u64, |n, a| n.saturating_mul(self.size(a))).min(2000)
            }
            ExprKind::Op(Op::StringSet | Op::Integer | Op::Natural | Op::Natural1, _) => 3000,
            ExprKind::Given(_) => by_type().min(60),
            _ => by_type().min(40),
        }
    }
}

impl Step {
    /// Whether candidates come from a set of sets, as a whole.
    fn is_space(&self) -> bool {
        match self {
            Step::Subsets { .. } => true,
            Step::Type { .. } => true,
            Step::Each { set, .. } => {
                matches!(set.ty.elem(), Some(Ty::Pow(_))) && matches!(set.kind, ExprKind::Op(..))
            }
            _ => false,
        }
    }

    /// How bad a first step is, for judging branches of a disjunction.
    fn rough_cost(&self) -> u64 {
        match self {
            Step::Done | Step::Assign { .. } | Step::Row { .. } | Step::Knot { .. } | Step::Cond { .. } => 0,
            Step::Each { .. } => 20,
            Step::Ints { sides: 2, .. } | Step::Sub { .. } => 50,
            Step::Ints { sides: 1, .. } => 300,
            Step::Ints { .. } => 2000,
            Step::Subsets { .. } => 300,
            Step::Type { .. } | Step::Split { .. } | Step::Search { .. } => 400,
        }
    }
}

fn source(conj: usize, settles: bool, matcher: Matcher) -> Source {
    Source { conj, settles, matcher, next: Later::new(), alt: Later::new() }
}
