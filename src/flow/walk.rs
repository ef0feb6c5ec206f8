//! One pass over a substitution: what it assigns, what it reads too early, what it assigns twice at once.
//!
//! In: a substitution, the locals assigned before it. Out: its [`Effect`]; what is wrong goes to [`Walk::found`]. Variables of
//! the state have values from the beginning (INITIALISATION is always run, so it needs no foresight); locals of VAR and
//! results have none. A called operation is walked once.

use super::effect::{Assigned, Effect};
use super::reads;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{
    Access, Expr, ExprKind, Local, LocalId, Machine, Operation, Place, Pred, Subst, SubstKind, Target,
};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;
use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Locals of one frame that begin without a value.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Assigned on every path so far.
    surely: BTreeSet<LocalId>,
    /// Assigned on some path so far.
    perhaps: BTreeSet<LocalId>,
    /// Assigned somewhere in a loop around this: in a branch of its body, an earlier round may have assigned them.
    rounds: BTreeSet<LocalId>,
}

impl Known {
    fn after(&mut self, effect: &Effect) {
        for (place, a) in &effect.0 {
            if let Place::Local(id) = place {
                self.perhaps.insert(*id);
                if a.surely {
                    self.surely.insert(*id);
                }
            }
        }
    }

    /// The same in a branch.
    fn in_branch(&self) -> Cow<'_, Known> {
        if self.rounds.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut known = self.clone();
        known.perhaps.append(&mut known.rounds);
        Cow::Owned(known)
    }

    /// The same in a loop.
    fn in_loop(&self, body: &Subst) -> Known {
        let mut known = self.in_branch().into_owned();
        locals(body, &mut known.rounds);
        known
    }
}

/// The locals that a substitution assigns somewhere.
fn locals(s: &Subst, into: &mut BTreeSet<LocalId>) {
    let mut add = |targets: &[Target]| {
        into.extend(targets.iter().filter_map(|t| match t.place {
            Place::Local(id) => Some(id),
            Place::Var(_) => None,
        }));
    };
    match &s.kind {
        SubstKind::Skip => {}
        SubstKind::Assign(pairs) => pairs.iter().for_each(|(t, _)| add(std::slice::from_ref(t))),
        SubstKind::BecomesIn(targets, _) | SubstKind::BecomesSuch(targets, _) => add(targets),
        SubstKind::Call { results, .. } => add(results),
        SubstKind::Pre(_, body)
        | SubstKind::Assert(_, body)
        | SubstKind::Any(_, body)
        | SubstKind::Let(_, body)
        | SubstKind::Var(_, body)
        | SubstKind::While { body, .. } => locals(body, into),
        SubstKind::Choice(all) | SubstKind::Seq(all) | SubstKind::Par(all) => {
            all.iter().for_each(|s| locals(s, into));
        }
        SubstKind::Select(branches, other) | SubstKind::If(branches, other) => {
            branches.iter().for_each(|(_, s)| locals(s, into));
            other.iter().for_each(|s| locals(s, into));
        }
        SubstKind::Case(_, branches, other) => {
            branches.iter().for_each(|(_, s)| locals(s, into));
            other.iter().for_each(|s| locals(s, into));
        }
    }
}

/// Where the walk of an operation is.
#[derive(Clone, Debug)]
enum Stage {
    Waiting,
    /// Being walked: a call of it is one within itself.
    Begun,
    Done(Effect),
}

/// A walk over all substitutions of a machine.
pub(super) struct Walk<'m> {
    machine: &'m Machine,
    operations: Vec<Stage>,
    /// Names and places of the locals of the current frame that begin without a value.
    open: BTreeMap<LocalId, &'m Local>,
    /// What is wrong so far.
    pub(super) found: Vec<Diagnostic>,
}

impl<'m> Walk<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        let operations = vec![Stage::Waiting; machine.operations.len()];
        Self { machine, operations, open: BTreeMap::new(), found: Vec::new() }
    }

    /// What INITIALISATION assigns.
    pub(super) fn initialisation(&mut self) -> Effect {
        self.subst(&self.machine.initialisation.body, &Known::default())
    }

    /// What an operation assigns, in its own frame.
    pub(super) fn operation(&mut self, number: u32) -> Effect {
        let machine = self.machine;
        let at = number as usize;
        let (Some(stage), Some(o)) = (self.operations.get_mut(at), machine.operations.get(at)) else {
            return Effect::default();
        };
        match stage {
            Stage::Begun => return Effect::default(),
            Stage::Done(effect) => return effect.clone(),
            Stage::Waiting => *stage = Stage::Begun,
        }
        let outer = std::mem::replace(&mut self.open, unset(o));
        let effect = self.subst(&o.called, &Known::default());
        self.open = outer;
        if let Some(stage) = self.operations.get_mut(at) {
            *stage = Stage::Done(effect.clone());
        }
        effect
    }

    fn subst(&mut self, s: &'m Subst, known: &Known) -> Effect {
        match &s.kind {
            SubstKind::Skip => Effect::default(),
            SubstKind::Assign(pairs) => {
                pairs.iter().for_each(|(_, e)| self.expr(e, known));
                self.targets(pairs.iter().map(|(t, _)| t), known)
            }
            SubstKind::BecomesIn(targets, set) => {
                self.expr(set, known);
                self.targets(targets, known)
            }
            SubstKind::BecomesSuch(targets, binder) => {
                self.pred(&binder.pred, known);
                self.targets(targets, known)
            }
            SubstKind::Pre(p, body) | SubstKind::Assert(p, body) => {
                self.pred(p, known);
                self.subst(body, known)
            }
            SubstKind::Choice(parts) => {
                let known = &*known.in_branch();
                let all = parts.iter().map(|p| self.subst(p, known)).collect();
                Effect::one_of(all, false)
            }
            SubstKind::Select(branches, other) => self.branches(branches, other.as_deref(), false, known),
            SubstKind::If(branches, other) => {
                self.branches(branches, other.as_deref(), other.is_none(), known)
            }
            SubstKind::Case(subject, branches, other) => {
                self.expr(subject, known);
                self.again(branches);
                let (known, mut all) = (&*known.in_branch(), Vec::new());
                for (values, body) in branches {
                    values.iter().for_each(|v| self.expr(v, known));
                    all.push(self.subst(body, known));
                }
                all.extend(other.as_deref().map(|s| self.subst(s, known)));
                let open = other.is_none() && !self.is_every_value(subject, branches);
                Effect::one_of(all, open)
            }
            SubstKind::Any(binder, body) => {
                self.pred(&binder.pred, known);
                self.subst(body, known)
            }
            SubstKind::Let(pairs, body) => {
                pairs.iter().for_each(|(_, e)| self.expr(e, known));
                self.subst(body, known)
            }
            SubstKind::Var(locals, body) => {
                self.open.extend(locals.iter().map(|l| (l.id, l)));
                let mut effect = self.subst(body, known);
                effect.0.retain(|p, _| !matches!(p, Place::Local(id) if locals.iter().any(|l| l.id == *id)));
                effect
            }
            SubstKind::While { cond, body, invariant, variant } => {
                self.pred(invariant, known);
                self.pred(cond, known);
                self.expr(variant, known);
                self.subst(body, &known.in_loop(body)).perhaps()
            }
            SubstKind::Seq(parts) => {
                let (mut now, mut all) = (known.clone(), Effect::default());
                for part in parts {
                    let effect = self.subst(part, &now);
                    now.after(&effect);
                    all.add(effect);
                }
                all
            }
            SubstKind::Par(parts) => {
                let mut all = Effect::default();
                for part in parts {
                    let effect = self.subst(part, known);
                    self.beside(&mut all, effect);
                }
                all
            }
            SubstKind::Call { op, args, results } => self.call(*op, args, results, s.span, known),
        }
    }

    /// Whether the branches of a CASE list all values of its type.
    fn is_every_value(&self, subject: &Expr, branches: &[(Vec<Expr>, Subst)]) -> bool {
        let all = match &subject.ty {
            Ty::Bool => Some(2),
            Ty::Given(set) => {
                let set = self.machine.sets.get(usize::from(set.0));
                set.and_then(|s| s.elements.as_ref()).map(Vec::len)
            }
            _ => None,
        };
        let listed: BTreeSet<&Value> = branches
            .iter()
            .flat_map(|(values, _)| values)
            .filter_map(|e| match &e.kind {
                ExprKind::Lit(value) => Some(value),
                _ => None,
            })
            .collect();
        all == Some(listed.len())
    }

    /// Says which values of a CASE an earlier branch has: the later one is not taken for them.
    fn again(&mut self, branches: &'m [(Vec<Expr>, Subst)]) {
        let mut first: BTreeMap<&Value, Span> = BTreeMap::new();
        for e in branches.iter().flat_map(|(values, _)| values) {
            let ExprKind::Lit(value) = &e.kind else { continue };
            match first.entry(value) {
                Entry::Vacant(v) => {
                    v.insert(e.span);
                }
                Entry::Occupied(before) => {
                    let text = "this value stands in the CASE before, and is taken there";
                    let d = Diagnostic::warning(Code::Misread, e.span, text);
                    self.found.push(d.with_other(*before.get(), "the first time"));
                }
            }
        }
    }

    fn branches(
        &mut self,
        branches: &'m [(Pred, Subst)],
        other: Option<&'m Subst>,
        or_none: bool,
        known: &Known,
    ) -> Effect {
        if let Some((first, _)) = branches.first() {
            self.pred(first, known);
        }
        let (known, mut all) = (&*known.in_branch(), Vec::new());
        for (i, (p, body)) in branches.iter().enumerate() {
            if i > 0 {
                self.pred(p, known);
            }
            all.push(self.subst(body, known));
        }
        all.extend(other.map(|s| self.subst(s, known)));
        Effect::one_of(all, or_none)
    }

    /// A call: what the callee assigns of the state, and the targets of its results.
    fn call(
        &mut self,
        op: u32,
        args: &'m [Expr],
        results: &'m [Target],
        span: Span,
        known: &Known,
    ) -> Effect {
        args.iter().for_each(|a| self.expr(a, known));
        let callee = self.operation(op);
        let state = callee.0.iter().filter(|(p, _)| matches!(p, Place::Var(_)));
        let mut all = Effect(state.map(|(p, a)| (*p, Assigned { at: span, ..*a })).collect());
        let declared = self.machine.operations.get(op as usize).map_or(&[][..], |o| &o.results);
        for (target, result) in results.iter().zip(declared) {
            self.path(target, known);
            let surely = callee.0.get(&Place::Local(result.id)).is_none_or(|a| a.surely);
            let one = Effect([(target.place, Assigned { at: target.span, surely })].into());
            self.beside(&mut all, one);
        }
        all
    }

    /// Targets that are assigned at once.
    fn targets(&mut self, targets: impl IntoIterator<Item = &'m Target>, known: &Known) -> Effect {
        let mut all = Effect::default();
        for t in targets {
            self.path(t, known);
            let one = Effect([(t.place, Assigned { at: t.span, surely: true })].into());
            self.beside(&mut all, one);
        }
        all
    }

    /// What a target reads: arguments, and the local of which a part is assigned.
    fn path(&mut self, t: &'m Target, known: &Known) {
        for step in &t.path {
            if let Access::At(e) = step {
                self.expr(e, known);
            }
        }
        if let (Place::Local(id), false) = (t.place, t.path.is_empty()) {
            self.read(id, t.span, true, known);
        }
    }

    /// Adds an effect that happens at the same time.
    fn beside(&mut self, all: &mut Effect, more: Effect) {
        for (place, new) in &more.0 {
            if let Some(old) = all.0.get(place).filter(|_| !self.machine.settings.simultaneous) {
                self.twice(*place, *old, *new);
            }
        }
        all.add(more);
    }

    /// Branches that are not taken do not count: where neither side is sure to assign, they may exclude each other.
    fn twice(&mut self, place: Place, first: Assigned, again: Assigned) {
        let name = match place {
            Place::Var(v) => self.machine.variables.get(v.0 as usize).map(|d| &*d.name),
            Place::Local(l) => self.open.get(&l).map(|l| &*l.name),
        };
        let name = name.unwrap_or("?");
        let d = match (first.surely, again.surely) {
            (false, false) => return,
            (true, true) => Diagnostic::error(
                Code::DoubleAssignment,
                again.at,
                format!("`{name}` is assigned twice in parallel"),
            ),
            _ => Diagnostic::warning(
                Code::DoubleAssignment,
                again.at,
                format!("`{name}` may be assigned twice in parallel"),
            ),
        };
        self.found.push(
            d.with_label("assigned here")
                .with_other(first.at, "and here, at the same time")
                .with_help("one of them has to go; `S ; T` runs one after the other"),
        );
    }

    fn expr(&mut self, e: &'m Expr, known: &Known) {
        if !self.open.is_empty() {
            reads::expr(e, true, &mut |id, at, sure| self.read(id, at, sure, known));
        }
    }

    fn pred(&mut self, p: &'m Pred, known: &Known) {
        if !self.open.is_empty() {
            reads::pred(p, true, &mut |id, at, sure| self.read(id, at, sure, known));
        }
    }

    fn read(&mut self, id: LocalId, at: Span, sure: bool, known: &Known) {
        let Some(local) = self.open.get(&id).filter(|_| !known.surely.contains(&id)) else { return };
        let name = &local.name;
        let d = if sure && !known.perhaps.contains(&id) {
            Diagnostic::error(Code::Unset, at, format!("`{name}` is read before it is assigned"))
                .with_label("it has no value here")
                .with_help(format!("assign it first, as in `{name} := E ; ..`"))
        } else {
            Diagnostic::warning(Code::Unset, at, format!("`{name}` may be read before it is assigned"))
                .with_label("not every path has assigned it here")
        };
        self.found.push(d.with_other(local.span, "declared here"));
    }
}

/// The results of an operation, which begin without a value. In one that is only called they have the value of the call's
/// target.
fn unset(o: &Operation) -> BTreeMap<LocalId, &Local> {
    let results = o.results.iter().filter(|_| o.offered.is_some());
    results.map(|r| (r.id, r)).collect()
}
