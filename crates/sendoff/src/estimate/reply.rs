//! The success reply of an estimate.

use alloc::string::String;

use super::{Fees, Gsn};
use crate::document::{Read, document};
use crate::intent::Intent;
use crate::user_op::{Policies, PreparedUserOp};
use crate::value::{Address, FeePayerAddress, JobId, keyword};

document! {
    /// The success reply to an estimate request.
    ///
    /// [`super::respond`] makes it, and [`super::verify`] compares it with its request.
    ///
    /// ```
    /// use sendoff::estimate::EstimateReply;
    ///
    /// let error = r#"{"status":"pending"}"#.parse::<EstimateReply>().unwrap_err();
    /// assert_eq!(error.to_string(), "status: expected `success`, found `pending`; data: expected the data of a reply, an \
    ///     object, found nothing");
    /// ```
    pub struct EstimateReply: "a reply, an object of `status` and `data`", open fields {
        /// That the request was answered.
        "status" => pub status: EstimateStatus,
        /// What was asked for.
        "data" => pub data: EstimateData,
    }
}

/// What could be read of a reply.
pub(super) type ReplyParts = <EstimateReply as Read>::Partial;

keyword! {
    /// The status of a success reply.
    pub enum EstimateStatus: "`success`" {
        /// The request was answered.
        "success" => Success,
    }
}

document! {
    /// What an estimate answers.
    pub struct EstimateData: "the data of a reply, an object", open fields {
        /// What the call data says, in plain.
        "callData" => pub call_data: ReplyCallData,
        /// What the transfer costs.
        "details" => pub details: ReplyDetails,
        /// The prepared user operation.
        "userOps" => pub user_ops: PreparedUserOp,
    }
}

document! {
    /// What the call data of the operation says, in plain.
    pub struct ReplyCallData: "the call data in plain, an object", open fields {
        /// The application's smart wallet.
        "clientSWA" => pub client_swa: Address,
        /// Who pays the fee in the user's place; empty for nobody.
        "feePayerAddress" => pub fee_payer_address: FeePayerAddress,
        /// What is known of the gas station network.
        "gsn" => pub gsn: Gsn,
        "intentType" => kind of intent,
        /// The job of the request.
        "jobId" => pub job_id: JobId,
        /// The intent of the request: `intentType` and `payload` in JSON.
        "payload" => pub intent: Intent as "intentType",
        /// What is enabled for the application.
        "policies" => pub policies: Policies,
        /// The user's smart wallet.
        "userSWA" => pub user_swa: Address,
    }
}

document! {
    /// What the transfer costs.
    pub struct ReplyDetails: "the details of a reply, an object", open fields {
        /// What a swap would bring.
        "estimation" => pub estimation: Estimation,
        /// What the transfer costs on its chain.
        "fees" => pub fees: Fees,
        /// What a swap would cost.
        "swapFees" => pub swap_fees: SwapFees,
    }
}

document! {
    /// What a swap would bring. All but the amount are empty, for transfers swap nothing.
    #[derive(Default)]
    pub struct Estimation: "an estimation, an object", open fields {
        /// The amount of a token transfer; empty for any other intent.
        "amount" => pub amount: String,
        /// Empty: a transfer swaps nothing.
        "crossChainFee" => pub cross_chain_fee: String,
        /// Empty: a transfer swaps nothing.
        "crossChainFeeCollector" => pub cross_chain_fee_collector: String,
        /// Empty: a transfer swaps nothing.
        "gasFeesInInputToken" => pub gas_fees_in_input_token: String,
        /// Empty: a transfer swaps nothing.
        "integratorFeesInInputToken" => pub integrator_fees_in_input_token: String,
        /// Empty: a transfer swaps nothing.
        "outputAmount" => pub output_amount: String,
        /// Empty: a transfer swaps nothing.
        "platformBaseFeesInInputToken" => pub platform_base_fees_in_input_token: String,
        /// Empty: a transfer swaps nothing.
        "recommendedSlippage" => pub recommended_slippage: String,
        /// Empty: a transfer swaps nothing.
        "routeId" => pub route_id: String,
        /// Empty: a transfer swaps nothing.
        "routeValidUntil" => pub route_valid_until: String,
        /// Empty: a transfer swaps nothing.
        "sameChainFee" => pub same_chain_fee: String,
        /// Empty: a transfer swaps nothing.
        "sameChainFeeCollector" => pub same_chain_fee_collector: String,
        /// Empty: a transfer swaps nothing.
        "slippageUsed" => pub slippage_used: String,
        /// Empty: a transfer swaps nothing.
        "totalFeesInInputToken" => pub total_fees_in_input_token: String,
    }
}

document! {
    /// What a swap would cost: four empty strings, for transfers swap nothing.
    #[derive(Default)]
    pub struct SwapFees: "swap fees, an object", open fields {
        /// Empty: a transfer swaps nothing.
        "gasFeesInInputToken" => pub gas_fees_in_input_token: String,
        /// Empty: a transfer swaps nothing.
        "integratorFeesInInputToken" => pub integrator_fees_in_input_token: String,
        /// Empty: a transfer swaps nothing.
        "platformBaseFeesInInputToken" => pub platform_base_fees_in_input_token: String,
        /// Empty: a transfer swaps nothing.
        "totalFeesInInputToken" => pub total_fees_in_input_token: String,
    }
}
