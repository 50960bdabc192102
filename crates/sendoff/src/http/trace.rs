//! The trace id and the request id of a request.

use crate::document::document;
use crate::value::{Text, is_short, newtype};

newtype! {
    /// The trace id of a request in the service's records: text of 1 to 128 characters.
    ///
    /// The specification shows no form. The host makes it, because the core has no randomness.
    ///
    /// ```
    /// use sendoff::http::TraceId;
    ///
    /// assert!("b75abffe965b968336491b674067412e".parse::<TraceId>().is_ok());
    /// assert!("".parse::<TraceId>().is_err());
    /// ```
    pub struct TraceId: "a trace id of 1 to 128 characters",
        |text| !text.is_empty() && is_short(text, 128),
        schema |_| schemars::json_schema!({
            "type": "string",
            "description": <Self as Text>::EXPECTED,
            "minLength": 1,
            "maxLength": 128,
        })
}

document! {
    /// The trace id and the request id of a request, from its headers.
    ///
    /// ```
    /// use sendoff::http::Trace;
    ///
    /// let trace = Trace::read(Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), Some("mine"));
    /// assert_eq!(trace.trace_id, Some("4bf92f3577b34da6a3ce929d0e0e4736".parse()?));
    /// assert_eq!(trace.request_id, Some("mine".parse()?));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Trace: "", open Ignored, displayed by nobody {
        /// The `trace_id` of error replies: the trace-id of `traceparent`, else `x-request-id`. If it is absent, the host
        /// makes one.
        "traceId" => pub trace_id: Option<TraceId>,
        /// The `x-request-id` of the reply: the request's own, else the trace id.
        "requestId" => pub request_id: Option<TraceId>,
    }
}

impl Trace {
    /// Reads the values of the headers `traceparent` (W3C Trace Context) and `x-request-id` (1 to 128 visible characters of
    /// ASCII). A value that is malformed counts as absent.
    #[must_use]
    pub fn read(traceparent: Option<&str>, request_id: Option<&str>) -> Self {
        let trace = traceparent.and_then(trace_of).and_then(|id| TraceId::parse(id).ok());
        let own = request_id.filter(|id| id.bytes().all(|byte| byte.is_ascii_graphic()));
        let own = own.and_then(|id| TraceId::parse(id).ok());
        Self { trace_id: trace.clone().or_else(|| own.clone()), request_id: own.or(trace) }
    }
}

/// The trace-id of a `traceparent`. Versions above `00` may have more behind the four parts (W3C Trace Context, 3.2.4).
fn trace_of(traceparent: &str) -> Option<&str> {
    const LENGTH: usize = 55;
    let (known, more) = traceparent.split_at_checked(LENGTH)?;
    let mut parts = known.split('-');
    let mut part = |length| {
        let is_hex =
            |part: &&str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        parts.next().filter(|part| part.len() == length).filter(is_hex)
    };
    let (version, trace, parent, _flags) = (part(2)?, part(32)?, part(16)?, part(2)?);
    let is_zero = |part: &str| part.bytes().all(|digit| digit == b'0');
    let is_whole = more.is_empty() || (version != "00" && more.starts_with('-'));
    (is_whole && version != "ff" && !is_zero(trace) && !is_zero(parent)).then_some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    /// Vectors have the others.
    #[test]
    fn a_malformed_trace_counts_as_absent() {
        const ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
        const PARENT: &str = "00f067aa0ba902b7";

        for bad in [
            format!("cc-{ID}-{PARENT}-01more"),
            format!("ff-{ID}-{PARENT}-01"),
            format!("00-{}-{PARENT}-01", "0".repeat(32)),
            format!("00-{ID}-{}-01", "0".repeat(16)),
            format!("00-{}-{PARENT}-01", ID.to_uppercase()),
            format!("00-{ID}-{PARENT}-01, 00-{ID}-{PARENT}-01"),
            format!("00{ID}-{PARENT}--01-"),
            format!("{}é", "a".repeat(54)),
        ] {
            let found = Trace::read(Some(&bad), None);
            assert_eq!(found, Trace { trace_id: None, request_id: None }, "{bad}");
        }
    }
}
