//! Inference over expressions: a type term for every node and every bound name.
//!
//! In: resolved nodes. Out: entries in [`Infer::types`], keyed by the node's address (the flat machine does
//! not move while it is typed), and errors. Siblings type predicates (`infer_pred`), operators and
//! applications (`infer_op`), substitutions (`infer_subst`); `overload` types what must wait.

use super::blame::Other;
use super::overload::Waiting;
use super::unify::{Term, Terms, Tid};
use crate::diagnostic::{Code, Diagnostic};
use crate::resolve::Flat;
use crate::source::Span;
use crate::syntax::ast::{Entity, Fold, Ident, Name, Node, NodeKind};
use crate::ty::{FreeId, SetId, TyNames};
use hashbrown::HashMap;

/// The address of a node or name of the flat machine.
pub(super) type Key = usize;

/// The key of a node or identifier.
pub(super) fn key<T>(x: &T) -> Key {
    std::ptr::from_ref(x).addr()
}

/// The state of inference over one machine.
pub(super) struct Infer<'f> {
    pub(super) flat: &'f Flat,
    pub(super) terms: Terms,
    /// Types of nodes and identifiers by address.
    pub(super) types: HashMap<Key, Tid>,
    pub(super) constants: Vec<Tid>,
    pub(super) variables: Vec<Tid>,
    /// Variables of refined machines that are gone.
    gone: Vec<Tid>,
    /// Constructors of free types: argument type, by type and constructor.
    constructors: Vec<Vec<Option<Tid>>>,
    /// Bound names, innermost last.
    pub(super) scope: Vec<(Name, Tid)>,
    /// How many of these are bound outside of the formula in which `x$0` has a meaning.
    pub(super) outside: usize,
    /// Uses that wait for an operand's type.
    pub(super) waiting: Vec<Waiting<'f>>,
    /// Variables of ANY, LET, VAR, quantifiers and comprehensions, and whether all of their type is needed.
    pub(super) locals: Vec<(&'f Ident, bool)>,
    pub(super) errors: Vec<Diagnostic>,
}

impl TyNames for Flat {
    fn set_name(&self, id: SetId) -> &str {
        self.sets.get(usize::from(id.0)).map_or("?", |s| &s.name.name)
    }
    fn free_name(&self, id: FreeId) -> &str {
        self.free_types.get(usize::from(id.0)).map_or("?", |f| &f.0.name)
    }
}

impl<'f> Infer<'f> {
    /// Inference over a machine: variables for all globals.
    pub(super) fn new(flat: &'f Flat) -> Self {
        let mut terms = Terms::default();
        let constants = flat.constants.iter().map(|_| terms.var()).collect();
        let variables = flat.variables.iter().map(|_| terms.var()).collect();
        let gone = (0..flat.gone).map(|_| terms.var()).collect();
        let mut infer = Self {
            flat,
            terms,
            types: HashMap::new(),
            constants,
            variables,
            gone,
            constructors: Vec::new(),
            scope: Vec::new(),
            outside: 0,
            waiting: Vec::new(),
            locals: Vec::new(),
            errors: Vec::new(),
        };
        infer.free_types();
        infer
    }

    fn free_types(&mut self) {
        for (_, constructors) in &self.flat.free_types {
            let row = constructors.iter().map(|(_, arg)| arg.as_ref().map(|a| self.set_of(a))).collect();
            self.constructors.push(row);
        }
    }

    /// The argument type of a constructor.
    pub(super) fn constructor(&self, t: u16, c: u16) -> Option<Tid> {
        self.constructors.get(usize::from(t))?.get(usize::from(c)).copied().flatten()
    }

    pub(super) fn error(&mut self, code: Code, span: Span, text: impl Into<String>) {
        self.errors.push(Diagnostic::error(code, span, text));
    }

    /// The type of a bound name.
    pub(super) fn local(&self, name: &str) -> Option<Tid> {
        self.scope.iter().rev().find(|(n, _)| &**n == name).map(|(_, t)| *t)
    }

    /// Brings names into scope; returns the mark to go back to.
    pub(super) fn open(&mut self, names: &[Ident]) -> usize {
        let mark = self.scope.len();
        for id in names {
            let t = self.terms.var();
            self.types.insert(key(id), t);
            self.scope.push((id.name.clone(), t));
        }
        mark
    }

    /// As [`Infer::open`], for names that a predicate binds: values of their types are looked for.
    pub(super) fn open_bound(&mut self, names: &'f [Ident]) -> usize {
        self.locals.extend(names.iter().map(|id| (id, false)));
        self.open(names)
    }

    /// The equations of a LET; each name is in scope of the later ones.
    pub(super) fn binds(&mut self, binds: &'f [(Ident, Node)]) -> usize {
        let mark = self.scope.len();
        for (name, value) in binds {
            let t = self.expr(value);
            self.types.insert(key(name), t);
            self.scope.push((name.name.clone(), t));
        }
        mark
    }

    /// The left-nested tuple of some types.
    pub(super) fn tuple(&mut self, types: impl IntoIterator<Item = Tid>) -> Tid {
        let mut types = types.into_iter();
        match types.next() {
            Some(first) => types.fold(first, |a, b| self.terms.pair(a, b)),
            None => self.terms.var(),
        }
    }

    /// The left-nested tuple of bound names.
    fn tuple_of(&mut self, names: &[Ident]) -> Tid {
        let types: Vec<Tid> = names.iter().filter_map(|id| self.types.get(&key(id)).copied()).collect();
        self.tuple(types)
    }

    /// Types an expression that must be a set; the type of its elements.
    pub(super) fn set_of(&mut self, node: &'f Node) -> Tid {
        let elem = self.terms.var();
        let set = self.terms.pow(elem);
        self.expect(node, set, None);
        elem
    }

    /// The type of an expression.
    pub(super) fn expr(&mut self, node: &'f Node) -> Tid {
        let t = self.expr_kind(node);
        self.types.insert(key(node), t);
        t
    }

    fn expr_kind(&mut self, node: &'f Node) -> Tid {
        match &node.kind {
            NodeKind::Name(n) => self.local(n).unwrap_or_else(|| {
                self.error(Code::UnknownName, node.span, format!("`{n}` is declared nowhere"));
                self.terms.var()
            }),
            NodeKind::Ref(e) => self.entity(*e),
            NodeKind::Old(inner) => {
                let inside = self.scope.split_off(self.outside.min(self.scope.len()));
                let t = self.expr(inner);
                self.scope.extend(inside);
                t
            }
            NodeKind::Int(_) => self.terms.add(Term::Int),
            NodeKind::Real(_) => self.terms.add(Term::Real),
            NodeKind::Str(_) => self.terms.add(Term::Str),
            NodeKind::Op(op, args) => self.operator(*op, args, node),
            NodeKind::Apply(f, args) => self.apply(f, args, node),
            NodeKind::Field(r, name) => {
                let (record, field) = (self.expr(r), self.terms.var());
                self.later(Waiting::Field(r, record, name, field));
                field
            }
            NodeKind::SetExt(items) => {
                let elem = self.all_same(items);
                self.terms.pow(elem)
            }
            NodeKind::SeqExt(items) => {
                let elem = self.all_same(items);
                self.terms.seq(elem)
            }
            NodeKind::Table(table) => self.table(table),
            NodeKind::Rec(fields) => self.record(fields, false),
            NodeKind::Struct(fields) => {
                let r = self.record(fields, true);
                self.terms.pow(r)
            }
            NodeKind::Bool(p) => {
                self.pred(p);
                self.terms.add(Term::Bool)
            }
            NodeKind::Compr(names, p) => {
                let mark = self.open_bound(names);
                self.pred(p);
                self.scope.truncate(mark);
                let t = self.tuple_of(names);
                self.terms.pow(t)
            }
            NodeKind::EventCompr(names, p, e) => {
                let t = self.scoped(names, p, e);
                self.terms.pow(t)
            }
            NodeKind::LetWhere(names, p, e) => self.scoped(names, p, e),
            NodeKind::Lambda(names, p, e) => {
                let t = self.scoped(names, p, e);
                let arg = self.tuple_of(names);
                self.terms.rel(arg, t)
            }
            NodeKind::Fold(fold, names, p, e) => {
                let t = self.scoped(names, p, e);
                self.fold(*fold, e, t)
            }
            NodeKind::If(c, a, b) => {
                self.pred(c);
                let t = self.expr(a);
                self.expect(b, t, Some(Other::node(a, t, "the THEN part")));
                t
            }
            NodeKind::Let(binds, body) => {
                let mark = self.binds(binds);
                let t = self.expr(body);
                self.scope.truncate(mark);
                t
            }
            NodeKind::Error => self.terms.var(),
            NodeKind::And(..)
            | NodeKind::Or(..)
            | NodeKind::Implies(..)
            | NodeKind::Iff(..)
            | NodeKind::Not(_)
            | NodeKind::Forall(..)
            | NodeKind::Exists(..) => self.not_an_expression(node.span),
        }
    }

    /// The type of `e` where `names` are bound by `p`.
    fn scoped(&mut self, names: &'f [Ident], p: &'f Node, e: &'f Node) -> Tid {
        let mark = self.open_bound(names);
        self.pred(p);
        let t = self.expr(e);
        self.scope.truncate(mark);
        t
    }

    fn fold(&mut self, fold: Fold, e: &Node, t: Tid) -> Tid {
        let want = match fold {
            Fold::Sum | Fold::Product => self.terms.number(),
            Fold::Union | Fold::Inter => {
                let elem = self.terms.var();
                self.terms.pow(elem)
            }
        };
        self.same(e, t, want, e.span, None);
        want
    }

    fn entity(&mut self, e: Entity) -> Tid {
        match e {
            Entity::Set(s) => {
                let t = self.terms.add(Term::Given(s));
                self.terms.pow(t)
            }
            Entity::Element(s, _) => self.terms.add(Term::Given(s)),
            Entity::Const(i) => self.constants.get(i as usize).copied().unwrap_or_else(|| self.terms.var()),
            Entity::Var(i) => self.variables.get(i as usize).copied().unwrap_or_else(|| self.terms.var()),
            Entity::Gone(i) => self.gone.get(i as usize).copied().unwrap_or_else(|| self.terms.var()),
            Entity::FreeType(f) => {
                let t = self.terms.add(Term::Free(FreeId(f)));
                self.terms.pow(t)
            }
            Entity::Constructor(t, c) => {
                let whole = self.terms.add(Term::Free(FreeId(t)));
                match self.constructor(t, c) {
                    None => whole,
                    Some(arg) => self.terms.rel(arg, whole),
                }
            }
        }
    }

    fn all_same(&mut self, items: &'f [Node]) -> Tid {
        let Some((first, rest)) = items.split_first() else { return self.terms.var() };
        let t = self.expr(first);
        for item in rest {
            self.expect(item, t, Some(Other::node(first, t, "the first element")));
        }
        t
    }

    fn record(&mut self, fields: &'f [(Ident, Node)], sets: bool) -> Tid {
        let mut out: Vec<(Name, Tid)> = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            let t = if sets { self.set_of(value) } else { self.expr(value) };
            out.push((name.name.clone(), t));
        }
        out.sort_by(|a, b| a.0.cmp(&b.0));
        if let Some(twice) = out.windows(2).find(|w| matches!(w, [a, b] if a.0 == b.0)) {
            let name = twice.first().map(|f| f.0.clone()).unwrap_or_default();
            let place = fields.iter().rev().find(|f| f.0.name == name).map_or(Span::default(), |f| f.0.span);
            self.error(Code::NameClash, place, format!("the field `{name}` stands here twice"));
        }
        self.terms.add(Term::Rec(out))
    }
}
