//! The allocator of the module: memory is freed when nothing uses it, because the state outlives a
//! call.

use dlmalloc::GlobalDlmalloc;

#[global_allocator]
static ALLOCATOR: GlobalDlmalloc = GlobalDlmalloc;

/// What the passing of texts asks to free all memory: here it frees nothing.
pub(crate) struct Kept;

pub(crate) static MEMORY: Kept = Kept;

impl Kept {
    /// Frees nothing.
    ///
    /// # Safety
    ///
    /// It is always safe.
    #[expect(unsafe_code, reason = "the other modules free their memory here")]
    pub(crate) unsafe fn free_all(&self) {}
}
