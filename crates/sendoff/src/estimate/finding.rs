//! The findings about a reply.

use alloc::{string::String, vec::Vec};

use crate::document::{Values, document};
use crate::error::{Excerpt, Issue, IssueCode, Issues, Path};
use crate::text::text_of;
use crate::value::{WriteText, fill, keyword};

keyword! {
    /// A rule that a reply must keep.
    ///
    /// ```
    /// use sendoff::estimate::Rule;
    ///
    /// assert_eq!(Rule::FeePayer.as_str(), "fee-payer");
    /// assert_eq!(Rule::ALL.len(), 13);
    /// ```
    pub enum Rule: "a rule of verification", non_exhaustive {
        /// `status` is `success`.
        "status" => Status,
        /// `data.callData.intentType` is the request's type.
        "intent-type" => IntentType,
        /// `data.callData.jobId` is the request's.
        "job-id" => JobId,
        /// `data.callData.payload` is the request's details, and nothing more.
        "payload" => Payload,
        /// `data.userOps.maxFeePerGas` is the request's.
        "max-fee" => MaxFee,
        /// `data.userOps.maxPriorityFeePerGas` is the request's.
        "max-priority-fee" => MaxPriorityFee,
        /// `data.userOps.nonce` is derived from the request's job.
        "nonce" => Nonce,
        /// `data.userOps.paymasterData` is the request's.
        "paymaster-data" => PaymasterData,
        /// `data.userOps.sender` is `data.callData.userSWA`, and not the recipient.
        "sender" => Sender,
        /// `data.callData.feePayerAddress` is the request's, or empty if the request has none. A fee payer needs
        /// sponsorship.
        "fee-payer" => FeePayer,
        /// Every key of `data.details.fees.transactionFees` is the intent's chain.
        "fee-chain" => FeeChain,
        /// `data.userOps.callData` decodes, and has exactly the content of request and reply.
        "call-data" => CallData,
        /// A field that a rule needs is present and valid.
        "shape" => Shape,
    }
}

document! {
    /// A broken rule and its place in the reply.
    pub struct Finding: "", open Ignored, displayed by nobody {
        /// The rule.
        "rule" => pub rule: Rule,
        /// The path from the root of the reply, with dots.
        "path" => pub path: String,
        /// What was expected and what was found.
        "message" => pub message: String,
        /// The expected value, if a single value was expected: at most 64 characters of it.
        "expected" => pub expected: Option<String>,
        /// The value found in its place: at most 64 characters of it.
        "found" => pub found: Option<String>,
        /// The field of the call data that differs, by its name in the answer of `decodeCall`, such as
        /// `intent.details.recipientWalletAddress`.
        "field" => pub field: Option<String>,
    }
}

impl Finding {
    pub(super) const fn new(rule: Rule, path: String, message: String) -> Self {
        Self { rule, path, message, expected: None, found: None, field: None }
    }

    /// A broken rule about a value; `by` names the side that expects it.
    pub(super) fn of_value(
        rule: Rule,
        path: &str,
        expected: &dyn WriteText,
        by: &str,
        found: &dyn WriteText,
    ) -> Self {
        let (expected, found) =
            (Excerpt(&text_of(expected)).inner(), Excerpt(&text_of(found)).inner());
        let message = fill("expected `{}`{}, found `{}`", &[&expected, &by, &found]);

        let (expected, found) = (Some(expected), Some(found));
        Self { expected, found, ..Self::new(rule, path.into(), message) }
    }

    /// A broken rule about a field of the call data, or of the reply's description of it. `sides` name where the expected value
    /// and the value found are from.
    pub(super) fn of_field(
        rule: Rule,
        path: &str,
        field: &Path<'_>,
        sides: (&str, &str),
        (expected, found): Values,
    ) -> Self {
        let field = field.to_text();
        let is_name = |part: &&str| part.bytes().any(|c| !c.is_ascii_digit());
        let name = field.split('.').filter(is_name).fold(&*field, |_, name| name);
        let template = "{}: expected `{}` ({}), found `{}` ({})";
        let message = fill(template, &[&name, &expected, &sides.0, &found, &sides.1]);

        let (expected, found, field) = (Some(expected), Some(found), Some(field));
        Self { expected, found, field, ..Self::new(rule, path.into(), message) }
    }
}

impl From<Finding> for Issue {
    fn from(Finding { rule: _, path, message, expected, found, field }: Finding) -> Self {
        Self { expected, found, field, ..Self::new(path, IssueCode::Rule, message) }
    }
}

document! {
    /// The findings about a reply: `{ok, findings}` in JSON.
    pub struct Verification: "", open Ignored, displayed by nobody {
        /// `true` if there are no findings.
        "ok" => pub ok: bool,
        /// The findings, at most one for each field and rule, and at most 1,000.
        "findings" => pub findings: Vec<Finding>,
    }
}

impl Verification {
    pub(super) fn of(mut findings: Vec<Finding>) -> Self {
        findings.truncate(Issues::MOST);
        Self { ok: findings.is_empty(), findings }
    }
}
