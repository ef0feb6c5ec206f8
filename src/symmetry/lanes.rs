//! Images of the bits of a number under all permutations of a small group, side by side.
//!
//! In: for some bits at a time, and each value of these, their images under every permutation. Out: the images of a number
//! (the union of those of its bits), and the least of them. Images are kept in numbers no longer than they need: the
//! shorter they are, the more of them the processor treats at once.

use std::ops::BitOr;

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
trait Lane: Copy + Default + Ord + BitOr<Output = Self> + Into<u64> + TryFrom<u64> {
    const MAX: Self;

    /// One more, if so; for counts up to the number of permutations.
    fn more(self, one: bool) -> Self;
}

macro_rules! lane {
    ($t:ty) => {
        impl Lane for $t {
            const MAX: Self = Self::MAX;

            fn more(self, one: bool) -> Self {
                self.wrapping_add(Self::from(one))
            }
        }
    };
}

lane!(u16);
lane!(u32);
lane!(u64);

impl Table {
    /// Of numbers of so many bits, under so many permutations.
    pub(super) fn new(pieces: Vec<Piece>, bits: u32, order: usize) -> Self {
        match bits {
            0..=16 => Self::Short(pieces.into_iter().map(|p| p.in_lanes(order)).collect()),
            17..=32 => Self::Half(pieces.into_iter().map(|p| p.in_lanes(order)).collect()),
            _ => Self::Whole(pieces.into_iter().map(|p| p.in_lanes(order)).collect()),
        }
    }

    /// How many permutations leave a number as it is.
    pub(super) fn stabiliser(&self, number: u64, order: usize) -> usize {
        match self {
            Self::Short(pieces) => stabiliser(pieces, number, order),
            Self::Half(pieces) => stabiliser(pieces, number, order),
            Self::Whole(pieces) => stabiliser(pieces, number, order),
        }
    }

    /// The least image.
    #[inline]
    pub(super) fn least(&self, number: u64, order: usize) -> u64 {
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
            Self::Short(pieces) => listed(pieces, number, order, out),
            Self::Half(pieces) => listed(pieces, number, order, out),
            Self::Whole(pieces) => listed(pieces, number, order, out),
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

/// What `f` makes of two rows, lane by lane: values, so that the compiler need not ask whether they overlap.
#[inline]
fn both<A: Copy, B: Copy>(a: &[A; LANES], b: &[B; LANES], f: impl Fn(A, B) -> A) -> [A; LANES] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// What `f` makes of the images of a number, some at once, one after the other.
#[allow(
    clippy::inline_always,
    reason = "a few instructions for each row, whose lanes are to stay in registers"
)]
#[inline(always)]
fn fold<T: Lane, R>(
    pieces: &[Piece<[T; LANES]>],
    number: u64,
    order: usize,
    first: R,
    mut f: impl FnMut(R, [T; LANES]) -> R,
) -> R {
    let rows = order.div_ceil(LANES);
    let of = |p: &Piece<[T; LANES]>| {
        let at = p.value(number) * rows;
        at..at + rows
    };
    let or = |a: &[T; LANES], b: &[T; LANES]| both(a, b, |a, b| a | b);
    // What is looked up is so once for all rows where there are few pieces, as in most small groups.
    if let [a, rest @ ..] = pieces
        && rest.len() < 3
        && let Some(a) = a.images.get(of(a))
    {
        let piece = |n: usize| rest.get(n).and_then(|p| p.images.get(of(p)));
        match (piece(0), piece(1)) {
            (None, _) => return a.iter().fold(first, |r, a| f(r, *a)),
            (Some(b), None) => return a.iter().zip(b).fold(first, |r, (a, b)| f(r, or(a, b))),
            (Some(b), Some(c)) => {
                return a.iter().zip(b).zip(c).fold(first, |r, ((a, b), c)| f(r, or(&or(a, b), c)));
            }
        }
    }
    (0..rows).fold(first, |r, row| {
        let images = pieces.iter().filter_map(|p| p.images.get(of(p).start + row));
        f(r, images.fold([T::default(); LANES], |all, images| or(&all, images)))
    })
}

#[inline]
fn least<T: Lane>(pieces: &[Piece<[T; LANES]>], number: u64, order: usize) -> u64 {
    let least = fold(pieces, number, order, [T::MAX; LANES], |least, row| both(&least, &row, Ord::min));
    least.into_iter().fold(T::MAX, Ord::min).into()
}

fn stabiliser<T: Lane>(pieces: &[Piece<[T; LANES]>], number: u64, order: usize) -> usize {
    let itself = T::try_from(number).unwrap_or_default();
    let counts = fold(pieces, number, order, [T::default(); LANES], |counts, row| {
        both(&counts, &row, |n, image| n.more(image == itself))
    });
    let count: u64 = counts.into_iter().map(Into::into).sum();
    // Those that only fill up are among them if the number has all bits.
    usize::try_from(count).unwrap_or(order).min(order)
}

fn listed<T: Lane>(pieces: &[Piece<[T; LANES]>], number: u64, order: usize, out: &mut Vec<u64>) {
    fold(pieces, number, order, (), |(), row| out.extend(row.map(Into::<u64>::into)));
    out.truncate(order);
}

fn image<T: Lane>(pieces: &[Piece<[T; LANES]>], number: u64, order: usize, permutation: usize) -> u64 {
    let at = |p: &Piece<[T; LANES]>| p.value(number) * order.div_ceil(LANES) + permutation / LANES;
    let images = pieces.iter().filter_map(|p| p.images.get(at(p))?.get(permutation % LANES));
    images.fold(T::default(), |all, image| all | *image).into()
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

impl<T> Piece<T> {
    /// The value of these bits of a number.
    #[inline]
    fn value(&self, number: u64) -> usize {
        usize::try_from(number >> self.shift & self.mask).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rng;
    use super::*;
    use proptest::prelude::RngExt;

    /// Bits that each permutation moves as it likes, in pieces of four, against one after the other.
    #[test]
    fn lanes_agree_with_single_bits() {
        let mut rng = rng(5);
        for bits in [1, 7, 12, 16, 17, 32, 33, 64] {
            for order in [1, 2, 6, 8, 24, 120, 128] {
                let mut shuffled = || {
                    let mut bits: Vec<(u64, u32)> = (0..bits).map(|bit| (rng.random(), bit)).collect();
                    bits.sort_unstable();
                    bits.into_iter().map(|(_, bit)| bit).collect::<Vec<u32>>()
                };
                let moves: Vec<Vec<u32>> = (0..order).map(|_| shuffled()).collect();
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
                    assert_eq!(table.least(number, order), least);
                    let stabiliser = expected.iter().filter(|i| **i == number).count();
                    assert_eq!(table.stabiliser(number, order), stabiliser);
                    assert_eq!(table.image(number, order, order - 1), expected[order - 1]);
                }
            }
        }
    }
}
