//! The allocator of the module: that of the other modules, which never frees a part.
//!
//! Here the state outlives a call. When what calls left behind is larger than a limit, the state is
//! saved as text, all memory is freed, and the state is loaded again. Code that frees every value
//! by itself would be a tenth of the module (ARCHITECTURE.md).
#![expect(unsafe_code, reason = "the allocator frees all memory at once")]

#[path = "../../sendoff-wasm/src/memory.rs"]
mod arena;

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::cell::Cell;
use core::hint::black_box;
use core::mem::ManuallyDrop;
use core::ptr;

/// The memory of the state, and of what calls left behind since it was loaded.
pub(crate) struct Kept {
    /// The address that the next block must reach before memory is freed.
    limit: Cell<usize>,
}

pub(crate) static MEMORY: Kept = Kept { limit: Cell::new(LEAST) };

// SAFETY: the module has one thread.
unsafe impl Sync for Kept {}

/// The least limit, in bytes.
const LEAST: usize = 1 << 22;

impl Kept {
    /// Frees what no call needs any more, if it has become large.
    ///
    /// # Safety
    ///
    /// Nothing but the state that was allocated is used again.
    pub(crate) unsafe fn free_all(&self) {
        let Some(state) = crate::SERVICE.0.take() else {
            // SAFETY: without a state nothing is used again.
            return unsafe { arena::MEMORY.free_all() };
        };
        if next() < self.limit.get() {
            return crate::SERVICE.0.set(Some(state));
        }
        let text = ManuallyDrop::new(state.to_string());
        drop(state);
        // SAFETY: of all that was allocated only the text is used again. It moves to the first free
        // address, where it may overlap itself, which `copy` allows.
        let text = unsafe {
            let (from, length) = (black_box(text.as_ptr()), text.len());
            arena::MEMORY.free_all();
            let mut copy = Vec::with_capacity(length);
            ptr::copy(from, copy.as_mut_ptr(), length);
            copy.set_len(length);
            String::from_utf8_unchecked(copy)
        };
        crate::SERVICE.0.set(text.parse().ok());
        self.limit.set(next().saturating_mul(3).max(LEAST));
    }
}

/// The address of the next block.
fn next() -> usize {
    let block = Vec::<u8>::with_capacity(1);
    block.as_ptr().addr()
}
