//! A reply compared with the request that it answers.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::comparison::Comparison;
use super::reply::ReplyParts;
use super::{EstimateReply, EstimateRequest, Finding, Rule, Verification};
use crate::document::{Node, Read};
use crate::error::{Excerpt, Issue, Issues, Path};
use crate::service::ErrorReply;
use crate::text::fill;
use crate::user_op::Call;

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

impl<'a> From<&'a str> for ReplySource<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for ReplySource<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
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
/// a rule are not checked. These are the fields that a request leaves open, such as the gas limits, the amounts of
/// fees, and whether a network is possible.
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
    let read = match reply.into() {
        ReplySource::Text(text) => read_text(request, text),
        ReplySource::Reply(reply) => read_typed(reply),
    };
    Verification::of(examine(request, read, Purpose::Verify).findings)
}

/// The same for text. Callers that have only text then contain no code for typed replies.
pub(crate) fn verify_text(request: &EstimateRequest, reply: &str) -> Verification {
    Verification::of(examine(request, read_text(request, reply), Purpose::Verify).findings)
}

/// A reply that was read as far as possible: the parts that could be read, and the problems of the others. An error of the
/// service is the one finding about it.
pub(super) type ReadReply = Result<(ReplyParts, Vec<Issue>), Box<Finding>>;

/// What a reply is compared for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Findings about it.
    Verify,
    /// A signature, which covers the whole operation: fields that the request leaves open must have their form too.
    Sign,
}

/// A reply that was compared with its request.
pub(super) struct Examined {
    /// The findings, each once.
    pub(super) findings: Vec<Finding>,
    /// The parts of the reply that could be read, unless it is an error of the service.
    pub(super) reply: Option<ReplyParts>,
    /// The content of the operation's call data.
    pub(super) call: Option<Call>,
}

/// Reads the text of a reply to a request.
pub(super) fn read_text(request: &EstimateRequest, text: &str) -> ReadReply {
    let mut issues = Issues::of_reply_to(request.intent.kind().as_str());
    let node = Node::parse(text, &Path::Root, &mut issues);
    if let Some(finding) = node.as_ref().and_then(error_envelope) {
        return Err(finding.into());
    }

    let mut parts = ReplyParts::default();
    if let Some(node) = node {
        EstimateReply::read_partial(&node, &Path::Root, &mut issues, &mut parts);
    }
    Ok((parts, issues.into_issues()))
}

/// The parts of a typed reply.
pub(super) fn read_typed(reply: &EstimateReply) -> ReadReply {
    Ok((reply.clone().into_partial(), Vec::new()))
}

/// Returns the finding about a reply that is an error of the service.
fn error_envelope(node: &Node<'_>) -> Option<Finding> {
    node.get("status").filter(|status| status.as_text() == Some("error"))?;
    let error: ErrorReply = node.get("error")?.read()?;

    let mut found = fill("an error of the service, code {}: {}", &[&error.code, &Excerpt(&error.message)]);
    for (what, text) in [("errorCode", &error.error_code), ("trace id", &error.trace_id)] {
        if let Some(text) = text {
            found = fill("{}, {} {}", &[&found, &what, &Excerpt(text)]);
        }
    }

    Some(Finding::new(
        Rule::Status,
        &Path::Field(&Path::Root, "status"),
        fill("expected `success`, found {}", &[&found]),
    ))
}

/// Compares a reply with its request: the one entry into verification.
pub(super) fn examine(request: &EstimateRequest, reply: ReadReply, purpose: Purpose) -> Examined {
    let (parts, problems) = match reply {
        Ok(read) => read,
        Err(finding) => return Examined { findings: alloc::vec![*finding], reply: None, call: None },
    };

    let mut comparison = Comparison::new(purpose, problems);
    let call = comparison.compare(request, &parts);
    Examined { findings: comparison.finish(), reply: Some(parts), call }
}
