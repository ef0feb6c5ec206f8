//! Substitutions as text: a line per simple one, parts indented.

use super::Dump;
use super::expr::field;
use crate::ir::{Access, Place, Pred, Subst, SubstKind, Target};

impl Dump<'_> {
    /// A substitution, indented.
    pub(super) fn subst(&mut self, s: &Subst, depth: usize) {
        match &s.kind {
            SubstKind::Skip => self.head(depth, "skip\n"),
            SubstKind::Assign(pairs) => {
                self.head(depth, "");
                self.list(pairs, |d, (target, _)| d.target(target));
                self.put(" := ");
                self.list(pairs, |d, (_, value)| d.expr(value));
                self.put("\n");
            }
            SubstKind::BecomesIn(targets, set) => {
                self.head(depth, "");
                self.list(targets, Self::target);
                self.put(" :: ");
                self.expr(set);
                self.put("\n");
            }
            SubstKind::BecomesSuch(targets, binder) => {
                self.head(depth, "");
                self.list(targets, Self::target);
                self.put(" : {");
                self.binder(binder);
                self.put(" | ");
                self.pred(&binder.pred);
                self.put("}\n");
            }
            SubstKind::Pre(p, body) => self.guarded(depth, "PRE ", p, body),
            SubstKind::Assert(p, body) => self.guarded(depth, "ASSERT ", p, body),
            SubstKind::Choice(all) => self.block(depth, "CHOICE", all),
            SubstKind::Seq(all) => self.block(depth, "SEQUENCE", all),
            SubstKind::Par(all) => self.block(depth, "PARALLEL", all),
            SubstKind::Select(branches, other) => {
                self.branches(depth, ["SELECT ", "WHEN "], branches, other.as_deref());
            }
            SubstKind::If(branches, other) => {
                self.branches(depth, ["IF ", "ELSIF "], branches, other.as_deref());
            }
            SubstKind::Case(subject, branches, other) => {
                self.head(depth, "CASE ");
                self.expr(subject);
                self.put("\n");
                for (values, body) in branches {
                    self.head(depth, "OF ");
                    self.list(values, Self::expr);
                    self.put("\n");
                    self.subst(body, depth + 1);
                }
                self.other(depth, other.as_deref());
            }
            SubstKind::Any(binder, body) => {
                self.head(depth, "ANY ");
                self.binder(binder);
                self.put(" . ");
                self.pred(&binder.pred);
                self.put("\n");
                self.subst(body, depth + 1);
            }
            SubstKind::Let(binds, body) => {
                for (local, value) in binds {
                    self.head(depth, "LET ");
                    self.declare(local);
                    self.put(" = ");
                    self.expr(value);
                    self.put("\n");
                }
                self.subst(body, depth + 1);
            }
            SubstKind::Var(locals, body) => {
                self.head(depth, "VAR ");
                self.list(locals, Self::declare);
                self.put("\n");
                self.subst(body, depth + 1);
            }
            SubstKind::While { cond, body, invariant, variant } => {
                self.head(depth, "WHILE ");
                self.pred(cond);
                self.put("\n");
                self.subst(body, depth + 1);
                self.head(depth, "INVARIANT ");
                self.pred(invariant);
                self.put("\n");
                self.head(depth, "VARIANT ");
                self.expr(variant);
                self.put("\n");
            }
            SubstKind::Call { op, args, results } => {
                self.head(depth, "");
                if !results.is_empty() {
                    self.list(results, Self::target);
                    self.put(" <-- ");
                }
                let name = self.machine.operations.get(*op as usize).map_or("?", |o| &*o.name);
                self.call(name, args);
                self.put("\n");
            }
        }
    }

    /// The beginning of a line.
    fn head(&mut self, depth: usize, text: &str) {
        self.put(&"  ".repeat(depth));
        self.put(text);
    }

    fn guarded(&mut self, depth: usize, word: &str, p: &Pred, body: &Subst) {
        self.head(depth, word);
        self.pred(p);
        self.put("\n");
        self.subst(body, depth + 1);
    }

    fn block(&mut self, depth: usize, word: &str, all: &[Subst]) {
        self.head(depth, "");
        self.line(word);
        for s in all {
            self.subst(s, depth + 1);
        }
    }

    fn branches(&mut self, depth: usize, words: [&str; 2], all: &[(Pred, Subst)], other: Option<&Subst>) {
        let [first, next] = words;
        for (i, (p, s)) in all.iter().enumerate() {
            self.guarded(depth, if i == 0 { first } else { next }, p, s);
        }
        self.other(depth, other);
    }

    fn other(&mut self, depth: usize, other: Option<&Subst>) {
        if let Some(s) = other {
            self.head(depth, "ELSE\n");
            self.subst(s, depth + 1);
        }
    }

    fn target(&mut self, target: &Target) {
        match target.place {
            Place::Var(v) => self.variable(v.0),
            Place::Local(id) => self.local(id),
        }
        let mut ty = &target.ty;
        for access in &target.path {
            match access {
                Access::At(arg) => {
                    self.between("(", std::slice::from_ref(arg), ")");
                    ty = ty.sides().map_or(&crate::ty::Ty::Any, |s| s.1);
                }
                Access::Field(at) => {
                    self.put("'");
                    self.put(&field(ty, *at as usize));
                    ty = match ty {
                        crate::ty::Ty::Rec(fields) => {
                            fields.get(*at as usize).map_or(&crate::ty::Ty::Any, |f| &f.1)
                        }
                        _ => &crate::ty::Ty::Any,
                    };
                }
            }
        }
    }
}
