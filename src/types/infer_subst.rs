//! Inference over substitutions, operations and the whole machine.

use super::blame::Other;
use super::infer::{Infer, key};
use super::unify::{Term, Tid};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Ident, Node, Subst, SubstKind};
use crate::ty::Ty;
use hashbrown::HashMap;

impl<'f> Infer<'f> {
    /// Types everything in the machine.
    pub(super) fn machine(&mut self) {
        let flat = self.flat;
        for op in &flat.operations {
            for id in op.params.iter().chain(&op.results) {
                let t = self.terms.var();
                self.types.insert(key(id), t);
            }
        }
        for p in flat.properties.iter().chain(&flat.invariants).chain(&flat.typing) {
            self.pred(p);
        }
        for s in &flat.initialisations {
            self.subst(s);
        }
        for op in &flat.operations {
            let mark = self.scope.len();
            for id in op.params.iter().chain(&op.results) {
                let t = self.declared(id);
                self.scope.push((id.name.clone(), t));
            }
            self.subst(&op.body);
            self.scope.truncate(mark);
        }
        let locals = self.locals.len();
        self.refined();
        self.locals.truncate(locals);
        for p in &flat.assertions {
            self.pred(p);
        }
        self.settle();
        // A type that an error kept from being known is no error of its own.
        if self.errors.is_empty() {
            self.globals_are_typed();
            self.locals_are_typed();
        }
    }

    /// Operations behind others have parameters and results of the same types.
    fn refined(&mut self) {
        let flat = self.flat;
        for (refining, op) in &flat.refined {
            let Some(by) = flat.operations.get(*refining as usize) else { continue };
            let mark = self.scope.len();
            // What an operation without results is compared with may have some.
            let results = by.results.iter().map(Some).chain(std::iter::repeat(None));
            let pairs =
                op.params.iter().zip(by.params.iter().map(Some)).chain(op.results.iter().zip(results));
            for (id, same) in pairs {
                let t = match same {
                    Some(same) => self.declared(same),
                    None => self.terms.var(),
                };
                self.scope.push((id.name.clone(), t));
            }
            self.subst(&op.body);
            self.scope.truncate(mark);
        }
    }

    /// The type of a declared parameter or result.
    fn declared(&mut self, id: &Ident) -> Tid {
        self.types.get(&key(id)).copied().unwrap_or_else(|| self.terms.var())
    }

    fn globals_are_typed(&mut self) {
        let flat = self.flat;
        let all =
            flat.constants.iter().zip(&self.constants).chain(flat.variables.iter().zip(&self.variables));
        let (mut missing, mut known) = (Vec::new(), HashMap::new());
        for (decl, t) in all {
            if has_unknown(&self.terms.ground(*t, &mut known)) {
                missing.push(self.untyped(&decl.name, *t));
            }
        }
        self.errors.extend(missing);
    }

    fn untyped(&self, id: &Ident, t: Tid) -> Diagnostic {
        let text = format!("nothing determines the type of `{}`", id.name);
        let label = match self.terms.get(t) {
            Term::Var(_) => "any type would fit".to_owned(),
            _ => format!("its type is `{}`", self.text(t)),
        };
        Diagnostic::error(Code::TypeUnknown, id.span, text)
            .with_label(label)
            .with_help(format!("say what it is, as in `{} : S`", id.name))
    }

    /// Parameters of operations and variables of ANY are enumerated, so all of their type is needed; a value that LET or VAR
    /// gives may be `{}` of any type, and so may one that a quantifier looks for. (A result without a type is one that
    /// nothing assigns.)
    fn locals_are_typed(&mut self) {
        let flat = self.flat;
        let parameters = flat.operations.iter().flat_map(|o| &o.params).map(|id| (id, true));
        self.locals.splice(0..0, parameters);
        self.bound_are_typed();
    }

    /// As far as names have been bound until now.
    pub(super) fn bound_are_typed(&mut self) {
        let all = std::mem::take(&mut self.locals);
        if !self.errors.is_empty() {
            return;
        }
        let mut known = HashMap::new();
        for (id, whole) in all {
            let t = self.declared(id);
            let ty = self.terms.ground(t, &mut known);
            if ty == Ty::Any || whole && has_unknown(&ty) {
                let d = self.untyped(id, t);
                self.errors.push(d);
            }
        }
    }

    /// Types a substitution.
    pub(super) fn subst(&mut self, s: &'f Subst) {
        match &s.kind {
            SubstKind::Skip | SubstKind::Error => {}
            SubstKind::Assign(targets, values) => {
                if targets.len() != values.len() {
                    let text = format!("{} targets but {} values", targets.len(), values.len());
                    self.error(Code::WrongArity, s.span, text);
                }
                for (target, value) in targets.iter().zip(values) {
                    let t = self.expr(target);
                    self.expect(value, t, Some(Other::node(target, t, "the target")));
                }
            }
            SubstKind::BecomesIn(targets, set) => self.becomes_in(targets, set),
            SubstKind::BecomesSuch(targets, p) => {
                for t in targets {
                    self.expr(t);
                }
                self.outside = self.scope.len();
                self.pred(p);
            }
            SubstKind::Pre(p, s) | SubstKind::Assert(p, s) => {
                self.pred(p);
                self.subst(s);
            }
            SubstKind::Choice(all) | SubstKind::Seq(all) | SubstKind::Par(all) => {
                for s in all {
                    self.subst(s);
                }
            }
            SubstKind::Select(branches, other) | SubstKind::If(branches, other) => {
                for (p, s) in branches {
                    self.pred(p);
                    self.subst(s);
                }
                if let Some(s) = other {
                    self.subst(s);
                }
            }
            SubstKind::Case(e, branches, other) => {
                let t = self.expr(e);
                for (values, s) in branches {
                    for v in values {
                        self.expect(v, t, Some(Other::node(e, t, "the subject")));
                    }
                    self.subst(s);
                }
                if let Some(s) = other {
                    self.subst(s);
                }
            }
            SubstKind::Any(names, p, s) => {
                let mark = self.open(names);
                self.locals.extend(names.iter().map(|id| (id, true)));
                self.pred(p);
                self.subst(s);
                self.scope.truncate(mark);
            }
            SubstKind::Let(binds, s) => {
                let mark = self.binds(binds);
                self.locals.extend(binds.iter().map(|(id, _)| (id, false)));
                self.subst(s);
                self.scope.truncate(mark);
            }
            SubstKind::Var(names, s) => {
                let mark = self.open(names);
                self.locals.extend(names.iter().map(|id| (id, false)));
                self.subst(s);
                self.scope.truncate(mark);
            }
            SubstKind::While { cond, body, invariant, variant } => {
                self.pred(cond);
                self.subst(body);
                self.outside = self.scope.len();
                self.pred(invariant);
                let int = self.terms.add(Term::Int);
                self.expect(variant, int, None);
            }
            SubstKind::Call { results, name, args, target } => self.call(results, name.span, args, *target),
        }
    }

    /// `x,y :: S`.
    fn becomes_in(&mut self, targets: &'f [Node], set: &'f Node) {
        let types: Vec<Tid> = targets.iter().map(|t| self.expr(t)).collect();
        let tuple = self.tuple(types);
        let want = self.terms.pow(tuple);
        let other = match targets {
            [one] => Some(Other::node(one, tuple, "the target")),
            [first, .., last] => Some(Other {
                span: first.span.to(last.span),
                ty: tuple,
                what: "the tuple of targets",
                node: None,
            }),
            [] => None,
        };
        self.expect(set, want, other);
    }

    fn call(&mut self, results: &'f [Node], span: Span, args: &'f [Node], target: Option<u32>) {
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
        let sides = [("the parameter", args, &op.params), ("the result", results, &op.results)];
        for (what, nodes, declared) in sides {
            for (node, id) in nodes.iter().zip(declared) {
                let want = self.declared(id);
                self.expect(node, want, Some(Other { span: id.span, ty: want, what, node: None }));
            }
        }
    }
}

/// Whether some part of a type is undetermined.
fn has_unknown(ty: &Ty) -> bool {
    match ty {
        Ty::Any => true,
        Ty::Pow(t) => has_unknown(t),
        Ty::Pair(a, b) => has_unknown(a) || has_unknown(b),
        Ty::Rec(fields) => fields.iter().any(|(_, t)| has_unknown(t)),
        Ty::Int | Ty::Bool | Ty::Str | Ty::Real | Ty::Given(_) | Ty::Free(_) => false,
    }
}
