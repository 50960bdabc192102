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

/// Calls a function with the texts of its arguments.
#[napi(catch_unwind)]
pub fn call(
    name: String,
    a: Option<String>,
    b: Option<String>,
    c: Option<String>,
    d: Option<String>,
    e: Option<String>,
) -> String {
    #[cfg(feature = "panics")]
    assert!(name.is_empty(), "a panic for a test");
    let arguments = [a, b, c, d, e];
    let (Ok(text) | Err(text)) = json::call(&name, &arguments.each_ref().map(Option::as_deref));
    text
}
