//! Values in B syntax, with the names of elements from the world.
//!
//! Pairs in a set and on the left of a pair need no parentheses: `{a|->b|->c}` is `{(a|->b)|->c}`. A set of
//! pairs numbered from 1 is shown as a sequence where the machine speaks of sequences (`[]` if it is empty), five and more integers without gaps as an interval.

use super::Value;
use crate::ops::World;
use crate::ty::Ty;

impl Value {
    /// The value in B syntax as far as that can be seen without its type (fields of records are numbered).
    #[must_use]
    pub fn brief(&self, world: &World) -> String {
        self.show(&Ty::Any, world)
    }

    /// The value in B syntax; the type gives the names of fields, and says what is a sequence.
    #[must_use]
    pub fn show(&self, ty: &Ty, world: &World) -> String {
        self.excerpt(ty, world, usize::MAX)
    }

    /// As [`Value::show`], but lists are cut off after about `most` bytes, with `... n more`.
    #[must_use]
    pub fn excerpt(&self, ty: &Ty, world: &World, most: usize) -> String {
        self.text(ty, world, Text { bytes: Vec::new(), most, enough: usize::MAX })
    }

    /// The beginning of [`Value::brief`]: all of it, or at least `enough` characters. Messages show no more, and most of them
    /// are made for nobody: an evaluation that fails is often tried again once more is known.
    #[must_use]
    pub fn beginning(&self, world: &World, enough: usize) -> String {
        self.text(&Ty::Any, world, Text { bytes: Vec::new(), most: usize::MAX, enough })
    }

    /// As [`Value::excerpt`], where a pair needs no parentheses: in a set, or as an argument.
    #[must_use]
    pub fn member(&self, ty: &Ty, world: &World, most: usize) -> String {
        let mut out = Text { bytes: Vec::new(), most, enough: usize::MAX };
        maplet(self, ty, world, &mut out);
        String::from_utf8(out.bytes).unwrap_or_default()
    }

    fn text(&self, ty: &Ty, world: &World, mut out: Text) -> String {
        write(self, ty, world, &mut out);
        // Nothing but text has been put in.
        String::from_utf8(out.bytes).unwrap_or_default()
    }
}

/// Text that grows to about a given length.
struct Text {
    /// In UTF-8; looked through once, at the end.
    bytes: Vec<u8>,
    /// Lists end after so many bytes, and say so.
    most: usize,
    /// Lists end after so many characters, since nobody reads on.
    enough: usize,
}

impl Text {
    /// Adds a character, of ASCII.
    fn push(&mut self, c: u8) {
        debug_assert!(c.is_ascii());
        self.bytes.push(c);
    }

    /// Whether there are as many characters as somebody reads.
    fn is_enough(&self) -> bool {
        let begins = |b: &&u8| (**b).cast_signed() >= -0x40;
        self.bytes.len() >= self.enough && self.bytes.iter().filter(begins).count() >= self.enough
    }

    fn push_str(&mut self, s: &str) {
        self.bytes.extend_from_slice(s.as_bytes());
    }
}

fn write(v: &Value, ty: &Ty, world: &World, out: &mut Text) {
    match v {
        Value::Bool(true) => out.push_str("TRUE"),
        Value::Bool(false) => out.push_str("FALSE"),
        Value::Int(n) => integer(*n, out),
        Value::Big(n) => out.push_str(&n.to_string()),
        Value::Real(x) => out.push_str(&real(*x)),
        Value::Str(s) => out.push_str(&format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""))),
        Value::Elem(s, i) => match world.elements.get(usize::from(s.0)).and_then(|e| e.get(*i as usize)) {
            Some(name) => out.push_str(name),
            None => out.push_str(&format!("?{i}")),
        },
        Value::Pair(_) => {
            out.push(b'(');
            maplet(v, ty, world, out);
            out.push(b')');
        }
        Value::Rec(fields) => record(fields, ty, world, out),
        Value::Free(t, c, arg) => {
            match world.constructors.get(usize::from(*t)).and_then(|names| names.get(usize::from(*c))) {
                Some(name) => out.push_str(name),
                None => out.push_str(&format!("constructor_{t}_{c}")),
            }
            if let Some(a) = arg {
                out.push(b'(');
                write(a, &Ty::Any, world, out);
                out.push(b')');
            }
        }
        Value::Set(s) => members(s.items(), ty, world, out),
        Value::Lazy(l) => out.push_str(&l.describe()),
    }
}

/// An integer in digits, two at a time. The library's way of formatting takes several times as long, and traces are mostly
/// integers.
fn integer(n: i64, out: &mut Text) {
    if n < 0 {
        out.push(b'-');
    }
    let (mut digits, mut rest) = ([b'0'; 20], n.unsigned_abs());
    let mut begin = digits.len();
    for two in digits.rchunks_exact_mut(2) {
        let pair = PAIRS[usize::try_from(rest % 100).unwrap_or_default()];
        two.copy_from_slice(&pair);
        begin -= if rest < 10 { 1 } else { 2 };
        rest /= 100;
        if rest == 0 {
            break;
        }
    }
    out.bytes.extend_from_slice(digits.get(begin..).unwrap_or_default());
}

/// The digits of the integers below 100.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n as usize] = [b'0' + n / 10, b'0' + n % 10];
        n += 1;
    }
    pairs
};

/// A value whose context makes parentheses around a pair superfluous.
fn maplet(v: &Value, ty: &Ty, world: &World, out: &mut Text) {
    let Value::Pair(p) = v else { return write(v, ty, world, out) };
    let (a, b) = match ty {
        Ty::Pair(a, b) => (&**a, &**b),
        _ => (&Ty::Any, &Ty::Any),
    };
    maplet(&p.0, a, world, out);
    out.push_str("|->");
    write(&p.1, b, world, out);
}

/// A real with digits on both sides of the point, as B wants it.
fn real(x: f64) -> String {
    let text = format!("{x:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

fn record(fields: &[Value], ty: &Ty, world: &World, out: &mut Text) {
    out.push_str("rec(");
    for (i, f) in fields.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        match ty {
            Ty::Rec(types) if types.len() == fields.len() => {
                out.push_str(&types[i].0);
                out.push(b':');
                write(f, &types[i].1, world, out);
            }
            _ => {
                out.push_str(&format!("field{}:", i + 1));
                write(f, &Ty::Any, world, out);
            }
        }
    }
    out.push(b')');
}

/// Sets of integers without gaps are shown as intervals if they have more members than this.
const LISTED: usize = 4;

fn members(items: &[Value], ty: &Ty, world: &World, out: &mut Text) {
    let elem = ty.elem().unwrap_or(&Ty::Any);
    if items.is_empty() && ty.is_sequence() {
        return out.push_str("[]");
    }
    // Where nothing is known of the type, a sequence is the better guess.
    if (ty.is_sequence() || *elem == Ty::Any) && is_sequence(items) {
        let right = match elem {
            Ty::Pair(_, b) => &**b,
            _ => &Ty::Any,
        };
        let values = items.iter().filter_map(right_side);
        return list(b'[', values, b']', |x, out| write(x, right, world, out), out);
    }
    if let [Value::Int(first), .., Value::Int(last)] = items
        && items.len() > LISTED
        && last.checked_sub(*first).is_some_and(|n| n.cast_unsigned() + 1 == items.len() as u64)
    {
        integer(*first, out);
        out.push_str("..");
        return integer(*last, out);
    }
    list(b'{', items.iter(), b'}', |x, out| maplet(x, elem, world, out), out);
}

fn list<'v>(
    open: u8,
    mut items: impl Iterator<Item = &'v Value>,
    close: u8,
    mut write: impl FnMut(&Value, &mut Text),
    out: &mut Text,
) {
    out.push(open);
    let mut first = true;
    while let Some(x) = items.next() {
        if !first {
            out.push(b',');
        }
        first = false;
        if out.bytes.len() > out.most {
            out.push_str(&format!("... {} more", items.count() + 1));
            break;
        }
        if out.is_enough() {
            return;
        }
        write(x, out);
    }
    out.push(close);
}

/// Whether members are those of a non-empty sequence: `1|->a, 2|->b, ...`.
pub(super) fn is_sequence(items: &[Value]) -> bool {
    let at = |(i, v): (i64, &Value)| matches!(v, Value::Pair(p) if matches!(p.0, Value::Int(n) if n == i));
    // The last one tells most others.
    let all = i64::try_from(items.len()).unwrap_or(i64::MAX);
    items.last().is_some_and(|v| at((all, v))) && (1i64..).zip(items).all(at)
}

fn right_side(v: &Value) -> Option<&Value> {
    match v {
        Value::Pair(p) => Some(&p.1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::SetId;
    use crate::value::SetRef;

    #[test]
    fn in_b_syntax() {
        let world = World { elements: vec![vec!["a".into(), "b".into()]], ..World::default() };
        let (a, b) = (Value::Elem(SetId(0), 0), Value::Elem(SetId(0), 1));
        let set = |items: Vec<Value>| Value::Set(SetRef::from_vec(items));
        let int = Value::Int;
        assert_eq!(set(vec![b.clone(), a.clone()]).brief(&world), "{a,b}");
        assert_eq!(set(vec![Value::pair(a.clone(), b.clone())]).brief(&world), "{a|->b}");
        let nested = Value::pair(Value::pair(int(1), int(2)), Value::pair(int(3), int(4)));
        assert_eq!(nested.brief(&world), "(1|->2|->(3|->4))");
        let sequence = set(vec![Value::pair(int(1), b), Value::pair(int(2), a.clone())]);
        assert_eq!(sequence.brief(&world), "[b,a]");
        let long = set((1..=9).map(|n| int(2 * n)).collect());
        assert_eq!(long.excerpt(&Ty::Any, &world, 4), "{2,4,... 7 more}");
        assert_eq!(long.beginning(&world, 5), "{2,4,");
        assert_eq!(long.beginning(&world, 50), long.brief(&world));
        assert_eq!(set(vec![Value::pair(int(2), a)]).brief(&world), "{2|->a}");
        assert_eq!(Value::empty().brief(&world), "{}");
        assert_eq!(Value::empty().show(&Ty::seq(Ty::Int), &world), "[]");
        assert_eq!(set((1..=5).map(int).collect()).brief(&world), "1..5");
        assert_eq!(set((1..=4).map(int).collect()).brief(&world), "{1,2,3,4}");
        let ty = Ty::Rec(vec![("f".into(), Ty::Int), ("g".into(), Ty::Str)].into());
        let record = Value::Rec(vec![int(-1), Value::Str("x\"y".into())].into());
        assert_eq!(record.show(&ty, &world), "rec(f:-1,g:\"x\\\"y\")");
        for n in [0, 9, 10, -10, 99, 100, 101, 1000, 12345, i64::MIN, i64::MAX] {
            assert_eq!(int(n).brief(&world), n.to_string());
        }
        assert_eq!(Value::Real(1e300).brief(&world), "1.0e300");
        assert_eq!(Value::Real(0.5).brief(&world), "0.5");
    }
}
