//! Machine integers agree with big ones; intervals behave like the sets they are.

use super::super::{Cx, Op, apply, contains, equal, holds, size, subset};
use super::{run, world};
use crate::diagnostic::Code;
use crate::ops::lazy::numbers::Numbers;
use crate::ty::Ty;
use crate::value::Value;
use crate::value::symbolic::Size;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = i64> {
    prop_oneof![
        -20i64..20,
        Just(i64::MIN),
        Just(i64::MAX),
        any::<i64>(),
        Just(0),
        (-3i64..3).prop_map(|n| n << 31)
    ]
}

fn bound() -> impl Strategy<Value = Option<i64>> {
    proptest::option::of(-6i64..6)
}

fn interval(lo: Option<i64>, hi: Option<i64>) -> Value {
    Value::lazy(Numbers { lo: lo.map(BigInt::from), hi: hi.map(BigInt::from) })
}

fn inside(x: i64, (lo, hi): (Option<i64>, Option<i64>)) -> bool {
    lo.is_none_or(|l| l <= x) && hi.is_none_or(|h| x <= h)
}

proptest! {
    #[test]
    fn arithmetic_is_exact(a in number(), b in number()) {
        let (x, y) = (BigInt::from(a), BigInt::from(b));
        let value = |op| run(op, &[Value::Int(a), Value::Int(b)], &Ty::Int);
        prop_assert_eq!(value(Op::Add), Ok(Value::int(&x + &y)));
        prop_assert_eq!(value(Op::Sub), Ok(Value::int(&x - &y)));
        prop_assert_eq!(value(Op::Mul), Ok(Value::int(&x * &y)));
        let quotient = if y.is_zero() { Err(Code::DivisionByZero) } else { Ok(Value::int(&x / &y)) };
        prop_assert_eq!(value(Op::Div), quotient);
        let defined = !x.is_negative() && y.is_positive();
        let rest = if defined { Ok(Value::int(x.mod_floor(&y))) } else { Err(Code::DivisionByZero) };
        prop_assert_eq!(value(Op::Mod), rest);
        prop_assert_eq!(run(Op::Neg, &[Value::Int(a)], &Ty::Int), Ok(Value::int(-&x)));
        let world = world();
        let cx = Cx { world: &world, ty: &Ty::Int };
        // The same question far from zero, where integers are big.
        let far = BigInt::from(1) << 80;
        let shifted = [Value::int(&x + &far), Value::int(&y + &far)];
        for op in [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Neq] {
            prop_assert_eq!(holds(op, &[Value::Int(a), Value::Int(b)], &cx), holds(op, &shifted, &cx));
        }
    }

    /// One word, two words, more: what fits where it is computed changes nothing.
    #[test]
    fn sizes_of_integers_do_not_show(a in number(), b in number(), i in 0usize..5, j in 0usize..5) {
        let shift = |k: usize| [0u32, 1, 62, 64, 127][k];
        let (x, y) = (BigInt::from(a) << shift(i), BigInt::from(b) << shift(j));
        let value = |op| run(op, &[Value::int(x.clone()), Value::int(y.clone())], &Ty::Int);
        prop_assert_eq!(value(Op::Add), Ok(Value::int(&x + &y)));
        prop_assert_eq!(value(Op::Sub), Ok(Value::int(&x - &y)));
        prop_assert_eq!(value(Op::Mul), Ok(Value::int(&x * &y)));
        let quotient = if y.is_zero() { Err(Code::DivisionByZero) } else { Ok(Value::int(&x / &y)) };
        prop_assert_eq!(value(Op::Div), quotient);
    }

    #[test]
    fn powers(a in -12i64..12, n in 0u32..80) {
        let expected = Value::int(BigInt::from(a).pow(n));
        prop_assert_eq!(run(Op::Power, &[Value::Int(a), Value::Int(n.into())], &Ty::Int), Ok(expected));
    }

    #[test]
    fn intervals_are_sets(a in (bound(), bound()), b in (bound(), bound())) {
        let world = world();
        let cx = Cx { world: &world, ty: &Ty::pow(Ty::Int) };
        let (s, t) = (interval(a.0, a.1), interval(b.0, b.1));
        for op in [Op::Union, Op::Inter, Op::Diff] {
            let combined = apply(op, &[s.clone(), t.clone()], &cx).expect("defined");
            for x in -9..10 {
                let (left, right) = (inside(x, a), inside(x, b));
                let expected = match op {
                    Op::Union => left || right,
                    Op::Inter => left && right,
                    _ => left && !right,
                };
                prop_assert_eq!(contains(&combined, &Value::Int(x), &cx), Ok(expected), "{:?} {}", op, x);
            }
        }
        // Bounds lie within -6..6, so that what happens beyond is the same everywhere.
        let all = (-9..10).all(|x| !inside(x, a) || inside(x, b));
        prop_assert_eq!(subset(&s, &t, &cx), Ok(all));
        let same = (-9..10).all(|x| inside(x, a) == inside(x, b));
        prop_assert_eq!(equal(&s, &t, &cx), Ok(same));
        if let (Some(lo), Some(hi)) = a {
            prop_assert_eq!(size(&s, &cx), Size::Exact((hi - lo + 1).max(0).into()));
        }
    }
}

#[test]
fn what_would_fill_the_memory_is_refused() {
    let big = |n: i64| Value::Int(n);
    assert_eq!(run(Op::Power, &[big(10), big(1 << 40)], &Ty::Int), Err(Code::TooLarge));
    assert_eq!(run(Op::Power, &[big(3), big(-1)], &Ty::Int), Err(Code::NotWellDefined));
    assert_eq!(run(Op::Interval, &[big(1), big(1 << 40)], &Ty::pow(Ty::Int)), Err(Code::TooLarge));
}
