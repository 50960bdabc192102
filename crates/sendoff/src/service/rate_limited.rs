//! The reply to a call that the rate limit refuses.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::num::NonZeroU64;

use crate::document::{Integer, MAX_SAFE, escape, schema, to_json, written_as};
use crate::value::{Fault, Spell, Text, decimal, text_value};

/// The reply to a call that the rate limit refuses: `{status, headers: {"retry-after"}, body}` in JSON.
///
/// The specification shows the whole reply. Source of the status: RFC 6585, section 4; of the header: RFC 9110, section
/// 10.2.3.
///
/// ```
/// use core::num::NonZeroU64;
/// use sendoff::service::RateLimited;
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
        to_json(&Body(self))
    }
}

written_as!(RateLimited, |reply| {
    "status" => RateLimited::STATUS,
    "headers" => Headers(reply),
    "body" => Body(reply),
});

struct Headers<'a>(&'a RateLimited);

written_as!(Headers<'_>, |headers| {
    "retry-after" => decimal(headers.0.retry_after.get().into()),
});

struct Body<'a>(&'a RateLimited);

written_as!(Body<'_>, |body| {
    "status" => "error",
    "error" => ErrorPart(body.0),
});

struct ErrorPart<'a>(&'a RateLimited);

written_as!(ErrorPart<'_>, |error| {
    "code" => RateLimited::STATUS,
    "errorCode" => RateLimited::ERROR_CODE,
    "message" => RateLimited::MESSAGE,
    "trace_id" => error.0.trace_id,
});

/// The trace id of a request in the service's records: text of 1 to 128 characters.
///
/// The specification shows no form. The host makes it, because the core has no randomness.
///
/// ```
/// use sendoff::service::TraceId;
///
/// assert!("b75abffe965b968336491b674067412e".parse::<TraceId>().is_ok());
/// assert!("".parse::<TraceId>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId {
    text: Box<str>,
}

impl TraceId {
    const MAX_CHARS: usize = 128;

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl Spell for TraceId {
    fn spell(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.text.as_bytes());
    }

    fn quote(&self, out: &mut Vec<u8>) {
        escape(&self.text, out);
    }
}

impl Text for TraceId {
    const EXPECTED: &'static str = "a trace id of 1 to 128 characters";

    fn accept(text: &str) -> Result<Self, Fault> {
        let fits = !text.is_empty() && text.chars().nth(Self::MAX_CHARS).is_none();
        fits.then(|| Self { text: text.into() }).ok_or(Fault::FORMAT)
    }
}

text_value!(TraceId);
schema::of!(TraceId, |_| schemars::json_schema!({
    "type": "string",
    "description": <Self as Text>::EXPECTED,
    "minLength": 1,
    "maxLength": Self::MAX_CHARS,
}));

schema::of!(RateLimited, |generator| {
    let seconds = schemars::json_schema!({ "type": "string", "pattern": "^[1-9][0-9]*$" });
    let headers = schema::Fields::new(generator)
        .shaped("retry-after", "The seconds until the limit ends, in decimal digits.", seconds)
        .open("");
    schema::Fields::new(generator)
        .constant("status", "The HTTP status.", Self::STATUS)
        .shaped("headers", "The headers.", headers)
        .required::<RateLimitedBody>("body", "The body.")
        .open("The reply to a call that the rate limit refuses.")
});

/// [`Body`] for schemas.
#[cfg(feature = "schema")]
pub(crate) struct RateLimitedBody;

schema::of!(RateLimitedBody, |generator| {
    let error = schema::Fields::new(generator)
        .constant("code", "The HTTP status.", RateLimited::STATUS)
        .constant("errorCode", "The service's own code.", RateLimited::ERROR_CODE)
        .constant("message", "The message for people.", RateLimited::MESSAGE)
        .required::<TraceId>("trace_id", "The trace id, which the caller gives to the service's support.")
        .open("");
    schema::Fields::new(generator)
        .constant("status", "The operation was not done.", "error")
        .shaped("error", "The error.", error)
        .open("The body of the reply to a call that the rate limit refuses.")
});

/// The seconds until the limit ends.
pub(crate) type RetryAfter = Integer<1, MAX_SAFE>;
