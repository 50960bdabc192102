//! Why a request is refused, and the reply to it.

use alloc::{boxed::Box, string::String, vec::Vec};

use sendoff::error::{Error, Issue, IssueCode};
use sendoff::http::{Refusal, TraceId};

use crate::Json;
use crate::http::Reply;
use crate::json::object;
use crate::profile::ErrorWord;
use crate::text::{cut, joined};

/// A reason with a code that the service publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coded(&'static Code);

/// A status, a code and its sentence.
#[derive(Debug, PartialEq, Eq)]
struct Code {
    status: u16,
    code: &'static str,
    message: &'static str,
}

/// A reason. What returns one moves an address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault(Box<Reason>);

#[derive(Debug, PartialEq, Eq)]
enum Reason {
    /// One that every host has, by the core.
    Refused(Refusal),
    /// One of the service.
    Coded(Coded),
    /// A sentence beside one of the service's codes.
    Said(Coded, String),
    /// The path has other methods: these.
    Method(&'static str),
    /// The live service has it, and the pocket service does not: why, or what is in its place.
    Absent(&'static str),
}

impl Coded {
    /// The network has no entry.
    pub(crate) const NETWORK: Self =
        Self(&Code { status: 400, code: "ER-TECH-0004", message: "network details not found" });
    /// The quantity is not above zero, or not an integer.
    pub(crate) const QUANTITY: Self = Self(&Code {
        status: 400,
        code: "ER-TECH-0015",
        message: "quantity must be a number above zero, for NFTs an integer",
    });
    /// The wallet has less.
    pub(crate) const BALANCE: Self =
        Self(&Code { status: 400, code: "ER-TECH-0025", message: "Validation failed." });
    /// No order has this id. The vendor's page states no HTTP status.
    pub(crate) const ORDER: Self =
        Self(&Code { status: 404, code: "ER-TECH-0017", message: "no orders found for this id" });
    /// The user, the collection or the NFT is not known.
    pub(crate) const DATA: Self =
        Self(&Code { status: 404, code: "ER-TECH-0002", message: "data not found" });
    /// The body is not valid.
    pub(crate) const BODY: Self =
        Self(&Code { status: 400, code: "ER-TECH-0016", message: "body validation failed" });
    /// The token has expired.
    pub(crate) const EXPIRED: Self = Self(&Code {
        status: 401,
        code: "OAU_501",
        message: "the token has expired, log in again",
    });
    /// A contract cannot be read.
    pub(crate) const DOWNSTREAM: Self = Self(&Code {
        status: 422,
        code: "ER-TECH-0013",
        message: "downstream fetch failed, check the body",
    });
    /// The service has no room for more.
    pub(crate) const FULL: Self = Self(&Code {
        status: 503,
        code: "ER-TECH-0006",
        message: "the pocket service is full: start a new one",
    });
    /// The service cannot go on.
    pub(crate) const INTERNAL: Self =
        Self(&Code { status: 500, code: "ER-TECH-0005", message: "Something went wrong" });
}

impl From<Refusal> for Fault {
    #[inline(never)]
    fn from(refusal: Refusal) -> Self {
        Self(Box::new(Reason::Refused(refusal)))
    }
}

impl From<Coded> for Fault {
    #[inline(never)]
    fn from(coded: Coded) -> Self {
        Self(Box::new(Reason::Coded(coded)))
    }
}

impl Fault {
    /// A request with these problems, as the core refuses it; nothing without problems.
    pub(crate) fn unless_none(problems: Vec<Issue>) -> Result<(), Self> {
        let mut problems = problems.into_iter();
        let Some(first) = problems.next() else { return Ok(()) };
        let mut error = Error::from(first);
        error.extend(problems);
        Err(Refusal::from(error).into())
    }

    /// A request with one problem.
    #[inline(never)]
    pub(crate) fn of_problem(
        path: &str,
        code: IssueCode,
        expected: &str,
        found: Option<&str>,
    ) -> Self {
        Refusal::from(Error::from(Issue::new(path.into(), code, sentence(expected, found)))).into()
    }

    /// A sentence beside one of the service's codes.
    #[inline(never)]
    pub(crate) fn said(coded: Coded, said: String) -> Self {
        Self(Box::new(Reason::Said(coded, said)))
    }

    /// A path with other methods than the request's.
    pub(crate) fn method(allow: &'static str) -> Self {
        Self(Box::new(Reason::Method(allow)))
    }

    /// What the live service has and the pocket service does not.
    pub(crate) fn absent(why: &'static str) -> Self {
        Self(Box::new(Reason::Absent(why)))
    }

    /// The reply.
    pub(crate) fn reply(&self, trace: &TraceId, word: ErrorWord) -> Reply {
        let (coded, message) = match &*self.0 {
            Reason::Refused(refusal) => {
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
            Reason::Coded(coded) => (coded.0, String::from(coded.0.message)),
            Reason::Said(coded, said) => (coded.0, [coded.0.message, ": ", said].concat()),
            Reason::Absent(why) => {
                let said = ["the pocket service does not have this: ", why].concat();
                return Reply::json(501, &envelope(word, 501, None, &said, trace.as_str()));
            }
            Reason::Method(allow) => {
                let said = ["expected a different method for this path: ", allow].concat();
                let body = envelope(word, 405, None, &said, trace.as_str());
                let mut reply = Reply::json(405, &body);
                reply.set_header("allow", allow);
                return reply;
            }
        };
        let Code { status, code, .. } = *coded;
        Reply::json(status, &envelope(word, status, Some(code), &message, trace.as_str()))
    }
}

/// A sentence about what was expected, and what was found.
#[inline(never)]
pub(crate) fn sentence(expected: &str, found: Option<&str>) -> String {
    let (quote, found) = found.map_or(("", "nothing"), |found| ("`", cut(found)));
    ["expected ", expected, ", found ", quote, found, quote].concat()
}

/// What was expected instead of a text: some words, unless it is one of them.
pub(crate) fn unless_one_of(words: &[&str], text: &str) -> Option<String> {
    let expected = || ["`", &joined(words, "` or `"), "`"].concat();
    (!words.contains(&text)).then(expected)
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
