//! Codes of eight states at once, where the processor multiplies matrices of bits.
//!
//! In: the codes of single bits, eight states. Out: their codes, the same that tables give, and of which of them it is known
//! that rows are rows. A code is the exclusive or of the codes of a state's bits: a product of a matrix and a vector of bits. Processors
//! since about 2020 multiply matrices of eight times eight bits, sixty-four at once (instructions GFNI and AVX-512);
//! on others there is nothing here. Reading tables takes ten times as long, and pushes other things out of the cache.
//!
//! # Why this is sound
//! The one function that uses such instructions is called only through a [`Matrix`], which is only made where the processor is
//! found to have them. Vectors are made of arrays of words and taken apart into them, which have the same size and may
//! hold any bits.
#![cfg_attr(
    target_arch = "x86_64",
    allow(unsafe_code, reason = "special instructions; see the argument above")
)]

/// States that are treated at once.
pub(super) const EIGHT: usize = 8;

/// One word for each of eight lanes: a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [u64; EIGHT]);

/// Products with the words of states but the first.
#[derive(Clone, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "never made"))]
pub(super) struct Matrix {
    words: Vec<Factor>,
    /// Of the numbers of rows in a code, the highest bits, and the others.
    highest: u64,
    lower: u64,
}

/// What a word is multiplied by.
#[derive(Clone, Debug)]
struct Factor {
    /// For each distance of lanes and each lane the matrix that takes that byte of a word to the lane's byte of the code.
    by: [Lanes; EIGHT],
    /// The bits that belong to rows.
    rows: u64,
}

impl Factor {
    /// `code` has the code of each bit of the word.
    fn new(code: &dyn Fn(u32) -> u64, rows: u64) -> Self {
        let codes: Vec<u64> = (0..u64::BITS).map(code).collect();
        let mut by = [Lanes::default(); EIGHT];
        for (distance, lanes) in by.iter_mut().enumerate() {
            for (to, matrix) in lanes.0.iter_mut().enumerate() {
                let from = (to + distance) % EIGHT;
                *matrix = square(codes.get(from * 8..from * 8 + 8).unwrap_or(&[]), to);
            }
        }
        Self { by, rows }
    }
}

/// The matrix that takes a byte, the codes of whose bits these are, to byte `to` of its code: a byte for each bit of that, from
/// the highest to the lowest, with the bits of the one that count.
fn square(codes: &[u64], to: usize) -> u64 {
    let row = |bit: usize| {
        let counts = |(from, code): (usize, &u64)| (code >> (to * 8 + bit) & 1) << from;
        codes.iter().enumerate().map(counts).sum::<u64>()
    };
    (0..8).fold(0, |matrix, bit| matrix | row(bit) << ((7 - bit) * 8))
}

impl Matrix {
    /// For states of a word and so many more; `code` has the code of each bit of each of these, `rows` the bits
    /// that belong to rows. `None` where the processor cannot multiply.
    pub(super) fn new(
        words: usize,
        code: &dyn Fn(usize, u32) -> u64,
        rows: &dyn Fn(usize) -> u64,
        [highest, lower]: [u64; 2],
    ) -> Option<Self> {
        if !multiplies() {
            return None;
        }
        let factor = |word| Factor::new(&|bit| code(word, bit), rows(word));
        Some(Self { words: (0..words).map(factor).collect(), highest, lower })
    }

    /// Puts the codes of eight states of `width` words, without their valuations, into `codes`; whether all of their rows are
    /// rows. If not, or if states are shorter than those that this was made for, the codes are of no use.
    #[inline]
    pub(super) fn codes(&self, states: &[u64], width: usize, codes: &mut Lanes) -> bool {
        if width <= self.words.len() || states.len() < width * EIGHT {
            return false;
        }
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has these instructions, or there would be no such matrix.
        return unsafe { wide::product(self, states, width, codes) };
        #[cfg(not(target_arch = "x86_64"))]
        false
    }
}

#[cfg(target_arch = "x86_64")]
fn multiplies() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("gfni")
}

#[cfg(not(target_arch = "x86_64"))]
fn multiplies() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Lanes, Matrix};
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi64, _mm512_alignr_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask,
        _mm512_gf2p8affine_epi64_epi8, _mm512_or_si512, _mm512_permutexvar_epi8, _mm512_popcnt_epi64,
        _mm512_set_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_xor_si512,
    };

    /// Where each byte goes when bytes of one number in eight words become one word: and back.
    const TURN: [u8; 64] = {
        let mut turn = [0; 64];
        let mut to = 0u8;
        while to < 64 {
            turn[to as usize] = to % 8 * 8 + to / 8;
            to += 1;
        }
        turn
    };

    /// As [`Matrix::codes`], of states that are long enough.
    #[target_feature(enable = "avx512f,avx512vbmi,avx512vpopcntdq,gfni")]
    pub(super) fn product(m: &Matrix, states: &[u64], width: usize, out: &mut Lanes) -> bool {
        // SAFETY: both are 64 bytes long, and any bits are a vector.
        let turn = unsafe { std::mem::transmute::<[u8; 64], __m512i>(TURN) };
        let (mut sum, mut bits) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for (word, factor) in (1..).zip(&m.words) {
            let of = |state: usize| states.get(state * width + word).copied().unwrap_or(0).cast_signed();
            let words = _mm512_set_epi64(of(7), of(6), of(5), of(4), of(3), of(2), of(1), of(0));
            let rows = _mm512_and_si512(words, all(factor.rows));
            bits = _mm512_add_epi64(bits, _mm512_popcnt_epi64(rows));
            let mut bytes = _mm512_permutexvar_epi8(turn, words);
            for by in &factor.by {
                let product = _mm512_gf2p8affine_epi64_epi8::<0>(bytes, lanes(*by));
                sum = _mm512_xor_si512(sum, product);
                bytes = _mm512_alignr_epi64::<1>(bytes, bytes);
            }
        }
        let codes = _mm512_permutexvar_epi8(turn, sum);
        // As for one code: see `Code::tabled`.
        let lower = all(m.lower);
        let carried = _mm512_add_epi64(_mm512_and_si512(codes, lower), lower);
        let some = _mm512_and_si512(_mm512_or_si512(carried, codes), all(m.highest));
        // SAFETY: both are 64 bytes long, and any bits are words.
        *out = unsafe { std::mem::transmute::<__m512i, Lanes>(codes) };
        _mm512_cmpeq_epi64_mask(bits, _mm512_popcnt_epi64(some)) == u8::MAX
    }

    /// The same word in all lanes.
    #[target_feature(enable = "avx512f")]
    fn all(word: u64) -> __m512i {
        _mm512_set1_epi64(word.cast_signed())
    }

    #[target_feature(enable = "avx512f")]
    fn lanes(words: Lanes) -> __m512i {
        // SAFETY: both are 64 bytes long, and any bits are a vector.
        unsafe { std::mem::transmute::<Lanes, __m512i>(words) }
    }
}
