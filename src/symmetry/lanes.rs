//! Images of the bits of a number under all permutations of a small group, side by side.
//!
//! In: for some bits at a time, and each value of these, their images under every permutation. Out: the images of a number
//! (the union of those of its bits), and the least of them. Images are kept in numbers no longer than they need: the
//! shorter they are, the more of them the processor treats at once.

use super::small::MOST;
use std::ops::BitOrAssign;

/// Images that are treated at once. Where there are fewer, the rest have all bits: they are never less than an image.
const LANES: usize = 8;

/// Some bits that are looked up together, with the images of each value of these bits one after the other.
pub(super) struct Piece<T = u64> {
    /// The lowest of the bits.
    pub(super) shift: u32,
    /// Which they are, counted from the lowest.
    pub(super) mask: u64,
    pub(super) images: Vec<T>,
}

/// The images of all bits of a number.
pub(super) enum Table {
    Short(Vec<Piece<[u16; LANES]>>),
    Half(Vec<Piece<[u32; LANES]>>),
    Whole(Vec<Piece<[u64; LANES]>>),
}

/// A number that holds an image.
trait Lane: Copy + Default + Ord + BitOrAssign + Into<u64> + TryFrom<u64> {
    const MAX: Self;
}

impl Lane for u16 {
    const MAX: Self = Self::MAX;
}

impl Lane for u32 {
    const MAX: Self = Self::MAX;
}

impl Lane for u64 {
    const MAX: Self = Self::MAX;
}

impl Table {
    /// Of numbers of so many bits, under so many permutations.
    pub(super) fn new(pieces: Vec<Piece>, bits: u32, order: usize) -> Self {
        match bits {
            0..=16 => Self::Short(pieces.into_iter().map(|p| p.in_lanes(order)).collect()),
            17..=32 => Self::Half(pieces.into_iter().map(|p| p.in_lanes(order)).collect()),
            _ => Self::Whole(pieces.into_iter().map(|p| p.in_lanes(order)).collect()),
        }
    }

    /// The least image, and how many permutations give it.
    #[inline]
    pub(super) fn least(&self, number: u64, order: usize) -> (u64, usize) {
        match self {
            Self::Short(pieces) => least(pieces, number, order),
            Self::Half(pieces) => least(pieces, number, order),
            Self::Whole(pieces) => least(pieces, number, order),
        }
    }

    /// The images under all permutations.
    pub(super) fn images(&self, number: u64, order: usize, out: &mut Vec<u64>) {
        out.clear();
        match self {
            Self::Short(pieces) => widened(pieces, number, order, out),
            Self::Half(pieces) => widened(pieces, number, order, out),
            Self::Whole(pieces) => widened(pieces, number, order, out),
        }
    }

    /// The image under one permutation.
    pub(super) fn image(&self, number: u64, order: usize, permutation: usize) -> u64 {
        match self {
            Self::Short(pieces) => image(pieces, number, order, permutation),
            Self::Half(pieces) => image(pieces, number, order, permutation),
            Self::Whole(pieces) => image(pieces, number, order, permutation),
        }
    }
}

/// Room for the images of one number.
type Room<T> = [[T; LANES]; MOST.div_ceil(LANES)];

fn empty<T: Lane>() -> Room<T> {
    [[T::default(); LANES]; MOST.div_ceil(LANES)]
}

#[inline]
fn gathered<'r, T: Lane>(
    pieces: &[Piece<[T; LANES]>],
    number: u64,
    order: usize,
    room: &'r mut Room<T>,
) -> &'r [[T; LANES]] {
    let images = room.get_mut(..order.div_ceil(LANES)).unwrap_or_default();
    for piece in pieces {
        for (slots, row) in images.iter_mut().zip(piece.row(number, order)) {
            slots.iter_mut().zip(row).for_each(|(slot, image)| *slot |= *image);
        }
    }
    images
}

#[inline]
fn least<T: Lane>(pieces: &[Piece<[T; LANES]>], number: u64, order: usize) -> (u64, usize) {
    let mut room = empty();
    let images = gathered(pieces, number, order, &mut room);
    let mut lows = [T::MAX; LANES];
    for row in images {
        lows.iter_mut().zip(row).for_each(|(low, image)| *low = *image.min(low));
    }
    let least = lows.into_iter().fold(T::MAX, Ord::min);
    // There are no more than `MOST`; those that only fill up are counted if every image has all bits.
    let mut count = 0u8;
    for row in images {
        row.iter().for_each(|image| count = count.wrapping_add(u8::from(*image == least)));
    }
    (least.into(), usize::from(count).min(order))
}

fn widened<T: Lane>(pieces: &[Piece<[T; LANES]>], number: u64, order: usize, out: &mut Vec<u64>) {
    let mut room = empty();
    let images = gathered(pieces, number, order, &mut room).as_flattened();
    out.extend(images.iter().take(order).map(|image| (*image).into()));
}

fn image<T: Lane>(pieces: &[Piece<[T; LANES]>], number: u64, order: usize, permutation: usize) -> u64 {
    let row = |p: &Piece<[T; LANES]>| p.row(number, order).as_flattened().get(permutation).copied();
    pieces.iter().filter_map(row).fold(0, |all, image| all | image.into())
}

impl Piece {
    fn in_lanes<T: Lane>(self, order: usize) -> Piece<[T; LANES]> {
        let lanes = |images: &[u64]| {
            let mut lanes = [T::MAX; LANES];
            let shortened = images.iter().map(|i| T::try_from(*i).unwrap_or_default());
            lanes.iter_mut().zip(shortened).for_each(|(lane, image)| *lane = image);
            lanes
        };
        let rows = self.images.chunks(order.max(1));
        let images = rows.flat_map(|row| row.chunks(LANES).map(lanes)).collect();
        Piece { shift: self.shift, mask: self.mask, images }
    }
}

impl<T> Piece<[T; LANES]> {
    /// The images of these bits of a number.
    #[inline]
    fn row(&self, number: u64, order: usize) -> &[[T; LANES]] {
        let rows = order.div_ceil(LANES);
        let value = usize::try_from(number >> self.shift & self.mask).unwrap_or(0);
        self.images.get(value * rows..(value + 1) * rows).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rng;
    use super::*;
    use proptest::prelude::RngExt;

    /// Bits that any permutation sends anywhere, in pieces of four, against one after the other.
    #[test]
    fn lanes_agree_with_single_bits() {
        let mut rng = rng(5);
        for bits in [1, 7, 16, 17, 32, 33, 64] {
            for order in [1, 2, 6, 8, 24, 120, 128] {
                let moves: Vec<Vec<u32>> =
                    (0..order).map(|_| (0..bits).map(|_| rng.random_range(0..bits)).collect()).collect();
                let image = |number: u64, moves: &Vec<u32>| {
                    (0..)
                        .zip(moves)
                        .filter(|(b, _)| number >> b & 1 == 1)
                        .fold(0, |all, (_, m)| all | 1u64 << m)
                };
                let piece = |shift: u32| {
                    let (width, moves) = ((bits - shift).min(4), &moves);
                    let images = |value: u64| moves.iter().map(move |m| image(value << shift, m));
                    Piece {
                        shift,
                        mask: (1 << width) - 1,
                        images: (0..1 << width).flat_map(images).collect(),
                    }
                };
                let table = Table::new((0..bits).step_by(4).map(piece).collect(), bits, order);
                let all = u64::MAX >> (u64::BITS - bits);
                for number in [0, all, rng.random::<u64>() & all, rng.random::<u64>() & all] {
                    let expected: Vec<u64> = moves.iter().map(|m| image(number, m)).collect();
                    let mut images = Vec::new();
                    table.images(number, order, &mut images);
                    assert_eq!(images, expected);
                    let least = expected.iter().min().copied().unwrap_or(0);
                    let count = expected.iter().filter(|i| **i == least).count();
                    assert_eq!(table.least(number, order), (least, count));
                    assert_eq!(table.image(number, order, order - 1), expected[order - 1]);
                }
            }
        }
    }
}
