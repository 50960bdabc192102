//! The reply to a call that the rate limit refuses.

use alloc::string::String;
use core::num::NonZeroU64;

use super::TraceId;
use super::envelope::{envelope, reply};
use crate::document::{Integer, MAX_SAFE, Value, Valued, to_json, traits};
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
        to_json(&self.envelope())
    }

    fn envelope(&self) -> Value {
        envelope(Self::STATUS, Some(Self::ERROR_CODE), Self::MESSAGE.into(), &self.trace_id, &[])
    }
}

impl Valued for RateLimited {
    fn valued(&self) -> Value {
        let seconds = Value::text(decimal(self.retry_after.get().into()));
        reply(Self::STATUS, alloc::vec![("retry-after".into(), seconds)], self.envelope())
    }
}

traits!(RateLimited: write, serialize, schema(|generator| {
    let seconds = schemars::json_schema!({ "type": "string", "pattern": "^[1-9][0-9]*$" });
    let headers = crate::document::schema::Fields::new(generator)
        .shaped("retry-after", "The seconds until the limit ends, in decimal digits.", seconds)
        .open("");
    crate::document::schema::Fields::new(generator)
        .constant("status", "The HTTP status.", Self::STATUS)
        .shaped("headers", "The headers.", headers)
        .required::<RateLimitedBody>("body", "The body.")
        .open("The reply to a call that the rate limit refuses.")
}));

/// The body for schemas.
#[cfg(feature = "schema")]
pub(crate) struct RateLimitedBody;

traits!(RateLimitedBody: schema(|generator| {
    let error = crate::document::schema::Fields::new(generator)
        .constant("code", "The HTTP status.", RateLimited::STATUS)
        .constant("errorCode", "The service's own code.", RateLimited::ERROR_CODE)
        .constant("message", "The message for people.", RateLimited::MESSAGE)
        .required::<TraceId>(
            "trace_id",
            "The trace id, which the caller gives to the service's support.",
        )
        .open("");
    crate::document::schema::Fields::new(generator)
        .constant("status", "The operation was not done.", "error")
        .shaped("error", "The error.", error)
        .open("The body of the reply to a call that the rate limit refuses.")
}));

/// The seconds until the limit ends.
pub(crate) type RetryAfter = Integer<1, MAX_SAFE>;
