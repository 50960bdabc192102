//! A reply compared with the request that it answers.

use alloc::{boxed::Box, vec::Vec};

use super::comparison::compare_sides;
use super::finding::Finding;
use super::scope::Sides;
use super::{EstimateReply, EstimateRequest, Rule, Verification};
use crate::document::{Is, Node, Read as _, Reading, Value, Valued, read_part};
use crate::error::{Excerpt, Issue, Issues, Path};
use crate::http::ErrorReply;
use crate::intent::IntentType;
use crate::text::fill;

/// A reply: its text, or the typed [`EstimateReply`].
///
/// ```
/// use sendoff::estimate::ReplySource;
///
/// assert!(matches!("{}".into(), ReplySource::Text("{}")));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum ReplySource<'a> {
    /// JSON text.
    Text(&'a str),
    /// A reply that was parsed or created.
    Reply(&'a EstimateReply),
}

impl<'a, T: AsRef<str> + ?Sized> From<&'a T> for ReplySource<'a> {
    fn from(text: &'a T) -> Self {
        Self::Text(text.as_ref())
    }
}

impl<'a> From<&'a EstimateReply> for ReplySource<'a> {
    fn from(reply: &'a EstimateReply) -> Self {
        Self::Reply(reply)
    }
}

/// Compares a reply with the request that it answers.
///
/// Values are compared by meaning: the letter case of hex and UUIDs and the order of keys do not matter. Fields without
/// a rule are not compared. These are the fields that a request leaves open, such as the gas limits, the amounts of
/// fees, and whether a network is possible. Each field of the operation must be there and of its kind.
///
/// ```
/// use sendoff::estimate::{EstimateRequest, Rule, verify};
///
/// let request: EstimateRequest = r#"{
///     "type": "TOKEN_TRANSFER",
///     "jobId": "e4fb7f8b-d19d-4785-94af-4b911469a3b0",
///     "gasDetails": { "maxFeePerGas": "0x2255100", "maxPriorityFeePerGas": "0x2255100" },
///     "paymasterData": "0x",
///     "details": {
///         "caip2Id": "eip155:84532",
///         "recipientWalletAddress": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
///         "tokenAddress": "",
///         "amount": "10000000000000"
///     }
/// }"#.parse()?;
/// let verification = verify(&request, r#"{ "status": "pending" }"#);
/// assert!(!verification.ok);
/// assert_eq!((verification.findings[0].rule, &*verification.findings[0].path), (Rule::Status, "status"));
/// assert_eq!((verification.findings[1].rule, &*verification.findings[1].path), (Rule::Shape, "data"));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[must_use]
pub fn verify<'a>(request: &EstimateRequest, reply: impl Into<ReplySource<'a>>) -> Verification {
    Verification::of(match reply.into().read(request.intent.kind()) {
        Ok((reply, problems)) => compare_sides(&mut Sides::new(request, None, reply), problems),
        Err(error) => alloc::vec![*error],
    })
}

/// A reply that was read, with its problems; or the finding that it is an error.
pub(super) type ReadReply = Result<(Value, Vec<Issue>), Box<Finding>>;

impl ReplySource<'_> {
    /// Reads the reply to a request of this type.
    // Always inlined: a module in which every reply is text has then no code for typed ones.
    #[inline(always)]
    pub(super) fn read(self, kind: IntentType) -> ReadReply {
        match self {
            Self::Reply(reply) => Ok((reply.to_value(), Vec::new())),
            Self::Text(text) => read_reply(text, kind),
        }
    }
}

#[inline(never)]
fn read_reply(text: &str, kind: IntentType) -> ReadReply {
    let reading = Reading::ReplyTo(kind.as_str());
    let mut issues = Issues::default();

    let node = Node::parse(text, &Path::Root, &mut issues);
    if let Some(finding) = node.as_ref().and_then(error_envelope) {
        return Err(finding.into());
    }

    let is = &Is::Record(EstimateReply::TABLE);
    let read = |node| read_part(&node, is, reading, &Path::Root, &mut issues);
    let reply = node.map_or(Value::Unread, read);
    Ok((reply, issues.into_issues()))
}

/// Returns the finding that a reply is an error of the service.
fn error_envelope(node: &Node<'_>) -> Option<Finding> {
    node.get("status").filter(|status| status.as_text() == Some("error"))?;
    let error = ErrorReply::read(node.get("error")?, &Path::Root, &mut Issues::default())?;

    let ErrorReply { code, message, error_code, trace_id, .. } = error;
    let mut found = fill("an error of the service, code {}: {}", &[&code, &Excerpt(&message)]);
    for (what, text) in [("errorCode", &error_code), ("trace id", &trace_id)] {
        if let Some(text) = text {
            found = fill("{}, {} {}", &[&found, &what, &Excerpt(text)]);
        }
    }

    let message = fill("expected `success`, found {}", &[&found]);
    Some(Finding::new(Rule::Status, "status".into(), message))
}
