//! The comparison of a reply with its request, field by field.

use alloc::vec::Vec;

use super::reply::{EstimateData, EstimateReply, ReplyCallData, ReplyDetails, ReplyParts};
use super::verify::Purpose;
use super::{EstimateRequest, Fees, FeesParts, Finding, GasDetails, Gsn, Rule};
use crate::document::{Compare, Document, Key, Part, Read, TypedPart, firsts};
use crate::error::{Issue, IssueCode, Path};
use crate::intent::{Intent, IntentParts};
use crate::user_op::{Call, GsnRequirement, Policies, PreparedUserOp};
use crate::value::{Address, ChainId, FeePayerAddress, HexBytes, Nonce, Spell, fill};

/// The intent's key in the content of call data, by which findings name its fields.
const INTENT: &str = "intent";

pub(super) type ReplyFields<'a> = <EstimateReply as Document>::Fields<'a>;
pub(super) type DataFields<'a> = <EstimateData as Document>::Fields<'a>;
pub(super) type CallDataFields<'a> = <ReplyCallData as Document>::Fields<'a>;
pub(super) type GsnFields<'a> = <Gsn as Document>::Fields<'a>;
type DetailsFields<'a> = <ReplyDetails as Document>::Fields<'a>;
type FeesFields<'a> = <Fees as Document>::Fields<'a>;
pub(super) type OpFields<'a> = <PreparedUserOp as Document>::Fields<'a>;
type CallParts = <Call as Read>::Partial;
type GsnRequirementParts = <GsnRequirement as Read>::Partial;
pub(super) type PoliciesFields<'a> = <Policies as Document>::Fields<'a>;
type PoliciesParts = <Policies as Read>::Partial;

/// A comparison of a reply with its request.
pub(super) struct Comparison {
    purpose: Purpose,
    /// The problems of fields that could not be read, each with the rule that it breaks.
    unread: Vec<(Issue, Rule)>,
    findings: Vec<Finding>,
}

impl Comparison {
    pub(super) fn new(purpose: Purpose, problems: Vec<Issue>) -> Self {
        let unread = problems.into_iter().map(|problem| (problem, Rule::Shape)).collect();
        Self { purpose, unread, findings: Vec::new() }
    }

    /// Compares field by field. Request and reply are taken apart without `..`, and each part is used: a field that is carried
    /// and not compared does not compile. Returns the content of the call data.
    #[deny(unused_variables)]
    pub(super) fn compare(&mut self, request: &EstimateRequest, reply: &ReplyParts) -> Option<Call> {
        let EstimateRequest {
            job_id: asked_job,
            intent: asked_intent,
            gas_details: GasDetails { max_fee_per_gas: asked_cap, max_priority_fee_per_gas: asked_tip },
            paymaster_data: asked_paymaster_data,
            fee_payer_address: asked_payer,
        } = request;
        let asked_payer = FeePayerAddress::from(*asked_payer);

        let reply = Part::root(reply);
        let ReplyFields { status, data } = EstimateReply::fields(&reply);
        let DataFields { call_data: said, details, user_ops } = EstimateData::fields(&data);

        self.keyword(&status.at, Rule::Status);

        let CallDataFields { client_swa, fee_payer_address, gsn, job_id, intent, policies, user_swa } =
            ReplyCallData::fields(&said);
        let GsnFields { is_possible, is_required, required_networks, tokens } = Gsn::fields(&gsn);
        let PoliciesFields { gsn_enabled, sponsorship_enabled } = Policies::fields(&policies);

        self.equal(Rule::JobId, &job_id, asked_job);
        self.payload(&intent, asked_intent);
        self.open(&is_possible.at);
        self.open(&tokens.at);

        let OpFields {
            call_data,
            call_gas_limit,
            max_fee_per_gas,
            max_priority_fee_per_gas,
            nonce,
            paymaster,
            paymaster_data,
            paymaster_post_op_gas_limit,
            paymaster_verification_gas_limit,
            pre_verification_gas,
            sender,
            verification_gas_limit,
        } = PreparedUserOp::fields(&user_ops);

        self.equal(Rule::MaxFee, &max_fee_per_gas, asked_cap);
        self.equal(Rule::MaxPriorityFee, &max_priority_fee_per_gas, asked_tip);
        self.equal(Rule::Nonce, &nonce, &Nonce::from(asked_job.nonce()));
        self.equal(Rule::PaymasterData, &paymaster_data, asked_paymaster_data);
        self.sender(&sender, &user_swa, asked_intent);
        self.fee_payer(&fee_payer_address, &sponsorship_enabled, &asked_payer);
        self.signed(&paymaster.at);
        for limit in [
            &call_gas_limit.at,
            &paymaster_post_op_gas_limit.at,
            &paymaster_verification_gas_limit.at,
            &pre_verification_gas.at,
            &verification_gas_limit.at,
        ] {
            self.signed(limit);
        }

        let DetailsFields { estimation, fees, swap_fees } = ReplyDetails::fields(&details);
        let FeesFields { approx_transaction_fees_in_usdt, transaction_fees } = Fees::fields(&fees);

        self.open(&estimation.at);
        self.open(&swap_fees.at);
        self.open(&approx_transaction_fees_in_usdt.at);
        self.fee_chains(&transaction_fees, asked_intent.chain());

        let call = self.decoded(&call_data)?;
        // The intent is cloned only if it differs. The deployment has the job manager.
        let asked_intent = Some(asked_intent).filter(|intent| **intent != call.intent);
        let asked = CallParts {
            job_manager: None,
            job_id: Some(*asked_job),
            client_swa: None,
            user_swa: None,
            fee_payer_address: Some(asked_payer),
            policies: PoliciesParts::default(),
            gsn: GsnRequirementParts::default(),
            intent: asked_intent.cloned().map(Intent::into_partial).unwrap_or_default(),
        };
        let described = CallParts {
            job_manager: None,
            job_id: None,
            client_swa: *client_swa.parts,
            user_swa: *user_swa.parts,
            fee_payer_address: None,
            policies: PoliciesParts {
                gsn_enabled: *gsn_enabled.parts,
                sponsorship_enabled: *sponsorship_enabled.parts,
            },
            gsn: GsnRequirementParts {
                is_required: *is_required.parts,
                required_networks: required_networks.parts.clone(),
            },
            intent: IntentParts::Unknown,
        };
        self.call(&call, &asked, "request", &call_data.at);
        self.call(&call, &described, "reply", &call_data.at);
        Some(call)
    }

    /// A value that the request determines.
    fn equal<T: PartialEq + Spell>(&mut self, rule: Rule, found: &Part<'_, Option<T>>, expected: &T) {
        self.equal_to(rule, found, expected, " (request)");
    }

    fn equal_to<T: PartialEq + Spell>(&mut self, rule: Rule, found: &Part<'_, Option<T>>, expected: &T, by: &str) {
        if let Some(value) = found.parts.as_ref().filter(|value| *value != expected) {
            self.findings.push(Finding::of_value(rule, &found.at, expected, by, value));
        }
    }

    /// A field that the request leaves open and that a signature does not cover: it may have any form.
    fn open(&mut self, at: &Path<'_>) {
        // A path becomes text only if there is a problem.
        if !self.unread.is_empty() {
            let at = at.to_text();
            self.unread.retain(|(problem, _)| problem.path != at);
        }
    }

    /// A field that the request leaves open and that a signature covers.
    fn signed(&mut self, at: &Path<'_>) {
        match self.purpose {
            Purpose::Verify => self.open(at),
            Purpose::Sign => {}
        }
    }

    /// A field whose texts are few: any other breaks a rule of its own, and not only `shape`.
    fn keyword(&mut self, at: &Path<'_>, rule: Rule) {
        if !self.unread.is_empty() {
            let at = at.to_text();
            for (problem, broken) in &mut self.unread {
                if problem.path == at && problem.code == IssueCode::Format {
                    *broken = rule;
                }
            }
        }
    }

    fn payload(&mut self, found: &TypedPart<'_, IntentParts>, asked: &Intent) {
        self.keyword(&found.type_at, Rule::IntentType);
        if !self.unread.is_empty() {
            let below = fill("{}.", &[&found.at]);
            for (problem, broken) in &mut self.unread {
                if problem.path.starts_with(&below) {
                    *broken = Rule::Payload;
                }
            }
        }

        // The sides are swapped: the request is complete, and the payload may be readable in part.
        let at = Path::Field(&Path::Root, INTENT);
        let findings = &mut self.findings;
        Intent::compare(found.parts, asked, &at, &mut |field, value, expected| {
            let sides = ("request", "reply");
            findings.push(Finding::of_field(Rule::Payload, &found.at, field.to_text(), sides, expected, value));
        });
    }

    fn sender(&mut self, sender: &Part<'_, Option<Address>>, user: &Part<'_, Option<Address>>, asked: &Intent) {
        let Some(address) = user.parts else { return };
        self.equal_to(Rule::Sender, sender, address, &fill(" (`{}`)", &[&user.at]));

        if asked.recipient() == Some(address) {
            let template = "expected another wallet than the recipient's, found the recipient {} itself";
            let message = fill(template, &[&address]);
            self.findings.push(Finding::new(Rule::Sender, &user.at, message));
        }
    }

    fn fee_payer(
        &mut self,
        payer: &Part<'_, Option<FeePayerAddress>>,
        sponsorship: &Part<'_, Option<bool>>,
        asked: &FeePayerAddress,
    ) {
        self.equal(Rule::FeePayer, payer, asked);

        if asked.payer().is_some() && *sponsorship.parts == Some(false) {
            let message = "expected true for a request with a fee payer, found false".into();
            self.findings.push(Finding::new(Rule::FeePayer, &sponsorship.at, message));
        }
    }

    fn fee_chains(&mut self, fees: &Part<'_, FeesParts>, asked: &ChainId) {
        for fee in fees.parts.list.iter().filter(|fee| fee.chain.as_ref() != Some(asked)) {
            let at = Path::Field(&fees.at, &fee.key);
            self.findings.push(Finding::of_value(Rule::FeeChain, &at, asked, " (request)", &fee.key));
        }
    }

    fn decoded(&mut self, data: &Part<'_, Option<HexBytes>>) -> Option<Call> {
        match Call::decoded(data.parts.as_ref()?.as_slice()) {
            Ok(call) => Some(call),
            Err(error) => {
                self.findings.push(Finding::new(Rule::CallData, &data.at, error));
                None
            }
        }
    }

    /// Compares decoded call data with what one side says of it.
    fn call(&mut self, call: &Call, expected: &CallParts, by: &str, at: &Path<'_>) {
        let findings = &mut self.findings;
        Call::compare(expected, call, &Path::Root, &mut |field, expected, found| {
            let sides = (by, "call data");
            findings.push(Finding::of_field(Rule::CallData, at, field.to_text(), sides, expected, found));
        });
    }

    /// Returns the findings, one for each field and rule, with those of unread fields first.
    pub(super) fn finish(self) -> Vec<Finding> {
        let of_unread = |(Issue { path, message, .. }, rule)| Finding::of_unread(rule, path, message);
        let mut findings: Vec<_> = self.unread.into_iter().map(of_unread).chain(self.findings).collect();

        let keys: Vec<Key<'_>> = findings
            .iter()
            .map(|finding| (0, Some(finding.rule.as_str()), &*finding.path, finding.field.as_deref()))
            .collect();
        let mut firsts = firsts(&keys).into_iter().enumerate();
        findings.retain(|_| firsts.next().is_some_and(|(at, first)| at == first));
        findings
    }
}
