//! The fields of an operation and of its EntryPoint. Records of two kinds have them each: an operation is a [`UserOp`] or
//! prepared, and the EntryPoint is alone or in a deployment.

use super::{EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder, PreparedUserOp, UserOp};
use crate::document::{Field, Found, Table, Value};
use crate::value::{Address, HexBytes, Nonce, Quantity, Quantity128};

/// The tables of an operation.
const OPERATIONS: &[&Table] = &[UserOp::TABLE, PreparedUserOp::TABLE];

#[track_caller]
const fn of<T: Found>(key: &'static str) -> Field<T> {
    Field::of(OPERATIONS, key)
}

pub(super) const SENDER: Field<Address> = of("sender");
pub(super) const NONCE: Field<Nonce> = of("nonce");
pub(super) const CALL_DATA: Field<HexBytes> = of("callData");
pub(super) const CAP: Field<Quantity128> = of("maxFeePerGas");
pub(super) const TIP: Field<Quantity128> = of("maxPriorityFeePerGas");
pub(super) const CALL_GAS: Field<Quantity128> = of("callGasLimit");
pub(super) const VERIFICATION_GAS: Field<Quantity128> = of("verificationGasLimit");
pub(super) const PRE_VERIFICATION_GAS: Field<Quantity> = of("preVerificationGas");
pub(super) const PAYMASTER: Field<Address> = of("paymaster");
pub(super) const PAYMASTER_DATA: Field<HexBytes> = of("paymasterData");
pub(super) const PAYMASTER_GAS: Field<Quantity128> = of("paymasterVerificationGasLimit");
pub(super) const POST_OP_GAS: Field<Quantity128> = of("paymasterPostOpGasLimit");

// The account of a prepared operation is deployed.
pub(super) const FACTORY: Field<Address> = Field::of_some(OPERATIONS, "factory");
pub(super) const FACTORY_DATA: Field<HexBytes> = Field::of_some(OPERATIONS, "factoryData");

/// The tables of an EntryPoint. That of a deployment has the same rows, which is checked there.
const ENTRY_POINTS: &[&Table] = &[EntryPoint::TABLE];

pub(super) const ENTRY_POINT: Field<Address> = Field::of(ENTRY_POINTS, "entryPoint");
pub(super) const CHAIN: Field<EvmChainId> = Field::of(ENTRY_POINTS, "chainId");
pub(super) const VERSION: Field<EntryPointVersion> = Field::of(ENTRY_POINTS, "version");
pub(super) const FEE_ORDER: Field<GasFeeOrder> = Field::of(ENTRY_POINTS, "gasFeeOrder");

/// The fields of an operation that is whole.
pub(crate) struct OpFields<'v> {
    pub(super) sender: &'v Address,
    pub(super) nonce: &'v Nonce,
    /// The factory and its data; nothing if the account is deployed.
    pub(super) factory: Option<(&'v Address, &'v HexBytes)>,
    pub(crate) call_data: &'v HexBytes,
    pub(super) call_gas: &'v Quantity128,
    pub(super) verification_gas: &'v Quantity128,
    pub(super) pre_verification_gas: &'v Quantity,
    pub(super) cap: &'v Quantity128,
    pub(super) tip: &'v Quantity128,
    /// Nothing if the sender pays.
    pub(super) paymaster: Option<PaymasterFields<'v>>,
}

/// The fields of a paymaster.
pub(super) struct PaymasterFields<'v> {
    pub(super) address: &'v Address,
    pub(super) verification_gas: &'v Quantity128,
    pub(super) post_op_gas: &'v Quantity128,
    pub(super) data: &'v HexBytes,
}

impl<'v> OpFields<'v> {
    /// Returns the fields of a record; nothing if it is not whole.
    pub(crate) fn of(op: &'v Value) -> Option<Self> {
        // A factory with a problem would be none below.
        if !op.is_whole() {
            return None;
        }
        Some(Self {
            sender: op.get(SENDER)?,
            nonce: op.get(NONCE)?,
            factory: match op.get(FACTORY) {
                Some(factory) => Some((factory, op.get(FACTORY_DATA)?)),
                None => None,
            },
            call_data: op.get(CALL_DATA)?,
            call_gas: op.get(CALL_GAS)?,
            verification_gas: op.get(VERIFICATION_GAS)?,
            pre_verification_gas: op.get(PRE_VERIFICATION_GAS)?,
            cap: op.get(CAP)?,
            tip: op.get(TIP)?,
            paymaster: match op.get(PAYMASTER) {
                Some(address) => Some(PaymasterFields {
                    address,
                    verification_gas: op.get(PAYMASTER_GAS)?,
                    post_op_gas: op.get(POST_OP_GAS)?,
                    data: op.get(PAYMASTER_DATA)?,
                }),
                None => None,
            },
        })
    }
}

/// The fields of an EntryPoint that is whole.
pub(crate) struct EntryPointFields<'v> {
    pub(super) address: &'v Address,
    pub(super) chain: EvmChainId,
    pub(super) version: EntryPointVersion,
    pub(super) fee_order: GasFeeOrder,
}

impl<'v> EntryPointFields<'v> {
    /// Returns the fields of a record; nothing if it is not whole.
    pub(crate) fn of(entry_point: &'v Value) -> Option<Self> {
        Some(Self {
            address: entry_point.get(ENTRY_POINT)?,
            chain: entry_point.get(CHAIN)?,
            version: entry_point.get(VERSION)?,
            fee_order: entry_point.get(FEE_ORDER)?,
        })
    }
}
