//! Names of a formula resolved.
//!
//! In: a formula without definitions, and the scope of its machine. Out: the formula with references;
//! a name that remains is bound around it. Unknown names are reported with the nearest known one.

use super::foreign;
use super::misread;
use super::refinement::UNASKED;
use super::scope::{Meaning, Scope};
use super::wider::wider;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::source::Span;
use crate::syntax::ast::{Entity, Ident, Name, Node, NodeKind, Table};
use crate::syntax::table::spelled;
use crate::syntax::{late_operators, walk};
use crate::ty::SetId;
use std::collections::BTreeMap;

/// The pass over the formulas and substitutions of one machine.
#[derive(Debug)]
pub(super) struct Resolver<'a> {
    pub(super) scope: &'a Scope,
    /// Places of definition bodies with the place of their first use.
    pub(super) uses: &'a BTreeMap<Span, Span>,
    /// Names of the machine's definitions, for advice.
    pub(super) definitions: Vec<&'a str>,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) notes: Vec<Diagnostic>,
    /// Names bound around the place at hand; true if they may be assigned.
    pub(super) locals: Vec<(Name, bool)>,
    /// Where `x$0` has a meaning, how many of these are bound outside: it is no name that is bound inside.
    pub(super) outside: Option<usize>,
    /// Places of variables of refined machines that are gone, met since last asked.
    pub(super) abstracts: Vec<Ident>,
    /// Predicates about variables that are gone, for the types they tell.
    pub(super) typing: Vec<Node>,
    /// Whether the text at hand only tells types: what is gone is no mistake, calls are no business of it.
    pub(super) only_types: bool,
}

/// What speaks of a variable that is gone.
#[derive(Clone, Copy, Debug)]
enum Gone {
    /// A property of the refinement, which can be false.
    Property,
    /// A precondition that the refined operation asks for.
    Precondition,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(scope: &'a Scope, uses: &'a BTreeMap<Span, Span>, definitions: Vec<&'a str>) -> Self {
        Self {
            scope,
            uses,
            definitions,
            errors: Vec::new(),
            notes: Vec::new(),
            locals: Vec::new(),
            outside: None,
            abstracts: Vec::new(),
            typing: Vec::new(),
            only_types: false,
        }
    }

    /// Resolves a formula that must not mention variables of a refined machine.
    pub(super) fn formula(&mut self, node: Node) -> Node {
        let node = self.node(node);
        self.refuse_abstract();
        node
    }

    /// Resolves a predicate; conjuncts that mention variables of a refined machine are left out with a
    /// note. `None` if nothing is left.
    pub(super) fn without_abstract(&mut self, node: Node) -> Option<Node> {
        conjunction(self.split(node, Some(Gone::Property)))
    }

    /// The conjuncts of a precondition of a refined machine that speak of nothing that is gone, and what follows from the others
    /// by what is `known` of what is gone; each of these has a note.
    pub(super) fn taken_over(&mut self, pre: Node, known: &[Node]) -> Vec<Node> {
        let mut kept = self.split(pre, Some(Gone::Precondition));
        kept.extend(self.typing.drain(..).filter_map(|p| wider(&p, known)));
        kept
    }

    /// The conjuncts that hold in the refinement too of the invariant of a refined machine.
    pub(super) fn kept_invariant(&mut self, invariant: Node) -> Vec<Node> {
        self.split(invariant, None)
    }

    /// Resolves a predicate: the conjuncts without variables that are gone. The others tell types; each may get a note.
    fn split(&mut self, node: Node, note: Option<Gone>) -> Vec<Node> {
        misread::warnings(&node, &mut self.notes);
        let mut parts = Vec::new();
        conjuncts(node, &mut parts);
        let mut kept = Vec::with_capacity(parts.len());
        for part in parts {
            let span = part.span;
            let part = self.node(part);
            let Some(first) = std::mem::take(&mut self.abstracts).into_iter().next() else {
                kept.push(part);
                continue;
            };
            if let Some(what) = note {
                let d = match what {
                    Gone::Property => {
                        let text = "not checked: this predicate speaks of the refined machine";
                        Diagnostic::warning(Code::NotChecked, span, text)
                    }
                    Gone::Precondition => Diagnostic::note(Code::Ignored, span, UNASKED)
                        .with_help("so it is called where nobody may call it, perhaps without end; `bsym refine` calls it where they may"),
                };
                let other = format!("`{}` is a variable of the refined machine", first.name);
                self.notes.push(d.with_other(first.span, other));
            }
            self.typing.push(part);
        }
        kept
    }

    /// Reports variables of a refined machine met since the last call.
    pub(super) fn refuse_abstract(&mut self) {
        if self.only_types {
            return self.abstracts.clear();
        }
        for ident in std::mem::take(&mut self.abstracts) {
            let text = format!("`{}` is a variable of the refined machine", ident.name);
            let d = Diagnostic::error(Code::NotVisible, ident.span, text)
                .with_help("a refinement uses its own variables; declare it there to keep it");
            self.report(d);
        }
    }

    /// Adds an error; one in the body of a definition also shows a use.
    pub(super) fn report(&mut self, d: Diagnostic) {
        let inside = |body: &Span| d.span.is_some_and(|s| body.contains(s));
        let usage = self
            .uses
            .iter()
            .filter(|(body, _)| inside(body))
            .min_by_key(|(body, _)| body.hi - body.lo)
            .map(|(_, usage)| *usage);
        self.errors.push(match usage {
            Some(usage) => d.with_other(usage, "in a definition used here"),
            None => d,
        });
    }

    pub(super) fn bind(&mut self, names: &[Ident], assignable: bool) -> usize {
        let mark = self.locals.len();
        for (i, ident) in names.iter().enumerate() {
            if let Some(first) = names.iter().take(i).find(|n| n.name == ident.name) {
                self.errors.push(super::scope::clash(&ident.name, ident.span, first.span));
            }
            self.locals.push((ident.name.clone(), assignable));
        }
        mark
    }

    pub(super) fn unbind(&mut self, mark: usize) {
        self.locals.truncate(mark);
    }

    /// Whether the name is bound around this place, and if so whether it may be assigned.
    pub(super) fn local(&self, name: &str) -> Option<bool> {
        self.locals.iter().rev().find(|(n, _)| **n == *name).map(|(_, assignable)| *assignable)
    }

    /// Resolves a formula.
    pub(super) fn node(&mut self, node: Node) -> Node {
        if walk::is_literal(&node) {
            return node;
        }
        let span = node.span;
        let node = match node.kind {
            NodeKind::Name(name) => self.name(name, span),
            NodeKind::Old(of) => self.old(*of, span),
            NodeKind::Apply(f, args) => match f.kind {
                NodeKind::Name(name) => self.apply(name, f.span, args, span),
                _ => self.generic(Node { kind: NodeKind::Apply(f, args), span }),
            },
            NodeKind::Let(equations, body) => {
                let mark = self.locals.len();
                let mut out = Vec::with_capacity(equations.len());
                for (ident, value) in equations {
                    let value = self.node(value);
                    self.locals.push((ident.name.clone(), false));
                    out.push((ident, value));
                }
                let body = Box::new(self.node(*body));
                self.unbind(mark);
                Node { kind: NodeKind::Let(out, body), span }
            }
            NodeKind::Table(mut table) => match self.elements(&table) {
                Some(elements) => {
                    table.elements = elements.into();
                    Node { kind: NodeKind::Table(table), span }
                }
                None => self.node(Node { span, ..spelled(&table) }),
            },
            kind => self.generic(Node { kind, span }),
        };
        self.notes.extend(misread::warning(&node));
        node
    }

    /// The elements that the names of a table mean; `None` if some means anything else, or not all names of a column are
    /// of one set.
    fn elements(&self, table: &Table) -> Option<Vec<(SetId, u32)>> {
        let element = |ident: &Ident| match self.scope.get(&ident.name).map(|n| &n.meaning) {
            Some(Meaning::Entity(Entity::Element(set, i))) if self.local(&ident.name).is_none() => {
                Some((*set, *i))
            }
            _ => None,
        };
        let elements: Vec<(SetId, u32)> = table.rows.names.iter().map(element).collect::<Option<_>>()?;
        let set = |name: &u32| elements.get(*name as usize).map(|(set, _)| *set);
        let one = |column: &Vec<u32>| {
            column
                .first()
                .and_then(set)
                .is_some_and(|first| column.iter().all(|name| set(name) == Some(first)))
        };
        table.rows.columns.iter().all(one).then_some(elements)
    }

    fn generic(&mut self, node: Node) -> Node {
        let names: Vec<Ident> = walk::bound(&node).into_iter().cloned().collect();
        let mark = self.bind(&names, false);
        let node = walk::map_children(node, &mut |n| self.node(n));
        self.unbind(mark);
        node
    }

    /// `x$0`.
    fn old(&mut self, of: Node, span: Span) -> Node {
        let Some(outside) = self.outside else {
            let text = "`$0` means the value before, in `x : (P)` and in loop invariants only";
            self.report(
                Diagnostic::error(Code::Unsupported, span, text).with_help("write the variable itself"),
            );
            return Node { kind: NodeKind::Error, span };
        };
        let of = match of.kind {
            NodeKind::Name(name) => {
                let inside = self.locals.split_off(outside.min(self.locals.len()));
                let of = self.name(name, of.span);
                self.locals.extend(inside);
                of
            }
            kind => self.node(Node { kind, span: of.span }),
        };
        Node { kind: NodeKind::Old(Box::new(of)), span }
    }

    /// Resolves a formula in which `x$0` has a meaning.
    pub(super) fn with_old<T>(&mut self, resolve: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.outside.replace(self.locals.len());
        let resolved = resolve(self);
        self.outside = outside;
        resolved
    }

    fn name(&mut self, name: Name, span: Span) -> Node {
        if self.local(&name).is_some() {
            return Node { kind: NodeKind::Name(name), span };
        }
        let kind = match self.scope.get(&name).map(|n| &n.meaning) {
            Some(Meaning::Entity(entity)) => {
                if let Entity::Gone(_) = entity {
                    self.abstracts.push(Ident { name: name.clone(), span });
                }
                NodeKind::Ref(*entity)
            }
            // The actual parameter keeps its own place: errors in it belong to the including machine.
            Some(Meaning::Actual(node)) => return node.clone(),
            None => {
                if let [(0, op)] = late_operators(&name) {
                    NodeKind::Op(*op, Vec::new())
                } else {
                    self.unknown(&name, span);
                    NodeKind::Error
                }
            }
        };
        Node { kind, span }
    }

    fn apply(&mut self, name: Name, head: Span, args: Vec<Node>, span: Span) -> Node {
        let known = self.local(&name).is_some() || self.scope.get(&name).is_some();
        let args: Vec<Node> = args.into_iter().map(|a| self.node(a)).collect();
        if !known && self.scope.externals.contains(&name) {
            let f = Box::new(Node { kind: NodeKind::Name(name), span: head });
            return Node { kind: NodeKind::Apply(f, args), span };
        }
        let late = late_operators(&name);
        if !known && !late.is_empty() && self.scope.call(&name).is_none() {
            if let Some((_, op)) = late.iter().find(|(n, _)| *n == args.len()) {
                return Node { kind: NodeKind::Op(*op, args), span };
            }
            let wanted = late.iter().map(|(n, _)| n.to_string()).collect::<Vec<_>>().join(" or ");
            let text = format!("`{name}` takes {wanted} arguments, not {}", args.len());
            self.report(Diagnostic::error(Code::WrongArity, head, text));
            return Node { kind: NodeKind::Error, span };
        }
        let f = Box::new(self.name(name, head));
        Node { kind: NodeKind::Apply(f, args), span }
    }

    /// What an unknown name means in other languages.
    fn meant(&self, name: &str) -> Option<String> {
        let mut known = self.locals.iter().map(|(n, _)| &**n).chain(self.scope.known());
        if let Some(help) = foreign::meant(name)
            && !known.any(|n| n.eq_ignore_ascii_case(name))
        {
            return Some(help.to_owned());
        }
        let (record, field) = name.split_once('.')?;
        let known = self.local(record).is_some() || self.scope.get(record).is_some();
        known.then(|| format!("a field of a record is written `{record}'{field}`"))
    }

    fn unknown(&mut self, name: &str, span: Span) {
        if self.scope.call(name).is_some() {
            let text = format!("the operation `{name}` is used as an expression");
            self.report(Diagnostic::error(Code::Unsupported, span, text));
            return;
        }
        let d = Diagnostic::error(Code::UnknownName, span, format!("`{name}` is declared nowhere"))
            .with_label("unknown name");
        let d = match self.meant(name) {
            Some(help) => return self.report(d.with_help(help)),
            None => d,
        };
        let locals = self.locals.iter().rev().map(|(n, _)| &**n);
        let all = locals.chain(self.scope.known()).chain(self.definitions.iter().copied());
        let near = suggest::nearest(name, all).map(|n| format!("did you mean `{n}`?"));
        self.report(match near {
            Some(help) => d.with_help(help),
            None => d,
        });
    }

    /// The variable or local that a target assigns to.
    pub(super) fn check_target(&mut self, target: &Node) {
        let root = root(target);
        let (what, other) = match &root.kind {
            NodeKind::Name(name) => match self.local(name) {
                Some(false) => (format!("`{name}` is a local that cannot change"), None),
                _ => return,
            },
            NodeKind::Ref(Entity::Var(_) | Entity::Gone(_)) | NodeKind::Error => return,
            NodeKind::Ref(_) => ("only variables can be assigned".to_owned(), None),
            _ => ("this is no variable".to_owned(), Some("a target is `x`, `f(a)` or `r'field`")),
        };
        let d = Diagnostic::error(Code::NotAssignable, root.span, what).with_label("not assignable");
        self.report(match other {
            Some(help) => d.with_help(help),
            None => d,
        });
    }

    /// Resolves an assignment target.
    pub(super) fn target(&mut self, target: Node) -> Node {
        let named = match &root(&target).kind {
            NodeKind::Name(name) if self.local(name).is_none() => self.scope.get(name).cloned(),
            _ => None,
        };
        let place = root(&target).span;
        let target = self.node(target);
        match named {
            _ if self.only_types => {}
            Some(n) if matches!(n.meaning, Meaning::Entity(Entity::Var(_))) && !n.own => {
                let text = format!("`{}` belongs to another machine", n.name);
                let d = Diagnostic::error(Code::NotAssignable, place, text)
                    .with_other(n.span, "declared here")
                    .with_help("variables of other machines change only by calls of their operations");
                self.report(d);
            }
            _ => self.check_target(&target),
        }
        target
    }
}

/// The innermost function or record of a target.
pub(super) fn root(node: &Node) -> &Node {
    match &node.kind {
        NodeKind::Apply(f, _) => root(f),
        NodeKind::Field(r, _) => root(r),
        _ => node,
    }
}

/// All of some predicates as one; `None` if there is none.
pub(super) fn conjunction(mut parts: Vec<Node>) -> Option<Node> {
    let (first, last) = (parts.first()?.span, parts.last()?.span);
    if parts.len() == 1 {
        return parts.pop();
    }
    Some(Node { kind: NodeKind::And(parts), span: last.to(first) })
}

/// The conjuncts of a predicate, in the order of the text.
pub(super) fn conjuncts(node: Node, out: &mut Vec<Node>) {
    match node.kind {
        NodeKind::And(all) => all.into_iter().for_each(|part| conjuncts(part, out)),
        kind => out.push(Node { kind, span: node.span }),
    }
}
