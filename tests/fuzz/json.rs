//! Changes of JSON that leave it JSON.
//!
//! In: a value, numbers from a seed, a corpus for the texts in it. Out: the value with something in it changed, doubled, taken away or of another type.

use super::mutate::{Corpus, mutate};
use super::random::Random;
use serde_json::{Value as Json, json};

/// Deepest nesting: readers of JSON refuse more than 128.
const DEEPEST: usize = 120;

/// Most repetitions of a member.
const MOST: usize = 20_000;

/// How many values there are in one, itself included.
fn count(value: &Json) -> usize {
    1 + match value {
        Json::Array(all) => all.iter().map(count).sum::<usize>(),
        Json::Object(all) => all.values().map(count).sum(),
        _ => 0,
    }
}

/// The value of a number, in the order in which they are written.
fn nth<'v>(value: &'v mut Json, n: &mut usize) -> Option<&'v mut Json> {
    if *n == 0 {
        return Some(value);
    }
    *n -= 1;
    match value {
        Json::Array(all) => inside(all.iter_mut(), n),
        Json::Object(all) => inside(all.values_mut(), n),
        _ => None,
    }
}

fn inside<'v>(all: impl Iterator<Item = &'v mut Json>, n: &mut usize) -> Option<&'v mut Json> {
    for value in all {
        let size = count(value);
        if *n < size {
            return nth(value, n);
        }
        *n -= size;
    }
    None
}

/// Changes one value somewhere.
pub(crate) fn change(whole: &mut Json, r: &mut Random, corpus: &Corpus) {
    let mut n = r.below(count(whole));
    let mut other = r.below(count(whole));
    let other = nth(whole, &mut other).cloned().unwrap_or_default();
    let Some(value) = nth(whole, &mut n) else { return };
    if r.once_in(6) {
        *value = other;
        return;
    }
    match value {
        Json::String(text) if !r.once_in(6) => {
            let mut bytes = text.clone().into_bytes();
            mutate(&mut bytes, r, corpus);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        Json::Array(all) if !r.once_in(8) => of_list(all, r),
        Json::Object(all) if !r.once_in(8) => {
            let key = r.pick(&all.keys().cloned().collect::<Vec<_>>()).cloned().unwrap_or_default();
            let value = all.shift_remove(&key);
            if r.once_in(2) {
                all.insert(format!("{key}x"), value.unwrap_or_default());
            }
        }
        Json::Number(_) if !r.once_in(8) => *value = number(r),
        value => *value = strange(r),
    }
}

fn of_list(all: &mut Vec<Json>, r: &mut Random) {
    let at = r.below(all.len());
    match (r.below(4), all.get(at).cloned()) {
        (_, None) => all.push(strange(r)),
        (0, _) => drop(all.remove(at)),
        (1, Some(member)) => all.insert(at, member),
        (2, _) => {
            let to = r.below(all.len());
            all.swap(at, to);
        }
        (_, Some(member)) => {
            let times = if r.once_in(10) { r.magnitude(MOST) } else { 2 };
            all.extend(std::iter::repeat_n(member, times));
        }
    }
}

fn number(r: &mut Random) -> Json {
    match r.below(6) {
        0 => json!(u64::MAX),
        1 => json!(i64::MIN),
        2 => json!(-1),
        3 => json!(1e300),
        4 => json!(r.magnitude(usize::MAX)),
        _ => json!(r.below(10)),
    }
}

fn strange(r: &mut Random) -> Json {
    match r.below(8) {
        0 => Json::Null,
        1 => json!(true),
        2 => json!([]),
        3 => json!({}),
        4 => json!(""),
        5 => json!({"#bigint": "9".repeat(r.magnitude(1000))}),
        6 => (0..r.magnitude(DEEPEST)).fold(json!(1), |inner, _| json!([inner])),
        _ => number(r),
    }
}
