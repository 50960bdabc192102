//! Replies of the service.

use alloc::string::String;

#[cfg(feature = "schema")]
use serde_json::json;

use super::Opaque;
use crate::document::{
    Choice, Fields, Integer, Is, MAX_SAFE, Others, Presence, Record, Row, Said, Table, Typed,
    Valued, traits,
};
use crate::text::number;
use crate::value::keyword;

/// A reply of the service in any of its known spellings.
///
/// `FromStr` and `Deserialize` read the body of a reply; `Display` and `Serialize` write it: `{status: "success", data}` or
/// `{status: "error", error: {code, message, errorCode?, traceId?, details?}}`. The answer of
/// [`read_reply`](crate::json::read_reply) has the fields of the error beside the status.
///
/// Unknown fields are ignored, because a later service may add some. A known field of another type is a problem. An
/// optional field is absent or a string, never null. `details` and `data` may be anything, null included.
///
/// ```
/// use sendoff::http::Reply;
///
/// let body = r#"{"status":"error","error":{"code":-32603,"message":"internal","traceId":"4bf9"}}"#;
/// let Reply::Error(error) = body.parse()? else { panic!("the service said success") };
/// assert_eq!((error.code, error.trace_id.as_deref()), (-32603, Some("4bf9")));
///
/// let Reply::Success { data } = r#"{"status":"success","data":{"count":0}}"#.parse()? else { panic!() };
/// assert_eq!(data.as_str(), r#"{"count":0}"#);
/// assert!("<html>".parse::<Reply>().is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// The operation was done or started.
    Success {
        /// The answer; the specification shows it for the estimate only.
        data: Opaque,
    },
    /// The operation was refused or failed.
    Error(ErrorReply),
}

/// An error of the service: `error` of its reply.
///
/// Only `code` and `message` are in every known variant. One `errorCode` stands for many causes, so the only code
/// listed here is that of [`super::RateLimited`].
///
/// ```
/// use sendoff::http::{ErrorReply, Reply};
///
/// let body = r#"{"status":"error","error":{"code":429,"errorCode":"ER-TECH-0100","message":"Rate Limit Exceeded",
///     "trace_id":"b75abffe"}}"#;
/// let Reply::Error(ErrorReply { code, error_code, .. }) = body.parse()? else { panic!("the service said success") };
/// assert_eq!((code, error_code.as_deref()), (429, Some("ER-TECH-0100")));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErrorReply {
    /// Most often the HTTP status; some replies have a negative code of JSON-RPC. From −(2^53−1) to 2^53−1.
    pub code: i64,
    /// The message for people.
    pub message: String,
    /// The service's own code, such as `ER-TECH-0100`.
    pub error_code: Option<String>,
    /// The id for the service's support: `trace_id` of the reply, or else its `traceId`.
    pub trace_id: Option<String>,
    /// More about the error: `details` of the reply, or else its `data`.
    pub details: Option<Opaque>,
    /// The seconds to wait before another try, from the header `retry-after` ([`Reply::with_retry_after`]). No body has
    /// them.
    pub retry_after: Option<u64>,
}

impl Reply {
    /// Adds the value of the reply's header `retry-after` to an error: a whole number of seconds. Any other value, such as
    /// a date, adds nothing, because a date needs a clock.
    ///
    /// ```
    /// use sendoff::http::Reply;
    ///
    /// let reply: Reply = r#"{"status":"error","error":{"code":429,"message":"slow down"}}"#.parse()?;
    /// let Reply::Error(error) = reply.with_retry_after("17") else { panic!("the service said success") };
    /// assert_eq!(error.retry_after, Some(17));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn with_retry_after(mut self, header: &str) -> Self {
        if let Self::Error(error) = &mut self {
            error.retry_after = seconds_of(header);
        }
        self
    }
}

/// Reads a whole number of seconds that JavaScript can express.
fn seconds_of(header: &str) -> Option<u64> {
    number(header).filter(|seconds| *seconds <= MAX_SAFE.unsigned_abs())
}

keyword! {
    /// The `status` of a reply.
    enum Status: "`success` or `error`" {
        "success" => Success,
        "error" => Error,
    }
}

/// The code of an error.
type Code = Integer<{ -MAX_SAFE }, MAX_SAFE>;

/// A reply, by its status. Other fields are ignored, because a later service may add some.
static REPLY: Choice = Choice {
    expected: "a reply, an object of `status` and `data` or `error`",
    ..Choice::answer(
        "status",
        Status::IS,
        &[("success", &SUCCESS), ("error", &FAILURE)],
        "The body of a reply of the service, in each of its known forms. Other fields are ignored.",
    )
};

static SUCCESS: Table = Table::answer(
    "The operation was done or started.",
    &[
        Row::of::<Status>("status", "The operation was done or started."),
        Row::of::<Opaque>("data", "The answer; the specification shows it for the estimate only."),
    ],
);

const FAILED: Row = Row::of::<Status>("status", "The operation was not done.");

static FAILURE: Table = Table {
    rows: &[
        FAILED,
        Row {
            said: Said::of::<ServiceError>("The error."),
            ..Row::plain("error", ErrorReply::IS, "")
        },
    ],
    others: Others::Ignored,
    ..Table::of::<ServiceFailure>("The body of an error reply of the service.")
};

static ERROR: Table = Table {
    expected: "an error, an object of `code` and `message`",
    ..Table::answer(
        "The error.",
        &[
            Row::of::<Code>(
                "code",
                "Most often the HTTP status; some replies have a negative code of JSON-RPC.",
            ),
            Row::of::<String>("message", "The message for people."),
            Row::of::<Option<String>>(
                "errorCode",
                "The service's own code, such as `ER-TECH-0100`.",
            ),
            Row::of::<String>(
                "traceId",
                "The id for the service's support: `trace_id` of the reply, or else its `traceId`.",
            )
            .present(Presence::Spelled(&["trace_id", "traceId"])),
            Row::of::<Opaque>(
                "details",
                "More about the error: `details` of the reply, or else its `data`.",
            )
            .present(Presence::Spelled(&["details", "data"])),
        ],
    )
};

/// The answer of [`read_reply`](crate::json::read_reply), by its status.
static ANSWER: Choice = Choice::answer(
    "status",
    Status::IS,
    &[("success", &SUCCESS), ("error", &ANSWERED)],
    "A reply of the service in any of its known spellings.",
);

static ANSWERED: Table = Table::answer(
    "The operation was refused or failed.",
    &[
        FAILED,
        Row { said: Said::of::<ErrorReply>(""), ..Row::plain("", Is::Group(&ANSWERED_ERROR), "") },
    ],
);

static ANSWERED_ERROR: Table = Table::answer(
    "An error of the service: `error` of its reply.",
    &[
        Row::plain("", Is::Group(&ERROR), ""),
        Row::of::<Option<Integer<0, MAX_SAFE>>>(
            "retryAfter",
            "The seconds to wait before another try, from the header `retry-after`. No body has them.",
        ),
    ],
);

/// The answer of [`read_reply`](crate::json::read_reply).
pub(crate) struct ReadReply(pub(crate) Reply);

impl Valued for ReadReply {
    const IS: Is = Is::Choice(&ANSWER);

    fn record(&self) -> Record {
        let Self(reply) = self;
        let Reply::Error(error) = reply else { return reply.record() };

        let answer = Record::of(&ANSWERED_ERROR).with(error).with(&error.retry_after);
        Record::of(&ANSWERED).with(&Status::Error).and(answer)
    }
}

impl Valued for Reply {
    const IS: Is = Is::Choice(&REPLY);

    fn record(&self) -> Record {
        match self {
            Self::Success { data } => Record::of(&SUCCESS).with(&Status::Success).with(data),
            Self::Error(error) => Record::of(&FAILURE).with(&Status::Error).with(error),
        }
    }
}

impl Typed for Reply {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        Some(match fields.next()? {
            Status::Success => Self::Success { data: fields.next()? },
            Status::Error => Self::Error(fields.next()?),
        })
    }
}

/// The header is no field of the body.
impl Valued for ErrorReply {
    const IS: Is = Is::Record(&ERROR);

    fn record(&self) -> Record {
        let Self { code, message, error_code, trace_id, details, retry_after: _ } = self;
        Record::of(&ERROR)
            .with_number(*code)
            .with(message)
            .with(error_code)
            .with(trace_id)
            .with(details)
    }
}

impl Typed for ErrorReply {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self {
            code: fields.next()?,
            message: fields.next()?,
            error_code: fields.next()?,
            trace_id: fields.next()?,
            details: fields.next()?,
            retry_after: None,
        })
    }
}

traits!(Reply: read, serialize, schema(|generator| Is::Choice(&ANSWER).schema(generator)));
traits!(ErrorReply: read, serialize, schema(|generator| ANSWERED_ERROR.schema(generator)));

/// The body of a reply, which [`Reply`] reads.
pub(crate) struct ServiceReply;

traits!(ServiceReply: schema(|generator| Reply::IS.schema(generator)));

/// The body of an error reply.
pub(crate) struct ServiceFailure;

traits!(ServiceFailure: schema(|generator| REPLY.variant(&FAILURE, &["error"], generator)));

/// `error` in the body of an error reply.
struct ServiceError;

traits!(ServiceError: schema(|generator| {
    let mut error = ERROR.schema(generator);
    let properties = error.get_mut("properties").and_then(serde_json::Value::as_object_mut);
    if let Some(properties) = properties {
        for (key, sentence) in [
            ("traceId", "Another spelling of `trace_id`: a string, unless `trace_id` is present."),
            ("data", "Another spelling of `details`; ignored if `details` is present."),
        ] {
            let mut other = generator.subschema_for::<Opaque>();
            other.insert("description".into(), sentence.into());
            properties.insert(key.into(), other.to_value());
        }
    }

    error
        .insert("if".into(), json!({ "properties": { "trace_id": {} }, "required": ["trace_id"] }));
    error.insert("else".into(), json!({ "properties": { "traceId": { "type": "string" } } }));
    error
}));
