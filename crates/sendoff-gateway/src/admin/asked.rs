//! What a request of the admin API asks for: the parameters of its path and of its query, and the
//! key of a change.

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::{HeaderMap, HeaderName, request},
};
use sendoff::{
    error::{Issue, IssueCode},
    http::Refusal,
};
use serde::de::DeserializeOwned;

use super::{
    body::{refused, shown},
    refused::Refused,
};

/// The header with the key of a change, by which a repeated request is known.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The most items of a page, and how many it has if the request does not say.
pub(super) const MOST_ITEMS: i64 = 1_000;
const ITEMS: i64 = 100;

/// The idempotency key of a change: 1 to 128 visible characters of ASCII.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<String, Refused> {
    let value = crate::request::head::value(headers, &IDEMPOTENCY_KEY);
    let (code, found) = match value {
        Some(key)
            if (1..=128).contains(&key.len())
                && key.bytes().all(|byte| byte.is_ascii_graphic()) =>
        {
            return Ok(key);
        }
        Some(_) => (IssueCode::Format, "another value"),
        None => (IssueCode::Missing, "none"),
    };
    let message = format!(
        "expected a key of 1 to 128 visible ASCII characters in this header, found {found}"
    );
    Err(wrong(IDEMPOTENCY_KEY.as_str(), code, message))
}

/// The parameters of a path.
pub(super) struct At<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for At<T> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut request::Parts, state: &S) -> Result<Self, Refused> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        // No name of an application or of a key has such a character, and a database need not take it.
        if parts.uri.path().contains("%00") {
            return Err(Refused(Refusal::NOT_FOUND));
        }
        path.map(|Path(path)| Self(path)).map_err(|_| Refused(Refusal::BAD_TARGET))
    }
}

/// The parameters of a query.
pub(super) struct Asks(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Asks {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut request::Parts, state: &S) -> Result<Self, Refused> {
        let query = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        query.map(|Query(query)| Self(query)).map_err(|_| Refused(Refusal::BAD_TARGET))
    }
}

impl Asks {
    /// Takes a parameter, which is there at most once.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes how many items the page has. `size` is the name that this parameter had before.
    pub(super) fn limit(&mut self) -> Result<i64, Refused> {
        let name = if self.0.iter().any(|(key, _)| key == "size") { "size" } else { "limit" };
        self.number(name, ITEMS, MOST_ITEMS)
    }

    pub(super) fn number(&mut self, name: &str, absent: i64, most: i64) -> Result<i64, Refused> {
        let Some(text) = self.take(name) else { return Ok(absent) };
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| {
            let message = format!("expected an integer from 1 to {most}, found {}", shown(&text));
            wrong(name, IssueCode::Format, message)
        })
    }

    /// Refuses a parameter that was not taken.
    pub(super) fn close(self) -> Result<(), Refused> {
        self.0.first().map_or(Ok(()), |(name, _)| {
            let name: String = name.chars().take(64).collect();
            let message = "expected no such parameter, or each once, found one".into();
            Err(wrong(&name, IssueCode::Unknown, message))
        })
    }
}

/// The refusal of a parameter or a header.
pub(super) fn wrong(path: &str, code: IssueCode, message: String) -> Refused {
    Refused(refused(vec![Issue::new(path.into(), code, message)]))
}
