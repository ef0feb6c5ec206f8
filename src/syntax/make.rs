//! What the grammar's productions build.
//!
//! In: places and parts. Out: nodes of the AST. Mistakes that do not stop the parser (a dotted name in
//! a list of bound names, a wrong number of arguments) are noted here; nothing is ever refused.

use super::ast::{Ident, MachineRef, Name, Node, NodeKind, Operation, SetDecl, Subst, SubstKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Op;
use crate::source::{FileId, Span};
use std::cell::RefCell;
use std::mem::discriminant;

/// What the parser was asked to read.
#[derive(Debug)]
#[allow(missing_docs, reason = "each is the result of the entry of that name")]
pub enum Parsed {
    Formula(Node),
    Subst(Subst),
    Operation(Operation),
    Names(Vec<Ident>),
    Header(Ident, Vec<Ident>),
    SetDecl(SetDecl),
    Refs(Vec<MachineRef>),
    FreeType(Ident, Vec<(Ident, Option<Node>)>),
    Value(Ident, Node),
}

/// The builder that the grammar calls.
#[derive(Debug)]
pub struct Make {
    file: FileId,
    /// Mistakes noted so far.
    pub errors: RefCell<Vec<Diagnostic>>,
}

impl Make {
    /// A builder for one file.
    #[must_use]
    pub fn new(file: FileId) -> Self {
        Self { file, errors: RefCell::default() }
    }

    pub(super) fn note(&self, diagnostic: Diagnostic) {
        self.errors.borrow_mut().push(diagnostic);
    }

    /// A place in the file.
    pub fn span(&self, lo: usize, hi: usize) -> Span {
        Span::new(self.file, lo, hi)
    }

    /// A formula.
    pub fn node(&self, lo: usize, kind: NodeKind, hi: usize) -> Node {
        Node { kind, span: self.span(lo, hi) }
    }

    /// A substitution.
    pub fn subst(&self, lo: usize, kind: SubstKind, hi: usize) -> Subst {
        Subst { kind, span: self.span(lo, hi) }
    }

    /// A name in a declaration.
    pub fn ident(&self, lo: usize, name: Name, hi: usize) -> Ident {
        Ident { name, span: self.span(lo, hi) }
    }

    /// A name in a formula.
    pub fn name(&self, ident: Ident) -> Node {
        Node { kind: NodeKind::Name(ident.name), span: ident.span }
    }

    /// An infix operator between two formulas; the place covers both.
    pub fn infix(&self, op: Op, a: Node, b: Node) -> Node {
        let span = a.span.to(b.span);
        Node { kind: NodeKind::Op(op, vec![a, b]), span }
    }

    /// A connective between two predicates.
    pub fn join(&self, kind: fn(Box<Node>, Box<Node>) -> NodeKind, a: Node, b: Node) -> Node {
        let span = a.span.to(b.span);
        Node { kind: kind(Box::new(a), Box::new(b)), span }
    }

    /// `P & Q` or `P or Q`, which lengthens P if that is made by the same connective.
    pub fn connect(&self, make: fn(Vec<Node>) -> NodeKind, a: Node, b: Node) -> Node {
        let span = a.span.to(b.span);
        let same = discriminant(&make(Vec::new())) == discriminant(&a.kind);
        let parts = match a.kind {
            NodeKind::And(mut parts) | NodeKind::Or(mut parts) if same => {
                parts.push(b);
                parts
            }
            kind => vec![Node { kind, span: a.span }, b],
        };
        Node { kind: make(parts), span }
    }

    /// `a,b,c` as a pair that nests to the left.
    pub fn pairs(&self, items: Vec<Node>) -> Node {
        items.into_iter().reduce(|a, b| self.infix(Op::Maplet, a, b)).unwrap_or_else(|| {
            // The grammar has no empty list of items.
            self.node(0, NodeKind::Error, 0)
        })
    }

    /// `(a,b,c)`; the place includes the parentheses.
    pub fn group(&self, lo: usize, items: Vec<Node>, hi: usize) -> Node {
        Node { span: self.span(lo, hi), ..self.pairs(items) }
    }

    /// Names that must not be dotted.
    pub fn plain(&self, names: Vec<Ident>) -> Vec<Ident> {
        for name in names.iter().filter(|n| n.name.contains('.')) {
            let text =
                format!("`{}` cannot be declared: a dot belongs to names of renamed machines", name.name);
            self.note(
                Diagnostic::error(Code::UnexpectedToken, name.span, text)
                    .with_help("the body of a quantifier stands in parentheses: `!x.(P)`"),
            );
        }
        names
    }

    /// The names before `|` in a comprehension, which are read as formulas first.
    pub fn binders(&self, items: Vec<Node>) -> Vec<Ident> {
        let mut names = Vec::new();
        let mut todo = items;
        todo.reverse();
        while let Some(item) = todo.pop() {
            match item.kind {
                NodeKind::Name(name) => names.push(Ident { name, span: item.span }),
                NodeKind::Op(Op::Maplet, parts) => todo.extend(parts.into_iter().rev()),
                _ => self.note(
                    Diagnostic::error(Code::UnexpectedToken, item.span, "a name is expected here")
                        .with_label("not a name")
                        .with_help("before `|` stand the names of the elements: `{x,y | P}`; for values, write `{x | x : S & ...}`"),
                ),
            }
        }
        self.plain(names)
    }

    /// `ref abstract` after an operation's name.
    #[allow(clippy::needless_pass_by_value, reason = "the grammar gives away what it built")]
    pub fn refines(&self, word: Ident, name: Ident) -> Ident {
        if &*word.name != "ref" {
            let text = format!("`=` is expected, found `{}`", word.name);
            self.note(Diagnostic::error(Code::UnexpectedToken, word.span, text));
        }
        name
    }

    /// `x.M(a,b)` in SEES and its family; `M.x` has at most one dot.
    pub fn reference(&self, name: Ident, args: Vec<Node>) -> MachineRef {
        let Some((prefix, last)) = name.name.split_once('.') else {
            return MachineRef { prefix: None, name, args, file: None };
        };
        if last.contains('.') {
            let text = format!("`{}` has more than one dot", name.name);
            self.note(Diagnostic::error(Code::UnexpectedToken, name.span, text));
        }
        let prefix = Ident { name: prefix.into(), span: name.span };
        MachineRef {
            prefix: Some(prefix),
            name: Ident { name: last.into(), span: name.span },
            args,
            file: None,
        }
    }

    /// An operator with arguments in parentheses. One that takes one argument takes `a,b` as a pair.
    pub fn word(&self, lo: usize, op: Op, mut items: Vec<Node>, hi: usize) -> NodeKind {
        match (op, items.len()) {
            (Op::Partition, _) | (Op::Prj1 | Op::Prj2 | Op::Iterate, 2) => {}
            (Op::Prj1, 1) => return NodeKind::Op(Op::First1, items),
            (Op::Prj2, 1) => return NodeKind::Op(Op::Second2, items),
            (Op::Prj1 | Op::Prj2 | Op::Iterate, n) => {
                let text = format!("this operator takes 2 arguments, not {n}");
                self.note(Diagnostic::error(Code::WrongArity, self.span(lo, hi), text));
                return NodeKind::Error;
            }
            _ => items = vec![self.pairs(items)],
        }
        NodeKind::Op(op, items)
    }

    /// A call of an operation or of a substitution definition.
    pub fn call(&self, results: Vec<Node>, target: Node) -> SubstKind {
        let span = target.span;
        let (name, args) = match target.kind {
            NodeKind::Name(name) => (Ident { name, span }, Vec::new()),
            NodeKind::Apply(f, args) => match f.kind {
                NodeKind::Name(name) => (Ident { name, span: f.span }, args),
                _ => return self.no_statement(span),
            },
            _ => return self.no_statement(span),
        };
        SubstKind::Call { results, name, args, target: None }
    }

    fn no_statement(&self, span: Span) -> SubstKind {
        self.note(
            Diagnostic::error(Code::MixedKinds, span, "an expression where a substitution is needed")
                .with_help("an assignment is written `x := E`"),
        );
        SubstKind::Error
    }

    /// `S ; T ; ...`.
    pub fn sequence(&self, lo: usize, mut parts: Vec<Subst>, hi: usize) -> Subst {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => {
                parts.extend(last);
                self.subst(lo, SubstKind::Seq(parts), hi)
            }
        }
    }

    /// `S || T || ...`.
    pub fn parallel(&self, lo: usize, mut parts: Vec<Subst>, hi: usize) -> Subst {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => {
                parts.extend(last);
                self.subst(lo, SubstKind::Par(parts), hi)
            }
        }
    }
}
