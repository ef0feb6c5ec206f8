//! Names of a substitution resolved.
//!
//! In: a substitution without definitions. Out: the same with references, and calls with their
//! operation. What a machine may assign and call is checked here.

use super::formula::Resolver;
use super::words;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::source::Span;
use crate::syntax::ast::{Ident, Node, NodeKind, Subst, SubstKind};
use crate::syntax::walk::{self, PartMut};

impl Resolver<'_> {
    /// Resolves a substitution.
    pub(super) fn subst(&mut self, subst: Subst) -> Subst {
        let span = subst.span;
        let kind = match subst.kind {
            SubstKind::Assign(targets, values) => SubstKind::Assign(self.targets(targets), self.list(values)),
            SubstKind::BecomesIn(targets, value) => {
                SubstKind::BecomesIn(self.targets(targets), Box::new(self.formula(*value)))
            }
            SubstKind::BecomesSuch(targets, p) => {
                SubstKind::BecomesSuch(self.targets(targets), Box::new(self.with_old(|r| r.formula(*p))))
            }
            SubstKind::Call { results, name, args, .. } => self.call(results, name, args, span),
            SubstKind::Any(names, p, body) => {
                let mark = self.bind(&names, false);
                let p = Box::new(self.formula(*p));
                let body = Box::new(self.subst(*body));
                self.unbind(mark);
                SubstKind::Any(names, p, body)
            }
            SubstKind::Var(names, body) => {
                let mark = self.bind(&names, true);
                let body = Box::new(self.subst(*body));
                self.unbind(mark);
                SubstKind::Var(names, body)
            }
            SubstKind::Let(equations, body) => self.let_be(equations, *body),
            SubstKind::While { cond, body, invariant, variant } => SubstKind::While {
                cond: Box::new(self.formula(*cond)),
                body: Box::new(self.subst(*body)),
                invariant: Box::new(self.loop_invariant(*invariant)),
                variant: Box::new(self.formula(*variant)),
            },
            kind => {
                let mut subst = Subst { kind, span };
                walk::parts_mut(&mut subst, &mut |part| self.part(part));
                return subst;
            }
        };
        Subst { kind, span }
    }

    fn part(&mut self, part: PartMut<'_>) {
        match part {
            PartMut::Node(node) => {
                let old = std::mem::replace(node, Node { kind: NodeKind::Error, span: node.span });
                *node = self.formula(old);
            }
            PartMut::Subst(subst) => {
                let old = std::mem::replace(subst, Subst { kind: SubstKind::Error, span: subst.span });
                *subst = self.subst(old);
            }
        }
    }

    fn list(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        nodes.into_iter().map(|n| self.formula(n)).collect()
    }

    fn targets(&mut self, targets: Vec<Node>) -> Vec<Node> {
        let targets = targets.into_iter().map(|t| self.target(t)).collect();
        self.refuse_abstract();
        targets
    }

    fn let_be(&mut self, equations: Vec<(Ident, Node)>, body: Subst) -> SubstKind {
        let mark = self.locals.len();
        let mut out = Vec::with_capacity(equations.len());
        for (ident, value) in equations {
            let value = self.formula(value);
            self.locals.push((ident.name.clone(), false));
            out.push((ident, value));
        }
        let body = Box::new(self.subst(body));
        self.unbind(mark);
        SubstKind::Let(out, body)
    }

    /// A loop invariant may speak of the refined machine; what does is left out.
    fn loop_invariant(&mut self, invariant: Node) -> Node {
        let span = invariant.span;
        let told = self.typing.len();
        let kept = self.with_old(|r| r.without_abstract(invariant));
        // It may speak of locals, whose scope ends with the operation.
        self.typing.truncate(told);
        kept.unwrap_or(Node { kind: NodeKind::Op(crate::ops::Op::True, Vec::new()), span })
    }

    fn call(&mut self, results: Vec<Node>, name: Ident, args: Vec<Node>, span: Span) -> SubstKind {
        let results = self.targets(results);
        let args = self.list(args);
        if self.only_types {
            return SubstKind::Skip;
        }
        let Some(callable) = self.scope.call(&name.name).copied() else {
            self.unknown_operation(&name);
            return SubstKind::Error;
        };
        if !callable.allowed {
            let text = format!("the operation `{}` cannot be called here", name.name);
            let d = Diagnostic::error(Code::NotVisible, name.span, text)
                .with_other(callable.span, "declared here")
                .with_help("operations of the same machine can be called only with the definition SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE");
            self.report(d);
        }
        self.check_count(&name, &callable.span, callable.params, args.len(), "argument", span);
        self.check_count(&name, &callable.span, callable.results, results.len(), "result", span);
        SubstKind::Call { results, name, args, target: Some(callable.index) }
    }

    fn check_count(
        &mut self,
        name: &Ident,
        declared: &Span,
        expected: usize,
        given: usize,
        noun: &str,
        span: Span,
    ) {
        if expected == given {
            return;
        }
        let text =
            format!("the operation `{}` has {}, not {given}", name.name, words::counted(expected, noun));
        let d = Diagnostic::error(Code::WrongArity, span, text).with_other(*declared, "declared here");
        self.report(d);
    }

    fn unknown_operation(&mut self, name: &Ident) {
        let text = format!("there is no operation `{}` to call", name.name);
        let d = Diagnostic::error(Code::UnknownName, name.span, text).with_label("unknown operation");
        let all = self.scope.operations().chain(self.definitions.iter().copied());
        let near = suggest::nearest(&name.name, all).map(|n| format!("did you mean `{n}`?"));
        self.report(match near {
            Some(help) => d.with_help(help),
            None => d,
        });
    }
}
