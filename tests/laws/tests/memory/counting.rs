//! An allocator that counts what each thread holds, without what the test harness does in other
//! threads.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    /// The bytes that this thread has allocated and not freed.
    pub(crate) static HELD: Cell<isize> = const { Cell::new(0) };
    /// All bytes that this thread has ever allocated.
    pub(crate) static TAKEN: Cell<usize> = const { Cell::new(0) };
    /// The blocks that this thread has allocated and not freed.
    pub(crate) static BLOCKS: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.set(HELD.get().wrapping_add_unsigned(layout.size()));
        TAKEN.set(TAKEN.get().wrapping_add(layout.size()));
        BLOCKS.set(BLOCKS.get().wrapping_add(1));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.set(HELD.get().wrapping_sub_unsigned(layout.size()));
        BLOCKS.set(BLOCKS.get().wrapping_sub(1));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(place, layout) }
    }
}
