//! AST back to B text with as few parentheses as the priorities allow.
//!
//! In: a formula, substitution or machine. Out: text that parses to the same tree (tested as a law).
//! Absent: comments and the user's layout; the AST does not have them.

mod machine;
mod subst;

pub use machine::machine;
pub use subst::substitution;

use super::ast::{Entity, Fold, Ident, Node, NodeKind};
use super::token::Token;
use crate::ops::{Form, Op};
use std::fmt::Write;

/// An operator's spelling.
#[must_use]
pub fn operator(op: Op) -> &'static str {
    row(op).0
}

fn row(op: Op) -> (&'static str, Form) {
    let row = crate::ops::table::def(op);
    (row.spelling, row.form)
}

/// A formula as B text.
#[must_use]
pub fn formula(node: &Node) -> String {
    formula_with(node, &|entity| format!("{entity:?}"))
}

/// A formula as B text, with the names of resolved entities.
#[must_use]
pub fn formula_with(node: &Node, names: &dyn Fn(Entity) -> String) -> String {
    let mut p = Printer { out: String::new(), names };
    p.node(node, FORMULA);
    p.out
}

// Priorities of the grammar; a node is put in parentheses where a tighter one is needed.
const OPEN: u16 = 20;
const FORMULA: u16 = 30;
const CONNECTIVE: u16 = 40;
const IFF: u16 = 60;
const PREDICATE: u16 = 100;
const EXPR: u16 = 125;
const UNARY: u16 = 210;
const ATOM: u16 = 230;

struct Printer<'n> {
    out: String,
    names: &'n dyn Fn(Entity) -> String,
}

/// The infix spelling and priority of an operator.
fn infix(op: Op) -> Option<(&'static str, u16)> {
    match (op, row(op)) {
        (Op::Sub, _) => Some(("-", 180)),
        (Op::Mul, _) => Some(("*", 190)),
        (Op::Product, _) => Some(("×", 190)),
        (_, (text, Form::Infix(priority))) => Some((text, priority)),
        _ => None,
    }
}

fn priority(kind: &NodeKind) -> u16 {
    match kind {
        NodeKind::Implies(..) => FORMULA,
        NodeKind::And(..) | NodeKind::Or(..) => CONNECTIVE,
        NodeKind::Iff(..) => IFF,
        NodeKind::Not(_) | NodeKind::Forall(..) | NodeKind::Exists(..) => PREDICATE,
        NodeKind::Op(Op::Neg, _) => UNARY,
        NodeKind::Op(op, args) if args.len() == 2 => infix(*op).map_or(ATOM, |(_, p)| p),
        _ => ATOM,
    }
}

/// An infix node in its parts: left side, spelling, right side.
fn binary(kind: &NodeKind) -> Option<(&Node, &'static str, &Node)> {
    match kind {
        NodeKind::Implies(a, b) => Some((a, "=>", b)),
        NodeKind::Iff(a, b) => Some((a, "<=>", b)),
        NodeKind::Op(op, args) => match args.as_slice() {
            [a, b] => infix(*op).map(|(text, _)| (a, text, b)),
            _ => None,
        },
        _ => None,
    }
}

/// The priorities that the sides of an infix operator need.
fn sides(priority: u16) -> (u16, u16) {
    match priority {
        PREDICATE => (EXPR, EXPR),
        OPEN => (OPEN, FORMULA),
        200 => (UNARY, 200),
        p => (p, p + 1),
    }
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A node where priority `needed` is needed.
    fn node(&mut self, node: &Node, needed: u16) {
        if priority(&node.kind) < needed {
            self.put("(");
            self.node(node, OPEN);
            self.put(")");
        } else if let NodeKind::And(all) | NodeKind::Or(all) = &node.kind {
            self.connected(if matches!(node.kind, NodeKind::And(_)) { "&" } else { "or" }, all);
        } else if binary(&node.kind).is_some() {
            self.chain(node);
        } else {
            self.kind(&node.kind);
        }
    }

    /// The parts of a conjunction or disjunction. The two share a priority, so either may come first in the other.
    fn connected(&mut self, sign: &str, all: &[Node]) {
        for (i, part) in all.iter().enumerate() {
            if i > 0 {
                let _ = write!(self.out, " {sign} ");
            }
            self.node(part, if i == 0 { CONNECTIVE } else { CONNECTIVE + 1 });
        }
    }

    /// An infix node; the left spine is walked in a loop, as chains of thousands of `+` occur.
    fn chain(&mut self, node: &Node) {
        let mut rest = Vec::new();
        let mut at = node;
        let mut needed = OPEN;
        while let Some((a, text, b)) = binary(&at.kind) {
            let own = priority(&at.kind);
            if own < needed {
                break;
            }
            let (left, right) = sides(own);
            rest.push((text, b, right));
            at = a;
            needed = left;
        }
        self.node(at, needed);
        while let Some((text, b, right)) = rest.pop() {
            let _ = write!(self.out, " {text} ");
            self.node(b, right);
        }
    }

    fn kind(&mut self, kind: &NodeKind) {
        match kind {
            NodeKind::Name(name) => self.put(&spell(name)),
            NodeKind::Ref(entity) => {
                let name = (self.names)(*entity);
                self.put(&name);
            }
            NodeKind::Old(x) => {
                self.node(x, ATOM);
                self.put("$0");
            }
            NodeKind::Int(i) => {
                let _ = write!(self.out, "{i}");
            }
            NodeKind::Real(text) => self.put(text),
            NodeKind::Str(text) => self.put(&quote(text)),
            NodeKind::Op(op, args) => self.op(*op, args),
            NodeKind::Not(p) => self.call("not", std::slice::from_ref(&**p)),
            NodeKind::Bool(p) => self.call("bool", std::slice::from_ref(&**p)),
            NodeKind::Apply(f, args) => {
                self.node(f, ATOM);
                self.list("(", args, ")");
            }
            NodeKind::Field(r, x) => {
                self.node(r, ATOM);
                self.put("'");
                self.put(&spell(&x.name));
            }
            NodeKind::SetExt(v) => self.list("{", v, "}"),
            NodeKind::SeqExt(v) => self.list("[", v, "]"),
            NodeKind::Table(table) => self.kind(&super::table::spelled(table).kind),
            NodeKind::Rec(v) => self.entries("rec(", v),
            NodeKind::Struct(v) => self.entries("struct(", v),
            NodeKind::If(p, a, b) => {
                self.parts(&[("IF ", p), (" THEN ", a), (" ELSE ", b)]);
                self.put(" END");
            }
            NodeKind::Let(v, e) => {
                self.equations(v);
                self.node(e, FORMULA);
                self.put(" END");
            }
            other => self.binder(other),
        }
    }

    fn binder(&mut self, kind: &NodeKind) {
        match kind {
            NodeKind::Compr(x, p) => {
                let _ = write!(self.out, "{{{} | ", names(x));
                self.node(p, FORMULA);
                self.put("}");
            }
            NodeKind::EventCompr(x, p, e) => {
                let _ = write!(self.out, "{{({}).", names(x));
                self.node(p, EXPR);
                self.put(" | ");
                self.node(e, OPEN);
                self.put("}");
            }
            NodeKind::LetWhere(x, p, e) => {
                let _ = write!(self.out, "LET {} BE ", names(x));
                self.parts(&[("", p), (" IN ", e)]);
                self.put(" END");
            }
            NodeKind::Forall(x, p) => self.quantified("!", x, p, None),
            NodeKind::Exists(x, p) => self.quantified("#", x, p, None),
            NodeKind::Lambda(x, p, e) => self.quantified("%", x, p, Some(e)),
            NodeKind::Fold(fold, x, p, e) => {
                let word = match fold {
                    Fold::Sum => "SIGMA",
                    Fold::Product => "PI",
                    Fold::Union => "UNION",
                    Fold::Inter => "INTER",
                };
                let _ = write!(self.out, "{word}({}).(", names(x));
                self.parts(&[("", p), (" | ", e)]);
                self.put(")");
            }
            // All other kinds are printed by the callers; an unreadable formula has no text.
            _ => self.put("?"),
        }
    }

    fn quantified(&mut self, sign: &str, x: &[Ident], p: &Node, e: Option<&Node>) {
        self.put(sign);
        match x {
            [one] => self.put(&spell(&one.name)),
            _ => {
                let _ = write!(self.out, "({})", names(x));
            }
        }
        self.put(".(");
        self.node(p, FORMULA);
        if let Some(e) = e {
            self.put(" | ");
            self.node(e, OPEN);
        }
        self.put(")");
    }

    fn op(&mut self, op: Op, args: &[Node]) {
        match (op, args) {
            (_, []) => self.put(operator(op)),
            (Op::Neg, [a]) => {
                self.put("-");
                self.node(a, UNARY);
            }
            (Op::Image, [r, s]) => {
                self.node(r, ATOM);
                self.list("[", std::slice::from_ref(s), "]");
            }
            (Op::Apply, [f, x]) => {
                self.node(f, ATOM);
                self.list("(", std::slice::from_ref(x), ")");
            }
            (_, [r]) if matches!(row(op).1, Form::Postfix(_)) => {
                self.node(r, ATOM);
                self.put(operator(op));
            }
            _ => self.call(operator(op), args),
        }
    }

    fn call(&mut self, word: &str, args: &[Node]) {
        self.put(word);
        self.list("(", args, ")");
    }

    fn list(&mut self, open: &str, items: &[Node], close: &str) {
        self.put(open);
        for (i, item) in items.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            self.node(item, FORMULA);
        }
        self.put(close);
    }

    fn parts(&mut self, parts: &[(&str, &Node)]) {
        for (text, node) in parts {
            self.put(text);
            self.node(node, FORMULA);
        }
    }

    fn entries(&mut self, open: &str, entries: &[(Ident, Node)]) {
        self.put(open);
        for (i, (x, e)) in entries.iter().enumerate() {
            let _ = write!(self.out, "{}{} : ", if i > 0 { ", " } else { "" }, spell(&x.name));
            self.node(e, EXPR);
        }
        self.put(")");
    }

    /// `LET x,y BE x=E & y=F IN `.
    fn equations(&mut self, v: &[(Ident, Node)]) {
        let all: Vec<Ident> = v.iter().map(|(x, _)| x.clone()).collect();
        let _ = write!(self.out, "LET {} BE ", names(&all));
        for (i, (x, e)) in v.iter().enumerate() {
            let _ = write!(self.out, "{}{} = ", if i > 0 { " & " } else { "" }, spell(&x.name));
            self.node(e, EXPR);
        }
        self.put(" IN ");
    }
}

/// Names with commas.
fn names(names: &[Ident]) -> String {
    names.iter().map(|x| spell(&x.name)).collect::<Vec<_>>().join(", ")
}

/// A name as it must be written: between backquotes unless it is plain.
fn spell(name: &str) -> String {
    let plain = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && Token::keyword(part).is_none()
    };
    if !name.is_empty() && name.split('.').all(plain) {
        return name.to_owned();
    }
    format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
}

fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
