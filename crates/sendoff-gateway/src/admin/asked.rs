//! What a request of the admin API asks for: the parameters of its path and of its query, and the
//! key of a change.

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::{HeaderMap, HeaderName, request},
};
use sendoff::{error::IssueCode, http::Refusal};
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
    let value = crate::head::value(headers, &IDEMPOTENCY_KEY);
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
    Err(Refused(refused(vec![sendoff::error::Issue::new(
        IDEMPOTENCY_KEY.as_str().into(),
        code,
        message,
    )])))
}

/// The parameters of a path.
pub(super) struct At<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for At<T> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut request::Parts, state: &S) -> Result<Self, Refused> {
        let path = Path::<T>::from_request_parts(parts, state).await;
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
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn size(&self) -> Result<i64, Refused> {
        self.number("size", ITEMS, MOST_ITEMS)
    }

    pub(super) fn number(&self, name: &str, absent: i64, most: i64) -> Result<i64, Refused> {
        let Some(text) = self.get(name) else { return Ok(absent) };
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| {
            let message = format!("expected an integer from 1 to {most}, found {}", shown(text));
            Refused(refused(vec![sendoff::error::Issue::new(
                name.into(),
                IssueCode::Format,
                message,
            )]))
        })
    }
}
