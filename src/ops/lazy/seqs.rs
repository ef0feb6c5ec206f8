//! seq, seq1, iseq, iseq1, perm: the sequences over a set.

use super::arrow_count::falling;
use super::{Consumer, name};
use crate::diagnostic::Code;
use crate::ops::extension::{empty, expand, gather, has_size, infinite, is_empty, poll, size};
use crate::ops::membership::inclusion::contains;
use crate::ops::sequences::list::{is_sequence, numbered, values};
use crate::ops::table::def;
use crate::ops::{Cx, Fault, Op};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::any::Any;
use std::ops::ControlFlow;

/// Most lengths whose sequences are counted one after the other.
const LENGTHS: u32 = 1 << 12;

/// Over more elements nobody can list injective sequences, whatever their number.
const HOPELESS: usize = 1 << 12;

/// The sequences over a set.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Seqs {
    /// Over what.
    pub(in crate::ops) base: Value,
    /// Which of the family.
    pub(in crate::ops) kind: Op,
}

impl Seqs {
    pub(super) fn injective(&self) -> bool {
        matches!(self.kind, Op::Iseq | Op::Iseq1 | Op::Perm)
    }
    /// Whether the empty sequence is not ruled out by the kind.
    pub(super) fn may_be_empty(&self) -> bool {
        !matches!(self.kind, Op::Seq1 | Op::Iseq1)
    }
}

impl Lazy for Seqs {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let pairs = match expand(v, cx) {
            Ok(pairs) => pairs,
            // A sequence is finite.
            Err(f) if f.0.code == Code::Infinite => return Ok(false),
            Err(f) => return Err(f),
        };
        if !is_sequence(pairs.items()) || pairs.is_empty() && !self.may_be_empty() {
            return Ok(false);
        }
        for x in values(&pairs) {
            if !contains(&self.base, &x, cx)? {
                return Ok(false);
            }
        }
        if self.injective() && gather(values(&pairs).collect(), cx)?.len() < pairs.len() {
            return Ok(false);
        }
        if self.kind == Op::Perm { has_size(&self.base, pairs.len(), cx) } else { Ok(true) }
    }

    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        if !self.injective() {
            if !is_empty(&self.base, cx)? {
                return Err(infinite(self));
            }
            if self.may_be_empty() {
                let _ = f(Value::empty());
            }
            return Ok(());
        }
        let base = expand(&self.base, cx)?;
        let n = base.len();
        let least = if self.kind == Op::Perm { n } else { usize::from(!self.may_be_empty()) };
        for length in least..=n {
            poll(cx)?;
            let mut used = vec![false; n];
            if arrange(base.items(), length, &mut used, &mut Vec::new(), f).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn listed(&self, cx: &Cx<'_>) -> Option<Result<SetRef, Fault>> {
        let Size::Exact(n) = size(&self.base, cx) else { return None };
        (self.injective() && n > HOPELESS.into()).then(|| {
            let text = format!("`{}` has too many members to be listed", self.describe());
            Err(Fault::new(Code::TooLarge, text))
        })
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        let base = size(&self.base, cx);
        match (self.injective(), empty(&self.base, cx)) {
            (false, Some(true)) => Size::Exact(BigInt::from(i32::from(self.may_be_empty()))),
            (false, Some(false)) => Size::Infinite,
            (false, None) => Size::Unknown,
            (true, _) => match base {
                Size::Exact(n) => {
                    n.to_u32().and_then(|n| arrangements(n, self.kind)).map_or(Size::Unknown, Size::Exact)
                }
                // No permutation lists an infinite set.
                Size::Infinite if self.kind == Op::Perm => Size::Exact(BigInt::from(0)),
                Size::Infinite => Size::Infinite,
                Size::Unknown => Size::Unknown,
            },
        }
    }

    fn describe(&self) -> String {
        format!("{}({})", def(self.kind).spelling, name(&self.base))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// All injective sequences of a length.
fn arrange(
    base: &[Value],
    length: usize,
    used: &mut [bool],
    chosen: &mut Vec<Value>,
    f: Consumer<'_>,
) -> ControlFlow<()> {
    if chosen.len() == length {
        return f(numbered(chosen.iter().cloned()));
    }
    for (i, x) in base.iter().enumerate() {
        if used.get(i) == Some(&false) {
            used[i] = true;
            chosen.push(x.clone());
            let flow = arrange(base, length, used, chosen, f);
            chosen.pop();
            used[i] = false;
            flow?;
        }
    }
    ControlFlow::Continue(())
}

/// How many injective sequences there are over `n` elements; `None` if the number is too large to be worth writing down.
fn arrangements(n: u32, kind: Op) -> Option<BigInt> {
    if kind == Op::Perm {
        return falling(n, n);
    }
    if n > LENGTHS {
        return None;
    }
    let mut total = BigInt::from(i32::from(kind == Op::Iseq));
    let mut of_length = BigInt::from(1);
    for k in 0..n {
        of_length *= n - k;
        total += &of_length;
    }
    Some(total)
}
