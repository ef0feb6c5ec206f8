//! Values as canonical bytes, and their fingerprint: the first 128 bits of blake3 over those bytes.

use super::Value;

impl Value {
    /// Appends the canonical encoding: prefix-free, equal exactly for equal values in extension.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Value::Bool(b) => out.extend([0, u8::from(*b)]),
            Value::Int(n) => {
                out.push(1);
                out.extend(n.to_le_bytes());
            }
            Value::Big(n) => {
                let bytes = n.to_signed_bytes_le();
                out.push(2);
                push_len(out, bytes.len());
                out.extend(bytes);
            }
            Value::Real(x) => {
                out.push(3);
                out.extend(x.to_bits().to_le_bytes());
            }
            Value::Str(s) => {
                out.push(4);
                push_len(out, s.len());
                out.extend(s.as_bytes());
            }
            Value::Elem(s, i) => {
                out.push(5);
                out.extend(s.0.to_le_bytes());
                out.extend(i.to_le_bytes());
            }
            Value::Pair(p) => {
                out.push(6);
                p.0.encode(out);
                p.1.encode(out);
            }
            Value::Rec(fields) => {
                out.push(7);
                fields.iter().for_each(|f| f.encode(out));
            }
            Value::Free(t, c, arg) => {
                out.push(8);
                out.extend(t.to_le_bytes());
                out.extend(c.to_le_bytes());
                if let Some(a) = arg {
                    a.encode(out);
                }
            }
            Value::Set(s) => {
                out.push(9);
                push_len(out, s.items().len());
                s.items().iter().for_each(|v| v.encode(out));
            }
            Value::Lazy(l) => {
                out.push(10);
                let text = l.describe();
                push_len(out, text.len());
                out.extend(text.as_bytes());
            }
        }
    }

    /// The first 128 bits of blake3 over the canonical encoding.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        let mut bytes = Vec::with_capacity(64);
        self.encode(&mut bytes);
        fingerprint(&bytes)
    }

    /// Whether no part of the value is a set that is not enumerated.
    #[must_use]
    pub fn is_extension(&self) -> bool {
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
    let hash = blake3::hash(bytes);
    let mut first = [0; 16];
    first.copy_from_slice(&hash.as_bytes()[..16]);
    u128::from_le_bytes(first)
}

fn push_len(out: &mut Vec<u8>, n: usize) {
    out.extend((n as u64).to_le_bytes());
}
