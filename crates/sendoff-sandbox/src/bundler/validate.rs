//! The checks before the call, in the EntryPoint's order and with its reasons.

use sendoff::primitive_types::U256;
use sendoff::user_op::{EntryPointVersion, PaymasterData, PaymasterGrant, UserOp, signing_digest};
use sendoff::uuid::Uuid;
use sendoff::value::{Address, Word};

use super::gas::{OWN_PART, PAYMASTER_VERIFICATION, PRE_VERIFICATION, VERIFICATION, fits_in_block};
use super::{PARAMETERS, RpcError, nonces, other_account};
use crate::signed::{Judge, Moment, Signed};
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

/// The checks before the call, in the order of the EntryPoint. Returns the id of the sender's user.
pub(super) fn validate(
    state: &State,
    op: &UserOp,
    hash: Word,
    cost: U256,
    at: Moment<'_>,
) -> Result<String, RpcError> {
    let deployment = &state.deployment;
    let (cap, tip) =
        (U256::from(op.max_fee_per_gas.value()), U256::from(op.max_priority_fee_per_gas.value()));
    if tip > cap {
        return Err(RpcError::new(PARAMETERS, "maxPriorityFeePerGas is above maxFeePerGas"));
    }
    if cap < deployment.base_fee {
        return Err(RpcError::new(PARAMETERS, "maxFeePerGas is below the base fee"));
    }
    if op.pre_verification_gas.value() < U256::from(PRE_VERIFICATION) {
        return Err(RpcError::new(PARAMETERS, "preVerificationGas is too low"));
    }
    let user = account(state, &op.sender)?;
    // From 0.9 on a factory is ignored if the account exists.
    if op.factory.is_some() && deployment.version != EntryPointVersion::V09 {
        return Err(RpcError::new(ACCOUNT, "AA10 sender already constructed"));
    }
    // With less gas than it needs the account reverts, without a reason.
    let own = |limit: u128, needed: u64| limit < needed.saturating_sub(OWN_PART).into();
    if own(op.verification_gas_limit.value(), VERIFICATION) {
        return Err(RpcError::new(ACCOUNT, "AA23 reverted"));
    }
    let Some(paymaster) = &op.paymaster else {
        return Err(RpcError::new(ACCOUNT, "AA21 didn't pay prefund"));
    };
    if !nonces::is_next(state, &lowered(&op.sender), op.nonce.value()) {
        return Err(RpcError::new(ACCOUNT, "AA25 invalid account nonce"));
    }
    if op.verification_gas_limit.value() < VERIFICATION.into() {
        return Err(RpcError::new(ACCOUNT, "AA26 over verificationGasLimit"));
    }

    if paymaster.address != deployment.paymaster {
        return Err(RpcError::new(PAYMASTER, "AA30 paymaster not deployed"));
    }
    if deployment.deposit < cost {
        return Err(RpcError::new(PAYMASTER, "AA31 paymaster deposit too low"));
    }
    let limit = paymaster.verification_gas_limit.value();
    let grant = PaymasterData::decode(paymaster.data.as_slice()).ok();
    let has_form = grant.is_some() || deployment.grant_signer.payer().is_none();
    if own(limit, PAYMASTER_VERIFICATION) || !has_form {
        return Err(RpcError::new(PAYMASTER, "AA33 reverted"));
    }
    if limit < PAYMASTER_VERIFICATION.into() {
        return Err(RpcError::new(PAYMASTER, "AA36 over paymasterVerificationGasLimit"));
    }
    // Signatures and times are judged after both have answered.
    is_signed(op, hash, user, at.judge)?;
    if let Some(grant) = grant {
        is_granted(state, op, &grant, at)?;
    }
    if !fits_in_block(op) {
        return Err(RpcError::new(PARAMETERS, "AA95 out of gas"));
    }
    Ok(user.id.clone())
}

/// Checks the application's grant in the paymaster data. Data of another form is no grant.
fn is_granted(
    state: &State,
    op: &UserOp,
    grant: &PaymasterData,
    at: Moment<'_>,
) -> Result<(), RpcError> {
    let deployment = &state.deployment;
    let signer = deployment.grant_signer.payer();
    if grant.client_swa != deployment.client_swa || !is_granted_by(op, grant, signer, at.judge) {
        return Err(RpcError::new(SIGNATURE, "AA34 signature error"));
    }
    let seconds = u64::try_from(at.now.div_euclid(1_000)).unwrap_or_default();
    let is_over = grant.valid_until.value() != 0 && grant.valid_until.value() < seconds;
    // From 0.8 on a grant begins in the second after this one.
    let is_later = deployment.version != EntryPointVersion::V07;
    if is_over || grant.valid_after.value() > seconds.saturating_sub(u64::from(is_later)) {
        return Err(RpcError::new(TIME, "AA32 paymaster expired or not due"));
    }
    Ok(())
}

/// Checks the signature of the user's session key.
fn is_signed(op: &UserOp, hash: Word, user: &User, judge: Judge<'_>) -> Result<(), RpcError> {
    let is_right = user.session_key.parse().is_ok_and(|signer| {
        let signature = op.signature.clone().unwrap_or_default();
        judge(&Signed { digest: signing_digest(hash), signature, signer })
    });
    if is_right { Ok(()) } else { Err(RpcError::new(SIGNATURE, "AA24 signature error")) }
}

/// `true` if a key granted the operation; without a key grants are not checked.
fn is_granted_by(
    op: &UserOp,
    data: &PaymasterData,
    signer: Option<&Address>,
    judge: Judge<'_>,
) -> bool {
    let Some(signer) = signer else { return true };
    let job_id = Uuid::from_u128(op.nonce.value().low_u128()).into();
    let (client_swa, valid_until, valid_after) =
        (data.client_swa, data.valid_until, data.valid_after);
    let grant = PaymasterGrant { job_id, client_swa, valid_until, valid_after };
    let signature = data.signature.to_bytes().as_slice().into();
    judge(&Signed { digest: signing_digest(grant.hash()), signature, signer: *signer })
}
