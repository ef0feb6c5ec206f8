//! Memory for large tables.
//!
//! In: how many items. Out: a vector of equal items, in pages as large as the system has. Tables are read at random:
//! with small pages every read also misses the translation of its address, which costs as much as the read. The only
//! unsafe code of the room.
//!
//! # Why this is sound
//! The one call tells the kernel which pages are wanted for a range of addresses that the vector has allocated. It is
//! advice: it changes no contents, no protection and no owner, and its failure changes nothing.
#![cfg_attr(target_os = "linux", allow(unsafe_code, reason = "advice to the kernel; see the argument above"))]

/// A vector of so many equal items.
pub(super) fn filled<T: Copy>(item: T, items: usize) -> Vec<T> {
    let mut out = Vec::with_capacity(items);
    advise(&mut out);
    out.resize(items, item);
    out
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
    // SAFETY: `skip + whole <= bytes`, so the range lies in the vector's own allocation; for the rest see above.
    let _ = unsafe { rustix::mm::madvise(start.add(skip).cast(), whole, rustix::mm::Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn small_and_large() {
        assert_eq!(filled(7u64, 3), [7; 3]);
        let large = filled(9u64, 1 << 20);
        assert!(large.len() == 1 << 20 && large.iter().all(|x| *x == 9));
    }
}
