//! Changes of texts byte by byte, and of how they are encoded.
//!
//! In: a text, numbers from a seed. Out: another text, which may be no UTF-8, or none that a person would write.

use super::mutate::{Corpus, place, put};
use super::random::Random;

#[allow(clippy::ptr_arg, reason = "all changes have one type")]
pub(super) fn flip_byte(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let (at, bit) = (place(text, r), 1 << r.below(8));
    if let Some(b) = text.get_mut(at) {
        *b ^= bit;
    }
}

pub(super) fn insert_bytes(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let at = place(text, r);
    let bytes: Vec<u8> = (0..r.magnitude(8)).map(|_| r.next().to_le_bytes()[0]).collect();
    put(text, at..at, &bytes);
}

pub(super) fn delete_bytes(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let at = place(text, r);
    let end = (at + r.magnitude(64)).min(text.len());
    put(text, at..end, b"");
}

/// Bytes that programs stumble over.
pub(super) fn strange_bytes(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let strange: [&[u8]; 20] = [
        b"\0",
        b"\x1b[31m",
        b"\x1b]0;title\x07",
        b"\xff",
        b"\xc3",
        b"\xe4",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xae",
        b"\xe2\x80\xa8",
        b"\x7f",
        b"\x85",
        b"\xc2\xa0",
        "é".as_bytes(),
        "∀∃∈⇒".as_bytes(),
        "𝔹".as_bytes(),
        "e\u{301}\u{301}\u{301}".as_bytes(),
        b"\t\x0b\x0c",
        b"\r",
    ];
    let at = place(text, r);
    if let Some(bytes) = r.pick(&strange) {
        put(text, at..at, &bytes.repeat(r.magnitude(4)));
    }
}

pub(super) fn line_ends(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let end: &[u8] = if r.once_in(2) { b"\r\n" } else { b"\r" };
    *text = text.split(|b| *b == b'\n').collect::<Vec<_>>().join(end);
}

pub(super) fn encoding(text: &mut Vec<u8>, r: &mut Random, _: &Corpus) {
    let wide = |f: fn(u16) -> [u8; 2], t: &[u8]| t.iter().flat_map(|b| f(u16::from(*b))).collect::<Vec<u8>>();
    *text = match r.below(5) {
        0 => [b"\xff\xfe".to_vec(), wide(u16::to_le_bytes, text)].concat(),
        1 => [b"\xfe\xff".to_vec(), wide(u16::to_be_bytes, text)].concat(),
        2 => [b"\xef\xbb\xbf".as_slice(), text].concat(),
        3 => [b"\xff\xfe".as_slice(), text].concat(),
        // Latin-1.
        _ => text.iter().map(|b| if *b == b'e' { 0xe9 } else { *b }).collect(),
    };
}
