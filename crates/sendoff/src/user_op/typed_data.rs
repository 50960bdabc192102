//! A user operation as EIP-712 typed data.

use alloc::{string::String, vec::Vec};

use super::fields::OpFields;
use super::hash::hashed_paymaster_and_data;
use super::packing::{account_gas_limits, gas_fees, init_code, paymaster_and_data};
use super::{EntryPoint, EvmChainId};
use crate::document::{Is, Record, Row, Shown, Table, answer, traits};
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

/// The types of the typed data: the same for every operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypedDataTypes;

impl TypedDataTypes {
    /// Each type with its members: a name and a type each.
    pub const ALL: &'static [(&'static str, &'static [(&'static str, &'static str)])] = &[
        (
            "EIP712Domain",
            &[
                ("name", "string"),
                ("version", "string"),
                ("chainId", "uint256"),
                ("verifyingContract", "address"),
            ],
        ),
        (
            "PackedUserOperation",
            &[
                ("sender", "address"),
                ("nonce", "uint256"),
                ("initCode", "bytes"),
                ("callData", "bytes"),
                ("accountGasLimits", "bytes32"),
                ("preVerificationGas", "uint256"),
                ("gasFees", "bytes32"),
                ("paymasterAndData", "bytes"),
            ],
        ),
    ];
}

answer! {
    /// A member of a type.
    struct Member, by value {
        /// Its name.
        "name" => name: String,
        /// Its type.
        "type" => kind: String,
    }
}

const fn members(name: &'static str) -> Row {
    Row::of::<Vec<Member>>(name, "The members of the type.")
}

static TYPES: Table = Table {
    rows: &[members("EIP712Domain"), members("PackedUserOperation")],
    ..Table::answer("The types of the typed data: the same for every operation.")
};

impl Shown for TypedDataTypes {
    const SHAPE: Is = Is::Record(&TYPES);

    fn record(self) -> Record {
        let member =
            |(name, kind): &(&str, &str)| Member { name: (*name).into(), kind: (*kind).into() };
        Self::ALL.iter().fold(Record::of(&TYPES), |types, (_, members)| {
            types.with(members.iter().map(member).collect::<Vec<_>>())
        })
    }
}

traits!(TypedDataTypes: write, serialize, schema);

/// Returns the typed data of an operation for an EntryPoint of version 0.8 or 0.9; `None` if the operation has no
/// hash.
pub(crate) fn typed_data(op: &OpFields<'_>, at: &EntryPoint) -> Option<TypedData> {
    let paymaster_and_data = hashed_paymaster_and_data(paymaster_and_data(op), at.version).ok()?;
    Some(TypedData {
        domain: TypedDataDomain {
            name: "ERC4337".into(),
            version: "1".into(),
            chain_id: at.chain_id,
            verifying_contract: at.address.to_checksummed(),
        },
        types: TypedDataTypes,
        primary_type: PrimaryType::PackedUserOperation,
        message: TypedDataMessage {
            sender: op.sender.to_checksummed(),
            nonce: decimal(op.nonce.value()),
            init_code: init_code(op).into(),
            call_data: op.call_data.to_vec().into(),
            account_gas_limits: account_gas_limits(op).into(),
            pre_verification_gas: decimal(op.gas.pre_verification),
            gas_fees: gas_fees(op, at.gas_fee_order).into(),
            paymaster_and_data: paymaster_and_data.into(),
        },
    })
}
