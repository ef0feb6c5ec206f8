//! Texts in words: names, numbers, strings, comments, signs and blanks.
//!
//! In: bytes, whatever they are. Out: the ranges of their words; nothing is left out, so that all words together are the text. No grammar: words that bsym
//! would read otherwise are cut otherwise than it does, which is no harm.

use std::ops::Range;

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Name,
    Number,
    Sign,
    /// A string, a comment.
    Text,
    Blank,
}

/// A word.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) sort: Sort,
    pub(crate) at: Range<usize>,
}

/// Signs of more than one character, longer ones first.
const SIGNS: [&[u8]; 48] = [
    b"+->>", b"-->>", b">+>>", b">->>", b"/<<:", b"<<->", b"<->>", b"<=>", b"|->", b"<--", b"-->", b"+->",
    b">->", b">+>", b"/<:", b"<<:", b"<<|", b"|>>", b"<->", b"\\|/", b"/|\\", b":=", b"||", b"=>", b"/:",
    b"/=", b"<=", b">=", b"<:", b"..", b"**", b"\\/", b"/\\", b"<|", b"|>", b"<+", b"><", b"==", b"->",
    b"<-", b"::", b"$0", b"{}", b"[]", b"<>", b"''", b"/|", b"|/",
];

/// Signs that stand in the same places.
const ALIKE: [&[&str]; 9] = [
    &["=", "/=", "<", ">", "<=", ">="],
    &[":", "/:", "<:", "/<:", "<<:", "/<<:"],
    &["+", "-", "*", "/", ".."],
    &["\\/", "/\\", "-", "<+", "><", "^", "*"],
    &["<|", "<<|"],
    &["|>", "|>>"],
    &["-->", "+->", ">->", ">+>", "-->>", "+->>", ">->>", "<->", "<<->", "<->>"],
    &["&", "=>", "<=>"],
    &["!", "#"],
];

/// Whether one word may stand where the other does, as far as that can be said without a grammar.
pub(crate) fn alike(a: &[u8], b: &[u8]) -> bool {
    let letters = |w: &[u8]| w.first().is_some_and(|b| is_name(*b));
    let keyword = |w: &[u8]| w.len() > 1 && w.iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
    let among = |w: &[u8], list: &[&str]| list.iter().any(|s| s.as_bytes() == w);
    match (letters(a), letters(b)) {
        (true, true) => keyword(a) == keyword(b),
        (false, false) => ALIKE.iter().any(|list| among(a, list) && among(b, list)),
        _ => false,
    }
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// How many bytes from the first on are as wanted.
fn run(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|b| wanted(**b)).count()
}

/// Where a piece ends that goes up to some bytes.
fn up_to(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.windows(end.len()).position(|w| w == end).map_or(bytes.len(), |n| from + n + end.len())
}

/// The sort and the length of the first word.
fn first(bytes: &[u8]) -> (Sort, usize) {
    match bytes {
        [b, ..] if b.is_ascii_whitespace() => (Sort::Blank, run(bytes, |b| b.is_ascii_whitespace())),
        [b, ..] if b.is_ascii_digit() => (Sort::Number, run(bytes, is_name)),
        [b, ..] if is_name(*b) => (Sort::Name, run(bytes, is_name)),
        [b'"', ..] => (Sort::Text, up_to(bytes, 1, b"\"")),
        [b'/', b'*', ..] => (Sort::Text, up_to(bytes, 2, b"*/")),
        [b'/', b'/', ..] => (Sort::Text, run(bytes, |b| b != b'\n')),
        _ => (Sort::Sign, SIGNS.iter().find(|s| bytes.starts_with(s)).map_or(1, |s| s.len())),
    }
}

/// The words of a text.
pub(crate) fn words(text: &[u8]) -> Vec<Word> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (sort, length) = first(rest);
        let end = at + length.clamp(1, rest.len());
        out.push(Word { sort, at: at..end });
        at = end;
    }
    out
}
