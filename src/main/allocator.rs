//! The allocator of the process: mimalloc, and a last word when memory is refused.
//!
//! Limits are watched from a thread that looks every few milliseconds, but one request may be larger than all that is
//! left. Rust then aborts; a user would see a crash, and a program that reads the report no report. So a refused
//! request first runs [`bsym::cli::out_of_memory`], which says what happened and ends the process.
//!
//! The allocator takes its first memory before `main` is called, and wants it in large pages, which are cleared as a
//! whole: that would be a seventh of the time of a small run. So they are put off earlier still.

#![allow(
    unsafe_code,
    reason = "an allocator is an unsafe trait, all calls are passed on unchanged; and one function runs before `main`"
)]

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Passes everything on to mimalloc.
pub(crate) struct Allocator;

/// No large pages until there is use for them.
#[cfg(target_os = "linux")]
extern "C" fn small_pages() {
    bsym::explore::large_pages(false);
}

// SAFETY: the loader calls what this section points to, once, by the one thread there is, before `main`. The function makes a
// single system call: it needs nothing that is set up later, neither allocates nor unwinds.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = small_pages;

/// Who asks for so many bytes at once will use much memory.
const LARGE: usize = 8 << 20;

/// Large pages from now on.
#[cold]
fn grown() {
    static ONCE: AtomicBool = AtomicBool::new(false);
    if !ONCE.swap(true, Relaxed) {
        bsym::explore::large_pages(true);
    }
}

/// What mimalloc gave; does not return if that is nothing.
fn given(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if bytes >= LARGE {
        grown();
    }
    if pointer.is_null() {
        bsym::cli::out_of_memory(bytes);
    }
    pointer
}

// SAFETY: every call goes to `MiMalloc` with the arguments it came with, and its answer comes back unchanged, so the
// contract that holds for `MiMalloc` holds here. `given` only looks at the answer and does not unwind:
// `out_of_memory` ends the process or returns.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the whole impl.
        given(unsafe { MiMalloc.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the whole impl.
        given(unsafe { MiMalloc.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for the whole impl.
        given(unsafe { MiMalloc.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as for the whole impl.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }
}
