//! A refinement and the machine that it refines in one flat machine, for a refinement check.
//!
//! In: the flat machine with the variables, invariants and operations of both. Out: its [`Joint`]: which operation refines
//! which, under which precondition; the gluing invariant at the end of the invariants. No semantics here: what has to
//! hold of these is said by the room `refine`. What nothing pairs is an error: without it nothing can be said.

use super::declare::Declared;
use super::flat::{FlatOperation, Joint, JointOperation, Notion};
use super::flatten::Flattener;
use super::formula::{self, Resolver};
use super::graph::{Graph, Link, Side};
use super::kept;
use super::loader::Unit;
use super::refinement::{renamed, within};
use super::scope::Meaning;
use super::visible::{Exports, Offered};
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Op;
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Entity, Ident, Name, Node, NodeKind, Subst, SubstKind};
use crate::syntax::walk;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the refined machine before anything is declared; `None` if it does not take part.
pub(super) fn empty(units: &[Unit], graph: &Graph) -> Option<Joint> {
    let (at, notion) = graph.refined()?;
    let unit = graph.instances.get(at).and_then(|i| units.get(i.unit))?;
    Some(Joint {
        notion,
        refined: unit.machine.name.name.clone(),
        refined_variables: Vec::new(),
        refined_initialisations: Vec::new(),
        operations: Vec::new(),
        gluing: 0,
        kept: Vec::new(),
    })
}

/// The refinement's invariant, which may speak of the refined machine, but of none farther up.
pub(super) fn gluing(p: &Node, resolver: &mut Resolver<'_>) -> Option<Node> {
    let (told, left_out) = (resolver.notes.len(), resolver.typing.len());
    let kept = resolver.without_abstract(p.clone());
    let rest: Vec<Diagnostic> = resolver.notes.drain(told..).collect();
    for (note, part) in rest.into_iter().zip(resolver.typing.iter().skip(left_out)) {
        let text =
            "this speaks of a machine farther up than the refined one: what it means is not known here";
        let d = Diagnostic::error(Code::Unsupported, part.span, text);
        resolver.errors.push(Diagnostic { others: note.others, ..d });
    }
    kept
}

/// That an assertion is not looked at where pairs of states are.
pub(super) fn unasked_assertion(assertion: &Node) -> Diagnostic {
    let text = "not checked: this assertion, since the refinement alone is checked";
    Diagnostic::warning(Code::NotChecked, assertion.span, text)
        .with_help("`bsym check` looks at it in each state, as far as it speaks of no variable that is gone")
}

impl Flattener<'_> {
    fn by_traces(&self) -> bool {
        self.flat.joint.as_ref().is_some_and(|j| j.notion.is_of_labels())
    }

    /// Of preconditions that an operation of the main machine takes over: those that it is run under. By traces the
    /// refinement runs by itself.
    pub(super) fn asked(&self, pre: Vec<Node>) -> Vec<Node> {
        let sides = self.flat.joint.as_ref().filter(|_| self.by_traces()).map(|j| &j.refined_variables);
        let Some(sides) = sides else { return pre };
        let refined = |n: &Node| matches!(n.kind, NodeKind::Ref(Entity::Var(i)) if sides.get(i as usize) == Some(&true));
        let speaks = |p: &Node| {
            let mut todo = vec![p];
            while let Some(node) = todo.pop() {
                if refined(node) {
                    return true;
                }
                walk::children(node, &mut |child| todo.push(child));
            }
            false
        };
        pre.into_iter().filter(|p| !speaks(p)).collect()
    }

    /// Pairs the operations of the main machine with those of the refined one, and completes the gluing invariant.
    pub(super) fn pair(&mut self, refined: usize, declared: &Declared, exports: &Exports) {
        self.check_seen(refined);
        let offered = |at: usize| exports.operations.get(at).map_or(&[][..], Vec::as_slice);
        let (own, others) = (offered(0), offered(refined));
        let mut taken: BTreeSet<&Name> = BTreeSet::new();
        for op in own {
            let (target, local, pre) = self.told(op);
            let joint = match others.iter().find(|o| o.name == target) {
                Some(other) => {
                    taken.insert(&other.name);
                    self.paired(op, other, (local, pre))
                }
                None => self.silent(op.callable.index, &op.name, false),
            };
            self.flat.joint.iter_mut().for_each(|j| j.operations.extend(joint.clone()));
        }
        // By traces alone nothing has to be possible.
        let may_lack = self.flat.joint.as_ref().is_some_and(|j| j.notion == Notion::Traces);
        for other in others.iter().filter(|o| !may_lack && !taken.contains(&o.name)) {
            self.missing(refined, other);
        }
        let seen = self.offer_of(self.graph.seen().into_iter(), exports);
        self.check_calls(&seen);
        for index in seen {
            let name = self.flat.operations.get(index as usize).map(|o| o.name.name.clone());
            let joint = name.and_then(|name| self.silent(index, &name, true));
            self.flat.joint.iter_mut().for_each(|j| j.operations.extend(joint.clone()));
        }
        self.glue(refined, declared);
    }

    /// What the text says of an operation of the main machine: the name of the one it refines, whether it is its own, whether
    /// it has a precondition.
    fn told(&self, op: &Offered) -> (Name, bool, bool) {
        let clauses = self.graph.instances.first().and_then(|i| self.units.get(i.unit));
        let clauses = clauses.into_iter().flat_map(|u| &u.machine.clauses);
        let written = clauses.into_iter().find_map(|c| match &c.kind {
            ClauseKind::Operations(all) => all.iter().find(|o| o.name.span == op.callable.span),
            _ => None,
        });
        if let Some(o) = written {
            let target = o.refines.as_ref().map_or(&op.name, |r| &r.name);
            return (target.clone(), true, matches!(o.body.kind, SubstKind::Pre(..)));
        }
        let flat = self.flat.operations.get(op.callable.index as usize);
        let pre = flat.is_some_and(|o| matches!(o.body.kind, SubstKind::Pre(..)));
        (op.name.clone(), false, pre)
    }

    /// An operation that refines doing nothing.
    fn silent(&mut self, index: u32, name: &Name, outside: bool) -> Option<JointOperation> {
        let operation = self.flat.operations.get_mut(index as usize)?;
        operation.offered = true;
        Some(JointOperation { name: name.clone(), refined: None, own: index, gap: None, outside })
    }

    /// An operation with the one that it refines.
    fn paired(
        &mut self,
        own: &Offered,
        other: &Offered,
        (local, pre): (bool, bool),
    ) -> Option<JointOperation> {
        let operation = self.flat.operations.get(own.callable.index as usize)?.clone();
        let refined = self.flat.operations.get(other.callable.index as usize)?.clone();
        let lists = |o: &FlatOperation| (o.params.len(), o.results.len());
        if lists(&operation) != lists(&refined) {
            let text = format!("`{}` has other parameters or results in the refined machine", own.name);
            let d = Diagnostic::error(Code::WrongArity, operation.name.span, text);
            self.errors.push(d.with_other(refined.name.span, "the refined operation"));
            return None;
        }
        let asked = match &refined.body.kind {
            SubstKind::Pre(p, _) => {
                let from = (&refined.params[..], &refined.results[..]);
                let to = (&operation.params[..], &operation.results[..]);
                Some(renamed((**p).clone(), from, to))
            }
            _ => None,
        };
        // The refinement's own operation has taken the precondition over already.
        let body = match &asked {
            Some(asked) if !local && !self.by_traces() => within(vec![asked.clone()], operation.body.clone()),
            _ => operation.body.clone(),
        };
        let gap = (pre && !self.by_traces()).then(|| gap(asked, &operation)).flatten();
        let gap = gap.map(|gap| self.add(gap, &refined));
        let own_index = self.add(FlatOperation { body, offered: true, ..operation }, &refined);
        if let Some(o) = self.flat.operations.get_mut(other.callable.index as usize) {
            o.offered = true;
        }
        Some(JointOperation {
            name: own.name.clone(),
            refined: Some(other.callable.index),
            own: own_index,
            gap,
            outside: false,
        })
    }

    /// Adds an operation whose parameters and results have the types of another's.
    fn add(&mut self, operation: FlatOperation, typed: &FlatOperation) -> u32 {
        let index = u32::try_from(self.flat.operations.len()).unwrap_or(u32::MAX);
        self.flat.refined.push((index, typed.clone()));
        self.flat.operations.push(operation);
        index
    }

    fn missing(&mut self, refined: usize, other: &Offered) {
        let main = self.graph.instances.first();
        let Some(link) = main.and_then(|i| i.children.iter().find(|c| c.instance == refined)) else { return };
        let text =
            format!("the operation `{}` of the refined machine is not there in the refinement", other.name);
        let d = Diagnostic::error(Code::UnknownName, link.span, text);
        self.errors.push(d.with_other(other.callable.span, "declared here"));
    }

    /// A machine that the refined machine sees cannot change within the refinement.
    fn check_seen(&mut self, refined: usize) {
        let mut own = BTreeSet::new();
        kept::included(self.graph, 0, &mut own);
        let of_refined = |i: &super::graph::Instance| i.side == Side::Refined;
        let sees = self.graph.instances.iter().filter(|i| of_refined(i)).flat_map(|i| &i.children);
        let both =
            sees.filter(|c| c.link == Link::Sees && c.instance != refined && own.contains(&c.instance));
        let errors: Vec<Diagnostic> = both
            .map(|c| {
                let text = "a machine that is seen here and included by the refinement is not supported";
                Diagnostic::error(Code::Unsupported, c.span, text)
            })
            .collect();
        self.errors.extend(errors);
    }

    /// Operations that call one of a machine which is only seen, and which that changes: both sides see the same machine, so what one does to it
    /// cannot be told from what the other does.
    fn check_calls(&mut self, seen: &[u32]) {
        let all = &self.flat.operations;
        let changes = |call: &u32| all.get(*call as usize).is_some_and(|op| changes(&op.body, all));
        let changing: BTreeSet<u32> = seen.iter().copied().filter(changes).collect();
        let mut errors: BTreeMap<Span, Diagnostic> = BTreeMap::new();
        let callers = (0u32..).zip(all).filter(|(index, _)| !seen.contains(index));
        for part in callers.flat_map(|(_, op)| walk::substitutions(&op.body)) {
            let SubstKind::Call { name, target: Some(target), .. } = &part.kind else { continue };
            let Some(called) = all.get(*target as usize).filter(|_| changing.contains(target)) else {
                continue;
            };
            let text =
                format!("`{}` changes a machine that is only seen: not supported in refinements", name.name);
            let d = Diagnostic::error(Code::Unsupported, name.span, text)
                .with_other(called.name.span, "declared here")
                .with_help("a machine that is changed is included or imported");
            errors.insert(name.span, d);
        }
        self.errors.extend(errors.into_values());
    }

    /// The gluing invariant: what the refinement says, and that what is kept is the same on both sides.
    fn glue(&mut self, refined: usize, declared: &Declared) {
        let own = kept::visible(self.graph, 0, declared);
        let mut kept = Vec::new();
        for (name, meaning) in kept::visible(self.graph, refined, declared) {
            let Some((_, mine)) = own.iter().find(|(n, _)| *n == name) else { continue };
            let (Meaning::Entity(a), Meaning::Entity(b)) = (mine, &meaning) else { continue };
            if a == b || kept.iter().any(|(n, _)| *n == name) {
                continue;
            }
            let span = self.place(mine).unwrap_or_default();
            let side = |e| Node { kind: NodeKind::Ref(e), span };
            let equation = Node { kind: NodeKind::Op(Op::Eq, vec![side(*a), side(*b)]), span };
            kept.push((name, equation));
        }
        let Some(joint) = &mut self.flat.joint else { return };
        joint.kept = kept.iter().map(|(name, _)| format!("{name} = {}.{name}", joint.refined)).collect();
        self.gluing.extend(kept.into_iter().map(|(_, equation)| equation));
        joint.gluing = self.gluing.iter().map(conjuncts).sum();
        self.flat.invariants.append(&mut self.gluing);
    }

    fn place(&self, meaning: &Meaning) -> Option<Span> {
        match meaning {
            Meaning::Entity(Entity::Var(i)) => self.flat.variables.get(*i as usize).map(|d| d.name.span),
            _ => None,
        }
    }
}

/// Whether a substitution assigns variables, or calls what does.
fn changes(subst: &Subst, all: &[FlatOperation]) -> bool {
    let is_variable = |t: &Node| matches!(formula::root(t).kind, NodeKind::Ref(Entity::Var(_)));
    let (mut todo, mut called) = (vec![subst], BTreeSet::new());
    while let Some(body) = todo.pop() {
        for part in walk::substitutions(body) {
            match &part.kind {
                SubstKind::Assign(targets, _)
                | SubstKind::BecomesIn(targets, _)
                | SubstKind::BecomesSuch(targets, _)
                | SubstKind::Call { results: targets, .. }
                    if targets.iter().any(is_variable) =>
                {
                    return true;
                }
                SubstKind::Call { target: Some(target), .. } if called.insert(*target) => {
                    todo.extend(all.get(*target as usize).map(|op| &op.body));
                }
                _ => {}
            }
        }
    }
    false
}

/// How many conjuncts a predicate is split into.
fn conjuncts(node: &Node) -> usize {
    match &node.kind {
        NodeKind::And(all) => all.iter().map(conjuncts).sum(),
        _ => 1,
    }
}

/// An operation that is possible where the refined precondition holds and an operation's own does not.
fn gap(asked: Option<Node>, operation: &FlatOperation) -> Option<FlatOperation> {
    let SubstKind::Pre(own, _) = &operation.body.kind else { return None };
    let own = without_results((**own).clone(), &operation.results)?;
    let span = own.span;
    let refused = Node { kind: NodeKind::Not(Box::new(own)), span };
    let asked = asked.and_then(|a| without_results(a, &operation.results));
    let p = formula::conjunction(asked.into_iter().chain([refused]).collect())?;
    let skip = Subst { kind: SubstKind::Skip, span };
    let body = Subst { kind: SubstKind::Pre(Box::new(p), Box::new(skip)), span };
    Some(FlatOperation { body, results: Vec::new(), offered: true, ..operation.clone() })
}

/// A precondition without the conjuncts that tell the types of results.
fn without_results(p: Node, results: &[Ident]) -> Option<Node> {
    let mut parts = Vec::new();
    formula::conjuncts(p, &mut parts);
    let is_result = |n: &Node| matches!(&n.kind, NodeKind::Name(n) if results.iter().any(|r| r.name == *n));
    let tells = |n: &Node| matches!(&n.kind, NodeKind::Op(Op::In | Op::Subset, args) if args.first().is_some_and(is_result));
    parts.retain(|p| !tells(p));
    formula::conjunction(parts)
}
