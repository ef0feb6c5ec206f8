//! What an operation of a refinement takes over from the operations it refines.
//!
//! In: an operation, the refined machines' texts. Out: preconditions that speak of nothing that is gone, to be
//! asked before the operation's own; the refined operations, for the types of parameters and results. What a
//! precondition says of variables that are gone is left to a refinement check, with a note, but for what follows from it without
//! them (`wider`).

use super::flat::FlatOperation;
use super::flatten::Flattener;
use super::formula::{self, Resolver};
use super::graph::{Child, Link};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{
    ClauseKind, Ident, Machine, MachineKind, Name, Node, NodeKind, Operation, Subst, SubstKind,
};
use crate::syntax::walk;

/// What stands behind an operation.
#[derive(Debug, Default)]
pub(super) struct Behind {
    /// Preconditions in the names of the refining operation, those of the first machine first.
    pub(super) pre: Vec<Node>,
    /// Refined operations with as many parameters and results.
    pub(super) typing: Vec<FlatOperation>,
}

impl Behind {
    /// The same in the names that another operation has for parameters and results.
    fn renamed(mut self, from: &Operation, to: &Operation) -> Self {
        let (from, to) = ((&from.params[..], &from.results[..]), (&to.params[..], &to.results[..]));
        self.pre = self.pre.into_iter().map(|p| renamed(p, from, to)).collect();
        self
    }
}

impl<'a> Flattener<'a> {
    /// What stands behind an operation of an instance; notes and errors go where they belong.
    pub(super) fn behind(&mut self, at: usize, operation: &Operation) -> Behind {
        let graph = self.graph;
        let Some(instance) = graph.instances.get(at) else { return Behind::default() };
        if let Some(specified) = self.specified(at, operation) {
            return self.behind_local(at, operation, specified);
        }
        let Some(child) = instance.children.iter().find(|c| c.link == Link::Refines) else {
            return Behind::default();
        };
        let name = operation.refines.as_ref().unwrap_or(&operation.name);
        let Some((place, refined)) = self.written(child.instance, &name.name) else {
            self.not_refined(child, name);
            return Behind::default();
        };
        if refined.params.len() != operation.params.len() || refined.results.len() != operation.results.len()
        {
            let text = format!("`{}` has other parameters or results in the refined machine", name.name);
            let d = Diagnostic::error(Code::WrongArity, operation.name.span, text);
            self.errors.push(d.with_other(refined.name.span, "the refined operation"));
            return Behind::default();
        }
        let mut behind = self.behind(place, refined);
        self.take_over(place, refined, &mut behind);
        behind.renamed(refined, operation)
    }

    /// The operation of `LOCAL_OPERATIONS` that one of OPERATIONS writes out.
    fn specified(&self, at: usize, operation: &Operation) -> Option<&'a Operation> {
        let (graph, units) = (self.graph, self.units);
        let clauses = &units.get(graph.instances.get(at)?.unit)?.machine.clauses;
        clauses.iter().find_map(|c| match &c.kind {
            ClauseKind::LocalOperations(all) => all.iter().find(|o| o.name.name == operation.name.name),
            _ => None,
        })
    }

    /// What a specification in `LOCAL_OPERATIONS` asks of those who call; whether what is written out does what it says is not
    /// looked at.
    fn behind_local(&mut self, at: usize, operation: &Operation, specified: &Operation) -> Behind {
        let (name, place) = (&operation.name, specified.name.span);
        let shape = |o: &Operation| (o.params.len(), o.results.len());
        if shape(operation) != shape(specified) {
            let text = format!("`{}` has other parameters or results in LOCAL_OPERATIONS", name.name);
            self.errors.push(Diagnostic::error(Code::WrongArity, name.span, text).with_other(place, "there"));
            return Behind::default();
        }
        let text = format!("not checked: that `{}` does what LOCAL_OPERATIONS says of it", name.name);
        let d = Diagnostic::warning(Code::NotChecked, name.span, text)
            .with_other(place, "its precondition is asked wherever it is called");
        self.flat.notes.push(d);
        let mut behind = Behind::default();
        self.take_over(at, specified, &mut behind);
        behind.renamed(specified, operation)
    }

    /// Says what is specified in `LOCAL_OPERATIONS` and written out nowhere.
    pub(super) fn check_local(&mut self, at: usize, specified: &Operation) {
        let unit = self.graph.instances.get(at).and_then(|i| self.units.get(i.unit));
        let is_written = unit.into_iter().flat_map(|u| &u.machine.clauses).any(|c| match &c.kind {
            ClauseKind::Operations(all) => all.iter().any(|o| o.name.name == specified.name.name),
            _ => false,
        });
        if !is_written {
            let text = format!("not checked: what `{}` does: it is not written out", specified.name.name);
            let d = Diagnostic::warning(Code::NotChecked, specified.name.span, text)
                .with_label("it runs as LOCAL_OPERATIONS specifies it; OPERATIONS has no such operation");
            self.flat.notes.push(d);
        }
    }

    fn not_refined(&mut self, child: &Child, name: &Ident) {
        let unit = self.graph.instances.get(child.instance).and_then(|i| self.units.get(i.unit));
        let machine = unit.map_or("", |u| &*u.machine.name.name);
        let text = format!("`{}` is no operation of the refined machine `{machine}`", name.name);
        let d = Diagnostic::note(Code::Ignored, name.span, text)
            .with_label("no precondition is taken over for it");
        self.flat.notes.push(d);
    }

    /// The operation that an instance offers under a name, with the instance that declares it.
    fn written(&self, at: usize, name: &str) -> Option<(usize, &'a Operation)> {
        let (graph, units) = (self.graph, self.units);
        let instance = graph.instances.get(at)?;
        let clauses = &units.get(instance.unit)?.machine.clauses;
        let own = clauses.iter().find_map(|c| match &c.kind {
            ClauseKind::Operations(all) => all.iter().find(|o| *o.name.name == *name),
            _ => None,
        });
        if let Some(own) = own {
            return Some((at, own));
        }
        let promoted = clauses.iter().any(
            |c| matches!(&c.kind, ClauseKind::Promotes(names) if names.iter().any(|n| *n.name == *name)),
        );
        instance.children.iter().find_map(|child| {
            let shown = child.link == Link::Extends || (child.link == Link::Includes && promoted);
            let inner = match &child.prefix {
                Some(prefix) => name.strip_prefix(&**prefix)?.strip_prefix('.')?,
                None => name,
            };
            if shown { self.written(child.instance, inner) } else { None }
        })
    }

    /// Resolves a refined operation where it stands and adds what it says.
    fn take_over(&mut self, at: usize, refined: &Operation, behind: &mut Behind) {
        let Some((scope, _)) = self.scopes.get(at).and_then(Option::as_ref) else { return };
        let Some(unit) = self.graph.instances.get(at).and_then(|i| self.units.get(i.unit)) else { return };
        let mut resolver = unit.resolver(scope);
        resolver.only_types = true;
        let mark = resolver.bind(&refined.params, false);
        resolver.bind(&refined.results, true);
        if let SubstKind::Pre(p, _) = &refined.body.kind {
            behind.pre.extend(resolver.taken_over((**p).clone(), &self.flat.typing));
        }
        let body = resolver.subst(refined.body.clone());
        resolver.unbind(mark);
        behind.typing.push(FlatOperation {
            name: refined.name.clone(),
            results: refined.results.clone(),
            params: refined.params.clone(),
            body,
            offered: false,
            span: refined.span,
        });
        let Resolver { mut errors, mut notes, .. } = resolver;
        self.errors.append(&mut errors);
        self.flat.notes.append(&mut notes);
    }
}

/// What the note on a precondition says that speaks of variables which are gone: it is left to the refinement check.
pub const UNASKED: &str = "this precondition is not asked of the refinement's operation";

/// That a machine refines another is what its file says, and more than its own properties.
#[must_use]
pub fn not_checked(refined: &Ident, why: Option<&str>) -> Diagnostic {
    let text = format!("not checked: that this refines `{}`", refined.name);
    match why {
        Some(why) => Diagnostic::warning(Code::NotChecked, refined.span, format!("{text}: {why}")),
        None => Diagnostic::warning(Code::NotChecked, refined.span, text)
            .with_help("`bsym refine` checks it, and `bsym check` without `--no-refinement`"),
    }
}

/// What there is to say of a refinement or implementation that does not say what it refines.
pub(super) fn refines_nothing(machine: &Machine) -> Option<Diagnostic> {
    let asked = matches!(machine.kind, MachineKind::Refinement | MachineKind::Implementation);
    (asked && machine.refines.is_none()).then(|| {
        let text = "not checked: that this refines a machine: it has no clause REFINES";
        Diagnostic::warning(Code::NotChecked, machine.name.span, text)
    })
}

/// That parameters which a refinement rules out are not looked at: they are chosen by whoever uses the refined machine.
pub(super) fn constrained(kind: MachineKind, clause: &ClauseKind) -> Option<Diagnostic> {
    let ClauseKind::Constraints(constraints) = clause else { return None };
    matches!(kind, MachineKind::Refinement | MachineKind::Implementation).then(|| {
        let text = "not checked: parameters for which this is false";
        Diagnostic::warning(Code::NotChecked, constraints.span, text)
            .with_help("a refinement has the parameters of the refined machine; leave CONSTRAINTS to that")
    })
}

/// The body of an operation under preconditions that come before its own.
pub(super) fn within(pre: Vec<Node>, body: Subst) -> Subst {
    let span = body.span;
    let (own, inner) = match body.kind {
        SubstKind::Pre(p, s) if !pre.is_empty() => (Some(*p), *s),
        kind => (None, Subst { kind, span }),
    };
    match formula::conjunction(pre.into_iter().chain(own).collect()) {
        Some(p) => Subst { kind: SubstKind::Pre(Box::new(p), Box::new(inner)), span },
        None => inner,
    }
}

/// A precondition in the names of other parameters and results, of which there are as many. Variables that it binds get names that
/// nobody can write where they would be taken for these.
pub(super) fn renamed(pre: Node, from: (&[Ident], &[Ident]), to: (&[Ident], &[Ident])) -> Node {
    let pairs = from.0.iter().zip(to.0).chain(from.1.iter().zip(to.1));
    let map: Vec<(Name, Name)> =
        pairs.filter(|(a, b)| a.name != b.name).map(|(a, b)| (a.name.clone(), b.name.clone())).collect();
    if map.is_empty() { pre } else { rename(pre, &map) }
}

fn rename(mut node: Node, map: &[(Name, Name)]) -> Node {
    if let NodeKind::Name(name) = &mut node.kind {
        if let Some((_, new)) = map.iter().find(|(old, _)| old == name) {
            *name = new.clone();
        }
        return node;
    }
    let mut inner = Vec::new();
    for ident in walk::bound_mut(&mut node) {
        if map.iter().any(|(old, new)| *old == ident.name || *new == ident.name) {
            let new: Name = format!("{}'", ident.name).into();
            inner.push((std::mem::replace(&mut ident.name, new.clone()), new));
        }
    }
    // What is bound here comes before what has the same name outside.
    inner.extend(map.iter().cloned());
    walk::map_children(node, &mut |child| rename(child, &inner))
}
