//! seq, seq1, iseq, iseq1, perm.

use super::product::name;
use crate::diagnostic::Code;
use crate::ops::sequences::{elements, sequence};
use crate::ops::sets::{contains, expand, size};
use crate::ops::{Cx, Fault, Op};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use std::any::Any;
use std::ops::ControlFlow;

/// The sequences over a set.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Seqs {
    /// Over what.
    pub(in crate::ops) base: Value,
    /// Which of the family.
    pub(in crate::ops) kind: Op,
}

impl Seqs {
    fn injective(&self) -> bool {
        matches!(self.kind, Op::Iseq | Op::Iseq1 | Op::Perm)
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
        let Some(items) = elements(pairs.items()) else { return Ok(false) };
        if items.is_empty() && matches!(self.kind, Op::Seq1 | Op::Iseq1) {
            return Ok(false);
        }
        for x in &items {
            if !contains(&self.base, x, cx)? {
                return Ok(false);
            }
        }
        let count = items.len();
        if self.injective() && SetRef::from_vec(items).items().len() < count {
            return Ok(false);
        }
        Ok(self.kind != Op::Perm || expand(&self.base, cx)?.items().len() == count)
    }

    fn each(&self, cx: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        let base = expand(&self.base, cx)?;
        let n = base.items().len();
        let least = match self.kind {
            Op::Perm => n,
            Op::Seq1 | Op::Iseq1 => 1,
            _ => 0,
        };
        if !self.injective() {
            if n == 0 {
                if least == 0 {
                    let _ = f(Value::empty());
                }
                return Ok(());
            }
            return Err(Fault::new(
                Code::Infinite,
                format!("`{}` is infinite and cannot be listed", self.describe()),
            ));
        }
        for length in least..=n {
            let mut used = vec![false; n];
            if arrange(base.items(), length, &mut used, &mut Vec::new(), f).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        let Size::Exact(n) = size(&self.base, cx) else {
            return if self.injective() { Size::Unknown } else { Size::Infinite };
        };
        match self.kind {
            Op::Seq | Op::Seq1 if n.is_zero() => Size::Exact(BigInt::from(i32::from(self.kind == Op::Seq))),
            Op::Seq | Op::Seq1 => Size::Infinite,
            _ => match n.to_u32().filter(|n| *n < 1000) {
                Some(n) => Size::Exact(arrangements(n, self.kind)),
                None => Size::Unknown,
            },
        }
    }

    fn describe(&self) -> String {
        format!("{}({})", format!("{:?}", self.kind).to_lowercase(), name(&self.base))
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
    f: &mut dyn FnMut(Value) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if chosen.len() == length {
        return f(sequence(chosen.iter().cloned()));
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

/// How many injective sequences there are over `n` elements.
fn arrangements(n: u32, kind: Op) -> BigInt {
    let mut total = BigInt::from(i32::from(kind == Op::Iseq));
    let mut of_length = BigInt::from(1);
    for k in 0..n {
        of_length *= n - k;
        total += &of_length;
    }
    if kind == Op::Perm { of_length } else { total }
}
