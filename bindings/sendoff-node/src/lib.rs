//! [`sendoff::json`] for Node: every function, by its name; and the command line of
//! [`sendoff_cli`], for `npx sendoff`.
//!
//! Answers and failures are both returned as text. A failure begins with `{"issues":`; no answer
//! does. Panics are caught, because a panic that leaves an addon ends the whole process.

use napi::bindgen_prelude::Function;
use napi_derive::napi;
use sendoff::json;
use sendoff_cli::Surroundings;

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

/// What a command line prints.
#[napi(object)]
#[derive(Debug)]
pub struct Printed {
    /// The text, for standard error if the status is 2.
    pub text: String,
    /// The exit status.
    pub status: u8,
}

/// Runs a command line of `sendoff`. `read` returns the text of a file by its name, unless it cannot be read; `-` is standard input.
#[napi(catch_unwind)]
#[must_use]
pub fn command_line(
    args: Vec<String>,
    now: i64,
    in_colour: bool,
    read: Function<'_, String, Option<String>>,
) -> Printed {
    let read = |name: &str| read.call(name.to_owned()).ok().flatten();
    match sendoff_cli::run(args, Surroundings { read: &read, now, in_colour }) {
        Ok((text, status)) => Printed { text, status },
        Err(why) => Printed { text: format!("sendoff: {why}\n"), status: 2 },
    }
}
