//! The identifiers of a request in the logs of callers, gateway and backend.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use sendoff::http::{Trace, TraceId};
use uuid::Uuid;

use super::head;

/// The header with the trace and the span of the caller.
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The header with the id of a request, in its reply and in the request to the backend.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The caller's trace id, or else that of a span, or else a random UUID.
pub(crate) fn trace_id(headers: &HeaderMap, of_span: Option<String>) -> TraceId {
    read(headers).trace_id.unwrap_or_else(|| {
        let made = of_span.unwrap_or_else(|| Uuid::new_v4().hyphenated().to_string());
        #[expect(clippy::unwrap_used, reason = "32 and 36 characters are 1 to 128")]
        made.parse().unwrap()
    })
}

/// The value of `x-request-id`: the caller's, or else the trace id.
pub(crate) fn request_id(headers: &HeaderMap, trace_id: &TraceId) -> Option<HeaderValue> {
    let own = read(headers).request_id;
    HeaderValue::from_str(own.as_ref().unwrap_or(trace_id).as_str()).ok()
}

fn read(headers: &HeaderMap) -> Trace {
    let value = |name| head::value(headers, &name);
    Trace::read(value(TRACEPARENT).as_deref(), value(REQUEST_ID).as_deref())
}
