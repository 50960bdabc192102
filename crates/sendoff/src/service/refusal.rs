//! Refusals: why a host does not do what a request asks for, and what it answers.

use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::{fmt, num::NonZeroU64, str::FromStr};

use super::envelope::Envelope;
use super::{Bearer, Operation, RateLimited, RetryAfter, Side, TraceId};
use serde::{Deserialize, Deserializer};

use crate::document::{Integer, Node, Object, Read, Write, read_document, schema, to_json, undivided, write_key};
use crate::document::{deserialize, written_as};
use crate::error::{Error, Excerpt, Issue, IssueCode, Issues, Path};
use crate::value::decimal;

/// Why a host does not do what a request asks for: `{refused}` in JSON, with one field more for some kinds.
///
/// Every kind has one reply, whoever gives it: [`status`](Self::status), [`error_code`](Self::error_code),
/// [`headers`](Self::headers), and `Display` for people. The code is one of the service's own, and only where its public
/// documents give one for the cause. An [`Error`] of a request becomes a refusal by `From`.
///
/// ```
/// use sendoff::service::{Operation, Refusal, find};
///
/// assert_eq!(find("GET", "/api/v1/../v1/orders"), Err(Refusal::BAD_TARGET));
/// assert_eq!(find("GET", "/api/v1/orders/"), Err(Refusal::not_canonical(Operation::Orders)));
/// assert_eq!(find("POST", "/api/v1/orders"), Err(Refusal::method_not_allowed(Operation::Orders)));
/// assert_eq!(find("GET", "/api/v1/order"), Err(Refusal::NOT_FOUND));
/// assert_eq!(Refusal::NOT_FOUND.status(), 404);
///
/// let refusal: Refusal = r#"{"refused":"rate-limited","retryAfter":53}"#.parse()?;
/// assert_eq!(refusal.error_code(), Some("ER-TECH-0100"));
/// assert!(refusal.headers().any(|header| header == ("retry-after", "53".into())));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Refusal {
    kind: &'static Kind,
    about: About,
}

/// What all replies of one kind have in common.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Kind {
    /// Its name in JSON.
    name: &'static str,
    status: u16,
    /// One of the service's own.
    error_code: Option<&'static str>,
    /// A header beside the content type.
    header: Option<(&'static str, &'static str)>,
    /// What a person is told. The parts that depend on the refusal stand in braces.
    message: &'static str,
    /// What a refusal of this kind has beside it.
    field: Field,
}

/// The field of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Field {
    None,
    Operation,
    RetryAfter,
    Issues,
    Found,
}

/// The value of that field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum About {
    None,
    Operation(Operation),
    RetryAfter(NonZeroU64),
    Issues(Error),
    Found(String),
}

impl Kind {
    const fn new(name: &'static str, status: u16, message: &'static str) -> Self {
        Self { name, status, error_code: None, header: None, message, field: Field::None }
    }

    const fn code(self, error_code: &'static str) -> Self {
        Self { error_code: Some(error_code), ..self }
    }

    const fn header(self, name: &'static str, value: &'static str) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    const fn with(self, field: Field) -> Self {
        Self { field, ..self }
    }
}

/// The table of kinds. Those behind `named` can be named at the boundary, in the order of their rows; the others are of
/// the gateway.
macro_rules! kinds {
    (
        named { $($(#[doc = $doc:literal])* $constant:ident = $kind:expr;)* }
        of_fields { $($field_constant:ident = $field_kind:expr;)* }
        of_the_gateway { $($(#[doc = $gateway_doc:literal])* $gateway:ident = $gateway_kind:expr;)* }
    ) => {
        impl Refusal {
            $($(#[doc = $doc])* pub const $constant: Self = Self { kind: &$kind, about: About::None };)*
            $($(#[doc = $gateway_doc])* pub const $gateway: Self = Self { kind: &$gateway_kind, about: About::None };)*
        }

        $(const $field_constant: &Kind = &$field_kind;)*

        /// The kinds that can be named at the boundary.
        const NAMED: &[&Kind] = &[$(Refusal::$constant.kind,)* $($field_constant),*];
    };
}

const UNKNOWN_CALLER: &str = "ER-TECH-0007";
const UNREADABLE: &str = "ER-TECH-0016";
const NOT_ENABLED_CODE: &str = "ER-TECH-0005";
const DOWNSTREAM: &str = "ER-TECH-0006";
const CHALLENGE: &str = "www-authenticate";
/// No scheme is registered for keys in a header of their own; a challenge must stand in every 401 (RFC 9110, 15.5.2).
const KEY: &str = "ApiKey";
const INVALID_TOKEN: &str = r#"Bearer error="invalid_token""#;

kinds! {
    named {
        /// The target is no path with perhaps a query, or one that servers are known to read differently.
        BAD_TARGET =
            Kind::new("bad-target", 400, "expected an unambiguous request target in origin form, found an ambiguous target or another form");
        /// There is no such path.
        NOT_FOUND = Kind::new("not-found", 404, "expected the path of an operation, found an unknown path");
        /// HTTP/1.1 without `host`, or with several.
        BAD_HOST = Kind::new("bad-host", 400, "expected exactly one header `host`, found none or several");
        /// A client operation without a bearer token.
        MISSING_TOKEN =
            Kind::new("missing-token", 401, "expected a bearer token in the header `authorization`, found no bearer token")
                .code(UNKNOWN_CALLER)
                .header(CHALLENGE, "Bearer");
        /// A token that is malformed, or that nobody has.
        INVALID_TOKEN = Kind::new("invalid-token", 401, "expected a valid token, found an unknown or malformed token")
            .code(UNKNOWN_CALLER)
            .header(CHALLENGE, INVALID_TOKEN);
        /// A server operation without a key.
        MISSING_KEY = Kind::new("missing-key", 401, "expected a valid key in the header `x-api-key`, found no key")
            .code(UNKNOWN_CALLER)
            .header(CHALLENGE, KEY);
        /// A key that nobody has, or that has another use.
        INVALID_KEY = Kind::new("invalid-key", 401, "expected a valid key in the header `x-api-key`, found an unknown key")
            .code(UNKNOWN_CALLER)
            .header(CHALLENGE, KEY);
        /// The same, of a server operation.
        INVALID_SERVER_KEY =
            Kind::new("invalid-server-key", 401, "expected a valid key in the header `x-api-key`, found an unknown key")
                .code("OAU_401")
                .header(CHALLENGE, KEY);
        /// A key and a token of which one is invalid, or that are of two applications. Which it is is not told, so nobody
        /// can try out keys by a token.
        INVALID_PAIR =
            Kind::new("invalid-pair", 401, "expected a valid key and a valid token of one application, found an invalid pair")
                .code(UNKNOWN_CALLER)
                .header(CHALLENGE, INVALID_TOKEN);
        /// The store of rate windows does not answer, so whether the call may pass is not known.
        STORE_LOST =
            Kind::new("store-lost", 503, "the store of the rate limit does not answer: the call was not carried out")
                .header("retry-after", "1");
        /// A body that is not JSON in UTF-8, by its `content-type`.
        CONTENT_TYPE =
            Kind::new("content-type", 415, "expected the content type `application/json` in UTF-8, found a different content type")
                .header("accept", "application/json");
        /// A body with a content coding.
        CONTENT_ENCODING = Kind::new("content-encoding", 415, "expected a body without a content coding, found a content coding")
            .header("accept-encoding", "identity");
        /// A body that is longer than this host takes.
        TOO_LARGE = Kind::new("too-large", 413, "expected a body within the limit of this server, found a longer body");
        /// A body that is not UTF-8.
        NOT_UTF8 = Kind::new("not-utf8", 400, "expected a body of UTF-8 text, found other bytes").code(UNREADABLE);
        /// A GET with a body. A backend that does not read it would take it for the next request.
        BODY_OF_GET = Kind::new("body-of-get", 400, "expected a GET without a body, found a body");
        /// The backend does not answer, or not in HTTP.
        BACKEND_LOST = Kind::new("backend-lost", 502, "the backend does not answer").code(DOWNSTREAM);
        /// The backend does not answer in time.
        BACKEND_LATE = Kind::new("backend-late", 504, "the backend does not answer in time").code(DOWNSTREAM);
        /// A fault of the host's own, of which nothing is told.
        FAILED = Kind::new("failed", 500, "the server failed: the call may have been carried out");
    }
    of_fields {
        NOT_CANONICAL = Kind::new("not-canonical", 404, "expected the path `{path}`, found an alias of it")
            .with(Field::Operation);
        METHOD_NOT_ALLOWED =
            Kind::new("method-not-allowed", 405, "expected the method `{method}` for `{operation}`, found a different method")
                .with(Field::Operation);
        NO_BACKEND = Kind::new("no-backend", 501, "expected a wallet backend for `{operation}`, found no backend")
            .with(Field::Operation);
        RATE_LIMITED = Kind::new("rate-limited", RateLimited::STATUS, RateLimited::MESSAGE)
            .code(RateLimited::ERROR_CODE)
            .with(Field::RetryAfter);
        BAD_REQUEST = Kind::new(
            "bad-request",
            400,
            "expected a valid request, found problems: error.details.issues has {issues} of them",
        )
        .code(UNREADABLE)
        .with(Field::Issues);
        NOT_ENABLED = Kind::new("not-enabled", 400, "expected a value that is enabled for this application, found {found}")
            .code(NOT_ENABLED_CODE)
            .with(Field::Found);
    }
    of_the_gateway {
        /// Lengths that contradict each other.
        BAD_LENGTH = Kind::new("bad-length", 400, "expected one value of the header `content-length`, found different values");
        /// A `connection` that names a header which is for the backend too.
        BAD_CONNECTION = Kind::new(
            "bad-connection",
            400,
            "expected headers of this connection in `connection`, found a header for the backend",
        );
        /// A transfer coding other than `chunked`.
        TRANSFER_CODING =
            Kind::new("transfer-coding", 501, "expected the transfer coding `chunked`, found another coding");
        /// A target that is too long to be sent on.
        LONG_TARGET =
            Kind::new("long-target", 414, "expected a shorter target, found a target that is too long for the backend");
        /// As many requests run as may.
        BUSY = Kind::new("busy", 503, "too many requests run at once: the call was not carried out")
            .header("retry-after", "1");
        /// A body that stalls.
        BODY_STALLED = Kind::new("body-stalled", 408, "expected the whole body, found a stall");
        /// A body that comes without a stall and takes too long in all.
        BODY_SLOW = Kind::new("body-slow", 408, "expected the whole body, found that it is too slow");
        /// A body that ends early.
        BODY_BROKEN = Kind::new("body-broken", 400, "expected the whole body, found an incomplete body");
        /// The bundler gives no gas limits.
        BUNDLER_LOST = Kind::new("bundler-lost", 502, "the bundler gives no gas limits").code(DOWNSTREAM);
        /// The bundler gives no gas limits in time.
        BUNDLER_LATE = Kind::new("bundler-late", 504, "the bundler gives no gas limits").code(DOWNSTREAM);
    }
}

impl Refusal {
    const fn of(kind: &'static Kind, operation: Operation) -> Self {
        Self { kind, about: About::Operation(operation) }
    }

    /// Another spelling of an operation's path, which a lenient server would take for it. Let through, it could evade a
    /// limit or a rule that is kept by path.
    #[must_use]
    pub const fn not_canonical(operation: Operation) -> Self {
        Self::of(NOT_CANONICAL, operation)
    }

    /// Another method than the operation's.
    #[must_use]
    pub const fn method_not_allowed(operation: Operation) -> Self {
        Self::of(METHOD_NOT_ALLOWED, operation)
    }

    /// This host does not answer the operation itself, and has no backend that does.
    #[must_use]
    pub const fn no_backend(operation: Operation) -> Self {
        Self::of(NO_BACKEND, operation)
    }

    /// The rate limit, with the seconds until it ends: [`RateLimited`].
    #[must_use]
    pub const fn rate_limited(retry_after: NonZeroU64) -> Self {
        Self { kind: RATE_LIMITED, about: About::RetryAfter(retry_after) }
    }

    /// What is not enabled for this application, in words such as "the chain `eip155:1`".
    #[must_use]
    pub const fn not_enabled(found: String) -> Self {
        Self { kind: NOT_ENABLED, about: About::Found(found) }
    }

    /// The refusal of a request whose caller is not known, by what it shows: the values of `authorization`
    /// and `x-api-key`. What is wrong with which of them is told as far as the two headers tell it.
    ///
    /// ```
    /// use sendoff::service::{Operation, Refusal};
    ///
    /// let refusal = Refusal::unidentified(Operation::Portfolio, None, Some("key"));
    /// assert_eq!(refusal, Refusal::MISSING_TOKEN);
    /// let refusal = Refusal::unidentified(Operation::ServerMintNft, None, Some("key"));
    /// assert_eq!((refusal.status(), refusal.error_code()), (401, Some("OAU_401")));
    /// ```
    #[must_use]
    pub fn unidentified(operation: Operation, authorization: Option<&str>, key: Option<&str>) -> Self {
        let authorization = authorization.filter(|value| !value.is_empty());
        let has_token = authorization.is_some_and(Bearer::is_scheme_of);
        match (operation.side(), key.is_some(), has_token) {
            (_, true, true) => Self::INVALID_PAIR,
            (Side::Server, true, false) => Self::INVALID_SERVER_KEY,
            (Side::Server, false, _) => Self::MISSING_KEY,
            (Side::Client, false, true) => Self::INVALID_TOKEN,
            (Side::Client, true, false) if operation.takes_key() && authorization.is_none() => Self::INVALID_KEY,
            (Side::Client, _, false) => Self::MISSING_TOKEN,
        }
    }

    /// The kind as it stands in JSON, such as `not-found`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        self.kind.name
    }

    /// The operation that the request is for, or comes near to.
    #[must_use]
    pub const fn operation(&self) -> Option<Operation> {
        if let About::Operation(operation) = self.about { Some(operation) } else { None }
    }

    /// The HTTP status, which is the code in the body too.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.kind.status
    }

    /// The service's own code.
    #[must_use]
    pub fn error_code(&self) -> Option<&'static str> {
        match &self.about {
            About::Issues(error) if error.issues().iter().all(is_of_policy) => Some(NOT_ENABLED_CODE),
            _ => self.kind.error_code,
        }
    }

    /// The headers of the reply: its content type, and at most one more.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
        let more = match &self.about {
            About::RetryAfter(seconds) => Some(("retry-after", decimal(seconds.get().into()).into())),
            About::Operation(operation) if self.kind == METHOD_NOT_ALLOWED => {
                Some(("allow", operation.method().as_str().into()))
            }
            _ => self.kind.header.map(|(name, value)| (name, value.into())),
        };
        core::iter::once(("content-type", "application/json".into())).chain(more)
    }

    /// The body of the reply as JSON text.
    #[must_use]
    pub fn body(&self, trace_id: &TraceId) -> String {
        to_json(&self.envelope(&self.message(), trace_id))
    }

    fn envelope<'a>(&'a self, message: &'a str, trace_id: &'a TraceId) -> Envelope<'a> {
        let issues = if let About::Issues(error) = &self.about { error.issues() } else { &[] };
        let details = issues.get(..MOST_ISSUES).unwrap_or(issues);
        Envelope { code: self.status(), error_code: self.error_code(), message, trace_id, details }
    }

    /// The message of its kind, with what stands in braces there replaced.
    fn message(&self) -> String {
        let mut message = String::new();
        for (at, part) in self.kind.message.split(['{', '}']).enumerate() {
            message.push_str(if at % 2 == 0 { part } else { self.said(part) });
        }
        message
    }

    fn said(&self, name: &str) -> &str {
        match &self.about {
            About::Operation(operation) => match name {
                "path" => operation.path_template(),
                "method" => operation.method().as_str(),
                _ => operation.as_str(),
            },
            About::Issues(error) if error.issues().len() > MOST_ISSUES => "the first 100",
            About::Issues(_) => "all",
            About::Found(found) => found,
            About::None | About::RetryAfter(_) => "",
        }
    }
}

/// How many problems a reply shows; a body of 1 MiB can have a hundred thousand.
const MOST_ISSUES: usize = 100;

/// How many bytes of a path it shows; there are 64 keys in one, and each can be escaped.
const PATH_BYTES: usize = 256;

/// Sponsorship is off: nothing is wrong with the request itself.
fn is_of_policy(issue: &Issue) -> bool {
    issue.path == "feePayerAddress" && issue.code == IssueCode::Rule
}

/// A problem of the host's own facts. A key that a request does not have can be any text, `facts.x` too.
fn is_of_facts(issue: &Issue) -> bool {
    let is_there = issue.path.strip_prefix("facts").is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    is_there && !matches!(issue.code, IssueCode::Unknown | IssueCode::Duplicate)
}

impl From<Error> for Refusal {
    /// The refusal of a request that cannot be read, or that its facts do not allow: `bad-request`, with its first 100
    /// problems. It is [`Self::FAILED`] if the host's own facts have a problem.
    fn from(mut error: Error) -> Self {
        // One more than is shown tells that there are more.
        error.cut(MOST_ISSUES.saturating_add(1), PATH_BYTES);
        if error.issues().iter().any(is_of_facts) {
            Self::FAILED
        } else {
            Self { kind: BAD_REQUEST, about: About::Issues(error) }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl core::error::Error for Refusal {}

impl Read for Refusal {
    const EXPECTED: &'static str = "a refusal, an object with the kind in `refused`";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open(node, Self::EXPECTED, at, issues)?;
        let name: String = object.required("refused")?;
        let Some(kind) = NAMED.iter().find(|kind| kind.name == name) else {
            object.push("refused", IssueCode::Format, format!("expected a kind of refusal, found {}", Excerpt(&name)));
            return None;
        };
        let refusal = match kind.field {
            Field::None => Some(Self { kind, about: About::None }),
            Field::Operation => object.required("operation").map(|operation| Self::of(kind, operation)),
            Field::RetryAfter => object
                .required("retryAfter")
                .and_then(|Integer(seconds): RetryAfter| NonZeroU64::new(seconds.unsigned_abs()))
                .map(Self::rate_limited),
            Field::Issues => object.required("issues").map(|issues| Error::of(issues).into()),
            Field::Found => object.required("found").map(Self::not_enabled),
        };
        object.close();
        refusal
    }
}

impl FromStr for Refusal {
    type Err = Error;

    /// Reads JSON text; every problem of it is in the error.
    fn from_str(text: &str) -> Result<Self, Error> {
        read_document(text)
    }
}

impl<'de> Deserialize<'de> for Refusal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

// The boundary answers no kind with another field.
written_as!(Refusal, |refusal| {
    "refused" => refusal.kind.name,
    "operation" => refusal.operation(),
});

/// A refusal as HTTP carries it: `{status, headers, body}` in JSON.
pub(crate) struct RefusalReply {
    /// Why it is refused.
    pub(crate) refusal: Refusal,
    /// What the caller names to the service's support.
    pub(crate) trace_id: TraceId,
}

impl Write for RefusalReply {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        write_key("status", out);
        self.refusal.status().write(out);
        write_key("headers", out);
        out.push(b'{');
        for (name, value) in self.refusal.headers() {
            write_key(name, out);
            (*value).write(out);
        }
        out.push(b'}');
        write_key("body", out);
        self.refusal.envelope(&self.refusal.message(), &self.trace_id).write(out);
        out.push(b'}');
    }
}

schema::of!(Refusal, |generator| {
    let fields = [Field::None, Field::Operation, Field::RetryAfter, Field::Issues, Field::Found];
    let variants = fields.map(|field| {
        let kinds: Vec<_> = NAMED.iter().filter(|kind| kind.field == field).map(|kind| kind.name).collect();
        let kinds = schemars::json_schema!({ "enum": kinds });
        let fields = schema::Fields::new(generator).shaped("refused", "The kind.", kinds);
        let fields = match field {
            Field::None => fields,
            Field::Operation => {
                fields.required::<Operation>("operation", "The operation that the request is for, or comes near to.")
            }
            Field::RetryAfter => fields.required::<RetryAfter>("retryAfter", "The seconds until the restriction ends."),
            Field::Issues => fields.required::<Vec<Issue>>("issues", "What is wrong with the request."),
            Field::Found => fields.required::<String>("found", "What is not enabled, in words."),
        };
        fields.close("")
    });
    schemars::json_schema!({ "description": "Why a host does not do what a request asks for.", "oneOf": variants })
});

schema::of!(RefusalReply, |generator| {
    let headers = schemars::json_schema!({ "type": "object", "additionalProperties": { "type": "string" } });
    schema::Fields::new(generator)
        .required::<Integer<400, 599>>("status", "The HTTP status.")
        .shaped("headers", "Its content type, and what its kind needs.", headers)
        .required::<super::ServiceFailure>("body", "What is sent.")
        .open("A refusal as HTTP carries it.")
});
