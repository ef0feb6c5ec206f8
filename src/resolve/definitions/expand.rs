//! Definitions put in place of their uses, in formulas.
//!
//! In: a formula as written. Out: the same without uses of definitions. Replacement is on trees: the
//! body is expanded with its formal parameters standing for actual trees that are expanded already. A
//! binder hides a definition or parameter of its name; names of the body may be captured by binders
//! around the use, as the language has it.

use super::{Def, Definitions, External, external};
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Op;
use crate::source::Span;
use crate::syntax::ast::{DefBody, Ident, Name, Node, NodeKind, Table};
use crate::syntax::table::spelled;
use crate::syntax::walk;
use std::collections::BTreeMap;

/// Nodes that expansion may build before it is given up: definitions can double at every step.
const MOST_NODES: usize = 5_000_000;

/// What names mean at one place, besides definitions.
#[derive(Clone, Debug, Default)]
pub(super) struct Env {
    formals: BTreeMap<Name, Node>,
    hidden: Vec<Name>,
}

impl Env {
    /// Formal parameters with what they stand for.
    pub(super) fn of(params: &[Ident], args: Vec<Node>) -> Self {
        let formals = params.iter().map(|p| p.name.clone()).zip(args).collect();
        Self { formals, hidden: Vec::new() }
    }

    pub(super) fn is_hidden(&self, name: &str) -> bool {
        self.hidden.iter().any(|h| **h == *name)
    }

    pub(super) fn formal(&self, name: &str) -> Option<&Node> {
        if self.is_hidden(name) { None } else { self.formals.get(name) }
    }

    /// Hides names until [`Env::show`] is called with the mark returned here.
    pub(super) fn hide(&mut self, names: &[Ident]) -> usize {
        let mark = self.hidden.len();
        self.hidden.extend(names.iter().map(|n| n.name.clone()));
        mark
    }

    pub(super) fn show(&mut self, mark: usize) {
        self.hidden.truncate(mark);
    }
}

/// The pass over one machine.
#[derive(Debug)]
pub(super) struct Expander<'a> {
    pub(super) defs: &'a Definitions,
    pub(super) errors: Vec<Diagnostic>,
    /// Places of bodies with the place of their first use.
    pub(super) uses: BTreeMap<Span, Span>,
    active: Vec<(Name, Span)>,
    built: usize,
    given_up: bool,
}

impl<'a> Expander<'a> {
    pub(super) fn new(defs: &'a Definitions) -> Self {
        Self {
            defs,
            errors: Vec::new(),
            uses: BTreeMap::new(),
            active: Vec::new(),
            built: 0,
            given_up: false,
        }
    }

    /// Starts the expansion of a use; false if it cannot be expanded (reported).
    pub(super) fn enter(&mut self, def: &Def, usage: Span) -> bool {
        if let Some(first) = self.active.iter().position(|(n, _)| *n == def.name.name) {
            let text = format!("the definition `{}` uses itself", def.name.name);
            let mut d = Diagnostic::error(Code::DefinitionCycle, def.name.span, text);
            for (name, span) in self.active.iter().skip(first + 1) {
                d = d.with_other(*span, format!("by way of `{name}`"));
            }
            self.errors.push(d.with_other(usage, "used again here"));
            return false;
        }
        if self.too_large(usage) {
            return false;
        }
        self.active.push((def.name.name.clone(), usage));
        true
    }

    /// Whether expansion has built too much already; reported once.
    fn too_large(&mut self, usage: Span) -> bool {
        if self.built <= MOST_NODES {
            return false;
        }
        if !self.given_up {
            self.given_up = true;
            let span = self.active.first().map_or(usage, |(_, first)| *first);
            let text = "the definitions used here grow too large when expanded";
            self.errors.push(Diagnostic::error(Code::TooLarge, span, text));
        }
        true
    }

    pub(super) fn leave(&mut self) {
        self.active.pop();
    }

    /// Reports a definition that cannot be used as it is.
    pub(super) fn wrong_kind(&mut self, def: &Def, usage: Span, needed: &str) {
        let text = format!("the definition `{}` stands for no {needed}", def.name.name);
        let d = Diagnostic::error(Code::MixedKinds, usage, text)
            .with_label(format!("{needed} needed here"))
            .with_other(def.name.span, "defined here");
        self.errors.push(d);
    }

    /// Reports the body that could not be read.
    pub(super) fn unreadable(&mut self, error: &Diagnostic, usage: Span) {
        self.errors.push(error.clone().with_other(usage, "used here"));
    }

    /// Whether the number of arguments fits; reported if not.
    pub(super) fn fits(&mut self, def: &Def, given: usize, usage: Span) -> bool {
        if def.params.len() == given {
            return true;
        }
        let text = format!(
            "the definition `{}` takes {}, not {given}",
            def.name.name,
            super::super::words::arguments(def.params.len()),
        );
        let d = Diagnostic::error(Code::WrongArity, usage, text).with_other(def.name.span, "defined here");
        self.errors.push(d);
        false
    }

    /// Expands a formula.
    pub(super) fn node(&mut self, node: Node, env: &mut Env) -> Node {
        self.built += 1;
        if walk::is_literal(&node) {
            return node;
        }
        let span = node.span;
        match node.kind {
            NodeKind::Name(name) => self.name(name, span, env),
            NodeKind::Apply(f, args) => match f.kind {
                NodeKind::Name(name) => self.apply(name, f.span, args, span, env),
                _ => walk::map_children(Node { kind: NodeKind::Apply(f, args), span }, &mut |n| {
                    self.node(n, env)
                }),
            },
            NodeKind::Let(equations, body) => self.let_in(equations, *body, span, env),
            NodeKind::Table(table) if self.concerns(&table, env) => {
                self.node(Node { span, ..spelled(&table) }, env)
            }
            kind => self.generic(Node { kind, span }, env),
        }
    }

    /// Whether a name of a table is a definition or a parameter.
    fn concerns(&self, table: &Table, env: &Env) -> bool {
        let concerns = |name: &Name| {
            !env.is_hidden(name) && (env.formal(name).is_some() || self.defs.get(name).is_some())
        };
        table.rows.names.iter().any(|ident| concerns(&ident.name))
    }

    /// A node that is no use of a definition; it may bind names.
    fn generic(&mut self, mut node: Node, env: &mut Env) -> Node {
        let mut mark = None;
        if let NodeKind::Compr(x, _)
        | NodeKind::EventCompr(x, _, _)
        | NodeKind::LetWhere(x, _, _)
        | NodeKind::Lambda(x, _, _)
        | NodeKind::Forall(x, _)
        | NodeKind::Exists(x, _)
        | NodeKind::Fold(_, x, _, _) = &mut node.kind
        {
            *x = self.declared(std::mem::take(x), env);
            // A formal parameter stays visible if it only gave its name to the binder.
            let own: Vec<Ident> = x.clone();
            mark = Some(env.hide(&own));
        }
        let node = walk::map_children(node, &mut |n| self.node(n, env));
        if let Some(mark) = mark {
            env.show(mark);
        }
        node
    }

    /// The names of a LET are known from their equation on.
    fn let_in(&mut self, equations: Vec<(Ident, Node)>, body: Node, span: Span, env: &mut Env) -> Node {
        let mark = env.hide(&[]);
        let mut out = Vec::with_capacity(equations.len());
        for (ident, value) in equations {
            let value = self.node(value, env);
            let mut names = self.declared(vec![ident.clone()], env);
            let name = if names.len() == 1 { names.remove(0) } else { ident };
            env.hide(std::slice::from_ref(&name));
            out.push((name, value));
        }
        let body = self.node(body, env);
        env.show(mark);
        Node { kind: NodeKind::Let(out, Box::new(body)), span }
    }

    fn name(&mut self, name: Name, span: Span, env: &mut Env) -> Node {
        if env.is_hidden(&name) {
            return Node { kind: NodeKind::Name(name), span };
        }
        if let Some(actual) = env.formal(&name) {
            self.built += size(actual);
            let actual = actual.clone();
            return if self.too_large(span) { Node { kind: NodeKind::Error, span } } else { actual };
        }
        let defs = self.defs;
        let Some(def) = defs.get(&name) else { return Node { kind: NodeKind::Name(name), span } };
        if self.left_external(&name, span) {
            return Node { kind: NodeKind::Apply(named(name, span), Vec::new()), span };
        }
        if !self.fits(def, 0, span) {
            return Node { kind: NodeKind::Error, span };
        }
        self.body(def, Vec::new(), span)
    }

    fn apply(&mut self, name: Name, head: Span, args: Vec<Node>, span: Span, env: &mut Env) -> Node {
        let args: Vec<Node> = args.into_iter().map(|a| self.node(a, env)).collect();
        let defs = self.defs;
        let known = !env.is_hidden(&name) && env.formal(&name).is_none();
        match defs.get(&name).filter(|_| known) {
            Some(_) if self.left_external(&name, head) => {
                Node { kind: NodeKind::Apply(named(name, head), args), span }
            }
            Some(def) if !def.params.is_empty() => {
                if !self.fits(def, args.len(), span) {
                    return Node { kind: NodeKind::Error, span };
                }
                self.body(def, args, span)
            }
            _ => {
                let f = self.name(name, head, env);
                Node { kind: NodeKind::Apply(Box::new(f), args), span }
            }
        }
    }

    /// Whether a use of this name is left for a later stage; reports uses that are refused.
    fn left_external(&mut self, name: &Name, usage: Span) -> bool {
        if !self.defs.is_external(name) {
            return false;
        }
        match external(name) {
            External::Known => true,
            External::Body => false,
            refused => {
                self.refuse_external(name, usage, refused);
                true
            }
        }
    }

    /// Reports an external function that cannot be evaluated.
    pub(super) fn refuse_external(&mut self, name: &str, usage: Span, why: External) {
        let d = if why == External::Impure {
            let text = format!("the external function `{name}` has effects outside the model");
            Diagnostic::error(Code::ImpureExternal, usage, text)
        } else {
            let text = format!("the external function `{name}` is not supported");
            Diagnostic::error(Code::Unsupported, usage, text)
                .with_help("the body of its definition is only a stand-in, so it is not used instead")
        };
        self.errors.push(d);
    }

    fn body(&mut self, def: &Def, args: Vec<Node>, usage: Span) -> Node {
        let error = Node { kind: NodeKind::Error, span: usage };
        if !self.enter(def, usage) {
            return error;
        }
        let mut env = Env::of(&def.params, args);
        let node = match &def.body {
            DefBody::Formula(node) => {
                self.uses.entry(node.span).or_insert(usage);
                self.node(node.clone(), &mut env)
            }
            DefBody::Names(names) => self.names(names, usage, &mut env),
            DefBody::Subst(_) => {
                self.wrong_kind(def, usage, "expression or predicate");
                error
            }
            DefBody::Unreadable(d) => {
                self.unreadable(d, usage);
                error
            }
        };
        self.leave();
        node
    }

    /// A list of names as an expression is a tuple.
    fn names(&mut self, names: &[Ident], usage: Span, env: &mut Env) -> Node {
        let parts = names.iter().map(|n| self.name(n.name.clone(), n.span, env));
        parts
            .reduce(|a, b| {
                let span = a.span.to(b.span);
                Node { kind: NodeKind::Op(Op::Maplet, vec![a, b]), span }
            })
            .unwrap_or(Node { kind: NodeKind::Error, span: usage })
    }
}

fn named(name: Name, span: Span) -> Box<Node> {
    Box::new(Node { kind: NodeKind::Name(name), span })
}

/// The number of nodes of a tree.
fn size(node: &Node) -> usize {
    let mut sum = 1;
    walk::children(node, &mut |child| sum += size(child));
    sum
}
