//! The module of the npm entry `sendoff/sandbox`: one pocket service, whose state stays in the
//! module, and the core's functions, so that a page with both has one module.
//!
//! It has no elliptic curves: `sendoff/signature` has them. Who calls checks the signatures that
//! `judged` lists.
#![cfg_attr(target_family = "wasm", no_std, no_main)]

extern crate alloc;

#[cfg(target_family = "wasm")]
mod memory;
#[expect(unreachable_pub, reason = "the library of the other modules exports them")]
#[path = "../../sendoff-wasm/src/text.rs"]
mod text;

use alloc::{format, string::String};
use core::cell::Cell;

use sendoff::json::{self, Answer};
use sendoff_sandbox::{Json, Judge, Request, Signed, State, answer_judged, lies, signed};

/// The state of this instance.
struct Service(Cell<Option<State>>);

// SAFETY: the module has one thread.
#[expect(unsafe_code, reason = "the module has one thread")]
unsafe impl Sync for Service {}

static SERVICE: Service = Service(Cell::new(None));

/// Calls the function whose name is the first text ([`text::exchange`]).
#[expect(
    unsafe_code,
    reason = "a name that JavaScript calls; no other function of the module has it"
)]
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> usize {
    text::exchange(dispatch, name, [a, b, c, d, e])
}

/// `start` and `load` make the state of this instance, `save` writes it, `answer` answers a request at a time, `judged` does so too
/// unless signatures decide the answer, which it then lists, and `lies` lists the lies. All other names are the core's.
fn dispatch(name: &str, texts: &[Option<&str>]) -> Answer {
    let text = |at: usize| texts.get(at).copied().flatten().unwrap_or_default();
    match name {
        "start" => keep(State::start(text(0))),
        "load" => keep(text(0).parse()),
        "lies" => {
            let row = |lie: &sendoff_sandbox::Lie| {
                let fields = [("name", lie.name), ("about", lie.about), ("on", lie.on.as_str())];
                Json::Object(
                    fields.into_iter().map(|(key, value)| (key.into(), value.into())).collect(),
                )
            };
            Ok(format!("{}", Json::List(lies().map(row).collect())))
        }
        "save" => with(|state| Ok(format!("{state}"))),
        "judged" => asked(text(0), text(1), |state, request, now| {
            let signed = signed(state, request, now);
            if signed.is_empty() {
                return answer_judged(state, request, now, Some(&|_| false)).to_json();
            }
            Json::List(signed.iter().map(|signed| format!("{signed}").into()).collect())
        }),
        "answer" => {
            // Those of `judged` that are right; nothing, if nobody checks.
            let right = texts.get(2).copied().flatten().and_then(Json::parse);
            let is_right = |signed: &Signed| {
                let right = right.as_ref().and_then(Json::as_list).unwrap_or_default();
                right.contains(&Json::from(format!("{signed}")))
            };
            let judge: Judge<'_> = &is_right;
            let judge = right.is_some().then_some(judge);
            asked(text(0), text(1), |state, request, now| {
                answer_judged(state, request, now, judge).to_json()
            })
        }
        _ => json::call(name, texts),
    }
}

fn keep(state: Result<State, String>) -> Answer {
    SERVICE.0.set(Some(state.map_err(|why| failed(&why))?));
    Ok("{}".into())
}

/// Does something with the state.
fn with(act: impl FnOnce(&mut State) -> Answer) -> Answer {
    let mut state = SERVICE.0.take().ok_or_else(|| failed("expected `start` or `load` before"))?;
    let done = act(&mut state);
    SERVICE.0.set(Some(state));
    done
}

/// Does something with the state, a request and a time.
fn asked(request: &str, now: &str, act: impl FnOnce(&mut State, &Request, i64) -> Json) -> Answer {
    with(|state| {
        let request = Json::parse(request).and_then(|request| Request::from_json(&request));
        let request = request.ok_or_else(|| {
            failed("expected a request of `method`, `target`, `headers` and `body`")
        })?;
        let now = now.parse().map_err(|_| failed("expected a time in milliseconds"))?;
        Ok(format!("{}", act(state, &request, now)))
    })
}

/// A failure, as the core writes it.
fn failed(why: &str) -> String {
    format!(r#"{{"issues":[{{"path":"","code":"format","message":{}}}]}}"#, Json::from(why))
}

/// It is a program of browsers only.
#[cfg(not(target_family = "wasm"))]
fn main() {}
