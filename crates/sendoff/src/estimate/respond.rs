//! The reply to an estimate request.

use super::agreement;
use super::reply::{
    EstimateData, EstimateReply, EstimateStatus, Estimation, ReplyCallData, ReplyDetails, SwapFees,
};
use super::{EstimateRequest, Facts, Gsn};
use crate::document::{Draft, Parts, Valued as _};
use crate::error::{Error, Issues};
use crate::intent::Intent;
use crate::user_op::{Call, GsnRequirement, PreparedUserOp};

/// A request and facts that agree: the recipient is not the sender, a fee payer has sponsorship, and fees are on the
/// intent's chain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Estimate {
    request: EstimateRequest,
    facts: Facts,
}

impl Estimate {
    /// Combines a request with its facts.
    ///
    /// # Errors
    ///
    /// `rule` if they disagree.
    pub fn new(request: EstimateRequest, facts: Facts) -> Result<Self, Error> {
        let mut issues = Issues::default();
        let (read, known) = (request.to_value(), facts.to_value());
        agreement::check(Parts::of(&read), Parts::of(&known), &mut issues);
        issues.or(Some(Self { request, facts }))
    }

    /// The same for documents of which not all could be read.
    pub(crate) fn of_drafts(
        request: Draft<EstimateRequest>,
        facts: Draft<Facts>,
        issues: &mut Issues,
    ) -> Option<Self> {
        agreement::check(request.parts(), facts.parts(), issues);
        if !issues.is_empty() {
            return None;
        }
        Some(Self { request: request.parts().whole()?, facts: facts.parts().whole()? })
    }
}

/// Returns the reply to an estimate: the prepared user operation and its description. The caller's texts are moved into
/// it, so that echoed values keep their spelling.
///
/// ```
/// use sendoff::estimate::{Estimate, respond};
///
/// let request = r#"{
///     "type": "TOKEN_TRANSFER",
///     "jobId": "E4FB7F8B-d19d-4785-94af-4b911469a3b0",
///     "gasDetails": { "maxFeePerGas": "0x2255100", "maxPriorityFeePerGas": "0x2255100" },
///     "paymasterData": "0x",
///     "details": {
///         "caip2Id": "eip155:84532",
///         "recipientWalletAddress": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
///         "tokenAddress": "",
///         "amount": "10000000000000"
///     }
/// }"#;
/// let facts = r#"{
///     "clientSWA": "0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA",
///     "userSWA": "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906",
///     "policies": { "gsnEnabled": false, "sponsorshipEnabled": false },
///     "jobManager": "0x0543aD80b41C5f5956d34503668CDb965deCB617",
///     "paymaster": "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
///     "gasLimits": {
///         "callGasLimit": "0x552e4", "verificationGasLimit": "0x28428", "preVerificationGas": "0x15324",
///         "paymasterVerificationGasLimit": "0x139a2", "paymasterPostOpGasLimit": "0x1"
///     }
/// }"#;
/// let reply = respond(Estimate::new(request.parse()?, facts.parse()?)?);
/// assert_eq!(reply.data.call_data.job_id.to_string(), "E4FB7F8B-d19d-4785-94af-4b911469a3b0");
/// assert_eq!(reply.data.user_ops.sender.to_string(), "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[must_use]
pub fn respond(Estimate { request, facts }: Estimate) -> EstimateReply {
    // Taken apart without `..`: a field of the request that is not carried does not compile.
    let EstimateRequest { job_id, intent, gas_details, paymaster_data, fee_payer_address } =
        request;

    let call = Call {
        job_manager: facts.job_manager,
        job_id,
        client_swa: facts.client_swa,
        user_swa: facts.user_swa,
        fee_payer_address: fee_payer_address.into(),
        policies: facts.policies,
        gsn: GsnRequirement {
            is_required: facts.gsn.is_required,
            required_networks: facts.gsn.required_networks,
        },
        intent,
    };
    let user_ops = PreparedUserOp {
        call_data: call.encode().into(),
        call_gas_limit: facts.gas_limits.call_gas_limit,
        max_fee_per_gas: gas_details.max_fee_per_gas,
        max_priority_fee_per_gas: gas_details.max_priority_fee_per_gas,
        nonce: call.job_id.nonce().into(),
        paymaster: facts.paymaster.to_lowercase(),
        paymaster_data,
        paymaster_post_op_gas_limit: facts.gas_limits.paymaster_post_op_gas_limit,
        paymaster_verification_gas_limit: facts.gas_limits.paymaster_verification_gas_limit,
        pre_verification_gas: facts.gas_limits.pre_verification_gas,
        sender: facts.user_swa.to_lowercase(),
        verification_gas_limit: facts.gas_limits.verification_gas_limit,
    };
    let amount =
        if let Intent::TokenTransfer(details) = &call.intent { Some(details.amount) } else { None };
    let call_data = ReplyCallData {
        client_swa: call.client_swa,
        fee_payer_address: call.fee_payer_address,
        gsn: Gsn {
            is_possible: facts.gsn.is_possible,
            is_required: call.gsn.is_required,
            required_networks: call.gsn.required_networks,
            tokens: facts.gsn.tokens,
        },
        job_id: call.job_id,
        intent: call.intent,
        policies: call.policies,
        user_swa: call.user_swa,
    };
    let details =
        ReplyDetails { estimation: Estimation { amount }, fees: facts.fees, swap_fees: SwapFees };
    EstimateReply {
        status: EstimateStatus::Success,
        data: EstimateData { call_data, details, user_ops },
    }
}
