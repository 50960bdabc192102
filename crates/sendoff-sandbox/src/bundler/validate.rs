//! The checks before the call, in the EntryPoint's order and with its reasons.

use sendoff::primitive_types::U256;
use sendoff::user_op::{
    EntryPointVersion, PaymasterData, PaymasterGrant, UserOp, check_signature, signing_digest,
};
use sendoff::uuid::Uuid;
use sendoff::value::{Address, HexBytes, Word};

use super::error::{PARAMETERS, RpcError, check};
use super::gas::{OWN_PART, PAYMASTER_VERIFICATION, PRE_VERIFICATION, VERIFICATION, fits_in_block};
use super::nonces;
use crate::operation::other_account;
use crate::spelled::lowered;
use crate::state::{State, User};

/// The errors of validation by ERC-7769.
const ACCOUNT: i64 = -32_500;
const PAYMASTER: i64 = -32_501;
const TIME: i64 = -32_503;
const SIGNATURE: i64 = -32_507;

/// The user of a smart wallet, or of the other one of its key.
pub(super) fn account<'a>(state: &'a State, sender: &Address) -> Result<&'a User, RpcError> {
    let sender = lowered(sender);
    let other = other_account(&sender);
    let user = state.users.values().find(|user| user.swa == sender || user.swa == other);
    user.ok_or_else(|| RpcError::new(ACCOUNT, "AA20 account not deployed"))
}

/// The checks before the call. Returns the id of the sender's user.
pub(super) fn validate(
    state: &State,
    op: &UserOp,
    hash: Word,
    cost: U256,
    now: i64,
) -> Result<String, RpcError> {
    let (deployment, version) = (&state.deployment, state.deployment.version);
    let (cap, tip) = (op.max_fee_per_gas.value(), op.max_priority_fee_per_gas.value());
    let pre_verification = op.pre_verification_gas.value();
    check(tip <= cap, PARAMETERS, "maxPriorityFeePerGas is above maxFeePerGas")?;
    let base_fee = deployment.base_fee.value();
    check(U256::from(cap) >= base_fee, PARAMETERS, "maxFeePerGas is below the base fee")?;
    let is_enough = pre_verification >= PRE_VERIFICATION.into();
    check(is_enough, PARAMETERS, "preVerificationGas is too low")?;

    let user = account(state, &op.sender)?;
    // From 0.9 on a factory is ignored if the account exists.
    let is_new = op.factory.is_some() && version != EntryPointVersion::V09;
    check(!is_new, ACCOUNT, "AA10 sender already constructed")?;
    // With less gas than it needs the account reverts, without a reason.
    let runs = |limit: u128, needed: u64| limit >= needed.saturating_sub(OWN_PART).into();
    let limit = op.verification_gas_limit.value();
    check(runs(limit, VERIFICATION), ACCOUNT, "AA23 reverted")?;
    let unpaid = || RpcError::new(ACCOUNT, "AA21 didn't pay prefund");
    let paymaster = op.paymaster.as_ref().ok_or_else(unpaid)?;
    let is_next = nonces::is_next(state, &lowered(&op.sender), op.nonce.value());
    check(is_next, ACCOUNT, "AA25 invalid account nonce")?;
    check(limit >= VERIFICATION.into(), ACCOUNT, "AA26 over verificationGasLimit")?;

    let is_known = paymaster.address == deployment.paymaster;
    check(is_known, PAYMASTER, "AA30 paymaster not deployed")?;
    check(deployment.deposit.value() >= cost, PAYMASTER, "AA31 paymaster deposit too low")?;
    let limit = paymaster.verification_gas_limit.value();
    let grant = PaymasterData::decode(paymaster.data.as_slice()).ok();
    let has_form = grant.is_some() || deployment.grant_signer.payer().is_none();
    check(runs(limit, PAYMASTER_VERIFICATION) && has_form, PAYMASTER, "AA33 reverted")?;
    let is_enough = limit >= PAYMASTER_VERIFICATION.into();
    check(is_enough, PAYMASTER, "AA36 over paymasterVerificationGasLimit")?;

    // Signatures and times are judged after both have answered.
    let signature = op.signature.as_ref().map(HexBytes::as_slice).unwrap_or_default();
    let signer: Option<Address> = user.session_key.parse().ok();
    let is_right =
        |signer: &Address| check_signature(signing_digest(hash), signature, signer).is_ok();
    check(signer.as_ref().is_some_and(is_right), SIGNATURE, "AA24 signature error")?;
    if let Some(grant) = grant {
        granted(state, op, &grant, now)?;
    }
    check(fits_in_block(op), PARAMETERS, "AA95 out of gas")?;
    Ok(user.id.clone())
}

/// Checks the application's grant in the paymaster data. Data of another form is no grant; without a
/// key of the application its signature is not checked.
fn granted(state: &State, op: &UserOp, data: &PaymasterData, now: i64) -> Result<(), RpcError> {
    let PaymasterData { client_swa, valid_until, valid_after, .. } = *data;
    let is_right = |signer: &Address| {
        let job_id = Uuid::from_u128(op.nonce.value().low_u128()).into();
        let grant = PaymasterGrant { job_id, client_swa, valid_until, valid_after };
        let signature = data.signature.to_bytes();
        check_signature(signing_digest(grant.hash()), signature.as_slice(), signer).is_ok()
    };
    let deployment = &state.deployment;
    let is_granted =
        client_swa == deployment.client_swa && deployment.grant_signer.payer().is_none_or(is_right);
    check(is_granted, SIGNATURE, "AA34 signature error")?;

    let now = u64::try_from(now.div_euclid(1_000)).unwrap_or_default();
    let is_over = valid_until.value() != 0 && valid_until.value() < now;
    // From 0.8 on a grant begins in the second after this one.
    let is_later = deployment.version != EntryPointVersion::V07;
    let has_begun = valid_after.value() <= now.saturating_sub(u64::from(is_later));
    check(has_begun && !is_over, TIME, "AA32 paymaster expired or not due")
}
