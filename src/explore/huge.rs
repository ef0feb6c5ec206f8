//! Memory for large tables.
//!
//! In: a vector of items, how many it is to have. Out: the vector with so many, in pages as large as the system has,
//! mostly where it lay before, or with room for more; whether there are large pages at all. Tables are read at random: with small pages
//! every read also misses the translation of its address, which costs as much as the read; and reads that are asked
//! for early do not wait. The only unsafe code of the room.
//!
//! # Why this is sound
//! One call tells the kernel which pages are wanted for a range of addresses that the vector has allocated. It is
//! advice: it changes no contents, no protection and no owner, and its failure changes nothing. Another is an
//! instruction that brings a cache line nearer: it reads nothing that the program can see and never fails, whatever
//! the address, which lies in an item that a reference leads to. The third makes a vector as long as the items written
//! behind its end, by two jobs that say how many they wrote.
#![allow(
    unsafe_code,
    reason = "advice to the kernel and to the cache, memory written by two; see the argument above"
)]

use super::crew::Both;
use std::mem::MaybeUninit;

/// Whether the system gives large pages to this process: not until it or a table has grown, since each is cleared as a
/// whole, and a small process uses little of those that it touches. Makes one system call and nothing else: it is called
/// before `main`. Elsewhere than on Linux nothing happens.
pub fn large_pages(allowed: bool) {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(!allowed);
    #[cfg(not(target_os = "linux"))]
    let _ = allowed;
}

/// How many times the items in use a vector reserves when it moves, if it can: addresses cost nothing, memory is taken
/// when it is first written.
const SPARE: [usize; 3] = [16, 4, 1];

/// Makes a vector as long as `len` items, which must not be less than it has, and fills it up with equal ones: half of them
/// in each of two jobs, since memory that is new is slow to write.
pub(super) fn widen<T: Copy + Send + Sync>(items: &mut Vec<T>, item: T, len: usize, both: Both<'_>) {
    let more = len.saturating_sub(items.len());
    room(items, more);
    if let Some(new) = items.spare_capacity_mut().get_mut(..more) {
        let (one, other) = new.split_at_mut(more / 2);
        let mut written = [0, 0];
        let [first, second] = &mut written;
        both(&mut || *first = fill(one, item), &mut || *second = fill(other, item));
        if written.iter().sum::<usize>() == more {
            // SAFETY: `more` items behind the vector's length lie in its capacity, and all of them have been written.
            unsafe { items.set_len(items.len() + more) };
        }
    }
    items.resize(len, item);
}

/// Makes room for so many more items, mostly where the vector lies.
#[inline]
pub(crate) fn room<T: Copy>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        move_to(items, items.len().saturating_add(more));
    }
}

#[cold]
fn move_to<T: Copy>(items: &mut Vec<T>, len: usize) {
    let mut moved = Vec::new();
    let enough = |spare: &usize| len.checked_mul(*spare).is_some_and(|n| moved.try_reserve_exact(n).is_ok());
    if SPARE.iter().any(enough) {
        advise(&mut moved);
        moved.extend_from_slice(items);
        *items = moved;
    }
}

/// So many equal items.
pub(crate) fn filled<T: Copy>(item: T, len: usize) -> Vec<T> {
    let mut items = Vec::new();
    if items.try_reserve_exact(len).is_ok() {
        advise(&mut items);
    }
    items.resize(len, item);
    items
}

/// Writes the item everywhere; how often.
fn fill<T: Copy>(items: &mut [MaybeUninit<T>], item: T) -> usize {
    items.fill(MaybeUninit::new(item));
    items.len()
}

/// Asks for the cache lines of an item.
#[inline]
pub(crate) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        const LINE: usize = 64;
        let first = std::ptr::from_ref(item).cast::<i8>();
        for line in (0..size_of::<T>()).step_by(LINE) {
            // SAFETY: see above.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

/// Asks for large pages for the vector's memory, where it covers some.
#[cfg(target_os = "linux")]
fn advise<T>(v: &mut Vec<T>) {
    /// Size of a large page; others are not worse off.
    const PAGE: usize = 2 << 20;
    let spare = v.spare_capacity_mut();
    let bytes = size_of_val(spare);
    let start = spare.as_mut_ptr().cast::<u8>();
    let skip = start.align_offset(PAGE);
    let Some(whole) = bytes.checked_sub(skip).map(|n| n / PAGE * PAGE).filter(|n| *n > 0) else { return };
    large_pages(true);
    // SAFETY: `skip + whole <= bytes`, so the range lies in the vector's own allocation; for the rest see above.
    let _ = unsafe { rustix::mm::madvise(start.add(skip).cast(), whole, rustix::mm::Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::super::crew::one_after_the_other;
    use super::{prefetch, widen};

    #[test]
    fn grows_where_it_lies() {
        let mut items = Vec::new();
        widen(&mut items, 7u64, 3, &one_after_the_other);
        assert_eq!(items, [7; 3]);
        let before = items.as_ptr();
        widen(&mut items, 8, 3 * 16, &one_after_the_other);
        assert_eq!(items.as_ptr(), before);
        widen(&mut items, 9, 1 << 20, &one_after_the_other);
        prefetch(&items[1 << 19]);
        assert_eq!((items.len(), items[2], items[3], items[1 << 19]), (1 << 20, 7, 8, 9));
    }
}
