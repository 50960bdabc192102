//! The estimate request of an application.

use primitive_types::U256;
#[cfg(feature = "schema")]
use serde_json::{Value as Json, json};

use crate::document::{Field, Parts, checked, document};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::intent::Intent;
#[cfg(feature = "schema")]
use crate::intent::IntentType;
use crate::text::fill;
use crate::value::{Address, Amount, ChainId, HexBytes, JobId, NftType, Quantity128};

document! {
    /// The fees that the caller accepts for a unit of gas.
    ///
    /// ```
    /// use sendoff::estimate::GasDetails;
    ///
    /// let gas: GasDetails = r#"{"maxFeePerGas":"0x9502f900","maxPriorityFeePerGas":"0x59682f00"}"#.parse()?;
    /// assert_eq!(gas.max_fee_per_gas.value(), 2_500_000_000);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct GasDetails: "gas details, an object of `maxFeePerGas` and `maxPriorityFeePerGas`" {
        /// The highest price of a unit of gas, in wei: the cap.
        "maxFeePerGas" => pub max_fee_per_gas: Quantity128,
        /// The tip for a unit of gas, in wei.
        "maxPriorityFeePerGas" => pub max_priority_fee_per_gas: Quantity128,
    }
}

document! {
    /// The body of `POST /api/oc/v1/estimate`. Its parts agree: the amount of an ERC-721 token is 1, the tip is not
    /// above the cap, and the chain is of the namespace `eip155`.
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
    pub struct EstimateRequest: "an estimate request, an object", checked by check_request, refined by with_rules {
        @kind "type" of intent,
        /// The job; it becomes the nonce of the user operation.
        "jobId" => pub(super) job_id: JobId,
        /// The fees that the caller accepts.
        "gasDetails" => pub(super) gas_details: GasDetails,
        /// The data for the paymaster; `encodePaymasterData` makes it.
        "paymasterData" => pub(super) paymaster_data: HexBytes,
        "details" => pub(super) intent: Intent as details,
        /// The account that pays the fee in the user's place; allowed only if sponsorship is enabled.
        "feePayerAddress" => pub(super) fee_payer_address: Option<Address>,
    }
}

/// The parts of a request, by name.
///
/// ```
/// use sendoff::estimate::{EstimateRequest, GasDetails, RequestParts};
/// # use sendoff::intent::{Intent, TokenTransfer};
/// # let transfer: TokenTransfer = r#"{"caip2Id":"eip155:84532","recipientWalletAddress":
/// #     "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2","tokenAddress":"","amount":"5"}"#.parse()?;
///
/// let fee = 36_000_000_u64.into();
/// let request = EstimateRequest::new(RequestParts {
///     job_id: "e4fb7f8b-d19d-4785-94af-4b911469a3b0".parse()?,
///     intent: Intent::TokenTransfer(transfer),
///     gas_details: GasDetails { max_fee_per_gas: fee, max_priority_fee_per_gas: fee },
///     paymaster_data: "0x".parse()?,
///     fee_payer_address: None,
/// })?;
/// assert!(request.fee_payer_address().is_none());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestParts {
    /// The job; it becomes the nonce of the user operation.
    pub job_id: JobId,
    /// The intent.
    pub intent: Intent,
    /// The fees that the caller accepts.
    pub gas_details: GasDetails,
    /// The data for the paymaster.
    pub paymaster_data: HexBytes,
    /// The account that pays the fee in the user's place; allowed only if sponsorship is enabled.
    pub fee_payer_address: Option<Address>,
}

impl EstimateRequest {
    /// Creates a request from its parts.
    ///
    /// # Errors
    ///
    /// `rule` if the parts disagree.
    pub fn new(parts: RequestParts) -> Result<Self, Error> {
        let RequestParts { job_id, intent, gas_details, paymaster_data, fee_payer_address } = parts;
        let request = Self { job_id, intent, gas_details, paymaster_data, fee_payer_address };
        checked(request)
    }

    /// The job; it becomes the nonce of the user operation.
    #[must_use]
    pub const fn job_id(&self) -> &JobId {
        &self.job_id
    }

    /// The intent.
    #[must_use]
    pub const fn intent(&self) -> &Intent {
        &self.intent
    }

    /// The fees that the caller accepts.
    #[must_use]
    pub const fn gas_details(&self) -> &GasDetails {
        &self.gas_details
    }

    /// The data for the paymaster.
    #[must_use]
    pub const fn paymaster_data(&self) -> &HexBytes {
        &self.paymaster_data
    }

    /// The account that pays the fee in the user's place.
    #[must_use]
    pub const fn fee_payer_address(&self) -> Option<&Address> {
        self.fee_payer_address.as_ref()
    }
}

const CAP: Field<EstimateRequest, Quantity128> = Field::of("gasDetails.maxFeePerGas");
const TIP: Field<EstimateRequest, Quantity128> = Field::of("gasDetails.maxPriorityFeePerGas");
const AMOUNT: Field<EstimateRequest, Amount> = Field::of_some("details.amount");
const STANDARD: Field<EstimateRequest, NftType> = Field::of_some("details.nftType");
pub(super) const CHAIN: Field<EstimateRequest, ChainId> = Field::of("details.caip2Id");

/// Checks the rules across the fields of a request that could be read. The request is at `at`.
fn check_request(request: Parts<'_, EstimateRequest>, at: &Path<'_>, issues: &mut Issues) {
    if let Some((cap, tip)) = request.get(CAP).zip(request.get(TIP))
        && tip.value() > cap.value()
    {
        let message = fill("expected a tip of at most the fee cap {}, found {}", &[&cap, &tip]);
        issues.push(&Path::Field(at, TIP.path()), IssueCode::Rule, message);
    }
    if let Some(amount) = request.get(AMOUNT)
        && request.get(STANDARD) == Some(NftType::ERC721)
        && amount.value() != U256::one()
    {
        let message = fill("expected the amount 1 for an ERC721 token, found {}", &[&amount]);
        issues.push(&Path::Field(at, AMOUNT.path()), IssueCode::Rule, message);
    }
    if let Some(chain) = request.get(CHAIN).filter(|chain| !chain.is_eip155()) {
        let message = fill("expected a chain of the namespace `eip155`, found `{}`", &[&chain]);
        issues.push(&Path::Field(at, CHAIN.path()), IssueCode::Rule, message);
    }
}

/// Adds the rules across fields that a schema can express.
#[cfg(feature = "schema")]
fn with_rules(mut schema: schemars::Schema) -> schemars::Schema {
    let intents = schema.get_mut("oneOf").and_then(Json::as_array_mut).into_iter().flatten();
    for properties in intents.filter_map(|intent| intent.get_mut("properties")) {
        let is_nft = properties.get("type").and_then(|kind| kind.get("const"))
            == Some(&json!(IntentType::NftTransfer));
        let Some(details) = properties.get_mut("details").and_then(Json::as_object_mut) else {
            continue;
        };
        let chain = json!({ "caip2Id": { "pattern": "^eip155:", "description": "The chain, of the namespace `eip155`." } });
        details.insert("properties".into(), chain);
        details.insert("required".into(), json!(["caip2Id"]));
        if is_nft {
            details.insert(
                "if".into(),
                json!({ "properties": { "nftType": { "const": NftType::ERC721 } } }),
            );
            details.insert("then".into(), json!({ "properties": { "amount": { "const": "1" } } }));
        }
    }

    schema
}
