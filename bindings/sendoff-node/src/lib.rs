//! [`sendoff::json`] for Node: every function, by its name.
//!
//! Answers and failures are both returned as text. A failure begins with `{"issues":`; no answer
//! does. Panics are caught, because a panic that leaves an addon ends the whole process.

use napi_derive::napi;
use sendoff::json;

/// A call takes a tenth less time than with the allocator of the C library.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// The number of arguments that `call` takes here.
const _: () = assert!(json::MOST_ARGUMENTS <= 5);

/// Calls a function with texts that are in a buffer, one after the other, its name first. Each is given by its length plus 1; an
/// argument that is left out has none, or 0.
#[napi(catch_unwind)]
#[must_use]
pub fn call(
    texts: &[u8],
    name: u32,
    a: Option<u32>,
    b: Option<u32>,
    c: Option<u32>,
    d: Option<u32>,
    e: Option<u32>,
) -> String {
    let mut rest = texts;
    let mut next = |length: Option<u32>| {
        let length = usize::try_from(length?).ok()?.checked_sub(1)?;
        let (text, after) = rest.split_at_checked(length)?;
        rest = after;
        // JavaScript wrote it with `TextEncoder`, which writes only UTF-8.
        std::str::from_utf8(text).ok()
    };
    let name = next(Some(name)).unwrap_or_default();
    #[cfg(feature = "panics")]
    assert!(name.is_empty(), "a panic for a test");
    let (Ok(text) | Err(text)) = json::call(name, &[a, b, c, d, e].map(next));
    text
}
