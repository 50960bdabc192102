//! Replies that the gateway makes itself. They always have the service's envelope of success or
//! error.

use axum::Json;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use sendoff::http::{Refusal, TraceId};
use serde::Serialize;

/// The reply to a request that is refused.
pub(crate) fn refused(refusal: &Refusal, trace_id: &TraceId) -> Response {
    let status =
        StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    // Every value from the core is valid in a header.
    let headers = refusal.headers().filter_map(|(name, value)| {
        Some((HeaderName::from_static(name), HeaderValue::from_str(&value).ok()?))
    });
    let headers: HeaderMap = headers.collect();
    (status, headers, Body::from(refusal.body(trace_id))).into_response()
}

/// A success reply.
pub(crate) fn success<T: Serialize>(data: &T) -> Response {
    #[derive(Serialize)]
    struct Success<'a, T> {
        status: &'static str,
        data: &'a T,
    }
    Json(Success { status: "success", data }).into_response()
}
