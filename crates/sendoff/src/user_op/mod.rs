//! The user operation of ERC-4337: its call data, packing, hashes, paymaster data, signature and receipt.

mod assemble;
mod call_data;
mod comparison_code;
mod entry_point;
mod hash;
mod packing;
mod paymaster_data;
mod receipt;
mod revert_reason;
#[cfg(feature = "signature")]
mod signature;

#[cfg(feature = "schema")]
pub(crate) use assemble::SignedUserOp;
pub(crate) use assemble::{SignatureBytes, UnsignedUserOp};
#[cfg(feature = "schema")]
pub(crate) use call_data::DecodedCall;
pub use call_data::{Call, GsnRequirement, Policies};
pub use comparison_code::ComparisonCode;
pub use entry_point::{EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder};
pub use hash::{signing_digest, user_op_hash};
pub use packing::{PackedUserOp, max_cost, pack};
pub use paymaster_data::{PaymasterData, PaymasterGrant, Seconds};
pub use receipt::{Outcome, Receipt};
pub use revert_reason::RevertReason;
#[cfg(feature = "signature")]
pub(crate) use signature::SignatureCheck;
#[cfg(feature = "signature")]
pub use signature::{DeployCall, SignatureCall, SignatureFlaw, check_signature};

use primitive_types::{H160, U256};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::document::{Node, Object, Read, from_document, schema};
use crate::error::{Issues, Path};
use crate::value::{Address, HexBytes, Nonce, Quantity, Quantity128};

/// A user operation for EntryPoint 0.7 and later, unpacked.
///
/// In JSON it is flat, as in ERC-7769: the factory's two fields and the paymaster's four stand beside the others, or
/// not at all. The service's replies have the paymaster and no factory.
///
/// ```
/// use sendoff::user_op::UserOp;
///
/// let op: UserOp = r#"{
///     "sender": "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906",
///     "nonce": "0x7",
///     "callData": "0xdeadbeef",
///     "callGasLimit": "0x64",
///     "verificationGasLimit": "0xc8",
///     "preVerificationGas": "0x12c",
///     "maxFeePerGas": "0x190",
///     "maxPriorityFeePerGas": "0x32"
/// }"#.parse()?;
/// assert!(op.paymaster.is_none() && op.factory.is_none());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", transform = Self::say_as_read)
)]
pub struct UserOp {
    /// The account that acts.
    pub sender: Address,
    /// What makes the operation unique. The service makes it of the job ([`crate::value::JobId::nonce`]).
    pub nonce: Nonce,
    /// What deploys the account, where it is not deployed.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub factory: Option<Factory>,
    /// What the account is told to do.
    pub call_data: HexBytes,
    /// Gas for the call itself.
    pub call_gas_limit: Quantity128,
    /// Gas for the account's validation.
    pub verification_gas_limit: Quantity128,
    /// Gas that pays the bundler for what the EntryPoint cannot measure.
    pub pre_verification_gas: Quantity,
    /// The most paid for a unit of gas, in wei.
    pub max_fee_per_gas: Quantity128,
    /// The tip for a unit of gas, in wei.
    pub max_priority_fee_per_gas: Quantity128,
    /// Who pays in the sender's place.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub paymaster: Option<Paymaster>,
    /// The account's signature; it is not part of any hash.
    #[cfg_attr(feature = "schema", schemars(with = "HexBytes"))]
    pub signature: Option<HexBytes>,
}

/// What deploys an account.
///
/// ```
/// use sendoff::user_op::Factory;
///
/// let address = "0x7702000000000000000000000000000000000000".parse()?;
/// assert!(Factory { address, data: "0x".parse()? }.is_eip7702_marker());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Factory {
    /// The contract that deploys.
    #[cfg_attr(feature = "schema", schemars(rename = "factory"))]
    pub address: Address,
    /// What it is called with; absent in JSON means nothing.
    #[cfg_attr(feature = "schema", schemars(rename = "factoryData"))]
    pub data: HexBytes,
}

impl Factory {
    /// The marker of an EIP-7702 account in a factory's place: `0x7702`, then zeros.
    #[must_use]
    pub fn is_eip7702_marker(&self) -> bool {
        let H160([0x77, 0x02, rest @ ..]) = self.address.to_h160() else { return false };
        rest == [0; 18]
    }

    /// `factory` and `factoryData`: the latter may be absent, but not stand alone.
    fn take(object: &mut Object<'_, '_>) -> Option<Option<Self>> {
        let asked = object.has("factoryData");
        let address = if asked { object.required("factory").map(Some) } else { object.optional("factory") };
        let data = object.optional("factoryData");
        let data = data?.unwrap_or_else(|| HexBytes::from(&[][..]));
        Some(address?.map(|address| Self { address, data }))
    }
}

/// A contract that pays for an operation.
///
/// ```
/// use sendoff::user_op::Paymaster;
///
/// let paymaster = Paymaster {
///     address: "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3".parse()?,
///     verification_gas_limit: 80_290.into(),
///     post_op_gas_limit: 1.into(),
///     data: "0x".parse()?,
/// };
/// assert_eq!(paymaster.verification_gas_limit.as_str(), "0x139a2");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paymaster {
    /// The contract that pays.
    #[cfg_attr(feature = "schema", schemars(rename = "paymaster"))]
    pub address: Address,
    /// Gas for its validation.
    #[cfg_attr(feature = "schema", schemars(rename = "paymasterVerificationGasLimit"))]
    pub verification_gas_limit: Quantity128,
    /// Gas for its work after the call.
    #[cfg_attr(feature = "schema", schemars(rename = "paymasterPostOpGasLimit"))]
    pub post_op_gas_limit: Quantity128,
    /// What it is called with; the service's layout is [`PaymasterData`].
    #[cfg_attr(feature = "schema", schemars(rename = "paymasterData"))]
    pub data: HexBytes,
}

impl Paymaster {
    const FIELDS: [&str; 4] =
        ["paymaster", "paymasterVerificationGasLimit", "paymasterPostOpGasLimit", "paymasterData"];

    /// The four fields, or none of them; some are missing where others stand.
    fn take(object: &mut Object<'_, '_>) -> Option<Option<Self>> {
        if !Self::FIELDS.iter().any(|key| object.has(key)) {
            return Some(None);
        }
        let [address, verification_gas_limit, post_op_gas_limit, data] = Self::FIELDS;
        let address = object.required(address);
        let verification_gas_limit = object.required(verification_gas_limit);
        let post_op_gas_limit = object.required(post_op_gas_limit);
        let data = object.required(data);
        match (address, verification_gas_limit, post_op_gas_limit, data) {
            (Some(address), Some(verification_gas_limit), Some(post_op_gas_limit), Some(data)) => {
                Some(Some(Self { address, verification_gas_limit, post_op_gas_limit, data }))
            }
            _ => None,
        }
    }
}

impl UserOp {
    /// The twelve fields that the service's replies have; those of the paymaster may be absent together.
    pub(crate) fn take(object: &mut Object<'_, '_>) -> Option<Self> {
        let fields = (
            object.required("sender"),
            object.required("nonce"),
            object.required("callData"),
            object.required("callGasLimit"),
            object.required("verificationGasLimit"),
            object.required("preVerificationGas"),
            object.required("maxFeePerGas"),
            object.required("maxPriorityFeePerGas"),
            Paymaster::take(object),
        );
        match fields {
            (
                Some(sender),
                Some(nonce),
                Some(call_data),
                Some(call_gas_limit),
                Some(verification_gas_limit),
                Some(pre_verification_gas),
                Some(max_fee_per_gas),
                Some(max_priority_fee_per_gas),
                Some(paymaster),
            ) => Some(Self {
                sender,
                nonce,
                factory: None,
                call_data,
                call_gas_limit,
                verification_gas_limit,
                pre_verification_gas,
                max_fee_per_gas,
                max_priority_fee_per_gas,
                paymaster,
                signature: None,
            }),
            _ => None,
        }
    }
}

impl Read for UserOp {
    const EXPECTED: &'static str = "a user operation, an object";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open::<Self>(node, at, issues)?;
        let op = Self::take(&mut object);
        let factory = Factory::take(&mut object);
        let signature = object.optional("signature");
        object.close();
        match (op, factory, signature) {
            (Some(op), Some(factory), Some(signature)) => Some(Self { factory, signature, ..op }),
            _ => None,
        }
    }
}

from_document!(UserOp);

#[cfg(feature = "schema")]
impl UserOp {
    /// The fields of a factory and of a paymaster depend on each other; a signature may be absent.
    fn say_as_read(schema: &mut schemars::Schema) {
        if let Some(required) = schema.get_mut("required").and_then(serde_json::Value::as_array_mut) {
            required.retain(|key| key != "signature");
        }
        let others = |field: &str| Paymaster::FIELDS.into_iter().filter(|key| *key != field).collect();
        let mut dependent: alloc::collections::BTreeMap<&str, alloc::vec::Vec<&str>> =
            Paymaster::FIELDS.into_iter().map(|field| (field, others(field))).collect();
        dependent.insert("factoryData", alloc::vec!["factory"]);
        schema.insert("dependentRequired".into(), serde_json::json!(dependent));
        schema.insert("additionalProperties".into(), false.into());
    }
}

/// The operation that an estimate prepares: the paymaster is there, and neither factory nor signature.
#[cfg(feature = "schema")]
pub(crate) struct PreparedUserOp;

schema::of!(PreparedUserOp, |generator| {
    let mut schema = <UserOp as schemars::JsonSchema>::json_schema(generator);
    schema
        .insert("description".into(), "The operation that an estimate prepares: everything but the signature.".into());
    schema.remove("dependentRequired");
    schema.remove("additionalProperties");
    if let Some(properties) = schema.get_mut("properties").and_then(serde_json::Value::as_object_mut) {
        properties.retain(|key, _| !["factory", "factoryData", "signature"].contains(&key.as_str()));
        let keys: alloc::vec::Vec<_> = properties.keys().cloned().collect();
        schema.insert("required".into(), keys.into());
    }
    schema
});

impl Serialize for UserOp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut op = serializer.serialize_map(None)?;
        op.serialize_entry("callData", &self.call_data)?;
        op.serialize_entry("callGasLimit", &self.call_gas_limit)?;
        if let Some(factory) = &self.factory {
            op.serialize_entry("factory", &factory.address)?;
            op.serialize_entry("factoryData", &factory.data)?;
        }
        op.serialize_entry("maxFeePerGas", &self.max_fee_per_gas)?;
        op.serialize_entry("maxPriorityFeePerGas", &self.max_priority_fee_per_gas)?;
        op.serialize_entry("nonce", &self.nonce)?;
        if let Some(paymaster) = &self.paymaster {
            op.serialize_entry("paymaster", &paymaster.address)?;
            op.serialize_entry("paymasterData", &paymaster.data)?;
            op.serialize_entry("paymasterPostOpGasLimit", &paymaster.post_op_gas_limit)?;
            op.serialize_entry("paymasterVerificationGasLimit", &paymaster.verification_gas_limit)?;
        }
        op.serialize_entry("preVerificationGas", &self.pre_verification_gas)?;
        op.serialize_entry("sender", &self.sender)?;
        op.serialize_entry("verificationGasLimit", &self.verification_gas_limit)?;
        if let Some(signature) = &self.signature {
            op.serialize_entry("signature", signature)?;
        }
        op.end()
    }
}

/// Two numbers of 128 bits as one word, the first in its high half.
fn halves(high: u128, low: u128) -> [u8; 32] {
    let mut word = U256::from(high).to_big_endian();
    word.rotate_left(16);
    if let Some(half) = word.last_chunk_mut() {
        *half = low.to_be_bytes();
    }
    word
}
