//! What changes from one value to another, in few words.
//!
//! In: two values of a type, and what the machine declares of it. Out: lines such as `: + a|->b` and `(3): 0 -> 1`, to stand
//! behind a name; none where the whole values say it better. Sequences are those of the type; what is declared as a function
//! changes point by point, other relations lose and get pairs.

use super::Value;
use super::show::is_sequence;
use crate::ops::World;
use crate::ty::Ty;
use std::cmp::Ordering;

/// Most lines of one change: more are no summary.
const LINES: usize = 8;

/// What is declared of a value besides its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A function to values of a shape.
    Function(Box<Shape>),
    /// Anything else.
    Other,
}

/// What changes from one value to another.
#[derive(Debug)]
pub struct Delta<'w> {
    world: &'w World,
    /// Bytes after which a value is cut off.
    most: usize,
    lines: Vec<String>,
}

impl<'w> Delta<'w> {
    /// Lines to stand behind a name; none where the whole values are to be shown.
    #[must_use]
    pub fn lines(
        (before, after): (&Value, &Value),
        (ty, shape): (&Ty, &Shape),
        world: &'w World,
        most: usize,
    ) -> Vec<String> {
        let mut delta = Self { world, most, lines: Vec::new() };
        if delta.parts("", (before, after), (ty, shape)) && delta.lines.len() <= LINES {
            return delta.lines;
        }
        Vec::new()
    }

    /// Whether there are so many lines that none will be shown.
    fn is_long(&self) -> bool {
        self.lines.len() > LINES
    }

    /// Texts side by side, of which the last may be left out.
    fn list<'v>(&self, all: &[&'v Value], joint: &str, text: impl Fn(&'v Value) -> String) -> String {
        let mut out = String::new();
        for (i, v) in all.iter().enumerate() {
            if out.len() > self.most {
                return format!("{out}{joint}... {} more", all.len() - i);
            }
            out += if i == 0 { "" } else { joint };
            out += &text(v);
        }
        out
    }

    /// A value at a path, by its parts if they say it.
    fn at(&mut self, path: &str, values: (&Value, &Value), of: (&Ty, &Shape)) {
        if values.0 != values.1 && !self.is_long() && !self.parts(path, values, of) {
            let show = |v: &Value| v.excerpt(of.0, self.world, self.most);
            self.lines.push(format!("{path}: {} -> {}", show(values.0), show(values.1)));
        }
    }

    /// The parts of a value; whether there is something to tell of them.
    fn parts(&mut self, path: &str, values: (&Value, &Value), (ty, shape): (&Ty, &Shape)) -> bool {
        match (values, ty) {
            ((Value::Rec(a), Value::Rec(b)), Ty::Rec(fields)) if a.len() == fields.len() => {
                for ((a, b), (name, ty)) in a.iter().zip(b.iter()).zip(fields.iter()) {
                    self.at(&format!("{path}'{name}"), (a, b), (ty, &Shape::Other));
                }
                true
            }
            ((Value::Set(a), Value::Set(b)), _) => {
                let (a, b) = (a.items(), b.items());
                match (shape, ty.sides()) {
                    (_, Some((_, to))) if ty.is_sequence() && are_sequences(a, b) => {
                        self.sequence(path, (a, b), to)
                    }
                    (Shape::Function(of), Some((from, to))) => self.function(path, (a, b), (from, to, of)),
                    _ => self.members(path, (a, b), ty.elem().unwrap_or(&Ty::Any)),
                }
            }
            _ => false,
        }
    }

    fn sequence(&mut self, path: &str, (a, b): (&[Value], &[Value]), to: &Ty) -> bool {
        let (a, b): (Vec<&Value>, Vec<&Value>) =
            (a.iter().filter_map(right).collect(), b.iter().filter_map(right).collect());
        let show = |all: Option<&[&Value]>, joint: &str| {
            self.list(all.unwrap_or_default(), joint, |v| v.excerpt(to, self.world, self.most))
        };
        let line = match a.len().cmp(&b.len()) {
            Ordering::Less if b.starts_with(&a) => {
                format!("{path}: <- {}", show(b.get(a.len()..), " <- "))
            }
            Ordering::Less if b.ends_with(&a) => {
                format!("{path}: {} ->", show(b.get(..b.len() - a.len()), " -> "))
            }
            Ordering::Greater if a.ends_with(&b) => {
                format!("{path}: - {} (first)", show(a.get(..a.len() - b.len()), ", "))
            }
            Ordering::Greater if a.starts_with(&b) => {
                format!("{path}: - {} (last)", show(a.get(b.len()..), ", "))
            }
            Ordering::Equal => {
                for (i, (a, b)) in a.iter().zip(&b).enumerate().filter(|(_, (a, b))| a != b) {
                    self.at(&format!("{path}({})", i + 1), (a, b), (to, &Shape::Other));
                }
                return true;
            }
            _ => return false,
        };
        self.lines.push(line);
        true
    }

    /// Functions: arguments whose values change, and pairs that go or come.
    fn function(
        &mut self,
        path: &str,
        (a, b): (&[Value], &[Value]),
        (from, to, of): (&Ty, &Ty, &Shape),
    ) -> bool {
        let pair = Ty::pair(from.clone(), to.clone());
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        let left = |v: &Value| left(v).cloned();
        for met in merged(a, b, |x, y| left(x).cmp(&left(y))) {
            match met {
                (Some(a), Some(b)) => {
                    if let (Some(key), Some(x), Some(y)) = (left(a), right(a), right(b))
                        && !self.is_long()
                    {
                        let key = key.member(from, self.world, self.most);
                        self.at(&format!("{path}({key})"), (x, y), (to, of));
                    }
                }
                (Some(a), None) => gone.push(a),
                (None, Some(b)) => come.push(b),
                (None, None) => {}
            }
        }
        self.gone_and_come(path, &gone, &come, &pair);
        true
    }

    fn members(&mut self, path: &str, (a, b): (&[Value], &[Value]), of: &Ty) -> bool {
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for met in merged(a, b, Value::cmp) {
            match met {
                (Some(a), None) => gone.push(a),
                (None, Some(b)) => come.push(b),
                _ => {}
            }
        }
        // What has nothing in common is another set, and no change of one.
        if gone.len() == a.len() && !a.is_empty() && !b.is_empty() {
            return false;
        }
        self.gone_and_come(path, &gone, &come, of);
        true
    }

    fn gone_and_come(&mut self, path: &str, gone: &[&Value], come: &[&Value], of: &Ty) {
        for (sign, members) in [('-', gone), ('+', come)] {
            if !members.is_empty() && !self.is_long() {
                let texts = self.list(members, ", ", |v| v.member(of, self.world, self.most));
                self.lines.push(format!("{path}: {sign} {texts}"));
            }
        }
    }
}

fn left(v: &Value) -> Option<&Value> {
    match v {
        Value::Pair(p) => Some(&p.0),
        _ => None,
    }
}

fn right(v: &Value) -> Option<&Value> {
    match v {
        Value::Pair(p) => Some(&p.1),
        _ => None,
    }
}

fn are_sequences(a: &[Value], b: &[Value]) -> bool {
    [a, b].iter().all(|items| items.is_empty() || is_sequence(items))
}

/// Two sorted lists side by side, without what is in both.
fn merged<'v>(
    a: &'v [Value],
    b: &'v [Value],
    compare: impl Fn(&Value, &Value) -> Ordering,
) -> Vec<(Option<&'v Value>, Option<&'v Value>)> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut out = Vec::new();
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => compare(x, y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return out,
        };
        let met = (a.next_if(|_| order.is_le()), b.next_if(|_| order.is_ge()));
        if met.0 != met.1 {
            out.push(met);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::SetRef;

    fn set(items: &[Value]) -> Value {
        Value::Set(SetRef::from_vec(items.to_vec()))
    }

    fn ints(items: &[i64]) -> Value {
        set(&items.iter().map(|n| Value::Int(*n)).collect::<Vec<_>>())
    }

    fn pairs(items: &[(i64, i64)]) -> Value {
        set(&items.iter().map(|(a, b)| Value::pair(Value::Int(*a), Value::Int(*b))).collect::<Vec<_>>())
    }

    fn of(before: &Value, after: &Value, ty: &Ty, shape: &Shape) -> Vec<String> {
        Delta::lines((before, after), (ty, shape), &World::default(), 1000)
    }

    #[test]
    fn sets_lose_and_get_members() {
        let ty = Ty::pow(Ty::Int);
        let change = |a: &[i64], b: &[i64]| of(&ints(a), &ints(b), &ty, &Shape::Other);
        assert_eq!(change(&[1, 2, 3], &[1, 3, 5, 6]), [": - 2", ": + 5, 6"]);
        assert_eq!(change(&[], &[4]), [": + 4"]);
        assert!(change(&[1], &[2]).is_empty());
    }

    #[test]
    fn relations_by_pairs_and_functions_by_arguments() {
        let ty = Ty::rel(Ty::Int, Ty::Int);
        let (a, b) = (pairs(&[(1, 0), (2, 0), (3, 0)]), pairs(&[(1, 0), (3, 1), (4, 7)]));
        assert_eq!(of(&a, &b, &ty, &Shape::Other), [": - 2|->0, 3|->0", ": + 3|->1, 4|->7"]);
        let function = Shape::Function(Box::new(Shape::Other));
        assert_eq!(of(&a, &b, &ty, &function), ["(3): 0 -> 1", ": - 2|->0", ": + 4|->7"]);
        let many: Vec<(i64, i64)> = (0..20).map(|n| (n, 1)).collect();
        let none: Vec<(i64, i64)> = (0..20).map(|n| (n, 0)).collect();
        assert!(of(&pairs(&none), &pairs(&many), &ty, &function).is_empty());
    }

    #[test]
    fn values_of_functions_change_in_part() {
        let ty = Ty::rel(Ty::Int, Ty::pow(Ty::Int));
        let at = |s: &[i64]| set(&[Value::pair(Value::Int(1), ints(s))]);
        let function = Shape::Function(Box::new(Shape::Other));
        assert_eq!(of(&at(&[4]), &at(&[4, 5]), &ty, &function), ["(1): + 5"]);
        assert_eq!(of(&at(&[4]), &at(&[5]), &ty, &function), ["(1): {4} -> {5}"]);
    }

    #[test]
    fn sequences_at_their_ends() {
        let seq = |s: &[i64]| pairs(&(1..).zip(s.iter().copied()).collect::<Vec<_>>());
        let change = |a: &[i64], b: &[i64]| of(&seq(a), &seq(b), &Ty::seq(Ty::Int), &Shape::Other);
        assert_eq!(change(&[5], &[5, 7]), [": <- 7"]);
        assert_eq!(change(&[5], &[7, 5]), [": 7 ->"]);
        assert_eq!(change(&[5, 7, 9], &[7, 9]), [": - 5 (first)"]);
        assert_eq!(change(&[5, 7, 9], &[5]), [": - 7, 9 (last)"]);
        assert_eq!(change(&[5, 7, 9], &[5, 8, 9]), ["(2): 7 -> 8"]);
        assert!(change(&[5, 7], &[7, 8]).len() == 2 && change(&[5, 7], &[8]).is_empty());
    }

    #[test]
    fn long_lists_end_early() {
        let (ty, many) = (Ty::pow(Ty::Int), (0..10_000).collect::<Vec<_>>());
        let told = of(&ints(&[]), &ints(&many), &ty, &Shape::Other);
        let [line] = told.as_slice() else { panic!("{told:?}") };
        assert!(line.starts_with(": + 0, 1, 2") && line.len() < 1100, "{line}");
        let shown = line.matches(',').count();
        assert!(line.ends_with(&format!(", ... {} more", 10_000 - shown)), "{line}");
    }

    #[test]
    fn records_by_fields() {
        let ty = Ty::Rec(vec![("a".into(), Ty::Int), ("b".into(), Ty::pow(Ty::Int))].into());
        let rec = |n: i64, s: &[i64]| Value::Rec(vec![Value::Int(n), ints(s)].into());
        assert_eq!(of(&rec(1, &[]), &rec(2, &[3]), &ty, &Shape::Other), ["'a: 1 -> 2", "'b: + 3"]);
    }
}
