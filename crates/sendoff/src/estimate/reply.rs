//! The success reply of an estimate.

use alloc::{string::String, vec::Vec};

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{Fees, Gsn};
use crate::document::{
    Compare, Differ, Node, Object, Read, Write, compare_whole, document, from_document, schema, undivided, write_key,
};
use crate::error::{Issues, Path};
use crate::intent::Intent;
use crate::user_op::{Policies, PreparedUserOp};
use crate::value::{Address, Amount, FeePayerAddress, JobId, Spell, Text, keyword};

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
    pub struct EstimateReply: "a reply, an object of `status` and `data`", open reply, by field {
        /// The status: the request was answered.
        "status" => pub status: EstimateStatus,
        /// The data of the answer.
        "data" => pub data: EstimateData,
    }
}

/// The parts of a reply that could be read.
pub(super) type ReplyParts = <EstimateReply as Read>::Partial;

keyword! {
    /// The status of a success reply.
    pub enum EstimateStatus: "`success`" {
        /// The request was answered.
        "success" => Success,
    }
}

document! {
    /// The data of an estimate reply.
    pub struct EstimateData: "the data of a reply, an object", open part, by field {
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
    pub struct ReplyCallData: "the call data in plain, an object", open part, by field {
        /// The application's smart wallet.
        "clientSWA" => pub client_swa: Address,
        /// The account that pays the fee in the user's place; empty if there is none.
        "feePayerAddress" => pub fee_payer_address: FeePayerAddress,
        /// The facts about the gas station network.
        "gsn" => pub gsn: Gsn,
        "intentType" => kind of intent,
        /// The job of the request.
        "jobId" => pub job_id: JobId,
        /// The intent of the request: `intentType` and `payload` in JSON.
        "payload" => pub intent: Intent as "intentType",
        /// The features that are enabled for the application.
        "policies" => pub policies: Policies,
        /// The user's smart wallet.
        "userSWA" => pub user_swa: Address,
    }
}

document! {
    /// The cost of the transfer.
    pub struct ReplyDetails: "the details of a reply, an object", open part, by field {
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Estimation {
    /// The amount of a token transfer.
    pub amount: Option<Amount>,
}

/// The cost of a swap: four empty strings, because transfers do not swap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SwapFees;

/// The keys of strings that are always empty: those of an estimation except its amount, and those of swap fees. A table
/// of keys compiles to an eighth of the size of a row for each.
const ESTIMATION: &[&str] = &[
    "crossChainFee",
    "crossChainFeeCollector",
    "gasFeesInInputToken",
    "integratorFeesInInputToken",
    "outputAmount",
    "platformBaseFeesInInputToken",
    "recommendedSlippage",
    "routeId",
    "routeValidUntil",
    "sameChainFee",
    "sameChainFeeCollector",
    "slippageUsed",
    "totalFeesInInputToken",
];
const SWAP_FEES: &[&str] =
    &["gasFeesInInputToken", "integratorFeesInInputToken", "platformBaseFeesInInputToken", "totalFeesInInputToken"];

impl Estimation {
    fn text(&self) -> String {
        self.amount.map(|amount| amount.to_text()).unwrap_or_default()
    }
}

impl Read for Estimation {
    const EXPECTED: &'static str = "an estimation, an object";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open(node, Self::WANTED, at, issues)?;
        let amount: String = object.required("amount")?;
        Some(Self { amount: Amount::accept(&amount).ok() })
    }
}

impl Read for SwapFees {
    const EXPECTED: &'static str = "swap fees, an object";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        Object::open(node, Self::WANTED, at, issues).map(|_| Self)
    }
}

impl Write for Estimation {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        write_key("amount", out);
        self.text().write(out);
        write_empty(ESTIMATION, out);
    }
}

impl Write for SwapFees {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        write_empty(SWAP_FEES, out);
    }
}

fn write_empty(keys: &[&str], out: &mut Vec<u8>) {
    for key in keys {
        write_key(key, out);
        out.extend_from_slice(b"\"\"");
    }
    out.push(b'}');
}

impl Compare for Estimation {
    fn compare(expected: &Option<Self>, found: &Self, at: &Path<'_>, differ: Differ<'_>) {
        compare_whole(expected.as_ref(), found, at, differ);
    }
}

impl Compare for SwapFees {
    fn compare(_: &Option<Self>, _: &Self, _: &Path<'_>, _: Differ<'_>) {}
}

from_document!(Estimation);
from_document!(SwapFees);

impl Serialize for Estimation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Estimation", 14)?;
        object.serialize_field("amount", &self.text())?;
        ESTIMATION.iter().try_for_each(|key| object.serialize_field(key, ""))?;
        object.end()
    }
}

impl Serialize for SwapFees {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("SwapFees", 4)?;
        SWAP_FEES.iter().try_for_each(|key| object.serialize_field(key, ""))?;
        object.end()
    }
}

schema::of!(Estimation, |generator| {
    let fields = schema::Fields::new(generator)
        .required::<String>("amount", "The amount of a token transfer; empty for any other intent.");
    let fields = ESTIMATION.iter().fold(fields, |fields, key| fields.required::<String>(key, EMPTY));
    fields.open("The proceeds of a swap. All strings except the amount are empty, because transfers do not swap.")
});

schema::of!(SwapFees, |generator| {
    let fields = schema::Fields::new(generator);
    let fields = SWAP_FEES.iter().fold(fields, |fields, key| fields.required::<String>(key, EMPTY));
    fields.open("The cost of a swap: four empty strings, because transfers do not swap.")
});

#[cfg(feature = "schema")]
const EMPTY: &str = "Empty, because a transfer does not swap.";
