//! Values as bytes that can be read again: what a checkpoint keeps of them.
//!
//! In: values in extension. Out: bytes, and the same values from such bytes, or nothing where the bytes are no value's. The canonical
//! encoding (`key`) is shorter, but says what a value is only to who knows its type.

use super::{SetRef, Value};
use crate::ty::SetId;
use num_bigint::BigInt;
use std::sync::Arc;

/// Deeper values are taken for damage.
const DEEPEST: usize = 1 << 10;

/// Appends a value that has no set in it that is not enumerated; false if it has one.
pub fn put(v: &Value, out: &mut Vec<u8>) -> bool {
    match v {
        Value::Bool(b) => out.extend_from_slice(&[0, u8::from(*b)]),
        Value::Int(n) => tagged(1, &n.to_le_bytes(), out),
        Value::Big(n) => text(2, &n.to_signed_bytes_le(), out),
        Value::Real(x) => tagged(3, &x.to_bits().to_le_bytes(), out),
        Value::Str(s) => text(4, s.as_bytes(), out),
        Value::Elem(set, i) => {
            tagged(5, &set.0.to_le_bytes(), out);
            out.extend_from_slice(&i.to_le_bytes());
        }
        Value::Pair(p) => {
            out.push(6);
            return put(&p.0, out) && put(&p.1, out);
        }
        Value::Rec(fields) => {
            tagged(7, &(fields.len() as u64).to_le_bytes(), out);
            return fields.iter().all(|f| put(f, out));
        }
        Value::Free(of, constructor, argument) => {
            tagged(8, &of.to_le_bytes(), out);
            out.extend_from_slice(&constructor.to_le_bytes());
            out.push(u8::from(argument.is_some()));
            return argument.as_ref().is_none_or(|a| put(a, out));
        }
        Value::Set(s) => {
            tagged(9, &(s.len() as u64).to_le_bytes(), out);
            return s.items().iter().all(|v| put(v, out));
        }
        Value::Lazy(_) => return false,
    }
    true
}

fn tagged(tag: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(tag);
    out.extend_from_slice(bytes);
}

fn text(tag: u8, bytes: &[u8], out: &mut Vec<u8>) {
    tagged(tag, &(bytes.len() as u64).to_le_bytes(), out);
    out.extend_from_slice(bytes);
}

/// Takes the first value off bytes; none if they do not begin with one.
pub fn take(bytes: &mut &[u8]) -> Option<Value> {
    within(bytes, DEEPEST)
}

fn within(bytes: &mut &[u8], depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    let [tag] = fixed(bytes)?;
    Some(match tag {
        0 => Value::Bool(fixed::<1>(bytes)? != [0]),
        1 => Value::Int(i64::from_le_bytes(fixed(bytes)?)),
        2 => Value::int(BigInt::from_signed_bytes_le(part(bytes)?)),
        3 => Value::Real(f64::from_bits(u64::from_le_bytes(fixed(bytes)?))),
        4 => Value::Str(std::str::from_utf8(part(bytes)?).ok()?.into()),
        5 => Value::Elem(SetId(u16::from_le_bytes(fixed(bytes)?)), u32::from_le_bytes(fixed(bytes)?)),
        6 => Value::pair(within(bytes, depth)?, within(bytes, depth)?),
        7 => Value::Rec(several(bytes, depth)?.into()),
        8 => {
            let (of, constructor) = (u16::from_le_bytes(fixed(bytes)?), u16::from_le_bytes(fixed(bytes)?));
            let has_argument = fixed::<1>(bytes)? != [0];
            let argument = if has_argument { Some(Arc::new(within(bytes, depth)?)) } else { None };
            Value::Free(of, constructor, argument)
        }
        9 => Value::Set(SetRef::from_vec(several(bytes, depth)?)),
        _ => return None,
    })
}

fn fixed<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn len(bytes: &mut &[u8]) -> Option<usize> {
    // Each member takes a byte at least.
    usize::try_from(u64::from_le_bytes(fixed(bytes)?)).ok().filter(|n| *n <= bytes.len())
}

fn part<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = len(bytes)?;
    let (part, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(part)
}

fn several(bytes: &mut &[u8], depth: usize) -> Option<Vec<Value>> {
    let len = len(bytes)?;
    (0..len).map(|_| within(bytes, depth)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Vec<Value> {
        let big = Value::int(BigInt::from(-7) << 90);
        let elem = |i| Value::Elem(SetId(3), i);
        let set = |items: Vec<Value>| Value::Set(SetRef::from_vec(items));
        vec![
            Value::Bool(true),
            Value::Int(i64::MIN),
            big.clone(),
            Value::Real(-0.5),
            Value::Str("\u{e9}\n".into()),
            Value::empty(),
            set(vec![Value::pair(elem(2), Value::Int(1)), Value::pair(elem(1), Value::Int(9))]),
            set(vec![set(vec![elem(0)]), Value::empty(), set(vec![elem(1), elem(0)])]),
            Value::Rec(vec![big, Value::Bool(false)].into()),
            Value::Free(1, 2, None),
            Value::Free(1, 0, Some(Arc::new(Value::Free(1, 2, None)))),
        ]
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let all = values();
        let mut bytes = Vec::new();
        assert!(all.iter().all(|v| put(v, &mut bytes)));
        let mut rest = bytes.as_slice();
        for v in &all {
            let again = take(&mut rest).expect("it was kept");
            let [mut one, mut other] = [Vec::new(), Vec::new()];
            assert!(put(v, &mut one) && put(&again, &mut other));
            assert_eq!((again.fingerprint(), other), (v.fingerprint(), one));
        }
        assert!(rest.is_empty());
    }

    /// No byte changed or missing leads to more than another value or none.
    #[test]
    fn damage_is_no_panic() {
        for v in values() {
            let mut bytes = Vec::new();
            assert!(put(&v, &mut bytes));
            for at in 0..bytes.len() {
                assert!(take(&mut bytes.get(..at).unwrap_or_default()).is_none());
                for change in [1, 0x7f, 0xff] {
                    let mut other = bytes.clone();
                    other[at] ^= change;
                    let _ = take(&mut other.as_slice());
                }
            }
        }
        let deep = vec![6; 1 << 20];
        assert!(take(&mut deep.as_slice()).is_none());
    }
}
