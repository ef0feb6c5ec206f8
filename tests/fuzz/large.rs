//! Large changes of texts: something nested deep, something repeated often.
//!
//! In: a text, numbers from a seed. Out: a text that is up to two million bytes longer. Most are not that large, since such texts take long.

use super::mutate::{Corpus, LONGEST, any, copy, part, put, word};
use super::random::Random;

/// Deepest nesting, most repetitions, and those of most inputs.
const DEEPEST: usize = 100_000;
const MOST: usize = 200_000;
const FEW: usize = 300;

/// What opens and closes.
const BRACKETS: [(&[u8], &[u8]); 10] = [
    (b"(", b")"),
    (b"{", b"}"),
    (b"[", b"]"),
    (b"not(", b")"),
    (b"-(", b")"),
    (b"POW(", b")"),
    (b"BEGIN ", b" END"),
    (b"bool(", b")"),
    (b"1+(", b")"),
    (b"/*", b"*/"),
];

pub(super) fn parentheses(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    around(text, r, 1);
}

pub(super) fn nest(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let depth = many(r, DEEPEST);
    around(text, r, depth);
}

/// Puts brackets around a word or a piece, so many times.
fn around(text: &mut Vec<u8>, r: &mut Random, times: usize) {
    let at = if r.once_in(2) { word(text, r, any) } else { part(text, r) };
    let first = BRACKETS[usize::from(r.once_in(2)) * r.below(BRACKETS.len())];
    let (open, close) = first;
    if let Some(at) = at {
        // Sometimes one side is missing.
        let closed = if r.once_in(8) { 0 } else { times };
        let with = [open.repeat(times), copy(text, &at), close.repeat(closed)].concat();
        put(text, at, &with);
    }
}

/// How often something is repeated: seldom very often, since that takes long.
fn many(r: &mut Random, most: usize) -> usize {
    let most = if r.once_in(8) { most } else { FEW };
    r.magnitude(most)
}

pub(super) fn repeat(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let at = if r.once_in(3) { word(text, r, any) } else { part(text, r) };
    let Some(at) = at else { return };
    let seams: [&[u8]; 14] = [
        b" & ", b" & ", b" or ", b" + ", b", ", b"; ", b" || ", b" \\/ ", b" => ", b" |-> ", b"\n", b" ",
        b" ^ ", b" - ",
    ];
    let seam = r.pick(&seams).copied().unwrap_or(b" & ");
    let once = copy(text, &at);
    let most = LONGEST / 2 / (once.len() + seam.len()).max(1);
    let times = many(r, MOST).min(most);
    let mut with = Vec::new();
    for i in 0..times {
        with.extend_from_slice(&once);
        with.extend_from_slice(if i + 1 < times { seam } else { b"" });
    }
    put(text, at, &with);
}
