//! An allocator that counts, and refuses when a case asks for far more than its budget.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes at which an allocation fails: the model's budget, and room for what loading needs beside it.
const CAP: usize = 3 * sim_tests::fuzz::MEMORY;

struct Capped;

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Capped = Capped;

/// Starts to look for the peak anew.
pub(crate) fn restart() {
    PEAK.store(USED.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// Most bytes in use since the last [`restart`].
pub(crate) fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

/// Counts bytes; false when there would be too many.
fn take(bytes: usize) -> bool {
    let used = USED.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
    if used > CAP {
        USED.fetch_sub(bytes, Ordering::Relaxed);
        return false;
    }
    PEAK.fetch_max(used, Ordering::Relaxed);
    true
}

// SAFETY: calls are passed on unchanged to the system's allocator, which keeps the contract, or answered with null, which
// the contract allows for a failed allocation.
unsafe impl GlobalAlloc for Capped {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's layout, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's layout, passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `ptr` came from `System` with this layout.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !take(new_size) {
            return std::ptr::null_mut();
        }
        // SAFETY: `ptr` came from `System` with this layout.
        let new = unsafe { System.realloc(ptr, layout, new_size) };
        USED.fetch_sub(if new.is_null() { new_size } else { layout.size() }, Ordering::Relaxed);
        new
    }
}
