//! Inference over substitutions, operations and the whole machine.

use super::infer::{Infer, key};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Node, Subst, SubstKind};

impl Infer<'_> {
    /// Types everything in the machine.
    pub(super) fn machine(&mut self) {
        let flat = self.flat;
        for op in &flat.operations {
            for id in op.params.iter().chain(&op.results) {
                let t = self.terms.var();
                self.types.insert(key(id), t);
            }
        }
        flat.properties.iter().for_each(|p| self.pred(p));
        flat.invariants.iter().for_each(|p| self.pred(p));
        flat.initialisations.iter().for_each(|s| self.subst(s));
        for op in &flat.operations {
            let mark = self.scope.len();
            for id in op.params.iter().chain(&op.results) {
                let t = self.types.get(&key(id)).copied().unwrap_or_else(|| self.terms.var());
                self.scope.push((id.name.clone(), t));
            }
            self.subst(&op.body);
            self.scope.truncate(mark);
        }
        flat.assertions.iter().for_each(|p| self.pred(p));
        self.settle(true);
        self.globals_are_typed();
    }

    fn globals_are_typed(&mut self) {
        let flat = self.flat;
        let all =
            flat.constants.iter().zip(&self.constants).chain(flat.variables.iter().zip(&self.variables));
        let mut missing = Vec::new();
        for (decl, t) in all {
            if has_unknown(&self.terms.ground(*t)) {
                let text = self.terms.text(*t, flat);
                missing.push(
                    Diagnostic::error(
                        Code::TypeUnknown,
                        decl.name.span,
                        format!("nothing determines the type of `{}`", decl.name.name),
                    )
                    .with_label(format!("its type is `{text}`"))
                    .with_help("add a predicate such as `x : S` to the invariant or the properties"),
                );
            }
        }
        self.errors.extend(missing);
    }

    /// Types a substitution.
    pub(super) fn subst(&mut self, s: &Subst) {
        match &s.kind {
            SubstKind::Skip | SubstKind::Error => {}
            SubstKind::Assign(targets, values) => {
                if targets.len() != values.len() {
                    let text = format!("{} targets but {} values", targets.len(), values.len());
                    self.error(Code::WrongArity, s.span, text);
                }
                for (target, value) in targets.iter().zip(values) {
                    let t = self.expr(target);
                    self.expect(value, t);
                }
            }
            SubstKind::BecomesIn(targets, set) => {
                let mut types = targets.iter().map(|t| self.expr(t)).collect::<Vec<_>>().into_iter();
                let first = types.next().unwrap_or_else(|| self.terms.var());
                let tuple = types.fold(first, |a, b| self.terms.pair(a, b));
                let want = self.terms.pow(tuple);
                self.expect(set, want);
            }
            SubstKind::BecomesSuch(targets, p) => {
                targets.iter().for_each(|t| {
                    self.expr(t);
                });
                self.pred(p);
            }
            SubstKind::Pre(p, s) | SubstKind::Assert(p, s) => {
                self.pred(p);
                self.subst(s);
            }
            SubstKind::Choice(all) | SubstKind::Seq(all) | SubstKind::Par(all) => {
                all.iter().for_each(|s| self.subst(s));
            }
            SubstKind::Select(branches, other) | SubstKind::If(branches, other) => {
                for (p, s) in branches {
                    self.pred(p);
                    self.subst(s);
                }
                other.iter().for_each(|s| self.subst(s));
            }
            SubstKind::Case(e, branches, other) => {
                let t = self.expr(e);
                for (values, s) in branches {
                    values.iter().for_each(|v| self.expect(v, t));
                    self.subst(s);
                }
                other.iter().for_each(|s| self.subst(s));
            }
            SubstKind::Any(names, p, s) => {
                let mark = self.open(names);
                self.pred(p);
                self.subst(s);
                self.scope.truncate(mark);
            }
            SubstKind::Let(binds, s) => {
                let mark = self.binds(binds);
                self.subst(s);
                self.scope.truncate(mark);
            }
            SubstKind::Var(names, s) => {
                let mark = self.open(names);
                self.subst(s);
                self.scope.truncate(mark);
            }
            SubstKind::While { cond, body, invariant, variant } => {
                self.pred(cond);
                self.subst(body);
                self.pred(invariant);
                let int = self.terms.add(super::unify::Term::Int);
                self.expect(variant, int);
            }
            SubstKind::Call { results, name, args, target } => self.call(results, name.span, args, *target),
        }
    }

    fn call(&mut self, results: &[Node], span: crate::source::Span, args: &[Node], target: Option<u32>) {
        let flat = self.flat;
        let Some(op) = target.and_then(|t| flat.operations.get(t as usize)) else {
            return self.error(Code::UnknownName, span, "this operation is declared nowhere");
        };
        if op.params.len() != args.len() || op.results.len() != results.len() {
            let text = format!(
                "`{}` has {} parameters and {} results, the call {} and {}",
                op.name.name,
                op.params.len(),
                op.results.len(),
                args.len(),
                results.len()
            );
            self.error(Code::WrongArity, span, text);
        }
        for (node, id) in args.iter().zip(&op.params).chain(results.iter().zip(&op.results)) {
            let want = self.types.get(&key(id)).copied().unwrap_or_else(|| self.terms.var());
            self.expect(node, want);
        }
    }
}

/// Whether some part of a type is undetermined.
fn has_unknown(ty: &crate::ty::Ty) -> bool {
    use crate::ty::Ty;
    match ty {
        Ty::Any => true,
        Ty::Pow(t) => has_unknown(t),
        Ty::Pair(a, b) => has_unknown(a) || has_unknown(b),
        Ty::Rec(fields) => fields.iter().any(|(_, t)| has_unknown(t)),
        Ty::Int | Ty::Bool | Ty::Str | Ty::Real | Ty::Given(_) | Ty::Free(_) => false,
    }
}
