//! The identifiers of a request in the logs of callers, gateway and backend.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use sendoff::http::{Trace, TraceId};
use uuid::Uuid;

use crate::{head, span::Span};

/// The header with the id of a request, in its reply and in the request to the backend.
pub(crate) const REQUEST_ID: &str = "x-request-id";

/// The caller's trace id, or else that of the span, or else a random UUID.
pub(crate) fn trace_id(headers: &HeaderMap, span: Option<&Span>) -> TraceId {
    read(headers).trace_id.unwrap_or_else(|| {
        let made =
            span.map_or_else(|| Uuid::new_v4().hyphenated().to_string(), |span| span.trace.clone());
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
    let value = |name| head::value(headers, &HeaderName::from_static(name));
    Trace::read(value("traceparent").as_deref(), value(REQUEST_ID).as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &'static str, value: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        trace_id(&headers, None).to_string()
    }

    #[test]
    fn a_valid_id_is_kept() {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(of("traceparent", &format!("00-{id}-00f067aa0ba902b7-01")), id);
        assert_eq!(of("traceparent", &format!("01-{id}-00f067aa0ba902b7-01")), id);
        assert_eq!(of(REQUEST_ID, "req-1"), "req-1");
    }

    #[test]
    fn an_invalid_id_is_replaced() {
        for value in
            ["", "00", "00-0-0-0", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]
        {
            assert_eq!(of("traceparent", value).len(), 36, "{value}");
        }
        assert_eq!(
            of("traceparent", &format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32))).len(),
            36
        );
        assert_eq!(of(REQUEST_ID, "two words").len(), 36);
        assert_eq!(of(REQUEST_ID, &"a".repeat(129)).len(), 36);
        assert_ne!(trace_id(&HeaderMap::new(), None), trace_id(&HeaderMap::new(), None));
    }
}
