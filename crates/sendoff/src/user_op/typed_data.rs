//! A user operation as EIP-712 typed data.

use alloc::string::String;

use super::hash::hashed_paymaster_and_data;
use super::packing::{account_gas_limits, gas_fees, init_code, paymaster_and_data};
use super::{EntryPoint, EvmChainId, UserOp};
use crate::document::answer;
use crate::value::{Address, HexBytes, Word, decimal, keyword};

answer! {
    /// A user operation as EIP-712 typed data, in the form that wallets take as `eth_signTypedData_v4`. Its hash is that of
    /// EntryPoint 0.8 and 0.9.
    ///
    /// Source: EIP-712; ERC-4337 for the domain and the type.
    pub struct TypedData {
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

answer! {
    /// The domain of ERC-4337.
    pub struct TypedDataDomain {
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

answer! {
    /// The packed operation as it is hashed. Numbers are decimals.
    pub struct TypedDataMessage {
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

answer! {
    /// The types of the typed data: the same for every operation.
    #[derive(Copy, PartialOrd, Ord)]
    pub struct TypedDataTypes {
        /// The members of the type.
        "EIP712Domain" => pub domain: &'static [TypedDataMember],
        /// The members of the type.
        "PackedUserOperation" => pub operation: &'static [TypedDataMember],
    }
}

answer! {
    /// A member of a type.
    #[derive(Copy, PartialOrd, Ord)]
    pub struct TypedDataMember {
        /// Its name.
        "name" => pub name: &'static str,
        /// Its type.
        "type" => pub kind: &'static str,
    }
}

impl TypedDataTypes {
    /// The types of ERC-4337.
    pub const ERC4337: Self = Self {
        domain: &[
            member("name", "string"),
            member("version", "string"),
            member("chainId", "uint256"),
            member("verifyingContract", "address"),
        ],
        operation: &[
            member("sender", "address"),
            member("nonce", "uint256"),
            member("initCode", "bytes"),
            member("callData", "bytes"),
            member("accountGasLimits", "bytes32"),
            member("preVerificationGas", "uint256"),
            member("gasFees", "bytes32"),
            member("paymasterAndData", "bytes"),
        ],
    };
}

const fn member(name: &'static str, kind: &'static str) -> TypedDataMember {
    TypedDataMember { name, kind }
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
        types: TypedDataTypes::ERC4337,
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
