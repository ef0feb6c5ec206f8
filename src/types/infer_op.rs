//! Inference over operators by their schemes, and over applications.

use super::blame::Other;
use super::infer::Infer;
use super::overload::Waiting;
use super::scheme::{self, Scheme, Shape};
use super::unify::{Term, Tid};
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::external::{self, External};
use crate::ops::{Op, table};
use crate::source::Span;
use crate::syntax::ast::{Entity, Node, NodeKind};
use crate::ty::FreeId;
use hashbrown::HashMap;

impl<'f> Infer<'f> {
    /// The type of an operator's result.
    pub(super) fn operator(&mut self, op: Op, args: &'f [Node], node: &'f Node) -> Tid {
        match (op, args) {
            (Op::Minus, [a, b]) => {
                let t = self.expr(a);
                let other = self.expr(b);
                self.same(b, other, t, node.span, Some(Other::node(a, t, "the left side")));
                self.later(Waiting::Minus(node, t));
                t
            }
            (Op::Star, [a, b]) => {
                let (x, y, r) = (self.expr(a), self.expr(b), self.terms.var());
                self.later(Waiting::Star(node, [(a, x), (b, y)], r));
                r
            }
            _ => {
                // Arguments before unification, so that messages show what each really is.
                let got: Vec<Tid> = args.iter().map(|a| self.expr(a)).collect();
                if let (Op::Maplet, [a, b]) = (op, &got[..])
                    && self.terms.is_simple(*a)
                    && self.terms.is_simple(*b)
                {
                    // Whatever the sides are fits: tables of data need no equations.
                    return self.terms.pair(*a, *b);
                }
                let result = self.fit(scheme::of(op), (args, &got), node.span, table::def(op).spelling);
                result.unwrap_or_else(|| self.not_an_expression(node.span))
            }
        }
    }

    /// The external function or predicate that a name means in front of arguments.
    pub(super) fn external(&self, f: &Node) -> Option<&'static External> {
        match &f.kind {
            NodeKind::Name(n) if self.local(n).is_none() => external::find(n),
            _ => None,
        }
    }

    /// The type of an application.
    pub(super) fn apply(&mut self, f: &'f Node, args: &'f [Node], node: &'f Node) -> Tid {
        if let Some(ext) = self.external(f) {
            let result = self.by_scheme(scheme::parse(ext.scheme).as_ref(), args, node.span, ext.name);
            return result.unwrap_or_else(|| self.not_an_expression(node.span));
        }
        let types: Vec<Tid> = args.iter().map(|a| self.expr(a)).collect();
        let arg = self.tuple(types);
        let place = match (args.first(), args.last()) {
            (Some(a), Some(b)) => a.span.to(b.span),
            _ => node.span,
        };
        if let NodeKind::Ref(Entity::Constructor(t, c)) = f.kind {
            match self.constructor(t, c) {
                Some(want) if !self.terms.unify(arg, want, node.span) => {
                    let text =
                        format!("this constructor takes `{}`, not `{}`", self.text(want), self.text(arg));
                    self.error(Code::TypeMismatch, place, text);
                }
                Some(_) => {}
                None => self.error(Code::WrongArity, node.span, "this constructor takes no argument"),
            }
            return self.terms.add(Term::Free(FreeId(t)));
        }
        let result = self.terms.var();
        let want = self.terms.rel(arg, result);
        let got = self.expr(f);
        if !self.terms.unify(got, want, node.span) {
            self.bad_application(f, got, place, arg);
        }
        result
    }

    fn bad_application(&mut self, f: &Node, got: Tid, place: Span, arg: Tid) {
        if self.is_too_large(place) {
            return;
        }
        let (found, given) = (self.text(got), self.text(arg));
        let is_relation = match self.terms.get(got) {
            Term::Pow(t) => matches!(self.terms.get(*t), Term::Pair(..) | Term::Var(_)),
            _ => false,
        };
        let d = if is_relation {
            let text = "the argument does not have the function's type";
            Diagnostic::error(Code::TypeMismatch, place, text)
                .with_label(format!("this is `{given}`"))
                .with_other(f.span, format!("this is `{found}`"))
        } else {
            let text = "only functions and relations can be applied";
            Diagnostic::error(Code::TypeMismatch, f.span, text).with_label(format!("this is `{found}`"))
        };
        self.errors.push(d);
    }

    /// Types the arguments by a scheme; the result's type, or `None` if the scheme is a predicate's.
    pub(super) fn by_scheme(
        &mut self,
        scheme: Option<&Scheme>,
        args: &'f [Node],
        span: Span,
        what: &str,
    ) -> Option<Tid> {
        let got: Vec<Tid> = args.iter().map(|a| self.expr(a)).collect();
        self.fit(scheme, (args, &got), span, what)
    }

    /// The same with the types of the arguments as they are.
    fn fit(
        &mut self,
        scheme: Option<&Scheme>,
        (args, got): (&'f [Node], &[Tid]),
        span: Span,
        what: &str,
    ) -> Option<Tid> {
        let scheme = scheme?;
        if let Some(help) = self.meant_of_sets(what, got) {
            let text = format!("`{what}` is for numbers");
            let d = Diagnostic::error(Code::TypeMismatch, span, text)
                .with_label("these are sets")
                .with_help(help);
            self.errors.push(d);
            return got.first().copied().filter(|_| scheme.result.is_some());
        }
        if scheme.args.len() != args.len() {
            let text = format!("`{what}` takes {} arguments, not {}", scheme.args.len(), args.len());
            self.error(Code::WrongArity, span, text);
        }
        let mut vars = Vars::default();
        let mut failed = Vec::new();
        let first = args.first().zip(got.first());
        for (i, ((arg, shape), t)) in args.iter().zip(&scheme.args).zip(got).enumerate() {
            let want = self.shape(shape, &mut vars);
            let equal = scheme.args.first() == Some(shape);
            let side = if equal { "the other side" } else { "the left side" };
            // Only sides that share a variable have to do with each other.
            let other = first.filter(|_| i > 0 && scheme.args.first().is_some_and(|s| share(s, shape)));
            let before = self.errors.len();
            self.same(arg, *t, want, span, other.map(|(a, t)| Other::node(a, *t, side)));
            failed.extend((self.errors.len() > before).then_some(shape));
        }
        if what == "->" && !failed.is_empty() {
            let help = "a total function is written `-->`, a partial one `+->`; `->` puts an element in front of a sequence";
            self.errors.last_mut().into_iter().for_each(|d| d.help = Some(help.to_owned()));
        }
        let result = scheme.result.as_ref()?;
        if failed.iter().any(|shape| share(shape, result)) {
            // Whatever was meant: a clash with a result that nothing told is no error of its own.
            return Some(self.terms.var());
        }
        Some(self.shape(result, &mut vars))
    }

    /// What is meant by an operator of numbers between sets, if it stands there; the sides are of one type then.
    fn meant_of_sets(&mut self, what: &str, got: &[Tid]) -> Option<&'static str> {
        let help = match what {
            "<" => "for `proper subset` write `<<:`, for `subset` `<:`",
            "<=" => "for `subset` write `<:`",
            ">" | ">=" => "for `superset` write the sides the other way round, with `<:`",
            "+" => "for `union` write `\\/`",
            _ => return None,
        };
        let [a, b] = *got else { return None };
        if ![a, b].iter().any(|t| matches!(self.terms.get(*t), Term::Pow(_))) {
            return None;
        }
        // A clash of the sides is no news beside that.
        self.terms.unify(a, b, Span::default());
        Some(help)
    }

    /// A shape as a term.
    fn shape(&mut self, s: &Shape, vars: &mut Vars) -> Tid {
        match s {
            Shape::Int => self.terms.add(Term::Int),
            Shape::Bool => self.terms.add(Term::Bool),
            Shape::Str => self.terms.add(Term::Str),
            Shape::Real => self.terms.add(Term::Real),
            Shape::Num => *vars.num.get_or_insert_with(|| self.terms.number()),
            Shape::Var(v) => *vars.letters.entry(*v).or_insert_with(|| self.terms.var()),
            Shape::Pow(t) => {
                let t = self.shape(t, vars);
                self.terms.pow(t)
            }
            Shape::Seq(t) => {
                let t = self.shape(t, vars);
                self.terms.seq(t)
            }
            Shape::Pair(a, b) => {
                let (a, b) = (self.shape(a, vars), self.shape(b, vars));
                self.terms.pair(a, b)
            }
        }
    }
}

/// The variables of one use of a scheme.
#[derive(Default)]
struct Vars {
    num: Option<Tid>,
    letters: HashMap<u8, Tid>,
}

/// Whether two shapes of a scheme have a variable in common.
fn share(a: &Shape, b: &Shape) -> bool {
    match a {
        Shape::Int | Shape::Bool | Shape::Str | Shape::Real => false,
        Shape::Num | Shape::Var(_) => within(a, b),
        Shape::Pow(t) | Shape::Seq(t) => share(t, b),
        Shape::Pair(x, y) => share(x, b) || share(y, b),
    }
}

fn within(var: &Shape, s: &Shape) -> bool {
    match s {
        Shape::Pow(t) | Shape::Seq(t) => within(var, t),
        Shape::Pair(x, y) => within(var, x) || within(var, y),
        _ => var == s,
    }
}
