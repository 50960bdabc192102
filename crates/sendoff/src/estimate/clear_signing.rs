//! Clear signing: the effects of a signature in plain data.

use alloc::string::String;

use super::describe::describe;
use super::scope::{self, at};
use super::{CallDescription, SignatureForm};
use crate::document::{Made, Place, Typed, Value, answer};
use crate::intent::Known;
use crate::keccak::keccak256;
use crate::user_op::{self, EntryPointVersion, EvmChainId, GasFeeOrder, Seconds, cost_of};
use crate::value::{Address, ChainId, Nonce, Word, fill, product};

answer! {
    /// The effects of a signature in plain data. Two operations have the same only if they are equal.
    pub struct ClearSigning, by value {
        /// The effects on the user's assets.
        "call" => pub call: CallDescription,
        /// The operation that causes them.
        "operation" => pub operation: SignedOperation,
    }
}

answer! {
    /// The operation that is signed. Amounts are decimals, in wei or in gas.
    pub struct SignedOperation, by value {
        /// The account that executes the operation.
        "sender" => pub sender: Address,
        /// The nonce.
        "nonce" => pub nonce: Nonce,
        /// The EntryPoint that executes it.
        "entryPoint" => pub entry_point: Address,
        /// The chain on which it is executed; assets may move on another one.
        "chainId" => pub chain_id: EvmChainId,
        /// The same chain as a CAIP-2 id. `maxCost` is paid on it, in its coin.
        "chain" => pub chain: ChainId,
        /// The version of the EntryPoint.
        "version" => pub version: EntryPointVersion,
        /// The order of the two packed fees.
        "gasFeeOrder" => pub gas_fee_order: GasFeeOrder,
        /// The form of hash that the account's key signs.
        "signs" => pub signs: SignatureForm,
        /// The highest price of a unit of gas, in wei: the cap.
        "maxFeePerGas" => pub max_fee_per_gas: String,
        /// The tip for a unit of gas, in wei.
        "maxPriorityFeePerGas" => pub max_priority_fee_per_gas: String,
        /// The gas for the call itself. With too little gas the call fails, and is still paid for.
        "callGasLimit" => pub call_gas_limit: String,
        /// The gas for the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: String,
        /// The gas that pays the bundler for work that the EntryPoint cannot measure.
        "preVerificationGas" => pub pre_verification_gas: String,
        /// The gas for the paymaster's validation.
        "paymasterVerificationGasLimit" => pub paymaster_verification_gas_limit: String,
        /// The gas for the paymaster's work after the call.
        "paymasterPostOpGasLimit" => pub paymaster_post_op_gas_limit: String,
        /// The most that it can cost, in wei: the required prefund ([`max_cost`](crate::user_op::max_cost)).
        "maxCost" => pub max_cost: String,
        /// The part of it that is charged even if the call fails, in wei: `preVerificationGas` at the fee cap. The gas
        /// used by the verification is charged in addition.
        "certainCost" => pub certain_cost: String,
        /// A sentence about the cost, in the coin of `chain`, and about when the paymaster pays.
        "sentence" => pub sentence: String,
        /// The payer.
        "paymaster" => pub paymaster: Address,
        /// The time until which the paymaster pays, in seconds since the epoch; 0 means no end, null means data of
        /// another layout. With version 0.9 both times are block numbers if both have the bit 2^47; `sentence` says so.
        "paymasterValidUntil" => pub paymaster_valid_until: Option<Seconds>,
        /// The time from which the paymaster pays, in the same form.
        "paymasterValidAfter" => pub paymaster_valid_after: Option<Seconds>,
        /// The Keccak-256 hash of the paymaster's data.
        "paymasterDataHash" => pub paymaster_data_hash: Word,
        /// The Keccak-256 hash of the call data. `call` does not show its spelling.
        "callDataHash" => pub call_data_hash: Word,
    }
}

/// How a part of the scope is shown.
enum Show {
    AsItIs,
    Checksummed,
    Decimal,
}

/// The rows of [`SignedOperation`] that show parts of the scope, in runs between those that are computed.
static IDENTITY: [(Show, Place); 4] = [
    (Show::Checksummed, at("reply.data.userOps.sender")),
    (Show::AsItIs, at("reply.data.userOps.nonce")),
    (Show::Checksummed, at("where.entryPoint")),
    (Show::AsItIs, CHAIN_ID),
];
static VERSION: [(Show, Place); 2] =
    [(Show::AsItIs, at("where.version")), (Show::AsItIs, at("where.gasFeeOrder"))];
static FIGURES: [(Show, Place); 7] = [
    (Show::Decimal, scope::CAP),
    (Show::Decimal, scope::TIP),
    (Show::Decimal, scope::found(user_op::CALL.key)),
    (Show::Decimal, scope::found(user_op::VERIFICATION.key)),
    (Show::Decimal, scope::found(user_op::PRE_VERIFICATION.key)),
    (Show::Decimal, scope::found(user_op::PAYMASTER.key)),
    (Show::Decimal, scope::found(user_op::POST_OP.key)),
];
static VALIDITY: [(Show, Place); 2] =
    [(Show::AsItIs, scope::VALID_UNTIL), (Show::AsItIs, scope::VALID_AFTER)];

#[inline(never)]
fn show(rows: &[(Show, Place)], scope: &Value, made: &mut Made) {
    for (show, place) in rows {
        let value = scope.at(place);
        match show {
            _ if !value.is_whole() => made.add(Value::Null),
            Show::AsItIs => made.copy(value),
            Show::Checksummed => made.checksummed(value),
            Show::Decimal => made.decimal(value.number()),
        }
    }
}

/// Returns the effects of signing the operation of a scope without problems. `call_data` is the hash of the call data.
pub(super) fn clear_signing(
    scope: &Value,
    signs: &'static str,
    call_data: [u8; 32],
    names: &Known,
) -> Option<Value> {
    let op = scope.at(&scope::OPERATION);
    let (chain, cost) = (chain_of(scope)?, cost_of(op)?);
    let paymaster = op.field("paymaster").checksummed();
    let fee = scope.at(&scope::CAP).number();
    let certain = product(op.field(user_op::PRE_VERIFICATION.key).number(), fee)?;

    let mut operation = Made::of(SignedOperation::TABLE);
    show(&IDENTITY, scope, &mut operation);
    operation.copy(&chain);
    show(&VERSION, scope, &mut operation);
    operation.keyword(signs);
    show(&FIGURES, scope, &mut operation);
    operation.decimal(cost);
    operation.decimal(certain);
    let validity = validity(scope);
    operation.text(fill(
        "The operation costs at most {} on {}. The paymaster {} pays it{}.",
        &[&names.coins(cost, &chain), &names.chain(&chain), &paymaster, &validity],
    ));
    operation.add(paymaster);
    show(&VALIDITY, scope, &mut operation);
    operation.word(keccak256(&[scope.at(&scope::GRANT).bytes()]));
    operation.word(call_data);

    let mut made = Made::of(ClearSigning::TABLE);
    made.add(describe(scope.nth(scope::CALL), names));
    made.add(operation.finish());
    Some(made.finish())
}

/// When the paymaster pays: times, or blocks. EntryPoint 0.9 reads both values as blocks if both have the highest of their 48 bits.
fn validity(scope: &Value) -> String {
    const BLOCKS: i64 = 1 << 47;

    let (after, until) = (scope.at(&scope::VALID_AFTER), scope.at(&scope::VALID_UNTIL));
    let (Value::Integer(after), Value::Integer(until)) = (after, until) else {
        return String::new();
    };
    let has_blocks = *scope.at(&at("where.version")) == EntryPointVersion::V09.to_value();
    let block = |value: &i64| value.checked_sub(BLOCKS).filter(|block| *block >= 0);
    match (block(after).zip(block(until)).filter(|_| has_blocks), after, until) {
        (Some((after, until)), _, _) => {
            fill(", after block {} and until block {}", &[&after, &until])
        }
        (None, 0, 0) => String::new(),
        (None, 0, until) => fill(", until {} (Unix time)", &[until]),
        (None, after, 0) => fill(", after {} (Unix time)", &[after]),
        (None, after, until) => fill(", after {} and until {} (Unix time)", &[after, until]),
    }
}

/// The chain of the deployment.
fn chain_of(scope: &Value) -> Option<Value> {
    let Value::Integer(id) = scope.at(&CHAIN_ID) else { return None };
    Some(Value::ChainId(ChainId::of_eip155(u128::try_from(*id).ok()?)))
}

const CHAIN_ID: Place = at("where.chainId");
