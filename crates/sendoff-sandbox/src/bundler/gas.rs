//! The gas of an operation: a figure for each part.

use sendoff::estimate::GasLimits;
use sendoff::intent::Intent;
use sendoff::primitive_types::U256;
use sendoff::user_op::{EntryPointVersion, UserOp};

/// The gas of the account's validation, with the EntryPoint's own part of it.
pub(super) const VERIFICATION: u64 = 100_000;
/// The gas of the paymaster's validation, with the EntryPoint's own part of it.
pub(super) const PAYMASTER_VERIFICATION: u64 = 60_000;
/// The EntryPoint's own part of each.
pub(super) const OWN_PART: u64 = 10_000;
/// The gas of the paymaster's work after the call.
const POST_OP: u64 = 1;
/// The gas that pays the bundler.
pub(super) const PRE_VERIFICATION: u64 = 50_000;
/// The gas of a block: no bundle has more.
const BLOCK: u64 = 30_000_000;
/// The gas that the EntryPoint keeps for itself in a call.
const INNER_OVERHEAD: u64 = 10_000;
/// The gas that a call may leave for nothing from EntryPoint 0.8 on: its `PENALTY_GAS_THRESHOLD`.
const FREE_UNUSED: u64 = 40_000;
/// The limit of a call with one transaction, and what each further one adds.
const CALL_LIMIT: u64 = 600_000;
const FURTHER_LIMIT: u64 = 150_000;

/// `true` if the EntryPoint can give the call and the paymaster their gas in a block: it keeps a part, and a call gets at most 63
/// of 64 parts of what is left (EIP-150).
pub(super) fn fits_in_block(op: &UserOp) -> bool {
    let post_op = op.paymaster.as_ref().map_or(0, |paymaster| paymaster.post_op_gas_limit.value());
    let wanted =
        op.call_gas_limit.value().saturating_add(post_op).saturating_add(INNER_OVERHEAD.into());
    wanted <= u128::from(BLOCK / 64 * 63)
}

/// The number of transactions of an intent.
fn transactions(intent: &Intent) -> u64 {
    match intent {
        Intent::TokenTransfer(_) | Intent::NftTransfer(_) => 1,
        Intent::RawTransaction(raw) => {
            u64::try_from(raw.transactions.as_slice().len()).unwrap_or(u64::MAX)
        }
    }
}

/// The gas of a call, by its intent; of raw transactions each has some.
pub(super) fn call_gas(intent: &Intent) -> u64 {
    match intent {
        Intent::TokenTransfer(_) => 150_000,
        Intent::NftTransfer(_) => 180_000,
        Intent::RawTransaction(_) => transactions(intent).saturating_mul(120_000),
    }
}

/// The gas limits of a call, by its intent: the constants of the service's public SDK, so that figures
/// which fit the live service fit here. Call data without an intent has those of one transaction.
pub(crate) fn limits(intent: Option<&Intent>) -> GasLimits {
    let further = intent.map_or(1, transactions).saturating_sub(1);
    let call = CALL_LIMIT.saturating_add(further.saturating_mul(FURTHER_LIMIT));
    GasLimits {
        call_gas_limit: u128::from(call).into(),
        verification_gas_limit: 400_000_u128.into(),
        pre_verification_gas: 100_000_u128.into(),
        paymaster_verification_gas_limit: 200_000_u128.into(),
        paymaster_post_op_gas_limit: 200_000_u128.into(),
    }
}

/// The gas of an operation whose call used this much, with a tenth of what was left: EntryPoint 0.7 adds the limits of call and
/// paymaster, later ones take each alone, and only if more than a threshold is left.
pub(super) fn gas_used(op: &UserOp, call: u64, version: EntryPointVersion) -> U256 {
    // A block has fewer, so that 64 bits are enough.
    let limit = |gas: u128| u64::try_from(gas).unwrap_or(u64::MAX);
    let paymaster = op.paymaster.as_ref();
    let post_op_limit = paymaster.map_or(0, |paymaster| limit(paymaster.post_op_gas_limit.value()));
    let (call_limit, post_op) = (limit(op.call_gas_limit.value()), POST_OP.min(post_op_limit));
    let executed = call.saturating_add(post_op);
    let penalty = if version == EntryPointVersion::V07 {
        call_limit.saturating_add(post_op_limit).saturating_sub(executed) / 10
    } else {
        let penalty = |limit: u64, used| match limit.saturating_sub(used) {
            unused if unused > FREE_UNUSED => unused / 10,
            _ => 0,
        };
        penalty(call_limit, call).saturating_add(penalty(post_op_limit, post_op))
    };
    let parts = [VERIFICATION, PAYMASTER_VERIFICATION, penalty];
    let used = parts.into_iter().fold(executed, u64::saturating_add);
    op.pre_verification_gas.value().saturating_add(used.into())
}
