//! Shapes: dense numberings of values as compiled code sees them, and compile-time values.
//!
//! In: types, worlds. Out: [`Shape`] (how many values, numbered how) and [`Val`] (which operands hold a
//! value). Numbering agrees with `layout`: pairs and records by mixed radix, left part first. Integers are
//! dense within an interval, which is where range analysis comes in.

use super::super::word::Opd;
use super::arrays::Array;
use super::funs::Fun;
use crate::layout::{Dense, DenseKind, Hull, MOST_BITS};
use crate::ops::World;
use crate::ty::Ty;

/// Most values of a shape that sets are built over.
pub(crate) const MOST: u64 = MOST_BITS as u64;

/// A numbering of finitely many values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// BOOL or a given set: the value is its number.
    Word(u32),
    /// The integers of an interval; empty if the bounds cross.
    Int(i64, i64),
    /// Pairs and records.
    Tuple(Vec<Shape>),
    /// Sets over a small shape: the number's bits are the members.
    Set(Box<Shape>),
}

/// Most values of a shape whose sets are numbered.
const SMALL: u64 = 12;

impl Shape {
    /// The shape of a type; integers get the empty interval.
    pub(crate) fn of(ty: &Ty, world: &World) -> Option<Shape> {
        Some(match ty {
            Ty::Bool | Ty::Given(_) => Shape::Word(Dense::of(ty, &Hull::Unknown, world)?.size),
            Ty::Int => Shape::Int(0, -1),
            Ty::Pair(a, b) => Shape::Tuple(vec![Shape::of(a, world)?, Shape::of(b, world)?]),
            Ty::Rec(fields) => {
                Shape::Tuple(fields.iter().map(|(_, t)| Shape::of(t, world)).collect::<Option<_>>()?)
            }
            Ty::Pow(t) => Shape::Set(Box::new(Shape::of(t, world)?)),
            Ty::Any => Shape::Word(0),
            _ => return None,
        })
    }

    /// The numbering of a layout.
    pub(crate) fn of_dense(d: &Dense) -> Shape {
        match &d.kind {
            DenseKind::Bool | DenseKind::Given(_) => Shape::Word(d.size),
            DenseKind::Range(lo) => Shape::Int(*lo, lo + i64::from(d.size) - 1),
            DenseKind::Pair(a, b) => Shape::Tuple(vec![Shape::of_dense(a), Shape::of_dense(b)]),
            DenseKind::Rec(parts) => Shape::Tuple(parts.iter().map(Shape::of_dense).collect()),
            DenseKind::Subset(s) => Shape::Set(Box::new(Shape::of_dense(s))),
        }
    }

    /// Number of values (saturating).
    pub(crate) fn size(&self) -> u64 {
        match self {
            Shape::Word(n) => u64::from(*n),
            Shape::Int(a, b) if a > b => 0,
            Shape::Int(a, b) => b.abs_diff(*a).saturating_add(1),
            Shape::Tuple(parts) => parts.iter().fold(1, |n: u64, p| n.saturating_mul(p.size())),
            Shape::Set(s) if s.size() <= SMALL => 1 << s.size(),
            Shape::Set(_) => u64::MAX,
        }
    }

    /// The least shape that holds the values of both.
    pub(crate) fn join(&self, other: &Shape) -> Option<Shape> {
        Some(match (self, other) {
            (a, b) if a == b => a.clone(),
            (Shape::Word(0), s) | (s, Shape::Word(0)) => s.clone(),
            (Shape::Int(a, b), Shape::Int(c, d)) => match (a > b, c > d) {
                (true, _) => Shape::Int(*c, *d),
                (_, true) => Shape::Int(*a, *b),
                _ => Shape::Int(*a.min(c), *b.max(d)),
            },
            (Shape::Tuple(x), Shape::Tuple(y)) if x.len() == y.len() => {
                Shape::Tuple(x.iter().zip(y).map(|(a, b)| a.join(b)).collect::<Option<_>>()?)
            }
            (Shape::Set(a), Shape::Set(b)) => Shape::Set(Box::new(a.join(b)?)),
            _ => return None,
        })
    }

    /// The two sides of a shape of pairs.
    pub(crate) fn sides(&self) -> Option<(&Shape, &Shape)> {
        match self {
            Shape::Tuple(parts) => match parts.as_slice() {
                [a, b] => Some((a, b)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The shape of pairs.
    pub(crate) fn pair(a: &Shape, b: &Shape) -> Shape {
        Shape::Tuple(vec![a.clone(), b.clone()])
    }

    /// Number of words of a set over the shape; `None` if that would be too many.
    pub(crate) fn words(&self) -> Option<usize> {
        let n = self.size();
        (n <= MOST).then(|| usize::try_from(n.div_ceil(64)).ok()).flatten()
    }
}

/// What is known of an integer: its bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range(pub(crate) i64, pub(crate) i64);

impl Range {
    /// Nothing is known.
    pub(crate) const ALL: Range = Range(i64::MIN, i64::MAX);
}

/// A set over a shape, one bit per value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    /// Numbering of the possible members.
    pub(crate) elem: Shape,
    /// The bits; those past the shape's size are 0.
    pub(crate) words: Vec<Opd>,
}

/// A value as compiled code holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Val {
    /// A value of BOOL or of a given set of a size: its number.
    Word(u32, Opd),
    /// An integer.
    Int(Opd, Range),
    /// A pair or a record.
    Tuple(Vec<Val>),
    /// A set.
    Set(Bits),
    /// A function to sets.
    Fun(Fun),
    /// A function with many possible pairs.
    Array(Array),
}

impl Val {
    /// The shape that the value certainly lies in.
    pub(crate) fn shape(&self) -> Option<Shape> {
        Some(match self {
            Val::Word(n, _) => Shape::Word(*n),
            Val::Int(_, Range(a, b)) => Shape::Int(*a, *b),
            Val::Tuple(parts) => Shape::Tuple(parts.iter().map(Val::shape).collect::<Option<_>>()?),
            Val::Set(s) => Shape::Set(Box::new(s.elem.clone())),
            Val::Fun(f) => Shape::Set(Box::new(f.pairs())),
            Val::Array(f) => Shape::Set(Box::new(Shape::pair(&f.left, &f.right))),
        })
    }
}
