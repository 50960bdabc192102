//! Text in and text out, through two buffers of the module.
//!
//! JavaScript asks for [`room`], writes the texts of a call into it, one after the other, makes the
//! call with their lengths, and reads the answer at the address [`answer`]. A failure is an answer
//! that begins with `{"issues":`; no other answer does.
#![expect(
    unsafe_code,
    reason = "names that JavaScript calls; no other function of the module has them"
)]

use alloc::{string::String, vec::Vec};
use core::cell::Cell;

use sendoff::json::Answer;

/// The texts of a call, and its answer.
struct Buffers {
    arguments: Cell<Vec<u8>>,
    answer: Cell<String>,
}

// SAFETY: the module has one thread.
unsafe impl Sync for Buffers {}

static BUFFERS: Buffers =
    Buffers { arguments: Cell::new(Vec::new()), answer: Cell::new(String::new()) };

/// The address of a buffer of this number of bytes. A call begins here, so what is left of the last one is freed.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    drop((BUFFERS.arguments.take(), BUFFERS.answer.take()));
    let mut buffer = alloc::vec![0; bytes];
    let address = buffer.as_mut_ptr();
    BUFFERS.arguments.set(buffer);
    address
}

/// The address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    let answer = BUFFERS.answer.take();
    let address = answer.as_ptr();
    BUFFERS.answer.set(answer);
    address
}

/// Makes a call with the texts in the buffer, the function's name first, and returns the length of the answer. Each text
/// is given by its length plus 1; 0 means an argument that is left out.
pub fn exchange<const N: usize>(
    call: fn(&str, &[Option<&str>]) -> Answer,
    name: usize,
    arguments: [usize; N],
) -> usize {
    let buffer = BUFFERS.arguments.take();
    let mut rest = buffer.as_slice();
    let mut next = |length: usize| {
        let (text, after) = rest.split_at_checked(length.checked_sub(1)?)?;
        rest = after;
        // JavaScript wrote it with `TextEncoder`, which writes only UTF-8.
        core::str::from_utf8(text).ok()
    };
    let name = next(name).unwrap_or_default();
    let (Ok(text) | Err(text)) = call(name, &arguments.map(next));
    BUFFERS.arguments.set(buffer);
    let length = text.len();
    BUFFERS.answer.set(text);
    length
}
