//! Labels of edges from compiled code.
//!
//! In: a state, the number of an edge. Out: its label. The edges of the operations before are counted by compiled code,
//! and so is the label found where it is made of words; the plain evaluator would need as long for one label as for
//! all edges of the state, and compiled code may be a thousand times as fast.

use super::super::function::label_locals;
use super::{Compiled, CompiledSystem, Scratch, codes};
use crate::layout::{Dense, Hull};
use crate::model::{Label, Plain, Steps};
use crate::ops::World;
use crate::ty::Ty;
use crate::value::Value;

impl<P: Plain> CompiledSystem<P> {
    /// The label of an edge.
    pub(super) fn label_with(&self, state: &[u64], nth: u32, s: &mut Scratch) -> Option<Label> {
        let c = self.compiled(state);
        let offered = c.map(|c| self.offered(c, None));
        let ops = codes(offered);
        let mut numbers = Vec::new();
        self.each_open(offered, state, &mut s.open, |number| numbers.push(number));
        let mut left = nth as usize;
        for number in numbers {
            let op = u32::try_from(number).ok()?;
            let mut steps = Steps::default();
            self.edges(state, ops, number, s, &mut steps);
            if left >= steps.len() {
                left -= steps.len();
                continue;
            }
            if let Some(values) = c.and_then(|c| self.values(c, state, number, left, s)) {
                return self.plain.label_of(op, &values);
            }
            s.edges.clear();
            s.faults.clear();
            self.plain.edges(state, op, &mut s.edges, &mut s.faults);
            return self.plain.label_of(op, &s.edges.get(left)?.0);
        }
        None
    }

    /// The values of the label of an operation's edge, if compiled code can tell them.
    fn values(
        &self,
        c: &Compiled,
        state: &[u64],
        number: usize,
        nth: usize,
        s: &mut Scratch,
    ) -> Option<Vec<Value>> {
        let op = self.operation_at(number)?;
        let types: Vec<Ty> = label_locals(op).into_iter().map(|l| l.ty).collect();
        if types.is_empty() {
            return Some(Vec::new());
        }
        let world = self.plain.world();
        let code = self.labelled(c, number)?;
        let order = code.order.as_ref()?;
        s.out.clear();
        code.run(state, &mut s.regs, &mut s.out).ok()?;
        let (mut edge, mut found) = (0, None);
        order.edges(&s.out, &mut s.order, |label, _| {
            if edge == nth {
                found = Some(label.to_vec());
            }
            edge += 1;
        });
        let label = found?;
        let mut words = label.as_slice();
        let values = types.iter().map(|t| value(t, &mut words, world)).collect::<Option<Vec<_>>>()?;
        words.is_empty().then_some(values)
    }
}

/// The value that the first words of a label stand for; the words are used up.
fn value(ty: &Ty, words: &mut &[u64], world: &World) -> Option<Value> {
    let one = |words: &mut &[u64]| -> Option<u64> {
        let (w, rest) = words.split_first()?;
        *words = rest;
        Some(*w)
    };
    Some(match ty {
        Ty::Bool => Value::Bool(one(words)? != 0),
        Ty::Given(set) => Value::Elem(*set, u32::try_from(one(words)?).ok()?),
        Ty::Int => Value::Int(one(words)?.cast_signed()),
        Ty::Pair(a, b) => {
            let left = value(a, words, world)?;
            Value::pair(left, value(b, words, world)?)
        }
        Ty::Rec(fields) => {
            let parts = fields.iter().map(|(_, t)| value(t, words, world)).collect::<Option<Vec<_>>>()?;
            Value::Rec(parts.into())
        }
        Ty::Pow(t) => {
            let d = Dense::of(t, &Hull::Unknown, world)?;
            let (set, rest) = words.split_at_checked(d.size.div_ceil(64) as usize)?;
            *words = rest;
            d.set(set)
        }
        _ => return None,
    })
}
