//! Changes of texts.
//!
//! In: a text, a corpus of others, numbers from a seed. Out: another text. Most changes are small and of words, so that a good part of the
//! results is still read and explored; few are of bytes, few are large (deep nesting, long repetition). What comes of a text is no matter here.

use super::bytes;
use super::random::Random;
use super::words::{Sort, Word, words};
use std::ops::Range;

/// Deepest nesting and most repetitions.
const DEEPEST: usize = 100_000;
const MOST: usize = 200_000;

/// No text becomes longer.
const LONGEST: usize = 4 << 20;

/// This test's own numbers.
const SALT: u64 = 0x5ee_d0ff_ace5;

impl Random {
    /// The numbers of one input.
    pub(crate) fn of_input(seed: u64, kind: u64, number: u64) -> Self {
        Self::salted(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number), SALT ^ kind << 48)
    }

    /// One of some things.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number from 1 to `most`, of any magnitude.
    pub(crate) fn magnitude(&mut self, most: usize) -> usize {
        let bits = usize::try_from(most.max(1).ilog2()).unwrap_or(0) + 1;
        let top = 1_usize << self.below(bits);
        (top + self.below(top)).min(most)
    }
}

/// What changes are made of.
pub(crate) struct Corpus {
    /// Texts.
    pub(crate) texts: Vec<Vec<u8>>,
    /// Pieces of them: lines, conjuncts.
    pub(crate) pieces: Vec<Vec<u8>>,
    /// Names and signs that stand in them.
    pub(crate) names: Vec<Vec<u8>>,
    pub(crate) signs: Vec<Vec<u8>>,
}

impl Corpus {
    /// That of some texts.
    pub(crate) fn of(texts: Vec<Vec<u8>>) -> Self {
        let (mut pieces, mut names, mut signs) = (Vec::new(), Vec::new(), Vec::new());
        for text in &texts {
            pieces.extend(
                parts(text, 0..text.len()).into_iter().filter_map(|r| text.get(r)).map(<[u8]>::to_vec),
            );
            for w in words(text) {
                let into = match w.sort {
                    Sort::Name => &mut names,
                    Sort::Sign => &mut signs,
                    _ => continue,
                };
                into.extend(text.get(w.at).map(<[u8]>::to_vec));
            }
        }
        for list in [&mut pieces, &mut names, &mut signs] {
            list.sort();
            list.dedup();
        }
        Self { texts, pieces, names, signs }
    }
}

/// Pieces between `&`, `||`, `;`, `,` and ends of lines.
fn parts(text: &[u8], within: Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut from = within.start;
    for w in words(text.get(within.clone()).unwrap_or_default()) {
        let at = w.at.start + within.start..w.at.end + within.start;
        let word = text.get(at.clone()).unwrap_or_default();
        if matches!(word, b"&" | b"||" | b";" | b",") || w.sort == Sort::Blank && word.contains(&b'\n') {
            if from < at.start {
                out.push(from..at.start);
            }
            from = at.end;
        }
    }
    if from < within.end {
        out.push(from..within.end);
    }
    out
}

type Change = fn(&mut Vec<u8>, &mut Random, &Corpus);

/// All changes, with how often each is made.
const CHANGES: [(usize, Change); 25] = [
    (10, delete_word),
    (8, duplicate_word),
    (8, swap_words),
    (24, other_name),
    (6, foreign_name),
    (20, other_sign),
    (16, other_number),
    (8, huge_number),
    (8, delete_part),
    (8, duplicate_part),
    (8, swap_parts),
    (10, part_over_part),
    (10, foreign_piece),
    (6, delete_line),
    (4, duplicate_line),
    (4, splice),
    (8, parentheses),
    (2, bytes::flip_byte),
    (2, bytes::insert_bytes),
    (2, bytes::delete_bytes),
    (2, bytes::strange_bytes),
    (1, bytes::line_ends),
    (1, bytes::encoding),
    (1, nest),
    (1, repeat),
];

/// Changes a text some times.
pub(crate) fn mutate(text: &mut Vec<u8>, r: &mut Random, corpus: &Corpus) {
    let times = [1, 1, 1, 1, 2, 2, 3, 6];
    let all: usize = CHANGES.iter().map(|(often, _)| often).sum();
    for _ in 0..r.pick(&times).copied().unwrap_or(1) {
        let mut n = r.below(all);
        let change = CHANGES.iter().find(|(often, _)| {
            let found = n < *often;
            n = n.saturating_sub(*often);
            found
        });
        if let Some((_, change)) = change {
            change(text, r, corpus);
        }
        text.truncate(LONGEST);
    }
}

/// A place in a text.
pub(super) fn place(text: &[u8], r: &mut Random) -> usize {
    r.below(text.len() + 1)
}

/// One of the words that are as wanted.
fn word(text: &[u8], r: &mut Random, wanted: impl Fn(&Word) -> bool) -> Option<Range<usize>> {
    let all: Vec<Word> = words(text).into_iter().filter(wanted).collect();
    r.pick(&all).map(|w| w.at.clone())
}

fn any(w: &Word) -> bool {
    w.sort != Sort::Blank
}

fn name(w: &Word) -> bool {
    w.sort == Sort::Name
}

fn sign(w: &Word) -> bool {
    w.sort == Sort::Sign
}

fn number(w: &Word) -> bool {
    w.sort == Sort::Number
}

/// Puts something in the place of a range.
pub(super) fn put(text: &mut Vec<u8>, at: Range<usize>, with: &[u8]) {
    if at.start <= at.end && at.end <= text.len() && text.len() + with.len() <= LONGEST {
        text.splice(at, with.iter().copied());
    }
}

/// Swaps two ranges, the earlier one first.
fn swap(text: &mut Vec<u8>, a: Range<usize>, b: Range<usize>) {
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    if a.end <= b.start {
        let (first, second) = (copy(text, &a), copy(text, &b));
        put(text, b, &first);
        put(text, a, &second);
    }
}

fn copy(text: &[u8], at: &Range<usize>) -> Vec<u8> {
    text.get(at.clone()).unwrap_or_default().to_vec()
}

fn delete_word(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    if let Some(at) = word(text, r, any) {
        put(text, at, b"");
    }
}

fn duplicate_word(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    if let Some(at) = word(text, r, any) {
        let twice = [copy(text, &at), b" ".to_vec(), copy(text, &at)].concat();
        put(text, at, &twice);
    }
}

fn swap_words(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let wanted = *r.pick(&[name as fn(&Word) -> bool, sign, any]).unwrap_or(&(any as fn(&Word) -> bool));
    if let (Some(a), Some(b)) = (word(text, r, wanted), word(text, r, wanted)) {
        swap(text, a, b);
    }
}

/// A word in the place of another one of its sort, of the same text or of some list.
fn replace(text: &mut Vec<u8>, r: &mut Random, wanted: fn(&Word) -> bool, others: Option<&[Vec<u8>]>) {
    let with = match others {
        Some(others) => r.pick(others).cloned(),
        None => word(text, r, wanted).map(|at| copy(text, &at)),
    };
    if let (Some(at), Some(with)) = (word(text, r, wanted), with) {
        put(text, at, &with);
    }
}

fn other_name(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    replace(text, r, name, None);
}

fn foreign_name(text: &mut Vec<u8>, r: &mut Random, corpus: &Corpus) {
    replace(text, r, name, Some(&corpus.names));
}

fn other_sign(text: &mut Vec<u8>, r: &mut Random, corpus: &Corpus) {
    let own = r.once_in(2);
    replace(text, r, sign, (!own).then_some(&corpus.signs));
}

fn other_number(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let with = match r.below(4) {
        0 => r.magnitude(1 << 20).to_string(),
        1 => format!("({})", r.below(10)),
        2 => format!("(-{})", r.below(1000)),
        _ => r.below(8).to_string(),
    };
    replace(text, r, number, Some(&[with.into_bytes()]));
}

fn huge_number(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let large = [i64::MAX, i64::MIN, i64::MAX - 1, i64::from(i32::MAX), i64::from(u32::MAX), 1 << 62, 65536];
    let mut with = r.pick(&large).map_or(String::new(), |n| format!("({n})"));
    if r.once_in(3) {
        with = "9".repeat(1 + r.magnitude(40));
    }
    if r.once_in(200) {
        with = "7".repeat(r.magnitude(DEEPEST));
    }
    let wanted = if r.once_in(4) { |w: &Word| number(w) || name(w) } else { number };
    replace(text, r, wanted, Some(&[with.into_bytes()]));
}

/// One of the pieces of a text.
fn part(text: &[u8], r: &mut Random) -> Option<Range<usize>> {
    r.pick(&parts(text, 0..text.len())).cloned()
}

fn delete_part(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    if let Some(at) = part(text, r) {
        // With what divides it from the next.
        let end = words(text).iter().find(|w| w.at.start >= at.end && any(w)).map_or(at.end, |w| w.at.end);
        put(text, at.start..end, b"");
    }
}

fn duplicate_part(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    if let Some(at) = part(text, r) {
        let seams: [&[u8]; 8] = [b" & ", b" || ", b"; ", b", ", b" \\/ ", b" + ", b" => ", b" or "];
        let seam = r.pick(&seams).copied().unwrap_or_default();
        let twice = [&copy(text, &at), seam, &copy(text, &at)].concat();
        put(text, at, &twice);
    }
}

fn swap_parts(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    if let (Some(a), Some(b)) = (part(text, r), part(text, r)) {
        swap(text, a, b);
    }
}

fn part_over_part(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    if let (Some(a), Some(b)) = (part(text, r), part(text, r)) {
        let with = copy(text, &b);
        put(text, a, &with);
    }
}

fn foreign_piece(text: &mut Vec<u8>, r: &mut Random, corpus: &Corpus) {
    let Some(piece) = r.pick(&corpus.pieces) else { return };
    let Some(at) = part(text, r) else { return };
    match r.below(3) {
        0 => put(text, at, piece),
        1 => put(text, at.end..at.end, &[b" & ", piece.as_slice()].concat()),
        _ => put(text, at.start..at.start, &[piece.as_slice(), b" "].concat()),
    }
}

/// One of the lines of a text, with its end.
fn line(text: &[u8], r: &mut Random) -> Range<usize> {
    let at = place(text, r);
    let begin = text.get(..at).unwrap_or_default().iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
    let rest = text.get(at..).unwrap_or_default();
    begin..rest.iter().position(|b| *b == b'\n').map_or(text.len(), |n| at + n + 1)
}

fn delete_line(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let at = line(text, r);
    put(text, at, b"");
}

fn duplicate_line(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let (at, other) = (line(text, r), line(text, r));
    let copy = copy(text, &at);
    put(text, other.start..other.start, &copy);
}

fn splice(text: &mut Vec<u8>, r: &mut Random, corpus: &Corpus) {
    let Some(other) = r.pick(&corpus.texts) else { return };
    let (mine, its) = (line(text, r), line(other, r));
    text.truncate(mine.start);
    text.extend_from_slice(other.get(its.start..).unwrap_or_default());
}

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

fn parentheses(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    around(text, r, 1);
}

fn nest(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let depth = r.magnitude(DEEPEST);
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

fn repeat(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let at = if r.once_in(3) { word(text, r, any) } else { part(text, r) };
    let Some(at) = at else { return };
    let seams: [&[u8]; 14] = [
        b" & ", b" & ", b" or ", b" + ", b", ", b"; ", b" || ", b" \\/ ", b" => ", b" |-> ", b"\n", b" ",
        b" ^ ", b" - ",
    ];
    let seam = r.pick(&seams).copied().unwrap_or(b" & ");
    let once = copy(text, &at);
    let most = LONGEST / 2 / (once.len() + seam.len()).max(1);
    let times = r.magnitude(MOST).min(most);
    let mut with = Vec::new();
    for i in 0..times {
        with.extend_from_slice(&once);
        with.extend_from_slice(if i + 1 < times { seam } else { b"" });
    }
    put(text, at, &with);
}
