//! Patterns: expressions run backwards, from their value to the unknowns in them.
//!
//! In: an expression and the unknowns that have values already. Out: a [`Pat`] if the expression can be
//! inverted (maplets, records, sums with a known side, singletons, sequences), and its matching on a value.

use super::bits::Bits;
use super::problem::{Problem, Slot, is_scalar};
use super::{Env, Evaluator};
use crate::diagnostic::Code;
use crate::ir::{Expr, ExprKind};
use crate::ops::{Fault, Op};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::{SetRef, Value};

/// A compiled pattern.
#[derive(Debug)]
pub(super) enum Pat {
    /// Anything.
    Any,
    /// An unknown that gets the value.
    Bind(Slot),
    /// The value of an expression that is known when matching starts, by number in [`Matcher::known`].
    Known(usize, Ty),
    /// The value of an expression that is known once the parts matched before are.
    Late(Expr),
    /// A pair; `true` if the right side is matched first.
    Pair(Box<Pat>, Box<Pat>, bool),
    /// A record.
    Rec(Vec<Pat>),
    /// `p + e`: the value minus e.
    Plus(Box<Pat>, Operand),
    /// `e - p`: e minus the value.
    From(Operand, Box<Pat>),
    /// `p - e`: the value plus e.
    Less(Box<Pat>, Operand),
    /// `p * e`. Where e may be 0 and is, matching faults: any p would do, or none.
    Times(Box<Pat>, Operand),
    /// `rev(p)`, `p~`, `-p`: an operator that undoes itself.
    Undo(Op, Box<Pat>, Ty),
    /// A set of one member.
    Single(Box<Pat>),
    /// A sequence of so many members.
    Seq(Vec<Pat>),
}

/// The other operand of an arithmetic pattern.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// Known when matching starts, by number in [`Matcher::known`]; where it stands.
    Known(usize, Span),
    /// Known once the parts matched before are.
    Late(Expr),
}

impl Pat {
    /// Whether matching does nothing but bind unknowns and compare scalars, so that it cannot fault.
    fn is_plain(&self) -> bool {
        match self {
            Pat::Any | Pat::Bind(_) => true,
            Pat::Known(_, ty) => is_scalar(ty),
            Pat::Pair(a, b, _) => a.is_plain() && b.is_plain(),
            _ => false,
        }
    }

    /// For a plain pattern: whether a scalar in a tuple is another one than that of the pattern. Most members of a
    /// relation that is looked through are turned away by this, before anything is bound.
    pub(super) fn differs(&self, v: &Value, known: &[Value]) -> bool {
        let other = |pat: &Pat, v: &Value| match pat {
            Pat::Known(i, _) => known.get(*i).is_some_and(|w| w != v),
            _ => false,
        };
        let (mut pat, mut v) = (self, v);
        while let (Pat::Pair(a, b, _), Value::Pair(p)) = (pat, v) {
            if other(b, &p.1) {
                return true;
            }
            (pat, v) = (a, &p.0);
        }
        other(pat, v)
    }
}

/// A pattern with the expressions to evaluate once before matching.
#[derive(Debug)]
pub(super) struct Matcher {
    pub(super) pat: Pat,
    pub(super) known: Vec<Expr>,
    /// Unknowns that matching binds.
    pub(super) binds: Bits,
    /// Whether [`Pat::differs`] may be asked, and be of use.
    pub(super) plain: bool,
}

/// Relations of fewer pairs are gone through.
const LOOKED_UP: usize = 16;

/// For `x |-> e : r` with e known, where that has been asked of r often: the pattern of x, the inverse of r, and the value
/// of e. A row of the inverse has its pairs in the order in which r has them.
pub(super) fn backwards<'p>(
    pat: &'p Pat,
    items: &SetRef,
    known: &'p [Value],
) -> Option<(&'p Pat, SetRef, &'p Value)> {
    let Pat::Pair(left, right, _) = pat else { return None };
    let (Pat::Known(at, _), false) = (&**right, matches!(**left, Pat::Known(..))) else { return None };
    let right = known.get(*at)?;
    if items.len() < LOOKED_UP || !items.is_extension() || !right.is_extension() {
        return None;
    }
    Some((left, items.inverse_if_often()?, right))
}

/// Compiles patterns.
pub(super) struct Compiler<'a> {
    problem: &'a Problem,
    /// Unknowns with a value when matching starts.
    start: &'a Bits,
    /// The same plus those that the pattern has bound so far.
    bound: Bits,
    binds: Bits,
    known: Vec<Expr>,
    /// Whether matching may fault, since there is another way then.
    may_fault: bool,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(problem: &'a Problem, start: &'a Bits) -> Self {
        let (bound, binds, known) = (start.clone(), Bits::default(), Vec::new());
        Self { problem, start, bound, binds, known, may_fault: false }
    }

    /// A compiler of patterns for a single value, which is looked for otherwise should matching fault.
    pub(super) fn for_one(problem: &'a Problem, start: &'a Bits) -> Self {
        Self { may_fault: true, ..Self::new(problem, start) }
    }

    pub(super) fn finish(self, pat: Pat) -> Matcher {
        let plain = pat.is_plain() && !self.known.is_empty();
        Matcher { pat, known: self.known, binds: self.binds, plain }
    }

    /// The pattern of an expression, or `None` if it cannot be inverted.
    pub(super) fn pat(&mut self, e: &Expr) -> Option<Pat> {
        let reads = self.problem.reads(e);
        if reads.is_subset(self.start) {
            self.known.push(e.clone());
            return Some(Pat::Known(self.known.len() - 1, e.ty.clone()));
        }
        if reads.is_subset(&self.bound) {
            return Some(Pat::Late(e.clone()));
        }
        if let Some(i) = self.problem.unknown_of(e) {
            self.bound.insert(i);
            self.binds.insert(i);
            return Some(Pat::Bind(self.problem.unknowns[i].slot));
        }
        match &e.kind {
            ExprKind::Op(Op::Maplet, args) => {
                let [a, b] = &args[..] else { return None };
                self.pair(a, b)
            }
            ExprKind::Op(op @ (Op::Add | Op::Sub | Op::Mul), args) if e.ty == Ty::Int => {
                let [a, b] = &args[..] else { return None };
                self.linear(*op, a, b)
            }
            ExprKind::Op(op @ (Op::Rev | Op::Inverse | Op::Neg), args) => {
                let inner = args.first()?;
                Some(Pat::Undo(*op, Box::new(self.pat(inner)?), inner.ty.clone()))
            }
            ExprKind::Rec(fields) => {
                Some(Pat::Rec(fields.iter().map(|f| self.pat(f)).collect::<Option<_>>()?))
            }
            ExprKind::SeqExt(items) => {
                Some(Pat::Seq(items.iter().map(|f| self.pat(f)).collect::<Option<_>>()?))
            }
            ExprKind::SetExt(items) => match &items[..] {
                [one] => Some(Pat::Single(Box::new(self.pat(one)?))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The pattern `a |-> b`.
    pub(super) fn pair(&mut self, a: &Expr, b: &Expr) -> Option<Pat> {
        let (bound, binds, known) = (self.bound.clone(), self.binds.clone(), self.known.len());
        if let Some(p) = self.pat(a)
            && let Some(q) = self.pat(b)
        {
            return Some(Pat::Pair(Box::new(p), Box::new(q), false));
        }
        (self.bound, self.binds) = (bound, binds);
        self.known.truncate(known);
        let q = self.pat(b)?;
        let p = self.pat(a)?;
        Some(Pat::Pair(Box::new(p), Box::new(q), true))
    }

    fn linear(&mut self, op: Op, a: &Expr, b: &Expr) -> Option<Pat> {
        let known = |e: &Expr| self.problem.reads(e).is_subset(&self.bound);
        let (open, e) = match (known(a), known(b)) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => return None,
        };
        if op == Op::Mul && !self.may_fault && !nonzero(e) {
            return None;
        }
        let first = std::ptr::eq(open, a);
        let p = Box::new(self.pat(open)?);
        let e = self.operand(e);
        Some(match op {
            Op::Add => Pat::Plus(p, e),
            Op::Sub if first => Pat::Less(p, e),
            Op::Sub => Pat::From(e, p),
            _ => Pat::Times(p, e),
        })
    }

    fn operand(&mut self, e: &Expr) -> Operand {
        if !self.problem.reads(e).is_subset(self.start) {
            return Operand::Late(e.clone());
        }
        self.known.push(e.clone());
        Operand::Known(self.known.len() - 1, e.span)
    }
}

fn nonzero(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Lit(Value::Int(n)) if *n != 0)
}

/// How to match.
#[derive(Clone, Copy)]
struct How<'k> {
    known: &'k [Value],
    /// Whether what is evaluated once the unknowns are bound is compared, too.
    late: bool,
}

impl Evaluator {
    /// Matches a value; binds the pattern's unknowns. `known` are the values of [`Matcher::known`].
    pub(super) fn matches(
        &self,
        pat: &Pat,
        v: &Value,
        known: &[Value],
        env: &mut Env,
    ) -> Result<bool, Fault> {
        self.matched(pat, v, How { known, late: true }, env)
    }

    /// Binds the pattern's unknowns where it matches but for what is evaluated once they are bound.
    pub(super) fn binds(&self, pat: &Pat, v: &Value, known: &[Value], env: &mut Env) -> Result<bool, Fault> {
        self.matched(pat, v, How { known, late: false }, env)
    }

    fn matched(&self, pat: &Pat, v: &Value, how: How<'_>, env: &mut Env) -> Result<bool, Fault> {
        match pat {
            Pat::Any => Ok(true),
            Pat::Bind(slot) => {
                put(env, *slot, v.clone());
                Ok(true)
            }
            Pat::Known(i, ty) => match how.known.get(*i) {
                Some(w) => self.equal(v, w, ty, Span::default()),
                None => Ok(false),
            },
            Pat::Late(_) if !how.late => Ok(true),
            Pat::Late(e) => {
                let w = self.settled(e, env)?;
                self.equal(v, &w, &e.ty, e.span)
            }
            Pat::Pair(a, b, flip) => match v {
                Value::Pair(p) if *flip => {
                    Ok(self.matched(b, &p.1, how, env)? && self.matched(a, &p.0, how, env)?)
                }
                Value::Pair(p) => Ok(self.matched(a, &p.0, how, env)? && self.matched(b, &p.1, how, env)?),
                _ => Ok(false),
            },
            Pat::Rec(parts) => match v {
                Value::Rec(vs) => self.match_all(parts, vs, how, env),
                _ => Ok(false),
            },
            Pat::Single(p) => match self.extension(v)? {
                Some(s) if s.items().len() == 1 => self.matched(p, &s.items()[0], how, env),
                _ => Ok(false),
            },
            Pat::Seq(parts) => match self.extension(v)? {
                Some(s) if s.items().len() == parts.len() => {
                    let mut vs = Vec::with_capacity(parts.len());
                    for (i, m) in (1..).zip(s.items()) {
                        match m {
                            Value::Pair(p) if p.0 == Value::Int(i) => vs.push(p.1.clone()),
                            _ => return Ok(false),
                        }
                    }
                    self.match_all(parts, &vs, how, env)
                }
                _ => Ok(false),
            },
            Pat::Undo(op, p, ty) => {
                match self.apply(*op, std::slice::from_ref(v), ty, Span::default()) {
                    Ok(w) => {
                        let w = self.settle(w, ty)?;
                        self.matched(p, &w, how, env)
                    }
                    // No sequence: nothing that is reversed.
                    Err(f) if f.0.code == Code::NotWellDefined => Ok(false),
                    Err(f) => Err(f),
                }
            }
            Pat::Plus(p, e) => self.match_shifted(Op::Sub, p, v, e, how, env),
            Pat::Less(p, e) => self.match_shifted(Op::Add, p, v, e, how, env),
            Pat::From(e, p) => {
                let (w, span) = self.operand_value(e, how, env)?;
                let x = self.apply(Op::Sub, &[w, v.clone()], &Ty::Int, span)?;
                self.matched(p, &x, how, env)
            }
            Pat::Times(p, e) => {
                let (w, span) = self.operand_value(e, how, env)?;
                if w == Value::Int(0) {
                    return Err(Fault::new(Code::TooLarge, "0 times any number is 0").at(span));
                }
                let x = self.apply(Op::Div, &[v.clone(), w.clone()], &Ty::Int, span)?;
                Ok(self.apply(Op::Mul, &[x.clone(), w], &Ty::Int, span)? == *v
                    && self.matched(p, &x, how, env)?)
            }
        }
    }

    /// The value of an operand, and where it stands.
    fn operand_value(&self, e: &Operand, how: How<'_>, env: &mut Env) -> Result<(Value, Span), Fault> {
        match e {
            Operand::Known(i, span) => match how.known.get(*i) {
                Some(v) => Ok((v.clone(), *span)),
                None => Err(Fault::new(Code::NotWellDefined, "this value is not known yet").at(*span)),
            },
            Operand::Late(e) => Ok((self.expr(e, env)?, e.span)),
        }
    }

    fn match_shifted(
        &self,
        op: Op,
        p: &Pat,
        v: &Value,
        e: &Operand,
        how: How<'_>,
        env: &mut Env,
    ) -> Result<bool, Fault> {
        let (w, span) = self.operand_value(e, how, env)?;
        let x = self.apply(op, &[v.clone(), w], &Ty::Int, span)?;
        self.matched(p, &x, how, env)
    }

    fn match_all(&self, ps: &[Pat], vs: &[Value], how: How<'_>, env: &mut Env) -> Result<bool, Fault> {
        for (p, v) in ps.iter().zip(vs) {
            if !self.matched(p, v, how, env)? {
                return Ok(false);
            }
        }
        Ok(ps.len() == vs.len())
    }

    fn extension(&self, v: &Value) -> Result<Option<crate::value::SetRef>, Fault> {
        match v {
            Value::Set(s) => Ok(Some(s.clone())),
            Value::Lazy(_) => self.members(v, &Ty::Any, Span::default()).map(Some),
            _ => Ok(None),
        }
    }
}

/// Gives an unknown a value.
pub(super) fn put(env: &mut Env, slot: Slot, v: Value) {
    match slot {
        Slot::Local(id) => env.set_local(id, Some(v)),
        Slot::Const(id) => env.set_const(id, Some(v)),
    }
}

/// Takes the value of an unknown away.
pub(super) fn clear(env: &mut Env, slot: Slot) {
    match slot {
        Slot::Local(id) => env.set_local(id, None),
        Slot::Const(id) => env.set_const(id, None),
    }
}

/// The value of an unknown.
pub(super) fn get(env: &Env, slot: Slot) -> Option<&Value> {
    match slot {
        Slot::Local(id) => env.local(id),
        Slot::Const(id) => env.constant(id),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use std::sync::Arc;

    #[test]
    fn tuples_differ_where_they_do_not_match() -> Result<(), Fault> {
        let pair = |a: Pat, b: Pat| Pat::Pair(Box::new(a), Box::new(b), false);
        let scalars = [Value::Int(7), Value::Bool(true)];
        // `_ |-> 7 |-> _ |-> TRUE`
        let pat = pair(pair(pair(Pat::Any, Pat::Known(0, Ty::Int)), Pat::Any), Pat::Known(1, Ty::Bool));
        assert!(pat.is_plain());
        let (ev, mut env) = (evaluator(), Env::new(Arc::default(), Arc::default(), 1));
        for n in [6, 7] {
            for b in [false, true] {
                let first = Value::pair(Value::Int(7), Value::Int(n));
                let v = Value::pair(Value::pair(first, Value::Int(6)), Value::Bool(b));
                assert_eq!(pat.differs(&v, &scalars), !ev.matches(&pat, &v, &scalars, &mut env)?);
            }
        }
        // What is evaluated on the way may fault; sets may be equal though they look different.
        assert!(!pair(Pat::Late(int(1)), Pat::Known(0, Ty::Int)).is_plain());
        assert!(!Pat::Known(0, Ty::pow(Ty::Int)).is_plain());
        Ok(())
    }
}
