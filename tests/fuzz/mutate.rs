//! Changes of texts.
//!
//! In: a text, a corpus of others, numbers from a seed. Out: another text. Most changes are small and of words, so that a good part of the
//! results is still read and explored; few are of bytes, few are large (deep nesting, long repetition). What comes of a text is no matter here.

use super::random::Random;
use super::words::{Sort, Word, alike, words};
use super::{bytes, large};
use std::ops::Range;

/// No text becomes longer.
pub(super) const LONGEST: usize = 2 << 20;

/// Words that are looked at for one that may stand in the place of another.
const TRIES: usize = 12;

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
    (4, delete_word),
    (3, duplicate_word),
    (8, swap_words),
    (30, other_name),
    (3, foreign_name),
    (30, other_sign),
    (20, other_number),
    (10, huge_number),
    (8, delete_part),
    (6, duplicate_part),
    (8, swap_parts),
    (10, part_over_part),
    (6, foreign_piece),
    (4, delete_line),
    (3, duplicate_line),
    (3, splice),
    (12, large::parentheses),
    (2, bytes::flip_byte),
    (2, bytes::insert_bytes),
    (2, bytes::delete_bytes),
    (2, bytes::strange_bytes),
    (1, bytes::line_ends),
    (1, bytes::encoding),
    (1, large::nest),
    (1, large::repeat),
];

/// Changes a text some times.
pub(crate) fn mutate(text: &mut Vec<u8>, r: &mut Random, corpus: &Corpus) {
    let times = [1, 1, 1, 1, 1, 1, 2, 2, 3, 6];
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
pub(super) fn word(text: &[u8], r: &mut Random, wanted: impl Fn(&Word) -> bool) -> Option<Range<usize>> {
    let all: Vec<Word> = words(text).into_iter().filter(wanted).collect();
    r.pick(&all).map(|w| w.at.clone())
}

pub(super) fn any(w: &Word) -> bool {
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

pub(super) fn copy(text: &[u8], at: &Range<usize>) -> Vec<u8> {
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
    let Some(a) = word(text, r, any) else { return };
    for _ in 0..TRIES {
        let Some(b) = word(text, r, any) else { return };
        if alike(&copy(text, &a), &copy(text, &b)) || r.once_in(20) {
            return swap(text, a, b);
        }
    }
}

/// A word in the place of another one of its sort, of the same text or of some list; mostly one that may stand there.
fn replace(text: &mut Vec<u8>, r: &mut Random, wanted: fn(&Word) -> bool, others: Option<&[Vec<u8>]>) {
    let Some(at) = word(text, r, wanted) else { return };
    let old = copy(text, &at);
    for _ in 0..TRIES {
        let new = match others {
            Some(others) => r.pick(others).cloned(),
            None => word(text, r, wanted).map(|at| copy(text, &at)),
        };
        if let Some(new) = new.filter(|new| *new != old && (alike(&old, new) || r.once_in(50))) {
            return put(text, at, &new);
        }
    }
}

/// A word in the place of another one.
fn over(text: &mut Vec<u8>, r: &mut Random, wanted: fn(&Word) -> bool, new: &[u8]) {
    if let Some(at) = word(text, r, wanted) {
        put(text, at, new);
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
    over(text, r, number, with.as_bytes());
}

fn huge_number(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let large = [i64::MAX, i64::MIN, i64::MAX - 1, i64::from(i32::MAX), i64::from(u32::MAX), 1 << 62, 65536];
    let mut with = r.pick(&large).map_or(String::new(), |n| format!("({n})"));
    if r.once_in(3) {
        with = "9".repeat(1 + r.magnitude(40));
    }
    if r.once_in(200) {
        with = "7".repeat(r.magnitude(100_000));
    }
    let wanted = if r.once_in(4) { |w: &Word| number(w) || name(w) } else { number };
    over(text, r, wanted, with.as_bytes());
}

/// One of the pieces of a text.
pub(super) fn part(text: &[u8], r: &mut Random) -> Option<Range<usize>> {
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
