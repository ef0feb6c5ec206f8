//! Images of the bits of a number under all permutations of a small group, side by side.
//!
//! In: for some bits at a time, and each value of these, their images under every permutation. Out: the images of a number
//! (the union of those of its bits), and the least of them. Images are kept in numbers no longer than they need: the
//! shorter they are, the more of them the processor treats at once.

use super::small::MOST;
use std::ops::BitOrAssign;

/// Some bits that are looked up together.
pub(super) struct Piece<T = u64> {
    /// The lowest of them.
    pub(super) shift: u32,
    /// Which they are, counted from the lowest.
    pub(super) mask: u64,
    /// For each value of these bits the images under all permutations.
    pub(super) images: Vec<T>,
}

/// The images of all bits of a number.
pub(super) enum Table {
    Short(Vec<Piece<u16>>),
    Half(Vec<Piece<u32>>),
    Whole(Vec<Piece>),
}

/// A number that holds an image.
trait Lane: Copy + Default + Ord + BitOrAssign + Into<u64> + TryFrom<u64> {}

impl Lane for u16 {}
impl Lane for u32 {}
impl Lane for u64 {}

impl Table {
    /// Of numbers of so many bits.
    pub(super) fn new(pieces: Vec<Piece>, bits: u32) -> Self {
        match bits {
            0..=16 => Self::Short(pieces.into_iter().map(Piece::shortened).collect()),
            17..=32 => Self::Half(pieces.into_iter().map(Piece::shortened).collect()),
            _ => Self::Whole(pieces),
        }
    }

    /// The least image, and how many permutations give it; `order` of them there are.
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

fn empty<T: Lane>() -> [T; MOST] {
    [T::default(); MOST]
}

#[inline]
fn gathered<'r, T: Lane>(pieces: &[Piece<T>], number: u64, order: usize, room: &'r mut [T; MOST]) -> &'r [T] {
    let images = room.get_mut(..order).unwrap_or_default();
    for piece in pieces {
        images.iter_mut().zip(piece.row(number, order)).for_each(|(slot, image)| *slot |= *image);
    }
    images
}

#[inline]
fn least<T: Lane>(pieces: &[Piece<T>], number: u64, order: usize) -> (u64, usize) {
    let mut room = empty();
    let images = gathered(pieces, number, order, &mut room);
    let least = images.iter().copied().reduce(Ord::min).unwrap_or_default();
    // No more than `MOST`.
    let count = images.iter().fold(0u8, |n, image| n.wrapping_add(u8::from(*image == least)));
    (least.into(), usize::from(count))
}

fn widened<T: Lane>(pieces: &[Piece<T>], number: u64, order: usize, out: &mut Vec<u64>) {
    out.extend(gathered(pieces, number, order, &mut empty()).iter().map(|image| (*image).into()));
}

fn image<T: Lane>(pieces: &[Piece<T>], number: u64, order: usize, permutation: usize) -> u64 {
    let of = |p: &Piece<T>| p.row(number, order).get(permutation).map_or(0, |i| (*i).into());
    pieces.iter().map(of).fold(0, std::ops::BitOr::bitor)
}

impl Piece {
    fn shortened<T: Lane>(self) -> Piece<T> {
        let images = self.images.into_iter().map(|i| T::try_from(i).unwrap_or_default()).collect();
        Piece { shift: self.shift, mask: self.mask, images }
    }
}

impl<T> Piece<T> {
    /// The images of these bits of a number.
    #[inline]
    fn row(&self, number: u64, order: usize) -> &[T] {
        let value = usize::try_from(number >> self.shift & self.mask).unwrap_or(usize::MAX);
        self.images.get(value * order..(value + 1) * order).unwrap_or_default()
    }
}
