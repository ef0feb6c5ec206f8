//! Definitions put in place of their uses, in substitutions.
//!
//! In: a substitution as written. Out: the same without uses of definitions. A call of a definition
//! whose body is a name or a call becomes a call of what the body names: its use decides.

use super::expand::{Env, Expander};
use super::{Def, External, external};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{DefBody, Ident, Node, NodeKind, Subst, SubstKind};
use crate::syntax::walk::{self, PartMut};

/// A call under way: its results are expanded, its arguments too.
struct Call {
    results: Vec<Node>,
    name: Ident,
    args: Vec<Node>,
    span: Span,
}

impl Call {
    fn as_written(self) -> Subst {
        let kind = SubstKind::Call { results: self.results, name: self.name, args: self.args, target: None };
        Subst { kind, span: self.span }
    }
}

impl Expander<'_> {
    /// Expands a substitution.
    pub(super) fn subst(&mut self, subst: Subst, env: &mut Env) -> Subst {
        let span = subst.span;
        let kind = match subst.kind {
            SubstKind::Call { results, name, args, .. } => {
                let results = self.targets(results, env);
                let args = args.into_iter().map(|a| self.node(a, env)).collect();
                return self.call(Call { results, name, args, span }, env);
            }
            SubstKind::Assign(targets, values) => self.assign(targets, values, span, env),
            SubstKind::BecomesIn(targets, value) => {
                let targets = self.targets(targets, env);
                SubstKind::BecomesIn(targets, Box::new(self.node(*value, env)))
            }
            SubstKind::BecomesSuch(targets, p) => {
                let targets = self.targets(targets, env);
                SubstKind::BecomesSuch(targets, Box::new(self.node(*p, env)))
            }
            SubstKind::Any(names, p, body) => {
                let names = self.declared(names, env);
                let mark = env.hide(&names);
                let p = self.node(*p, env);
                let body = self.subst(*body, env);
                env.show(mark);
                SubstKind::Any(names, Box::new(p), Box::new(body))
            }
            SubstKind::Var(names, body) => {
                let names = self.declared(names, env);
                let mark = env.hide(&names);
                let body = self.subst(*body, env);
                env.show(mark);
                SubstKind::Var(names, Box::new(body))
            }
            SubstKind::Let(equations, body) => self.let_be(equations, *body, env),
            kind => {
                let mut subst = Subst { kind, span };
                walk::parts_mut(&mut subst, &mut |part| self.part(part, env));
                return subst;
            }
        };
        Subst { kind, span }
    }

    fn part(&mut self, part: PartMut<'_>, env: &mut Env) {
        match part {
            PartMut::Node(node) => {
                let old = std::mem::replace(node, Node { kind: NodeKind::Error, span: node.span });
                *node = self.node(old, env);
            }
            PartMut::Subst(subst) => {
                let old = std::mem::replace(subst, Subst { kind: SubstKind::Error, span: subst.span });
                *subst = self.subst(old, env);
            }
        }
    }

    fn assign(&mut self, targets: Vec<Node>, values: Vec<Node>, span: Span, env: &mut Env) -> SubstKind {
        let targets = self.targets(targets, env);
        let values: Vec<Node> = values.into_iter().map(|v| self.node(v, env)).collect();
        if targets.len() != values.len() {
            let text = format!("{} targets, but {} values", targets.len(), values.len());
            self.errors.push(Diagnostic::error(Code::WrongArity, span, text));
            return SubstKind::Error;
        }
        SubstKind::Assign(targets, values)
    }

    fn let_be(&mut self, equations: Vec<(Ident, Node)>, body: Subst, env: &mut Env) -> SubstKind {
        let mark = env.hide(&[]);
        let mut out = Vec::with_capacity(equations.len());
        for (ident, value) in equations {
            let value = self.node(value, env);
            let mut names = self.declared(vec![ident.clone()], env);
            let name = if names.len() == 1 { names.remove(0) } else { ident };
            env.hide(std::slice::from_ref(&name));
            out.push((name, value));
        }
        let body = self.subst(body, env);
        env.show(mark);
        SubstKind::Let(out, Box::new(body))
    }

    /// A call: of a definition, of what a formal parameter stands for, or of an operation.
    fn call(&mut self, mut call: Call, env: &mut Env) -> Subst {
        let name = call.name.name.clone();
        if env.is_hidden(&name) {
            return call.as_written();
        }
        if let Some(actual) = env.formal(&name) {
            if let Some((target, mut args)) = callee(actual) {
                args.append(&mut call.args);
                return Call { name: target, args, ..call }.as_written();
            }
            return call.as_written();
        }
        let defs = self.defs;
        let Some(def) = defs.get(&name) else { return call.as_written() };
        if defs.is_external(&name) && external(&name) == External::Impure {
            self.refuse_external(&name, call.name.span, External::Impure);
            return Subst { kind: SubstKind::Skip, span: call.span };
        }
        self.call_definition(def, call)
    }

    fn call_definition(&mut self, def: &Def, mut call: Call) -> Subst {
        let error = Subst { kind: SubstKind::Error, span: call.span };
        let applied = def.params.is_empty() && matches!(def.body, DefBody::Formula(_));
        if !applied && !self.fits(def, call.args.len(), call.span) || !self.enter(def, call.span) {
            return error;
        }
        let args = std::mem::take(&mut call.args);
        let (own, rest) = if applied { (Vec::new(), args) } else { (args, Vec::new()) };
        let mut env = Env::of(&def.params, own);
        let out = match &def.body {
            DefBody::Subst(body) if call.results.is_empty() => {
                self.uses.entry(body.span).or_insert(call.span);
                self.subst(body.clone(), &mut env)
            }
            DefBody::Formula(body) => {
                if let Some((name, args)) = callee(body) {
                    let mut args: Vec<Node> = args.into_iter().map(|a| self.node(a, &mut env)).collect();
                    args.extend(rest);
                    self.call(Call { name, args, ..call }, &mut env)
                } else {
                    self.wrong_kind(def, call.span, "substitution");
                    error
                }
            }
            DefBody::Unreadable(d) => {
                self.unreadable(d, call.span);
                error
            }
            DefBody::Subst(_) | DefBody::Names(_) => {
                self.wrong_kind(def, call.span, "operation call");
                error
            }
        };
        self.leave();
        out
    }
}

/// What a formula names if it is read as a call.
fn callee(node: &Node) -> Option<(Ident, Vec<Node>)> {
    let (head, args) = match &node.kind {
        NodeKind::Apply(f, args) => (&**f, args.clone()),
        _ => (node, Vec::new()),
    };
    match &head.kind {
        NodeKind::Name(name) => Some((Ident { name: name.clone(), span: head.span }, args)),
        _ => None,
    }
}
