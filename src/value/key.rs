//! Values as canonical bytes, and their fingerprint: the first 128 bits of blake3 over those bytes.

use super::Value;
use crate::ty::SetId;

/// Sets of more members are hashed piece by piece.
const LARGE: usize = 1 << 10;

/// Bytes that are hashed at once.
const PIECE: usize = 1 << 16;

impl Value {
    /// Appends the canonical encoding: prefix-free, equal exactly for equal values in extension.
    #[inline]
    pub fn encode(&self, out: &mut Vec<u8>) {
        // Large sets are mostly of integers.
        if let Value::Int(n) = self {
            let mut bytes = [1; 9];
            bytes[1..].copy_from_slice(&n.to_le_bytes());
            out.extend_from_slice(&bytes);
        } else {
            self.encode_other(out);
        }
    }

    fn encode_other(&self, out: &mut Vec<u8>) {
        match self {
            Value::Bool(b) => out.extend_from_slice(&[0, u8::from(*b)]),
            Value::Int(_) => self.encode(out),
            Value::Big(n) => {
                let bytes = n.to_signed_bytes_le();
                out.push(2);
                push_len(out, bytes.len());
                out.extend_from_slice(&bytes);
            }
            Value::Real(x) => {
                out.push(3);
                out.extend_from_slice(&x.to_bits().to_le_bytes());
            }
            Value::Str(s) => {
                out.push(4);
                push_len(out, s.len());
                out.extend_from_slice(s.as_bytes());
            }
            Value::Elem(s, i) => out.extend_from_slice(&element(*s, *i).to_le_bytes()[..7]),
            Value::Pair(p) => match &**p {
                // The frequent ones as the others, but at once.
                (Value::Int(m), Value::Int(n)) => {
                    let mut bytes = [1; 19];
                    bytes[0] = 6;
                    bytes[2..10].copy_from_slice(&m.to_le_bytes());
                    bytes[11..].copy_from_slice(&n.to_le_bytes());
                    out.extend_from_slice(&bytes);
                }
                (Value::Elem(s, i), Value::Elem(t, j)) => {
                    let sides = u128::from(element(*s, *i)) | u128::from(element(*t, *j)) << 56;
                    out.extend_from_slice(&(6 | sides << 8).to_le_bytes()[..15]);
                }
                (a, b) => {
                    out.push(6);
                    a.encode(out);
                    b.encode(out);
                }
            },
            Value::Rec(fields) => {
                out.push(7);
                fields.iter().for_each(|f| f.encode(out));
            }
            Value::Free(t, c, arg) => {
                out.push(8);
                out.extend_from_slice(&t.to_le_bytes());
                out.extend_from_slice(&c.to_le_bytes());
                if let Some(a) = arg {
                    a.encode(out);
                }
            }
            Value::Set(s) => {
                out.push(9);
                push_len(out, s.len());
                s.items().iter().for_each(|v| v.encode(out));
            }
            Value::Lazy(l) => {
                out.push(10);
                let text = l.describe();
                push_len(out, text.len());
                out.extend_from_slice(text.as_bytes());
            }
        }
    }

    /// The first 128 bits of blake3 over the canonical encoding.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        let mut bytes = Vec::with_capacity(64);
        if let Value::Set(s) = self
            && s.len() > LARGE
        {
            // The bytes of a large set are hashed piece by piece: they would not fit into the cache together.
            let mut hasher = blake3::Hasher::new();
            bytes.push(9);
            push_len(&mut bytes, s.len());
            for v in s.items() {
                v.encode(&mut bytes);
                if bytes.len() >= PIECE {
                    hasher.update(&bytes);
                    bytes.clear();
                }
            }
            return first_bits(&hasher.update(&bytes).finalize());
        }
        self.encode(&mut bytes);
        fingerprint(&bytes)
    }

    /// Whether no part of the value is a set that is not enumerated.
    #[must_use]
    #[inline]
    pub fn is_extension(&self) -> bool {
        match self {
            Value::Bool(_) | Value::Int(_) | Value::Elem(..) | Value::Str(_) => true,
            _ => self.listed_within(),
        }
    }

    fn listed_within(&self) -> bool {
        match self {
            Value::Pair(p) => p.0.is_extension() && p.1.is_extension(),
            Value::Rec(fields) => fields.iter().all(Value::is_extension),
            Value::Free(_, _, Some(a)) => a.is_extension(),
            Value::Set(s) => s.is_extension(),
            Value::Lazy(_) => false,
            _ => true,
        }
    }
}

/// The first 128 bits of blake3.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u128 {
    first_bits(&blake3::hash(bytes))
}

fn first_bits(hash: &blake3::Hash) -> u128 {
    let mut first = [0; 16];
    first.copy_from_slice(&hash.as_bytes()[..16]);
    u128::from_le_bytes(first)
}

fn push_len(out: &mut Vec<u8>, n: usize) {
    out.extend_from_slice(&(n as u64).to_le_bytes());
}

/// The encoding of an element: seven bytes, the lowest first.
#[inline]
fn element(set: SetId, i: u32) -> u64 {
    5 | u64::from(set.0) << 8 | u64::from(i) << 24
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::SetRef;

    #[test]
    fn pairs_are_encoded_as_their_sides() {
        let elements = [Value::Elem(SetId(1), 7), Value::Elem(SetId(258), 1 << 20)];
        let sides = [Value::Int(-3), Value::Int(i64::MAX), Value::Bool(true)];
        let sides = [&sides[..], &elements].concat();
        for (a, b) in sides.iter().flat_map(|a| sides.iter().map(move |b| (a, b))) {
            let (mut whole, mut parts) = (Vec::new(), vec![6]);
            Value::pair(a.clone(), b.clone()).encode(&mut whole);
            a.encode(&mut parts);
            b.encode(&mut parts);
            assert_eq!(whole, parts);
        }
    }

    #[test]
    fn pieces_have_the_hash_of_the_whole() {
        for n in [1 << 10, (1 << 10) + 1, 3 << 16] {
            let s = Value::Set(SetRef::from_sorted((0..n).map(Value::Int).collect()));
            let mut bytes = Vec::new();
            s.encode(&mut bytes);
            assert_eq!(s.fingerprint(), fingerprint(&bytes));
        }
    }
}
