//! The call data of a job: the content of its user operation.
//!
//! The outer encoding is the tuple `(bytes4, address, uint256, bytes)`: the selector of the
//! EntryPoint's `executeUserOp`, the job manager, no value, and the call of
//! `initiateJob(uint256,address,address,address,bytes,bytes,bytes,string)`. Policies, gas station
//! network and the intent's parameters are encodings of their own inside it. Addresses among the
//! parameters are text and keep their spelling.
//!
//! Source: the live service's published examples and public SDK; ERC-4337 for `executeUserOp`.

use alloc::{string::String, vec::Vec};

use primitive_types::{H160, U256};
use uuid::Uuid;

use crate::abi::{self, DecodeError, Reader, encode};
use crate::document::{document, traits};
use crate::error::{Error, IssueCode};
use crate::intent::{Intent, IntentType};
use crate::keccak::selector;
use crate::value::{Address, ChainId, FeePayerAddress, JobId, Text};

const EXECUTE_USER_OP: [u8; 4] = selector(
    "executeUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32)",
);

const INITIATE_JOB: [u8; 4] =
    selector("initiateJob(uint256,address,address,address,bytes,bytes,bytes,string)");

document! {
    /// The features that are enabled for the application on a chain.
    ///
    /// ```
    /// use sendoff::user_op::Policies;
    ///
    /// let policies: Policies = r#"{"gsnEnabled":false,"sponsorshipEnabled":true}"#.parse()?;
    /// assert!(policies.sponsorship_enabled);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Policies: "policies, an object of `gsnEnabled` and `sponsorshipEnabled`" {
        /// Whether the gas station network is enabled.
        "gsnEnabled" => pub gsn_enabled: bool,
        /// Whether a fee payer may pay in the user's place.
        "sponsorshipEnabled" => pub sponsorship_enabled: bool,
    }
}

document! {
    /// The job's need for the gas station network.
    ///
    /// ```
    /// use sendoff::user_op::GsnRequirement;
    ///
    /// assert!(!GsnRequirement::default().is_required);
    /// ```
    #[derive(Default)]
    pub struct GsnRequirement: "what is asked of the gas station network, an object" {
        /// Whether the job needs the gas station network.
        "isRequired" => pub is_required: bool,
        /// The chains on which the job needs it.
        "requiredNetworks" => pub required_networks: Vec<ChainId>,
    }
}

document! {
    /// The content of a job's call data.
    ///
    /// ```
    /// use sendoff::user_op::Call;
    ///
    /// let call: Call = r#"{
    ///     "jobManager": "0x0543ad80b41c5f5956d34503668cdb965decb617",
    ///     "jobId": "e4fb7f8b-d19d-4785-94af-4b911469a3b0",
    ///     "clientSWA": "0xe8201e368557508bf183d4e2dce1b1a1e0bd20fa",
    ///     "userSWA": "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906",
    ///     "feePayerAddress": "",
    ///     "policies": { "gsnEnabled": false, "sponsorshipEnabled": false },
    ///     "gsn": { "isRequired": false, "requiredNetworks": [] },
    ///     "intent": { "type": "TOKEN_TRANSFER", "details": {
    ///         "caip2Id": "eip155:84532",
    ///         "recipientWalletAddress": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
    ///         "tokenAddress": "",
    ///         "amount": "10000000000000"
    ///     } }
    /// }"#.parse()?;
    /// assert_eq!(Call::decode(&call.encode())?, call);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Call: "the content of call data, an object" {
        /// The contract that starts the job.
        "jobManager" => pub job_manager: Address,
        /// The job.
        "jobId" => pub job_id: JobId,
        /// The application's smart wallet.
        "clientSWA" => pub client_swa: Address,
        /// The user's smart wallet.
        "userSWA" => pub user_swa: Address,
        /// The account that pays the fee in the user's place.
        "feePayerAddress" => pub fee_payer_address: FeePayerAddress,
        /// The features that are enabled for the application.
        "policies" => pub policies: Policies,
        /// The job's need for the gas station network; absent in JSON means no need.
        "gsn" => pub gsn: GsnRequirement = GsnRequirement::default(),
        /// The intent.
        "intent" => pub intent: Intent,
    }
}

/// The content of decoded call data: every field is present.
#[cfg(feature = "schema")]
pub(crate) struct DecodedCall;

traits!(DecodedCall: schema(|generator| {
    let call = generator.subschema_for::<Call>();
    let mut gsn = generator.subschema_for::<GsnRequirement>();
    gsn.insert("description".into(), "The job's need for the gas station network.".into());
    schemars::json_schema!({
        "description": "The content of decoded call data. Addresses outside the intent are in lower case.",
        "allOf": [call],
        "properties": { "gsn": gsn },
        "required": ["gsn"],
    })
}));

impl Call {
    /// Returns the call data.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Taken apart without `..`: a field that is not encoded does not compile.
        let Self {
            job_manager,
            job_id,
            client_swa,
            user_swa,
            fee_payer_address,
            policies: Policies { gsn_enabled, sponsorship_enabled },
            gsn: GsnRequirement { is_required, required_networks },
            intent,
        } = self;
        let payer = fee_payer_address.payer().map_or(H160::zero(), Address::to_h160);
        let networks = required_networks.iter().map(|network| abi::Item::Text(network)).collect();

        encode(&[
            abi::Item::Selector(EXECUTE_USER_OP),
            abi::Item::Address(job_manager.to_h160()),
            abi::Item::Uint(U256::zero()),
            abi::Item::Call(
                INITIATE_JOB,
                &[
                    abi::Item::Uint(job_id.to_uuid().as_u128().into()),
                    abi::Item::Address(client_swa.to_h160()),
                    abi::Item::Address(user_swa.to_h160()),
                    abi::Item::Address(payer),
                    // The words of a tuple of single words stand in its place.
                    abi::Item::Encoded(&[
                        abi::Item::Bool(*gsn_enabled),
                        abi::Item::Bool(*sponsorship_enabled),
                    ]),
                    abi::Item::Encoded(&[abi::Item::Tuple(&[
                        abi::Item::Bool(*is_required),
                        abi::Item::List(networks),
                        abi::Item::List(Vec::new()),
                    ])]),
                    abi::Item::Encoded(&[abi::Item::Tuple(&intent.details().encode())]),
                    abi::Item::Bytes(intent.kind().as_str().as_bytes()),
                ],
            ),
        ])
    }

    /// Decodes call data. Accepts what [`Call::encode`] writes; in raw transactions, also keys in another order.
    /// Addresses outside the intent are returned in lower case.
    ///
    /// # Errors
    ///
    /// One issue of code `format`, with the byte and what was expected there.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        decode_call(bytes).map_err(|message| Error::one(IssueCode::Format, message))
    }
}

/// Decodes call data, or returns the message about the first part that is not as the encoder writes it.
pub(crate) fn decode_call(bytes: &[u8]) -> Result<Call, String> {
    let flaw = DecodeError::default();
    let call = decode(bytes, &flaw);
    flaw.or(call, bytes)
}

fn decode(bytes: &[u8], flaw: &DecodeError) -> Option<Call> {
    let mut outer = Reader::new(bytes, 0, 4, flaw);
    if outer.word().strip_prefix(&EXECUTE_USER_OP) != Some(&[0; 28]) {
        outer.before("the selector 0x8dd7712f of executeUserOp and 28 zero bytes");
    }
    let job_manager = outer.address().into();
    if !outer.uint().is_zero() {
        outer.before("no value");
    }
    let (call, origin) = outer.bytes();
    outer.end();

    let Some(arguments) = call.strip_prefix(&INITIATE_JOB) else {
        flaw.keep(origin, "the selector 0xbf7b90d7 of initiateJob");
        return None;
    };
    let mut job = Reader::new(arguments, origin.saturating_add(INITIATE_JOB.len()), 8, flaw);
    let job_id = job.uint();
    if job_id.bits() > 128 {
        job.before("16 zero bytes and the 16 of a UUID");
    }
    let (client_swa, user_swa) = (job.address().into(), job.address().into());
    let fee_payer_address = job.address().into();
    let [policies, gsn, mut parameters] = [2, 1, 1].map(|heads| job.encoded(heads));
    let (kind, at) = job.bytes();
    job.end();

    let kind = core::str::from_utf8(kind).ok().and_then(|kind| IntentType::parse(kind).ok());
    if kind.is_none() {
        flaw.keep(at, <IntentType as Text>::EXPECTED);
    }
    let (policies, gsn) = (decode_policies(policies), decode_gsn(gsn)?);
    let intent = kind?.decode(&mut parameters)?;
    parameters.end();
    let job_id = Uuid::from_u128(job_id.low_u128()).into();
    Some(Call {
        job_manager,
        job_id,
        client_swa,
        user_swa,
        fee_payer_address,
        policies,
        gsn,
        intent,
    })
}

fn decode_policies(mut policies: Reader<'_>) -> Policies {
    let (gsn_enabled, sponsorship_enabled) = (policies.bool(), policies.bool());
    policies.end();
    Policies { gsn_enabled, sponsorship_enabled }
}

fn decode_gsn(mut whole: Reader<'_>) -> Option<GsnRequirement> {
    let mut gsn = whole.tuple(3);
    let is_required = gsn.bool();
    let (count, mut list) = gsn.list();
    let mut required_networks = Vec::new();
    for _ in 0..count {
        required_networks.push(list.text()?);
    }
    gsn.resume(&list);

    let (tokens, list) = gsn.list();
    if tokens != 0 {
        gsn.before("the offset of an array without tokens");
    }
    gsn.resume(&list);
    whole.resume(&gsn);
    whole.end();
    Some(GsnRequirement { is_required, required_networks })
}
