//! The kinds of refusals, one row each.

use super::{About, Refusal, table_of};
use crate::document::{Table, equal};
use crate::http::RateLimited;

/// The parts that all replies of one kind share.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
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
pub(super) enum Field {
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
}

const UNKNOWN_CALLER: &str = "ER-TECH-0007";
const UNREADABLE: &str = "ER-TECH-0016";
pub(super) const NOT_ENABLED_CODE: &str = "ER-TECH-0005";
const DOWNSTREAM: &str = "ER-TECH-0006";
const CHALLENGE: &str = "www-authenticate";
/// No scheme is registered for keys in a header of their own; every 401 must have a challenge (RFC 9110, 15.5.2).
const KEY: &str = "ApiKey";
const INVALID_TOKEN: &str = r#"Bearer error="invalid_token""#;

/// The kinds that the boundary knows.
pub(super) static KINDS: [Kind; 26] = [
    Kind::new(
        "bad-target",
        400,
        "expected a request target in origin form that all servers read alike, found a malformed or ambiguous one",
    ),
    Kind::new("not-found", 404, "expected the path of an operation, found an unknown path"),
    Kind::new("bad-host", 400, "expected one value of the header `host`, found none or several"),
    Kind::new(
        "bad-connection",
        400,
        "expected only headers of this connection in `connection`, found one for the backend",
    ),
    Kind::new(
        "missing-token",
        401,
        "expected a bearer token in the header `authorization`, found none",
    )
    .code(UNKNOWN_CALLER)
    .header(CHALLENGE, "Bearer"),
    Kind::new("invalid-token", 401, "expected a valid bearer token, found an invalid one")
        .code(UNKNOWN_CALLER)
        .header(CHALLENGE, INVALID_TOKEN),
    Kind::new("missing-key", 401, "expected a valid key in the header `x-api-key`, found none")
        .code(UNKNOWN_CALLER)
        .header(CHALLENGE, KEY),
    Kind::new(
        "invalid-key",
        401,
        "expected a valid key in the header `x-api-key`, found an invalid one",
    )
    .code(UNKNOWN_CALLER)
    .header(CHALLENGE, KEY),
    Kind::new(
        "invalid-server-key",
        401,
        "expected a valid key in the header `x-api-key`, found an invalid one",
    )
    .code("OAU_401")
    .header(CHALLENGE, KEY),
    Kind::new(
        "invalid-pair",
        401,
        "expected a valid key and a valid token of one application, found an invalid pair",
    )
    .code(UNKNOWN_CALLER)
    .header(CHALLENGE, INVALID_TOKEN),
    Kind::new(
        "store-lost",
        503,
        "the store of the rate limit does not answer: the call was not carried out",
    )
    .header("retry-after", "1"),
    Kind::new(
        "users-lost",
        503,
        "the service that knows the users does not answer: the call was not carried out",
    )
    .header("retry-after", "1"),
    Kind::new(
        "content-type",
        415,
        "expected the content type `application/json` in UTF-8, found a different one",
    )
    .header("accept", "application/json"),
    Kind::new(
        "content-encoding",
        415,
        "expected a body without a content coding, found an encoded one",
    )
    .header("accept-encoding", "identity"),
    Kind::new("too-large", 413, "expected a body {most}, found a longer one").with(Field::Most),
    Kind::new("not-utf8", 400, "expected a body in UTF-8, found invalid UTF-8").code(UNREADABLE),
    Kind::new("body-of-get", 400, "expected a GET without a body, found one with a body"),
    Kind::new("backend-lost", 502, "the backend does not answer").code(DOWNSTREAM),
    Kind::new("backend-late", 504, "the backend does not answer in time").code(DOWNSTREAM),
    Kind::new("failed", 500, "the server failed: the call may have been carried out"),
    Kind::new(
        "not-canonical",
        404,
        "expected the path `{path}`, found a spelling of it that is not canonical",
    )
    .with(Field::Operation),
    Kind::new(
        "method-not-allowed",
        405,
        "expected the method `{method}` for `{operation}`, found a different one",
    )
    .with(Field::Operation),
    Kind::new("no-backend", 501, "expected a wallet backend for `{operation}`, found none")
        .with(Field::Operation),
    Kind::new("rate-limited", RateLimited::STATUS, RateLimited::MESSAGE)
        .code(RateLimited::ERROR_CODE)
        .with(Field::RetryAfter),
    Kind::new(
        "bad-request",
        400,
        "expected a valid request, found problems: `error.details.issues` lists {issues} of them",
    )
    .code(UNREADABLE)
    .with(Field::Issues),
    Kind::new("not-enabled", 400, "{found} is not enabled for this application")
        .code(NOT_ENABLED_CODE)
        .with(Field::Found),
];

/// The kinds that only the gateway has: other programs do not contain them.
static GATEWAY: [Kind; 13] = [
    Kind::new(
        "bad-length",
        400,
        "expected one value of the header `content-length`, found several",
    ),
    Kind::new(
        "bad-authority",
        400,
        "expected a host and an optional port in the header `host`, found {found}",
    )
    .with(Field::Found),
    Kind::new(
        "transfer-coding",
        501,
        "expected the transfer coding `chunked` or none, found a different one",
    ),
    Kind::new(
        "long-target",
        414,
        "expected a target that can be sent to the backend, found a longer one",
    ),
    Kind::new("busy", 503, "too many requests run at once: the call was not carried out")
        .header("retry-after", "1"),
    Kind::new("body-stalled", 408, "expected a whole body, found one that stalled"),
    Kind::new("body-slow", 408, "expected a whole body, found one that took too long"),
    Kind::new("body-broken", 400, "expected a whole body, found one that broke off"),
    Kind::new("wrong-method", 405, "expected a method that this path has, found a different one"),
    Kind::new("absent", 404, "expected an application or a credential of the database, found none"),
    Kind::new(
        "database-lost",
        503,
        "the database does not answer: repeat the request with the same `idempotency-key`",
    )
    .header("retry-after", "1"),
    Kind::new("bundler-lost", 502, "the bundler gives no gas limits").code(DOWNSTREAM),
    Kind::new("bundler-late", 504, "the bundler gives no gas limits").code(DOWNSTREAM),
];

/// The kind with this name. One that no row has does not compile.
#[expect(clippy::panic, reason = "it ends the compilation")]
const fn kind(kinds: &'static [Kind], name: &str) -> &'static Kind {
    let mut rest = kinds;
    while let [kind, others @ ..] = rest {
        if equal(kind.name, name) {
            return kind;
        }
        rest = others;
    }
    panic!("expected the name of a kind")
}

/// The document of each.
#[expect(clippy::indexing_slicing, reason = "iterators are not for constants")]
pub(super) static TABLES: [(&str, &Table); KINDS.len()] = {
    let (mut list, mut at) = ([("", table_of(Field::None)); KINDS.len()], 0);
    while at < KINDS.len() {
        list[at] = (KINDS[at].name, table_of(KINDS[at].field));
        at += 1;
    }
    list
};

/// The name of a kind and its document, for answers that are refused for some reasons only.
pub(in crate::http) const fn document_of(name: &str) -> (&'static str, &'static Table) {
    let kind = kind(&KINDS, name);
    (kind.name, table_of(kind.field))
}

pub(super) const NOT_CANONICAL: &Kind = kind(&KINDS, "not-canonical");
pub(super) const METHOD_NOT_ALLOWED: &Kind = kind(&KINDS, "method-not-allowed");
pub(super) const NO_BACKEND: &Kind = kind(&KINDS, "no-backend");
pub(super) const RATE_LIMITED: &Kind = kind(&KINDS, "rate-limited");
pub(super) const TOO_LARGE: &Kind = kind(&KINDS, "too-large");
pub(super) const BAD_REQUEST: &Kind = kind(&KINDS, "bad-request");
pub(super) const NOT_ENABLED: &Kind = kind(&KINDS, "not-enabled");
pub(super) const BAD_AUTHORITY: &Kind = kind(&GATEWAY, "bad-authority");

impl Refusal {
    /// A target that is not a path with an optional query, or that some servers read differently.
    pub const BAD_TARGET: Self = Self::plain(kind(&KINDS, "bad-target"));
    /// An unknown path.
    pub const NOT_FOUND: Self = Self::plain(kind(&KINDS, "not-found"));
    /// HTTP/1.1 without `host`, or with several.
    pub const BAD_HOST: Self = Self::plain(kind(&KINDS, "bad-host"));
    /// A `connection` that names a header for the backend.
    pub const BAD_CONNECTION: Self = Self::plain(kind(&KINDS, "bad-connection"));
    /// A client operation without a bearer token.
    pub const MISSING_TOKEN: Self = Self::plain(kind(&KINDS, "missing-token"));
    /// A token that is malformed or unknown.
    pub const INVALID_TOKEN: Self = Self::plain(kind(&KINDS, "invalid-token"));
    /// A server operation without a key.
    pub const MISSING_KEY: Self = Self::plain(kind(&KINDS, "missing-key"));
    /// A key that is unknown or for another use.
    pub const INVALID_KEY: Self = Self::plain(kind(&KINDS, "invalid-key"));
    /// The same, for a server operation.
    pub const INVALID_SERVER_KEY: Self = Self::plain(kind(&KINDS, "invalid-server-key"));
    /// A key and a token, one of which is invalid, or which belong to two applications. The reply does not say which, so
    /// that a token does not help to guess keys.
    pub const INVALID_PAIR: Self = Self::plain(kind(&KINDS, "invalid-pair"));
    /// The store of rate windows does not answer, so the limit cannot be checked.
    pub const STORE_LOST: Self = Self::plain(kind(&KINDS, "store-lost"));
    /// The service that knows the users does not answer, so the caller cannot be identified.
    pub const USERS_LOST: Self = Self::plain(kind(&KINDS, "users-lost"));
    /// A body that is not JSON in UTF-8, by its `content-type`.
    pub const CONTENT_TYPE: Self = Self::plain(kind(&KINDS, "content-type"));
    /// A body with a content coding.
    pub const CONTENT_ENCODING: Self = Self::plain(kind(&KINDS, "content-encoding"));
    /// A body above the limit of this host, which [`too_large`](Self::too_large) names.
    pub const TOO_LARGE: Self = Self::plain(TOO_LARGE);
    /// A body that is not UTF-8.
    pub const NOT_UTF8: Self = Self::plain(kind(&KINDS, "not-utf8"));
    /// A GET with a body. A backend that does not read the body would read it as the next request.
    pub const BODY_OF_GET: Self = Self::plain(kind(&KINDS, "body-of-get"));
    /// The backend does not answer, or its answer is not HTTP.
    pub const BACKEND_LOST: Self = Self::plain(kind(&KINDS, "backend-lost"));
    /// The backend does not answer in time.
    pub const BACKEND_LATE: Self = Self::plain(kind(&KINDS, "backend-late"));
    /// A fault of the host itself. The reply gives no details.
    pub const FAILED: Self = Self::plain(kind(&KINDS, "failed"));
    /// Lengths that contradict each other.
    pub const BAD_LENGTH: Self = Self::plain(kind(&GATEWAY, "bad-length"));
    /// A transfer coding other than `chunked`.
    pub const TRANSFER_CODING: Self = Self::plain(kind(&GATEWAY, "transfer-coding"));
    /// A target that is too long for the backend.
    pub const LONG_TARGET: Self = Self::plain(kind(&GATEWAY, "long-target"));
    /// The largest number of requests is running.
    pub const BUSY: Self = Self::plain(kind(&GATEWAY, "busy"));
    /// A body that stalls.
    pub const BODY_STALLED: Self = Self::plain(kind(&GATEWAY, "body-stalled"));
    /// A body that never stalls, but takes too long as a whole.
    pub const BODY_SLOW: Self = Self::plain(kind(&GATEWAY, "body-slow"));
    /// A body that ends early.
    pub const BODY_BROKEN: Self = Self::plain(kind(&GATEWAY, "body-broken"));
    /// An admin's request to a path with a method that the path does not have.
    pub const WRONG_METHOD: Self = Self::plain(kind(&GATEWAY, "wrong-method"));
    /// An application or a credential that is not in the database.
    pub const ABSENT: Self = Self::plain(kind(&GATEWAY, "absent"));
    /// The database of applications does not answer.
    pub const DATABASE_LOST: Self = Self::plain(kind(&GATEWAY, "database-lost"));
    /// The bundler returns no gas limits.
    pub const BUNDLER_LOST: Self = Self::plain(kind(&GATEWAY, "bundler-lost"));
    /// The bundler returns no gas limits in time.
    pub const BUNDLER_LATE: Self = Self::plain(kind(&GATEWAY, "bundler-late"));

    const fn plain(kind: &'static Kind) -> Self {
        Self { kind, about: About::None }
    }
}
