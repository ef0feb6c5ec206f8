//! What the rule of a function says: whether it is injective, what its right sides are.

use super::compare::kind;
use super::numbers::{self, Numbers};
use super::product::Product;
use crate::ops::Cx;
use crate::ops::extension::empty;
use crate::value::symbolic::Rule;
use crate::value::{SetRef, Value};

/// Whether different arguments certainly have different values.
pub(super) fn is_injective(rule: &Rule) -> bool {
    match rule {
        Rule::Argument => true,
        Rule::Pair(p) => is_injective(&p.0) || is_injective(&p.1),
        Rule::Sum(parts, _) => matches!(&parts[..], [(_, part)] if is_injective(part)),
        _ => false,
    }
}

/// The values of a rule on a domain, exactly.
pub(super) fn range(rule: &Rule, domain: &Value, cx: &Cx<'_>) -> Option<Value> {
    match rule {
        Rule::Argument => Some(domain.clone()),
        Rule::Known(v) if empty(domain, cx) == Some(false) => {
            Some(Value::Set(SetRef::from_vec(vec![v.clone()])))
        }
        Rule::Side(of, first) => {
            let pairs = range(of, domain, cx)?;
            let p = kind::<Product>(&pairs)?;
            let (side, other) = if *first { (&p.left, &p.right) } else { (&p.right, &p.left) };
            (empty(other, cx) == Some(false)).then(|| side.clone())
        }
        Rule::Sum(parts, by) => {
            let [(sign @ (1 | -1), part)] = &parts[..] else { return None };
            let n = numbers::of(&range(part, domain, cx)?)?;
            let moved = |end: &Option<num_bigint::BigInt>| end.as_ref().map(|e| e * sign + by);
            let (lo, hi) = (moved(&n.lo), moved(&n.hi));
            Some(Value::lazy(if *sign > 0 { Numbers { lo, hi } } else { Numbers { lo: hi, hi: lo } }))
        }
        _ => None,
    }
}
