//! A reply compared with the request that it answers.

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::reply::ReplyParts;
use super::{EstimateReply, EstimateRequest, Finding, Rule, Verification};
use crate::document::{Compare, Key, Node, Read, firsts};
use crate::error::{Excerpt, Issue, IssueCode, Issues, Path};
use crate::intent::Intent;
use crate::service::ErrorReply;
use crate::user_op::{Call, Policies};
use crate::value::{Address, FeePayerAddress, JobId, Nonce};

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
    match reply.into() {
        ReplySource::Text(text) => verify_text(request, text),
        ReplySource::Reply(reply) => Verification::of(examine(request, reply.clone().into_partial(), Vec::new()).0),
    }
}

/// The same for text. Callers that have only text then contain no code for typed replies.
pub(crate) fn verify_text(request: &EstimateRequest, reply: &str) -> Verification {
    let judged = |path: &str| !UNJUDGED.contains(&path) && !OF_SIGNATURES.contains(&path);
    Verification::of(match read_reply(request, reply, judged) {
        Ok((parts, findings)) => examine(request, parts, findings).0,
        Err(envelope) => alloc::vec![*envelope],
    })
}

/// Fields that a request leaves open and that a signature does not cover.
const UNJUDGED: [&str; 5] = [
    "data.callData.gsn.isPossible",
    "data.callData.gsn.tokens",
    "data.details.estimation",
    "data.details.swapFees",
    "data.details.fees.approxTransactionFeesInUSDT",
];

/// Fields that a request leaves open, but that a signature covers.
const OF_SIGNATURES: [&str; 6] = [
    "data.userOps.callGasLimit",
    "data.userOps.paymaster",
    "data.userOps.paymasterPostOpGasLimit",
    "data.userOps.paymasterVerificationGasLimit",
    "data.userOps.preVerificationGas",
    "data.userOps.verificationGasLimit",
];

/// Returns the parts of a reply that could be read before signing, and a finding for every other part.
pub(super) fn read_for_signature(
    request: &EstimateRequest,
    reply: &str,
) -> Result<(ReplyParts, Vec<Finding>), Box<Finding>> {
    read_reply(request, reply, |path| !UNJUDGED.contains(&path))
}

/// Returns the parts of a reply that could be read, and a finding for each field that could not and is `judged`.
///
/// # Errors
///
/// The one finding about a reply that is an error of the service.
fn read_reply(
    request: &EstimateRequest,
    text: &str,
    judged: impl Fn(&str) -> bool,
) -> Result<(ReplyParts, Vec<Finding>), Box<Finding>> {
    let mut findings = Vec::new();
    let mut issues = Issues::of_reply_to(request.intent.kind().as_str());
    let node = Node::parse(text, &Path::Root, &mut issues);
    if let Some(envelope) = node.as_ref().and_then(error_envelope) {
        return Err(envelope.into());
    }
    let mut parts = ReplyParts::default();
    if let Some(node) = node {
        EstimateReply::read_partial(&node, &Path::Root, &mut issues, &mut parts);
    }
    if let Err(error) = issues.or(Some(())) {
        let judged = error.into_issues().into_iter().filter(|issue| judged(&issue.path));
        findings
            .extend(judged.map(|Issue { path, code, message, .. }| Finding::new(rule_of(&path, code), &path, message)));
    }
    Ok((parts, findings))
}

/// Checks every rule: returns the findings, the parts of the reply that could be read, and the content of its call
/// data.
pub(super) fn examine(
    request: &EstimateRequest,
    reply: ReplyParts,
    findings: Vec<Finding>,
) -> (Vec<Finding>, ReplyParts, Option<Call>) {
    let mut examination = Examination { request, reply: &reply, findings };
    examination.examine();
    let call = examination.examine_call_data();
    let mut findings = examination.findings;
    settle(&mut findings);
    (findings, reply, call)
}

/// Returns the finding about a reply that is an error of the service.
fn error_envelope(node: &Node<'_>) -> Option<Finding> {
    node.get("status").filter(|status| status.as_text() == Some("error"))?;
    let error: ErrorReply = node.get("error")?.read()?;
    let mut found = format!("an error of the service, code {}: {}", error.code, Excerpt(&error.message));
    for (what, text) in [("errorCode", &error.error_code), ("trace id", &error.trace_id)] {
        if let Some(text) = text {
            found = format!("{found}, {what} {}", Excerpt(text));
        }
    }
    Some(Finding::new(Rule::Status, "status", format!("expected `success`, found {found}")))
}

/// The rule that is broken if a field of a reply could not be read.
fn rule_of(path: &str, code: IssueCode) -> Rule {
    match path {
        "status" if code == IssueCode::Format => Rule::Status,
        "data.callData.intentType" if code == IssueCode::Format => Rule::IntentType,
        _ if path.starts_with("data.callData.payload.") => Rule::Payload,
        _ => Rule::Shape,
    }
}

/// Keeps one finding for each field and rule.
fn settle(findings: &mut Vec<Finding>) {
    let keys: Vec<Key<'_>> = findings
        .iter()
        .map(|finding| (0, Some(finding.rule.as_str()), &*finding.path, finding.field.as_deref()))
        .collect();
    let mut firsts = firsts(&keys).into_iter().enumerate();
    findings.retain(|_| firsts.next().is_some_and(|(at, first)| at == first));
}

/// The checks of a reply: the parts of it that could be read.
struct Examination<'a> {
    request: &'a EstimateRequest,
    reply: &'a ReplyParts,
    findings: Vec<Finding>,
}

impl Examination<'_> {
    /// Checks every rule except that of the call data.
    fn examine(&mut self) {
        let (request, data) = (self.request, &self.reply.data);
        let (gas, op) = (&request.gas_details, &data.user_ops);
        self.judge(Rule::JobId, "data.callData.jobId", &request.job_id, data.call_data.job_id.as_ref());
        self.examine_payload();
        self.judge(Rule::MaxFee, "data.userOps.maxFeePerGas", &gas.max_fee_per_gas, op.max_fee_per_gas.as_ref());
        let (tip, found) = (&gas.max_priority_fee_per_gas, op.max_priority_fee_per_gas.as_ref());
        self.judge(Rule::MaxPriorityFee, "data.userOps.maxPriorityFeePerGas", tip, found);
        let nonce = Nonce::from(request.job_id.nonce());
        self.judge(Rule::Nonce, "data.userOps.nonce", &nonce, op.nonce.as_ref());
        let found = op.paymaster_data.as_ref();
        self.judge(Rule::PaymasterData, "data.userOps.paymasterData", &request.paymaster_data, found);
        self.examine_sender();
        self.examine_fee_payer();
        self.examine_fees();
    }

    fn examine_payload(&mut self) {
        let findings = &mut self.findings;
        // The sides are swapped here: the request is complete, and the payload may be readable in part.
        let (payload, keys) = (&self.reply.data.call_data.intent, ("intentType", "details"));
        Intent::compare_details(payload, &self.request.intent, keys, &Path::Root, &mut |at, found, expected| {
            let field = format!("intent.{at}");
            findings.push(Finding::of_field(
                Rule::Payload,
                "data.callData.payload",
                field,
                ("request", "reply"),
                expected,
                found,
            ));
        });
    }

    fn examine_sender(&mut self) {
        let Some(user) = self.reply.data.call_data.user_swa else { return };
        let sender = self.reply.data.user_ops.sender;
        self.judge_by(Rule::Sender, "data.userOps.sender", &user, " (`data.callData.userSWA`)", sender.as_ref());
        if self.request.intent.recipient() == Some(&user) {
            let message = format!("expected another wallet than the recipient's, found the recipient {user} itself");
            self.findings.push(Finding::new(Rule::Sender, "data.callData.userSWA", message));
        }
    }

    fn examine_fee_payer(&mut self) {
        let call_data = &self.reply.data.call_data;
        let expected = FeePayerAddress::from(self.request.fee_payer_address);
        let path = "data.callData.feePayerAddress";
        self.judge(Rule::FeePayer, path, &expected, call_data.fee_payer_address.as_ref());
        if expected.payer().is_some() && call_data.policies.sponsorship_enabled == Some(false) {
            let message = "expected true for a request with a fee payer, found false".into();
            let path = "data.callData.policies.sponsorshipEnabled";
            self.findings.push(Finding::new(Rule::FeePayer, path, message));
        }
    }

    fn examine_fees(&mut self) {
        let chain = self.request.intent.chain();
        for fee in
            self.reply.data.details.fees.transaction_fees.list.iter().filter(|fee| fee.chain.as_ref() != Some(chain))
        {
            let path = format!("data.details.fees.transactionFees.{}", Path::Field(&Path::Root, &fee.key));
            let found = &fee.key;
            self.findings.push(Finding::of_value(Rule::FeeChain, &path, &chain.to_string(), " (request)", found));
        }
    }

    fn examine_call_data(&mut self) -> Option<Call> {
        const PATH: &str = "data.userOps.callData";
        let (request, said) = (self.request, &self.reply.data.call_data);
        let call = match Call::decode(self.reply.data.user_ops.call_data.as_ref()?.as_slice()) {
            Ok(call) => call,
            Err(error) => {
                self.findings.push(Finding::new(Rule::CallData, PATH, error.to_string()));
                return None;
            }
        };
        let findings = &mut self.findings;
        let mut differ = |by: &str, at: &Path<'_>, expected: String, found: String| {
            let field = at.to_string();
            findings.push(Finding::of_field(Rule::CallData, PATH, field, (by, "call data"), expected, found));
        };
        let root = &Path::Root;
        let mut differs_from_request = |at: &Path<'_>, expected, found| differ("request", at, expected, found);
        JobId::compare(&Some(request.job_id), &call.job_id, &Path::Field(root, "jobId"), &mut differs_from_request);
        let payer = Some(FeePayerAddress::from(request.fee_payer_address));
        let at = &Path::Field(root, "feePayerAddress");
        FeePayerAddress::compare(&payer, &call.fee_payer_address, at, &mut differs_from_request);
        if call.intent != request.intent {
            let intent = request.intent.clone().into_partial();
            Intent::compare(&intent, &call.intent, &Path::Field(root, "intent"), &mut differs_from_request);
        }
        let mut differs_from_reply = |at: &Path<'_>, expected, found| differ("reply", at, expected, found);
        let reply = &mut differs_from_reply;
        Address::compare(&said.client_swa, &call.client_swa, &Path::Field(root, "clientSWA"), reply);
        Address::compare(&said.user_swa, &call.user_swa, &Path::Field(root, "userSWA"), reply);
        Policies::compare(&said.policies, &call.policies, &Path::Field(root, "policies"), reply);
        let gsn = &Path::Field(root, "gsn");
        bool::compare(&said.gsn.is_required, &call.gsn.is_required, &Path::Field(gsn, "isRequired"), reply);
        let at = &Path::Field(gsn, "requiredNetworks");
        Vec::compare(&said.gsn.required_networks, &call.gsn.required_networks, at, reply);
        Some(call)
    }

    fn judge<T: PartialEq + ToString>(&mut self, rule: Rule, path: &str, expected: &T, found: Option<&T>) {
        self.judge_by(rule, path, expected, " (request)", found);
    }

    fn judge_by<T: PartialEq + ToString>(&mut self, rule: Rule, path: &str, expected: &T, by: &str, found: Option<&T>) {
        if let Some(found) = found.filter(|found| *found != expected) {
            self.findings.push(Finding::of_value(rule, path, &expected.to_string(), by, &found.to_string()));
        }
    }
}
