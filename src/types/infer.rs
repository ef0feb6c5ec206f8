//! Inference over formulas: a type term for every node and every bound name.
//!
//! In: resolved nodes. Out: entries in [`Infer::types`], keyed by the node's address (the flat machine does
//! not move while it is typed), and errors. Overloads (`-`, `*`) and record fields wait until an operand is
//! known.

use super::overload::Waiting;
use super::scheme::{Scheme, Shape, parse};
use super::unify::{Term, Terms, Tid};
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::{Op, external, table};
use crate::resolve::Flat;
use crate::source::Span;
use crate::syntax::ast::{Entity, Fold, Ident, Name, Node, NodeKind};
use crate::ty::{FreeId, SetId, TyNames};
use std::collections::HashMap;
use std::sync::LazyLock;

static SCHEMES: LazyLock<HashMap<Op, Option<Scheme>>> =
    LazyLock::new(|| table::TABLE.iter().map(|row| (row.op, parse(row.scheme))).collect());

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
    /// Constructors of free types: argument type, by type and constructor.
    constructors: Vec<Vec<Option<Tid>>>,
    /// Bound names, innermost last.
    pub(super) scope: Vec<(Name, Tid)>,
    pub(super) waiting: Vec<Waiting>,
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
        let mut infer = Self {
            flat,
            terms,
            types: HashMap::new(),
            constants,
            variables,
            constructors: Vec::new(),
            scope: Vec::new(),
            waiting: Vec::new(),
            errors: Vec::new(),
        };
        infer.free_types();
        infer
    }

    fn free_types(&mut self) {
        for (_, constructors) in &self.flat.free_types {
            let row = constructors
                .iter()
                .map(|(_, arg)| {
                    arg.as_ref().map(|a| {
                        let elem = self.terms.var();
                        let set = self.terms.pow(elem);
                        self.expect(a, set);
                        elem
                    })
                })
                .collect();
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

    /// Makes a node's type equal to `want`; reports both sides if that fails.
    pub(super) fn expect(&mut self, node: &Node, want: Tid) {
        let got = self.expr(node);
        self.same(got, want, node.span, None);
    }

    pub(super) fn same(&mut self, got: Tid, want: Tid, span: Span, other: Option<(Span, &str)>) {
        let (found, wanted) = (self.terms.text(got, self.flat), self.terms.text(want, self.flat));
        if self.terms.unify(got, want) {
            return;
        }
        let text = format!("expected type `{wanted}`, found `{found}`");
        let mut d =
            Diagnostic::error(Code::TypeMismatch, span, text).with_label(format!("this is `{found}`"));
        if let Some((place, what)) = other {
            d = d.with_other(place, format!("{what} is `{wanted}`"));
        }
        self.errors.push(d);
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

    /// The left-nested tuple of bound names.
    fn tuple_of(&mut self, names: &[Ident]) -> Tid {
        let mut all =
            names.iter().filter_map(|id| self.types.get(&key(id)).copied()).collect::<Vec<_>>().into_iter();
        let first = all.next().unwrap_or_else(|| self.terms.var());
        all.fold(first, |a, b| self.terms.pair(a, b))
    }

    /// The type of an expression.
    pub(super) fn expr(&mut self, node: &Node) -> Tid {
        let t = self.expr_kind(node);
        self.types.insert(key(node), t);
        t
    }

    fn expr_kind(&mut self, node: &Node) -> Tid {
        match &node.kind {
            NodeKind::Name(n) => self.local(n).unwrap_or_else(|| {
                self.error(Code::UnknownName, node.span, format!("`{n}` is declared nowhere"));
                self.terms.var()
            }),
            NodeKind::Ref(e) => self.entity(*e),
            NodeKind::Old(inner) => self.expr(inner),
            NodeKind::Int(_) => self.terms.add(Term::Int),
            NodeKind::Real(_) => self.terms.add(Term::Real),
            NodeKind::Str(_) => self.terms.add(Term::Str),
            NodeKind::Op(op, args) => self.operator(*op, args, node.span),
            NodeKind::Apply(f, args) => self.apply(f, args, node.span),
            NodeKind::Field(r, name) => {
                let (record, field) = (self.expr(r), self.terms.var());
                self.waiting.push(Waiting::Field(record, name.name.clone(), field, name.span));
                self.settle(false);
                field
            }
            NodeKind::SetExt(items) => {
                let elem = self.all_same(items);
                self.terms.pow(elem)
            }
            NodeKind::SeqExt(items) => {
                let elem = self.all_same(items);
                let int = self.terms.add(Term::Int);
                self.terms.rel(int, elem)
            }
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
                let mark = self.open(names);
                self.pred(p);
                self.scope.truncate(mark);
                let t = self.tuple_of(names);
                self.terms.pow(t)
            }
            NodeKind::EventCompr(names, p, e) => {
                let mark = self.open(names);
                self.pred(p);
                let t = self.expr(e);
                self.scope.truncate(mark);
                self.terms.pow(t)
            }
            NodeKind::Lambda(names, p, e) => {
                let mark = self.open(names);
                self.pred(p);
                let t = self.expr(e);
                self.scope.truncate(mark);
                let arg = self.tuple_of(names);
                self.terms.rel(arg, t)
            }
            NodeKind::Fold(fold, names, p, e) => self.fold(*fold, names, p, e),
            NodeKind::If(c, a, b) => {
                self.pred(c);
                let t = self.expr(a);
                self.expect(b, t);
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

    fn not_an_expression(&mut self, span: Span) -> Tid {
        self.errors.push(
            Diagnostic::error(Code::MixedKinds, span, "a predicate stands where an expression is needed")
                .with_help("`bool(P)` turns a predicate into a value of BOOL"),
        );
        self.terms.var()
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

    fn all_same(&mut self, items: &[Node]) -> Tid {
        let Some((first, rest)) = items.split_first() else { return self.terms.var() };
        let t = self.expr(first);
        for item in rest {
            let got = self.expr(item);
            self.same(got, t, item.span, Some((first.span, "the first element")));
        }
        t
    }

    fn record(&mut self, fields: &[(Ident, Node)], sets: bool) -> Tid {
        let mut out: Vec<(Name, Tid)> = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            let t = if sets {
                let elem = self.terms.var();
                let set = self.terms.pow(elem);
                self.expect(value, set);
                elem
            } else {
                self.expr(value)
            };
            out.push((name.name.clone(), t));
        }
        out.sort_by(|a, b| a.0.cmp(&b.0));
        self.terms.add(Term::Rec(out))
    }

    fn fold(&mut self, fold: Fold, names: &[Ident], p: &Node, e: &Node) -> Tid {
        let mark = self.open(names);
        self.pred(p);
        let want = match fold {
            Fold::Sum | Fold::Product => self.terms.add(Term::Var(true)),
            Fold::Union | Fold::Inter => {
                let elem = self.terms.var();
                self.terms.pow(elem)
            }
        };
        self.expect(e, want);
        self.scope.truncate(mark);
        want
    }

    /// The equations of a LET; each name is in scope of the later ones.
    pub(super) fn binds(&mut self, binds: &[(Ident, Node)]) -> usize {
        let mark = self.scope.len();
        for (name, value) in binds {
            let t = self.expr(value);
            self.types.insert(key(name), t);
            self.scope.push((name.name.clone(), t));
        }
        mark
    }

    fn apply(&mut self, f: &Node, args: &[Node], span: Span) -> Tid {
        if let NodeKind::Name(n) = &f.kind
            && self.local(n).is_none()
            && let Some(ext) = external::find(n)
        {
            return self
                .by_scheme(parse(ext.scheme).as_ref(), args, span, n)
                .unwrap_or_else(|| self.not_an_expression(span));
        }
        if let NodeKind::Ref(Entity::Constructor(t, c)) = f.kind {
            let whole = self.terms.add(Term::Free(FreeId(t)));
            let arg = self.tuple(args);
            if let Some(want) = self.constructor(t, c) {
                self.same(arg, want, span, None);
            }
            return whole;
        }
        let arg = self.tuple(args);
        let result = self.terms.var();
        let want = self.terms.rel(arg, result);
        let got = self.expr(f);
        let (found, wanted) = (self.terms.text(got, self.flat), self.terms.text(arg, self.flat));
        if !self.terms.unify(got, want) {
            let place = args.first().map_or(span, |a| args.last().map_or(a.span, |b| a.span.to(b.span)));
            let is_relation = matches!(self.terms.get(got), Term::Pow(t) if matches!(self.terms.get(t), Term::Pair(..) | Term::Var(_)));
            let d = if is_relation {
                Diagnostic::error(Code::TypeMismatch, place, "the argument does not have the function's type")
                    .with_label(format!("this is `{wanted}`"))
                    .with_other(f.span, format!("this is `{found}`"))
            } else {
                Diagnostic::error(Code::TypeMismatch, f.span, "only functions and relations can be applied")
                    .with_label(format!("this is `{found}`"))
            };
            self.errors.push(d);
        }
        result
    }

    fn tuple(&mut self, args: &[Node]) -> Tid {
        let mut types = args.iter().map(|a| self.expr(a)).collect::<Vec<_>>().into_iter();
        let first = types.next().unwrap_or_else(|| self.terms.var());
        types.fold(first, |a, b| self.terms.pair(a, b))
    }

    fn operator(&mut self, op: Op, args: &[Node], span: Span) -> Tid {
        match (op, args) {
            (Op::Minus, [a, b]) => {
                let t = self.expr(a);
                let other = self.expr(b);
                self.same(other, t, b.span, Some((a.span, "the left side")));
                self.waiting.push(Waiting::Minus(t, span));
                t
            }
            (Op::Star, [a, b]) => {
                let (x, y, r) = (self.expr(a), self.expr(b), self.terms.var());
                self.waiting.push(Waiting::Star(x, y, r, span));
                self.settle(false);
                r
            }
            _ => {
                let scheme = SCHEMES.get(&op).and_then(Option::as_ref);
                match self.by_scheme(scheme, args, span, &format!("{op:?}")) {
                    Some(t) => t,
                    None => self.not_an_expression(span),
                }
            }
        }
    }

    /// Types the arguments by a scheme; the result's type, or `None` if the scheme is a predicate's.
    fn by_scheme(&mut self, scheme: Option<&Scheme>, args: &[Node], span: Span, what: &str) -> Option<Tid> {
        let Some(scheme) = scheme else {
            args.iter().for_each(|a| {
                self.expr(a);
            });
            return None;
        };
        if scheme.args.len() != args.len() {
            let text = format!("`{what}` takes {} arguments, not {}", scheme.args.len(), args.len());
            self.error(Code::WrongArity, span, text);
        }
        let mut vars = HashMap::new();
        let num = self.terms.add(Term::Var(true));
        // Arguments before unification, so that messages show what each really is.
        let got: Vec<Tid> = args.iter().map(|a| self.expr(a)).collect();
        for (i, ((arg, shape), t)) in args.iter().zip(&scheme.args).zip(got).enumerate() {
            let want = self.shape(shape, num, &mut vars);
            let other = (i > 0).then(|| (args[0].span, "the other side"));
            let other = other.filter(|_| scheme.args.first() == Some(shape));
            self.same(t, want, arg.span, other);
        }
        let result = scheme.result.as_ref()?;
        Some(self.shape(result, num, &mut vars))
    }

    fn shape(&mut self, s: &Shape, num: Tid, vars: &mut HashMap<u8, Tid>) -> Tid {
        match s {
            Shape::Int => self.terms.add(Term::Int),
            Shape::Bool => self.terms.add(Term::Bool),
            Shape::Str => self.terms.add(Term::Str),
            Shape::Real => self.terms.add(Term::Real),
            Shape::Num => num,
            Shape::Var(v) => *vars.entry(*v).or_insert_with(|| self.terms.var()),
            Shape::Pow(t) => {
                let t = self.shape(t, num, vars);
                self.terms.pow(t)
            }
            Shape::Pair(a, b) => {
                let (a, b) = (self.shape(a, num, vars), self.shape(b, num, vars));
                self.terms.pair(a, b)
            }
        }
    }

    /// Types a predicate.
    pub(super) fn pred(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::And(a, b) | NodeKind::Or(a, b) => self.chain(a, b, node),
            NodeKind::Implies(a, b) | NodeKind::Iff(a, b) => {
                self.pred(a);
                self.pred(b);
            }
            NodeKind::Not(a) => self.pred(a),
            NodeKind::Op(Op::Partition, args) => {
                let elem = self.terms.var();
                let set = self.terms.pow(elem);
                args.iter().for_each(|a| self.expect(a, set));
            }
            NodeKind::Op(op, args) => {
                let scheme = SCHEMES.get(op).and_then(Option::as_ref);
                if scheme.is_some_and(|s| s.result.is_none()) {
                    self.by_scheme(scheme, args, node.span, &format!("{op:?}"));
                } else {
                    self.not_a_predicate(node);
                }
            }
            NodeKind::Forall(names, p) | NodeKind::Exists(names, p) => {
                let mark = self.open(names);
                self.pred(p);
                self.scope.truncate(mark);
            }
            NodeKind::If(c, a, b) => {
                self.pred(c);
                self.pred(a);
                self.pred(b);
            }
            NodeKind::Let(binds, body) => {
                let mark = self.binds(binds);
                self.pred(body);
                self.scope.truncate(mark);
            }
            NodeKind::Apply(f, args) => {
                let ext = match &f.kind {
                    NodeKind::Name(n) if self.local(n).is_none() => external::find(n),
                    _ => None,
                };
                let scheme = ext.and_then(|e| parse(e.scheme)).filter(|s| s.result.is_none());
                if scheme.is_some() {
                    self.by_scheme(scheme.as_ref(), args, node.span, "external predicate");
                } else {
                    self.not_a_predicate(node);
                }
            }
            NodeKind::Error => {}
            _ => self.not_a_predicate(node),
        }
    }

    /// Left-nested chains of `&` or `or` can be thousands long: no recursion along them.
    fn chain(&mut self, a: &Node, b: &Node, _whole: &Node) {
        let mut rights = vec![b];
        let mut left = a;
        while let NodeKind::And(x, y) | NodeKind::Or(x, y) = &left.kind {
            rights.push(y);
            left = x;
        }
        self.pred(left);
        rights.into_iter().rev().for_each(|p| self.pred(p));
    }

    fn not_a_predicate(&mut self, node: &Node) {
        let t = self.expr(node);
        let text = self.terms.text(t, self.flat);
        let mut d = Diagnostic::error(
            Code::MixedKinds,
            node.span,
            "an expression stands where a predicate is needed",
        )
        .with_label(format!("this is `{text}`"));
        if text == "BOOL" {
            d = d.with_help("a value of BOOL becomes a predicate by `= TRUE`");
        }
        self.errors.push(d);
    }
}
