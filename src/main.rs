//! The binary: hands over to the command line, which knows all the rest.

use std::alloc::{GlobalAlloc, Layout};

use mimalloc::MiMalloc;

/// mimalloc, asked the short way: whatever it gives is aligned as nearly everything wants it, and to ask for that by its
/// aligned functions costs half as much again as the memory itself.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// `malloc` promises as much.
const ALIGNED: usize = size_of::<usize>();

#[expect(unsafe_code, reason = "what an allocator is in Rust")]
// SAFETY: memory comes from mimalloc and goes back to it. Its plain functions align to `ALIGNED` at least, and what wants more
// asks its aligned ones; either is freed, and grown, by any.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match layout.align() <= ALIGNED {
            true => unsafe { libmimalloc_sys::mi_malloc(layout.size()).cast() },
            false => unsafe { MiMalloc.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match layout.align() <= ALIGNED {
            true => unsafe { libmimalloc_sys::mi_zalloc(layout.size()).cast() },
            false => unsafe { MiMalloc.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { MiMalloc.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match layout.align() <= ALIGNED {
            true => unsafe { libmimalloc_sys::mi_realloc(place.cast(), size).cast() },
            false => unsafe { MiMalloc.realloc(place, layout, size) },
        }
    }
}

fn main() -> std::process::ExitCode {
    pantin::cli::run()
}
