//! Markers the slow way: paths and markers as text, multisets as sorted lists, one blake3 hash at the end.
//!
//! In: a vector of values. Out: the fingerprint of its marker. Written for comparison with `marker`, so
//! nothing is shared with it: both must put the same states together (`--marker-hash blake3`).

use super::group::Group;
use super::marker::Rules;
use super::vector::Vector;
use crate::value::Value;
use crate::value::key::fingerprint;

/// Paths of one point, each as bytes.
type Paths = Vec<Vec<u8>>;

/// The fingerprint of the marker of a vector.
pub(super) fn marker(vector: &Vector, rules: Rules, group: &Group) -> u128 {
    let parts: Vec<(u8, usize, &Value)> = (vector.constants.iter().enumerate())
        .filter_map(|(i, c)| Some((0, i, c.as_ref()?)))
        .chain(vector.variables.iter().flatten().enumerate().map(|(i, v)| (1, i, v)))
        .collect();
    let mut points: Vec<Paths> = vec![Paths::new(); group.points().len()];
    for &(kind, i, v) in &parts {
        for (p, paths) in (0u32..).zip(&mut points) {
            paths.extend(
                paths_of(p, v, rules, group)
                    .into_iter()
                    .map(|t| list(b'v', &[&[kind], &i.to_le_bytes(), &t])),
            );
        }
    }
    let points: Vec<Vec<u8>> = points.into_iter().map(|p| bag(b'p', p)).collect();
    let mut bytes = vec![u8::from(vector.variables.is_some())];
    for (kind, i, v) in parts {
        bytes.extend(list(b'm', &[&[kind], &i.to_le_bytes(), &marked(v, &points, group)]));
    }
    fingerprint(&bytes)
}

/// A list of byte strings after a kind; prefix-free.
fn list(kind: u8, items: &[&[u8]]) -> Vec<u8> {
    let mut out = vec![kind];
    out.extend(items.len().to_le_bytes());
    for item in items {
        out.extend(item.len().to_le_bytes());
        out.extend_from_slice(item);
    }
    out
}

/// A multiset of byte strings.
fn bag(kind: u8, mut items: Vec<Vec<u8>>) -> Vec<u8> {
    items.sort();
    let refs: Vec<&[u8]> = items.iter().map(Vec::as_slice).collect();
    list(kind, &refs)
}

fn exact(v: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    v.encode(&mut out);
    out
}

fn free_of_points(v: &Value, group: &Group) -> bool {
    (0u32..).zip(group.points()).all(|(p, _)| !occurs(p, v, group))
}

fn occurs(p: u32, v: &Value, group: &Group) -> bool {
    match v {
        Value::Elem(s, i) => group.point(*s, *i) == Some(p),
        Value::Pair(x) => occurs(p, &x.0, group) || occurs(p, &x.1, group),
        Value::Rec(fields) => fields.iter().any(|f| occurs(p, f, group)),
        Value::Free(_, _, arg) => arg.as_ref().is_some_and(|a| occurs(p, a, group)),
        Value::Set(s) => s.items().iter().any(|x| occurs(p, x, group)),
        _ => false,
    }
}

fn prefixed(kind: u8, text: &[u8], inner: Paths) -> Paths {
    inner.into_iter().map(|t| list(kind, &[text, &t])).collect()
}

/// The multiset of paths of one point in a value.
fn paths_of(p: u32, v: &Value, rules: Rules, group: &Group) -> Paths {
    let go = |v: &Value| paths_of(p, v, rules, group);
    match v {
        Value::Elem(s, i) if group.point(*s, *i) == Some(p) => vec![Vec::new()],
        Value::Set(s) => s.items().iter().flat_map(|x| prefixed(b'e', b"", go(x))).collect(),
        Value::Pair(x) => {
            let (a, b) = (&x.0, &x.1);
            let both = |a, b| [prefixed(b'l', b"", go(a)), prefixed(b'r', b"", go(b))];
            match (rules, free_of_points(a, group), free_of_points(b, group)) {
                (Rules::Basic, ..) => both(a, b).concat(),
                (_, true, true) => Paths::new(),
                (_, false, true) => prefixed(b't', &exact(b), go(a)),
                (_, true, false) => prefixed(b'f', &exact(a), go(b)),
                (_, false, false) if a == b => prefixed(b'b', b"", go(a)),
                (Rules::Improved, ..) => both(a, b).concat(),
                (Rules::Tree, ..) => {
                    let [left, right] = both(a, b);
                    let nothing = left.is_empty() && right.is_empty();
                    let joined = list(b'j', &[&bag(b'l', left), &bag(b'r', right)]);
                    if nothing { Paths::new() } else { vec![joined] }
                }
            }
        }
        Value::Rec(fields) => {
            let fixed: Vec<Vec<u8>> = (fields.iter().enumerate())
                .filter(|(_, f)| rules != Rules::Basic && free_of_points(f, group))
                .map(|(i, f)| list(b'x', &[&i.to_le_bytes(), &exact(f)]))
                .collect();
            let fixed = fixed.concat();
            let field = |(i, f)| prefixed(b'd', &list(b'x', &[&usize::to_le_bytes(i), &fixed]), go(f));
            fields.iter().enumerate().flat_map(field).collect()
        }
        Value::Free(t, c, Some(arg)) => prefixed(b'c', &[t.to_le_bytes(), c.to_le_bytes()].concat(), go(arg)),
        _ => Paths::new(),
    }
}

fn marked(v: &Value, points: &[Vec<u8>], group: &Group) -> Vec<u8> {
    match v {
        Value::Elem(s, i) => match group.point(*s, *i).and_then(|p| points.get(p as usize)) {
            Some(paths) => list(b'p', &[paths]),
            None => exact(v),
        },
        Value::Pair(x) => list(b'l', &[&marked(&x.0, points, group), &marked(&x.1, points, group)]),
        Value::Rec(fields) => {
            let parts: Vec<Vec<u8>> = fields.iter().map(|f| marked(f, points, group)).collect();
            let refs: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            list(b'd', &refs)
        }
        Value::Free(t, c, Some(arg)) => {
            list(b'c', &[&t.to_le_bytes(), &c.to_le_bytes(), &marked(arg, points, group)])
        }
        Value::Set(s) => bag(b's', s.items().iter().map(|x| marked(x, points, group)).collect()),
        _ => exact(v),
    }
}
