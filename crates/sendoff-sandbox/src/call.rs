//! The service by texts, for a host of another language.

use std::cell::Cell;

use sendoff::error::{Error, Issue, IssueCode};
use sendoff::json::{self, Answer};

use crate::bundler::block::advance;
use crate::bundler::submit::signatures;
use crate::service::route::Route;
use crate::service::sent;
use crate::signed::{Moment, Signed};
use crate::{Request, State, answer_judged, lies};

/// Calls a function of the service by its name, as `sendoff::json::call` calls the core's.
///
/// | name | texts | answer |
/// |---|---|---|
/// | `start` | options | `{}`; the service starts ([`State::start`]) |
/// | `load` | a saved state | `{}`; the service goes on from it |
/// | `save` | | the state |
/// | `lies` | | all lies: `{name, about, on, mayBeIgnored, needsFailure, source}` |
/// | `answer` | request, time | the reply; a signature counts if it has the form of one |
/// | `answer` | request, time, signatures that are right | the reply |
/// | `judged` | request, time | the reply, or a list of the signatures that decide it. Then `answer` is to be called |
///
/// A signature is a text of a digest, the signature and the signer's address, with spaces between
/// them. Every other name is one of the core.
///
/// # Errors
///
/// The issues as JSON, as the core writes them.
///
/// ```
/// use sendoff_sandbox::call;
///
/// let mut service = None;
/// call(&mut service, "start", &[Some("{}")])?;
/// let request = r#"{"method":"GET","target":"/api/v1/orders"}"#;
/// let reply = call(&mut service, "answer", &[Some(request), Some("1750000000000")])?;
/// assert!(reply.starts_with(r#"{"status":401,"#));
/// # Ok::<(), String>(())
/// ```
pub fn call(service: &mut Option<State>, name: &str, texts: &[Option<&str>]) -> Answer {
    let given = |at: usize| texts.get(at).copied().flatten();
    let text = |at| given(at).unwrap_or_default();

    match name {
        "start" => keep(service, State::start(text(0))),
        "load" => keep(service, text(0).parse()),
        "save" => Ok(started(service)?.to_string()),
        "lies" => written(&lies().collect::<Vec<_>>()),
        "answer" => {
            let (state, request, now) = asked(service, text(0), text(1))?;
            let right: Option<Vec<String>> =
                given(2).map(|right| serde_json::from_str(right).unwrap_or_default());
            let reply = match right {
                Some(right) => {
                    let is_right = |signed: &Signed| right.contains(&signed.to_string());
                    answer_judged(state, &request, now, Some(&is_right))
                }
                None => answer_judged(state, &request, now, None),
            };
            written(&reply)
        }
        "judged" => {
            let (state, request, now) = asked(service, text(0), text(1))?;
            let signed = signed(state, &request, now);
            if signed.is_empty() {
                // Nothing is judged.
                return written(&answer_judged(state, &request, now, Some(&|_| false)));
            }
            written(&signed)
        }
        _ => json::call(name, texts),
    }
}

/// The signatures of the operation that a request sends, as far as they decide the answer.
fn signed(state: &mut State, request: &Request, now: i64) -> Vec<String> {
    let route = Route::find(&request.method, &request.target).ok();
    let Some(operation) = route.and_then(|route| sent(&route, request)) else { return Vec::new() };
    advance(state, now);

    // Not a `RefCell`, which can panic.
    let all = Cell::new(Vec::new());
    let judge = |signed: &Signed| {
        let mut others = all.take();
        others.push(signed.to_string());
        all.set(others);
        true
    };
    signatures(state, &operation, Moment { now, judge: &judge });
    all.into_inner()
}

fn keep(service: &mut Option<State>, state: Result<State, Error>) -> Answer {
    *service = Some(state.map_err(|error| error.to_json())?);
    Ok("{}".into())
}

fn started(service: &mut Option<State>) -> Result<&mut State, String> {
    service.as_mut().ok_or_else(|| failed("expected `start` or `load` before"))
}

/// The state, and a request and a time as data.
fn asked<'a>(
    service: &'a mut Option<State>,
    request: &str,
    now: &str,
) -> Result<(&'a mut State, Request, i64), String> {
    let state = started(service)?;
    let request = serde_json::from_str(request)
        .map_err(|_| failed("expected a request of `method`, `target`, `headers` and `body`"))?;
    let now = now.parse().map_err(|_| failed("expected a time in milliseconds"))?;
    Ok((state, request, now))
}

fn written(value: &impl serde::Serialize) -> Answer {
    serde_json::to_string(value).map_err(|error| failed(&error.to_string()))
}

/// A failure, as the core writes it.
fn failed(why: &str) -> String {
    Error::from(Issue::new(String::new(), IssueCode::Format, why.into())).to_json()
}
