//! The service by texts, for a host of another language.

use alloc::{string::String, vec::Vec};
use core::cell::Cell;

use sendoff::error::{Error, IssueCode};
use sendoff::json::{self, Answer};

use crate::json::object;
use crate::misfit::Misfit;
use crate::record::Write as _;
use crate::route::Route;
use crate::signed::{Judge, Signed};
use crate::text::of_signed;
use crate::{Json, Lie, Request, State, answer_judged, lies, sent};

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
/// A signature is a text of a digest, the signature and the signer's address, with spaces between them. Every other name is one of
/// the core.
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
        "save" => Ok(started(service)?.write().to_json()),
        "lies" => Ok(Json::List(lies().map(row).collect()).to_json()),
        "answer" => {
            let right = given(2).and_then(Json::parse);
            let is_right = |signed: &Signed| {
                let right = right.as_ref().and_then(Json::as_list).unwrap_or_default();
                right.contains(&signed.to_json())
            };
            let judge: Judge<'_> = &is_right;

            let (state, request, now) = asked(service, text(0), text(1))?;
            let judge = right.is_some().then_some(judge);
            Ok(answer_judged(state, &request, now, judge).to_json().to_json())
        }
        "judged" => {
            let (state, request, now) = asked(service, text(0), text(1))?;
            Ok(judged(state, &request, now).to_json())
        }
        _ => json::call(name, texts),
    }
}

/// The reply, or the signatures that decide it.
fn judged(state: &mut State, request: &Request, now: i64) -> Json {
    let signed = signed(state, request, now);
    if signed.is_empty() {
        // Nothing is judged.
        return answer_judged(state, request, now, Some(&|_| false)).to_json();
    }
    Json::List(signed.iter().map(Signed::to_json).collect())
}

/// The signatures of the operation that a request sends, as far as they decide the answer.
fn signed(state: &mut State, request: &Request, now: i64) -> Vec<Signed> {
    let route = Route::find(&request.method, &request.target).ok();
    let Some(operation) = route.and_then(|route| sent(&route, request)) else { return Vec::new() };
    state.advance(now);

    // Not a `RefCell`, which can panic.
    let all = Cell::new(Vec::new());
    // Whether it is accepted does not matter here.
    let _checked = state.check(&operation, now, &|signed| {
        let mut others = all.take();
        others.push(signed.clone());
        all.set(others);
        true
    });
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
    let request = Json::parse(request).and_then(|request| Request::from_json(&request));
    let request = request
        .ok_or_else(|| failed("expected a request of `method`, `target`, `headers` and `body`"))?;
    let now = of_signed(now).ok_or_else(|| failed("expected a time in milliseconds"))?;
    Ok((state, request, now))
}

fn row(lie: &Lie) -> Json {
    object([
        ("name", lie.name.into()),
        ("about", lie.about.into()),
        ("on", lie.on.as_str().into()),
        ("mayBeIgnored", lie.may_be_ignored.into()),
        ("needsFailure", lie.needs_failure.into()),
        ("source", lie.source.into()),
    ])
}

/// A failure, as the core writes it.
fn failed(why: &str) -> String {
    Error::from(Misfit::said(IssueCode::Format, &[why])).to_json()
}
