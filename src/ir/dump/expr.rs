//! Expressions as text.

use super::Dump;
use crate::ir::{Expr, ExprKind, Scoped};
use crate::ops::{Form, Op, table};
use crate::syntax::ast::Fold;
use crate::ty::Ty;
use std::fmt::Write as _;

impl Dump<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Lit(value) => {
                let text = value.show(&expr.ty, &self.world);
                self.put(&text);
            }
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Const(c) => {
                let name = self.machine.constants.get(c.0 as usize).map_or("?", |c| &*c.name);
                self.out.push_str(name);
            }
            ExprKind::Var(v) => self.variable(v.0),
            ExprKind::Old(v) => {
                self.variable(v.0);
                self.put("$0");
            }
            ExprKind::Given(s) => self.ty(&Ty::Given(*s)),
            ExprKind::Op(op, args) => self.operator(*op, args),
            ExprKind::External(external, args) => self.call(external.name, args),
            ExprKind::SetExt(items) => self.between("{", items, "}"),
            ExprKind::SeqExt(items) => self.between("[", items, "]"),
            ExprKind::Rec(fields) => self.record("rec(", fields, &expr.ty),
            ExprKind::Struct(fields) => self.record("struct(", fields, expr.ty.elem().unwrap_or(&Ty::Any)),
            ExprKind::Field(record, at) => {
                self.expr(record);
                self.put("'");
                let name = field(&record.ty, *at as usize);
                self.put(&name);
            }
            ExprKind::Construct(t, c, arg) => {
                let free = self.machine.free_types.get(usize::from(*t));
                let name = free.and_then(|f| f.constructors.get(usize::from(*c))).map_or("?", |c| &*c.0);
                self.out.push_str(name);
                if let Some(arg) = arg {
                    self.between("(", std::slice::from_ref(&**arg), ")");
                }
            }
            ExprKind::FreeSet(t) => self.ty(&Ty::Free(crate::ty::FreeId(*t))),
            ExprKind::Bool(p) => {
                self.put("bool(");
                self.pred(p);
                self.put(")");
            }
            ExprKind::Compr(binder, symbolic) => {
                self.put(if *symbolic && !self.plain { "symbolic {" } else { "{" });
                if self.plain {
                    // No parentheses around several here.
                    self.list(&binder.vars, Self::declare);
                } else {
                    self.binder(binder);
                }
                self.put(" | ");
                self.pred(&binder.pred);
                self.put("}");
            }
            ExprKind::Image(scoped) => {
                self.put("{");
                self.scoped(scoped);
                self.put("}");
            }
            ExprKind::Lambda(scoped, symbolic) => {
                self.put(if *symbolic && !self.plain { "symbolic %" } else { "%" });
                self.scoped(scoped);
            }
            ExprKind::Fold(fold, scoped) => {
                self.put(match fold {
                    Fold::Sum => "SIGMA ",
                    Fold::Product => "PI ",
                    Fold::Union => "UNION ",
                    Fold::Inter => "INTER ",
                });
                self.scoped(scoped);
            }
            ExprKind::If(c, a, b) => {
                self.put("IF ");
                self.pred(c);
                self.put(" THEN ");
                self.expr(a);
                self.put(" ELSE ");
                self.expr(b);
                self.put(" END");
            }
            ExprKind::Let(id, value, body) => {
                self.put("LET ");
                self.local(*id);
                if self.plain {
                    self.put(" BE ");
                    self.local(*id);
                }
                self.put(" = ");
                self.expr(value);
                self.put(" IN ");
                self.expr(body);
                self.put(" END");
            }
        }
    }

    /// Variables, predicate and body of a binder.
    fn scoped(&mut self, scoped: &Scoped<Expr>) {
        self.binder(&scoped.binder);
        self.put(" . (");
        self.pred(&scoped.binder.pred);
        self.put(" | ");
        self.expr(&scoped.body);
        self.put(")");
    }

    /// An operator with its arguments, as the table writes it.
    pub(super) fn operator(&mut self, op: Op, args: &[Expr]) {
        let row = table::def(op);
        match (op, row.form, args) {
            (Op::Apply, _, [f, x]) => {
                self.expr(f);
                self.between("(", std::slice::from_ref(x), ")");
            }
            (Op::Image, _, [r, s]) => {
                self.expr(r);
                self.between("[", std::slice::from_ref(s), "]");
            }
            (Op::Product, _, [a, b]) => self.infix(a, if self.plain { "*" } else { "×" }, b),
            (Op::Sub | Op::Mul, _, [a, b]) | (_, Form::Infix(_), [a, b]) => self.infix(a, row.spelling, b),
            (_, Form::Prefix(_), [a]) => {
                self.put(row.spelling);
                self.expr(a);
            }
            (_, Form::Postfix(_), [a]) => {
                self.expr(a);
                self.put(row.spelling);
            }
            (_, _, []) => self.put(row.spelling),
            _ => self.call(row.spelling, args),
        }
    }

    fn infix(&mut self, a: &Expr, spelling: &str, b: &Expr) {
        self.put("(");
        self.expr(a);
        let _ = write!(self.out, " {spelling} ");
        self.expr(b);
        self.put(")");
    }

    /// A name with arguments.
    pub(super) fn call(&mut self, name: &str, args: &[Expr]) {
        self.put(name);
        self.between("(", args, ")");
    }

    pub(super) fn between(&mut self, open: &str, items: &[Expr], close: &str) {
        self.put(open);
        self.list(items, Self::expr);
        self.put(close);
    }

    fn record(&mut self, open: &str, fields: &[Expr], ty: &Ty) {
        self.put(open);
        for (i, value) in fields.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            let name = field(ty, i);
            self.put(&name);
            self.put(":");
            self.expr(value);
        }
        self.put(")");
    }
}

/// The name of a field.
pub(super) fn field(record: &Ty, at: usize) -> String {
    match record {
        Ty::Rec(fields) => fields.get(at).map_or("?", |f| &*f.0).to_owned(),
        _ => "?".to_owned(),
    }
}
