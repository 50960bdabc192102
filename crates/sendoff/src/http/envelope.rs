//! The error envelope of the service, as hosts write it.

use super::TraceId;
use crate::document::written_as;
use crate::error::Issue;

/// The body of an error reply.
pub(super) struct Envelope<'a> {
    /// The HTTP status.
    pub(super) code: u16,
    /// The service's own code.
    pub(super) error_code: Option<&'static str>,
    pub(super) message: &'a str,
    pub(super) trace_id: &'a TraceId,
    /// The problems of the request; an empty list is left out.
    pub(super) details: &'a [Issue],
}

written_as!(Envelope<'_>, |envelope| {
    "status" => "error",
    "error" => ErrorPart(envelope),
});

struct ErrorPart<'a>(&'a Envelope<'a>);

written_as!(ErrorPart<'_>, |error| {
    "code" => error.0.code,
    "errorCode" => error.0.error_code,
    "message" => error.0.message,
    "trace_id" => error.0.trace_id,
    "details" => (!error.0.details.is_empty()).then_some(Details(error.0.details)),
});

struct Details<'a>(&'a [Issue]);

written_as!(Details<'_>, |details| {
    "issues" => details.0,
});
