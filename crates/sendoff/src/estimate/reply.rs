//! The success reply of an estimate.

#[cfg(feature = "schema")]
use alloc::string::String;

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeStruct, Serializer};

use super::{Fees, Gsn};
use crate::document::schema;
#[cfg(feature = "schema")]
use crate::intent::one_of;
use crate::intent::{Details, Intent};
#[cfg(feature = "schema")]
use crate::user_op::PreparedUserOp;
use crate::user_op::{Policies, UserOp};
use crate::value::{Address, Amount, FeePayerAddress, JobId};

/// The success reply: `{status: "success", data: {callData, details, userOps}}` in JSON.
///
/// [`super::respond`] makes it. A reply of somebody else is not read into this type but held against its request by
/// [`super::verify`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "EstimateData", rename_all = "camelCase")
)]
pub struct Reply {
    /// `data.callData`: what the call data says, in plain.
    pub call_data: ReplyCallData,
    /// `data.details`: what the transfer costs.
    pub details: ReplyDetails,
    /// `data.userOps`: the prepared user operation.
    #[cfg_attr(feature = "schema", schemars(with = "PreparedUserOp"))]
    pub user_ops: UserOp,
}

/// The reply as it stands in JSON.
#[cfg(feature = "schema")]
pub(crate) struct Success;

#[cfg(feature = "schema")]
schema::of!(Success as EstimateReply, |generator| {
    schema::Fields::new(generator)
        .constant("status", "That the request was answered.", "success")
        .required::<Reply>("data", "What was asked for.")
        .open("The success reply to an estimate request.")
});

impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Data<'a>(&'a Reply);

        impl Serialize for Data<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut data = serializer.serialize_struct("Data", 3)?;
                data.serialize_field("callData", &self.0.call_data)?;
                data.serialize_field("details", &self.0.details)?;
                data.serialize_field("userOps", &self.0.user_ops)?;
                data.end()
            }
        }

        let mut reply = serializer.serialize_struct("Reply", 2)?;
        reply.serialize_field("status", "success")?;
        reply.serialize_field("data", &Data(self))?;
        reply.end()
    }
}

/// What the call data of the operation says, in plain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase"))]
pub struct ReplyCallData {
    /// The application's smart wallet.
    #[cfg_attr(feature = "schema", schemars(rename = "clientSWA"))]
    pub client_swa: Address,
    /// Who pays the fee in the user's place; empty for nobody.
    pub fee_payer_address: FeePayerAddress,
    /// What is known of the gas station network.
    pub gsn: Gsn,
    /// The job of the request.
    pub job_id: JobId,
    /// The intent of the request: `intentType` and `payload` in JSON.
    #[cfg_attr(feature = "schema", schemars(flatten, with = "Echo"))]
    pub intent: Intent,
    /// What is enabled for the application.
    pub policies: Policies,
    /// The user's smart wallet.
    #[cfg_attr(feature = "schema", schemars(rename = "userSWA"))]
    pub user_swa: Address,
}

/// An intent as a reply echoes it.
#[cfg(feature = "schema")]
struct Echo;

schema::of!(Echo, |generator| {
    let one_of = one_of(generator, "intentType", "payload", |_, _| ());
    schemars::json_schema!({ "type": "object", "oneOf": one_of })
});

impl Serialize for ReplyCallData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut call_data = serializer.serialize_struct("ReplyCallData", 8)?;
        call_data.serialize_field("clientSWA", &self.client_swa)?;
        call_data.serialize_field("feePayerAddress", &self.fee_payer_address)?;
        call_data.serialize_field("gsn", &self.gsn)?;
        call_data.serialize_field("intentType", &self.intent.kind())?;
        call_data.serialize_field("jobId", &self.job_id)?;
        call_data.serialize_field("payload", &Details(&self.intent))?;
        call_data.serialize_field("policies", &self.policies)?;
        call_data.serialize_field("userSWA", &self.user_swa)?;
        call_data.end()
    }
}

/// What the transfer costs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplyDetails {
    /// What a swap would bring.
    pub estimation: Estimation,
    /// What the transfer costs on its chain.
    pub fees: Fees,
    /// What a swap would cost.
    pub swap_fees: SwapFees,
}

/// What a swap would bring. Of its fourteen strings a token transfer echoes its amount; all others are empty, for
/// transfers swap nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Estimation {
    /// The amount of a token transfer.
    pub amount: Option<Amount>,
}

impl Estimation {
    const EMPTY: [&'static str; 13] = [
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
}

schema::of!(Estimation, |generator| {
    let fields = schema::Fields::new(generator)
        .required::<String>("amount", "The amount of a token transfer; empty for any other intent.");
    let fields = Self::EMPTY.iter().fold(fields, |fields, key| fields.required::<String>(key, EMPTY));
    fields.open("What a swap would bring. All but the amount are empty, for transfers swap nothing.")
});

impl Serialize for Estimation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut estimation = serializer.serialize_map(Some(14))?;
        estimation.serialize_entry("amount", self.amount.as_ref().map_or("", Amount::as_str))?;
        for key in Self::EMPTY {
            estimation.serialize_entry(key, "")?;
        }
        estimation.end()
    }
}

/// What a swap would cost: four empty strings, for transfers swap nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwapFees;

impl SwapFees {
    const EMPTY: [&'static str; 4] =
        ["gasFeesInInputToken", "integratorFeesInInputToken", "platformBaseFeesInInputToken", "totalFeesInInputToken"];
}

schema::of!(SwapFees, |generator| {
    let fields = schema::Fields::new(generator);
    let fields = Self::EMPTY.iter().fold(fields, |fields, key| fields.required::<String>(key, EMPTY));
    fields.open("What a swap would cost: four empty strings, for transfers swap nothing.")
});

#[cfg(feature = "schema")]
const EMPTY: &str = "Empty: a transfer swaps nothing.";

impl Serialize for SwapFees {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Self::EMPTY.map(|key| (key, "")))
    }
}
