//! Loops over the functions from one set to another.
//!
//! In: `A --> B` and its kin, A known. Out: a loop for each member of A over its values, what the caller emits inside.
//! Each function is met exactly once. Absent: relations; sets on the left that only a run knows; so many functions that
//! the plain evaluator, which looks at conditions before the last value is chosen, may be done sooner.

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
        let Some(left) = known(a) else { return no("functions on a set that is not known") };
        let size = b.elem.size();
        let values = if kind.total { size } else { size + 1 };
        let count = left.iter().fold(1, |n: u64, _| n.saturating_mul(values));
        if !kind.functional || size >= 64 || count > if chosen { SOME } else { MANY } {
            return no("set of functions");
        }
        let elem = Shape::pair(&a.elem, &b.elem);
        let none = Self::empty(&elem)?;
        let right = b.words.first().copied().unwrap_or(K(0));
        self.function(&Making { kind, elem: &elem, right, size }, &left, K(0), none.words, each)
    }

    /// The loop over values of the first of `left`; `used` are those that others have, `pairs` the function so far.
    fn function(
        &mut self,
        m: &Making<'_>,
        left: &[u64],
        used: Opd,
        pairs: Vec<Opd>,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let Some((x, rest)) = left.split_first() else {
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
        if !m.kind.total {
            // The bit behind all others stands for no value.
            open = self.bin(Bin::Or, open, K(1 << m.size));
        }
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

/// The numbers of the members of a set, if they are known.
fn known(s: &Bits) -> Option<Vec<u64>> {
    let mut out = Vec::new();
    for (j, w) in (0u64..).zip(&s.words) {
        let K(w) = w else { return None };
        out.extend((0..64).filter(|i| w >> i & 1 == 1).map(|i| 64 * j + i));
    }
    Some(out)
}
