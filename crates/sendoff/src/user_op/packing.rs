//! The packed form of a user operation, which the EntryPoint takes.

use alloc::vec::Vec;

use primitive_types::U256;

use super::fields::{self, OpFields, PaymasterFields};
use super::gas_limit::{check_bits, gas_of};
use super::{GasFeeOrder, UserOp};
use crate::document::{Field, Made, Number, Numeric, Typed, Value, document, made};
use crate::error::{Error, Issues};
use crate::value::{Address, HexBytes, Quantity128, Word, product, to_word};

document! {
    /// A `PackedUserOperation` of EntryPoint 0.7 and later, without its signature, in lower-case hex.
    ///
    /// Source: ERC-4337.
    pub struct PackedUserOp: "a packed user operation, an object", open part {
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
    made(pack_value(&op.to_value(), order))
}

/// The same for values.
pub(crate) fn pack_value(op: &Value, order: GasFeeOrder) -> Value {
    let Some(op) = OpFields::of(op) else { return Value::Unread };
    let mut made = Made::of(PackedUserOp::TABLE);
    made.add(op.sender.to_lowercase().into_value());
    made.word(word_of(op.nonce));
    made.bytes(init_code(&op));
    made.bytes(op.call_data.to_vec());
    made.word(account_gas_limits(&op));
    made.word(word_of(op.pre_verification_gas));
    made.word(gas_fees(&op, order));
    made.bytes(paymaster_and_data(&op));
    made.finish()
}

/// Returns the required prefund: the most that an operation can cost its payer, in wei. It is the sum of all gas limits
/// times the fee cap. The EntryPoint reserves it before it executes.
///
/// # Errors
///
/// `range` at each field above 2^120−1. The EntryPoint refuses those (`AA94 gas values overflow`), so the sum cannot
/// overflow.
pub fn max_cost(op: &UserOp) -> Result<U256, Error> {
    max_cost_of(&op.to_value())
}

/// The fields that the EntryPoint bounds, in the order in which their problems are found.
static BOUNDED: [Field<Number>; 7] = [
    fields::PRE_VERIFICATION_GAS.number(),
    fields::CALL_GAS.number(),
    fields::VERIFICATION_GAS.number(),
    fields::PAYMASTER_GAS.number(),
    fields::POST_OP_GAS.number(),
    fields::TIP.number(),
    fields::CAP.number(),
];

/// The same for a value.
pub(crate) fn max_cost_of(op: &Value) -> Result<U256, Error> {
    let mut issues = Issues::default();
    check_bits(op, &BOUNDED, &mut issues);

    let cost = if issues.is_empty() { cost_of(op) } else { None };
    issues.or(cost)
}

/// The most that an operation can cost.
pub(crate) fn cost_of(op: &Value) -> Option<U256> {
    product(gas_of(op), *op.get(fields::CAP.number())?)
}

pub(super) fn init_code(op: &OpFields<'_>) -> Vec<u8> {
    match op.factory {
        Some((factory, data)) => [factory.as_ref(), data.as_slice()].concat(),
        None => Vec::new(),
    }
}

pub(super) fn account_gas_limits(op: &OpFields<'_>) -> [u8; 32] {
    halves(op.verification_gas, op.call_gas)
}

pub(super) fn gas_fees(op: &OpFields<'_>, order: GasFeeOrder) -> [u8; 32] {
    match order {
        GasFeeOrder::Standard => halves(op.tip, op.cap),
        GasFeeOrder::MaxFirst => halves(op.cap, op.tip),
    }
}

pub(super) fn paymaster_and_data(op: &OpFields<'_>) -> Vec<u8> {
    let Some(PaymasterFields { address, verification_gas, post_op_gas, data }) = &op.paymaster
    else {
        return Vec::new();
    };
    [address.as_ref(), &halves(verification_gas, post_op_gas), data.as_slice()].concat()
}

/// The word of a number.
#[inline(never)]
pub(super) fn word_of<T: Numeric>(number: &T) -> [u8; 32] {
    to_word(*number.number())
}

/// A word of two numbers.
fn halves(high: &Quantity128, low: &Quantity128) -> [u8; 32] {
    let mut word = word_of(high);
    word.rotate_left(16);
    if let Some(half) = word.last_chunk_mut() {
        *half = low.value().to_be_bytes();
    }
    word
}
