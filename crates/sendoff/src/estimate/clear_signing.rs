//! Clear signing: the effects of a signature in plain data.

use alloc::string::String;

use super::scope::{self, Sides};
use super::{CallDescription, Deployment, SignatureForm};
use crate::document::document;
use crate::intent::Names;
use crate::keccak::keccak256;
use crate::user_op::{
    EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder, GasLimit, PaymasterData,
    PreparedUserOp, Seconds, UserOp,
};
use crate::value::{Address, ChainId, Nonce, Word, decimal, fill, product};

document! {
    /// The effects of a signature in plain data. Two operations have the same only if they are equal.
    pub struct ClearSigning: "", open Ignored, displayed by nobody {
        /// The effects on the user's assets.
        "call" => pub call: CallDescription,
        /// The operation that causes them.
        "operation" => pub operation: SignedOperation,
    }
}

document! {
    /// The operation that is signed. Amounts are decimals, in wei or in gas.
    pub struct SignedOperation: "", open Ignored, displayed by nobody {
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
        "paymasterValidUntil" => pub paymaster_valid_until: Option<Seconds> as nullable,
        /// The time from which the paymaster pays, in the same form.
        "paymasterValidAfter" => pub paymaster_valid_after: Option<Seconds> as nullable,
        /// The Keccak-256 hash of the paymaster's data.
        "paymasterDataHash" => pub paymaster_data_hash: Word,
        /// The Keccak-256 hash of the call data. `call` does not show its spelling.
        "callDataHash" => pub call_data_hash: Word,
    }
}

/// Returns the effects of signing an operation without problems; `None` for a cost that no number expresses.
pub(super) fn clear_signing(
    operation: &PreparedUserOp,
    op: &UserOp,
    call_data_hash: Word,
    sides: &Sides<'_>,
    deployment: &Deployment,
    names: &Names,
) -> Option<ClearSigning> {
    let EntryPoint { address, chain_id, version, gas_fee_order } = deployment.entry_point();
    let chain = ChainId::from(chain_id);
    // Without findings these are the operation's addresses. Each that has its checksum spares a hash.
    let (user, client) = (sides.reply().get(scope::USER)?, &deployment.client_swa);
    let spelled = [&user, client, &deployment.job_manager];
    let call = CallDescription::known(sides.call.as_ref()?, names, &spelled);
    let paymaster = operation.paymaster.to_checksummed_as(&[&deployment.paymaster]);

    let cost = op.max_cost()?;
    let grant = sides.grant.as_ref();
    let validity = grant.map(|grant| validity(grant, version)).unwrap_or_default();
    let cap = op.max_fee_per_gas.to_u256();
    let limit = |limit| decimal(op.gas(limit));

    let operation = SignedOperation {
        sender: op.sender.to_checksummed_as(&[&call.from]),
        nonce: op.nonce,
        entry_point: address.to_checksummed(),
        chain_id,
        version,
        gas_fee_order,
        signs: deployment.signature_form(),
        max_fee_per_gas: decimal(cap),
        max_priority_fee_per_gas: decimal(op.max_priority_fee_per_gas.to_u256()),
        call_gas_limit: limit(GasLimit::Call),
        verification_gas_limit: limit(GasLimit::Verification),
        pre_verification_gas: limit(GasLimit::PreVerification),
        paymaster_verification_gas_limit: limit(GasLimit::Paymaster),
        paymaster_post_op_gas_limit: limit(GasLimit::PostOp),
        max_cost: decimal(cost),
        certain_cost: decimal(product(op.pre_verification_gas.value(), cap)?),
        sentence: fill(
            "The operation costs at most {} on {}. The paymaster {} pays it{}.",
            &[&names.coins(cost, &chain).text, &names.chain(&chain), &paymaster, &validity],
        ),
        paymaster,
        paymaster_valid_until: grant.map(|grant| grant.valid_until),
        paymaster_valid_after: grant.map(|grant| grant.valid_after),
        paymaster_data_hash: keccak256(&[operation.paymaster_data.as_slice()]).into(),
        call_data_hash,
        chain,
    };
    Some(ClearSigning { call, operation })
}

/// When the paymaster pays: times, or blocks. EntryPoint 0.9 reads both values as blocks if both have the highest of their 48 bits.
fn validity(grant: &PaymasterData, version: EntryPointVersion) -> String {
    const BLOCKS: u64 = 1 << 47;

    let (after, until) = (grant.valid_after.value(), grant.valid_until.value());
    let has_blocks = version == EntryPointVersion::V09;
    let block = |value: u64| value.checked_sub(BLOCKS).filter(|_| has_blocks);
    match (block(after).zip(block(until)), after, until) {
        (Some((after, until)), _, _) => {
            fill(", after block {} and until block {}", &[&after, &until])
        }
        (None, 0, 0) => String::new(),
        (None, 0, until) => fill(", until {} (Unix time)", &[&until]),
        (None, after, 0) => fill(", after {} (Unix time)", &[&after]),
        (None, after, until) => fill(", after {} and until {} (Unix time)", &[&after, &until]),
    }
}
