//! Why a request is refused, and the reply to it.

use alloc::{format, string::String, vec::Vec};

use sendoff::error::{Error, Issue, IssueCode};
use sendoff::http::{Refusal, TraceId};

use crate::Json;
use crate::http::Reply;
use crate::json::object;
use crate::profile::ErrorWord;

/// A reason with a code that the service publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coded {
    status: u16,
    code: &'static str,
    message: &'static str,
}

/// A reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// One that every host has, by the core.
    Refused(Refusal),
    /// One of the service.
    Coded(Coded),
    /// A sentence beside one of the service's codes.
    Said(Coded, String),
}

impl Coded {
    const fn new(status: u16, code: &'static str, message: &'static str) -> Self {
        Self { status, code, message }
    }

    /// The network has no entry.
    pub(crate) const NETWORK: Self = Self::new(400, "ER-TECH-0004", "network details not found");
    /// The quantity is not above zero, or not an integer.
    pub(crate) const QUANTITY: Self =
        Self::new(400, "ER-TECH-0015", "quantity must be a number above zero, for NFTs an integer");
    /// The wallet has less.
    pub(crate) const BALANCE: Self = Self::new(400, "ER-TECH-0025", "Validation failed.");
    /// No order has this id. The vendor's page states no HTTP status.
    pub(crate) const ORDER: Self = Self::new(404, "ER-TECH-0017", "no orders found for this id");
    /// The user, the collection or the NFT is not known.
    pub(crate) const DATA: Self = Self::new(404, "ER-TECH-0002", "data not found");
    /// The body is not valid.
    pub(crate) const BODY: Self = Self::new(400, "ER-TECH-0016", "body validation failed");
    /// The token has expired.
    pub(crate) const EXPIRED: Self =
        Self::new(401, "OAU_501", "the token has expired, log in again");
    /// A contract cannot be read.
    pub(crate) const DOWNSTREAM: Self =
        Self::new(422, "ER-TECH-0013", "downstream fetch failed, check the body");
    /// The service cannot go on.
    pub(crate) const INTERNAL: Self = Self::new(500, "ER-TECH-0005", "Something went wrong");
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Coded> for Fault {
    fn from(coded: Coded) -> Self {
        Self::Coded(coded)
    }
}

impl Fault {
    /// A request with these problems, as the core refuses it; nothing without problems.
    pub(crate) fn unless_none(problems: Vec<Issue>) -> Result<(), Self> {
        let mut problems = problems.into_iter();
        let Some(first) = problems.next() else { return Ok(()) };
        let mut error = Error::from(first);
        error.extend(problems);
        Err(Self::Refused(error.into()))
    }

    /// A request with one problem.
    pub(crate) fn of_problem(path: &str, code: IssueCode, said: String) -> Self {
        Self::Refused(Error::from(Issue::new(path.into(), code, said)).into())
    }

    /// The reply.
    pub(crate) fn reply(&self, trace: &TraceId, word: ErrorWord) -> Reply {
        let (coded, message) = match self {
            Self::Refused(refusal) => {
                let body = refusal.body(trace);
                let body = match word {
                    ErrorWord::Error => body,
                    ErrorWord::Failure => match body.strip_prefix(r#"{"status":"error""#) {
                        Some(rest) => [r#"{"status":"failure""#, rest].concat(),
                        None => body,
                    },
                };
                let mut reply = Reply::text(refusal.status(), body);
                reply.headers = refusal
                    .headers()
                    .map(|(name, value)| (name.into(), value.into_owned()))
                    .collect();
                return reply;
            }
            Self::Coded(coded) => (coded, String::from(coded.message)),
            Self::Said(coded, said) => (coded, format!("{}: {said}", coded.message)),
        };
        Reply::json(
            coded.status,
            &envelope(word, coded.status, Some(coded.code), &message, trace.as_str()),
        )
    }
}

/// The service's error envelope.
pub(crate) fn envelope(
    word: ErrorWord,
    status: u16,
    code: Option<&str>,
    message: &str,
    trace: &str,
) -> Json {
    let mut error = Vec::from([(String::from("code"), Json::from(u64::from(status)))]);
    error.extend(code.map(|code| ("errorCode".into(), code.into())));
    error.push(("message".into(), message.into()));
    error.push(("trace_id".into(), trace.into()));
    object([("status", word.as_str().into()), ("error", Json::Object(error))])
}
