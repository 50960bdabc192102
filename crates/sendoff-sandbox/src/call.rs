//! The service by texts, for a host of another language.

use sendoff::error::{Error, Issue, IssueCode};
use sendoff::json::{self, Answer};

use crate::{Request, State, answer, lies};

/// Calls a function of the service by its name, as `sendoff::json::call` calls the core's.
///
/// | name | texts | answer |
/// |---|---|---|
/// | `start` | options | `{}`; the service starts ([`State::start`]) |
/// | `load` | a saved state | `{}`; the service goes on from it |
/// | `save` | | the state |
/// | `lies` | | all lies: `{name, about, on, mayBeIgnored, needsFailure, source}` |
/// | `answer` | request, time | the reply |
///
/// Every other name is one of the core.
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
    let text = |at: usize| texts.get(at).copied().flatten().unwrap_or_default();

    match name {
        "start" => keep(service, State::start(text(0))),
        "load" => keep(service, text(0).parse()),
        "save" => Ok(started(service)?.to_string()),
        "lies" => written(&lies().collect::<Vec<_>>()),
        "answer" => {
            let state = started(service)?;
            let expected = "expected a request of `method`, `target`, `headers` and `body`";
            let request: Request = serde_json::from_str(text(0)).map_err(|_| failed(expected))?;
            let now = text(1).parse().map_err(|_| failed("expected a time in milliseconds"))?;
            written(&answer(state, &request, now))
        }
        _ => json::call(name, texts),
    }
}

fn keep(service: &mut Option<State>, state: Result<State, Error>) -> Answer {
    *service = Some(state.map_err(|error| error.to_json())?);
    Ok("{}".into())
}

fn started(service: &mut Option<State>) -> Result<&mut State, String> {
    service.as_mut().ok_or_else(|| failed("expected `start` or `load` before"))
}

fn written(value: &impl serde::Serialize) -> Answer {
    serde_json::to_string(value).map_err(|error| failed(&error.to_string()))
}

/// A failure, as the core writes it.
fn failed(why: &str) -> String {
    Error::from(Issue::new(String::new(), IssueCode::Format, why.into())).to_json()
}
