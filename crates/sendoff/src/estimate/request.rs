//! The estimate request: what an application hands in.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::rules::{Parts, judge};
use crate::document::{Node, Object, Read, document, from_document, schema};
use crate::error::{Error, Issues, Path};
use crate::intent::{Details, Intent};
#[cfg(feature = "schema")]
use crate::intent::{IntentType, one_of};
#[cfg(feature = "schema")]
use crate::value::NftType;
use crate::value::{Address, HexBytes, JobId, Quantity128};
#[cfg(feature = "schema")]
use serde_json::json;

document! {
    /// The fees that the caller is ready to pay for a unit of gas.
    ///
    /// ```
    /// use sendoff::estimate::GasDetails;
    ///
    /// let gas: GasDetails = r#"{"maxFeePerGas":"0x9502f900","maxPriorityFeePerGas":"0x59682f00"}"#.parse()?;
    /// assert_eq!(gas.max_fee_per_gas.value(), 2_500_000_000);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct GasDetails: "gas details, an object of `maxFeePerGas` and `maxPriorityFeePerGas`" {
        /// The most paid for a unit of gas, in wei: the cap.
        "maxFeePerGas" => max_fee_per_gas: Quantity128,
        /// The tip for a unit of gas, in wei.
        "maxPriorityFeePerGas" => max_priority_fee_per_gas: Quantity128,
    }
}

/// The body of `POST /api/oc/v1/estimate`. Its parts agree: an ERC-721 token is one piece, the tip is not above the
/// cap, the chain is of the namespace `eip155`.
///
/// ```
/// use sendoff::estimate::EstimateRequest;
///
/// let error = r#"{
///     "type": "NFT_TRANSFER",
///     "jobId": "b9e16100-446f-4050-84ed-a846d2bae528",
///     "gasDetails": { "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x2" },
///     "paymasterData": "0x",
///     "details": {
///         "caip2Id": "eip155:137",
///         "nftId": "56",
///         "recipientWalletAddress": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
///         "collectionAddress": "0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5",
///         "amount": "2",
///         "nftType": "ERC721"
///     }
/// }"#.parse::<EstimateRequest>().unwrap_err();
/// let paths: Vec<_> = error.issues().iter().map(|issue| issue.path.as_str()).collect();
/// assert_eq!(paths, ["gasDetails.maxPriorityFeePerGas", "details.amount"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EstimateRequest {
    pub(super) job_id: JobId,
    pub(super) intent: Intent,
    pub(super) gas_details: GasDetails,
    pub(super) paymaster_data: HexBytes,
    pub(super) fee_payer_address: Option<Address>,
}

impl EstimateRequest {
    /// The request of its parts.
    ///
    /// # Errors
    ///
    /// `rule` where they disagree.
    pub fn new(
        job_id: JobId,
        intent: Intent,
        gas_details: GasDetails,
        paymaster_data: HexBytes,
        fee_payer_address: Option<Address>,
    ) -> Result<Self, Error> {
        let request = Self { job_id, intent, gas_details, paymaster_data, fee_payer_address };
        let mut issues = Issues::default();
        judge(&Parts::of_request(&request), &Path::Root, &mut issues);
        issues.or(Some(request))
    }

    /// The job; it becomes the nonce of the user operation.
    #[must_use]
    pub const fn job_id(&self) -> &JobId {
        &self.job_id
    }

    /// What is to be done.
    #[must_use]
    pub const fn intent(&self) -> &Intent {
        &self.intent
    }

    /// What the caller is ready to pay.
    #[must_use]
    pub const fn gas_details(&self) -> &GasDetails {
        &self.gas_details
    }

    /// What the paymaster is called with.
    #[must_use]
    pub const fn paymaster_data(&self) -> &HexBytes {
        &self.paymaster_data
    }

    /// Who pays the fee in the user's place.
    #[must_use]
    pub const fn fee_payer_address(&self) -> Option<&Address> {
        self.fee_payer_address.as_ref()
    }

    /// The fields, each for itself: whether they agree is not yet judged.
    pub(super) fn read_fields(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open::<Self>(node, at, issues)?;
        let job_id = object.required("jobId");
        let gas_details = object.required("gasDetails");
        let paymaster_data = object.required("paymasterData");
        let fee_payer_address = object.optional("feePayerAddress");
        let intent = Intent::take(&mut object);
        object.close();
        match (job_id, intent, gas_details, paymaster_data, fee_payer_address) {
            (Some(job_id), Some(intent), Some(gas_details), Some(paymaster_data), Some(fee_payer_address)) => {
                Some(Self { job_id, intent, gas_details, paymaster_data, fee_payer_address })
            }
            _ => None,
        }
    }
}

impl Read for EstimateRequest {
    const EXPECTED: &'static str = "an estimate request, an object";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let request = Self::read_fields(node, at, issues);
        match &request {
            Some(request) => judge(&Parts::of_request(request), at, issues),
            None => judge(&Parts::of_nodes(Some(node), None), at, issues),
        }
        request
    }
}

from_document!(EstimateRequest);

schema::of!(EstimateRequest, |generator| {
    let one_of = one_of(generator, "type", "details", |kind, details| {
        let chain =
            json!({ "caip2Id": { "pattern": "^eip155:", "description": "The chain, of the namespace `eip155`." } });
        details.insert("properties".into(), chain);
        details.insert("required".into(), json!(["caip2Id"]));
        if kind == IntentType::NftTransfer {
            details.insert("if".into(), json!({ "properties": { "nftType": { "const": NftType::ERC721 } } }));
            details.insert("then".into(), json!({ "properties": { "amount": { "const": "1" } } }));
        }
    });
    let mut schema = schema::Fields::new(generator)
        .read::<JobId>("jobId", "The job; it becomes the nonce of the user operation.")
        .read::<GasDetails>("gasDetails", "What the caller is ready to pay.")
        .read::<HexBytes>("paymasterData", "What the paymaster is called with; `encodePaymasterData` makes it.")
        .optional::<Address>(
            "feePayerAddress",
            "Who pays the fee in the user's place; only where sponsorship is enabled.",
        )
        .open(
            "The body of `POST /api/oc/v1/estimate`. Its parts agree: an ERC-721 token is one piece, the tip is not \
            above the cap, the chain is of the namespace `eip155`.",
        );
    schema.insert("oneOf".into(), json!(one_of));
    schema.insert("unevaluatedProperties".into(), false.into());
    schema
});

impl Serialize for EstimateRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut request = serializer.serialize_map(None)?;
        request.serialize_entry("type", &self.intent.kind())?;
        request.serialize_entry("jobId", &self.job_id)?;
        request.serialize_entry("gasDetails", &self.gas_details)?;
        request.serialize_entry("paymasterData", &self.paymaster_data)?;
        request.serialize_entry("details", &Details(&self.intent))?;
        if let Some(payer) = &self.fee_payer_address {
            request.serialize_entry("feePayerAddress", payer)?;
        }
        request.end()
    }
}
