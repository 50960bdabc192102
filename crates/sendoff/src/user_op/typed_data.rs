//! A user operation as EIP-712 typed data.

use alloc::{string::String, vec::Vec};

use super::hash::{EIP712_DOMAIN, PACKED_USER_OPERATION, hashed_paymaster_and_data};
use super::packing::{account_gas_limits, gas_fees, init_code, paymaster_and_data};
use super::{EntryPoint, EvmChainId, UserOp};
use crate::document::document;
use crate::value::{Address, HexBytes, Word, decimal, keyword};

document! {
    /// A user operation as EIP-712 typed data, in the form that wallets take as `eth_signTypedData_v4`. Its hash is that of
    /// EntryPoint 0.8 and 0.9.
    ///
    /// Source: EIP-712; ERC-4337 for the domain and the type.
    pub struct TypedData: "", open Ignored, displayed by nobody {
        /// The EntryPoint that verifies the signature.
        "domain" => pub domain: TypedDataDomain,
        /// The types, the same for every operation.
        "types" => pub types: TypedDataTypes,
        /// The type of the message: `PackedUserOperation`.
        "primaryType" => pub primary_type: PrimaryType,
        /// The packed operation.
        "message" => pub message: TypedDataMessage,
    }
}

keyword! {
    /// The type of the message of typed data.
    ///
    /// ```
    /// use sendoff::user_op::PrimaryType;
    ///
    /// assert_eq!(PrimaryType::PackedUserOperation.as_str(), "PackedUserOperation");
    /// ```
    pub enum PrimaryType: "`PackedUserOperation`" {
        /// The packed operation.
        "PackedUserOperation" => PackedUserOperation,
    }
}

document! {
    /// The domain of ERC-4337.
    pub struct TypedDataDomain: "", open Ignored, displayed by nobody {
        /// `ERC4337`.
        "name" => pub name: String,
        /// `1`.
        "version" => pub version: String,
        /// The chain of the EntryPoint.
        "chainId" => pub chain_id: EvmChainId,
        /// The EntryPoint.
        "verifyingContract" => pub verifying_contract: Address,
    }
}

document! {
    /// The packed operation as it is hashed. Numbers are decimals.
    pub struct TypedDataMessage: "", open Ignored, displayed by nobody {
        /// The account that executes the operation.
        "sender" => pub sender: Address,
        /// The nonce.
        "nonce" => pub nonce: String,
        /// The factory and its data; empty if the account is deployed.
        "initCode" => pub init_code: HexBytes,
        /// The call data of the account.
        "callData" => pub call_data: HexBytes,
        /// The gas limits of validation and of the call, 16 bytes each.
        "accountGasLimits" => pub account_gas_limits: Word,
        /// The gas before validation.
        "preVerificationGas" => pub pre_verification_gas: String,
        /// The two fees, 16 bytes each.
        "gasFees" => pub gas_fees: Word,
        /// The paymaster, its two gas limits and its data; with EntryPoint 0.9 without the paymaster's signature.
        "paymasterAndData" => pub paymaster_and_data: HexBytes,
    }
}

document! {
    /// The types of the typed data: the same for every operation.
    pub struct TypedDataTypes: "", open Ignored, displayed by nobody {
        /// The members of the type.
        "EIP712Domain" => pub domain: Vec<TypedDataMember>,
        /// The members of the type.
        "PackedUserOperation" => pub operation: Vec<TypedDataMember>,
    }
}

document! {
    /// A member of a type.
    pub struct TypedDataMember: "", open Ignored, displayed by nobody {
        /// Its name.
        "name" => pub name: String,
        /// Its type.
        "type" => pub kind: String,
    }
}

impl TypedDataTypes {
    /// The types of ERC-4337.
    #[must_use]
    pub fn erc4337() -> Self {
        Self { domain: members(EIP712_DOMAIN), operation: members(PACKED_USER_OPERATION) }
    }
}

/// The members in the encoding of a type.
fn members(encoding: &str) -> Vec<TypedDataMember> {
    let members = encoding.split_once('(').map_or("", |(_, members)| members);
    let members = members.trim_end_matches(')').split(',');
    let members = members.filter_map(|member| member.split_once(' '));
    let member =
        |(kind, name): (&str, &str)| TypedDataMember { name: name.into(), kind: kind.into() };
    members.map(member).collect()
}

/// Returns the typed data of an operation for an EntryPoint of version 0.8 or 0.9; `None` if the operation has no
/// hash.
pub(crate) fn typed_data(op: &UserOp, at: &EntryPoint) -> Option<TypedData> {
    let paymaster_and_data = hashed_paymaster_and_data(paymaster_and_data(op), at.version).ok()?;
    Some(TypedData {
        domain: TypedDataDomain {
            name: "ERC4337".into(),
            version: "1".into(),
            chain_id: at.chain_id,
            verifying_contract: at.address.to_checksummed(),
        },
        types: TypedDataTypes::erc4337(),
        primary_type: PrimaryType::PackedUserOperation,
        message: TypedDataMessage {
            sender: op.sender.to_checksummed(),
            nonce: decimal(op.nonce.value()),
            init_code: init_code(op).into(),
            call_data: op.call_data.to_lowercase(),
            account_gas_limits: account_gas_limits(op).into(),
            pre_verification_gas: decimal(op.pre_verification_gas.value()),
            gas_fees: gas_fees(op, at.gas_fee_order).into(),
            paymaster_and_data: paymaster_and_data.into(),
        },
    })
}
