//! The success reply of an estimate.

use alloc::string::String;

use super::{Fees, Gsn};
use crate::document::{Fields, Is, Kind, Record, Row, Table, Typed, Valued, document, traits};
use crate::intent::Intent;
use crate::user_op::{Policies, PreparedUserOp};
use crate::value::{Address, Amount, FeePayerAddress, JobId, keyword};

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
    pub struct EstimateReply: "a reply, an object of `status` and `data`", open IgnoredWithin {
        /// The status: the request was answered.
        "status" => pub status: EstimateStatus,
        /// The data of the answer.
        "data" => pub data: EstimateData,
    }
}

keyword! {
    /// The status of a success reply.
    pub enum EstimateStatus: "`success`" {
        /// The request was answered.
        "success" => Success,
    }
}

document! {
    /// The data of an estimate reply.
    pub struct EstimateData: "the data of a reply, an object", open RefusedAlone {
        /// The content of the call data in plain JSON.
        "callData" => pub call_data: ReplyCallData,
        /// The cost of the transfer.
        "details" => pub details: ReplyDetails,
        /// The prepared user operation.
        "userOps" => pub user_ops: PreparedUserOp,
    }
}

document! {
    /// The content of the operation's call data in plain JSON.
    pub struct ReplyCallData: "the call data in plain, an object", open RefusedAlone {
        /// The application's smart wallet.
        "clientSWA" => pub client_swa: Address,
        /// The account that pays the fee in the user's place; empty if there is none.
        "feePayerAddress" => pub fee_payer_address: FeePayerAddress,
        /// The facts about the gas station network.
        "gsn" => pub gsn: Gsn,
        @kind "intentType" of intent,
        /// The job of the request.
        "jobId" => pub job_id: JobId,
        /// The intent of the request: `intentType` and `payload` in JSON.
        "payload" => pub intent: Intent as details,
        /// The features that are enabled for the application.
        "policies" => pub policies: Policies,
        /// The user's smart wallet.
        "userSWA" => pub user_swa: Address,
    }
}

document! {
    /// The cost of the transfer.
    pub struct ReplyDetails: "the details of a reply, an object", open RefusedAlone {
        /// The proceeds of a swap.
        "estimation" => pub estimation: Estimation,
        /// The cost of the transfer on its chain.
        "fees" => pub fees: Fees,
        /// The cost of a swap.
        "swapFees" => pub swap_fees: SwapFees,
    }
}

/// The proceeds of a swap. Its fourteen strings are empty, except that a token transfer echoes its amount: transfers do
/// not swap.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Estimation {
    /// The amount of a token transfer.
    pub amount: Option<Amount>,
}

/// The cost of a swap: four empty strings, because transfers do not swap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SwapFees;

/// A string that is always empty, and not read.
const fn empty(key: &'static str) -> Row {
    Row {
        is: Is::Constant(&""),
        ..Row::of::<String>(key, "Empty, because a transfer does not swap.")
    }
}

static ESTIMATION: Table = Table {
    expected: "an estimation, an object",
    ..Table::answer(
        "The proceeds of a swap. All strings except the amount are empty, because transfers do not swap.",
        &[
            Row::plain(
                "amount",
                Is::Text(Kind::or_empty::<Amount>()),
                "The amount of a token transfer; empty for any other intent.",
            ),
            empty("crossChainFee"),
            empty("crossChainFeeCollector"),
            empty("gasFeesInInputToken"),
            empty("integratorFeesInInputToken"),
            empty("outputAmount"),
            empty("platformBaseFeesInInputToken"),
            empty("recommendedSlippage"),
            empty("routeId"),
            empty("routeValidUntil"),
            empty("sameChainFee"),
            empty("sameChainFeeCollector"),
            empty("slippageUsed"),
            empty("totalFeesInInputToken"),
        ],
    )
};

static SWAP_FEES: Table = Table {
    expected: "swap fees, an object",
    ..Table::answer(
        "The cost of a swap: four empty strings, because transfers do not swap.",
        &[
            empty("gasFeesInInputToken"),
            empty("integratorFeesInInputToken"),
            empty("platformBaseFeesInInputToken"),
            empty("totalFeesInInputToken"),
        ],
    )
};

impl Valued for Estimation {
    const IS: Is = Is::Record(&ESTIMATION);

    fn record(&self) -> Record {
        let record = Record::of(&ESTIMATION);
        match &self.amount {
            Some(amount) => record.with(amount),
            None => record.with_text(""),
        }
    }
}

impl Typed for Estimation {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { amount: fields.next() })
    }
}

impl Valued for SwapFees {
    const IS: Is = Is::Record(&SWAP_FEES);

    fn record(&self) -> Record {
        Record::of(&SWAP_FEES)
    }
}

impl Typed for SwapFees {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        fields.are_of(&SWAP_FEES).then_some(Self)
    }
}

traits!(Estimation: read, serialize, schema);
traits!(SwapFees: read, serialize, schema);
