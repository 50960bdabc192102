//! Refusals: the reasons for which a host refuses a request, and its replies.

pub(super) mod kinds;
mod reply;

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::{fmt, num::NonZeroU64, str::FromStr};

use self::kinds::{
    BAD_AUTHORITY, BAD_REQUEST, Field, KINDS, Kind, METHOD_NOT_ALLOWED, NO_BACKEND, NOT_CANONICAL,
    NOT_ENABLED, NOT_ENABLED_CODE, RATE_LIMITED, TABLES, TOO_LARGE,
};
pub(crate) use self::reply::RefusalReply;
use super::{Bearer, Operation, RetryAfter, Side};
use crate::document::{
    Choice, Fields, Integer, Is, Record, Row, Table, Typed, Valued, read_document, traits,
};
use crate::error::{Error, Excerpt, Issue, IssueCode};
use crate::text::{WriteText as _, fill};
use crate::value::{conversions, decimal};

/// The reason for which a host refuses a request: `{refused}` in JSON, and one more field for some kinds.
///
/// Every host gives the same reply to a kind: [`status`](Self::status), [`error_code`](Self::error_code),
/// [`headers`](Self::headers), and `Display` as the message. The code is one of the service's own, if its public documents
/// have one for the cause. `From` makes a refusal of the [`Error`] of a request.
///
/// ```
/// use sendoff::http::{Operation, Refusal, find};
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

/// The value of its kind's field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum About {
    None,
    Operation(Operation),
    RetryAfter(NonZeroU64),
    Issues(Vec<Issue>),
    Found(String),
    Most(Option<u32>),
}

impl Refusal {
    const fn of(kind: &'static Kind, operation: Operation) -> Self {
        Self { kind, about: About::Operation(operation) }
    }

    /// Refuses another spelling of an operation's path. A lenient server would accept it, so it could bypass a limit or a
    /// rule by path.
    #[must_use]
    pub const fn not_canonical(operation: Operation) -> Self {
        Self::of(NOT_CANONICAL, operation)
    }

    /// Refuses a method other than the operation's.
    #[must_use]
    pub const fn method_not_allowed(operation: Operation) -> Self {
        Self::of(METHOD_NOT_ALLOWED, operation)
    }

    /// Refuses an operation that neither this host nor a backend answers.
    #[must_use]
    pub const fn no_backend(operation: Operation) -> Self {
        Self::of(NO_BACKEND, operation)
    }

    /// Refuses a call above the rate limit, with the seconds until the limit ends: [`RateLimited`](super::RateLimited).
    #[must_use]
    pub const fn rate_limited(retry_after: NonZeroU64) -> Self {
        Self { kind: RATE_LIMITED, about: About::RetryAfter(retry_after) }
    }

    /// Refuses a body of more than `most` bytes.
    #[must_use]
    pub const fn too_large(most: u32) -> Self {
        Self { kind: TOO_LARGE, about: About::Most(Some(most)) }
    }

    /// Refuses what is not enabled for this application, in words such as "the chain `eip155:1`".
    #[must_use]
    pub const fn not_enabled(found: String) -> Self {
        Self { kind: NOT_ENABLED, about: About::Found(found) }
    }

    /// Refuses a `host` that is not a host with an optional port. The message has its first 64 characters.
    #[must_use]
    pub fn bad_authority(found: &str) -> Self {
        Self { kind: BAD_AUTHORITY, about: About::Found(Excerpt(found).to_text()) }
    }

    /// Refuses a request of an unknown caller, by the values of `authorization` and `x-api-key`. The refusal names the
    /// wrong header if the two values show which one it is.
    ///
    /// ```
    /// use sendoff::http::{Operation, Refusal};
    ///
    /// let refusal = Refusal::unidentified(Operation::Portfolio, None, Some("key"));
    /// assert_eq!(refusal, Refusal::MISSING_TOKEN);
    /// let refusal = Refusal::unidentified(Operation::ServerMintNft, None, Some("key"));
    /// assert_eq!((refusal.status(), refusal.error_code()), (401, Some("OAU_401")));
    /// ```
    #[must_use]
    pub fn unidentified(
        operation: Operation,
        authorization: Option<&str>,
        key: Option<&str>,
    ) -> Self {
        let authorization = authorization.filter(|value| !value.is_empty());
        let has_token = authorization.is_some_and(Bearer::is_scheme_of);
        match (operation.side(), key.is_some(), has_token) {
            (_, true, true) => Self::INVALID_PAIR,
            (Side::Server, true, false) => Self::INVALID_SERVER_KEY,
            (Side::Server, false, _) => Self::MISSING_KEY,
            (Side::Client, false, true) => Self::INVALID_TOKEN,
            (Side::Client, true, false) if operation.takes_key() && authorization.is_none() => {
                Self::INVALID_KEY
            }
            (Side::Client, _, false) => Self::MISSING_TOKEN,
        }
    }

    /// The kind as it is written in JSON, such as `not-found`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        self.kind.name
    }

    /// The operation of the request, or the one that it resembles.
    #[must_use]
    pub const fn operation(&self) -> Option<Operation> {
        if let About::Operation(operation) = self.about { Some(operation) } else { None }
    }

    /// The problems of the request, at most 101 of them. None for a refusal of another kind than `bad-request`.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        if let About::Issues(issues) = &self.about { issues } else { &[] }
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
            About::Issues(issues) if issues.iter().all(is_of_policy) => Some(NOT_ENABLED_CODE),
            _ => self.kind.error_code,
        }
    }

    /// The headers of the reply: its content type, and at most one more.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
        let more = match &self.about {
            About::RetryAfter(seconds) => {
                Some(("retry-after", decimal(seconds.get().into()).into()))
            }
            About::Operation(operation) if self.kind == METHOD_NOT_ALLOWED => {
                Some(("allow", operation.method().as_str().into()))
            }
            _ => self.kind.header.map(|(name, value)| (name, value.into())),
        };
        core::iter::once(("content-type", "application/json".into())).chain(more)
    }

    /// The message of its kind, with the parts in braces replaced.
    fn message(&self) -> String {
        let mut message = String::new();
        for (at, part) in self.kind.message.split(['{', '}']).enumerate() {
            message.push_str(&if at % 2 == 0 { part.into() } else { self.said(part) });
        }
        message
    }

    fn said(&self, name: &str) -> Cow<'_, str> {
        let said = match &self.about {
            About::Operation(operation) => match name {
                "path" => operation.path_template(),
                "method" => operation.method().as_str(),
                _ => operation.as_str(),
            },
            About::Issues(issues) if issues.len() > MOST_ISSUES => "the first 100",
            About::Issues(_) => "all",
            About::Found(found) => found,
            About::Most(Some(most)) => return fill("of at most {} bytes", &[most]).into(),
            About::Most(None) => "within the limit of this server",
            About::None | About::RetryAfter(_) => "",
        };
        said.into()
    }
}

/// The largest number of problems in a reply; a body of 1 MiB can have a hundred thousand.
const MOST_ISSUES: usize = 100;

/// The largest number of bytes of a path in a reply; a path can have 64 keys, and each can be escaped.
const PATH_BYTES: usize = 256;

/// `true` if the only problem is that sponsorship is off; the request itself is valid.
fn is_of_policy(issue: &Issue) -> bool {
    issue.path == "feePayerAddress" && issue.code == IssueCode::Rule
}

/// `true` for a problem of the host's own facts. An unknown key of a request can be any text, `facts.x` too.
fn is_of_facts(issue: &Issue) -> bool {
    let is_there = issue
        .path
        .strip_prefix("facts")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    is_there && !matches!(issue.code, IssueCode::Unknown | IssueCode::Duplicate)
}

conversions! {
    /// Refuses a request that cannot be read, or that its facts do not allow: `bad-request`, with its first 100
    /// problems; [`Self::FAILED`] if the host's own facts have a problem.
    Error => Refusal: |error| Self::bad_request(error.into_issues());
}

impl Refusal {
    fn bad_request(mut issues: Vec<Issue>) -> Self {
        // One more than the reply shows: then the reply says that there are more.
        issues.truncate(MOST_ISSUES.saturating_add(1));
        issues.iter_mut().for_each(cut_path);
        if issues.iter().any(is_of_facts) {
            Self::FAILED
        } else {
            Self { kind: BAD_REQUEST, about: About::Issues(issues) }
        }
    }
}

/// Cuts off a long path, with an ellipsis in the place of its rest.
fn cut_path(issue: &mut Issue) {
    if issue.path.len() > PATH_BYTES {
        let kept = (0..=PATH_BYTES).rev().find_map(|end| issue.path.get(..end));
        issue.path = fill("{}…", &[&kept.unwrap_or_default()]);
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl core::error::Error for Refusal {}

/// A refusal, by its kind.
static REFUSAL: Choice = Choice {
    expected: "a refusal, an object with the kind in `refused`",
    unknown: "a kind of refusal",
    ..Choice::answer(
        "refused",
        String::IS,
        TABLES,
        "Why a host does not do what a request asks for.",
    )
};

const NAME: Row = Row::of::<String>("refused", "Why it is refused.");

const OPERATION: Row =
    Row::of::<Operation>("operation", "The operation that the request is for, or comes near to.");
const SECONDS: Row = Row::of::<RetryAfter>("retryAfter", "The seconds until the restriction ends.");
const ISSUES: Row = Row::of::<Vec<Issue>>("issues", "What is wrong with the request.");
const FOUND: Row = Row::of::<String>("found", "What is not enabled, in words.");
const MOST: Row = Row::of::<Option<Integer<1, 4_294_967_295>>>(
    "most",
    "The largest number of bytes of a body; absent if the host does not say it.",
);

/// The table of the refusals with a field.
const fn table_of(field: Field) -> &'static Table {
    match field {
        Field::None => const { &Table::said("", &[NAME]) },
        Field::Operation => const { &Table::said("", &[NAME, OPERATION]) },
        Field::RetryAfter => const { &Table::said("", &[NAME, SECONDS]) },
        Field::Issues => const { &Table::said("", &[NAME, ISSUES]) },
        Field::Found => const { &Table::said("", &[NAME, FOUND]) },
        Field::Most => const { &Table::said("", &[NAME, MOST]) },
    }
}

impl Valued for Refusal {
    const IS: Is = Is::Choice(&REFUSAL);

    fn record(&self) -> Record {
        let record = Record::of(table_of(self.kind.field)).with_text(self.kind.name);
        match &self.about {
            About::None => record,
            About::Most(most) => record.with(most),
            About::Operation(operation) => record.with(operation),
            About::RetryAfter(seconds) => record.with(seconds),
            About::Issues(issues) => record.with(issues),
            About::Found(found) => record.with(found),
        }
    }
}

impl Typed for Refusal {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        let name: String = fields.next()?;
        let kind = KINDS.iter().find(|kind| kind.name == name)?;
        Some(match kind.field {
            Field::None => Self::plain(kind),
            Field::Operation => Self::of(kind, fields.next()?),
            Field::RetryAfter => Self::rate_limited(fields.next()?),
            Field::Issues => Self::bad_request(fields.next()?),
            Field::Found => Self::not_enabled(fields.next()?),
            Field::Most => Self { kind, about: About::Most(fields.next()?) },
        })
    }
}

impl FromStr for Refusal {
    type Err = Error;

    /// Reads JSON text; every problem of it is in the error.
    fn from_str(text: &str) -> Result<Self, Error> {
        read_document(text)
    }
}

traits!(Refusal: deserialize, serialize, schema);
