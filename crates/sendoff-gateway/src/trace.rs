//! The identifiers of a request in the logs of callers, gateway and backend.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use sendoff::http::{Trace, TraceId};
use uuid::Uuid;

use crate::{
    head,
    traces::{TRACEPARENT, Traced},
};

/// The header with the id of a request, in its reply and in the request to the backend.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The caller's trace id, or else that of the span, or else a random UUID.
pub(crate) fn trace_id(headers: &HeaderMap, traced: Option<&Traced>) -> TraceId {
    read(headers).trace_id.unwrap_or_else(|| {
        let made = traced.map_or_else(|| Uuid::new_v4().hyphenated().to_string(), Traced::trace_id);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valid_id_is_kept_and_another_is_replaced() {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736";
        let long = "a".repeat(129);
        let with = |version, id: &str| format!("{version}-{id}-00f067aa0ba902b7-01");
        for (name, value, kept) in [
            (TRACEPARENT, with("00", id), Some(id)),
            (TRACEPARENT, with("01", id), Some(id)),
            (REQUEST_ID, "req-1".into(), Some("req-1")),
            (TRACEPARENT, String::new(), None),
            (TRACEPARENT, "00-0-0-0".into(), None),
            (TRACEPARENT, with("ff", id), None),
            (TRACEPARENT, with("00", &"0".repeat(32)), None),
            (REQUEST_ID, "two words".into(), None),
            (REQUEST_ID, long, None),
        ] {
            let headers = HeaderMap::from_iter([(name, value.parse().unwrap())]);
            let found = trace_id(&headers, None).to_string();
            match kept {
                Some(kept) => assert_eq!(found, kept, "{value}"),
                None => assert_eq!(found.len(), 36, "{value}"),
            }
        }
    }
}
