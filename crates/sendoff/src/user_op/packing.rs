//! The packed form of a user operation, which the EntryPoint takes.

use alloc::vec::Vec;

use primitive_types::U256;

use super::gas_limit::{self, check_bits, gas_of};
use super::{GasFeeOrder, UserOp};
use crate::document::{Made, Typed, Value, document, made};
use crate::error::{Error, Issues};
use crate::value::{Address, HexBytes, Word, product, to_word};

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
    made(pack_value(&op.to_value(), &order.to_value()))
}

/// The same for values.
pub(crate) fn pack_value(op: &Value, order: &Value) -> Value {
    let lower = |value: &Value| match value {
        Value::Address(address) => Value::Address(address.to_lowercase()),
        other => Value::HexBytes(other.bytes().into()),
    };

    let mut made = Made::of(PackedUserOp::TABLE);
    made.add(lower(op.field("sender")));
    made.word(word_of(op.field("nonce")));
    made.bytes(init_code(op));
    made.add(lower(op.field("callData")));
    made.word(account_gas_limits(op));
    made.word(word_of(op.field("preVerificationGas")));
    made.word(gas_fees(op, order));
    made.bytes(paymaster_and_data(op));
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
static BOUNDED: [&str; 7] = [
    gas_limit::PRE_VERIFICATION.key,
    gas_limit::CALL.key,
    gas_limit::VERIFICATION.key,
    gas_limit::PAYMASTER.key,
    gas_limit::POST_OP.key,
    "maxPriorityFeePerGas",
    "maxFeePerGas",
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
    product(gas_of(op), op.field("maxFeePerGas").number())
}

pub(super) fn init_code(op: &Value) -> Vec<u8> {
    [op.field("factory").bytes(), op.field("factoryData").bytes()].concat()
}

pub(super) fn account_gas_limits(op: &Value) -> [u8; 32] {
    halves(op, gas_limit::VERIFICATION.key, gas_limit::CALL.key)
}

pub(super) fn gas_fees(op: &Value, order: &Value) -> [u8; 32] {
    let (tip, cap) = ("maxPriorityFeePerGas", "maxFeePerGas");
    if *order == Value::Keyword(GasFeeOrder::MaxFirst.as_str()) {
        halves(op, cap, tip)
    } else {
        halves(op, tip, cap)
    }
}

pub(super) fn paymaster_and_data(op: &Value) -> Vec<u8> {
    let paymaster = op.field("paymaster");
    if paymaster.bytes().is_empty() {
        return Vec::new();
    }
    let limits = halves(op, gas_limit::PAYMASTER.key, gas_limit::POST_OP.key);
    [paymaster.bytes(), &limits, op.field("paymasterData").bytes()].concat()
}

/// The word of a number.
pub(super) fn word_of(value: &Value) -> [u8; 32] {
    to_word(value.number())
}

/// A word of two numbers of 128 bits.
fn halves(op: &Value, high: &str, low: &str) -> [u8; 32] {
    let number = |key| op.field(key).number().low_u128();
    let mut word = to_word(number(high).into());
    word.rotate_left(16);
    if let Some(half) = word.last_chunk_mut() {
        *half = number(low).to_be_bytes();
    }
    word
}
