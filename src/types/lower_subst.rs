//! Lowering of substitutions and operations.

use super::lower::Lower;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{
    Access, Expr, Local, LocalId, Operation, Place, Pred, PredKind, Subst, SubstKind as To, Target, VarId,
};
use crate::ops::Op;
use crate::resolve::flat::FlatOperation;
use crate::syntax::ast::{Entity, Node, NodeKind, Subst as From, SubstKind};

impl Lower<'_, '_> {
    /// Lowers an operation. Its two bodies share one frame: they differ in an outermost PRE only.
    pub(super) fn operation(
        &mut self,
        op: &FlatOperation,
        scope: Option<&Node>,
        show_any: bool,
    ) -> Operation {
        let asked = scope.map_or(0, super::count::in_node);
        self.start(super::count::in_subst(&op.body) + asked + op.params.len() + op.results.len());
        let params: Vec<Local> = op.params.iter().map(|id| self.bind(id)).collect();
        let results: Vec<Local> = op.results.iter().map(|id| self.bind(id)).collect();
        let called = self.outermost(op);
        let scope = scope.filter(|_| op.offered).map(|s| self.pred(s));
        let offered = op.offered.then(|| offered(&called, scope));
        let shown: Vec<LocalId> = match &called.kind {
            To::Any(b, _) if show_any && params.is_empty() => b.vars.iter().map(|v| v.id).collect(),
            _ => Vec::new(),
        };
        Operation {
            name: op.name.name.clone(),
            span: op.span,
            params,
            results,
            offered,
            called,
            frame: self.size(),
            shown,
        }
    }

    /// The body. A conjunct of an outermost PRE such as `r : T`, for a result r, tells the result's type and asks nothing:
    /// r has no value yet.
    fn outermost(&mut self, op: &FlatOperation) -> Subst {
        let SubstKind::Pre(p, s) = &op.body.kind else { return self.subst(&op.body) };
        let is_result =
            |node: &Node| matches!(&node.kind, NodeKind::Name(n) if op.results.iter().any(|r| r.name == *n));
        let types = |node: &Node| matches!(&node.kind, NodeKind::Op(Op::In | Op::Subset, args) if args.first().is_some_and(is_result));
        let mut conjuncts = Vec::new();
        let mut todo = vec![&**p];
        while let Some(node) = todo.pop() {
            match &node.kind {
                NodeKind::And(all) => todo.extend(all.iter().rev()),
                _ => conjuncts.push(node),
            }
        }
        if !conjuncts.iter().any(|c| types(c)) {
            return self.subst(&op.body);
        }
        conjuncts.retain(|c| !types(c));
        let mut asked: Vec<Pred> = conjuncts.into_iter().map(|c| self.pred(c)).collect();
        let kind = match asked.len() {
            0 => PredKind::True,
            1 => asked.remove(0).kind,
            _ => PredKind::And(asked),
        };
        let pre = Pred { kind, span: p.span };
        Subst { kind: To::Pre(pre, self.boxed_subst(s)), span: op.body.span }
    }

    /// Lowers a substitution.
    pub(super) fn subst(&mut self, s: &From) -> Subst {
        Subst { kind: self.subst_kind(s), span: s.span }
    }

    fn boxed_subst(&mut self, s: &From) -> Box<Subst> {
        Box::new(self.subst(s))
    }

    fn many(&mut self, all: &[From]) -> Vec<Subst> {
        all.iter().map(|s| self.subst(s)).collect()
    }

    fn branches(&mut self, all: &[(Node, From)]) -> Vec<(Pred, Subst)> {
        all.iter().map(|(p, s)| (self.pred(p), self.subst(s))).collect()
    }

    fn other(&mut self, s: Option<&From>) -> Option<Box<Subst>> {
        s.map(|s| self.boxed_subst(s))
    }

    fn subst_kind(&mut self, s: &From) -> To {
        match &s.kind {
            SubstKind::Skip | SubstKind::Error => To::Skip,
            SubstKind::Assign(targets, values) => {
                let targets: Vec<Target> = targets.iter().filter_map(|t| self.target(t)).collect();
                let values: Vec<Expr> = values.iter().map(|v| self.expr(v)).collect();
                To::Assign(targets.into_iter().zip(values).collect())
            }
            SubstKind::BecomesIn(targets, set) => {
                let targets = targets.iter().filter_map(|t| self.target(t)).collect();
                To::BecomesIn(targets, self.expr(set))
            }
            SubstKind::BecomesSuch(targets, p) => self.becomes_such(targets, p),
            SubstKind::Pre(p, s) => {
                let p = self.pred(p);
                To::Pre(p, self.boxed_subst(s))
            }
            SubstKind::Assert(p, s) => {
                let p = self.pred(p);
                To::Assert(p, self.boxed_subst(s))
            }
            SubstKind::Choice(all) => To::Choice(self.many(all)),
            SubstKind::Seq(all) => To::Seq(self.many(all)),
            SubstKind::Par(all) => To::Par(self.many(all)),
            SubstKind::Select(all, other) => {
                let all = self.branches(all);
                To::Select(all, self.other(other.as_deref()))
            }
            SubstKind::If(all, other) => {
                let all = self.branches(all);
                To::If(all, self.other(other.as_deref()))
            }
            SubstKind::Case(e, all, other) => {
                let e = self.expr(e);
                let all = all
                    .iter()
                    .map(|(values, s)| (values.iter().map(|v| self.expr(v)).collect(), self.subst(s)))
                    .collect();
                To::Case(e, all, self.other(other.as_deref()))
            }
            SubstKind::Any(names, p, s) => {
                // The body stays inside the scope but outside the closure: it is no part of the binder.
                let mark = self.frame.scope.len();
                let (binder, ()) = self.binder(names, |l| (l.pred(p), ()));
                for v in &binder.vars {
                    self.frame.scope.push((v.name.clone(), v.id));
                }
                let body = self.boxed_subst(s);
                self.frame.scope.truncate(mark);
                To::Any(binder, body)
            }
            SubstKind::Let(binds, s) => {
                let mark = self.frame.scope.len();
                let binds = binds.iter().map(|b| self.let_bind(b)).collect();
                let body = self.boxed_subst(s);
                self.frame.scope.truncate(mark);
                To::Let(binds, body)
            }
            SubstKind::Var(names, s) => {
                let mark = self.frame.scope.len();
                let locals = names.iter().map(|id| self.bind(id)).collect();
                let body = self.boxed_subst(s);
                self.frame.scope.truncate(mark);
                To::Var(locals, body)
            }
            SubstKind::While { cond, body, invariant, variant } => To::While {
                cond: self.pred(cond),
                body: self.boxed_subst(body),
                invariant: self.loop_invariant(invariant),
                variant: self.expr(variant),
            },
            SubstKind::Call { results, args, target, .. } => To::Call {
                op: target.unwrap_or(u32::MAX),
                args: args.iter().map(|a| self.expr(a)).collect(),
                results: results.iter().filter_map(|t| self.target(t)).collect(),
            },
        }
    }

    /// `x,y : (P)`: in P the names of the targets mean new locals.
    fn becomes_such(&mut self, targets: &[Node], p: &Node) -> To {
        let plain: Vec<Target> = targets.iter().filter_map(|t| self.target(t)).collect();
        let renamed = self.frame.renamed.len();
        self.frame.outside = self.frame.scope.len();
        let (binder, ()) = self
            .binder_with(|l| targets.iter().filter_map(|t| l.new_value(t)).collect(), |l, _| (l.pred(p), ()));
        self.frame.renamed.truncate(renamed);
        To::BecomesSuch(plain, binder)
    }

    fn loop_invariant(&mut self, invariant: &Node) -> Pred {
        self.frame.outside = self.frame.scope.len();
        self.pred(invariant)
    }

    /// The local for the new value of a target of `x : (P)`.
    fn new_value(&mut self, target: &Node) -> Option<Local> {
        let ty = self.ty(target);
        match &target.kind {
            NodeKind::Ref(Entity::Var(i)) => {
                let name = self.infer.flat.variables.get(*i as usize)?.name.name.clone();
                let local = self.fresh(name, ty, target.span);
                self.frame.renamed.push((*i, local.id));
                Some(local)
            }
            NodeKind::Name(n) => {
                let local = self.fresh(n.clone(), ty, target.span);
                self.frame.scope.push((n.clone(), local.id));
                Some(local)
            }
            _ => {
                self.unsupported(target.span, "`: (P)` for a part of a variable");
                None
            }
        }
    }

    /// An assignment target: a variable with a path of applications and fields.
    fn target(&mut self, node: &Node) -> Option<Target> {
        let mut path = Vec::new();
        let mut at = node;
        let place = loop {
            match &at.kind {
                NodeKind::Ref(Entity::Var(i)) => break Place::Var(VarId(*i)),
                NodeKind::Name(n) => match self.lookup(n) {
                    Some(id) => break Place::Local(id),
                    None => return None,
                },
                NodeKind::Apply(f, args) => {
                    path.push(Access::At(self.tuple(args, at.span)));
                    at = f;
                }
                NodeKind::Field(r, name) => {
                    let record = self.ty(&**r);
                    path.push(Access::Field(Self::position(&record, &name.name)));
                    at = r;
                }
                _ => {
                    self.errors.push(
                        Diagnostic::error(Code::NotAssignable, node.span, "this cannot be assigned to")
                            .with_help("a target is a variable, `f(x)` or `r'field`"),
                    );
                    return None;
                }
            }
        };
        path.reverse();
        let ty = self.ty(at);
        Some(Target { place, path, ty, span: node.span })
    }
}

/// The body as offered: an outermost PRE is a guard, and so is the scope, which comes first.
fn offered(called: &Subst, scope: Option<Pred>) -> Subst {
    let (pre, body) = match &called.kind {
        To::Pre(p, s) => (Some(p.clone()), (**s).clone()),
        _ => (None, called.clone()),
    };
    let guard = match (scope, pre) {
        (None, None) => return body,
        (Some(only), None) | (None, Some(only)) => only,
        (Some(scope), Some(pre)) => {
            let span = pre.span;
            Pred { kind: PredKind::And(vec![scope, pre]), span }
        }
    };
    Subst { kind: To::Select(vec![(guard, body)], None), span: called.span }
}
