//! Loops over the functions from one set to another.
//!
//! In: `A --> B` and its kin. Out: a loop for each possible member of A over its values (just one round if a run finds
//! that it is no member), what the caller emits inside. Each function is met exactly once. Absent: relations; so many
//! functions that the plain evaluator, which looks at conditions before the last value is chosen, may be done sooner.

use super::bits::ones;
use super::shape::{Bits, Shape, Val};
use super::{Lower, Res, no};
use crate::compile::word::{Bin, Opd};
use crate::ops::Arrow;
use Opd::K;

/// Most functions of a loop.
const MANY: u64 = 1 << 17;
/// Most functions where conditions choose among them.
const SOME: u64 = 1 << 10;

/// The functions still to be made.
struct Making<'s> {
    kind: Arrow,
    elem: &'s Shape,
    /// The members of the right side.
    right: Opd,
    /// Their possible number.
    size: u64,
}

/// A possible argument.
#[derive(Clone, Copy)]
struct Place {
    number: u64,
    /// Whether it is one, as 0 or 1.
    has: Opd,
}

impl Lower<'_> {
    /// A loop over `a --> b` or what else `kind` says; `chosen` if conditions follow.
    pub(super) fn functions(
        &mut self,
        kind: Arrow,
        a: &Bits,
        b: &Bits,
        chosen: bool,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let left = self.places(a);
        let size = b.elem.size();
        // How many values are left for the place with so many before it.
        let values = |before: usize| {
            let used = if kind.injective { before as u64 } else { 0 };
            (size.saturating_sub(used) + u64::from(!kind.total)).max(1)
        };
        let count = (0..left.len()).fold(1, |n: u64, i| n.saturating_mul(values(i)));
        if !kind.functional || size >= 64 || count > if chosen { SOME } else { MANY } {
            return no("set of functions");
        }
        let elem = Shape::pair(&a.elem, &b.elem);
        let none = Self::empty(&elem)?;
        let right = b.words.first().copied().unwrap_or(K(0));
        self.function(&Making { kind, elem: &elem, right, size }, &left, K(0), none.words, each)
    }

    /// The possible members of a set.
    fn places(&mut self, s: &Bits) -> Vec<Place> {
        let all = 0..s.elem.size().min(64 * s.words.len() as u64);
        let places = all.map(|number| Place { number, has: self.test(&s.words, K(number)) });
        places.filter(|p| p.has != K(0)).collect()
    }

    /// The loop over values of the first of `left`; `used` are those that others have, `pairs` the function so far.
    fn function(
        &mut self,
        m: &Making<'_>,
        left: &[Place],
        used: Opd,
        pairs: Vec<Opd>,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let Some((Place { number: x, has }, rest)) = left.split_first() else {
            if m.kind.onto {
                let all = self.bin(Bin::Eq, used, m.right);
                let fail = self.fail;
                self.require(all, fail);
            }
            return self.nest(|g| each(g, Val::Set(Bits { elem: m.elem.clone(), words: pairs })));
        };
        let mut open = m.right;
        if m.kind.injective {
            open = self.bin(Bin::AndNot, open, used);
        }
        // The bit behind all others stands for no value.
        let mask = self.bin(Bin::Sub, K(0), *has);
        open = self.bin(Bin::And, open, mask);
        let lacks = if m.kind.total { self.bin(Bin::Xor, *has, K(1)) } else { K(1) };
        let lacks = self.bin(Bin::Shl, lacks, K(m.size));
        open = self.bin(Bin::Or, open, lacks);
        self.each_bit_of(open, &mut |g, y| {
            let bit = g.bin(Bin::Shl, K(1), y);
            let bit = g.bin(Bin::And, bit, K(ones(m.size)));
            let used = g.bin(Bin::Or, used, bit);
            let row = g.place(pairs.len(), bit, K(x * m.size));
            let pairs = g.zip(Bin::Or, &pairs, &row);
            g.function(m, rest, used, pairs, each)
        })
    }
}
