//! Hulls: which integers occur where in the values of a variable.
//!
//! A hull has the shape of a type with, at every integer, the interval of those seen or foreseen. It turns
//! types with integers into dense ones (`f : PROC --> 0..3` becomes a bit matrix). A state whose value
//! leaves its hull does not fit the layout; who chose the hull starts again with a wider one.

use crate::value::Value;

/// The integers that occur in values of one type, by position.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Hull {
    /// Nothing is known: no value has been seen, or the type has no integers.
    #[default]
    Unknown,
    /// Integers between these bounds.
    Int(i64, i64),
    /// Both sides of pairs.
    Pair(Box<Hull>, Box<Hull>),
    /// The fields of records.
    Rec(Vec<Hull>),
    /// The members of sets.
    Set(Box<Hull>),
    /// The members of relations that are functions.
    Fun(Box<Hull>),
    /// Integers that cannot be bounded (past 64 bits), or values without dense form.
    Open,
}

static UNKNOWN: Hull = Hull::Unknown;
static OPEN: Hull = Hull::Open;

impl Hull {
    /// The hulls of both sides.
    #[must_use]
    pub fn pair(&self) -> (&Hull, &Hull) {
        match self {
            Hull::Pair(a, b) => (a, b),
            Hull::Open => (&OPEN, &OPEN),
            _ => (&UNKNOWN, &UNKNOWN),
        }
    }

    /// The hull of a record's field.
    #[must_use]
    pub fn field(&self, i: usize) -> &Hull {
        match self {
            Hull::Rec(fields) => fields.get(i).unwrap_or(&UNKNOWN),
            Hull::Open => &OPEN,
            _ => &UNKNOWN,
        }
    }

    /// The hull of a set's members.
    #[must_use]
    pub fn member(&self) -> &Hull {
        match self {
            Hull::Set(m) | Hull::Fun(m) => m,
            Hull::Open => &OPEN,
            _ => &UNKNOWN,
        }
    }

    /// Widens the hull so that it covers a value; whether that changed it.
    pub fn include(&mut self, v: &Value) -> bool {
        match (&mut *self, v) {
            (Hull::Open, _) | (_, Value::Bool(_) | Value::Elem(..)) => false,
            (Hull::Int(lo, hi), Value::Int(n)) => {
                let inside = (*lo..=*hi).contains(n);
                *lo = (*lo).min(*n);
                *hi = (*hi).max(*n);
                !inside
            }
            (Hull::Unknown, Value::Int(n)) => {
                *self = Hull::Int(*n, *n);
                true
            }
            (Hull::Pair(a, b), Value::Pair(p)) => a.include(&p.0) | b.include(&p.1),
            (Hull::Unknown, Value::Pair(p)) => {
                let (mut a, mut b) = (Hull::Unknown, Hull::Unknown);
                let changed = a.include(&p.0) | b.include(&p.1);
                *self = Hull::Pair(Box::new(a), Box::new(b));
                changed
            }
            (Hull::Set(m) | Hull::Fun(m), Value::Set(s)) => m.include_all(s.items()),
            (Hull::Unknown, Value::Set(s)) => {
                let mut m = Hull::Unknown;
                let changed = m.include_all(s.items());
                *self = Hull::Set(Box::new(m));
                changed
            }
            (Hull::Rec(fields), Value::Rec(vs)) => {
                fields.iter_mut().zip(vs.iter()).fold(false, |c, (h, v)| c | h.include(v))
            }
            (Hull::Unknown, Value::Rec(vs)) => {
                let mut fields = vec![Hull::Unknown; vs.len()];
                let changed = fields.iter_mut().zip(vs.iter()).fold(false, |c, (h, v)| c | h.include(v));
                *self = Hull::Rec(fields);
                changed
            }
            _ => {
                *self = Hull::Open;
                true
            }
        }
    }

    /// As [`Hull::include`] for many. Large sets are mostly of integers, or of pairs of such.
    fn include_all(&mut self, items: &[Value]) -> bool {
        let Some((first, rest)) = items.split_first() else { return false };
        let mut changed = self.include(first);
        let mut rest = rest.iter();
        if let Hull::Pair(a, b) = self
            && let (Hull::Int(lo, hi), Hull::Int(least, most)) = (&mut **a, &mut **b)
        {
            let before = (*lo, *hi, *least, *most);
            while let Some(Value::Pair(p)) = rest.as_slice().first()
                && let (Value::Int(m), Value::Int(n)) = (&p.0, &p.1)
            {
                (*lo, *hi) = ((*lo).min(*m), (*hi).max(*m));
                (*least, *most) = ((*least).min(*n), (*most).max(*n));
                rest.next();
            }
            changed |= before != (*lo, *hi, *least, *most);
        }
        rest.fold(changed, |changed, v| changed | self.include(v))
    }

    /// The smallest hull that covers both.
    #[must_use]
    pub fn join(self, other: Hull) -> Hull {
        match (self, other) {
            (Hull::Open, _) | (_, Hull::Open) => Hull::Open,
            (Hull::Unknown, h) | (h, Hull::Unknown) => h,
            (Hull::Int(a, b), Hull::Int(c, d)) => Hull::Int(a.min(c), b.max(d)),
            (Hull::Pair(a, b), Hull::Pair(c, d)) => Hull::Pair(Box::new(a.join(*c)), Box::new(b.join(*d))),
            (Hull::Set(a), Hull::Set(b)) => Hull::Set(Box::new(a.join(*b))),
            // What is known of one is taken to hold for the other: a guess, as all of it.
            (Hull::Fun(a), Hull::Set(b) | Hull::Fun(b)) | (Hull::Set(a), Hull::Fun(b)) => {
                Hull::Fun(Box::new(a.join(*b)))
            }
            (Hull::Rec(a), Hull::Rec(b)) => Hull::Rec(a.into_iter().zip(b).map(|(x, y)| x.join(y)).collect()),
            _ => Hull::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::SetRef;

    /// Large sets one member after the other, and at once.
    #[test]
    fn members_are_covered() {
        let pair = |a, b| Value::pair(Value::Int(a), b);
        let sets = [
            vec![],
            vec![Value::Int(3), Value::Int(-1)],
            vec![pair(1, Value::Int(5)), pair(2, Value::Int(-5)), pair(-3, Value::Int(0))],
            vec![pair(1, Value::Bool(true)), pair(9, Value::Bool(false))],
            vec![pair(1, Value::Int(5)), pair(7, Value::Str("mixed".into())), pair(8, Value::Int(6))],
        ];
        for items in sets {
            let (mut whole, mut member) = (Hull::Unknown, Hull::Unknown);
            let set = Value::Set(SetRef::from_vec(items.clone()));
            for v in &items {
                member.include(v);
            }
            let empty = items.is_empty();
            assert_eq!((whole.include(&set), &whole), (!empty, &Hull::Set(Box::new(member))));
            assert!(!whole.include(&set));
        }
    }
}
