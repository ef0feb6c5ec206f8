//! Plans: in which order the unknowns of a problem get their values, and from where.
//!
//! In: a [`Problem`], the unknowns bound so far. Out: a [`Node`]: the conjuncts that can be tested now and the
//! step that binds next. A plan is a lazily grown tree: the successor of a step is planned when it is first
//! reached and kept; every step that takes its candidates from a set also has an alternative plan without that
//! source, for sets that turn out not to be enumerable. Plans depend on no values.

use super::Evaluator;
use super::ahead::Ahead;
use super::bits::Bits;
use super::join::Join;
use super::pattern::Matcher;
use super::problem::Problem;
use super::spaces::Named;
use super::splits::Length;
use super::turns::Turns;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
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
    /// The ways to cut a sequence into parts.
    Splits { source: Source, value: Expr, lengths: Vec<Length> },
    /// A sequence with one more element, at its end (`front(s) = value`) or before it (`tail(s) = value`).
    Longer { source: Source, value: Expr, front: bool },
    /// The subsets of a set.
    Subsets { source: Source, set: Expr, strict: bool },
    /// A range that the remaining conjuncts leave for one of the integers; one successor for each. With `alt`,
    /// other unknowns could go first: to be taken if no range has both ends.
    Ints { vars: Vec<usize>, sides: u64, next: Vec<Later>, alt: Option<Later> },
    /// The union of the solutions of several problems.
    Sub { conj: usize, settles: bool, parts: Vec<Problem>, binds: Vec<usize>, next: Later, alt: Later },
    /// A condition that can be decided now; what it comes to replaces the conjunct. If it is ill-defined, the
    /// conjunct is tested as a whole.
    Cond { conj: usize, yes: Later, no: Later, alt: Later },
    /// All values of a type.
    Type { var: usize, next: Later },
    /// Set- and function-valued unknowns by cells; the step that was planned otherwise, should none of them
    /// have a moderate domain.
    Search { vars: Vec<usize>, defined: Vec<(usize, Expr)>, next: Later, other: Box<Step> },
    /// Scalars that may be searched for, in turns with the step that was planned otherwise.
    Turns { turns: Box<Turns>, other: Box<Step> },
    /// Unknowns that may be looked up in a table, and the step that was planned otherwise.
    Join { join: Box<Join>, other: Box<Step> },
    /// Integers that may go ahead as plain loops, and the step that was planned otherwise.
    Ahead { ahead: Box<Ahead>, other: Box<Step> },
    /// Independent parts, each with its unknowns: all combinations of their solutions.
    Split { parts: Vec<(Bits, Box<Node>)> },
    /// A constant's defining equation that mentions the constant itself.
    Knot { conj: usize, var: usize, value: Expr, next: Later, tested: Later },
}

/// Types with more values than this are enumerated only when nothing else is left.
const VAST: u64 = 1 << 20;

/// What costs less offers few candidates: nothing needs to be looked up.
const LISTING: u64 = 80;

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
pub(super) struct Choice {
    pub(super) cost: u64,
    pub(super) step: Step,
}

/// Takes a choice that costs less than the best so far.
fn consider(best: &mut Option<Choice>, c: Option<Choice>) {
    if let Some(c) = c
        && best.as_ref().is_none_or(|b| c.cost < b.cost)
    {
        *best = Some(c);
    }
}

/// Makes plans for one problem.
pub(super) struct Planner<'a> {
    pub(super) problem: &'a Problem,
    pub(super) ev: &'a Evaluator,
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

    pub(super) fn node(&self, bound: Bits, scope: Bits, rest: Vec<usize>, banned: Bits) -> Box<Node> {
        let ready = |c: &usize| self.problem.conjs[*c].reads.is_subset(&bound);
        let (mut tests, rest): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(ready);
        tests.retain(|c| !self.problem.conjs[*c].implied);
        tests.sort_by_key(|c| self.problem.conjs[*c].weight / 50);
        let step = self.step(&bound, &scope, &rest, &banned);
        let step = self.or_turns(&bound, &scope, &rest, &banned, step);
        let mut banned = banned;
        if matches!(step, Step::Turns { .. }) {
            banned.insert(self.in_turns());
        }
        Box::new(Node { tests, bound, scope, rest, banned, step })
    }

    /// The unknowns without values, in groups that no conjunct connects.
    pub(super) fn groups(&self, bound: &Bits, scope: &Bits, rest: &[usize]) -> Vec<Bits> {
        let open: Vec<usize> = scope.iter().filter(|i| !bound.contains(*i)).collect();
        let mut groups: Vec<Bits> = Vec::new();
        let mut add = |vars: Bits| {
            let (touching, mut apart): (Vec<Bits>, Vec<Bits>) =
                std::mem::take(&mut groups).into_iter().partition(|g| g.meets(&vars));
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
            add(self.problem.conjs[*c].reads.without(bound));
        }
        groups.sort_by_key(|g| g.iter().next());
        groups
    }

    /// The independent parts of what is left, if there are several.
    fn split(&self, bound: &Bits, scope: &Bits, rest: &[usize], banned: &Bits) -> Option<Step> {
        let groups = self.groups(bound, scope, rest);
        if groups.len() < 2 {
            return None;
        }
        let part = |g: Bits| {
            let mine = |c: &usize| self.problem.conjs[*c].reads.meets(&g);
            let rest: Vec<usize> = rest.iter().copied().filter(mine).collect();
            let mut scope = bound.clone();
            scope.add_all(&g);
            (g, self.node(bound.clone(), scope, rest, banned.clone()))
        };
        Some(Step::Split { parts: groups.into_iter().map(part).collect() })
    }

    fn step(&self, bound: &Bits, scope: &Bits, rest: &[usize], banned: &Bits) -> Step {
        // A range without an end is cut at MININT or MAXINT. What else can be enumerated goes first: it may
        // turn out to bound the integer.
        let last = banned.contains(self.open_ints());
        let ints = if last { None } else { self.ints(bound, scope, rest, true) };
        let mut best: Option<Choice> = None;
        for &c in rest {
            if !banned.contains(c) {
                // Of choices of one cost the first is taken, and ranges come last.
                let after = ints.as_ref().map_or(u64::MAX, |c| c.cost.saturating_add(1));
                let ceiling = best.as_ref().map_or(after, |b| b.cost.min(after));
                self.choices(c, bound, ceiling, &mut |c| consider(&mut best, c));
            }
        }
        consider(&mut best, ints);
        for (i, u) in self.problem.unknowns.iter().enumerate() {
            if scope.contains(i) && !bound.contains(i) && u.ty != Ty::Int {
                let size = super::finite::estimate(&u.ty, &self.ev.world);
                if last && size >= VAST {
                    continue;
                }
                let cost = 300 + 4 * size.min(1 << 40);
                consider(&mut best, Some(Choice { cost, step: Step::Type { var: i, next: Later::new() } }));
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
        let cost = best.as_ref().map_or(0, |c| c.cost);
        let step = match best {
            Some(c)
                if c.step.is_space(self.ev.named())
                    && (c.cost >= 330 || self.problem.sieved || self.several(bound, scope)) =>
            {
                self.search(bound, scope, rest, c.step)
            }
            Some(c)
                if self.problem.split && c.step.is_listing() && self.several_coupled(bound, scope, rest) =>
            {
                self.search(bound, scope, rest, c.step)
            }
            Some(c) => self.or_ahead(bound, scope, rest, c.step),
            None => Step::Done,
        };
        if cost < LISTING { step } else { self.or_join(bound, scope, rest, step) }
    }

    /// Whether so many sets are solved for that small candidates multiply.
    fn several(&self, bound: &Bits, scope: &Bits) -> bool {
        let open = |i: &usize| {
            !bound.contains(*i)
                && matches!(self.problem.unknowns.get(*i), Some(u) if matches!(u.ty, Ty::Pow(_)))
        };
        scope.iter().filter(open).count() >= if self.problem.split { 2 } else { 3 }
    }

    /// Whether several scalars select parts of functions that are searched for.
    fn several_coupled(&self, bound: &Bits, scope: &Bits, rest: &[usize]) -> bool {
        super::coupled::coupled(self.problem, bound, scope, rest).len() > 1
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
                None if self.given_later(i, rest) => {}
                None => vars.push(i),
            }
        }
        if vars.is_empty() {
            return other;
        }
        if self.problem.split {
            vars.extend(super::coupled::coupled(self.problem, bound, scope, rest));
        }
        self.define_integers(bound, scope, rest, &vars, &mut defined);
        Step::Search { vars, defined, next: Later::new(), other: Box::new(other) }
    }

    /// Adds the integers that equations make of what is searched for: the search sees through them.
    fn define_integers(
        &self,
        bound: &Bits,
        scope: &Bits,
        rest: &[usize],
        vars: &[usize],
        defined: &mut Vec<(usize, Expr)>,
    ) {
        for (i, u) in self.problem.unknowns.iter().enumerate() {
            if u.ty != Ty::Int || !scope.contains(i) || bound.contains(i) || vars.contains(&i) {
                continue;
            }
            if let Some(e) = self.definition(i, defined, rest)
                && vars.iter().any(|v| self.problem.reads(&e).contains(*v))
            {
                defined.push((i, e));
            }
        }
    }

    /// Whether a disjunction or an existential will give an unknown its value by equations.
    fn given_later(&self, var: usize, rest: &[usize]) -> bool {
        rest.iter().any(|c| {
            let p = &self.problem.conjs[*c].pred;
            matches!(p.kind, PredKind::Or(_) | PredKind::Exists(_) | PredKind::Let(..)) && self.gives(p, var)
        })
    }

    pub(super) fn gives(&self, p: &Pred, var: usize) -> bool {
        match &p.kind {
            PredKind::And(ps) => ps.iter().any(|p| self.gives(p, var)),
            PredKind::Or(ps) => !ps.is_empty() && ps.iter().all(|p| self.gives(p, var)),
            PredKind::Exists(binder) => self.gives(&binder.pred, var),
            PredKind::Let(_, _, p) => self.gives(p, var),
            PredKind::Op(Op::Eq, args) => match &args[..] {
                [a, b] => [(a, b), (b, a)].into_iter().any(|(x, e)| {
                    self.problem.unknown_of(x) == Some(var) && !self.problem.reads(e).contains(var)
                }),
                _ => false,
            },
            _ => false,
        }
    }

    /// The other side of an equation `x = e` that does not mention x, nor what x itself defines.
    pub(super) fn definition(&self, var: usize, defined: &[(usize, Expr)], rest: &[usize]) -> Option<Expr> {
        let is_one = |e: &Expr| {
            let plain = self.problem.unknown_of(e).is_some_and(|i| defined.iter().any(|(d, _)| *d == i));
            !plain && !self.leads_to(e, var, defined)
        };
        let mut found = self.equations(rest).filter(|(x, e)| *x == var && is_one(e));
        found.next().map(|(_, e)| e.clone())
    }

    /// The equations `x = e` among conjuncts, from both sides: the unknown x, and e.
    fn equations<'e>(&'e self, rest: &'e [usize]) -> impl Iterator<Item = (usize, &'e Expr)> {
        let sides = |c: &usize| match &self.problem.conjs[*c].pred.kind {
            PredKind::Op(Op::Eq, args) => match &args[..] {
                [a, b] => Some([(a, b), (b, a)]),
                _ => None,
            },
            _ => None,
        };
        rest.iter().filter_map(sides).flatten().filter_map(|(x, e)| Some((self.problem.unknown_of(x)?, e)))
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
        let sides = self.sides(&vars, bound, rest);
        let next = vars.iter().map(|_| Later::new()).collect();
        // Integers that equations give once other unknowns are known had better wait.
        let waits = self.are_defined(&vars, rest);
        let cost = match (sides, waits) {
            (2, false) => 150,
            (2, true) => 900,
            _ => 1500,
        };
        let others = scope.iter().any(|i| !bound.contains(i) && !vars.contains(&i));
        let alt = (early && (others || vars.len() > 1 || !rest.is_empty())).then(Later::new);
        Some(Choice { cost, step: Step::Ints { vars, sides, next, alt } })
    }

    /// Whether each of some unknowns has an equation `x = e` that does not mention it.
    fn are_defined(&self, vars: &[usize], rest: &[usize]) -> bool {
        let mut defined = Bits::default();
        self.equations(rest)
            .filter(|(x, e)| !self.problem.reads(e).contains(*x))
            .for_each(|(x, _)| defined.insert(x));
        vars.iter().all(|v| defined.contains(*v))
    }

    /// How many bounds (lower, upper) conjuncts with everything else known give an integer; of several the one that has most.
    fn sides(&self, vars: &[usize], bound: &Bits, rest: &[usize]) -> u64 {
        let (mut lower, mut upper) = (Bits::default(), Bits::default());
        // An unknown beside something known has an end there.
        let add = |ends: &mut Bits, x: &Expr, other: &Expr| {
            if let Some(v) = self.problem.unknown_of(x)
                && self.problem.reads(other).is_subset(bound)
            {
                ends.insert(v);
            }
        };
        for &c in rest {
            let PredKind::Op(op, args) = &self.problem.conjs[c].pred.kind else { continue };
            let [a, b] = &args[..] else { continue };
            match op {
                Op::In => match &b.kind {
                    ExprKind::Op(Op::Natural | Op::Natural1, _) => add(&mut lower, a, b),
                    ExprKind::Op(Op::Integer, _) => {}
                    _ => [&mut lower, &mut upper].into_iter().for_each(|ends| add(ends, a, b)),
                },
                Op::Lt | Op::Le => {
                    add(&mut upper, a, b);
                    add(&mut lower, b, a);
                }
                Op::Gt | Op::Ge => {
                    add(&mut lower, a, b);
                    add(&mut upper, b, a);
                }
                _ => {}
            }
        }
        let sides = vars.iter().map(|v| u64::from(lower.contains(*v)) + u64::from(upper.contains(*v)));
        sides.max().unwrap_or(0)
    }
}

impl Step {
    /// Whether candidates come from a set of sets, as a whole.
    fn is_space(&self, named: &Named) -> bool {
        match self {
            Step::Subsets { .. } => true,
            Step::Type { .. } => true,
            Step::Each { set, .. } => {
                matches!(set.ty.elem(), Some(Ty::Pow(_)))
                    && matches!(named.spelled_out(set).kind, ExprKind::Op(..))
            }
            _ => false,
        }
    }

    /// Whether candidates for a single value come from a set or a type.
    fn is_listing(&self) -> bool {
        matches!(self, Step::Each { .. } | Step::Type { .. } | Step::Ints { sides: 2, .. })
    }

    /// Whether a first step gives values to unknowns from some number on, and to no others.
    pub(super) fn begins_behind(&self, first: usize) -> bool {
        match self {
            Step::Ints { vars, .. } => vars.iter().all(|v| *v >= first),
            Step::Type { var, .. } => *var >= first,
            Step::Assign { source, .. } | Step::Each { source, .. } | Step::Row { source, .. } => {
                source.matcher.binds.iter().all(|v| v >= first)
            }
            Step::Turns { other, .. } | Step::Join { other, .. } | Step::Ahead { other, .. } => {
                other.begins_behind(first)
            }
            _ => false,
        }
    }

    /// How bad a first step is, for judging branches of a disjunction.
    pub(super) fn rough_cost(&self) -> u64 {
        match self {
            Step::Done | Step::Assign { .. } | Step::Row { .. } | Step::Knot { .. } | Step::Cond { .. } => 0,
            Step::Turns { other, .. } | Step::Join { other, .. } | Step::Ahead { other, .. } => {
                other.rough_cost()
            }
            Step::Each { .. } | Step::Splits { .. } => 20,
            Step::Ints { sides: 2, .. } | Step::Sub { .. } => 50,
            Step::Ints { sides: 1, .. } => 300,
            Step::Ints { .. } => 2000,
            Step::Subsets { .. } | Step::Longer { .. } => 300,
            Step::Type { .. } | Step::Split { .. } | Step::Search { .. } => 400,
        }
    }
}
