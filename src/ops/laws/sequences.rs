//! Operators on sequences against plain vectors.

use super::super::{Op, numbered};
use super::{elem, element_ty, run};
use crate::diagnostic::Code;
use crate::ty::Ty;
use crate::value::Value;
use proptest::prelude::*;

fn list(items: &[u32]) -> Value {
    numbered(items.iter().map(|i| elem(*i)))
}

proptest! {
    #[test]
    fn like_vectors(s in proptest::collection::vec(0u32..4, 0..6), t in proptest::collection::vec(0u32..4, 0..6), x in 0u32..4, n in -1i64..8) {
        let ty = Ty::seq(element_ty());
        let one = |op| run(op, &[list(&s)], &ty);
        let needs = |v: Option<Value>| v.ok_or(Code::EmptySet);
        prop_assert_eq!(one(Op::Size), Ok(Value::Int(i64::try_from(s.len()).unwrap_or(i64::MAX))));
        prop_assert_eq!(one(Op::First), needs(s.first().map(|i| elem(*i))));
        prop_assert_eq!(one(Op::Last), needs(s.last().map(|i| elem(*i))));
        prop_assert_eq!(one(Op::Front), needs(s.split_last().map(|(_, rest)| list(rest))));
        prop_assert_eq!(one(Op::Tail), needs(s.split_first().map(|(_, rest)| list(rest))));
        let reversed: Vec<u32> = s.iter().rev().copied().collect();
        prop_assert_eq!(one(Op::Rev), Ok(list(&reversed)));
        let joined = [s.clone(), t.clone()].concat();
        prop_assert_eq!(run(Op::Concat, &[list(&s), list(&t)], &ty), Ok(list(&joined)));
        prop_assert_eq!(run(Op::Conc, &[numbered([list(&s), list(&t)])], &ty), Ok(list(&joined)));
        let (mut before, mut after) = (vec![x], s.clone());
        before.extend(&s);
        after.push(x);
        prop_assert_eq!(run(Op::Prepend, &[elem(x), list(&s)], &ty), Ok(list(&before)));
        prop_assert_eq!(run(Op::Append, &[list(&s), elem(x)], &ty), Ok(list(&after)));
        let cut = usize::try_from(n).ok();
        let take = cut.map(|n| list(&s[..n.min(s.len())])).ok_or(Code::NotWellDefined);
        let drop = cut.and_then(|n| s.get(n..)).map(list).ok_or(Code::NotWellDefined);
        prop_assert_eq!(run(Op::Take, &[list(&s), Value::Int(n)], &ty), take);
        prop_assert_eq!(run(Op::Drop, &[list(&s), Value::Int(n)], &ty), drop);
    }
}
