//! Replies of the service.

use alloc::{string::String, vec::Vec};
use core::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use serde_json::json;

use super::Opaque;
use crate::document::{
    Integer, MAX_SAFE, Node, Object, Read, Write, deserialize, from_document, read_document, schema,
};
use crate::document::{to_json, write_field, write_key, written_as};
use crate::error::{Error, Issues, Path};
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(tag = "status", rename_all = "camelCase", transform = Self::name_status))]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase"))]
pub struct ErrorReply {
    /// Most often the HTTP status; some replies have a negative code of JSON-RPC. From −(2^53−1) to 2^53−1.
    pub code: i64,
    /// The message for people.
    pub message: String,
    /// The service's own code, such as `ER-TECH-0100`.
    #[cfg_attr(feature = "schema", schemars(with = "String", skip_serializing_if = "Option::is_none"))]
    pub error_code: Option<String>,
    /// The id for the service's support: `trace_id` of the reply, or else its `traceId`.
    #[cfg_attr(feature = "schema", schemars(with = "String", skip_serializing_if = "Option::is_none"))]
    pub trace_id: Option<String>,
    /// More about the error: `details` of the reply, or else its `data`.
    #[cfg_attr(feature = "schema", schemars(with = "Opaque", skip_serializing_if = "Option::is_none"))]
    pub details: Option<Opaque>,
    /// The seconds to wait before another try, from the header `retry-after` ([`Reply::with_retry_after`]). No body has
    /// them.
    #[cfg_attr(feature = "schema", schemars(with = "u64", skip_serializing_if = "Option::is_none"))]
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

#[cfg(feature = "schema")]
impl Reply {
    fn name_status(schema: &mut schemars::Schema) {
        schema::name_tag(schema, "status", "Whether the operation was done.");
    }
}

keyword! {
    /// The `status` of a reply.
    enum Status: "`success` or `error`" {
        "success" => Success,
        "error" => Error,
    }
}

impl Read for Reply {
    const EXPECTED: &'static str = "a reply, an object of `status` and `data` or `error`";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open(node, Self::WANTED, at, issues)?;
        match object.required("status")? {
            Status::Success => object.required("data").map(|data| Self::Success { data }),
            Status::Error => object.required("error").map(Self::Error),
        }
    }
}

impl FromStr for Reply {
    type Err = Error;

    /// Reads JSON text; every problem of it is in the error.
    fn from_str(text: &str) -> Result<Self, Error> {
        read_document(text)
    }
}

impl fmt::Display for Reply {
    /// Writes the body as compact JSON text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&to_json(&ReplyBody(self)))
    }
}

impl<'de> Deserialize<'de> for Reply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ReplyBody(self).serialize(serializer)
    }
}

/// The body of a reply, as the service writes it.
pub(crate) struct ReplyBody<'a>(pub(crate) &'a Reply);

written_as!(ReplyBody<'_>, |body| {
    "status" => if let Reply::Success { .. } = body.0 { Status::Success } else { Status::Error },
    "data" => if let Reply::Success { data } = body.0 { Some(data) } else { None },
    "error" => if let Reply::Error(error) = body.0 { Some(error) } else { None },
});

written_as!(ErrorReply, |error| {
    "code" => error.code,
    "message" => error.message,
    "errorCode" => error.error_code,
    "traceId" => error.trace_id,
    "details" => error.details,
});

from_document!(ErrorReply);

impl Write for Reply {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        write_key("status", out);
        match self {
            Self::Success { data } => {
                Status::Success.write(out);
                write_key("data", out);
                data.write(out);
            }
            Self::Error(error) => {
                Status::Error.write(out);
                error.write_fields(out);
                write_field("retryAfter", &error.retry_after, out);
            }
        }
        out.push(b'}');
    }
}

impl Read for ErrorReply {
    const EXPECTED: &'static str = "an error, an object of `code` and `message`";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open(node, Self::WANTED, at, issues)?;
        let code = object.required::<Integer<{ -MAX_SAFE }, MAX_SAFE>>("code");
        let message = object.required("message");
        let error_code = object.optional("errorCode");
        let trace_id = either(&mut object, "trace_id", "traceId");
        let details = either(&mut object, "details", "data");
        match (code, message, error_code, trace_id, details) {
            (Some(Integer(code)), Some(message), Some(error_code), Some(trace_id), Some(details)) => {
                Some(Self { code, message, error_code, trace_id, details, retry_after: None })
            }
            _ => None,
        }
    }
}

/// The body of a reply, which [`Reply`] reads.
#[cfg(feature = "schema")]
pub(crate) struct ServiceReply;

schema::of!(ServiceReply, |generator| {
    let failure = generator.subschema_for::<ServiceFailure>();
    let success = schema::Fields::new(generator)
        .constant("status", "The operation was done or started.", Status::Success.as_str())
        .required::<Opaque>("data", "The answer; the specification shows it for the estimate only.")
        .open("The operation was done or started.");
    schemars::json_schema!({
        "description": "The body of a reply of the service, in each of its known forms. Other fields are ignored.",
        "oneOf": [success, failure],
    })
});

/// The body of an error reply.
#[cfg(feature = "schema")]
pub(crate) struct ServiceFailure;

schema::of!(ServiceFailure, |generator| {
    schema::Fields::new(generator)
        .constant("status", "The operation was not done.", Status::Error.as_str())
        .required::<ServiceError>("error", "The error.")
        .open("The body of an error reply of the service.")
});

/// `error` in the body of an error reply.
#[cfg(feature = "schema")]
struct ServiceError;

schema::of!(ServiceError, |generator| {
    let mut error = schema::Fields::new(generator)
        .required::<Integer<{ -MAX_SAFE }, MAX_SAFE>>(
            "code",
            "Most often the HTTP status; some replies have a code of JSON-RPC.",
        )
        .required::<String>("message", "The message for people.")
        .optional::<String>("errorCode", "The service's own code, such as `ER-TECH-0100`.")
        .optional::<String>("trace_id", "The id for the service's support.")
        .optional::<Opaque>("traceId", "Another spelling of `trace_id`: a string, unless `trace_id` is present.")
        .optional::<Opaque>("details", "More about the error.")
        .optional::<Opaque>("data", "Another spelling of `details`; ignored if `details` is present.")
        .open("The error.");
    error.insert("if".into(), json!({ "properties": { "trace_id": {} }, "required": ["trace_id"] }));
    error.insert("else".into(), json!({ "properties": { "traceId": { "type": "string" } } }));
    error
});

/// Reads a field with two spellings: the first spelling if both are present, in any order.
fn either<T: Read>(object: &mut Object<'_, '_>, first: &'static str, second: &'static str) -> Option<Option<T>> {
    object.optional(if object.has(first) { first } else { second })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::IssueCode;
    use alloc::{format, string::ToString, vec::Vec};

    #[test]
    fn problems_have_their_place() {
        let problems = |text: &str| {
            let error = text.parse::<Reply>().unwrap_err();
            error.into_issues().into_iter().map(|issue| (issue.path, issue.code)).collect::<Vec<_>>()
        };
        assert_eq!(problems("<html>"), [("".into(), IssueCode::Syntax)]);
        assert_eq!(problems("[]"), [("".into(), IssueCode::Type)]);
        assert_eq!(problems("{}"), [("status".into(), IssueCode::Missing)]);
        assert_eq!(problems(r#"{"status":"maybe"}"#), [("status".into(), IssueCode::Format)]);
        assert_eq!(problems(r#"{"status":"success"}"#), [("data".into(), IssueCode::Missing)]);
        assert_eq!(problems(r#"{"status":"error","data":1}"#), [("error".into(), IssueCode::Missing)]);
        assert_eq!(
            problems(r#"{"status":"error","error":{"code":4.5,"errorCode":null,"trace_id":1,"traceId":"a"}}"#),
            [
                ("error.code".into(), IssueCode::Type),
                ("error.message".into(), IssueCode::Missing),
                ("error.errorCode".into(), IssueCode::Type),
                ("error.trace_id".into(), IssueCode::Type),
            ]
        );
        assert_eq!(
            problems(r#"{"status":"success","data":[{"a":1,"a":1}]}"#),
            [("data.0.a".into(), IssueCode::Duplicate)]
        );
    }

    #[test]
    fn opaque_parts_keep_their_value() {
        let values = [
            "8.821019999999999",
            "0.1",
            "5e-324",
            "1.7976931348623157e+308",
            "-9007199254740991",
            "1.0",
            "123456789012345678901234567890",
            r#"{"b":[null,true,""],"a":{}}"#,
            r#""\u0001\"é""#,
        ];
        for value in values {
            let reply: Reply = format!(r#"{{"status":"success","data":{value}}}"#).parse().unwrap();
            assert_eq!(reply.to_string(), format!(r#"{{"status":"success","data":{value}}}"#));
        }
    }
}
