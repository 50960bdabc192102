//! The packed form of a user operation, which the EntryPoint takes.

use alloc::vec::Vec;

use primitive_types::U256;

use super::gas_limit::check_bits;
use super::op::{CAP, TIP};
use super::{Factory, GasFeeOrder, GasLimit, Paymaster, UserOp};
use crate::document::document;
use crate::error::{Error, Issues};
use crate::value::{Address, HexBytes, Word, product, to_word};

document! {
    /// A `PackedUserOperation` of EntryPoint 0.7 and later, without its signature, in lower-case hex.
    ///
    /// Source: ERC-4337.
    pub struct PackedUserOp: "a packed user operation, an object", open RefusedAlone {
        /// The account that executes the operation.
        "sender" => pub sender: Address,
        /// The nonce as 32 bytes.
        "nonce" => pub nonce: Word,
        /// The factory and its data; empty if the account is deployed.
        "initCode" => pub init_code: HexBytes,
        /// The call data of the account.
        "callData" => pub call_data: HexBytes,
        /// The gas limits of validation and of the call, 16 bytes each.
        "accountGasLimits" => pub account_gas_limits: Word,
        /// The gas before validation as 32 bytes.
        "preVerificationGas" => pub pre_verification_gas: Word,
        /// The two fees, 16 bytes each, in the chosen [`GasFeeOrder`].
        "gasFees" => pub gas_fees: Word,
        /// The paymaster, its two gas limits of 16 bytes each, and its data; empty if the sender pays.
        "paymasterAndData" => pub paymaster_and_data: HexBytes,
    }
}

/// Returns the packed form of an operation.
///
/// ```
/// use sendoff::user_op::{GasFeeOrder, UserOp, pack};
/// # let op: UserOp = r#"{"sender":"0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906","nonce":"0x7","callData":"0xDEADBEEF",
/// # "callGasLimit":"0x64","verificationGasLimit":"0xc8","preVerificationGas":"0x12c","maxFeePerGas":"0x190",
/// # "maxPriorityFeePerGas":"0x32"}"#.parse()?;
///
/// let packed = pack(&op, GasFeeOrder::Standard);
/// assert_eq!(packed.call_data.to_string(), "0xdeadbeef");
/// assert_eq!(packed.gas_fees.to_string(), format!("0x{:032x}{:032x}", 0x32, 0x190));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[must_use]
pub fn pack(op: &UserOp, order: GasFeeOrder) -> PackedUserOp {
    PackedUserOp {
        sender: op.sender.to_lowercase(),
        nonce: op.nonce.into(),
        init_code: init_code(op).into(),
        call_data: op.call_data.to_lowercase(),
        account_gas_limits: account_gas_limits(op).into(),
        pre_verification_gas: to_word(op.pre_verification_gas.value()).into(),
        gas_fees: gas_fees(op, order).into(),
        paymaster_and_data: paymaster_and_data(op).into(),
    }
}

/// Returns the required prefund: the most that an operation can cost its payer, in wei. It is the sum of all gas limits
/// times the fee cap. The EntryPoint reserves it before it executes.
///
/// # Errors
///
/// `range` at each field above 2^120−1. The EntryPoint refuses those (`AA94 gas values overflow`), so the sum cannot
/// overflow.
pub fn max_cost(op: &UserOp) -> Result<U256, Error> {
    let [call, verification, pre_verification, paymaster, post_op] =
        GasLimit::fields(|limit| op.gas(limit));
    let fees = [(TIP, &op.max_priority_fee_per_gas), (CAP, &op.max_fee_per_gas)];
    let fees = fees.map(|(field, fee)| (field.path(), fee.to_u256()));
    let gas = [pre_verification, call, verification, paymaster, post_op];

    let mut issues = Issues::default();
    gas.iter().chain(&fees).for_each(|field| check_bits(&[*field], &mut issues));
    let cost = if issues.is_empty() { op.max_cost() } else { None };
    issues.or(cost)
}

impl UserOp {
    /// The most that the operation can cost.
    pub(crate) fn max_cost(&self) -> Option<U256> {
        product(GasLimit::sum(|limit| self.gas(limit)), self.max_fee_per_gas.to_u256())
    }
}

pub(super) fn init_code(op: &UserOp) -> Vec<u8> {
    match &op.factory {
        Some(Factory { address, data }) => [address.as_ref(), data.as_slice()].concat(),
        None => Vec::new(),
    }
}

pub(super) fn account_gas_limits(op: &UserOp) -> [u8; 32] {
    halves(op.verification_gas_limit.value(), op.call_gas_limit.value())
}

pub(super) fn gas_fees(op: &UserOp, order: GasFeeOrder) -> [u8; 32] {
    let (cap, tip) = (op.max_fee_per_gas.value(), op.max_priority_fee_per_gas.value());
    match order {
        GasFeeOrder::Standard => halves(tip, cap),
        GasFeeOrder::MaxFirst => halves(cap, tip),
    }
}

pub(super) fn paymaster_and_data(op: &UserOp) -> Vec<u8> {
    let Some(paymaster) = &op.paymaster else { return Vec::new() };
    // Taken apart without `..`: a field that is not packed does not compile.
    let Paymaster { address, data, post_op_gas_limit, verification_gas_limit } = paymaster;
    let limits = halves(verification_gas_limit.value(), post_op_gas_limit.value());
    [address.as_ref(), &limits, data.as_slice()].concat()
}

/// A word of two numbers.
fn halves(high: u128, low: u128) -> [u8; 32] {
    let mut word = to_word(high.into());
    word.rotate_left(16);
    if let Some(half) = word.last_chunk_mut() {
        *half = low.to_be_bytes();
    }
    word
}
