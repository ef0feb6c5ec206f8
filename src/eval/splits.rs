//! Equations between a sequence that is known and one built from unknown parts: `x ^ [5] ^ y = [1,5,2]`,
//! `s <- x = e`, `front(s) = e`.
//!
//! In: an equation. Out: a step whose candidates are all the ways to cut the known sequence into the parts, or to
//! add an element to it. What is no sequence is no solution: the operators have no value there. Reversing and
//! inverting are patterns (`pattern`), as they have one solution.

use super::bind::{Candidates, Run};
use super::bits::Bits;
use super::choices::source;
use super::pattern::{Compiler, Pat};
use super::plan::{Choice, Node, Planner, Source, Step};
use super::{Env, Flow, Sink, finite};
use crate::diagnostic::Code;
use crate::ir::{Expr, ExprKind};
use crate::ops::{Fault, Op, numbered, sequence};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::ops::ControlFlow::Continue;

/// What is known of the length of a part.
#[derive(Debug)]
pub(super) enum Length {
    /// Nothing.
    Any,
    /// So many elements, by its form.
    Exactly(usize),
    /// As many as the sequence that this is.
    Of(Expr),
}

/// The parts of a chain of `^`, `<-`, `->` and `conc([..])`, from left to right.
fn flatten(e: &Expr, out: &mut Vec<Expr>) {
    let one = |x: &Expr| Expr { kind: ExprKind::SeqExt(vec![x.clone()]), ty: e.ty.clone(), span: x.span };
    match &e.kind {
        ExprKind::Op(Op::Concat, parts) => parts.iter().for_each(|p| flatten(p, out)),
        ExprKind::Op(Op::Append, args) if args.len() == 2 => {
            flatten(&args[0], out);
            out.push(one(&args[1]));
        }
        ExprKind::Op(Op::Prepend, args) if args.len() == 2 => {
            out.push(one(&args[0]));
            flatten(&args[1], out);
        }
        ExprKind::Op(Op::Conc, args) => match args.first().map(|a| &a.kind) {
            Some(ExprKind::SeqExt(parts)) => parts.iter().for_each(|p| flatten(p, out)),
            _ => out.push(e.clone()),
        },
        _ => out.push(e.clone()),
    }
}

impl Planner<'_> {
    /// `chain = value` with a known value.
    pub(super) fn splits(&self, conj: usize, chain: &Expr, value: &Expr, bound: &Bits) -> Option<Choice> {
        let chained = matches!(chain.kind, ExprKind::Op(Op::Concat | Op::Append | Op::Prepend | Op::Conc, _));
        if !chained || !self.known(value, bound) || self.known(chain, bound) {
            return None;
        }
        let mut parts = Vec::new();
        flatten(chain, &mut parts);
        let length = |p: &Expr| match &p.kind {
            ExprKind::SeqExt(items) => Length::Exactly(items.len()),
            _ if self.known(p, bound) => Length::Of(p.clone()),
            _ => Length::Any,
        };
        let lengths: Vec<Length> = parts.iter().map(length).collect();
        let free = lengths.iter().filter(|l| matches!(l, Length::Any)).count() as u64;
        let mut compiler = Compiler::new(self.problem, bound);
        let pats = parts.iter().map(|p| compiler.pat(p)).collect::<Option<Vec<_>>>()?;
        let matcher = compiler.finish(Pat::Rec(pats));
        if matcher.binds.is_empty() {
            return None;
        }
        let source = source(conj, true, matcher);
        Some(Choice { cost: 20 + 30 * free, step: Step::Splits { source, value: value.clone(), lengths } })
    }

    /// `front(s) = value` and `tail(s) = value` with a known value.
    pub(super) fn longer(&self, conj: usize, end: &Expr, value: &Expr, bound: &Bits) -> Option<Choice> {
        let ExprKind::Op(op @ (Op::Front | Op::Tail), args) = &end.kind else { return None };
        let s = args.first()?;
        if !self.known(value, bound) || self.known(s, bound) {
            return None;
        }
        let mut compiler = Compiler::new(self.problem, bound);
        let pat = compiler.pat(s)?;
        let matcher = compiler.finish(pat);
        let (_, element) = s.ty.sides()?;
        let cost = 290 + 4 * finite::estimate(element, &self.ev.world).min(1 << 40);
        let source = source(conj, true, matcher);
        Some(Choice { cost, step: Step::Longer { source, value: value.clone(), front: *op == Op::Front } })
    }
}

impl Run<'_> {
    /// The step [`Step::Splits`].
    pub(super) fn splits(
        &self,
        node: &Node,
        source: &Source,
        (value, lengths): (&Expr, &[Length]),
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let found = self.elements(value, env).and_then(|items| {
            let Some(items) = items else { return Ok(Vec::new()) };
            let mut fixed = Vec::with_capacity(lengths.len());
            for l in lengths {
                fixed.push(match l {
                    Length::Any => None,
                    Length::Exactly(n) => Some(*n),
                    Length::Of(e) => match self.elements(e, env)? {
                        Some(part) => Some(part.len()),
                        None => return Ok(Vec::new()),
                    },
                });
            }
            let mut out = Vec::new();
            cut(&items, &fixed, &mut Vec::new(), &mut out);
            Ok(out)
        });
        let candidates = match found {
            Ok(rows) => Candidates::Items(SetRef::from_vec(rows)),
            Err(f) if f.0.code == Code::Interrupted => return Err(f),
            Err(f) => Candidates::None(f),
        };
        self.each(node, source, candidates, false, pending, env, f)
    }

    /// The step [`Step::Longer`].
    pub(super) fn longer(
        &self,
        node: &Node,
        source: &Source,
        (value, front): (&Expr, bool),
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let candidates = match self.elements(value, env) {
            Ok(None) => Candidates::Items(SetRef::empty()),
            Ok(Some(items)) => self.with_one_more(&items, value, front, node)?,
            Err(f) if f.0.code == Code::Interrupted => return Err(f),
            Err(f) => Candidates::None(f),
        };
        self.each(node, source, candidates, false, pending, env, f)
    }

    fn with_one_more(
        &self,
        items: &[Value],
        value: &Expr,
        front: bool,
        node: &Node,
    ) -> Result<Candidates, Fault> {
        let Some((_, element)) = value.ty.sides() else { return Ok(Candidates::Items(SetRef::empty())) };
        let mut out = Vec::new();
        let window = self.mode.open.then(|| self.window(element));
        let done = finite::each(element, &self.ev.world, window.as_ref(), &mut |v| {
            let all = items.iter().cloned();
            out.push(if front { numbered(all.chain([v])) } else { numbered([v].into_iter().chain(all)) });
            Ok(Continue(()))
        });
        match done {
            Err(f) if f.0.code == Code::Interrupted => Err(f),
            Err(f) => Ok(Candidates::None(f)),
            Ok(_) => {
                if finite::infinite(element) {
                    let open = node.scope.iter().find(|i| !node.bound.contains(*i));
                    let u = open.and_then(|i| self.problem.unknowns.get(i));
                    u.iter().for_each(|u| super::ledger::note(&self.ev.cut(u.span, &u.name, element)));
                }
                Ok(Candidates::Items(SetRef::from_vec(out)))
            }
        }
    }

    /// The elements of a sequence in order; nothing if the value is no sequence.
    fn elements(&self, e: &Expr, env: &mut Env) -> Result<Option<Vec<Value>>, Fault> {
        let v = self.ev.settled(e, env)?;
        let pairs = match sequence(&v, &self.ev.cx(&e.ty)) {
            Ok(pairs) => pairs,
            Err(f) if f.0.code == Code::NotWellDefined => return Ok(None),
            Err(f) => return Err(f.at(e.span)),
        };
        let right = |v: &Value| match v {
            Value::Pair(p) => Some(p.1.clone()),
            _ => None,
        };
        Ok(Some(pairs.items().iter().filter_map(right).collect()))
    }
}

/// All ways to cut a sequence into parts of which some have a fixed length.
fn cut(items: &[Value], lengths: &[Option<usize>], done: &mut Vec<Value>, out: &mut Vec<Value>) {
    let Some((first, rest)) = lengths.split_first() else {
        if items.is_empty() {
            out.push(Value::Rec(done.clone().into()));
        }
        return;
    };
    let needed: usize = rest.iter().flatten().sum();
    let most = items.len().saturating_sub(needed);
    let sizes = match first {
        Some(n) => *n..=*n,
        // The last free part takes what is left.
        None if rest.iter().all(Option::is_some) => most..=most,
        None => 0..=most,
    };
    for n in sizes {
        let (Some(part), Some(left)) = (items.get(..n), items.get(n..)) else { continue };
        done.push(numbered(part.iter().cloned()));
        cut(left, rest, done, out);
        done.pop();
    }
}

/// The set of all values of a type as an expression.
pub(super) fn whole(ty: &Ty, span: crate::source::Span) -> Option<Expr> {
    let op = |op, args| Some(ExprKind::Op(op, args));
    let kind = match ty {
        Ty::Int => op(Op::Integer, Vec::new()),
        Ty::Bool => op(Op::BoolSet, Vec::new()),
        Ty::Str => op(Op::StringSet, Vec::new()),
        Ty::Given(s) => Some(ExprKind::Given(*s)),
        Ty::Pow(t) => op(Op::Pow, vec![whole(t, span)?]),
        Ty::Pair(a, b) => op(Op::Product, vec![whole(a, span)?, whole(b, span)?]),
        _ => None,
    };
    Some(Expr { kind: kind?, ty: Ty::pow(ty.clone()), span })
}
