//! The place of a request in a trace (W3C Trace Context).

use std::time::SystemTime;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use sendoff::http::Trace;
use uuid::Uuid;

use crate::head;

/// The header with the trace and the span of the caller.
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The header with what vendors add to it.
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// The bit of the flags of a trace that is recorded.
const SAMPLED: u8 = 1;

/// The span of a request. Ids are hex digits: 32 of a trace, 16 of a span.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) trace: String,
    /// The caller's span; `None` if the trace begins here.
    pub(crate) parent: Option<String>,
    pub(crate) id: String,
    /// The span of the wait for the store.
    pub(crate) store: String,
    /// The span of the wait for the backend or the bundler, which continues the trace from there.
    pub(crate) backend: String,
    flags: u8,
    pub(crate) began: SystemTime,
}

impl Span {
    /// Continues the caller's trace, or begins one. Of those, one in this many is recorded.
    pub(crate) fn of(headers: &HeaderMap, one_in: u32) -> Self {
        let (trace, parent, flags) = continued(headers).unwrap_or_else(|| {
            let trace = Uuid::new_v4();
            let is_recorded = trace.as_u64_pair().1.checked_rem(one_in.into()) == Some(0);
            (trace.simple().to_string(), None, if is_recorded { SAMPLED } else { 0 })
        });
        let (id, store, backend) = (new_id(), new_id(), new_id());
        Self { trace, parent, id, store, backend, flags, began: SystemTime::now() }
    }

    /// `true` if the trace is recorded.
    pub(crate) fn is_recorded(&self) -> bool {
        self.flags & SAMPLED != 0
    }

    /// Puts the trace into the headers for the backend. What vendors added to a trace that ended is dropped.
    pub(crate) fn put(&self, headers: &mut HeaderMap) {
        if self.parent.is_none() {
            headers.remove(TRACESTATE);
        }
        let Self { trace, backend, flags, .. } = self;
        // Hex digits are valid in a header.
        if let Ok(value) = HeaderValue::from_str(&format!("00-{trace}-{backend}-{flags:02x}")) {
            headers.insert(TRACEPARENT, value);
        }
    }
}

/// The trace, the span and the flags of the caller.
fn continued(headers: &HeaderMap) -> Option<(String, Option<String>, u8)> {
    let value = head::value(headers, &TRACEPARENT)?;
    // The core checks the whole value. Later versions begin like this one.
    let trace = Trace::read(Some(&value), None).trace_id?;
    let parent = value.get(36..52)?;
    let flags = u8::from_str_radix(value.get(53..55)?, 16).ok()?;
    Some((trace.as_str().to_owned(), Some(parent.to_owned()), flags))
}

/// Half of a random UUID, which is never zero because of its version.
fn new_id() -> String {
    format!("{:016x}", Uuid::new_v4().as_u64_pair().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn headers(traceparent: &str) -> HeaderMap {
        [(TRACEPARENT, traceparent), (TRACESTATE, "a=b")]
            .into_iter()
            .map(|(name, value)| (name, value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn a_valid_trace_is_continued() {
        for (version, flags, is_recorded, more) in [
            ("00", "01", true, ""),
            ("00", "00", false, ""),
            ("00", "03", true, ""),
            ("01", "01", true, "-more"),
        ] {
            let mut headers = headers(&format!("{version}-{TRACE}-00f067aa0ba902b7-{flags}{more}"));
            let span = Span::of(&headers, 1);
            assert_eq!(
                (span.trace.as_str(), span.parent.as_deref()),
                (TRACE, Some("00f067aa0ba902b7"))
            );
            assert_eq!(span.is_recorded(), is_recorded);
            span.put(&mut headers);
            assert_eq!(headers[TRACEPARENT], format!("00-{TRACE}-{}-{flags}", span.backend));
            assert_eq!(headers[TRACESTATE], "a=b");
        }
    }

    #[test]
    fn an_invalid_trace_is_replaced() {
        for value in [
            "",
            "00-0-0-0",
            &format!("00-{TRACE}-0000000000000000-01"),
            &format!("ff-{TRACE}-00f067aa0ba902b7-01"),
        ] {
            let mut headers = headers(value);
            let span = Span::of(&headers, 1);
            assert!(
                span.trace != TRACE
                    && span.trace.len() == 32
                    && span.parent.is_none()
                    && span.is_recorded()
            );
            span.put(&mut headers);
            assert!(!headers.contains_key(TRACESTATE));
            assert_eq!(
                Trace::read(headers[TRACEPARENT].to_str().ok(), None).trace_id.unwrap().as_str(),
                span.trace
            );
        }
    }

    #[test]
    fn one_in_many_new_traces_is_recorded() {
        let recorded = |one_in| {
            (0..1_000).filter(|_| Span::of(&HeaderMap::new(), one_in).is_recorded()).count()
        };
        assert_eq!(recorded(1), 1_000);
        // 100 are expected, and 60 are more than four standard deviations away.
        assert!((60..=140).contains(&recorded(10)));
    }
}
