//! Clear signing: the effects of a signature in plain data.

use alloc::string::String;

use super::{CallDescription, Deployment, SignatureForm};
use crate::document::answer;
use crate::intent::Names;
use crate::keccak::keccak256;
use crate::user_op::{
    Call, EntryPointVersion, EvmChainId, GasFeeOrder, PaymasterData, PreparedUserOp, Seconds, UserOp, max_cost,
};
use crate::value::{Address, ChainId, Nonce, Word, decimal, product};

answer! {
    /// The effects of a signature in plain data. Two operations have the same only if they are equal.
    pub struct ClearSigning {
        /// The effects on the user's assets.
        "call" => pub call: CallDescription,
        /// The operation that causes them.
        "operation" => pub operation: SignedOperation,
    }
}

answer! {
    /// The operation that is signed. Amounts are decimals, in wei or in gas.
    pub struct SignedOperation {
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
        /// The most that it can cost, in wei: the required prefund ([`max_cost`]).
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

impl ClearSigning {
    /// Describes an operation for a deployment. `call` is the content of its call data, and `call_data` the digest. The
    /// sentences show these names. Returns `None` if the EntryPoint refuses its gas.
    pub(super) fn of(
        op: &UserOp,
        call: &Call,
        paymaster: &PreparedUserOp,
        call_data: [u8; 32],
        at: &Deployment,
        names: &Names,
    ) -> Option<Self> {
        let paymaster_data = PaymasterData::decode(paymaster.paymaster_data.as_slice()).ok();
        let fee = op.max_fee_per_gas.value().into();
        let (chain, cost) = (ChainId::from(at.chain_id), max_cost(op).ok()?);

        let operation = SignedOperation {
            sender: op.sender.to_checksummed(),
            nonce: op.nonce,
            entry_point: at.entry_point.to_checksummed(),
            chain_id: at.chain_id,
            sentence: names.cost_sentence(cost, &chain, &paymaster.paymaster),
            chain,
            version: at.version,
            gas_fee_order: at.gas_fee_order,
            signs: at.signature_form(),
            max_fee_per_gas: decimal(fee),
            max_priority_fee_per_gas: decimal(op.max_priority_fee_per_gas.value().into()),
            call_gas_limit: decimal(op.call_gas_limit.value().into()),
            verification_gas_limit: decimal(op.verification_gas_limit.value().into()),
            pre_verification_gas: decimal(op.pre_verification_gas.value()),
            paymaster_verification_gas_limit: decimal(paymaster.paymaster_verification_gas_limit.value().into()),
            paymaster_post_op_gas_limit: decimal(paymaster.paymaster_post_op_gas_limit.value().into()),
            max_cost: decimal(cost),
            certain_cost: decimal(product(op.pre_verification_gas.value(), fee)?),
            paymaster: paymaster.paymaster.to_checksummed(),
            paymaster_valid_until: paymaster_data.as_ref().map(|data| data.valid_until),
            paymaster_valid_after: paymaster_data.as_ref().map(|data| data.valid_after),
            paymaster_data_hash: keccak256([paymaster.paymaster_data.as_slice()]).into(),
            call_data_hash: call_data.into(),
        };

        Some(Self { call: CallDescription::of(call, names), operation })
    }
}
