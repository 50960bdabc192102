//! The name that a request has in everybody's records.

use axum::http::{HeaderMap, HeaderValue};
use sendoff::service::TraceId;
use uuid::Uuid;

/// The header that names a request to both sides: in its reply, and to the backend.
pub(crate) const REQUEST_ID: &str = "x-request-id";

/// The trace id that the caller gives, or a new one.
///
/// In this order: the trace-id of `traceparent` (W3C Trace Context, version 00), `x-request-id` where it is 1 to 128 visible
/// characters of ASCII, a random UUID.
pub(crate) fn trace_id(headers: &HeaderMap) -> TraceId {
    let given = of_traceparent(headers).or_else(|| of_request_id(headers));
    given.and_then(|id| id.parse().ok()).unwrap_or_else(|| {
        let made = Uuid::new_v4().hyphenated().to_string();
        #[expect(clippy::unwrap_used, reason = "36 characters are 1 to 128")]
        made.parse().unwrap()
    })
}

/// The value of `x-request-id`: the caller's own, else the trace id.
pub(crate) fn request_id(headers: &HeaderMap, trace_id: &TraceId) -> Option<HeaderValue> {
    HeaderValue::from_str(of_request_id(headers).unwrap_or(trace_id.as_str())).ok()
}

fn of_traceparent(headers: &HeaderMap) -> Option<&str> {
    let mut parts = headers.get("traceparent")?.to_str().ok()?.splitn(4, '-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex =
        |text: &str, length| text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let fits = version == "00" && is_hex(trace, 32) && is_hex(parent, 16) && is_hex(flags, 2);
    (fits && trace.bytes().any(|digit| digit != b'0')).then_some(trace)
}

fn of_request_id(headers: &HeaderMap) -> Option<&str> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    ((1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &'static str, value: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        trace_id(&headers).to_string()
    }

    #[test]
    fn a_given_id_is_kept() {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(of("traceparent", &format!("00-{id}-00f067aa0ba902b7-01")), id);
        assert_eq!(of(REQUEST_ID, "req-1"), "req-1");
    }

    #[test]
    fn what_is_none_is_replaced() {
        for value in ["", "00", "00-0-0-0", "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"] {
            assert_eq!(of("traceparent", value).len(), 36, "{value}");
        }
        assert_eq!(of("traceparent", &format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32))).len(), 36);
        assert_eq!(of(REQUEST_ID, "two words").len(), 36);
        assert_eq!(of(REQUEST_ID, &"a".repeat(129)).len(), 36);
        assert_ne!(trace_id(&HeaderMap::new()), trace_id(&HeaderMap::new()));
    }
}
