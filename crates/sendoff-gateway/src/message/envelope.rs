//! Replies that the gateway makes itself. They always have the service's envelope of success or
//! error.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use sendoff::http::{Refusal, TraceId};
use serde::Serialize;

/// The reply to a request that is refused.
pub(crate) fn refused(refusal: &Refusal, trace_id: &TraceId) -> Response {
    let mut response = Response::new(refusal.body(trace_id).into());
    *response.status_mut() =
        StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in refusal.headers() {
        // Every value from the core is valid in a header.
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// A success reply.
pub(crate) fn success<T: Serialize>(data: &T) -> Response {
    #[derive(Serialize)]
    struct Success<'a, T> {
        status: &'static str,
        data: &'a T,
    }
    json(&Success { status: "success", data })
}

/// A reply of JSON with status 200.
pub(crate) fn json<T: Serialize>(body: &T) -> Response {
    // Serialization fails only for maps whose keys are not text, and no reply has such a map.
    let mut response = Response::new(serde_json::to_vec(body).unwrap_or_default().into());
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
