//! A reply held against the request that it answers.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use primitive_types::U256;
use serde::Serialize;

use super::EstimateRequest;
use crate::document::{Node, Read};
use crate::error::{Code, Issue, Issues, Path};
use crate::intent::Intent;
use crate::user_op::{Call, GsnRequirement, Policies};
use crate::value::{Address, ChainId, FeePayerAddress, HexBytes, JobId, Nonce, Quantity128, keyword};

keyword! {
    /// What a reply must keep to.
    ///
    /// ```
    /// use sendoff::estimate::Rule;
    ///
    /// assert_eq!(Rule::FeePayer.as_str(), "fee-payer");
    /// assert_eq!(Rule::ALL.len(), 13);
    /// ```
    pub enum Rule: "a rule of verification" {
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
        /// `data.userOps.nonce` is made of the request's job.
        "nonce" => Nonce,
        /// `data.userOps.paymasterData` is the request's.
        "paymaster-data" => PaymasterData,
        /// `data.userOps.sender` is `data.callData.userSWA`, and not the recipient.
        "sender" => Sender,
        /// `data.callData.feePayerAddress` is the request's, or empty where it has none; with one, sponsorship is
        /// enabled.
        "fee-payer" => FeePayer,
        /// Every key of `data.details.fees.transactionFees` is the intent's chain.
        "fee-chain" => FeeChain,
        /// `data.userOps.callData` decodes, and says exactly what request and reply say.
        "call-data" => CallData,
        /// A field that a rule speaks of is there, and of its kind.
        "shape" => Shape,
    }
}

/// A rule that a reply breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// Where in the reply, dotted from its root.
    pub path: String,
    /// What was expected and what was found.
    pub message: String,
}

/// What was found wrong with a reply: `{ok, findings}` in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verification {
    /// Whether nothing was.
    pub ok: bool,
    /// What was, each place once for each rule.
    pub findings: Vec<Finding>,
}

/// Holds a reply, given as JSON text, against the request that it answers.
///
/// Values compare by meaning: letter case of hex and UUIDs and the order of keys do not count. Fields that no rule
/// speaks of are not judged; among them are the gas limits, the amounts of fees and whether a network is possible,
/// which a request says nothing of.
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
pub fn verify(request: &EstimateRequest, reply: &str) -> Verification {
    let mut findings = Vec::new();
    if let Some(reply) = read_reply(reply, &mut findings) {
        Examination { reply: &reply, findings: &mut findings }.examine(request);
    }
    settle(&mut findings);
    Verification { ok: findings.is_empty(), findings }
}

/// The tree of a reply; whatever keeps it from being an object is a finding of `shape`.
pub(super) fn read_reply<'a>(text: &'a str, findings: &mut Vec<Finding>) -> Option<Node<'a>> {
    let mut issues = Issues::default();
    let reply = Node::parse(text, &Path::Root, &mut issues);
    if let Some(other) = reply.as_ref().filter(|reply| !matches!(reply, Node::Object(_))) {
        issues.push(&Path::Root, Code::Type, format!("expected a reply, an object, found {}", other.kind()));
    }
    push_issues(Rule::Shape, issues, findings);
    reply.filter(|reply| matches!(reply, Node::Object(_)))
}

/// Each place once for each rule.
fn settle(findings: &mut Vec<Finding>) {
    let places: Vec<_> = findings.iter().map(|finding| format!("{} {}", finding.rule, finding.path)).collect();
    let mut firsts = BTreeMap::new();
    let mut at = 0_usize..;
    findings.retain(|_| {
        let at = at.next().unwrap_or_default();
        places.get(at).is_some_and(|place| *firsts.entry(&**place).or_insert(at) == at)
    });
}

/// A reply under examination.
pub(super) struct Examination<'a> {
    pub(super) reply: &'a Node<'a>,
    pub(super) findings: &'a mut Vec<Finding>,
}

impl<'a> Examination<'a> {
    /// Judges every rule; gives the content of the call data, where it decodes.
    pub(super) fn examine(&mut self, request: &EstimateRequest) -> Option<Call> {
        let status = self.part::<String>("status");
        self.judge(Rule::Status, "status", status, |status| status == "success", || "`success`".into());

        let intent_type = self.part::<String>("data.callData.intentType");
        let kind = request.intent.kind();
        self.judge(
            Rule::IntentType,
            "data.callData.intentType",
            intent_type,
            |found| found == kind.as_str(),
            || format!("`{kind}`"),
        );

        let job_id = self.part::<JobId>("data.callData.jobId");
        self.judge(
            Rule::JobId,
            "data.callData.jobId",
            job_id,
            |found| *found == request.job_id,
            || format!("the request's job {}", request.job_id),
        );

        self.examine_payload(&request.intent);

        let gas = &request.gas_details;
        for (rule, path, fee) in [
            (Rule::MaxFee, "data.userOps.maxFeePerGas", &gas.max_fee_per_gas),
            (Rule::MaxPriorityFee, "data.userOps.maxPriorityFeePerGas", &gas.max_priority_fee_per_gas),
        ] {
            let found = self.part::<Quantity128>(path);
            self.judge(rule, path, found, |found| found == fee, || format!("the request's {fee}"));
        }

        let nonce = self.part::<Nonce>("data.userOps.nonce");
        let expected = request.job_id.nonce();
        self.judge(
            Rule::Nonce,
            "data.userOps.nonce",
            nonce,
            |found| found.value() == U256::from_big_endian(expected.as_bytes()),
            || format!("the nonce of the request's job, {expected:#x}"),
        );

        let paymaster_data = self.part::<HexBytes>("data.userOps.paymasterData");
        self.judge(
            Rule::PaymasterData,
            "data.userOps.paymasterData",
            paymaster_data,
            |found| *found == request.paymaster_data,
            || "the request's paymaster data".into(),
        );

        let user = self.part::<Address>("data.callData.userSWA");
        self.examine_sender(request, user.as_ref());
        let policies = self.policies();
        self.examine_fee_payer(request, policies.as_ref());
        self.examine_fees(request.intent.chain());
        self.examine_call_data(request, user, policies)
    }

    fn examine_payload(&mut self, intent: &Intent) {
        const PATH: &str = "data.callData.payload";
        let Some(node) = self.node(PATH) else { return };
        if !matches!(node, Node::Object(_)) {
            let message = format!("expected the request's details, an object, found {}", node.kind());
            return self.push(Rule::Shape, PATH, message);
        }
        let mut issues = Issues::default();
        let payload = Intent::read_details(intent.kind(), node, &Path::Field(&Path::Root, PATH), &mut issues);
        push_issues(Rule::Payload, issues, self.findings);
        if payload.is_some_and(|payload| payload != *intent) {
            self.push(Rule::Payload, PATH, "expected the request's details, found others".into());
        }
    }

    fn examine_sender(&mut self, request: &EstimateRequest, user: Option<&Address>) {
        let sender = self.part::<Address>("data.userOps.sender");
        let Some(user) = user else { return };
        let expected = || format!("`data.callData.userSWA` {user}");
        self.judge(Rule::Sender, "data.userOps.sender", sender, |sender| sender == user, expected);
        let recipient = match &request.intent {
            Intent::NftTransfer(details) => Some(&details.recipient_wallet_address),
            Intent::TokenTransfer(details) => Some(&details.recipient_wallet_address),
            Intent::RawTransaction(_) => None,
        };
        if recipient == Some(user) {
            let message = "expected another wallet than the recipient's, found the recipient itself".into();
            self.push(Rule::Sender, "data.callData.userSWA", message);
        }
    }

    fn examine_fee_payer(&mut self, request: &EstimateRequest, policies: Option<&Policies>) {
        const PATH: &str = "data.callData.feePayerAddress";
        let fee_payer = self.part::<FeePayerAddress>(PATH);
        let expected = FeePayerAddress::from(request.fee_payer_address.clone());
        self.judge(
            Rule::FeePayer,
            PATH,
            fee_payer,
            |found| found.payer() == expected.payer(),
            || if expected.payer().is_some() { format!("the request's {expected}") } else { "none".into() },
        );
        if request.fee_payer_address.is_some() && policies.is_some_and(|policies| !policies.sponsorship_enabled) {
            let message = "expected true where the request has a fee payer, found false".into();
            self.push(Rule::FeePayer, "data.callData.policies.sponsorshipEnabled", message);
        }
    }

    fn examine_fees(&mut self, chain: &ChainId) {
        const PATH: &str = "data.details.fees.transactionFees";
        let Some(node) = self.node(PATH) else { return };
        let Node::Object(fees) = node else {
            let message = format!("expected fees by chain, an object, found {}", node.kind());
            return self.push(Rule::Shape, PATH, message);
        };
        for fee in fees.iter().filter(|fee| fee.key != chain.as_str()) {
            let path = format!("{}", Path::Field(&Path::Field(&Path::Root, PATH), &fee.key));
            self.push(
                Rule::FeeChain,
                &path,
                format!("expected fees on the intent's chain `{chain}` only, found others"),
            );
        }
    }

    fn examine_call_data(
        &mut self,
        request: &EstimateRequest,
        user: Option<Address>,
        policies: Option<Policies>,
    ) -> Option<Call> {
        const PATH: &str = "data.userOps.callData";
        let client = self.part::<Address>("data.callData.clientSWA");
        let gsn = self.gsn();
        let call = match Call::decode(&self.part::<HexBytes>(PATH)?.to_vec()) {
            Ok(call) => call,
            Err(error) => {
                self.push(Rule::CallData, PATH, format!("{error}"));
                return None;
            }
        };
        let fee_payer = FeePayerAddress::from(request.fee_payer_address.clone());
        let differences = [
            (call.job_id != request.job_id, "another job than the request"),
            (call.intent != request.intent, "another intent than the request"),
            (call.fee_payer_address.payer() != fee_payer.payer(), "another fee payer than the request"),
            (client.is_some_and(|client| call.client_swa != client), "another client than `data.callData`"),
            (user.is_some_and(|user| call.user_swa != user), "another user than `data.callData`"),
            (policies.is_some_and(|policies| call.policies != policies), "other policies than `data.callData`"),
            (gsn.is_some_and(|gsn| call.gsn != gsn), "another `gsn` than `data.callData`"),
        ];
        let differences: Vec<_> = differences.iter().filter(|(differs, _)| *differs).map(|(_, what)| *what).collect();
        if !differences.is_empty() {
            let message = format!("expected what request and reply say, found {}", differences.join(", "));
            self.push(Rule::CallData, PATH, message);
        }
        Some(call)
    }

    fn policies(&mut self) -> Option<Policies> {
        let gsn_enabled = self.part("data.callData.policies.gsnEnabled");
        let sponsorship_enabled = self.part("data.callData.policies.sponsorshipEnabled");
        Some(Policies { gsn_enabled: gsn_enabled?, sponsorship_enabled: sponsorship_enabled? })
    }

    fn gsn(&mut self) -> Option<GsnRequirement> {
        let is_required = self.part("data.callData.gsn.isRequired");
        let required_networks = self.part("data.callData.gsn.requiredNetworks");
        Some(GsnRequirement { is_required: is_required?, required_networks: required_networks? })
    }

    /// A part of the reply as a value; a finding of `shape` where there is none.
    pub(super) fn part<T: Read>(&mut self, path: &'static str) -> Option<T> {
        let node = self.node(path)?;
        let mut issues = Issues::default();
        let value = T::read(node, &Path::Field(&Path::Root, path), &mut issues);
        push_issues(Rule::Shape, issues, self.findings);
        value
    }

    /// A part of the reply; a finding of `shape` at the first step that is not there.
    pub(super) fn node(&mut self, path: &'static str) -> Option<&'a Node<'a>> {
        let mut node = self.reply;
        let mut end = 0_usize;
        for key in path.split('.') {
            end = end.saturating_add(key.len());
            match node.get(key) {
                Some(part) => node = part,
                None => {
                    let at = path.get(..end).unwrap_or(path);
                    let message = match node {
                        Node::Object(_) => "expected a field, found none".into(),
                        other => format!("expected a field of an object, found {}", other.kind()),
                    };
                    self.push(Rule::Shape, at, message);
                    return None;
                }
            }
            end = end.saturating_add(1);
        }
        Some(node)
    }

    fn judge<T>(
        &mut self,
        rule: Rule,
        path: &str,
        found: Option<T>,
        keeps: impl FnOnce(&T) -> bool,
        expected: impl FnOnce() -> String,
    ) {
        if found.is_some_and(|found| !keeps(&found)) {
            self.push(rule, path, format!("expected {}, found another", expected()));
        }
    }

    pub(super) fn push(&mut self, rule: Rule, path: &str, message: String) {
        self.findings.push(Finding { rule, path: path.into(), message });
    }
}

pub(super) fn push_issues(rule: Rule, issues: Issues, findings: &mut Vec<Finding>) {
    let Err(error) = issues.or(Some(())) else { return };
    findings.extend(error.into_issues().into_iter().map(|Issue { path, message, .. }| Finding { rule, path, message }));
}
