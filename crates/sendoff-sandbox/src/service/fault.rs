//! Why a request is refused, and the reply to it.

use sendoff::error::{Error, Issue, IssueCode};
use sendoff::http::{Refusal, TraceId};

use super::envelope::failure;
use crate::http::Reply;
use crate::json::cut;
use crate::switches::ErrorWord;

/// A reason with a code that the service publishes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Coded {
    status: u16,
    code: &'static str,
    message: &'static str,
}

/// A reason.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// One that every host has, by the core.
    Refused(Refusal),
    /// One of the service.
    Coded(&'static Coded),
    /// A sentence beside one of the service's codes.
    Said(&'static Coded, String),
    /// The path has other methods: these.
    Method(&'static str),
    /// The live service has it, and the pocket service does not: why, or what is in its place.
    Absent(&'static str),
}

/// The answer to a request.
pub(crate) type Answered<T> = Result<T, Fault>;

/// The network has no entry.
pub(crate) static NETWORK: Coded = coded(400, "ER-TECH-0004", "network details not found");
/// The quantity is not above zero, or not an integer.
pub(crate) static QUANTITY: Coded =
    coded(400, "ER-TECH-0015", "quantity must be a number above zero, for NFTs an integer");
/// The wallet has less.
pub(crate) static BALANCE: Coded = coded(400, "ER-TECH-0025", "Validation failed.");
/// No order has this id. The vendor's page states no HTTP status.
pub(crate) static ORDER: Coded = coded(404, "ER-TECH-0017", "no orders found for this id");
/// The user, the collection or the NFT is not known.
pub(crate) static DATA: Coded = coded(404, "ER-TECH-0002", "data not found");
/// The body is not valid.
pub(crate) static BODY: Coded = coded(400, "ER-TECH-0016", "body validation failed");
/// The token has expired.
pub(crate) static EXPIRED: Coded = coded(401, "OAU_501", "the token has expired, log in again");
/// A contract cannot be read.
pub(crate) static DOWNSTREAM: Coded =
    coded(422, "ER-TECH-0013", "downstream fetch failed, check the body");
/// The service has no room for more.
pub(crate) static FULL: Coded =
    coded(503, "ER-TECH-0006", "the pocket service is full: start a new one");
/// The service cannot go on.
pub(crate) static INTERNAL: Coded = coded(500, "ER-TECH-0005", "Something went wrong");

const fn coded(status: u16, code: &'static str, message: &'static str) -> Coded {
    Coded { status, code, message }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Box<Issue>> for Fault {
    fn from(problem: Box<Issue>) -> Self {
        Self::Refused(Error::from(*problem).into())
    }
}

impl From<&'static Coded> for Fault {
    fn from(coded: &'static Coded) -> Self {
        Self::Coded(coded)
    }
}

impl Fault {
    /// A request with a field that is not what was expected.
    pub(crate) fn field(path: &str, expected: &str, found: &str) -> Self {
        let message = sentence(expected, found);
        Box::new(Issue::new(path.into(), IssueCode::Format, message)).into()
    }

    /// The reply.
    pub(crate) fn reply(&self, trace: &TraceId, word: ErrorWord) -> Reply {
        let enveloped =
            |status, code, message: &str| failure(word, status, code, message, trace.as_str());
        match self {
            Self::Refused(refusal) => {
                let mut body = refusal.body(trace);
                if word == ErrorWord::Failure {
                    body = body.replacen(r#""status":"error""#, r#""status":"failure""#, 1);
                }
                let mut reply = Reply::text(refusal.status(), body);
                let headers = refusal.headers();
                reply.headers =
                    headers.map(|(name, value)| (name.into(), value.into_owned())).collect();
                reply
            }
            Self::Coded(coded) => enveloped(coded.status, Some(coded.code), coded.message),
            Self::Said(coded, said) => {
                let message = format!("{}: {said}", coded.message);
                enveloped(coded.status, Some(coded.code), &message)
            }
            Self::Absent(why) => {
                enveloped(501, None, &format!("the pocket service does not have this: {why}"))
            }
            Self::Method(allow) => {
                let said = format!("expected a different method for this path: {allow}");
                let mut reply = enveloped(405, None, &said);
                reply.set_header("allow", allow);
                reply
            }
        }
    }
}

/// Refuses with a reason unless a rule is kept.
pub(crate) fn check(is_kept: bool, fault: impl Into<Fault>) -> Answered<()> {
    if is_kept { Ok(()) } else { Err(fault.into()) }
}

/// A sentence about what was expected, and what was found.
pub(crate) fn sentence(expected: &str, found: &str) -> String {
    format!("expected {expected}, found `{}`", cut(found))
}
