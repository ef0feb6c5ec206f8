//! The IR as text (`bsym show --stage ir`).
//!
//! In: a machine in the IR, or one of its formulas. Out: text in the style of B, with everything the IR
//! settles made visible: locals with their slots (`x.0`), binders with their number, captures and whether
//! they read the state (`[b0 y.1 state]`), operators after overloading (`\` and `×`, never `-` and `*` on
//! sets), every infix in parentheses. It is for people and golden files; nothing reads it back.

mod expr;
mod pred;
mod subst;

use super::{Binder, Decl, Expr, Formula, Local, LocalId, Machine, Operation, Pred, Settings};
use crate::ops::World;
use crate::ty::Ty;
use std::fmt::Write as _;
use std::sync::Arc;

/// A machine as text.
#[must_use]
pub fn machine(machine: &Machine) -> String {
    let mut d = Dump::new(machine);
    d.machine();
    d.out
}

/// An expression as text; slots of locals stand without names.
#[must_use]
pub fn expression(expr: &Expr, machine: &Machine) -> String {
    let mut d = Dump::new(machine);
    d.expr(expr);
    d.out
}

/// A predicate as text; slots of locals stand without names unless it binds them itself.
#[must_use]
pub fn predicate(pred: &Pred, machine: &Machine) -> String {
    let mut d = Dump::new(machine);
    d.pred(pred);
    d.out
}

/// A predicate in B, as a user might have written it; locals that it does not bind have these names.
#[must_use]
pub fn plain_predicate(pred: &Pred, machine: &Machine, names: &[Local]) -> String {
    let mut d = Dump::plain(machine, names);
    d.pred(pred);
    without_parentheses(d.out)
}

/// An expression in B, as a user might have written it; locals that it does not bind have these names.
#[must_use]
pub fn plain_expression(expr: &Expr, machine: &Machine, names: &[Local]) -> String {
    let mut d = Dump::plain(machine, names);
    d.expr(expr);
    without_parentheses(d.out)
}

/// A text without the parentheses around all of it.
pub(crate) fn without_parentheses(text: String) -> String {
    let mut depth = 0_i32;
    let mut closes = |(i, c): (usize, char)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(i)
    };
    match text.char_indices().find_map(&mut closes) {
        Some(end) if text.starts_with('(') && end + 1 == text.len() => {
            text.get(1..end).unwrap_or_default().to_owned()
        }
        _ => text,
    }
}

/// The text so far, and the names of the locals met so far.
struct Dump<'m> {
    machine: &'m Machine,
    /// Whether the text is to be B: no slots, no types of bound variables, no numbers of binders.
    plain: bool,
    /// Only the names of elements: what literals need.
    world: World,
    names: Vec<Option<Arc<str>>>,
    out: String,
}

impl<'m> Dump<'m> {
    fn new(machine: &'m Machine) -> Self {
        let elements = machine.sets.iter().map(|s| s.elements.clone().unwrap_or_default()).collect();
        let world = World { elements, ..World::default() };
        Self { machine, plain: false, world, names: Vec::new(), out: String::new() }
    }

    fn plain(machine: &'m Machine, names: &[Local]) -> Self {
        let mut d = Self { plain: true, ..Self::new(machine) };
        names.iter().for_each(|l| d.call_it(l));
        d
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self, text: &str) {
        self.put(text);
        self.put("\n");
    }

    /// Items between commas.
    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            each(self, item);
        }
    }

    fn ty(&mut self, ty: &Ty) {
        let text = ty.show(self.machine).to_string();
        self.put(&text);
    }

    fn local(&mut self, id: LocalId) {
        let name = self.names.get(id.0 as usize).cloned().flatten();
        self.put(name.as_deref().unwrap_or(""));
        if !self.plain {
            let _ = write!(self.out, ".{}", id.0);
        }
    }

    /// A local has its name from here on.
    fn call_it(&mut self, local: &Local) {
        let at = local.id.0 as usize;
        if self.names.len() <= at {
            self.names.resize(at + 1, None);
        }
        if let Some(slot) = self.names.get_mut(at) {
            *slot = Some(Arc::clone(&local.name));
        }
    }

    /// A local where it is bound: its name is known from here on.
    fn declare(&mut self, local: &Local) {
        self.call_it(local);
        self.local(local.id);
        if self.plain {
            return;
        }
        self.put(":");
        self.ty(&local.ty);
    }

    /// The bound variables and the binder's number, captures and reading.
    fn binder(&mut self, binder: &Binder) {
        if self.plain && binder.vars.len() > 1 {
            self.put("(");
            self.list(&binder.vars, Self::declare);
            return self.put(")");
        }
        self.list(&binder.vars, Self::declare);
        if self.plain {
            return;
        }
        let _ = write!(self.out, " [b{}", binder.id);
        for id in &binder.captures {
            self.put(" ");
            self.local(*id);
        }
        self.put(if binder.reads_state { " state]" } else { "]" });
    }

    fn variable(&mut self, at: u32) {
        let name = self.machine.variables.get(at as usize).map_or("?", |v| &*v.name);
        self.out.push_str(name);
    }

    fn machine(&mut self) {
        let m = self.machine;
        let _ = writeln!(self.out, "machine {}", m.name);
        for set in &m.sets {
            let kind = if set.parameter { "parameter" } else { "set" };
            match &set.elements {
                Some(names) => {
                    let _ = writeln!(self.out, "{kind} {} = {{{}}}", set.name, names.join(", "));
                }
                None => {
                    let _ = writeln!(self.out, "{kind} {}", set.name);
                }
            }
        }
        for free in &m.free_types {
            let _ = write!(self.out, "free type {} = ", free.name);
            self.list(&free.constructors, |d, (name, arg)| {
                d.put(name);
                if let Some(ty) = arg {
                    d.put("(");
                    d.ty(ty);
                    d.put(")");
                }
            });
            self.put("\n");
        }
        self.declarations("constant", &m.constants);
        self.declarations("variable", &m.variables);
        self.settings(&m.settings);
        let clauses =
            [("property", &m.properties), ("invariant", &m.invariants), ("assertion", &m.assertions)];
        for (what, formulas) in clauses {
            for f in formulas {
                self.formula(what, f);
            }
        }
        if let Some(f) = &m.goal {
            self.formula("goal", f);
        }
        if let Some(f) = &m.scope {
            self.formula("scope", f);
        }
        self.names.clear();
        let _ = writeln!(self.out, "initialisation frame {}", m.initialisation.frame);
        self.subst(&m.initialisation.body, 1);
        for op in &m.operations {
            self.operation(op);
        }
    }

    fn declarations(&mut self, what: &str, decls: &[Decl]) {
        for decl in decls {
            let _ = write!(self.out, "{what} {} : ", decl.name);
            self.ty(&decl.ty);
            self.put(if decl.symbolic { " symbolic" } else { "" });
            self.put(if decl.parameter { " parameter" } else { "" });
            self.put("\n");
        }
    }

    /// What differs from the defaults.
    fn settings(&mut self, s: &Settings) {
        let d = Settings::default();
        let numbers = [("maxint", s.maxint, d.maxint), ("minint", s.minint, d.minint)];
        for (what, n, _) in numbers.into_iter().filter(|(_, n, default)| n != default) {
            let _ = writeln!(self.out, "setting {what} {n}");
        }
        if s.default_set_size != d.default_set_size {
            let _ = writeln!(self.out, "setting set size {}", s.default_set_size);
        }
        for (set, n) in &s.scopes {
            let name = self.machine.sets.get(usize::from(set.0)).map_or("?", |s| &*s.name);
            let _ = writeln!(self.out, "setting scope {name} {n}");
        }
        let words = [("show ANY", s.show_any), ("simultaneous", s.simultaneous), ("symbolic", s.symbolic)];
        for (what, _) in words.into_iter().filter(|(_, on)| *on) {
            let _ = writeln!(self.out, "setting {what}");
        }
    }

    fn formula(&mut self, what: &str, f: &Formula) {
        self.names.clear();
        let _ = write!(self.out, "{what} frame {} reads", f.frame);
        for v in &f.reads {
            self.put(" ");
            self.variable(v.0);
        }
        self.put("\n  ");
        self.pred(&f.pred);
        self.put("\n");
    }

    /// An operation with its body as called; as offered it can differ in an outermost PRE only.
    fn operation(&mut self, op: &Operation) {
        self.names.clear();
        self.put("operation ");
        if !op.results.is_empty() {
            self.list(&op.results, Self::declare);
            self.put(" <-- ");
        }
        self.put(&op.name);
        if !op.params.is_empty() {
            self.put("(");
            self.list(&op.params, Self::declare);
            self.put(")");
        }
        let _ = write!(self.out, " frame {}", op.frame);
        self.put(match op.offered.as_ref().map(|s| &s.kind) {
            None => " not offered",
            Some(super::SubstKind::Select(..)) if matches!(op.called.kind, super::SubstKind::Pre(..)) => {
                " offered with PRE as guard"
            }
            Some(_) => " offered",
        });
        self.put("\n");
        self.subst(&op.called, 1);
        if !op.shown.is_empty() {
            self.put("  shown ");
            self.list(&op.shown, |d, id| d.local(*id));
            self.put("\n");
        }
    }
}
