//! The reply to a call that the rate limit refuses.

use alloc::string::String;
use core::num::NonZeroU64;

use super::TraceId;
use crate::document::{Integer, Is, Kind, MAX_SAFE, Record, Row, Said, Table, Valued, traits};
use crate::value::decimal;

/// The reply to a call that the rate limit refuses: `{status, headers: {"retry-after"}, body}` in JSON.
///
/// The specification shows the whole reply. Source of the status: RFC 6585, section 4; of the header: RFC 9110, section
/// 10.2.3.
///
/// ```
/// use core::num::NonZeroU64;
/// use sendoff::http::RateLimited;
///
/// let reply = RateLimited { trace_id: "b75abffe965b".parse()?, retry_after: NonZeroU64::new(53).unwrap() };
/// assert_eq!(RateLimited::STATUS, 429);
/// assert!(reply.body().starts_with(r#"{"status":"error","error":{"code":429,"errorCode":"ER-TECH-0100","#));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RateLimited {
    /// The trace id, which the caller gives to the service's support.
    pub trace_id: TraceId,
    /// The seconds until the limit ends: the header `retry-after`, in decimal digits.
    pub retry_after: NonZeroU64,
}

impl RateLimited {
    /// The HTTP status, and the code in the body.
    pub const STATUS: u16 = 429;
    /// The service's own code in the body.
    pub const ERROR_CODE: &'static str = "ER-TECH-0100";
    /// The message for people.
    pub const MESSAGE: &'static str = "Rate Limit Exceeded";

    /// The body as JSON text.
    #[must_use]
    pub fn body(&self) -> String {
        self.envelope().into_json()
    }

    fn envelope(&self) -> Record {
        Record::of(&ENVELOPE).and(Record::of(&ERROR).with(&self.trace_id))
    }
}

/// The reply: its rows say all of it but the seconds and the trace id.
static REPLY: Table = Table::answer(
    "The reply to a call that the rate limit refuses.",
    &[
        Row::plain("status", Status::IS, "The HTTP status."),
        Row::plain("headers", Is::Record(&HEADERS), "The headers."),
        Row {
            said: Said::of::<RateLimitedBody>("The body."),
            ..Row::plain("body", Is::Record(&ENVELOPE), "")
        },
    ],
);

static HEADERS: Table = Table::answer(
    "",
    &[Row::plain(
        "retry-after",
        Is::Text(&Kind::written("^[1-9][0-9]*$")),
        "The seconds until the limit ends, in decimal digits.",
    )],
);

static ENVELOPE: Table = Table::answer(
    "The body of the reply to a call that the rate limit refuses.",
    &[
        Row::plain("status", Is::Constant(&"error"), "The operation was not done."),
        Row::plain("error", Is::Record(&ERROR), "The error."),
    ],
);

static ERROR: Table = Table::answer(
    "",
    &[
        Row::plain("code", Status::IS, "The HTTP status."),
        Row::plain("errorCode", Is::Constant(&RateLimited::ERROR_CODE), "The service's own code."),
        Row::plain("message", Is::Constant(&RateLimited::MESSAGE), "The message for people."),
        Row::of::<TraceId>(
            "trace_id",
            "The trace id, which the caller gives to the service's support.",
        ),
    ],
);

type Status = Integer<429, 429>;

impl Valued for RateLimited {
    const IS: Is = Is::Record(&REPLY);

    fn record(&self) -> Record {
        let seconds = decimal(self.retry_after.get().into());
        let headers = Record::of(&HEADERS).with(&seconds);
        Record::of(&REPLY).and(headers).and(self.envelope())
    }
}

traits!(RateLimited: serialize, schema);

/// The body for schemas.
pub(crate) struct RateLimitedBody;

traits!(RateLimitedBody: schema(|generator| ENVELOPE.schema(generator)));

/// The seconds until the limit ends.
pub(crate) type RetryAfter = Integer<1, MAX_SAFE>;
