//! The kinds of refusals, one row each.

use super::{About, Refusal, table_of};
use crate::document::Table;
use crate::http::RateLimited;

/// The parts that all replies of one kind share.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(in crate::http) struct Kind {
    /// Its name in JSON.
    pub(super) name: &'static str,
    pub(super) status: u16,
    /// One of the service's own.
    pub(super) error_code: Option<&'static str>,
    /// A header beside the content type.
    pub(super) header: Option<(&'static str, &'static str)>,
    /// The message. Parts that depend on the refusal are in braces.
    pub(super) message: &'static str,
    /// The field of a refusal of this kind.
    pub(super) field: Field,
}

/// The field of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::http) enum Field {
    None,
    Operation,
    RetryAfter,
    Issues,
    Found,
    Most,
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

    /// Its name and its document.
    pub(in crate::http) const fn document(&self) -> (&'static str, &'static Table) {
        (self.name, table_of(self.field))
    }
}

const UNKNOWN_CALLER: &str = "ER-TECH-0007";
const UNREADABLE: &str = "ER-TECH-0016";
pub(super) const NOT_ENABLED_CODE: &str = "ER-TECH-0005";
const DOWNSTREAM: &str = "ER-TECH-0006";
const CHALLENGE: &str = "www-authenticate";
/// No scheme is registered for keys in a header of their own; every 401 must have a challenge (RFC 9110, 15.5.2).
const KEY: &str = "ApiKey";
const WRONG_KEY: &str = "expected a valid key in the header `x-api-key`, found an invalid one";
const WRONG_TOKEN: &str = r#"Bearer error="invalid_token""#;

/// The kinds that the boundary knows: those of which a constant says everything, and those with a field. Then those that only
/// the gateway has: other programs do not contain them. A macro, because a row is a constant, a kind that can be read and a
/// document.
macro_rules! kinds {
    (
        { $($(#[doc = $doc:literal])* $name:ident $row:tt;)* }
        { $($field_name:ident $field_row:tt;)* }
        { $($(#[doc = $gateway_doc:literal])* $gateway_name:ident $gateway_row:tt;)* }
    ) => {
        pub(super) static KINDS: &[&Kind] = &[$($name,)* $($field_name),*];

        /// The document of each.
        pub(super) static TABLES: &[(&str, &Table)] =
            &[$($name.document(),)* $($field_name.document()),*];

        $(pub(in crate::http) const $name: &Kind = &kinds!(@kind $row);)*
        $(pub(in crate::http) const $field_name: &Kind = &kinds!(@kind $field_row);)*

        impl Refusal {
            $($(#[doc = $doc])* pub const $name: Self = Self::plain($name);)*
            $($(#[doc = $gateway_doc])* pub const $gateway_name: Self =
                Self::plain(&kinds!(@kind $gateway_row));)*
        }
    };
    (@kind ($name:expr, $status:expr, $message:expr $(, $part:ident($($value:expr),+))*)) => {
        Kind::new($name, $status, $message)$(.$part($($value),+))*
    };
}

kinds! { {
    /// A target that is not a path with an optional query, or that some servers read differently.
    BAD_TARGET("bad-target", 400,
        "expected a request target in origin form that all servers read alike, found a malformed \
        or ambiguous one");
    /// An unknown path.
    NOT_FOUND("not-found", 404, "expected the path of an operation, found an unknown path");
    /// HTTP/1.1 without `host`, or with several.
    BAD_HOST("bad-host", 400, "expected one value of the header `host`, found none or several");
    /// A `connection` that names a header for the backend.
    BAD_CONNECTION("bad-connection", 400,
        "expected only headers of this connection in `connection`, found one for the backend");
    /// A client operation without a bearer token.
    MISSING_TOKEN("missing-token", 401,
        "expected a bearer token in the header `authorization`, found none",
        code(UNKNOWN_CALLER), header(CHALLENGE, "Bearer"));
    /// A token that is malformed or unknown.
    INVALID_TOKEN("invalid-token", 401,
        "expected a valid bearer token, found an invalid one",
        code(UNKNOWN_CALLER), header(CHALLENGE, WRONG_TOKEN));
    /// A server operation without a key.
    MISSING_KEY("missing-key", 401,
        "expected a valid key in the header `x-api-key`, found none",
        code(UNKNOWN_CALLER), header(CHALLENGE, KEY));
    /// A key that is unknown or for another use.
    INVALID_KEY("invalid-key", 401, WRONG_KEY, code(UNKNOWN_CALLER), header(CHALLENGE, KEY));
    /// The same, for a server operation.
    INVALID_SERVER_KEY("invalid-server-key", 401,
        WRONG_KEY, code("OAU_401"), header(CHALLENGE, KEY));
    /// A key and a token, one of which is invalid, or which belong to two applications. The reply does not say which, so
    /// that a token does not help to guess keys.
    INVALID_PAIR("invalid-pair", 401,
        "expected a valid key and a valid token of one application, found an invalid pair",
        code(UNKNOWN_CALLER), header(CHALLENGE, WRONG_TOKEN));
    /// The store of rate windows does not answer, so the limit cannot be checked.
    STORE_LOST("store-lost", 503,
        "the store of the rate limit does not answer: the call was not carried out",
        header("retry-after", "1"));
    /// The service that knows the users does not answer, so the caller cannot be identified.
    USERS_LOST("users-lost", 503,
        "the service that knows the users does not answer: the call was not carried out",
        header("retry-after", "1"));
    /// A body that is not JSON in UTF-8, by its `content-type`.
    CONTENT_TYPE("content-type", 415,
        "expected the content type `application/json` in UTF-8, found a different one",
        header("accept", "application/json"));
    /// A body with a content coding.
    CONTENT_ENCODING("content-encoding", 415,
        "expected a body without a content coding, found an encoded one",
        header("accept-encoding", "identity"));
    /// A body that is not UTF-8.
    NOT_UTF8("not-utf8", 400, "expected a body in UTF-8, found invalid UTF-8", code(UNREADABLE));
    /// A GET with a body. A backend that does not read the body would read it as the next request.
    BODY_OF_GET("body-of-get", 400, "expected a GET without a body, found one with a body");
    /// The backend does not answer, or its answer is not HTTP.
    BACKEND_LOST("backend-lost", 502, "the backend does not answer", code(DOWNSTREAM));
    /// The backend does not answer in time.
    BACKEND_LATE("backend-late", 504, "the backend does not answer in time", code(DOWNSTREAM));
    /// A fault of the host itself. The reply gives no details.
    FAILED("failed", 500, "the server failed: the call may have been carried out");
} {
    NOT_CANONICAL("not-canonical", 404,
        "expected the path `{path}`, found a spelling of it that is not canonical",
        with(Field::Operation));
    METHOD_NOT_ALLOWED("method-not-allowed", 405,
        "expected the method `{method}` for `{operation}`, found a different one",
        with(Field::Operation));
    NO_BACKEND("no-backend", 501,
        "expected a wallet backend for `{operation}`, found none", with(Field::Operation));
    RATE_LIMITED("rate-limited", RateLimited::STATUS,
        RateLimited::MESSAGE, code(RateLimited::ERROR_CODE), with(Field::RetryAfter));
    BAD_REQUEST("bad-request", 400,
        "expected a valid request, found problems: `error.details.issues` lists {issues} of them",
        code(UNREADABLE), with(Field::Issues));
    TOO_LARGE("too-large", 413, "expected a body {most}, found a longer one", with(Field::Most));
    NOT_ENABLED("not-enabled", 400,
        "{found} is not enabled for this application", code(NOT_ENABLED_CODE), with(Field::Found));
} {
    /// Lengths that contradict each other.
    BAD_LENGTH("bad-length", 400,
        "expected one value of the header `content-length`, found several");
    /// A transfer coding other than `chunked`.
    TRANSFER_CODING("transfer-coding", 501,
        "expected the transfer coding `chunked` or none, found a different one");
    /// A target that is too long for the backend.
    LONG_TARGET("long-target", 414,
        "expected a target that can be sent to the backend, found a longer one");
    /// The largest number of requests is running.
    BUSY("busy", 503,
        "too many requests run at once: the call was not carried out", header("retry-after", "1"));
    /// A body that stalls.
    BODY_STALLED("body-stalled", 408, "expected a whole body, found one that stalled");
    /// A body that never stalls, but takes too long as a whole.
    BODY_SLOW("body-slow", 408, "expected a whole body, found one that took too long");
    /// A body that ends early.
    BODY_BROKEN("body-broken", 400, "expected a whole body, found one that broke off");
    /// An admin's request to a path with a method that the path does not have.
    WRONG_METHOD("wrong-method", 405,
        "expected a method that this path has, found a different one");
    /// An application or a credential that is not in the database.
    ABSENT("absent", 404, "expected an application or a credential of the database, found none");
    /// The database of applications does not answer.
    DATABASE_LOST("database-lost", 503,
        "the database does not answer: repeat the request with the same `idempotency-key`",
        header("retry-after", "1"));
    /// The bundler returns no gas limits.
    BUNDLER_LOST("bundler-lost", 502, "the bundler gives no gas limits", code(DOWNSTREAM));
    /// The bundler returns no gas limits in time.
    BUNDLER_LATE("bundler-late", 504, "the bundler gives no gas limits", code(DOWNSTREAM));
} }

pub(super) const BAD_AUTHORITY: &Kind = &Kind::new(
    "bad-authority",
    400,
    "expected a host and an optional port in the header `host`, found {found}",
)
.with(Field::Found);

impl Refusal {
    /// A body above the limit of this host, which [`too_large`](Self::too_large) names.
    pub const TOO_LARGE: Self = Self { kind: TOO_LARGE, about: About::Most(None) };

    pub(super) const fn plain(kind: &'static Kind) -> Self {
        Self { kind, about: About::None }
    }
}
