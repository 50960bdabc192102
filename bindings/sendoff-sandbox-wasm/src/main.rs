//! The module of the npm entry `sendoff/sandbox`: one pocket service, whose state stays in the module.
#![cfg_attr(target_family = "wasm", no_std, no_main)]

extern crate alloc;

#[cfg(target_family = "wasm")]
mod memory;
#[expect(unreachable_pub, reason = "the library of the other modules exports them")]
#[path = "../../sendoff-wasm/src/text.rs"]
mod text;

use alloc::{format, string::String};
use core::cell::Cell;

use sendoff::json::Answer;
use sendoff_sandbox::{Json, Request, State, answer, lies};

/// The state of this instance.
struct Service(Cell<Option<State>>);

// SAFETY: the module has one thread.
#[expect(unsafe_code, reason = "the module has one thread")]
unsafe impl Sync for Service {}

static SERVICE: Service = Service(Cell::new(None));

/// Calls the function whose name is the first text ([`text::exchange`]).
#[expect(unsafe_code, reason = "a name that JavaScript calls; no other function of the module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, a: usize, b: usize) -> usize {
    text::exchange(dispatch, name, [a, b])
}

/// `start` and `load` make the state of this instance, `save` writes it, `answer` answers a request at a time, and `lies` lists
/// the lies.
fn dispatch(name: &str, texts: &[Option<&str>]) -> Answer {
    let text = |at: usize| texts.get(at).copied().flatten().unwrap_or_default();
    match name {
        "start" => keep(State::start(text(0))),
        "load" => keep(text(0).parse()),
        "lies" => {
            let row = |lie: &sendoff_sandbox::Lie| {
                let fields = [("name", lie.name), ("about", lie.about), ("on", lie.on.as_str())];
                Json::Object(fields.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
            };
            Ok(format!("{}", Json::List(lies().map(row).collect())))
        }
        "save" | "answer" => {
            let mut state = SERVICE.0.take().ok_or_else(|| failed("expected `start` or `load` before"))?;
            let done = if name == "save" { Ok(format!("{state}")) } else { answered(&mut state, text(0), text(1)) };
            SERVICE.0.set(Some(state));
            done
        }
        _ => Err(failed("expected `start`, `load`, `save`, `answer` or `lies`")),
    }
}

fn keep(state: Result<State, String>) -> Answer {
    SERVICE.0.set(Some(state.map_err(|why| failed(&why))?));
    Ok("{}".into())
}

fn answered(state: &mut State, request: &str, now: &str) -> Answer {
    let request = Json::parse(request).and_then(|request| Request::from_json(&request));
    let request = request.ok_or_else(|| failed("expected a request of `method`, `target`, `headers` and `body`"))?;
    let now = now.parse().map_err(|_| failed("expected a time in milliseconds"))?;
    Ok(format!("{}", answer(state, &request, now).to_json()))
}

/// A failure, as the core writes it.
fn failed(why: &str) -> String {
    format!(r#"{{"issues":[{{"path":"","code":"format","message":{}}}]}}"#, Json::from(why))
}

/// It is a program of browsers only.
#[cfg(not(target_family = "wasm"))]
fn main() {}
