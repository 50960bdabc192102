//! Clear signing: the effects of a signature in plain data.

use alloc::string::String;

use super::describe::describe;
use super::scope::{self, at};
use super::{CallDescription, SignatureForm};
use crate::document::{Made, Place, Value, answer};
use crate::intent::Known;
use crate::keccak::keccak256;
use crate::user_op::{
    self, EntryPointVersion, EvmChainId, GasFeeOrder, GasLimit, Seconds, cost_of,
};
use crate::value::{Address, ChainId, Nonce, Word, decimal, product};

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
        /// A sentence about the cost, in the coin of `chain` if the names contain it.
        "sentence" => pub sentence: String,
        /// The payer.
        "paymaster" => pub paymaster: Address,
        /// The time until which the paymaster pays, in seconds since the epoch; 0 means no end, null means data of
        /// another layout.
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

/// The rows of [`SignedOperation`] that show parts of the scope: those before what is computed, and the paymaster.
static SHOWN: [(&str, Show, Place); 15] = [
    ("sender", Show::Checksummed, at("reply.data.userOps.sender")),
    ("nonce", Show::AsItIs, at("reply.data.userOps.nonce")),
    ("entryPoint", Show::Checksummed, at("where.entryPoint")),
    ("chainId", Show::AsItIs, at("where.chainId")),
    ("version", Show::AsItIs, at("where.version")),
    ("gasFeeOrder", Show::AsItIs, at("where.gasFeeOrder")),
    ("maxFeePerGas", Show::Decimal, at("reply.data.userOps.maxFeePerGas")),
    ("maxPriorityFeePerGas", Show::Decimal, at("reply.data.userOps.maxPriorityFeePerGas")),
    limit(&user_op::CALL),
    limit(&user_op::VERIFICATION),
    limit(&user_op::PRE_VERIFICATION),
    limit(&user_op::PAYMASTER),
    limit(&user_op::POST_OP),
    ("paymaster", Show::Checksummed, at("reply.data.userOps.paymaster")),
    ("paymasterValidUntil", Show::AsItIs, at("paymaster.validUntil")),
];

const fn limit(limit: &GasLimit) -> (&'static str, Show, Place) {
    (limit.key, Show::Decimal, scope::found(limit.key))
}

/// Returns the effects of signing the operation of a scope without problems. `call_data` is the hash of the call data.
pub(super) fn clear_signing(
    scope: &Value,
    signs: &'static str,
    call_data: [u8; 32],
    names: Known<'_>,
) -> Option<Value> {
    let op = scope.at(&scope::OPERATION);
    let mut operation = SignedOperation::TABLE.empty();
    let mut put = |key: &str, value: Value| {
        if let Some(row) = SignedOperation::TABLE.place(key) {
            operation.set(row, value);
        }
    };

    for (key, show, place) in &SHOWN {
        let value = scope.at(place);
        let shown = match show {
            Show::AsItIs => value.clone(),
            Show::Checksummed => value.checksummed(),
            Show::Decimal => Value::text(decimal(value.number())),
        };
        put(key, if shown.is_whole() { shown } else { Value::Null });
    }
    let after = scope.at(&scope::VALID_AFTER);
    put("paymasterValidAfter", if after.is_whole() { after.clone() } else { Value::Null });

    let (chain, cost) = (chain_of(scope)?, cost_of(op)?);
    let fee = scope.at(&scope::CAP).number();
    put("sentence", Value::text(names.cost_sentence(cost, &chain, op.field("paymaster"))));
    put("chain", chain);
    put("signs", Value::Keyword(signs));
    put("maxCost", Value::text(decimal(cost)));
    put(
        "certainCost",
        Value::text(decimal(product(op.field(user_op::PRE_VERIFICATION.key).number(), fee)?)),
    );
    put("paymasterDataHash", Value::Word(keccak256(&[scope.at(&scope::GRANT).bytes()]).into()));
    put("callDataHash", Value::Word(call_data.into()));

    let mut made = Made::of(ClearSigning::TABLE);
    made.add(describe(scope.nth(scope::CALL), names));
    made.add(operation);
    Some(made.finish())
}

/// The chain of the deployment.
fn chain_of(scope: &Value) -> Option<Value> {
    let Value::Integer(id) = scope.at(&CHAIN_ID) else { return None };
    Some(Value::ChainId(ChainId::of_eip155(u128::try_from(*id).ok()?)))
}

const CHAIN_ID: Place = at("where.chainId");
